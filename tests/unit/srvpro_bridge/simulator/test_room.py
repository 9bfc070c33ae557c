"""A room, row by row of duel-server.md 2, 3 and 6."""

from collections.abc import Callable

import pytest

from srvpro_bridge.simulator import events as e
from srvpro_bridge.simulator.bodies import istart
from srvpro_bridge.simulator.clients import Client, Registered
from srvpro_bridge.simulator.clock import ManualClock
from srvpro_bridge.simulator.decks import Deck
from srvpro_bridge.simulator.nicks import read_nick
from srvpro_bridge.simulator.passwords import read_password
from srvpro_bridge.simulator.play import RoomRules, Stage
from srvpro_bridge.simulator.room import Room
from srvpro_bridge.simulator.rules import QuickDeath

DECK = Deck(main=tuple(range(1, 41)), side=(90, 91))
SIDED = Deck(main=(*range(1, 40), 90), side=(40, 91))


class Hall:
    """A room whose clock stands still, and what was heard from it."""

    def __init__(self, name: str = "M#X1R1T1", rule: QuickDeath = 2) -> None:
        self.clock, self.heard = ManualClock(), list[e.Event]()
        self.rules = RoomRules(quick_death_rule=rule)
        self.room = Room(
            rid=1,
            name=name,
            options=read_password(name),
            rules=self.rules,
            clock=self.clock.now,
            listener=lambda _, event: self.heard.append(event),
        )

    def enter(self, *names: str) -> list[Client]:
        """Bring people in."""
        clients = [Client(nick=read_nick(name)) for name in names]
        for client in clients:
            self.room.enter(client)
        return clients

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and the room notice."""
        self.clock.advance(seconds)
        self.room.tick()

    def said(self) -> list[str]:
        """Return the chat."""
        return [event.text for event in self.heard if isinstance(event, e.Said)]

    def begin(self) -> "Hall":
        """Let Alice and Bob sit down and start: FINGER."""
        self.enter("Alice", "Bob")
        for name in ("Alice", "Bob"):
            self.room.send_deck(name, DECK)
        self.room.start("Alice")
        return self

    def game(self, turns: int = 1) -> "Hall":
        """Go on to turn *turns* of the next game; Alice begins."""
        self.room.toss()
        self.room.go_first("Alice")
        for _ in range(turns - 1):
            self.room.next_turn()
        return self

    def side(self) -> "Hall":
        """Let both side: FIRSTGO."""
        self.room.send_deck("Bob", SIDED)
        self.room.send_deck("Alice", DECK)
        return self


def play(*winners: str | None, rule: QuickDeath = 2) -> Hall:
    """Play games up to the end of the last one of *winners*."""
    hall = Hall(rule=rule).begin()
    for number, winner in enumerate(winners):
        if number:
            hall.side()
        hall.game().room.win(winner)
    return hall


def test_a_match_ends_at_two_wins() -> None:
    """duel-server.md 6, 10.l: best of three; the room is gone 40 ms after its last game."""
    hall = play("Alice", "Bob", "Alice")
    assert (hall.room.score.points, hall.room.score.wins) == (
        {"Alice": 2, "Bob": 1},
        ["Alice", "Bob", "Alice"],
    )
    assert not hall.room.deleted
    hall.pass_time(0.04)
    assert hall.room.deleted
    assert hall.heard[-1] == e.Deleted()


def test_a_match_is_three_games_at_most() -> None:
    """duel-server.md 2 (f): one win each and a draw end equal, no further game."""
    hall = play("Alice", None, "Bob")
    hall.pass_time(1)
    assert (hall.room.score.points, hall.room.score.wins) == ({"Alice": 1, "Bob": 1}, ["Alice", "", "Bob"])
    assert hall.room.deleted


def test_a_single_duel_is_over_after_one_game() -> None:
    """duel-server.md 6: mode 0, also when it is drawn."""
    for winner, points in (("Bob", {"Alice": 0, "Bob": 1}), (None, {"Alice": 0, "Bob": 0})):
        hall = Hall("X1R1T1").begin().game()
        hall.room.win(winner)
        hall.pass_time(1)
        assert (hall.room.score.points, hall.room.deleted) == (points, True)


def test_the_stages_are_shown_by_istart() -> None:
    """duel-server.md 1: the table of stages."""
    hall = Hall()
    shown = [istart(hall.begin().room)]
    hall.room.toss()
    shown.append(istart(hall.room))
    shown += [istart(hall.game().room), istart(hall.room)]
    hall.room.win("Alice")
    shown.append(istart(hall.room))
    shown += [istart(hall.side().room), istart(hall.game(3).room)]
    assert istart(Hall().room) == "wait"
    assert shown == [
        "Duel:0 Turn:0",
        "Duel:0 Turn:0",
        "Duel:1 Turn:1",
        "Duel:1 Turn:1",
        "Duel:1 Siding",
        "Duel:1 Turn:0",
        "Duel:2 Turn:3",
    ]
    assert istart(hall.room, show_info=False) == "start"


# Death, rule 2


def test_death_before_the_start_does_nothing() -> None:
    """duel-server.md 0-2, 2 BEGIN: death stays 0, it is not remembered, duel 1 starts normally."""
    hall = Hall()
    hall.enter("Alice", "Bob")
    hall.room.start_death()
    assert hall.room.death == 0
    for name in ("Alice", "Bob"):
        hall.room.send_deck(name, DECK)
    hall.room.start("Alice")
    assert istart(hall.game(9).room) == "Duel:1 Turn:9"


@pytest.mark.parametrize("stage", [Stage.FINGER, Stage.FIRSTGO])
def test_death_at_the_coin_gives_four_turns(stage: Stage) -> None:
    """duel-server.md 2 FINGER, FIRSTGO 0-0: B ahead => 0-1 => first side deck => {"Alice":-1,"Bob":1}."""
    hall = Hall().begin()
    if stage is Stage.FIRSTGO:
        hall.room.toss()
    hall.room.start_death()
    assert (hall.room.stage, istart(hall.room)) == (stage, "Duel:0 Turn:0/4")
    hall.game(2).room.set_lp("Alice", 7000)
    hall.room.next_turn()
    hall.room.next_turn()
    assert istart(hall.room) == "Duel:1 Turn:4/4"
    hall.room.next_turn()
    assert (istart(hall.room), hall.room.score.points) == ("Duel:1 Siding", {"Alice": 0, "Bob": 1})
    hall.room.send_deck("Alice", DECK)
    assert hall.room.score.points == {"Alice": -1, "Bob": 1}
    assert hall.room.finished_by_death
    assert hall.said()[-1] == "Extra time match ends, congratulations. Bob, You win the Match."


def test_death_in_turn_1_is_compared_when_turn_5_begins() -> None:
    """duel-server.md 2 DUELING T1: equal => sudden; next turn B hits => duel to B when turn 7 begins."""
    hall = Hall().begin().game()
    hall.room.start_death()
    assert istart(hall.room) == "Duel:1 Turn:1/4"
    for _ in range(4):
        hall.room.next_turn()
    assert istart(hall.room) == "Duel:1 Turn:5/Death"
    hall.room.next_turn()
    hall.room.set_lp("Alice", 7900)
    hall.room.next_turn()
    assert hall.room.score.points == {"Alice": 0, "Bob": 1}
    won = next(event for event in hall.heard if isinstance(event, e.GameWon))
    assert (won.winner, won.reason) == (hall.room.people.named("Bob"), 0)


def test_death_in_turn_2_is_the_turn_and_three_more() -> None:
    """duel-server.md 2 DUELING T2: death 6; compared when turn 6 begins."""
    hall = Hall().begin().game(2)
    hall.room.start_death()
    assert hall.room.death == 6
    hall.room.set_lp("Bob", 100)
    for turn in (3, 4, 5):
        hall.room.next_turn()
        assert istart(hall.room) == f"Duel:1 Turn:{turn}/5"
    hall.room.next_turn()
    assert hall.room.score.wins == ["Alice"]


def test_death_twice_changes_nothing() -> None:
    """duel-server.md 2: the second call."""
    hall = Hall().begin().game()
    hall.room.start_death()
    hall.room.next_turn()
    hall.room.start_death()
    assert hall.room.death == 5


def test_death_while_siding_at_1_1_makes_an_extra_duel() -> None:
    """duel-server.md 2 SIDING 1-1: duel 3 has 4 turns; equal => sudden death => 2-1."""
    hall = play("Alice", "Bob")
    hall.room.start_death()
    assert istart(hall.room) == "Duel:2 Siding"
    assert istart(hall.side().room) == "Duel:2 Turn:0/4"
    hall.game(5)
    assert istart(hall.room) == "Duel:3 Turn:5/Death"
    hall.room.set_lp("Bob", 1)
    hall.room.next_turn()
    assert hall.room.score.points == {"Alice": 2, "Bob": 1}


@pytest.mark.parametrize("stage", [Stage.SIDING, Stage.FIRSTGO])
def test_death_between_games_with_a_lead_ends_at_once(stage: Stage) -> None:
    """duel-server.md 2 SIDING 1-0 and FIRSTGO after it: {"Alice":1,"Bob":-1}, duel 2 is never played."""
    hall = play("Alice")
    if stage is Stage.FIRSTGO:
        hall.side()
    assert hall.room.stage is stage
    hall.room.start_death()
    assert hall.room.score.points == {"Alice": 1, "Bob": -1}
    hall.pass_time(0.3)
    assert hall.room.deleted


def test_a_lead_that_arises_during_death_waits_for_a_side_deck() -> None:
    """duel-server.md 0-3: nobody sends one => the room hangs; deathcancel and death end it at once."""
    hall = Hall().begin().game()
    hall.room.start_death()
    hall.room.win("Alice")
    hall.pass_time(10_000)
    assert istart(hall.room) == "Duel:1 Siding"
    hall.room.start_death()
    assert hall.room.score.points == {"Alice": 1, "Bob": 0}
    assert hall.room.cancel_death()
    hall.room.start_death()
    assert hall.room.score.points == {"Alice": 1, "Bob": -1}


def test_the_trailing_player_may_equalise_during_death() -> None:
    """duel-server.md 2: duel 2 at 1-0 lost by the leader: 1-1 => duel 3 with death 5."""
    hall = play("Alice").side().game()
    hall.room.start_death()
    hall.room.win("Bob")
    assert (hall.room.score.points, hall.room.death) == ({"Alice": 1, "Bob": 1}, 5)
    assert istart(hall.side().room) == "Duel:2 Turn:0/4"


def test_a_drawn_game_during_death_is_followed_by_four_turns() -> None:
    """rules.md 5.4: game ends, scores equal => next game 4 turns."""
    hall = Hall().begin().game()
    hall.room.start_death()
    hall.room.win(None)
    assert istart(hall.side().room) == "Duel:1 Turn:0/4"


def test_death_can_be_called_off() -> None:
    """duel-server.md 1, 10.e: only with death on; the room is told."""
    hall = Hall().begin().game()
    assert not hall.room.cancel_death()
    hall.room.start_death()
    assert hall.room.cancel_death()
    assert istart(hall.room) == "Duel:1 Turn:1"
    assert hall.said() == ["Over-match has been canceled from this game."]


def test_a_single_duel_ends_in_its_extra_turns() -> None:
    """duel-server.md 10.d: best of one, compared when turn 5 begins: 1/0, room over."""
    hall = Hall("X1R1T1").begin()
    hall.room.start_death()
    hall.game(2).room.set_lp("Bob", 10)
    for _ in range(3):
        hall.room.next_turn()
    assert hall.room.score.points == {"Alice": 1, "Bob": 0}


# The other rules


@pytest.mark.parametrize(
    ("rule", "coin", "in_turn_2", "at_1_0"),
    [(0, 5, 6, 5), (1, -1, 6, -1), (2, 5, 6, None), (3, -1, -2, None)],
)
def test_quick_death_rules(rule: QuickDeath, coin: int, in_turn_2: int, at_1_0: int | None) -> None:
    """duel-server.md 2: the table; ``None``: the match ends at once."""
    hall = Hall(rule=rule).begin()
    hall.room.start_death()
    assert hall.room.death == coin
    hall = Hall(rule=rule).begin().game(2)
    hall.room.start_death()
    assert hall.room.death == in_turn_2
    hall = play("Alice", rule=rule)
    hall.room.start_death()
    assert (None if hall.room.finished_by_death else hall.room.death) == at_1_0


@pytest.mark.parametrize(
    ("rule", "after", "ends"), [(0, 5, False), (1, -1, False), (2, 5, True), (3, -1, True)]
)
def test_after_a_duel_won_with_death_on(rule: QuickDeath, after: int, *, ends: bool) -> None:
    """duel-server.md 2: rules 0 and 1 play on at 1-0, 2 and 3 end it at the next side deck."""
    hall = Hall(rule=rule).begin().game()
    hall.room.start_death()
    hall.room.win("Alice")
    assert hall.room.death == after
    hall.room.send_deck("Bob", DECK)
    assert hall.room.finished_by_death == ends


def test_rule_3_compares_at_each_phase() -> None:
    """duel-server.md 2: -2; -1 after the first equal one; it is shown as Death."""
    hall = Hall(rule=3).begin().game()
    hall.room.next_phase()
    hall.room.start_death()
    assert istart(hall.room) == "Duel:1 Turn:1/Death"
    hall.room.next_phase()
    assert hall.room.death == -1
    other = Hall(rule=3).begin().game()
    other.room.start_death()
    other.room.set_lp("Bob", 1)
    other.room.next_phase()
    assert other.room.score.wins == ["Alice"]


def test_sudden_death_is_compared_from_turn_2_on() -> None:
    """duel-server.md 2 and 10.c: A burns 500 in turn 1 => over when turn 2 begins."""
    hall = Hall("X1R1T1S", rule=1).begin()
    hall.room.start_death()
    hall.game()
    hall.room.set_lp("Bob", 7500)
    assert istart(hall.room) == "Duel:1 Turn:1/Death"
    hall.room.next_turn()
    assert hall.room.score.points == {"Alice": 1, "Bob": 0}


def test_dh_calls_death_by_itself() -> None:
    """duel-server.md 2: ``M,DH1#X`` 60 s after the first start; at 1-0 in siding it ends the match."""
    hall = Hall("M,DH1#X").begin().game()
    hall.room.win("Alice")
    hall.pass_time(59)
    assert not hall.room.finished_by_death
    hall.pass_time(1)
    assert hall.room.score.points == {"Alice": 1, "Bob": -1}


