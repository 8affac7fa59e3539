"""What a picture file says about itself before it is decoded: its kind, its size, its end.

Reads the first bytes and markers only, so that a bomb or a text file costs nothing. Knows the
pictures phones and tablets send (JPEG, PNG, WebP, HEIC) and how others begin, to name them.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

OTHERS = {
    b"GIF8": "GIF",
    b"BM": "BMP",
    b"II*\0": "TIFF",
    b"MM\0*": "TIFF",
    b"%PDF": "PDF",
}
"""How files begin that are pictures or documents of a kind that is not read."""
HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1", b"avif")
"""Brands of the file format that iPhones store photos in."""

_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_ALONE = frozenset((0x01, *range(0xD0, 0xDA)))
_NOTES = frozenset((*range(0xE1, 0xF0), 0xFE))
"""What cameras and programs write about a picture: EXIF, XMP, ICC, IPTC, comments."""
_MOST_MARKERS = 20_000
"""Markers before a JPEG's picture at most; a phone's photo has dozens. So one of nothing but
markers costs no more than any other."""
_START_OF_SCAN, _END_OF_IMAGE = 0xDA, b"\xff\xd9"
_END_OF_PNG = b"IEND\xae\x42\x60\x82"


@dataclass(frozen=True, slots=True)
class Header:
    """A file's kind ("JPEG", "PNG", "WEBP", "HEIC", "GIF", ...), its width and height in pixels
    (0 where the header does not tell), whether the file's end is there, and the bits of one
    colour of a pixel."""

    kind: str
    width: int = 0
    height: int = 0
    whole: bool = True
    bits: int = 8


def header_of(data: bytes) -> Header | None:
    """The header of a picture file, None for what is no picture."""
    if data[:3] == b"\xff\xd8\xff":
        return _jpeg(data)
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return _png(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp(data)
    if data[4:8] == b"ftyp" and data[8:12] in HEIC_BRANDS:
        return Header("HEIC")
    for start, kind in OTHERS.items():
        if data.startswith(start):
            return Header(kind)
    return None


def _jpeg(data: bytes) -> Header:
    """Size from the frame's header; the end is looked for after it, behind any thumbnail."""
    width = height = 0
    at = 2
    for _marker in range(_MOST_MARKERS):
        if at + 4 > len(data) or data[at] != 0xFF:
            break
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker in _ALONE:
            at += 2
            continue
        if marker in _START_OF_FRAME and at + 9 <= len(data):
            height, width = struct.unpack_from(">HH", data, at + 5)
        if marker == _START_OF_SCAN:
            return Header("JPEG", width, height, data.find(_END_OF_IMAGE, at) > 0)
        at += 2 + int(struct.unpack_from(">H", data, at + 2)[0])
    return Header("JPEG", width, height, whole=False)


def is_bare(data: bytes) -> bool:
    """Whether a JPEG is whole and holds its picture and nothing else: no note of a camera or a
    place, no thumbnail, nothing behind its end."""
    at = 2
    for _marker in range(_MOST_MARKERS):
        if data[:2] != b"\xff\xd8" or at + 4 > len(data) or data[at] != 0xFF:
            break
        marker = data[at + 1]
        if marker == _START_OF_SCAN:
            return data.find(_END_OF_IMAGE, at) == len(data) - len(_END_OF_IMAGE)
        if marker in _NOTES or marker in _ALONE or marker == 0xFF:
            return False
        at += 2 + int(struct.unpack_from(">H", data, at + 2)[0])
    return False


def _png(data: bytes) -> Header:
    """Size from the first chunk."""
    if data[12:16] != b"IHDR" or len(data) < 25:
        return Header("PNG", whole=False)
    width, height = struct.unpack_from(">II", data, 16)
    return Header("PNG", width, height, _END_OF_PNG in data, max(8, data[24]))


def _webp(data: bytes) -> Header:
    """Size from the first chunk, which is of one of three kinds."""
    chunk, body = data[12:16], data[20:30]
    whole = len(data) >= 8 + int.from_bytes(data[4:8], "little")
    if len(body) < 10:
        return Header("WEBP", whole=False)
    if chunk == b"VP8X":
        width = 1 + int.from_bytes(body[4:7], "little")
        return Header("WEBP", width, 1 + int.from_bytes(body[7:10], "little"), whole)
    if chunk == b"VP8L":
        bits = int.from_bytes(body[1:5], "little")
        return Header("WEBP", 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF), whole)
    width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", body, 6))
    return Header("WEBP", width, height, whole)
