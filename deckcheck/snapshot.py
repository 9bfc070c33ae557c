"""An environment as bytes, to be stored with the tournament that it was published for (D45).

A mark, then zlib over lines of JSON: what verdicts depend on, then the cards as rows of numbers. The same
environment always gives the same lines.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Any, Final

from deckcheck.cards import Card
from deckcheck.environments import Environment, Limits
from deckcheck.errors import SourceBroken
from deckcheck.lflist import Credit

_MARK: Final = b"relayd environment 2\n"
_CARDS_A_LINE: Final = 256
"""What is turned into text, or read, at one go: whoever shares the interpreter waits no longer."""
_MAX_BYTES: Final = 256 * 1024 * 1024
_PLAIN_FIELDS: Final = (
    "key", "title", "list_name", "list_hash", "pool_hash", "rule", "unknown", "allow_prerelease",
)  # fmt: skip
_LIMITS: Final = ("main_least", "main_most", "extra_most", "side_most", "copies")


def freeze_environment(environment: Environment) -> bytes:
    """Return all that verdicts depend on; `thaw_environment` gives an equal environment back."""
    return _MARK + zlib.compress(b"\n".join(map(_line, _lines(environment))), 9)


def thaw_environment(frozen: bytes) -> Environment:
    """Return the environment that was frozen. Raises SourceBroken if it is damaged or newer."""
    if not frozen.startswith(_MARK):
        raise SourceBroken("snapshot_unknown", "this is no environment that this program has frozen")
    try:
        head, *cards = map(json.loads, _inflated(frozen.removeprefix(_MARK)).split(b"\n"))
        return _from_data(head, map(_card, chain.from_iterable(cards)))
    except (zlib.error, ValueError, LookupError, TypeError) as error:
        raise SourceBroken("snapshot_broken", f"the frozen environment is damaged: {error}") from error


def _inflated(data: bytes) -> bytes:
    inflate = zlib.decompressobj()
    text = inflate.decompress(data, _MAX_BYTES)
    if not inflate.eof or inflate.unused_data:
        raise ValueError("it does not end where it should")
    return text


def _lines(environment: Environment) -> Iterator[object]:
    yield _head(environment)
    codes = sorted(environment.cards)
    for start in range(0, len(codes), _CARDS_A_LINE):
        yield [_row(environment.cards[code]) for code in codes[start : start + _CARDS_A_LINE]]


def _line(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def _head(environment: Environment) -> dict[str, object]:
    return {
        **{name: getattr(environment, name) for name in _PLAIN_FIELDS},
        "limits": [getattr(environment.limits, name) for name in _LIMITS],
        "pool": None if environment.pool is None else _steps(sorted(environment.pool)),
        "caps": sorted(environment.caps.items()),
        "credits": [
            [credit.key, credit.limit, sorted(credit.points.items())] for credit in environment.credits
        ],
    }


def _from_data(data: Mapping[str, Any], cards: Iterable[Card]) -> Environment:
    return Environment(
        **{name: data[name] for name in _PLAIN_FIELDS},
        limits=Limits(**dict(zip(_LIMITS, data["limits"], strict=True))),
        pool=None if data["pool"] is None else frozenset(_sums(data["pool"])),
        caps=_mapping(data["caps"]),
        credits=tuple(
            Credit(key=key, limit=limit, points=_mapping(points)) for key, limit, points in data["credits"]
        ),
        cards=MappingProxyType({card.code: card for card in cards}),
    )


def _row(card: Card) -> list[object]:
    flags = card.extra | card.token << 1
    return [
        card.code,
        card.name,
        card.base - card.code,
        card.counted_as - card.code,
        card.ot,
        flags,
        card.setcode,
    ]


def _card(row: list[Any]) -> Card:
    code, name, base, counted_as, ot, flags, setcode = row
    return Card(
        code=code,
        name=name,
        base=code + base,
        counted_as=code + counted_as,
        ot=ot,
        extra=bool(flags & 1),
        token=bool(flags & 2),
        setcode=setcode,
    )


def _mapping(pairs: Iterable[tuple[int, int]]) -> Mapping[int, int]:
    return MappingProxyType(dict(pairs))


def _steps(codes: list[int]) -> list[int]:
    return [code - before for before, code in zip([0, *codes], codes, strict=False)]


def _sums(steps: Iterable[int]) -> Iterable[int]:
    total = 0
    for step in steps:
        total += step
        yield total
