"""The clock of a tournament as it is shown: running, paused or only suggesting (R068)."""

from collections.abc import Callable, Iterable

from relayd.views.people import View
from ruleset.ids import Instant
from ruleset.tournament.deadlines import (
    NEVER,
    cap_at,
    late_at,
    next_at,
    next_deadline,
    signin_closes_at,
    signin_opens_at,
    time_up_at,
)
from ruleset.tournament.events import ClockResumed
from ruleset.tournament.evolve import evolve
from ruleset.tournament.state import Round, Table, Tournament


def clock(state: Tournament, now: Instant) -> View:
    """Return every deadline of the tournament and its present round.

    While the host has paused, as they would be if he resumed now. ``acts`` says whether they fire.
    """
    seen = resumed(state, now)
    return {
        "now": now,
        "auto": state.auto,
        "paused_at": state.paused_at,
        "acts": state.auto and state.paused_at is None,
        "next": next_deadline(state),
        "signin_opens_at": moment(signin_opens_at(seen)),
        "signin_closes_at": moment(signin_closes_at(seen)),
        "start_at": state.settings.start_at,
        "round": None if seen.round is None else _round(seen, seen.round),
    }


def table_clock(state: Tournament, table: Table) -> View:
    """Return the deadlines of a table of a state that is not paused; none once its match is over."""
    played = state.played(table.id.round_no)
    late = late_at(state, played, table) if table.status == "waiting" else NEVER
    return {
        "late_at": moment(late),
        "time_up_at": moment(time_up_at(state, played, table)),
        "time_called_at": table.time_called_at,
        "cap_at": moment(cap_at(state, played, table)),
        "extended_ms": table.ext_ms,
    }


def resumed(state: Tournament, now: Instant) -> Tournament:
    """Return *state* as if the host resumed now; the same if he has not paused."""
    return state if state.paused_at is None else evolve(state, ClockResumed(at=now))


def moment(deadline: Instant) -> Instant | None:
    """Return a deadline; ``None``: it never comes."""
    return deadline if deadline < NEVER else None


def _round(state: Tournament, played: Round) -> View:
    return {
        "round": played.number,
        "stage": played.stage,
        "started_at": played.started_at,
        "late_at": _first(state, played, late_at, (t for t in played.open_tables if t.status == "waiting")),
        "time_up_at": _first(state, played, time_up_at, played.open_tables),
        "time_called_at": played.time_called_at,
        "cap_at": _first(state, played, cap_at, played.open_tables),
        "done_at": played.done_at,
        "next_at": moment(next_at(state, played)),
        "asked_until": played.asked_until,
        "warned_min": played.warned_min,
        "postponed_ms": played.postponed_ms,
        "paused_ms": played.paused_ms,
    }


def _first(
    state: Tournament,
    played: Round,
    deadline: Callable[[Tournament, Round, Table], Instant],
    tables: Iterable[Table],
) -> Instant | None:
    return moment(min((deadline(state, played, table) for table in tables), default=NEVER))
