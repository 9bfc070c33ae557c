"""What players see and do: registration, one code, their table, the list, decks and winners."""

import gzip
import re
from collections.abc import AsyncIterator
from http import HTTPStatus
from pathlib import Path

import pytest

from ruleset.ids import PlayerId, Seat, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.decks import DeckList
from ruleset.tournament.state import Table
from tests.house import deck
from tests.website import Reader, Website, website

HOUR_MS = 3_600_000


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Website]:
    """The site, without limits on how often it is asked."""
    async with website(tmp_path) as site:
        yield site


async def people(site: Website, count: int) -> list[Reader]:
    """Return browsers with accounts 1 to *count*, whose nicknames are Nick-1 and so on."""
    readers = [site.reader() for _ in range(count)]
    for n, reader in enumerate(readers, 1):
        assert await reader.sign_up(f"Nick-{n}") == n
    return readers


async def running(site: Website, count: int = 4, **wishes: object) -> tuple[TournamentNo, list[Reader]]:
    """Return a tournament in round 1 and its players' browsers, by number; number 1 hosts."""
    readers = await people(site, count)
    number = await site.publish(organiser=PlayerId(1), **wishes)
    await entered(site, number, readers)
    await readers[0].do(number, "tournament.start", confirmed="true")
    return number, readers


async def entered(site: Website, number: TournamentNo, readers: list[Reader]) -> None:
    """Register all with a deck, and sign them in; number 1 hosts."""
    assert site.base
    for player, reader in enumerate(readers, 1):
        await reader.do(number, "entry.register", player=player)
        await reader.post(f"/e/{number}/deck", deck=deck())
    await readers[0].do(number, "entry.sign_in_all")


async def field(site: Website, number: TournamentNo, count: int) -> list[PlayerId]:
    """Sign in so many players who have no accounts."""
    players, now = [PlayerId(n) for n in range(1, count + 1)], site.house.clock.now()
    lines = tuple(c.RosterLine(player=player) for player in players)
    names = {player: f"选手{player}" for player in players}
    cards = DeckList(main=(1,) * 40, extra=(), side=(), sha256="x")
    commands: list[c.Command] = [
        c.ImportRoster(lines=lines, nicknames=names, now=now),
        *(c.SubmitDeck(player=player, deck=cards, verdict="legal") for player in players),
        c.SignInAll(now=now),
    ]
    for command in commands:
        await site.house.desks.handle(number, command, by="test")
    return players


async def first_table(site: Website, number: TournamentNo) -> Table:
    """Return table 1 of round 1 as it is now."""
    return next(iter((await site.house.desks.load(number)).rounds[0].tables.values()))


async def tick(site: Website, number: TournamentNo, seconds: float = 0) -> None:
    """Let time pass and the clock do what is due."""
    site.house.clock.advance(seconds)
    await site.house.desks.handle(number, c.Tick(now=site.house.clock.now()), by="system")


async def test_registration_says_when_it_is_closed_or_full(site: Website) -> None:
    """S118, S119: deadline, switch and places stand on the page; the button is there only while it works."""
    host, ann, bob = await people(site, 3)
    until = site.house.clock.now() + HOUR_MS
    registration = {"until": until, "limit": 2}
    number = await site.publish(organiser=PlayerId(1), registration=registration)
    page = await ann.get(f"/e/{number}")
    assert "do/entry.register" in page
    assert "2 of 2 places left" in page
    await host.do(number, "tournament.set_registration", closed="true")
    page = await ann.get(f"/e/{number}")
    assert "Registration is closed" in page
    assert "do/entry.register" not in page
    await host.do(number, "tournament.set_registration", closed="false")
    for player in (1, 2):
        await (host, ann)[player - 1].do(number, "entry.register", player=player)
    assert "The list is full" in await bob.get(f"/e/{number}")
    await ann.do(number, "entry.withdraw", player=2)
    site.house.clock.advance(3_600)
    assert "Registration is closed" in await bob.get(f"/e/{number}")


