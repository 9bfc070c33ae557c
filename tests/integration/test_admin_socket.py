"""The admin socket over a real unix socket, on real desks and a real log."""

import asyncio
import socket
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from relayd.admin import rpc, session, unixsocket
from relayd.admin.peers import LocalUsers
from relayd.admin.rpc import Code
from relayd.admin.unixsocket import AdminSocket, SocketTaken
from relayd.settings import SocketRole
from ruleset.ids import RoundNo, ServerId, TableId, TableNo, TournamentNo
from ruleset.tournament.commands import Park
from ruleset.tournament.reports import Report, SeatScore
from tests.house import PLAN, Caller, House, Refused, admin_socket, deck, entered, opened, refusal, violations


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A daemon with one duel server that is up."""
    async with opened(tmp_path) as house:
        yield house


@pytest.fixture
async def admin(house: House, tmp_path: Path) -> AsyncIterator[AdminSocket]:
    """Its admin socket, for root and this user."""
    async with admin_socket(house, tmp_path) as admin:
        yield admin


@pytest.fixture
async def host(admin: AdminSocket) -> AsyncIterator[Caller]:
    """An operator's connection."""
    caller = await Caller.to(admin.path)
    yield caller
    await caller.close()


async def test_a_host_runs_a_whole_tournament(host: Caller, house: House) -> None:
    """Issue 2: publish, players, decks, sign-in, rounds, rulings, standings, DP, with nothing else."""
    number = await entered(host, 10)
    assert [entry["signed_in"] for entry in await host.call("entry.list", tournament=number)] == [
        *range(1, 11)
    ]
    await host.call("tournament.start", tournament=number)
    for round_no in (1, 2, 3):
        shown = await host.call("table.list", tournament=number)
        assert (shown["round"], len(shown["tables"])) == (round_no, 5)
        for table in shown["tables"]:
            await host.call("table.rule", tournament=number, table=table["table"], outcome="a", wins=[2, 0])
        if round_no < 3:
            await host.call("tournament.next_round", tournament=number)
    shown = await host.call("tournament.show", tournament=number)
    assert (shown["phase"], len(shown["places"]), shown["seed"]["seed"] is not None) == ("finished", 10, True)
    standings = await host.call("standings.show", tournament=number)
    assert standings["rows"][0]["values"]["points"] == 9
    assert "exact" in standings["rows"][0]["values"]["omw"]
    dp = await host.call("dp.show", tournament=number)
    assert sum(row["now"] for row in dp) == 10 * 1_000
    assert house.desks.version(TournamentNo(number)) == shown["version"]


async def test_a_host_ends_and_cancels(host: Caller) -> None:
    """5.5-14, T24: early between rounds with places; cancelled without; both are listed as ended."""
    number = await entered(host, 2)
    await host.call("tournament.start", tournament=number)
    assert (await refusal(host, "tournament.finish", tournament=number)).data["code"] == "round_open"
    await host.call("table.rule", tournament=number, table="R1T1", outcome="b", reason="foul")
    await host.call("tournament.finish", tournament=number)
    places = await host.call("places.show", tournament=number)
    assert sorted(place["place"] for place in places) == [1, 2]
    other = await entered(host, 0, title="Other")
    assert [one["title"] for one in await host.call("tournament.list")] == ["Other"]
    await host.call("tournament.edit", tournament=other, settings={"title": "Third"})
    await host.call("tournament.announce", tournament=other, text="bye")
    await host.call("tournament.cancel", tournament=other)
    phases = [(one["title"], one["phase"]) for one in await host.call("tournament.list", phase="all")]
    assert phases == [("Third", "cancelled"), ("Cup", "finished")]


async def test_players_come_and_go(host: Caller) -> None:
    """R014-R017, T23: withdrawn before the start, dropped and back after it."""
    number = await entered(host, 3)
    await host.call("entry.withdraw", tournament=number, player=3)
    assert len(await host.call("entry.list", tournament=number)) == 2
    await host.call("entry.register", tournament=number, player=3)
    await host.call("deck.submit", tournament=number, player=3, deck=deck(9))
    assert (await host.call("entry.sign_in", tournament=number, player=3))["changed"]
    await host.call("tournament.start", tournament=number)
    await host.call("entry.drop", tournament=number, player=1)
    assert (await host.call("entry.list", tournament=number))[0]["dropped_in"] == 1
    await host.call("entry.undo_drop", tournament=number, player=1)
    assert (await host.call("entry.list", tournament=number))[0]["dropped_in"] is None


