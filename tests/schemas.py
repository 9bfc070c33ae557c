"""Schemathesis against the site: whatever the OpenAPI document lets a program say, and what it does not."""

import asyncio
import json
import re
import sys
from asyncio.subprocess import PIPE, STDOUT
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from relayd.admin.calls import METHODS
from relayd.app.pages import DispatcherCalls
from relayd.web.parts import Caller
from ruleset.ids import PlayerId, TournamentNo
from tests.house import House, deck
from tests.website import Website

CHECKS: Final = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_schema_conformance", "response_headers_conformance", "unsupported_method"),
    "allow_header_conformance",
)
PLAYERS: Final = 4
KNOWN: Final[dict[str, list[Any]]] = {
    "tournament": [1, 2],
    "player": [1, 2, "P000003"],
    "one": [1, 2],
    "other": [3, 4],
    "table": ["R1T1", "R1T2"],
    "hook": [1],
}
"""What is there, so that most calls get further than to "there is no such tournament"."""
ENDING: Final = frozenset({"tournament.cancel", "tournament.finish", "webhook.remove"})
LAST: Final = 3
"""The tournament to which they happen, so that the others go on."""


class AsOperator(DispatcherCalls):
    """Lets everybody do everything, so that every call reaches its handler."""

    async def __call__(self, caller: Caller, method: str, params: Any) -> object:
        """Do it as the operator."""
        return await super().__call__(replace(caller, role="operator", tournament=None), method, params)


def as_operator(house: House) -> AsOperator:
    """Return the methods with every right."""
    return AsOperator(house.dispatcher, METHODS)


async def evening(site: Website) -> str:
    """Begin a tournament of four beside two that wait, and return a token of their host."""
    readers = [site.reader() for _ in range(PLAYERS)]
    numbers = [await reader.sign_up(f"Nick-{n}") for n, reader in enumerate(readers, 1)]
    number: TournamentNo = await site.publish(organiser=PlayerId(1))
    for player, reader in zip(numbers, readers, strict=True):
        await reader.do(number, "entry.register", player=player)
        await reader.post(f"/e/{number}/deck", deck=deck())
    await readers[0].do(number, "entry.sign_in_all")
    await readers[0].do(number, "tournament.start", confirmed="true")
    for _ in range(LAST - 1):
        await site.publish(organiser=PlayerId(1))
    await site.house.hooks.add(number, "https://bot.example.org/", by="test")
    page = await readers[0].post("/me/tokens", label="schemathesis", scope="host")
    found = re.search(r'<span class="code">([\w-]{43})<', page)
    assert found is not None
    return found[1]


async def schemathesis(site: Website, folder: Path, token: str, *options: str) -> tuple[int, str]:
    """Let it loose and return its exit code and report; 0: nothing found."""
    document = json.loads(await site.reader().get("/api/openapi.json"))
    for path in document["paths"].values():
        for operation in path.values():
            _narrow(operation)
    file = folder / "openapi.json"
    file.write_text(json.dumps(document))
    program = Path(sys.executable).with_name("st")
    words = ("run", str(file), "--url", site.base, "-H", f"Authorization: Bearer {token}")
    how = ("--checks", ",".join(CHECKS), "--no-color", "--warnings", "off", *options)
    running = await asyncio.create_subprocess_exec(
        program, *words, *how, cwd=folder, stdout=PIPE, stderr=STDOUT
    )
    told, _ = await running.communicate()
    return running.returncode or 0, told.decode("utf-8", "replace")


def _narrow(operation: dict[str, Any]) -> None:
    """Let values that name something name what is there."""
    ends = operation["operationId"] in ENDING
    known = KNOWN | {"tournament": [LAST]} if ends else KNOWN
    for parameter in operation.get("parameters", ()):
        if parameter["name"] in known:
            parameter["schema"] = {"enum": known[parameter["name"]]}
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    for name in known.keys() & body.get("properties", {}).keys():
        body["properties"][name] = {"enum": known[name]}
