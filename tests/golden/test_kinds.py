"""What stands on disk stays readable for ever (F30)."""

import msgspec
import pytest

from relayd.storage.codec import UnknownKind
from tests.golden.make import CODECS, Sampler, line, place

LINES = sorted((path.parent.name, path.stem) for path in place("tournament", "x").parents[1].glob("*/*.json"))
KINDS = sorted((name, kind) for name, codec in CODECS.items() for kind in codec.kinds)


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_every_kind_has_a_golden_line(name: str, kind: str) -> None:
    """F30: a new kind is pinned down before it is ever written; ``python -m tests.golden.make`` does it."""
    assert place(name, kind).exists()


@pytest.mark.parametrize(("name", "kind"), LINES)
def test_every_golden_line_is_read(name: str, kind: str) -> None:
    """F30: a line that a program wrote once is read, with nothing lost: it is written back to the same bytes.

    A kind that is only read any more comes back as the event that took its place, which its line 2 shows.
    """
    codec, (golden, *now) = CODECS[name], place(name, kind).read_bytes().splitlines()
    found, raw = msgspec.json.decode(golden, type=tuple[str, msgspec.Raw])
    assert found == kind
    assert line(codec, codec.event(kind, raw)) == (now[0] if now else golden)


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_a_class_means_what_it_meant(name: str, kind: str) -> None:
    """F30: the golden line has every field of its class; one that is new or gone makes a new kind."""
    codec, golden = CODECS[name], place(name, kind).read_bytes().splitlines()[0]
    fresh = line(codec, Sampler().value(codec.kinds[kind]))
    assert _shape(msgspec.json.decode(golden)) == _shape(msgspec.json.decode(fresh))


@pytest.mark.parametrize("name", CODECS)
def test_the_kind_of_a_newer_program_is_refused(name: str) -> None:
    """F30: an older program says so instead of guessing."""
    with pytest.raises(UnknownKind, match=r"round_paired\.9"):
        CODECS[name].event("round_paired.9", b"{}")


def _shape(value: object) -> object:
    """Return the fields of objects, and theirs; lists and values do not count."""
    if isinstance(value, dict):
        return {name: _shape(field) for name, field in value.items()}
    return [_shape(item) for item in value] if isinstance(value, list) else None
