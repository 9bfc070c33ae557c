"""The parts of the daemon that take up new settings while they run, each in its own way."""

from relayd.admin.peers import LocalUsers, Tokens, read_tokens
from relayd.admin.unixsocket import AdminSocket
from relayd.admin.websocket import AdminWebSocket
from relayd.app.parties import Parties, duel_servers
from relayd.app.reloading import Apply, Ready
from relayd.environments import Environments
from relayd.observe.health import Health
from relayd.observe.logging import Level, LevelName
from relayd.settings import Settings


def take_up_level(level: Level, present: LevelName) -> Ready:
    """Take up ``log.level``, *present* now: a level that was set by hand stays until the setting changes."""
    last = present

    def ready(new: Settings) -> Apply:
        def apply() -> None:
            nonlocal last
            if new.log.level != last:
                level.set(new.log.level)
            last = new.log.level

        return apply

    return ready


def take_up_roles(users: LocalUsers, admin: AdminSocket) -> Ready:
    """Take up ``admin_socket.role``."""

    def ready(new: Settings) -> Apply:
        def apply() -> None:
            users.use(new.admin_socket.role)
            admin.review()

        return apply

    return ready


def take_up_tokens(tokens: Tokens, websocket: AdminWebSocket) -> Ready:
    """Take up ``admin_token``, and the tokens in their files."""

    def ready(new: Settings) -> Apply:
        read = read_tokens(new.admin_token)

        def apply() -> None:
            tokens.use(read)
            websocket.review()

        return apply

    return ready


def take_up_environments(environments: Environments) -> Ready:
    """Take up ``environment``, for tournaments that are published from then on."""
    return lambda new: lambda: environments.use(new.environment)


def take_up_networks(health: Health) -> Ready:
    """Take up ``metrics.allow``."""
    return lambda new: lambda: health.admit(new.metrics.allow)


def take_up_servers(parties: Parties) -> Ready:
    """Take up ``duel_server``, and the secrets in their files."""

    def ready(new: Settings) -> Apply:
        servers = duel_servers(new)
        return lambda: parties.use(servers)

    return ready
