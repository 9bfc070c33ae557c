"""Which score a room reports to Challonge: always player 1 first (duel-server.md 3)."""

from srvpro_bridge.simulator.config import ChallongeLink
from srvpro_bridge.simulator.linking import OpenMatch
from srvpro_bridge.simulator.room import Room


def score_now(room: Room, match: OpenMatch, link: ChallongeLink) -> tuple[int, int]:
    """Return the scores of player 1 and player 2, marks included."""
    by_id = {
        player.registered.id: room.score.of(player) for player in room.people.players if player.registered
    }
    one, other = by_id[match.player1_id], by_id[match.player2_id]
    return (one, other) if link.post_detailed_score else (int(one > other), int(other > one))


def final_score(room: Room, match: OpenMatch, link: ChallongeLink) -> tuple[tuple[int, int], str]:
    """Return the scores with the winner's id, or ``tie``: whoever has more, also after a crash."""
    one, other = scores = score_now(room, match, link)
    winner = "tie" if one == other else match.player1_id if one > other else match.player2_id
    return scores, winner
