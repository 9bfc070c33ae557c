"""Tables: presence, words of players, rulings (T5, T11-T13, T22, 5.7)."""

from typing import Annotated, Final

from pydantic import Field

from relayd.admin.methods import Methods
from relayd.admin.params import ChangeSeat, ChangeTable, InTournament, Params, TableName, Wins
from relayd.admin.parts import Call, Done, Shown
from relayd.admin.roles import Role
from relayd.views.ranks import consequences_view
from ruleset.ids import Seat
from ruleset.tournament import commands as c
from ruleset.tournament.preview import preview
from ruleset.tournament.results import UNPLAYED, Game, Outcome, Reason, Result
from ruleset.tournament.verdicts import games_of

METHODS: Final = Methods()


class Said(ChangeSeat):
    """How a player says that his match ended."""

    outcome: Outcome
    wins: Wins = (0, 0)


class OneGame(Params):
    """One game that counts."""

    winner: Seat | None
    reason: Reason = "played"


class Ruling(ChangeTable):
    """A result by judge or host."""

    outcome: Outcome
    reason: Reason = "ruling"
    wins: Wins | None = None
    """Games that count, won by seats A and B; or say each one in *games*. Neither: those that were seen."""
    games: Annotated[tuple[OneGame, ...], Field(max_length=9)] | None = None
    final: bool = False
    """A foul is not offered to the opponent where wins by rule are claimed (H220)."""


class Preview(InTournament):
    """A ruling that nobody has made yet; without an outcome, the reopening of a table."""

    table: TableName
    outcome: Outcome | None = None
    reason: Reason = "ruling"
    wins: Wins | None = None
    games: Annotated[tuple[OneGame, ...], Field(max_length=9)] | None = None


class Words(ChangeTable):
    """What is said in the room of a table."""

    text: Annotated[str, Field(min_length=1, max_length=100)]
    seat: Seat | None = None
    """To one player alone."""


class Removal(ChangeTable):
    """Who is to leave the room of his table."""

    seat: Seat
    text: Annotated[str, Field(min_length=1, max_length=100)]
    """What he is told."""


class Answer(ChangeSeat):
    """What a player does with the win that a ruling offers him."""

    take: bool


@METHODS.add("table.present", Role.JUDGE, own=True)
async def present(call: Call, params: ChangeSeat) -> Done:
    """Take 报到: this player has reached his table (R018)."""
    player = params.player
    return await call.do(c.ReportPresent(table=params.table, player=player, now=call.parts.clock.now()))


@METHODS.add("table.report", Role.JUDGE, own=True)
async def report(call: Call, params: Said) -> Done:
    """Tell how a match ended, in a player's name (S136)."""
    command = c.ReportByPlayer(
        table=params.table,
        player=params.player,
        outcome=params.outcome,
        wins=params.wins,
        by_host=call.role >= Role.JUDGE,
        now=call.parts.clock.now(),
    )
    return await call.do(command)


@METHODS.add("table.concede", Role.JUDGE, own=True)
async def concede(call: Call, params: ChangeSeat) -> Done:
    """Give a match up, in a player's name (S138)."""
    by_host, now = call.role >= Role.JUDGE, call.parts.clock.now()
    return await call.do(c.Concede(table=params.table, player=params.player, by_host=by_host, now=now))


@METHODS.add("table.claim", Role.JUDGE, own=True)
async def claim(call: Call, params: ChangeSeat) -> Done:
    """Take the win that the late rule offers the present player (H220)."""
    player = params.player
    return await call.do(c.ClaimAbsence(table=params.table, player=player, now=call.parts.clock.now()))


@METHODS.add("table.rule", Role.JUDGE)
async def rule(call: Call, params: Ruling) -> Done:
    """Set a result over whatever stands there: by hand, as a ruling, as a correction (T12, T22)."""
    table = (await call.state()).table(params.table)
    seen = (0, 0) if table is None else table.wins_so_far
    result = Result(outcome=params.outcome, reason=params.reason, games=_games(params, seen))
    now = call.parts.clock.now()
    return await call.correct(c.Rule(table=params.table, result=result, final=params.final, now=now))


@METHODS.add("table.preview", Role.JUDGE)
async def show_preview(call: Call, params: Preview) -> Shown:
    """Show what a ruling or reopening would bring about; nothing is written (T22)."""
    state, now = await call.state(), call.parts.clock.now()
    if params.outcome is None:
        return consequences_view(state, preview(state, c.Reopen(table=params.table, now=now)))
    table = state.table(params.table)
    seen = (0, 0) if table is None else table.wins_so_far
    result = Result(outcome=params.outcome, reason=params.reason, games=_games(params, seen))
    return consequences_view(state, preview(state, c.Rule(table=params.table, result=result, now=now)))


@METHODS.add("table.answer", Role.JUDGE, own=True)
async def answer(call: Call, params: Answer) -> Done:
    """Take the win that a ruling offers, or play on (H220)."""
    now = call.parts.clock.now()
    return await call.do(c.AnswerOffer(table=params.table, player=params.player, take=params.take, now=now))


@METHODS.add("table.reopen", Role.JUDGE)
async def reopen(call: Call, params: ChangeTable) -> Done:
    """Take a result back: the match plays on (T22)."""
    return await call.correct(c.Reopen(table=params.table, now=call.parts.clock.now()))


@METHODS.add("table.resume", Role.JUDGE)
async def resume(call: Call, params: ChangeTable) -> Done:
    """Play a lost room's match on, from its last finished game (5.5-8)."""
    return await call.do(c.ResumeTable(table=params.table, now=call.parts.clock.now()))


@METHODS.add("table.say", Role.JUDGE)
async def say(call: Call, params: Words) -> Shown:
    """Say something in the room of a table, or to one of its players, through the plugin."""
    await call.refuse_outdated()
    await call.parts.sights.say_at(call.tournament, params.table, params.text, params.seat)
    return {"table": str(params.table), "seat": params.seat, "said": params.text}


@METHODS.add("table.kick", Role.JUDGE)
async def kick(call: Call, params: Removal) -> Shown:
    """Throw a player out of his room, through the plugin; a match that had begun he has lost then."""
    await call.refuse_outdated()
    await call.parts.sights.kick_from(call.tournament, params.table, params.seat, params.text)
    return {"table": str(params.table), "seat": params.seat, "said": params.text}


def _games(params: Ruling | Preview, seen: tuple[int, int]) -> tuple[Game, ...]:
    """Return the games that count: those named, those of a score, or by default the finished ones (5.7)."""
    if params.games is not None:
        return tuple(Game(winner=game.winner, reason=game.reason) for game in params.games)
    if params.wins is None and params.reason in UNPLAYED:
        return ()
    return games_of(seen if params.wins is None else params.wins)
