"""What the host still changes while it goes on; registration; the end by itself (S101, S105, S118, S137)."""

from dataclasses import replace
from typing import get_args

import pytest

from ruleset.errors import CommandRejected
from ruleset.ids import Instant, PlayerId, ServerId
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament.brackets import runs_for
from ruleset.tournament.deadlines import next_deadline
from ruleset.tournament.decide import DECIDES, decide
from ruleset.tournament.evolving.players import OF_PLAYER
from ruleset.tournament.evolving.tables import OF_TABLE
from ruleset.tournament.evolving.whole import WHOLE
from ruleset.tournament.ranking import standings
from ruleset.tournament.settings import RegistrationRules, Settings
from ruleset.tournament.state import EMPTY, Tournament
from tests.builders import (
    START,
    SWISS,
    after,
    all_won,
    deck_of,
    entered,
    minutes,
    play_out,
    publish,
    started,
    table_id,
    tables,
    won,
)

OPEN = replace(SWISS, rounds_locked=False)
WEEK = 7 * 24 * 60
LASTING = replace(SWISS, ends_after_ms=WEEK * 60_000)


def refused(state: Tournament, command: c.Command) -> CommandRejected:
    """Return the refusal of *command*."""
    with pytest.raises(CommandRejected) as refusal:
        decide(state, command)
    return refusal.value


def rounds(number: int, at: float = 9) -> c.SetRounds:
    """Return the wish for so many rounds."""
    return c.SetRounds(rounds=number, now=minutes(at))


# rounds


def test_rounds_can_be_raised_and_lowered_where_the_settings_leave_it_open() -> None:
    """S101, G2: fixed in xingyi, open in lingti."""
    done = all_won(started(4, OPEN), "a", minutes(5))
    assert after(done, rounds(1)).phase == "finished"
    more = after(done, rounds(5))
    assert (more.settings.rounds, decide(more, rounds(5))) == (5, ())
    assert refused(started(4), rounds(5)).code == "rounds_locked"


def test_lowering_hides_later_rounds_and_deletes_nothing() -> None:
    """S101: results are counted over the defined rounds; raising shows them again."""
    state = after(all_won(started(6, OPEN), "a", minutes(5)), c.Tick(now=minutes(8)))
    before = standings(state)
    state = after(state, won(tables(state)[0], "a", minutes(9)))
    hidden = after(state, rounds(1))
    assert (standings(hidden), len(hidden.rounds)) == (before, 2)
    shown = after(hidden, rounds(3))
    assert standings(shown) == standings(state)


@pytest.mark.parametrize(
    ("state", "number", "code"),
    [
        (started(4, OPEN), 0, "bad_rounds"),
        (started(4, OPEN), 100, "bad_rounds"),
        (started(4, Settings(title="Cup", format="elimination", rounds_locked=False)), 2, "no_first_stage"),
    ],
)
def test_not_every_number_of_rounds_can_be(state: Tournament, number: int, code: str) -> None:
    """S101."""
    assert refused(state, rounds(number)).code == code


def test_behind_the_cut_the_number_of_rounds_stands() -> None:
    """S101, R012: the bracket is drawn."""
    both = replace(OPEN, format="swiss_elimination", rounds=1, cut=2)
    cut = after(all_won(started(4, both), "a", minutes(5)), c.Tick(now=minutes(8)))
    assert refused(cut, rounds(3)).code == "cut_made"
    assert refused(after(started(2), c.Cancel(now=minutes(1))), rounds(3)).code == "ended"


# listed or not


def test_a_tournament_is_hidden_where_it_cannot_be_deleted() -> None:
    """S123, S133: at any time, also behind its end; results and DP stay."""
    end = play_out(started(10))
    hidden = after(end, c.SetVisibility(visibility="private"))
    assert (hidden.settings.visibility, hidden.dp, hidden.places) == ("private", end.dp, end.places)
    assert decide(hidden, c.SetVisibility(visibility="private")) == ()
    assert after(LAPSED, c.SetVisibility(visibility="private")).settings.visibility == "private"
    gone = after(EMPTY, publish(), c.Cancel(now=minutes(-1)), c.SetVisibility(visibility="private"))
    assert gone.settings.visibility == "private"


