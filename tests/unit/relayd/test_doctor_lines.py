"""Where in a JSON file a value stands."""

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from relayd.cli.doctor.lines import line_of

names = st.text(st.characters(codec="utf-8"), max_size=5)
leaves = st.none() | st.booleans() | st.integers() | names
trees = st.dictionaries(
    names,
    st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner), max_leaves=12
    ),
)


def places(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of every key that is not inside of a list."""
    for key, value in tree.items() if isinstance(tree, dict) else ():
        yield (*path, key)
        yield from places(value, (*path, key))


@given(trees)
def test_every_key_is_found_in_its_line(tree: dict[str, Any]) -> None:
    """Law: with a key on each line, the line of a path begins with its last key."""
    text = json.dumps(tree, indent=1, ensure_ascii=False)
    lines = text.split("\n")
    for path in places(tree):
        found = line_of(text, path)
        assert found is not None
        assert lines[found - 1].strip().startswith(f"{json.dumps(path[-1], ensure_ascii=False)}:")
    assert line_of(text, ["\ufffe", "not there"]) is None


def test_lines_of_a_file_that_a_person_wrote() -> None:
    """Colons, braces and escapes in texts are texts; objects in lists are not on the way."""
    text = '{"a": "x: {y}",\n "b": {"c\\"d": [1,\n {"e": 2}], "f":\n 3}}'
    assert [line_of(text, path.split("/")) for path in ("a", "b", "b/f", "e")] == [1, 2, 3, None]
    assert line_of(text, ["b", 'c"d']) == 2
    assert line_of("", ["a"]) is None
