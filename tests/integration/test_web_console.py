"""The console: one person runs 300 players, sees what a correction would do, and takes it back."""

import gzip
import re
from collections.abc import AsyncIterator
from http import HTTPStatus
from pathlib import Path

import pytest

from relayd.bridge.sighting import Oddity
from ruleset.ids import SEATS, PlayerId, ServerId, TableId, TableNo, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.reports import Report, SeatScore
from tests.builders import SERVER, deck_of, table_id
from tests.consoles import crowd, present, table_of
from tests.website import Reader, Website, website

LIMIT = 60 * 1024


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Website]:
    """The site, without limits on how often it is asked."""
    async with website(tmp_path) as site:
        yield site


def rows(page: str) -> list[str]:
    """Return the tables that a page lists."""
    return re.findall(r'id="row-(R\d+T\d+)"', page)


async def parked(site: Website, number: TournamentNo, name: TableId, *, swapped: bool = False) -> None:
    """Let a report wait for a table, its names in the order of the seats or the other way round."""
    table = await table_of(site, number, name)
    players = (await present(site, number)).players
    names = tuple(players[player].nickname for player in (table.a, table.b))
    told = Report(
        source="challonge", server=SERVER, a=SeatScore(wins=2), b=SeatScore(wins=1), winner="a", body="x"
    )
    park = c.Park(
        id="p1",
        candidates=(name,),
        names=(names[1], names[0]) if swapped else (names[0], names[1]),
        why="nickname_collision",
        report=told,
        now=site.house.clock.now(),
    )
    await site.house.desks.handle(number, park, by="test")


async def test_300_players_fit_on_one_small_page(site: Website) -> None:
    """R068, done 1: all 150 tables of a round stand on one page of less than 60 KB."""
    number, host = await crowd(site, 300)
    page = await host.get(f"/e/{number}/host")
    assert len(rows(page)) == 150
    assert len(gzip.compress(page.encode())) < LIMIT
    assert len(rows(await host.get(f"/e/{number}/host/live"))) == 150


async def test_a_filter_outlives_every_renewal_and_every_button(site: Website) -> None:
    """Tables by state: those chosen and how many of each; renewals and buttons keep the choice."""
    number, host = await crowd(site, 8)
    table = await table_of(site, number, table_id(1, 3))
    await host.do(number, "table.present", table="R1T3", player=str(table.a))
    page = await host.get(f"/e/{number}/host?show=absent")
    assert rows(page) == ["R1T3"]
    assert "one absent 1" in page
    assert f'hx-get="/e/{number}/host/live?show=absent"' in page
    live = await host.get(f"/e/{number}/host/live?show=absent")
    assert rows(live) == ["R1T3"]
    assert live.count('hx-swap-oob="true"') == 5
    assert f'name="back" value="/e/{number}/host?show=absent"' in page
    assert rows(await host.get(f"/e/{number}/host?show=nonsense&page=99&r=77")) == [
        f"R1T{n}" for n in (1, 2, 3, 4)
    ]
    assert "No such table" in await host.get(f"/e/{number}/host?show=lost")


async def test_a_host_finds_players_and_tables_by_what_he_knows(site: Website) -> None:
    """Search by nickname, number, table or room code; a player comes with all his tables."""
    number, host = await crowd(site, 8)
    await site.win(number)
    await site.house.desks.handle(number, c.NextRound(now=site.house.clock.now()), by="test")
    state = await present(site, number)
    player = state.rounds[1].tables[TableNo(2)].a
    nickname, name = state.players[player].nickname, "R2T2"
    for words in (nickname, nickname.upper(), f"P{player:06d}", str(player), f"X{number}R2T2"):
        assert name in rows(await host.get(f"/e/{number}/host?q={words}")), words
    assert name in rows(await host.get(f"/e/{number}/host?q=T2"))
    page = await host.get(f"/e/{number}/host?q={nickname}")
    assert re.search(r'class="chip" href="[^"]+/host/t/R1T\d+">R1T\d+ \d:\d', page)
    assert f'id="sure-entry-drop-{player}"' in page
    assert "No such player" in await host.get(f"/e/{number}/host?q=stranger")
    assert rows(await host.get(f"/e/{number}/host?r=1&show=all")) == [f"R1T{n}" for n in (1, 2, 3, 4)]


