"""Reading and writing frames, strictly and within bounds."""

from collections.abc import Sequence
from typing import Final, cast

import msgspec
from msgspec import Struct

from srvpro_bridge.errors import PeerError
from srvpro_bridge.protocol.daemon import FromDaemon
from srvpro_bridge.protocol.plugin import FromPlugin
from srvpro_bridge.protocol.values import Seq
from srvpro_bridge.reading import decode

VERSIONS: Final = (1,)
"""Versions that this daemon speaks, best first."""
LONGEST_FROM_PLUGIN: Final = 1 << 20
"""Bytes of one frame from the plugin; 500 rooms at once take less than half of it."""
LONGEST_FROM_DAEMON: Final = 16 << 20
"""Bytes of one frame to the plugin; 512 tables with both decks take about a tenth of it."""


class ProtocolError(PeerError):
    """The other side sent no message of this protocol."""

    seq: int | None = None
    """The number of the record that could not be read, so that it can be set aside and acknowledged."""

    @property
    def close_code(self) -> int:
        """The WebSocket close code that fits: 1009 too big, 1007 no JSON text, 1002 not this protocol."""
        return {"too_large": 1009, "not_json": 1007}.get(self.code, 1002)


_FROM_PLUGIN: Final = cast(
    "type[FromPlugin]", FromPlugin
)  # a union is no class, but decode takes it like one
_FROM_DAEMON: Final = cast("type[FromDaemon]", FromDaemon)


class _Numbered(Struct):
    """As much of a broken record as is needed to set it aside."""

    seq: Seq


def encode(message: FromPlugin | FromDaemon) -> str:
    """Write one frame."""
    return msgspec.json.encode(message).decode()


def from_plugin(frame: str | bytes) -> FromPlugin:
    """Read one frame of a plugin. Raises ProtocolError, with ``seq`` where a record could not be read."""
    body = _bytes(frame)
    try:
        return decode(body, _FROM_PLUGIN, limit=LONGEST_FROM_PLUGIN, refuse=ProtocolError)
    except ProtocolError as error:
        error.seq = _number_in(body)
        raise


def from_daemon(frame: str | bytes) -> FromDaemon:
    """Read one frame of the daemon, as a plugin or a simulator does. Raises ProtocolError."""
    return decode(_bytes(frame), _FROM_DAEMON, limit=LONGEST_FROM_DAEMON, refuse=ProtocolError)


def negotiate(offered: Sequence[int]) -> int:
    """Return the best version that both speak. Raises ProtocolError ``version``."""
    for version in VERSIONS:
        if version in offered:
            return version
    spoken = ", ".join(map(str, VERSIONS))
    raise ProtocolError(
        "version", f"the plugin speaks {list(offered)}, this daemon {spoken}: update the older"
    )


def _bytes(frame: str | bytes) -> bytes:
    return frame if isinstance(frame, bytes) else frame.encode("utf-8", "surrogatepass")


def _number_in(body: bytes) -> int | None:
    try:
        return decode(body, _Numbered, limit=LONGEST_FROM_PLUGIN, refuse=ProtocolError).seq
    except ProtocolError:
        return None
