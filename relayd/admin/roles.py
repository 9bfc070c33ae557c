"""Who may do what: owner > co-host > judge > player > viewer, the operator above all (rules.md 5.2)."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from relayd.settings import RoleName
from ruleset.ids import PlayerId, TournamentNo


class Role(IntEnum):
    """A right includes those below it."""

    VIEWER = 0
    PLAYER = 1
    JUDGE = 2
    COHOST = 3
    HOST = 4
    OPERATOR = 5

    @classmethod
    def named(cls, name: RoleName) -> "Role":
        """Return the role that the settings call *name*."""
        return cls[name.upper()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """Who speaks, as far as his right goes."""

    name: str
    """Stands in the log as who did it: ``unix:root``, ``token:judge-1``."""
    role: Role
    tournament: TournamentNo | None = None
    """His role holds there alone; everywhere else he only looks on."""
    player: PlayerId | None = None
    """Whom he plays as."""

    def role_in(self, number: TournamentNo | None) -> Role:
        """Return his role in a tournament; ``None``: outside of all."""
        return self.role if self.tournament is None or self.tournament == number else Role.VIEWER


NOBODY: Final = Peer(name="nobody", role=Role.VIEWER)
