"""Pixels as a PNG file, by the standard library alone (RFC 2083)."""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# What the format calls grey, colour, and colour with an opacity.
_COLOUR_TYPES = {1: 0, 3: 2, 4: 6}
# Half as quick and a tenth smaller is no gain for a picture that is drawn at each key.
LEVEL = 4
# So much of a large picture tells whether packing it is worth the time: noise stays as it is.
_SAMPLE, _WORTH = 4096, 0.9


def to_png(columns: int, rows: int, channels: int, pixels: bytes) -> bytes:
    """A PNG of pixels given row by row, a byte for each of their 1, 3 or 4 channels.

    >>> to_png(2, 1, 1, bytes((0, 255)))[1:4]
    b'PNG'
    """
    assert len(pixels) == columns * rows * channels
    header = struct.pack(">2I5B", columns, rows, 8, _COLOUR_TYPES[channels], 0, 0, 0)
    length = columns * channels
    # Each row begins with the number of its filter: 0 for none.
    lines = b"".join(b"\0" + pixels[row * length : (row + 1) * length] for row in range(rows))
    return b"".join(
        (
            SIGNATURE,
            _chunk(b"IHDR", header),
            _chunk(b"IDAT", zlib.compress(lines, _level_for(lines))),
            _chunk(b"IEND", b""),
        )
    )


def _level_for(lines: bytes) -> int:
    """How hard to pack: not at all where pieces from all over get hardly smaller."""
    if len(lines) <= 16 * _SAMPLE:
        return LEVEL
    step = len(lines) // 4
    pieces = b"".join(lines[at : at + _SAMPLE // 4] for at in range(0, 4 * step, step))
    return LEVEL if len(zlib.compress(pieces, 1)) < _WORTH * len(pieces) else 0


def _chunk(name: bytes, content: bytes) -> bytes:
    """A part of the file: its length, name and content, and a sum to check the last two."""
    return (
        struct.pack(">I", len(content))
        + name
        + content
        + struct.pack(">I", zlib.crc32(name + content))
    )