# Leaving


def test_before_the_start_a_seat_is_free_at_once() -> None:
    """duel-server.md 6: the other becomes host but keeps position 1; an empty room is gone."""
    hall = Hall()
    alice, bob = hall.enter("Alice", "Bob")
    hall.room.drop(alice)
    assert (hall.room.people.host, bob.pos) == (bob, 1)
    hall.enter("Carol")
    assert hall.room.people.named("Carol").pos == 0
    hall.room.drop("Carol")
    hall.room.drop("Bob")
    assert hall.room.deleted


def test_a_dropped_player_returns_with_his_first_deck() -> None:
    """duel-server.md 0-7, 6: order included; else he may try again; the game waits for him."""
    hall = Hall().begin().game()
    hall.room.drop("Bob")
    hall.room.next_turn()
    hall.room.surrender("Bob")
    assert (hall.room.turn, hall.room.frozen) == (1, True)
    backwards = Deck(main=DECK.main[::-1], side=DECK.side)
    assert not hall.room.come_back("Bob", backwards)
    assert hall.said()[-1] == "Please pick your previous deck."
    assert hall.room.come_back("Bob", DECK)
    assert hall.said()[-2:] == ["Reconnecting to server...", "Bob reconnected to the game"]
    hall.pass_time(100)
    assert hall.room.turn == 1
    hall.room.next_turn()
    assert hall.room.turn == 2


