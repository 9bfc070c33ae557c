"""Laws of the simulated rooms: whatever people do, in whatever order."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from srvpro_bridge.adminapi import Stage as Seen
from srvpro_bridge.adminapi import parse_rooms
from srvpro_bridge.simulator import events as e
from srvpro_bridge.simulator.bodies import rooms_body
from srvpro_bridge.simulator.clients import Client
from srvpro_bridge.simulator.clock import ManualClock
from srvpro_bridge.simulator.config import ServerConfig
from srvpro_bridge.simulator.decks import Deck
from srvpro_bridge.simulator.nicks import read_nick
from srvpro_bridge.simulator.passwords import read_password
from srvpro_bridge.simulator.play import RoomRules, Stage
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.rules import DEATH_RULES, QuickDeath

DECK = Deck(main=tuple(range(1, 41)))
SEEN = {
    Stage.BEGIN: Seen.BEGIN,
    Stage.FINGER: Seen.COIN,
    Stage.FIRSTGO: Seen.COIN,
    Stage.DUELING: Seen.DUELING,
    Stage.SIDING: Seen.SIDING,
    Stage.END: Seen.COIN,
}
ACTS: dict[str, Callable[[Room, Client], object]] = {
    "deck": lambda room, who: room.send_deck(who, DECK),
    "start": lambda room, who: room.start(who),
    "toss": lambda room, _: room.toss(),
    "choose": lambda room, who: room.go_first(who),
    "turn": lambda room, _: room.next_turn(),
    "phase": lambda room, _: room.next_phase(),
    "hit": lambda room, who: room.set_lp(who, who.lp - 3_000),
    "surrender": lambda room, who: room.surrender(who),
    "draw": lambda room, _: room.win(None),
    "death": lambda room, _: room.start_death(),
    "no death": lambda room, _: room.cancel_death(),
    "drop": lambda room, who: room.drop(who),
    "return": lambda room, who: room.come_back(who, DECK),
    "kick": lambda room, _: room.kick(),
    "crash": lambda room, _: room.crash(),
}
likely = ["deck", "deck", "start", "toss", "choose", "turn", "turn", "turn", "hit", "surrender", "death"]
acts = st.tuples(
    st.sampled_from([*likely, *ACTS]), st.sampled_from([0, 1]), st.sampled_from([0, 0, 1, 30, 100])
)
rules = st.sampled_from([*DEATH_RULES])


@given(st.lists(acts, max_size=80), rules, st.sampled_from(["M#X1R1T1", "X1R1T1", "M,TM60,DH1#X1"]))
def test_every_room_keeps_its_promises(
    wishes: list[tuple[str, int, int]], rule: QuickDeath, name: str
) -> None:
    """duel-server.md 1, 2, 6: at most three games, known scores, one end, and our reader sees the stage."""
    clock, heard = ManualClock(), list[e.Event]()
    room = Room(
        rid=7,
        name=name,
        options=read_password(name),
        rules=RoomRules(quick_death_rule=rule),
        clock=clock.now,
        listener=lambda _, event: heard.append(event),
    )
    people = [Client(nick=read_nick(nick)) for nick in ("Alice", "Bob")]
    for client in people:
        room.enter(client)
    for wish, who, seconds in wishes:
        clock.advance(seconds)
        room.tick()
        if room.deleted or len(room.people.players) < 2:
            break
        ACTS[wish](room, people[who])
        [sight] = parse_rooms(rooms_body([room], ServerConfig()).encode())
        assert (sight.stage, sight.duel, sight.turn) == (SEEN[room.stage], room.duel_count, room.turn)
    assert room.duel_count <= (3 if room.options.mode else 1)
    assert set(room.score.points.values()) <= {-9, -1, 0, 1, 2}
    assert len(room.score.wins) <= room.duel_count
    assert heard.count(e.Deleted()) == room.deleted
    assert heard.count(e.Closing()) <= 1
    deadline = room.deadline()
    assert deadline is None or deadline > clock.now()


@given(rules, st.integers(1, 9), st.integers(-2, 2))
def test_extra_turns_end_every_game(rule: QuickDeath, called_in: int, lead: int) -> None:
    """R069: a lead decides when the turns are over, a tie goes on until somebody leads."""
    heard: list[e.Event] = []
    room = Room(
        rid=7,
        name="X1R1T1",
        options=read_password("X1R1T1"),
        rules=RoomRules(quick_death_rule=rule),
        clock=ManualClock().now,
        listener=lambda _, event: heard.append(event),
    )
    alice, bob = (Client(nick=read_nick(nick)) for nick in ("Alice", "Bob"))
    for client in (alice, bob):
        room.enter(client)
        room.send_deck(client, DECK)
    room.start(alice)
    room.toss()
    room.go_first(bob)
    for _ in range(called_in - 1):
        room.next_turn()
    room.set_lp(bob, 8_000 - lead * 100)
    room.start_death()
    for _ in range(10):
        room.next_phase()
        room.next_turn()
    assert room.score.wins == ([] if lead == 0 else ["Alice" if lead > 0 else "Bob"])
    room.set_lp(alice, 7_000 + lead)
    room.next_turn()
    assert len(room.score.wins) == 1
