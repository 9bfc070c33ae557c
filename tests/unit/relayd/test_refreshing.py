"""The frozen list of a tournament, refreshed on real desks while decks come in."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from deckcheck.frozen import freeze_deck
from deckcheck.ydk import read_ydk
from relayd.ports import Answer
from relayd.refreshing import Refreshing
from relayd.submitting import Submitting
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, TournamentNo
from ruleset.tournament.commands import ApproveDeck, Command, RefreshEnvironment, Register, SignIn, SubmitDeck
from ruleset.tournament.decks import DeckList
from ruleset.tournament.state import Player, Tournament
from tests.cardfiles import UNKNOWN, operators_files, own_deck, write_cards, write_list
from tests.house import PLAN, House, opened


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A daemon beside an operator's own list and cards."""
    async with opened(tmp_path, environment=operators_files(tmp_path)) as house:
        yield house


def refreshing(house: House) -> Refreshing:
    """Return what refreshes there."""
    parts = house.parts
    return Refreshing(
        environments=parts.submitting.environments, tournaments=parts.tournaments, clock=parts.clock
    )


async def published(house: House, players: int = 1, environment: str = "ocg") -> TournamentNo:
    """Return a tournament with so many players on its list."""
    wishes = {**PLAN, "environment": environment}
    number = (await house.parts.publishing.publish(wishes, by="host")).number
    for n in range(1, players + 1):
        register = Register(player=PlayerId(n), nickname=f"Nick{n}", now=house.clock.now())
        await house.desks.handle(number, register, by="host")
    return number


async def hand_in(house: House, number: TournamentNo, player: int, *instead: int) -> None:
    """Hand a deck in that begins with these cards."""
    deck = own_deck(*instead).encode()
    await house.parts.submitting.submit(number, PlayerId(player), deck, by="p")


async def player(house: House, number: TournamentNo, number_of_player: int = 1) -> Player:
    """Return how a player stands."""
    return (await house.desks.load(number)).players[PlayerId(number_of_player)]


async def test_every_deck_is_judged_by_the_list_as_it_is_now(house: House, tmp_path: Path) -> None:
    """R045, R014: what the new list forbids is refused with all reasons, and its sign-in is gone."""
    number = await published(house, players=3)
    await hand_in(house, number, 1)
    await hand_in(house, number, 2, 101, *[code for code in range(105, 118) for _ in range(3)])
    for n in (1, 2):
        sign_in = SignIn(player=PlayerId(n), by_host=True, now=house.clock.now())
        await house.desks.handle(number, sign_in, by="host")
    write_list(tmp_path, "2026.10", "102 0", "103 1")
    answer = await refreshing(house).refresh(number, by="host")
    environment = answer.state.environment
    assert environment is not None
    assert (environment.list_name, answer.state.edition) == ("2026.10", 1)
    refused = await player(house, number)
    assert (refused.deck_status, refused.signed_in) == ("refused", None)
    assert refused.remarks == (
        "卡 102 (00000102): 3 in main; the list allows 0; 卡 103 (00000103): 3 in main; the list allows 1",
    )
    assert (await player(house, number, 2)).signed_in == 2
    again = await refreshing(house).refresh(number, by="host")
    assert again.entry is None


async def test_what_is_unknown_waits_again_or_no_longer(house: House, tmp_path: Path) -> None:
    """R045, D44: cards that the operator has got meanwhile need nobody's look, lost ones do."""
    number = await published(house, players=2)
    await hand_in(house, number, 1, UNKNOWN)
    assert (await player(house, number)).deck_status == "review"
    write_cards(tmp_path, UNKNOWN)
    await refreshing(house).refresh(number, by="host")
    known = await player(house, number)
    assert (known.deck_status, known.remarks) == ("approved", ())
    write_cards(tmp_path)
    await refreshing(house).refresh(number, by="host")
    assert (await player(house, number)).deck_status == "review"
    await house.desks.handle(number, ApproveDeck(player=PlayerId(1)), by="host")
    write_list(tmp_path, "2026.10")
    await refreshing(house).refresh(number, by="host")
    assert (await player(house, number)).deck_status == "approved"


async def test_an_unreadable_file_changes_nothing(house: House, tmp_path: Path) -> None:
    """D44, R045: the host is told what is missing; the old list stays in force."""
    number = await published(house)
    (tmp_path / "lflist.conf").unlink()
    with pytest.raises(CommandRejected, match="environment_unavailable"):
        await refreshing(house).refresh(number, by="host")
    assert (await house.desks.load(number)).edition == 0


