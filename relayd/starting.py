"""Starts tournaments (T3, T4): reserves the players (R057), asks their DP, then lets the rules decide.

A player is reserved in the directory first and its answer rides in the command, so that two tournaments that
start at one instant never share a player. What a crash or a refusal leaves behind, ``tidy`` puts right.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import structlog

from relayd.directory import Directory
from relayd.errors import InvariantBroken
from relayd.ports import Answer, Clock, VersionedTournaments
from relayd.storage.log import Entry, LogUnavailable
from ruleset.directory.decide import sorted_out
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, ServerId, TournamentNo
from ruleset.tournament import events as e
from ruleset.tournament.brackets import runs_for
from ruleset.tournament.commands import Reopen, Rule, Start, Undo, UndoDrop, UnsetEnded
from ruleset.tournament.deadlines import start_due
from ruleset.tournament.decide import decide
from ruleset.tournament.evolve import replay
from ruleset.tournament.starting import check_start
from ruleset.tournament.state import BEFORE_START, Round, Tournament

DpOf: TypeAlias = Callable[[Collection[PlayerId]], Awaitable[Mapping[PlayerId, int]]]

_FREES_PLAYERS: Final = (
    e.PlayerDropped,
    e.ResultConfirmed,
    e.RoundPaired,
    e.TournamentFinished,
    e.TournamentCancelled,
    e.TournamentLapsed,
)
_log = structlog.get_logger()


class Starting:
    """Starts tournaments one at a time, and keeps the directory in step with them (ports.Starter)."""

    def __init__(
        self,
        tournaments: VersionedTournaments,
        directory: Directory,
        dp_of: DpOf,
        free: Callable[[], Mapping[ServerId, int]],
        clock: Clock,
    ) -> None:
        self._tournaments, self._directory, self._clock = tournaments, directory, clock
        self._dp_of, self._free = dp_of, free
        self._turn = asyncio.Lock()
        self._untidy: set[TournamentNo] = set()
        self._news = asyncio.Event()

    async def start(
        self, number: TournamentNo, *, confirmed: bool, by: str, command_id: str | None = None
    ) -> Answer:
        """Start by hand (T3').

        Raises LogErrors and CommandRejected, ``confirm_unsigned`` with who is missing.
        """
        async with self._turn:
            wish = Start(confirmed=confirmed, granted={}, now=self._clock.now())
            return await self._start(number, wish, by, command_id)

    async def start_due(self, number: TournamentNo) -> None:
        """Start by itself if it is time; with fewer than two who are free it is held (T3, T4)."""
        async with self._turn:
            state = await self._tournaments.load(number)
            if start_due(state, self._clock.now()):
                wish = Start(automatic=True, granted={}, now=self._clock.now())
                await self._start(number, wish, "system", None)

    async def undo_drop(
        self, number: TournamentNo, player: PlayerId, *, by: str, command_id: str | None = None
    ) -> Answer:
        """Let a dropped player play on, as long as no other tournament has him by now (R057).

        Raises LogErrors and CommandRejected, ``runs_elsewhere`` with where he is.
        """
        async with self._turn:
            state = await self._tournaments.load(number)
            dropped = player in state.entrants and state.players[player].dropped_in is not None
            if dropped and state.phase == "running":
                await self._take_back(number, player)
            return await self._carry_out(number, UndoDrop(player=player), by, command_id)

    async def undo(
        self, number: TournamentNo, action: int, *, by: str, command_id: str | None = None
    ) -> Answer:
        """Take the last action back; a player comes back only as long as nobody else has him (R057).

        Raises LogErrors and CommandRejected, ``runs_elsewhere`` with where he is.
        """
        async with self._turn:
            state = await self._tournaments.load(number)
            last = state.last_action
            drops = last is not None and (last.number, last.what) == (action, "dropped")
            back = tuple(p.number for p in last.players) if last is not None and drops else ()
            for player in back if state.phase == "running" else ():
                await self._take_back(number, player)
            wish = Undo(action=action, granted=back, now=self._clock.now())
            return await self._carry_out(number, wish, by, command_id)

    async def unset_ended(self, number: TournamentNo, *, by: str, command_id: str | None = None) -> Answer:
        """Let a tournament go on that had ended by itself, with everybody it runs for (S137, R057).

        Raises LogErrors and CommandRejected, ``runs_elsewhere`` with who is where.
        """
        async with self._turn:
            state = await self._tournaments.load(number)
            players = runs_for(state) if state.lapsed_at is not None else ()
            for player in players:
                await self._take_back(number, player)
            wish = UnsetEnded(granted=players, now=self._clock.now())
            return await self._carry_out(number, wish, by, command_id)

    async def correct(
        self,
        number: TournamentNo,
        wish: Rule | Reopen,
        *,
        by: str,
        command_id: str | None = None,
        expected_version: int | None = None,
    ) -> Answer:
        """Rule a table or reopen it; whom that brings back into a bracket must be free (T22, R057).

        Raises LogErrors and CommandRejected, ``runs_elsewhere`` with where he is.
        """
        if not _brought_back(await self._tournaments.load(number), wish):
            return await self._tournaments.handle(
                number, wish, by=by, command_id=command_id, expected_version=expected_version
            )
        async with self._turn:
            for player in _brought_back(await self._tournaments.load(number), wish):
                await self._take_back(number, player)
            return await self._carry_out(number, wish, by, command_id, expected_version)

    async def run(self) -> None:
        """Let players go as soon as a tournament runs for them no more, until cancelled (R057)."""
        stop = self._tournaments.subscribe(self._heard)
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                while self._untidy:
                    async with self._turn:
                        await self._tidy_safely(self._untidy.pop())
        finally:
            stop()

    async def tidy(self) -> int:
        """Bring the directory in step with every tournament; return how many were not. Raises LogErrors."""
        repairs = 0
        for number in [*self._directory.state.open_tournaments()]:
            async with self._turn:
                repairs += await self._tidy(number)
        return repairs

    def _heard(self, number: TournamentNo, entry: Entry, _state: Tournament) -> None:
        if any(isinstance(event, _FREES_PLAYERS) for event in entry.events):
            self._untidy.add(number)
            self._news.set()

    async def _take_back(self, number: TournamentNo, player: PlayerId) -> None:
        if player not in await self._directory.enter(number, [player]):
            await self._tidy_safely(number)  # those who came back before him
            raise CommandRejected(
                "runs_elsewhere", player=player, tournament=self._directory.running_in(player)
            )

    async def _start(self, number: TournamentNo, wish: Start, by: str, command_id: str | None) -> Answer:
        state = await self._tournaments.load(number)
        granted = await self._granted(state, wish) if state.phase in BEFORE_START else {}
        wish = replace(wish, granted=granted, free=self._free(), now=self._clock.now())
        return await self._carry_out(number, wish, by, command_id)

    async def _carry_out(
        self,
        number: TournamentNo,
        wish: Start | UndoDrop | Undo | UnsetEnded | Rule | Reopen,
        by: str,
        command_id: str | None,
        expected_version: int | None = None,
    ) -> Answer:
        """Send a command, then let go whom it did not take; where its outcome is unknown, nobody."""
        try:
            answer = await self._tournaments.handle(
                number, wish, by=by, command_id=command_id, expected_version=expected_version
            )
        except CommandRejected:
            await self._tidy_safely(number)
            raise
        await self._tidy_safely(number)
        return answer

    async def _granted(self, state: Tournament, wish: Start) -> Mapping[PlayerId, int]:
        """Reserve who is signed in; return those that we have, with their DP. Fewer than two: nobody."""
        signed_in = state.signed_in()
        if not wish.automatic:
            check_start(state, confirmed=wish.confirmed, now=wish.now)
        free, _ = sorted_out(self._directory.state, state.number, signed_in)
        if len(free) < 2:
            return dict.fromkeys(free, 0)
        while True:
            granted = await self._directory.enter(state.number, signed_in)
            dp = await self._dp_of(granted)
            now = (await self._tournaments.load(state.number)).signed_in()
            if now == signed_in:
                return {player: dp[player] for player in granted}
            signed_in = now

    async def _tidy_safely(self, number: TournamentNo) -> None:
        try:
            await self._tidy(number)
        except (CommandRejected, LogUnavailable, InvariantBroken) as error:
            _log.warning("directory_untidy", tournament=number, why=repr(error))

    async def _tidy(self, number: TournamentNo) -> int:
        contest = self._directory.state.tournaments.get(number)
        if contest is None or contest.ended or number not in self._tournaments.numbers():
            return 0
        state = await self._tournaments.load(number)
        if state.phase in {"finished", "cancelled"}:
            await self._directory.end(number)
            return 1
        here = running_for(state)
        gone = [player for player in contest.players if player not in here]
        if gone:
            await self._directory.leave(number, gone)
        back = [player for player in state.entrants if player in here.difference(contest.players)]
        granted = await self._directory.enter(number, back) if back else ()
        return len(gone) + len(granted)


def running_for(state: Tournament) -> frozenset[PlayerId]:
    """Return the players for whom the tournament runs: not dropped, not eliminated (R057)."""
    played = state.round
    if state.phase != "running" or played is None or state.lapsed_at is not None:
        return frozenset()
    active = frozenset(state.active())
    if played.stage != "elimination":
        return active
    return active & {*played.byes, *played.walkovers, *_still_in(played)}


def _brought_back(state: Tournament, wish: Rule | Reopen) -> Sequence[PlayerId]:
    """Return who runs on only by a correction; nobody where the rules will refuse it, or all has ended."""
    table = state.table(wish.table)
    if table is None or table.open or state.phase != "running":
        return ()
    try:
        after = replay(decide(state, wish), state)
    except CommandRejected:
        return ()
    return sorted(running_for(after) - running_for(state))


def _still_in(played: Round) -> Iterator[PlayerId]:
    """Yield who may come out of the tables of a bracket's round."""
    for table in played.tables.values():
        outcome = None if table.result is None or table.open else table.result.outcome
        if outcome in {None, "a"}:
            yield table.a
        if outcome in {None, "b"}:
            yield table.b
