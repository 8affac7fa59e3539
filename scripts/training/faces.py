"""Draws the face of one tile, flat and straight on: body, divider and pips, as a texture.

Knows the style of the set and the two values; not where the tile lies. Pips are placed by
``companion.pips``; other layouts that makers use stand beside it here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from companion.pips import places
from companion.vision.geometry import Picture
from training.chance import Floats, Random, clouds, paint, spread
from training.styles import Style

BITS = 4
"""OpenCV draws in sixteenths of a pixel."""
OWN_EDGE = 0.2
"""Where ``companion.pips`` puts the outer pips."""


def in_rows(counts: tuple[int, ...]) -> list[tuple[float, float]]:
    """Rows along the tile with so many pips each, evenly spread."""
    levels = np.linspace(OWN_EDGE, 1 - OWN_EDGE, len(counts))
    return [
        (float(x), float(y))
        for y, count in zip(levels, counts)
        for x in (np.linspace(OWN_EDGE, 1 - OWN_EDGE, count) if count > 1 else [0.5] * count)
    ]


OTHERS: dict[int, tuple[list[tuple[float, float]], ...]] = {
    2: (in_rows((1, 1)),),
    3: (in_rows((1, 1, 1)), in_rows((0, 3, 0))),
    7: (in_rows((2, 3, 2)),),
    10: (in_rows((3, 4, 3)), in_rows((4, 0, 4)) + [(0.4, 0.5), (0.6, 0.5)]),
    11: (in_rows((4, 0, 4)) + in_rows((0, 3, 0)),),
    13: (in_rows((4, 5, 4)),) * 3 + (in_rows((5, 3, 5)),) * 5,
    14: (in_rows((5, 4, 5)),) * 8,
    15: (in_rows((5, 5, 5)),) * 8,
    16: (in_rows((6, 4, 6)), in_rows((5, 6, 5))),
}
"""Layouts that other makers take; each entry stands for an eighth of the sets."""


@dataclass(frozen=True)
class Face:
    """A drawn face: colours, opacity, and its pips as (x, y, radius) in shares of the picture's
    width and height (the radius in heights), those of the left half and those of the right."""

    picture: Picture
    alpha: Picture
    pips: tuple[Floats, Floats]


def half_places(value: int, style: Style) -> Floats:
    """Pip centres (n, 2) in the unit square of a half, x from its outer edge to the divider."""
    spots = np.array(other_layout(value, style) or places(value), float).reshape(-1, 2)
    spots = 0.5 + (spots - 0.5) * (0.5 - style.edge) / (0.5 - OWN_EDGE)
    turned = (style.across and value >= 10) or (style.old_seven and value in (6, 7, 8))
    return spots[:, ::-1] if turned else spots


def other_layout(value: int, style: Style) -> list[tuple[float, float]] | None:
    """Another layout of the value where this set has one."""
    way = style.layouts.get(value, 0)
    if value in (13, 14, 15) and style.short_row != "long":
        across = (value - 12, 4, 4, 4) if style.short_row == "outer" else (4, 4, 4, value - 12)
        return [(x, y) for y, x in in_rows(across)]
    others = OTHERS.get(value, ())
    return others[way] if way < len(others) else None


def draw_face(
    ends: tuple[int, int] | None,
    style: Style,
    long_side: int,
    light: Floats,
    rng: Random,
) -> Face:
    """A tile's face ``long_side`` pixels long, or the back of a tile without ``ends``.

    ``light`` is the direction on the face from which the light comes.
    """
    width = max(24, int(long_side))
    height = max(12, round(width / style.length))
    picture = bare(style, width, height, rng)
    pips = (np.empty((0, 3)), np.empty((0, 3)))
    if ends is None:
        draw_back(picture, style, rng)
    else:
        draw_divider(picture, style)
        halves = [
            draw_pips(picture, value, style, bool(right), light, rng)
            for right, value in enumerate(ends)
        ]
        pips = (halves[0], halves[1])
    alpha = rounded(width, height, style.rounding)
    picture = shaded(picture, alpha, style, light)
    if style.film:
        cover = wrap if style.wrapped else scuff
        cover(picture, style.film, rng)
    return Face(picture, alpha, pips)


def bare(style: Style, width: int, height: int, rng: Random) -> Picture:
    """The body with its grain and wear."""
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = style.body + rng.normal(0, 2.5)
    if style.grain:
        long_cells = 3 if style.grain > 7.5 else 6
        streaks = cv2.resize(
            rng.standard_normal((height // 2 + 2, long_cells), np.float32),
            (width, height),
            interpolation=cv2.INTER_CUBIC,
        )
        picture += style.grain * streaks[..., None]
    if style.wear:
        stains = np.maximum(clouds(rng, height, width, rng.uniform(4, 14)) - 0.9, 0)
        picture -= style.wear * 60 * stains[..., None]
    return np.clip(picture, 0, 255).astype(np.uint8)


def box(picture: Picture, left: float, top: float, right: float, bottom: float, colour: Floats):
    """A filled rectangle, its edges where they are told in fractions of pixels."""
    unit = 1 << BITS
    corners = [(round(x * unit), round(y * unit)) for x, y in ((left, top), (right, bottom))]
    cv2.rectangle(picture, *corners, paint(colour), -1, cv2.LINE_AA, BITS)


def disc(picture: Picture, x: float, y: float, radius: float, colour: Floats) -> None:
    """A filled circle with its centre and radius in fractions of pixels."""
    unit = 1 << BITS
    centre = (round((x - 0.5) * unit), round((y - 0.5) * unit))
    cv2.circle(picture, centre, round(radius * unit), paint(colour), -1, cv2.LINE_AA, BITS)


def draw_divider(picture: Picture, style: Style) -> None:
    """Bar, line, groove, dashes or nothing between the halves; the pin; the frame."""
    height, width = picture.shape[:2]
    middle, centre = width / 2, height / 2
    if style.frame:
        inset = 0.07 * height
        corners = [(round(inset), round(inset)), (round(width - inset), round(height - inset))]
        thick = max(1, round(0.02 * height))
        cv2.rectangle(picture, *corners, paint(style.divider_colour), thick, cv2.LINE_AA)
    reach = style.divider_length * height / 2
    half = style.divider_width * height / 2
    if style.divider == "line":
        half, reach = max(0.5, 0.012 * height), max(reach, 0.42 * height)
    if style.divider == "dashes":
        for start in np.linspace(-reach, reach, 7)[:-1]:
            top = centre + start
            box(picture, middle - half, top, middle + half, top + reach / 5, style.divider_colour)
    elif style.divider != "none":
        colour = style.body * 0.55 if style.divider == "groove" else style.divider_colour
        box(picture, middle - half, centre - reach, middle + half, centre + reach, colour)
        if style.divider == "groove":
            edge = np.minimum(style.body * 1.15 + 8, 255)
            box(picture, middle + half, centre - reach, middle + 1.5 * half, centre + reach, edge)
    if style.spinner:
        size = (0.05 + style.divider_width / 2) * height
        brass = np.array([85.0, 165, 205])
        disc(picture, middle, centre, size, brass * 0.75)
        disc(picture, middle - 0.2 * size, centre - 0.2 * size, 0.6 * size, brass * 1.15)


def draw_pips(
    picture: Picture, value: int, style: Style, right: bool, light: Floats, rng: Random
) -> Floats:
    """The pips of one half; answers where they are, as in ``Face``."""
    height, width = picture.shape[:2]
    spots = half_places(value, style)
    if right:
        spots = 1 - spots
    spots = spots + rng.normal(0, 0.008, spots.shape)
    radius = height * fitting_radius(spots * [style.length / 2, 1], style.radius)
    colour = style.pips[value] + rng.normal(0, 3)
    shade = colour * (0.6 if colour.mean() > 60 else 1) + (35 if colour.mean() <= 60 else 0)
    drawn = []
    for x, y in spots:
        x, y = (x + right) * width / 2, y * height
        drawn.append((x / width, y / height, radius / height))
        if style.sunk:
            rim = style.body * (1 - 0.3 * style.sunk) + (30 * style.sunk if style.dark else 0)
            disc(picture, x, y, radius * 1.13, rim)
        disc(picture, x, y, radius, colour)
        if style.hollow and radius > 3:
            disc(picture, x, y, radius * 0.45, style.body)
        elif style.sunk and radius > 2.2:
            inner = colour + style.sunk * 0.7 * (shade - colour)
            off = radius * 0.18
            disc(picture, x + light[0] * off, y + light[1] * off, radius * 0.78, inner)
        if style.gloss and radius > 1.8:
            shine(picture, (x, y), radius, colour, style, light)
    return np.array(drawn).reshape(-1, 3)


def shine(
    picture: Picture,
    spot: tuple[float, float],
    radius: float,
    colour: Floats,
    style: Style,
    light: Floats,
) -> None:
    """The glints of one pip."""
    away = radius * (0.38 if style.sunk < 0.5 else -0.42)
    size = radius * style.gloss * (1 if len(style.glints) == 1 else 0.75)
    for angle in style.glints:
        cosine, sine = math.cos(angle) * away, math.sin(angle) * away
        x = spot[0] + light[0] * cosine - light[1] * sine
        y = spot[1] + light[0] * sine + light[1] * cosine
        disc(picture, x, y, size, colour * 0.25 + 190)


def fitting_radius(spots: Floats, wished: float) -> float:
    """The radius, in tile widths, that keeps pips at these places apart and on the tile."""
    if len(spots) < 2:
        return wished
    apart = np.hypot(*np.moveaxis(spots[:, None] - spots[None], 2, 0))
    nearest = float(apart[apart > 0].min())
    return min(wished, 0.42 * nearest, float(spots.min()) - 0.03)


def draw_back(picture: Picture, style: Style, rng: Random) -> None:
    """What is printed on the back of a tile, if anything."""
    height, width = picture.shape[:2]
    colour, thick = paint(rng.uniform(0, 255, 3)), max(1, height // 30)
    if style.back == "lines":
        for x in np.linspace(0, width, int(rng.integers(3, 12))):
            lean = int(rng.uniform(-0.5, 0.5) * height)
            cv2.line(picture, (int(x), 0), (int(x) + lean, height), colour, thick, cv2.LINE_AA)
    elif style.back == "oval":
        size = (int(width * rng.uniform(0.1, 0.4)), int(height * rng.uniform(0.1, 0.4)))
        centre = (width // 2, height // 2)
        cv2.ellipse(picture, centre, size, 0, 0, 360, colour, thick, cv2.LINE_AA)
    elif style.back == "letters":
        word = "".join(chr(65 + int(letter)) for letter in rng.integers(0, 26, 4))
        font, start = int(rng.integers(0, 8)), (int(0.15 * width), int(0.65 * height))
        cv2.putText(picture, word, start, font, height / 55, colour, thick, cv2.LINE_AA)


def wrap(picture: Picture, amount: float, rng: Random) -> None:
    """Plastic film over the tile: a veil, and clusters of sharp glints in its wrinkles."""
    height, width = picture.shape[:2]
    shine = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(0, 4))):
        spot, reach = rng.uniform(0, 1, 2) * (width, height), rng.uniform(0.08, 0.35) * height
        for _ in range(int(rng.integers(3, 22))):
            outline = spot + rng.normal(0, reach, 2) + rng.normal(0, 0.05 * height, (4, 2))
            hull = cv2.convexHull(outline.astype(np.int32))
            cv2.fillConvexPoly(shine, hull, float(rng.uniform(0.2, 1)))
    shine = cv2.GaussianBlur(shine, (0, 0), rng.uniform(0.004, 0.03) * height + 0.3)
    veil = np.maximum(clouds(rng, height, width, rng.uniform(2, 9)), 0) * 0.12
    share = np.clip(amount * (shine + veil), 0, 1)[..., None]
    picture[:] = picture + (255 - picture.astype(np.float32)) * share


def scuff(picture: Picture, amount: float, rng: Random) -> None:
    """A worn gloss that mirrors a lamp in patches with ragged edges, as bright as the lamp."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    shine = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        spot, reach = rng.uniform(0, 1, 2) * (width, height), rng.uniform(0.1, 0.5) * height
        away = np.hypot(x - spot[0], (y - spot[1]) * rng.uniform(0.6, 1.6)) / reach
        ragged = clouds(rng, height, width, spread(rng, 5, 45)) * rng.uniform(0.3, 0.9)
        shine = np.maximum(shine, np.clip((1 - away + ragged) * rng.uniform(2, 9), 0, 1))
    share = (rng.uniform(0.4, 1) * amount * shine)[..., None]
    picture[:] = picture + (255 - picture.astype(np.float32)) * share


