"""Which tiles lie against each other: the faces at which they can meet, and how well they do.

All lengths are in tiles, measured after the picture's slant is taken out, so that a tilted camera
makes no difference. Values only decide between joints that the places allow. Knows no hub.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.observation import Reading

Floats = NDArray[np.float64]

FRONT, SIDE, MIDDLE = 0, 1, 2
"""A face is a tile's end, the side of its end half, or the middle of a double's long side."""

_SLANT = 6.0
"""A view that shortens one direction this many times more than the other is not believed."""
_NEAR, _FAR = -0.22, 0.47
"""How much two faces may overlap, and how far apart they may lie."""
_ASIDE, _ASIDE_MIDDLE = 0.24, 0.3
"""How far two faces may be shifted against each other; people lay tiles on a double less well."""
_TURNED = math.radians(26)
"""How much a tile may be turned against the one that it lies on."""
_BEND = 0.8
"""What a corner costs, against going straight on; see ``Joints`` for the unit."""
_GAP_LONGEST, _GAP_SHORTEST = 1.75, 0.47
_GAP_TURNED = math.radians(15)


def level(tiles: Sequence[Reading]) -> Floats:
    """The 2×2 matrix that takes the picture's slant out: after it every tile is about 1 by ½.

    In the sense of least squares over the tiles' long and short sides; when those contradict each
    other, only the size is taken out.
    """
    corners = np.array([tile.corners for tile in tiles], np.float64).reshape(-1, 4, 2)
    along = (corners[:, 2] + corners[:, 3] - corners[:, 0] - corners[:, 1]) / 2
    across = corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]  # twice the short side
    unit = max(float(np.median(np.hypot(along[:, 0], along[:, 1]))), 1e-6)
    along, across = along / unit, across / unit
    rows = np.concatenate([_square(along, along), _square(across, across), _square(along, across)])
    aims = np.concatenate([np.ones(2 * len(along)), np.zeros(len(along))])
    a, b, c = np.linalg.lstsq(rows, aims, rcond=None)[0]
    values, vectors = np.linalg.eigh(np.array([(a, b), (b, c)]))
    if values[0] <= 0 or values[1] > _SLANT * values[0]:
        return np.eye(2) / unit
    return np.asarray(vectors @ np.diag(np.sqrt(values)) @ vectors.T / unit, np.float64)


def _square(one: Floats, other: Floats) -> Floats:
    """The rows of the equations one·M·other for M = ((a, b), (b, c))."""
    mixed = one[:, 0] * other[:, 1] + one[:, 1] * other[:, 0]
    return np.stack([one[:, 0] * other[:, 0], mixed, one[:, 1] * other[:, 1]], 1)


@dataclass(frozen=True)
class Faces:
    """Every face of every tile, one row each: places, outward directions, and what they show.

    ``second`` is the value that the reader thought of next, ``sure`` whether it had no doubt.
    """

    tile: NDArray[np.intp]
    end: NDArray[np.intp]
    kind: NDArray[np.intp]
    place: Floats
    out: Floats
    value: NDArray[np.intp]
    second: NDArray[np.intp]
    sure: NDArray[np.bool_]
    size: Floats

    @classmethod
    def of(cls, tiles: Sequence[Reading], levelled: Floats) -> Faces:
        """The faces of these tiles; ``levelled`` are their corners (n, 4, 2), slant taken out."""
        number = np.arange(len(tiles))
        ends = np.array([tile.ends for tile in tiles], np.intp)
        spare = [[-1 if value is None else value for value in tile.second] for tile in tiles]
        second, sure = np.array(spare, np.intp), np.array([tile.sure for tile in tiles])
        edges = (levelled + np.roll(levelled, -1, 1)) / 2
        out = edges - levelled.mean(1)[:, None]
        double = ends[:, 0] == ends[:, 1]
        parts = []
        for end in (0, 1):
            front = 2 * end
            shown = (ends[:, end], second[:, end])
            parts.append((number, end, FRONT, edges[:, front], out[:, front], *shown))
            for side in (1, 3):
                place = edges[:, side] + out[:, front] / 2
                some = (place, out[:, side], *shown)
                parts.append((number[~double], end, SIDE, *(part[~double] for part in some)))
        for side in (1, 3):
            some = (edges[:, side], out[:, side], ends[:, 0], second[:, 0])
            parts.append((number[double], side + 1, MIDDLE, *(part[double] for part in some)))
        tile, place, ways, value, other = (
            np.concatenate([part[column] for part in parts]) for column in (0, 3, 4, 5, 6)
        )
        which, kind = (
            np.concatenate([np.full(len(part[0]), part[column], np.intp) for part in parts])
            for column in (1, 2)
        )
        size = 2 * np.hypot(out[:, 0, 0], out[:, 0, 1])
        ways = ways / np.maximum(np.hypot(ways[:, 0], ways[:, 1]), 1e-9)[:, None]
        return cls(tile, which, kind, place, ways, value, other, sure[tile], size[tile])


@dataclass(frozen=True)
class Joint:
    """Two faces (their row numbers) that may lie against each other; the lower cost the better.

    ``fits`` tells whether the values agree, as far as they could be read; ``gap`` whether a tile
    that was not seen lies between them.
    """

    cost: float
    one: int
    other: int
    fits: bool
    gap: bool = False


def joints(faces: Faces) -> list[Joint]:
    """All pairs of faces that may belong together, best first.

    The cost is the sum of squares of distance, shift and turn, each in what people usually leave.
    """
    found: list[Joint] = []
    for kinds in ((FRONT, FRONT), (FRONT, SIDE), (FRONT, MIDDLE), (SIDE, MIDDLE)):
        first = np.flatnonzero(faces.kind == kinds[0])
        then = np.flatnonzero(faces.kind == kinds[1])
        if len(first) and len(then):
            found += _meeting(faces, first, then, kinds)
    return sorted(found, key=lambda joint: joint.cost)


def _meeting(
    faces: Faces, first: NDArray[np.intp], then: NDArray[np.intp], kinds: tuple[int, int]
) -> list[Joint]:
    """The joints between faces of one kind and faces of another."""
    ahead, aside, turned = _between(faces, first, then)
    most_aside = _ASIDE_MIDDLE if MIDDLE in kinds else _ASIDE
    good = (ahead > _NEAR) & (ahead < _FAR) & (np.abs(aside) < most_aside) & (turned < _TURNED)
    good &= faces.tile[first][:, None] != faces.tile[then]
    if kinds[0] == kinds[1]:
        good &= first[:, None] < then
    cost = (ahead / 0.22) ** 2 + (aside / 0.12) ** 2 + (turned / math.radians(11)) ** 2
    cost = cost + (_BEND if SIDE in kinds else 0.0)
    return [
        _joint(faces, int(first[a]), int(then[b]), float(cost[a, b])) for a, b in np.argwhere(good)
    ]


def _between(
    faces: Faces, first: NDArray[np.intp], then: NDArray[np.intp]
) -> tuple[Floats, Floats, Floats]:
    """How far ahead and aside of each of the first faces the others lie, and their turn."""
    size = (faces.size[first][:, None] + faces.size[then]) / 2
    way = faces.place[then] - faces.place[first][:, None]
    out, back = faces.out[first][:, None], -faces.out[then]
    middle = out + back
    middle = middle / np.maximum(np.hypot(middle[..., 0], middle[..., 1]), 1e-6)[..., None]
    ahead = (way * middle).sum(-1) / size
    aside = (way[..., 0] * middle[..., 1] - way[..., 1] * middle[..., 0]) / size
    turned = np.arccos(np.clip((out * back).sum(-1), -1, 1))
    return ahead, aside, turned


def _joint(faces: Faces, one: int, other: int, cost: float) -> Joint:
    """A joint with what the values say about it: a doubtful half may show its second value."""
    a, b = int(faces.value[one]), int(faces.value[other])
    if a == b:
        return Joint(cost, one, other, True)
    spare = faces.second[one], faces.second[other]
    doubtful = not (faces.sure[one] and faces.sure[other])
    if doubtful and (spare[0] in (b, spare[1]) and spare[0] >= 0 or spare[1] == a):
        return Joint(cost + 0.7, one, other, True)
    return Joint(cost + (1.5 if doubtful else 3.0), one, other, False)


def over_a_gap(faces: Faces) -> list[Joint]:
    """Ends that face each other with room for an unread tile between them, best first."""
    ends = np.flatnonzero((faces.kind == FRONT) | (faces.kind == MIDDLE))
    ahead, aside, turned = _between(faces, ends, ends)
    good = (ahead > _GAP_SHORTEST) & (ahead < _GAP_LONGEST) & (turned < _GAP_TURNED)
    good &= (np.abs(aside) < 0.14 + 0.14 * ahead) & (ends[:, None] < ends)
    good &= faces.tile[ends][:, None] != faces.tile[ends]
    cost = 3.0 + 2 * ahead + (aside / 0.15) ** 2 + (turned / math.radians(9)) ** 2
    found = [
        Joint(float(cost[a, b]), int(ends[a]), int(ends[b]), True, gap=True)
        for a, b in np.argwhere(good)
    ]
    return sorted(found, key=lambda joint: joint.cost)
