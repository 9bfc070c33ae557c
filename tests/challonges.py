"""Documents of Challonge as its API v1 gives them out, built from rounds."""

import json
from collections.abc import Sequence
from typing import Any

Score = tuple[str, str, str]
"""First player, second player, score as ``2-1``; a tie has equal numbers."""


def swiss(
    rounds: Sequence[Sequence[Score]], names: Sequence[str], kind: str = "swiss", **more: Any
) -> dict[str, Any]:
    """Return a finished event; players are named by their seeds, from 1 up, in order of *names*."""
    ids = {name: 900 + place for place, name in enumerate(names)}
    matches = [
        match(ids[a], ids[b], number, score)
        for number, played in enumerate(rounds, 1)
        for a, b, score in played
    ]
    return event(names, matches, kind, **more)


def event(names: Sequence[str], matches: Sequence[dict[str, Any]], kind: str, **more: Any) -> dict[str, Any]:
    """Return an event; ids are 900 and up, by seed."""
    people = [
        {"participant": {"id": 900 + place, "name": name, "seed": place + 1, "active": True, "misc": None}}
        for place, name in enumerate(names)
    ]
    told = {
        "id": 1,
        "name": "Old Cup",
        "tournament_type": kind,
        "state": "complete",
        "pts_for_match_win": "1.0",
        "pts_for_match_tie": "0.5",
        "pts_for_bye": "1.0",
        "started_at": "2024-05-01T12:00:00.000+08:00",
        "completed_at": "2024-05-01T18:30:00.000+08:00",
        "participants": people,
        "matches": [{"match": one} for one in matches],
    }
    return {"tournament": told | more}


def match(a: int | None, b: int | None, number: int, score: str, **more: Any) -> dict[str, Any]:
    """Return a match that is over."""
    first, second = map(int, score.split("-"))
    won = a if first > second else b if second > first else None
    told = {"player1_id": a, "player2_id": b, "winner_id": won, "round": number, "scores_csv": score}
    return {"id": 1, "state": "complete", "group_id": None, "forfeited": None, **told, **more}


def file_of(told: object) -> bytes:
    """Return it as a file."""
    return json.dumps(told).encode()
