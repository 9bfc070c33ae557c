"""Which tournaments cannot work on which duel server; publishing refuses them (decisions 15)."""

from collections.abc import Iterator
from dataclasses import dataclass

from ruleset import roomcode
from ruleset.ids import TournamentNo
from ruleset.tournament.settings import Settings
from srvpro_bridge.capabilities import ServerFacts
from srvpro_bridge.joinstring import room_prefix


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why it cannot work."""

    code: str
    message: str
    """One sentence: what, where, and what to do."""


def problems(
    settings: Settings, facts: ServerFacts, tournament: TournamentNo | None = None
) -> tuple[Problem, ...]:
    """Return why *settings* cannot work on that server; empty: they can.

    With a number, the longest room code of that tournament must fit into a duel client's password (R058).
    """
    found = [] if facts.link == "plugin" else [*_server(facts), *_keys(settings, facts)]
    if facts.link == "challonge":
        found += [*_mode(settings, facts), *_list(settings, facts)]
    if tournament is not None:
        found += _length(settings, facts, tournament)
    return tuple(found)


def _server(facts: ServerFacts) -> Iterator[Problem]:
    if not facts.post_detailed_score:
        text = f"{facts.id} hides the games (5.6-7): switch challonge.post_detailed_score on"
        yield Problem(code="no_detailed_score", message=text)
    if facts.quick_death_rule != 2:
        text = f"{facts.id} ends matches by rule {facts.quick_death_rule}: set http.quick_death_rule to 2"
        yield Problem(code="quick_death_rule", message=text)


def _keys(settings: Settings, facts: ServerFacts) -> Iterator[Problem]:
    if settings.seat_key != "off":
        text = f"{facts.id} has no plugin to ask for seat keys: set seat_key to off, or take another server"
        yield Problem(code="no_seat_keys", message=text)


def _mode(settings: Settings, facts: ServerFacts) -> Iterator[Problem]:
    if settings.best_of == 1 and not facts.no_match_mode:
        text = (
            f"{facts.id} plays best of three only: switch challonge.no_match_mode on, or take another server"
        )
        yield Problem(code="best_of_three_only", message=text)
    if settings.best_of == 3 and facts.no_match_mode:
        text = (
            f"{facts.id} plays best of one only: switch challonge.no_match_mode off, or take another server"
        )
        yield Problem(code="best_of_one_only", message=text)


def _list(settings: Settings, facts: ServerFacts) -> Iterator[Problem]:
    """A Challonge room takes no ``NF`` or ``LF`` mark: a match id with ``#`` loses its reports."""
    if facts.default_environment not in {"", settings.environment}:
        text = (
            f"{facts.id} checks decks by the list of {facts.default_environment!r} and would refuse legal "
            f"decks of {settings.environment!r}: make that list its first, or let it check none"
        )
        yield Problem(code="list_unfit", message=text)


def _length(settings: Settings, facts: ServerFacts, tournament: TournamentNo) -> Iterator[Problem]:
    prefix = "M#" if facts.link == "plugin" else room_prefix(settings, facts)
    if not roomcode.fits(tournament, prefix):
        text = (
            f"room codes of tournament {tournament} do not fit behind {prefix!r} into the "
            f"{roomcode.LONGEST_PASSWORD} characters of a password"
        )
        yield Problem(code="code_too_long", message=text)
