"""The reader of lflist.conf."""

import pytest

from deckcheck.errors import SourceBroken
from deckcheck.lflist import Credit, hash_text, list_hash, read_entry, read_lflist
from tests.decks import LFLIST, SHARED, a_list, needs_shared, rows


@needs_shared
def test_all_published_hashes() -> None:
    """D07: the 102 lists of a real file have the hashes, sizes and names that the duel server has."""
    vectors = [
        (row["hash"], int(row["entries"]), row["name"]) for row in rows(SHARED / "lflist-hash-vectors.csv")
    ]
    lists = read_lflist(LFLIST.read_bytes())
    assert [(hash_text(each.hash), len(each.limits), each.name) for each in lists] == vectors


def test_two_known_hashes() -> None:
    """D07: of one entry, by hand; the empty list has the start value."""
    assert list_hash([]) == 0x7DFCEE6A
    code, count = 89631139, 1
    rotated = (code << 18 | code >> 14) ^ (code << (27 + count) | code >> (5 - count))
    assert list_hash([(code, count)]) == 0x7DFCEE6A ^ rotated & 0xFFFFFFFF


def test_comments_headers_and_what_stands_before_them() -> None:
    """D01: ``#`` in column 0, ``!name`` to CR or LF without trimming; before the first ``!`` is no list."""
    lists = read_lflist(b"5 0\n#!no\n! 2026.7 \r\n1 0\r\n # 2 0\n#3 0\n!TCG\n")
    assert [each.name for each in lists] == [" 2026.7 ", "TCG"]
    assert [dict(each.limits) for each in lists] == [{1: 0}, {}]


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("1 0", (1, 0)),
        (" \t+00000001\t2 --name", (1, 2)),
        ("1   +1#", (1, 1)),
        ("4294967295 0", (4294967295, 0)),
        ("0" * 30 + "7 1", (7, 1)),
        ("1 -0", (1, 0)),
        ("1 3", None),
        ("1 -1", None),
        ("1 4", None),
        ("-1 0", None),
        ("1", None),
        ("1 ", None),
        ("1 --name", None),
        ("1x 0", None),
        ("x 0", None),
        ("4294967296 0", None),
        ("9" * 5000 + " 0", None),
        ("1 " + "9" * 5000, None),
        ("1 2147483648", None),
    ],
)
def test_entries(line: str, entry: tuple[int, int] | None) -> None:
    """D02, D03, D04: blanks, ``+`` and zeros before a code; a signed count, of which 0, 1, 2 are kept."""
    assert dict(a_list(f"!a\n{line}\n").limits) == dict([entry] if entry else [])


@pytest.mark.parametrize(
    "line", ["46986414 0", "46986414 1 --name", "46986414 2 ", "46986414 1x", "4698641x 1"]
)
def test_usual_lines_are_read_like_all_others(line: str) -> None:
    """D02: the way in which most lines are written has no rules of its own."""
    assert read_entry(line.encode()) == read_entry(b"+" + line.encode())
    assert (read_entry(line.encode()) is None) == ("x 1" in line)


def test_a_bom_is_no_part_of_the_first_header() -> None:
    """D05: ygopro would lose that list."""
    assert [each.name for each in read_lflist(b"\xef\xbb\xbf!2026.7\r\n1 0\r\n")] == ["2026.7"]


def test_the_last_of_two_entries_wins_and_equal_ones_cancel() -> None:
    """D06: the hash is computed as the server does."""
    assert a_list("!a\n1 0\n1 2\n").limits == {1: 2}
    assert a_list("!a\n1 0\n1 2\n").hash == list_hash([(1, 0), (1, 2)])
    assert a_list("!a\n1 0\n1 0\n").limits == {1: 0}
    assert a_list("!a\n1 0\n1 0\n").hash == list_hash([])


def test_an_unlimited_line_takes_back_no_limit() -> None:
    """D03, D06: ygopro skips it, EDOPro lets it win."""
    own = a_list("!a\n1 0\n1 3\n")
    assert own.limits == {1: 0}
    assert own.counts == {1: 3}


def test_whitelists() -> None:
    """D08: EDOPro keeps and hashes any count."""
    own = a_list("!a\n$whitelist\n1 3\n2 -1\n3 0\n")
    assert own.whitelist
    assert own.counts == {1: 3, 2: -1, 3: 0}
    assert own.limits == {3: 0}
    assert own.hash == list_hash([(3, 0)])
    assert own.edopro_hash == list_hash([(1, 3), (2, -1), (3, 0)])


def test_credits() -> None:
    """D09: budgets and costs, and Koishi's hash over FNV-1a of the key."""
    own = a_list("!genesys\n$genesys 100\n1 $genesys 30\n2 $other 5\n3 0\n$later\n$\n")
    assert own.credits == (Credit(key="genesys", limit=100, points={1: 30}),)
    assert not own.whitelist
    key = 2166136261
    for byte in b"genesys":
        key = (key ^ byte) * 16777619 % 2**32
    expected = list_hash([(3, 0)]) ^ _credit_term(key, 100, 0x43524544) ^ _credit_term(1, key, 30)
    assert own.hash == expected


def _credit_term(a: int, b: int, c: int) -> int:
    return _rotl(a, 18) ^ _rotl(b, 9) ^ _rotl(c, 27)


def _rotl(value: int, by: int) -> int:
    return (value << by | value >> (32 - by)) & 0xFFFFFFFF


def test_a_file_of_any_size_is_not_read() -> None:
    """F17: a list file has bounds."""
    with pytest.raises(SourceBroken) as refusal:
        read_lflist(bytes(32 * 1024 * 1024 + 1))
    assert refusal.value.code == "list_too_large"


def test_many_files_are_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """F17: what is remembered of lines has a bound, and its loss changes nothing."""
    monkeypatch.setattr("deckcheck.lflist._REMEMBERED_LINES", 1)
    lists = read_lflist(b"!a\n1 0\n2 3\n3 1\n!b\n1 0\n2 3\n4 2\n")
    assert [dict(each.limits) for each in lists] == [{1: 0, 3: 1}, {1: 0, 4: 2}]
    assert [dict(each.counts) for each in lists] == [{1: 0, 2: 3, 3: 1}, {1: 0, 2: 3, 4: 2}]


def test_results_cannot_be_changed_by_who_reads_them() -> None:
    """D45: sections that were read before are remembered, so nobody may write to them."""
    with pytest.raises(TypeError):
        a_list("!a\n1 0\n").limits[1] = 3  # type: ignore[index]  # this is the test
