"""What one set of dominoes looks like: drawn at random, so that no two pictures share a set.

Bodies, pips, dividers and layouts vary more than any maker would let them, for the networks are
to count pips whatever the make. Knows no picture and no place on a table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from companion.pips import HIGHEST
from training.chance import Floats, Random, coloured, grey, maybe, pick, spread

BODIES = {"white": 0.5, "ivory": 0.16, "black": 0.15, "coloured": 0.09, "grey": 0.05, "wood": 0.05}
SETS = {"6": 0.22, "9": 0.08, "12": 0.38, "15": 0.16, "18": 0.16}
DIVIDERS = {"bar": 0.5, "line": 0.22, "groove": 0.14, "none": 0.1, "dashes": 0.04}
DIVIDERS_ON_BLACK = {"bar": 0.2, "line": 0.28, "groove": 0.12, "none": 0.36, "dashes": 0.04}
LEAST_CONTRAST = 30
"""Pip and body differ at least by this much in brightness, or by twice this in one channel."""


@dataclass(frozen=True)
class Style:
    """The look of a set; lengths are in tile widths unless said otherwise.

    ``glints`` are the angles to the light at which each pip shines: one lamp, or several.
    ``rolled`` is the share of the thickness by which the face's edge is rolled over the side.
    """

    highest: int
    body: Floats
    dark: bool
    grain: float
    length: float
    thickness: float
    rounding: float
    bevel: float
    side: Floats
    two_layers: bool
    rolled: float
    pips: tuple[Floats, ...]
    radius: float
    edge: float
    across: bool
    short_row: str
    old_seven: bool
    divider: str
    divider_colour: Floats
    divider_width: float
    divider_length: float
    spinner: bool
    frame: bool
    sunk: float
    gloss: float
    glints: tuple[float, ...]
    hollow: bool
    wear: float
    film: float
    wrapped: bool
    back: str
    layouts: dict[int, int] = field(default_factory=dict)


def any_style(rng: Random) -> Style:
    """A set as no maker has made it, and as any might."""
    body, dark, grain = any_body(rng)
    highest = int(pick(rng, SETS))
    sunk = rng.uniform(0.2, 1) if maybe(rng, 0.65) else 0.0
    small = highest <= 6
    return Style(
        highest=highest,
        body=body,
        dark=dark,
        grain=grain,
        length=rng.uniform(1.84, 2.2),
        thickness=rng.uniform(0.1, 0.5) if maybe(rng, 0.85) else rng.uniform(0.5, 0.8),
        rounding=rng.uniform(0.02, 0.2),
        bevel=rng.uniform(0.1, 1),
        side=any_side(rng, body),
        two_layers=maybe(rng, 0.15),
        rolled=rng.uniform(0.08, 0.5) if maybe(rng, 0.4) else 0.0,
        pips=any_pips(rng, body, dark),
        radius=rng.uniform(0.07, 0.12) if small else rng.uniform(0.055, 0.118),
        edge=rng.uniform(0.165, 0.27),
        across=maybe(rng, 0.2),
        short_row=pick(rng, {"outer": 0.28, "inner": 0.2, "long": 0.52}),
        old_seven=maybe(rng, 0.12),
        divider=pick(rng, DIVIDERS_ON_BLACK if dark else DIVIDERS),
        divider_colour=divider_colour(rng, body, dark),
        divider_width=rng.uniform(0.03, 0.09),
        divider_length=rng.uniform(0.55, 1.0),
        spinner=maybe(rng, 0.22),
        frame=maybe(rng, 0.07),
        sunk=sunk,
        gloss=rng.uniform(0.15, 0.5) if maybe(rng, 0.5) else 0.0,
        glints=any_glints(rng),
        hollow=maybe(rng, 0.02),
        wear=rng.uniform(0, 0.6) if maybe(rng, 0.25) else 0.0,
        film=rng.uniform(0.2, 1) if maybe(rng, 0.2) else 0.0,
        wrapped=maybe(rng, 0.42),
        back=pick(rng, {"plain": 0.5, "lines": 0.15, "oval": 0.15, "letters": 0.2}),
        layouts={value: int(rng.integers(8)) for value in range(2, 17)},
    )


def any_glints(rng: Random) -> tuple[float, ...]:
    """One glint towards the light; or two that face each other, as between two lamps; or more."""
    way = pick(rng, {"one": 0.6, "two": 0.28, "more": 0.12})
    if way == "one":
        return (0.0,)
    if way == "two":
        return 0.0, math.pi + rng.normal(0, 0.5)
    return tuple(float(angle) for angle in rng.uniform(0, 2 * math.pi, int(rng.integers(3, 5))))


def any_side(rng: Random, body: Floats) -> Floats:
    """The colour of the sides: the body's, a shade of it, or another."""
    way = pick(rng, {"same": 0.4, "shade": 0.42, "other": 0.18})
    if way == "other":
        return coloured(rng)
    return body * (rng.uniform(0.9, 1.03) if way == "same" else rng.uniform(0.5, 0.9))


