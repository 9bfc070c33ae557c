"""The API keeps what its OpenAPI document promises (step 5, done when 4); the long form is in tests/soak."""

from pathlib import Path

from tests.schemas import as_operator, evening, schemathesis
from tests.website import website


async def test_no_server_error_and_no_undocumented_answer(tmp_path: Path) -> None:
    """Whatever a program says, right or wrong, it is told one of the documented answers, never a 5xx."""
    async with website(tmp_path, calls=as_operator) as site:
        options = ("--phases", "fuzzing", "--max-examples", "2", "--seed", "1", "--no-shrink")
        code, report = await schemathesis(site, tmp_path, await evening(site), *options)
    assert code == 0, report
    assert "Tested: " in report