@pytest.mark.parametrize(
    ("prepare", "leaver", "points"),
    [
        (lambda: play("Alice").side().game(), "Bob", {"Alice": 1, "Bob": -9}),
        (lambda: Hall().begin(), "Bob", {"Alice": 0, "Bob": -9}),
        (lambda: play("Alice"), "Alice", {"Alice": -9, "Bob": 0}),
    ],
)
def test_who_never_returns_gets_minus_nine(
    prepare: Callable[[], Hall], leaver: str, points: dict[str, int]
) -> None:
    """duel-server.md 2 and 6: 90 s later, in the place of his wins."""
    hall = prepare()
    hall.room.drop(leaver)
    hall.pass_time(89)
    assert hall.room.score.points != points
    hall.pass_time(2)
    assert (hall.room.score.points, hall.room.deleted) == (points, True)
    assert f"{leaver} quited game" in hall.said()


def test_both_drop() -> None:
    """duel-server.md 2, 10.l: together both get -9; 0.3 s apart the second is not missed any more."""
    hall = play("Alice")
    hall.room.drop("Alice")
    hall.room.drop("Bob")
    hall.pass_time(95)
    assert hall.room.score.points == {"Alice": -9, "Bob": -9}
    hall = play("Alice")
    hall.room.drop("Bob")
    hall.pass_time(0.3)
    hall.room.drop("Alice")
    hall.pass_time(95)
    assert hall.room.score.points == {"Alice": 1, "Bob": -9}


