"""Decks over the admin socket: compared, written out, counted, judged again."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from deckcheck.reading import read_any
from deckcheck.ydk import read_ydk
from relayd.admin.roles import Peer, Role
from relayd.admin.rpc import Code
from ruleset.ids import PlayerId, TournamentNo
from tests.cardfiles import UNKNOWN, operators_files, own_deck, write_list
from tests.house import PLAN, Caller, House, calling, opened, refusal

OCG = {**PLAN, "environment": "ocg"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A daemon beside an operator's own list and cards."""
    async with opened(tmp_path, environment=operators_files(tmp_path)) as house:
        yield house


@pytest.fixture
async def host(house: House, tmp_path: Path) -> AsyncIterator[Caller]:
    """An operator's connection."""
    async with calling(house, tmp_path) as caller:
        yield caller


async def entered(host: Caller, *nicknames: str) -> int:
    """Publish a tournament with these players signed in, and return its number."""
    number: int = (await host.call("tournament.publish", settings=OCG))["tournament"]
    for n, nickname in enumerate(nicknames, 1):
        await host.call("player.register", nickname=nickname)
        await host.call("entry.register", tournament=number, player=n)
        await host.call("deck.submit", tournament=number, player=n, deck=own_deck(115 + n))
    await host.call("entry.sign_in_all", tournament=number)
    return number


class Nowhere:
    """A line on which nobody follows anything."""

    def attach(self, _following: object) -> int:
        """Follow nothing."""
        raise AssertionError

    def detach(self, _number: int) -> bool:
        """Nothing is followed."""
        return False


async def asked(house: House, peer: Peer, method: str, **params: Any) -> Any:
    """Return the answer that *peer* gets, or the error."""
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    answer = json.loads(await house.dispatcher.answer(peer, message, Nowhere()) or b"")
    return answer.get("result", answer.get("error"))


async def test_a_deck_is_shown_in_every_form(host: Caller) -> None:
    """D36: what is shown as text is the deck again, whichever form is asked for."""
    number = await entered(host, "Alice")
    about = {"tournament": number, "player": 1}
    plain = await host.call("deck.show", **about)
    assert "text" not in plain
    whole = read_ydk(own_deck(116)).deck
    for form in ("ydk", "ydke", "link"):
        shown = await host.call("deck.show", **about, form=form)
        assert (shown["form"], read_any(shown["text"].encode()).deck) == (form, whole)
        assert {name: shown[name] for name in plain} == plain
    buffer = (await host.call("deck.show", **about, form="deckbuf"))["text"]
    assert read_any(buffer.encode()).deck.main == whole.main + whole.extra
    await host.call("player.register", nickname="Bob")
    await host.call("entry.register", tournament=number, player=2)
    assert (await refusal(host, "deck.show", tournament=number, player=2, form="ydk")).data[
        "code"
    ] == "no_deck"


async def test_a_difference_is_told_by_section_and_name(host: Caller) -> None:
    """D46: what is more and what is less, in the names of the frozen environment; any form, any order."""
    number = await entered(host, "Alice")
    about = {"tournament": number, "player": 1}
    assert (await host.call("deck.diff", **about, deck=own_deck(116)))["same"]
    sided = own_deck(116).replace("160\n", "102\n").replace("102\n", "160\n", 1)
    told = await host.call("deck.diff", **about, deck=sided)
    assert (told["same"], told["same_cards"], told["label"]) == (False, True, "P000001")
    other = own_deck(116).replace("!side\n160\n", "!side\n103\n")
    told = await host.call("deck.diff", **about, deck=other)
    assert (told["same_cards"], told["difference"]) == (False, "side: +1 卡 103, −1 卡 160")
    told = await host.call("deck.diff", **about, deck=other, language="zh")
    assert told["difference"] == "副卡组: +1 卡 103, −1 卡 160"
    error = await refusal(host, "deck.diff", **about, deck="#main\nBlue-Eyes\n")
    assert (error.code, error.data["code"]) == (Code.DECK, "unreadable_lines")


async def test_decks_are_written_out_for_the_duel_server(host: Caller) -> None:
    """F23, duel-server 8: by number and nickname, by the number alone where no file may be called so."""
    number = await entered(host, "Alice", "a/../b", "七七")
    await host.call("player.register", nickname="Late")
    await host.call("entry.register", tournament=number, player=4)
    await host.call("deck.submit", tournament=number, player=4, deck=own_deck(UNKNOWN))
    exported = (await host.call("deck.export", tournament=number))["decks"]
    assert [each["file"] for each in exported] == ["P000001+Alice.ydk", "P000002.ydk", "P000003+七七.ydk"]
    assert read_ydk(exported[0]["text"]).deck == read_ydk(own_deck(116)).deck
    await host.call("deck.approve", tournament=number, player=4)
    assert len((await host.call("deck.export", tournament=number))["decks"]) == 4
    await host.call("tournament.start", tournament=number, confirmed=True)
    assert len((await host.call("deck.export", tournament=number))["decks"]) == 3


async def test_what_was_played_is_counted_after_the_end(host: Caller) -> None:
    """Issue 5: cards and archetypes of the entrants' decks, by the operator's names."""
    number = await entered(host, "Alice", "Bob")
    assert (await refusal(host, "deck.stats", tournament=number)).data["code"] == "not_ended"
    await host.call("tournament.start", tournament=number)
    await host.call("tournament.cancel", tournament=number)
    counted = await host.call("deck.stats", tournament=number)
    assert counted["decks"] == 2
    assert counted["cards"][0] == {
        "code": 102,
        "name": "卡 102",
        "decks": 2,
        "main": 6,
        "extra": 0,
        "side": 0,
    }
    (vampires,) = counted["archetypes"]
    assert vampires == {"setcode": 0x8E, "name": "吸血鬼", "decks": 2, "copies": 2 * 42}


