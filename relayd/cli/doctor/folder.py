"""The folder of a srvpro: what the doctor reads there, and what he writes back."""

import json
import os
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files as resources
from pathlib import Path
from typing import Any, Final

from relayd.cli.doctor.lines import line_of
from srvpro_bridge.doctor import (
    CONFIG,
    LISTS,
    PLUGIN_CONF,
    PLUGIN_SCRIPT,
    USERS,
    Change,
    Finding,
    PluginFiles,
    Wish,
    at,
    examine_config,
    examine_decks,
    examine_lists,
    examine_plugin,
    examine_users,
    overlaid,
    read_conf,
    with_setting,
    with_value,
)

BEFORE: Final = ".before-relayd"
"""Ending of the first version of a file that was changed."""
_CONFIG_SHIPPED: Final = "data/default_config.json"
_USERS_SHIPPED: Final = "data/default_data.json"
_MODE: Final = 0o644
_SECRET_MODE: Final = 0o600


class Unusable(Exception):
    """The operator: that is no folder of srvpro, or a file in it cannot be read."""


class Folder:
    """A srvpro that is installed there."""

    def __init__(self, path: Path) -> None:
        """Raises Unusable."""
        self.path: Final = path
        if not (path / _CONFIG_SHIPPED).is_file() and not (path / CONFIG).is_file():
            raise Unusable(f"{path}: there is no srvpro: neither {_CONFIG_SHIPPED} nor {CONFIG}")

    def examine(self, wish: Wish) -> Iterator[Finding]:
        """Yield what is not as *wish* needs it. Raises Unusable."""
        config = self._config()
        yield from examine_config(config, wish)
        yield from examine_users(self._users(), wish)
        lists = self._bytes(LISTS)
        if lists is not None:
            yield from examine_lists(lists, wish)
        yield from examine_decks(self._decks(config), config)
        if wish.facts.link == "plugin":
            yield from examine_plugin(self._plugin(), shipped_plugin(), wish)

    def line(self, finding: Finding) -> int | None:
        """Return the line of the setting that a finding is about; ``None``: it stands in none."""
        if finding.change is None or finding.file not in {CONFIG, USERS}:
            return None
        return line_of(self._text(finding.file) or "", finding.change.path)

    def mend(self, findings: Iterable[Finding]) -> None:
        """Write what *findings* want; the first version of each file stays beside it. Raises Unusable."""
        changes: defaultdict[str, list[Change]] = defaultdict(list)
        for finding in findings:
            if finding.change is not None:
                changes[finding.file].append(finding.change)
        for file, wanted in changes.items():
            try:
                self._write(file, wanted)
            except OSError as error:
                raise Unusable(f"{self.path / file}: cannot be written: {error.strerror}") from error

    def _write(self, file: str, changes: Sequence[Change]) -> None:
        whole = next((change for change in changes if not change.path), None)
        if whole is not None:
            content = whole.value if isinstance(whole.value, bytes) else f"{whole.value}\n".encode()
            self._put(file, content, _SECRET_MODE if whole.secret else _MODE)
        elif file == PLUGIN_CONF:
            text = self._text(file) or shipped_plugin().conf or ""
            for change in changes:
                text = with_setting(text, change.path[0], str(change.value))
            self._put(file, text.encode())
        else:
            own = self._own(file) if (self.path / file).is_file() else self._shipped(file)
            for change in changes:
                own = with_value(own, change.path, change.value)
            self._put(file, f"{json.dumps(own, indent=2, ensure_ascii=False)}\n".encode())

    def _put(self, file: str, content: bytes, mode: int = _MODE) -> None:
        """Write in place, so that owner and rights stay; a new file belongs to whom the folder belongs."""
        path = self.path / file
        before = path.with_name(path.name + BEFORE)
        if path.is_file() and not before.exists():
            shutil.copy2(path, before)
            self._own_like_the_folder(before)
        new = not path.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as out:
            out.write(content)
        if new:
            self._own_like_the_folder(path)

    def _own_like_the_folder(self, path: Path) -> None:
        if os.geteuid() == 0:
            owner = self.path.stat()
            os.chown(path, owner.st_uid, owner.st_gid)

    def _config(self) -> dict[str, Any]:
        return overlaid(self._shipped(CONFIG), self._own(CONFIG))

    def _users(self) -> Mapping[str, Any]:
        return self._own(USERS) if (self.path / USERS).is_file() else self._shipped(USERS)

    def _own(self, file: str) -> dict[str, Any]:
        return _object(self.path / file, self._text(file))

    def _shipped(self, file: str) -> dict[str, Any]:
        """Return what holds where the operator's own file says nothing."""
        if file == CONFIG:
            return self._own(_CONFIG_SHIPPED)
        users = at(self._own(_USERS_SHIPPED), ("users",))
        return dict(users) if isinstance(users, Mapping) else {}

    def _decks(self, config: Mapping[str, Any]) -> list[str]:
        folder = at(config, ("modules", "tournament_mode", "deck_path"))
        path = self.path / (folder if isinstance(folder, str) else "decks")
        return sorted(deck.name for deck in path.iterdir()) if path.is_dir() else []

    def _plugin(self) -> PluginFiles:
        conf = self._text(PLUGIN_CONF)
        token = read_conf(conf or shipped_plugin().conf or "").get("token_file", "")
        found = self._text(token) if token else None
        return PluginFiles(script=self._bytes(PLUGIN_SCRIPT), conf=conf, token=found)

    def _text(self, file: str) -> str | None:
        data = self._bytes(file)
        try:
            return None if data is None else data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Unusable(f"{self.path / file}: it is not text: {error.reason}") from error

    def _bytes(self, file: str) -> bytes | None:
        try:
            return (self.path / file).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Unusable(f"{self.path / file}: cannot be read: {error.strerror}") from error


def shipped_plugin() -> PluginFiles:
    """Return the plugin that belongs to this daemon."""
    folder = resources("srvpro_bridge") / "plugin" / "srvpro"
    conf = (folder / "relayd.conf").read_text(encoding="utf-8")
    return PluginFiles(script=(folder / "relayd.js").read_bytes(), conf=conf)


def _object(path: Path, text: str | None) -> dict[str, Any]:
    try:
        found = json.loads(text) if text is not None else {}
    except (ValueError, RecursionError) as error:
        raise Unusable(f"{path}: is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise Unusable(f"{path}: is no JSON object")
    return found
