"""Who comes in, and where to: players are led to their tables whatever they type (duel-server.md 10.a)."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, Literal, TypeAlias

from srvpro_bridge.protocol import SeatFound, Table
from srvpro_bridge.simulator.passwords import MATCH, SINGLE, Options
from srvpro_bridge.simulator.plugin.book import Book, Place
from srvpro_bridge.simulator.seats import Refused

NOT_BEGUN: Final = "This match has not begun. You can watch it as soon as it runs."
FINISHED: Final = "This match is over. Your next room is on your tournament page."
MANY: Final = "You sit at more than one table. Type one of these as the password: "

Why: TypeAlias = Literal["stranger", "finished", "ambiguous", "daemon"]
Ask: TypeAlias = Callable[[str, str], Awaitable[SeatFound | None]]
"""Asks the daemon for somebody's seat, by his name and by what he typed."""
Tell: TypeAlias = Callable[[str, str | None, Why], None]
"""Hears who was refused, at which table, and why."""


class Door:
    """Knows the tables."""

    def __init__(self, book: Book, runs: Callable[[str], bool], ask: Ask, tell: Tell) -> None:
        """*runs*: whether a match goes on in the room of that name."""
        self._book, self._runs, self._ask, self._tell = book, runs, ask, tell

    async def lead(self, nickname: str, typed: str) -> str:
        """Return the room to which somebody is led. Raises Refused."""
        place = self._open_place(nickname, typed)
        if place is not None:
            return place.table.room
        table = self._book.at(typed)
        return await self._by_daemon(nickname, typed) if table is None else self._as_guest(nickname, table)

    def _open_place(self, nickname: str, typed: str) -> Place | None:
        """Find his open table, whatever he typed; that decides only where he has several."""
        places = [place for place in self._book.places(nickname) if not place.table.finished]
        named = [place for place in places if place.table is self._book.at(typed)]
        match named or places:
            case []:
                return None
            case [place]:
                return place
            case several:
                codes = " ".join(sorted({place.table.code for place in several}))
                raise self._refusal(nickname, None, "ambiguous", MANY + codes)

    def _as_guest(self, nickname: str, table: Table) -> str:
        runs = self._runs(table.room)
        if table.finished and not runs:
            raise self._refusal(nickname, table.code, "finished", FINISHED)
        if table.strangers == "refuse" or (table.strangers == "watch" and not runs):
            raise self._refusal(nickname, table.code, "stranger", NOT_BEGUN)
        return table.room

    async def _by_daemon(self, nickname: str, typed: str) -> str:
        found = await self._ask(nickname, typed)
        if found is not None and found.refuse is not None:
            raise self._refusal(nickname, found.code, "daemon", found.refuse)
        table = None if found is None or found.code is None else self._book.tables.get(found.code)
        return typed if table is None else table.room

    def _refusal(self, nickname: str, code: str | None, why: Why, text: str) -> Refused:
        self._tell(nickname, code, why)
        return Refused(text)


def options_of(table: Table, plain: Options) -> Options:
    """Return what the room of *table* is made with; ``None`` in it leaves what is *plain*."""
    wanted = table.options
    return replace(
        plain,
        mode=MATCH if wanted.best_of == 3 else SINGLE,
        lflist=plain.lflist if wanted.lflist is None else wanted.lflist,
        time_limit_s=plain.time_limit_s if wanted.time_limit is None else wanted.time_limit,
        no_watch=plain.no_watch if wanted.no_watch is None else wanted.no_watch,
        no_check_deck=plain.no_check_deck if wanted.no_check_deck is None else wanted.no_check_deck,
        start_lp=plain.start_lp if wanted.start_lp is None else wanted.start_lp,
    )
