"""The plugin in srvpro's folder: whether it is there, and knows where to connect."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from srvpro_bridge.doctor.findings import PLUGIN_CONF, PLUGIN_SCRIPT, Change, Finding, Weight, Wish

DEFAULT_URL: Final = "ws://127.0.0.1:8721/plugin"
"""Where the plugin connects when nobody says anything."""
_NOT_LET_IN: Final = "relayd does not let the plugin in"
_LINE: Final = re.compile(r"(\w+)\s*=\s*(.*)")
_COMMENT: Final = re.compile(r"(?:^|\s)#.*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginFiles:
    """What lies in srvpro's folder, or with the daemon; ``None``: nothing that can be read."""

    script: bytes | None
    conf: str | None
    token: str | None = None
    """What stands in the file that *conf* names."""


def read_conf(text: str) -> Mapping[str, str]:
    """Return the settings of a relayd.conf: ``key = value`` lines, ``#`` begins a comment."""
    lines = (_COMMENT.sub("", line).strip() for line in text.splitlines())
    found = (_LINE.fullmatch(line) for line in lines)
    return {match[1]: match[2] for match in found if match is not None}


def with_setting(text: str, key: str, value: str) -> str:
    """Return a relayd.conf where *key* is *value*: in its line, else in place of its comment, else behind."""
    lines = text.splitlines()
    for mark in (rf"{key}\s*=", rf"#\s*{key}\s*="):
        for place, line in enumerate(lines):
            if re.match(mark, line):
                lines[place] = f"{key} = {value}"
                return "\n".join(lines) + "\n"
    return "\n".join([*lines, f"{key} = {value}"]) + "\n"


def examine_plugin(files: PluginFiles, shipped: PluginFiles, wish: Wish) -> Iterator[Finding]:
    """Yield what is wrong; *shipped*: the plugin that belongs to this daemon."""
    mend = None if shipped.script is None else Change(path=(), value=shipped.script)
    if files.script is None:
        yield _found(PLUGIN_SCRIPT, "it is not there", "the duel server does not know of relayd", mend)
    elif files.script != shipped.script:
        what = "it is not the one that belongs to this relayd"
        yield _found(PLUGIN_SCRIPT, what, "it may lack what the daemon counts on", mend)
    if files.conf is None:
        yield _found(PLUGIN_CONF, "it is not there", "the plugin stays off", _set("server", wish.facts.id))
    yield from _settings(read_conf(files.conf or shipped.conf or ""), files, wish)


def _settings(conf: Mapping[str, str], files: PluginFiles, wish: Wish) -> Iterator[Finding]:
    if conf.get("server") != wish.facts.id:
        what = f"server is {conf.get('server') or 'not set'}, should be {wish.facts.id}"
        yield _found(PLUGIN_CONF, what, _NOT_LET_IN, _set("server", wish.facts.id))
    yield from _token(conf.get("token_file", ""), files.token, wish.plugin_token)
    url = conf.get("url", DEFAULT_URL)
    if not _leads_to(url, wish.gateway_url):
        what = f"url is {url}, should be {wish.gateway_url}"
        yield _found(PLUGIN_CONF, what, "the plugin does not reach relayd", _set("url", wish.gateway_url))
    if conf.get("lead") == "off":
        what, why = "lead is off", "players must type the name of their room"
        yield _found(PLUGIN_CONF, what, why, _set("lead", "on"), "unwise")
    if conf.get("death_rule", "2") != "2":
        what = f"death_rule is {conf['death_rule']}, should be 2"
        why = "death-three is not that of the rule sheet"
        yield _found(PLUGIN_CONF, what, why, _set("death_rule", "2"))


def _token(file: str, found: str | None, wanted: str | None) -> Iterator[Finding]:
    if not file:
        yield _found(PLUGIN_CONF, "token_file is not set", _NOT_LET_IN)
        return
    mend = None if wanted is None else Change(path=(), value=wanted, secret=True)
    if found is None:
        yield _found(file, "it is not there, or nobody may read it", _NOT_LET_IN, mend)
    elif wanted is not None and found.strip() != wanted:
        yield _found(file, "it is another token than that of plugin_token_file", _NOT_LET_IN, mend)


def _leads_to(url: str, gateway: str) -> bool:
    """Whether *url* may lead to our gateway: from another machine nobody can tell by which port."""
    found, wanted = urlsplit(url), urlsplit(gateway)
    if found.scheme not in {"ws", "wss"} or found.path != wanted.path:
        return False
    return found.hostname not in {"127.0.0.1", "::1", "localhost"} or found.port == wanted.port


def _set(key: str, value: str) -> Change:
    return Change(path=(key,), value=value)


def _found(file: str, what: str, why: str, change: Change | None = None, weight: Weight = "wrong") -> Finding:
    return Finding(weight=weight, file=file, what=what, why=why, change=change)
