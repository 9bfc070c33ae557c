"""relayctl against a real admin socket."""

import asyncio
import json
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from io import StringIO
from pathlib import Path

import pytest
from click.testing import Result
from rich.console import Console

from relayd.admin.peers import Tokens
from relayd.admin.roles import Peer, Role
from relayd.admin.rpc import Code
from relayd.admin.websocket import AdminWebSocket, serve
from relayd.bridge.intake import Stray
from relayd.bridge.sighting import Oddity
from relayd.cli.watch import frame
from relayd.exits import Exit
from relayd.ports import LiveTable
from ruleset.ids import Instant, RoundNo, ServerId, TableId, TableNo, TournamentNo
from ruleset.tournament.commands import Park
from ruleset.tournament.reports import Report, SeatScore
from tests.house import House, admin_socket, deck, opened, violations
from tests.terminals import Terminal, entered, quiet

PLAN = ("--title", "Weekly", "--format", "swiss", "--rounds", "2", "--environment", "goat")


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """The daemon's log lines are not ours."""
    with quiet():
        yield


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A daemon with one duel server that is up."""
    async with opened(tmp_path) as house:
        yield house


@pytest.fixture
async def host(house: House, tmp_path: Path) -> AsyncIterator[Terminal]:
    """A terminal beside it."""
    async with admin_socket(house, tmp_path) as admin:
        yield Terminal(admin.path, tmp_path)


async def test_a_host_runs_a_tournament_from_a_terminal(host: Terminal, house: House) -> None:
    """Issue 2: published, entered, started, ruled, ended; tables, standings, places and DP are shown."""
    assert "tournament 1 is published: Weekly" in await host.type("tournament publish", *PLAN)
    assert "P000001" in await host.type("players register Alice Bob Carol Dave")
    assert "P000003 Carol is registered" in await host.type("entry add 1 1 2 3 4")
    for n in (1, 2, 3, 4):
        text = await host.type(f"deck submit 1 P{n:06}", host.file("deck.ydk", deck(n)))
        assert f"P00000{n}: deck approved" in text
    assert "P000004 signed in as number 4" in await host.type("entry sign-in 1 --all")
    assert "round 1: 2 tables, 0 byes" in await host.type("start 1")
    assert "M#X1R1T1" in await host.type("tables 1")
    assert "games 2-1" in await host.type("result 1 R1T1 2-1")
    assert "b by no_show" in await host.type("rule 1 R1T2 b --reason no_show")
    assert "round 2: 2 tables" in await host.type("next 1")
    await host.type("result 1 R2T1 2-0")
    assert "the tournament is finished" in await host.type("rule 1 R2T2 double_loss --games 1-1")
    standings = await host.type("standings 1")
    assert "omw" in standings
    assert re.search(r"\d\d\.\d\d %", standings)
    assert "Place" in await host.type("places 1")
    assert "P000001" in await host.type("dp 1")
    assert "R1" in await host.type("tables 1 --round 1")
    assert "finished" in await host.type("tournament list --all")
    assert house.desks.running() == {}


async def test_everything_is_there_as_data(host: Terminal) -> None:
    """Issue 2: ``--json`` everywhere: one line that a program reads."""
    await entered(host, PLAN, 2)
    assert [row["label"] for row in await host.data("players list --find nick1")] == ["P000001"]
    assert (await host.data("players show 2"))["nickname"] == "Nick2"
    assert len(await host.data("entry list 1")) == 2
    assert (await host.data("deck show 1 1"))["status"] == "approved"
    assert (await host.data("tournament check", *PLAN))["environment"] == "goat"
    assert (await host.data("start 1"))["changed"]
    for line in ("tournament show 1", "clock show 1", "tables 1", "standings 1", "dp 1", "watch --once 1"):
        assert isinstance(await host.data(line), dict | list)
    assert (await host.data("table show 1 R1T1"))["status"] == "waiting"
    assert (await host.data("status"))["role"] == "operator"
    assert (await host.data("servers"))[0]["free"] == 98
    assert len(await host.data("methods")) > 50
    assert await host.data("raw tournament.list", '{"phase": "all"}') == await host.data("tournament list")


async def test_everything_is_drawn(host: Terminal, house: House) -> None:
    """Issue 2: tables by rich, live rooms and strangers in them, too."""
    await entered(host, PLAN, 2)
    await host.type("start 1")
    table = TableId(RoundNo(1), TableNo(1))
    house.seen.tables[table] = LiveTable(
        table=table,
        server=ServerId("main"),
        room_name="M#X1R1T1",
        stage="dueling",
        duel=2,
        turn=5,
        death="on",
        last_turn=8,
        wins=(1, 0),
        lp=(8_000, None),
        in_room=(True, True),
        strangers=("Eve",),
        seen_at=Instant(0),
    )
    live = await host.type("tables 1")
    assert "dueling game 2 turn 5/8 on strangers: Eve" in live
    assert "8000/–" in live
    odd = Oddity(
        kind="strangers",
        tournament=TournamentNo(1),
        table=table,
        server=ServerId("main"),
        room_name="M#X1R1T1",
        names=("Eve", "Mallory"),
    )
    house.seen.odd.append(odd)
    assert "Eve, Mallory" in await host.type("oddities 1")
    assert "paused: every deadline is frozen" in await host.type("clock pause 1")
    assert "paused; round 1; late in 15:00; time-up in 40:00" in await host.type("clock show 1")
    assert "resumed" in await host.type("clock resume 1")
    assert "postponed by 300 s" in await host.type("clock postpone 1")
    assert "postponed by 90 s" in await host.type("clock postpone 1 90s")
    assert "has 60 s more" in await host.type("table extend 1 R1T1 1m")
    assert "automatic clock off" in await host.type("clock auto 1 off")
    assert "time called in round 1: T1" in await host.type("clock time-up 1")
    assert "hard cap in" in await host.type("watch --once 1")
    assert "announced" in await host.type("tournament announce 1", "hello there")
    assert "list_name" not in await host.type("tournament show 1")
    assert "main" in await host.type("servers")
    assert "There is no bracket" in await host.type("bracket 1")
    assert "42): " in await host.type("deck show 1 1")
    for line in ("entry list 1", "players list", "methods", "status", "table show 1 R1T1", "tournament list"):
        assert await host.type(line)
    assert "P000001" in await host.type("players rename P000001 Alicia")


async def test_a_table_is_settled_by_its_players(host: Terminal) -> None:
    """S136, S138, T22, T23: present, words, taken back, conceded, dropped and back."""
    await entered(host, PLAN, 4)
    await host.type("start 1")
    table = await host.data("table show 1 R1T1")
    one, two = (table[seat]["label"] for seat in ("a", "b"))
    assert "table R1T1: seat A is present" in await host.type(f"table present 1 R1T1 {one}")
    await host.type(f"table report 1 R1T1 {one} 2-1")
    assert "games 2-1" in await host.type(f"table report 1 R1T1 {two} 2-1")
    assert "plays again" in await host.type("table reopen 1 R1T1")
    assert "said at R1T1" in await host.type("table say 1 R1T1 --seat b", "Your deck box lies here.")
    refused = await host.run("table", "kick", "1", "R1T1", "a", "Leave, please.")
    assert refused.exit_code == Exit.REFUSED
    assert "nobody at seat a" in refused.output
    assert (await host.run("table", "claim", "1", "R1T1", one)).exit_code == Exit.REFUSED
    assert (await host.run("table", "resume", "1", "R1T1")).exit_code == Exit.REFUSED
    assert "by concession" in await host.type(f"table concede 1 R1T1 {one}")
    assert f"{two} has dropped" in await host.type(f"entry drop 1 {two}")
    assert f"{two} plays on" in await host.type(f"entry undo-drop 1 {two}")
    await host.type("result 1 R1T2 2-0")
    assert "the tournament is finished" in await host.type("tournament finish 1")


async def test_an_elimination_is_drawn(host: Terminal) -> None:
    """R020: three players, one bye, a bracket of two rounds; settings from a file, options over them."""
    source = host.file(
        "cup.toml", 'title = "Cup"\nformat = "swiss"\nenvironment = "goat"\n[clock]\ngap_ms = 7\n'
    )
    options = ("--format", "elimination", "--cap", "off", "--length", "1h", "--server", "main", "--unrated")
    published = await host.data("tournament publish", "--from", source, *options, "--set", "clock.auto=false")
    settings = published["events"][0]["settings"]
    assert settings["clock"] == {**settings["clock"], "gap_ms": 7, "cap_ms": None, "length_ms": 3_600_000}
    assert (settings["clock"]["auto"], settings["rating"]["rated"], settings["title"]) == (
        False,
        False,
        "Cup",
    )
    await host.type("tournament edit 1 --gap 2m --set title=Other")
    await host.type("players register A B C")
    await host.type("entry add 1 1 2 3")
    for n in (1, 2, 3):
        await host.type(f"deck submit 1 {n}", host.file("deck.ydk", deck(n)))
        await host.type(f"entry sign-in 1 {n}")
    await host.type("start 1")
    assert "bye" in await host.type("bracket 1")
    assert "bye: P000001 A" in await host.type("tables 1")
    await host.type("result 1 R1T1 2-0")
    await host.type("next 1")
    await host.type("result 1 R2T1 0-2")
    assert "b 0-2 (played)" in await host.type("bracket 1")
    assert "Other" in await host.type("watch --once 1")


async def test_waiting_reports_are_settled(host: Terminal, house: House) -> None:
    """5.6: listed with candidates, accepted, dismissed."""
    await entered(host, PLAN, 2)
    await host.type("start 1")
    for name in ("one", "two"):
        two, left = SeatScore(wins=2), SeatScore(ending="left")
        report = Report(source="poller", server=ServerId("main"), a=two, b=left, winner="a", body=name)
        park = Park(
            id=name,
            candidates=(TableId(RoundNo(1), TableNo(1)),),
            names=("Nick1", "Eve"),
            why="one_name",
            report=report,
            now=house.clock.now(),
        )
        await house.desks.handle(TournamentNo(1), park, by="server")
    assert "2-left" in await host.type("report list 1")
    await host.type("report dismiss 1 two")
    assert "games" in await host.type("report accept 1 one R1T1 --swapped")


async def test_a_refusal_ends_with_1_and_says_why(host: Terminal) -> None:
    """Decisions 11, 12: the sentence on standard error, details below it, in the caller's language."""
    await entered(host, PLAN, 1)
    result = await host.run("start", "1")
    assert (result.exit_code, result.stdout) == (Exit.REFUSED, "")
    assert result.stderr == "relayctl: At least two players must be signed in and free: P000001.\n"
    result = await host.run("--lang", "ja", "start", "1")
    assert "P000001" in result.stderr
    assert "players" not in result.stderr
    result = await host.run("--lang", "zh", "start", "1")
    assert result.stderr == "relayctl: 至少需要两名已签到且空闲的选手：P000001。\n"
    await host.type("deck revoke 1 1 --why proxies")
    result = await host.run("deck", "submit", "1", "1", host.file("bad.ydk", violations(45)))
    assert result.exit_code == Exit.REFUSED
    assert len(result.stderr.splitlines()) == 22
    assert "and 25 more" in result.stderr
    assert (await host.run("deck", "check", "1", host.file("bad.ydk", violations(45)))).exit_code == 1
    assert "legal" in await host.type("deck check 1", host.file("good.ydk", deck(3)))
    result = await host.run("--json", "tournament", "show", "99")
    assert json.loads(result.stdout)["error"]["data"]["code"] == "unknown_tournament"
    assert "deck approved" in await host.type("deck approve 1 1")
    assert "nothing to do" in await host.type("entry add 1 1")
    assert "P000001 has withdrawn" in await host.type("entry withdraw 1 1")