async def test_players_words_and_results_by_hand(host: Caller) -> None:
    """S136, S138, T22: two words that agree count; a result is taken back, conceded, ruled with its games."""
    number = await entered(host, 2)
    await host.call("tournament.start", tournament=number)
    about = {"tournament": number, "table": "R1T1"}
    for player in (1, 2):
        await host.call("table.report", **about, player=player, outcome="a", wins=[2, 1])
    table = await host.call("table.show", **about)
    assert (table["status"], table["result"]["wins"]) == ("confirmed", [2, 1])
    assert (await refusal(host, "table.resume", **about)).data["code"] in {"table_decided", "room_not_lost"}
    await host.call("table.reopen", **about)
    assert (await refusal(host, "table.claim", **about, player=1)).data["code"] == "nothing_to_claim"
    await host.call("table.concede", **about, player=1)
    assert (await host.call("table.show", **about))["result"]["reason"] == "concession"
    games = [{"winner": "a"}, {"winner": None}, {"winner": "a", "reason": "time"}]
    await host.call("table.rule", **about, outcome="a", reason="time", games=games)
    result = (await host.call("table.show", **about))["result"]
    assert (result["wins"], result["drawn"], result["games"][2]["reason"]) == ([2, 0], 1, "time")
    await host.call("table.rule", **about, outcome="b", reason="no_show")
    assert (await host.call("table.show", **about))["result"]["games"] == []


async def test_a_judge_speaks_in_one_room(host: Caller, house: House) -> None:
    """Issue 3: to the room or to one player; what the plugin could not do is a refusal that says why."""
    number = await entered(host, 2)
    await host.call("tournament.start", tournament=number)
    about = {"tournament": number, "table": "R1T1"}
    said = await host.call("table.say", **about, text="Judge!", seat="b")
    await host.call("table.say", **about, text="Five more minutes.")
    assert said == {"table": "R1T1", "seat": "b", "said": "Judge!"}
    assert house.seen.done == ["say X1R1T1 b Judge!", "say X1R1T1 None Five more minutes."]
    refused = await refusal(host, "table.kick", **about, seat="a", text="Leave, please.")
    assert (refused.data["code"], "seat a of X1: Leave" in str(refused)) == ("not_heard", True)


async def test_waiting_reports_are_settled(host: Caller, house: House) -> None:
    """5.6: a report with one known name waits with its candidates, is taken for a table, or put away."""
    number = await entered(host, 2)
    await host.call("tournament.start", tournament=number)
    for name in ("one", "two"):
        report = Report(
            source="poller",
            server=ServerId("main"),
            a=SeatScore(wins=2),
            b=SeatScore(wins=0),
            winner="a",
            body=name,
        )
        park = Park(
            id=name,
            candidates=(TableId(RoundNo(1), TableNo(1)),),
            names=("Nick0", "Stranger"),
            why="one_name",
            report=report,
            now=house.clock.now(),
        )
        await house.desks.handle(TournamentNo(number), park, by="server")
    waiting = await host.call("report.list", tournament=number)
    assert [(one["id"], one["candidates"][0]["table"]) for one in waiting] == [
        ("one", "R1T1"),
        ("two", "R1T1"),
    ]
    await host.call("report.dismiss", tournament=number, id="two")
    await host.call("report.accept", tournament=number, id="one", table="R1T1", swapped=True)
    assert (await host.call("table.show", tournament=number, table="R1T1"))["result"]["outcome"] == "b"
    assert (await host.call("tournament.show", tournament=number))["parked"] == []


