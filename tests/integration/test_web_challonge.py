"""Events of Challonge on pages: looked at, counted anew, and brought in as past tournaments."""

import re
from collections.abc import AsyncIterator
from html import unescape
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import Any, get_args

import pytest
from aiohttp import FormData

from relayd.adopting import nickname_for
from relayd.files.adoption import Loss, Obstacle
from relayd.web.languages import LANGUAGES, text
from relayd.web.parts import Floods
from ruleset.ids import TournamentNo
from tests.challonges import event, file_of, match, swiss
from tests.daemons import running, settings
from tests.website import Reader, Website, website

NAMES = ("Ann", "Bob", "Cy", "Dee")
ROUNDS = ((("Ann", "Bob", "2-1"), ("Cy", "Dee", "1-1")), (("Ann", "Cy", "0-2"), ("Bob", "Dee", "2-0")))


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Website]:
    """The site, without limits on how often it is asked."""
    async with website(tmp_path) as site:
        yield site


async def host(site: Website, name: str = "Ann") -> Reader:
    """Return a browser with an account."""
    reader = site.reader()
    await reader.sign_up(name)
    return reader


async def look(reader: Reader, told: object, status: int = HTTPStatus.OK) -> str:
    """Send a file and return the page."""
    form = FormData()
    data = told if isinstance(told, bytes) else file_of(told)
    form.add_field("file", BytesIO(data), filename="old.json", content_type="application/json")
    headers = {"Origin": reader.base, "Sec-Fetch-Site": "same-origin"}
    async with reader.session.post(f"{reader.base}/import/challonge", data=form, headers=headers) as answer:
        page = await answer.text()
        assert answer.status == status, page[:2_000]
        return page


def carried(page: str, *names: str) -> dict[str, str]:
    """Return what the forms of a page hold."""
    found = {name: re.search(rf'name="{name}" value="([^"]*)"', page) for name in names}
    return {name: unescape(value[1]) for name, value in found.items() if value is not None}


async def test_a_file_is_shown_and_counted_as_the_reader_likes(site: Website) -> None:
    """H208, H209: players, rounds, ranks of there and by ours; another choice counts the same file anew."""
    reader, told = await host(site), swiss(ROUNDS, NAMES)
    told["tournament"]["participants"][2]["participant"]["final_rank"] = 1
    page = await look(reader, told)
    for words in ("Old Cup", "4 players, 4 matches, 0 byes", "As it counted there", "2024-05-01"):
        assert words in page, words
    assert re.search(
        r'<td class="num">1</td><td class="name">Cy</td><td class="num">1</td><td class="num">1.5<', page
    )
    again = await reader.post("/import/challonge", choice="xingyi", **carried(page, "told"))
    assert re.search(r'<td class="name">Cy</td><td class="num">1</td><td class="num">4<', again)
    assert 'value="xingyi" selected' in again
    assert site.house.desks.numbers() == []


async def test_an_event_becomes_a_past_tournament_of_its_own(site: Website) -> None:
    """H208, R004: who is called so has his number, others get new ones; all pages show it, no DP changes."""
    reader = await host(site)
    page = await look(reader, swiss(ROUNDS, NAMES))
    form = carried(page, "told", "choice", "command_id", "p0", "p1")
    assert (form["p0"], form["p1"]) == ("P000001", "")
    for _ in range(2):
        done = await reader.post("/import/challonge", step="adopt", title="Spring 2024", **form)
    assert "no DP has changed" in done
    state = await site.house.desks.load(TournamentNo(1))
    assert site.house.desks.numbers() == [1]
    assert (state.phase, state.organiser, state.settings.title) == ("finished", 1, "Spring 2024")
    assert [(p.number, p.nickname) for p in state.players.values()] == [
        (1, "Ann"),
        (2, "Bob"),
        (3, "Cy"),
        (4, "Dee"),
    ]
    assert len(list(site.house.parts.roster())) == 4
    stranger = site.reader()
    for path in ("", "/players", "/r/1", "/standings", "/results", "/standings/1/points", "/t/R1T1"):
        assert "Ann" in await stranger.get(f"/e/1{path}")
    assert "not known" in await stranger.get("/e/1")
    assert "012 Spring 2024" in await stranger.get("/e/1/export/tournament.trf")
    assert "past event" in await stranger.get("/e/1")


async def test_a_bracket_is_drawn_as_it_was(site: Website) -> None:
    """R003: places and winners; the match for third place is named as left out."""
    reader = await host(site)
    bouts = [
        match(900, 903, 1, "2-0"),
        match(901, 902, 1, "1-2"),
        match(900, 902, 2, "0-2"),
        match(901, 903, 2, "2-0"),
    ]
    page = await look(reader, event(NAMES, bouts, "single elimination"))
    assert "third place" in page
    await reader.post(
        "/import/challonge", step="adopt", **carried(page, "told", "choice", "command_id", "title")
    )
    assert '<svg class="bracket"' in await reader.get("/e/1/bracket")
    state = await site.house.desks.load(TournamentNo(1))
    assert [place for _, place in state.places] == [1, 2, 3, 3]


