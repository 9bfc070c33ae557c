"""What a plugin asks is answered by what the tournaments know (issue 3, 5.6, D46)."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from deckcheck.environments import retro
from deckcheck.snapshot import freeze_environment
from relayd.bridge.gateway.questions import LONGEST_REASON, NOT_REGISTERED, Questions
from relayd.environments import Environments
from relayd.settings import EnvironmentSettings
from ruleset.ids import PlayerId, Seat, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.decks import DeckList, FrozenTable
from ruleset.tournament.settings import ServerUse
from ruleset.tournament.state import Tournament
from srvpro_bridge.protocol import AskDeck, AskKey, AskSeat, DeckVerdict, KeyJudged, SeatFound
from tests.bridging import HERE, SERVER_B, World, counted, world
from tests.builders import NUMBER, SERVER, result, table_id

TWO = TournamentNo(13)
MAIN = (*range(1_000, 1_040), 1_000)
DECK = DeckList(main=MAIN[:39], extra=MAIN[39:], side=(2_000, 2_001), sha256="00")


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    """A tournament of four in round 1; everybody plays the same deck."""
    async with world(tmp_path) as here:
        await here.begin(4, deck=lambda _player: DECK)
        yield here


@pytest.fixture
def questions(here: World) -> Questions:
    """The answers."""
    return Questions(here.inside, Environments(EnvironmentSettings()))


async def seat(questions: Questions, nickname: str, typed: str = "hello") -> tuple[str | None, Seat | None]:
    """Return where somebody is led."""
    answer = await questions.answer(SERVER, AskSeat(id="q1", nickname=nickname, typed=typed))
    assert isinstance(answer, SeatFound)
    assert (answer.id, answer.refuse) == ("q1", None)
    return answer.code, answer.seat


async def deck(
    questions: Questions,
    main: tuple[int, ...],
    side: tuple[int, ...],
    *,
    siding: bool = False,
    code: str = "X12R1T1",
) -> DeckVerdict:
    """Return the verdict on a deck of seat A."""
    asked = AskDeck(id="q2", code=code, seat="a", siding=siding, main=main, side=side)
    answer = await questions.answer(SERVER, asked)
    assert isinstance(answer, DeckVerdict)
    return answer


@pytest.mark.parametrize("form", ["Nick{0}", "nick{0} ", "ＮICK{0}", "P{0:06d}", "{0}", "P{0:06d}+Nick{0}"])
async def test_all_forms_of_a_name_lead_to_the_table(here: World, questions: Questions, form: str) -> None:
    """5.6, decisions 3: nickname or number, in any case and width."""
    table = here.table(2)
    assert await seat(questions, form.format(table.b)) == ("X12R1T2", "b")


async def test_nobody_is_led_who_does_not_belong_there(here: World, questions: Questions) -> None:
    """Issue 3: strangers go where they typed; so does who has played, or plays on another server."""
    assert await seat(questions, "Eve", "X12R1T1") == (None, None)
    name = f"Nick{here.table().a}"
    await here.do(c.Rule(table=table_id(1, 1), result=result("a", (2, 0)), now=here.clock.now()))
    assert await seat(questions, name) == (None, None)
    there = replace(HERE, servers=(ServerUse(id=SERVER_B),))
    await here.begin(2, there, number=TWO, first=11)
    assert await seat(questions, "Nick11") == (None, None)


async def test_the_code_decides_between_namesakes(here: World, questions: Questions) -> None:
    """5.6-3: two entrants carry one nickname: by what was typed, else not at all."""
    name = f"Nick{here.table().a}"
    nicknames: Mapping[int, str] = {11: name}
    await here.begin(2, number=TWO, first=11, nicknames=nicknames)
    assert await seat(questions, name) == (None, None)
    assert await seat(questions, name, "m#x13r1t1") == (
        "X13R1T1",
        here.table(number=TWO).seat_of(PlayerId(11)),
    )
    assert await seat(questions, name, "X12R1T1") == ("X12R1T1", "a")


async def test_no_key_opens_a_seat_that_has_none(questions: Questions) -> None:
    """Decisions 4: the tables say that there are no keys; whoever asks all the same hears no (F11)."""
    answer = await questions.answer(SERVER, AskKey(id="q3", code="X12R1T1", seat="a", key="1234"))
    assert answer == KeyJudged(id="q3", ok=False)


async def test_the_frozen_deck_is_let_in(here: World, questions: Questions) -> None:
    """D46: in any order; main and extra are one pile, the side deck is its own."""
    assert await deck(questions, MAIN[::-1], DECK.side[::-1]) == DeckVerdict(
        id="q2", ok=True, reason="", card=0
    )
    for kind, outcome in (("ask_deck", "yes"), ("ask_seat", "no")):
        await seat(questions, "Eve")
        labels = {"kind": kind, "outcome": outcome}
        assert counted(here.inside.metrics, "relayd_plugin_questions_total", **labels) > 0


async def test_another_deck_is_refused_with_what_is_wrong(questions: Questions) -> None:
    """D46, issue 3: a clear text, and a card that is too many for the client's dialog."""
    refused = await deck(questions, (*MAIN[1:], 3_000), DECK.side)
    assert (refused.ok, refused.card) == (False, 3_000)
    assert refused.reason == f"{NOT_REGISTERED}main: +1 00003000; extra: −1 00001000"
    missing = await deck(questions, MAIN[1:], DECK.side)
    assert (missing.ok, missing.card) == (False, 0)
    sided = await deck(questions, (*MAIN[1:], 2_000), (MAIN[0], 2_001))
    assert (sided.ok, "side" in sided.reason) == (False, True)


