"""The lists of a duel server's lflist.conf, as srvpro numbers them (decks.md D10)."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, get_args

from deckcheck.errors import SourceBroken
from deckcheck.lflist import LfList, read_lflist
from deckcheck.pools import PoolKey, pool_limits
from srvpro_bridge.doctor.findings import LISTS, Finding, Wish

COPIES: Final = 3
_SHOWN: Final = 5
_DATED: Final = re.compile(r"[0-9.]+", re.ASCII)


def examine_lists(data: bytes, wish: Wish) -> Iterator[Finding]:
    """Yield which environments' lists are not where relayd's settings say, or refuse what is legal there."""
    try:
        lists = read_lflist(data)
    except SourceBroken as error:
        yield _wrong(error.message, "decks cannot be checked")
        return
    yield from _undated(lists)
    facts, numbered = wish.facts, [each for each in lists if _DATED.match(each.name)]
    places = {facts.default_environment: 1} if facts.default_environment else {}
    for key, place in {**places, **dict(facts.lists)}.items():
        if not 1 <= place <= len(numbered):
            what = f"there are {len(numbered)} lists, and habits.lists of relayd puts {key} at {place}"
            yield _wrong(what, f"rooms of {key} are checked by no list, or by another one")
        else:
            yield from _too_strict(numbered[place - 1], key, place)
    if places and numbered:
        yield from _another(numbered[0], wish)


def _undated(lists: Sequence[LfList]) -> Iterator[Finding]:
    for each in lists:
        if not _DATED.match(each.name):
            what = f"the list !{each.name.strip()} begins with no date"
            yield _wrong(what, "srvpro does not count it: from there on its numbers are not YGOPro's (D10)")


def _too_strict(found: LfList, key: str, place: int) -> Iterator[Finding]:
    """Compare with the carried list of a retro environment."""
    pool = next((pool for pool in get_args(PoolKey) if pool == key), None)
    if pool is None:
        return
    legal = pool_limits(pool)
    strict = sorted(code for code, limit in legal.items() if found.limits.get(code, COPIES) < limit)
    if strict:
        some = ", ".join(map(str, strict[:_SHOWN])) + (", …" if strict[_SHOWN:] else "")
        what = f"list {place}, !{found.name.strip()}, is stricter than that of {key}"
        yield _wrong(f"{what} for {len(strict)} cards ({some})", f"legal decks of {key} are refused")


def _another(first: LfList, wish: Wish) -> Iterator[Finding]:
    if wish.facts.default_environment == "ocg" and wish.list_hash not in {None, first.hash}:
        what = f"the first list, !{first.name.strip()}, is not the first one of environment.lflist_path"
        yield _wrong(what, "relayd and the duel server judge decks by different lists")


def _wrong(what: str, why: str) -> Finding:
    return Finding(weight="wrong", file=LISTS, what=what, why=why)
