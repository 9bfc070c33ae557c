"""How long the event loop is held up while decks come in: ``python -m benchmarks.submitting``.

Goal of performance.md 6. Everything that hosts and players do with decks, by the published list and cards. Of
each step of the loop: what it computes, and how long it waits for its turn because the thread of decks
computes. Both are those of the least disturbed of a few rounds. Exit code 1 if one is above the goal.
"""

import asyncio
import io
import json
import shutil
import sys
import time
from asyncio import events
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from deckcheck.sources import load_ocg
from relayd.admin.roles import Peer, Role
from relayd.app.running import settle
from relayd.observe.logging import Level, configure
from relayd.settings import EnvironmentSettings
from tests.decks import CDB, LFLIST, SHARED
from tests.house import PLAN, House, opened

ROUNDS: Final = 5
PLAYERS: Final = 256
GOAL_MS: Final = 5.0
HOST: Final = Peer(name="host", role=Role.OPERATOR)
TICK_S: Final = 0.001
OCG: Final = {**PLAN, "environment": "ocg"}


def main() -> None:
    """Print the table and what became of the goal."""
    if not SHARED.is_dir():
        sys.exit("the published lflist.conf and cards.cdb are not beside the project")
    configure(Level("error"), "json", io.StringIO())
    decks = list(_decks())
    rounds = [asyncio.run(_round(decks)) for _ in range(ROUNDS)]
    print(f"{'longest, ms':<32} {'computes':>9} {'waits':>9}")
    worst = 0.0
    for step in rounds[0]:
        computed, waited = (min(each[step][part] for each in rounds) for part in (0, 1))
        worst = max(worst, computed, waited)
        print(f"{step:<32} {computed:9.2f} {waited:9.2f}")
    reached = worst <= GOAL_MS
    print(f"{'reached' if reached else 'MISSED':>8}  no step of the loop takes more than {GOAL_MS:.0f} ms")
    sys.exit(not reached)


def _decks() -> Sequence[str]:
    """Return a legal deck for each player."""
    environment = load_ocg(LFLIST, [CDB])
    plain = [code for code, name in environment.plain.items() if name not in environment.caps]
    main = [code for code in plain if code not in environment.extra_codes]
    return [_ydk(main[start : start + 40], main[start + 40 : start + 55]) for start in range(PLAYERS)]


def _ydk(main: Sequence[int], side: Sequence[int]) -> str:
    return "\n".join(["#main", *map(str, main), "#extra", "!side", *map(str, side), ""])


@dataclass
class Watch:
    """What the loop has been doing since the last look, in seconds."""

    computed: float = 0.0
    waited: float = 0.0
    ticking: asyncio.Task[None] = field(init=False)

    def __post_init__(self) -> None:
        watch, run = self, events.Handle._run  # noqa: SLF001  there is no other way to see each step

        def timed(handle: events.Handle) -> None:
            began = time.thread_time()
            run(handle)
            watch.computed = max(watch.computed, time.thread_time() - began)

        events.Handle._run = timed  # type: ignore[method-assign, assignment]  # noqa: SLF001
        self.ticking = asyncio.create_task(self._tick())
        self.ticking.add_done_callback(lambda _: setattr(events.Handle, "_run", run))

    async def _tick(self) -> None:
        """Wake up again and again: what is late is a wait, as far as others have computed meanwhile."""
        while True:
            wall, own, all_ = time.perf_counter(), time.thread_time(), time.process_time()
            await asyncio.sleep(TICK_S)
            own = time.thread_time() - own
            late = min(time.perf_counter() - wall, time.process_time() - all_) - own - TICK_S
            self.waited = max(self.waited, late)

    def look(self) -> tuple[float, float]:
        """Return both in milliseconds, and begin anew."""
        seen = 1e3 * self.computed, max(0.0, 1e3 * self.waited)
        self.computed = self.waited = 0.0
        return seen


async def _round(decks: Sequence[str]) -> Mapping[str, tuple[float, float]]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(LFLIST, folder / "lflist.conf")
        files = EnvironmentSettings(lflist_path=folder / "lflist.conf", cdb_paths=(CDB,))
        async with opened(folder, environment=files) as house:
            settle()
            watch = Watch()
            try:
                return await _steps(house, folder, decks, watch)
            finally:
                watch.ticking.cancel()


async def _steps(
    house: House, folder: Path, decks: Sequence[str], watch: Watch
) -> Mapping[str, tuple[float, float]]:
    seen: dict[str, tuple[float, float]] = {}

    async def step(name: str, *calls: bytes) -> None:
        await asyncio.sleep(0)  # making the calls is no step of the daemon
        watch.look()
        await asyncio.gather(*(house.dispatcher.answer(HOST, call, _NoLine()) for call in calls))
        seen[name] = watch.look()

    players, worst = range(1, PLAYERS + 1), "x\n" * 32_000
    await step("publish, files not read yet", _call("tournament.publish", settings=OCG))
    await step("publish again", _call("tournament.publish", settings=OCG))
    await step(f"{PLAYERS} new players", *(_call("player.register", nickname=f"N{n}") for n in players))
    await step("their entries", *(_call("entry.register", tournament=1, player=n) for n in players))
    submitted = zip(players, decks, strict=True)
    await step(
        f"{PLAYERS} decks at once",
        *(_call("deck.submit", tournament=1, player=n, deck=deck) for n, deck in submitted),
    )
    await step("64 KiB that say nothing", _call("deck.check", tournament=1, deck=worst))
    await step("the same handed in", _call("deck.submit", tournament=1, player=1, deck=worst))
    await step("a difference", _call("deck.diff", tournament=1, player=1, deck=decks[3]))
    await step("all decks written out", _call("deck.export", tournament=1))
    banned = decks[0].split("\n")[20]
    list_file = folder / "lflist.conf"
    list_file.write_bytes(list_file.read_bytes().replace(b"!2026.7\n", f"!2026.7\n{banned} 0\n".encode(), 1))
    await step("the list refreshed", _call("tournament.refresh_list", tournament=1))
    await step("the tournament called off", _call("tournament.cancel", tournament=1))
    await step("statistics", _call("deck.stats", tournament=1))
    return seen


def _call(method: str, **params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


class _NoLine:
    """A line on which nobody follows anything."""

    def attach(self, _following: object) -> int:
        raise AssertionError("no call of this benchmark follows anything")

    def detach(self, _number: int) -> bool:
        return False


if __name__ == "__main__":
    main()
