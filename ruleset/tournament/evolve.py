"""How each event changes the state. Total: an event in the log is a fact and is never refused."""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from typing import Any, assert_never

from ruleset.ids import Instant, PlayerId, RoundNo, Seat, TableId
from ruleset.tournament import events as e
from ruleset.tournament.deadlines import away_ms, frozen_ms, moved_ms
from ruleset.tournament.state import EMPTY, Parked, Player, Presence, Round, Table, Tournament, Word


def replay(events: Iterable[e.Event], start: Tournament = EMPTY) -> Tournament:
    """Fold *events* over *start*."""
    return reduce(evolve, events, start)


def evolve(state: Tournament, event: e.Event) -> Tournament:  # noqa: C901, PLR0911, PLR0912, PLR0915  a case an event
    """Return the state after *event*."""
    match event:
        case e.TournamentPublished():
            return _published(event)
        case e.SettingsEdited():
            return _edited(state, event)
        case e.EnvironmentRefrozen():
            return replace(state, environment=event.environment, edition=state.edition + 1)
        case e.PlayerRegistered():
            player = Player(number=event.player, nickname=event.nickname, registered_at=event.at)
            return replace(state, players={**state.players, event.player: player})
        case e.PlayerWithdrawn():
            return replace(state, players={n: p for n, p in state.players.items() if n != event.player})
        case e.DeckSubmitted():
            status = "approved" if event.approved else "review"
            return _player(state, event.player, deck=event.deck, deck_status=status, remarks=event.remarks)
        case e.DeckApproved():
            return _player(state, event.player, deck_status="approved")
        case e.DeckRevoked():
            remarks = (event.why,) if event.why else ()
            return _player(state, event.player, deck_status="refused", remarks=remarks, signed_in=None)
        case e.SigninOpened():
            return replace(state, phase="signin_open")
        case e.SigninClosed():
            return replace(state, phase="signin_closed")
        case e.PlayerSignedIn():
            state = replace(state, sign_ins=event.sequence)
            return _player(state, event.player, signed_in=event.sequence)
        case e.StartHeld():
            return replace(state, phase="held", held_at_sign_ins=state.sign_ins)
        case e.TournamentStarted():
            return _started(state, event)
        case e.RoundPaired():
            return replace(state, rounds=(*state.rounds, _paired(state, event)))
        case e.PlayerPresent():
            return _presence(state, event.table, event.seat, button_at=event.at)
        case e.PlayerSeated():
            return _presence(state, event.table, event.seat, in_room=True)
        case e.PlayerLeft():
            return _presence(state, event.table, event.seat, in_room=False, left_at=event.at)
        case e.TableStarted():
            return _table(state, event.table, status="playing", claimable_by=None)
        case e.ScoreSeen():
            return _score_seen(state, event)
        case e.AbsenceClaimable():
            return _table(state, event.table, claimable_by=event.seat)
        case e.TimeCalled():
            return _time_called(state, event)
        case e.CapReached():
            for number in event.tables:
                state = _table(state, TableId(event.round_no, number), capped=True)
            return state
        case e.ReportFiled():
            reports = (*_at(state, event.table).reports, event.report)
            return _table(state, event.table, reports=reports)
        case e.PlayerReported():
            words = {
                **_at(state, event.table).words,
                event.seat: Word(outcome=event.outcome, wins=event.wins),
            }
            return _table(state, event.table, status="reported", words=words)
        case e.ResultConfirmed():
            return _confirmed(state, event)
        case e.ResultDisputed():
            return _table(state, event.table, status="disputed", dispute=event.why, result=None)
        case e.TableReopened():
            return _reopened(state, event)
        case e.ExtraGameOrdered():
            return _extra_game(state, event)
        case e.RoundFinished():
            return _finished_round(state, event)
        case e.RoundReopened():
            return _round(state, event.round_no, done_at=None, asked_until=None)
        case e.HostAsked():
            return _asked(state, event)
        case e.ClockPaused():
            return replace(state, paused_at=event.at)
        case e.ClockResumed():
            return _resumed(state, event.at)
        case e.AutoSwitched():
            return replace(state, auto=event.on)
        case e.RoundPostponed():
            played = state.rounds[event.round_no - 1]
            return _round(state, event.round_no, postponed_ms=played.postponed_ms + event.by_ms)
        case e.TableExtended():
            return _table(state, event.table, ext_ms=_at(state, event.table).ext_ms + event.by_ms)
        case e.ServerLost():
            return _lost(state, event)
        case e.ServerBack():
            return _back(state, event)
        case e.PlayerDropped():
            return _player(state, event.player, dropped_in=RoundNo(len(state.rounds)))
        case e.DropUndone():
            return _player(state, event.player, dropped_in=None)
        case e.ReportParked():
            return _parked(state, event)
        case e.ParkedSettled():
            return replace(state, parked={k: v for k, v in state.parked.items() if k != event.id})
        case e.CutMade():
            return replace(state, swiss_ranks=event.swiss_ranks, seats=event.seats)
        case e.Rated():
            return _rated(state, event)
        case e.TournamentFinished():
            state = replace(state, swiss_ranks=event.swiss_ranks, places=event.places)
            return replace(state, phase="finished", ended_at=event.at)
        case e.RanksRevised():
            return replace(state, swiss_ranks=event.swiss_ranks, places=event.places)
        case e.TournamentCancelled():
            return replace(state, phase="cancelled", ended_at=event.at)
        case e.Announced():
            return state
    assert_never(event)