def test_the_turn_clock_goes_on_for_a_dropped_player() -> None:
    """duel-server.md 5 and 6: MSG_WIN reason 3 when the time of a turn is over; ``TM`` sets it."""
    hall = Hall("M,TM61#X1").begin().game(2)
    hall.room.drop("Bob")
    hall.pass_time(61)
    won = next(event for event in hall.heard if isinstance(event, e.GameWon))
    assert (won.winner, won.reason) == (hall.room.people.named("Alice"), 3)
    untimed = Hall("M,TM0#X1").begin().game()
    untimed.pass_time(10_000)
    assert untimed.room.stage is Stage.DUELING


def test_a_kick_takes_the_scores_but_not_the_wins() -> None:
    """duel-server.md 0-4: both 0; wins hold the truth."""
    hall = play("Alice")
    hall.room.kick()
    assert (hall.room.score.points, hall.room.score.wins) == ({"Alice": 0, "Bob": 0}, ["Alice"])
    assert (hall.room.kicked, hall.room.deleted) == (True, True)


def test_a_crash_leaves_everything_as_it_was() -> None:
    """duel-server.md 0-5, 10.l: scores and stage stay; it is gone at once, and once only."""
    hall = play("Alice")
    hall.room.crash()
    hall.room.crash()
    assert (hall.room.score.points, hall.room.stage) == ({"Alice": 1, "Bob": 0}, Stage.SIDING)
    assert hall.heard.count(e.Deleted()) == 1


