"""What a typed password makes of a new room (duel-server.md 6)."""

import re
from dataclasses import dataclass
from typing import Final

SINGLE: Final = 0
MATCH: Final = 1
TAG: Final = 2
NO_LIST: Final = -1

_MARK: Final = re.compile(r"(MATCH|M|TAG|T|NF|NW|NC|LF|TM|DH|LP)(\d*)")


@dataclass(slots=True, kw_only=True)
class Options:
    """What srvpro calls hostinfo."""

    mode: int = SINGLE
    lflist: int = 0
    """Index of the list from 0 up; -1: none."""
    time_limit_s: int = 180
    """Of a turn; 0: unlimited."""
    no_watch: bool = False
    no_check_deck: bool = False
    auto_death_min: int | None = None
    start_lp: int = 8000


def read_password(room_name: str) -> Options:
    """Read the marks before ``#``; unknown ones change nothing."""
    options = Options()
    marks, has_marks, _ = room_name.partition("#")
    for mark in marks.upper().split(",") if has_marks else ():
        found = _MARK.fullmatch(mark.strip())
        if found is not None:
            _apply(options, found[1], int(found[2]) if found[2] else None)
    return options


def _apply(options: Options, mark: str, number: int | None) -> None:
    match mark, number:
        case (("M" | "MATCH"), None):
            options.mode = MATCH
        case (("T" | "TAG"), None):
            options.mode, options.start_lp = TAG, 16000
        case "NF", None:
            options.lflist = NO_LIST
        case "LF", int(place) if place > 0:
            options.lflist = place - 1
        case "TM", int(time) if time < 999:
            options.time_limit_s = time * 60 if time <= 60 else time
        case "LP", int(points):
            options.start_lp = points
        case _:
            _apply_switch(options, mark, number)


def _apply_switch(options: Options, mark: str, number: int | None) -> None:
    match mark:
        case "NW":
            options.no_watch = True
        case "NC":
            options.no_check_deck = True
        case "DH":
            options.auto_death_min = 40 if number is None else number
        case _:
            pass
