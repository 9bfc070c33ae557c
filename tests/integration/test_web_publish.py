"""Publishing by the form: essentials first, everything that the rules know behind them (R051-R056)."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

import pytest

from ruleset.ids import PlayerId, TournamentNo
from tests.website import Reader, Website, website

FIELDS = {
    "title": "Cup",
    "format": "swiss_elimination",
    "rounds": "3",
    "cut": "6",
    "best_of": "3",
    "environment": "goat",
    "server_main": "1",
}


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Website]:
    """The site, without limits on how often it is asked."""
    async with website(tmp_path) as site:
        yield site


@pytest.fixture
async def host(site: Website) -> Reader:
    """Somebody with an account, number 1."""
    host = site.reader()
    await host.sign_up("Host")
    return host


async def test_publishing_shows_what_would_come_of_it_first(site: Website, host: Reader) -> None:
    """R051, R012, R055: a preview with rounds and byes; bad settings are named; then it is there."""
    fields = {**FIELDS, "text": "# Hi\n<b>raw</b>", "cap": ""}
    page = await host.post("/new", **fields)
    assert "the best 2 get first-round byes" in page
    assert "&lt;b&gt;raw" in page
    assert site.house.desks.numbers() == []
    await host.post("/new", HTTPStatus.UNPROCESSABLE_ENTITY, **{**fields, "cut": "1"})
    await host.post("/new", step="publish", command_id="one", **fields)
    state = await site.house.desks.load(TournamentNo(1))
    assert (state.organiser, state.settings.cut, state.settings.best_of) == (1, 6, 3)
    assert (state.settings.clock.cap_ms, state.settings.clock.length_ms) == (None, 40 * 60_000)
    page = await host.post("/e/1/edit", step="publish", **{**fields, "title": "Bowl"})
    assert "Bowl" in page


async def test_whoever_is_not_verified_does_not_publish(tmp_path: Path) -> None:
    """R053: with a mail sender, hosting needs a verified e-mail; the link of the message verifies."""
    async with website(tmp_path, verify=True) as site:
        host = site.reader()
        await host.sign_up("Host")
        fields = {"title": "Cup", "format": "swiss", "rounds": "3", "best_of": "3", "environment": "goat"}
        await host.post("/new", step="publish", **fields)
        assert site.house.desks.numbers() == []
        link = site.post.link()
        await host.get(link)  # a mail program that looks at it uses nothing up
        await host.post(link)
        await host.post("/new", step="publish", **fields)
        assert site.house.desks.numbers() == [1]


async def test_the_preview_says_when_and_for_whom(site: Website, host: Reader) -> None:
    """R020, R021, R054, R056, S119: schedule in the event's zone, byes, truncation, exhibition, editing."""
    fields = {**FIELDS, "time_zone": "Asia/Shanghai", "until": "2030-01-02T18:00"}
    page = await host.post("/new", start_at="2030-01-02T19:30", **fields)
    for words in ("Sign-in 18:30 to 19:00", "closes 2030-01-02 18:00", "Round 2 begins about 20:13"):
        assert words in page
    assert "Round 4 (bracket) begins about 21:39" in page
    assert "can be changed until 2030-01-02 07:30" in page
    assert "8 players or fewer: exhibition" in page
    page = await host.post("/new", **{**FIELDS, "format": "elimination", "odd_field": "truncate"})
    assert "With 33 players: 32 play, 1 do not take part" in page
    assert "Late sign-ins are cut off" in page
    soon = site.house.clock.now() // 1000 + 3600
    page = await host.post("/new", **FIELDS, start_at=_utc(soon), time_zone="UTC")
    assert "starts in less than 12 hours" in page
    assert site.house.desks.numbers() == []


async def test_a_preset_is_filled_in_before_anything_is_checked(host: Reader) -> None:
    """G4: without a title yet, and without JavaScript: its order and points stand in the fields."""
    page = await host.post("/new", preset="hanno", scores_of="xingyi", step="preset")
    assert '<option value="tb_tied" selected>' in page
    assert 'name="points_bye" value="2"' in page


async def test_more_settings_remember_what_was_changed(host: Reader) -> None:
    """Plain by default: a group is open if something in it is not as usual, and says how much."""
    page = await host.get("/new")
    assert page.count('<details class="more" open>') == 0
    page = await host.post("/new", **FIELDS, confirm="double", live_on="draft", team_ranking="1")
    assert page.count('<details class="more" open>') == 2
    assert "2 changed" in page
    assert '<option value="double" selected>' in page


async def test_a_host_publishes_with_teams_and_staff(site: Website, host: Reader) -> None:
    """S105, S107, S128, S148: teams are on the list, judges may judge; a retry makes nothing twice (F08)."""
    await site.reader().sign_up("Judge")
    linked = await site.publish()
    fields = {
        **FIELDS,
        "teams": "Red\nBlue",
        "judges": "P000002",
        "co_hosts": "2",
        "linked_events": str(linked),
    }
    for _ in range(2):
        await host.post("/new", **fields, step="publish", command_id="once")
    number = TournamentNo(linked + 1)
    state = await site.house.desks.load(number)
    assert list(state.teams.values()) == ["Red", "Blue"]
    assert (state.settings.co_hosts, state.settings.linked_events) == ((2,), (linked,))
    assert list(await site.store.staff(number)) == [(PlayerId(2), "judge")]
    assert site.house.desks.numbers() == [linked, number]


