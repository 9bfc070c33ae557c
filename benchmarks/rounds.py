"""What the daemon does between two rounds of a large Swiss: pair the next one, show the list after a result.

All times are of the processor. Exit code 1 if a list that is kept is not the one counted from the beginning.
"""

import argparse
import gc
import time
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Final, TypeVar

from benchmarks.replay import NOW, started
from relayd.reducers import TOURNAMENT
from relayd.views.ranks import standings_view
from ruleset.ids import MINUTE_MS, Instant
from ruleset.tournament import commands as c
from ruleset.tournament.pairings import field_of
from ruleset.tournament.ranking import standings
from ruleset.tournament.results import Result
from ruleset.tournament.state import Table, Tournament
from ruleset.tournament.verdicts import games_of
from tests.builders import counted_anew

SIZES: Final = {1024: 10, 2048: 11, 4096: 12}
T = TypeVar("T")


def main() -> None:
    """Print one block for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[*SIZES])
    for size in parser.parse_args().sizes:
        measure(size, SIZES.get(size, max(3, (size - 1).bit_length())))


def measure(size: int, rounds: int) -> None:
    """Print what the last round of a tournament costs, from its pairing to its first results."""
    state = before_the_last(size, rounds)
    now = Instant(NOW + rounds * 30 * MINUTE_MS)
    print(f"{size} players, before round {rounds}, ms")
    gc.collect()
    gc.freeze()
    first, events = timed(lambda: TOURNAMENT.decide(state, c.NextRound(now=now)))
    again = median(timed(lambda: TOURNAMENT.decide(state, c.NextRound(now=now)))[0] for _ in range(5))
    line("the next round is decided", first)
    line("the same once more", again)
    line("of which who is to be paired, and whom he met", timed(lambda: field_of(state))[0])
    taken, state = timed(lambda: TOURNAMENT.replay(events, state))
    line("it is taken in", taken)
    line("the list, counted from the beginning", timed(lambda: counted_anew(state))[0])
    standings(state)
    kept, views = [], []
    for table in [*state.current_round.tables.values()][:40]:
        state = TOURNAMENT.replay(TOURNAMENT.decide(state, ruling(table, Random(table.id.table), now)), state)  # noqa: S311  a play
        kept.append(timed(lambda state=state: standings(state))[0])  # type: ignore[misc]
        views.append(timed(lambda state=state: standings_view(state))[0])  # type: ignore[misc]
    line("the list after one more result", median(kept))
    line("what a page shows of it", median(views))
    line("the list once more", timed(lambda: standings(state))[0])
    gc.unfreeze()
    if standings(state) != counted_anew(state):
        raise AssertionError("the list that is kept is not the one counted from the beginning")


def before_the_last(size: int, rounds: int) -> Tournament:
    """Return a tournament whose last round but one is done."""
    state, chance = started(size, rounds).state, Random(size)  # noqa: S311  a repeatable play, nothing secret
    for number in range(1, rounds):
        now = Instant(NOW + number * 30 * MINUTE_MS)
        for table in [*state.current_round.tables.values()]:
            state = TOURNAMENT.replay(TOURNAMENT.decide(state, ruling(table, chance, now)), state)
        if number < rounds - 1:
            state = TOURNAMENT.replay(TOURNAMENT.decide(state, c.NextRound(now=now)), state)
    return state


def ruling(table: Table, chance: Random, now: Instant) -> c.Rule:
    """Return a result of which the smaller number is a little the better player."""
    won = chance.random() < (0.55 if table.a < table.b else 0.45)
    lost = chance.randrange(2)
    games = games_of((2, lost) if won else (lost, 2))
    return c.Rule(
        table=table.id, result=Result(outcome="a" if won else "b", reason="played", games=games), now=now
    )


def timed(call: Callable[[], T]) -> tuple[float, T]:
    """Return the milliseconds of a call and its result."""
    begin = time.process_time()
    result = call()
    return (time.process_time() - begin) * 1e3, result


def line(what: str, ms: float) -> None:
    """Print one line."""
    print(f"  {what:<48} {ms:>10.2f}")


if __name__ == "__main__":
    main()
