"""Looks at a duel server that runs: whether it lets relayd do what tournaments need (duel-server.md 1, 3)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from relayd.bridge.api import AdminApi, NoAnswer
from relayd.bridge.bridge import Bridge
from relayd.bridge.facade import Facade
from relayd.bridge.gateway.gateway import Gateway
from relayd.bridge.servers import DuelServer
from relayd.ports import Clock
from ruleset.ids import SECOND_MS, ServerId
from srvpro_bridge.adminapi import Stage, Verb
from srvpro_bridge.doctor import CONFIG, LISTS, PLUGIN_CONF, USERS, Finding, examine_told
from srvpro_bridge.protocol import ServerFacts

NOWHERE: Final = "relayd looks whether it may do this"
"""The name of a room that does not exist."""
GREETING: Final = "relayd is here"
"""Said to all rooms, when there are none."""
_PERMISSIONS: Final[tuple[tuple[Verb, str, str], ...]] = (
    ("deathcancel", "start_death", "death-three cannot be called"),
    ("kick", "kick_user", "rooms cannot be closed"),
    ("shout", "shout", "nothing can be announced"),
)
"""What to try, the permission that it needs, and what happens without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What came of it."""

    server: ServerId
    findings: tuple[Finding, ...]
    checked: tuple[str, ...]
    """What is as it should be."""
    unchecked: tuple[str, ...]
    """What could not be looked at now, and why."""


class _Notes:
    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.checked: list[str] = []
        self.unchecked: list[str] = []


class Examiner:
    """Asks everything that faces a duel server."""

    def __init__(self, bridge: Bridge, facade: Facade, gateway: Gateway, clock: Clock) -> None:
        self._bridge, self._facade, self._gateway, self._clock = bridge, facade, gateway, clock

    def servers(self) -> tuple[ServerId, ...]:
        """Return which there are."""
        return tuple(self._bridge.servers)

    async def __call__(self, server: ServerId) -> Examination:
        """Look at one of them; it says nothing to players and changes nothing."""
        known, notes = self._bridge.servers[server], _Notes()
        api = self._bridge.apis.get(server)
        if api is None:
            notes.unchecked.append("the admin API: relayd's settings have no api_url")
        else:
            await self._api(known, api, notes)
        if known.facts.link == "challonge":
            self._face(server, notes)
        if known.facts.link == "plugin":
            self._plugin(known, notes)
        return Examination(
            server=server,
            findings=tuple(notes.findings),
            checked=tuple(notes.checked),
            unchecked=tuple(notes.unchecked),
        )

    async def _api(self, server: DuelServer, api: AdminApi, notes: _Notes) -> None:
        try:
            rooms = await api.rooms()
        except NoAnswer as failure:
            notes.findings.append(_no_rooms(failure))
            return
        notes.checked.append(f"the rooms can be seen: {len(rooms)}")
        hidden = {"modules": {"http": {"show_info": all(room.stage is not Stage.STARTED for room in rooms)}}}
        notes.findings.extend(examine_told(hidden, server.facts))
        await self._permissions(api, notes, alone=not rooms)

    async def _permissions(self, api: AdminApi, notes: _Notes, *, alone: bool) -> None:
        for verb, permission, without in _PERMISSIONS:
            if verb == "shout" and not alone:
                notes.unchecked.append("permission shout: the rooms that are open would hear it")
                continue
            refusal = await _refusal(api, verb)
            if refusal is None:
                notes.checked.append(f"permission {permission}")
            elif refusal.outcome == "wrong_password":
                notes.findings.append(_wrong(USERS, f"the account's permissions lack {permission}", without))
            else:
                notes.unchecked.append(f"permission {permission}: {refusal.why}")

    def _face(self, server: ServerId, notes: _Notes) -> None:
        heard = self._facade.heard.get(server)
        if heard is None:
            why = "it asks when a player joins, and nobody has since relayd was started"
            notes.unchecked.append(f"the Challonge module: {why}")
        elif not heard.right_key:
            what = "modules.challonge.api_key is not that of challonge_key_file"
            notes.findings.append(_wrong(CONFIG, what, "srvpro is not let in"))
        else:
            ago = (self._clock.now() - heard.at) // SECOND_MS
            notes.checked.append(f"its Challonge module asked or told {ago} s ago, with the right key")

    def _plugin(self, server: DuelServer, notes: _Notes) -> None:
        hello = self._gateway.hello(server.id)
        if hello is None:
            why = "it leads nobody and tells nothing; it goes on trying, and srvpro's log says why not"
            what = "the plugin is not connected"
            notes.findings.append(_wrong(PLUGIN_CONF, what, why))
            return
        notes.checked.append(f"plugin {hello.plugin} is connected")
        notes.findings.extend(examine_told(_told(hello.facts), server.facts))
        notes.findings.extend(_lists(hello.facts, server))


async def _refusal(api: AdminApi, verb: Verb) -> NoAnswer | None:
    """Try it on a room that does not exist: srvpro looks for the permission first."""
    try:
        await api.order(verb, GREETING if verb == "shout" else NOWHERE)
    except NoAnswer as failure:
        return failure
    return None


def _no_rooms(failure: NoAnswer) -> Finding:
    without = "relayd sees no rooms and gives no orders"
    if failure.outcome == "wrong_password":
        what = "the account is refused: it is not there or not enabled, its password is another one, or its"
        return _wrong(USERS, f"{what} permissions lack get_rooms", without)
    what = f"the admin API does not answer as srvpro does: {failure.why}"
    return _wrong("", what, f"{without}: does srvpro run, and is api_url right?")


def _told(facts: ServerFacts) -> Mapping[str, object]:
    """Return what a plugin says of its server, as far as it goes, as srvpro's config.json has it."""
    return {
        "modules": {
            "challonge": {"enabled": facts.challonge},
            "http": {"quick_death_rule": facts.quick_death_rule},
            "reconnect": {"enabled": facts.reconnect_ms > 0, "wait_time": facts.reconnect_ms},
            "test_mode": {"no_connect_count_limit": not facts.connect_limit},
        }
    }


def _lists(told: ServerFacts, server: DuelServer) -> Iterator[Finding]:
    for key, place in server.facts.lists:
        if place > len(told.lists):
            what = f"there are {len(told.lists)} lists, and habits.lists of relayd puts {key} at {place}"
            yield _wrong(LISTS, what, f"rooms of {key} are checked by no list, or by another one")


def _wrong(file: str, what: str, why: str) -> Finding:
    return Finding(weight="wrong", file=file, what=what, why=why)
