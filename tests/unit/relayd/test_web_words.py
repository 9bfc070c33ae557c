"""The words of the pages: every one in three languages, with the same places, and used (issue 6, done 2)."""

import re
from pathlib import Path
from string import Formatter
from typing import get_args, get_type_hints

import pytest

import relayd.web
from relayd.ports import LiveTable, ServerHealth
from relayd.storage.kinds import TOURNAMENT
from relayd.web import languages
from relayd.web.formatting import countdown, date_and_time, signed
from relayd.web.languages import LANGUAGES, catalogue, preferred, text
from relayd.web.links import ygomobile
from relayd.web.security import local_path
from ruleset.standings.presets import PRESETS
from ruleset.standings.sentences import TITLES
from ruleset.tournament.results import Reason
from ruleset.tournament.settings import Format
from ruleset.tournament.state import Phase, Player
from tests.house import SERVER

FOLDER = Path(relayd.web.__file__).parent
CALLED = re.compile(r"""(?<![\w.])(?:t|visit\.t|text)\(\s*(?:language,\s*)?["']([a-z0-9_.]+)["']""")


def places(words: str) -> set[str]:
    """Return what a text has places for."""
    return {name for _, name, _, _ in Formatter().parse(words) if name}


@pytest.mark.parametrize("key", sorted(catalogue()))
def test_every_text_is_there_in_every_language(key: str) -> None:
    """Done when 2: zh-CN, ja and en all say it, with the same values in it."""
    words = catalogue()[key]
    assert set(words) == set(LANGUAGES)
    assert all(words.values())
    assert len({frozenset(places(words[language])) for language in LANGUAGES}) == 1


def test_every_text_that_pages_name_is_there() -> None:
    """A page never asks for words that nobody wrote."""
    sources = [*FOLDER.rglob("*.html"), *FOLDER.rglob("*.py")]
    named = {key for path in sources for key in CALLED.findall(path.read_text("utf-8"))}
    assert len(named) > 150
    whole = {key for key in named if not key.endswith((".", "_"))}
    assert whole - set(catalogue()) == set()


def test_whatever_the_rules_know_has_its_words() -> None:
    """Formats, phases, reasons, criteria, presets, events: a page never meets one without words."""
    kinds = {kind.partition(".")[0] for kind in TOURNAMENT.kinds}
    reasons = set(get_args(Reason)) - {"played", "ruling"}
    needed = {
        *(f"criterion.{key}" for key in TITLES),
        *(f"format.{key}" for key in get_args(Format)),
        *(f"phase.{key}" for key in get_args(Phase)),
        *(f"reason.{key}" for key in reasons),
        *(f"preset.{key}" for key in PRESETS),
        *(f"event_kind.{key}" for key in kinds),
        *(f"deck.{where}.{key}" for where in ("status", "short") for key in _values(Player, "deck_status")),
        *(f"players.state.{key}" for key in _values(Player, "status")),
        *(f"stage.{key}" for key in _values(LiveTable, "stage")),
        *(f"host.server_{key}" for key in _values(ServerHealth, "state")),
    }
    assert needed - set(catalogue()) == set()


def _values(model: type, name: str) -> tuple[str, ...]:
    return get_args(get_type_hints(model)[name])


@pytest.mark.parametrize(
    ("cookie", "accept", "language"),
    [
        (None, "", "zh"),
        (None, "fr-FR,fr;q=0.9", "zh"),
        (None, "fr,ja;q=0.5,en;q=0.9", "en"),
        (None, "ja-JP,ja;q=0.9,en-US;q=0.8", "ja"),
        ("ja", "en", "ja"),
        ("xx", "en;q=rubbish", "en"),
        (None, "en" * 10_000, "zh"),
    ],
)
def test_the_language_is_the_readers(cookie: str | None, accept: str, language: str) -> None:
    """As chosen, else as the browser asks, else Chinese."""
    assert preferred(cookie, accept) == language


def test_an_unknown_text_is_our_bug() -> None:
    """A wrong key never becomes an empty page."""
    with pytest.raises(KeyError):
        text("en", "no.such.text")
    assert not languages.known("no.such.text")


@pytest.mark.parametrize(
    ("milliseconds", "shown"),
    [(-5_000, "0:00"), (0, "0:00"), (61_000, "1:01"), (3_600_000, "1:00:00"), (3_725_999, "1:02:05")],
)
def test_what_is_left_is_shown_as_a_clock(milliseconds: int, shown: str) -> None:
    """Nothing is less than nothing, and hours show from one on."""
    assert countdown(milliseconds) == shown


def test_moments_and_changes_are_shown_as_people_write_them() -> None:
    """Decisions 8: in the tournament's zone; DP with a sign."""
    assert date_and_time(1_800_000_000_000, "Asia/Shanghai") == "2027-01-15 16:00"
    assert [signed(n) for n in (8, 0, -8)] == ["+8", "±0", "−8"]


def test_the_link_into_ygomobile_is_encoded_twice() -> None:
    """D60: the app decodes every value twice."""
    link = ygomobile(SERVER, "M#X12R3T4")
    assert link == "ygo://room?ygotype=room&v=1&h=duel.example.org&po=7911&pw=M%2523X12R3T4"


@pytest.mark.parametrize(
    ("path", "leads"),
    [
        ("/e/1?x=1", "/e/1?x=1"),
        (None, "/"),
        ("", "/"),
        ("//x", "/"),
        ("/\\x", "/"),
        ("http://x", "/"),
        ("/a\r\nb", "/"),
        ("/\u202e", "/"),
    ],
)
def test_only_paths_of_ours_lead_anywhere(path: str | None, leads: str) -> None:
    """Nobody is sent out of the site."""
    assert local_path(path) == leads