def any_body(rng: Random) -> tuple[Floats, bool, float]:
    """Body colour, whether it is dark, and how strongly its grain shows."""
    kind = pick(rng, BODIES)
    grain = rng.uniform(1, 7) if maybe(rng, 0.25) else 0.0
    if kind == "white":
        return grey(rng, 205, 255, 3), False, grain
    if kind == "ivory":
        light = rng.uniform(195, 255)
        return light - np.array([rng.uniform(15, 75), rng.uniform(4, 22), 0]), False, grain
    if kind == "black":
        return grey(rng, 8, 75, 5), True, grain
    if kind == "grey":
        return grey(rng, 110, 205, 6), False, grain
    if kind == "coloured":
        body = coloured(rng, (60, 235), (70, 255))
        return body, bool(body.mean() < 85), grain
    return np.array([125.0, 172, 212]) * rng.uniform(0.55, 1.1), False, rng.uniform(4, 16)


def any_pips(rng: Random, body: Floats, dark: bool) -> tuple[Floats, ...]:
    """A pip colour for each value from 0 on: one for all, or one each."""
    way = pick(rng, {"one": 0.42, "each": 0.48, "pale": 0.1})
    one = pip_colour(rng, body, dark, maybe(rng, 0.25))
    if way == "one" or (dark and maybe(rng, 0.75)):
        return (one,) * (HIGHEST + 1)
    pale = way == "pale"
    return tuple(pip_colour(rng, body, dark, True, pale) for _ in range(HIGHEST + 1))


def pip_colour(rng: Random, body: Floats, dark: bool, hued: bool, pale: bool = False) -> Floats:
    """A colour that can be told from the body."""
    for _ in range(8):
        if dark:
            colour = coloured(rng, (0, 200), (150, 255)) if hued else grey(rng, 175, 255, 6)
        elif hued:
            colour = coloured(rng, (90, 255), (150, 255) if pale else (40, 250))
            if maybe(rng, 0.2):
                colour = grey(rng, 90, 190, 6)
        else:
            colour = grey(rng, 0, 65, 4)
        apart = np.abs(colour - body)
        if abs(colour.mean() - body.mean()) > LEAST_CONTRAST or apart.max() > 2 * LEAST_CONTRAST:
            return colour
    return np.full(3, 15.0 if body.mean() > 115 else 240.0)


def divider_colour(rng: Random, body: Floats, dark: bool) -> Floats:
    """Black, white, brass, or a shade of the body."""
    kind = pick(rng, {"plain": 0.62, "brass": 0.16, "shade": 0.22})
    if kind == "brass":
        return np.array([75.0, 160, 205]) * spread(rng, 0.5, 1.2)
    if kind == "shade":
        return body * rng.uniform(0.45, 0.92) if not dark else np.minimum(body * 2 + 25, 255)
    return grey(rng, 170, 255, 4) if dark else grey(rng, 0, 70, 4)
