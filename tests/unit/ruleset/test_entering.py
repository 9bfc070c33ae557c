"""From the list to the start: registration, decks, sign-in."""

from dataclasses import replace

import pytest

from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId
from ruleset.tournament import commands as c
from ruleset.tournament.decide import decide
from ruleset.tournament.state import EMPTY, Tournament
from tests.builders import START, SWISS, after, deck_of, entered, minutes, publish, started

TIMED = replace(SWISS, start_at=START)
P1, P2, P3 = PlayerId(1), PlayerId(2), PlayerId(3)
OPEN = after(EMPTY, publish(TIMED))


def register(player: PlayerId, at: float = -120) -> c.Register:
    """Return a registration."""
    return c.Register(player=player, nickname=f"N{player}", now=minutes(at))


def legal(player: PlayerId) -> c.SubmitDeck:
    """Return a legal deck."""
    return c.SubmitDeck(player=player, deck=deck_of(player), verdict="legal")


def code(state: Tournament, command: c.Command) -> str:
    """Return the code that *command* is refused with."""
    with pytest.raises(CommandRejected) as refusal:
        decide(state, command)
    return refusal.value.code


def test_registration_and_sign_in_are_two_steps() -> None:
    """R014: who is registered and has an approved deck still is not signed in."""
    state = after(OPEN, register(P1), legal(P1))
    assert state.players[P1].signed_in is None
    assert after(state, c.SignIn(player=P1, now=minutes(-50))).signed_in() == (P1,)


def test_registering_twice_changes_nothing_and_withdrawing_takes_off_the_list() -> None:
    """F08; the host can take players out before the start."""
    state = after(OPEN, register(P1))
    assert decide(state, register(P1, -1)) == ()
    assert after(state, c.Withdraw(player=P1)).players == {}
    assert code(OPEN, c.Withdraw(player=P1)) == "unknown_player"
    assert code(started(2), register(P3)) == "already_started"
    assert code(after(OPEN, c.Cancel(now=minutes(-1))), register(P3)) == "ended"


@pytest.mark.parametrize(("at", "code_"), [(-60.001, "signin_not_open"), (-30, "signin_closed")])
def test_players_sign_in_inside_the_half_open_window(at: float, code_: str) -> None:
    """R001, R015, R016: [60, 30) minutes before the start, on server time."""
    state = after(OPEN, register(P1), legal(P1))
    assert code(state, c.SignIn(player=P1, now=minutes(at))) == code_
    assert after(state, c.SignIn(player=P1, now=minutes(-60))).players[P1].signed_in == 1
    assert after(state, c.SignIn(player=P1, now=minutes(-30.001))).players[P1].signed_in == 1


def test_without_a_start_time_sign_in_is_open_at_once() -> None:
    """R015, R016: right after registration, until the host starts."""
    state = after(EMPTY, publish(), register(P1), legal(P1), c.SignIn(player=P1, now=minutes(-120)))
    assert state.signed_in() == (P1,)


def test_the_host_signs_in_until_the_start() -> None:
    """R017: after closing only he; only approved decks; never after the start (R018)."""
    state = after(OPEN, register(P1), register(P2), legal(P1))
    assert after(state, c.SignIn(player=P1, by_host=True, now=minutes(-1))).signed_in() == (P1,)
    assert code(state, c.SignIn(player=P2, by_host=True, now=minutes(-1))) == "deck_not_approved"
    assert code(started(2), c.SignIn(player=P1, by_host=True, now=START)) == "already_started"


def test_all_are_signed_in_by_time_of_registration() -> None:
    """R017: then by player number; who is signed in keeps his place; again changes nothing."""
    state = after(OPEN, register(P3, -130), register(P2, -120), register(P1, -120), legal(P1), legal(P2))
    state = after(state, legal(P3), register(PlayerId(4)), c.SignIn(player=P2, now=minutes(-59)))
    both = after(state, c.SignInAll(now=minutes(-59)))
    assert both.signed_in() == (P2, P3, P1)
    assert decide(both, c.SignInAll(now=minutes(-58))) == ()
    assert decide(both, c.SignIn(player=P1, now=minutes(-58))) == ()


def test_a_deck_that_has_passed_is_locked() -> None:
    """R071: the same again changes nothing, another one is refused."""
    state = after(OPEN, register(P1), legal(P1))
    assert decide(state, legal(P1)) == ()
    other = c.SubmitDeck(player=P1, deck=deck_of(99), verdict="legal")
    assert code(state, other) == "deck_locked"
    assert code(OPEN, legal(P1)) == "unknown_player"


def test_a_deck_in_review_waits_for_the_host() -> None:
    """D44, decisions 9: with its remarks; it may be replaced; approving twice changes nothing."""
    review = c.SubmitDeck(player=P1, deck=deck_of(1), verdict="review", remarks=("unknown card 123",))
    state = after(OPEN, register(P1), review)
    assert (state.players[P1].deck_status, state.players[P1].remarks) == ("review", ("unknown card 123",))
    assert decide(state, review) == ()
    assert after(state, c.SubmitDeck(player=P1, deck=deck_of(2), verdict="legal")).players[
        P1
    ].deck == deck_of(2)
    approved = after(state, c.ApproveDeck(player=P1))
    assert approved.players[P1].deck_status == "approved"
    assert decide(approved, c.ApproveDeck(player=P1)) == ()


def test_revoking_a_deck_revokes_the_sign_in() -> None:
    """R014: a sign-in afterwards has a new place in the order."""
    state = after(entered(2), c.RevokeDeck(player=P1, why="proxy"))
    player = state.players[P1]
    assert (player.deck_status, player.signed_in, player.remarks) == ("refused", None, ("proxy",))
    assert decide(state, c.RevokeDeck(player=P1)) == ()
    again = after(state, legal(P1), c.SignIn(player=P1, by_host=True, now=minutes(-40)))
    assert again.signed_in() == (P2, P1)


@pytest.mark.parametrize("command", [c.ApproveDeck(player=P1), c.RevokeDeck(player=P1)])
def test_there_must_be_a_deck(command: c.Command) -> None:
    """A look at nothing decides nothing."""
    assert code(after(OPEN, register(P1)), command) == "no_deck"
