"""Pictures of players (R004): uploaded, made anew by a child process, kept under the digest of what came out.

Nothing is fetched from a URL, and no byte that a stranger sent is ever served to others.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, TypeAlias

from relayd.storage.accounts import Avatar
from ruleset.ids import PlayerId

MOST_BYTES: Final = 4 * 1024 * 1024
"""Of an upload."""
PATIENCE_S: Final = 10.0
AT_ONCE: Final = 2
_PROGRAM: Final = Path(__file__).with_name("painting.py")
_TOO_MANY: Final = 2

AvatarProblem: TypeAlias = Literal["avatar_too_large", "avatar_unreadable"]


class AvatarRefused(Exception):
    """The sender: that cannot be a picture of yours, and ``code`` says why."""

    def __init__(self, code: AvatarProblem) -> None:
        super().__init__(code)
        self.code: AvatarProblem = code


class Painter:
    """Makes avatars, a few at a time."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._patience_s = patience_s

    async def paint(self, player: PlayerId, uploaded: bytes) -> Avatar:
        """Return what becomes of an upload. Raises AvatarRefused."""
        if len(uploaded) > MOST_BYTES:
            raise AvatarRefused("avatar_too_large")
        async with self._turns:
            code, image = await self._run(uploaded)
        if code == _TOO_MANY:
            raise AvatarRefused("avatar_too_large")
        if code != 0 or not image:
            raise AvatarRefused("avatar_unreadable")
        return Avatar(player=player, digest=sha256(image).hexdigest(), image=image)

    async def _run(self, uploaded: bytes) -> tuple[int, bytes]:
        """Run the program; whatever takes too long is ended."""
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-I", _PROGRAM, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env={}
        )
        try:
            async with asyncio.timeout(self._patience_s):
                image, _ = await child.communicate(uploaded)
        except TimeoutError:
            return -1, b""
        finally:
            if child.returncode is None:
                child.kill()
                await child.wait()
        return child.returncode or 0, image
