"""From exceptions to answers."""

import pytest
from pydantic import ValidationError

from deckcheck.errors import DeckInvalid
from relayd.admin.failures import explain, outcome_of
from relayd.admin.params import ChangeTable
from relayd.admin.rpc import Code, RpcError
from relayd.errors import InvariantBroken
from relayd.storage.log import CommandIdReused, LogBroken, LogUnavailable
from ruleset.errors import CommandRejected


@pytest.mark.parametrize(
    ("error", "code", "outcome"),
    [
        (CommandRejected("not_started"), Code.REFUSED, "refused"),
        (CommandRejected("outdated", expected=1, version=2), Code.CONFLICT, "refused"),
        (DeckInvalid("too_many_cards", "more than 1000"), Code.DECK, "refused"),
        (CommandIdReused("c1"), Code.COMMAND_ID, "refused"),
        (LogUnavailable(), Code.AWAY, "away"),
        (LogBroken(), Code.AWAY, "away"),
        (InvariantBroken("t1: boom"), Code.INTERNAL, "broken"),
        (ZeroDivisionError(), Code.INTERNAL, "broken"),
        (RpcError(Code.FORBIDDEN, "no"), Code.FORBIDDEN, "forbidden"),
        (RpcError(Code.BUSY, "wait"), Code.BUSY, "busy"),
        (RpcError(Code.UNKNOWN_METHOD, "what"), Code.UNKNOWN_METHOD, "bad"),
    ],
)
def test_an_error_says_who_must_act(error: Exception, code: Code, outcome: str) -> None:
    """House 4: the sender, nobody, or we; of a bug nothing gets out."""
    told = explain(error, "c1")
    assert (told.code, outcome_of(told)) == (code, outcome)
    assert "boom" not in told.message


def test_an_unknown_outcome_names_the_command_id() -> None:
    """House 4: LogUnavailable: the same command_id again."""
    told = explain(LogUnavailable(), "c1")
    assert told.data == {"code": "log_unavailable", "command_id": "c1"}
    assert "same command_id" in told.message


def test_wrong_values_are_all_named() -> None:
    """Issue 2: every problem with its place; what was sent is not sent back."""
    with pytest.raises(ValidationError) as caught:
        ChangeTable.model_validate({"tournament": 0, "table": "s3cret", "command_id": " "})
    told = explain(caught.value, None)
    assert told.code is Code.INVALID_PARAMS
    assert len(told.data["problems"]) == 3  # type: ignore[arg-type]  # it is a list
    assert "s3cret" not in str(told.data)