async def test_an_own_pool_is_refreshed_like_any_list(house: House, tmp_path: Path) -> None:
    """R045, D08: the key stays, the pool is that of its file now."""
    number = await published(house, environment="summer")
    await hand_in(house, number, 1)
    (tmp_path / "summer.conf").write_text("!Autumn\n$whitelist\n101 3\n")
    state = (await refreshing(house).refresh(number, by="host")).state
    assert state.environment is not None
    assert (state.environment.key, state.environment.list_name) == ("summer", "Autumn")
    assert state.players[PlayerId(1)].deck_status == "refused"


async def test_a_retry_refreshes_once(house: House, tmp_path: Path) -> None:
    """F08: the same command_id is the first answer, whatever has changed on the disk since."""
    number = await published(house)
    write_list(tmp_path, "2026.10")
    first = await refreshing(house).refresh(number, by="host", command_id="r")
    write_list(tmp_path, "2026.11")
    again = await refreshing(house).refresh(number, by="host", command_id="r")
    assert again.entry == first.entry
    with pytest.raises(CommandRejected, match="outdated"):
        await refreshing(house).refresh(number, by="host", expected_version=1)


@dataclass(kw_only=True)
class Interrupted:
    """Tournaments where somebody is always a little faster, once (ports.VersionedTournaments)."""

    house: House
    first: Command
    before: type[Command]
    sent: list[Command] = field(default_factory=list)

    async def handle(self, number: TournamentNo, command: Command, **how: Any) -> Answer:
        """Let the other command go first."""
        if isinstance(command, self.before) and not self.sent:
            await self.house.desks.handle(number, self.first, by="other")
        self.sent.append(command)
        return await self.house.desks.handle(number, command, **how)

    async def load(self, number: TournamentNo) -> Tournament:
        """Return its state."""
        return await self.house.desks.load(number)


def judged_before(player: int) -> SubmitDeck:
    """Return the command that hands in a deck of the old list, which is on its way."""
    frozen = freeze_deck(read_ydk(own_deck()).deck)
    deck = DeckList(
        main=frozen.deck.main, extra=frozen.deck.extra, side=frozen.deck.side, sha256=frozen.sha256
    )
    return SubmitDeck(player=PlayerId(player), deck=deck, verdict="legal")


async def test_a_deck_that_comes_in_between_is_checked_as_well(house: House, tmp_path: Path) -> None:
    """R045: judged by the old list, in before the refresh: the refresh looks at it, too."""
    number = await published(house)
    write_list(tmp_path, "2026.10", "102 0")
    tournaments = Interrupted(house=house, first=judged_before(1), before=RefreshEnvironment)
    refresh = replace(refreshing(house), tournaments=tournaments)  # type: ignore[arg-type]
    state = (await refresh.refresh(number, by="host")).state
    assert (state.edition, state.players[PlayerId(1)].deck_status) == (1, "refused")


async def test_a_verdict_that_a_refresh_overtakes_is_given_anew(house: House, tmp_path: Path) -> None:
    """R045: judged by the old list, in after the refresh: it is judged again, and may be illegal now."""
    number = await published(house, players=2)
    write_list(tmp_path, "2026.10", "102 0")
    environments = house.parts.submitting.environments
    refresh = RefreshEnvironment(
        environment=await environments.freeze("ocg"), checked={}, now=house.clock.now()
    )
    tournaments = Interrupted(house=house, first=refresh, before=SubmitDeck)
    submitting: Submitting = replace(house.parts.submitting, tournaments=tournaments)  # type: ignore[arg-type]
    legal_still = own_deck(*[code for code in range(105, 119) for _ in range(3)][:40]).encode()
    submitted = await submitting.submit(number, PlayerId(2), legal_still, by="p")
    assert submitted.answer.state.players[PlayerId(2)].deck_status == "approved"
    assert [getattr(command, "edition", None) for command in tournaments.sent] == [0, 1]


async def test_refreshes_and_decks_at_once_leave_no_illegal_deck(house: House, tmp_path: Path) -> None:
    """R045: in whatever order they come, at the end every deck that passed is legal by the list in force."""
    number = await published(house, players=20)
    write_list(tmp_path, "2026.10", "102 0")
    decks = [hand_in(house, number, n) for n in range(1, 21)]
    refreshes = [refreshing(house).refresh(number, by="host") for _ in range(3)]
    await asyncio.gather(*decks[:10], *refreshes, *decks[10:], return_exceptions=True)
    state = await house.desks.load(number)
    assert state.edition == 1
    assert {each.deck_status for each in state.players.values()} <= {"none", "refused"}
