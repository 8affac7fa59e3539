"""Which tile lies in the hub's engine slot.

The trains tell where the slot is: their first tiles lie round it like spokes, so their long axes
meet in it, also when the camera looks from the side. While too few trains have begun, the place
that was given (or the picture's middle) must do. Only geometry speaks here: no tile's value says
where the hub is, and no round says which double should lie in it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.observation import PhotoReading, Point, Reading

MIDDLE: Point = (0.5, 0.5)

_SPOKES = 4
"""So many directions that meet say where the hub is, wherever that lies in the picture."""
_FEW_SPOKES = 3
"""So many are enough where the hub is expected anyway."""
_EXPECTED = 0.26
"""How far from the expected place the hub may be, in shorter sides of the picture."""
_GIVEN = 1.5
"""How far from a given centre the trains may meet, in tile lengths, before it is doubted."""
_NEAREST, _FARTHEST = 0.8, 5.0
"""Between which distances from the slot a train's first tile lies, in its own lengths."""
_SAME_WAY = math.radians(14)
"""Tiles closer than this, as seen from the hub, belong to one train: the nearest counts."""
_RING = 0.35
"""How much the first tiles' distances may differ, in tile lengths; a hub's slots lie on a ring."""
_POINTS = 0.2
"""A tile that points at a place less well than this is no spoke of it."""
_TRIED = 60
"""So many crossings of axes are tried in earnest."""
_ONE_PLACE = 0.1
"""Crossings closer than this, in tile lengths, are one."""
_SHIFT, _TURN = 0.08, 0.04
"""Spread of an axis: sideways, in tile lengths, and in direction, in radians."""
_IN_SLOT = 0.55
"""How far from the slot's middle the engine's own middle may lie, in tile lengths."""
_ALONE = 0.85
"""Between the engine and the nearest other tile's middle lies more than this, in lengths."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class HubLook:
    """What was made out of the hub.

    ``centre`` is the engine slot's middle in pixels and ``length`` a tile's length there (None when
    there is no tile to tell). ``trains`` counts the directions that meet in it, 0 when it is only
    expected there. ``tile`` is what lies in the slot; ``certain`` is False where its place or its
    reading is in doubt.
    """

    centre: Point
    length: float | None
    trains: int
    tile: Reading | None
    certain: bool = True

    @property
    def engine(self) -> Reading | None:
        """The double in the slot."""
        return self.tile if self.tile is not None and self.tile.tile.is_double else None


@dataclass(frozen=True)
class _Axes:
    """The tiles as arrows: middles, unit directions, lengths; one row a tile."""

    middles: Floats
    ways: Floats
    lengths: Floats

    @classmethod
    def of(cls, tiles: tuple[Reading, ...]) -> _Axes:
        corners = np.array([tile.corners for tile in tiles], np.float64).reshape(-1, 4, 2)
        first, second = corners[:, :2].mean(1), corners[:, 2:].mean(1)
        along = second - first
        lengths = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-6)
        return cls((first + second) / 2, along / lengths[:, None], lengths)

    def crossings(self) -> Floats:
        """Where two axes cross at more than a slight angle, one row a pair."""
        one, other = np.triu_indices(len(self.lengths), 1)
        sine = _cross(self.ways[one], self.ways[other])
        good = np.abs(sine) > math.sin(math.radians(20))
        one, other, sine = one[good], other[good], sine[good]
        step = _cross(self.middles[other] - self.middles[one], self.ways[other]) / sine
        return self.middles[one] + self.ways[one] * step[:, None]

    def pointing(self, places: Floats) -> tuple[Floats, Floats]:
        """How well each tile points at each place (0 to 1), and its distance in its own lengths.

        ``places`` is one point or a row of points; the tiles come last in what is returned.
        """
        off = self.middles - places[..., None, :]
        far = np.hypot(off[..., 0], off[..., 1]) / self.lengths
        aside = np.abs(_cross(off, self.ways)) / self.lengths
        fit = np.exp(-0.5 * (aside / (_SHIFT + _TURN * far)) ** 2)
        return np.where((far < _NEAREST) | (far > _FARTHEST), 0.0, fit), far


def _cross(one: Floats, other: Floats) -> Floats:
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0], np.float64)


def look_at_hub(reading: PhotoReading, centre: Point | None = None) -> HubLook:
    """Find the engine slot and what lies in it.

    ``centre`` is where the slot is known to be, as fractions of the picture's width and height;
    None means that nobody said.
    """
    given = centre is not None
    share = centre or MIDDLE
    expected = np.array((share[0] * reading.width, share[1] * reading.height))
    side = min(reading.width, reading.height)
    axes = _Axes.of(reading.tiles)
    place, spokes = _convergence(axes, expected, _EXPECTED * side)
    if spokes and given:
        typical = float(np.median(axes.lengths))
        off = math.dist(place, expected) / typical
        if off > _GIVEN:
            return replace(_at(reading, axes, expected, 0), certain=False)
        if off > _IN_SLOT and spokes < _SPOKES:
            return _at(reading, axes, expected, 0)  # so few may meet anywhere
    if spokes:
        return _at(reading, axes, place, spokes)
    if given:
        return _at(reading, axes, expected, 0)
    return _near(reading, axes, expected, _EXPECTED * side)


def find_engine(reading: PhotoReading, centre: Point | None = None) -> Reading | None:
    """The double in the engine slot, None when no double lies there."""
    return look_at_hub(reading, centre).engine


def _convergence(axes: _Axes, expected: Floats, reach: float) -> tuple[Floats, int]:
    """Where the trains' first tiles meet, and how many do; 0 when they meet nowhere."""
    best, place, count = 0.0, expected, 0
    for crossing, most in _promising(axes, axes.crossings()):
        if most <= best:
            break  # the others are pointed at by less
        spokes, weights = _spokes(axes, crossing)
        support = float(weights.sum())
        near = math.dist(crossing, expected) <= reach
        enough = len(spokes) >= (_FEW_SPOKES if near else _SPOKES)
        if enough and support > best and support > 0.75 * (_FEW_SPOKES if near else _SPOKES):
            best, place, count = support, crossing, len(spokes)
    for _ in range(3 if count else 0):
        spokes, weights = _spokes(axes, place)
        if len(spokes) < _FEW_SPOKES:
            break
        place, count = _meeting(axes, spokes, weights), len(spokes)
    return place, count


