"""What faces the world: duel servers, effects, time, repair."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from aiohttp import ClientSession

from relayd.alarm import Alarm, Helpers
from relayd.app.core import Core
from relayd.bridge.bridge import Bridge
from relayd.bridge.examining import Examiner
from relayd.bridge.facade import Facade
from relayd.bridge.gateway.gateway import Gateway
from relayd.bridge.gateway.questions import Questions
from relayd.bridge.gateway.records import Records
from relayd.bridge.inside import Inside
from relayd.bridge.intake import Intake
from relayd.bridge.servers import DuelServer, Pace
from relayd.bridge.shouts import Shouts
from relayd.bridge.tables import RunningTables
from relayd.outbound.cursor import Cursor
from relayd.outbound.rating import PresentDp, RatingEffects
from relayd.settings import DuelServer as ServerSettings
from relayd.settings import Settings, secret
from relayd.starting import Starting
from relayd.sweeps import Overdue, SettledElsewhere, Sweep, Sweeps
from ruleset.ids import TournamentNo
from ruleset.tournament.commands import Tick
from srvpro_bridge.adminapi import Account


@dataclass(frozen=True, slots=True, kw_only=True)
class Parties:
    """What faces the world: duel servers, effects, time."""

    inside: Inside
    intake: Intake
    bridge: Bridge
    facade: Facade
    gateway: Gateway
    examiner: Examiner
    starting: Starting
    rating: Cursor
    shouts: Cursor
    alarm: Alarm
    sweeps: Sweeps

    def use(self, servers: Sequence[DuelServer]) -> None:
        """Let these be the duel servers from now on."""
        self.bridge.use(servers)
        self.facade.use(servers)
        self.gateway.use(servers)


async def build_parties(settings: Settings, core: Core, stack: AsyncExitStack) -> Parties:
    """Build them; nothing runs yet. Raises SettingsError for secrets that cannot be read."""
    servers = duel_servers(settings)
    tables = RunningTables(core.tournaments)
    inside = Inside(tournaments=core.tournaments, tables=tables, clock=core.clock, metrics=core.metrics)
    http = await stack.enter_async_context(ClientSession())
    bridge, intake = Bridge(servers, http, inside), Intake(inside)
    rating = Cursor(
        RatingEffects(core.ledger, core.log, core.metrics), core.log, core.tournaments, core.metrics
    )
    shouts = Cursor(Shouts(bridge.voice, core.cursors, inside), core.log, core.tournaments, core.metrics)
    starting = Starting(
        core.tournaments, core.directory, PresentDp(core.ledger, rating), bridge.free, core.clock
    )
    alarm = Alarm(
        core.tournaments,
        core.clock,
        Helpers(
            start=starting.start_due,
            last_look=bridge.last_look,
            free=bridge.free,
            late=core.metrics.deadline_lateness.observe,
        ),
    )
    facade = Facade(servers, inside, intake)
    records = Records(inside, intake, core.cursors)
    questions = Questions(inside, core.environments)
    gateway = Gateway(servers, bridge.plugins, inside, records, questions)
    return Parties(
        inside=inside,
        intake=intake,
        bridge=bridge,
        facade=facade,
        gateway=gateway,
        examiner=Examiner(bridge, facade, gateway, core.clock),
        starting=starting,
        rating=rating,
        shouts=shouts,
        alarm=alarm,
        sweeps=_sweeps(core, alarm, starting, rating, bridge),
    )


def duel_servers(settings: Settings) -> list[DuelServer]:
    """Return the duel servers as the bridge wants them. Raises SettingsError for unreadable secrets."""
    return [_duel_server(server) for server in settings.duel_server]


def _duel_server(server: ServerSettings) -> DuelServer:
    user, password, key = server.api_user, server.api_password_file, server.challonge_key_file
    token = server.plugin_token_file if server.link == "plugin" else None
    account = None if user is None or password is None else Account(user=user, password=secret(password))
    poll = server.poll
    return DuelServer(
        facts=server.facts,
        api_url=server.api_url,
        account=account,
        challonge_key=None if key is None else secret(key),
        plugin_token=None if token is None else secret(token),
        capacity=server.capacity,
        pace=Pace(running_ms=poll.running_ms, idle_ms=poll.idle_ms, timeout_ms=poll.timeout_ms),
    )


def _sweeps(core: Core, alarm: Alarm, starting: Starting, rating: Cursor, bridge: Bridge) -> Sweeps:
    async def wake(number: TournamentNo) -> None:
        await starting.start_due(number)
        tick = Tick(held=alarm.held, free=bridge.free(), now=core.clock.now())
        await core.tournaments.handle(number, tick, by="system")

    sweeps = (
        Sweep(name="overdue", repair=Overdue(core.tournaments, core.clock, wake)),
        Sweep(name="directory", repair=starting.tidy),
        Sweep(name="rating", repair=rating.catch_up),
        Sweep(name="parked", repair=SettledElsewhere(core.tournaments)),
    )
    return Sweeps(sweeps, core.metrics)
