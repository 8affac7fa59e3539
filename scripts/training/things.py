"""Things that are no tiles: hands, toy trains, coins, dice, bricks, boxes, cards, cables, hubs.

They are painted on the picture, beneath the tiles or over them, and each answers where it is, so
that a tile under it counts as covered. Knows nothing of tiles.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

from companion.vision.geometry import Picture
from training.chance import Floats, Random, coloured, grey, maybe, paint, pick, spread

UNDER = {
    "coin": 0.1,
    "card": 0.13,
    "engine": 0.1,
    "fingers": 0.13,
    "cable": 0.07,
    "words": 0.07,
    "lump": 0.07,
    "die": 0.08,
    "bricks": 0.1,
    "keys": 0.06,
    "plain tile": 0.09,
}
OVER = {"fingers": 0.36, "engine": 0.28, "cable": 0.12, "lump": 0.12, "coin": 0.12}
SKIN = np.array([135.0, 165, 215])


def scatter(picture: Picture, rng: Random, count: int, scale: float, over: bool = False) -> Picture:
    """Paints ``count`` things of about ``scale`` pixels; answers the mask of where they are."""
    side = len(picture)
    covered = np.zeros((side, side), np.uint8)
    for _ in range(count):
        kind = pick(rng, OVER if over else UNDER)
        spot, size = rng.uniform(0, side, 2), scale * spread(rng, 0.4, 2.2)
        mask = THING[kind](picture, rng, spot, float(size))
        np.maximum(covered, mask, out=covered)
    return covered


def empty(picture: Picture) -> Picture:
    """A mask of nothing."""
    return np.zeros(picture.shape[:2], np.uint8)


def lay_over(picture: Picture, mask: Picture, colour: Floats) -> Picture:
    """Paints the mask in one colour, or in a picture's colours."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if len(rows):
        part = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
        share = mask[part][..., None] / np.float32(255)
        goal = colour[part] if colour.ndim == 3 else colour
        picture[part] = blended(picture[part], goal, share)
    return mask


def blended(under: Picture, over: Floats, share: Floats) -> Picture:
    """One over the other, with this share (0 to 1) of it."""
    return np.clip(under + (over - under) * share, 0, 255).astype(np.uint8)


def oblong(spot: Floats, length: float, width: float, angle: float) -> Floats:
    """The corners of a turned rectangle."""
    return cv2.boxPoints((tuple(map(float, spot)), (length, width), math.degrees(angle)))


def filled(picture: Picture, corners: Floats, colour: Floats) -> Picture:
    """Paints a convex polygon."""
    mask = empty(picture)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 255, cv2.LINE_AA)
    return lay_over(picture, mask, colour)


def dot(picture: Picture, spot: Floats, radius: float, colour: Floats) -> None:
    """Paints a round spot."""
    centre = (int(round(spot[0])), int(round(spot[1])))
    cv2.circle(picture, centre, max(1, int(round(radius))), paint(colour), -1, cv2.LINE_AA)


def coin(picture: Picture, rng: Random, spot: Floats, size: float) -> Picture:
    """A coin with a rim, or a round box."""
    mask = empty(picture)
    cv2.circle(mask, (int(spot[0]), int(spot[1])), max(2, int(size * 0.4)), 255, -1, cv2.LINE_AA)
    colour = coloured(rng, (0, 160), (60, 240), (5, 25))
    lay_over(picture, mask, colour)
    centre, radius = (int(spot[0]), int(spot[1])), max(1, int(size * 0.34))
    cv2.circle(picture, centre, radius, paint(colour * rng.uniform(0.6, 1.3)), 1, cv2.LINE_AA)
    return mask


def card(picture: Picture, rng: Random, spot: Floats, size: float) -> Picture:
    """A card, a telephone, a box, a sheet: with lines or spots on it, or bare."""
    angle = rng.uniform(0, np.pi)
    corners = oblong(spot, size * rng.uniform(0.9, 2.8), size * rng.uniform(0.7, 2), angle)
    colour = grey(rng, 180, 255, 5) if maybe(rng, 0.5) else coloured(rng)
    mask = filled(picture, corners, colour)
    ink = coloured(rng, (0, 255), (0, 190))
    if maybe(rng, 0.4):
        for share in np.linspace(0.15, 0.85, int(rng.integers(2, 9))):
            start = corners[0] + (corners[1] - corners[0]) * share
            end = start + (corners[3] - corners[0]) * rng.uniform(0.3, 0.95)
            points = [tuple(int(part) for part in point) for point in (start, end)]
            cv2.line(picture, points[0], points[1], paint(ink), max(1, int(size / 40)))
    elif maybe(rng, 0.5):
        for x, y in rng.uniform(0.15, 0.85, (int(rng.integers(1, 12)), 2)):
            place = corners[0] + (corners[1] - corners[0]) * x + (corners[3] - corners[0]) * y
            dot(picture, place, size * 0.06, ink)
    return mask