@pytest.mark.parametrize(
    "words",
    [
        ("tournament", "show", "twelve"),
        ("deck", "show", "1", "Alice"),
        ("result", "1", "R1T1", "two-one"),
        ("clock", "postpone", "1", "soon"),
        ("entry", "sign-in", "1"),
        ("raw", "tournament.show", "{"),
        ("raw", "tournament.show", "[1]"),
        ("raw", "tournament.destroy"),
        ("raw", "tournament.show", '{"tournament": "x"}'),
        ("raw", "entry.register", '{"tournament": 1, "player": "Alice"}'),
        ("table", "show", "1", "X2R1T1"),
        ("tournament", "publish", "--set", "clock"),
        ("tournament", "publish", "--format", "ladder"),
        ("nonsense",),
        ("--url", "ws://127.0.0.1:1/admin", "status"),
    ],
)
async def test_wrong_usage_ends_with_2(host: Terminal, words: tuple[str, ...]) -> None:
    """Decisions 11: what, and how to write it."""
    result = await host.run(*words)
    assert (result.exit_code, result.stdout) == (Exit.USAGE, "")
    assert result.stderr


async def test_unreadable_input_ends_with_3(host: Terminal) -> None:
    """Decisions 11: files that are not there or hold no deck, no settings, no token."""
    await entered(host, PLAN, 1)
    long = host.file("long.ydk", "1\n" * 200_000)
    absent, wide = str(host.folder / "absent"), host.file("wide.ydk", "1\n" * 2_000)
    for words in (
        ("deck", "check", "1", absent),
        ("deck", "check", "1", wide),
        ("deck", "check", "1", long),
        ("tournament", "publish", "--from", absent),
        ("tournament", "publish", "--from", wide),
        ("--url", "ws://127.0.0.1:1/admin", "--token-file", absent, "status"),
    ):
        result = await host.run(*words)
        assert result.exit_code == Exit.UNREADABLE, words
        assert result.stderr


