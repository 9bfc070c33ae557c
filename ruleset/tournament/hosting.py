"""What a host may change of his settings while a tournament goes on (S101, S105, S118, S123, S133, S137)."""

from ruleset.errors import CommandRejected
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament import guards
from ruleset.tournament.brackets import runs_for
from ruleset.tournament.rounds import follow_up
from ruleset.tournament.soundness import MOST_ROUNDS
from ruleset.tournament.state import Tournament
from ruleset.tournament.story import Story


def set_rounds(state: Tournament, command: c.SetRounds) -> tuple[e.Event, ...]:
    """Let another number of rounds count (S101): of those that are played beyond it nothing is deleted.

    Refuses with ``rounds_locked``, ``bad_rounds``, ``cut_made`` and, in pure elimination, ``no_first_stage``.
    """
    guards.not_ended(state)
    if state.settings.rounds_locked:
        raise CommandRejected("rounds_locked")
    if state.settings.format == "elimination":
        raise CommandRejected("no_first_stage")
    if not 1 <= command.rounds <= MOST_ROUNDS:
        raise CommandRejected("bad_rounds", rounds=command.rounds, most=MOST_ROUNDS)
    if state.playoff is not None or state.seats:
        raise CommandRejected("cut_made")
    if command.rounds == state.settings.rounds:
        return ()
    story = Story(state)
    story.tell(e.RoundsChanged(rounds=command.rounds, at=command.now))
    follow_up(story, command.now)  # the round that is done may be the last one now
    return story.events


def set_registration(state: Tournament, command: c.SetRegistration) -> tuple[e.Event, ...]:
    """Close the registration or take that back (S118)."""
    guards.before_start(state)
    if command.closed == state.settings.registration.closed:
        return ()
    return (e.RegistrationSwitched(closed=command.closed),)


def set_visibility(state: Tournament, command: c.SetVisibility) -> tuple[e.Event, ...]:
    """List it or hide it, at any time; a finished one is hidden in the place of being deleted (S123)."""
    if command.visibility == state.settings.visibility:
        return ()
    return (e.VisibilitySet(visibility=command.visibility),)


def set_co_hosts(state: Tournament, command: c.SetCoHosts) -> tuple[e.Event, ...]:
    """Name the co-hosts (S105)."""
    guards.not_ended(state)
    players = tuple(dict.fromkeys(command.players))
    return () if players == state.settings.co_hosts else (e.CoHostsNamed(players=players),)


def unset_ended(state: Tournament, command: c.UnsetEnded) -> tuple[e.Event, ...]:
    """Let a tournament go on that had ended by itself; its week begins anew (S137).

    Refuses with ``runs_elsewhere`` while another tournament has somebody for whom it runs (R057).
    """
    if state.lapsed_at is None:
        return ()
    guards.free_to_play(runs_for(state), command.granted)
    return (e.EndUnset(at=command.now),)