async def test_a_player_names_his_team_when_he_registers(site: Website) -> None:
    """S107, S115, S149: teams to choose from, required where the host says so; the note stands beside."""
    host, ann = await people(site, 2)
    rules = {"required": True, "avoid_same_team": "must", "ranking": True, "top_n": 1}
    note = {"registration_note": "Bring **sleeves**."}
    number = await site.publish(organiser=PlayerId(1), teams=rules, pages=note)
    assert "has not listed any yet" in await ann.get(f"/e/{number}")
    await host.do(number, "team.add", name="Red")
    page = await ann.get(f"/e/{number}")
    assert "<strong>sleeves</strong>" in page
    assert "members of a team never meet" in page
    assert "the best 1 of each team count" in page
    assert "Name a team" in await ann.do(number, "entry.register", player=2)
    await ann.do(number, "entry.register", player=2, team="1")
    assert (await site.house.desks.load(number)).players[PlayerId(2)].team == 1
    assert "registered · Red" in await ann.get(f"/e/{number}")
    assert "Red" in await ann.get(f"/e/{number}/players")


async def test_the_number_registered_is_shown_or_not(site: Website) -> None:
    """S143: switched off, neither lists nor pages give it away before the start, but to the host."""
    host, ann = await people(site, 2)
    number = await site.publish(organiser=PlayerId(1), title="Quiet", pages={"show_registered": False})
    await ann.do(number, "entry.register", player=2)
    stranger = site.reader()
    assert "1 registered" not in await stranger.get("/")
    assert "not shown" in await stranger.get(f"/e/{number}")
    assert "Nick-2" not in await stranger.get(f"/e/{number}/players")
    assert "Nick-2" in await ann.get(f"/e/{number}/players")
    assert "Nick-2" in await host.get(f"/e/{number}/players")


async def test_the_rules_stand_on_one_screen(site: Website) -> None:
    """H224, S101-S104, S107, S119, S129, S148: what is played for, and how, stands on the event page.

    Kind, ranking, order at the cut, late, prizes, staff, linked tournaments, deck lists.
    """
    await people(site, 2)
    other = await site.publish(title="Side event")
    number = await site.publish(
        organiser=PlayerId(1),
        format="swiss_elimination",
        cut=4,
        cut_playoff=True,
        scores={"preset": "hanno_cut"},
        prizes=[{"name": "Trophy", "count": 1}, {"name": "Mat", "count": 3}],
        co_hosts=[2],
        linked_events=[other],
        pages={"decklists": "after_end"},
        score_gate="clock",
    )
    page = await site.reader().get(f"/e/{number}")
    for words in ("competitive", "At the cut", "claims the win or waits", "Trophy", "Mat ×3", "Side event"):
        assert words in page, words
    for words in ("Nick-2", "open to everybody after the end", "one game for the last seat"):
        assert words in page, words
    assert "players report only while" in page
    assert "changed by the host" not in page
    other = await site.publish(organiser=PlayerId(1), scores={"preset": "hanno", "points": {"draw": 0}})
    assert "changed by the host" in await site.reader().get(f"/e/{other}")


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (9, "8 play, 1 do not take part; so it is an exhibition, without DP"),
        (33, "32 play, 1 do not take part; so there are no DP prizes"),
        (12, "8 play, 4 do not take part; so it is an exhibition"),
        (8, "8 players, no byes"),
    ],
)
async def test_truncation_is_told_before_the_start(site: Website, count: int, words: str) -> None:
    """R021: who would not take part if it started now, and what the smaller field costs everybody."""
    number = await site.publish(format="elimination", rounds=0, odd_field="truncate")
    await field(site, number, count)
    assert words in await site.reader().get(f"/e/{number}")


async def test_a_stranger_puts_no_tournament_on_anothers_page(site: Website) -> None:
    """S148: a link back is shown only between tournaments of one organiser."""
    await people(site, 2)
    number = await site.publish(organiser=PlayerId(1))
    await site.publish(organiser=PlayerId(2), title="Advert", linked_events=[number])
    await site.publish(organiser=PlayerId(1), title="Second day", linked_events=[number])
    page = await site.reader().get(f"/e/{number}")
    assert "Second day" in page
    assert "Advert" not in page


