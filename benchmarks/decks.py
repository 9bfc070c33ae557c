"""Decks beside peers (``python -m benchmarks.decks``): lists, verdicts, decoding, memory (performance.md 5).

Every number is the CPU time of the least disturbed of many rounds in which all take turns; ratios count.
Exit code 1 if a goal is missed. The published lflist.conf and cards.cdb must be beside the project.
"""

import gc
import re
import sqlite3
import sys
import time
import tracemalloc
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from struct import unpack_from
from typing import Final, TypeVar

from benchmarks import peers
from deckcheck import lflist
from deckcheck.check import Judge, check
from deckcheck.deck import MAX_BYTES, Deck
from deckcheck.environments import Environment, retro
from deckcheck.pools import POOLS
from deckcheck.sources import load_ocg
from deckcheck.wire import read_deckbuf, write_deckbuf
from deckcheck.ydk import read_ydk, write_ydk
from tests.decks import CDB, LFLIST, SHARED

DECKS: Final = 300
ROUNDS: Final = 40
MASK: Final = 0xFFFF_FFFF
ENTRY: Final = re.compile(r"\s*\+?(\d+)[ \t]+([+-]?\d+)")

T = TypeVar("T")


def main() -> None:
    """Print the tables and what became of the goals."""
    if not SHARED.is_dir():
        sys.exit("the published lflist.conf and cards.cdb are not beside the project")
    environment = load_ocg(LFLIST, [CDB])
    decks = list(legal_decks(environment))
    goals = {**lists(), **verdicts(environment, decks), **bounds(environment)}
    decoding(decks)
    for goal, reached in goals.items():
        print(f"{'reached' if reached else 'MISSED':>8}  {goal}")
    sys.exit(not all(goals.values()))


def lists() -> Mapping[str, bool]:
    """Compare the readers of a list file."""
    data = LFLIST.read_bytes()
    changed = data.replace(b"!2026.7\n", b"!2026.7\n1 0\n", 1)
    times = in_turns(
        {
            "naive": lambda: naive_lists(data),
            "this project, cold": lambda: lflist.read_lflist(data),
            "this project, warm": lambda: lflist.read_lflist(bytes(bytearray(data))),
            "this project, one list changed": lambda: lflist.read_lflist(changed),
        },
        before={"this project, cold": forget, "this project, one list changed": lflist._lists.cache_clear},  # noqa: SLF001
    )
    table("lflist.conf, ms", times, "naive", scale=1e3)
    naive = times["naive"]
    return {
        "lflist cold ≤ 0.25 of the naive parse": times["this project, cold"] <= 0.25 * naive,
        "lflist warm ≤ 0.05 of the naive parse": times["this project, warm"] <= 0.05 * naive,
    }


def forget() -> None:
    """Forget every list and line that was read."""
    lflist._lists.cache_clear()  # noqa: SLF001
    lflist._section.cache_clear()  # noqa: SLF001
    lflist._KNOWN.forget()  # noqa: SLF001


@dataclass
class NaiveList:
    """A list as one writes it down at first."""

    name: str
    limits: dict[int, int] = field(default_factory=dict)
    hash: int = 0x7DFCEE6A

    def add(self, code: int, count: int) -> None:
        """Take in an entry (D03, D07)."""
        if code <= MASK and 0 <= count <= 2:
            self.limits[code] = count
            self.hash ^= (code << 18 | code >> 14) & MASK
            self.hash ^= (code << (27 + count) | code >> (5 - count)) & MASK


def naive_lists(data: bytes) -> list[NaiveList]:
    """Read a list file line by line (D01-D07)."""
    found: list[NaiveList] = []
    for line in data.decode("utf-8").splitlines():
        if line.startswith("#"):
            continue
        if line.startswith("!"):
            found.append(NaiveList(line[1:]))
        elif found and (match := ENTRY.match(line)):
            found[-1].add(int(match[1]), int(match[2]))
    return found


def legal_decks(environment: Environment) -> Iterable[Deck]:
    """Yield legal decks of 40 + 15 + 15 cards, one to three copies of each, limited ones among them."""
    random = Random(5)  # noqa: S311  # repeatable decks
    plain = sorted(code for code in environment.plain if environment.caps.get(environment.plain[code]) != 0)
    main = [code for code in plain if code not in environment.extra_codes]
    extra = [code for code in plain if code in environment.extra_codes]
    found = 0
    while found < DECKS:
        copies = [code for code in random.sample(main, 60) for _ in range(random.choice((1, 2, 3, 3)))]
        deck = Deck(main=tuple(copies[:40]), extra=tuple(random.sample(extra, 15)), side=tuple(copies[40:55]))
        if check(deck, environment).status == "legal":
            found += 1
            yield deck


