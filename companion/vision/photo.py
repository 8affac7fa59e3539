"""A photo from a file or an upload: bytes in, an upright picture out, or one plain sentence.

Everything about files, sizes and rotation tags ends here. Knows no tiles.
"""

from __future__ import annotations

import importlib
import io
import os
import stat
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import PhotoUnreadable
from companion.saying import say
from companion.vision.geometry import Picture
from companion.vision.headers import Header, header_of

MOST_MEGAPIXELS = 64
"""Larger pictures are refused before they are decoded."""
MOST_MEGABYTES = 100
"""Larger files are not even read."""
EXTENSIONS = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")
"""What photos in a folder are called."""

EMPTY = say("The file is empty: take the photo again.")
NO_PICTURE = say("This is no picture: send a photo as JPEG or PNG.")
CUT_SHORT = say("The picture is cut short: send it again.")
DAMAGED = say("The picture is damaged: take the photo again.")
NO_HEIC = say(
    "HEIC photos cannot be read here: send it as JPEG, "
    "or install the companion with its extra heic."
)
TOO_LARGE = say(
    "The picture is too large: send one of at most %(most)s megapixels.", most=MOST_MEGAPIXELS
)
_ROWS = 256
"""Rows that are laid on white at a time, so that a large picture needs little memory besides."""
_one_at_a_time = threading.Lock()
"""Several large pictures decoded at once would not fit into a small machine."""

TOO_HEAVY = say(
    "The file is too large: send a photo of at most %(most)s megabytes.", most=MOST_MEGABYTES
)


def load(source: bytes | Path) -> Picture:
    """The upright picture in a file or in a file's bytes: height by width by blue, green, red.

    A rotation tag is obeyed, grey becomes three equal colours, sixteen bits become eight, and
    what is transparent becomes white. Raises PhotoUnreadable with one sentence for people.
    """
    data = source if isinstance(source, bytes) else contents(source)
    if not data:
        raise PhotoUnreadable(EMPTY)
    header = header_of(data)
    if header is None:
        raise PhotoUnreadable(NO_PICTURE)
    if header.width * header.height * header.bits // 8 > MOST_MEGAPIXELS * 1_000_000:
        raise PhotoUnreadable(TOO_LARGE)
    if header.kind == "HEIC":
        with _one_at_a_time:
            return _heic(data)
    if header.kind not in ("JPEG", "PNG", "WEBP"):
        raise PhotoUnreadable(
            say("A %(kind)s file cannot be read: send a photo as JPEG or PNG.", kind=header.kind)
        )
    if not header.whole:
        raise PhotoUnreadable(CUT_SHORT)
    with _one_at_a_time:
        return _decoded(data, header)


def contents(path: Path) -> bytes:
    """The file's bytes. Raises PhotoUnreadable for one that is not there or not to be read."""
    try:
        about = path.stat()
        if stat.S_ISDIR(about.st_mode):
            os.scandir(path).close()  # whoever may look into it has named no photo
            raise PhotoUnreadable(
                say("%(file)s is a folder: name a photo.", file=path.name or path)
            )
        if not stat.S_ISREG(about.st_mode):
            raise PhotoUnreadable(
                say("%(file)s is no ordinary file: name a photo.", file=path.name)
            )
        data = None if about.st_size > MOST_MEGABYTES * 1_000_000 else path.read_bytes()
    except FileNotFoundError:
        raise PhotoUnreadable(
            say("There is no file %(file)s: check its name.", file=path.name)
        ) from None
    except PhotoUnreadable:
        raise
    except (OSError, ValueError) as problem:
        raise PhotoUnreadable(
            say("%(file)s cannot be opened: check who may read it.", file=path.name)
        ) from problem
    if data is None:
        raise PhotoUnreadable(TOO_HEAVY)
    return data


def _decoded(data: bytes, header: Header) -> Picture:
    """The picture as OpenCV decodes it, which turns it upright, with transparency made white."""
    raw = np.frombuffer(data, np.uint8)
    try:
        if header.kind != "JPEG":
            layers = cv2.imdecode(raw, cv2.IMREAD_UNCHANGED)
            if layers is not None and layers.ndim == 3 and _is_transparent(layers):
                return _on_white(layers)
        picture = cv2.imdecode(raw, cv2.IMREAD_COLOR)
    except cv2.error as problem:
        raise PhotoUnreadable(DAMAGED) from problem
    if picture is None or not picture.size:
        raise PhotoUnreadable(DAMAGED)
    return np.asarray(picture, np.uint8)


def _is_transparent(layers: Any) -> bool:
    """Whether there is an opacity and it lets something shine through."""
    return layers.shape[2] == 4 and bool((layers[:, :, 3] < np.iinfo(layers.dtype).max).any())


def _on_white(layers: Any) -> Picture:
    """Colours with an opacity laid on white."""
    most = np.uint32(np.iinfo(layers.dtype).max)
    picture = np.empty((*layers.shape[:2], 3), np.uint8)
    for top in range(0, len(layers), _ROWS):
        strip = layers[top : top + _ROWS].astype(np.uint32)
        opacity = strip[:, :, 3:]
        white = most * (most - opacity)
        laid = (strip[:, :, :3] * opacity + white) // most
        picture[top : top + _ROWS] = (laid * 255 + most // 2) // most
    return picture


def _heic(data: bytes) -> Picture:
    """An iPhone's photo, through pillow-heif where it is installed; it turns it upright."""
    try:
        heif = importlib.import_module("pillow_heif")
    except ImportError:
        raise PhotoUnreadable(NO_HEIC) from None
    try:
        photo = heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=True, bgr_mode=True)
        width, height = photo.size
        fits = width * height <= MOST_MEGAPIXELS * 1_000_000
        layers = np.asarray(photo) if fits else None
    except (OSError, ValueError, RuntimeError, EOFError, SyntaxError) as problem:
        raise PhotoUnreadable(DAMAGED) from problem
    if layers is None:
        raise PhotoUnreadable(TOO_LARGE)
    if layers.ndim == 2:
        return np.asarray(cv2.cvtColor(layers, cv2.COLOR_GRAY2BGR), np.uint8)
    return _on_white(layers) if layers.shape[2] == 4 else np.ascontiguousarray(layers, np.uint8)
