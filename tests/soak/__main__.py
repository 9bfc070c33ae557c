"""All long runs, one after the other: ``python -m tests.soak [NAME …]``, a name being that of a script."""

import subprocess
import sys
from pathlib import Path

SCRIPTS = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))


def main(names: list[str]) -> None:
    """Run the named scripts, or all; exit code 1 if one found something."""
    if unknown := set(names) - set(SCRIPTS):
        sys.exit(f"no such script: {', '.join(sorted(unknown))}; there are {', '.join(SCRIPTS)}")
    failed = [name for name in names or SCRIPTS if not _passes(name)]
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


def _passes(name: str) -> bool:
    return subprocess.run([sys.executable, "-m", f"tests.soak.{name}"], check=False).returncode == 0


if __name__ == "__main__":
    main(sys.argv[1:])
