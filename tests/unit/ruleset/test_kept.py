"""What follows from parts that never change."""

from threading import Thread

from ruleset.kept import Kept


def test_what_was_found_is_found_once() -> None:
    """performance.md 2: of the very same parts nothing is computed again, also where nothing came of them."""
    asked = list[tuple[list[int], ...]]()

    def find(*parts: list[int]) -> int:
        asked.append(parts)
        return sum(map(len, parts))

    kept, one, other = Kept[list[int], int](find, most=3), [1], [2, 3]
    assert [kept(one, other), kept(one, other), kept(), kept(), kept(other)] == [3, 3, 0, 0, 2]
    assert asked == [(one, other), (), (other,)]


def test_equal_parts_are_not_the_same_part() -> None:
    """A part is known by what it is, so nothing is read of it to tell."""
    asked = list[str]()
    kept = Kept[list[str], None](lambda part: asked.append(part[0]), most=2)
    for part in (["a"], ["a"]):
        kept(part)
    assert asked == ["a", "a"]


def test_what_was_not_asked_for_longest_goes() -> None:
    """No more is held than was said."""
    asked = list[str]()
    kept = Kept[list[str], None](lambda part: asked.append(part[0]), most=2)
    a, b, c = ["a"], ["b"], ["c"]
    for part in (a, b, a, c, a, b):
        kept(part)
    assert asked == ["a", "b", "c", "b"]


def test_a_thread_keeps_for_itself() -> None:
    """Whoever counts beside the loop disturbs nobody: what another thread has found it finds again."""
    asked, part = list[str](), ["a"]
    kept = Kept[list[str], None](lambda part: asked.append(part[0]), most=2)
    kept(part)
    thread = Thread(target=kept, args=(part,))
    thread.start()
    thread.join()
    kept(part)
    assert asked == ["a", "a"]
