"""Small values of the domain: plain ints and strings at run time, distinct to the type checker."""

from typing import Final, Literal, NamedTuple, NewType, TypeAlias

PlayerId = NewType("PlayerId", int)
"""Player number, from 1 up, never reused (R004)."""
TournamentNo = NewType("TournamentNo", int)
"""Number of a tournament (场次号), from 1 up, never reused."""
RoundNo = NewType("RoundNo", int)
"""From 1 up; rounds go on through the cut (R058). The cut play-off stands outside of them: ``PLAYOFF``."""
TableNo = NewType("TableNo", int)
"""From 1 up in each round."""
ServerId = NewType("ServerId", str)
"""The id of a duel server in the settings."""
Instant = NewType("Instant", int)
"""UTC, milliseconds since 1970."""
Seat: TypeAlias = Literal["a", "b"]
"""One of the two places at a table; the first player of a pairing has seat A."""
SEATS: Final[tuple[Seat, Seat]] = ("a", "b")

PLAYOFF: Final = RoundNo(0)
"""In the place of a round, the cut play-off (R033)."""
SECOND_MS: Final = 1_000
MINUTE_MS: Final = 60 * SECOND_MS


class TableId(NamedTuple):
    """One table of a tournament; printed as the tail of its room code: ``R3T4``, in the play-off ``P1T1``."""

    round_no: RoundNo
    table: TableNo

    def __str__(self) -> str:
        return f"P1T{self.table}" if self.round_no == PLAYOFF else f"R{self.round_no}T{self.table}"


def player_label(player: PlayerId) -> str:
    """Print a player number as people know it: ``P000123``, six digits or more (R004)."""
    return f"P{player:06d}"


def other(seat: Seat) -> Seat:
    """Return the seat on the other side of the table."""
    return "b" if seat == "a" else "a"
