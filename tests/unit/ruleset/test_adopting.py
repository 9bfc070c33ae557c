"""Tournaments that were played elsewhere and are over."""

from dataclasses import replace
from typing import Any

import pytest

from ruleset.errors import CommandRejected
from ruleset.ids import PlayerId, TournamentNo
from ruleset.tournament import commands as c
from ruleset.tournament import events as e
from ruleset.tournament.decide import decide
from ruleset.tournament.past import PastRound, PastTable
from ruleset.tournament.ranking import standings
from ruleset.tournament.results import Outcome
from ruleset.tournament.settings import RatingRules, Settings
from ruleset.tournament.state import EMPTY, Tournament
from tests.builders import ENVIRONMENT, NUMBER, SEED, START, after, minutes, play_out, result, started

UNRATED = RatingRules(rated=False)
SWISS = Settings(title="Old", format="swiss", rounds=2, rating=UNRATED)
CUT = Settings(title="Old", format="swiss_elimination", rounds=1, cut=3, rating=UNRATED)
BRACKET = Settings(title="Old", format="elimination", rating=UNRATED)


def match(a: int, b: int, outcome: Outcome = "a") -> PastTable:
    """Return a match that was played 2-1, or 1-1."""
    wins = {"a": (2, 1), "b": (1, 2)}.get(outcome, (1, 1))
    return PastTable(a=PlayerId(a), b=PlayerId(b), result=result(outcome, wins))


def listed(*tables: PastTable, bye: int = 0) -> PastRound:
    """Return a round of a Swiss."""
    return PastRound(stage="swiss", tables=tables, byes=(PlayerId(bye),) if bye else ())


def bracket(slots: tuple[int, ...], *tables: PastTable) -> PastRound:
    """Return a round of a bracket; 0 is nobody."""
    places = tuple(PlayerId(slot) if slot else None for slot in slots)
    met = {player for table in tables for player in (table.a, table.b)}
    byes = tuple(player for player in places if player is not None and player not in met)
    return PastRound(stage="elimination", tables=tables, byes=byes, slots=places)


SWISS_ROUNDS = (listed(match(1, 2), match(3, 4), bye=5), listed(match(1, 3, "draw"), match(4, 5), bye=2))
CUT_ROUNDS = (
    listed(match(1, 2), match(3, 4)),
    bracket((1, 0, 3, 2), match(3, 2, "b")),
    bracket((1, 2), match(1, 2, "b")),
)
BRACKET_ROUNDS = (bracket((1, 2, 3, 4), match(1, 2), match(3, 4)), bracket((1, 3), match(1, 3)))


def adopt(settings: Settings, rounds: tuple[PastRound, ...], **changes: Any) -> c.Adopt:
    """Return the command for five players, or four."""
    most = 5 if settings is SWISS else 4
    wish = c.Adopt(
        number=NUMBER,
        settings=settings,
        environment=ENVIRONMENT,
        seed=SEED,
        players=tuple((PlayerId(n), f"Nick{n}") for n in range(1, most + 1)),
        rounds=rounds,
        started_at=START,
        ended_at=minutes(90),
        now=minutes(10_000),
    )
    return replace(wish, **changes)


def problems(wish: c.Adopt) -> str:
    """Return what is wrong with it, as one text."""
    with pytest.raises(CommandRejected, match="bad_settings") as refusal:
        decide(EMPTY, wish)
    told = refusal.value.data["problems"]
    assert isinstance(told, tuple)
    return "; ".join(told)


def test_a_past_swiss_stands_as_if_it_had_been_played_here() -> None:
    """H208, R024: points, byes, draws, places; it is over, and no DP changes."""
    state = after(EMPTY, adopt(SWISS, SWISS_ROUNDS))
    assert (state.phase, state.started_at, state.ended_at) == ("finished", START, minutes(90))
    points = {row.player: row.values["points"] for row in standings(state)}
    assert points == {1: 4, 2: 3, 3: 4, 4: 3, 5: 3}
    assert [player for player, _ in state.places] == [row.player for row in standings(state)]
    assert state.rows == ()
    assert state.entrants == (1, 2, 3, 4, 5)


def test_a_past_bracket_behind_a_list_has_its_cut_and_its_places() -> None:
    """R002, R023, 4.9: seats in the order of the list, places of the bracket first."""
    state = after(EMPTY, adopt(CUT, CUT_ROUNDS))
    assert set(state.seats) == {1, 2, 3}
    assert state.swiss_ranks[0][0] == state.seats[0]
    assert state.places == ((2, 1), (1, 2), (3, 3), (4, 4))


def test_a_past_bracket_alone_has_places() -> None:
    """R003: champion, finalist, and the two who lost the round before."""
    state = after(EMPTY, adopt(BRACKET, BRACKET_ROUNDS))
    assert sorted(state.places, key=lambda place: (place[1], place[0])) == [(1, 1), (3, 2), (2, 3), (4, 3)]
    assert state.seats == ()


