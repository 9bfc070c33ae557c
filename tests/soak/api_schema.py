"""Schemathesis for as long as it likes: ``python -m tests.soak.api_schema [EXAMPLES] [SEED]``."""

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.schemas import as_operator, evening, schemathesis
from tests.terminals import quiet
from tests.website import calls_of, website


async def look(examples: str, seed: str) -> int:
    """Try everything as the operator and then as a host; return how it ended."""
    worst = 0
    for calls in (as_operator, calls_of):
        with tempfile.TemporaryDirectory() as folder:
            async with website(Path(folder), calls=calls) as site:
                options = (
                    "--phases",
                    "examples,coverage,fuzzing",
                    "--max-examples",
                    examples,
                    "--seed",
                    seed,
                )
                code, report = await schemathesis(site, Path(folder), await evening(site), *options)
        sys.stdout.write(f"{calls.__name__}: {report}\n")
        sys.stdout.flush()
        worst = max(worst, code)
    return worst


if __name__ == "__main__":
    named = dict(enumerate(sys.argv[1:]))
    with quiet():
        sys.exit(asyncio.run(look(named.get(0, "200"), named.get(1, "1"))))