async def test_whom_nobody_knows_is_named(site: Website, host: Reader) -> None:
    """S105, S148: an unknown co-host, judge or tournament is told by its field; nothing is published."""
    wrong = {"co_hosts": "P000077", "linked_events": "9"}
    page = await host.post("/new", HTTPStatus.UNPROCESSABLE_ENTITY, **FIELDS, **wrong, step="publish")
    assert "Co-hosts (player numbers): there is no player P000077" in page
    assert "Linked tournaments (numbers): there is no tournament 9" in page
    for judge in ("Ann", "99"):
        await host.post("/new", HTTPStatus.UNPROCESSABLE_ENTITY, **FIELDS, judges=judge, step="publish")
    assert site.house.desks.numbers() == []


async def test_a_host_keeps_presets_of_his_own(site: Website, host: Reader) -> None:
    """G4: saved under a name, chosen in the next form, published by, deleted; nobody else sees it."""
    wishes = {"preset": "hanno", "scores_of": "hanno", "points_bye": "1", "preset_name": "汉诺杯"}
    page = await host.post("/new", **FIELDS, **wishes, step="keep_preset")
    assert "Saved as your preset" in page
    assert '<option value="own:汉诺杯" selected>' in page
    bad = {**wishes, "preset_name": "xingyi"}
    await host.post("/new", HTTPStatus.UNPROCESSABLE_ENTITY, **FIELDS, **bad, step="keep_preset")
    await host.post("/new", **FIELDS, preset="own:汉诺杯", step="publish")
    state = await site.house.desks.load(TournamentNo(1))
    assert (state.settings.scores.preset, state.settings.scores.points.bye) == ("汉诺杯", 1)
    assert (state.settings.scores.order[1], state.settings.clock.late_mode) == ("tb_tied", "claim")
    other = site.reader()
    await other.sign_up("Other")
    assert "汉诺杯" not in await other.get("/new")
    assert "is gone" in await host.post("/new", drop_preset="汉诺杯")
    assert "汉诺杯" not in await host.get("/new")


async def test_what_was_announced_stands_and_the_rest_is_edited(site: Website, host: Reader) -> None:
    """R056, H224, S107: the order is shown but not asked; teams are put on the list and taken off."""
    await host.post("/new", **FIELDS, teams="Red\nBlue", step="publish")
    assert 'href="/e/1/edit"' in await host.get("/e/1")
    assert "/edit" not in await site.reader().get("/e/1")
    page = await host.get("/e/1/edit")
    assert "were announced and stand" in page
    assert "Frozen here: 2005.4 TCG" in page
    assert 'name="order_1"' not in page
    fields = {**FIELDS, "title": "Bowl", "preset": "hanno", "kind": "casual", "teams": "Blue\nGreen"}
    await host.post("/e/1/edit", HTTPStatus.UNPROCESSABLE_ENTITY, **{**fields, "cut": "1"})
    assert "Preview: Bowl" in await host.post("/e/1/edit", **fields)
    await host.post("/e/1/edit", step="publish", **fields)
    state = await site.house.desks.load(TournamentNo(1))
    assert (state.settings.title, state.settings.scores.preset, state.settings.kind) == (
        "Bowl",
        "xingyi",
        None,
    )
    assert list(state.teams.values()) == ["Blue", "Green"]


async def test_a_co_host_edits_all_but_what_is_the_organisers(site: Website, host: Reader) -> None:
    """S105, 5.2: he neither names co-hosts nor hides the tournament, whatever his form says."""
    helper = site.reader()
    assert await helper.sign_up("Helper") == 2
    await host.post("/new", **FIELDS, co_hosts="2", step="publish")
    page = await helper.get("/e/1/edit")
    assert 'name="co_hosts"' not in page
    assert 'name="co_hosts"' in await host.get("/e/1/edit")
    wishes = {**FIELDS, "title": "Bowl", "co_hosts": "1, 2", "visibility": "private"}
    await helper.post("/e/1/edit", **wishes, step="publish")
    settings = (await site.house.desks.load(TournamentNo(1))).settings
    assert (settings.title, settings.co_hosts, settings.visibility) == ("Bowl", (2,), "public")


async def test_the_list_is_refreshed_from_the_page(host: Reader) -> None:
    """R045: while the tournament may be edited, with one press and a question."""
    await host.post("/new", **FIELDS, step="publish")
    assert "do/tournament.refresh_list" in await host.get("/e/1/edit")
    assert "Done." in await host.do(1, "tournament.refresh_list")
    assert "do/tournament.refresh_list" not in await host.get("/new")


async def test_it_says_until_when_it_could_be_changed(site: Website, host: Reader) -> None:
    """R056: less than 12 hours ahead, and once started, the page says so and what is still possible."""
    start = site.house.clock.now() + 13 * 3_600_000
    await site.publish(organiser=PlayerId(1), start_at=start, time_zone="UTC")
    assert 'name="title"' in await host.get("/e/1/edit")
    site.house.clock.advance(3_601)
    page = await host.get("/e/1/edit")
    assert "could be changed until 12 hours before the start" in page
    assert 'name="title"' not in page
    page = await host.post("/e/1/edit", HTTPStatus.UNPROCESSABLE_ENTITY, step="publish", **FIELDS)
    assert "could be changed until" in page


def _utc(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M")
