"""What can be wrong with a deck, for programs and, only when it is shown, in words (D40, D41)."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from deckcheck.deck import MAX_CODE, Section
from deckcheck.sentences import Language, sentence

Kind: TypeAlias = Literal[
    "UNREADABLE", "UNKNOWNCARD", "MAINCOUNT", "EXTRACOUNT", "SIDECOUNT", "OCGONLY", "TCGONLY", "NOTAVAIL",
    "WRONGPLACE", "CARDCOUNT", "LFLIST", "NOTINPOOL", "CREDITS",
]  # fmt: skip
"""In the order of D41; what is UNREADABLE comes before all (D32)."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

_CLIENT_KINDS: Final[Mapping[Kind, int]] = {
    "UNREADABLE": 4, "UNKNOWNCARD": 4, "MAINCOUNT": 6, "EXTRACOUNT": 7, "SIDECOUNT": 8, "OCGONLY": 2,
    "TCGONLY": 3, "NOTAVAIL": 9, "CARDCOUNT": 5, "LFLIST": 1, "NOTINPOOL": 1, "CREDITS": 1,
}  # fmt: skip
_COUNTS: Final = frozenset[Kind]({"MAINCOUNT", "EXTRACOUNT", "SIDECOUNT"})


class Violation(NamedTuple):
    """One thing that is wrong; fields that its kind does not need keep their defaults.

    A tuple, because a text can have one in each of its thousands of lines (F19).
    """

    kind: Kind
    code: int = 0
    """The passcode as the player typed it (D23); of several editions, the one that was one too many."""
    base: int = 0
    """The card that it is an artwork of (D20)."""
    name: str = ""
    """Empty if nobody knows the card."""
    where: tuple[Section, ...] = ()
    count: int = 0  # type: ignore[assignment]  # of cards; a tuple's count is of no use here
    """How many there are: cards of the section, copies, or points."""
    limit: int = 0
    """How many there may be; of MAINCOUNT, the bound that is broken."""
    line: int = 0
    """Of what is UNREADABLE, from 1 up."""
    text: str = ""
    """Of what is UNREADABLE; of CREDITS, the name of the budget."""

    def sentence(self, language: Language = "en") -> str:
        """Say it to a person."""
        return sentence(self, language)

    def as_data(self) -> dict[str, object]:
        """Return what differs from the defaults, as values that JSON has."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value, default in zip(self._fields, self, _DEFAULTS, strict=True)
            if value != default
        }

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> "Violation":
        """Return the violation that `as_data` came from."""
        values = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
        return cls(**values)  # type: ignore[arg-type]  # the values are those of as_data


_DEFAULTS: Final = tuple(map(Violation._field_defaults.get, Violation._fields))


def client_code(violation: Violation) -> int:
    """Return what the game client is told in ERROR_MSG (D41): kind and passcode, or kind and count.

    A card in the wrong place is told as YGOPro does, by the count of the section and without a number.
    """
    if violation.kind == "WRONGPLACE":
        return (7 if violation.where == ("extra",) else 6) << 28
    payload = violation.count if violation.kind in _COUNTS else violation.code
    return _CLIENT_KINDS[violation.kind] << 28 | payload & MAX_CODE