def test_an_exit_race_loses_the_last_win() -> None:
    """duel-server.md 10.0-1: the players saw a win, the scores say 0-0."""
    hall = Hall("X1R1T1").begin().game()
    hall.room.exit_race = True
    hall.room.win("Alice")
    hall.pass_time(1)
    assert (hall.room.score.points, hall.room.deleted) == ({"Alice": 0, "Bob": 0}, True)


def test_a_winning_card_ends_the_match() -> None:
    """duel-server.md 2: 99."""
    hall = Hall().begin().game()
    hall.room.win("Bob", 2, by_card=True)
    hall.pass_time(1)
    assert (hall.room.score.points, hall.room.deleted) == ({"Alice": 0, "Bob": 99}, True)


def test_two_of_one_nickname_share_a_score() -> None:
    """duel-server.md 0-9, 6: both sit down and play; the winner is unknowable."""
    hall = Hall()
    one, other = hall.enter("Same", "Same")
    for client in (one, other):
        hall.room.send_deck(client, DECK)
    hall.room.start(one)
    for winner in (one, other):
        hall.room.toss()
        hall.room.go_first(one)
        hall.room.win(winner)
        hall.room.send_deck(one, DECK)
        hall.room.send_deck(other, DECK)
    assert hall.room.score.points == {"Same": 2}
    assert hall.room.leader is None