async def test_siding_moves_cards_and_changes_none(questions: Questions) -> None:
    """R071, D46: the sum of all three is what counts then."""
    assert (await deck(questions, (*MAIN[1:], 2_000), (MAIN[0], 2_001), siding=True)).ok
    refused = await deck(questions, (*MAIN[1:], 3_000), DECK.side, siding=True)
    assert (refused.ok, refused.card, refused.reason.count("−1")) == (False, 3_000, 1)


async def test_reasons_fit_into_a_line_of_chat(questions: Questions) -> None:
    """10.f: cut, not refused; a code that no client can show is not shown."""
    other = tuple(range(0xFFFF_FF00, 0xFFFF_FF28))
    refused = await deck(questions, other, ())
    assert (len(refused.reason), refused.card) == (LONGEST_REASON, 0)


async def test_cards_are_called_by_their_names(here: World, questions: Questions) -> None:
    """D46: by the environment that was frozen at publishing."""
    pool = retro("goat")
    frozen = FrozenTable(key="goat", list_name="", list_hash=1, pool_hash="", table=freeze_environment(pool))
    known = next(code for code in sorted(pool.pool or ()) if pool.cards[code].name)
    _with(here, frozen)
    refused = await deck(questions, (*MAIN, known), DECK.side)
    assert pool.cards[known].name in refused.reason


def _with(here: World, environment: FrozenTable) -> None:
    """Let the tournament have been published in another environment."""
    state: Tournament = replace(here.state(), environment=environment)
    here.desks.running = lambda: {NUMBER: state}  # type: ignore[method-assign]


async def test_a_table_that_is_not_there_lets_no_deck_in(here: World, questions: Questions) -> None:
    """Issue 3: the plugin has an old table; it will be told so in a moment."""
    assert (await deck(questions, MAIN, DECK.side, code="X12R2T1")).ok is False
    await here.begin(2, number=TWO, first=11)
    state = here.state(TWO)
    players = {number: replace(player, deck=None) for number, player in state.players.items()}
    here.desks.running = lambda: {TWO: replace(state, players=players)}  # type: ignore[method-assign]
    assert (await deck(questions, MAIN, DECK.side, code="X13R1T1")).ok is True
