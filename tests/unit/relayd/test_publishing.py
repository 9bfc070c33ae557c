"""From wishes to a published tournament, and from texts to decks, on real desks."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deckcheck.errors import DeckInvalid
from relayd.environments import Environments
from relayd.publishing import Publishing
from relayd.settings import EnvironmentSettings
from relayd.submitting import DeckRefused
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, TournamentNo
from ruleset.tournament.commands import Register
from tests.decks import CDB, LFLIST, needs_shared
from tests.house import PLAN, House, deck, opened, violations


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A daemon with one duel server that is up."""
    async with opened(tmp_path) as house:
        yield house


async def refused(house: House, **wishes: Any) -> CommandRejected:
    """Return how publishing is refused."""
    with pytest.raises(CommandRejected) as caught:
        await house.parts.publishing.publish({**PLAN, **wishes}, by="host")
    return caught.value


async def test_publishing_freezes_the_environment_and_draws_a_seed(house: House) -> None:
    """R030, R045, D45: list, pool and the whole table stand with the tournament; each seed is its own."""
    publish = house.parts.publishing.publish
    one, two = await publish(PLAN, by="host"), await publish(PLAN, by="host", organiser=PlayerId(7))
    assert [one.number, two.number] == [1, 2]
    state = two.answer.state
    assert (state.organiser, len(state.seed)) == (7, 64)
    assert state.seed != one.answer.state.seed
    assert state.environment is not None
    assert (state.environment.key, state.environment.list_name) == ("goat", "2005.4 TCG")
    thawed = await house.parts.submitting.environments.thaw(state.environment)
    assert thawed.key == "goat"
    assert int(thawed.list_hash, 16) == state.environment.list_hash


async def test_a_retry_publishes_once(house: House) -> None:
    """F08, F12: the same command_id: the same number and entry; another wish with it is refused."""
    publish = house.parts.publishing.publish
    first = await publish(PLAN, by="host", command_id="p")
    again = await publish(PLAN, by="host", command_id="p")
    assert (first.number, first.answer.entry) == (again.number, again.answer.entry)
    assert house.desks.numbers() == [1]
    both = await asyncio.gather(*(publish(PLAN, by="host", command_id="q") for _ in range(2)))
    assert [one.number for one in both] == [2, 2]


async def test_nothing_is_spent_on_what_cannot_be(house: House) -> None:
    """R051, decisions 15: bad settings, unfit servers, unknown environments cost no number."""
    assert (await refused(house, rounds=0)).code == "bad_settings"
    assert (await refused(house, start_at=5)).data["problems"] == ("start_at: lies in the past",)
    assert (await refused(house, best_of=1)).code == "unfit_servers"
    assert (await refused(house, environment="modern")).data["known"] == ("ocg", "goat", "edison", "explorer")
    unavailable = await refused(house, environment="ocg")
    assert "environment.lflist_path" in str(unavailable.data["why"])
    assert len(house.directory.state.tournaments) == 0


async def test_an_edit_keeps_what_it_does_not_name(house: House) -> None:
    """R056: also what the host had chosen at publishing."""
    publishing = house.parts.publishing
    number = (await publishing.publish({**PLAN, "clock": {"gap_ms": 9}}, by="host")).number
    command = await publishing.edited(number, {"title": "Other"})
    state = (await house.desks.handle(number, command, by="host")).state
    assert (state.settings.title, state.settings.clock.gap_ms) == ("Other", 9)
    with pytest.raises(CommandRejected, match="unfit_servers"):
        await publishing.edited(number, {"best_of": 1})


async def registered(house: House, publishing: Publishing | None = None, **plan: Any) -> TournamentNo:
    """Return a tournament with player 1 on its list."""
    published = await (publishing or house.parts.publishing).publish({**PLAN, **plan}, by="host")
    number = published.number
    register = Register(player=PlayerId(1), nickname="Nick", now=house.clock.now())
    await house.desks.handle(number, register, by="host")
    return number


async def test_a_deck_is_judged_before_it_is_written(house: House) -> None:
    """D40-D46: legal ones are in at once, illegal and unreadable ones leave no entry."""
    number = await registered(house)
    submit = house.parts.submitting.submit
    with pytest.raises(DeckRefused) as caught:
        await submit(number, PlayerId(1), violations(45).encode(), by="p")
    assert len(caught.value.verdict.violations) == 45
    with pytest.raises(DeckInvalid):
        await submit(number, PlayerId(1), b"ydke://AAA!!!", by="p")
    assert house.desks.version(number) == 2
    submitted = await submit(number, PlayerId(1), deck().encode(), by="p")
    player = submitted.answer.state.players[PlayerId(1)]
    assert (player.deck_status, submitted.verdict.status) == ("approved", "legal")
    with pytest.raises(CommandRejected, match="unknown_player"):
        await submit(number, PlayerId(9), deck().encode(), by="p")
    with pytest.raises(CommandRejected, match="unknown_tournament"):
        await submit(TournamentNo(77), PlayerId(1), deck().encode(), by="p")


@needs_shared
async def test_the_operators_files_make_the_current_environment(house: House) -> None:
    """D44, decisions 9: pre-release ids pass and are noted, other unknown ones wait for the host."""
    files = EnvironmentSettings(lflist_path=LFLIST, cdb_paths=(CDB,))
    environments = Environments(files)
    frozen = await environments.freeze("ocg")
    assert frozen.list_hash == 0x1B736034
    assert (await environments.freeze("ocg")).table == frozen.table
    thawed = await environments.thaw(frozen)
    assert thawed is await environments.thaw(frozen)
    codes = [code for code, card in thawed.cards.items() if code in thawed.plain and not card.extra]
    text = "#main\n" + "".join(f"{code}\n" for code in (*codes[:38], 100_200_001, 99_999_999))
    publishing = replace(house.parts.publishing, environments=environments)
    number = await registered(house, publishing, environment="ocg")
    submitted = await house.parts.submitting.submit(number, PlayerId(1), text.encode(), by="p")
    player = submitted.answer.state.players[PlayerId(1)]
    assert player.deck_status == "review"
    assert player.remarks == ("pre-release: 1 × 100200001", "unknown: 1 × 99999999")


async def test_missing_files_are_named(tmp_path: Path) -> None:
    """D44: which file, so that the operator can mend it."""
    environments = Environments(
        EnvironmentSettings(lflist_path=tmp_path / "absent", cdb_paths=(tmp_path / "x",))
    )
    with pytest.raises(CommandRejected) as caught:
        await environments.freeze("ocg")
    assert str(tmp_path) in str(caught.value.data["why"])
