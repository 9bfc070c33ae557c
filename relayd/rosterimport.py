"""What would come of a list of players and teams, before and when it is taken in (S110)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from relayd.neutral import neutral
from relayd.rosters import Line, Problem, Roster
from ruleset.copies import replace
from ruleset.errors import CommandRejected
from ruleset.ids import Instant, PlayerId, player_label
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament.decide import decide
from ruleset.tournament.state import Tournament

_OF_ROWS: Final = "bad_rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A player who comes to a team."""

    player: PlayerId
    nickname: str
    before: str
    """The team that he was in; empty: none."""
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What would come of it."""

    wish: c.ImportRoster
    problems: tuple[Problem, ...]
    """By row."""
    refusal: CommandRejected | None
    """What speaks against the list as a whole, as ``list_full`` or ``already_started``."""
    events: tuple[e.Event, ...]
    misnamed: tuple[Line, ...]
    """Lines that call a player otherwise than he is called: maybe another number was meant."""

    @property
    def changes(self) -> int:
        """How many things would be different."""
        return len(self.events)

    def sound(self) -> c.ImportRoster:
        """Return the command. Raises CommandRejected: ``bad_rows`` with each row's, or the refusal."""
        if self.problems:
            raise CommandRejected(_OF_ROWS, rows={problem.row: problem.what for problem in self.problems})
        if self.refusal is not None:
            raise self.refusal
        return self.wish


def outlook(state: Tournament, roster: Roster, nicknames: Mapping[PlayerId, str], now: Instant) -> Outlook:
    """Return what would come of a list in *state*; nothing is written."""
    known = {neutral(name): name for name in state.teams.values()}  # files hold that spelling of a name
    lines = tuple(replace(line, team=known.get(line.team, line.team)) for line in roster.told)
    wish = c.ImportRoster(lines=lines, teams=roster.teams, nicknames=nicknames, now=now)
    events, refusal = _decided(state, wish)
    problems = roster.problems + _of_rules(roster, refusal)
    return Outlook(
        wish=wish,
        problems=tuple(sorted(problems, key=lambda problem: problem.row)),
        refusal=None if refusal is not None and refusal.code == _OF_ROWS else refusal,
        events=events,
        misnamed=tuple(line for line in roster.lines if _misnamed(line, nicknames)),
    )


def known_nicknames(nickname: Callable[[PlayerId], str], roster: Roster) -> Mapping[PlayerId, str]:
    """Return the nicknames of those in the list whom the directory knows (ports.Players.nickname)."""
    found = dict[PlayerId, str]()
    for line in roster.told:
        try:
            found[line.player] = nickname(line.player)
        except CommandRejected:
            continue
    return found


def arrivals(found: Outlook) -> tuple[e.PlayerRegistered, ...]:
    """Return who would be entered."""
    return tuple(event for event in found.events if isinstance(event, e.PlayerRegistered))


def new_teams(found: Outlook) -> tuple[e.TeamAdded, ...]:
    """Return the teams that would come on the list."""
    return tuple(event for event in found.events if isinstance(event, e.TeamAdded))


def moves(state: Tournament, found: Outlook) -> tuple[Move, ...]:
    """Return who would come to which team."""
    names = {**state.teams, **{added.team: added.name for added in new_teams(found)}}
    assigned = [event for event in found.events if isinstance(event, e.TeamAssigned)]
    return tuple(_move(state, found, event, names) for event in assigned)


def _move(state: Tournament, found: Outlook, event: e.TeamAssigned, names: Mapping[int, str]) -> Move:
    player = state.players.get(event.player)
    return Move(
        player=event.player,
        nickname=found.wish.nicknames[event.player] if player is None else player.nickname,
        before="" if player is None or player.team is None else names[player.team],
        after="" if event.team is None else names[event.team],
    )


def _decided(state: Tournament, wish: c.ImportRoster) -> tuple[tuple[e.Event, ...], CommandRejected | None]:
    try:
        return decide(state, wish), None
    except CommandRejected as refusal:
        return (), refusal


def _of_rules(roster: Roster, refusal: CommandRejected | None) -> tuple[Problem, ...]:
    """Return what the rules have against lines, which they count from 1 up, by their rows in the file."""
    if refusal is None or refusal.code != _OF_ROWS:
        return ()
    rows = refusal.data["rows"]
    wrong: Iterable[tuple[int, str]] = rows.items() if isinstance(rows, dict) else ()
    return tuple(_problem(roster.lines[number - 1], what) for number, what in wrong)


def _problem(line: Line, what: str) -> Problem:
    if what == "team_required":
        return Problem(row=line.row, column="team", what=what)
    return Problem(row=line.row, column="player", what=what, cell=player_label(line.told.player))


def _misnamed(line: Line, nicknames: Mapping[PlayerId, str]) -> bool:
    known = nicknames.get(line.told.player)
    return bool(line.nickname) and known is not None and neutral(known).casefold() != line.nickname.casefold()
