"""Room codes as people type them."""

from ruleset.errors import RulesetError
from ruleset.ids import PLAYOFF, TableId, TournamentNo
from ruleset.roomcode import parse


def code_in(text: str) -> tuple[TournamentNo, TableId] | None:
    """Return which table's code that is, with mode prefixes or without, in any case; ``None``: none."""
    try:
        code = parse(text.strip().rpartition("#")[2])
    except RulesetError:
        return None
    return code.tournament, TableId(PLAYOFF if code.playoff else code.round_no, code.table)
