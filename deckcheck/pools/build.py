"""Makes ``pools.tsv`` from the published facts: ``python -m deckcheck.pools.build [FOLDER [TARGET]]``.

FOLDER holds ``pools/`` and ``banlists/``. Nothing is written unless every count and every list agrees.
"""

import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from deckcheck.errors import SourceBroken
from deckcheck.pools import POOLS, Line, PoolKey, pool_hash

FACTS: Final = Path(__file__).parents[2].parent / "shared" / "data"
TARGET: Final = Path(__file__).with_name("pools.tsv")
BANLISTS: Final[Mapping[PoolKey, str]] = {
    "goat": "tcg-2005-04",
    "edison": "tcg-2010-03",
    "explorer": "tcg-2011-09",
}


def build(facts: Path) -> str:
    """Return the text of ``pools.tsv``. Raises SourceBroken where the facts disagree with each other."""
    cards = {int(row["passcode"]): row for row in _rows(facts / "pools" / "cards.csv")}
    limits = {key: _limits(facts, key) for key in POOLS}
    for key, pool in limits.items():
        _agree(key, pool, facts, cards)
    history = _history(facts)
    lines = (_line(code, row, limits.values(), history.get(code, ())) for code, row in sorted(cards.items()))
    return "".join(f"{line}\n" for line in lines)


def main(arguments: list[str]) -> None:
    """Write the table: by default the carried one, from the facts beside the project."""
    facts, target = (*map(Path, arguments), *(FACTS, TARGET)[len(arguments) :])
    target.write_text(build(facts), "utf-8", newline="\n")


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as table:
        yield from csv.DictReader(table)


def _limits(facts: Path, key: PoolKey) -> dict[int, int]:
    path = facts / "pools" / f"{POOLS[key].source}.csv"
    return {int(row["passcode"]): int(row["limit"]) for row in _rows(path)}


def _agree(key: PoolKey, pool: Mapping[int, int], facts: Path, cards: Mapping[int, object]) -> None:
    sizes = Counter(pool.values())
    banned = {int(row["passcode"]): int(row["limit"]) for row in _rows(_banlist(facts, key))}
    listed = {code: limit for code, limit in pool.items() if limit < 3}
    if tuple(sizes[limit] for limit in range(4)) != POOLS[key].sizes or not pool.keys() <= cards.keys():
        raise SourceBroken("pool_counts", f"the pool {key} has other counts: {sizes}", pool=key)
    if pool_hash(pool) != POOLS[key].hash:
        raise SourceBroken("pool_hash", f"the pool {key} has changed: {pool_hash(pool)}", pool=key)
    if listed != {code: limit for code, limit in banned.items() if code in pool}:
        raise SourceBroken("pool_list", f"the pool {key} has other limits than its list", pool=key)


def _banlist(facts: Path, key: PoolKey) -> Path:
    return facts / "banlists" / f"{BANLISTS[key]}.csv"


def _history(facts: Path) -> dict[int, tuple[int, ...]]:
    history: dict[int, tuple[int, ...]] = {}
    for row in _rows(facts / "pools" / "historical-id-aliases.csv"):
        code = int(row["passcode"])
        history[code] = (*history.get(code, ()), int(row["historical_id"]))
    return history


def _line(
    code: int, row: Mapping[str, str], pools: Iterable[Mapping[int, int]], historical: tuple[int, ...]
) -> Line:
    return Line(
        code=code,
        limits=tuple(pool.get(code) for pool in pools),
        extra=row["extra"] == "1",
        counted_as=int(row["treated_as"] or code),
        artworks=tuple(map(int, row["alternates"].split())),
        historical=historical,
        name=row["name"],
    )


if __name__ == "__main__":
    main(sys.argv[1:])
