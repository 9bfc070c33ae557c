"""The methods of the admin sockets, by what they are about."""

from relayd.admin.calls import (
    clock,
    daemon,
    deckdata,
    decks,
    entries,
    environments,
    hosting,
    live,
    pairings,
    players,
    queries,
    reports,
    tables,
    teams,
    tournaments,
    webhooks,
)
from relayd.admin.methods import Methods
from relayd.admin.params import Nothing
from relayd.admin.parts import Call, Rows
from relayd.admin.roles import Role

METHODS = Methods(
    tournaments.METHODS,
    hosting.METHODS,
    players.METHODS,
    entries.METHODS,
    teams.METHODS,
    decks.METHODS,
    deckdata.METHODS,
    environments.METHODS,
    clock.METHODS,
    pairings.METHODS,
    tables.METHODS,
    reports.METHODS,
    queries.METHODS,
    live.METHODS,
    webhooks.METHODS,
    daemon.METHODS,
)
"""All of them."""


@METHODS.add("rpc.methods", Role.VIEWER)
async def methods(_call: Call, _params: Nothing) -> Rows:
    """List all methods with the role that each needs and the values that it takes."""
    return [
        {
            "method": method.name,
            "role": method.role.name.lower(),
            "own": method.own,
            "help": method.help,
            "params": method.params.model_json_schema(),
        }
        for method in METHODS.values()
    ]
