"""The small values of the protocol, with their bounds, and the two shapes of everything in it."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from ruleset.ids import Instant

Seq: TypeAlias = Annotated[int, Meta(ge=1, lt=1 << 53)]
"""Number of a record in its spool, from 1 up without gaps."""
Count: TypeAlias = Annotated[int, Meta(ge=0, lt=1 << 53)]
Millis: TypeAlias = Annotated[Instant, Meta(ge=0, lt=1 << 53)]
"""UTC milliseconds by the clock of the duel server's machine."""
Score: TypeAlias = Annotated[int, Meta(ge=-99, le=999)]
"""Games won, or what srvpro writes: -1 lost in death, -9 left, 99 match-winning card (duel-server.md 2)."""
Number: TypeAlias = Annotated[int, Meta(ge=-(1 << 31), lt=1 << 31)]
Card: TypeAlias = Annotated[int, Meta(ge=0, lt=1 << 32)]
Cards: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=512)]
Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Name: TypeAlias = Annotated[str, Meta(max_length=64)]
"""A nickname or a room's name as the duel server holds it, without what stands behind ``$`` in a nickname."""
Code: TypeAlias = Annotated[str, Meta(pattern="^X[0-9]{1,15}[RP][0-9]{1,9}T[0-9]{1,9}S?$")]
"""A room code (R058), upper case."""
Text: TypeAlias = Annotated[str, Meta(max_length=500)]
Position: TypeAlias = Literal[0, 1]
"""Where a player sits in the room, 0 for who came first; it says nothing about his seat at the table."""
Stage: TypeAlias = Literal["begin", "finger", "firstgo", "dueling", "end", "siding"]
DeathState: TypeAlias = Literal["off", "three", "sudden"]


class Message(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """Anything that is said; a field more or less than the protocol's is an error."""


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece of a message."""