async def test_a_bracket_is_shown(host: Caller) -> None:
    """R020, R058: elimination pairs neighbours; unknown rounds and tables are refused."""
    number = await entered(host, 4, format="elimination", rounds=0)
    assert (await refusal(host, "table.list", tournament=number)).data["code"] == "not_started"
    await host.call("tournament.start", tournament=number)
    bracket = await host.call("bracket.show", tournament=number)
    assert (len(bracket["rounds"][0]["slots"]), len(bracket["rounds"][0]["tables"])) == (4, 2)
    assert (await host.call("table.list", tournament=number, round=1))["stage"] == "elimination"
    assert (await refusal(host, "table.list", tournament=number, round=2)).data["code"] == "unknown_round"
    assert (await refusal(host, "table.show", tournament=number, table="R1T9")).data[
        "code"
    ] == "unknown_table"
    assert (await host.call("standings.show", tournament=number))["rows"] == []
    assert (await refusal(host, "deck.show", tournament=number, player=99)).data["code"] == "unknown_player"


async def test_a_table_shows_how_it_stands(host: Caller) -> None:
    """Issue 2: who sits there, what they type, until when, and after 报到 who is present."""
    number = await entered(host, 2)
    await host.call("tournament.start", tournament=number)
    table = await host.call("table.show", tournament=number, table="R1T1")
    assert (table["room_code"], table["join"], table["server"]) == (
        f"X{number}R1T1",
        f"M#X{number}R1T1",
        "main",
    )
    assert table["clock"]["time_up_at"] - table["clock"]["late_at"] == 25 * 60_000
    await host.call("table.present", tournament=number, table="R1T1", player=table["a"]["player"])
    table = await host.call("table.show", tournament=number, table=table["room_code"])
    assert (table["a"]["present"], table["b"]["present"]) == (True, False)


async def test_an_illegal_deck_leaves_no_trace(host: Caller, house: House) -> None:
    """Decisions 12, D40: every violation as data, the first 20 in words, nothing logged."""
    number = await entered(host, 1)
    before = house.desks.version(TournamentNo(number))
    error = await refusal(host, "deck.submit", tournament=number, player="P000001", deck=violations(45))
    assert (error.code, error.data["code"]) == (Code.DECK, "deck_illegal")
    assert len(error.data["violations"]) == 45
    assert len(error.data["sentences"]) == 21
    assert error.data["sentences"][-1] == "and 25 more"
    unreadable = await refusal(host, "deck.submit", tournament=number, player=1, deck="1\n" * 5_000)
    assert (unreadable.code, unreadable.data["code"]) == (Code.DECK, "too_many_cards")
    assert house.desks.version(TournamentNo(number)) == before
    checked = await host.call("deck.check", tournament=number, deck=violations(45))
    assert (checked["status"], len(checked["violations"])) == ("illegal", 45)


async def test_decks_are_judged_shown_and_refused(host: Caller) -> None:
    """R014, R071: a deck that has passed is locked; refusing it takes the sign-in along."""
    number = await entered(host, 2)
    about = {"tournament": number, "player": 1}
    assert (await refusal(host, "deck.submit", **about, deck=deck(5))).data["code"] == "deck_locked"
    shown = await host.call("deck.show", **about)
    assert (shown["status"], len(shown["main"])) == ("approved", 42)
    await host.call("deck.revoke", **about, why="proxies")
    entries = await host.call("entry.list", tournament=number)
    assert (entries[0]["deck"], entries[0]["signed_in"]) == ("refused", None)
    await host.call("deck.approve", **about)
    assert (await host.call("deck.show", **about))["status"] == "approved"


async def test_the_clock_obeys(host: Caller, house: House) -> None:
    """R068: pause freezes what is left, postponing moves it, off only shows it."""
    number = await entered(host, 4)
    await host.call("tournament.start", tournament=number)
    began = house.clock.now()
    await host.call("clock.pause", tournament=number)
    house.clock.advance(600)
    paused = await host.call("clock.show", tournament=number)
    assert (paused["acts"], paused["round"]["time_up_at"]) == (False, began + (40 + 10) * 60_000)
    await host.call("clock.resume", tournament=number)
    await host.call("clock.postpone", tournament=number)
    await host.call("clock.extend", tournament=number, table="R1T2", by_ms=60_000)
    shown = await host.call("table.show", tournament=number, table="R1T2")
    assert shown["clock"]["time_up_at"] == began + (40 + 10 + 5 + 1) * 60_000
    await host.call("clock.auto", tournament=number, on=False)
    assert (await host.call("clock.show", tournament=number))["acts"] is False
    await host.call("clock.call_time", tournament=number)
    assert (await refusal(host, "clock.call_time", tournament=number)).data["code"] == "nothing_to_call"


