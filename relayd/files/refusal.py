"""Files that are not taken, each with a reason that pages can say in the reader's language."""

from typing import Final

from ruleset.errors import CommandRejected

WHYS: Final = {
    "not_text": "it is neither UTF-8 nor GB18030 text: save it as CSV UTF-8",
    "not_csv": "its quotes do not fit together: save it as CSV again",
    "header": "the first line must name the columns: player, nickname, team",
    "long": "it has too many lines or cells",
    "old_excel": "it is an old or an encrypted Excel file: save it as .xlsx without a password",
    "not_zip": "it is no sound .xlsx file: save it again",
    "members": "it packs more files than a workbook has",
    "path": "it packs a file under a path that leads elsewhere",
    "overlap": "its packed files lie over each other",
    "nested": "it packs another archive",
    "method": "it is packed in a way that workbooks are not, or encrypted",
    "big": "it is too big once it is unpacked",
    "not_workbook": "it holds no worksheet that can be read",
    "not_json": "it is no JSON of a Challonge tournament with its participants and matches",
    "kind": "it is neither Swiss, round robin nor elimination",
}
"""English, for programs and logs; pages have ``import.why.<key>``."""


def bad_file(why: str) -> CommandRejected:
    """Return the refusal of a file: ``bad_file`` with *why* in English and its key of ``WHYS``."""
    return CommandRejected("bad_file", why=WHYS[why], key=why)
