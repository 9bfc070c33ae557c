"""Standings beside peers, in time of the processor: all of it, and result by result.

Exit code 1 if the goal of performance.md 2 is missed, or both are not equal bit for bit.
"""

import argparse
import gc
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from statistics import median
from typing import Final

from benchmarks import peers
from benchmarks.instances import Row as Table
from benchmarks.instances import history, records_after
from ruleset.ids import PlayerId
from ruleset.standings.live import LiveStandings
from ruleset.standings.record import Record
from ruleset.standings.table import Standings

LARGEST: Final = 4096
FASTER: Final = 100
SIZES: Final = {512: 9, 4096: 12}
PEERS: Final = ("cardarena", "npm tournament-organizer")


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[*SIZES])
    chosen = parser.parse_args()
    peers.install()
    print(f"{'players':>8}  {'who':>28}  {'ms':>12}  {'ratio to our full':>18}")
    goals: dict[str, bool] = {}
    for size in chosen.sizes:
        faster = compare(size, SIZES.get(size, max(3, (size - 1).bit_length())))
        if size == LARGEST:
            goals[f"{size} players: one result {FASTER} times as fast as all of them"] = faster >= FASTER
    for goal, reached in goals.items():
        print(f"{'reached' if reached else 'MISSED':>8}  {goal}")
    sys.exit(not all(goals.values()))


def compare(size: int, rounds: int) -> float:
    """Print a line for each way of computing the same standings; return how much faster one result is."""
    played = history(size, rounds, seed=size)
    records = records_after(size, played)
    full = median(_ms(lambda: Standings(records).groups) for _ in range(5))
    rows = median(_ms(lambda: Standings(records).rows) for _ in range(3))
    live = _live(records, played[-1])
    _line(size, "this project, full order", full, full)
    _line(size, "this project, all rows", rows, full)
    _line(size, "this project, one result p50", live[len(live) // 2], full)
    _line(size, "this project, one result p99", live[-1 - len(live) // 100], full)
    for peer in PEERS:
        answer = peers.ask("standings", peer, {"size": size, "rounds": played})
        if isinstance(answer, str):
            print(f"{size:>8}  {peer:>28}  {answer:>12}")
        else:
            _line(size, peer, answer["ms"], full)
    return full / live[len(live) // 2]


def _live(records: dict[PlayerId, Record], tables: list[Table]) -> list[float]:
    """Return the times of the results of the last round, one after the other, sorted."""
    before = {p: replace(record, matches=record.matches[:-1]) for p, record in records.items()}
    live = LiveStandings(Standings(before, rounds=len(records[PlayerId(1)].matches)))
    gc.collect()
    gc.freeze()
    put = [[records[player] for player in (a, b) if player is not None] for a, b, *_ in tables]
    times = [_ms(lambda both=both: live.put(*both)) for both in put]  # type: ignore[misc]
    if live.now().rows != Standings(records).rows:
        raise AssertionError("result by result is not the full computation")
    return sorted(times)


def _ms(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return (time.process_time() - start) * 1e3


def _line(size: int, who: str, ms: float, full: float) -> None:
    print(f"{size:>8}  {who:>28}  {ms:>12.3f}  {ms / full:>18.4f}")


if __name__ == "__main__":
    main()
