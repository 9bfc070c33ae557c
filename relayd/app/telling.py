"""Webhooks: who tells them, and how hosts reach them."""

from contextlib import AsyncExitStack
from dataclasses import dataclass

from relayd.app.core import Core
from relayd.app.reloading import Reloading
from relayd.webhooks.courier import Courier
from relayd.webhooks.delivery import HttpDelivery
from relayd.webhooks.guarded import guarded_session
from relayd.webhooks.hooks import Hooks


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """Both of them."""

    courier: Courier
    hooks: Hooks


async def build_telling(reloading: Reloading, core: Core, stack: AsyncExitStack) -> Telling:
    """Build them; nothing runs yet. New settings hold from the next connection on."""
    guarded = guarded_session(lambda: reloading.settings.webhooks.allow)
    session = await stack.enter_async_context(guarded)
    deliver = HttpDelivery(session, core.clock)
    courier = Courier(core.hooks, core.log, core.tournaments, core.clock, deliver, core.metrics)
    hooks = Hooks(
        store=core.hooks,
        workers=courier,
        deliver=deliver,
        tournaments=core.tournaments,
        clock=core.clock,
        allowed=lambda: reloading.settings.webhooks.allow,
        most=lambda: reloading.settings.webhooks.per_tournament,
    )
    return Telling(courier=courier, hooks=hooks)