async def test_one_code_opens_what_is_on(site: Website) -> None:
    """S126, S148: a player is led to the linked tournament that runs for him, others to the event page."""
    number, readers = await running(site, 2)
    second = await site.publish(organiser=PlayerId(1), title="Second", linked_events=[number])
    async with readers[1].session.get(f"{site.base}/e/{second}/code") as answer:
        assert answer.url.path == f"/e/{number}"
    async with site.reader().session.get(f"{site.base}/e/{second}/code") as answer:
        assert answer.url.path == f"/e/{second}"


async def test_the_one_code_shows_his_own_score(site: Website) -> None:
    """S140: where the host wants it, with rank and points and the way to his table."""
    number, readers = await running(site, 2, pages={"show_scores_on_signin": True})
    page = await readers[1].get(f"/e/{number}/code")
    assert "Go to your table" in page
    assert re.search(r"Points</small><span class=\"big\">0<", page)


async def test_without_a_login_the_number_signs_in(site: Website) -> None:
    """S111-S113: only where the host allows it; by name, namesakes are asked for their number."""
    readers = await people(site, 3)
    rules = {"require_login": False, "lookup": "id_or_name"}
    number = await site.publish(organiser=PlayerId(1), pages=rules)
    for player, reader in enumerate(readers, 1):
        await reader.do(number, "entry.register", player=player)
        await reader.post(f"/e/{number}/deck", deck=deck())
    await tick(site, number)
    page, hand = f"/e/{number}/code", site.reader()
    assert "Your name or player number" in await hand.get(page)
    assert "P000002" in await hand.post(page, who="nick-2")
    await hand.post(page, HTTPStatus.UNPROCESSABLE_ENTITY, who="Nobody")
    assert "signed in as number 1" in await hand.post(page, who="2", sign_in=str(number))
    entries = await site.parts.history(number)
    assert entries[-1].by == "number:P000002"
    twin = site.reader()
    await twin.post("/signup", nickname="Nick-3", email="x@example.org", password="correct horse", back="/me")
    await twin.do(number, "entry.register", player=4)
    assert "More than one" in await hand.post(page, HTTPStatus.UNPROCESSABLE_ENTITY, who="Nick-3")
    assert "P000003" in await hand.post(page, who="P000003")


async def test_with_a_login_required_no_number_is_enough(site: Website) -> None:
    """S113: the default; nobody signs another in, at the door or from a linked tournament."""
    readers = await people(site, 2)
    number = await site.publish(organiser=PlayerId(1))
    await readers[1].do(number, "entry.register", player=2)
    await readers[1].post(f"/e/{number}/deck", deck=deck())
    open_one = await site.publish(
        organiser=PlayerId(1), pages={"require_login": False}, linked_events=[number]
    )
    await tick(site, number)
    stranger = site.reader()
    assert "Sign in" in await stranger.post(f"/e/{number}/code", who="2", sign_in=str(number))
    assert "Sign in" in await stranger.post(f"/e/{open_one}/code", who="2", sign_in=str(number))
    await readers[0].post(f"/e/{open_one}/code", HTTPStatus.FORBIDDEN, who="2", sign_in=str(number))
    assert (await site.house.desks.load(number)).players[PlayerId(2)].signed_in is None


async def test_room_code_and_number_speak_at_the_table(site: Website) -> None:
    """S113: present, and a result that needs the other side's word as well; a wrong code says nothing."""
    number, _ = await running(site, 2, pages={"require_login": False})
    table, hand = await first_table(site, number), site.reader()
    page, code = f"/e/{number}/t/{table.id}", f"X{number}{table.id}"
    assert f"{page}/hand" in await hand.get(page)
    for wrong in (
        {"code": "X1R9T9", "player": table.a},
        {"code": code, "player": 99},
        {"code": "", "player": ""},
    ):
        assert "not of this table" in await hand.post(f"{page}/hand", **wrong)
    assert "Done." in await hand.post(f"{page}/hand", code=f"m#{code}".lower(), player=f"P{table.a:06d}")
    await hand.post(f"{page}/hand", code=code, player=table.a, score="a 2-1")
    assert (await first_table(site, number)).status == "reported"
    await hand.post(f"{page}/hand", code=code, player=table.b, score="a 2-1")
    settled = await first_table(site, number)
    assert (settled.status, settled.result is not None and settled.result.outcome) == ("confirmed", "a")