# co-hosts


def test_co_hosts_are_named_by_player_number_at_any_time() -> None:
    """S105: these and nobody else, each once."""
    state = after(started(2), c.SetCoHosts(players=(PlayerId(7), PlayerId(8), PlayerId(7))))
    assert state.settings.co_hosts == (7, 8)
    assert decide(state, c.SetCoHosts(players=(PlayerId(7), PlayerId(8)))) == ()
    assert after(state, c.SetCoHosts(players=())).settings.co_hosts == ()


# registration


def register(player: int, at: float = -120, *, by_host: bool = False) -> c.Register:
    """Return the wish to be on the list."""
    return c.Register(player=PlayerId(player), nickname=f"Nick{player}", by_host=by_host, now=minutes(at))


def test_registration_is_closed_by_a_switch_whatever_its_deadline() -> None:
    """S118, S119: the switch beats the deadline; the host adds players all the same."""
    until = replace(SWISS, registration=RegistrationRules(until=minutes(-60)))
    state = after(EMPTY, publish(until), c.SetRegistration(closed=True))
    assert refused(state, register(1)).code == "registration_closed"
    assert after(state, register(1, by_host=True)).players.keys() == {1}
    assert decide(state, c.SetRegistration(closed=True)) == ()
    opened = after(state, c.SetRegistration(closed=False))
    assert after(opened, register(1)).players.keys() == {1}
    assert refused(started(2), c.SetRegistration(closed=True)).code == "already_started"


def test_the_deadline_of_registration_is_half_open() -> None:
    """S119: server time."""
    state = after(EMPTY, publish(replace(SWISS, registration=RegistrationRules(until=minutes(-60)))))
    assert after(state, register(1, -60.001)).players.keys() == {1}
    assert refused(state, register(1, -60)).code == "registration_closed"


def test_the_list_may_have_an_end_and_holds_an_account_once() -> None:
    """S120, R013: one entry for an account is one for its player number."""
    state = after(EMPTY, publish(replace(SWISS, registration=RegistrationRules(limit=2))))
    state = after(state, register(1), register(2))
    assert decide(state, register(1)) == ()
    assert refused(state, register(3, by_host=True)).code == "list_full"


# the end by itself


def test_after_a_week_without_pairing_or_settling_it_has_ended() -> None:
    """S137: 7 x 24 h since the latest of creation, start time, last pairing, last settling."""
    state = after(EMPTY, publish(LASTING, now=START))
    assert next_deadline(after(state, c.Tick(now=START))) == minutes(WEEK)
    planned = after(EMPTY, publish(replace(LASTING, start_at=minutes(WEEK)), now=START))
    assert decide(planned, c.Tick(now=minutes(2 * WEEK - 1))) != ()
    assert after(planned, c.Tick(now=minutes(2 * WEEK - 1))).lapsed_at is None
    assert after(planned, c.Tick(now=minutes(2 * WEEK))).lapsed_at == minutes(2 * WEEK)
    playing = after(started(4, LASTING), c.SetAuto(on=False))
    assert next_deadline(playing) == minutes(WEEK)
    settled = after(playing, won(tables(playing)[0], "a", minutes(60)))
    assert next_deadline(settled) == minutes(WEEK + 60)
    done = after(settled, won(tables(settled)[1], "a", minutes(90)))
    assert next_deadline(done) == minutes(WEEK + 90)
    paired = after(done, c.NextRound(now=minutes(100)))
    assert next_deadline(paired) == minutes(WEEK + 100)


LAPSED = after(started(4, LASTING), c.SetAuto(on=False), c.Tick(now=minutes(WEEK)))


