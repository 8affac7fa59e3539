"""What the refiner and the value reader learn from: cut-outs of a scene with the right answers.

The cut-outs are made by the reader's own code, so that training and reading see alike. Outlines
are moved about as the network before makes mistakes, and some lie where no tile is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.vision import refine, values
from companion.vision.geometry import Picture, Pyramid, is_sound
from training.chance import Floats, Random, maybe, spread
from training.labels import Label

NO_TILE = values.VALUES
"""The answer "this is no tile" for a half."""
WHOLE, PARTLY = 0.87, 0.45
"""From which visible share a tile counts as a tile, and up to which as none."""
MOST = 12
"""Tiles of one scene that are cut out."""
SMALL = 20.0
"""Shorter tiles, in pixels, are not cut out."""


@dataclass
class Cuts:
    """Cut-outs for the value reader with their two values, and for the refiner with its nine
    answers: the corners where the cut's edges are at -1 and 1, and 1 for a tile."""

    value_pictures: list[Picture] = field(default_factory=list)
    value_answers: list[tuple[int, int]] = field(default_factory=list)
    refiner_pictures: list[Picture] = field(default_factory=list)
    refiner_answers: list[Floats] = field(default_factory=list)

    def add_value(self, photo: Pyramid, outline: Floats, answer: tuple[int, int]) -> None:
        """One more example for the value reader."""
        if is_sound(outline):
            size = (values.WIDTH, values.HEIGHT, values.MARGIN)
            self.value_pictures.append(photo.cut(outline, *size))
            self.value_answers.append(answer)

    def add_refiner(self, photo: Pyramid, outline: Floats, truth: Floats | None) -> None:
        """One more example for the refiner: a rough outline and the tile's corners, if any."""
        straight, centre, axes = straightened(outline)
        if not is_sound(straight):
            return
        answer = np.zeros(9, np.float32)
        if truth is not None:
            placed = (truth - centre) @ np.linalg.inv(axes * refine.MARGIN)
            if np.abs(placed).max() > 1.7:
                return
            answer[:8], answer[8] = placed.ravel(), 1
        size = (refine.WIDTH, refine.HEIGHT, refine.MARGIN)
        self.refiner_pictures.append(photo.cut(straight, *size))
        self.refiner_answers.append(answer)


def straightened(outline: Floats) -> tuple[Floats, Floats, Floats]:
    """The outline as a parallelogram, its centre, and its half-axes (2, 2): along, across."""
    centre = outline.mean(0)
    along = (outline[1] + outline[2] - outline[0] - outline[3]) / 4
    across = (outline[2] + outline[3] - outline[0] - outline[1]) / 4
    axes = np.stack([along, across])
    return centre + refine.SIGNS @ axes, centre, axes


def parallelogram(centre: Floats, axes: Floats) -> Floats:
    """The corners about a centre with these half-axes."""
    return centre + refine.SIGNS @ axes


def turned(corners: Floats) -> Floats:
    """The same tile, begun at its other end."""
    return corners[[2, 3, 0, 1]]


def is_whole(label: Label) -> bool:
    """Whether this is a face-up tile that shows as good as all of its face."""
    return label.ends is not None and label.visible >= WHOLE and length(label.corners) >= SMALL


def is_none(label: Label) -> bool:
    """Whether this is to count as no tile: face down, or more hidden than seen."""
    return label.ends is None or label.visible < PARTLY


def length(corners: Floats) -> float:
    """Pixels along a tile."""
    return float(np.hypot(*(corners[1] + corners[2] - corners[0] - corners[3]))) / 2


def cut_scene(picture: Picture, labels: list[Label], rng: Random) -> Cuts:
    """Examples of one scene."""
    photo, cuts = Pyramid(picture), Cuts()
    whole = [label for label in labels if is_whole(label)]
    rng.shuffle(whole)
    for label in whole[:MOST]:
        cut_tile(photo, label, cuts, rng)
    partly = [label for label in labels if label.ends and PARTLY <= label.visible < WHOLE]
    for label in partly[:4]:
        cuts.add_value(photo, off_a_little(label.corners, rng), label.read)
    nothing = [label for label in labels if is_none(label)]
    rng.shuffle(nothing)
    for label in nothing[:5]:
        cuts.add_value(photo, off_a_little(label.corners, rng), (NO_TILE, NO_TILE))
        cuts.add_refiner(photo, rough(label.corners, rng), None)
    for label in whole[:MOST]:
        if maybe(rng, 0.35):
            cut_beside(photo, label, cuts, rng)
    for _ in range(2):
        cut_anywhere(photo, labels, cuts, rng)
    return cuts