async def test_one_word_never_counts_without_a_login(site: Website) -> None:
    """S113 with S136: where a single word is enough, a room code and a number do not tell a result."""
    number, _ = await running(site, 2, pages={"require_login": False}, confirm="single")
    table, hand = await first_table(site, number), site.reader()
    page = f"/e/{number}/t/{table.id}"
    assert 'name="score"' not in await hand.get(page)
    said = await hand.post(f"{page}/hand", code=f"X{number}{table.id}", player=table.a, score="a 2-0")
    assert "sign in to report" in said
    assert (await first_table(site, number)).status == "waiting"


async def test_hands_at_the_table_need_a_login_by_default(site: Website) -> None:
    """S113: require_login is on unless the host switches it off."""
    number, readers = await running(site, 2)
    table = await first_table(site, number)
    page, fields = f"/e/{number}/t/{table.id}", {"code": f"X{number}{table.id}", "player": table.a}
    assert "/hand" not in await site.reader().get(page)
    assert "Sign in" in await site.reader().post(f"{page}/hand", **fields)
    await readers[0].post(f"{page}/hand", HTTPStatus.FORBIDDEN, **fields)


async def test_a_win_by_rule_is_taken_or_forgiven(site: Website) -> None:
    """H220: a foul is offered to the opponent, who takes the win or plays on; others only see it."""
    number, readers = await running(site, 4, scores={"preset": "hanno"})
    tables = list((await site.house.desks.load(number)).rounds[0].tables.values())
    for table, take in zip(tables, ("true", "false"), strict=True):
        page, winner = f"/e/{number}/t/{table.id}", readers[table.a - 1]
        await readers[0].do(number, "table.rule", table=str(table.id), outcome="a", reason="foul")
        assert "Forgive, and play on" in await winner.get(page)
        assert "Forgive, and play on" not in await readers[table.b - 1].get(page)
        assert "A win is offered to" in await site.reader().get(page)
        await winner.do(number, "table.answer", table=str(table.id), player=table.a, take=take)
    taken, left = (await site.house.desks.load(number)).rounds[0].tables.values()
    assert (taken.status, left.status, left.offered) == ("confirmed", "waiting", None)


async def test_an_absence_is_claimed_or_waited_for(site: Website) -> None:
    """H219, H220: at the limit the present player may claim the win; the page says what waiting means."""
    number, readers = await running(site, 2, scores={"preset": "hanno"})
    table = await first_table(site, number)
    page, here = f"/e/{number}/t/{table.id}", readers[table.a - 1]
    assert "Claim the absence win" not in await here.get(page)
    site.house.clock.advance(14 * 60)
    await here.do(number, "table.present", table=str(table.id), player=table.a)
    await tick(site, number, 60)
    shown = await here.get(page)
    assert "Claim the absence win" in shown
    assert "To wait, do nothing" in shown
    await here.do(number, "table.claim", table=str(table.id), player=table.a)
    assert (await first_table(site, number)).status == "confirmed"


async def test_a_player_agrees_with_what_the_other_said(site: Website) -> None:
    """S136: the other's word stands there as seen from one's own seat; one press and a question agree."""
    number, readers = await running(site, 2)
    table = await first_table(site, number)
    page, report = f"/e/{number}/t/{table.id}", {"table": str(table.id), "player": table.a, "score": "a 2-1"}
    await readers[table.a - 1].do(number, "table.report", **report)
    assert "You reported: won 2:1" in await readers[table.a - 1].get(page)
    shown = await readers[table.b - 1].get(page)
    assert "seen from you: lost 1:2" in shown
    assert 'value="a 2-1"' in shown
    await readers[table.b - 1].do(number, "table.report", **{**report, "player": table.b})
    assert (await first_table(site, number)).status == "confirmed"