async def test_decks_come_from_anywhere(host: Terminal) -> None:
    """D30: standard input, a BOM, GB18030."""
    await entered(host, PLAN, 1)
    assert (await host.run("deck", "check", "1", "-", input=deck(2))).exit_code == 0
    (host.folder / "gb.ydk").write_bytes("#created by 神之吹息\n".encode("gb18030") + deck(2).encode())
    assert "legal" in await host.type("deck check 1", str(host.folder / "gb.ydk"))


async def test_a_daemon_that_is_away_ends_with_4(tmp_path: Path) -> None:
    """Decisions 11: what was tried, and how to start it; over WebSocket, too."""
    result = await Terminal(tmp_path / "nobody.sock", tmp_path).run("status")
    assert result.exit_code == Exit.AWAY
    assert "relayd run" in result.stderr
    (tmp_path / "token").write_text("t", encoding="utf-8")
    far = ("--url", "ws://127.0.0.1:1/admin", "--token-file", str(tmp_path / "token"), "status")
    assert (await Terminal(tmp_path / "nobody.sock", tmp_path).run(*far)).exit_code == Exit.AWAY


async def test_a_daemon_that_goes_away_leaves_the_outcome_open(tmp_path: Path) -> None:
    """House 4: the command_id to send again is told; a question has none."""

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.close()

    async with await asyncio.start_unix_server(hang_up, tmp_path / "a.sock"):
        terminal = Terminal(tmp_path / "a.sock", tmp_path)
        result = await terminal.run("--command-id", "c1", "clock", "pause", "1")
        assert result.exit_code == Exit.AWAY
        assert "run it again with --command-id c1" in result.stderr
        result = await terminal.run("tables", "1")
        assert (result.exit_code, "command-id" in result.stderr) == (Exit.AWAY, False)