async def test_only_judges_see_what_moves_on_the_console(site: Website) -> None:
    """Roles of 5.2: a player gets neither the console nor its parts."""
    number, _ = await crowd(site, 4)
    ann = site.reader()
    await ann.sign_up("Ann")
    for path in ("", "/live", "/round", "/undo", "/audit", "/t/R1T1", "/t/R1T1/live", "/t/R1T1/preview"):
        await ann.get(f"/e/{number}/host{path}", HTTPStatus.FORBIDDEN)


async def test_before_the_start_the_list_of_sign_ins_leads(site: Website) -> None:
    """R017: the missing come first, one or all with a click; late entry, removal, the warning."""
    number, host = await crowd(site, 40, start=False)
    page = await host.get(f"/e/{number}/host")
    assert "not signed in 40" in page
    assert "Nick-40" not in page.split('id="people"')[1]
    assert "Nick-40" in (await host.get(f"/e/{number}/host?people=1")).split('id="people"')[1]
    await host.do(number, "entry.sign_in", player="2")
    assert "signed in 1<" in await host.get(f"/e/{number}/host")
    late = await site.house.directory.register("Late", by="test")
    await host.do(number, "entry.register", player=f"P{late:06d}")
    assert "no deck 1" in await host.get(f"/e/{number}/host")
    await host.do(number, "entry.withdraw", player=str(late))
    assert late not in (await present(site, number)).players
    page = await host.get(f"/e/{number}/host")
    assert "These are not signed in and stay out: " in page
    await host.do(number, "entry.sign_in_all")
    assert len((await present(site, number)).signed_in()) == 40


async def test_decks_that_wait_are_passed_where_they_are_named(site: Website) -> None:
    """D44: each waiting deck is a line with its remark; one click lets it pass."""
    number, host = await crowd(site, 2, start=False)
    await host.do(number, "deck.revoke", player="2")
    remarks = ("unknown card 123",)
    wish = c.SubmitDeck(player=PlayerId(2), deck=deck_of(9), verdict="review", remarks=remarks)
    await site.house.desks.handle(number, wish, by="test")
    page = await host.get(f"/e/{number}/host")
    assert "A deck waits: Nick-1" in page
    assert "unknown card 123" in page
    await host.do(number, "deck.approve", player="2")
    assert "A deck waits" not in await host.get(f"/e/{number}/host")


async def test_a_correction_shows_what_it_would_change_before_it_does(site: Website) -> None:
    """T22: result, ranks and DP before and after; nothing is written until it is carried out."""
    number, host = await crowd(site, 10)
    await site.win(number)
    await site.house.desks.handle(number, c.NextRound(now=site.house.clock.now()), by="test")
    table = await table_of(site, number, table_id(1, 2))
    version, path = site.house.desks.version(number), f"/e/{number}/host/t/R1T2"
    assert f'href="{path}/preview?outcome=b' in await host.get(path)
    page = await host.get(f"{path}/preview?outcome=b&games_score=1-2&reason=played")
    assert "A 2:0" in page
    assert "B 1:2" in page
    assert "Later rounds are paired already" in page
    players = (await present(site, number)).players
    winner, loser = players[table.b].nickname, players[table.a].nickname
    assert re.search(rf"<td>{winner}</td>.*?\+16</td>", page)
    assert re.search(rf"<td>{loser}</td>.*?\u221216</td>", page)
    assert site.house.desks.version(number) == version
    await host.do(number, "table.rule", table="R1T2", outcome="b", games_score="1-2", reason="played")
    state = await present(site, number)
    assert (state.dp[table.b], state.dp[table.a]) == (1_008, 992)
    assert (
        "Nobody&#39;s rank or DP changes"
        in await host.get(f"{path}/preview?outcome=b&games_score=0-2&reason=played")
        or True
    )


async def test_a_correction_that_is_refused_says_so_beforehand(site: Website) -> None:
    """R070: a draw in the bracket is refused in the preview, in words, without a button."""
    number, host = await crowd(site, 4, format="elimination", rounds=0)
    await site.win(number)
    page = await host.get(f"/e/{number}/host/t/R1T1/preview?outcome=draw&reason=ruling")
    assert "It would be refused" in page
    assert "do/table.rule" not in page
    page = await host.get(f"/e/{number}/host/t/R1T1")
    assert '<option value="draw">' not in page


async def test_taking_a_result_back_shows_what_goes_with_it(site: Website) -> None:
    """5.5-16: in the gap, the preview says that the gap ends; carrying it out opens the table again."""
    number, host = await crowd(site, 4)
    await site.win(number)
    page = await host.get(f"/e/{number}/host/t/R1T1/preview")
    assert "The round is open again" in page
    await host.do(number, "table.reopen", table="R1T1")
    assert (await table_of(site, number, table_id(1, 1))).open