# Decks


@pytest.mark.parametrize(
    ("name", "deck", "code"),
    [
        ("M#X", Deck(main=tuple(range(39))), 0x60000027),
        ("M#X", Deck(main=(*range(1, 40), 7, 7, 7)), 0x50000007),
        ("M#X", Deck(main=(*range(1, 40), 55144522)), 0x1349704A),
        ("M,NF#X", Deck(main=(*range(1, 40), 55144522)), None),
        ("M,LF2#X", Deck(main=(*range(1, 40), 55144522)), 0x1349704A),
        ("M,NF#X", Deck(main=tuple(range(39))), 0x60000027),
        ("M,NC#X", Deck(main=tuple(range(39))), None),
    ],
)
def test_bad_decks_are_refused_with_their_code(name: str, deck: Deck, code: int | None) -> None:
    """duel-server.md 6: 39 cards, 4 copies, Pot of Greed; ``NF`` lifts the list only, ``NC`` all of it."""
    hall = Hall(name)
    hall.rules.forbidden = frozenset({55144522})
    [alice] = hall.enter("Alice")
    hall.room.send_deck("Alice", deck)
    refused = [event.code for event in hall.heard if isinstance(event, e.DeckRefused)]
    assert (refused, alice.ready) == (([], True) if code is None else ([code], False))


def test_a_deck_sent_while_ready_is_ignored() -> None:
    """duel-server.md 5: HS_NOTREADY first."""
    hall = Hall()
    [alice] = hall.enter("Alice")
    hall.room.send_deck("Alice", DECK)
    hall.room.send_deck("Alice", SIDED)
    assert alice.first_deck == DECK
    hall.room.unready("Alice")
    hall.room.send_deck("Alice", SIDED)
    assert alice.first_deck == SIDED


def test_only_the_host_starts_and_only_with_both_ready() -> None:
    """duel-server.md 6: HS_START."""
    hall = Hall()
    hall.enter("Alice", "Bob")
    hall.room.send_deck("Alice", DECK)
    hall.room.start("Alice")
    hall.room.send_deck("Bob", DECK)
    hall.room.start("Bob")
    before = hall.room.stage
    hall.room.start("Alice")
    assert (before, hall.room.stage) == (Stage.BEGIN, Stage.FINGER)


def test_a_wrong_side_deck_may_be_sent_again() -> None:
    """duel-server.md 6: ERROR_MSG msg 3 code 0; both must side before duel 2."""
    hall = play("Alice")
    hall.room.send_deck("Bob", Deck(main=DECK.main[:-1], side=DECK.side))
    [refused] = [event for event in hall.heard if isinstance(event, e.DeckRefused)]
    assert (refused.msg, refused.code, hall.room.stage) == (3, 0, Stage.SIDING)
    assert hall.side().room.stage is Stage.FIRSTGO


@pytest.mark.parametrize("passes", [True, False])
def test_a_registered_deck_is_enforced_in_tournament_mode(*, passes: bool) -> None:
    """duel-server.md 3: order does not matter, main/side split does; the texts."""
    hall = Hall()
    hall.rules.deck_lock = True
    shuffled = Deck(main=DECK.main[::-1], side=DECK.side if passes else ())
    alice = Client(nick=read_nick("Alice"), registered=Registered(id="P1", name="12345+Alice", deck=shuffled))
    hall.room.enter(alice)
    hall.room.send_deck("Alice", DECK)
    assert alice.ready == passes
    if passes:
        assert hall.said() == ["Your deck 12345+Alice has passed the deck check for this tournament."]
    else:
        assert hall.said()[0].startswith(
            "The deck you are using is not the same as your submitted deck 12345+Alice . Please make sure"
        )
        assert hall.heard[-1] == e.DeckRefused(client=alice, msg=2, code=0)