async def told(folder: Path, code: int, message: str, /, **data: object) -> Result:
    """Return how a change ends that is answered with an error."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        error = {"code": code, "message": message, "data": data}
        writer.write(json.dumps({"id": 1, "error": error}).encode() + b"\n")
        writer.close()

    async with await asyncio.start_unix_server(refuse, folder / "a.sock"):
        return await Terminal(folder / "a.sock", folder).run("--command-id", "c1", "clock", "pause", "1")


async def test_what_is_known_is_told_once(tmp_path: Path) -> None:
    """House 4, decisions 11: an unknown outcome says how to ask again, a busy daemon has done nothing."""
    again = "the outcome is not known: run it again with --command-id c1\n"
    away = await told(tmp_path, Code.AWAY, "…", code="log_unavailable", command_id="c1")
    assert (away.exit_code, away.stderr.count(again), away.stderr.count("\n")) == (Exit.AWAY, 1, 2)
    assert "log_unavailable" in away.stderr
    bug = await told(tmp_path, Code.INTERNAL, "a bug of the daemon; its log says more", code="internal")
    assert bug.stderr == f"relayctl: a bug of the daemon; its log says more\n  {again}"
    busy = await told(tmp_path, Code.BUSY, "too many connections: try again later")
    assert (busy.exit_code, busy.stderr) == (Exit.AWAY, "relayctl: too many connections: try again later\n")


async def test_a_problem_is_told_once(host: Terminal) -> None:
    """House 4: one in the sentence, several below it."""
    one = await host.run("raw", "tournament.show", '{"tournament": -1}')
    assert one.stderr.count("\n") == 1
    two = await host.run("raw", "tournament.show", '{"tournament": -1, "x": 1}')
    assert len(set(two.stderr.splitlines())) == two.stderr.count("\n") == 2
    wrong = ("--set", "clock.gap_ms=-1", "--set", "clock.length_ms=0")
    refused = await host.run("tournament", "publish", *PLAN, *wrong)
    assert refused.stderr.splitlines()[0] == "relayctl: The settings cannot be used: 2 problems"
    assert len(refused.stderr.splitlines()) == 3


async def test_a_room_of_another_tournament_is_no_table_here(host: Terminal) -> None:
    """R058: a code that was copied from elsewhere rules no match of this tournament."""
    await entered(host, PLAN, 2)
    await host.type("start 1")
    refused = await host.run("result", "1", "X2R1T1", "2-0")
    assert refused.stderr == "relayctl: table: that is a room of tournament 2\n"
    assert "table R1T1: a by played" in await host.type("result 1 X1R1T1 2-0")


async def test_players_that_were_registered_are_told(host: Terminal) -> None:
    """Decisions 3: also where the next nickname is refused; a nickname in a number's place is explained."""
    refused = await host.run("players", "register", "Alice", "B$b", "Carol")
    assert (refused.exit_code, "P000001" in refused.stdout) == (Exit.REFUSED, True)
    assert [row["nickname"] for row in await host.data("players list")] == ["Alice"]
    await host.type("tournament publish", *PLAN)
    for words in (("entry", "add", "1", "1", "Alice"), ("deck", "show", "1", "Alice")):
        wrong = await host.run(*words)
        assert (wrong.exit_code, "relayctl players list --find Alice" in wrong.stderr) == (Exit.USAGE, True)


