"""Pictures for tests, good and evil."""

import zlib
from io import BytesIO
from struct import pack

from PIL import Image


def picture(kind: str = "PNG", size: tuple[int, int] = (300, 200)) -> bytes:
    """Return a picture: red on the left, blue on the right, with words in its EXIF."""
    image = Image.new("RGB", size, "red")
    image.paste("blue", (size[0] // 2, 0, size[0], size[1]))
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    out = BytesIO()
    image.save(out, kind, exif=exif)
    return out.getvalue()


def bomb(width: int, height: int) -> bytes:
    """Return a PNG of few bytes that is large once it is unpacked."""
    line = b"\0" * (1 + width // 8)
    packer = zlib.compressobj(9)
    body = b"".join(packer.compress(line) for _ in range(height)) + packer.flush()
    head = pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + name + data + pack(">I", zlib.crc32(name + data))
