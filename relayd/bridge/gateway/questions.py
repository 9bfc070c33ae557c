"""Answers what a plugin asks: where somebody sits, whether a key is his, whether he may play a deck."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from deckcheck.deck import MAX_CODE, Deck
from deckcheck.difference import difference
from deckcheck.errors import DeckcheckError
from deckcheck.frozen import FrozenDeck, freeze_deck, same_in_first_game, same_in_later_game
from deckcheck.parsed import ParsedDeck
from relayd.bridge.inside import Inside
from relayd.bridge.tables import code_of
from relayd.decklists import frozen_deck_of
from relayd.environments import Environments
from ruleset import roomcode
from ruleset.ids import Seat, ServerId
from ruleset.tournament.state import Table, Tournament
from srvpro_bridge.protocol import (
    Answer,
    AskDeck,
    AskKey,
    AskSeat,
    DeckVerdict,
    KeyJudged,
    Question,
    SeatFound,
)

LONGEST_REASON: Final = 230
"""Characters that fit into one line of chat with what stands before them (duel-server.md 10.f)."""
NOT_REGISTERED: Final = "not your registered deck / 与登记的卡组不一致: "


class _Place(NamedTuple):
    state: Tournament
    table: Table
    seat: Seat

    @property
    def code(self) -> str:
        return str(code_of(self.state.number, self.table))


class Questions:
    """Knows what the tournaments know."""

    def __init__(self, inside: Inside, environments: Environments) -> None:
        self._tables, self._metrics, self._environments = inside.tables, inside.metrics, environments

    async def answer(self, server: ServerId, question: Question) -> Answer:
        """Return the answer to *question* of the plugin of *server*."""
        answer = await self._answer(server, question)
        kind = str(question.__struct_config__.tag)
        self._metrics.plugin_questions.labels(kind, "yes" if _says_yes(answer) else "no").inc()
        return answer

    async def _answer(self, server: ServerId, question: Question) -> Answer:
        match question:
            case AskSeat():
                return self._seat(server, question)
            case AskKey():
                return KeyJudged(id=question.id, ok=False)  # every key is told with its table
            case AskDeck():
                return await self._deck(server, question)

    def _seat(self, server: ServerId, question: AskSeat) -> SeatFound:
        """Find somebody's table by all forms of his name; the code that he typed decides between several."""
        players = self._tables.index().who(question.nickname)
        places = [
            _Place(state, table, seat)
            for state, table in self._tables.present(server)
            if table.unfinished
            for player in players
            if (seat := table.seat_of(player)) is not None
        ]
        typed = roomcode.find(question.typed)
        named = [place for place in places if typed is not None and place.code == str(typed)]
        match named or places:
            case [place]:
                return SeatFound(id=question.id, code=place.code, seat=place.seat, refuse=None)
            case _:
                return SeatFound(id=question.id, code=None, seat=None, refuse=None)

    async def _deck(self, server: ServerId, question: AskDeck) -> DeckVerdict:
        """Compare with the frozen deck: section by section before the start, all of it in siding (D46)."""
        place = next(self._places(server, question), None)
        deck = None if place is None else place.state.players[place.table.player(place.seat)].deck
        if place is None or deck is None:
            return _verdict(
                question, ok=place is not None, reason="" if place else f"no table {question.code}"
            )
        frozen = frozen_deck_of(deck)
        sent = ParsedDeck(deck=Deck(main=question.main, side=question.side), mixed=True)
        same = same_in_later_game if question.siding else same_in_first_game
        if same(frozen, sent):
            return _verdict(question, ok=True)
        reason = await self._difference(place.state, frozen, sent, siding=question.siding)
        return _verdict(question, ok=False, reason=NOT_REGISTERED + reason, card=_surplus(frozen, sent))

    def _places(self, server: ServerId, question: AskDeck) -> Iterator[_Place]:
        for state, table in self._tables.present(server):
            place = _Place(state, table, question.seat)
            if place.code == question.code:
                yield place

    async def _difference(
        self, state: Tournament, frozen: FrozenDeck, sent: ParsedDeck, *, siding: bool
    ) -> str:
        """Say what is more and what is less, by names where they are known."""
        try:
            cards = (
                {} if state.environment is None else (await self._environments.thaw(state.environment)).cards
            )
        except DeckcheckError:
            cards = {}
        if siding:
            return difference(_as_one(frozen.deck), _one_pile(sent.deck), cards)
        return difference(frozen, sent, cards)


def _says_yes(answer: Answer) -> bool:
    return answer.code is not None if isinstance(answer, SeatFound) else answer.ok


def _as_one(deck: Deck) -> FrozenDeck:
    return freeze_deck(_one_pile(deck))


def _one_pile(deck: Deck) -> Deck:
    """Return all cards as main deck: siding may move them (R071)."""
    return Deck(main=tuple(deck.codes))


def _surplus(frozen: FrozenDeck, sent: ParsedDeck) -> int:
    """Return a card to show: one that is too many, else none."""
    more = Counter(sent.deck.codes) - Counter(frozen.deck.codes)
    return next((card for card in more if card <= MAX_CODE), 0)


def _verdict(question: AskDeck, *, ok: bool, reason: str = "", card: int = 0) -> DeckVerdict:
    return DeckVerdict(id=question.id, ok=ok, reason=reason[:LONGEST_REASON], card=card)
