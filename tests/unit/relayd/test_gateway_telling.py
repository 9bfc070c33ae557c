"""What the plugin of a duel server is told of its tables (issue 3, decisions 4 and 15, 5.4, 5.5-12)."""

from dataclasses import replace
from typing import Literal

import pytest

from relayd.bridge.gateway.telling import Telling, told_table
from ruleset.ids import TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.seatkeys import key_of
from ruleset.tournament.settings import ServerUse, Settings
from ruleset.tournament.state import Table, Tournament
from srvpro_bridge.capabilities import ServerFacts
from srvpro_bridge.protocol import FrozenDeck, TableChanged, encode, from_daemon
from srvpro_bridge.protocol import Table as ToldTable
from tests.bridging import HERE, SERVER_B
from tests.builders import NUMBER, SERVER, after, deck_of, minutes, result, started, tables

PLUGIN = ServerFacts(id=SERVER, link="plugin", default_environment="ocg", lists=(("goat", 3),))


def told(state: Tournament, table: int = 0, server: ServerFacts = PLUGIN) -> ToldTable:
    """Return a table of the present round as it is told."""
    return told_table(state, tables(state)[table], server)


def changed(state: Tournament, **changes: object) -> Tournament:
    """Return *state* with its first table changed."""
    played = state.rounds[-1]
    first = tables(state)[0]
    table: Table = replace(first, **changes)  # type: ignore[arg-type]
    rounds = (*state.rounds[:-1], replace(played, tables={**played.tables, table.id.table: table}))
    return replace(state, rounds=rounds)


def test_a_table_says_all_that_is_needed() -> None:
    """Issue 3: code, seats with number, nickname and frozen deck: it judges without us."""
    state = started(2, HERE)
    table, first = told(state), tables(state)[0]
    assert (table.code, table.room, table.finished) == ("X12R1T1", "X12R1T1", False)
    assert (table.a.player, table.a.nickname) == (first.a, f"Nick{first.a}")
    assert (table.b.player, table.b.nickname) == (first.b, f"Nick{first.b}")
    assert table.a.deck == FrozenDeck(main=deck_of(first.a).main, side=())
    assert (table.death, table.sudden_death) == (False, False)
    assert (table.seat_key, table.a.key, table.strangers) == ("off", None, "watch")
    assert table.welcome == f"Weekly · R1T1 · Nick{first.a} – Nick{first.b}"


@pytest.mark.parametrize("seat_key", ["optional", "required"])
def test_seat_keys_are_told_with_the_table(seat_key: Literal["optional", "required"]) -> None:
    """Decisions 4: the plugin lets in by itself, also while the daemon is away."""
    state = started(2, replace(HERE, seat_key=seat_key))
    table, first = told(state), tables(state)[0]
    assert table.seat_key == seat_key
    assert (table.a.key, table.b.key) == tuple(key_of(state, first.id, p) for p in (first.a, first.b))
    assert table.a.key != table.b.key


def test_main_and_extra_are_one_pile() -> None:
    """D34: the client sends them together."""
    state = started(2, HERE)
    first = tables(state)[0]
    deck = replace(deck_of(1), extra=(7, 8), side=(9,))
    players = {**state.players, first.a: replace(state.players[first.a], deck=deck)}
    assert told(replace(state, players=players)).a.deck == FrozenDeck(main=(*deck.main, 7, 8), side=(9,))


@pytest.mark.parametrize(
    ("environment", "server", "lflist"),
    [
        ("ocg", PLUGIN, 0),
        ("goat", PLUGIN, 2),
        ("edison", PLUGIN, -1),
        ("edison", replace(PLUGIN, default_environment="edison"), 0),
        ("ocg", replace(PLUGIN, default_environment=""), None),
    ],
)
def test_the_list_is_that_of_the_environment(
    environment: str, server: ServerFacts, lflist: int | None
) -> None:
    """D10, decisions 15: its place in the server's file, else no list; where none is checked, as it is."""
    state = started(2, replace(HERE, environment=environment))
    assert told(state, server=server).options.lflist == lflist


