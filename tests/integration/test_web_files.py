"""Files in and out on pages: lists of players, whole tournaments in formats of others."""

import re
from collections.abc import AsyncIterator
from html import unescape
from http import HTTPStatus
from io import BytesIO
from pathlib import Path

import pytest
from aiohttp import FormData

from relayd.files.refusal import WHYS
from relayd.files.tables import read_table
from relayd.rosters import MOST, read_file, read_rows
from relayd.web.languages import LANGUAGES, text
from relayd.web.pages.imports import MOST_BYTES
from ruleset.ids import PlayerId, TournamentNo
from tests.house import deck
from tests.website import Reader, Website, website

WHATS = ("bad_number", "no_number", "long_team", "unknown_player", "player_twice", "team_required")


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Website]:
    """The site, without limits on how often it is asked."""
    async with website(tmp_path) as site:
        yield site


async def hosted(site: Website, count: int = 3, **wishes: object) -> tuple[TournamentNo, Reader]:
    """Return a tournament and its host's browser; players 1 to *count* have accounts, 1 hosts."""
    host = site.reader()
    await host.sign_up("Host")
    for n in range(2, count + 1):
        await site.reader().sign_up(f"Nick-{n}")
    return await site.publish(organiser=PlayerId(1), **wishes), host


async def upload(reader: Reader, path: str, data: bytes, status: int = HTTPStatus.OK) -> str:
    """Send a file and return the page."""
    form = FormData()
    form.add_field("file", BytesIO(data), filename="list.bin", content_type="application/octet-stream")
    headers = {"Origin": reader.base, "Sec-Fetch-Site": "same-origin"}
    async with reader.session.post(reader.base + path, data=form, headers=headers) as answer:
        page = await answer.text()
        assert answer.status == status, page[:2_000]
        return unescape(page)


async def fetched(reader: Reader, path: str) -> bytes:
    """Return a file."""
    async with reader.session.get(reader.base + path) as answer:
        assert answer.status == HTTPStatus.OK
        assert answer.headers["Content-Disposition"].startswith("attachment")
        return await answer.read()


def hidden(page: str, name: str) -> str:
    """Return what a page carries from one step to the next."""
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found is not None
    return unescape(found[1])


async def test_the_sample_comes_as_csv_and_workbook(site: Website) -> None:
    """S109: a header row and one example, both of which can be sent as they are."""
    number, host = await hosted(site)
    for kind in ("csv", "xlsx"):
        roster = read_file(await fetched(host, f"/e/{number}/import/sample.{kind}"))
        assert [(line.told.player, line.nickname, line.told.team) for line in roster.lines] == [
            (123, "Nick", "Red")
        ]
    for name in ("sample.pdf", "other.csv", "sample", "..%2frelayd.db"):
        await host.get(f"/e/{number}/import/{name}", HTTPStatus.NOT_FOUND)


async def test_a_dry_run_shows_every_rows_error_and_writes_nothing(site: Website) -> None:
    """S110: row, column, what is there, what is wrong, what to do."""
    number, host = await hosted(site)
    version = site.house.desks.version(number)
    data = "选手号;昵称;队伍\nP000099;Who;Red\n2;Nick-2;\n2;Nick-2;\n;Nick-3;Red\nx;;\n".encode("gb18030")
    page = await upload(host, f"/e/{number}/import", data, HTTPStatus.UNPROCESSABLE_ENTITY)
    for words in (
        "Problems: 5",
        '<td class="num">2</td><td><span class="note">player</span><br>P000099</td>',
        "nobody has that number",
        "the same player twice",
        "Called Nick-3: P000003",
        "write it as P000123",
    ):
        assert words in page, words
    assert "step" not in page
    assert site.house.desks.version(number) == version


async def test_a_list_is_taken_in_as_it_was_shown(site: Website) -> None:
    """S107, S110: the preview says what would change; then all of it is written, once."""
    number, host = await hosted(site, 4)
    await host.do(number, "entry.register", player=2)
    data = "player,nickname,team\n2,Nick-2,=Red\n3,nick-3,Blue\n4,Somebody,\n,,Grey\n".encode("utf-8-sig")
    page = await upload(host, f"/e/{number}/import", data)
    for words in (
        "Newly entered: 2",
        "Change their team: 1",
        "New teams, 3: Grey, =Red, Blue",
        "Row 4: P000004 is Nick-4",
    ):
        assert words in page, words
    assert list((await site.house.desks.load(number)).players) == [2]
    wish = {"csv": hidden(page, "csv"), "command_id": hidden(page, "command_id")}
    for _ in range(2):
        assert "was taken in" in await host.post(f"/e/{number}/import", step="commit", **wish)
    state = await site.house.desks.load(number)
    assert [(p.number, state.teams.get(p.team or 0)) for p in state.players.values()] == [
        (2, "=Red"),
        (3, "Blue"),
        (4, None),
    ]
    for kind in ("csv", "xlsx"):
        again = await upload(
            host, f"/e/{number}/import", await fetched(host, f"/e/{number}/import/roster.{kind}")
        )
        assert "nothing would change" in again


