"""Makes a small square picture of what somebody uploaded: a program of its own, so that it can be ended.

Reads an image from standard input and writes WebP to standard output. Exit code 0: done, 2: too many pixels;
any other end: it is no picture, or one that takes too long or too much memory (decompression bombs).
"""

import resource
import sys
from contextlib import suppress
from io import BytesIO
from typing import Final

from PIL import Image, ImageOps

SIDE: Final = 128
"""Pixels of both sides of what comes out."""
MOST_BYTES: Final = 4 * 1024 * 1024
MOST_PIXELS: Final = 5_000 * 4_000
"""Of what comes in: more than phones take."""
TOO_MANY: Final = 2
FORMATS: Final = ("PNG", "JPEG", "WEBP")
CPU_S: Final = 5
MEMORY: Final = 1024 * 1024 * 1024


def painted(image: Image.Image) -> bytes:
    """Return the middle of a picture, upright and small, with nothing but its pixels (no EXIF, no place)."""
    image.draft("RGB", (2 * SIDE, 2 * SIDE))  # a JPEG is read at a fraction of its size
    upright = ImageOps.exif_transpose(image).convert("RGBA")
    out = BytesIO()
    ImageOps.fit(upright, (SIDE, SIDE), Image.Resampling.LANCZOS).save(out, "WEBP", quality=82)
    return out.getvalue()


def _limit(what: int, most: int) -> None:
    with suppress(OSError, ValueError):  # a hardened service may not: pixels and the parent bound it as well
        resource.setrlimit(what, (most, most))


def main() -> int:
    """Do it once."""
    _limit(resource.RLIMIT_CPU, CPU_S)
    _limit(resource.RLIMIT_AS, MEMORY)
    Image.MAX_IMAGE_PIXELS = None  # judged below, where it can be told apart
    with Image.open(BytesIO(sys.stdin.buffer.read(MOST_BYTES)), formats=FORMATS) as image:
        if image.width * image.height > MOST_PIXELS:
            return TOO_MANY
        sys.stdout.buffer.write(painted(image))
    return 0


if __name__ == "__main__":
    sys.exit(main())
