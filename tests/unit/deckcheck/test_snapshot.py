"""Frozen environments."""

import json
import zlib

import pytest

from deckcheck.check import check
from deckcheck.deck import Deck
from deckcheck.environments import Environment, retro, whitelist
from deckcheck.errors import SourceBroken
from deckcheck.snapshot import freeze_environment, thaw_environment
from tests.decks import ARTWORK, NAMESAKE, TOKEN, a_list, legal_main, small_ocg, small_world

MARK = b"relayd environment 2\n"

ENVIRONMENTS = [
    retro("goat"),
    retro("explorer", small_world()),
    small_ocg("100 1\n$g 3\n101 $g 2", allow_prerelease=False),
    whitelist("mine", a_list("!m\n$whitelist\n100 0\n7 3\n"), small_world()),
]


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=lambda environment: environment.key)
def test_thawing_gives_an_equal_environment(environment: Environment) -> None:
    """D45: with equal verdicts, whatever became of the files."""
    thawed = thaw_environment(freeze_environment(environment))
    assert thawed == environment
    assert freeze_environment(thawed) == freeze_environment(environment)
    deck = Deck(main=legal_main(100, ARTWORK, NAMESAKE, TOKEN, 999), extra=(900,), side=(5, 7, 101))
    assert check(deck, thawed) == check(deck, environment)


def test_a_frozen_environment_is_small() -> None:
    """D45: it is stored with every tournament."""
    assert len(freeze_environment(retro("explorer"))) < 128 * 1024


FROZEN = freeze_environment(small_ocg())


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "snapshot_unknown"),
        (FROZEN.replace(b" 2\n", b" 3\n", 1), "snapshot_unknown"),
        (FROZEN[:-1], "snapshot_broken"),
        (FROZEN + b"x", "snapshot_broken"),
        (MARK + b"x", "snapshot_broken"),
        (MARK + zlib.compress(b"{"), "snapshot_broken"),
        (MARK + zlib.compress(b"{}"), "snapshot_broken"),
        (MARK + zlib.compress(b"[]"), "snapshot_broken"),
        (MARK + zlib.compress(b"\xff"), "snapshot_broken"),
    ],
)
def test_damaged_bytes_are_refused(data: bytes, code: str) -> None:
    """D45, F02: never a silently other environment."""
    with pytest.raises(SourceBroken) as refusal:
        thaw_environment(data)
    assert refusal.value.code == code


def test_bytes_that_swell_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """F17: no more is unpacked than an environment can have."""
    monkeypatch.setattr("deckcheck.snapshot._MAX_BYTES", 1000)
    with pytest.raises(SourceBroken) as refusal:
        thaw_environment(MARK + zlib.compress(json.dumps(["x" * 2000]).encode()))
    assert refusal.value.code == "snapshot_broken"