async def test_the_page_offers_only_what_the_rules_let_players_do(site: Website) -> None:
    """S114, S138: no report once the clock has stopped; conceding and dropping may be the host's alone."""
    number, readers = await running(site, 2, score_gate="clock", self_forfeit=False)
    table = await first_table(site, number)
    page, player = f"/e/{number}/t/{table.id}", readers[table.a - 1]
    shown = await player.get(page)
    assert "do/table.report" in shown
    for button in ("table.concede", "entry.drop"):
        assert f"do/{button}" not in shown
    await readers[0].do(number, "clock.call_time")
    shown = await player.get(page)
    assert "do/table.report" not in shown
    assert "players cannot report now" in shown


async def test_whoever_waits_for_a_round_can_drop_out(site: Website) -> None:
    """S138, T23: also without a match to play, from the event page, after a question."""
    number, readers = await running(site, 3)
    state = await site.house.desks.load(number)
    (free,) = state.rounds[0].byes
    page = await readers[free - 1].get(f"/e/{number}")
    assert "no match to play right now" in page
    await readers[free - 1].do(number, "entry.drop", player=free)
    assert (await site.house.desks.load(number)).players[free].dropped_in == 1


async def test_the_list_explains_itself(site: Website) -> None:
    """H203, R032: shared ranks are marked, every value opens its terms, every rank says why it is so."""
    number, readers = await running(site, 4, format="swiss_elimination", cut=2, rounds=2)
    assert "Standings appear" not in await readers[0].get(f"/e/{number}/standings")
    await site.win(number)
    page = await readers[0].get(f"/e/{number}/standings")
    assert page.count('title="shared rank"') == 4
    assert 'id="me" class="own' in page
    assert len(re.findall(r'<tr[^>]* class="[^"]*line', page)) == 1
    state = await site.house.desks.load(number)
    winner, loser = state.rounds[0].tables[1].a, state.rounds[0].tables[1].b  # type: ignore[index]  # tables count from 1
    why = await readers[0].get(f"/e/{number}/standings/{loser}/why/{winner}")
    assert f"Nick-{winner} stands before Nick-{loser}" in why
    terms = await readers[0].get(f"/e/{number}/standings/{winner}/omw")
    assert f"Nick-{loser}" in terms
    assert "0 / 3" in terms
    for path in (f"{winner}/why/{winner}", f"{winner}/why/99", "99/omw", f"{winner}/luck"):
        await readers[0].get(f"/e/{number}/standings/{path}", HTTPStatus.NOT_FOUND)


async def test_seats_that_do_not_follow_the_list_are_marked(site: Website) -> None:
    """H223: where the cut has an order of its own, those who go on are marked instead of a line."""
    number, readers = await running(
        site, 4, format="swiss_elimination", cut=2, scores={"cut_order": ["fewer_byes", "signin"]}
    )
    state = await site.house.desks.load(number)
    for table in state.rounds[0].tables.values():  # those who signed in last win
        seat: Seat = "a" if table.a > table.b else "b"
        await site.win(number, seat=seat, only=table.id.table)
    page = await readers[0].get(f"/e/{number}/standings")
    assert page.count(">qualifies<") == 2


async def test_a_live_list_counts_what_is_known(site: Website) -> None:
    """S139: with ``draft`` scores of matches that go on count, in the list and in its explanations."""
    number, readers = await running(site, 2, live_on="draft")
    table = await first_table(site, number)
    told = {"table": str(table.id), "player": table.a, "score": "a 2-0"}
    await readers[table.a - 1].do(number, "table.report", **told)
    page = await readers[0].get(f"/e/{number}/standings")
    assert "count already" in page


