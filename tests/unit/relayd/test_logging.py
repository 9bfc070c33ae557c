"""Log lines as operators get them."""

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from relayd.observe.logging import Level, configure


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    """Where the lines go; what was set before comes back afterwards."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield io.StringIO()
    root.handlers, root.level = before, level
    structlog.reset_defaults()


def lines(out: io.StringIO) -> list[dict[str, object]]:
    """Return the JSON lines."""
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_line_is_json_with_its_fields(out: io.StringIO) -> None:
    """House 5: a static event, fields, level and time."""
    configure(Level(), "json", out)
    structlog.get_logger().info("command", tournament=12, kind="register", ms=1.5)
    (line,) = lines(out)
    time = str(line.pop("timestamp"))
    assert line == {"event": "command", "tournament": 12, "kind": "register", "ms": 1.5, "level": "info"}
    assert time.endswith("Z")


@pytest.mark.parametrize("text", ["a\nb", "\x1b[31m", "\u202eevil", "\u2028", "名前\r\n\t"])
@pytest.mark.parametrize("style", ["json", "console"])
def test_whatever_a_stranger_writes_stays_on_one_line(out: io.StringIO, style: str, text: str) -> None:
    """F21: one line, no active character, and JSON gives the text back."""
    configure(Level(), "json" if style == "json" else "console", out)
    structlog.get_logger().warning("report", player=text)
    written = out.getvalue()
    assert len(written.splitlines()) == 1
    assert not set(written.rstrip("\n")) & set("\n\r\x1b\u202e\u2028\t")
    if style == "json":
        assert lines(out)[0]["player"] == text


def test_secrets_are_hidden_even_if_somebody_logs_them(out: io.StringIO) -> None:
    """House 5: tokens, passwords, decks: never."""
    configure(Level(), "json", out)
    structlog.get_logger().info("hello", token="t0ken", deck=[1, 2], password="pw", peer="unix:root")
    assert "t0ken" not in out.getvalue()
    assert (lines(out)[0]["deck"], lines(out)[0]["peer"]) == ("[hidden]", "unix:root")


def test_the_level_changes_while_the_daemon_runs(out: io.StringIO) -> None:
    """Issue 3: log levels at run time; of libraries only warnings are heard, unless we debug (F16)."""
    level = Level("warning")
    configure(level, "json", out)
    ours, library = structlog.get_logger(), logging.getLogger("aiohttp")
    for name in ("warning", "info", "debug"):
        level.set(name)
        ours.info(f"ours_{name}")
        library.info("library at %s", name)
    assert level.name == "debug"
    assert [line.get("message", line["event"]) for line in lines(out)] == [
        "ours_info",
        "ours_debug",
        "library at debug",
    ]


def test_what_a_library_says_is_a_line_too(out: io.StringIO) -> None:
    """House 5: one form for all; a traceback is a field, and half a surrogate pair is no reason to fail."""
    configure(Level(), "json", out)
    error = RuntimeError("boom \ud800")
    logging.getLogger("websockets.server").error("handler failed %s", "\n", exc_info=error)
    (line,) = lines(out)
    assert (line["event"], line["logger"], line["level"]) == ("library", "websockets.server", "error")
    assert "RuntimeError" in str(line["exception"])


def test_a_level_of_a_library_that_we_do_not_have_is_written(out: io.StringIO) -> None:
    """A record with a level of its own gets through as a notice."""
    configure(Level(), "json", out)
    logging.getLogger("x").log(35, "between")
    assert lines(out)[0]["level"] == "info"
