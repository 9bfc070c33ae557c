"""The pages: every one of them reads in every language, says what it should, and acts once."""

import re
from collections.abc import AsyncIterator
from http import HTTPStatus
from pathlib import Path

import pytest

from ruleset.ids import PlayerId, TableId, TournamentNo
from ruleset.tournament.commands import Park
from ruleset.tournament.reports import Report, SeatScore
from tests.builders import SERVER, table_id
from tests.house import deck, violations
from tests.website import PASSWORD, Reader, Website, website

PUBLIC = (
    *("/", "/ladder", "/room", "/signin", "/signup", "/forgot", "/api", "/p/1", "/e/1", "/e/1/players"),
    *("/e/1/r", "/e/1/r/1", "/e/1/standings", "/e/1/results", "/e/1/t/R1T1", "/e/1/standings/1/omw"),
    *("/e/1/bracket", "/verify/x", "/reset/x"),
)


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Website]:
    """The site, without limits on how often it is asked."""
    async with website(tmp_path) as site:
        yield site


async def running(site: Website, count: int = 4, **wishes: object) -> tuple[TournamentNo, list[Reader]]:
    """Return a tournament in round 1 and its players' browsers, by number; number 1 hosts."""
    readers = [site.reader() for _ in range(count)]
    numbers = [await reader.sign_up(f"Nick-{n}") for n, reader in enumerate(readers, 1)]
    number = await site.publish(organiser=PlayerId(1), **wishes)
    for player, reader in zip(numbers, readers, strict=True):
        await reader.do(number, "entry.register", player=player)
        await reader.post(f"/e/{number}/deck", deck=deck())
    await readers[0].do(number, "entry.sign_in_all")
    await readers[0].do(number, "tournament.start", confirmed="true")
    return number, readers


@pytest.mark.parametrize("language", ["zh", "ja", "en"])
async def test_every_public_page_reads_in_every_language(site: Website, language: str) -> None:
    """Done when 2: all pages exist in zh-CN, ja and en; switching keeps the page."""
    number, _ = await running(site)
    await site.win(number)
    stranger = site.reader()
    for path in PUBLIC:
        page = await stranger.get(f"/lang/{language}?back={path}")
        assert f'<html lang="{"zh-CN" if language == "zh" else language}">' in page
        assert "?back=" in page


async def test_a_player_registers_hands_a_deck_in_and_signs_in(site: Website) -> None:
    """R014-R017, S126, D40: an illegal deck is told in full and nothing is written; a legal one is locked."""
    number, ann = await site.publish(), site.reader()
    player = await ann.sign_up("Ann")
    await ann.do(number, "entry.register", player=player)
    page = await ann.post(f"/e/{number}/deck", HTTPStatus.UNPROCESSABLE_ENTITY, deck=violations(30))
    assert page.count("<li>") == 21  # the first 20 and how many more
    assert (await site.house.desks.load(number)).players[player].deck is None
    assert "approved" in await ann.post(f"/e/{number}/deck", deck=deck())
    page = await ann.do(number, "entry.sign_in", player=player)
    assert "signed in as number 1" in await ann.get(f"/e/{number}")
    text = await ann.get(f"/e/{number}/deck.ydk")
    assert text.startswith("#created by")


async def test_the_table_page_shows_the_way_in_to_its_players(site: Website) -> None:
    """R060, D60: room code, host and port to copy, the link into YGOMobile, encoded twice."""
    number, (host, *_) = await running(site)
    page = await host.get(f"/e/{number}/t/R1T1")
    assert 'data-copy="M#X1R1T1"' in page
    assert "duel.example.org" in page
    assert "pw=M%2523X1R1T1" in page


async def test_two_words_that_agree_end_a_match(site: Website) -> None:
    """S136: by hand both must say the same; different words are a dispute that the host rules."""
    number, readers = await running(site)
    state = await site.house.desks.load(number)
    first, second = list(state.rounds[0].tables.values())
    for table, words in ((first, ("a 2-0", "a 2-0")), (second, ("a 2-0", "b 0-2"))):
        for player, score in zip((table.a, table.b), words, strict=True):
            await readers[player - 1].do(
                number, "table.report", table=str(table.id), player=player, score=score
            )
    page = await readers[0].get(f"/e/{number}/host")
    assert f"{second.id} is disputed" in page
    await readers[0].do(
        number, "table.rule", table=str(second.id), outcome="b", reason="ruling", games_score="1-2"
    )
    state = await site.house.desks.load(number)
    results = [t.result for t in state.rounds[0].tables.values()]
    assert [(r.outcome, r.wins("a"), r.wins("b")) for r in results if r] == [("a", 2, 0), ("b", 1, 2)]


