"""D40-D44 said a second time, deliberately naive, for decks of the published files (issue 5, done-when 3).

Nothing here knows the code that it is compared with: own readers, plain loops, one pass per rule.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

EXTRA, TOKEN, HARPIES = 0x4802040, 0x4000, (76812113, 27927359, 54415063, 80316585, 91932350)
UNKNOWN = [100200000, 101304024, 101999999, 102000000, 100199999, 1]


@dataclass
class World:
    """The published cards and the current list."""

    rows: dict[int, tuple[int, int, int]]
    """ot, alias, type."""
    limits: dict[int, int]


@dataclass
class Naive:
    """What is to be said of a deck; card violations by the code that a card is counted as."""

    violations: set[tuple[object, ...]] = field(default_factory=set)
    told: int = 0
    prerelease: dict[int, int] = field(default_factory=dict)
    review: dict[int, int] = field(default_factory=dict)


def load(cdb: Path, lflist: Path) -> World:
    """Read both files in the plainest way."""
    with closing(sqlite3.connect(cdb)) as database:
        rows = {code: rest for code, *rest in database.execute("SELECT id, ot, alias, type FROM datas")}
    limits = {}
    section = lflist.read_text("utf-8").split("\n!")[1]
    for line in section.splitlines():
        if match := re.match(r"(\d+) ([012])( |$)", line):
            limits[int(match[1])] = int(match[2])
    return World(rows={code: (ot, alias, kind) for code, (ot, alias, kind) in rows.items()}, limits=limits)


def naive(world: World, main: list[int], extra: list[int], side: list[int]) -> Naive:
    """Judge a deck under ``ocg`` with pre-release cards allowed."""
    every = main + extra + side
    unknown = [code for code in every if code not in world.rows]
    found = Naive(
        prerelease={code: every.count(code) for code in unknown if 100200000 <= code <= 101999999},
        review={code: every.count(code) for code in unknown if not 100200000 <= code <= 101999999},
    )
    found.violations = {
        *_sizes(main, extra, side),
        *_single_cards(world, every),
        *_copies(world, every),
        *_places(world, main, extra),
    }
    found.told = next(_told(world, main, extra, side, found), 0)
    return found


def _sizes(main: list[int], extra: list[int], side: list[int]) -> Iterator[tuple[object, ...]]:
    if len(main) < 40 or len(main) > 60:
        yield "MAINCOUNT", len(main)
    if len(extra) > 15:
        yield "EXTRACOUNT", len(extra)
    if len(side) > 15:
        yield "SIDECOUNT", len(side)


def _single_cards(world: World, every: list[int]) -> Iterator[tuple[object, ...]]:
    for code in every:
        if _is_token(world, code):
            yield "UNKNOWNCARD", code, every.count(code)
        elif code in world.rows and not world.rows[code][0] & 1:
            kind = "TCGONLY" if world.rows[code][0] & 2 else "NOTAVAIL"
            yield kind, code, every.count(code)


def _copies(world: World, every: list[int]) -> Iterator[tuple[object, ...]]:
    names = [_name(world, code) for code in every if not _is_token(world, code)]
    for name in names:
        copies, limit = names.count(name), world.limits.get(name, 3)
        if copies > 3:
            yield "CARDCOUNT", name, copies, 3
        if limit < 3 and copies > limit:
            yield "LFLIST", name, copies, limit


def _places(world: World, main: list[int], extra: list[int]) -> Iterator[tuple[object, ...]]:
    for where, part, wrong in (("main", main, True), ("extra", extra, False)):
        for code in part:
            if code in world.rows and not _is_token(world, code) and _is_extra(world, code) == wrong:
                yield "WRONGPLACE", code, where, part.count(code)


def _told(world: World, main: list[int], extra: list[int], side: list[int], found: Naive) -> Iterator[int]:
    """Yield what YGOPro would answer, in its order; a host's review asks last."""
    for code in main + extra + side:
        if _is_token(world, code):
            yield 4 << 28 | code
    for kind, part, least, most in ((6, main, 40, 60), (7, extra, 0, 15), (8, side, 0, 15)):
        if not least <= len(part) <= most:
            yield kind << 28 | len(part)
    yield from _told_of_cards(world, main, extra, side)
    for code in found.review:
        yield 4 << 28 | code


def _told_of_cards(world: World, main: list[int], extra: list[int], side: list[int]) -> Iterator[int]:
    counts: dict[int, int] = {}
    for where, part in ((6, main), (7, extra), (8, side)):
        for code in part:
            ot, _, kind = world.rows.get(code, (1, 0, EXTRA if where == 7 else 0))
            if not ot & 1:
                yield (3 if ot & 2 else 9) << 28 | code
            if where != 8 and (kind & EXTRA != 0) != (where == 7):
                yield where << 28
            name = _name(world, code)
            counts[name] = counts.get(name, 0) + 1
            if counts[name] > 3:
                yield 5 << 28 | code
            if counts[name] > world.limits.get(name, 3):
                yield 1 << 28 | code


def _is_token(world: World, code: int) -> bool:
    return code in world.rows and world.rows[code][2] & TOKEN != 0


def _is_extra(world: World, code: int) -> bool:
    return world.rows[code][2] & EXTRA != 0


def _name(world: World, code: int) -> int:
    return world.rows[code][1] or code if code in world.rows and not _is_token(world, code) else code


def random_decks(world: World, count: int, seed: int) -> Iterator[tuple[list[int], list[int], list[int]]]:
    """Yield main, extra and side of decks: many are legal, and every kind of violation is among them."""
    random = Random(seed)  # noqa: S311  # a repeatable deck is no secret
    dealer = _Dealer(world, random)
    for _ in range(count):
        odd = random.choice((0, 0, 0, 0.02, 0.1))
        fine = random.random() < 0.7
        main, rest = ((40, 41, 60), (0, 10, 15)) if fine else ((38, 39, 61), (0, 15, 16))
        unknown = [random.choice(UNKNOWN)] if random.random() < 0.1 else []
        yield (
            unknown + dealer.deal(dealer.main, random.choice(main) - len(unknown), odd),
            dealer.deal(dealer.extra, random.choice(rest), odd),
            dealer.deal(dealer.main + dealer.extra, random.choice(rest), odd),
        )


class _Dealer:
    def __init__(self, world: World, random: Random) -> None:
        self.random = random
        known = [
            code for code in sorted(world.rows) if world.rows[code][0] & 1 and not _is_token(world, code)
        ]
        self.main = [code for code in known if not _is_extra(world, code)]
        self.extra = [code for code in known if _is_extra(world, code)]
        self.aliased = [code for code in known if world.rows[code][1]]
        self.names = [world.rows[code][1] for code in self.aliased]
        self.odd = [
            self.main,
            self.extra,
            self.aliased + self.names + list(HARPIES),
            [code for code in sorted(world.limits) if code in world.rows],
            sorted(world.limits),
            [code for code in sorted(world.rows) if not world.rows[code][0] & 1],
            [code for code in sorted(world.rows) if _is_token(world, code)],
            UNKNOWN,
        ]

    def deal(self, usual: list[int], size: int, odd: float) -> list[int]:
        """Return *size* cards, one to four copies at a time."""
        cards: list[int] = []
        while len(cards) < size:
            source = self.random.choice(self.odd) if self.random.random() < odd else usual
            copies = self.random.choice((1, 1, 2, 3, 3)) if self.random.random() > odd / 4 else 4
            cards += [self.random.choice(source)] * copies
        return cards[:size]
