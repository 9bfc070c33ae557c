"""Rooms to tables: by code, by names, with strangers, twice (rules.md 5.6, R067)."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from relayd.bridge.sighting import Look, TableSight, live_table, read_rooms, says_more, see_room
from relayd.bridge.tables import RunningTables, TableKey
from ruleset.ids import Instant, Seat, ServerId, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament.commands import SeeRoom
from ruleset.tournament.state import Table, Tournament
from srvpro_bridge.adminapi import RoomSight, Stage
from tests.bridging import HERE, SERVER_B, pair, person, room
from tests.builders import NUMBER, SERVER, START, after, report, started, table_id, tables

NOW = START


class States:
    """Tournaments that only stand there."""

    def __init__(self, *states: Tournament) -> None:
        self._states = {state.number: state for state in states}

    def running(self) -> Mapping[TournamentNo, Tournament]:
        """Return them."""
        return self._states


def look(state: Tournament, *rooms: RoomSight, server: ServerId = SERVER) -> Look:
    """Return what *rooms* on a duel server show."""
    states = States(state)
    return read_rooms(RunningTables(states).index(), states.running(), server, rooms)  # type: ignore[arg-type]


def seen(state: Tournament, *rooms: RoomSight, table: int = 1) -> SeeRoom:
    """Return what *rooms* show of a table."""
    found = state.table(table_id(1, table))
    assert found is not None
    return see_room(look(state, *rooms).present.get(TableKey(NUMBER, found.id), ()), found, NOW)


def first(state: Tournament) -> Table:
    """Return table 1."""
    return tables(state)[0]


@pytest.fixture
def state() -> Tournament:
    """Four players, round 1, all tables on the duel server ``main``."""
    return started(4, HERE)


@pytest.mark.parametrize("name", ["M#X12R1T1", "x12r1t1", "M,NF#X12R1T1$pw"])
def test_a_room_is_found_by_its_code(state: Tournament, name: str) -> None:
    """5.6-1: with or without prefixes and password, any case; the players' seats do not follow positions."""
    table = first(state)
    found = seen(state, room(name, person(f"Nick{table.b}", 0), person(f"P{table.a:06d}", 1)))
    assert (found.seated, found.playing) == (("a", "b"), False)


def test_a_room_without_code_is_found_by_its_players(state: Tournament) -> None:
    """5.6-2: both names sit at one open table; one of them alone is not enough."""
    one, other = pair(first(state))
    assert seen(state, room("hello", one, other)).seated == ("a", "b")
    assert seen(state, room("hello", one)).seated == ()


def test_only_who_sits_there_is_present(state: Tournament) -> None:
    """R067: a spectator of the right name is not in his seat, nor is somebody who has none yet."""
    table = first(state)
    watching = replace(person(f"Nick{table.b}", 7), lp=None)
    assert seen(state, room("M#X12R1T1", person(f"Nick{table.a}", 0), watching)).seated == ("a",)


def test_strangers_make_nobody_present(state: Tournament) -> None:
    """Decisions 4, 17: a code gives no right; alone in the room they start nothing, and the host is told."""
    strange = room("M#X12R1T1", person("Eve", 0, 1), person("Mallory", 1, 0), stage=Stage.DUELING, duel=2)
    found = seen(state, strange)
    assert (found.seated, found.playing, found.wins, found.duel) == ((), False, (0, 0), 0)
    assert [odd.kind for odd in look(state, strange).oddities] == ["strangers"]
    assert not says_more(found, first(state))


def test_the_games_of_a_stranger_are_nobodys(state: Tournament) -> None:
    """F11: beside one of the table's own the match has begun, but only his games are told."""
    one, _ = pair(first(state))
    mixed = room("M#X12R1T1", replace(one, score=0), person("Eve", 1, 1), stage=Stage.SIDING, duel=1)
    found = seen(state, mixed)
    assert (found.seated, found.playing, found.wins) == (("a",), True, (0, 0))


def test_score_and_game_follow_the_seats(state: Tournament) -> None:
    """T7: games are those of seats A and B wherever they sit; marks are no games (duel-server.md 2)."""
    table = first(state)
    people = person(f"Nick{table.b}", 0, 1, 300), person(f"Nick{table.a}", 1, -9, 4000)
    playing = room("M#X12R1T1", *people, stage=Stage.DUELING, duel=2, turn=3)
    found = seen(state, playing)
    assert (found.playing, found.wins, found.duel) == (True, (0, 1), 2)
    assert says_more(found, table)
    (sight,) = look(state, playing).rooms
    assert (sight.wins, sight.lp) == ((None, 1), (4000, 300))


def test_two_rooms_of_one_table(state: Tournament) -> None:
    """R067: who waits in another room of the same code is there, too; the host is told of the second room."""
    one, other = pair(first(state))
    found = look(
        state, room("X12R1T1", one, roomid="1"), room("M#X12R1T1", replace(other, pos=0), roomid="2")
    )
    assert [odd.kind for odd in found.oddities] == ["second_room"]
    shown = found.present[TableKey(NUMBER, table_id(1, 1))]
    assert see_room(shown, first(state), NOW).seated == ("a", "b")


