"""Draws what lies on the simulated table besides tiles: hub, lamps, markers and a person's hand.

Everything is drawn as seen from above; sizes are in pixels per tile length. Knows no game.
"""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np

from companion.vision import scenery
from companion.vision.scenery import Colour, Mask, Picture

PLASTIC: Colour = (46, 43, 41)
SEAT_COLOURS: tuple[Colour, ...] = (
    (60, 60, 214),
    (196, 120, 40),
    (60, 170, 70),
    (40, 190, 236),
    (170, 70, 150),
    (30, 130, 240),
    (180, 170, 40),
    (150, 100, 240),
    (90, 90, 90),
    (60, 110, 150),
    (120, 200, 120),
    (200, 90, 90),
    (80, 200, 210),
    (130, 60, 90),
)
"""Marker colours by seat, BGR."""
MEXICAN_COLOUR: Colour = (236, 240, 242)
COPPER: Colour = (62, 104, 176)
SILVER: Colour = (176, 182, 186)
"""The metals of coins."""
_BITS = 4


def _points(spots: list[tuple[float, float]]) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    return np.round(np.array(spots) * (1 << _BITS)).astype(np.int32)


def _polygon(picture: Picture, spots: list[tuple[float, float]], colour: Colour) -> None:
    cv2.fillPoly(picture, [_points(spots)], colour, cv2.LINE_AA, _BITS)


def _disc(picture: Picture, x: float, y: float, radius: float, colour: Colour) -> None:
    one = 1 << _BITS
    centre = (round(x * one), round(y * one))
    cv2.circle(picture, centre, round(radius * one), colour, -1, cv2.LINE_AA, _BITS)


def _brighter(colour: Colour, factor: float) -> Colour:
    blue, green, red = (min(255.0, part * factor + 6 * (factor > 1)) for part in colour)
    return (blue, green, red)


