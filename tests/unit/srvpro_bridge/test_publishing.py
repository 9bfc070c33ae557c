"""What people type, and what publishing refuses (decisions 15, duel-server.md 3 and 6)."""

from dataclasses import replace

import pytest

from ruleset.ids import ServerId, TournamentNo
from ruleset.roomcode import parse
from ruleset.tournament.settings import Settings
from srvpro_bridge.capabilities import Link, ServerFacts
from srvpro_bridge.joinstring import join_string
from srvpro_bridge.publishing import problems

HALL = ServerId("hall")
BO1, BO3 = (Settings(title="t", format="swiss", best_of=best_of) for best_of in (1, 3))
GOAT1, GOAT3 = (
    Settings(title="t", format="swiss", best_of=best_of, environment="goat") for best_of in (1, 3)
)
LISTS = (("goat", 2),)


def facts(
    link: Link = "challonge",
    *,
    no_match_mode: bool = False,
    default: str = "ocg",
    lists: tuple[tuple[str, int], ...] = (),
) -> ServerFacts:
    """Return what is declared of a server."""
    return ServerFacts(
        id=HALL, link=link, no_match_mode=no_match_mode, default_environment=default, lists=lists
    )


@pytest.mark.parametrize(
    ("settings", "server", "typed", "typed_for_the_extra_game"),
    [
        (BO3, facts(), "M#X12R3T4", "M#X12R3T4S"),
        (BO1, facts(no_match_mode=True), "X12R3T4", "X12R3T4S"),
        (BO3, facts("http"), "M#X12R3T4", "X12R3T4S"),
        (BO1, facts("http"), "X12R3T4", "X12R3T4S"),
        (GOAT3, facts("http"), "M,NF#X12R3T4", "NF#X12R3T4S"),
        (GOAT1, facts("http"), "NF#X12R3T4", "NF#X12R3T4S"),
        (GOAT3, facts("http", lists=LISTS), "M,LF2#X12R3T4", "LF2#X12R3T4S"),
        (GOAT3, facts("http", default="goat"), "M#X12R3T4", "X12R3T4S"),
        (GOAT3, facts("http", default=""), "M#X12R3T4", "X12R3T4S"),
        (BO3, facts("http", default="goat"), "M,NF#X12R3T4", "NF#X12R3T4S"),
        (GOAT3, facts("plugin"), "X12R3T4", "X12R3T4S"),
    ],
)
def test_the_join_string_works_on_that_server(
    settings: Settings, server: ServerFacts, typed: str, typed_for_the_extra_game: str
) -> None:
    """Decisions 15: match mode, list marks only where prefixes count, the extra game as a single duel."""
    assert join_string(parse("X12R3T4"), settings, server) == typed
    assert join_string(parse("X12R3T4S"), settings, server) == typed_for_the_extra_game
    assert len(typed_for_the_extra_game) <= 19


def codes(settings: Settings, server: ServerFacts, tournament: int | None = None) -> list[str]:
    """Return what is wrong."""
    number = None if tournament is None else TournamentNo(tournament)
    return [problem.code for problem in problems(settings, server, number)]


@pytest.mark.parametrize(
    ("settings", "server", "refused"),
    [
        (BO3, facts(), []),
        (BO1, facts(no_match_mode=True), []),
        (BO1, facts(), ["best_of_three_only"]),
        (BO3, facts(no_match_mode=True), ["best_of_one_only"]),
        (GOAT3, facts(), ["list_unfit"]),
        (GOAT3, facts(lists=LISTS), ["list_unfit"]),
        (GOAT3, facts(default="goat"), []),
        (GOAT3, facts(default=""), []),
        (GOAT1, facts(), ["best_of_three_only", "list_unfit"]),
        (BO1, facts("http"), []),
        (GOAT3, facts("http"), []),
        (GOAT1, facts("plugin"), []),
    ],
)
def test_what_cannot_work_is_refused(settings: Settings, server: ServerFacts, refused: list[str]) -> None:
    """Decisions 15: the mode of a Challonge link is the server's, and its rooms take no list marks."""
    assert codes(settings, server) == refused


@pytest.mark.parametrize("link", ["challonge", "http", "plugin"])
def test_the_server_itself_may_be_set_up_wrong(link: Link) -> None:
    """5.6-7, duel-server.md 2: hidden games and the wrong death rule; a plugin brings its own."""
    server = ServerFacts(id=HALL, link=link, post_detailed_score=False, quick_death_rule=1)
    assert codes(BO3, server) == ([] if link == "plugin" else ["no_detailed_score", "quick_death_rule"])


@pytest.mark.parametrize(
    ("settings", "server", "tournament", "fits"),
    [
        (BO3, facts(), 9_999_999, True),
        (BO3, facts(), 99_999_999, False),
        (GOAT3, facts("http"), 9_999, True),
        (GOAT3, facts("http"), 99_999, False),
        (BO3, facts("plugin"), 9_999_999, True),
        (BO3, facts("plugin"), 99_999_999, False),
    ],
)
def test_the_longest_code_must_be_typable(
    settings: Settings, server: ServerFacts, tournament: int, *, fits: bool
) -> None:
    """R058, decisions 15: behind its prefix, ``S`` included; ``M,NF#`` leaves 14 characters."""
    assert codes(settings, server, tournament) == ([] if fits else ["code_too_long"])


def test_a_problem_says_what_where_and_what_to_do() -> None:
    """Decisions 15: publishing shows the reason."""
    [problem] = problems(GOAT3, facts())
    assert "hall" in problem.message
    assert "'goat'" in problem.message


@pytest.mark.parametrize("link", ["challonge", "http", "plugin"])
def test_only_a_plugin_asks_for_seat_keys(link: Link) -> None:
    """Decisions 4, 15: elsewhere a stranger would sit down as before, and nobody would know."""
    found = problems(replace(BO3, seat_key="optional"), facts(link))
    assert [problem.code for problem in found] == ([] if link == "plugin" else ["no_seat_keys"])
