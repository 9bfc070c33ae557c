"""Text of strangers made harmless for logs and terminals: no newline, escape or turned direction (F21)."""

import re
from typing import Final

_ACTIVE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control and format characters, line and paragraph separators, surrogates, tags."""


def neutral(text: str) -> str:
    r"""Return *text* with every active character written out as ``\uXXXX``; a line stays one line."""
    return _ACTIVE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code > 0xFFFF:  # as JSON has it: a pair, so that a line of JSON keeps its meaning
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"
