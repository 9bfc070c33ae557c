"""What the live hub offers to those who follow a tournament (implemented by relayd.live.hub)."""

from collections.abc import Sequence
from typing import Protocol

from ruleset.ids import TournamentNo


class Dropped(Exception):
    """The follower: you read too slowly. Follow again after *version*."""

    def __init__(self, version: int) -> None:
        super().__init__(f"dropped: read too slowly; follow again after version {version}")
        self.version = version


class Following(Protocol):
    """One reader's end."""

    async def take(self) -> bytes:
        """Return the next message, a JSON object. Raises Dropped."""
        ...

    def close(self) -> None:
        """Follow no longer; again changes nothing."""
        ...


class Feed(Protocol):
    """Passes durable entries on."""

    def follow(
        self, number: TournamentNo | None, *, after: int | None = None, views: bool = False
    ) -> Following:
        """Follow one tournament, or all; from now on, or from the entry behind version *after*."""
        ...

    def missed(self, number: TournamentNo, after: int, until: int) -> Sequence[bytes] | None:
        """Return the entries behind version *after* up to *until*; ``None``: not all of them are at hand."""
        ...
