"""What a correct file still has wrong: what it points at, and what does not go together."""

import grp
import os
import pwd
import stat
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Final

from deckcheck.environments import KEYS
from deckcheck.errors import SourceBroken
from deckcheck.sources import load_cards, load_lists, load_own
from relayd.settings.surroundings import SettingsError, place_of, secret, surroundings
from relayd.settings.tree import DuelServer, Settings

_OTHERS_READ: Final = stat.S_IROTH


def problems(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each; the daemon would meet most of them at its start, the others too late."""
    yield from _secrets(settings)
    yield from _twice(settings)
    yield from _cards(settings)
    yield from _roles(settings)
    yield from _addresses(settings)
    for server in settings.duel_server:
        yield from _habits(settings, server)


def _secrets(settings: Settings) -> Iterator[str]:
    for path in dict.fromkeys(path for _, path in _secret_files(settings)):
        try:
            secret(path)
        except SettingsError as error:
            yield from error.problems
        else:
            if place_of(path, surroundings()).stat().st_mode & _OTHERS_READ:
                yield f"{path}: everybody on this machine may read the secret: chmod 640 or 600"


def _twice(settings: Settings) -> Iterator[str]:
    """Yield tokens that do not tell apart who shows them."""
    names: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name, path in _secret_files(settings):
        kind = name.rpartition(".")[2]
        if kind in {"token_file", "plugin_token_file"} and (shown := _read(path)):
            names[kind, shown].append(name)
    for same in names.values():
        if len(same) > 1:
            yield f"{' and '.join(same)}: the same token, so nobody can tell whose it is"


def _cards(settings: Settings) -> Iterator[str]:
    environment = settings.environment
    list_path, strings = environment.lflist_path, environment.strings_path
    if list_path is not None:
        yield from _broken("environment.lflist_path", lambda: load_lists(list_path))
        if not environment.cdb_paths:
            yield "environment: with lflist_path name the cards, too: cdb_paths"
    if environment.cdb_paths:
        yield from _broken("environment.cdb_paths", lambda: load_cards(environment.cdb_paths))
    if strings is not None and not os.access(strings, os.R_OK):
        yield f"environment.strings_path: {strings}: cannot be read"
    for own in environment.own:
        yield from _broken(f"environment.own.{own.key}", partial(load_own, own.file, ()))


def _broken(where: str, load: Callable[[], object]) -> Iterator[str]:
    try:
        load()
    except SourceBroken as error:
        yield f"{where}: {error.message}"


def _roles(settings: Settings) -> Iterator[str]:
    for place, role in enumerate(settings.admin_socket.role):
        where = f"admin_socket.role.{place}"
        if role.user is not None and not _known(pwd.getpwnam, role.user):
            yield f"{where}: there is no user {role.user} on this machine"
        if role.group is not None and not _known(grp.getgrnam, role.group):
            yield f"{where}: there is no group {role.group} on this machine"


def _known(find: Callable[[str], object], name: str) -> bool:
    try:
        find(name)
    except KeyError:
        return False
    return True


def _addresses(settings: Settings) -> Iterator[str]:
    if settings.http == settings.gateway and settings.http.port != 0:
        yield f"http and gateway: both want port {settings.http.port}"


def _habits(settings: Settings, server: DuelServer) -> Iterator[str]:
    known = [*KEYS, *(own.key for own in settings.environment.own)]
    where = f"duel_server.{server.id}.habits"
    named = {"default_environment": (server.habits.default_environment,), "lists": tuple(server.habits.lists)}
    for setting, keys in named.items():
        for key in keys:
            if key and key not in known:
                yield f"{where}.{setting}: there is no environment {key}{_hint(key, known)}"


def _hint(key: str, known: Iterable[str]) -> str:
    near = get_close_matches(key, known, n=1)
    return f"; did you mean {near[0]}?" if near else f"; known are {', '.join(known)}"


def _secret_files(settings: Settings) -> Iterator[tuple[str, Path]]:
    """Yield every setting that names a secret's file, with that file."""
    for token in settings.admin_token:
        yield f"admin_token.{token.name}.token_file", token.token_file
    for server in settings.duel_server:
        for name in ("api_password_file", "plugin_token_file", "challonge_key_file"):
            if (path := getattr(server, name)) is not None:
                yield f"duel_server.{server.id}.{name}", path
    if settings.web.mail is not None and settings.web.mail.password_file is not None:
        yield "web.mail.password_file", settings.web.mail.password_file


def _read(path: Path) -> str | None:
    try:
        return secret(path)
    except SettingsError:
        return None
