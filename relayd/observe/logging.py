"""Log lines: JSON with static snake_case events, one canonical line for each command, connection and effect.

Fields: ``tournament version command_id kind outcome code player table round peer ms``. Tokens, passwords and
decks never get here; whatever a stranger may have written is neutral (F21).
"""

import json
import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, Final, Literal, TextIO, TypeAlias

import msgspec
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from relayd.neutral import neutral

LevelName: TypeAlias = Literal["debug", "info", "warning", "error"]
LEVELS: Final[Mapping[str, int]] = {"debug": 10, "info": 20, "warning": 30, "error": 40, "critical": 50}
NEVER: Final = frozenset(
    {"token", "password", "secret", "authorization", "cookie", "seed", "deck", "deckbuf", "ydk", "api_key"}
)
"""Fields whose values are hidden, should somebody log them by mistake."""


class Level:
    """From which level on lines are written; may change while the daemon runs."""

    def __init__(self, name: LevelName = "info") -> None:
        self._name: LevelName = name

    @property
    def name(self) -> LevelName:
        """The level that holds now."""
        return self._name

    def set(self, name: LevelName) -> None:
        """Write from *name* on."""
        self._name = name
        logging.getLogger().setLevel(self.of_libraries)

    @property
    def of_libraries(self) -> int:
        """From which level on libraries are heard: warnings, or everything where we debug (F16)."""
        return LEVELS[self._name] if self._name == "debug" else max(logging.WARNING, LEVELS[self._name])

    def __call__(self, _logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
        """Let a line pass, or drop it."""
        if LEVELS.get(method, 50) < LEVELS[self._name]:
            raise structlog.DropEvent
        return event


def configure(
    level: Level, style: Literal["auto", "json", "console"] = "auto", stream: TextIO | None = None
) -> None:
    """Send all log lines of this process, libraries' too, to *stream* (standard error)."""
    out = sys.stderr if stream is None else stream
    console = style == "console" or (style == "auto" and out.isatty())
    structlog.configure(
        processors=[
            level,
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _hide,
            *_renderers(console=console, colours=console and out.isatty()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(0),
        logger_factory=structlog.WriteLoggerFactory(out),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(handlers=[_FromLibraries()], level=level.of_libraries, force=True)


def _renderers(*, console: bool, colours: bool) -> tuple[Processor, ...]:
    if console:
        return _neutral_fields, structlog.dev.ConsoleRenderer(colors=colours, sort_keys=False)
    return (structlog.processors.JSONRenderer(serializer=_line),)


def _hide(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    for name in NEVER & event.keys():
        event[name] = "[hidden]"
    return event


def _neutral_fields(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    for name, value in event.items():
        if isinstance(value, str) and name != "exception":
            event[name] = neutral(value)
    return event


def _line(event: MutableMapping[str, Any], **_options: object) -> str:
    try:
        return neutral(msgspec.json.encode(event, enc_hook=str).decode())
    except UnicodeEncodeError:  # half a surrogate pair, from a file name of the system
        return json.dumps(event, default=str)


class _FromLibraries(logging.Handler):
    """Lets libraries' own records become lines like ours."""

    def emit(self, record: logging.LogRecord) -> None:
        line = structlog.get_logger()
        method = record.levelname.lower() if record.levelname.lower() in LEVELS else "info"
        getattr(line, method)(
            "library", logger=record.name, message=record.getMessage(), exc_info=record.exc_info
        )
