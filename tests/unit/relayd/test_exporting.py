"""A whole tournament as one document, and back (H208)."""

import msgspec
import pytest

from relayd.exporting import FORMAT, BadExport, exported, imported
from relayd.reducers import TOURNAMENT
from ruleset.tournament.state import EMPTY
from tests.golden.story import STREAM, played

ENTRIES, STATE = played()
DOCUMENT = exported(STREAM, ENTRIES)


def broken(document: bytes) -> str:
    """Return why *document* is refused."""
    with pytest.raises(BadExport) as refusal:
        imported(document, TOURNAMENT)
    return str(refusal.value)


def test_a_tournament_leaves_as_json_and_comes_back_whole() -> None:
    """H208, issue 3: lossless: every entry byte by byte, with its hash, and the state that they lead to."""
    found = imported(DOCUMENT, TOURNAMENT)
    assert (found.stream, found.state) == (STREAM, STATE)
    assert [(entry.body, entry.hash) for entry in found.entries] == [(e.body, e.hash) for e in ENTRIES]
    assert exported(found.stream, found.entries) == DOCUMENT


def test_it_is_plain_json() -> None:
    """H208: any program reads it."""
    plain = msgspec.json.decode(DOCUMENT)
    assert (plain["format"], plain["stream"], len(plain["entries"])) == (FORMAT, STREAM, len(ENTRIES))
    assert plain["entries"][0]["events"][0][0].startswith("tournament_published.")


def test_nothing_is_something() -> None:
    """A tournament that has only a number has no entries."""
    assert imported(exported("t1", []), TOURNAMENT).state == EMPTY


def test_what_was_changed_is_noticed() -> None:
    """F30: a changed word, a missing entry, blanks of another program."""
    assert "hash" in broken(DOCUMENT.replace(b'"by":"host"', b'"by":"nobody"', 1))
    assert "entry 3 of t12 is missing" in broken(exported(STREAM, [*ENTRIES[:2], *ENTRIES[3:]]))
    assert "hash" in broken(msgspec.json.format(DOCUMENT))
    assert "hash" in broken(DOCUMENT.replace(b'"stream":"t12"', b'"stream":"t13"', 1))


def test_what_is_no_document_of_ours_is_refused() -> None:
    """F30: another format, a newer program's kind, events that nothing leads to."""
    assert "relayd-tournament-9" in broken(DOCUMENT.replace(FORMAT.encode(), b"relayd-tournament-9", 1))
    assert "unknown kind" in broken(
        DOCUMENT.replace(b'["tournament_published.', b'["xtournament_published.', 1)
    )
    first, last = ENTRIES[0], ENTRIES[-1]
    later = TOURNAMENT.codec.seal(
        first.head, command_id="x", digest=b"", at=last.at, by="x", events=last.events
    )
    assert "do not follow" in broken(exported(STREAM, [first, later]))
