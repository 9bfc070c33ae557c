"""Workbooks as people save them, against another reader of them."""

import io
from zipfile import ZipFile

import pytest
import xlsxwriter  # type: ignore[import-untyped]  # it comes without types
from hypothesis import given, settings
from hypothesis import strategies as st
from python_calamine import CalamineWorkbook

from relayd.files.xlsx import MOST_COLUMNS, read_xlsx
from ruleset.errors import CommandRejected

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), max_size=12)
CELLS = st.one_of(TEXTS, st.integers(-(10**9), 10**9), st.booleans(), st.none())


def saved(rows: list[list[object]], *, shared: bool = True) -> bytes:
    """Return a workbook with a second sheet behind the one that counts."""
    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    book = xlsxwriter.Workbook(out, options | {"constant_memory": not shared})
    sheet, other = book.add_worksheet("选手"), book.add_worksheet("other")
    for number, row in enumerate(rows):
        sheet.write_row(number, 0, row)
    other.write(0, 0, "not this")
    book.close()
    return out.getvalue()


def with_sheet(xml: str, strings: str = "") -> bytes:
    """Return a workbook whose sheet and shared texts are written by hand."""
    out = io.BytesIO()
    with ZipFile(io.BytesIO(saved([["x"]]))) as book, ZipFile(out, "w") as made:
        for name in book.namelist():
            hand = {"xl/worksheets/sheet1.xml": xml, "xl/sharedStrings.xml": strings}.get(name, "")
            made.writestr(name, hand or book.read(name))
    return out.getvalue()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(CELLS, max_size=5), max_size=6), st.booleans())
def test_every_workbook_is_read_as_calamine_reads_it(rows: list[list[object]], shared: bool) -> None:  # noqa: FBT001
    """S110: texts and whole numbers of the first sheet, in their places."""
    data = saved([[value for value in row if not isinstance(value, bool)] for row in rows], shared=shared)
    sheet = CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(0)
    expected = [[_shown(value) for value in row] for row in sheet.to_python(skip_empty_area=False)]
    assert _trimmed(read_xlsx(data, 100)) == _trimmed(expected)


def _shown(value: object) -> str:
    return str(int(value)) if isinstance(value, float) else str(value)


def _trimmed(rows: list[list[str]]) -> list[list[str]]:
    """Leave blanks at the ends away: they are nothing."""
    kept = [row[: max((n for n, cell in enumerate(row, 1) if cell), default=0)] for row in rows]
    while kept and not kept[-1]:
        kept.pop()
    return kept


def test_cells_hold_what_they_show() -> None:
    """S110: numbers without decimals of theirs, stored values of formulas, rich text without its reading."""
    cells = (
        "<c><v>123</v></c><c><v>1.23E2</v></c><c><v>1.5</v></c><c t='b'><v>1</v></c>"
        "<c t='str'><f>1+1</f><v>two</v></c><c t='inlineStr'><is><t>in</t><rPh><t>no</t></rPh></is></c>"
        "<c t='s'><v>0</v></c><c/><c t='e'><v>#N/A</v></c>"
    )
    strings = (
        '<sst xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"><si><r><t>遊</t></r><r><t>戯</t></r>'
        '<rPh sb="0" eb="2"><t>ユウギ</t></rPh><t>_x0041_</t></si></sst>'
    )
    rows = read_xlsx(
        with_sheet(f"<worksheet><row>{cells}</row><row><c><v>9</v></c></row></worksheet>", strings), 9
    )
    assert rows == [["123", "123", "1.5", "1", "two", "in", "遊戯A", "", "#N/A"], ["9"]]


def test_rows_and_cells_stand_where_they_say() -> None:
    """S110: so that an error names the row that the host sees; what lies far right is left aside."""
    third = '<row r="3"><c r="C3"><v>1</v></c><c><v>2</v></c></row>'
    xml = f'<worksheet>{third}<row><c r="AA4"><v>3</v></c></row></worksheet>'
    assert read_xlsx(with_sheet(xml), 9) == [[], [], ["", "", "1", "2"], [""] * 26 + ["3"]]
    assert MOST_COLUMNS > 26
    with pytest.raises(CommandRejected):
        read_xlsx(with_sheet(xml), 3)
