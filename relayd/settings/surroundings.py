"""What the service manager and the environment tell the daemon, and where secrets lie."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CREDENTIAL: Final = "credential:"
"""A path that begins so names a systemd credential (``LoadCredential=``)."""
FOLDER_ID: Final = "secrets"
"""As what the unit passes on the files of a folder: each is ``secrets_<its name>`` (systemd.exec(5))."""
FOLDER: Final = Path("/etc/relayd/secrets")
"""That folder, where the unit is not at hand: for root, who checks the settings."""


class SettingsError(Exception):
    """The operator: the settings cannot be used. One line for each problem."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the service manager tells its children (sd_notify(3), systemd.exec(5))."""

    notify_socket: str | None
    watchdog_usec: int | None
    credentials: Path | None
    state: Path | None
    runtime: Path | None
    secrets: Path = FOLDER
    """Where a credential lies that nobody passed on."""
    sockets: tuple[str, ...] = ()
    """Names of the sockets that the manager holds for us, from descriptor 3 on (sd_listen_fds(3))."""


def surroundings(environ: Mapping[str, str] | None = None) -> Surroundings:
    """Read what the service manager has set; everything is ``None`` where there is none."""
    env = os.environ if environ is None else environ
    return Surroundings(
        notify_socket=env.get("NOTIFY_SOCKET"),
        watchdog_usec=int(usec) if (usec := env.get("WATCHDOG_USEC", "")).isdecimal() else None,
        credentials=_first_path(env.get("CREDENTIALS_DIRECTORY")),
        state=_first_path(env.get("STATE_DIRECTORY")),
        runtime=_first_path(env.get("RUNTIME_DIRECTORY")),
        sockets=_sockets(env),
    )


def default_data_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Return ``$STATE_DIRECTORY``, else ``$XDG_DATA_HOME/relayd``, else ``~/.local/share/relayd``."""
    env = os.environ if environ is None else environ
    share = Path(env.get("XDG_DATA_HOME") or Path(env.get("HOME") or "/var/lib") / ".local" / "share")
    return surroundings(env).state or share / "relayd"


def secret(path: Path, around: Surroundings | None = None) -> str:
    """Return what stands in a secret's file, without the newline at its end.

    Raises SettingsError where the file cannot be read or is empty.
    """
    source = place_of(path, around or surroundings())
    try:
        text = source.read_text(encoding="utf-8").removesuffix("\n").removesuffix("\r")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError([f"{path}: the secret cannot be read: {_why(error, source)}"]) from error
    if not text:
        raise SettingsError([f"{path}: the secret is empty; write it into that file"])
    return text


def place_of(path: Path, around: Surroundings) -> Path:
    """Return where a secret lies: a credential that was passed by its name, or as one of a folder's."""
    name = str(path).removeprefix(CREDENTIAL)
    if name == str(path):
        return path
    if around.credentials is None:
        return around.secrets / name
    alone = around.credentials / name
    return alone if alone.exists() else around.credentials / f"{FOLDER_ID}_{name}"


def _why(error: OSError | UnicodeDecodeError, source: Path) -> str:
    return f"{source}: {error.strerror}" if isinstance(error, OSError) else "it is not text"


def _sockets(env: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of inherited sockets, if they are meant for this process."""
    count = env.get("LISTEN_FDS", "")
    if env.get("LISTEN_PID") != str(os.getpid()) or not count.isdecimal():
        return ()
    names = env.get("LISTEN_FDNAMES", "").split(":")
    return tuple(names[index] if index < len(names) else "" for index in range(int(count)))


def _first_path(value: str | None) -> Path | None:
    return Path(value.split(":")[0]) if value else None
