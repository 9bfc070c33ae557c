"""What may happen in the directory. Pure: same state and command, same events."""

from collections.abc import Iterable
from typing import assert_never

from ruleset.directory import commands as c
from ruleset.directory import events as e
from ruleset.directory.nickname import normalised
from ruleset.directory.state import Contest, Directory, Player
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, TournamentNo


def decide(state: Directory, command: c.Command) -> tuple[e.Event, ...]:
    """Return the events that *command* causes in *state*; ``()`` if it changes nothing.

    Raises CommandRejected: bad_nickname, unknown_player, unknown_tournament, tournament_ended.
    """
    match command:
        case c.RegisterPlayer():
            number = PlayerId(len(state.players) + 1)
            return (e.PlayerRegistered(player=number, nickname=normalised(command.nickname)),)
        case c.RenamePlayer():
            return _rename(state, command)
        case c.ReserveTournament():
            return (e.TournamentReserved(tournament=TournamentNo(len(state.tournaments) + 1)),)
        case c.EnterPlayers():
            return _enter(state, command)
        case c.LeavePlayers():
            return _leave(state, command)
        case c.EndTournament():
            ended = _contest(state, command.tournament).ended
            return () if ended else (e.TournamentEnded(tournament=command.tournament),)
    assert_never(command)


def _rename(state: Directory, command: c.RenamePlayer) -> tuple[e.Event, ...]:
    nickname = normalised(command.nickname)
    if nickname == _player(state, command.player).nickname:
        return ()
    return (e.PlayerRenamed(player=command.player, nickname=nickname),)


def _enter(state: Directory, command: c.EnterPlayers) -> tuple[e.Event, ...]:
    if _contest(state, command.tournament).ended:
        raise CommandRejected("tournament_ended", tournament=command.tournament)
    granted, elsewhere = sorted_out(state, command.tournament, command.players)
    if all(_player(state, player).running is not None for player in granted):
        return ()
    return (
        e.PlayersEntered(tournament=command.tournament, granted=granted, elsewhere=elsewhere, at=command.now),
    )


def _leave(state: Directory, command: c.LeavePlayers) -> tuple[e.Event, ...]:
    inside = _contest(state, command.tournament).players
    leaving = tuple(player for player in dict.fromkeys(command.players) if player in inside)
    return (e.PlayersLeft(tournament=command.tournament, players=leaving),) if leaving else ()


def sorted_out(
    state: Directory, tournament: TournamentNo, players: Iterable[PlayerId]
) -> tuple[tuple[PlayerId, ...], tuple[tuple[PlayerId, TournamentNo], ...]]:
    """Part *players* into those that *tournament* may have and those that others have, with which (R057)."""
    granted: list[PlayerId] = []
    elsewhere: list[tuple[PlayerId, TournamentNo]] = []
    for player in dict.fromkeys(players):
        running = _player(state, player).running
        if running is None or running == tournament:
            granted.append(player)
        else:
            elsewhere.append((player, running))
    return tuple(granted), tuple(elsewhere)


def _player(state: Directory, player: PlayerId) -> Player:
    if (found := state.players.get(player)) is None:
        raise CommandRejected("unknown_player", player=player)
    return found


def _contest(state: Directory, tournament: TournamentNo) -> Contest:
    if (found := state.tournaments.get(tournament)) is None:
        raise CommandRejected("unknown_tournament", tournament=tournament)
    return found