async def test_a_refusal_says_which_rule_in_a_sentence(host: Caller) -> None:
    """House 4: a stable code with its data, and words with what to do; nothing changed."""
    number = await entered(host, 2)
    await host.call("player.register", nickname="Late")
    await host.call("entry.register", tournament=number, player=3)
    await host.call("deck.submit", tournament=number, player=3, deck=deck(3))
    error = await refusal(host, "tournament.start", tournament=number)
    assert (error.code, error.data) == (Code.REFUSED, {"code": "confirm_unsigned", "players": [3]})
    assert error.message == "Not signed in yet: P000003. Confirm to start without them."
    error = await refusal(host, "tournament.publish", settings={**PLAN, "roundz": 3})
    assert error.data["problems"] == ["roundz: there is no such setting; did you mean rounds?"]
    error = await refusal(host, "tournament.show", tournament=99)
    assert error.message == "There is no such tournament."


async def test_publishing_refuses_what_a_duel_server_cannot_play(host: Caller, house: House) -> None:
    """Decisions 15: a best of one needs no_match_mode on a Challonge link; no number is spent on it."""
    error = await refusal(host, "tournament.check", settings={**PLAN, "best_of": 1})
    assert error.data["code"] == "unfit_servers"
    assert "switch challonge.no_match_mode on" in error.message
    error = await refusal(host, "tournament.publish", settings={**PLAN, "environment": "ocg"})
    assert error.data["code"] == "environment_unavailable"
    assert not house.directory.state.tournaments
    checked = await host.call("tournament.check", settings=PLAN)
    assert (checked["environment"], checked["settings"]["rounds"]) == ("goat", 3)


async def test_a_command_is_carried_out_once(host: Caller, house: House) -> None:
    """F08, F12: the same again with its command_id is the first answer; another body is refused."""
    published = await host.call("tournament.publish", settings=PLAN, command_id="p1")
    assert await host.call("tournament.publish", settings=PLAN, command_id="p1") == published
    number = published["tournament"]
    wish = {"tournament": number, "command_id": "c1"}
    first = await host.call("clock.pause", **wish)
    house.clock.advance(5)
    assert await host.call("clock.pause", **wish) == first
    error = await refusal(host, "clock.resume", **wish)
    assert (error.code, error.data["code"]) == (Code.COMMAND_ID, "command_id_reused")
    assert (await host.call("clock.pause", tournament=number)) == {"changed": False}


async def test_the_second_of_two_hosts_looks_again(host: Caller, admin: AdminSocket) -> None:
    """5.5-18: both saw the same version and press at once; one postpones, the other gets a conflict."""
    number = await entered(host, 2)
    await host.call("tournament.start", tournament=number)
    seen = (await host.call("tournament.show", tournament=number))["version"]
    other = await Caller.to(admin.path)
    wish = {"tournament": number, "expected_version": seen}
    fates = await asyncio.gather(
        host.call("clock.postpone", **wish), other.call("clock.postpone", **wish), return_exceptions=True
    )
    (lost,) = [fate for fate in fates if isinstance(fate, Refused)]
    assert (lost.code, lost.data["version"]) == (Code.CONFLICT, seen + 1)
    assert (await refusal(host, "tournament.start", **wish)).code == Code.CONFLICT
    await other.close()