def _published(event: e.TournamentPublished) -> Tournament:
    return replace(
        EMPTY,
        number=event.number,
        phase="published",
        organiser=event.organiser,
        settings=event.settings,
        environment=event.environment,
        seed=event.seed,
        published_at=event.at,
        auto=event.settings.clock.auto,
    )


def _edited(state: Tournament, event: e.SettingsEdited) -> Tournament:
    before, after = state.settings.clock.auto, event.settings.clock.auto
    return replace(state, settings=event.settings, auto=state.auto if before == after else after)


def _started(state: Tournament, event: e.TournamentStarted) -> Tournament:
    entered = {p: replace(state.players[p], status="entered", dp_at_entry=dp) for p, dp in event.entrants}
    others = {p: replace(state.players[p], status="not_entered") for p, _ in event.not_entered}
    return replace(
        state,
        phase="running",
        players={**state.players, **others, **entered},
        entrants=tuple(p for p, _ in event.entrants),
        dp=dict(event.entrants),
        started_at=event.at,
    )


def _paired(state: Tournament, event: e.RoundPaired) -> Round:
    tables = {
        seating.table: Table(
            id=TableId(event.round_no, seating.table),
            a=seating.a,
            b=seating.b,
            server=seating.server,
            dp=(state.dp[seating.a], state.dp[seating.b]),
            lost_at=event.at if seating.server in state.lost_servers else None,
        )
        for seating in event.tables
    }
    return Round(
        number=event.round_no,
        stage=event.stage,
        started_at=event.at,
        tables=tables,
        byes=event.byes,
        walkovers=event.walkovers,
        slots=event.slots,
        rematches=event.rematches,
    )


def _score_seen(state: Tournament, event: e.ScoreSeen) -> Tournament:
    table = _at(state, event.table)
    one, two = event.wins[0] - table.wins[0], event.wins[1] - table.wins[1]
    new: list[Seat] = ["a"] * one
    new += ["b"] * two
    return _table(state, event.table, wins=event.wins, duel=event.duel, order=(*table.order, *new))


def _time_called(state: Tournament, event: e.TimeCalled) -> Tournament:
    played = state.rounds[event.round_no - 1]
    tables = dict(played.tables)
    for number in event.tables:
        table = tables[number]
        moved = moved_ms(state, played, table, event.at)
        tables[number] = replace(table, time_called_at=event.at, moved_at_call_ms=moved)
    called = played.time_called_at or event.at
    return _round(state, event.round_no, tables=tables, time_called_at=called)


def _confirmed(state: Tournament, event: e.ResultConfirmed) -> Tournament:
    before = _at(state, event.table)
    return _table(
        state,
        event.table,
        status="confirmed",
        result=event.result,
        ruled=before.ruled or event.ruled,
        dispute="",
        claimable_by=None,
        lost_at=None,
        asked_until=None,
    )


def _reopened(state: Tournament, event: e.TableReopened) -> Tournament:
    return _table(
        state,
        event.table,
        status="playing",
        result=None,
        ruled=False,
        dispute="",
        wins=(0, 0),
        order=(),
        duel=0,
        carried=event.carried,
        reports=(),
        words={},
        capped=False,
        lost_at=None,
        asked_until=None,
    )


