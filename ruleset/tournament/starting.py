"""The start: who enters, N, the first round (R013, R019-R022, R057, T3, T4)."""

from typing import Literal

from ruleset.errors import CommandRejected
from ruleset.ids import Instant, PlayerId
from ruleset.pairing.bracket import truncated
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament import guards
from ruleset.tournament.deadlines import signin_closes_at, start_due
from ruleset.tournament.entering import unsigned
from ruleset.tournament.rounds import pair_first
from ruleset.tournament.state import Tournament
from ruleset.tournament.story import Story


def start(state: Tournament, command: c.Start) -> tuple[e.Event, ...]:
    """Freeze the field and pair round 1; with fewer than two the automatic start is held (T4).

    By hand refuses with ``too_few_players``, and with ``confirm_unsigned`` while somebody may still sign in.
    """
    if command.automatic:
        return _start(state, command) if start_due(state, command.now) else ()
    check_start(state, confirmed=command.confirmed, now=command.now)
    return _start(state, command)


def check_start(state: Tournament, *, confirmed: bool, now: Instant) -> None:
    """Refuse a start by hand for every reason but who is free: ask before players are reserved."""
    guards.before_start(state)
    signed, may_come = state.signed_in(), tuple(p.number for p in unsigned(state))
    if len(signed) < 2:
        raise CommandRejected("too_few_players", players=signed)
    if may_come and not confirmed and now < signin_closes_at(state):
        raise CommandRejected("confirm_unsigned", players=may_come)


def _start(state: Tournament, command: c.Start) -> tuple[e.Event, ...]:
    free = tuple(player for player in state.signed_in() if player in command.granted)
    if len(free) < 2 and command.automatic:
        return (e.StartHeld(at=command.now),)
    if len(free) < 2:
        raise CommandRejected("too_few_players", players=free)
    entrants = _truncated(state, free)
    story = Story(state)
    story.tell(
        e.TournamentStarted(
            entrants=tuple((player, command.granted[player]) for player in entrants),
            not_entered=_left_out(state, free, entrants),
            at=command.now,
        )
    )
    pair_first(story, command.now, command.free)
    return story.events


def _truncated(state: Tournament, free: tuple[PlayerId, ...]) -> tuple[PlayerId, ...]:
    """Keep the largest power of two in order of sign-in where the settings say so (R021)."""
    cuts = state.settings.format == "elimination" and state.settings.odd_field == "truncate"
    return truncated(free) if cuts else free


def _left_out(
    state: Tournament, free: tuple[PlayerId, ...], entrants: tuple[PlayerId, ...]
) -> tuple[tuple[PlayerId, Literal["not_signed_in", "elsewhere", "truncated"]], ...]:
    return tuple(
        (number, "truncated" if number in free else "elsewhere" if player.signed_in else "not_signed_in")
        for number, player in state.players.items()
        if number not in entrants
    )