async def test_what_was_pasted_is_a_list_too(site: Website) -> None:
    """S110: from a spreadsheet the clipboard has tabs; nothing at all is told plainly."""
    number, host = await hosted(site)
    assert "Newly entered: 1" in await host.post(f"/e/{number}/import", text="player\tteam\n2\tRed\n")
    page = await host.post(f"/e/{number}/import", HTTPStatus.UNPROCESSABLE_ENTITY, text="")
    assert "must name the columns" in page
    await host.post(f"/e/{number}/import", HTTPStatus.UNPROCESSABLE_ENTITY, file="名字")


async def test_what_speaks_against_the_whole_list_is_said(site: Website) -> None:
    """S110: a full list, a bomb, a damaged file, too much: nothing is written."""
    number, host = await hosted(site, registration={"limit": 2})
    path = f"/e/{number}/import"
    full = await upload(host, path, b"player\n1\n2\n3\n", HTTPStatus.UNPROCESSABLE_ENTITY)
    assert "The list is full: 2 players" in full
    assert "damaged" in await upload(host, path, b"PK\x03\x04", HTTPStatus.UNPROCESSABLE_ENTITY)
    page = await host.post(path, HTTPStatus.UNPROCESSABLE_ENTITY, step="commit", csv="player\n99\n")
    assert "The list was not taken in" in page
    await upload(host, path, bytes(MOST_BYTES + 1), HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    wide = "player,team\n" + "".join(f",{n:0100}\n" for n in range(MOST - 1))
    assert "too long" in await upload(host, path, wide.encode(), HTTPStatus.UNPROCESSABLE_ENTITY)
    assert (await site.house.desks.load(number)).players == {}


async def test_only_hosts_take_lists_in_or_out(site: Website) -> None:
    """Decisions 6: rosters need the role of a co-host; a stranger signs in first."""
    number, _ = await hosted(site)
    other, stranger = site.reader(), site.reader()
    await other.sign_up("Other")
    for path in ("", "/sample.csv", "/roster.xlsx"):
        await other.get(f"/e/{number}/import{path}", HTTPStatus.FORBIDDEN)
    await other.post(f"/e/{number}/import", HTTPStatus.FORBIDDEN, step="commit", csv="player\n2\n")
    assert "Sign in" in await stranger.get(f"/e/{number}/import")
    assert (await site.house.desks.load(number)).players == {}


async def test_behind_the_start_a_list_only_goes_out(site: Website) -> None:
    """S110: players are entered before the start."""
    number, host = await hosted(site)
    await host.do(number, "tournament.cancel")
    page = await host.get(f"/e/{number}/import")
    assert "has started" in page
    assert "<textarea" not in page
    assert read_table(await fetched(host, f"/e/{number}/import/roster.csv")) == [
        ["player", "nickname", "team"]
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_its_words(language: str) -> None:
    """Done when 2: in all languages; and the columns as they are called there are read."""
    for key in WHYS:
        assert text(language, f"import.why.{key}")  # type: ignore[arg-type]  # one of LANGUAGES
    for what in WHATS:
        assert text(language, f"import.fix.{what}") != text(language, f"import.what.{what}")  # type: ignore[arg-type]
    head = [text(language, f"import.column.{name}") for name in ("player", "nickname", "team")]  # type: ignore[arg-type]
    assert read_rows([head, ["7", "Seven", "Red"]]).lines[0].told.team == "Red"


async def played(site: Website, **wishes: object) -> tuple[TournamentNo, Reader]:
    """Return a tournament of four whose first round is over, and its host's browser."""
    number, host = await hosted(site, 4, **wishes)
    for player in range(1, 5):
        await host.do(number, "entry.register", player=player)
        await site.parts.submitting.submit(number, PlayerId(player), deck().encode(), by="test")
    await host.do(number, "entry.sign_in_all")
    await host.do(number, "tournament.start", confirmed="true")
    await site.win(number)
    return number, host


async def test_a_tournament_goes_out_in_the_formats_of_others(site: Website) -> None:
    """H208: FIDE's report and XML as of Konami's software, from the page of results."""
    number, host = await played(site)
    page = await host.get(f"/e/{number}/results")
    for name, start in (("tournament.trf", b"012 Cup"), ("tournament.xml", b"<?xml")):
        assert f"/e/{number}/export/{name}" in page
        assert (await fetched(site.reader(), f"/e/{number}/export/{name}")).startswith(start)


async def test_a_format_that_cannot_hold_it_says_so(site: Website) -> None:
    """H208: a bracket alone is no report of FIDE's; before the start there is nothing to tell."""
    number, host = await played(site, format="elimination", rounds=0)
    assert "tournament.trf" not in await host.get(f"/e/{number}/results")
    page = await host.get(f"/e/{number}/export/tournament.trf", HTTPStatus.CONFLICT)
    assert "Elimination has no rounds before its bracket" in page
    other = await site.publish()
    assert "has not started" in await host.get(f"/e/{other}/export/tournament.xml", HTTPStatus.CONFLICT)