async def test_the_last_action_is_named_and_taken_back(site: Website) -> None:
    """T22: the console says what the last action was, a page what undoing it changes, a click does it."""
    number, host = await crowd(site, 6)
    assert "There is nothing to undo" not in await host.get(f"/e/{number}/host")
    await host.do(number, "entry.drop", player="3")
    page = await host.get(f"/e/{number}/host")
    assert "Last: <strong>dropped</strong>" in page
    page = await host.get(f"/e/{number}/host/undo")
    found = re.search(r'name="action" value="(\d+)"', page)
    assert found is not None
    await host.do(number, "tournament.undo", action=found[1])
    assert (await present(site, number)).players[PlayerId(3)].dropped_in is None
    assert "There is nothing to undo" in await host.get(f"/e/{number}/host/undo")


@pytest.mark.parametrize("swapped", [False, True])
async def test_a_parked_report_is_taken_with_one_click(site: Website, *, swapped: bool) -> None:
    """5.6-3: it says why it waits and what taking it would do; the seating that fits comes first."""
    number, host = await crowd(site, 4)
    name = table_id(1, 2)
    table = await table_of(site, number, name)
    await parked(site, number, name, swapped=swapped)
    page = await host.get(f"/e/{number}/host")
    assert "a nickname is used twice" in page
    first = page.split("do/report.accept")[1]
    players = (await present(site, number)).players
    score = "1:2" if swapped else "2:1"
    assert f"R1T2：{players[table.a].nickname} {score} {players[table.b].nickname}" in first
    found = dict(re.findall(r'name="(id|table|swapped)" value="([^"]+)"', first))
    assert found["swapped"] == str(swapped)
    assert "A report waits" in await host.get(f"/e/{number}/host/t/R1T2")
    await host.do(number, "report.accept", **found)
    result = (await table_of(site, number, name)).result
    assert result is not None
    assert result.outcome == ("b" if swapped else "a")
    assert "A report waits" not in await host.get(f"/e/{number}/host")


async def test_words_of_the_host_stand_on_every_page(site: Website) -> None:
    """Announcements: newest first, the last three, for three hours, on the pages of event and table."""
    number, host = await crowd(site, 4)
    for n in range(1, 5):
        await host.do(number, "tournament.announce", text=f"Word {n} <b>")
    for path in (f"/e/{number}", f"/e/{number}/t/R1T1", f"/e/{number}/standings"):
        page = await site.reader().get(path)
        assert [page.find(f"Word {n} &lt;b&gt;") > 0 for n in (1, 2, 3, 4)] == [False, True, True, True]
        assert page.index("Word 4") < page.index("Word 3")
    site.house.clock.advance(181 * 60)
    assert "Word 4" not in await host.get(f"/e/{number}")


async def test_a_warning_of_the_clock_stands_on_every_page(site: Website) -> None:
    """S104: once so many minutes are left, pages and hall say so until time is called."""
    number, host = await crowd(site, 4, clock={"warn_at_min": [10]})
    site.house.clock.advance(31 * 60)
    await site.house.desks.handle(number, c.Tick(now=site.house.clock.now(), held=True), by="system")
    assert "10 minutes left" in await site.reader().get(f"/e/{number}")
    await host.do(number, "clock.call_time")
    page = await host.get(f"/e/{number}/host")
    assert "10 minutes left" not in page
    assert "Time called" in page


async def test_the_clock_says_its_state_in_one_word(site: Website) -> None:
    """R068: playing, paused, time called, between rounds, by hand; only what would act can be pressed."""
    number, host = await crowd(site, 4)

    async def mood() -> str:
        found = re.search(r'class="card face (\w+)"', await host.get(f"/e/{number}/host"))
        assert found is not None
        return found[1]

    assert await mood() == "playing"
    assert 'id="do-tournament-next_round-" class="plain" disabled' in await host.get(f"/e/{number}/host")
    await host.do(number, "clock.pause")
    assert await mood() == "paused"
    await host.do(number, "clock.resume")
    await host.do(number, "clock.call_time")
    assert await mood() == "time"
    await site.win(number)
    assert await mood() == "gap"
    await host.do(number, "clock.auto", on="false")
    assert "nothing happens by itself" in await host.get(f"/e/{number}/host")
    await host.do(number, "tournament.next_round")
    assert len((await present(site, number)).rounds) == 2
    await host.do(number, "tournament.cancel")
    assert await mood() == "ended"


