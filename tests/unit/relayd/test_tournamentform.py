"""Settings of a tournament as a host writes them."""

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from relayd.localtime import read_moment
from relayd.tournamentform import edit_form, read_form
from ruleset.errors import CommandRejected
from ruleset.ids import MINUTE_MS, ServerId
from ruleset.tournament.settings import Points, ServerUse, Settings

ROOMS = {"main": 100, "spare": 20}


def form(**wishes: Any) -> Settings:
    """Return the settings that follow from *wishes*."""
    return read_form(
        {"title": "Cup", "format": "swiss", **wishes}, time_zone="Asia/Shanghai", capacities=ROOMS
    )


def problems(**wishes: Any) -> str:
    """Return why *wishes* are refused."""
    with pytest.raises(CommandRejected) as caught:
        form(**wishes)
    assert caught.value.code == "bad_settings"
    said = caught.value.data["problems"]
    assert isinstance(said, tuple)
    return "\n".join(said)


def test_what_is_not_said_has_its_default() -> None:
    """R062 and decisions 8: the rules' own defaults, the daemon's time zone, all duel servers."""
    servers = (ServerUse(id=ServerId("main"), capacity=100), ServerUse(id=ServerId("spare"), capacity=20))
    assert form(rounds=5) == Settings(title="Cup", format="swiss", rounds=5, servers=servers)


def test_a_best_of_one_has_shorter_rounds() -> None:
    """R062: 25 minutes, unless the host says so."""
    assert form(best_of=1).clock.length_ms == 25 * MINUTE_MS
    assert form(best_of=1, clock={"length_ms": 7}).clock.length_ms == 7
    assert form(clock={"gap_ms": 1}).clock.length_ms == 40 * MINUTE_MS


def test_a_preset_brings_its_own_numbers() -> None:
    """G1, H204, H220: hanno has bye 2, no games for it, and leaves absences to players; one may differ."""
    hanno = form(scores={"preset": "hanno"})
    assert (hanno.scores.points, hanno.scores.bye_games) == (Points(bye=2), False)
    assert hanno.clock.late_mode == "claim"
    assert hanno.scores.order == ("points", "tb_tied", "games_won", "median_buchholz", "game_diff")
    assert hanno.scores.cut_order == ()
    assert form(scores={"preset": "hanno_cut"}).scores.cut_order[:3] == (
        "points",
        "tb_tied",
        "median_buchholz",
    )
    mixed = form(scores={"preset": "hanno", "points": {"draw": 0}}, clock={"late_mode": "auto"})
    assert (mixed.scores.points, mixed.clock.late_mode) == (Points(draw=0, bye=2), "auto")


def test_a_preset_brings_what_is_announced_with_it() -> None:
    """H224, S101: casual or competitive, fixed or open rounds; each may be said otherwise, and stays."""
    assert (form(scores={"preset": "hanno"}).kind, form(scores={"preset": "hanno_cut"}).kind) == (
        "casual",
        "competitive",
    )
    assert form(scores={"preset": "guandan"}).rounds_locked is False
    assert form(scores={"preset": "guandan"}, rounds_locked=True, kind="casual").rounds_locked
    mine = form(scores={"preset": "hanno"}, kind="competitive")
    assert edit_form(mine, {"scores": {"preset": "hanno"}}, capacities=ROOMS).kind == "competitive"


def test_a_preset_of_ones_own_says_its_order() -> None:
    """G4, issue 3: any name with an order of its own; a slip in a known name is still found."""
    own = form(scores={"preset": "汉诺杯", "order": ["points", "buchholz"], "floor": [1, 3]})
    assert (own.scores.preset, own.scores.order) == ("汉诺杯", ("points", "buchholz"))
    assert edit_form(own, {"title": "Other"}, capacities=ROOMS).scores == own.scores


def test_the_start_is_a_time_of_the_tournaments_zone() -> None:
    """Decisions 8, S119: text or milliseconds; a time that does not exist is refused with the nearest."""
    berlin = form(start_at="2026-08-01 19:30", time_zone="Europe/Berlin")
    assert berlin.start_at == read_moment("2026-08-01 19:30", ZoneInfo("Europe/Berlin"))
    assert form(start_at=berlin.start_at).start_at == berlin.start_at
    until = form(registration={"until": "2026-08-01 18:00"}, time_zone="Europe/Berlin").registration.until
    assert until == read_moment("2026-08-01 18:00", ZoneInfo("Europe/Berlin"))
    with pytest.raises(CommandRejected, match="no_such_time"):
        form(start_at="2026-03-29 02:30", time_zone="Europe/Berlin")


def test_servers_are_named_by_id() -> None:
    """Decisions 1: with the rooms of the settings, or fewer."""
    (one,) = form(servers="spare").servers
    assert one == ServerUse(id=ServerId("spare"), capacity=20)
    (one,) = form(servers=[{"id": "main", "capacity": 4}]).servers
    assert one == ServerUse(id=ServerId("main"), capacity=4)


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        ({"roundz": 5}, "roundz: there is no such setting; did you mean rounds?"),
        ({"clock": {"lenght_ms": 5}}, "clock.lenght_ms: there is no such setting; did you mean length_ms?"),
        ({"scores": {"points": {"x": 1}}}, "scores.points.x: there is no such setting; known are win"),
        ({"rounds": "many"}, "rounds: Input should be a valid integer"),
        ({"clock": 5}, "clock: "),
        ({"scores": 5}, "scores: "),
        ({"format": "knockout"}, "format: Input should be 'swiss', 'elimination', 'swiss_elimination'"),
        ({"time_zone": "Asia/Shangai"}, "time_zone: there is no 'Asia/Shangai'; did you mean Asia/Shanghai?"),
        ({"time_zone": 7}, "time_zone: there is no '7'"),
        ({"servers": ["mian"]}, "servers: there is no 'mian'; known are main, spare"),
        ({"servers": [7]}, "servers.0"),
        ({"scores": {"preset": "mine"}}, "scores.preset: there is no 'mine'; known are xingyi"),
        ({"scores": {"order": ["points", "luck"]}}, "scores.order: criteria each once"),
        ({"scores": {"points": {"win": 0}}}, "scores: a win is worth 1 or more"),
        ({"scores": {"floor": [1, 0]}}, "a floor is from 0 to 1"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_place(wishes: dict[str, Any], sentence: str) -> None:
    """Issue 2, bad input: what, where, what to do."""
    assert sentence in problems(**wishes)


def test_all_problems_are_told_at_once() -> None:
    """A host mends a form once."""
    assert len(problems(rounds="x", cut="y", best_of=2).splitlines()) == 3


def test_an_edit_changes_only_what_it_names() -> None:
    """R056: the rest stays as it was, nested settings too."""
    before = form(rounds=5, best_of=1, clock={"gap_ms": 7}, scores={"preset": "hanno"}, servers="spare")
    after = edit_form(before, {"title": "New", "clock": {"gap_ms": 8}}, capacities=ROOMS)
    assert (after.title, after.clock.gap_ms, before.clock.gap_ms) == ("New", 8, 7)
    assert after.clock.length_ms == before.clock.length_ms
    assert (after.scores, after.servers, after.rounds) == (before.scores, before.servers, 5)