async def test_a_change_is_made_once_and_only_on_what_was_seen(host: Terminal) -> None:
    """F08, 5.5-18: ``--command-id`` gives the first answer again, ``--expect`` refuses an old view."""
    await entered(host, PLAN, 2)
    await host.type("start 1")
    first = await host.data("--command-id p1 clock postpone 1")
    assert await host.data("--command-id p1 clock postpone 1") == first
    result = await host.run("--expect", str(first["version"] - 1), "clock", "postpone", "1")
    assert result.exit_code == Exit.REFUSED
    assert "Look again" in result.stderr
    assert (await host.data(f"--expect {first['version']} clock postpone 1"))["changed"]
    again = await host.type("clock postpone 1 --command-id p1 --json")
    assert json.loads(again) == first
    assert (await host.run("clock", "postpone", "1", "--expect", "1")).exit_code == Exit.REFUSED
    assert json.loads(await host.type("tables 1 --json"))["round"] == 1


async def test_strangers_text_is_harmless_on_a_terminal(host: Terminal) -> None:
    """F21: escapes, turned text and markup of rich stay text, on one line."""
    title = "[bold]a\x1b[31m\u202e\nb[/bold]"
    await host.run("tournament", "publish", *PLAN[2:], "--title", title)
    for line in ("tournament list", "tournament show 1", "watch --once 1", "--json tournament list"):
        text = await host.type(line)
        assert r"[bold]a\u001b[31m\u202e\u000ab" in text.replace("\\n", r"\u000a")
        assert not set(text) & set("\x1b\u202e")