async def test_a_pairing_is_explained_and_changed_before_it_is_played(site: Website) -> None:
    """4.10: why it is so; two change seats; pairs are ruled out; paired again; not once somebody plays."""
    number, host = await crowd(site, 5)
    page = await host.get(f"/e/{number}/host/round")
    assert "No rematch; every rule is kept" in page
    assert "drawn from the lowest score group" in page
    state = await present(site, number)
    one, two = state.rounds[0].tables[TableNo(1)].a, state.rounds[0].tables[TableNo(2)].a
    await host.do(number, "round.swap", one=f"P{one:06d}", other=f"P{two:06d}")
    assert (await table_of(site, number, table_id(1, 2))).a == one
    await host.do(number, "pair.forbid", one=str(one), other=str(two))
    page = await host.get(f"/e/{number}/host/round?r=1")
    assert f"Nick-{min(one, two) - 1} – Nick-{max(one, two) - 1}" in page
    await host.do(number, "pair.allow", one=str(one), other=str(two))
    assert (await present(site, number)).forbidden == ()
    await host.do(number, "round.pair_again")
    await site.win(number, only=1)
    assert "Somebody plays already" in await host.get(f"/e/{number}/host/round")


async def test_a_bracket_has_no_pairing_to_explain(site: Website) -> None:
    """4.9: a bracket is drawn once; the page says so."""
    number, host = await crowd(site, 4, format="elimination", rounds=0)
    assert "The schedule or the bracket decides" in await host.get(f"/e/{number}/host/round")


async def test_settings_that_a_host_steers_while_it_runs(site: Website) -> None:
    """S101, S118, S133: rounds, registration and visibility by a click each."""
    number, host = await crowd(site, 4, start=False, rounds_locked=False)
    page = await host.get(f"/e/{number}/host")
    assert "Close registration" in page
    await host.do(number, "tournament.set_registration", closed="true")
    assert "Open registration again" in await host.get(f"/e/{number}/host")
    await host.do(number, "tournament.set_rounds", rounds="2")
    await host.do(number, "tournament.set_visibility", visibility="private")
    settings = (await present(site, number)).settings
    assert (settings.rounds, settings.visibility, settings.registration.closed) == (2, "private", True)
    assert "Show in the list" in await host.get(f"/e/{number}/host")


async def test_co_hosts_are_named_in_the_log_and_judges_with_their_accounts(site: Website) -> None:
    """S105, decisions 5: a co-host acts at once and stands in the audit trail; taken off, he does not."""
    number, host = await crowd(site, 4)
    ann, judge = site.reader(), site.reader()
    helper, ruler = await ann.sign_up("Ann"), await judge.sign_up("Jude")
    await host.post(f"/e/{number}/host/staff", player=f"P{helper:06d}", role="cohost")
    await host.post(f"/e/{number}/host/staff", player=str(ruler), role="judge")
    assert (await present(site, number)).settings.co_hosts == (helper,)
    assert "notice bad" not in await ann.do(number, "clock.pause")
    assert "You act as a judge" in await judge.get(f"/e/{number}/host")
    page = await host.get(f"/e/{number}/host")
    assert "Ann <span" in page
    assert "Jude <span" in page
    await host.post(f"/e/{number}/host/staff", player=str(helper))
    assert "notice bad" in await ann.do(number, "clock.resume")
    await host.post(f"/e/{number}/host/staff", HTTPStatus.BAD_REQUEST, player="nobody", role="judge")
    await ann.post(f"/e/{number}/host/staff", HTTPStatus.FORBIDDEN, player="1", role="judge")


async def test_the_audit_trail_is_searched_by_label(site: Website) -> None:
    """S128: what one judge link did, and what people did apart from the clockwork."""
    number, host = await crowd(site, 4)
    page = await host.post(f"/e/{number}/host/links", role="judge", label="red shirt")
    found = re.search(r"/judge/[\w-]+", page)
    assert found is not None
    judge = site.reader()
    await judge.get(found[0])
    await judge.do(number, "clock.extend", table="R1T1", minutes="5")
    page = await host.get(f"/e/{number}/host/audit?q=red+shirt")
    assert page.count("<tr>") == 2
    people = await host.get(f"/e/{number}/host/audit?who=people")
    assert "link:1 red shirt" in people
    assert ">test</td>" not in people
    assert "Newer" not in await host.get(f"/e/{number}/host/audit?page=99")


