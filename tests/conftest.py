"""Options of all tests."""

from collections.abc import Callable

import pytest
from hypothesis import settings


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--long``: fault tests run as long as `make soak` wants them to; ``--pictures``: see there."""
    parser.addoption("--long", action="store_true", help="run the long forms of the fault tests")
    parser.addoption("--pictures", metavar="FOLDER", help="keep the pictures that the browser tests take")


@pytest.fixture(scope="session")
def either(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """Chooses the first number, or with ``--long`` the second."""
    long = bool(request.config.getoption("--long"))
    return lambda short, many: many if long else short


def pytest_configure(config: pytest.Config) -> None:
    """Let property tests try the same cases each time, so that a change passes or fails by itself.

    With ``--long`` they look for new ones.
    """
    settings.register_profile("suite", derandomize=not config.getoption("--long"), deadline=None)
    settings.load_profile("suite")