async def test_teams_have_a_page_of_their_own(site: Website) -> None:
    """S130, S131: ranked by the best of each, incomplete ones last; without teams there is no tab."""
    readers = await people(site, 3)
    number = await site.publish(organiser=PlayerId(1), teams={"ranking": True, "top_n": 2})
    assert "/teams" not in await readers[0].get(f"/e/{number}")
    for name in ("Red", "Blue"):
        await readers[0].do(number, "team.add", name=name)
    for player, reader in enumerate(readers, 1):
        await reader.do(number, "entry.register", player=player, team=str(1 + player // 3))
        await reader.post(f"/e/{number}/deck", deck=deck())
    assert "nobody yet" not in await readers[0].get(f"/e/{number}/teams")
    await readers[0].do(number, "entry.sign_in_all")
    await readers[0].do(number, "tournament.start", confirmed="true")
    await site.win(number)
    page = await readers[0].get(f"/e/{number}/teams")
    assert page.index("Red") < page.index("Blue")
    assert page.count(">too few<") == 1


async def test_decks_are_read_after_the_end_if_the_host_says_so(site: Website) -> None:
    """Issue 6: hidden by default and while it runs; then everybody's list and file."""
    number, _ = await running(site, 2, rounds=1, pages={"decklists": "after_end"})
    stranger, base = site.reader(), f"/e/{number}/decks"
    for path in (base, f"{base}/2", f"{base}/2.ydk"):
        await stranger.get(path, HTTPStatus.NOT_FOUND)
    await site.win(number)
    assert (await site.house.desks.load(number)).phase == "finished"
    assert f"{base}/2" in await stranger.get(base)
    assert "Main deck" in await stranger.get(f"{base}/2")
    assert (await stranger.get(f"{base}/2.ydk")).startswith("#created by")
    await stranger.get(f"{base}/9", HTTPStatus.NOT_FOUND)


async def test_decks_stay_hidden_by_default(site: Website) -> None:
    """Issue 6: deck lists after the end only if the event says so."""
    number, readers = await running(site, 2, rounds=1)
    await site.win(number)
    for path in ("decks", "decks/1", "decks/1.ydk"):
        await readers[0].get(f"/e/{number}/{path}", HTTPStatus.NOT_FOUND)
    assert "/decks" not in await readers[0].get(f"/e/{number}")


async def test_winners_stand_with_their_prizes(site: Website) -> None:
    """S129: by final rank, on the event page and on that of the results."""
    prizes = [{"name": "Trophy"}, {"name": "Mat"}]
    number, readers = await running(site, 2, rounds=1, prizes=prizes)
    await site.win(number)
    for path in ("", "/results"):
        page = await readers[0].get(f"/e/{number}{path}")
        assert page.index("Trophy") < page.index("Mat")


async def test_tournaments_are_searched_and_filtered(site: Website) -> None:
    """S133, S134: by title, number, environment and state; private ones and tests only by their links."""
    number, _ = await running(site, 2, title="Friday Cup", rounds=1)
    await site.publish(title="Sunday Open", environment="edison")
    for hidden in ({"visibility": "private"}, {"test": True}):
        await site.publish(title="Hidden", organiser=PlayerId(2), **hidden)
    stranger = site.reader()
    for query, found in (
        ("", {"Friday Cup", "Sunday Open"}),
        ("?q=friday", {"Friday Cup"}),
        (f"?q=%23{number}", {"Friday Cup"}),
        ("?environment=edison", {"Sunday Open"}),
        ("?show=running", {"Friday Cup"}),
        ("?show=coming", {"Sunday Open"}),
        ("?show=ended", set()),
        ("?q=hidden", set()),
        ("?show=nonsense&before=x", {"Friday Cup", "Sunday Open"}),
    ):
        page = await stranger.get(f"/{query}")
        assert {name for name in ("Friday Cup", "Sunday Open", "Hidden") if name in page} == found, query
    await site.win(number)
    assert "Friday Cup" in await stranger.get("/?show=ended&q=cup")


async def test_a_list_of_300_is_small(site: Website) -> None:
    """Issue 6: under 60 KB compressed at 300 players, every value with its link."""
    number, now = await site.publish(rounds=5, format="swiss_elimination", cut=8), site.house.clock.now()
    players = await field(site, number, 300)
    start = c.Start(confirmed=True, granted=dict.fromkeys(players, 1_000), now=now)
    await site.house.desks.handle(number, start, by="test")
    await site.win(number)
    page = await site.reader().get(f"/e/{number}/standings")
    assert page.count("data-explain") == 300 * 8
    assert len(gzip.compress(page.encode())) < 60_000
