"""Teams: the list that counts, who is in which, and lists of players taken in at once (S107-S110, S115)."""

from collections import Counter
from collections.abc import Iterator, Mapping

from ruleset.errors import CommandRejected
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament import guards
from ruleset.tournament.state import Tournament


def add(state: Tournament, command: c.AddTeam) -> tuple[e.Event, ...]:
    """Put a team on the list. Refuses with ``empty_text``."""
    guards.not_ended(state)
    name = command.name.strip()
    if not name:
        raise CommandRejected("empty_text")
    return () if name in state.teams.values() else (_added(state, name),)


def remove(state: Tournament, command: c.RemoveTeam) -> tuple[e.Event, ...]:
    """Take a team off the list; its players stay, without it. Refuses with ``unknown_team``."""
    guards.not_ended(state)
    guards.known_team(state, command.team)
    return (e.TeamRemoved(team=command.team),)


def assign(state: Tournament, command: c.AssignTeam) -> tuple[e.Event, ...]:
    """Put a player into a team. Refuses with ``unknown_player``, ``unknown_team``."""
    guards.not_ended(state)
    player = guards.known_player(state, command.player)
    if command.team is not None:
        guards.known_team(state, command.team)
    label = command.label.strip()
    if (command.team, label) == (player.team, player.team_label):
        return ()
    return (e.TeamAssigned(player=command.player, team=command.team, label=label),)


def import_roster(state: Tournament, command: c.ImportRoster) -> tuple[e.Event, ...]:
    """Take in a list of players and teams (S110).

    Refuses with ``bad_rows``, each by its number with what is wrong, and ``list_full``.
    """
    guards.before_start(state)
    if problems := dict(_problems(state, command)):
        raise CommandRejected("bad_rows", rows=problems)
    limit = state.settings.registration.limit
    if limit and len(state.players.keys() | {line.player for line in command.lines}) > limit:
        raise CommandRejected("list_full", limit=limit)
    added = tuple(_new_teams(state, command))
    teams = {name: number for number, name in state.teams.items()} | {team.name: team.team for team in added}
    return (*added, *(event for line in command.lines for event in _taken(state, line, teams, command)))


def _problems(state: Tournament, command: c.ImportRoster) -> Iterator[tuple[int, str]]:
    """Yield the number of each line that cannot be taken, from 1 up, and why."""
    times = Counter(line.player for line in command.lines)
    for number, line in enumerate(command.lines, 1):
        if times[line.player] > 1:
            yield number, "player_twice"
        elif line.player not in state.players and line.player not in command.nicknames:
            yield number, "unknown_player"
        elif state.settings.teams.required and not line.team.strip():
            yield number, "team_required"


def _new_teams(state: Tournament, command: c.ImportRoster) -> Iterator[e.TeamAdded]:
    names = (name.strip() for name in (*command.teams, *(line.team for line in command.lines)))
    known = set(state.teams.values())
    new = dict.fromkeys(name for name in names if name and name not in known)
    for number, name in enumerate(new, state.teams_made + 1):
        yield e.TeamAdded(team=number, name=name)


def _added(state: Tournament, name: str) -> e.TeamAdded:
    return e.TeamAdded(team=state.teams_made + 1, name=name)


def _taken(
    state: Tournament, line: c.RosterLine, teams: Mapping[str, int], command: c.ImportRoster
) -> Iterator[e.Event]:
    player, team = state.players.get(line.player), teams.get(line.team.strip())
    if player is None:
        nickname = command.nicknames[line.player]
        yield e.PlayerRegistered(player=line.player, nickname=nickname, at=command.now)
    if team is not None and (player is None or team != player.team):
        label = "" if player is None else player.team_label
        yield e.TeamAssigned(player=line.player, team=team, label=label)
