"""One connection of a peer, whatever it runs over: answers, and what he follows, through one writer."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

import msgspec

from relayd.admin import rpc
from relayd.admin.dispatcher import Dispatcher
from relayd.admin.roles import Peer
from relayd.following import Dropped, Following

FOLLOWED: Final = 32
"""Tournaments that one connection may follow at once."""
SEND_S: Final = 10.0
"""Seconds that a peer may take to read one message."""

Send = Callable[[bytes], Awaitable[None]]


class Session:
    """Answers what a peer asks, in order, and passes on what he follows. Close it in the end."""

    def __init__(self, peer: Peer, dispatcher: Dispatcher, send: Send, hang_up: Callable[[], None]) -> None:
        """*hang_up* cuts the connection off at once: its peer does not read what he follows."""
        self.peer: Final = peer
        self._dispatcher, self._send_raw, self._hang_up = dispatcher, send, hang_up
        self._writing = asyncio.Lock()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._followings: dict[int, Following] = {}
        self._last = 0

    @property
    def follows(self) -> bool:
        """Whether he waits for something, so that silence is no reason to hang up."""
        return bool(self._tasks)

    async def handle(self, message: bytes) -> None:
        """Answer one request or batch. Raises OSError or TimeoutError where the peer does not read."""
        answer = await self._dispatcher.answer(self.peer, message, self)
        if answer is not None:
            await self._send(answer)

    def attach(self, following: Following) -> int:
        """Send what *following* brings from now on, as notifications ``live`` with this number."""
        if len(self._tasks) >= FOLLOWED:
            following.close()
            raise rpc.RpcError(rpc.Code.BUSY, f"a connection follows {FOLLOWED} tournaments at most")
        self._last += 1
        number = self._last
        self._followings[number] = following
        self._tasks[number] = self._spawn(self._pass_on(number, following))
        return number

    def detach(self, number: int) -> bool:
        """End what was followed under *number*; ``False``: nothing was."""
        following, task = self._followings.pop(number, None), self._tasks.pop(number, None)
        if following is None or task is None:
            return False
        following.close()
        task.cancel()
        return True

    async def close(self) -> None:
        """Let go of everything."""
        tasks = list(self._tasks.values())
        for number in tuple(self._tasks):
            self.detach(number)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _pass_on(self, number: int, following: Following) -> None:
        try:
            while True:
                await self._send(_live(number, await following.take()))
        except Dropped as dropped:
            told = {"following": number, "dropped": True, "version": dropped.version}
            await self._send(rpc.notification("live", told))
        except (OSError, TimeoutError):
            self._hang_up()
        finally:
            following.close()

    async def _send(self, message: bytes) -> None:
        async with self._writing, asyncio.timeout(SEND_S):
            await self._send_raw(message)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        task.add_done_callback(self._forget)
        return task

    def _forget(self, task: asyncio.Task[None]) -> None:
        for number in [number for number, known in self._tasks.items() if known is task]:
            self.detach(number)


def _live(number: int, message: bytes) -> bytes:
    """Return the notification: the message with the number of what it belongs to."""
    return rpc.notification("live", {"following": number, "message": msgspec.Raw(message)})
