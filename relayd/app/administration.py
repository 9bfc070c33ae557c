"""Administration: what hosts, judges and operators call, over whatever transport."""

import secrets
from dataclasses import dataclass

from relayd.admin.buckets import Buckets
from relayd.admin.calls import METHODS
from relayd.admin.dispatcher import Dispatcher
from relayd.admin.parts import Hooks, Parts
from relayd.admin.peers import Tokens
from relayd.admin.roles import Role
from relayd.app.core import Core
from relayd.app.parties import Parties
from relayd.app.reloading import Reloading
from relayd.app.uptake import take_up_environments
from relayd.live.hub import Hub
from relayd.observe.logging import Level
from relayd.public import public_entry, public_gap, public_view
from relayd.publishing import Publishing
from relayd.submitting import Submitting
from ruleset.ids import PlayerId, TournamentNo

CALLS_A_SECOND = 50.0
CALLS_AT_ONCE = 200.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Administration:
    """The desk of methods, and those who may come with a token."""

    parts: Parts
    dispatcher: Dispatcher
    tokens: Tokens

    def host_of(self, token: str, number: TournamentNo) -> str | None:
        """Return who holds *token*, if he may host that tournament."""
        peer = self.tokens.peer(token)
        return peer.name if peer is not None and peer.role_in(number) >= Role.COHOST else None


def administration(
    reloading: Reloading, core: Core, parties: Parties, hooks: Hooks, level: Level
) -> Administration:
    """Build it. Raises SettingsError for tokens that cannot be read."""
    settings = reloading.settings
    environments = core.environments
    reloading.add(take_up_environments(environments))
    hub = Hub(public_entry, public_view(core.clock), public_gap, core.metrics)
    core.desks.subscribe(hub.hear)
    parts = Parts(
        tournaments=core.tournaments,
        players=core.directory,
        roster=lambda: ((PlayerId(n), p.nickname) for n, p in enumerate(core.directory.state.players, 1)),
        starter=parties.starting,
        sights=parties.bridge,
        clock=core.clock,
        publishing=Publishing(
            daemon=lambda: reloading.settings,
            environments=environments,
            tournaments=core.tournaments,
            players=core.directory,
            clock=core.clock,
            draw_seed=lambda: settings.fixed_seed or secrets.token_hex(32),
        ),
        submitting=Submitting(environments=environments, tournaments=core.tournaments),
        feed=hub,
        level=level,
        reload=reloading.reload,
        examine=parties.examiner,
        hooks=hooks,
        drop_avatar=core.accounts.drop_avatar,
        oddities=parties.bridge.oddities,
        strays=lambda: tuple(parties.intake.strays),
    )
    buckets = Buckets(CALLS_A_SECOND, CALLS_AT_ONCE)
    return Administration(
        parts=parts,
        dispatcher=Dispatcher(METHODS, parts, core.metrics, buckets),
        tokens=Tokens.of(settings.admin_token),
    )
