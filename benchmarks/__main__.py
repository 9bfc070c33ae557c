"""All benchmarks, one after the other: ``python -m benchmarks [--full] [NAME …]``, each by its name.

Short forms, a few minutes in all; ``--full`` measures what performance.md names.
"""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

SHORT: Final[Mapping[str, Sequence[str]]] = {
    "evening": ("--viewers", "1000", "--players", "64"),
    "fanout": ("--viewers", "1000", "--turns", "7"),
    "log": ("--turns", "1", "--seconds", "0.5"),
    "pairing": ("--sizes", "128", "512"),
    "replay": ("--sizes", "512"),
    "rounds": ("--sizes", "512"),
    "standings": ("--sizes", "512"),
}
"""Arguments of a short form, where the script's own defaults take longer."""
SCRIPTS: Final = sorted(
    path.stem
    for path in Path(__file__).parent.glob("[!_]*.py")
    if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
)


def main(words: Sequence[str]) -> None:
    """Run the named scripts, or all; exit code 1 if one failed or missed its goal."""
    full, names = "--full" in words, [word for word in words if word != "--full"]
    if unknown := set(names) - set(SCRIPTS):
        sys.stderr.write(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(SCRIPTS)}\n")
        sys.exit(2)
    failed = [name for name in names or SCRIPTS if not _passes(name, () if full else SHORT.get(name, ()))]
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


def _passes(name: str, arguments: Sequence[str]) -> bool:
    print(f"\n# {name}", flush=True)
    return (
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *arguments], check=False).returncode == 0
    )


if __name__ == "__main__":
    main(sys.argv[1:])
