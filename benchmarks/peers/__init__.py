"""Other people's programs, installed apart from ours and run on the same instances."""

import json
import resource
import signal
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any, Final

ADAPTERS: Final = Path(__file__).parent
HOME: Final = ADAPTERS.parents[1] / "build" / "peers"
PYTHON: Final = HOME / "venv" / "bin" / "python"
NODE: Final = HOME / "node"
PYPI: Final = (
    "swisspair==0.2.1",
    "cardarena-tournament-core==1.5.0",
    "caissify-pairings==0.5.0",
    "py4swiss==0.3.1",
    "networkx",
    "rustworkx",
)
NPM: Final = ("tournament-pairings@2.0.1", "tournament-organizer@4.1.1", "ygopro-deck-encode@1.0.16")
PATIENCE_S: Final = 60
"""Of the processor, as all times are: a machine that others use, too, makes nobody slower."""


def install() -> None:
    """Install what is not there yet; a peer that cannot be had is left out of the table."""
    if not PYTHON.exists():
        venv.create(HOME / "venv", with_pip=True)
        for package in PYPI:
            _run([PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package])
    if not all((NODE / "node_modules" / package.partition("@")[0]).exists() for package in NPM):
        NODE.mkdir(parents=True, exist_ok=True)
        _run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", NODE, *NPM])


def ask(what: str, peer: str, instance: object) -> dict[str, Any] | str:
    """Return a peer's answer, with its time in ``ms``, or in a word why there is none."""
    adapter = ADAPTERS / f"{what}.mjs"
    command = (
        ["node", adapter, peer, NODE]
        if peer.startswith("npm ")
        else [PYTHON, adapter.with_suffix(".py"), peer]
    )
    text = json.dumps(instance)
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, check=True, preexec_fn=_impatient
        )
    except (subprocess.CalledProcessError, OSError) as error:
        if getattr(error, "returncode", 0) == -signal.SIGXCPU:
            return f"> {PATIENCE_S} s"
        return (getattr(error, "stderr", "") or str(error)).strip().splitlines()[-1][:40]
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def _impatient() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE_S, PATIENCE_S + 1))


def _run(command: list[Any]) -> None:
    if subprocess.run(command, check=False).returncode:
        print(f"not installed: {command[-1]}", file=sys.stderr)