async def test_a_button_is_carried_out_once(site: Website) -> None:
    """F08: the same form sent twice is one change."""
    number, (host, *_) = await running(site)
    for _ in range(2):
        await host.do(number, "clock.postpone", minutes="5", command_id="the-same")
    assert (await site.house.desks.load(number)).rounds[0].postponed_ms == 5 * 60_000


async def test_nobody_acts_for_another(site: Website) -> None:
    """Roles of 5.2: a player acts for himself, and only the host runs the clock."""
    number, (_, bob, *_) = await running(site)
    version = site.house.desks.version(number)
    for method, fields in (
        ("clock.pause", {}),
        ("entry.drop", {"player": "1"}),
        ("table.rule", {"table": "R1T1", "outcome": "a"}),
        ("tournament.cancel", {}),
    ):
        page = await bob.do(number, method, **fields)
        assert "notice bad" in page, method
    for path in ("/host", "/host/audit", "/host/t/R1T1", "/host/deck/1", "/edit"):
        await bob.get(f"/e/{number}{path}", HTTPStatus.FORBIDDEN)
    stranger = site.reader()
    assert "Sign in" in await stranger.do(number, "clock.pause")
    assert site.house.desks.version(number) == version


async def test_a_collided_nickname_is_claimed_by_the_room_code(site: Website) -> None:
    """5.6-3: the parked result is taken once a player at the table fills its room code in, seats in order."""
    number, readers = await running(site)
    table = next(iter((await site.house.desks.load(number)).rounds[0].tables.values()))
    names = (f"Nick-{table.b}", f"Nick-{table.a}")
    await site.house.desks.handle(number, parked(site, table.id, names), by="test")
    player, page = readers[table.a - 1], f"/e/{number}/t/{table.id}"
    assert f"{page}/claim" in await player.get(page)
    assert "not this table" in await player.post(f"{page}/claim", code="X1R1T9")
    await player.post(f"{page}/claim", code=f"m#x{number}{table.id}".lower())
    settled = (await site.house.desks.load(number)).table(table.id)
    assert settled is not None
    assert settled.result is not None
    assert (settled.result.outcome, settled.result.wins("b")) == ("b", 2)


async def test_names_that_both_seats_carry_are_for_the_host(site: Website) -> None:
    """5.6-3: where two of one nickname play each other, no claim says who of them has won."""
    number, readers = await running(site)
    table = (await site.house.desks.load(number)).rounds[0].open_tables[0]
    await site.house.desks.handle(number, parked(site, table.id, ("Same", "Same")), by="test")
    page = f"/e/{number}/t/{table.id}"
    told = await readers[table.a - 1].post(f"{page}/claim", HTTPStatus.CONFLICT, code=f"X{number}{table.id}")
    assert "ask the host" in told
    state = await site.house.desks.load(number)
    assert (state.rounds[0].open_tables[0].id, [*state.parked]) == (table.id, ["p1"])


def parked(site: Website, table: TableId, names: tuple[str, str]) -> Park:
    """Return a report that waits, won 2-1 by whoever is named first."""
    won, lost = SeatScore(wins=2), SeatScore(wins=1)
    told = Report(source="challonge", server=SERVER, a=won, b=lost, winner="a", body="x")
    now = site.house.clock.now()
    return Park(id="p1", candidates=(table,), names=names, why="nickname_collision", report=told, now=now)


async def test_who_does_not_sit_there_claims_and_calls_nothing(site: Website) -> None:
    """Only the two at a table claim its result and call a judge there."""
    number, readers = await running(site)
    table = next(iter((await site.house.desks.load(number)).rounds[0].tables.values()))
    outside = next(r for n, r in enumerate(readers, 1) if n not in (table.a, table.b))
    for action in ("claim", "call"):
        await outside.post(f"/e/{number}/t/{table.id}/{action}", HTTPStatus.FORBIDDEN, code="X1R1T1")
    await readers[table.a - 1].post(f"/e/{number}/t/{table.id}/call", note="rules question")
    assert f"{table.id} calls a judge" in await readers[0].get(f"/e/{number}/host")


async def test_a_judge_link_rules_until_it_is_revoked(site: Website) -> None:
    """S128: the link sees all tables, rules and extends, not more; its label stands in the audit trail."""
    number, (host, *_) = await running(site)
    page = await host.post(f"/e/{number}/host/links", role="judge", label="table judge")
    found = re.search(r"/judge/[\w-]+", page)
    assert found is not None
    judge = site.reader()
    assert "You act as a judge" in await judge.get(found[0])
    assert "+5 min" in await judge.get(f"/e/{number}/host/t/R1T1")
    await judge.do(number, "clock.extend", table="R1T1", minutes="5")
    assert "notice bad" in await judge.do(number, "clock.pause")
    assert "link:1 table judge" in await host.get(f"/e/{number}/host/audit")
    await host.post(f"/e/{number}/host/links/1/end")
    await judge.get(f"/e/{number}/host", HTTPStatus.OK)  # he is sent to sign in
    assert "Sign in" in await judge.do(number, "clock.extend", table="R1T1", minutes="5")


