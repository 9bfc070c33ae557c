"""A deck in any form, as people take it along."""

from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias, get_args

from deckcheck.deck import Deck
from deckcheck.links import write_link, write_old_link, write_ydke
from deckcheck.wire import write_deckbuf_text
from deckcheck.ydk import write_ydk

Form: TypeAlias = Literal["ydk", "ydke", "link", "old-link", "deckbuf"]
"""``old-link`` is ``ygo://deck`` of older YGOMobile; ``deckbuf`` the duel server's buffer in base64."""
FORMS: Final[tuple[Form, ...]] = get_args(Form)

_WRITERS: Final[Mapping[Form, Callable[[Deck], str]]] = {
    "ydk": write_ydk,
    "ydke": write_ydke,
    "link": write_link,
    "old-link": write_old_link,
    "deckbuf": write_deckbuf_text,
}


def write_any(deck: Deck, form: Form) -> str:
    """Write *deck* as text that `read_any` reads. Raises DeckInvalid for what the form cannot hold."""
    return _WRITERS[form](deck)
