"""relayctl when its user has no patience."""

import asyncio
import signal
import sys
from pathlib import Path

from relayd.exits import Exit


async def test_who_does_not_wait_hears_how_to_ask_again(tmp_path: Path) -> None:
    """House 4: Ctrl-C takes nothing back; what was sent may be done, the same again is done once."""
    asked = asyncio.Event()

    async def ponder(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        asked.set()
        await reader.read()
        writer.close()

    async with await asyncio.start_unix_server(ponder, tmp_path / "a.sock"):
        words = ("--socket", str(tmp_path / "a.sock"), "--command-id", "c1", "clock", "pause", "1")
        program = str(Path(sys.executable).parent / "relayctl")
        process = await asyncio.create_subprocess_exec(program, *words, stderr=asyncio.subprocess.PIPE)
        await asked.wait()
        process.send_signal(signal.SIGINT)
        _, said = await process.communicate()
    assert process.returncode == Exit.AWAY
    assert said.decode().splitlines() == [
        "relayctl: you did not wait for the answer",
        "the outcome is not known: run it again with --command-id c1",
    ]
