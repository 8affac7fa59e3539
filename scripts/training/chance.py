"""Small draws that every part of the renderer shares, all from a generator the caller seeds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Random = np.random.Generator
Floats = NDArray[np.floating[Any]]


def maybe(rng: Random, chance: float) -> bool:
    """True with this chance."""
    return bool(rng.random() < chance)


def pick(rng: Random, weights: Mapping[str, float]) -> str:
    """One of the names, each as often as its weight says."""
    names = list(weights)
    shares = np.array([weights[name] for name in names], float)
    return names[int(rng.choice(len(names), p=shares / shares.sum()))]


def spread(rng: Random, low: float, high: float) -> float:
    """A number between the two, every factor as likely as any other."""
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def coloured(
    rng: Random,
    saturation: tuple[float, float] = (0, 255),
    value: tuple[float, float] = (0, 255),
    hue: tuple[float, float] = (0, 180),
) -> Floats:
    """A colour (blue, green, red, 0 to 255) of any hue within the limits that OpenCV's HSV has."""
    drawn = [[[rng.uniform(*hue) % 180, rng.uniform(*saturation), rng.uniform(*value)]]]
    pixel = cv2.cvtColor(np.array(drawn).astype(np.uint8), cv2.COLOR_HSV2BGR)
    return pixel[0, 0].astype(np.float32)


def grey(rng: Random, low: float, high: float, tint: float = 0) -> Floats:
    """A colour between two brightnesses, its channels apart by about ``tint``."""
    drawn = rng.uniform(low, high) + tint * rng.normal(size=3)
    return np.clip(drawn, 0, 255).astype(np.float32)


def paint(colour: Floats) -> tuple[float, float, float]:
    """The colour as OpenCV wants it."""
    blue, green, red = (float(part) for part in np.clip(colour, 0, 255))
    return blue, green, red


def clouds(rng: Random, height: int, width: int, cells: float, channels: int = 1) -> Floats:
    """Smooth noise with about ``cells`` bumps along the longer side, mean 0, deviation 0.8.

    Of shape (height, width), or (height, width, channels) for several channels.
    """
    step = max(height, width) / cells
    size = (max(2, round(height / step)) + 1, max(2, round(width / step)) + 1)
    coarse = rng.standard_normal((*size, channels), np.float32)
    fine = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(fine.reshape(height, width, channels) if channels > 1 else fine)


class Grain:
    """Fine noise without end: windows into one noisy picture, drawn once."""

    SIDE = 1500

    def __init__(self) -> None:
        self._picture = np.random.default_rng(1).standard_normal((self.SIDE,) * 2, np.float32)

    def cut(self, rng: Random, height: int, width: int) -> Floats:
        """Independent noise for each pixel, mean 0, deviation 1."""
        top, left = rng.integers(0, self.SIDE - height), rng.integers(0, self.SIDE - width)
        return self._picture[top : top + height, left : left + width]


GRAIN = Grain()
