"""Computes standings with one peer; runs where the peers are installed, and prints its time as JSON."""

import json
import sys
import time

from cardarena_tournament_core.common.models import Matchup, MatchupOutcome, Player, Round
from cardarena_tournament_core.scoring.yugioh import YuGiOh

instance = json.load(sys.stdin)
who = {p: Player(id=str(p), name=str(p)) for p in range(1, instance["size"] + 1)}


def outcome(won: int, lost: int) -> MatchupOutcome:
    """Return who won."""
    if won == lost:
        return MatchupOutcome.DRAW
    return MatchupOutcome.PLAYER1_WINS if won > lost else MatchupOutcome.PLAYER2_WINS


rounds = [
    Round(
        number,
        [
            Matchup(who[a], who.get(b), MatchupOutcome.PLAYER1_WINS if b is None else outcome(won, lost))
            for a, b, won, lost in tables
        ],
    )
    for number, tables in enumerate(instance["rounds"], 1)
]
start = time.thread_time()
rows = YuGiOh().calculate(rounds)
print(json.dumps({"ms": (time.thread_time() - start) * 1e3, "first": int(rows[0].player.id)}))