async def test_a_list_is_refreshed_by_its_host(host: Caller, tmp_path: Path) -> None:
    """R045, R014: the environment is told, and whose decks are refused; why is told to nobody but them."""
    number = await entered(host, "Alice", "Bob")
    assert await host.call("tournament.refresh_list", tournament=number) == {"changed": False}
    write_list(tmp_path, "2026.10", "116 0")
    told = await host.call("tournament.refresh_list", tournament=number)
    kinds = [event["kind"] for event in told["events"]]
    assert kinds == ["environment_refrozen.1", "deck_revoked.1"]
    assert "table" not in told["events"][0]["environment"]
    assert told["events"][1] == {"kind": "deck_revoked.1", "player": 1}
    assert "allows 0" in (await host.call("deck.show", tournament=number, player=1))["remarks"][0]
    shown = await host.call("tournament.show", tournament=number)
    assert shown["frozen"]["list_name"] == "2026.10"
    stale = await refusal(host, "tournament.refresh_list", tournament=number, expected_version=2)
    assert stale.code == Code.CONFLICT


async def test_the_environments_are_listed_with_what_is_missing(host: Caller, tmp_path: Path) -> None:
    """D44, issue 5: with list and hash, or with the sentence that says why not."""
    rows = {row["environment"]: row for row in await host.call("environment.list")}
    assert list(rows) == ["ocg", "goat", "edison", "explorer", "summer"]
    assert (rows["ocg"]["list_name"], rows["ocg"]["why"]) == ("2026.7", None)
    assert rows["explorer"]["list_hash"] == "25e90c1b"
    (tmp_path / "lflist.conf").unlink()
    rows = {row["environment"]: row for row in await host.call("environment.list")}
    assert "lflist.conf cannot be read" in rows["ocg"]["why"]
    assert (rows["ocg"]["list_hash"], rows["goat"]["why"]) == (None, None)


async def test_a_tournament_is_published_with_an_own_pool(host: Caller) -> None:
    """D08, issue 5: the host's key in the settings; an unknown one is told with those that there are."""
    published = await host.call("tournament.publish", settings={**PLAN, "environment": "summer"})
    about = {"tournament": published["tournament"], "deck": own_deck(53129443)}
    checked = await host.call("deck.check", **about)
    assert [(v["kind"], v["name"]) for v in checked["violations"]] == [("NOTINPOOL", "Dark Hole")]
    error = await refusal(host, "tournament.publish", settings={**PLAN, "environment": "winter"})
    assert error.data["known"] == ["ocg", "goat", "edison", "explorer", "summer"]


async def test_who_may_see_which_deck(host: Caller, house: House) -> None:
    """Decisions 6: a deck is its owner's and the judges'; all at once are the hosts'."""
    number = await entered(host, "Alice", "Bob")
    alice = Peer(name="a", role=Role.PLAYER, player=PlayerId(1))
    judge = Peer(name="j", role=Role.JUDGE)
    compare = {"tournament": number, "deck": own_deck(116)}
    assert (await asked(house, alice, "deck.diff", player=1, **compare))["same"]
    assert (await asked(house, alice, "deck.diff", player=2, **compare))["code"] == Code.FORBIDDEN
    assert (await asked(house, judge, "deck.diff", player=2, **compare))["same"] is False
    for method in ("deck.export", "deck.stats", "tournament.refresh_list"):
        assert (await asked(house, judge, method, tournament=number))["code"] == Code.FORBIDDEN
    assert len(await asked(house, alice, "environment.list")) == 5


async def test_every_line_of_the_worst_deck_is_told(host: Caller, house: House) -> None:
    """F19, decisions 12: 32,000 unreadable lines are as many violations in the data, and 20 in words."""
    number = await entered(host, "Alice")
    owner = Peer(name="a", role=Role.PLAYER, player=PlayerId(1))
    deck = {"tournament": number, "deck": "x\n" * 32_000}
    checked = await asked(house, owner, "deck.check", **deck)
    assert len(checked["violations"]) == 32_000 + 1
    assert checked["violations"][31_999] == {"kind": "UNREADABLE", "line": 32_000, "text": "x"}
    assert checked["sentences"][-1] == "and 31981 more"
    before = house.desks.version(TournamentNo(number))
    error = await asked(house, owner, "deck.submit", player=1, **deck)
    assert (error["code"], len(error["data"]["violations"])) == (Code.DECK, 32_001)
    assert house.desks.version(TournamentNo(number)) == before


async def test_others_are_answered_while_the_worst_deck_is_judged(host: Caller, house: House) -> None:
    """Performance 6: whoever sends it waits alone."""
    number = await entered(host, "Alice")
    judge = Peer(name="j", role=Role.JUDGE)
    worst = asyncio.gather(
        *(asked(house, judge, "deck.check", tournament=number, deck="x\n" * 32_000) for _ in range(3))
    )
    answers = 0
    while not worst.done():
        await asked(house, judge, "daemon.status")
        answers += 1
        await asyncio.sleep(0)
    assert [each["status"] for each in await worst] == ["illegal"] * 3
    assert answers > 3
