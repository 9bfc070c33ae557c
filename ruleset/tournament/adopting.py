"""Tournaments that were played elsewhere, told as if they had been played here, and never rated (H208)."""

from collections import Counter
from collections.abc import Iterator

from ruleset import roomcode
from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, RoundNo, TableId, TableNo
from ruleset.pairing.bracket import advanced, final_ranking, pairs
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament.brackets import places
from ruleset.tournament.past import PastRound
from ruleset.tournament.ranking import swiss_ranks
from ruleset.tournament.soundness import problems_of
from ruleset.tournament.state import EMPTY, FIRST_STAGES, Tournament
from ruleset.tournament.story import Story


def adopt(state: Tournament, command: c.Adopt) -> tuple[e.Event, ...]:
    """Take a finished tournament in.

    Refuses with ``already_published``, ``number_too_long`` and ``bad_settings``, which names what is wrong
    with players and rounds, too.
    """
    if state != EMPTY:
        raise CommandRejected("already_published", number=state.number)
    if not roomcode.fits(command.number):
        raise CommandRejected("number_too_long", number=command.number)
    if problems := (*problems_of(command.settings, command.now), *_problems(command)):
        raise CommandRejected("bad_settings", problems=problems)
    return _told(command)


def _told(command: c.Adopt) -> tuple[e.Event, ...]:
    story = Story(EMPTY)
    _enter(story, command)
    before = ""
    for number, played in enumerate(command.rounds, 1):
        if played.stage == "elimination" and before in FIRST_STAGES:
            _cut(story, played)
        before = played.stage
        _play(story, RoundNo(number), played, command)
    state = story.state
    ranks = swiss_ranks(state)
    final = final_ranking(places(state), ranks)
    story.tell(e.TournamentFinished(swiss_ranks=ranks, places=final, at=command.ended_at))
    return story.events


def _problems(command: c.Adopt) -> Iterator[str]:
    players = Counter(player for player, _ in command.players)
    if len(players) < 2 or players.total() > len(players):
        yield "players: at least two, each once"
    if command.settings.rating.rated:
        yield "rating.rated: what was played elsewhere is never rated"
    if not command.started_at <= command.ended_at <= command.now:
        yield "ended_at: behind the start, and past"
    for number, played in enumerate(command.rounds, 1):
        if _strangers(played, players):
            yield f"round {number}: somebody, each once at most, and only players of the list"
    yield from _stages(command)
    yield from _bracket(command)


def _strangers(played: PastRound, players: Counter[PlayerId]) -> bool:
    here = Counter(player for table in played.tables for player in (table.a, table.b))
    here.update(played.byes)
    return not here or here.total() > len(here) or bool(here.keys() - players.keys())


def _stages(command: c.Adopt) -> Iterator[str]:
    """Compare the rounds with the format: first those of the list, then those of the bracket."""
    settings, stages = command.settings, [played.stage for played in command.rounds]
    first, behind = settings.format.removesuffix("_elimination"), stages.count("elimination")
    count = len(stages) - behind
    fits = stages == [first] * count + ["elimination"] * behind
    listed, cuts = first in FIRST_STAGES, settings.format.endswith("elimination")
    if not fits or bool(count) != listed or bool(behind) != cuts:
        yield "rounds: first those of the list, then those of the bracket, as the format has them"
    if listed and (settings.rounds or count) != count:
        yield f"rounds: {count} were played"
    if listed and behind and settings.cut != len(_seated(command.rounds[count])):
        yield f"cut: {len(_seated(command.rounds[count]))} went on"


def _bracket(command: c.Adopt) -> Iterator[str]:
    """Follow the bracket from its first places to the champion."""
    played = [played for played in command.rounds if played.stage == "elimination"]
    expected = played[0].slots if played else ()
    for one in played:
        if one.slots != expected or not _follows(one):
            yield "bracket: places, matches and winners of its rounds do not follow from each other"
            return
        expected = advanced(expected, _losers(one))
    if len(expected) > 1:
        yield "bracket: it has no champion"


def _follows(played: PastRound) -> bool:
    """Say whether the matches are those of the places, and each has a winner."""
    if len(played.slots) % 2:
        return False
    meeting = {(a, b) for a, b in pairs(played.slots) if a is not None and b is not None}
    decided = all(table.result.outcome in {"a", "b"} for table in played.tables)
    return decided and meeting == {(table.a, table.b) for table in played.tables}


def _losers(played: PastRound) -> frozenset[PlayerId]:
    return frozenset(table.b if table.result.outcome == "a" else table.a for table in played.tables)


def _seated(played: PastRound) -> tuple[PlayerId, ...]:
    return tuple(player for player in played.slots if player is not None)


def _enter(story: Story, command: c.Adopt) -> None:
    at = command.started_at
    story.tell(
        e.TournamentPublished(
            number=command.number,
            settings=command.settings,
            organiser=command.organiser,
            environment=command.environment,
            seed=command.seed,
            at=at,
        )
    )
    for sequence, (player, nickname) in enumerate(command.players, 1):
        story.tell(e.PlayerRegistered(player=player, nickname=nickname, at=at))
        story.tell(e.PlayerSignedIn(player=player, sequence=sequence, by_host=True))
    entrants = tuple((player, 0) for player, _ in command.players)
    story.tell(e.TournamentStarted(entrants=entrants, not_entered=(), at=at))


def _cut(story: Story, played: PastRound) -> None:
    """Make the cut of those who are in the bracket, in the order of the list."""
    ranks, seated = swiss_ranks(story.state), _seated(played)
    seats = tuple(player for player, _ in ranks if player in seated)
    story.tell(e.CutMade(swiss_ranks=ranks, seats=seats))


def _play(story: Story, number: RoundNo, played: PastRound, command: c.Adopt) -> None:
    at = command.ended_at
    seatings = tuple(
        e.Seating(table=TableNo(n), a=table.a, b=table.b, server=None)
        for n, table in enumerate(played.tables, 1)
    )
    story.tell(
        e.RoundPaired(
            round_no=number,
            stage=played.stage,
            tables=seatings,
            byes=played.byes,
            slots=played.slots,
            at=command.started_at,
        )
    )
    for n, table in enumerate(played.tables, 1):
        confirmed = TableId(number, TableNo(n))
        story.tell(e.ResultConfirmed(table=confirmed, result=table.result, ruled=True, at=at))
    story.tell(e.RoundFinished(round_no=number, at=at))
