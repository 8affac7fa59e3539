"""A copy of a photo with every tile outlined and its reading on it, for people to check.

Sure tiles have a solid outline, doubtful ones a dashed one and a question mark, so that nothing
depends on colour alone. Decides nothing about the reading.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.errors import Trouble
from companion.observation import PhotoReading, Reading
from companion.saying import say
from companion.vision.geometry import Floats, Picture

SURE, DOUBTFUL, BACKING = (60, 170, 0), (0, 90, 255), (255, 255, 255)
"""Blue, green, red."""
DASH = 6
"""Length of a dash and of the gap after it, in widths of the line."""
FONT = cv2.FONT_HERSHEY_SIMPLEX


def overlay(image: Picture, reading: PhotoReading) -> Picture:
    """A copy of the image, as large, with the reading drawn on it."""
    drawn = image.copy()
    thick = max(2, round(max(image.shape[:2]) / 500))
    for tile in reading.tiles:
        corners = np.array(tile.corners)
        if tile.sure:
            _polygon(drawn, corners, thick)
        else:
            _dashes(drawn, corners, thick)
    for tile in reading.tiles:
        _label(drawn, tile)
    return drawn


def make_folder(folder: Path) -> None:
    """Make the folder that overlays go into; Trouble with a sentence where that is not possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise _unwritable(folder) from problem


def save_overlay(path: Path, image: Picture, reading: PhotoReading) -> None:
    """Write the overlay as a JPEG file; Trouble with a sentence where that is not possible."""
    _, data = cv2.imencode(".jpg", overlay(image, reading))
    try:
        path.write_bytes(data.tobytes())
    except OSError as problem:
        raise _unwritable(path) from problem


def _unwritable(path: Path) -> Trouble:
    return Trouble(say("%(file)s cannot be written: choose another folder.", file=path))


def _polygon(drawn: Picture, corners: Floats, thick: int) -> None:
    """A closed solid line with a light edge."""
    line = [np.rint(corners).astype(np.int32)]
    cv2.polylines(drawn, line, True, BACKING, thick + 2, cv2.LINE_AA)
    cv2.polylines(drawn, line, True, SURE, thick, cv2.LINE_AA)


def _dashes(drawn: Picture, corners: Floats, thick: int) -> None:
    """A closed dashed line."""
    for start, end in zip(corners, np.roll(corners, -1, 0)):
        dashes = max(2, round(float(np.hypot(*(end - start))) / (2 * DASH * thick)))
        steps = np.linspace(0, 1, 2 * dashes)
        points = np.rint(start + steps[:, None] * (end - start)).astype(int).tolist()
        for one, other in zip(points[::2], points[1::2]):
            cv2.line(drawn, one, other, BACKING, thick + 2, cv2.LINE_AA)
            cv2.line(drawn, one, other, DOUBTFUL, thick, cv2.LINE_AA)


def _label(drawn: Picture, tile: Reading) -> None:
    """The two ends on a light plate in the middle of the tile, as large as it allows."""
    text = f"{tile.ends[0]}-{tile.ends[1]}" + ("" if tile.sure else "?")
    corners = np.array(tile.corners)
    across = float(np.hypot(*(corners[1] - corners[0])))
    scale = max(0.4, across / 110)
    thick = max(1, round(1.6 * scale))
    (width, height), below = cv2.getTextSize(text, FONT, scale, thick)
    left, base = round(tile.centre[0] - width / 2), round(tile.centre[1] + height / 2)
    plate = (left - 3, base - height - 4), (left + width + 3, base + below)
    cv2.rectangle(drawn, *plate, BACKING, cv2.FILLED)
    colour = SURE if tile.sure else DOUBTFUL
    cv2.putText(drawn, text, (left, base), FONT, scale, colour, thick, cv2.LINE_AA)
