"""Swiss pairing beside peers: time of the processor, faults, squared differences of the last round.

``--sizes 128 512`` chooses fields. Instead of measuring, ``--check 100000`` pairs so many rounds of 31 to
4096 players (as many tournaments of 31 to 62 as of 63 to 124 and so on) with drops and counts rematches and
second byes, and ``--optimal 5000`` compares so many rounds with exhaustive search (4 to 12 players) and with
one matching over the whole field (13 to 128). Exit code 1 if a goal is missed.
"""

import argparse
import gc
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from statistics import median
from typing import Any, Final

from benchmarks import peers
from benchmarks.instances import field_after, history
from ruleset import seeds
from ruleset.ids import RoundNo
from ruleset.pairing.contender import Contender
from ruleset.pairing.exact import exact
from ruleset.pairing.swiss import ANY, Pairing, pair
from ruleset.pairing.task import Proof, task
from tests.pairing_oracle import Cost, Play, best, cost_of

ROUNDS: Final = {128: 7, 512: 9, 1024: 10, 2048: 11, 4096: 12}
PEERS: Final = (
    "swisspair",
    "cardarena",
    "caissify",
    "py4swiss",
    "rustworkx",
    "networkx",
    "npm tournament-pairings",
)
TOLD_EVERY: Final = 1_000
"""Tournaments."""
LARGEST: Final = 4096
FASTER: Final = 10
HEAD: Final = ("players", "who", "ms", "ratio", "rematches", "byes wrong", "unpaired", "squared difference")


def main() -> None:
    """Print one table for all sizes, or check many rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[*ROUNDS])
    parser.add_argument("--check", type=int, default=0)
    parser.add_argument("--optimal", type=int, default=0)
    chosen = parser.parse_args()
    if chosen.check:
        sys.exit(check(chosen.check))
    if chosen.optimal:
        sys.exit(optimal(chosen.optimal))
    peers.install()
    print("  ".join(f"{title:>18}" for title in HEAD))
    goals: dict[str, bool] = {}
    for size in chosen.sizes:
        goals |= compare(size, ROUNDS.get(size, max(3, (size - 1).bit_length())))
    for goal, reached in goals.items():
        print(f"{'reached' if reached else 'MISSED':>8}  {goal}")
    sys.exit(not all(goals.values()))


def compare(size: int, rounds: int) -> Mapping[str, bool]:
    """Print a line for us and one for each peer, on the same tournament before its last round.

    Return what was to be reached (performance.md 1), and whether it was.
    """
    played = history(size, rounds - 1, seed=size)
    field = field_after(size, played)
    ours, found = _ours(field)
    tables = [(int(a), int(b)) for a, b in found.tables]
    wrong = faults(field, tables, found.bye)
    _line(size, "this project, p50", ours[len(ours) // 2], 1.0, wrong)
    _line(size, "this project, p99", ours[-1 - len(ours) // 100], 1.0, wrong)
    goals = {f"{size} players: everybody paired, no rematch, no wrong bye": not any(wrong[:3])}
    for peer in PEERS:
        answer = peers.ask("pairing", peer, {"size": size, "rounds": played})
        if isinstance(answer, str):
            print(f"{size:>18}  {peer:>18}  {answer:>18}")
            continue
        tables, ratio = [(a, b) for a, b in answer["tables"]], answer["ms"] / median(ours)
        _line(size, peer, answer["ms"], ratio, faults(field, tables, answer["bye"]))
        if (size, peer) == (LARGEST, "swisspair"):
            goals[f"{size} players: {FASTER} times as fast as swisspair"] = ratio >= FASTER
    return goals


def _ours(field: list[Contender]) -> tuple[list[float], Pairing]:
    """Return our times for a hundred keys, sorted, and the last pairing."""
    times, found = [], pair(field, b"warm")
    gc.collect()
    gc.freeze()
    for n in range(100):
        key = seeds.round_key(b"%d" % n, RoundNo(1))
        start = time.process_time()
        found = pair(field, key)
        times.append((time.process_time() - start) * 1e3)
    return sorted(times), found


def faults(
    field: list[Contender],
    tables: list[tuple[int, int]],
    bye: int | None,
) -> tuple[int, int, int, int]:
    """Return rematches, byes that are wrong, players without a table, and the sum of squared differences."""
    by = {int(contender.player): contender for contender in field}
    pairs = [(by[a], by[b]) for a, b in tables]
    unpaired = len(field) - 2 * len(tables) - (bye is not None)
    return (
        sum(b.player in a.met for a, b in pairs),
        int(bye is not None and by[bye].byes > 0),
        unpaired,
        sum((a.points - b.points) ** 2 for a, b in pairs),
    )


def _line(size: int, who: str, ms: float, ratio: float, counted: tuple[int, ...]) -> None:
    cells: tuple[Any, ...] = (size, who, f"{ms:.2f}", f"{ratio:.1f}", *counted)
    print("  ".join(f"{cell:>18}" for cell in cells))


def check(rounds: int) -> str | None:
    """Pair *rounds* rounds of random tournaments with drops; return what was wrong."""
    rng, proofs, wrong, start, sizes = Random(1), Counter[Proof](), 0, time.perf_counter(), list[int]()  # noqa: S311
    while proofs.total() < rounds:
        size = round(31 * (4096 / 31) ** rng.random())
        for players, found in _played(rng.randrange(1 << 30), size, (size - 1).bit_length(), drops=0.01):
            second = any(c.player == found.bye and c.byes for c in players)
            wrong += bool(found.rematches) + second
            proofs[found.proof] += 1
        sizes.append(size)
        if len(sizes) % TOLD_EVERY == 0 or proofs.total() >= rounds:
            took = f"{time.perf_counter() - start:.0f} s"
            print(
                f"{proofs.total()} rounds of {len(sizes)} tournaments of {min(sizes)} to {max(sizes)}", end=""
            )
            print(f" players in {took}, proven: {dict(proofs)}, faults {wrong}", flush=True)
    return f"{wrong} rounds have a rematch or a second bye" if wrong else None


def optimal(rounds: int) -> str | None:
    """Compare *rounds* rounds of each kind with the best of all pairings; return what was wrong."""
    wrong = 0
    for least, most, oracle in ((4, 12, _exhaustive), (13, 128, _whole)):
        rng, done = Random(least), 0  # noqa: S311
        while done < rounds:
            size = rng.randint(least, most)
            number = size - 1 if size <= 12 else 2 * size.bit_length()
            for players, found in _played(rng.randrange(1 << 30), size, number, drops=rng.choice((0, 0.03))):
                wrong += cost_of(found, players, ANY) != oracle(players)
                done += 1
        print(f"{done} rounds of {least} to {most} players, {wrong} not optimal so far")
    return f"{wrong} rounds are not optimal" if wrong else None


def _played(seed: int, size: int, rounds: int, drops: float) -> Iterator[tuple[list[Contender], Pairing]]:
    play = Play(seed, size, drops=drops)
    for number in range(1, rounds + 1):
        players = play.players
        found = pair(players, seeds.round_key(b"%d" % seed, RoundNo(number)))
        yield players, found
        play.play(found, number)


def _exhaustive(players: list[Contender]) -> Cost:
    return best(players, ANY)


def _whole(players: list[Contender]) -> Cost:
    found = exact(task(players, b"another key", ANY))
    tables = tuple((a.player, b.player) for a, b in found.couples)
    bye = None if found.bye is None else found.bye.player
    return cost_of(Pairing(tables=tables, bye=bye, rematches=(), proof=found.proof), players, ANY)


if __name__ == "__main__":
    main()