def _extra_game(state: Tournament, event: e.ExtraGameOrdered) -> Tournament:
    table = _at(state, event.table)
    return _table(
        state,
        event.table,
        status="playing",
        extra_games=table.extra_games + 1,
        tied_games=event.games,
        reports=(),
        reports_before=(*table.reports_before, *table.reports),
    )


def _finished_round(state: Tournament, event: e.RoundFinished) -> Tournament:
    played = state.rounds[event.round_no - 1]
    moved = frozen_ms(state, played, event.at) + played.postponed_ms
    return _round(state, event.round_no, done_at=event.at, moved_at_done_ms=moved)


def _asked(state: Tournament, event: e.HostAsked) -> Tournament:
    if event.question == "no_champion":
        return _round(state, event.round_no, asked_until=event.until)
    for number in event.tables:
        state = _table(state, TableId(event.round_no, number), asked_until=event.until)
    return state


def _resumed(state: Tournament, at: Instant) -> Tournament:
    played = state.round
    if played is not None:
        state = _round(state, played.number, paused_ms=frozen_ms(state, played, at))
    return replace(state, paused_at=None)


def _lost(state: Tournament, event: e.ServerLost) -> Tournament:
    state = replace(state, lost_servers={**state.lost_servers, event.server: event.since})
    played = state.rounds[-1]
    since = Instant(max(event.since, played.started_at))
    tables = dict(played.tables)
    for number, table in played.tables.items():
        if table.open and table.server == event.server and table.lost_at is None:
            frozen = frozen_ms(state, played, since)
            tables[number] = replace(table, lost_at=since, frozen_at_loss_ms=frozen)
    return _round(state, played.number, tables=tables)


def _back(state: Tournament, event: e.ServerBack) -> Tournament:
    state = replace(state, lost_servers={k: v for k, v in state.lost_servers.items() if k != event.server})
    played = state.rounds[-1]
    tables = dict(played.tables)
    for number in event.tables:
        table = tables[number]
        lost = away_ms(state, played, table, event.at)
        tables[number] = replace(table, lost_at=None, lost_ms=lost, asked_until=None)
    return _round(state, played.number, tables=tables)


def _parked(state: Tournament, event: e.ReportParked) -> Tournament:
    parked = Parked(
        id=event.id,
        candidates=event.candidates,
        names=event.names,
        why=event.why,
        report=event.report,
        at=event.at,
    )
    return replace(state, parked={**state.parked, event.id: parked})


def _rated(state: Tournament, event: e.Rated) -> Tournament:
    dp = dict(state.dp)
    for row in event.rows:
        dp[row.player] += row.delta
    state = replace(state, rows=(*state.rows, *event.rows), dp=dp)
    for table in dict.fromkeys(row.table for row in event.rows if row.table is not None):
        rows = tuple(row for row in event.rows if row.table == table and not row.reversal)
        state = _table(state, table, rated=rows)
    return state


def _presence(state: Tournament, table: TableId, seat: Seat, **changes: Any) -> Tournament:  # noqa: ANN401  fields of Presence
    before = _at(state, table)
    presence: Presence = replace(before.presence(seat), **changes)
    back = changes.get("in_room", True) and before.claimable_by not in {None, seat}
    claimable = None if back else before.claimable_by
    if seat == "a":
        return _table(state, table, presence_a=presence, claimable_by=claimable)
    return _table(state, table, presence_b=presence, claimable_by=claimable)


def _player(state: Tournament, number: PlayerId, **changes: Any) -> Tournament:  # noqa: ANN401  fields of Player
    players = {**state.players, number: replace(state.players[number], **changes)}
    return replace(state, players=players)


def _at(state: Tournament, table: TableId) -> Table:
    return state.rounds[table.round_no - 1].tables[table.table]


def _table(state: Tournament, table: TableId, **changes: Any) -> Tournament:  # noqa: ANN401  fields of Table
    played = state.rounds[table.round_no - 1]
    tables = {**played.tables, table.table: replace(played.tables[table.table], **changes)}
    return _round(state, table.round_no, tables=tables)


def _round(state: Tournament, number: RoundNo, **changes: Any) -> Tournament:  # noqa: ANN401  fields of Round
    played = replace(state.rounds[number - 1], **changes)
    return replace(state, rounds=(*state.rounds[: number - 1], played, *state.rounds[number:]))
