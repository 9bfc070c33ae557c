"""What calls may carry: pydantic models that bound everything and name what is wrong."""

import re
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, WithJsonSchema

from ruleset.ids import PLAYOFF, PlayerId, RoundNo, TableId, TableNo, TournamentNo

MOST: Final = 2**53
_LABEL: Final = re.compile(r"[Pp]?0*([1-9][0-9]{0,15})", re.ASCII)
_TABLE: Final = re.compile(
    r"(?:X([0-9]{1,16}))?(?:R([1-9][0-9]{0,3})|P1)T([1-9][0-9]{0,5})S?", re.ASCII | re.IGNORECASE
)


def _number(value: object) -> object:
    if not isinstance(value, str):
        return value
    found = _LABEL.fullmatch(value.strip())
    if found is None:
        raise ValueError("write the number of a player, as P000123 or 123, not his nickname")
    return int(found[1])


def _table(value: object, info: ValidationInfo) -> object:
    found = _TABLE.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        raise ValueError("write a table as R1T2")
    if found[1] is not None and int(found[1]) != info.data.get("tournament"):
        raise ValueError(f"that is a room of tournament {int(found[1])}")
    return TableId(RoundNo(int(found[2])) if found[2] else PLAYOFF, TableNo(int(found[3])))


_Positive = Field(ge=1, le=MOST)
PlayerNumber = Annotated[
    PlayerId,
    _Positive,
    BeforeValidator(_number),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": MOST},
                {"type": "string", "pattern": f"^{_LABEL.pattern}$"},
            ]
        }
    ),
]
"""``123`` or ``"P000123"``."""
TournamentNumber = Annotated[TournamentNo, _Positive]
TableName = Annotated[
    TableId,
    BeforeValidator(_table),
    WithJsonSchema({"type": "string", "pattern": f"^{_TABLE.pattern}$", "examples": ["R1T2"]}),
]
"""``"R1T2"``, ``"P1T1"`` in the play-off, or a room code of the tournament with that tail."""
Milliseconds = Annotated[int, Field(ge=-MOST, le=MOST)]
Wins = tuple[Annotated[int, Field(ge=0, le=9)], Annotated[int, Field(ge=0, le=9)]]
"""Games won by seats A and B."""
Text = Annotated[str, Field(max_length=4_000)]
DeckText = Annotated[str, Field(max_length=128 * 1024)]
Wishes = dict[str, Any]


class Params(BaseModel):
    """Named values; an unknown name is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class Change(Params):
    """For every call that changes something."""

    command_id: Annotated[str, Field(pattern=r"^[\x21-\x7e]{1,64}$")] | None = None
    """Chosen by the caller: the same call again, with it, is carried out once (F08)."""


class InTournament(Params):
    """A question about one tournament."""

    tournament: TournamentNumber


class ChangeTournament(Change):
    """A change of one tournament."""

    tournament: TournamentNumber
    expected_version: Annotated[int, _Positive] | None = None
    """What the caller last saw: refused if somebody was faster (5.5-18)."""


class ChangePlayer(ChangeTournament):
    """A change that concerns one player of a tournament."""

    player: PlayerNumber


class ChangeTable(ChangeTournament):
    """A change that concerns one table."""

    table: TableName


class ChangeSeat(ChangeTable):
    """A change that concerns one player at one table."""

    player: PlayerNumber


class Nothing(Params):
    """No values at all."""
