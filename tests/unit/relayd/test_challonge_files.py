"""Challonge's own files: read, counted anew, and told as a tournament of ours."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from relayd.files.adoption import NotOurs, losses, rounds_of, settings_of
from relayd.files.challonge import MOST_PARTICIPANTS, Event, byes, read_challonge
from relayd.files.pastevents import AS_THERE, CHOICES, counting, is_round_robin, rows_of
from ruleset.errors import CommandRejected, RulesetError
from ruleset.ids import PlayerId
from ruleset.tournament import commands as c
from ruleset.tournament.ranking import standings
from ruleset.tournament.state import EMPTY, Tournament
from tests.builders import ENVIRONMENT, NUMBER, SEED, after, minutes
from tests.challonges import event, file_of, match, swiss

EVENTS = Path(__file__).parents[3].parent / "shared" / "data" / "events"
NAMES = ("Ann", "Bob", "Cy", "Dee")
ROUNDS = ((("Ann", "Bob", "2-1"), ("Cy", "Dee", "1-1")), (("Ann", "Cy", "0-2"), ("Bob", "Dee", "2-0")))


def read(told: object) -> Event:
    """Read a document."""
    return read_challonge(file_of(told))


def adopted(found: Event, choice: str = AS_THERE) -> Tournament:
    """Return the tournament that it becomes; players have their seeds for numbers."""
    numbers = {place: PlayerId(place + 1) for place in range(len(found.entrants))}
    rounds = rounds_of(found, numbers)
    playing = {p for one in rounds for t in one.tables for p in (t.a, t.b)}
    wish = c.Adopt(
        number=NUMBER,
        settings=settings_of(found, rounds, choice, found.title, "Asia/Shanghai"),
        environment=ENVIRONMENT,
        seed=SEED,
        players=tuple((n, found.entrants[place].name) for place, n in numbers.items() if n in playing),
        rounds=rounds,
        started_at=minutes(0),
        ended_at=minutes(1),
        now=minutes(2),
    )
    return after(EMPTY, wish)


def published() -> dict[str, Any]:
    """Return the event whose standings Challonge shows, in the shape of its API."""
    told = json.loads((EVENTS / "challonge_cd0ljdsv.json").read_text())
    names = [f"S{n:02}" for n in range(1, 20)]
    rounds = [
        [(a, b, f"{score[0]}-{score[1]}") for a, b, score in played["matches"] if b is not None]
        for played in told["rounds"]
    ]
    return {**told, "document": swiss(rounds, names)}


@pytest.mark.skipif(not EVENTS.is_dir(), reason="the published standings are not here")
def test_a_published_event_has_the_standings_that_were_published() -> None:
    """4.2, 4.3: 19 players, 5 rounds, byes that the file does not list; all rows equal Challonge's own."""
    told = published()
    found = read(told["document"])
    by = counting(found, AS_THERE)
    rows = rows_of(found, found.groups[0], by)
    expected = [
        (
            row["rank"],
            int(row["player"][1:]),
            2 * row["score"],
            2 * row["median_buchholz"],
            row["tb"],
            row["pts_diff"],
        )
        for row in told["standings"]
    ]
    assert [(row.rank, row.player, *list(row.values.values())[:4]) for row in rows] == expected
    assert found.scale == 2
    listed = [(one["round"], int(m[0][1:])) for one in told["rounds"] for m in one["matches"] if m[1] is None]
    assert [(number, place + 1) for number, place in byes(found.groups[0], found.entrants)] == listed


@pytest.mark.skipif(not EVENTS.is_dir(), reason="the published standings are not here")
def test_it_becomes_a_tournament_with_the_same_list() -> None:
    """H208: told as a past tournament of ours, whose list is the one that was published."""
    found = read(published()["document"])
    assert losses(found) == ()
    state = adopted(found)
    assert state.settings.scores.points.win == 2
    rows = rows_of(found, found.groups[0], counting(found, AS_THERE))
    assert [(row.player, row.rank) for row in standings(state)] == [(row.player, row.rank) for row in rows]
    assert len(state.rounds) == 5
    assert [len(played.byes) for played in state.rounds] == [1] * 5