@pytest.mark.parametrize("form", ["swiss", "swiss_elimination", "elimination", "round_robin"])
def test_what_was_played_here_can_be_told_as_past(form: str) -> None:
    """H208: a finished tournament, told as rounds and results, ends with the same list and places."""
    cut, rounds = (
        (4 if form == "swiss_elimination" else 0),
        (0 if form in {"elimination", "round_robin"} else 3),
    )
    settings = Settings(title="x", format=form, rounds=rounds, cut=cut, rating=UNRATED, ends_after_ms=0)  # type: ignore[arg-type]  # one of the formats
    played = play_out(started(8, settings))
    again = after(EMPTY, _told(played))
    assert (again.places, again.swiss_ranks, again.seats) == (played.places, played.swiss_ranks, played.seats)
    assert standings(again) == standings(played)


def _told(played: Tournament) -> c.Adopt:
    rounds = tuple(
        PastRound(
            stage=one.stage,  # type: ignore[arg-type]  # there is no play-off
            tables=tuple(PastTable(a=t.a, b=t.b, result=t.result) for t in one.tables.values()),  # type: ignore[arg-type]  # it is over
            byes=one.byes,
            slots=one.slots,
        )
        for one in played.rounds
    )
    players = tuple((player, played.players[player].nickname) for player in played.entrants)
    return adopt(played.settings, rounds, players=players)


def test_it_is_told_in_events_that_there_were() -> None:
    """House 3: no kind of event of its own, so that every reader of the log knows them."""
    kinds = {type(event) for event in decide(EMPTY, adopt(CUT, CUT_ROUNDS))}
    assert kinds == {
        *(e.TournamentPublished, e.PlayerRegistered, e.PlayerSignedIn, e.TournamentStarted, e.RoundPaired),
        *(e.ResultConfirmed, e.RoundFinished, e.CutMade, e.TournamentFinished),
    }


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        (adopt(SWISS, SWISS_ROUNDS, players=((PlayerId(1), "One"),)), "players: at least two"),
        (adopt(SWISS, SWISS_ROUNDS, players=((PlayerId(1), "One"),) * 5), "players: at least two"),
        (adopt(replace(SWISS, rating=RatingRules()), SWISS_ROUNDS), "rating.rated"),
        (adopt(SWISS, SWISS_ROUNDS, started_at=minutes(91)), "ended_at"),
        (adopt(SWISS, SWISS_ROUNDS, now=minutes(89)), "ended_at"),
        (adopt(SWISS, (SWISS_ROUNDS[0], listed(match(1, 9)))), "round 2: somebody"),
        (adopt(SWISS, (SWISS_ROUNDS[0], listed(match(1, 2), bye=1))), "round 2: somebody"),
        (adopt(SWISS, (SWISS_ROUNDS[0], listed())), "round 2: somebody"),
        (adopt(SWISS, SWISS_ROUNDS[:1]), "rounds: 1 were played"),
        (adopt(SWISS, ()), "as the format has them"),
        (adopt(SWISS, BRACKET_ROUNDS), "as the format has them"),
        (adopt(BRACKET, SWISS_ROUNDS), "as the format has them"),
        (adopt(CUT, CUT_ROUNDS[:1]), "as the format has them"),
        (adopt(CUT, (*CUT_ROUNDS[1:], CUT_ROUNDS[0])), "as the format has them"),
        (adopt(replace(CUT, cut=4), CUT_ROUNDS), "cut: 3 went on"),
        (adopt(CUT, CUT_ROUNDS[:2]), "no champion"),
        (adopt(BRACKET, (bracket((1, 2, 3), match(1, 2)),)), "do not follow"),
        (adopt(BRACKET, (bracket((1, 2), match(1, 3)),)), "do not follow"),
        (adopt(BRACKET, (bracket((1, 2), match(1, 2, "draw")),)), "do not follow"),
        (adopt(BRACKET, (BRACKET_ROUNDS[0], bracket((1, 4), match(1, 4)))), "do not follow"),
        (adopt(replace(SWISS, title=" "), SWISS_ROUNDS), "title"),
    ],
)
def test_what_cannot_have_been_is_refused_with_what_is_wrong(wish: c.Adopt, told: str) -> None:
    """H208: players, rounds, formats and brackets that do not fit together."""
    assert told in problems(wish)


def test_a_number_is_used_once() -> None:
    """R051: as for one that is published."""
    wish = adopt(SWISS, SWISS_ROUNDS)
    with pytest.raises(CommandRejected, match="already_published"):
        decide(after(EMPTY, wish), wish)
    with pytest.raises(CommandRejected, match="number_too_long"):
        decide(EMPTY, replace(wish, number=TournamentNo(10**12)))