def engine(picture: Picture, rng: Random, spot: Floats, size: float) -> Picture:
    """A toy train: boxes in a row, a chimney, wheels, all in shades of one colour."""
    colour, angle = coloured(rng, (120, 255), (60, 255)), rng.uniform(0, 2 * np.pi)
    ahead = np.array([math.cos(angle), math.sin(angle)]) * size * 0.3
    mask = empty(picture)
    for number in range(int(rng.integers(2, 5))):
        place = spot + ahead * number
        shade = colour * rng.uniform(0.6, 1.2)
        width = size * rng.uniform(0.25, 0.55)
        box = filled(picture, oblong(place, size * 0.33, width, angle), shade)
        np.maximum(mask, box, out=mask)
        for _ in range(2):
            spot_on = place + rng.normal(0, 0.1, 2) * size
            dot(picture, spot_on, size * rng.uniform(0.03, 0.1), colour * rng.uniform(0.3, 1.4))
    return mask


def fingers(picture: Picture, rng: Random, spot: Floats, size: float) -> Picture:
    """Fingers from one side: round, with creases across and nails."""
    angle = rng.uniform(0, 2 * np.pi)
    ahead = np.array([math.cos(angle), math.sin(angle)])
    aside = np.array([-ahead[1], ahead[0]])
    width = size * rng.uniform(0.25, 0.5)
    tone = SKIN * rng.uniform(0.3, 1.15) + rng.normal(0, 8, 3)
    mask = empty(picture)
    for number in range(int(rng.integers(1, 5))):
        tip = spot + aside * number * width * 1.05 + ahead * rng.normal(0, width * 0.6)
        root = tip - ahead * size * 6 + aside * rng.normal(0, 0.3) * size
        points = [tuple(int(part) for part in point) for point in (tip, root)]
        one = empty(picture)
        cv2.line(one, points[0], points[1], 255, max(2, int(width)), cv2.LINE_AA)
        lay_over(picture, one, tone * rng.uniform(0.88, 1.06))
        lit = empty(picture)
        shift = aside * width * 0.18
        points = [tuple(int(part) for part in point + shift) for point in (tip, root)]
        cv2.line(lit, points[0], points[1], 120, max(1, int(width * 0.4)), cv2.LINE_AA)
        lay_over(picture, cv2.blur(lit, (max(1, int(width / 4)),) * 2), tone * 1.18)
        for share in (0.9, 1.0, 2.1, 2.2):
            middle = tip - ahead * width * share
            ends = [tuple(map(int, middle + aside * width * part)) for part in (-0.4, 0.4)]
            cv2.line(picture, ends[0], ends[1], paint(tone * 0.72), max(1, int(width / 22)))
        if maybe(rng, 0.5):
            axes = (max(1, int(width * 0.36)), max(1, int(width * 0.28)))
            centre = tuple(map(int, tip))
            nail, turn = paint(tone * 1.15 + 12), math.degrees(angle)
            cv2.ellipse(picture, centre, axes, turn, 0, 360, nail, -1, cv2.LINE_AA)
        np.maximum(mask, one, out=mask)
    return mask


def cable(picture: Picture, rng: Random, spot: Floats, size: float) -> Picture:
    """A pen, a stick or a bent cable."""
    mask = empty(picture)
    bend = spot + np.cumsum(rng.normal(0, size * 1.5, (4, 2)), 0)
    if maybe(rng, 0.5):
        bend = np.array([spot, spot + rng.normal(0, size * 2, 2)])
    thick = max(2, int(size * rng.uniform(0.04, 0.18)))
    cv2.polylines(mask, [bend.astype(np.int32)], False, 255, thick, cv2.LINE_AA)
    return lay_over(picture, mask, grey(rng, 0, 70, 4) if maybe(rng, 0.5) else coloured(rng))