def test_what_a_file_says_is_read() -> None:
    """H208: title, days, points, names, winners, ties, sets, forfeits; group ids lead to participants."""
    told = swiss(ROUNDS, NAMES, pts_for_match_win="3", pts_for_match_tie=1, pts_for_bye="")
    people = told["tournament"]["participants"]
    people[0]["participant"] |= {"seed": 4, "group_player_ids": [77], "final_rank": 1, "active": False}
    people[3]["participant"] |= {"name": "", "display_name": "\u202eDee", "seed": 1}
    people[1]["participant"] |= {"name": None, "username": None}
    matches = told["tournament"]["matches"]
    matches[0]["match"] |= {"player1_id": 77, "winner_id": "901", "scores_csv": "1-3,3-1,0-3"}
    matches[1]["match"] |= {"winner_id": "tie", "scores_csv": None, "forfeited": True}
    matches[2]["match"] |= {"state": "open", "scores_csv": "-1--2"}
    found = read(told)
    assert [(e.name, e.seed, e.final_rank, e.active) for e in found.entrants] == [
        ("\\u202eDee", 1, None, True),
        ("#2", 2, None, True),
        ("Cy", 3, None, True),
        ("Ann", 4, 1, False),
    ]
    assert (found.title, found.win, found.draw, found.bye, found.scale) == ("Old Cup", 3, 1, 3, 1)
    bouts = found.groups[0]
    assert [(b.round, b.a, b.b, b.outcome, b.wins, b.forfeited) for b in bouts[:3]] == [
        (1, 3, 1, "b", (1, 2), False),
        (1, 2, 0, "draw", (0, 0), True),
        (2, 3, 2, None, (0, 0), False),
    ]
    assert not found.complete
    assert found.started_at is not None
    assert found.started_at.isoformat() == "2024-05-01T12:00:00+08:00"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"tournament_type": "free for all"}, "kind"),
        ({"participants": None}, "not_json"),
        ({"matches": [{"match": match(900, 999, 1, "1-0")}]}, "not_json"),
        ({"matches": [{"match": match(900, 900, 1, "1-0")}]}, "not_json"),
        ({"matches": [{"match": match(900, 901, 100, "1-0")}]}, "long"),
        ({"participants": [{"participant": {"id": n}} for n in range(MOST_PARTICIPANTS + 1)]}, "long"),
        ({"pts_for_match_win": "1e999999999"}, "not_json"),
        ({"pts_for_match_win": -1}, "not_json"),
        ({"started_at": "yesterday"}, "not_json"),
    ],
)
def test_what_is_no_such_file_is_refused(change: dict[str, Any], why: str) -> None:
    """F20, F21: of another shape or kind, with unknown players, or with numbers that only cost time."""
    told = swiss(ROUNDS, NAMES)
    told["tournament"] |= change
    with pytest.raises(CommandRejected) as refusal:
        read(told)
    assert refusal.value.data["key"] == why


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff\xfe{}", b'{"tournament":' + b"[" * 100_000])
def test_what_is_no_json_is_refused(data: bytes) -> None:
    """F20: nor does nesting reach anything."""
    with pytest.raises(CommandRejected, match="not_json"):
        read_challonge(data)


def test_choices_count_by_their_own_numbers() -> None:
    """H209-H211, G4: as there, or by a preset of ours; another has no name."""
    found = read(swiss(ROUNDS, NAMES))
    assert [counting(found, choice).scoring.win for choice in CHOICES[:2]] == [2, 3]
    rows = rows_of(found, found.groups[0], counting(found, "xingyi"))
    assert [(row.player, row.values["points"]) for row in rows] == [(3, 4), (1, 3), (2, 3), (4, 1)]
    assert rows[0].values["omw"] == Fraction(415, 1_000)
    with pytest.raises(RulesetError, match="unknown_preset"):
        counting(found, "mine")


def test_a_swiss_by_our_criteria_is_a_tournament_of_ours() -> None:
    """H208: its list is what was shown; games, draws and forfeits come along, DP does not change."""
    told = swiss(ROUNDS, NAMES)
    told["tournament"]["matches"][3]["match"] |= {"forfeited": True}
    found = read(told)
    assert losses(found) == ()
    state = adopted(found, "xingyi")
    shown = rows_of(found, found.groups[0], counting(found, "xingyi"))
    assert [(r.player, r.values["points"]) for r in standings(state)] == [
        (r.player, r.values["points"]) for r in shown
    ]
    results = [table.result for table in state.rounds[1].tables.values()]
    assert [(r.reason, r.wins("a"), r.wins("b")) for r in results if r] == [
        ("played", 0, 2),
        ("no_show", 0, 0),
    ]
    assert (state.settings.best_of, state.settings.rating.rated, state.rows) == (3, False, ())


def test_scores_that_are_points_of_another_game_stay_behind() -> None:
    """H208: who won is kept, and that the scores are not is said."""
    found = read(swiss(((("Ann", "Bob", "8000-0"),),), NAMES[:2]))
    assert losses(found) == ("scores",)
    (table,) = adopted(found).rounds[0].tables.values()
    assert table.result is not None
    assert (table.result.outcome, table.result.games) == ("a", ())


def test_who_dropped_has_no_bye() -> None:
    """H226: who was taken out and never plays again is just gone; who comes back had a bye."""
    rounds = (
        (("Ann", "Bob", "2-0"), ("Cy", "Dee", "2-0")),
        (("Ann", "Cy", "2-0"),),
        (("Ann", "Dee", "1-0"),),
    )
    told = swiss(rounds, NAMES)
    for place in (1, 2):
        told["tournament"]["participants"][place]["participant"]["active"] = False
    found = read(told)
    assert [*byes(found.groups[0], found.entrants)] == [(2, 3)]
    assert losses(found) == ("drops",)


def test_a_round_robin_has_no_byes() -> None:
    """S100: who pauses in a round of three players scores nothing for it; one game each is best of one."""
    rounds = ((("Ann", "Bob", "1-0"),), (("Bob", "Cy", "1-0"),), (("Ann", "Cy", "0-1"),))
    found = read(swiss(rounds, NAMES[:3], "round robin"))
    assert is_round_robin(found, found.groups[0])
    state = adopted(found)
    assert [row.values["points"] for row in standings(state)] == [2, 2, 2]
    assert (state.settings.format, state.settings.rounds, state.settings.best_of) == ("round_robin", 0, 1)


def bracket(*matches: dict[str, Any], names: tuple[str, ...] = NAMES, **more: Any) -> Event:
    """Return a single elimination of matches."""
    return read(event(names, matches, "single elimination", **more))


SEMIS = (match(900, 903, 1, "2-0"), match(901, 902, 1, "1-2"))
FINAL = match(900, 902, 2, "0-2")


def test_a_bracket_keeps_its_shape() -> None:
    """R003, 4.9: places and winners; a match for third place is left out, in the last round or in none."""
    for third in (match(903, 901, 2, "2-0"), match(903, 901, 0, "2-0")):
        found = bracket(*SEMIS, FINAL, third)
        assert losses(found) == ("third",)
        state = adopted(found)
        assert state.rounds[0].slots == (1, 4, 2, 3)
        assert [place for _, place in state.places] == [1, 2, 3, 3]
        assert state.places[0][0] == 3


def test_byes_of_a_bracket_have_their_places() -> None:
    """R020: who enters in the second round stands beside nobody in the first, whoever that is."""
    names = ("Ann", "Bob", "Cy", "Dee", "Eve")
    found = bracket(
        match(903, 904, 1, "2-0"),
        match(900, 903, 2, "2-0"),
        match(901, 902, 2, "0-2"),
        match(900, 902, 3, "2-1"),
        names=names,
    )
    state = adopted(found)
    assert state.rounds[0].slots == (1, None, 4, 5, 2, None, 3, None)
    assert state.rounds[0].byes == (1, 2, 3)
    assert state.places[:2] == ((1, 1), (3, 2))


def test_a_group_and_its_bracket_are_one_tournament() -> None:
    """R002: with one group it is a first stage; who went on is the cut."""
    rounds = [match(900, 901, 1, "2-0", group_id=5), match(902, 903, 1, "2-0", group_id=5)]
    final = match(900, 902, 1, "2-0")
    found = bracket(*rounds, final)
    state = adopted(found)
    assert (state.settings.format, state.settings.rounds, state.settings.cut) == ("swiss_elimination", 1, 2)
    assert state.places[0] == (1, 1)


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (bracket(*SEMIS, {**FINAL, "state": "open"}), "open"),
        (bracket(*SEMIS, FINAL, state="underway"), "open"),
        (read(event(NAMES, [*SEMIS, FINAL], "double elimination")), "double"),
        (bracket(match(900, 901, 1, "1-0", group_id=1), match(902, 903, 1, "1-0", group_id=2)), "groups"),
        (bracket(*SEMIS), "bracket"),
        (bracket(match(900, 901, -1, "1-0")), "bracket"),
        (bracket(*SEMIS, match(900, 902, 2, "1-1")), "bracket"),
        (
            bracket(
                SEMIS[0], match(901, 902, 2, "2-0"), match(900, 901, 3, "2-0"), match(902, 903, 1, "2-0")
            ),
            "bracket",
        ),
        (bracket(*(match(900, 901, number, "1-0") for number in range(1, 12))), "bracket"),
        (read(swiss(((("Ann", "Bob", "2-0"), ("Ann", "Cy", "2-0")),), NAMES)), "rounds"),
        (bracket(), "tiny"),
    ],
)
def test_what_cannot_be_ours_says_why(found: Event, why: str) -> None:
    """H208: it can be looked at; nothing is guessed."""
    with pytest.raises(NotOurs) as refusal:
        rounds_of(found, {place: PlayerId(place + 1) for place in range(4)})
    assert refusal.value.why == why
