"""What the commands print as JSON."""

from collections.abc import Iterable
from dataclasses import asdict

from deckcheck.check import Listed, Verdict
from deckcheck.deck import SECTIONS
from deckcheck.environments import Environment
from deckcheck.errors import DeckcheckError
from deckcheck.lflist import LfList, hash_text
from deckcheck.lint import Problem
from deckcheck.sentences import Language


def environment_data(environment: Environment) -> dict[str, object]:
    """Return by what decks were judged."""
    names = ("key", "title", "list_name", "list_hash", "pool_hash")
    return {name: getattr(environment, name) for name in names}


def verdict_data(name: str, verdict: Verdict, language: Language) -> dict[str, object]:
    """Return everything of a verdict, all violations with their sentences (D40)."""
    return {
        "deck": name,
        "status": verdict.status,
        "counts": {section: len(getattr(verdict.deck, section)) for section in SECTIONS},
        "violations": [
            {**violation.as_data(), "sentence": violation.sentence(language)}
            for violation in verdict.violations
        ],
        "prerelease": _listed(verdict.prerelease),
        "review": _listed(verdict.review),
        "client_code": verdict.client_code,
    }


def unreadable_data(name: str, error: DeckcheckError) -> dict[str, object]:
    """Return why there is no verdict."""
    return {"deck": name, "status": "unreadable", "error": {"code": error.code, "message": error.message}}


def list_data(number: int, each: LfList) -> dict[str, object]:
    """Return what names a list: its place in the file and its hashes."""
    return {
        "index": number,
        "name": each.name,
        "hash": hash_text(each.hash),
        "entries": len(each.limits),
        "whitelist": each.whitelist,
        "edopro_hash": hash_text(each.edopro_hash),
    }


def problem_data(path: str, problems: Iterable[Problem]) -> list[dict[str, object]]:
    """Return the problems of a list file."""
    return [{"file": path, **asdict(problem)} for problem in problems]


def _listed(cards: Iterable[Listed]) -> list[dict[str, object]]:
    return [asdict(card) for card in cards]
