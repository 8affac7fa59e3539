"""What tiles lie on: tables, cloths, leather, stone, grass, floors, and printed things.

Answers a square float picture, flat and evenly lit; it is seen through the camera with all else.
Knows no tiles; some grounds have joints and seams that look like dividers, on purpose.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

from training.chance import (
    GRAIN,
    Floats,
    Random,
    clouds,
    coloured,
    grey,
    maybe,
    paint,
    pick,
    spread,
)

KINDS = {
    "plain": 0.3,
    "cloth": 0.13,
    "planks": 0.16,
    "bumps": 0.1,
    "stone": 0.06,
    "stripes": 0.07,
    "bricks": 0.05,
    "print": 0.07,
    "carpet": 0.06,
}


def ground(rng: Random, side: int) -> Floats:
    """A square picture of some surface, float, blue green red."""
    picture = KIND[pick(rng, KINDS)](rng, side).astype(np.float32)
    if maybe(rng, 0.7):
        picture += clouds(rng, side, side, rng.uniform(1.5, 7))[..., None] * rng.uniform(1, 14)
    if maybe(rng, 0.3):
        picture += clouds(rng, side, side, rng.uniform(10, 90))[..., None] * rng.uniform(1, 14)
    if maybe(rng, 0.15):
        second_surface(picture, rng)
    return picture


def base(rng: Random, side: int) -> Floats:
    """One colour: black, white, grey or any other."""
    way = pick(rng, {"black": 0.25, "white": 0.2, "grey": 0.15, "any": 0.4})
    colour = {
        "black": lambda: grey(rng, 0, 48, 4),
        "white": lambda: grey(rng, 215, 255, 4),
        "grey": lambda: grey(rng, 50, 215, 4),
        "any": lambda: coloured(rng, (20, 255), (25, 245)),
    }[way]()
    return np.full((side, side, 3), colour, np.float32)


def plain(rng: Random, side: int) -> Floats:
    """A smooth table or a sheet of paper."""
    picture = base(rng, side)
    if maybe(rng, 0.4):
        picture += GRAIN.cut(rng, side, side)[..., None] * rng.uniform(1, 7)
    return picture


def cloth(rng: Random, side: int) -> Floats:
    """Woven cloth, felt or a towel, with folds and hems."""
    picture = base(rng, side)
    picture += GRAIN.cut(rng, side, side)[..., None] * rng.uniform(2, 14)
    if maybe(rng, 0.4):
        y, x = np.mgrid[:side, :side].astype(np.float32)
        step = rng.uniform(3, 9)
        weave = np.sin(2 * np.pi * x / step) * np.sin(2 * np.pi * y / step)
        picture += weave[..., None] * rng.uniform(2, 14)
    for _ in range(int(rng.integers(0, 6))):
        folds(picture, rng)
    return picture


def folds(picture: Floats, rng: Random) -> None:
    """A soft crease across the picture: bright on one side, dark on the other."""
    side = len(picture)
    small = np.zeros((side // 4, side // 4), np.float32)
    start, end = rng.uniform(-0.2, 1.2, (2, 2)) * side / 4
    width = int(rng.integers(1, 6))
    points = [tuple(int(part) for part in point) for point in (start, end)]
    cv2.line(small, points[0], points[1], 1.0, width)
    soft = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.8, 4))
    slope = cv2.Sobel(soft, cv2.CV_32F, 1, 0) + cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    picture += cv2.resize(slope, (side, side))[..., None] * rng.uniform(15, 110)


def planks(rng: Random, side: int) -> Floats:
    """Wood with its grain, in boards with dark joints, some of them cut across."""
    tone = np.array([95.0, 145, 190]) * rng.uniform(0.25, 1.2) + rng.normal(0, 14, 3)
    picture = np.full((side, side, 3), tone, np.float32)
    for cells, strength in ((rng.integers(20, 120), 1.0), (rng.integers(150, 420), 0.6)):
        noise = rng.standard_normal((int(cells), int(rng.integers(2, 9))), np.float32)
        streaks = cv2.resize(noise, (side, side), interpolation=cv2.INTER_CUBIC)
        picture += streaks[..., None] * np.array([0.8, 0.95, 1]) * strength * rng.uniform(3, 17)
    if maybe(rng, 0.65):
        joints(picture, rng)
    return np.ascontiguousarray(picture.transpose(1, 0, 2)) if maybe(rng, 0.5) else picture


def joints(picture: Floats, rng: Random) -> None:
    """Boards across the picture, each in a shade of its own, with joints between."""
    side = len(picture)
    height = int(spread(rng, 20, 240))
    dark, width = paint(grey(rng, 0, 75, 5)), int(rng.integers(1, 10))
    for top in range(-int(rng.integers(height)), side, height):
        picture[max(top, 0) : max(top + height, 0)] *= rng.uniform(0.85, 1.15)
        cv2.line(picture, (0, top), (side, top), dark, width, cv2.LINE_AA)
        if maybe(rng, 0.6):
            x = int(rng.uniform(0, side))
            cv2.line(picture, (x, top), (x, top + height), dark, max(1, width // 2), cv2.LINE_AA)


def bumps(rng: Random, side: int) -> Floats:
    """Leather, terry, gravel, grass: bumps lit from one side."""
    picture = base(rng, side)
    bumpy = clouds(rng, side, side, spread(rng, 25, 220))
    bumpy = bumpy + 0.5 * clouds(rng, side, side, spread(rng, 60, 320))
    slope = cv2.Sobel(bumpy, cv2.CV_32F, 1, 0) * rng.normal()
    slope += cv2.Sobel(bumpy, cv2.CV_32F, 0, 1) * rng.normal()
    picture += (slope / (slope.std() + 1e-6))[..., None] * rng.uniform(3, 30)
    return picture


def stone(rng: Random, side: int) -> Floats:
    """Marble with veins, or speckled granite."""
    picture = base(rng, side)
    if maybe(rng, 0.6):
        veins = clouds(rng, side, side, rng.uniform(3, 9))
        veins = np.abs(veins + 0.4 * clouds(rng, side, side, rng.uniform(12, 40)))
        mark = np.exp(-veins * rng.uniform(4, 12))[..., None]
        return picture + mark * (coloured(rng) - picture.mean((0, 1))) * rng.uniform(0.2, 0.9)
    for _ in range(3):
        speckle = clouds(rng, side, side, spread(rng, 60, 300)) > rng.uniform(0.5, 1.5)
        picture += speckle[..., None] * rng.normal(0, 30, 3)
    return picture


def stripes(rng: Random, side: int) -> Floats:
    """Stripes or checks, hard or soft."""
    picture = base(rng, side)
    y, x = np.mgrid[:side, :side].astype(np.float32)
    angle, step = rng.uniform(0, np.pi), spread(rng, 8, 130)
    first = np.sin((x * math.cos(angle) + y * math.sin(angle)) * 2 * np.pi / step)
    pattern = (first > rng.uniform(-0.6, 0.6)).astype(np.float32)
    if maybe(rng, 0.45):
        other = np.sin((y * math.cos(angle) - x * math.sin(angle)) * 2 * np.pi / step)
        pattern = np.abs(pattern - (other > 0)) if maybe(rng, 0.5) else pattern + (other > 0)
    return picture + pattern[..., None] * rng.uniform(-1, 1, 3) * rng.uniform(10, 130)


def bricks(rng: Random, side: int) -> Floats:
    """Oblong floor tiles or parquet with joints: the shape of dominoes and no pip on them."""
    picture = base(rng, side)
    long, high = spread(rng, 40, 260), rng.uniform(0.35, 0.6)
    high, joint = long * high, max(1, int(rng.integers(1, 9)))
    colour = paint(coloured(rng, (0, 90)))
    for row in range(int(side / high) + 1):
        shift = (row % 2) * long / 2
        for column in range(-1, int(side / long) + 1):
            left, top = int(column * long + shift), int(row * high)
            corner = int(left + long), int(top + high)
            shade = picture[max(top, 0) : corner[1], max(left, 0) : max(corner[0], 0)]
            shade *= rng.uniform(0.85, 1.15)
            cv2.rectangle(picture, (left, top), corner, colour, joint)
    return picture


def printed(rng: Random, side: int) -> Floats:
    """Flowers, dots, letters: a printed cloth or a newspaper."""
    picture = base(rng, side).astype(np.uint8)
    way = pick(rng, {"dots": 0.4, "leaves": 0.3, "letters": 0.3})
    for _ in range(int(rng.integers(10, 130))):
        spot = tuple(int(part) for part in rng.integers(0, side, 2))
        size, colour = int(spread(rng, 3, 40)), paint(coloured(rng))
        if way == "dots":
            cv2.circle(picture, spot, size // 2 + 1, colour, -1, cv2.LINE_AA)
        elif way == "leaves":
            axes, turn = (size, max(1, size // 3)), float(rng.uniform(0, 360))
            cv2.ellipse(picture, spot, axes, turn, 0, 360, colour, -1, cv2.LINE_AA)
        else:
            word = "".join(chr(int(letter)) for letter in rng.integers(48, 122, 8))
            thick = max(1, size // 12)
            cv2.putText(picture, word, spot, int(rng.integers(0, 8)), size / 25, colour, thick)
    return picture.astype(np.float32)


def carpet(rng: Random, side: int) -> Floats:
    """Patches of a few colours and a coarse pile."""
    picture = base(rng, side)
    noise = clouds(rng, side, side, spread(rng, 8, 110))
    for low, high in ((0.35, 9), (-9, -0.5)):
        patch = ((noise > low) & (noise < high)).astype(np.float32)[..., None]
        picture += patch * (coloured(rng) - picture) * rng.uniform(0.5, 1)
    return picture + GRAIN.cut(rng, side, side)[..., None] * rng.uniform(4, 20)


KIND: dict[str, Callable[[Random, int], Floats]] = {
    "plain": plain,
    "cloth": cloth,
    "planks": planks,
    "bumps": bumps,
    "stone": stone,
    "stripes": stripes,
    "bricks": bricks,
    "print": printed,
    "carpet": carpet,
}


def second_surface(picture: Floats, rng: Random) -> None:
    """A mat, a sheet or the table's end over a part of the ground."""
    side = len(picture)
    outline = cv2.convexHull((rng.uniform(-0.4, 1.4, (4, 2)) * side).astype(np.int32))
    mask = np.zeros((side, side), np.uint8)
    cv2.fillConvexPoly(mask, outline, 255, cv2.LINE_AA)
    other = coloured(rng) + GRAIN.cut(rng, side, side)[..., None] * rng.uniform(0, 8)
    share = (mask / np.float32(255))[..., None]
    picture += (other.astype(np.float32) - picture) * share