def test_what_has_ended_by_itself_takes_nothing_until_that_is_unset() -> None:
    """S137: no pairing, no settling, no scan-in; unset by hand, and the week begins anew."""
    assert (LAPSED.lapsed_at, next_deadline(LAPSED)) == (minutes(WEEK), None)
    assert decide(LAPSED, c.Tick(now=minutes(2 * WEEK))) == ()
    assert refused(LAPSED, won(tables(LAPSED)[0], "a", minutes(WEEK + 1))).code == "lapsed"
    assert refused(LAPSED, c.NextRound(now=minutes(WEEK + 1))).code == "lapsed"
    present = c.ReportPresent(table=table_id(1, 1), player=PlayerId(1), now=minutes(WEEK + 1))
    assert refused(LAPSED, present).code == "lapsed"
    for quiet in (
        c.SeeRoom(table=table_id(1, 1), seated=("a",), now=minutes(WEEK + 1)),
        c.LoseServer(server=ServerId("main"), since=START, now=minutes(WEEK + 1)),
    ):
        assert decide(LAPSED, quiet) == ()
    unset = c.UnsetEnded(granted=LAPSED.entrants, now=minutes(WEEK + 5))
    woken = after(LAPSED, unset)
    assert next_deadline(woken) == minutes(2 * WEEK + 5)
    assert decide(woken, unset) == ()
    assert refused(LAPSED, replace(unset, granted=LAPSED.entrants[1:])).code == "runs_elsewhere"
    assert after(LAPSED, c.Cancel(now=minutes(WEEK + 1))).phase == "cancelled"


def test_it_goes_on_without_those_for_whom_it_is_over() -> None:
    """S137, R057: who has dropped or is out of the bracket may play elsewhere."""
    cup = Settings(title="Cup", format="elimination", ends_after_ms=WEEK * 60_000)
    state = after(all_won(started(5, cup), "a", minutes(5)), c.Drop(player=PlayerId(1), now=minutes(6)))
    state = after(state, c.Tick(now=minutes(8)), c.SetAuto(on=False), c.Tick(now=minutes(WEEK + 8)))
    left = runs_for(state)
    assert set(left) == set(state.active()) - {table.b for table in state.rounds[0].tables.values()}
    assert after(state, c.UnsetEnded(granted=left, now=minutes(WEEK + 9))).lapsed_at is None
    early = after(EMPTY, publish(LASTING, now=START), c.Tick(now=minutes(WEEK)))
    assert after(early, c.UnsetEnded(now=minutes(WEEK + 1))).lapsed_at is None


def test_before_the_start_registration_goes_on() -> None:
    """S137 names pairing, settling and sign-in."""
    lapsed = after(EMPTY, publish(LASTING, now=START), c.Tick(now=minutes(WEEK)))
    listed = after(lapsed, register(1, WEEK + 1), c.Withdraw(player=PlayerId(1)), register(1, WEEK + 1))
    deck = c.SubmitDeck(player=PlayerId(1), deck=deck_of(1), verdict="legal")
    assert refused(listed, deck).code == "lapsed"


def test_after_a_restart_it_is_looked_at_first() -> None:
    """S137, 5.5-7: what was settled while the daemon was away keeps it alive."""
    state = after(started(4, LASTING), c.SetAuto(on=False))
    assert decide(state, c.Tick(held=True, now=minutes(WEEK))) == ()
    with_auto = started(4, LASTING)
    overdue = after(with_auto, c.Tick(now=minutes(WEEK)))
    assert (overdue.lapsed_at, overdue.rounds[0].done_at) == (None, minutes(WEEK))


def test_it_may_last_for_ever() -> None:
    """S137: 0 is never."""
    assert next_deadline(after(started(4), c.SetAuto(on=False))) is None
    assert next_deadline(after(started(2, LASTING), c.Cancel(now=minutes(1)))) is None


def test_every_command_has_its_function() -> None:
    """House 3: and every event is one that a state takes in, in one way."""
    assert DECIDES.keys() == set(get_args(c.Command))
    whole = {e.PlayerRegistered, e.Rated, *WHOLE}
    assert {*OF_TABLE, *OF_PLAYER, *whole} == set(get_args(e.Event))
    assert not OF_TABLE.keys() & OF_PLAYER.keys()


def test_signing_in_waits_for_the_window_not_for_registration() -> None:
    """S118, R017: a closed registration lets those who are on the list sign in."""
    state = after(entered(2), c.SetRegistration(closed=True), register(3, by_host=True))
    ready = after(state, c.SubmitDeck(player=PlayerId(3), deck=deck_of(3), verdict="legal"))
    assert PlayerId(3) in after(ready, c.SignIn(player=PlayerId(3), now=Instant(START - 1))).signed_in()