async def test_names_are_given_numbers_that_can_have_them(site: Website) -> None:
    """Decisions 3: marks that part names go, long names are cut, what can be no nickname is named by seed."""
    assert nickname_for("A$B#C", 1) == "ABC"
    assert nickname_for("x" * 30, 1) == "x" * 16
    assert nickname_for("12345", 7) == nickname_for("$#", 7) == "Seed 7"
    reader = await host(site)
    page = await look(reader, swiss(((("P1", "$$", "2-0"),),), ("P1", "$$")))
    await reader.post("/import/challonge", step="adopt", **carried(page, "told", "choice", "command_id"))
    state = await site.house.desks.load(TournamentNo(1))
    assert [p.nickname for p in state.players.values()] == ["Seed 1", "Seed 2"]


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({"p0": "P000009"}, "no player P000009"),
        ({"p0": "1", "p1": "P000001"}, "twice"),
        ({"p1": "x"}, "no player number"),
    ],
)
async def test_wrong_numbers_are_said_and_nothing_is_written(
    site: Website, numbers: dict[str, str], words: str
) -> None:
    """R004: unknown, twice, or no number at all: the page stays as it was filled in."""
    reader = await host(site)
    page = await look(reader, swiss(ROUNDS, NAMES))
    form = {**carried(page, "told", "choice", "command_id"), **numbers}
    page = await reader.post("/import/challonge", HTTPStatus.UNPROCESSABLE_ENTITY, step="adopt", **form)
    assert words in unescape(page)
    assert f'name="p1" value="{numbers.get("p1", "")}"' in page
    assert site.house.desks.numbers() == []
    assert len(list(site.house.parts.roster())) == 1


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (swiss(ROUNDS, NAMES, state="underway"), "Not all of it was played"),
        (event(NAMES, [match(900, 901, 1, "1-0")], "double elimination"), "no double elimination"),
        (
            event(
                NAMES,
                [match(900, 901, 1, "1-0", group_id=1), match(902, 903, 1, "1-0", group_id=2)],
                "single elimination",
            ),
            "Group 2",
        ),
    ],
)
async def test_what_cannot_be_ours_can_be_looked_at(site: Website, told: dict[str, Any], words: str) -> None:
    """H208: nothing is guessed; who sends the form all the same is told why."""
    reader = await host(site)
    page = await look(reader, told)
    assert words in page
    assert 'value="adopt"' not in page
    form = carried(page, "told") or {"told": file_of(told).decode()}
    page = await reader.post("/import/challonge", HTTPStatus.UNPROCESSABLE_ENTITY, step="adopt", **form)
    assert "only be looked at" in page
    assert site.house.desks.numbers() == []


async def test_what_is_no_event_is_refused(site: Website) -> None:
    """F20: no JSON, another thing, too big."""
    reader = await host(site)
    for data in (b"", b"PK\x03\x04", b'{"tournament": {}}'):
        assert "no JSON of a Challonge tournament" in await look(
            reader, data, HTTPStatus.UNPROCESSABLE_ENTITY
        )
    assert "Only Swiss" in await look(
        reader, swiss(ROUNDS, NAMES, "leaderboard"), HTTPStatus.UNPROCESSABLE_ENTITY
    )


async def test_strangers_names_are_text_and_nothing_else(site: Website) -> None:
    """F21, F24: names of a file are escaped and neutral, in the page and in what it carries."""
    reader = await host(site)
    bad = '<script>"\u202e'
    page = await look(reader, swiss(((("Ann", bad, "2-0"),),), ("Ann", bad), name=bad))
    assert "<script>&#34;" not in page
    assert "\u202e" not in page
    assert "&lt;script&gt;&#34;\\u202e" in page
    await reader.post("/import/challonge", step="adopt", **carried(page, "told", "choice", "command_id"))
    assert "<script>&#34;" not in await reader.get("/e/1/players")


async def test_only_who_may_publish_brings_events_in(tmp_path: Path) -> None:
    """R053: with an account to look, with a verified e-mail to keep."""
    async with website(tmp_path, verify=True) as site:
        assert "Sign in" in await site.reader().get("/import/challonge")
        reader = await host(site)
        page = await look(reader, swiss(ROUNDS, NAMES))
        await reader.post("/import/challonge", step="adopt", **carried(page, "told", "choice", "command_id"))
        assert site.house.desks.numbers() == []


async def test_new_numbers_are_not_given_without_end(tmp_path: Path) -> None:
    """F27: each event with new players costs as much as an account."""
    floods = Floods(pages=_Always(), changes=_Always(), secrets=_Few())
    async with website(tmp_path, floods=floods) as site:
        reader = await host(site)
        page = await look(reader, swiss(ROUNDS, NAMES))
        form = carried(page, "told", "choice", "command_id")
        await reader.post("/import/challonge", HTTPStatus.TOO_MANY_REQUESTS, step="adopt", **form)
        assert site.house.desks.numbers() == []


class _Always:
    """No limit (web.parts.Limits)."""

    def take(self, _peer: str, _calls: int = 1) -> float:
        """Let everybody through."""
        return 0.0


class _Few:
    """One, and no more."""

    def __init__(self) -> None:
        self.left = 1

    def take(self, _peer: str, calls: int = 1) -> float:
        """Count down."""
        self.left -= calls
        return 0.0 if self.left >= 0 else 5.0


def test_its_address_is_not_one_of_those_for_duel_servers(tmp_path: Path) -> None:
    """Decisions 7: pages share their port with what srvpro asks, which is all that begins with /challonge."""
    with running(settings(tmp_path)) as daemon:
        assert "/signin" in daemon.get("/import/challonge")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_obstacle_and_loss_has_its_words(language: Any) -> None:
    """Done when 2: in all languages."""
    for obstacle in get_args(Obstacle):
        assert text(language, f"challonge.obstacle.{obstacle}")
    for loss in get_args(Loss):
        assert text(language, f"challonge.loss.{loss}")
