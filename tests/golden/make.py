"""Writes the golden files that are missing: ``python -m tests.golden.make``.

One line for each kind of event, and a log that was played to its end. A file that is there is never written
again: what stands on somebody's disk stays readable for ever. So a class that changes needs a new kind, and
the old kind an upcaster in relayd/storage/kinds.py.
"""

import sys
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from types import UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

import msgspec

from relayd.storage import kinds
from relayd.storage.codec import Codec
from relayd.storage.log import start_of
from ruleset.ids import Instant
from tests.golden.story import facts, played

HERE = Path(__file__).parent
CODECS: Mapping[str, Codec[Any]] = {"tournament": kinds.TOURNAMENT, "directory": kinds.DIRECTORY}


class _Events(msgspec.Struct):
    events: tuple[msgspec.Raw, ...]


def place(codec: str, kind: str) -> Path:
    """Return where the golden line of a kind stands."""
    return HERE / "kinds" / codec / f"{kind}.json"


def line(codec: Codec[Any], event: object) -> bytes:
    """Return an event as it stands in an entry: ``["time_called.1",{…}]``."""
    entry = codec.seal(start_of("t1"), command_id="", digest=b"", at=Instant(0), by="", events=(event,))
    return bytes(msgspec.json.decode(entry.body, type=_Events).events[0])


class Sampler:
    """Makes a value of any type that events are made of, no two numbers or texts alike."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def value(self, hint: Any) -> Any:
        """Return a value of the type *hint*."""
        origin, args = get_origin(hint), get_args(hint)
        if isinstance(hint, NewType):
            return self.value(hint.__supertype__)
        if origin is Literal:
            return args[-1]
        if origin in {Union, UnionType}:
            return self.value(args[0])
        if origin is tuple:
            return tuple(self.value(arg) for arg in (args[:1] * 2 if args[-1] is ... else args))
        return self._plain(hint)

    def _plain(self, hint: Any) -> Any:
        if hint is bool:
            return True
        if hint is int:
            return next(self._numbers)
        if hint is str:
            return f"选手{next(self._numbers)}"
        if hint is bytes:
            return bytes([next(self._numbers)])
        return hint(**{name: self.value(field) for name, field in get_type_hints(hint).items()})


def files() -> Iterator[tuple[Path, bytes]]:
    """Yield what should be there."""
    for name, codec in CODECS.items():
        for kind, event in codec.kinds.items():
            yield place(name, kind), line(codec, Sampler().value(event)) + b"\n"
    entries, state = played()
    yield HERE / "logs" / "1.jsonl", b"".join(entry.body + b"\n" for entry in entries)
    yield HERE / "logs" / "1.facts.json", msgspec.json.format(msgspec.json.encode(facts(state))) + b"\n"


def main() -> None:
    """Write what is missing and say so."""
    for path, content in files():
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
