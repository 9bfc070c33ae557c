"""Every row of the rules that is meant for us has a test that cites it (issue 3)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
RULES = TESTS.parents[1] / "shared" / "spec" / "rules.md"
ROW = re.compile(r"\| ([RSH]\d{3}) \|(.*)\|")
CITED = re.compile(r"\b([RSH])(\d{3})(?: ?(?:-|–|to) ?[RSH]?(\d{3}))?\b")

EXPLAINED = {
    "R050": "one sentence on the page of an event (templates/event.html, locales event.retro)",
    "S117": "one registration for a pair: there are no pair events, teams are an attribute of players",
    "S141": "a ladder of another city: our ladder is DP, which S142 switches",
    "S145": "keys are no facts of a tournament: rosters and queries need the token of a role (decisions 6)",
    "S146": "the same: a token is revoked, entries stay (G15)",
    "H227": "names a text that is not in hand",
}
"""Rows without a test, and why."""


def rows() -> Iterator[str]:
    """Yield the rows that are meant for us: of lingti's those that are marked Y or p."""
    for line in RULES.read_text(encoding="utf-8").splitlines():
        found = ROW.match(line)
        if found:
            mark = found[2].split("|")[1].strip()
            if not (found[1].startswith("S") and mark == "N"):
                yield found[1]


def citations() -> Iterator[str]:
    """Yield the rows that the docstrings of tests cite, each of a range."""
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                for letter, first, last in CITED.findall(ast.get_docstring(node) or ""):
                    numbers = range(int(first), int(last or first) + 1)
                    yield from (f"{letter}{number:03}" for number in numbers)


@pytest.mark.skipif(not RULES.exists(), reason="the rules lie beside the project, not in it")
def test_every_row_is_cited_or_explained() -> None:
    """Issue 3, done 1: no row is forgotten, and none is explained that has its test."""
    meant, cited = set(rows()), set(citations())
    assert len(meant) > 150
    assert meant - cited == EXPLAINED.keys()


@pytest.mark.skipif(not RULES.exists(), reason="the rules lie beside the project, not in it")
def test_no_test_cites_a_row_that_there_is_not() -> None:
    """Row ids are stable: a slip in one would hide a row that has no test."""
    known = set(re.findall(r"\b[RSH]\d{3}\b", RULES.read_text(encoding="utf-8")))
    spans = {f"S{number}" for number in range(100, 174)} | {f"H{number}" for number in range(201, 228)}
    assert set(citations()) - known - spans == set()