@pytest.mark.parametrize("best_of", [1, 3])
def test_the_mode_is_that_of_the_tournament(best_of: int) -> None:
    """Issue 3: best of one and of three on one server; cards of every region pass, for the deck is frozen."""
    options = told(started(2, replace(HERE, best_of=best_of))).options  # type: ignore[arg-type]
    assert (options.best_of, options.rule, options.time_limit) == (best_of, 5, None)


def test_death_is_wanted_from_the_call_of_time_on() -> None:
    """T8, 5.4: also for rooms that have not started: the plugin waits for them (10.d)."""
    state = after(started(4, HERE), c.CallTime(now=minutes(40)))
    assert [told(state, table).death for table in (0, 1)] == [True, True]
    over = after(state, c.Rule(table=tables(state)[0].id, result=result("a", (2, 0)), now=minutes(41)))
    assert (told(over).death, told(over).finished, told(over, 1).death) == (False, True, True)


def test_games_of_a_lost_room_are_told() -> None:
    """5.5-8: or a lead in the new room would be taken for that of the match; an extra game begins anew."""
    state = changed(started(2, HERE), time_called_at=minutes(40), carried=(1, 0))
    assert (told(state).death, told(state).carried) == (True, (1, 0))
    assert told(changed(state, extra_games=1)).carried == (0, 0)


def test_the_extra_game_is_a_single_duel_in_sudden_death() -> None:
    """5.5-12: its own code, one game, decided by the first difference; no death-three on top."""
    state = changed(started(2, HERE), extra_games=1, time_called_at=minutes(40))
    table = told(state)
    assert (table.code, table.options.best_of) == ("X12R1T1S", 1)
    assert (table.sudden_death, table.death, table.finished) == (True, False, False)


@pytest.mark.parametrize(("status", "finished"), [("waiting", False), ("playing", False), ("disputed", True)])
def test_nobody_is_led_to_a_match_that_is_not_played_on(status: str, finished: bool) -> None:  # noqa: FBT001
    """10.0-5, docs/decisions: a judge has it, or it is decided."""
    assert told(changed(started(2, HERE), status=status)).finished is finished


def test_what_is_told_fits_the_protocol() -> None:
    """docs/protocol.md: every field within its bounds, whatever the title; it is read as it was made."""
    state = started(2, replace(HERE, title="\u202e" + "长" * 200))
    table = told(state)
    assert from_daemon(encode(TableChanged(table=table))) == TableChanged(table=table)
    assert "\u202e" not in (table.welcome or "")


def test_only_the_tables_of_that_server_are_told() -> None:
    """Decisions 1: of all running rounds there; none before the start, none of another server."""
    there: Settings = replace(HERE, servers=(ServerUse(id=SERVER_B),))
    running = {
        NUMBER: started(4, HERE),
        TournamentNo(13): replace(started(2, there), number=TournamentNo(13)),
    }
    assert sorted(Telling(PLUGIN).tables(running)) == ["X12R1T1", "X12R1T2"]
    assert sorted(Telling(replace(PLUGIN, id=SERVER_B)).tables(running)) == ["X13R1T1"]
    waiting = replace(running[NUMBER], phase="published", rounds=())
    assert Telling(PLUGIN).tables({NUMBER: waiting}) == {}


def test_a_table_is_made_anew_only_where_it_has_changed() -> None:
    """Issue 3: 256 tables and an entry a millisecond: the others are the same objects."""
    state, telling = started(4, HERE), Telling(PLUGIN)
    before = telling.tables({NUMBER: state})
    assert telling.tables({NUMBER: state}) == before
    over = after(state, c.Rule(table=tables(state)[0].id, result=result("a", (2, 0)), now=minutes(5)))
    now = telling.tables({NUMBER: over})
    assert now["X12R1T1"].finished
    assert now["X12R1T2"] is before["X12R1T2"]
    assert telling.tables({}) == {}