def test_without_tournament_mode_a_registered_deck_is_ignored() -> None:
    """duel-server.md 3: silently, seen."""
    hall = Hall()
    other = Deck(main=tuple(range(50, 90)))
    alice = Client(nick=read_nick("Alice"), registered=Registered(id="P1", name="P1+Alice", deck=other))
    hall.room.enter(alice)
    hall.room.send_deck("Alice", DECK)
    assert alice.ready


# Others


def test_a_third_one_watches() -> None:
    """duel-server.md 6: position 7, his deck is ignored; after the start he is not in the list."""
    hall = Hall()
    *_, carol = hall.enter("Alice", "Bob", "Carol")
    hall.room.send_deck(carol, DECK)
    assert (carol.pos, carol.ready, carol in hall.room.people.listed) == (7, False, True)
    for name in ("Alice", "Bob"):
        hall.room.send_deck(name, DECK)
    hall.room.start("Alice")
    [late] = hall.enter("Dee")
    assert (late.pos, late in hall.room.people.listed) == (7, False)
    hall.room.drop(late)
    hall.room.drop(carol)
    assert [client.name for client in hall.room.people.everybody] == ["Alice", "Bob"]


@pytest.mark.parametrize(("challonge", "left"), [(False, "Alice"), (True, "Bob")])
def test_the_host_kicks_and_may_hit_himself(*, challonge: bool, left: str) -> None:
    """duel-server.md 3 and 6: with Challonge on HS_KICK removes the host."""
    hall = Hall()
    hall.rules.challonge = challonge
    hall.enter("Alice", "Bob")
    hall.room.evict("Bob")
    assert [client.name for client in hall.room.people.players] == [left]


def test_surrender_means_something_in_a_game_only() -> None:
    """duel-server.md 6: in siding or at the coin it has no effect."""
    hall = Hall().begin()
    hall.room.surrender("Bob")
    assert hall.room.stage is Stage.FINGER
    hall.game().room.surrender("Bob")
    hall.room.surrender("Bob")
    assert (hall.room.score.wins, hall.room.stage) == (["Alice"], Stage.SIDING)


def test_acts_that_do_not_fit_the_stage_mean_nothing() -> None:
    """duel-server.md 5 and 6: a game before the start, a first game twice, a kick or a deck in a duel."""
    hall = Hall()
    alice, _ = hall.enter("Alice", "Bob")
    hall.room.go_first("Alice")
    hall.room.set_lp("Alice", 1)
    hall.room.win("Alice")
    assert (hall.room.stage, alice.lp, hall.room.score.wins) == (Stage.BEGIN, 0, [])
    for name in ("Alice", "Bob"):
        hall.room.send_deck(name, DECK)
    hall.room.start("Alice")
    hall.game()
    heard = len(hall.heard)
    hall.room.send_deck("Alice", SIDED)
    hall.room.unready("Alice")
    hall.room.evict("Bob")
    hall.room.start("Alice")
    hall.room.toss()
    assert (len(hall.heard), hall.room.stage, alice.ready) == (heard, Stage.DUELING, True)
    hall.room.drop("Bob")
    heard = len(hall.heard)
    hall.room.drop("Bob")
    assert len(hall.heard) == heard


def test_no_life_points_left_loses_the_game() -> None:
    """duel-server.md 5: reason 1; the points are kept while siding."""
    hall = Hall().begin().game()
    hall.room.set_lp("Alice", -100)
    assert (hall.room.score.wins, hall.room.people.named("Alice").lp) == (["Bob"], 0)


def test_a_name_that_sits_nowhere_is_an_error_of_the_test() -> None:
    """The message says who sits there."""
    hall = Hall().begin().game()
    with pytest.raises(LookupError, match=r"'Carol'.*Alice"):
        hall.room.win("Carol")
