"""A tournament under a run of events: what they change of tables, players and DP is put in when asked for.

Most events concern one table or one player. Each changes that alone; the lists of all of them are copied once
for many events, when somebody looks at the whole state, which never changes once it was looked at.
"""

from typing import Any

from ruleset.copies import replace
from ruleset.ids import PlayerId, RoundNo, TableId, TableNo
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

    __slots__ = ("_changes", "_gains", "_opened", "_players", "_rows", "_tables", "_waiting_for", "frame")

    def __init__(self, state: Tournament) -> None:
        self.frame = state
        """The tournament; what is changed of tables, players and DP is not in it yet, all the rest is."""
        self._opened: Round | None = None
        self._tables: dict[TableNo, Table] = {}
        self._waiting_for = 0
        self._players: dict[PlayerId, Player] = {}
        self._gains: dict[PlayerId, int] = {}
        self._rows: list[RatingRow] = []
        self._changes: dict[str, Any] = {}

    @property
    def state(self) -> Tournament:
        """The tournament after all events so far."""
        self._close_round()
        if self._players:
            self._changes["players"] = {**self.frame.players, **self._players}
            self._players = {}
        if self._rows:
            self._changes["dp"] = {**self.frame.dp, **self._gains}
            self._changes["rows_by_round"] = _with_rows(self.frame, self._rows)
            self._gains, self._rows = {}, []
        if self._changes:
            self.frame = replace(self.frame, **self._changes)
            self._changes = {}
        return self.frame

    def table(self, table: TableId) -> Table:
        """Return a table as it is after all events so far."""
        opened = self._open(table.round_no)
        return self._tables.get(table.table) or opened.tables[table.table]

    def waiting_for(self, number: RoundNo) -> int:
        """Return how many tables of a round are open after all events so far."""
        self._open(number)
        return self._waiting_for

    def tell(self, event: e.Event) -> None:
        """Let *event* happen."""
        if may_be_action(event):
            actions, last = remembered(self.state, event)
            self._changes |= {"actions": actions, "last_action": last}
        kind = type(event)
        if (of_table := OF_TABLE.get(kind)) is not None:
            before = self.table(event.table)  # type: ignore[union-attr,arg-type]  # those have one
            self._put(before, of_table(before, event))
        elif (of_player := OF_PLAYER.get(kind)) is not None:
            player = self._player(event.player)  # type: ignore[union-attr]  # those have one
            self._players[player.number] = of_player(player, event)
            if isinstance(event, e.PlayerSignedIn):
                self._changes["sign_ins"] = event.sequence
        elif isinstance(event, e.PlayerRegistered):
            self._players[event.player] = _registered(event)
        elif isinstance(event, e.Rated):
            self._rate(event.rows)
        else:
            self.frame = WHOLE[kind](self.state, event)

    def _player(self, number: PlayerId) -> Player:
        return self._players.get(number) or self.frame.players[number]

    def _open(self, number: RoundNo) -> Round:
        if self._opened is None or self._opened.number != number:
            self._close_round()
            self._opened = self.frame.played(number)
            self._waiting_for = self._opened.waiting_for
        return self._opened

    def _put(self, before: Table, after: Table) -> None:
        self._tables[after.id.table] = after
        self._waiting_for += after.open - before.open

    def _close_round(self) -> None:
        if self._opened is not None and self._tables:
            tables = {**self._opened.tables, **self._tables}
            played = replace(self._opened, tables=tables, waiting_for=self._waiting_for)
            self.frame = with_round(self.frame, played)
            self._tables = {}
        self._opened = None

    def _rate(self, rows: tuple[RatingRow, ...]) -> None:
        """Change DP; at each table, the rows that are no reversals stand for its result from now on."""
        standing: dict[TableId, list[RatingRow]] = {}
        for row in rows:
            now = self._gains.get(row.player)
            self._gains[row.player] = (self.frame.dp[row.player] if now is None else now) + row.delta
            if row.table is not None:
                stand = standing.setdefault(row.table, [])
                if not row.reversal:
                    stand.append(row)
        self._rows.extend(rows)
        for table, new in standing.items():
            before = self.table(table)
            self._put(before, replace(before, rated=tuple(new)))


def _registered(event: e.PlayerRegistered) -> Player:
    return Player(number=event.player, nickname=event.nickname, registered_at=event.at)


def _with_rows(state: Tournament, rows: list[RatingRow]) -> tuple[tuple[RatingRow, ...], ...]:
    """Put *rows* into the last page; a round begins a new one, so that few are copied each time."""
    pages = state.rows_by_round
    pages = (*pages, *((),) * (len(state.rounds) - len(pages)))
    return (*pages[:-1], (*pages[-1], *rows))