async def test_the_hall_screen_needs_its_link(site: Website) -> None:
    """S127: read-only, by a token that gives no right to do anything."""
    number, (host, *_) = await running(site)
    page = await host.post(f"/e/{number}/host/links", role="viewer", label="hall")
    found = re.search(r"/hall/[\w-]+", page)
    assert found is not None
    hall = site.reader()
    assert "Nick-1" in await hall.get(found[0])
    await hall.get("/hall/wrong", HTTPStatus.NOT_FOUND)
    assert "not good any more" in await hall.get(found[0].replace("hall", "judge"))


async def test_a_forgotten_password_is_reset_by_mail(site: Website) -> None:
    """The answer is the same whether there is such an account or not."""
    ann, other = site.reader(), site.reader()
    await ann.sign_up("Ann")
    known = await other.post("/forgot", name="Ann@example.org")
    unknown = await other.post("/forgot", name="nobody@example.org")
    assert ("on its way" in known) == ("on its way" in unknown) is True
    await other.post(site.post.link(), password="another password")
    await other.post("/signin", HTTPStatus.UNPROCESSABLE_ENTITY, name="P000001", password=PASSWORD)
    await other.post("/signin", name="P000001", password="another password")
    assert "P000001" in await other.get("/me")


async def test_exports_hold_what_the_pages_show(site: Website) -> None:
    """H208: text for chats, CSV without formulas, a workbook, JSON."""
    number, _ = await running(site)
    await site.win(number)
    reader, base = site.reader(), f"/e/{number}/export"
    text = await reader.get(f"{base}/pairings-1.txt")
    assert text.count("2:0") == 2
    assert f"{site.base}/e/{number}/r/1" in text
    assert (await reader.get(f"{base}/standings.csv")).startswith("\ufeff" + "rank,number,nickname")
    assert (await reader.get(f"{base}/results.csv")).count("played") == 2
    assert (await reader.get(f"{base}/dp.csv")).startswith("\ufeff" + "number,nickname,at_entry")
    assert '"standings"' in await reader.get(f"{base}/tournament.json")
    async with reader.session.get(f"{reader.base}{base}/tournament.xlsx") as answer:
        assert (await answer.read()).startswith(b"PK")
    for wrong in ("nothing.csv", "pairings-9.txt", "..%2f..%2frelayd.db"):
        await reader.get(f"{base}/{wrong}", HTTPStatus.NOT_FOUND)


async def test_a_room_code_leads_to_its_table(site: Website) -> None:
    """R058: in any case, with or without mode prefixes; others are told plainly."""
    number, _ = await running(site)
    reader = site.reader()
    for code in ("X1R1T1", "x1r1t1", "M%23X1R1T1", "X1R1T1S"):
        assert "What happened here" in await reader.get(f"/room/{code}")
    for code in ("X1R9T1", "X99R1T1", "hello", "%E2%80%AEx"):
        await reader.get(f"/room/{code}", HTTPStatus.NOT_FOUND)
    assert number == 1


async def test_a_value_opens_its_calculation(site: Website) -> None:
    """H203: opponents, numbers and formula in a sentence."""
    number, _ = await running(site)
    await site.win(number)
    page = await site.reader().get(f"/e/{number}/standings/1/omw")
    assert "opponents&#39; match-win share" in page
    await site.reader().get(f"/e/{number}/standings/1/nonsense", HTTPStatus.NOT_FOUND)
    await site.reader().get(f"/e/{number}/standings/99/omw", HTTPStatus.NOT_FOUND)


async def test_a_player_who_leaves_keeps_his_number_alone(site: Website) -> None:
    """Decisions 5: the account goes; his page has another name."""
    ann = site.reader()
    await ann.sign_up("Ann")
    await ann.post("/me/leave", password=PASSWORD)
    page = await site.reader().get("/p/1")
    assert "Ann" not in page
    assert await site.store.by_player(PlayerId(1)) is None


async def test_whoever_was_second_is_told_so(site: Website) -> None:
    """5.5-18: a page that rests on an old version is told so and changes nothing."""
    number, (host, *_) = await running(site)
    page = await host.do(number, "clock.pause", expected_version="1")
    assert "Somebody else was first" in page
    assert (await site.house.desks.load(number)).paused_at is None


async def test_the_bracket_is_drawn(site: Website) -> None:
    """The bracket is an SVG whose places lead to their tables."""
    number, _ = await running(site, format="elimination", rounds=0)
    assert table_id(1, 1) in [t.id for t in (await site.house.desks.load(number)).all_tables()]
    page = await site.reader().get(f"/e/{number}/bracket")
    assert '<svg class="bracket"' in page
    assert f'href="/e/{number}/t/R1T1"' in page
