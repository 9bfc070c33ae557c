"""The Challonge module of the duel server (duel-server.md 3): whom it asks, whom it seats, what it reports.

All of it takes real time: the answer is kept for ``cache_ttl``, a GET may take 5 s, one at a time; a PUT
may take for ever, is tried six times without a pause when it fails, and then forgotten in silence.
"""

import asyncio
import json
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

import aiohttp
from yarl import URL

from srvpro_bridge.simulator.clients import Registered
from srvpro_bridge.simulator.config import ChallongeLink
from srvpro_bridge.simulator.decks import read_deckbuf
from srvpro_bridge.simulator.nicks import deck_name_match

TRIES: Final = 6


class NoRoster(Exception):
    """The tournament could not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMatch:
    """A match with two players that is not over."""

    id: str
    player1_id: str
    player2_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """The tournament as it was read last."""

    participants: tuple[Registered, ...]
    matches: tuple[OpenMatch, ...]

    def participant(self, nick: str) -> Registered | None:
        """Return the first whom *nick* fits."""
        return next((one for one in self.participants if deck_name_match(one.name, nick)), None)

    def match_of(self, participant: Registered) -> OpenMatch | None:
        """Return the first open match in which he plays."""
        return next((m for m in self.matches if participant.id in {m.player1_id, m.player2_id}), None)


class Challonge:
    """One conversation with the other side."""

    def __init__(self, link: ChallongeLink, session: aiohttp.ClientSession) -> None:
        self.link = link
        self._session = session
        self._turn = asyncio.Lock()
        self._cached: tuple[float, Roster] | None = None
        self._puts: set[asyncio.Task[None]] = set()

    async def roster(self) -> Roster:
        """Return the tournament, at most ``cache_ttl`` old. Raises NoRoster."""
        async with self._turn:
            now = asyncio.get_running_loop().time()
            if self._cached is not None and now < self._cached[0]:
                return self._cached[1]
            roster = await self._fetch()
            self._cached = (asyncio.get_running_loop().time() + self.link.cache_ttl_ms / 1000, roster)
            return roster

    def post(self, match_id: str, scores: tuple[int, int], winner_id: str | None) -> None:
        """Send a score, and do not wait for it: a later one may overtake it."""
        body = score_body(self.link.api_key, scores, winner_id)
        put = asyncio.create_task(self._put(match_id, body))
        self._puts.add(put)
        put.add_done_callback(self._puts.discard)

    async def drain(self) -> None:
        """Wait until no score is on its way."""
        while self._puts:
            await asyncio.gather(*self._puts)

    async def close(self) -> None:
        """Let everything fall that is on its way."""
        for put in list(self._puts):
            put.cancel()
        await asyncio.gather(*self._puts, return_exceptions=True)

    async def _fetch(self) -> Roster:
        query = f"api_key={quote(self.link.api_key, safe='')}&include_participants=1&include_matches=1"
        try:
            async with (
                asyncio.timeout(self.link.timeout_s),
                self._session.get(URL(f"{self._path}.json?{query}", encoded=True)) as answer,
            ):
                answer.raise_for_status()
                return read_roster(await answer.read())
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise NoRoster(str(error)) from error

    async def _put(self, match_id: str, body: bytes) -> None:
        """Send until it is taken, six times at most. A ``#`` in the id cuts the path."""
        url = f"{self._path}/matches/{quote(match_id, safe='#,')}.json".partition("#")[0]
        headers = {"content-type": "application/json;charset=utf-8"}
        for _ in range(TRIES):
            try:
                async with self._session.put(URL(url, encoded=True), data=body, headers=headers) as answer:
                    if 200 <= answer.status < 300:
                        self._cached = None
                        return
            except (aiohttp.ClientError, OSError):
                continue

    @property
    def _path(self) -> str:
        return f"{self.link.url}/v1/tournaments/{self.link.tournament}"


def score_body(api_key: str, scores: tuple[int, int], winner_id: str | None) -> bytes:
    """Return the body of a PUT: player 1 first; the winner stands in it at the end of a match only."""
    winner = {} if winner_id is None else {"winner_id": winner_id}
    match = {**winner, "scores_csv": f"{scores[0]}-{scores[1]}"}
    return json.dumps(
        {"api_key": api_key, "match": match}, ensure_ascii=False, separators=(",", ":")
    ).encode()


def read_roster(body: bytes) -> Roster:
    """Read the answer of the other side. Raises NoRoster where it is no such answer."""
    try:
        tournament = json.loads(body)["tournament"]
        people = [_registered(entry["participant"]) for entry in tournament["participants"]]
        matches = [entry["match"] for entry in tournament["matches"]]
        found = tuple(match for entry in matches if (match := _open(entry)) is not None)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise NoRoster(str(error)) from error
    return Roster(participants=tuple(people), matches=found)


def _registered(entry: dict[str, Any]) -> Registered:
    text = entry.get("deckbuf")
    return Registered(id=entry["id"], name=entry["name"], deck=read_deckbuf(text) if text else None)


def _open(entry: dict[str, Any]) -> OpenMatch | None:
    one, other = entry["player1_id"], entry["player2_id"]
    if not one or not other or entry["winner_id"] or entry["state"] == "complete":
        return None
    return OpenMatch(id=entry["id"], player1_id=one, player2_id=other)
