"""The plugin in srvpro's folder: whether it is there, and knows where to connect."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from srvpro_bridge.doctor.findings import PLUGIN_CONF, PLUGIN_SCRIPT, Finding, Weight, Wish

DEFAULT_URL: Final = "ws://127.0.0.1:8721/plugin"
"""Where the plugin connects when nobody says anything."""
_LINE: Final = re.compile(r"(\w+)\s*=\s*(.*)")
_COMMENT: Final = re.compile(r"(?:^|\s)#.*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginFiles:
    """What lies there; ``None``: nothing that can be read."""

    script: bytes | None
    conf: str | None
    token: str | None
    """What stands in the file that *conf* names."""


def read_conf(text: str) -> Mapping[str, str]:
    """Return the settings of a relayd.conf: ``key = value`` lines, ``#`` begins a comment."""
    lines = (_COMMENT.sub("", line).strip() for line in text.splitlines())
    found = (_LINE.fullmatch(line) for line in lines)
    return {match[1]: match[2] for match in found if match is not None}


def examine_plugin(files: PluginFiles, shipped: bytes, wish: Wish) -> Iterator[Finding]:
    """Yield what is wrong; *shipped*: the plugin that belongs to this daemon."""
    if files.script is None:
        yield _found(PLUGIN_SCRIPT, "it is not there", "the duel server does not know of relayd")
    elif files.script != shipped:
        text = "it is not the one that belongs to this relayd"
        yield _found(PLUGIN_SCRIPT, text, "an older plugin may lack what the daemon counts on", "unwise")
    if files.conf is None:
        yield _found(PLUGIN_CONF, "it is not there", "the plugin stays off")
    else:
        yield from _settings(read_conf(files.conf), files, wish)


def _settings(conf: Mapping[str, str], files: PluginFiles, wish: Wish) -> Iterator[Finding]:
    if conf.get("server") != wish.facts.id:
        text = f"server is {conf.get('server') or 'not set'}, should be {wish.facts.id}"
        yield _found(PLUGIN_CONF, text, "relayd does not let the plugin in")
    if not conf.get("token_file"):
        yield _found(PLUGIN_CONF, "token_file is not set", "relayd does not let the plugin in")
    elif files.token is None:
        text = f"token_file = {conf['token_file']} cannot be read"
        yield _found(PLUGIN_CONF, text, "relayd does not let the plugin in")
    elif wish.plugin_token is not None and files.token.strip() != wish.plugin_token:
        text = f"{conf['token_file']} has another token than plugin_token_file of relayd"
        yield _found(PLUGIN_CONF, text, "relayd does not let the plugin in")
    url = conf.get("url", DEFAULT_URL)
    if not _leads_to(url, wish.gateway_url):
        text = f"url is {url}, should be {wish.gateway_url}"
        yield _found(PLUGIN_CONF, text, "the plugin does not reach relayd")
    if conf.get("lead") == "off":
        yield _found(PLUGIN_CONF, "lead is off", "players must type the name of their room", "unwise")
    if conf.get("death_rule", "2") != "2":
        text = f"death_rule is {conf['death_rule']}, should be 2"
        yield _found(PLUGIN_CONF, text, "death-three is not that of the rule sheet")


def _leads_to(url: str, gateway: str) -> bool:
    """Whether *url* may lead to our gateway: from another machine nobody can tell by which port."""
    found, wanted = urlsplit(url), urlsplit(gateway)
    if found.scheme not in {"ws", "wss"} or found.path != wanted.path:
        return False
    return found.hostname not in {"127.0.0.1", "::1", "localhost"} or found.port == wanted.port


def _found(file: str, what: str, why: str, weight: Weight = "wrong") -> Finding:
    return Finding(weight=weight, file=file, what=what, why=why)