def cut_tile(photo: Pyramid, label: Label, cuts: Cuts, rng: Random) -> None:
    """A tile for the value reader once, for the refiner twice."""
    corners, read = label.corners, label.read
    if maybe(rng, 0.5):
        corners, read = turned(corners), read[::-1]
    cuts.add_value(photo, off_a_little(corners, rng), (read[0], read[1]))
    for _ in range(2):
        corners = turned(label.corners) if maybe(rng, 0.5) else label.corners
        cuts.add_refiner(photo, rough(corners, rng), corners)


def off_a_little(corners: Floats, rng: Random) -> Floats:
    """The outline as far off as the refiner leaves it."""
    _, centre, axes = straightened(corners)
    amount = float(rng.choice([0.4, 1.0, 1.6], p=[0.4, 0.45, 0.15]))
    shift, stretch = rng.normal(0, 0.025 * amount, 2), rng.normal(0, 0.03 * amount, (2, 2))
    moved = (
        centre
        + shift @ axes
        + (corners - centre) @ np.linalg.inv(axes) @ ((np.eye(2) + stretch) @ axes)
    )
    return moved + rng.normal(0, 0.012 * amount, (4, 2)) * length(corners)


def rough(corners: Floats, rng: Random) -> Floats:
    """The outline as far off as the finder leaves it, as a parallelogram."""
    _, centre, axes = straightened(corners)
    amount = float(rng.choice([0.35, 1.0, 1.4]))
    centre = centre + rng.normal(0, (0.14 * amount, 0.22 * amount)) @ axes
    angle = rng.normal(0, 0.12 * amount)
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    axes = (axes * np.exp(rng.normal(0, 0.17 * amount, (2, 1)))) @ turn
    axes[1] += axes[0] * rng.normal(0, 0.07 * amount)
    return parallelogram(centre, axes)


def cut_beside(photo: Pyramid, label: Label, cuts: Cuts, rng: Random) -> None:
    """An outline that is wrong: between two tiles, on one half, across the tile."""
    _, centre, axes = straightened(label.corners)
    way = rng.random()
    sign = float(rng.choice([-1, 1]))
    if way < 0.4:
        centre = centre + axes[0] * sign * rng.uniform(0.7, 1.1)
    elif way < 0.6:
        centre = centre + axes[1] * sign * rng.uniform(0.8, 1.2)
    elif way < 0.8:
        centre = centre + axes[0] * rng.choice([-0.5, 0, 0.5, 1, -1])
        axes = np.stack([axes[1] * rng.uniform(1, 2), axes[0] * rng.uniform(0.4, 0.6)])
    else:
        centre = centre + axes[0] * sign * 0.5
        axes = axes * [[0.5], [rng.uniform(0.5, 1)]]
    outline = parallelogram(centre, axes)
    cuts.add_refiner(photo, outline, None)
    cuts.add_value(photo, outline, (NO_TILE, NO_TILE))


def cut_anywhere(photo: Pyramid, labels: list[Label], cuts: Cuts, rng: Random) -> None:
    """An outline on the ground, or on whatever lies there that is no tile."""
    size, angle = spread(rng, 15, 150), rng.uniform(0, 2 * math.pi)
    along = np.array([math.cos(angle), math.sin(angle)]) * size
    across = np.array([-along[1], along[0]]) * rng.uniform(0.3, 0.6)
    outline = parallelogram(rng.uniform(0.05, 0.95, 2) * photo.width, np.stack([along, across]))
    sharp = outline.astype(np.float32)
    for label in labels:
        corners = label.corners.astype(np.float32)
        if cv2.intersectConvexConvex(sharp, corners)[0] > 0.15 * cv2.contourArea(sharp):
            return
    cuts.add_refiner(photo, outline, None)
    cuts.add_value(photo, outline, (NO_TILE, NO_TILE))
