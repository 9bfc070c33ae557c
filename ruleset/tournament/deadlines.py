"""The clock of a tournament: deadlines as pure functions of the state (rules.md 5.1-5.3, 5.5).

Absolute moments in UTC milliseconds. What is frozen (a pause, a lost duel server) has no deadline; when it
goes on, the deadline has moved by the length of it.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from ruleset.ids import MINUTE_MS, SECOND_MS, Instant
from ruleset.tournament.round import UNSEEN, Presence, Round, Table
from ruleset.tournament.state import BEFORE_START, Tournament

BUTTON_COUNTS_MS: Final = 10 * MINUTE_MS
"""How long 报到 by button counts (5.5-5)."""
LEFT_ROOM_COUNTS_MS: Final = 60 * SECOND_MS
"""How long a player who left the waiting room still counts as present: a reconnect is no absence."""
NEVER: Final = Instant(2**62)


def next_deadline(state: Tournament) -> Instant | None:
    """Return when the alarm should come back; ``None``: not before another command.

    At a moment for which ``start_due`` holds the daemon starts the tournament, else it sends a ``Tick``.
    """
    soonest = min(_moments(state), default=NEVER)
    if soonest > max(_plans(state)) + state.settings.ends_after_ms:
        soonest = min(soonest, lapses_at(state))
    return soonest if soonest < NEVER else None


def start_due(state: Tournament, now: Instant) -> bool:
    """Say whether the tournament should start by itself now (T3, T4)."""
    return _start_at(state) <= now


def cap_due(state: Tournament, now: Instant) -> bool:
    """Say whether a ``Tick`` now would end tables by the hard cap (T10)."""
    played = state.round
    return played is not None and any(cap_at(state, played, table) <= now for table in _different(played))


def signin_opens_at(state: Tournament) -> Instant:
    """Return when players may sign in (R015)."""
    start = state.settings.start_at
    return state.published_at if start is None else Instant(start - state.settings.signin_opens_ms)


def signin_closes_at(state: Tournament) -> Instant:
    """Return when players may no longer sign in; ``NEVER`` without a start time (R016)."""
    start = state.settings.start_at
    return NEVER if start is None else Instant(start - state.settings.signin_closes_ms)


def late_at(state: Tournament, played: Round, table: Table) -> Instant:
    """Return the late limit of *table*; never behind its time-up (R067, 5.5-4)."""
    clock = state.settings.clock
    limit = clock.late_first_ms if played.number == 1 else clock.late_later_ms
    if _frozen(state, table):
        return NEVER
    return Instant(
        played.started_at + min(limit, clock.length_ms) + moved_ms(state, played, table) - table.ext_ms
    )


def absence_at(state: Tournament, played: Round, table: Table) -> Instant:
    """Return the first moment from the late limit on at which somebody is not there; ``NEVER``: both are."""
    if table.status != "waiting" or table.claimable_by is not None:
        return NEVER
    until = min(present_until(table.presence_a), present_until(table.presence_b))
    return NEVER if until == NEVER else max(late_at(state, played, table), until)


def time_up_at(state: Tournament, played: Round, table: Table) -> Instant:
    """Return when time is called for *table*; ``NEVER`` once it was, or when its match is over."""
    if table.time_called_at is not None or not table.unfinished or _frozen(state, table):
        return NEVER
    return Instant(played.started_at + state.settings.clock.length_ms + moved_ms(state, played, table))


def warnings(state: Tournament, played: Round) -> tuple[tuple[Instant, int], ...]:
    """Return when the players are still to be warned, and how many minutes are left then (S104)."""
    told = played.warned_min
    left = [m for m in state.settings.clock.warn_at_min if told is None or m < told]
    if not left or played.time_called_at is not None:
        return ()
    time_up = min((time_up_at(state, played, table) for table in _different(played)), default=NEVER)
    return () if time_up == NEVER else tuple((Instant(time_up - m * MINUTE_MS), m) for m in left)


def cap_at(state: Tournament, played: Round, table: Table) -> Instant:
    """Return the hard cap of *table*, counted from the real call (R066, 5.5-21); ``NEVER``: it has none."""
    cap = state.settings.clock.cap_ms
    if cap is None or table.time_called_at is None or not table.unfinished or _frozen(state, table):
        return NEVER
    return Instant(table.time_called_at + cap + moved_ms(state, played, table) - table.moved_at_call_ms)


def next_at(state: Tournament, played: Round) -> Instant:
    """Return when the gap ends (R064, T15); ``NEVER`` while a table is open or the clock is frozen."""
    if played.done_at is None or state.paused_at is not None:
        return NEVER
    moved = played.paused_ms + played.postponed_ms - played.moved_at_done_ms
    return Instant(max(played.done_at + state.settings.clock.gap_ms + moved, played.asked_until or 0))


def scores_until(state: Tournament, played: Round, table: Table) -> Instant:
    """Return up to when players may tell the result of *table* where the clock gates them (S114).

    That is when its time was called, or is over though nobody called it; in a pause it does not come nearer.
    """
    if table.time_called_at is not None:
        return table.time_called_at
    if _frozen(state, table):
        return NEVER
    return Instant(played.started_at + state.settings.clock.length_ms + moved_ms(state, played, table))


def lapses_at(state: Tournament) -> Instant:
    """Return when the tournament counts as ended because nothing has been paired or settled (S137)."""
    open_ = state.phase == "running" or state.phase in BEFORE_START
    if not open_ or state.lapsed_at is not None or not state.settings.ends_after_ms:
        return NEVER
    return Instant(max(*_plans(state), *_settled(state)) + state.settings.ends_after_ms)


def present_until(presence: Presence) -> Instant:
    """Return up to when a player counts as present; 0: he never was; ``NEVER``: he is in the room (R067)."""
    if presence.in_room:
        return NEVER
    pressed = 0 if presence.button_at is None else presence.button_at + BUTTON_COUNTS_MS
    left = 0 if presence.left_at is None else presence.left_at + LEFT_ROOM_COUNTS_MS
    return Instant(max(pressed, left))


def moved_ms(state: Tournament, played: Round, table: Table, now: Instant | None = None) -> int:
    """Return how far the deadlines of *table* have moved; with *now*, what is frozen up to then, too."""
    frozen = played.paused_ms if now is None else frozen_ms(state, played, now)
    away = table.lost_ms if now is None else away_ms(state, played, table, now)
    return frozen + played.postponed_ms + away + table.ext_ms


def frozen_ms(state: Tournament, played: Round, now: Instant) -> int:
    """Return for how long the host had paused *played*, up to *now*."""
    if state.paused_at is None:
        return played.paused_ms
    return played.paused_ms + max(0, now - max(state.paused_at, played.started_at))


def away_ms(state: Tournament, played: Round, table: Table, now: Instant) -> int:
    """Return for how long the duel server of *table* was away, up to *now*, the host's pauses not counted."""
    if table.lost_at is None:
        return table.lost_ms
    paused = frozen_ms(state, played, now) - table.frozen_at_loss_ms
    return table.lost_ms + max(0, now - table.lost_at - paused)


