"""How facts look on disk, and when two commands are the same."""

from dataclasses import dataclass, field, replace
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relayd.storage.codec import Codec, UnknownKind, digest_of, fingerprint
from relayd.storage.kinds import DIRECTORY, TOURNAMENT
from relayd.storage.log import start_of
from ruleset.added import Added
from ruleset.directory import events as d
from ruleset.directory.commands import Command as DirectoryCommand
from ruleset.ids import Instant
from ruleset.tournament import events as t
from ruleset.tournament.commands import Command as TournamentCommand


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """Today's class of a fact."""

    table: int
    minutes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A command."""

    table: int
    names: tuple[str, ...] = ()
    now: Added[int]
    free: Added[dict[str, int]] = field(default_factory=dict)


ASK = Ask(table=1, names=("a",), now=1)


def seconds_to_minutes(raw: bytes) -> Called:
    """Read the kind of an earlier program, which had seconds."""
    old = msgspec.json.decode(raw, type=dict[str, int])
    return Called(table=old["table"], minutes=old["seconds"] // 60)


def test_every_event_has_one_kind() -> None:
    """F30: nothing that can happen lacks a name on disk, and no name means two things."""
    assert {*TOURNAMENT.kinds.values()} == {*get_args(t.Event)}
    assert {*DIRECTORY.kinds.values()} == {*get_args(d.Event)}
    assert len({*TOURNAMENT.kinds.values()}) == len(TOURNAMENT.kinds)


@given(st.lists(st.from_type(t.Event), max_size=3), st.text(max_size=5), st.text(max_size=5))  # type: ignore[arg-type]  # a union is a type
def test_what_is_sealed_is_read_back(events: list[t.Event], command_id: str, by: str) -> None:
    """Encode and decode are inverse, for every event and every text in it."""
    head = start_of("t1")
    entry = TOURNAMENT.seal(head, command_id=command_id, digest=b"\x01", at=Instant(5), by=by, events=events)
    assert entry.events == tuple(events)
    assert (entry.version, entry.command_id, entry.by, entry.at) == (1, command_id, by, 5)
    assert TOURNAMENT.unseal(entry.body, entry.hash) == entry


def test_an_old_kind_is_read_by_its_upcaster() -> None:
    """F30: a kind that is written no more comes back as today's event."""
    codec = Codec({"called.2": Called}, old={"called.1": seconds_to_minutes})
    assert codec.event("called.1", b'{"table":3,"seconds":120}') == Called(table=3, minutes=2)
    assert codec.event("called.2", b'{"table":3,"minutes":2}') == Called(table=3, minutes=2)
    with pytest.raises(UnknownKind, match=r"called\.3"):
        codec.event("called.3", b"{}")


def test_a_command_is_what_its_sender_said() -> None:
    """F08: what the daemon added does not count."""
    assert digest_of(replace(ASK, now=2, free={"main": 3})) == digest_of(ASK)


@given(st.from_type(TournamentCommand) | st.from_type(DirectoryCommand))  # type: ignore[arg-type]  # unions are types
def test_every_command_has_a_digest(command: TournamentCommand | DirectoryCommand) -> None:
    """F12: whatever stands in it."""
    assert digest_of(command) == digest_of(replace(command))


@pytest.mark.parametrize("other", [replace(ASK, table=2), replace(ASK, names=("b",)), replace(ASK, names=())])
def test_another_body_is_another_command(other: Ask) -> None:
    """F12: every word of the sender counts."""
    assert digest_of(other) != digest_of(ASK)


def test_the_kind_of_a_command_counts() -> None:
    """F12: two commands with the same fields are two commands."""
    digests = {digest_of(kind) for kind in (Called(table=1, minutes=2), _Other(table=1, minutes=2))}
    assert len(digests) == 2


def test_equal_states_have_equal_fingerprints() -> None:
    """Whatever the order in which mappings and sets were filled."""
    one = {1: {"a", "b"}, 2: frozenset({3, 4})}
    two = {2: frozenset({4, 3}), 1: {"b", "a"}}
    assert fingerprint(one) == fingerprint(two)
    assert fingerprint(one) != fingerprint({1: {"a"}})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Other:
    table: int
    minutes: int