async def test_an_unknown_outcome_is_said(host: Caller, house: House, tmp_path: Path) -> None:
    """House 4: the log is away: send the same command_id again; later it is carried out."""
    number = await entered(host, 0)
    with closing(sqlite3.connect(tmp_path / "relayd.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        error = await refusal(host, "clock.pause", tournament=number, command_id="again")
        assert (error.code, error.data["command_id"]) == (Code.AWAY, "again")
    assert (await host.call("clock.pause", tournament=number, command_id="again"))["changed"]
    assert house.desks.running()[TournamentNo(number)].paused_at is not None


async def test_entries_arrive_live(host: Caller, admin: AdminSocket) -> None:
    """Issue 2: whoever follows gets every entry, and with views the whole behind it; decks are not in it."""
    number = await entered(host, 2)
    viewer = await Caller.to(admin.path)
    following = (await viewer.call("live.follow", tournament=number, views=True))["following"]
    await host.call("tournament.start", tournament=number)
    entry, view = await viewer.live(), await viewer.live()
    kinds = [event["kind"] for event in entry["message"]["events"]]
    assert kinds == ["tournament_started.1", "round_paired.1"]
    assert view["message"]["view"]["phase"] == "running"
    assert await viewer.call("live.unfollow", following=following) == {"ended": True}
    assert await viewer.call("live.unfollow", following=following) == {"ended": False}
    again = await viewer.call("live.follow", tournament=number, after=1)
    messages = [(await viewer.live())["message"] for _ in range(6)]
    assert [message["version"] for message in messages] == [*range(2, 8)]
    assert "main" not in str(messages[1])
    assert again["following"] != following
    await viewer.close()


async def test_a_connection_follows_so_many(host: Caller) -> None:
    """A bound for each connection; the others are not touched."""
    for _ in range(32):
        await host.call("live.follow")
    assert (await refusal(host, "live.follow")).code == Code.BUSY
    assert (await refusal(host, "live.follow", tournament=77)).data["code"] == "unknown_tournament"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"[" * 100_000, Code.PARSE),
        (b'{"jsonrpc":"2.0","method":"x","id":1,"params":' + b'{"a":' * 30_000, Code.PARSE),
        (b'{"jsonrpc":"2.0","method":"tournament.show","id":1,"params":{"tournament":NaN}}', Code.PARSE),
        (b'{"jsonrpc":"2.0","method":"x","id":1,"params":{"a":"\\ud800"}}', Code.PARSE),
        (b'{"jsonrpc":"2.0","method":"x","id":"\xed\xa0\x80"}', Code.PARSE),
        (b'{"jsonrpc":"2.0","method":"x","id":1,"params":{"a":' + b"9" * 5_000 + b"}}", Code.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","method":"x","id":1,"params":{"a":1e999}}', Code.INVALID_REQUEST),
        (b"nonsense", Code.PARSE),
        (b"{}", Code.INVALID_REQUEST),
        (b'{"jsonrpc":"1.0","method":"x","id":1}', Code.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","method":"x","params":[1],"id":1}', Code.INVALID_REQUEST),
        (b"[]", Code.INVALID_REQUEST),
        (b"[" + b"1," * 300 + b"1]", Code.INVALID_REQUEST),
    ],
)
async def test_bad_json_is_answered_and_the_line_lives_on(host: Caller, line: bytes, code: Code) -> None:
    """F18: nested brackets, huge numbers, NaN, lone surrogates: an error at once, and the next call works."""
    await host.send(line)
    answer = await host.receive()
    assert (answer["id"], answer["error"]["code"]) == (None, code)
    assert (await host.call("daemon.status"))["role"] == "operator"


async def test_values_are_bounded_and_named(host: Caller) -> None:
    """Issue 2: what, where, what to do; an unknown method and unknown names are said, too."""
    assert (await refusal(host, "tournament.destroy")).code == Code.UNKNOWN_METHOD
    error = await refusal(host, "table.rule", tournament=2**60, table="x", outcome="c", extra=1)
    assert error.code == Code.INVALID_PARAMS
    assert [problem.split(":")[0] for problem in error.data["problems"]] == [
        "tournament",
        "table",
        "outcome",
        "extra",
    ]
    assert "write a table as R1T2" in str(error.data["problems"])
    assert "and 3 more" in error.message


async def test_a_batch_is_answered_together_and_a_notification_never(host: Caller) -> None:
    """JSON-RPC 2.0: a list for a list, in its order; without an id nobody is answered."""
    status = {"jsonrpc": "2.0", "method": "daemon.status"}
    await host.send([{**status, "id": 1}, status, 7, {**status, "id": "two"}])
    answer = await host.receive()
    assert [one["id"] for one in answer] == [1, None, "two"]
    assert answer[1]["error"]["code"] == Code.INVALID_REQUEST
    await host.send(status)
    await host.send(b"  ")
    assert (await host.call("daemon.status"))["role"] == "operator"


async def test_a_line_without_end_is_cut_off(host: Caller, admin: AdminSocket) -> None:
    """Bounded lines: the peer is told and hung up on; the last line may lack its end."""
    await host.send(b"x" * (rpc.LONGEST + 2_000))
    assert (await host.receive())["error"]["code"] == Code.INVALID_REQUEST
    with pytest.raises((EOFError, ConnectionResetError)):
        await host.receive()
    other = await Caller.to(admin.path)
    other.writer.write(b'{"jsonrpc":"2.0","id":1,"method":"daemon.status"}')
    other.writer.write_eof()
    assert (await other.receive())["id"] == 1
    await other.close()


async def test_a_flood_is_told_to_wait(tmp_path: Path) -> None:
    """F27: calls beyond the burst are refused with a time; other peers are not touched."""
    async with opened(tmp_path, rate=0.001, burst=3) as house:
        admin = AdminSocket(tmp_path / "admin.sock", LocalUsers(()), house.dispatcher, house.metrics)
        await admin.start()
        caller = await Caller.to(admin.path)
        for _ in range(3):
            await caller.call("daemon.status")
        await caller.send({"jsonrpc": "2.0", "id": 1, "method": "daemon.status"})
        error = (await caller.receive())["error"]
        assert (error["code"], error["data"]["retry_after_ms"] > 1_000) == (Code.BUSY, True)
        status = {"jsonrpc": "2.0", "method": "daemon.status"}
        await caller.send([status, 7, {**status, "id": 9}])
        answers = await caller.receive()
        assert [(one["id"], one["error"]["code"]) for one in answers] == [(None, Code.BUSY), (9, Code.BUSY)]
        await caller.close()
        await admin.close()


async def test_a_follower_who_does_not_read_is_cut_off(
    host: Caller, admin: AdminSocket, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F15: his buffers fill, then he is hung up on; the others go on, and memory stays bounded."""
    monkeypatch.setattr(session, "SEND_S", 0.05)
    number = await entered(host, 0)
    slow = await Caller.to(admin.path)
    await slow.call("live.follow", tournament=number)
    slow.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a socket's transport has it
    text = "x" * 4_000
    while house.metrics.registry.get_sample_value("relayd_live_subscribers") == 1:
        await host.call("tournament.announce", tournament=number, text=text)
    assert (await host.call("daemon.status"))["role"] == "operator"
    slow.writer.transport.resume_reading()  # type: ignore[attr-defined]  # a socket's transport has it
    with pytest.raises((EOFError, ConnectionResetError)):
        await to_the_end(slow)
    slow.writer.close()


async def to_the_end(caller: Caller) -> None:
    """Read whatever comes, until the other side hangs up."""
    while True:
        await caller.receive()


async def test_silence_ends_a_connection_but_not_a_followers(
    admin: AdminSocket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F13: an idle peer is hung up on; he who follows may wait as long as nothing happens."""
    monkeypatch.setattr(unixsocket, "IDLE_S", 0.01)
    idle, follower = await Caller.to(admin.path), await Caller.to(admin.path)
    await follower.call("live.follow")
    with pytest.raises(EOFError):
        await idle.receive()
    number = (await follower.call("tournament.publish", settings=PLAN))["tournament"]
    assert (await follower.live())["message"]["tournament"] == number
    await follower.close()
    await idle.close()


async def test_only_one_daemon_listens(admin: AdminSocket, house: House, tmp_path: Path) -> None:
    """Issue 2, bad input: a socket in use and a file in the way are named; what a crash left is replaced."""
    second = AdminSocket(admin.path, LocalUsers(()), house.dispatcher, house.metrics)
    with pytest.raises(SocketTaken, match="another daemon listens there"):
        await second.start()
    (tmp_path / "file").write_text("precious", encoding="utf-8")
    with pytest.raises(SocketTaken, match="there is something else"):
        await AdminSocket(tmp_path / "file", LocalUsers(()), house.dispatcher, house.metrics).start()
    assert (tmp_path / "file").read_text(encoding="utf-8") == "precious"
    with socket.socket(socket.AF_UNIX) as crashed:
        crashed.bind(str(tmp_path / "stale.sock"))
    third = AdminSocket(tmp_path / "stale.sock", LocalUsers(()), house.dispatcher, house.metrics)
    await third.start()
    await third.close()


async def test_others_come_in_only_where_the_settings_name_them(house: House, tmp_path: Path) -> None:
    """Decisions 6: the file is ours alone, or open to all of whom the kernel says who they are."""
    for roles, mode in (((), 0o600), ((SocketRole(user="judge", role="judge"),), 0o666)):
        admin = AdminSocket(tmp_path / "a.sock", LocalUsers(roles), house.dispatcher, house.metrics)
        await admin.start()
        assert admin.path.stat().st_mode & 0o777 == mode
        await admin.close()
        assert not admin.path.exists()


async def test_a_stranger_is_told_why(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions 6: a local user without a role gets one error and the end."""
    users = LocalUsers(())
    monkeypatch.setattr(users, "peer", lambda _connection: None)
    admin = AdminSocket(tmp_path / "a.sock", users, house.dispatcher, house.metrics)
    await admin.start()
    caller = await Caller.to(admin.path)
    assert (await caller.receive())["error"]["code"] == Code.FORBIDDEN
    with pytest.raises(EOFError):
        await caller.receive()
    await caller.close()
    await admin.close()


async def test_an_inherited_socket_is_used(house: House, tmp_path: Path) -> None:
    """Decisions 7: the kernel holds connections while the daemon restarts."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "held.sock"))
        listener.listen()
        caller = await Caller.to(tmp_path / "held.sock")
        admin = AdminSocket(tmp_path / "held.sock", LocalUsers(()), house.dispatcher, house.metrics)
        await admin.start(listener.dup())
        assert (await caller.call("daemon.status"))["role"] == "operator"
        await caller.close()
        await admin.close()


async def test_shutting_down_hangs_up(host: Caller, admin: AdminSocket) -> None:
    """F28: open connections do not hold the daemon up."""
    await host.call("live.follow")
    async with asyncio.timeout(10):
        await admin.close()
    with pytest.raises((EOFError, ConnectionResetError)):
        await host.receive()


async def test_the_methods_explain_themselves(host: Caller) -> None:
    """``rpc.methods``: every method with its role, its help and the values that it takes."""
    methods = {method["method"]: method for method in await host.call("rpc.methods")}
    assert len(methods) > 50
    assert methods["table.rule"]["role"] == "judge"
    assert set(methods["table.rule"]["params"]["required"]) == {"tournament", "table", "outcome"}
    assert all(method["help"].endswith(".") or "*" in method["help"] for method in methods.values())


async def test_the_log_level_follows_a_call(host: Caller, house: House) -> None:
    """Issue 3: log levels at run time."""
    assert await host.call("log.set_level", level="debug") == {"level": "debug", "before": "info"}
    assert (await host.call("log.level"))["level"] == house.parts.level.name == "debug"
    await host.call("log.set_level", level="info")


async def test_players_and_servers_are_listed(host: Caller) -> None:
    """Decisions 1, 2: numbers, labels, nicknames; what duel servers there are and how they do."""
    for nickname in ("Alice", "Bob", "alicia"):
        await host.call("player.register", nickname=nickname)
    await host.call("player.rename", player="P000002", nickname="Robert")
    assert (await host.call("player.show", player=2))["nickname"] == "Robert"
    found = await host.call("player.list", text="ali")
    assert [player["label"] for player in found] == ["P000001", "P000003"]
    assert len(await host.call("player.list", after=1, limit=1)) == 1
    (server,) = await host.call("server.list")
    assert (server["server"], server["state"], server["free"]) == ("main", "up", 98)
