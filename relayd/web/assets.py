"""Static files: read once, named by their content, compressed once; a browser never asks twice."""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from aiohttp import web

_TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}
_BUNDLES: Final[Mapping[str, tuple[str, ...]]] = {
    "live.js": ("htmx.min.js", "htmx-sse.min.js", "relayd.js"),
}
"""What goes out as one file, so that a page needs few requests."""
_FOLDER: Final = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """One file."""

    body: bytes
    packed: bytes
    content_type: str
    tag: str


class Assets:
    """All files of a folder."""

    def __init__(self, folder: Path = _FOLDER) -> None:
        bodies = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in _TYPES}
        bodies |= {name: b"\n".join(bodies[part] for part in parts) for name, parts in _BUNDLES.items()}
        self._files: Final = {name: _asset(name, body) for name, body in bodies.items()}

    def url(self, name: str) -> str:
        """Return the address of a file, which changes with its content."""
        return f"/static/{self._files[name].tag}/{name}"

    async def serve(self, request: web.Request) -> web.Response:
        """Answer with a file; only names that are known reach anything (F23)."""
        asset = self._files.get(request.match_info["name"])
        if asset is None:
            raise web.HTTPNotFound
        fresh = request.match_info["tag"] == asset.tag
        headers = {
            "ETag": f'"{asset.tag}"',
            "Vary": "Accept-Encoding",
            "Cache-Control": "public, max-age=31536000, immutable" if fresh else "no-cache",
        }
        if request.headers.get("If-None-Match") == headers["ETag"]:
            return web.Response(status=304, headers=headers)
        body = asset.body
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"], body = "gzip", asset.packed
        return web.Response(body=body, headers=headers, content_type=asset.content_type, charset="utf-8")


def _asset(name: str, body: bytes) -> Asset:
    return Asset(
        body=body,
        packed=gzip.compress(body, 9, mtime=0),
        content_type=_TYPES[Path(name).suffix],
        tag=sha256(body).hexdigest()[:16],
    )
