"""What the host said to everybody: read once from the log, shown on every page of his tournament (S104)."""

from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from relayd.storage.log import Entry
from ruleset.ids import MINUTE_MS, Instant, TournamentNo
from ruleset.tournament.events import Announced
from ruleset.tournament.state import Tournament

KEPT: Final = 3
GOOD_FOR_MS: Final = 180 * MINUTE_MS
"""How long words stay on the pages."""
TOPICS: Final = 1_000
"""Tournaments whose words are kept at hand."""
History: TypeAlias = Callable[[TournamentNo], Awaitable[Sequence[Entry]]]


@dataclass(slots=True)
class _Heard:
    version: int = 0
    words: deque[Announced] = field(default_factory=lambda: deque(maxlen=KEPT))


class Announcements:
    """The last words of each tournament; the log is read only where it has gone on."""

    def __init__(self, history: History, version: Callable[[TournamentNo], int]) -> None:
        self._history, self._version = history, version
        self._heard: OrderedDict[TournamentNo, _Heard] = OrderedDict()

    async def __call__(self, number: TournamentNo) -> Sequence[Announced]:
        """Return them, newest first; *number* must have been loaded. Raises HistoryBroken."""
        heard = self._heard.setdefault(number, _Heard())
        self._heard.move_to_end(number)
        if len(self._heard) > TOPICS:
            self._heard.popitem(last=False)
        if heard.version < self._version(number):
            self._hear(heard, await self._history(number))
        return list(heard.words)[::-1]

    def _hear(self, heard: _Heard, entries: Sequence[Entry]) -> None:
        for entry in entries[heard.version :]:
            heard.words.extend(event for event in entry.events if isinstance(event, Announced))
        heard.version = len(entries)


def current(words: Sequence[Announced], now: Instant) -> list[dict[str, object]]:
    """Return those that are still worth reading."""
    return [{"text": said.text, "at": said.at} for said in words if now - said.at <= GOOD_FOR_MS]


def minutes_left(state: Tournament) -> int | None:
    """Return how many minutes the last warning gave, while time has not been called (S104)."""
    played = state.round
    if state.phase != "running" or played is None or not played.open_tables:
        return None
    return None if played.time_called_at is not None else played.warned_min
