"""What decks are judged by: the environments that there are, and a list that is frozen anew (R045, D44)."""

from typing import Final

from relayd.admin.methods import Methods
from relayd.admin.params import ChangeTournament, Nothing
from relayd.admin.parts import Call, Done, Rows, done
from relayd.admin.roles import Role
from relayd.environments import Environments
from relayd.refreshing import Refreshing
from ruleset.errors import CommandRejected

METHODS: Final = Methods()


@METHODS.add("environment.list", Role.VIEWER)
async def listed(call: Call, _params: Nothing) -> Rows:
    """List the environments that a tournament may be published with, as their files are now."""
    environments = call.parts.submitting.environments
    return [await _row(environments, key) for key in environments.keys]


@METHODS.add("tournament.refresh_list", Role.COHOST)
async def refresh(call: Call, _params: ChangeTournament) -> Done:
    """Judge by the list and the cards as they are now, until 12 hours before the start (R045, R056)."""
    parts = call.parts
    refreshing = Refreshing(
        environments=parts.submitting.environments, tournaments=parts.tournaments, clock=parts.clock
    )
    answer = await refreshing.refresh(
        call.tournament,
        by=call.peer.name,
        command_id=call.command_id,
        expected_version=call.expected_version,
    )
    return done(answer)


async def _row(environments: Environments, key: str) -> dict[str, object]:
    try:
        frozen = await environments.freeze(key)
    except CommandRejected as refusal:
        return {"environment": key, "list_name": None, "list_hash": None, "why": refusal.data["why"]}
    return {
        "environment": key,
        "list_name": frozen.list_name,
        "list_hash": f"{frozen.list_hash:08x}",
        "why": None,
    }
