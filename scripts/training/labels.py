"""What is true of a rendered picture: where each tile's face lies and what can be read of it.

Whether a half can be read is judged from the finished picture: nothing may lie over the places
of pips, and every pip must differ from the body around it. What cannot be seen is not asked.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.geometry import Picture
from training.chance import Floats
from training.faces import Face

GRID = np.stack(np.meshgrid(np.linspace(0.03, 0.97, 15), np.linspace(0.06, 0.94, 8)), -1)
"""Places on a face, in shares of length and width, where it is tried whether it shows."""
RIM = 0.12
"""Share of a half at its edge where no set has pips."""
HIDDEN = 1
"""Covered places of a half above which it counts as covered."""
FAINT = 9.0
"""A pip that differs by fewer steps of brightness from its surroundings cannot be seen."""
UNREADABLE = -1
"""The value of a half that cannot be read."""


@dataclass(frozen=True)
class Label:
    """A tile: its ``corners`` (4, 2) in pixels, clockwise from the top left as if it lay on its
    long side; its ``ends`` (None for a face-down tile) and what can be ``read`` of them
    (``UNREADABLE`` for a half that is hidden, cut off, washed out or too faint); and which share
    of its face is ``visible``."""

    corners: Floats
    ends: tuple[int, int] | None
    read: tuple[int, int]
    visible: float


def labelled(
    photo: Picture, numbers: Picture, tiles: list[tuple[tuple[int, int] | None, Floats, Face]]
) -> list[Label]:
    """Labels of tiles that were laid in this order; ``numbers`` holds each one's place in the
    list, from 1 on, at the pixels where it shows."""
    labels = []
    for number, (ends, corners, face) in enumerate(tiles, 1):
        shown = shows(numbers, number, corners)
        visible = float(shown.mean())
        read = (UNREADABLE, UNREADABLE)
        if ends is not None:
            open_halves = uncovered(shown)
            one, other = (
                end if clear and pips_show(photo, corners, face, half) else UNREADABLE
                for half, (end, clear) in enumerate(zip(ends, open_halves))
            )
            read = (one, other)
            if ends == (0, 0) and not divider_shows(photo, corners):
                read = (UNREADABLE, UNREADABLE)
        labels.append(Label(corners, ends, read, visible))
    return labels


def on_photo(corners: Floats, shares: Floats) -> Floats:
    """Pixels (n, 2) of places (n, 2) on a face, given in shares of its length and width."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    turn = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    return cv2.perspectiveTransform(shares.reshape(1, -1, 2).astype(np.float32), turn)[0]


def shows(numbers: Picture, number: int, corners: Floats) -> Floats:
    """Where on the grid the tile shows, as a bool array of the grid's shape."""
    height, width = numbers.shape
    spots = np.floor(on_photo(corners, GRID)).astype(int)
    inside = (spots >= 0).all(1) & (spots[:, 0] < width) & (spots[:, 1] < height)
    held = np.zeros(len(spots), bool)
    x, y = spots[inside].T
    held[inside] = numbers[y, x] == number
    return held.reshape(GRID.shape[:2])


def uncovered(shown: Floats) -> tuple[bool, bool]:
    """Whether the places where pips may lie are open, in the left and in the right half."""
    along, across = GRID[..., 0], GRID[..., 1]
    inner = (across > RIM) & (across < 1 - RIM)
    left = inner & (along > RIM / 2) & (along < 0.5 - RIM / 2)
    right = inner & (along > 0.5 + RIM / 2) & (along < 1 - RIM / 2)
    hidden = [int((~shown[half]).sum()) for half in (left, right)]
    return hidden[0] <= HIDDEN, hidden[1] <= HIDDEN


def pips_show(photo: Picture, corners: Floats, face: Face, half: int) -> bool:
    """Whether every pip of the half can be told from the body in the finished picture."""
    pips = face.pips[half]
    if not len(pips):
        return True
    height, width = face.alpha.shape
    radius = pips[:, 2:] * [height / width, 1]
    steps = np.array([[0, 0], [-0.5, 0], [0.5, 0], [0, -0.5], [0, 0.5]])
    around = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 1.25
    within = sampled(photo, corners, pips[:, None, :2] + steps * radius[:, None])
    body = sampled(photo, corners, pips[:, None, :2] + around * radius[:, None])
    apart = np.abs(within - np.median(body, axis=1, keepdims=True)).max((1, 2))
    return bool(apart.min() >= FAINT)


def divider_shows(photo: Picture, corners: Floats) -> bool:
    """Whether the middle of a 0-0 can be told from its halves: else it may be a back."""
    across = np.linspace(0.3, 0.7, 9)
    middle, beside = (
        sampled(photo, corners, np.stack(np.meshgrid(along, across), -1))
        for along in ((0.485, 0.5, 0.515), (0.4, 0.43, 0.57, 0.6))
    )
    apart = np.abs(middle - np.median(beside, axis=1, keepdims=True)).max(2)
    return bool(np.median(apart.max(1)) >= FAINT)


def sampled(photo: Picture, corners: Floats, shares: Floats) -> Floats:
    """The photo's colours at places (..., 2) of a face."""
    spots = np.floor(on_photo(corners, shares)).astype(int)
    height, width = photo.shape[:2]
    x, y = np.clip(spots[:, 0], 0, width - 1), np.clip(spots[:, 1], 0, height - 1)
    return photo[y, x].astype(float).reshape(*shares.shape[:-1], 3)