def rounded(width: int, height: int, rounding: float) -> Picture:
    """The opacity of a face with rounded corners."""
    alpha = np.zeros((height, width), np.uint8)
    curve = max(1, round(rounding * height))
    cv2.rectangle(alpha, (curve, 0), (width - 1 - curve, height - 1), 255, -1)
    cv2.rectangle(alpha, (0, curve), (width - 1, height - 1 - curve), 255, -1)
    for x in (curve, width - 1 - curve):
        for y in (curve, height - 1 - curve):
            cv2.circle(alpha, (x, y), curve, 255, -1, cv2.LINE_AA)
    return alpha


def shaded(picture: Picture, alpha: Picture, style: Style, light: Floats) -> Picture:
    """The face with its edges bevelled: bright towards the light, dark away from it."""
    size = max(1, round(picture.shape[0] * 0.035))
    padded = cv2.copyMakeBorder(alpha, size, size, size, size, cv2.BORDER_CONSTANT, value=0)
    soft = cv2.blur(cv2.blur(padded, (2 * size + 1,) * 2), (size | 1,) * 2)
    height_map = soft[size:-size, size:-size].astype(np.float32) / 255
    slope_x = cv2.Sobel(height_map, cv2.CV_32F, 1, 0) * size * 0.35
    slope_y = cv2.Sobel(height_map, cv2.CV_32F, 0, 1) * size * 0.35
    lit = -(slope_x * light[0] + slope_y * light[1]) - 0.35 * (1 - height_map)
    factor = 1 + 0.75 * style.bevel * lit
    return np.clip(picture * factor[..., None], 0, 255).astype(np.uint8)
