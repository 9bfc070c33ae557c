"""A tournament under a run of events: what several of them change is copied once, not each time.

Most events concern one table or one player. Their round and the list of players are opened for changes when
the first comes and closed when somebody looks at the state, which never changes once it was looked at.
"""

from typing import Any

from ruleset.copies import replace
from ruleset.ids import PlayerId, TableId, TableNo
from ruleset.tournament import events as e
from ruleset.tournament.evolving.actions import may_be_action, remembered
from ruleset.tournament.evolving.players import OF_PLAYER
from ruleset.tournament.evolving.rounds import with_round
from ruleset.tournament.evolving.tables import OF_TABLE
from ruleset.tournament.evolving.whole import WHOLE
from ruleset.tournament.rows import RatingRow
from ruleset.tournament.state import Player, Round, Table, Tournament


class Draft:
    """Takes events in, one after the other. Total: an event in the log is a fact and is never refused."""

    __slots__ = ("_changes", "_dp", "_players", "_round", "_rows", "_state", "_tables", "_waiting_for")

    def __init__(self, state: Tournament) -> None:
        self._state = state
        self._changes: dict[str, Any] = {}
        self._players: dict[PlayerId, Player] | None = None
        self._round: Round | None = None
        self._tables: dict[TableNo, Table] = {}
        self._waiting_for = 0
        self._dp: dict[PlayerId, int] | None = None
        self._rows: list[RatingRow] = []

    @property
    def state(self) -> Tournament:
        """The tournament after all events so far."""
        self._close_round()
        if self._players is not None:
            self._changes["players"], self._players = self._players, None
        if self._dp is not None:
            self._changes["dp"], self._dp = self._dp, None
            self._changes["rows_by_round"] = _with_rows(self._state, self._rows)
            self._rows = []
        if self._changes:
            self._state = replace(self._state, **self._changes)
            self._changes = {}
        return self._state

    def tell(self, event: e.Event) -> None:
        """Let *event* happen."""
        if may_be_action(event):
            actions, last = remembered(self.state, event)
            self._changes |= {"actions": actions, "last_action": last}
        kind = type(event)
        if (of_table := OF_TABLE.get(kind)) is not None:
            before = self._table(event.table)  # type: ignore[union-attr,arg-type]  # those have one
            self._put(before, of_table(before, event))
        elif (of_player := OF_PLAYER.get(kind)) is not None:
            players = self._open_players()
            players[event.player] = of_player(players[event.player], event)  # type: ignore[union-attr]  # those have one
            if kind is e.PlayerSignedIn:
                self._changes["sign_ins"] = event.sequence  # type: ignore[union-attr]  # it has one
        elif isinstance(event, e.PlayerRegistered):
            self._open_players()[event.player] = _registered(event)
        elif isinstance(event, e.Rated):
            self._rate(event.rows)
        else:
            self._state = WHOLE[kind](self.state, event)

    def _open_players(self) -> dict[PlayerId, Player]:
        if self._players is None:
            self._players = dict(self._state.players)
        return self._players

    def _table(self, table: TableId) -> Table:
        if self._round is None or self._round.number != table.round_no:
            self._close_round()
            self._open_round(self._state.played(table.round_no))
        return self._tables[table.table]

    def _open_round(self, played: Round) -> None:
        self._round, self._tables, self._waiting_for = played, dict(played.tables), played.waiting_for

    def _put(self, before: Table, after: Table) -> None:
        self._tables[after.id.table] = after
        self._waiting_for += after.open - before.open

    def _close_round(self) -> None:
        if self._round is not None:
            played = replace(self._round, tables=self._tables, waiting_for=self._waiting_for)
            self._state, self._round = with_round(self._state, played), None

    def _rate(self, rows: tuple[RatingRow, ...]) -> None:
        """Change DP; at each table, the rows that are no reversals stand for its result from now on."""
        if self._dp is None:
            self._dp = dict(self._state.dp)
        standing: dict[TableId, list[RatingRow]] = {}
        for row in rows:
            self._dp[row.player] += row.delta
            if row.table is not None:
                standing.setdefault(row.table, [])
                if not row.reversal:
                    standing[row.table].append(row)
        self._rows.extend(rows)
        for table, new in standing.items():
            before = self._table(table)
            self._put(before, replace(before, rated=tuple(new)))


def _registered(event: e.PlayerRegistered) -> Player:
    return Player(number=event.player, nickname=event.nickname, registered_at=event.at)


def _with_rows(state: Tournament, rows: list[RatingRow]) -> tuple[tuple[RatingRow, ...], ...]:
    """Put *rows* into the last page; a round begins a new one, so that few are copied each time."""
    pages = state.rows_by_round
    pages = (*pages, *((),) * (len(state.rounds) - len(pages)))
    return (*pages[:-1], (*pages[-1], *rows))
