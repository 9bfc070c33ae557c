"""How events change a round, its clock and all of its tables."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from sys import intern
from typing import Any, Final, TypeAlias

from ruleset.copies import replace
from ruleset.ids import PLAYOFF, Instant, PlayerId, RoundNo, ServerId, TableId, TableNo
from ruleset.tournament import events as e
from ruleset.tournament.deadlines import away_ms, frozen_ms, moved_ms
from ruleset.tournament.evolving.tables import reopened
from ruleset.tournament.state import Round, Table, Tournament

OfTournament: TypeAlias = Callable[[Tournament, Any], Tournament]
_BLANK: Final = Table(id=TableId(PLAYOFF, TableNo(0)), a=PlayerId(0), b=PlayerId(0), server=None, dp=(0, 0))
"""What is not said of a table when it is paired; a copy takes a third of the time of a new one."""


def with_round(state: Tournament, played: Round) -> Tournament:
    """Return *state* with *played* in the place of the round with its number."""
    if played.number == PLAYOFF:
        return replace(state, playoff=played)
    before, behind = state.rounds[: played.number - 1], state.rounds[played.number :]
    return replace(state, rounds=(*before, played, *behind))


def _changed(state: Tournament, number: RoundNo, **changes: Any) -> Tournament:  # noqa: ANN401  fields of Round
    return with_round(state, replace(state.played(number), **changes))


def _paired(state: Tournament, event: e.RoundPaired) -> Tournament:
    tables = {seating.table: _seated(state, event.round_no, seating, event.at) for seating in event.tables}
    return with_round(
        state,
        Round(
            number=event.round_no,
            stage=event.stage,
            started_at=event.at,
            tables=tables,
            waiting_for=len(tables),
            byes=event.byes,
            walkovers=event.walkovers,
            slots=event.slots,
            rematches=event.rematches,
        ),
    )


def _seated(state: Tournament, round_no: RoundNo, seating: e.Seating, at: Instant) -> Table:
    return replace(
        _BLANK,
        id=TableId(round_no, seating.table),
        a=seating.a,
        b=seating.b,
        server=None if seating.server is None else ServerId(intern(seating.server)),
        dp=(state.dp[seating.a], state.dp[seating.b]),
        lost_at=at if seating.server in state.lost_servers else None,
    )


def _pairing_changed(state: Tournament, event: e.PairingChanged) -> Tournament:
    """Seat players anew; who keeps his seat keeps what is known of his presence."""
    played = state.played(event.round_no)
    tables = dict(played.tables)
    for seating in event.tables:
        before = tables[seating.table]
        table = _seated(state, event.round_no, seating, event.at)
        if table.a == before.a:
            table = replace(table, presence_a=before.presence_a)
        if table.b == before.b:
            table = replace(table, presence_b=before.presence_b)
        tables[seating.table] = replace(table, ext_ms=before.ext_ms)
    return _changed(state, event.round_no, tables=tables, byes=event.byes, rematches=event.rematches)


def _unpaired(state: Tournament, event: e.RoundUnpaired) -> Tournament:
    """Take the last round back, with the cut if it was the first behind it; the gap before it begins anew."""
    if event.round_no == PLAYOFF:
        state = replace(state, playoff=None)
    else:
        *before, gone = state.rounds
        state = replace(state, rounds=tuple(before))
        if gone.stage == "elimination" and before and before[-1].stage != "elimination":
            state = replace(state, seats=(), swiss_ranks=())
    state = replace(state, last_action=None)
    last = state.round
    return state if last is None else _done(state, last.number, event.at)


def _done(state: Tournament, number: RoundNo, at: Instant) -> Tournament:
    played = state.played(number)
    moved = frozen_ms(state, played, at) + played.postponed_ms
    return _changed(state, number, done_at=at, moved_at_done_ms=moved)


def _finished(state: Tournament, event: e.RoundFinished) -> Tournament:
    return _done(state, event.round_no, event.at)


def _reopened(state: Tournament, event: e.RoundReopened) -> Tournament:
    return _changed(state, event.round_no, done_at=None, asked_until=None)


def _warned(state: Tournament, event: e.TimeWarned) -> Tournament:
    return _changed(state, event.round_no, warned_min=event.left_min)


def _time_called(state: Tournament, event: e.TimeCalled) -> Tournament:
    played = state.played(event.round_no)
    tables = {**played.tables, **dict(_called(state, played, event.tables, event.at))}
    called = played.time_called_at or event.at
    return _changed(state, event.round_no, tables=tables, time_called_at=called)


def _table_time_called(state: Tournament, event: e.TableTimeCalled) -> Tournament:
    played = state.played(event.table.round_no)
    tables = {**played.tables, **dict(_called(state, played, (event.table.table,), event.at))}
    return _changed(state, played.number, tables=tables)


def _called(
    state: Tournament, played: Round, numbers: Iterable[TableNo], at: Instant
) -> Iterator[tuple[TableNo, Table]]:
    """Yield tables as they are once their time was called."""
    for number in numbers:
        moved = moved_ms(state, played, table := played.tables[number], at)
        yield number, replace(table, time_called_at=at, moved_at_call_ms=moved)


def _capped(state: Tournament, event: e.CapReached) -> Tournament:
    return _tables(state, event.round_no, event.tables, capped=True)


def _asked(state: Tournament, event: e.HostAsked) -> Tournament:
    if event.question == "no_champion":
        return _changed(state, event.round_no, asked_until=event.until)
    return _tables(state, event.round_no, event.tables, asked_until=event.until)


def _tables(state: Tournament, number: RoundNo, chosen: tuple[TableNo, ...], **changes: Any) -> Tournament:  # noqa: ANN401  fields of Table
    tables = dict(state.played(number).tables)
    tables |= {table: replace(tables[table], **changes) for table in chosen}
    return _changed(state, number, tables=tables)


def _postponed(state: Tournament, event: e.RoundPostponed) -> Tournament:
    played = state.played(event.round_no)
    return _changed(state, event.round_no, postponed_ms=played.postponed_ms + event.by_ms)


def _paused(state: Tournament, event: e.ClockPaused) -> Tournament:
    return replace(state, paused_at=event.at)


def _resumed(state: Tournament, event: e.ClockResumed) -> Tournament:
    played = state.round
    if played is not None:
        state = _changed(state, played.number, paused_ms=frozen_ms(state, played, event.at))
    return replace(state, paused_at=None)


def _lost(state: Tournament, event: e.ServerLost) -> Tournament:
    state = replace(state, lost_servers={**state.lost_servers, event.server: event.since})
    played = state.current_round
    since = Instant(max(event.since, played.started_at))
    frozen = frozen_ms(state, played, since)
    lost = {
        number: replace(table, lost_at=since, frozen_at_loss_ms=frozen)
        for number, table in played.tables.items()
        if table.open and table.server == event.server and table.lost_at is None
    }
    return _changed(state, played.number, tables={**played.tables, **lost})


def _back(state: Tournament, event: e.ServerBack) -> Tournament:
    state = replace(state, lost_servers=_without(state.lost_servers, event.server))
    played = state.current_round
    back = {number: played.tables[number] for number in event.tables}
    tables = {
        number: replace(
            table, lost_at=None, lost_ms=away_ms(state, played, table, event.at), asked_until=None
        )
        for number, table in back.items()
    }
    return _changed(state, played.number, tables={**played.tables, **tables})


def _table_reopened(state: Tournament, event: e.TableReopened) -> Tournament:
    """Let a table play again: its clock goes on where it stopped, and a cap counts anew (T22, 5.5-8)."""
    played = state.played(event.table.round_no)
    before = played.tables[event.table.table]
    table = replace(
        reopened(before, event),
        lost_ms=away_ms(state, played, before, event.at),
        lost_at=event.at if before.server in state.lost_servers else None,
        frozen_at_loss_ms=frozen_ms(state, played, event.at),
    )
    if table.time_called_at is not None:
        moved = moved_ms(state, played, table, event.at)
        table = replace(table, time_called_at=event.at, moved_at_call_ms=moved)
    return _changed(
        state,
        played.number,
        tables={**played.tables, table.id.table: table},
        waiting_for=played.waiting_for + (not before.open),
    )


def _without(servers: Mapping[ServerId, Instant], server: ServerId) -> Mapping[ServerId, Instant]:
    return {id_: since for id_, since in servers.items() if id_ != server}


OF_ROUNDS: Final[Mapping[type[e.Event], OfTournament]] = {
    e.RoundPaired: _paired,
    e.PairingChanged: _pairing_changed,
    e.RoundUnpaired: _unpaired,
    e.RoundFinished: _finished,
    e.RoundReopened: _reopened,
    e.TimeWarned: _warned,
    e.TimeCalled: _time_called,
    e.TableTimeCalled: _table_time_called,
    e.CapReached: _capped,
    e.HostAsked: _asked,
    e.RoundPostponed: _postponed,
    e.ClockPaused: _paused,
    e.ClockResumed: _resumed,
    e.ServerLost: _lost,
    e.ServerBack: _back,
    e.TableReopened: _table_reopened,
}
