"""A Challonge of the tests' own: it answers what it is told to, and keeps what it hears."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

ONE_MATCH = (
    '{"tournament":{"id":1,"participants":['
    '{"participant":{"id":"P1","name":"12345+Alice"}},{"participant":{"id":"P2","name":"777 Bob"}},'
    '{"participant":{"id":"P3","name":"999＋Dave"}}],'
    '"matches":[{"match":{"id":"X0R1T1","state":"complete","player1_id":"P1","player2_id":"P2","winner_id":"P1"}},'
    '{"match":{"id":"X9R1T1","state":"open","player1_id":"P1","player2_id":null,"winner_id":null}},'
    '{"match":{"id":"X1R1T1","state":"open","player1_id":"P1","player2_id":"P2","winner_id":null}}]}}'
)


@dataclass
class Face:
    """What it says and what it has heard."""

    body: str = ONE_MATCH
    get_status: int = 200
    put_status: int = 200
    gets: list[str] = field(default_factory=list)
    """Path and query of each GET."""
    puts: list[tuple[str, str, bytes]] = field(default_factory=list)
    """Path, content type and body of each PUT."""
    release: asyncio.Event = field(default_factory=asyncio.Event)
    """GETs and PUTs wait for it."""
    url: str = ""
    runner: web.AppRunner | None = None
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def close(self) -> None:
        """Be away from now on."""
        if self.runner is not None:
            await self.runner.cleanup()

    async def has_heard(self, scores: int) -> None:
        """Wait for that many PUTs."""
        while len(self.puts) < scores:
            self._news.clear()
            await self._news.wait()

    async def get(self, request: web.Request) -> web.Response:
        """Answer a GET."""
        self.gets.append(request.path_qs)
        await self.release.wait()
        return web.Response(status=self.get_status, text=self.body)

    async def put(self, request: web.Request) -> web.Response:
        """Answer a PUT."""
        self.puts.append((request.raw_path, request.headers["content-type"], await request.read()))
        self._news.set()
        await self.release.wait()
        return web.Response(status=self.put_status)

    @property
    def scores(self) -> list[bytes]:
        """Return the bodies of the PUTs."""
        return [body for _, _, body in self.puts]


@asynccontextmanager
async def serving(face: Face) -> AsyncIterator[Face]:
    """Serve *face* on a free port of this machine."""
    app = web.Application()
    app.router.add_get("/{path:.*}", face.get)
    app.router.add_put("/{path:.*}", face.put)
    face.runner = runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    face.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    face.release.set()
    try:
        yield face
    finally:
        await face.close()
