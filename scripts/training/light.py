"""Light on a scene: uneven lamps, shadows from outside, glare, film, and the camera's exposure.

Works on float pictures, 0 to 255 and beyond. Knows no tiles.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.vision.geometry import Picture
from training.chance import Floats, Random, clouds, maybe, pick, spread

METERED = 0.6
"""Share of the pictures that are exposed by what there is to see, as telephones do."""


def lamp(rng: Random) -> Floats:
    """The direction (3) in which the light travels, down into the table."""
    angle, slope = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 1.5)
    return np.array([math.cos(angle) * slope, math.sin(angle) * slope, 1.0])


def throw_shadows(picture: Picture, outlines: list[Floats], rng: Random, scale: float) -> None:
    """Darkens the picture where the outlines (n, 2) lie; ``scale`` is a tile length in pixels."""
    if not outlines or maybe(rng, 0.12):
        return
    side = len(picture) // 2
    mask = np.zeros((side, side), np.uint8)
    for outline in outlines:
        hull = cv2.convexHull(np.clip(outline / 2, -2000, 4000).astype(np.int32))
        cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA)
    softness = rng.uniform(0.3, 0.3 + 0.03 * scale)
    soft = cv2.GaussianBlur(mask, (0, 0), softness)
    share = cv2.resize(soft, picture.shape[1::-1]).astype(np.float32) / 255
    picture[:] = picture * (1 - share * np.float32(rng.uniform(0.2, 0.85)))[..., None]


def light_up(picture: Picture, rng: Random) -> Floats:
    """The picture under some light, seen with some exposure and white balance."""
    picture = picture.astype(np.float32)
    if maybe(rng, 0.6):
        picture = uneven(picture, rng)
    if maybe(rng, 0.2):
        picture = shadow_from_outside(picture, rng)
    if maybe(rng, 0.28):
        picture = picture + glare(rng, len(picture))[..., None]
    if maybe(rng, 0.07):
        picture = picture + film(rng, len(picture))[..., None]
    if maybe(rng, 0.5):
        picture = picture * np.clip(rng.normal(1, 0.1, 3), 0.65, 1.35).astype(np.float32)
    return exposed(picture, rng)


def uneven(picture: Floats, rng: Random) -> Floats:
    """Brighter here, darker there; now and then darker towards the corners."""
    side = len(picture)
    field = 1 + clouds(rng, side, side, 2 if maybe(rng, 0.6) else 4) * rng.uniform(0.03, 0.25)
    if maybe(rng, 0.3):
        y, x = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j]
        field = field * (1 - rng.uniform(0.1, 0.5) * (x * x + y * y) / 2).astype(np.float32)
    return picture * field[..., None]


def shadow_from_outside(picture: Floats, rng: Random) -> Floats:
    """The edge of somebody's shadow, or of the sun through a window."""
    side = len(picture) // 4
    mask = np.zeros((side, side), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        outline = cv2.convexHull((rng.uniform(-0.5, 1.5, (4, 2)) * side).astype(np.int32))
        cv2.fillConvexPoly(mask, outline, 1.0, cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), spread(rng, 0.4, 9))
    share = cv2.resize(soft, picture.shape[1::-1])
    return picture * (1 - share * rng.uniform(0.2, 0.75))[..., None]


def glare(rng: Random, side: int) -> Floats:
    """Light to add: bright patches of lamps and windows, hard or soft."""
    small = np.zeros((side // 8, side // 8), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        spot = tuple(int(part) for part in rng.integers(0, side // 8, 2))
        axes = tuple(int(part) for part in rng.integers(1, 16, 2))
        if maybe(rng, 0.7):
            turn = float(rng.uniform(0, 180))
            cv2.ellipse(small, spot, axes, turn, 0, 360, 1.0, -1)
        else:
            outline = np.array(spot) + rng.normal(0, 9, (4, 2))
            cv2.fillConvexPoly(small, cv2.convexHull(outline.astype(np.int32)), 1.0)
    soft = cv2.GaussianBlur(small, (0, 0), spread(rng, 0.6, 6))
    return cv2.resize(soft, (side, side)) * rng.uniform(30, 230)


def film(rng: Random, side: int) -> Floats:
    """Light to add: crumpled streaks as on plastic film."""
    small = np.zeros((side // 4, side // 4), np.float32)
    for _ in range(int(rng.integers(3, 18))):
        lean = rng.normal(0, 14, (4, 2)) * (1, rng.uniform(0.1, 1))
        outline = rng.uniform(0, side / 4, 2) + lean
        hull = cv2.convexHull(outline.astype(np.int32))
        cv2.fillConvexPoly(small, hull, float(rng.uniform(0.2, 1)))
    soft = cv2.GaussianBlur(small, (0, 0), spread(rng, 0.4, 2.5))
    return cv2.resize(soft, (side, side)) * rng.uniform(30, 180)


def metered(picture: Floats, rng: Random) -> Floats:
    """The picture as a camera exposes it by itself: what is dark on the whole comes out brighter,
    and white tiles on a dark table whiter than white; bright parts may be held back."""
    factor = rng.uniform(75, 150) / max(float(picture.mean()), 4.0)
    picture = picture * float(np.clip(factor, 0.6, 4.5))
    if maybe(rng, 0.5):
        steep = rng.uniform(1.1, 2.2)
        picture = 255 * (1 - np.exp(-steep * picture / 255)) / (1 - math.exp(-steep))
    return picture


def exposed(picture: Floats, rng: Random) -> Floats:
    """Darker, brighter, burnt out, flatter or steeper, washed out or in grey."""
    if maybe(rng, METERED):
        picture = metered(picture, rng)
    way = pick(rng, {"as it is": 0.4, "dim": 0.12, "darker": 0.24, "brighter": 0.18, "burnt": 0.06})
    factors = {"dim": (0.15, 0.6), "darker": (0.6, 1), "brighter": (1, 1.4), "burnt": (1.4, 2.6)}
    picture = np.clip(picture * rng.uniform(*factors.get(way, (1, 1))), 0, 255)
    if maybe(rng, 0.3):
        picture = 255 * np.power(picture / 255, rng.uniform(0.6, 1.6))
    if maybe(rng, 0.15):
        picture = (picture - 128) * rng.uniform(0.5, 1.4) + 128 + rng.uniform(-20, 20)
    if maybe(rng, 0.25):
        plain = picture.mean(2, keepdims=True)
        picture = plain + (picture - plain) * (0 if maybe(rng, 0.5) else rng.uniform(0.2, 1.7))
        picture = np.broadcast_to(picture, (*picture.shape[:2], 3))
    return picture


def bounded(picture: Floats) -> Picture:
    """The picture as the sensor counts it."""
    return np.clip(picture, 0, 255).astype(np.uint8)
