"""The simulator as a process of its own."""

import asyncio
import json
import signal
import socket
import sys
from pathlib import Path

import aiohttp
import pytest
from click.testing import CliRunner

from srvpro_bridge.simulator.__main__ import AWAY, UNREADABLE, main

WORLD = {
    "server": {"accounts": [{"user": "d", "password": "p"}]},
    "scale": 1000,
    "seed": "s",
    "players": [
        {"name": name, "main": list(range(1, 41)), "password": "M#X1R1T1"} for name in ("Alice", "Bob")
    ],
}


async def test_it_says_where_it_is_and_ends_at_a_signal(tmp_path: Path) -> None:
    """``--config``: one line of JSON, players who come by themselves, exit 0 at SIGTERM."""
    config = tmp_path / "world.json"
    config.write_text(json.dumps(WORLD))
    arguments = ("-W", "error", "-m", "srvpro_bridge.simulator", "--config", str(config))
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    async with asyncio.timeout(60):
        url = json.loads(await process.stdout.readline())["url"]
        body = ""
        async with aiohttp.ClientSession() as session:
            while "Bob" not in body:
                async with session.get(f"{url}/api/getrooms?username=d&pass=p") as answer:
                    body = await answer.text()
        assert '"roomname":"M#X1R1T1"' in body
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0


@pytest.mark.parametrize(
    "text", ["", "{", '{"server":{},"what":1}', '{"server":{"prot":1}}', '{"server":{},"players":[{}]}']
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    """Decisions 11: unknown keys and broken JSON: one sentence, exit 3; a missing file, too."""
    config = tmp_path / "world.json"
    config.write_text(text)
    for path in (config, tmp_path / "missing.json"):
        result = CliRunner().invoke(main, ["--config", str(path)])
        assert result.exit_code == UNREADABLE
        assert f"{path} cannot be read: " in result.output


def test_a_port_in_use_is_said(tmp_path: Path) -> None:
    """Decisions 11: exit 4."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        config = tmp_path / "world.json"
        config.write_text(json.dumps({"server": {"port": taken.getsockname()[1]}}))
        result = CliRunner().invoke(main, ["--config", str(config)])
    assert result.exit_code == AWAY
    assert "cannot listen" in result.output
