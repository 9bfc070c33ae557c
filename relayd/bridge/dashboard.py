"""Players and decks from srvpro's deck dashboard (ygopro-tournament.js), pushed as if we were Challonge.

Only for a tournament named by its own number that has not started, with the key of one who may host it; else
409 (decisions 13). It clears all and then adds all, so the same push again leads to the same list.
"""

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, TypeAlias

import msgspec
from aiohttp import web

from deckcheck.errors import DeckInvalid
from relayd.bridge.answers import Refusing
from relayd.bridge.inside import Inside
from relayd.errors import DependencyError
from relayd.ports import Players
from relayd.submitting import Submitting
from ruleset.directory.nickname import normalised
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, TournamentNo, player_label
from ruleset.tournament.commands import Register, Withdraw
from ruleset.tournament.state import BEFORE_START, Tournament
from srvpro_bridge.challonge import MAX_ROSTER_BYTES, Participant, parse_roster
from srvpro_bridge.errors import BadReport
from srvpro_bridge.names import fold, number_in

HostOf: TypeAlias = Callable[[str, TournamentNo], str | None]
"""Returns who holds a key, if he may host that tournament."""
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)
_HALVES: Final = re.compile(r"[+＋ ]")
_FILE: Final = re.compile(r"(?:\.ydk){1,2}$", re.IGNORECASE)
SHOWN: Final = 20
"""Faults that are told at once (decisions 12)."""


class Dashboard:
    """Takes rosters."""

    def __init__(self, inside: Inside, players: Players, submitting: Submitting, host_of: HostOf) -> None:
        self._tournaments, self._clock = inside.tournaments, inside.clock
        self._players, self._submitting, self._host_of = players, submitting, host_of
        self._refuse = Refusing(inside.metrics)

    def routes(self) -> list[web.RouteDef]:
        """Return the addresses, for the application of the HTTP port; ``name`` is a tournament number."""
        participants = "/challonge/{server}/v1/tournaments/{name}/participants"
        return [
            web.delete(f"{participants}/clear.json", self.clear),
            web.post(f"{participants}/bulk_add.json", self.bulk_add),
        ]

    async def clear(self, request: web.Request) -> web.Response:
        """Take all registrations back."""
        state, by = await self._tournament(request, request.query.get("api_key", ""))
        for player in state.players:
            await self._withdraw(state.number, player, by)
        return _json({"message": f"{len(state.players)} participants were removed"})

    async def bulk_add(self, request: web.Request) -> web.Response:
        """Register players with their decks: all of them, or with one illegal deck none."""
        try:
            roster = parse_roster(await self._refuse.body(request, MAX_ROSTER_BYTES))
        except BadReport as error:
            raise self._refuse.bad(error) from None
        state, by = await self._tournament(request, roster.api_key)
        await self._refuse_illegal(state.number, roster.players)
        added = [await self._add(state, participant, by) for participant in roster.players]
        return _json([{"participant": {"id": player_label(player)}} for player in added])

    async def _tournament(self, request: web.Request, key: str) -> tuple[Tournament, str]:
        name = request.match_info["name"]
        number = TournamentNo(int(name)) if _NUMBER.fullmatch(name) else None
        by = None if number is None else self._host_of(key, number)
        state = None if number is None or by is None else await self._load(number)
        if state is None or by is None or state.phase not in BEFORE_START:
            why = "players are taken for a tournament by its number, before its start, with its host's key"
            raise self._refuse(HTTPStatus.CONFLICT, "roster_closed", why)
        return state, by

    async def _withdraw(self, number: TournamentNo, player: PlayerId, by: str) -> None:
        try:
            await self._tournaments.handle(number, Withdraw(player=player), by=by)
        except CommandRejected as error:
            raise self._refuse(HTTPStatus.CONFLICT, error.code, str(error)) from None
        except DependencyError as error:
            raise self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, error.code, "try again") from None

    async def _load(self, number: TournamentNo) -> Tournament | None:
        try:
            return await self._tournaments.load(number)
        except CommandRejected:
            return None

    async def _refuse_illegal(self, number: TournamentNo, players: tuple[Participant, ...]) -> None:
        faults = [f"{one.name}: {why}" for one in players for why in await self._faults(number, one)]
        if faults:
            raise self._refuse(HTTPStatus.UNPROCESSABLE_ENTITY, "illegal_roster", *faults[:SHOWN])

    async def _faults(self, number: TournamentNo, participant: Participant) -> tuple[str, ...]:
        try:
            meant = self._meant(participant.name)
            if isinstance(meant, str):
                normalised(meant)
            if participant.deckbuf is None:
                return ()
            verdict = await self._submitting.check(number, _text(participant.deckbuf))
        except (CommandRejected, DeckInvalid) as error:
            return (str(error),)
        return tuple(verdict.sentences()) if verdict.status == "illegal" else ()

    async def _add(self, state: Tournament, participant: Participant, by: str) -> PlayerId:
        try:
            player = await self._player(state.number, participant.name, by)
            nickname, now = self._players.nickname(player), self._clock.now()
            wish = Register(player=player, nickname=nickname, by_host=True, now=now)
            await self._tournaments.handle(state.number, wish, by=by)
            if participant.deckbuf is not None:
                await self._submitting.submit(state.number, player, _text(participant.deckbuf), by=by)
        except CommandRejected as error:
            raise self._refuse(HTTPStatus.UNPROCESSABLE_ENTITY, error.code, str(error)) from None
        except DependencyError as error:
            raise self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, error.code, "try again") from None
        return player

    async def _player(self, tournament: TournamentNo, name: str, by: str) -> PlayerId:
        """Return who is meant; somebody new gets a number, once."""
        meant = self._meant(name)
        if isinstance(meant, str):
            once = f"bulk_add/{tournament}/{meant}"
            return await self._players.register(meant, by=by, command_id=once)
        return meant

    def _meant(self, name: str) -> PlayerId | str:
        """Return the player number or else the nickname in ``P000123+Nick``, or in a file name."""
        plain = _FILE.sub("", name)
        half, *rest = _HALVES.split(plain, maxsplit=1)
        number = number_in(fold(half))
        if number is not None and self._known(number):
            return number
        return rest[0] if number is not None and rest else plain

    def _known(self, player: PlayerId) -> bool:
        try:
            self._players.nickname(player)
        except CommandRejected:
            return False
        return True


def _text(deckbuf: str) -> bytes:
    return deckbuf.encode("utf-8", "replace")


def _json(said: object) -> web.Response:
    return web.Response(body=msgspec.json.encode(said), content_type="application/json")