def _frozen(state: Tournament, table: Table) -> bool:
    return state.paused_at is not None or table.lost_at is not None


def _moments(state: Tournament) -> Iterator[Instant]:
    if state.lapsed_at is not None:
        return
    yield _start_at(state)
    if state.phase == "published":
        yield signin_opens_at(state)
    if state.phase == "signin_open":
        yield signin_closes_at(state)
    if state.phase == "running" and state.round is not None:
        yield from _round_moments(state, state.round)


def _start_at(state: Tournament) -> Instant:
    waits = state.phase in BEFORE_START and state.auto and state.paused_at is None
    if not waits or (state.phase == "held" and state.sign_ins <= state.held_at_sign_ins):
        return NEVER
    return NEVER if state.settings.start_at is None else state.settings.start_at


def _plans(state: Tournament) -> tuple[int, ...]:
    """Return when the tournament was created, is to start, was last unset and last paired (S137)."""
    paired = 0 if state.round is None else state.round.started_at
    return state.published_at, state.settings.start_at or 0, state.woken_at, paired


def _settled(state: Tournament) -> Iterator[int]:
    """Yield when something was settled: a round, or a table of the present one (S137)."""
    yield from (played.done_at or 0 for played in state.all_rounds())
    if state.round is not None:
        yield from (table.confirmed_at or 0 for table in state.round.tables.values())


def _round_moments(state: Tournament, played: Round) -> Iterator[Instant]:
    for table in _different(played):
        if table.asked_until is not None:
            yield table.asked_until
        if state.auto:
            yield absence_at(state, played, table)
            yield time_up_at(state, played, table)
            yield cap_at(state, played, table)
    if played.asked_until is not None:
        yield played.asked_until
    if state.auto:
        yield next_at(state, played)
        yield from (moment for moment, _ in warnings(state, played))


def _different(played: Round) -> Iterable[Table]:
    """Return the open tables; of those whose clock is the round's and where nobody is waited for, one."""
    plain, others = dict[str, Table](), list[Table]()
    for table in played.tables.values():
        status = table.status
        if status == "confirmed":
            continue
        seen = status == "waiting" and not table.presence_a is table.presence_b is UNSEEN
        apart = table.ext_ms or table.lost_ms or table.lost_at or table.time_called_at or table.asked_until
        if seen or apart:
            others.append(table)
        else:
            plain[status] = table
    return (*plain.values(), *others)
