"""What the daemon's settings say of a duel server, for the doctor; secrets as far as they can be read."""

from collections.abc import Iterator
from pathlib import Path

from deckcheck.errors import SourceBroken
from deckcheck.sources import load_lists
from relayd.settings import DuelServer, Settings, SettingsError, secret
from relayd.settings.tree import Address
from srvpro_bridge.adminapi import Account
from srvpro_bridge.doctor import Wish


def wish_of(settings: Settings, server: DuelServer) -> Wish:
    """Return it. A secret that nobody may read is left out; ``unreadable`` names it."""
    password = _read(server.api_password_file)
    account = None if server.api_user is None or password is None else (server.api_user, password)
    return Wish(
        facts=server.facts,
        face_url=f"http://{_reached(settings.http)}/challonge/{server.id}",
        gateway_url=f"ws://{_reached(settings.gateway)}/plugin",
        port=server.port,
        api_url=server.api_url,
        account=None if account is None else Account(user=account[0], password=account[1]),
        challonge_key=_read(server.challonge_key_file),
        plugin_token=_read(server.plugin_token_file),
        capacity=server.capacity,
        list_hash=_list_hash(settings.environment.lflist_path),
    )


def unreadable(server: DuelServer) -> Iterator[str]:
    """Yield why secrets of *server* cannot be compared with what the duel server has."""
    for path in (server.api_password_file, server.challonge_key_file, server.plugin_token_file):
        try:
            if path is not None:
                secret(path)
        except SettingsError as error:
            yield from error.problems


def _read(path: Path | None) -> str | None:
    try:
        return None if path is None else secret(path)
    except SettingsError:
        return None


def _reached(address: Address) -> str:
    """Return where somebody on this machine reaches what listens at *address*."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address.host, address.host)  # noqa: S104  to know it
    return f"[{host}]:{address.port}" if ":" in host else f"{host}:{address.port}"


def _list_hash(path: Path | None) -> int | None:
    try:
        return None if path is None else load_lists(path)[0].hash
    except SourceBroken:
        return None
