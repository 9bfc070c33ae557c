"""Results and refusals in the reader's language."""

from collections.abc import Mapping
from typing import Any

from relayd.sentences import sentence
from relayd.web.languages import Language, known, text


def score_text(wins: object) -> str:
    """Return ``2:1`` of games won by seats A and B, with the drawn ones where there are some."""
    return ":".join(map(str, wins)) if isinstance(wins, list | tuple) else "–"


def result_text(language: Language, result: Mapping[str, Any]) -> str:
    """Return what a result says beside its score: nothing where it was plainly played."""
    outcome, reason = result["outcome"], result["reason"]
    words = [text(language, f"outcome.{outcome}")] if outcome in {"draw", "double_loss"} else []
    if reason not in {"played", "ruling"}:
        words.append(text(language, f"reason.{reason}"))
    return " · ".join(words)


def environment_name(language: Language, key: str) -> str:
    """Return what an environment is called; one of the operator's own by its key."""
    return text(language, f"environment.{key}") if known(f"environment.{key}") else key


def refusal(
    language: Language, code: str, data: Mapping[str, object], fallback: str, zone: str = "UTC"
) -> str:
    """Say a refusal in the reader's language; *fallback*: where nobody wrote words for that code."""
    if known(f"refused.{code}"):
        return text(language, f"refused.{code}")
    said = sentence(code, data, language, zone)
    return said if said != code else fallback