def _ring(x: float, y: float, apothem: float, sides: int) -> list[tuple[float, float]]:
    """A polygon whose sides face the slots; the first slot points down."""
    radius = apothem / math.cos(math.pi / sides)
    turns = [math.pi / 2 + (n + 0.5) * 2 * math.pi / sides for n in range(sides)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


def draw_hub(picture: Picture, x: float, y: float, unit: float, ring: float, slots: int) -> None:
    """The dark hub with a side for each slot and a recess for the engine in its middle.

    ``ring`` is how far from the centre the trains begin, in tile lengths.
    """
    apothem = (ring - 0.02) * unit
    shape = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(shape, [_points(_ring(x, y, apothem, slots))], 255, cv2.LINE_AA, _BITS)
    shade = np.asarray(shape / np.float32(255), np.float32)
    scenery.darken(picture, shade, unit * 0.06, unit * 0.08, unit * 0.08, 0.55)
    _polygon(picture, _ring(x, y, apothem, slots), _brighter(PLASTIC, 1.75))
    _polygon(picture, _ring(x + 1, y + 2, apothem - unit * 0.02, slots), _brighter(PLASTIC, 0.6))
    _polygon(picture, _ring(x, y, apothem - unit * 0.045, slots), PLASTIC)
    _polygon(picture, _ring(x, y, apothem - unit * 0.3, slots), _brighter(PLASTIC, 1.12))
    _polygon(picture, _ring(x, y + 1, apothem - unit * 0.32, slots), PLASTIC)
    half_x, half_y = 0.56 * unit, 0.31 * unit
    for grow, colour in ((0.03, 1.6), (0.012, 0.45), (0.0, 0.72)):
        more = grow * unit
        spots = [(x + a * (half_x + more), y + b * (half_y + more)) for a, b in _SQUARE]
        _polygon(picture, spots, _brighter(PLASTIC, colour))


_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def draw_lamp(picture: Picture, x: float, y: float, unit: float, lit: bool) -> None:
    """The small lamp beside a slot."""
    if lit:
        reach = math.ceil(unit * 0.3)
        rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
        glow = np.exp(-(rows**2 + columns**2) / (2 * (unit * 0.09) ** 2)) * 0.75
        amber = np.empty((*glow.shape, 3), np.uint8)
        amber[:] = (60, 170, 255)
        mask = np.asarray(glow, np.float32)
        scenery.paste(picture, amber, mask, round(x) - reach, round(y) - reach)
    _disc(picture, x, y, unit * 0.06, (30, 28, 28))
    _disc(picture, x, y, unit * 0.042, (190, 240, 255) if lit else (40, 62, 78))


def draw_marker(
    picture: Picture, x: float, y: float, angle: float, unit: float, colour: Colour
) -> None:
    """A little toy locomotive seen from above, heading where ``angle`` points (radians)."""
    cos, sin = math.cos(angle), math.sin(angle)

    def at(along: float, across: float) -> tuple[float, float]:
        return (
            x + unit * (along * cos - across * sin),
            y + unit * (along * sin + across * cos),
        )

    def box(x0: float, x1: float, half: float, paint: Colour) -> None:
        _polygon(picture, [at(x0, -half), at(x1, -half), at(x1, half), at(x0, half)], paint)

    footprint = np.zeros(picture.shape[:2], np.uint8)
    outline = [at(-0.26, -0.13), at(0.24, -0.13), at(0.24, 0.13), at(-0.26, 0.13)]
    cv2.fillPoly(footprint, [_points(outline)], 255, cv2.LINE_AA, _BITS)
    shade = np.asarray(footprint / np.float32(255), np.float32)
    scenery.darken(picture, shade, unit * 0.05, unit * 0.07, unit * 0.035, 0.5)
    for along in (-0.16, 0.0, 0.15):
        for across in (-0.125, 0.125):
            _disc(picture, *at(along, across), unit * 0.05, _brighter(colour, 0.45))
    box(-0.26, 0.25, 0.11, _brighter(colour, 0.7))
    box(-0.06, 0.24, 0.085, colour)
    box(-0.05, 0.23, 0.03, _brighter(colour, 1.25))
    box(-0.25, -0.05, 0.13, _brighter(colour, 0.9))
    box(-0.23, -0.07, 0.105, _brighter(colour, 1.15))
    _disc(picture, *at(0.15, 0.0), unit * 0.055, _brighter(colour, 0.6))
    _disc(picture, *at(0.15, 0.0), unit * 0.032, (24, 22, 22))
    _disc(picture, *at(0.03, 0.0), unit * 0.035, _brighter(colour, 1.35))


def draw_token(picture: Picture, x: float, y: float, unit: float, colour: Colour) -> None:
    """A coloured plastic counter with a raised rim."""
    _shade_disc(picture, x, y, unit * 0.16, unit)
    _disc(picture, x, y, unit * 0.16, _brighter(colour, 0.72))
    _disc(picture, x - 1, y - 1, unit * 0.15, _brighter(colour, 1.18))
    _disc(picture, x, y, unit * 0.118, _brighter(colour, 0.85))
    _disc(picture, x + 0.5, y + 0.5, unit * 0.11, colour)


def draw_coin(picture: Picture, x: float, y: float, unit: float, colour: Colour) -> None:
    """A coin of this metal: a bright rim, a worn head in its middle."""
    _shade_disc(picture, x, y, unit * 0.15, unit)
    _disc(picture, x, y, unit * 0.15, _brighter(colour, 0.6))
    _disc(picture, x - 0.7, y - 0.7, unit * 0.142, _brighter(colour, 1.3))
    _disc(picture, x, y, unit * 0.125, colour)
    _disc(picture, x + 0.02 * unit, y - 0.02 * unit, unit * 0.055, _brighter(colour, 0.72))
    _disc(picture, x + 0.01 * unit, y + 0.06 * unit, unit * 0.042, _brighter(colour, 0.78))
    _disc(picture, x - 0.04 * unit, y - 0.05 * unit, unit * 0.02, _brighter(colour, 1.4))


def _shade_disc(picture: Picture, x: float, y: float, radius: float, unit: float) -> None:
    """The shadow of something round and flat."""
    footprint = np.zeros(picture.shape[:2], np.uint8)
    cv2.circle(footprint, (round(x), round(y)), round(radius), 255, -1, cv2.LINE_AA)
    shade = np.asarray(footprint / np.float32(255), np.float32)
    scenery.darken(picture, shade, unit * 0.03, unit * 0.04, unit * 0.025, 0.5)


_SKIN: Colour = (132, 166, 216)
_SLEEVE: Colour = (128, 92, 62)

# The hand points up, its palm's middle at (0, 0): capsules from one end to the other with the
# radius at both ends, in hand lengths (wrist to finger tips is about 1.7).
_FINGERS = (
    ((-0.30, -0.25), (-0.44, -0.86), 0.125, 0.095),
    ((-0.12, -0.35), (-0.17, -1.06), 0.13, 0.10),
    ((0.09, -0.35), (0.10, -1.10), 0.135, 0.10),
    ((0.29, -0.28), (0.36, -0.96), 0.125, 0.095),
    ((-0.26, 0.28), (-0.72, -0.20), 0.17, 0.115),
)
_PALM = ((0.0, -0.14), (0.0, 0.34), 0.44, 0.36)
_WRIST = ((0.0, 0.4), (0.04, 3.4), 0.28, 0.5)
_CUFF = ((0.02, 1.5), (0.05, 4.0), 0.48, 0.7)


def _capsule(
    rows: Mask, columns: Mask, part: tuple[tuple[float, float], tuple[float, float], float, float]
) -> tuple[Mask, ...]:
    """How high a rounded limb stands over each point (0 outside), and which way it slopes."""
    (x0, y0), (x1, y1), r0, r1 = part
    dx, dy = x1 - x0, y1 - y0
    share = np.clip(((columns - x0) * dx + (rows - y0) * dy) / (dx * dx + dy * dy), 0, 1)
    off_x, off_y = columns - (x0 + share * dx), rows - (y0 + share * dy)
    radius = r0 + share * (r1 - r0)
    slope_x, slope_y = off_x / radius, off_y / radius
    height = np.sqrt(np.clip(1 - slope_x**2 - slope_y**2, 0, None)) * radius
    return tuple(np.asarray(part, np.float32) for part in (height, slope_x, slope_y))


def hand_and_arm(length: int, angle: float) -> tuple[Picture, Mask, tuple[int, int]]:
    """A hand with its sleeved arm: picture, mask, and where the palm's middle is in it.

    ``length`` is the palm's scale in pixels; ``angle`` (radians) turns it clockwise from pointing
    up. The arm reaches far enough to leave the picture.
    """
    reach = math.ceil(length * 4.2)
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32) / length
    cos, sin = math.cos(angle), math.sin(angle)
    turned_x, turned_y = columns * cos + rows * sin, -columns * sin + rows * cos
    light = (scenery.LIGHT[0] * cos + scenery.LIGHT[1] * sin,
             -scenery.LIGHT[0] * sin + scenery.LIGHT[1] * cos)  # fmt: skip
    picture = np.zeros((*turned_x.shape, 3), np.float32)
    mask = np.zeros(turned_x.shape, np.float32)
    parts = [(_WRIST, _SKIN), (_PALM, _SKIN), *((f, _SKIN) for f in _FINGERS), (_CUFF, _SLEEVE)]
    for part, colour in parts:
        height, slope_x, slope_y = _capsule(turned_y, turned_x, part)
        shade = (
            0.80 + 0.16 * height / max(part[2:]) + 0.26 * (slope_x * light[0] + slope_y * light[1])
        )
        if part is _PALM or part is _WRIST:
            shade = 0.90 + 0.12 * (slope_x * light[0] + slope_y * light[1])
        there = np.clip(height * length / 2.2, 0, 1)[..., None]
        picture = picture * (1 - there) + np.array(colour, np.float32) * shade[..., None] * there
        mask = np.maximum(mask, there[..., 0])
    whole = picture / np.maximum(mask, 0.02)[..., None]
    image = cv2.GaussianBlur(np.clip(whole, 0, 255).astype(np.uint8), (0, 0), length * 0.008)
    return np.asarray(image, np.uint8), mask, (reach, reach)


@lru_cache(maxsize=12)
def hand_stamp(length: int, angle: float) -> scenery.Stamp:
    """A hand with its arm and shadow, the middle of its palm at (0, 0)."""
    image, mask, (at_x, at_y) = hand_and_arm(length, angle)
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), length * 0.08), np.float32)
    reach = math.ceil(length * 4.4)

    def paint(picture: Picture) -> None:
        left, top = reach - at_x, reach - at_y
        scenery.darken(picture, soft, left + length * 0.12, top + length * 0.16, 0, 0.4)
        scenery.paste(picture, image, mask, left, top)

    return scenery.Stamp.of((-reach, -reach, reach + 1, reach + 1), paint)


def draw_hand_over(picture: Picture, x: float, y: float, length: int, angle: float) -> None:
    """Lay a person's hand on the picture, the middle of its palm at (x, y)."""
    hand_stamp(length, angle).press(picture, -round(x), -round(y))