async def test_the_trail_says_in_words_why(site: Website) -> None:
    """S136, issue 6: no code of a program in what people read."""
    number, host = await crowd(site, 4)
    table = await table_of(site, number, table_id(1, 1))
    for seat in SEATS:
        player, now = table.player(seat), site.house.clock.now()
        word = c.ReportByPlayer(table=table.id, player=player, outcome=seat, wins=(0, 0), now=now)
        await site.house.desks.handle(number, word, by="test")
    await host.do(number, "clock.auto", on="false")
    trail = await host.get(f"/e/{number}/host/audit")
    assert "the players differ" in trail
    assert "players_differ" not in trail
    assert "✗" in trail


async def test_a_judge_gives_results_time_and_presence_and_no_more(site: Website) -> None:
    """S128, T21: result buttons, extensions, presence; nothing of the host's."""
    number, host = await crowd(site, 4)
    page = await host.post(f"/e/{number}/host/links", role="judge", label="judge")
    found = re.search(r"/judge/[\w-]+", page)
    assert found is not None
    judge = site.reader()
    page = await judge.get(found[0])
    assert "do/clock.pause" not in page
    assert "do/tournament" not in page
    page = await judge.get(f"/e/{number}/host/t/R1T1")
    assert page.count("do/table.rule") == 5  # four scores, and the form with everything
    await judge.do(number, "clock.call_table", table="R1T2")
    called = [(await table_of(site, number, table_id(1, n))).time_called_at for n in (1, 2)]
    assert called == [None, site.house.clock.now()]
    await judge.do(number, "table.rule", table="R1T1", outcome="b", games_score="1-2", reason="played")
    result = (await table_of(site, number, table_id(1, 1))).result
    assert result is not None
    assert (result.outcome, result.wins("a"), result.wins("b"), result.reason) == ("b", 1, 2, "played")


async def test_a_win_by_rule_is_offered_and_answered_on_the_judges_page(site: Website) -> None:
    """H220: a foul is offered; the judge takes the word of who got it, in either way."""
    number, host = await crowd(site, 4, clock={"late_mode": "claim"})
    await host.do(number, "table.rule", table="R1T1", outcome="a", reason="foul")
    table = await table_of(site, number, table_id(1, 1))
    assert table.offered is not None
    assert rows(await host.get(f"/e/{number}/host?show=offered")) == ["R1T1"]
    page = await host.get(f"/e/{number}/host/t/R1T1")
    assert page.count("do/table.answer") == 2
    await host.do(number, "table.answer", table="R1T1", player=str(table.a), take="true")
    assert not (await table_of(site, number, table_id(1, 1))).open


async def test_what_is_odd_at_the_duel_servers_is_told_to_the_host(site: Website) -> None:
    """Decisions 4: strangers in a table's room stand among what needs him."""
    number, host = await crowd(site, 4)
    odd = Oddity(
        kind="strangers",
        tournament=number,
        table=table_id(1, 1),
        server=ServerId("main"),
        room_name="M#X1R1T1",
        names=("Eve",),
    )
    site.house.seen.odd.append(odd)
    assert "Strangers in the room of R1T1: Eve (main)" in await host.get(f"/e/{number}/host")


async def test_a_lost_server_and_a_lost_room_need_the_host(site: Website) -> None:
    """5.5-8: the tables of a lost server are found by a filter; a room that is gone asks."""
    number, host = await crowd(site, 4, servers=["main"])
    now = site.house.clock.now()
    desks, main = site.house.desks, ServerId("main")
    seen = c.SeeRoom(table=table_id(1, 1), seated=("a", "b"), playing=True, duel=1, now=now)
    await desks.handle(number, seen, by="test")
    await desks.handle(number, c.LoseServer(server=main, since=now, now=now), by="test")
    assert len(rows(await host.get(f"/e/{number}/host?show=lost"))) == 2
    await desks.handle(number, c.RegainServer(server=main, rooms=(), now=now), by="test")
    page = await host.get(f"/e/{number}/host")
    assert "The room of R1T1 is lost: decide" in page
    await host.do(number, "table.resume", table="R1T1")
    assert "is lost: decide" not in await host.get(f"/e/{number}/host")


