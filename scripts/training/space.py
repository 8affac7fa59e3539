"""Boxes on a table seen through a camera: where their faces and sides appear in the picture.

Lengths are tile lengths. The table is the plane z = 0 with z growing *into* the table, x to the
right and y towards the people who look, so that what lies on the table has a negative z. Knows
no colours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from training.chance import Floats

SIGNS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
"""The corners of a face along and across, clockwise as seen."""


def cross(one: Floats, other: Floats) -> Floats:
    """The vector product of two vectors (3)."""
    (a, b, c), (d, e, f) = one, other
    return np.array([b * f - c * e, c * d - a * f, a * e - b * d])


@dataclass(frozen=True)
class Camera:
    """A pinhole camera: ``place`` (3), ``turn`` (3, 3; rows right, down and ahead), ``focal``
    length in pixels, and the ``side`` of its square picture in pixels."""

    place: Floats
    turn: Floats
    focal: float
    side: int

    @staticmethod
    def over(
        centre: Floats, scale: float, elevation: float, roll: float, focal: float, side: int
    ) -> Camera:
        """Looks at ``centre`` (x, y) on the table, where a tile length shows as ``scale`` pixels.

        ``elevation`` is the angle above the table (a quarter turn: straight down), ``roll`` turns
        the picture.
        """
        ahead = np.array([0, -math.cos(elevation), math.sin(elevation)])
        right = np.array([1.0, 0, 0])
        down = cross(ahead, right)
        cosine, sine = math.cos(roll), math.sin(roll)
        turn = np.array([cosine * right + sine * down, cosine * down - sine * right, ahead])
        place = np.array([*centre, 0.0]) - ahead * focal / scale
        return Camera(place, turn, focal, side)

    def see(self, points: Floats) -> Floats:
        """Points (..., 3) in pixels (..., 2); what is behind the camera comes out far away."""
        seen = (points - self.place) @ self.turn.T
        depth = np.maximum(seen[..., 2:], 0.05)
        return seen[..., :2] / depth * self.focal + self.side / 2

    def distance(self, points: Floats) -> Floats:
        """How far ahead of the camera points (..., 3) are."""
        return (points - self.place) @ self.turn[2]


@dataclass(frozen=True)
class Block:
    """A tile as a box: the ``middle`` of its face, unit vectors ``along`` and ``across`` the face,
    and its ``width`` and ``thickness``; it is one long."""

    middle: Floats
    along: Floats
    across: Floats
    width: float
    thickness: float

    @cached_property
    def inward(self) -> Floats:
        """The direction from the face into the tile."""
        return cross(self.along, self.across)

    @cached_property
    def face(self) -> Floats:
        """The four corners (4, 3) of the face, clockwise as seen."""
        return self.at(SIGNS + 0.5)

    @property
    def back(self) -> Floats:
        """The corners behind those of the face."""
        return self.face + self.inward * self.thickness

    @property
    def corners(self) -> Floats:
        """All eight corners."""
        return np.concatenate([self.face, self.back])

    def at(self, shares: Floats) -> Floats:
        """Points (n, 3) of the face at shares (n, 2) of its length and width."""
        x, y = shares[:, :1] - 0.5, (shares[:, 1:2] - 0.5) * self.width
        return self.middle + x * self.along + y * self.across

    def shows_face(self, camera: Camera) -> bool:
        """Whether the camera is in front of the face."""
        return bool(self.inward @ (self.middle - camera.place) > 0)

    def sides(self, camera: Camera) -> list[tuple[Floats, Floats]]:
        """The sides that the camera can see: corners (4, 3) and the outward direction of each."""
        face, back, visible = self.face, self.back, []
        outward = (-self.across, self.along, self.across, -self.along)
        for number, direction in enumerate(outward):
            after = (number + 1) % 4
            quad = np.array([face[number], face[after], back[after], back[number]])
            if direction @ (quad.mean(0) - camera.place) < 0:
                visible.append((quad, direction))
        return visible

    def shadow(self, light: Floats) -> Floats:
        """The corners (8, 3) thrown on the table by light that travels along ``light`` (3)."""
        corners = self.corners
        return corners - corners[:, 2:] / light[2] * light


def lying(x: float, y: float, angle: float, width: float, thickness: float) -> Block:
    """A tile that lies on the table, turned by ``angle``."""
    along = np.array([math.cos(angle), math.sin(angle), 0])
    across = np.array([-math.sin(angle), math.cos(angle), 0])
    return Block(np.array([x, y, -thickness]), along, across, width, thickness)


def standing(
    x: float, y: float, angle: float, lean: float, upright: bool, width: float, thickness: float
) -> Block:
    """A tile on its long edge, or ``upright`` on its short one, its face leaning back by ``lean``.

    It faces the camera when ``angle`` is about 0.
    """
    level = np.array([math.cos(angle), math.sin(angle), 0])
    forward = np.array([-math.sin(angle), math.cos(angle), 0])
    falling = forward * math.sin(lean) + np.array([0, 0, math.cos(lean)])
    along, across = (falling, -level) if upright else (level, falling)
    height = 1.0 if upright else width
    middle = np.array([x, y, 0.0]) - falling * height / 2
    return Block(middle, along, across, width, thickness)