async def test_watch_ends_with_the_tournament(host: Terminal) -> None:
    """Issue 2: clock and tables as it happens, the standings in the end."""
    await entered(host, PLAN, 2)
    await host.type("start 1")
    watching = asyncio.create_task(host.run("watch", "1", "--interval", "0.05"))
    await host.type("result 1 R1T1 2-0")
    await host.type("tournament finish 1")
    async with asyncio.timeout(30):
        result = await watching
    assert result.exit_code == 0
    assert "1 Weekly: finished" in result.stdout
    assert "Final ranking" in result.stdout


async def test_a_small_terminal_shows_who_needs_somebody(host: Terminal) -> None:
    """Issue 2: of more tables than it has lines for, the disputed ones and those that still play."""
    await entered(host, PLAN, 14)
    await host.type("start 1")
    await host.type("result 1 R1T1 2-0")
    seventh = await host.data("table show 1 R1T7")
    for seat, score in (("a", "2-0"), ("b", "0-2")):
        await host.type(f"table report 1 R1T7 {seventh[seat]['label']} {score}")
    seen = {
        "show": await host.data("tournament show 1"),
        "tables": await host.data("tables 1"),
        "standings": None,
    }
    out = Console(file=StringIO(), width=160)
    out.print(frame(seen, ["news"], 5))
    drawn = out.file.getvalue()  # type: ignore[attr-defined]  # it is a StringIO
    assert re.findall(r"(?m)^ (R1T\d)", drawn) == ["R1T7", "R1T2", "R1T3", "R1T4", "R1T5"]
    assert "disputed: players_differ" in drawn
    assert "and 2 tables more" in drawn
    assert await host.type("watch --once 1") != drawn


async def test_watching_nothing_is_refused(host: Terminal) -> None:
    """An unknown tournament is no reason to wait."""
    assert (await host.run("watch", "7")).exit_code == Exit.REFUSED


async def test_cancelling_asks_first(host: Terminal) -> None:
    """T24: a whole tournament does not end by a slip of the hand."""
    await entered(host, PLAN, 0)
    assert (await host.run("tournament", "cancel", "1", input="n\n")).exit_code == 1
    assert (await host.data("tournament show 1"))["phase"] == "published"
    assert "is cancelled" in await host.type("tournament cancel 1 --yes")


async def test_the_log_level_is_set(host: Terminal) -> None:
    """Issue 3: at run time."""
    assert (await host.data("log-level debug"))["before"] == "info"
    assert "debug" in await host.type("log-level")
    await host.type("log-level info")


async def test_duel_servers_are_looked_at(host: Terminal) -> None:
    """Issue 3: what is wrong, what is fine, what stays open; 1 where something is wrong (decisions 11)."""
    asked = await host.run("server", "doctor", "main")
    assert asked.exit_code == Exit.REFUSED
    for line in (
        "main: 1 wrong, 0 unwise",
        "config/config.json: modules.stop is true",
        "no joins",
        "rooms",
        "shout",
    ):
        assert line in asked.stdout
    assert (await host.run("server", "doctor")).stdout == asked.stdout
    unknown = await host.run("server", "doctor", "nope")
    assert (unknown.exit_code, "known are main" in unknown.stderr) == (Exit.REFUSED, True)
    assert await host.data("server list") == await host.data("servers")