def _promising(axes: _Axes, places: Floats) -> list[tuple[Floats, float]]:
    """The places that most tiles point at, whichever trains those belong to, with how much.

    Of places so close together that they are one, the one that is pointed at most.
    """
    if not len(places):
        return []
    pointed = axes.pointing(places)[0].sum(1)
    best = np.argsort(-pointed)[:_TRIED]
    near = _ONE_PLACE * float(np.median(axes.lengths))
    gaps = np.hypot(*(places[best][:, None] - places[best]).transpose(2, 0, 1)) < near
    found: list[tuple[Floats, float]] = []
    left = np.ones(len(best), np.bool_)
    for number, place in enumerate(best.tolist()):
        if left[number]:
            found.append((places[place], float(pointed[place])))
            left &= ~gaps[number]
    return found


def _spokes(axes: _Axes, place: Floats) -> tuple[list[int], Floats]:
    """The first tile of each train round this place, and how much each speaks for it."""
    fit, far = axes.pointing(place)
    off = axes.middles - place
    turn = np.arctan2(off[:, 1], off[:, 0]).tolist()
    first: list[int] = []
    order = np.argsort(far)
    for tile in order[fit[order] >= _POINTS].tolist():
        if all(_apart(turn[tile], turn[other]) > _SAME_WAY for other in first):
            first.append(tile)
    if not first:
        return [], np.zeros(0)
    distances = far[first]
    alike = np.abs(distances[:, None] - distances) < _RING
    on_ring = alike[alike.sum(1).argmax()]
    kept = [tile for tile, ring in zip(first, on_ring) if ring]
    return kept, np.asarray(fit[kept], np.float64)


def _apart(one: float, other: float) -> float:
    """The angle between two directions."""
    return abs(math.remainder(one - other, math.tau))


def _meeting(axes: _Axes, spokes: list[int], weights: Floats) -> Floats:
    """The point closest to these axes, in the sense of least squares."""
    ways, middles = axes.ways[spokes], axes.middles[spokes]
    normals = np.stack([-ways[:, 1], ways[:, 0]], 1)
    scale = np.sqrt(weights) / axes.lengths[spokes]
    aims = (normals * middles).sum(1) * scale
    solved = np.linalg.lstsq(normals * scale[:, None], aims, rcond=None)[0]
    return np.asarray(solved, np.float64)


def _at(reading: PhotoReading, axes: _Axes, place: Floats, trains: int) -> HubLook:
    """What lies at a place that is known."""
    centre = (float(place[0]), float(place[1]))
    if not reading.tiles:
        return HubLook(centre, None, trains, None)
    away = np.hypot(*(axes.middles - place).T)
    typical = float(np.median(axes.lengths[np.argsort(away)[:9]]))
    lengths = np.maximum(axes.lengths, typical)
    nearest = int(np.argmin(away / lengths))
    if away[nearest] > _IN_SLOT * lengths[nearest]:
        return HubLook(centre, typical, trains, None)
    tile = reading.tiles[nearest]
    return HubLook(centre, typical, trains, tile, certain=tile.sure)


def _near(reading: PhotoReading, axes: _Axes, expected: Floats, reach: float) -> HubLook:
    """What lies in a slot that is only expected somewhere about here.

    A double counts that lies by itself, not in a train; other tiles must point at it, or at least
    not be so many that they would have told of a hub.
    """
    best: tuple[float, HubLook] | None = None
    for number, tile in enumerate(reading.tiles):
        away = math.dist(axes.middles[number], expected)
        length = float(axes.lengths[number])
        gaps = np.hypot(*(axes.middles - axes.middles[number]).T)
        gaps[number] = np.inf
        if not tile.tile.is_double or away > reach or gaps.min(initial=np.inf) < _ALONE * length:
            continue
        fit, _ = axes.pointing(axes.middles[number])
        pointing, others = float(fit.sum()), len(reading.tiles) - 1
        believed = away <= _IN_SLOT * length or others == 0 or pointing > 0.5
        believed = believed and (others <= 1 or pointing > 0.45 * others)
        look = HubLook(tile.centre, length, 0, tile, certain=tile.sure and believed)
        rank = pointing - away / reach
        if best is None or rank > best[0]:
            best = (rank, look)
    if best is not None:
        return best[1]
    look = _at(reading, axes, expected, 0)
    return replace(look, tile=None if len(reading.tiles) > 1 else look.tile, certain=not look.tile)
