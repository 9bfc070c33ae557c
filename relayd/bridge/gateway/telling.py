"""The tables that the plugin of a duel server is told, with everything that it needs to act by itself.

Also while the daemon is away: who belongs where, the frozen decks, how the room is made, whether death is on.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from relayd.bridge.tables import code_of
from relayd.neutral import neutral
from ruleset.ids import PlayerId, Seat, TableId, TournamentNo
from ruleset.tournament.decks import DeckList
from ruleset.tournament.seatkeys import key_of
from ruleset.tournament.settings import Settings
from ruleset.tournament.state import Player, Table, Tournament
from srvpro_bridge import protocol as p
from srvpro_bridge.capabilities import ServerFacts

NO_LIST: Final = -1
ALL_CARDS: Final = 5
"""srvpro's ``rule`` that lets cards of every region pass: the frozen deck decides, not the region (10.b)."""
LONGEST_TITLE: Final = 40


class _Known(NamedTuple):
    """What a told table was made from; while it is the same, so is the table."""

    table: Table
    players: Mapping[PlayerId, Player]
    settings: Settings


class Telling:
    """All present tables of one duel server, by code; made anew only where something changed."""

    def __init__(self, server: ServerFacts) -> None:
        self._server = server
        self._made: dict[tuple[TournamentNo, TableId], tuple[_Known, p.Table]] = {}

    def tables(self, running: Mapping[TournamentNo, Tournament]) -> Mapping[str, p.Table]:
        """Return the tables of all running rounds there; decided ones, too: nobody is led there any more."""
        before, self._made = self._made, {}
        for state in running.values():
            for table in () if state.phase != "running" else state.current_round.tables.values():
                if table.server == self._server.id:
                    self._tell(state, table, before.get((state.number, table.id)))
        return {told.code: told for _, told in self._made.values()}

    def _tell(self, state: Tournament, table: Table, before: tuple[_Known, p.Table] | None) -> None:
        known = _Known(table=table, players=state.players, settings=state.settings)
        same = before is not None and all(one is other for one, other in zip(known, before[0], strict=True))
        made = before[1] if before is not None and same else told_table(state, table, self._server)
        self._made[state.number, table.id] = (known, made)


def told_table(state: Tournament, table: Table, server: ServerFacts) -> p.Table:
    """Return *table* as the plugin of *server* is told."""
    code, extra = str(code_of(state.number, table)), table.extra_games > 0
    return p.Table(
        code=code,
        room=code,
        finished=not table.unfinished,
        a=_seat(state, table, "a"),
        b=_seat(state, table, "b"),
        options=_options(state.settings, server, best_of=1 if extra else state.best_of(table.id)),
        strangers="watch",
        seat_key=state.settings.seat_key,
        death=table.unfinished and table.time_called_at is not None and not extra,
        sudden_death=extra,
        carried=(0, 0) if extra else table.carried,
        welcome=_welcome(state, table),
    )


def _seat(state: Tournament, table: Table, seat: Seat) -> p.TableSeat:
    player = state.players[table.player(seat)]
    deck = p.AnyDeck() if player.deck is None else _frozen(player.deck)
    key = key_of(state, table.id, player.number)
    return p.TableSeat(player=player.number, nickname=player.nickname, key=key, deck=deck)


@lru_cache(maxsize=8_192)
def _frozen(deck: DeckList) -> p.FrozenDeck:
    return p.FrozenDeck(main=(*deck.main, *deck.extra), side=deck.side)


def _options(settings: Settings, server: ServerFacts, *, best_of: Literal[1, 3]) -> p.Options:
    """Return how the room is made; what the tournament does not say stays as the duel server has it.

    The extra game and the cut play-off are single duels (5.5-12, R033).
    """
    return p.Options(
        best_of=best_of,
        lflist=_list(settings.environment, server),
        rule=ALL_CARDS,
        time_limit=None,
        no_watch=None,
        no_check_deck=None,
        start_lp=None,
        start_hand=None,
        draw_count=None,
        duel_rule=None,
    )


def _list(environment: str, server: ServerFacts) -> int | None:
    """Return the place of the environment's list, from 0 up; none where the server has only others (D10)."""
    if not server.default_environment:
        return None
    if server.default_environment == environment:
        return 0
    place = dict(server.lists).get(environment)
    return NO_LIST if place is None else place - 1


def _welcome(state: Tournament, table: Table) -> str:
    a, b = (state.players[player].nickname for player in (table.a, table.b))
    return neutral(f"{state.settings.title[:LONGEST_TITLE]} · {table.id} · {a} – {b}")
