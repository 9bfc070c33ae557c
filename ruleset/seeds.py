"""All chance of a tournament follows from one secret seed, by keyed hashes that anybody can recompute.

At publishing only the commitment is shown, with each round that round's key, the seed itself after the end
(R030). HMAC and not a generator: the same on every machine and in every version.
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator

from ruleset.ids import PlayerId, RoundNo, TableId


def commitment(seed: bytes) -> str:
    """Return what is shown at publishing: SHA-256 of *seed* in hex (R030)."""
    return hashlib.sha256(seed).hexdigest()


def round_key(seed: bytes, round_no: RoundNo) -> bytes:
    """Return the key of a round, from which its order follows: HMAC(seed, "pair:" + round) (R030)."""
    return _hmac(seed, f"pair:{round_no}")


def lot(seed: bytes, player: PlayerId) -> int:
    """Return a player's lot (抽签), 256 bits; the smallest goes first (R030)."""
    return int.from_bytes(_hmac(seed, f"lot:{player}"))


def seat_key(seed: bytes, table: TableId, player: PlayerId) -> str:
    """Return by what a player proves at a duel server that he belongs at a table: four digits (decisions 4).

    From the seed and not from the round's key, which everybody sees.
    """
    return f"{int.from_bytes(_hmac(seed, f'seat:{table}:{player}')) % 10_000:04}"


def draw(key: bytes, player: PlayerId) -> bytes:
    """Return what a player draws in a round, the smallest first: SHA-256(round key + decimal player number).

    Nothing is secret here, the key is shown; so a plain hash does, which anybody can type.
    """
    return hashlib.sha256(b"%b%d" % (key, player)).digest()


def draws(key: bytes, players: Iterable[PlayerId]) -> Iterator[bytes]:
    """Yield what each of *players* draws, in half the time that one by one takes."""
    begun = hashlib.sha256(key)
    for player in players:
        one = begun.copy()
        one.update(b"%d" % player)
        yield one.digest()


def drawn(key: bytes, players: Iterable[PlayerId]) -> list[PlayerId]:
    """Return *players* in the order that a round's *key* draws."""
    there = [*players]
    found = dict(zip(there, draws(key, there), strict=True))
    return sorted(there, key=found.__getitem__)


def _hmac(key: bytes, message: str) -> bytes:
    return hmac.digest(key, message.encode(), "sha256")
