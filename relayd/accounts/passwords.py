"""Passwords: argon2id, a few at a time, so that a flood of sign-ins takes bounded memory (F27)."""

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

SHORTEST: Final = 8
LONGEST: Final = 200
AT_ONCE: Final = 2
"""Hashes that are computed at the same time, 19 MiB each."""
NICE: Final = 10
"""How far their threads stand back: nobody's page waits for somebody's hash."""

T = TypeVar("T")


class Passwords:
    """Hashes and compares. Nobody is told how far a comparison came: an unknown account takes as long."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        # RFC 9106 and OWASP: 19 MiB, 2 passes, one lane
        self._hasher = hasher or PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._threads = ThreadPoolExecutor(AT_ONCE, "passwords", _stand_back)
        self._nobody = self._hasher.hash("nobody has this password")

    async def hash(self, password: str) -> str:
        """Return the hash of *password* with its salt and parameters."""
        return await self._computed(lambda: self._hasher.hash(_bytes(password)))

    async def fits(self, password: str, hashed: str | None) -> bool:
        """Say whether *password* is the one of *hashed*; ``None``: no account, and it takes as long."""
        same = await self._computed(lambda: self._same(hashed or self._nobody, _bytes(password)))
        return same and hashed is not None

    async def _computed(self, job: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, job)

    def _same(self, hashed: str, password: bytes) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except (Argon2Error, InvalidHashError):
            return False


def _stand_back() -> None:
    """Let the thread that calls this run only where nothing else wants to (Linux: nice is a thread's own)."""
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


def _bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")
