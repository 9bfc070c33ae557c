"""Files that a command reads: bytes as people save them, to text."""

import sys
from pathlib import Path

from relayd.cli.desk import Desk
from relayd.exits import Exit


def text_of(desk: Desk, file: Path) -> str:
    """Return what is in *file*, in UTF-8 or else GB18030; ``-`` is standard input. Or end with why not."""
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        desk.fail(f"{file}: cannot be read: {error.strerror or error}", Exit.UNREADABLE)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("gb18030", "replace")