def verdicts(environment: Environment, decks: Sequence[Deck]) -> Mapping[str, bool]:
    """Compare the checks of a legal deck buffer."""
    buffers = [write_deckbuf(deck) for deck in decks]
    texts = [write_ydk(deck) for deck in decks]
    judge, database = Judge(environment), sqlite3.connect(CDB)
    rows = {code: rest for code, *rest in database.execute("SELECT id, ot, alias, type FROM datas")}
    names = {code: card.counted_as for code, card in environment.cards.items()}
    caps = dict(environment.caps)
    times = in_turns(
        {
            "SQLite per card": over(buffers, lambda each: transliterated(each, from_sqlite(database), caps)),
            "rules transliterated": over(buffers, lambda each: transliterated(each, rows.__getitem__, caps)),
            "bare Counter + dict": over(buffers, lambda each: bare(each, names, caps)),
            "this project, cold": over(buffers, lambda each: check(read_deckbuf(each), environment)),
            "this project, remembered": over(buffers, judge),
            "this project, from ydk text": over(texts, lambda each: check(read_ydk(each), environment)),
        }
    )
    times = {name: seconds / len(decks) for name, seconds in times.items()}
    table("deck to verdict, µs", times, "bare Counter + dict", scale=1e6)
    return {
        "verdict cold ≤ 2 × the bare Counter + dict": times["this project, cold"]
        <= 2 * times["bare Counter + dict"],
        "verdict remembered ≤ 0.5 µs": times["this project, remembered"] <= 0.5e-6,
    }


def bare(buffer: bytes, names: Mapping[int, int], caps: Mapping[int, int]) -> bool:
    """Count copies, and nothing else."""
    main, side = unpack_from("<II", buffer)
    counts = Counter(map(names.__getitem__, unpack_from(f"<{main + side}I", buffer, 8)))
    return all(count <= caps.get(code, 3) for code, count in counts.items())


def transliterated(
    buffer: bytes, row: Callable[[int], Sequence[int]], caps: Mapping[int, int]
) -> tuple[int, int] | None:
    """Follow ygopro's deck_manager line by line."""
    mixed, side = unpack_from("<II", buffer)
    codes = unpack_from(f"<{mixed + side}I", buffer, 8)
    counts: dict[int, int] = {}
    main = extra = 0
    for place, code in enumerate(codes):
        ot, alias, kind = row(code)
        if not ot & 1:
            return 3, code
        if place < mixed:
            extra += bool(kind & 0x4802040)
            main += not kind & 0x4802040
        name = alias or code
        counts[name] = counts.get(name, 0) + 1
        if counts[name] > 3:
            return 5, code
        if counts[name] > caps.get(name, 3):
            return 1, code
    return None if 40 <= main <= 60 and extra <= 15 and side <= 15 else (6, main)


def from_sqlite(database: sqlite3.Connection) -> Callable[[int], Sequence[int]]:
    """Return a reader that asks the database for every card."""
    query = "SELECT ot, alias, type FROM datas WHERE id = ?"
    return lambda code: database.execute(query, (code,)).fetchone()


def bounds(environment: Environment) -> Mapping[str, bool]:
    """Measure the memory of everything, and the worst deck of 64 KiB."""
    tracemalloc.start()
    kept = [load_ocg(LFLIST, [CDB]), *(retro(key, environment.cards) for key in POOLS)]
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    worst = b"x\n" * (MAX_BYTES // 2)
    times = in_turns({"64 KiB that say nothing": lambda: check(read_ydk(worst), environment).sentences()})
    megabytes = used / 1e6
    print(f"\nmemory of {len(kept)} environments: {megabytes:.1f} MB")
    table("worst deck, ms", times, "64 KiB that say nothing", scale=1e3)
    return {"the full index takes < 60 MB": megabytes < 60, "64 KiB take < 50 ms": max(times.values()) < 0.05}


def decoding(decks: Sequence[Deck]) -> None:
    """Compare decoding alone with the library of the JavaScript servers, each in its own process."""
    buffers, texts = [write_deckbuf(deck) for deck in decks], [write_ydk(deck) for deck in decks]
    times = in_turns({"buffer": over(buffers, read_deckbuf), "text": over(texts, read_ydk)})
    peers.install()
    asked = {"buffers": [b64encode(each).decode() for each in buffers], "texts": texts, "repeats": ROUNDS}
    answer = peers.ask("decks", "npm ygopro-deck-encode", asked)
    print("\ndecoding, µs")
    for form, seconds in times.items():
        ours = 1e6 * seconds / len(decks)
        theirs = answer if isinstance(answer, str) else f"{answer[form]:.2f}"
        print(f"  {form:<8} this project {ours:6.2f}   npm ygopro-deck-encode {theirs}")


def over(items: Sequence[T], work: Callable[[T], object]) -> Callable[[], None]:
    """Return the work on all items."""

    def on_all() -> None:
        for item in items:
            work(item)

    return on_all


def in_turns(
    works: Mapping[str, Callable[[], object]], before: Mapping[str, Callable[[], None]] | None = None
) -> dict[str, float]:
    """Return the least CPU time of each work in seconds; *before* is not timed."""
    times: dict[str, list[float]] = {name: [] for name in works}
    gc.collect()
    gc.freeze()
    for _ in range(ROUNDS):
        for name, work in works.items():
            (before or {}).get(name, lambda: None)()
            start = time.process_time()
            work()
            times[name].append(time.process_time() - start)
    return {name: min(each) for name, each in times.items()}


def table(title: str, times: Mapping[str, float], base: str, scale: float) -> None:
    """Print times and their ratios to *base*."""
    print(f"\n{title}")
    for name, seconds in times.items():
        print(f"  {name:<32} {seconds * scale:9.2f}   {seconds / times[base]:6.3f}")


if __name__ == "__main__":
    main()
