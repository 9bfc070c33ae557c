"""What somebody did last and can be undone, and how that puts back what was before.

Only what the action changed comes back. What is known since (reports, the clock, DP) stays.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from ruleset.copies import replace
from ruleset.ids import Instant, TableId
from ruleset.tournament import events as e
from ruleset.tournament.deadlines import frozen_ms, late_at, moved_ms
from ruleset.tournament.evolving.rounds import with_round
from ruleset.tournament.state import Action, Deed, Table, Tournament

Told: TypeAlias = Callable[[Any], bool]
_SINCE: Final = ("reports_before", "rated", "ext_ms", "lost_ms", "time_called_at", "moved_at_call_ms")
"""What a table keeps when its match is put back."""


def remembered(state: Tournament, event: e.Event) -> tuple[int, Action | None]:
    """Return how many actions there are with *event*, and the last, with what it changes in *state*."""
    made = _MADE[type(event)](state, event)
    if made is None:
        return state.actions, state.last_action
    return made.number, made


def undone(state: Tournament, event: e.ActionUndone) -> Tournament:
    """Return *state* with what the last action changed as it was."""
    action = state.last_action
    assert action is not None  # noqa: S101  the event is told only where there is one
    state = replace(state, last_action=None)
    if action.what == "extended":
        return _shortened(state, action)
    for table in action.tables:
        state = _put_back(state, table, event.at)
    players = {player.number: player for player in action.players}
    return replace(
        _round_back(state, action),
        players={**state.players, **players},
        settings=action.settings or state.settings,
        forbidden=action.forbidden if action.what == "pairs" else state.forbidden,
        auto=state.auto != (action.what == "auto"),
    )


def _round_back(state: Tournament, action: Action) -> Tournament:
    before = action.round
    if before is None:
        return state
    played = state.played(before.number)
    postponed = played.postponed_ms - action.by_ms
    return with_round(
        state, replace(played, postponed_ms=postponed, byes=before.byes, rematches=before.rematches)
    )


def _shortened(state: Tournament, action: Action) -> Tournament:
    table = _at(state, action.tables[0].id)
    return _with_table(state, replace(table, ext_ms=table.ext_ms - action.by_ms))


def _put_back(state: Tournament, before: Table, at: Instant) -> Tournament:
    now = _at(state, before.id)
    kept = {name: getattr(now, name) for name in _SINCE}
    reports = max(before.reports, now.reports, key=len)
    table = replace(before, reports=reports, lost_at=None, **kept)
    return _with_table(state, _in_time(state, table, now, at) if table.open else table)


def _in_time(state: Tournament, table: Table, now: Table, at: Instant) -> Table:
    """Return an open table that goes on *at* a moment; if it was closed *now*, its time stood still."""
    played = state.played(table.id.round_no)
    lost = table.server in state.lost_servers
    frozen = frozen_ms(state, played, at) if lost else table.frozen_at_loss_ms
    table = replace(table, lost_at=at if lost else None, frozen_at_loss_ms=frozen)
    if now.open:
        return table
    if table.status == "waiting" and late_at(state, played, table) <= at:
        table = replace(table, status="playing")  # nobody waits for a match that is said to be over
    if table.time_called_at is not None:
        moved = moved_ms(state, played, table, at)
        table = replace(table, time_called_at=at, moved_at_call_ms=moved)
    return table


def _with_table(state: Tournament, table: Table) -> Tournament:
    played = state.played(table.id.round_no)
    waiting_for = played.waiting_for + table.open - played.tables[table.id.table].open
    tables = {**played.tables, table.id.table: table}
    return with_round(state, replace(played, tables=tables, waiting_for=waiting_for))


def _at(state: Tournament, table: TableId) -> Table:
    return state.played(table.round_no).tables[table.table]


def _new(state: Tournament, what: Deed, **parts: Any) -> Action:  # noqa: ANN401  fields of Action
    return Action(number=state.actions + 1, what=what, **parts)


def _ruled(state: Tournament, event: e.ResultConfirmed) -> Action | None:
    """Remember a ruling; a match that is lost by a drop belongs to the drop."""
    before = _at(state, event.table)
    if event.ruled:
        return _new(state, "ruled", tables=(before,))
    last = state.last_action
    gone = last is not None and last.what == "dropped" and last.players[0].number in (before.a, before.b)
    return replace(last, tables=(*last.tables, before)) if last is not None and gone else None


def _reopened(state: Tournament, event: e.TableReopened) -> Action | None:
    """Remember what a judge takes back; a room that is started anew is no such thing (5.5-8)."""
    before = _at(state, event.table)
    return None if before.unfinished else _new(state, "reopened", tables=(before,))


def _dropped(state: Tournament, event: e.PlayerDropped) -> Action | None:
    players = (state.players[event.player],)
    return _new(state, "dropped", players=players) if event.why == "wish" else None


def _drop_undone(state: Tournament, event: e.DropUndone) -> Action:
    return _new(state, "drop_undone", players=(state.players[event.player],))


def _postponed(state: Tournament, event: e.RoundPostponed) -> Action:
    return _new(state, "postponed", round=state.played(event.round_no), by_ms=event.by_ms)


def _extended(state: Tournament, event: e.TableExtended) -> Action:
    return _new(state, "extended", tables=(_at(state, event.table),), by_ms=event.by_ms)


def _auto(state: Tournament, _event: e.AutoSwitched) -> Action:
    return _new(state, "auto")


def _edited(state: Tournament, _event: e.SettingsEdited) -> Action:
    return _new(state, "edited", settings=state.settings)


def _steered(state: Tournament, _event: e.Event) -> Action:
    return _new(state, "steered", settings=state.settings)


def _deck(state: Tournament, event: e.DeckApproved | e.DeckRevoked) -> Action:
    return _new(state, "deck", players=(state.players[event.player],))


def _team(state: Tournament, event: e.TeamAssigned) -> Action:
    return _new(state, "team", players=(state.players[event.player],))


def _pairs(state: Tournament, _event: e.Event) -> Action:
    return _new(state, "pairs", forbidden=state.forbidden)


def _swapped(state: Tournament, event: e.PairingChanged) -> Action:
    played = state.played(event.round_no)
    tables = tuple(played.tables[seating.table] for seating in event.tables)
    return _new(state, "swapped", round=played, tables=tables)


def _paired(state: Tournament, event: e.RoundPaired) -> Action | None:
    """Remember every pairing but the first, which is the start."""
    return _new(state, "paired") if event.round_no != 1 else None


_MADE: Final[Mapping[type[e.Event], Callable[[Tournament, Any], Action | None]]] = {
    e.ResultConfirmed: _ruled,
    e.TableReopened: _reopened,
    e.PlayerDropped: _dropped,
    e.DropUndone: _drop_undone,
    e.RoundPostponed: _postponed,
    e.TableExtended: _extended,
    e.AutoSwitched: _auto,
    e.SettingsEdited: _edited,
    e.RoundsChanged: _steered,
    e.RegistrationSwitched: _steered,
    e.CoHostsNamed: _steered,
    e.DeckApproved: _deck,
    e.DeckRevoked: _deck,
    e.TeamAssigned: _team,
    e.PairForbidden: _pairs,
    e.PairAllowed: _pairs,
    e.PairingChanged: _swapped,
    e.RoundPaired: _paired,
}


def may_be_action(event: e.Event) -> bool:
    """Say whether :func:`remembered` has to look at *event*; quick, since every event is asked."""
    if type(event) is e.ResultConfirmed:
        return event.ruled or event.result.reason == "drop"
    return type(event) in _MADE
