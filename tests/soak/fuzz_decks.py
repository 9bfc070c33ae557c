"""Coverage-guided fuzzing of every reader of decks and lists (F17), with atheris.

``python -m tests.soak.fuzz_decks [SECONDS [READER [FOLDER]]]``: 600 seconds for each reader of tests.decks,
or for one; what it finds on its way is kept in FOLDER. Exit code 0 if nothing but DeckcheckError came out.
"""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

try:
    atheris: Any = import_module("atheris")  # it has no types, and is no part of a usual installation
except ImportError:
    sys.exit("fuzzing needs atheris: pip install atheris")

with atheris.instrument_imports(include=["deckcheck"]):
    from tests.decks import READERS, reads

CORPUS: Final = Path(__file__).parents[1] / "data" / "fuzz" / "decks"
_LONGEST: Final = 4096


def main(seconds: str = "600", reader: str = "", folder: str = "") -> None:
    """Fuzz one reader, or one after the other, each in a process of its own: atheris ends it."""
    if reader:
        _fuzz(seconds, reader, folder or mkdtemp(prefix="fuzz-"))
    for each in READERS:
        subprocess.run([sys.executable, "-m", "tests.soak.fuzz_decks", seconds, each], check=True)


def _fuzz(seconds: str, reader: str, found: str) -> None:
    bounds = [f"-max_total_time={seconds}", f"-max_len={_LONGEST}", "-timeout=10", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *bounds, found, str(CORPUS)], lambda data: reads(data, reader))
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
