"""URLs that are told what happens in a tournament (F26)."""

from typing import Annotated, Final

from pydantic import Field

from relayd.admin.methods import Methods
from relayd.admin.params import MOST, Change, InTournament, TournamentNumber
from relayd.admin.parts import Call, Rows, Shown
from relayd.admin.roles import Role
from relayd.storage.webhooks import Hook

METHODS: Final = Methods()


class Add(Change):
    """A new one; not carried out twice for the same URL."""

    tournament: TournamentNumber
    url: Annotated[str, Field(max_length=500)]


class OneHook(Change):
    """One of them."""

    tournament: TournamentNumber
    hook: Annotated[int, Field(ge=1, le=MOST)]


@METHODS.add("webhook.list", Role.COHOST)
async def listed(call: Call, _params: InTournament) -> Rows:
    """List the webhooks of a tournament: how far each was told, and what goes wrong."""
    return [_shown(hook) for hook in await call.parts.hooks.of(call.tournament)]


@METHODS.add("webhook.add", Role.HOST)
async def add(call: Call, params: Add) -> Shown:
    """Tell a URL of everything that happens from now on; the secret is in this answer alone."""
    hook, secret = await call.parts.hooks.add(call.tournament, params.url, by=call.peer.name)
    return {**_shown(hook), "secret": secret}


@METHODS.add("webhook.test", Role.HOST)
async def test(call: Call, params: OneHook) -> Shown:
    """Send a webhook a message without events now, and say what came of it."""
    trouble = await call.parts.hooks.test(call.tournament, params.hook)
    return {"hook": params.hook, "taken": not trouble, "trouble": trouble}


@METHODS.add("webhook.resume", Role.HOST)
async def resume(call: Call, params: OneHook) -> Shown:
    """Try a webhook at once, also one that is switched off; it is told all that it has missed."""
    return _shown(await call.parts.hooks.resume(call.tournament, params.hook))


@METHODS.add("webhook.remove", Role.HOST)
async def remove(call: Call, params: OneHook) -> Shown:
    """End a webhook."""
    await call.parts.hooks.remove(call.tournament, params.hook)
    return {"hook": params.hook}


def _shown(hook: Hook) -> Shown:
    return {
        "hook": hook.id,
        "url": hook.url,
        "made_by": hook.made_by,
        "created_at": hook.created_at,
        "told": hook.position,
        "failures": hook.failures,
        "next_at": hook.next_at,
        "trouble": hook.trouble,
        "off_at": hook.off_at,
    }
