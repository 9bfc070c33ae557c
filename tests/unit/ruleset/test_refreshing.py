"""A list that is frozen anew."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament.decide import decide
from ruleset.tournament.decks import FrozenTable, Rechecked
from ruleset.tournament.state import EMPTY, Tournament
from tests.builders import (
    ENVIRONMENT,
    START,
    SWISS,
    after,
    deck_of,
    entered,
    minutes,
    numbers,
    publish,
    started,
)

NEWER = replace(ENVIRONMENT, key=SWISS.environment, list_name="2026.10", list_hash=2)
NICK = PlayerId(1)


def legal(count: int) -> Mapping[PlayerId, Rechecked]:
    """Return that nothing is wrong with the decks of the builders' players."""
    return {player: Rechecked(sha256=deck_of(player).sha256, verdict="legal") for player in numbers(count)}


def refresh(
    checked: Mapping[PlayerId, Rechecked], environment: FrozenTable = NEWER, at: float = -60
) -> c.RefreshEnvironment:
    """Return the command."""
    return c.RefreshEnvironment(environment=environment, checked=checked, now=minutes(at))


def one(verdict: str, *remarks: str, why: str = "") -> c.RefreshEnvironment:
    """Return the command where only player 1 has a deck in, with what the second look says of it."""
    found = Rechecked(sha256=deck_of(1).sha256, verdict=verdict, remarks=remarks, why=why)  # type: ignore[arg-type]
    return refresh({NICK: found})


def handed_in(verdict: str, *remarks: str) -> Tournament:
    """Return a tournament where player 1 has handed a deck in, and is signed in if it passed."""
    state = after(
        EMPTY,
        publish(),
        c.Register(player=NICK, nickname="Nick", now=minutes(-120)),
        c.SubmitDeck(player=NICK, deck=deck_of(1), verdict=verdict, remarks=remarks),  # type: ignore[arg-type]
    )
    return (
        after(state, c.SignIn(player=NICK, by_host=True, now=minutes(-45))) if verdict == "legal" else state
    )


def of_player(state: Tournament) -> tuple[str, tuple[str, ...], int | None]:
    """Return how the deck of player 1 stands, what is remarked of it, and his sign-in."""
    player = state.players[NICK]
    return player.deck_status, player.remarks, player.signed_in


def refusal(state: Tournament, command: c.Command) -> CommandRejected:
    """Return how *command* is refused."""
    with pytest.raises(CommandRejected) as caught:
        decide(state, command)
    return caught.value


def test_decks_that_are_still_legal_stay_as_they_are() -> None:
    """R045: one event says by what decks are judged from now on; the same table again changes nothing."""
    state = entered(4)
    command = refresh(legal(4))
    assert decide(state, command) == (e.EnvironmentRefrozen(environment=NEWER, at=minutes(-60)),)
    refreshed = after(state, command)
    assert (refreshed.environment, refreshed.edition, refreshed.players) == (NEWER, 1, state.players)
    assert decide(refreshed, refresh({})) == ()


def test_a_deck_that_is_illegal_now_is_refused_with_the_reasons() -> None:
    """R045, R014: the sign-in goes with it; another deck may be handed in."""
    state = after(handed_in("legal"), one("illegal", why="Mirror Force: 2 in main; the list allows 1"))
    assert of_player(state) == ("refused", ("Mirror Force: 2 in main; the list allows 1",), None)
    other = c.SubmitDeck(player=NICK, deck=deck_of(2), verdict="legal", edition=1)
    assert of_player(after(state, other))[0] == "approved"


def test_a_deck_that_waited_and_is_legal_now_passes() -> None:
    """R045, D44: nobody need look at it any more."""
    assert of_player(after(handed_in("review", "unknown: 1 × 5"), one("legal"))) == ("approved", (), None)


def test_a_deck_with_cards_that_nobody_knows_any_more_waits_for_the_host() -> None:
    """R045, R014, D44: as if it were handed in now; who is not approved is not signed in."""
    state = after(handed_in("legal"), one("review", "unknown: 1 × 5"))
    assert of_player(state) == ("review", ("unknown: 1 × 5",), None)
    waiting = handed_in("review", "unknown: 1 × 5")
    assert of_player(after(waiting, one("review", "unknown: 1 × 5"))) == of_player(waiting)
    more = one("review", "unknown: 1 × 5", "unknown: 2 × 6")
    assert of_player(after(waiting, more))[1] == ("unknown: 1 × 5", "unknown: 2 × 6")


def test_what_the_host_has_approved_he_need_not_approve_again() -> None:
    """R045, D44: unless there is something new to look at; what is no longer true is no longer remarked."""
    seen = handed_in("review", "pre-release: 1 × 7", "unknown: 1 × 5")
    approved = after(seen, c.ApproveDeck(player=NICK))
    approved = after(approved, c.SignIn(player=NICK, by_host=True, now=minutes(-45)))
    assert of_player(after(approved, one("review", "unknown: 1 × 5"))) == ("approved", ("unknown: 1 × 5",), 1)
    assert of_player(after(approved, one("review", "unknown: 1 × 6"))) == (
        "review",
        ("unknown: 1 × 6",),
        None,
    )


def test_a_deck_that_was_refused_stays_refused() -> None:
    """R014: only its player hands it in again."""
    state = after(handed_in("legal"), c.RevokeDeck(player=NICK, why="sleeves"))
    assert of_player(after(state, refresh({}))) == ("refused", ("sleeves",), None)


def test_no_deck_slips_through_unchecked() -> None:
    """R045: a deck that came, or changed, while the others were judged has the refresh asked for again."""
    state = entered(2)
    assert refusal(state, refresh(legal(1))).data == {"players": (PlayerId(2),)}
    other = {**legal(1), PlayerId(2): Rechecked(sha256="other", verdict="legal")}
    assert refusal(state, refresh(other)).code == "decks_changed"


def test_a_verdict_by_the_old_list_is_worth_nothing_after_the_refresh() -> None:
    """R045: a deck that was judged before and comes after is refused, to be judged again."""
    state = after(entered(1), c.Register(player=PlayerId(2), nickname="Late", now=minutes(-120)))
    state = after(state, refresh(legal(1)))
    late = c.SubmitDeck(player=PlayerId(2), deck=deck_of(2), verdict="legal")
    assert refusal(state, late).code == "judged_before"
    assert after(state, replace(late, edition=1)).players[PlayerId(2)].deck_status == "approved"


def test_a_list_is_refreshed_as_long_as_settings_are_edited() -> None:
    """R045, R056: until 12 hours before the start, without a start time until the start."""
    state = after(EMPTY, publish(replace(SWISS, start_at=START)))
    assert after(state, refresh({}, at=-12 * 60 - 1)).environment == NEWER
    assert refusal(state, refresh({}, at=-12 * 60)).code == "too_late_to_edit"
    assert refusal(started(4), refresh(legal(4))).code == "already_started"


def test_tournaments_of_one_list_keep_one_table() -> None:
    """D45, performance 6: each has its own copy in the log, and memory has one."""
    tables = (bytes(bytearray(b"all of it")) for _ in range(2))
    states = [after(EMPTY, replace(publish(), environment=replace(NEWER, table=table))) for table in tables]
    one, two = (state.environment for state in states)
    assert one is two
    assert one is not None
    assert one.table == b"all of it"


def test_the_environment_stays_the_same_one() -> None:
    """R045: its list is refreshed, another one is not put in its place."""
    edison = replace(NEWER, key="edison")
    assert refusal(entered(2), refresh(legal(2), edison)).code == "environment_fixed"
