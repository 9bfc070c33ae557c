"""Swiss pairing (4.10): as close in points as can be without a rematch, chance inside by the round's key."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ruleset.errors import RulesetError
from ruleset.ids import PlayerId
from ruleset.pairing.contender import Contender, Wishes
from ruleset.pairing.exact import exact
from ruleset.pairing.neighbours import Neighbours
from ruleset.pairing.task import Found, Proof, Task, task
from ruleset.pairing.window import Hall
from ruleset.pairing.windows import Windows

WHOLE: Final = 64
"""Up to so many players an exact matching of everybody follows where neighbours do not do."""
LARGE: Final = 256
"""Up to so many it follows at least where windows prove nothing."""
REACH: Final = 64
"""Beyond, only players so near in the order are matched then."""
ANY: Final = Wishes()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A paired round."""

    tables: tuple[tuple[PlayerId, PlayerId], ...]
    """Most points first; the player with more points has seat A."""
    bye: PlayerId | None
    rematches: tuple[tuple[PlayerId, PlayerId], ...]
    """Tables that had to be made although the two have met (4.10-3)."""
    proof: Proof


def pair(players: Iterable[Contender], key: bytes, wishes: Wishes = ANY) -> Pairing:
    """Pair a round of the active *players* with its key (:func:`ruleset.seeds.round_key`).

    Legal is a round without a rematch and a second bye. If there is none: first nobody has a second bye while
    somebody has none, then as few rematches as possible, the oldest first (4.10-3).
    Raises RulesetError too_few_players: fewer than two.
    """
    job = task(players, key, wishes)
    if len(job.players) < 2:
        raise RulesetError("too_few_players", players=len(job.players))
    found = _found(job)
    return Pairing(
        tables=tuple([(a.player, b.player) for a, b in found.couples]),
        bye=None if found.bye is None else found.bye.player,
        rematches=tuple([(a.player, b.player) for a, b in found.couples if b.player in a.met]),
        proof=found.proof,
    )


def _found(job: Task) -> Found:
    neighbours = Neighbours(job)
    stuck = neighbours.mend()
    if not stuck:
        return Found(couples=neighbours.couples, bye=neighbours.bye, proof="all")
    return exact(job) if len(job.players) <= WHOLE else _by_windows(job, neighbours, stuck)


def _by_windows(job: Task, neighbours: Neighbours, stuck: list[int]) -> Found:
    windows = Windows(Hall(job, neighbours.couples, neighbours.bye))
    if windows.solve([windows.hall.couples[table] for table in stuck]):
        proof = _proof(windows, neighbours)
        if proof == "all" or len(job.players) > LARGE:
            return job.found([*windows.hall.couples, (windows.hall.bye, None)], proof)
    return exact(job, None if len(job.players) <= LARGE else REACH)


def _proof(windows: Windows, neighbours: Neighbours) -> Proof:
    """Tell whether the soft wishes are proven, too: none is hurt more than it must be, in a window or not."""
    hall, soft = windows.hall, windows.hall.task.wishes.soft
    hurt = (couple for couple in hall.couples if soft(*couple))
    outside = (couple for couple in hurt if not windows.touches(hall.span(couple)))
    needed = all(soft(a, b) <= neighbours.floor(a, b) for a, b in outside)
    return "all" if needed and set(windows.done.values()) == {"all"} else "score"
