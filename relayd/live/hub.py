"""Bounded fan-out: what is durable goes to everybody who follows, encoded once, and nobody can hold it up.

A follower gets the entries of a tournament in order without gaps, or is told where he stands. Whoever reads
too slowly is dropped at a bound of bytes and may follow again from the last version that he saw (F14, F15).
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from relayd.following import Dropped
from relayd.observe.metrics import Metrics
from relayd.storage.log import Entry
from ruleset.ids import TournamentNo
from ruleset.tournament.state import Tournament

BOUND: Final = 1 << 20
"""Bytes that may wait for one follower."""
KEPT: Final = 512
"""Entries of a tournament from which a follower can resume."""
TOPICS: Final = 1_000
"""Tournaments whose last entries are kept."""

EncodeEntry: TypeAlias = Callable[[TournamentNo, Entry], bytes]
EncodeView: TypeAlias = Callable[[TournamentNo, int, Tournament], bytes]
EncodeGap: TypeAlias = Callable[[TournamentNo, int], bytes]
"""Tells a follower that entries up to a version are not at hand: he must ask for the whole."""


class Follower:
    """One reader's end. Iterate with ``take``; ``close`` when done."""

    def __init__(self, hub: "Hub", number: TournamentNo | None, *, views: bool) -> None:
        self.number: Final = number
        self.views: Final = views
        self.version = 0
        """Of the last entry that was taken."""
        self._hub: Final = hub
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._bytes = 0
        self._view: tuple[TournamentNo, int, Tournament] | None = None
        self._dropped = False
        self._wake = asyncio.Event()

    async def take(self) -> bytes:
        """Return the next message, entries before views. Raises Dropped."""
        while True:
            await self._wake.wait()
            if self._dropped:
                raise Dropped(self.version)
            if self._waiting:
                self.version, message = self._waiting.popleft()
                self._bytes -= len(message)
                return message
            if self._view is not None:
                view, self._view = self._view, None
                return self._hub.view(*view)
            self._wake.clear()

    def close(self) -> None:
        """Follow no longer."""
        self._hub.leave(self)

    def push(self, version: int, message: bytes) -> bool:
        """Queue *message*; ``False``: the bound is reached, and the follower is dropped."""
        self._bytes += len(message)
        if self._bytes > BOUND and self._waiting:
            self._dropped = True
            self._waiting.clear()
        else:
            self._waiting.append((version, message))
        self._wake.set()
        return not self._dropped

    def show(self, number: TournamentNo, version: int, state: Tournament) -> None:
        """Let the view of *state* follow; only the newest is ever taken."""
        self._view = (number, version, state)
        self._wake.set()


class Hub:
    """Hears every durable entry and passes it on. ``hear`` is a Listener of the desks."""

    def __init__(self, entry: EncodeEntry, view: EncodeView, gap: EncodeGap, metrics: Metrics) -> None:
        self._entry, self._view, self._gap, self._metrics = entry, view, gap, metrics
        self._followers: dict[TournamentNo | None, set[Follower]] = {}
        self._kept: OrderedDict[TournamentNo, deque[Entry]] = OrderedDict()
        self._seen: tuple[tuple[TournamentNo, int], bytes] | None = None

    def hear(self, number: TournamentNo, entry: Entry, state: Tournament) -> None:
        """Pass an entry on to all who follow its tournament, and to those who follow all."""
        kept = self._keep(number)
        if kept and entry.version <= kept[-1].version:
            return
        kept.append(entry)
        followers = [*self._followers.get(number, ()), *self._followers.get(None, ())]
        message = self._entry(number, entry) if followers else b""
        for follower in followers:
            if not follower.push(entry.version, message):
                self._drop(follower)
            elif follower.views:
                follower.show(number, entry.version, state)

    def follow(
        self, number: TournamentNo | None, *, after: int | None = None, views: bool = False
    ) -> Follower:
        """Follow one tournament, or all; from now on, or from the entry behind version *after*."""
        follower = Follower(self, number, views=views)
        if number is not None and after is not None:
            follower.version = after
            self._resume(follower, number, after)
        self._followers.setdefault(number, set()).add(follower)
        self._metrics.subscribers.inc()
        return follower

    def missed(self, number: TournamentNo, after: int, until: int) -> Sequence[bytes] | None:
        """Return the entries behind version *after* up to *until*; ``None``: not all of them are at hand."""
        entries = [entry for entry in self._kept.get(number, ()) if after < entry.version <= until]
        whole = [entry.version for entry in entries] == list(range(after + 1, until + 1))
        return [self._entry(number, entry) for entry in entries] if whole else None

    def leave(self, follower: Follower) -> None:
        """Forget a follower; again changes nothing."""
        followers = self._followers.get(follower.number, set())
        if follower in followers:
            followers.remove(follower)
            self._metrics.subscribers.dec()
        if not followers:
            self._followers.pop(follower.number, None)

    def view(self, number: TournamentNo, version: int, state: Tournament) -> bytes:
        """Return the view, made once for all who take the same."""
        key = (number, version)
        if self._seen is None or self._seen[0] != key:
            self._seen = (key, self._view(number, version, state))
        return self._seen[1]

    def _keep(self, number: TournamentNo) -> deque[Entry]:
        kept = self._kept.setdefault(number, deque(maxlen=KEPT))
        self._kept.move_to_end(number)
        if len(self._kept) > TOPICS:
            self._kept.popitem(last=False)
        return kept

    def _resume(self, follower: Follower, number: TournamentNo, after: int) -> None:
        kept = self._kept.get(number, ())
        missed = [entry for entry in kept if entry.version > after]
        last = kept[-1].version if kept else after
        if not kept or last < after or (missed and missed[0].version != after + 1):
            follower.push(last, self._gap(number, last))
            return
        for entry in missed:
            follower.push(entry.version, self._entry(number, entry))

    def _drop(self, follower: Follower) -> None:
        self._metrics.subscribers_dropped.inc()
        self.leave(follower)
