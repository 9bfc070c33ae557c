"""Players of a tournament, and their decks."""

from typing import TypeAlias

from ruleset.ids import PlayerId, player_label
from ruleset.tournament.ranking import team_ranking
from ruleset.tournament.state import Player, Tournament

View: TypeAlias = dict[str, object]


def person(state: Tournament, number: PlayerId) -> View:
    """Return who a player is: number, label, nickname at entry."""
    known = state.players.get(number)
    return {
        "player": number,
        "label": player_label(number),
        "nickname": "" if known is None else known.nickname,
    }


def player_rows(state: Tournament) -> list[View]:
    """Return everybody on the list, in order of registration."""
    return [_row(state, player) for player in state.players.values()]


def teams_view(state: Tournament) -> list[View]:
    """Return the teams that count: ranked, best first, or by number; with those who count for them."""
    ranked = {row.team: row for row in team_ranking(state)}
    numbers = [*ranked, *(team for team in state.teams if team not in ranked)]
    return [
        {
            "team": team,
            "name": state.teams[team],
            "players": [person(state, p.number) for p in state.players.values() if p.team == team],
            "rank": ranked[team].rank if team in ranked else None,
            "complete": ranked[team].complete if team in ranked else None,
            "counting": [person(state, p) for p in ranked[team].members] if team in ranked else [],
        }
        for team in numbers
    ]


def deck(state: Tournament, player: Player) -> View:
    """Return a player's deck, which only he and the judges may see, with what its check remarked."""
    held = player.deck
    return {
        **person(state, player.number),
        "status": player.deck_status,
        "remarks": list(player.remarks),
        "sha256": None if held is None else held.sha256,
        "main": [] if held is None else list(held.main),
        "extra": [] if held is None else list(held.extra),
        "side": [] if held is None else list(held.side),
    }


def _row(state: Tournament, player: Player) -> View:
    dp = state.dp.get(player.number)
    return {
        **person(state, player.number),
        "registered_at": player.registered_at,
        "deck": player.deck_status,
        "signed_in": player.signed_in,
        "status": player.status,
        "dropped_in": player.dropped_in,
        "dp": None if dp is None else {"at_entry": player.dp_at_entry, "now": dp},
    }
