"""What the daemon has not acknowledged, in memory and in a file that survives a kill (10.j)."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex

from srvpro_bridge.protocol import Fact, encode


class Spool:
    """Records by number, from 1 up without gaps."""

    def __init__(self, path: Path | None = None) -> None:
        """Read what *path* kept; ``None``: only in memory."""
        self.id, self.next = token_hex(8), 1
        self._lines: dict[int, str] = {}
        self._path = path
        for line in [] if path is None or not path.exists() else path.read_text().splitlines():
            self._read(line)
        self._write(json.dumps({"spool": self.id, "next": self.next}))

    @property
    def first(self) -> int:
        """The oldest record that is there; 0: none."""
        return next(iter(self._lines), 0)

    def line(self, seq: int) -> str | None:
        """Return a record as it is sent."""
        return self._lines.get(seq)

    def append(self, make: Callable[[int], Fact]) -> None:
        """Keep a record, which is made with its number."""
        seq, self.next = self.next, self.next + 1
        self._lines[seq] = encode(make(seq))
        self._write(self._lines[seq])

    def ack(self, seq: int) -> None:
        """Forget every record up to that one."""
        self._forget(seq)
        self._write(json.dumps({"ack": seq}))

    def skip_to(self, number: int) -> None:
        """Never use a number below that one: the daemon knows records that we do not."""
        self.next = max(self.next, number)

    def _read(self, line: str) -> None:
        said = json.loads(line)
        if "spool" in said:
            self.id, self.next = said["spool"], max(self.next, said["next"])
        elif "ack" in said:
            self._forget(said["ack"])
            self.skip_to(said["ack"] + 1)
        else:
            self._lines[said["seq"]] = line
            self.skip_to(said["seq"] + 1)

    def _forget(self, seq: int) -> None:
        self._lines = {number: line for number, line in self._lines.items() if number > seq}

    def _write(self, line: str) -> None:
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
                file.flush()
                os.fsync(file.fileno())
