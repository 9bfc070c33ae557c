"""By what players prove at a duel server who they are (decisions 4)."""

import hashlib
import hmac
from dataclasses import replace

import pytest

from ruleset.ids import PLAYOFF, PlayerId, TableId, TableNo
from ruleset.tournament.seatkeys import LONGEST_NAME, key_of, name_to_type
from ruleset.tournament.state import Tournament
from tests.builders import SWISS, started, table_id

R1T1 = table_id(1, 1)
KEYED = started(4, replace(SWISS, seat_key="required"))


def named(nickname: str) -> Tournament:
    """Return the tournament with player 1 under another nickname."""
    players = {**KEYED.players, PlayerId(1): replace(KEYED.players[PlayerId(1)], nickname=nickname)}
    return replace(KEYED, players=players)


def test_nobody_is_asked_unless_the_tournament_says_so() -> None:
    """Decisions 4: off is the default; the nickname alone is typed."""
    state = started(4)
    assert (key_of(state, R1T1, PlayerId(1)), name_to_type(state, R1T1, PlayerId(1))) == (None, "Nick1")


def test_a_key_follows_from_the_secret_seed() -> None:
    """R030: HMAC(seed, "seat:" + table + ":" + player), so that a restart changes nothing."""
    digest = hmac.new(bytes.fromhex(KEYED.seed), b"seat:R1T1:1", hashlib.sha256).digest()
    assert key_of(KEYED, R1T1, PlayerId(1)) == str(int.from_bytes(digest, "big") % 10_000).zfill(4)


def test_keys_differ_from_table_to_table_and_player_to_player() -> None:
    """Decisions 4: who has watched a key once knows no other."""
    tables = [*(table_id(round_no, 1) for round_no in range(1, 11)), TableId(PLAYOFF, TableNo(1))]
    keys = {key_of(KEYED, table, PlayerId(player)) for table in tables for player in (1, 2)}
    assert len(keys) > 18
    assert all(key is not None and len(key) == 4 and key.isdecimal() for key in keys)


@pytest.mark.parametrize(
    ("nickname", "typed"),
    [
        ("Alice", "Alice$"),
        ("A" * 14, f"{'A' * 14}$"),
        ("A" * 15, "P000001$"),
        ("𝔸" * 8, "P000001$"),
        ("nick2", "P000001$"),
    ],
)
def test_a_nickname_that_does_not_do_gives_way_to_the_number(nickname: str, typed: str) -> None:
    """duel-server.md 10.h, R004: a duel client cuts a long name, and others may have the same."""
    name = name_to_type(named(nickname), R1T1, PlayerId(1))
    assert name[:-4] == typed
    assert len(name.encode("utf-16-le")) // 2 <= LONGEST_NAME
