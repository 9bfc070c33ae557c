"""The connection to the daemon: kept up for ever, records in order and again until they are acknowledged."""

import asyncio
from contextlib import suppress
from itertools import count
from typing import Final, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from srvpro_bridge import protocol as p
from srvpro_bridge.simulator.config import PluginLink
from srvpro_bridge.simulator.plugin.spool import Spool

IN_FLIGHT: Final = 256
LONGEST_PAUSE_S: Final = 4.0
BEAT_S: Final = 2.0
ANSWER_S: Final = 1.5


class Owner(Protocol):
    """Who speaks through the link."""

    def hello(self) -> p.Hello:
        """Return what is said first."""
        ...

    def rooms(self) -> tuple[p.Sight, ...]:
        """Return every open room."""
        ...

    def hear_daemon(self, message: p.FromDaemon) -> None:
        """Take in what the daemon says."""
        ...


class Link:
    """Runs as long as the duel server does; whatever it says is lost unless it is a record."""

    def __init__(
        self,
        config: PluginLink,
        spool: Spool,
        owner: Owner,
    ) -> None:
        self._config, self._spool, self._owner = config, spool, owner
        self._socket: ClientConnection | None = None
        self._unsent: asyncio.Queue[str] = asyncio.Queue()
        self._sent = self._acked = 0
        self._backlog = False
        self._welcomes = 0
        self._asked = count(1)
        self._questions: dict[str, asyncio.Future[p.Answer]] = {}
        self.welcomed = asyncio.Event()
        """Set while the daemon is there."""

    async def run(self) -> None:
        """Connect, and connect again, until cancelled."""
        pause, welcomes = self._config.retry_ms / 1_000, 0
        while True:
            with suppress(OSError, WebSocketException, p.ProtocolError):
                await self._talk()
            if self._welcomes > welcomes:
                welcomes, pause = self._welcomes, self._config.retry_ms / 1_000
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_S)

    def say(self, message: p.FromPlugin) -> None:
        """Send something that is only as old as its connection."""
        if self.welcomed.is_set():
            self._unsent.put_nowait(p.encode(message))

    async def ask_seat(self, nickname: str, typed: str) -> p.SeatFound | None:
        """Ask where somebody sits; ``None``: no answer in time."""
        if not self.welcomed.is_set():
            return None
        id_ = f"q{next(self._asked)}"
        answer: asyncio.Future[p.Answer] = asyncio.get_running_loop().create_future()
        self._questions[id_] = answer
        self.say(p.AskSeat(id=id_, nickname=nickname, typed=typed))
        try:
            async with asyncio.timeout(ANSWER_S):
                said = await answer
        except (TimeoutError, asyncio.CancelledError):
            return None
        finally:
            self._questions.pop(id_, None)
        return said if isinstance(said, p.SeatFound) else None

    def pump(self) -> None:
        """Send records, as far as the daemon keeps up; behind the backlog, the open rooms."""
        if not self.welcomed.is_set():
            return
        while self._sent + 1 < self._spool.next and self._sent - self._acked < IN_FLIGHT:
            self._sent += 1
            line = self._spool.line(self._sent)
            if line is not None:
                self._unsent.put_nowait(line)
        if self._backlog and self._sent + 1 >= self._spool.next:
            self._backlog = False
            self.say(p.Rooms(after=self._sent, rooms=self._owner.rooms()))

    async def _talk(self) -> None:
        headers = {"Authorization": f"Bearer {self._config.token}"}
        async with connect(
            self._config.url,
            additional_headers=headers,
            compression=None,
            max_size=p.LONGEST_FROM_DAEMON,
            ping_interval=BEAT_S,
            ping_timeout=BEAT_S,
        ) as socket:
            await socket.send(p.encode(self._owner.hello()))
            writer = asyncio.ensure_future(self._write(socket))
            try:
                async for frame in socket:
                    self._receive(p.from_daemon(frame))
            finally:
                writer.cancel()
                self._down()
                await asyncio.gather(writer, return_exceptions=True)

    def _receive(self, message: p.FromDaemon) -> None:
        match message:
            case p.Welcome(ack=ack):
                self._spool.ack(ack)
                self._spool.skip_to(ack + 1)
                self._sent = self._acked = ack
                self._backlog = True
                self._welcomes += 1
                self.welcomed.set()
                self._owner.hear_daemon(message)
            case p.Ack(seq=seq):
                self._acked = max(self._acked, seq)
                self._spool.ack(seq)
            case p.SeatFound() | p.KeyJudged() | p.DeckVerdict():
                answer = self._questions.get(message.id)
                if answer is not None and not answer.done():
                    answer.set_result(message)
            case _:
                self._owner.hear_daemon(message)
        self.pump()

    async def _write(self, socket: ClientConnection) -> None:
        while True:
            await socket.send(await self._unsent.get())

    def _down(self) -> None:
        self.welcomed.clear()
        self._unsent = asyncio.Queue()
        for answer in self._questions.values():
            answer.cancel()
