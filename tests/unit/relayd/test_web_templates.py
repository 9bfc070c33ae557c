"""Templates hold no words: whatever a reader sees comes from the catalogue (issue 6, done when 2)."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import relayd.web

TEMPLATES = sorted((Path(relayd.web.__file__).parent / "templates").glob("*.html"))
NAMES = frozenset(
    {
        *("API", "OpenAPI", "SHA", "QR", "URL", "Webhook", "CSV", "XLSX", "JSON", "TRF", "XML", "KTS", "ydk"),
        *("A", "B", "R", "BO", "DP", "LP", "H", "vs"),
    }
)
"""What is called the same in all languages."""
_CODE = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_SEEN = re.compile(r'\b(?:title|alt|placeholder|aria-label|aria-description)="([^"]*)"')
_UNSEEN = re.compile(r'[\w-]+="[^"]*"|"|&\w+;|-help')
_EXAMPLE = re.compile(r"\w+://\S*|P\d{6}|X\d+R\d+T\d+")


def words_in(source: str) -> Iterator[str]:
    """Yield the words of a template that no expression makes."""
    plain = _CODE.sub("\x00", source)
    texts = [_UNSEEN.sub(" ", _EXAMPLE.sub(" ", text)) for text in re.split(r"<[^>]*>", plain)]
    for text in [*texts, *(_EXAMPLE.sub(" ", seen) for seen in _SEEN.findall(plain))]:
        yield from re.findall(r"[^\W\d_]+", text)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_words_stand_in_a_template(path: Path) -> None:
    """Every text can be read in zh-CN, ja and en; only names and examples are the same everywhere."""
    assert set(words_in(path.read_text("utf-8"))) <= NAMES


def test_words_are_found_where_they_stand() -> None:
    """The test above can fail: text, titles and labels are looked at, code and addresses are not."""
    source = (
        '<p title="Hello">你好 {{ t("x") }}</p><input aria-label="Name" placeholder="ydke://a" class="b">'
    )
    assert list(words_in(source)) == ["你好", "Hello", "Name"]
