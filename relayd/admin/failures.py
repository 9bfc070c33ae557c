"""From an exception to what the caller is told, by who must act (house 4)."""

from dataclasses import asdict
from typing import Final, Literal, TypeAlias

from pydantic import ValidationError

from deckcheck.check import SHOWN
from deckcheck.errors import DeckInvalid
from relayd.admin.rpc import Code, RpcError
from relayd.errors import DependencyError
from relayd.sentences import sentence
from relayd.storage.log import CommandIdReused, LogError
from relayd.submitting import DeckRefused
from ruleset.errors import RulesetError

Outcome: TypeAlias = Literal["ok", "refused", "forbidden", "bad", "away", "busy", "broken"]

_OUTCOMES: Final[dict[Code, Outcome]] = {
    Code.REFUSED: "refused",
    Code.CONFLICT: "refused",
    Code.DECK: "refused",
    Code.COMMAND_ID: "refused",
    Code.FORBIDDEN: "forbidden",
    Code.AWAY: "away",
    Code.BUSY: "busy",
    Code.INTERNAL: "broken",
}
_AGAIN: Final = "the outcome is not known: send the same call again, with the same command_id"


def explain(error: Exception, command_id: str | None) -> RpcError:  # noqa: PLR0911  a case an error
    """Return what is told of *error*; whatever nobody foresaw is our bug."""
    match error:
        case RpcError():
            return error
        case ValidationError():
            return RpcError(Code.INVALID_PARAMS, _first(error), problems=_problems(error))
        case DeckRefused():
            return _deck_refused(error)
        case DeckInvalid():
            return RpcError(Code.DECK, error.message, code=error.code, **error.data)
        case RulesetError():
            kind = Code.CONFLICT if error.code == "outdated" else Code.REFUSED
            return RpcError(kind, sentence(error.code, error.data), code=error.code, **error.data)
        case CommandIdReused():
            return RpcError(Code.COMMAND_ID, "this command_id belongs to another command", code=error.code)
        case DependencyError() | LogError():
            return RpcError(Code.AWAY, _AGAIN, code=error.code, command_id=command_id)
        case _:
            return RpcError(Code.INTERNAL, "a bug of the daemon; its log says more", code="internal")


def outcome_of(error: RpcError) -> Outcome:
    """Return the outcome under which *error* is counted."""
    return _OUTCOMES.get(error.code, "bad")


def _deck_refused(error: DeckRefused) -> RpcError:
    verdict = error.verdict
    return RpcError(
        Code.DECK,
        f"the deck is illegal: {len(verdict.violations)} violations",
        code="deck_illegal",
        violations=error.violations,
        sentences=list(verdict.sentences(most=SHOWN)),
        review=[asdict(card) for card in verdict.review],
    )


def _first(error: ValidationError) -> str:
    problems = _problems(error)
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"{problems[0]}{more}"


def _problems(error: ValidationError) -> list[str]:
    return [
        f"{'.'.join(map(str, found['loc'])) or 'params'}: {found['msg'].removeprefix('Value error, ')}"
        for found in error.errors(include_url=False, include_input=False, include_context=False)
    ]