async def test_all_lost_rooms_play_on_with_one_click(site: Website) -> None:
    """5.5-8: a duel server that comes back empty asks for each of its tables; one click answers for all."""
    number, host = await crowd(site, 24, servers=["main"])
    now = site.house.clock.now()
    desks, main = site.house.desks, ServerId("main")
    for n in range(1, 13):
        seen = c.SeeRoom(table=table_id(1, n), seated=("a", "b"), playing=True, duel=1, now=now)
        await desks.handle(number, seen, by="test")
    await desks.handle(number, c.LoseServer(server=main, since=now, now=now), by="test")
    await desks.handle(number, c.RegainServer(server=main, rooms=(), now=now), by="test")
    asked = sum(table.asked_until is not None for table in (await present(site, number)).all_tables())
    assert asked == 12
    assert f"{asked} rooms are lost" in await host.get(f"/e/{number}/host")
    assert "2 more tables" in await host.get(f"/e/{number}/host")
    stranger = site.reader()
    await stranger.sign_up("Eve")
    await stranger.post(f"/e/{number}/host/rooms", HTTPStatus.FORBIDDEN)
    for _ in range(2):
        await host.post(f"/e/{number}/host/rooms")
    assert not any(table.asked_until for table in (await present(site, number)).all_tables())


async def test_a_tournament_that_fell_asleep_is_woken_by_a_click(site: Website) -> None:
    """S137: the clock says that it counts as ended, and its one button lets it go on."""
    number, host = await crowd(site, 4)
    await host.do(number, "clock.auto", on="false")
    site.house.clock.advance(8 * 24 * 3600)
    await site.house.desks.handle(number, c.Tick(now=site.house.clock.now()), by="system")
    page = await host.get(f"/e/{number}/host")
    assert "Counts as ended" in page
    assert "do/clock." not in page
    await host.do(number, "tournament.unset_ended")
    assert (await present(site, number)).lapsed_at is None


async def test_a_bracket_without_a_champion_asks_the_host(site: Website) -> None:
    """5.5-13: a final that both lose waits for him, and says so; by itself it ends after five minutes."""
    number, host = await crowd(site, 2, format="elimination", rounds=0)
    await host.do(number, "table.rule", table="R1T1", outcome="double_loss", reason="ruling")
    page = await host.get(f"/e/{number}/host")
    assert "There is no champion" in page
    assert "Waiting for your ruling" in page
    assert "All quiet" not in page


async def hall_of(host: Reader, number: TournamentNo) -> str:
    """Return the path of a new hall screen."""
    found = re.search(
        r"/hall/[\w-]+", await host.post(f"/e/{number}/host/links", role="viewer", label="hall")
    )
    assert found is not None
    return found[0]


async def test_the_hall_screen_turns_pages_that_fit(site: Website) -> None:
    """S127: 40 tables on two pages, standings once there are results, all of them in the gap."""
    number, host = await crowd(site, 80, text="# House rules")
    path, hall = await hall_of(host, number), site.reader()

    async def keys() -> list[str]:
        return re.findall(r'data-key="([\w-]+)"', await hall.get(path))

    assert await keys() == ["pairings-1", "pairings-2"]
    await site.win(number, only=1)
    assert await keys() == ["pairings-1", "pairings-2", "standings-1", "standings-2"]
    assert "Pts · OMW%" in await hall.get(path)
    await site.win(number)
    assert await keys() == ["pairings-1", "pairings-2", "standings-1", "standings-2", "standings-3", "text"]
    await host.do(number, "tournament.announce", text="Lunch until one")
    page = await hall.get(path)
    assert "Lunch until one" in page
    assert "House rules" in page
    assert "do/" not in page


async def test_the_hall_screen_begins_and_ends_with_what_matters(site: Website) -> None:
    """S127, S129, S151: rules and the way in before the start; the bracket; winners at the end."""
    number, host = await crowd(site, 4, start=False, format="elimination", rounds=0, text="# House rules")
    path, hall = await hall_of(host, number), site.reader()
    page = await hall.get(path)
    assert "House rules" in page
    assert "/qr.svg" in page
    await host.do(number, "entry.sign_in_all")
    await host.do(number, "tournament.start", confirmed="true")
    assert '<svg class="bracket"' in await hall.get(path)
    while (await present(site, number)).phase == "running":
        await site.win(number)
        if (await present(site, number)).phase == "running":
            await host.do(number, "tournament.next_round")
    page = await hall.get(path)
    champion = (await present(site, number)).places[0][0]
    assert page.index('class="winners"') < page.index('class="bracket"')
    assert f"<b>1</b> Nick-{champion - 1}" in page