def words(picture: Picture, rng: Random, spot: Floats, size: float) -> Picture:
    """Printed words."""
    mask = empty(picture)
    text = "".join(chr(int(letter)) for letter in rng.integers(33, 122, int(rng.integers(2, 12))))
    start = (int(spot[0] - size), int(spot[1]))
    thick = max(1, int(size / 16))
    cv2.putText(mask, text, start, int(rng.integers(0, 8)), size / 40, 255, thick, cv2.LINE_AA)
    return lay_over(picture, mask, coloured(rng))


def lump(picture: Picture, rng: Random, spot: Floats, size: float) -> Picture:
    """Any compact thing."""
    outline = cv2.convexHull((spot + rng.uniform(-0.6, 0.6, (8, 2)) * size).astype(np.int32))
    return filled(picture, outline[:, 0], coloured(rng))


def die(picture: Picture, rng: Random, spot: Floats, size: float) -> Picture:
    """A die, or two beside each other as they never lie on a tile."""
    angle, edge = rng.uniform(0, np.pi), size * 0.5
    body = grey(rng, 190, 255, 4) if maybe(rng, 0.7) else coloured(rng, (80, 255))
    ink = np.full(3, 20.0) if body.mean() > 110 else np.full(3, 240.0)
    mask = empty(picture)
    for number in range(int(rng.integers(1, 3))):
        place = spot + rng.normal(0, 1.6, 2) * edge * number
        corners = oblong(place, edge, edge, angle + number)
        np.maximum(mask, filled(picture, corners, body), out=mask)
        value = int(rng.integers(1, 7))
        steps = {1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8]}
        for cell in steps.get(value, [0, 2, 3, 5, 6, 8]):
            x, y = (cell % 3) * 0.28 + 0.22, (cell // 3) * 0.28 + 0.22
            at = corners[0] + (corners[1] - corners[0]) * x + (corners[3] - corners[0]) * y
            dot(picture, at, edge * 0.09, ink)
    return mask


def grid(picture: Picture, rng: Random, spot: Floats, size: float, round_ones: bool) -> Picture:
    """An oblong with a grid of round or square things on it, of the same colour or another.

    It has an odd number of columns, so that no tile looks like it.
    """
    columns, rows = int(rng.choice([3, 5, 7])), int(rng.integers(2, 5))
    cell, angle = size * rng.uniform(0.12, 0.3), rng.uniform(0, np.pi)
    corners = oblong(spot, cell * columns, cell * rows, angle)
    body = coloured(rng)
    mask = filled(picture, corners, body)
    other = body * rng.uniform(0.65, 1.25) if round_ones else coloured(rng)
    for x in (np.arange(columns) + 0.5) / columns:
        for y in (np.arange(rows) + 0.5) / rows:
            at = corners[0] + (corners[3] - corners[0]) * y + (corners[1] - corners[0]) * x
            if round_ones:
                dot(picture, at + cell * 0.05, cell * 0.32, body * 0.6)
                dot(picture, at, cell * 0.3, other)
            else:
                filled(picture, oblong(at, cell * 0.8, cell * 0.8, angle), other)
    return mask


def bricks(picture: Picture, rng: Random, spot: Floats, size: float) -> Picture:
    """A toy brick with studs."""
    return grid(picture, rng, spot, size, True)


def keys(picture: Picture, rng: Random, spot: Floats, size: float) -> Picture:
    """A keyboard, a calculator, a bar of chocolate."""
    return grid(picture, rng, spot, size * 1.5, False)


def plain_tile(picture: Picture, rng: Random, spot: Floats, size: float) -> Picture:
    """A thing as long as a tile with nothing on it: a rubber, a block, a lighter."""
    angle = rng.uniform(0, np.pi)
    corners = oblong(spot, size, size * rng.uniform(0.3, 0.6), angle)
    body = grey(rng, 0, 255, 10) if maybe(rng, 0.6) else coloured(rng)
    filled(picture, corners + size * 0.04, body * 0.4)
    return filled(picture, corners, body)


THING: dict[str, Callable[[Floats, Random, Floats, float], Picture]] = {
    "coin": coin,
    "card": card,
    "engine": engine,
    "fingers": fingers,
    "cable": cable,
    "words": words,
    "lump": lump,
    "die": die,
    "bricks": bricks,
    "keys": keys,
    "plain tile": plain_tile,
}
