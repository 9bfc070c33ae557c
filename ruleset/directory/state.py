"""The state of the directory and how each event changes it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from typing import Final, assert_never

from ruleset.copies import replace
from ruleset.directory import events as e
from ruleset.directory.numbered import Numbered
from ruleset.ids import PlayerId, TournamentNo


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A player number."""

    nickname: str
    running: TournamentNo | None = None
    """The tournament that has him; others must do without (R057)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A tournament number."""

    players: tuple[PlayerId, ...] = ()
    """Who runs there now."""
    ended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """Who is who and who is where; a number is a place in its sequence."""

    players: Numbered[Player] = field(default_factory=Numbered)
    tournaments: Numbered[Contest] = field(default_factory=Numbered)

    def open_tournaments(self) -> Iterator[TournamentNo]:
        """Yield the numbers of those that have not ended."""
        return (TournamentNo(n) for n, contest in enumerate(self.tournaments, 1) if not contest.ended)


EMPTY: Final = Directory()


def evolve(state: Directory, event: e.Event) -> Directory:
    """Return the state after *event*. Total: an event in the log is a fact and is never refused."""
    match event:
        case e.PlayerRegistered():
            return replace(state, players=state.players.plus(Player(nickname=event.nickname)))
        case e.PlayerRenamed():
            return _rename(state, event)
        case e.TournamentReserved():
            return replace(state, tournaments=state.tournaments.plus(Contest()))
        case e.PlayersEntered():
            return _enter(state, event)
        case e.PlayersLeft():
            return _leave(state, event)
        case e.TournamentEnded():
            return _end(state, event)
    assert_never(event)


def replay(events: Iterable[e.Event], start: Directory = EMPTY) -> Directory:
    """Fold *events* over *start*."""
    return reduce(evolve, events, start)


def _rename(state: Directory, event: e.PlayerRenamed) -> Directory:
    player = replace(state.players.row(event.player), nickname=event.nickname)
    return replace(state, players=state.players.put(event.player, player))


def _enter(state: Directory, event: e.PlayersEntered) -> Directory:
    contest = state.tournaments.row(event.tournament)
    inside = tuple(dict.fromkeys((*contest.players, *event.granted)))
    return _with(state, event.tournament, replace(contest, players=inside), event.granted, event.tournament)


def _leave(state: Directory, event: e.PlayersLeft) -> Directory:
    contest = state.tournaments.row(event.tournament)
    inside = tuple(player for player in contest.players if player not in event.players)
    return _with(state, event.tournament, replace(contest, players=inside), event.players, None)


def _end(state: Directory, event: e.TournamentEnded) -> Directory:
    players = state.tournaments.row(event.tournament).players
    return _with(state, event.tournament, Contest(ended=True), players, None)


def _with(
    state: Directory,
    number: TournamentNo,
    contest: Contest,
    moved: Iterable[PlayerId],
    running: TournamentNo | None,
) -> Directory:
    players = state.players
    for player in moved:
        players = players.put(player, replace(players.row(player), running=running))
    return replace(state, players=players, tournaments=state.tournaments.put(number, contest))
