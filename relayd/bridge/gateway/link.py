"""One connection of a plugin at work: what it says is taken in order, what it is told is sent in time."""

import asyncio
from dataclasses import dataclass
from typing import Final

import structlog
from websockets.asyncio.server import ServerConnection

from relayd.bridge.api import NoAnswer, Outcome
from relayd.bridge.gateway.eye import PluginEye
from relayd.bridge.gateway.intray import Drained, Intray, Unreadable
from relayd.bridge.gateway.outbox import Outbox, Overflow
from relayd.bridge.gateway.questions import Questions
from ruleset.ids import ServerId
from srvpro_bridge.protocol import (
    Done,
    FromPlugin,
    Hello,
    ProtocolError,
    Question,
    Recorded,
    RoomChanged,
    RoomOrder,
    Rooms,
    Trouble,
    encode,
    from_plugin,
)

SEND_S: Final = 10.0
"""How long the plugin may take to read one message."""
BEAT_S: Final = 2.0
PONG_S: Final = 5.0
"""How often it is asked for a sign of life, and how long that may take."""
ORDER_S: Final = 5.0
"""How long an order may take to be answered."""
ASKED: Final = 256
"""Questions that are being answered."""
TROUBLES: Final = 100
"""Lines about its troubles that one connection may write into our log."""
_log = structlog.get_logger()


class Ended(Exception):
    """We end the connection: *outcome* for the log, *text* for the plugin."""

    def __init__(self, outcome: str, text: str) -> None:
        super().__init__(text)
        self.outcome, self.text = outcome, text


@dataclass(slots=True)
class Tally:
    """What one connection carried beside records."""

    sights: int = 0
    questions: int = 0
    orders: int = 0
    troubles: int = 0
    sent: int = 0


def read(frame: str | bytes) -> FromPlugin:
    """Return what a frame says. Raises ProtocolError."""
    if isinstance(frame, bytes):
        raise ProtocolError("binary", "a message is a text frame")
    return from_plugin(frame)


class Link:
    """A connection that was welcomed. It runs until either side ends it; then it is thrown away."""

    def __init__(
        self, server: ServerId, connection: ServerConnection, intray: Intray, outbox: Outbox, eye: PluginEye
    ) -> None:
        self._server, self._connection, self._eye = server, connection, eye
        self._intray, self._outbox = intray, outbox
        self._answering: set[asyncio.Future[None]] = set()
        self._orders: dict[str, asyncio.Future[Done]] = {}
        self._why: Ended | None = None
        self._ending = asyncio.Event()
        self.tally = Tally()

    async def run(self, questions: Questions) -> None:
        """Work until the plugin is gone. Raises Ended, ProtocolError, ConnectionClosed, or LogErrors."""
        self._questions = questions
        works = (self._read(), self._intray.run(self._outbox.ack), self._write(), self._beat(), self._end())
        tasks: set[asyncio.Future[None]] = {asyncio.ensure_future(work) for work in works}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await self._stop(tasks)
        for task in done:
            task.result()

    def end(self, outcome: str, text: str) -> None:
        """End it from outside; the first word counts."""
        self._why = self._why or Ended(outcome, text)
        self._ending.set()

    async def order(self, order: RoomOrder) -> str:
        """Give an order and return what came of it. Raises NoAnswer."""
        answer: asyncio.Future[Done] = asyncio.get_running_loop().create_future()
        self._orders[order.id] = answer
        self.tally.orders += 1
        try:
            self._outbox.put(order)
            async with asyncio.timeout(ORDER_S):
                done = await answer
        except (TimeoutError, Overflow):
            raise NoAnswer("timeout", f"the plugin does not answer within {ORDER_S} s") from None
        finally:
            del self._orders[order.id]
        if not done.ok:
            outcome: Outcome = "no_room" if done.outcome == "no_room" else "refused"
            raise NoAnswer(outcome, f"the plugin says {done.outcome}")
        return done.outcome

    async def _read(self) -> None:
        async for frame in self._connection:
            self._eye.alive()
            try:
                await self._hear(frame)
            except ProtocolError as error:
                if error.seq is None:
                    raise
                _log.warning("record_unreadable", server=self._server, seq=error.seq, why=error.message)
                await self._intray.put(Unreadable(error.seq))

    async def _hear(self, frame: str | bytes) -> None:
        match message := read(frame):
            case Recorded():
                await self._intray.put(message)
            case RoomChanged(sight=sight):
                self.tally.sights += 1
                self._eye.tell(sight)
            case Rooms(rooms=rooms):
                self._eye.tell_all(rooms)
                await self._intray.put(Drained())
            case Done():
                self._obeyed(message)
            case Trouble():
                self._note(message)
            case Hello():
                raise ProtocolError("second_hello", "hello is the first message and no other")
            case _:
                self._ask(message)

    def _ask(self, question: Question) -> None:
        if len(self._answering) >= ASKED:
            self.end("busy", f"at most {ASKED} questions may be open")
            return
        self.tally.questions += 1
        task = asyncio.ensure_future(self._answer(question))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, question: Question) -> None:
        try:
            self._outbox.put(await self._questions.answer(self._server, question))
        except Overflow:
            self.end("slow", "what it asks is not read")
        except Exception:  # noqa: BLE001  root of a task: the plugin knows what to do without an answer
            _log.exception("question_broken", server=self._server)

    def _obeyed(self, done: Done) -> None:
        answer = self._orders.get(done.id)
        if answer is not None and not answer.done():
            answer.set_result(done)

    def _note(self, trouble: Trouble) -> None:
        self.tally.troubles += 1
        if self.tally.troubles <= TROUBLES:
            told = {"place": trouble.place, "why": trouble.text, "count": trouble.count}
            _log.warning("plugin_trouble", server=self._server, **told)

    async def _write(self) -> None:
        while True:
            for message in await self._outbox.take():
                await self.send(encode(message))

    async def send(self, frame: str) -> None:
        """Send one frame. Raises Ended where it is not read in time, ConnectionClosed."""
        try:
            async with asyncio.timeout(SEND_S):
                await self._connection.send(frame)
        except TimeoutError:
            raise Ended("slow", "what it is told is not read") from None
        self.tally.sent += 1

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            try:
                async with asyncio.timeout(PONG_S):
                    await (await self._connection.ping())
            except TimeoutError:
                raise Ended("silent", "no sign of life") from None
            self._eye.alive()

    async def _end(self) -> None:
        await self._ending.wait()
        if self._why is not None:
            raise self._why

    async def _stop(self, tasks: set[asyncio.Future[None]]) -> None:
        works = {*tasks, *self._answering}
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)
        for answer in self._orders.values():
            if not answer.done():
                answer.set_exception(NoAnswer("no_plugin", "the plugin has gone"))
