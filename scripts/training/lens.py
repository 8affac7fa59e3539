"""From light to a file: focus, motion, fringes, noise, sharpening, shrinking and JPEG.

Works on uint8 pictures and knows nothing of what is in them.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.geometry import Picture
from training.chance import GRAIN, Floats, Random, clouds, maybe, pick, spread

FOCUS = {"sharp": 0.24, "soft": 0.4, "blurred": 0.13, "uneven": 0.09, "moved": 0.06, "crisp": 0.08}


def photographed(picture: Picture, rng: Random) -> Picture:
    """The picture as some camera would hand it over."""
    picture = focused(picture, rng)
    if maybe(rng, 0.12):
        picture = fringed(picture, rng)
    if maybe(rng, 0.55):
        picture = noisy(picture, rng)
    if maybe(rng, 0.15):
        picture = shrunk_and_grown(picture, spread(rng, 0.3, 0.75), rng)
    if maybe(rng, 0.6):
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 96))]
        picture = cv2.imdecode(cv2.imencode(".jpg", picture, quality)[1], cv2.IMREAD_COLOR)
    return np.asarray(picture, np.uint8)


def focused(picture: Picture, rng: Random) -> Picture:
    """In focus, out of it, only in a part of the picture, or moved."""
    way = pick(rng, FOCUS)
    if way == "soft":
        return blurred(picture, rng.uniform(0.4, 1.3))
    if way == "blurred":
        return blurred(picture, rng.uniform(1.3, 3.2))
    if way == "uneven":
        return partly_in_focus(picture, rng)
    if way == "moved":
        size = int(rng.integers(3, 10))
        path = np.zeros((size, size), np.float32)
        ends = [tuple(int(part) for part in point) for point in rng.integers(0, size, (2, 2))]
        cv2.line(path, ends[0], ends[1], 1.0, 1)
        return np.asarray(cv2.filter2D(picture, -1, path / path.sum()), np.uint8)
    if way == "crisp":
        amount = rng.uniform(0.3, 1)
        soft = blurred(picture, rng.uniform(1, 2))
        return np.asarray(cv2.addWeighted(picture, 1 + amount, soft, -amount, 0), np.uint8)
    return picture


def blurred(picture: Picture, size: float) -> Picture:
    """A Gaussian blur."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), size), np.uint8)


def partly_in_focus(picture: Picture, rng: Random) -> Picture:
    """Sharp in one place and ever less so away from it."""
    side = len(picture)
    angle = rng.uniform(0, 2 * np.pi)
    y, x = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j]
    away = np.abs(x * np.cos(angle) + y * np.sin(angle) - rng.uniform(-0.8, 0.8))
    share = np.clip(away * rng.uniform(0.6, 1.6), 0, 1).astype(np.float32)[..., None]
    soft = blurred(picture, rng.uniform(1.5, 5))
    return (picture * (1 - share) + soft * share).astype(np.uint8)


def fringed(picture: Picture, rng: Random) -> Picture:
    """Blue and red a little larger or smaller than green."""
    side = len(picture)
    channels = list(cv2.split(picture))
    for channel in (0, 2):
        turn = cv2.getRotationMatrix2D((side / 2, side / 2), 0, 1 + rng.normal(0, 0.003))
        border = cv2.BORDER_REPLICATE
        channels[channel] = cv2.warpAffine(channels[channel], turn, (side, side), borderMode=border)
    return np.asarray(cv2.merge(channels), np.uint8)


def noisy(picture: Picture, rng: Random) -> Picture:
    """Grain of one colour or of three, fine or smeared."""
    side, amount = len(picture), rng.uniform(1, 11)
    noise: Floats = GRAIN.cut(rng, side, side)[..., None]
    if maybe(rng, 0.5):
        noise = np.dstack([GRAIN.cut(rng, side, side) for _ in range(3)])
    if maybe(rng, 0.2):
        noise = noise + clouds(rng, side, side, side / 4)[..., None]
    return np.clip(picture + noise * amount, 0, 255).astype(np.uint8)


def shrunk_and_grown(picture: Picture, factor: float, rng: Random) -> Picture:
    """The picture from fewer pixels."""
    side = len(picture)
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    how = cv2.INTER_LINEAR if maybe(rng, 0.5) else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(small, (side, side), interpolation=how), np.uint8)
