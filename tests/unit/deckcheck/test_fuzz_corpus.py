"""The short form of fuzzing: what it starts from, and whatever it once found (F17)."""

from pathlib import Path

import pytest

from tests.decks import READERS, reads

CORPUS = Path(__file__).parents[2] / "data" / "fuzz" / "decks"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_every_reader_survives_every_file(path: Path, reader: str) -> None:
    """F17, issue 5 done-when 5: nothing but this package's errors, wherever a file is cut."""
    data = path.read_bytes()
    for cut in range(len(data) + 1):
        reads(data[:cut], reader)
        reads(data[cut:], reader)