def test_a_room_that_plays_goes_before_one_that_waits(state: Tournament) -> None:
    """T7: the score is that of the room in which the match runs."""
    one, other = pair(first(state), (1, 0))
    waiting, playing = (
        room("X12R1T1", one, other, roomid="1"),
        room("M#X12R1T1", one, other, stage=Stage.SIDING, duel=1, roomid="2"),
    )
    assert seen(state, waiting, playing).wins == (1, 0)


@pytest.mark.parametrize(
    ("name", "server", "kind"),
    [
        ("M#X12R1T9", SERVER, "unknown_table"),
        ("M#X12R2T1", SERVER, "unknown_table"),
        ("X12R1T1S", SERVER, "unknown_table"),
        ("X12P1T1", SERVER, "unknown_table"),
        ("M#X12R1T1", SERVER_B, "other_server"),
    ],
)
def test_rooms_with_a_code_that_fits_no_table_are_odd(
    state: Tournament, name: str, server: ServerId, kind: str
) -> None:
    """5.6-1, F11: the host hears of them and nothing else comes of it."""
    found = look(state, room(name, *pair(first(state))), server=server)
    assert [odd.kind for odd in found.oddities] == [kind]
    assert not found.rooms


@pytest.mark.parametrize("name", ["M#X13R1T1", "lobby", ""])
def test_other_rooms_are_foreign(state: Tournament, name: str) -> None:
    """5.6: rooms of nobody we know are counted and left alone."""
    found = look(state, room(name, person("Eve", 0), person("Mallory", 1)))
    assert (found.foreign, found.rooms, found.oddities) == (1, (), frozenset())


def test_the_extra_game_has_its_own_room() -> None:
    """5.5-12: once it is ordered the room with the tail S is the table's, the tied one is not any more."""
    settings = replace(HERE, format="elimination", rounds=0)
    state = started(2, settings)
    tie = c.SeeRoom(table=table_id(1, 1), seated=("a", "b"), playing=True, wins=(1, 1), duel=3, now=NOW)
    state = after(state, tie, report(1, 1, "draw"))
    old, new = room("M#X12R1T1", *pair(first(state))), room("M#X12R1T1S", *pair(first(state)), roomid="2")
    found = look(state, old, new)
    assert [sight.room for sight in found.present[TableKey(NUMBER, table_id(1, 1))]] == [new]
    assert [sight.extra for sight in found.rooms] == [False, True]


def test_a_decided_table_has_no_present_room(state: Tournament) -> None:
    """5.5-3: its room is still known, so that it can be closed."""
    over = after(state, report(2, 0, "a"))
    found = look(over, room("M#X12R1T1", *pair(first(over))))
    assert (len(found.rooms), dict(found.present)) == (1, {})


def test_a_room_of_an_earlier_round_is_still_known(state: Tournament) -> None:
    """5.5-3: somebody sits in it; it is to be closed."""
    for number in (1, 2):
        state = after(state, report(2, 0, "a", table=table_id(1, number)))
    later = after(state, c.NextRound(now=NOW))
    assert len(look(later, room("M#X12R1T1", *pair(first(state)))).rooms) == 1


def facts(
    table: Table,
    *,
    seated: tuple[Seat, ...] = (),
    playing: bool = False,
    wins: tuple[int, int] = (0, 0),
    duel: int = 0,
) -> SeeRoom:
    """Return a sight of *table*."""
    return SeeRoom(table=table.id, seated=seated, playing=playing, wins=wins, duel=duel, now=NOW)


def test_only_news_are_told(state: Tournament) -> None:
    """T5, T7: what the tournament knows is not said again; a game is never taken back."""
    table = first(state)
    assert not says_more(facts(table), table)
    there = facts(table, seated=("a",))
    assert says_more(there, table)
    came = first(after(state, there))
    assert not says_more(there, came)
    assert says_more(facts(table), came)
    running = facts(table, seated=("a", "b"), playing=True, wins=(1, 0), duel=1)
    plays = first(after(state, running))
    assert not says_more(running, plays)
    assert not says_more(replace(running, wins=(0, 0), duel=0), plays)
    assert not says_more(facts(table), plays)
    assert says_more(replace(running, duel=2), plays)
    assert says_more(replace(running, wins=(1, 1)), plays)
    assert not says_more(replace(running, wins=(2, 0)), first(after(state, report(2, 0, "a"))))


def test_people_see_stage_death_and_life_points(state: Tournament) -> None:
    """5.1: the live table is what getrooms shows, brought to the seats."""
    table = first(state)
    people = (*pair(table, (1, 0)), person("Watcher", 7))
    shown = room(
        "M#X12R1T1", *people, stage=Stage.DUELING, duel=2, turn=3, death="on", last_turn=4, roomid="9"
    )
    sight: TableSight = look(state, shown).rooms[0]
    live = live_table(sight, SERVER, Instant(5))
    assert (live.stage, live.duel, live.turn, live.death, live.last_turn) == ("dueling", 2, 3, "on", 4)
    assert (live.wins, live.lp, live.in_room, live.strangers) == ((1, 0), (8000, 8000), (True, True), ())
    assert (live.table, live.server, live.room_name, live.seen_at) == (table.id, SERVER, "M#X12R1T1", 5)
