"""What is wrong with a form, one line each, in the reader's words and by the names that its fields have."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from relayd.web.formfields import FIELDS
from relayd.web.languages import Language, catalogue, known, text
from relayd.web.words import refusal

_LISTS: Final = frozenset({"bad_settings", "unfit_servers"})
_PATHS: Final[Mapping[str, str]] = {
    **{field.path: f"publish.f.{field.name}" for field in FIELDS},
    "signin": "publish.f.signin_opens",
    "scores.preset": "publish.f.preset",
    "scores.order": "publish.f.order",
    "scores.cut_order": "publish.f.cut_order",
    "scores": "publish.counting",
    "clock": "publish.clock",
    "teams": "publish.teams",
    "servers": "publish.servers",
}


def problem_lines(
    language: Language, code: str, data: Mapping[str, Any], fallback: str = ""
) -> Sequence[str]:
    """Return what is wrong with a form that was refused with *code*."""
    problems = data.get("problems")
    if code in _LISTS and isinstance(problems, list | tuple) and problems:
        return [_line(language, str(problem)) for problem in problems]
    return [refusal(language, code, data, fallback or code)]


def _line(language: Language, problem: str) -> str:
    """Say ``clock.cap_ms: Input should be…`` of a field; a sentence about anything else stays as it is."""
    path, mark, what = problem.partition(": ")
    label = _label(path)
    if not mark or label is None:
        return _said(language, problem)
    return f"{text(language, label)}{'：' if language != 'en' else ': '}{_said(language, what)}"


def _label(path: str) -> str | None:
    """Return what the field of a setting is called, or the group that it is in."""
    first = path.split(", ", maxsplit=1)[0]
    while first:
        if first in _PATHS and known(_PATHS[first]):
            return _PATHS[first]
        first = first.rpartition(".")[0]
    return None


def _said(language: Language, what: str) -> str:
    key = _keys().get(what)
    return what if key is None else text(language, key)


@cache
def _keys() -> Mapping[str, str]:
    """Return the keys of the sentences that the rules say, by their English."""
    words = catalogue()
    return {said["en"]: key for key, said in words.items() if key.startswith("publish.problem.")}
