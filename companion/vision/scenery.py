"""What surrounds drawn tiles: table tops, shadow, lamplight and a camera's noise.

Pictures are BGR, uint8; masks are float32 from 0 to 1. Everything random comes from the generator
that is passed in, so the same seed gives the same picture. Knows no tile and no game.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Mask = NDArray[np.float32]
Colour = tuple[float, float, float]
Part = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels, right and bottom excluded."""

LIGHT = (-0.6, -0.8)
"""Where the light comes from, as a direction in the picture: from above, a little from the left."""


def _smooth_noise(
    width: int, height: int, cells_x: float, cells_y: float, random: np.random.Generator
) -> Mask:
    """Soft blotches with a spread of about 1: so many cells along each side."""
    grid = random.normal(0, 1, (max(2, round(cells_y)), max(2, round(cells_x))))
    grown = cv2.resize(grid.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(grown, np.float32)


def _mixed(dark: Colour, bright: Colour, share: Mask) -> Picture:
    """Each point between two colours, by its share (0 to 1) of the brighter one."""
    part = np.clip(share, 0, 1)[..., None]
    low, high = np.array(dark, np.float32), np.array(bright, np.float32)
    return np.asarray(low * (1 - part) + high * part, np.uint8)


def wood(width: int, height: int, random: np.random.Generator) -> Picture:
    """A warm, oiled table top: planks along the picture, fine grain, quiet joints."""
    grain = 0.5 + 0.10 * _smooth_noise(width, height, 5, height / 16, random)
    grain += 0.07 * _smooth_noise(width, height, 12, height / 4, random)
    grain += 0.05 * _smooth_noise(width, height, width / 30, height / 2, random)
    sway = _smooth_noise(width, height, 4, 4, random) * height * 0.012
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    waved = cv2.remap(grain, columns, rows + sway, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    grain = np.asarray(waved, np.float32)
    top = 0
    while top < height:
        tall = round(height * random.uniform(0.2, 0.28))  # nosec B311 # dice of a drawing
        bottom = min(height, top + tall)
        seam = int(random.integers(width))
        grain[top:bottom] = np.roll(grain[top:bottom], seam, axis=1)
        grain[top:bottom] += random.uniform(-0.1, 0.1)  # nosec B311 # dice of a drawing
        grain[top:bottom, max(0, seam - 1) : seam + 1] -= 0.2
        grain[max(0, bottom - 2) : bottom] -= 0.2
        top = bottom
    return _mixed((44, 80, 122), (112, 162, 206), grain)


def cloth(width: int, height: int, random: np.random.Generator) -> Picture:
    """A plain woven tablecloth in one of a few quiet colours."""
    colours: tuple[Colour, ...] = ((78, 104, 60), (118, 84, 58), (92, 96, 104), (70, 66, 128))
    colour = np.array(colours[int(random.integers(len(colours)))], np.float32)
    weave = random.normal(0, 1, (height, width)).astype(np.float32)
    threads = cv2.blur(weave, (7, 1)) + cv2.blur(weave, (1, 7))
    folds = _smooth_noise(width, height, 3, 3, random)
    shade = np.clip(1 + 0.07 * threads + 0.04 * folds, 0.5, 1.5)[..., None]
    return np.asarray(np.clip(colour * shade, 0, 255), np.uint8)


TABLES: dict[str, Callable[[int, int, np.random.Generator], Picture]] = {
    "wood": wood,
    "cloth": cloth,
}


def paste(picture: Picture, patch: Picture, mask: Mask, left: int, top: int) -> None:
    """Lay a patch on the picture where its mask says so; what lies outside is left out."""
    height, width = mask.shape
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(picture.shape[1], left + width), min(picture.shape[0], top + height)
    if x0 >= x1 or y0 >= y1:
        return
    part = np.s_[y0 - top : y1 - top, x0 - left : x1 - left]
    share = mask[part][..., None]
    below = picture[y0:y1, x0:x1]
    picture[y0:y1, x0:x1] = (below * (1 - share) + patch[part] * share + 0.5).astype(np.uint8)


def darken(
    picture: Picture, mask: Mask, left: float, top: float, soft: float, depth: float
) -> None:
    """Cast the mask's shadow at this place, ``soft`` pixels wide at its edge."""
    margin = math.ceil(soft * 2.5) + 1
    wide = cv2.copyMakeBorder(mask, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=0)
    if soft > 0.3:
        wide = cv2.GaussianBlur(wide, (0, 0), soft)
    black = np.zeros((*wide.shape, 3), np.uint8)
    black[:] = (8, 14, 24)
    shade = np.asarray(wide * depth, np.float32)
    paste(picture, black, shade, round(left) - margin, round(top) - margin)


@dataclass(frozen=True, eq=False)
class Stamp:
    """What a thing does to what is below: 0 to 255 shine ``through``, and its ``own`` colour."""

    through: Picture
    own: Picture
    left: int
    top: int

    @classmethod
    def of(cls, part: Part, paint: Callable[[Picture], None]) -> Stamp:
        """Whatever ``paint`` draws on a picture of this part, whose left top is its (0, 0)."""
        left, top, right, bottom = part
        dark = np.zeros((bottom - top, right - left, 3), np.uint8)
        bright = np.full_like(dark, 255)
        paint(dark)
        paint(bright)
        through = np.asarray(cv2.subtract(bright, dark), np.uint8)
        rows, columns = (np.flatnonzero((through < 254).any((axis, 2))) for axis in (1, 0))
        if not len(rows):
            return cls(through[:0, :0], dark[:0, :0], left, top)
        y, x = int(rows[0]), int(columns[0])
        cut = np.s_[y : int(rows[-1]) + 1, x : int(columns[-1]) + 1]
        return cls(np.ascontiguousarray(through[cut]), dark[cut].copy(), left + x, top + y)

    def press(self, picture: Picture, left: int = 0, top: int = 0) -> None:
        """Put it on the picture whose own left top lies at (left, top)."""
        height, width = self.through.shape[:2]
        x, y = self.left - left, self.top - top
        x0, y0 = max(0, x), max(0, y)
        x1, y1 = min(picture.shape[1], x + width), min(picture.shape[0], y + height)
        if x0 >= x1 or y0 >= y1:
            return
        cut = np.s_[y0 - y : y1 - y, x0 - x : x1 - x]
        below = cv2.multiply(picture[y0:y1, x0:x1], self.through[cut], scale=1 / 255)
        picture[y0:y1, x0:x1] = cv2.add(below, self.own[cut])


def lamplight(width: int, height: int, x: float, y: float, fall: float) -> Mask:
    """How bright each point is under a lamp over (x, y), given as fractions of the picture.

    1 below the lamp, ``1 - fall`` at about the picture's length from it.
    """
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    far = ((columns - x * width) ** 2 + (rows - y * height) ** 2) / float(width * width)
    return np.asarray(1 / (1 + far * fall / (1 - fall)), np.float32)


def blot(width: int, height: int, x: float, y: float, reach: float) -> Mask:
    """A soft shadow round (x, y), 1 in its middle; the place and ``reach`` are fractions."""
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    far = ((columns - x * width) ** 2 + (rows - y * height) ** 2) / float(width * width)
    return np.asarray(np.exp(-far / (2 * reach * reach)), np.float32)


def curved(picture: Picture, curve: Picture) -> Picture:
    """The picture with every grey level replaced as the curve says (256 × 1 × 3)."""
    return np.asarray(cv2.LUT(picture, curve), np.uint8)


def lit(picture: Picture, light: Mask) -> Picture:
    """The picture under this light, a little warmer where the light is weaker."""
    warmth = np.stack([light**1.15, light, light**0.92], axis=-1)
    return np.clip(picture * warmth, 0, 255).astype(np.uint8)


def sensor_noise(width: int, height: int, random: np.random.Generator, spread: float) -> Mask:
    """A camera's grain, height × width × 3, in grey levels."""
    grain = random.normal(0, spread, (height, width, 3)).astype(np.float32)
    return np.asarray(cv2.blur(grain, (2, 2)) * 1.6, np.float32)
