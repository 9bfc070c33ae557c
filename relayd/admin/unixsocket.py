"""The admin socket: JSON-RPC, one request a line, over a unix socket."""

import asyncio
import errno
import os
import socket
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog

from relayd.admin import rpc
from relayd.admin.dispatcher import Dispatcher
from relayd.admin.peers import LocalUsers
from relayd.admin.roles import Peer
from relayd.admin.rpc import Code, RpcError
from relayd.admin.session import Session
from relayd.observe.metrics import Metrics

CONNECTIONS: Final = 200
IDLE_S: Final = 600.0
"""Seconds of silence after which a connection that follows nothing is closed."""

_log: Final = structlog.get_logger()


class SocketTaken(Exception):
    """The operator: another daemon listens there, or something else lies in the way."""


class AdminSocket:
    """Listens at *path*; anybody may connect where the settings name others, the kernel says who it is."""

    def __init__(self, path: Path, users: LocalUsers, dispatcher: Dispatcher, metrics: Metrics) -> None:
        self.path: Final = path
        self._users, self._dispatcher, self._metrics = users, dispatcher, metrics
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()
        self._talking: dict[asyncio.StreamWriter, Peer] = {}
        self._own = False

    async def start(self, inherited: socket.socket | None = None) -> None:
        """Listen, on an *inherited* socket where the service manager holds one. Raises SocketTaken.

        An inherited one stays where it is at the end, and who may connect there is its owner's to say.
        """
        if inherited is not None:
            self._server = await asyncio.start_unix_server(self._accept, sock=inherited, limit=rpc.LONGEST)
            return
        await asyncio.to_thread(_make_way, self.path)
        try:
            self._server = await asyncio.start_unix_server(self._accept, self.path, limit=rpc.LONGEST)
        except OSError as error:
            raise SocketTaken(f"{self.path}: cannot listen there: {error.strerror or error}") from error
        self._own = True
        self._open_to_others()

    def review(self) -> None:
        """Look at rights anew after the roles have changed: hang up on whoever has another one, or none."""
        if self._own:
            self._open_to_others()
        for writer, peer in tuple(self._talking.items()):
            if self._users.peer(writer.get_extra_info("socket")) != peer:
                writer.transport.abort()

    async def close(self) -> None:
        """Stop listening and hang up."""
        if self._server is not None:
            self._server.close()
        for task in tuple(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        if self._own:
            with suppress(FileNotFoundError):
                self.path.unlink()

    def _open_to_others(self) -> None:
        self.path.chmod(0o666 if self._users.others else 0o600)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer, why = None, "gone"
        try:
            peer = self._users.peer(writer.get_extra_info("socket"))
            if peer is None or len(self._open) > CONNECTIONS:
                why = "refused"
                await _say_no(writer, known=peer is not None)
                return
            self._talking[writer] = peer
            with self._metrics.admin_connections.labels("unix").track_inprogress():
                why = await self._talk(peer, reader, writer)
        except (OSError, TimeoutError):
            why = "lost"
        finally:
            self._talking.pop(writer, None)
            writer.close()
            _log.info("admin_connection", peer=None if peer is None else peer.name, kind="unix", outcome=why)

    async def _talk(self, peer: Peer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
        async def send(message: bytes) -> None:
            writer.write(message + b"\n")
            await writer.drain()

        session = Session(peer, self._dispatcher, send, writer.transport.abort)
        try:
            while line := await _line(reader, session):
                await session.handle(line)
        except asyncio.LimitOverrunError:
            too_long = RpcError(Code.INVALID_REQUEST, f"a line has {rpc.LONGEST} bytes at most")
            await send(rpc.failure(None, too_long))
            return "too_long"
        finally:
            await session.close()
        return "gone"


async def _line(reader: asyncio.StreamReader, session: Session) -> bytes:
    """Return the next line that is not blank; empty at the end, or after a long silence."""
    while True:
        try:
            async with asyncio.timeout(IDLE_S):
                line = await reader.readuntil(b"\n")
        except TimeoutError:
            if not session.follows:
                return b""
            continue
        except asyncio.IncompleteReadError as end:
            return end.partial.strip()
        if stripped := line.strip():
            return stripped


async def _say_no(writer: asyncio.StreamWriter, *, known: bool) -> None:
    no = (
        RpcError(Code.BUSY, "too many connections: try again later")
        if known
        else RpcError(Code.FORBIDDEN, "your user has no role here; see admin_socket.role in the settings")
    )
    writer.write(rpc.failure(None, no) + b"\n")
    async with asyncio.timeout(1):
        await writer.drain()


def _make_way(path: Path) -> None:
    """Remove a socket that nobody listens at any more."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise SocketTaken(f"{path}: there is something else; move it away or set admin_socket.path")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1)
        outcome = probe.connect_ex(os.fspath(path))
    if outcome != errno.ECONNREFUSED:
        raise SocketTaken(f"{path}: another daemon listens there; stop it first")
    path.unlink()
