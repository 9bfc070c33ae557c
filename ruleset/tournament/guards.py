"""Checks that many commands share; each raises CommandRejected with its code."""

from collections.abc import Collection, Iterable

from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, Seat, TableId
from ruleset.tournament.state import BEFORE_START, Player, Round, Table, Tournament


def before_start(state: Tournament) -> None:
    """Refuse with ``already_started`` or ``ended``."""
    not_ended(state)
    if state.phase not in BEFORE_START:
        raise CommandRejected("already_started")


def running(state: Tournament) -> Round:
    """Return the present round; refuse with ``not_started`` or ``ended``."""
    not_ended(state)
    if state.phase != "running":
        raise CommandRejected("not_started")
    return state.current_round


def known_player(state: Tournament, number: PlayerId) -> Player:
    """Return the player; refuse with ``unknown_player``."""
    player = state.players.get(number)
    if player is None:
        raise CommandRejected("unknown_player", player=number)
    return player


def known_table(state: Tournament, table: TableId) -> Table:
    """Return the table, of any round; refuse with ``unknown_table``."""
    found = state.table(table)
    if found is None:
        raise CommandRejected("unknown_table", table=str(table))
    return found


def seated(table: Table, player: PlayerId) -> Seat:
    """Return where the player sits; refuse with ``not_at_table``."""
    seat = table.seat_of(player)
    if seat is None:
        raise CommandRejected("not_at_table", table=str(table.id), player=player)
    return seat


def unfinished(table: Table) -> None:
    """Refuse with ``table_decided`` when the match is over."""
    if not table.unfinished:
        raise CommandRejected("table_decided", table=str(table.id), status=table.status)


def known_team(state: Tournament, team: int) -> str:
    """Return the name of a team; refuse with ``unknown_team``."""
    name = state.teams.get(team)
    if name is None:
        raise CommandRejected("unknown_team", team=team)
    return name


def not_ended(state: Tournament) -> None:
    """Refuse with ``ended``."""
    if state.phase in {"finished", "cancelled"}:
        raise CommandRejected("ended", phase=state.phase)


def nobody_plays(played: Round) -> None:
    """Refuse with ``round_begun`` and the tables where somebody plays, or has played."""
    begun = tuple(str(table.id) for table in played.tables.values() if table.status != "waiting")
    if begun:
        raise CommandRejected("round_begun", tables=begun)


def free_to_play(players: Iterable[PlayerId], granted: Collection[PlayerId]) -> None:
    """Refuse with ``runs_elsewhere`` the first of *players* whom another tournament has by now (R057)."""
    for player in players:
        if player not in granted:
            raise CommandRejected("runs_elsewhere", player=player)


def own_way_out(state: Tournament, *, by_host: bool) -> None:
    """Refuse with ``ask_the_host`` what players may not do by themselves here (S138)."""
    if not (by_host or state.settings.self_forfeit):
        raise CommandRejected("ask_the_host")
