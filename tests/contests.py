"""A tournament at a daemon that runs, brought into its first round over the admin socket."""

import asyncio
from pathlib import Path
from typing import Any

from relayd.admin.rpc import Code
from tests.house import PLAN, Caller, Refused, deck


async def patient(caller: Caller, method: str, **params: Any) -> Any:
    """Return the result, after as many waits as the daemon asks for (F27)."""
    while True:
        try:
            return await caller.call(method, **params)
        except Refused as refused:
            if refused.code != Code.BUSY:
                raise
            await asyncio.sleep(0.2)


async def started(path: Path, players: int) -> tuple[Caller, int]:
    """Return a line to the admin socket at *path*, and the number of a tournament in round 1."""
    caller = await Caller.to(path)
    number: int = (await patient(caller, "tournament.publish", settings=PLAN))["tournament"]
    for n in range(players):
        player = (await patient(caller, "player.register", nickname=f"Nick-{n}"))["player"]
        await patient(caller, "entry.register", tournament=number, player=player)
        await patient(caller, "deck.submit", tournament=number, player=player, deck=deck())
    await patient(caller, "entry.sign_in_all", tournament=number)
    await patient(caller, "tournament.start", tournament=number)
    return caller, number
