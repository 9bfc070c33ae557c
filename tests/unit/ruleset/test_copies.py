"""A copy with other values is the same as that of the standard library."""

import dataclasses

import pytest

from ruleset.copies import replace
from ruleset.tournament.state import Tournament
from tests.builders import started, tables


def test_it_does_what_dataclasses_do() -> None:
    """House 3: states are copied, never changed; what is not named is shared."""
    state = started(4)
    assert replace(state, phase="held", sign_ins=9) == dataclasses.replace(state, phase="held", sign_ins=9)
    assert replace(state).players is state.players
    assert state.phase == "running"


def test_copies_are_frozen_too() -> None:
    """House 3."""
    table = replace(tables(started(4))[0], status="playing")
    with pytest.raises(dataclasses.FrozenInstanceError):
        table.status = "waiting"  # type: ignore[misc]  # that is the point


def test_an_unknown_field_is_refused() -> None:
    """A slip is found by the type checker, and at run time as well."""
    with pytest.raises(AttributeError, match="faze"):
        replace(Tournament(), faze="held")  # type: ignore[call-arg]  # that is the point