async def test_matches_of_no_tournament_are_listed(host: Terminal, house: House) -> None:
    """5.6: for the operator, with room, names and scores."""
    report = Report(
        source="duellog",
        server=ServerId("main"),
        a=SeatScore(wins=2),
        b=SeatScore(ending="left"),
        winner="a",
        body="x",
    )
    house.seen.strays.append(
        Stray(at=Instant(1), room_name="M#X99R1T1", names=("Eve", "Mallory"), report=report)
    )
    assert re.search(r"main +M#X99R1T1 +Eve / Mallory +2-left", await host.type("report strays"))
    assert (await host.data("report strays"))[0]["names"] == ["Eve", "Mallory"]


async def test_the_settings_are_read_anew(host: Terminal) -> None:
    """Issue 3, SIGHUP by a command: what holds now, and what needs a restart."""
    told = await host.type("reload")
    assert "changed: log.level" in told
    assert "needs a restart: http.port" in told


async def test_it_speaks_websocket_with_a_token(house: House, tmp_path: Path) -> None:
    """Decisions 6: from another machine, with the right of the token."""
    judge = Peer(name="token:j", role=Role.JUDGE)
    own = socket.create_server(("127.0.0.1", 0))
    handler = AdminWebSocket(Tokens([("s3cret", judge)]), house.dispatcher, house.metrics)
    async with serve(own, {"/admin": handler}):
        url = f"ws://127.0.0.1:{own.getsockname()[1]}/admin"
        terminal = Terminal(tmp_path / "nobody.sock", tmp_path)
        far = ("--url", url, "--token-file", terminal.file("token", "s3cret\n"))
        result = await terminal.run(*far, "--json", "status")
        assert result.exit_code == 0, result.output
        assert json.loads(result.stdout)["role"] == "judge"
        assert (await terminal.run(*far, "players", "register", "Eve")).exit_code == Exit.REFUSED
        wrong = ("--url", url, "--token-file", terminal.file("wrong", "x"), "status")
        assert (await terminal.run(*wrong)).exit_code == Exit.AWAY


async def test_what_cannot_be_shown_or_written_is_no_crash(host: Terminal) -> None:
    """House 4: a terminal without Chinese shows escapes; of a full disk it is told in a line."""
    await host.type("players register 黑魔导")
    program = str(Path(sys.executable).parent / "relayctl")

    def run(line: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {"RELAYCTL_SOCKET": str(host.path), "PATH": "/usr/bin", **more}
        words = ["sh", "-c", f"{program} players list {line}"]
        return subprocess.run(words, capture_output=True, text=True, env=environment, timeout=60, check=False)

    plain = await asyncio.to_thread(run, "", PYTHONIOENCODING="ascii")
    assert (plain.returncode, r"\u9ed1\u9b54\u5bfc" in plain.stdout) == (0, True)
    told = await asyncio.to_thread(run, "> /dev/full")
    assert told.returncode == Exit.UNREADABLE
    assert told.stderr == "relayctl: the answer cannot be written: No space left on device\n"


async def test_it_runs_as_a_program(host: Terminal) -> None:
    """The entry point: help with examples, and an answer from the socket of the environment."""
    program = str(Path(sys.executable).parent / "relayctl")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        environment = {"RELAYCTL_SOCKET": str(host.path), "PATH": "/usr/bin"}
        return subprocess.run(
            [program, *words], capture_output=True, text=True, env=environment, timeout=60, check=False
        )

    shown = await asyncio.to_thread(run, "--help")
    assert "\n    relayctl start 12\n" in shown.stdout
    answered = await asyncio.to_thread(run, "--json", "status")
    assert json.loads(answered.stdout)["role"] == "operator"
