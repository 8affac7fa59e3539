"""Where the trains begin round the hub, and whose they are.

Places are measured from the engine slot's middle, in tiles, with the picture's slant taken out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from companion.vision.joints import FRONT, Faces, Floats

FEWEST_SLOTS = 8
"""A hub has at least so many slots round it (RULES: hub equipment); they are spread evenly."""

_NEAREST, _FARTHEST = 0.2, 3.3
"""How far from the engine's middle a train may begin."""
_LATE = 0.75
"""How much farther than the others a train may begin: its first tile was not read."""
_FITTING_ON_RING, _OTHERS_ON_RING = 0.6, 0.4
"""How much a train's begin may lie off the others': with the engine's value, and without."""
_OFF_AXIS = 0.3
"""How far the first tile's axis may miss the slot's middle, besides the turn it may have."""
_SKEWED = math.radians(9)
_SAME_WAY = math.radians(11)
"""Two first tiles closer than this, seen from the hub, are in one slot."""
_ITS_OWN = math.radians(32)
"""How far a train may lie from the direction it was told to have."""
_ON_GRID = math.radians(11)
"""How well trains must lie on the drawing's evenly spread slots to be numbered by them."""


def starts_of(faces: Faces, engine: int | None) -> tuple[list[int], list[int]]:
    """The faces that point at the hub with nothing before them, at most one for each slot.

    ``engine`` is the value of the double in the slot, None when it is not known: then the value
    that most of them show stands for it. First come those that show it, then the others: a wrong
    tile, or a train whose first tile was not read.
    """
    ends = np.flatnonzero(faces.kind == FRONT)
    place, out = faces.place[ends], faces.out[ends]
    far = np.hypot(place[:, 0], place[:, 1])
    ahead = -(place * out).sum(1)
    aside = np.abs(place[:, 0] * out[:, 1] - place[:, 1] * out[:, 0])
    good = (ahead > 0) & (far > _NEAREST) & (far < _FARTHEST)
    good &= aside < _OFF_AXIS + far * math.sin(_SKEWED)
    nearest = [int(ends[number]) for number in np.argsort(far) if good[number]]
    distance = dict(zip(ends.tolist(), far.tolist()))
    chosen = _one_a_slot(faces, nearest)
    if engine is None:
        engine = _most_common(faces, chosen)
    told = [distance[face] for face in chosen if faces.value[face] == engine]
    ring = _ring(told or [distance[face] for face in chosen])
    fitting = [
        face
        for face in nearest
        if faces.value[face] == engine and abs(distance[face] - ring) < _FITTING_ON_RING
    ]
    fitting = _one_a_slot(faces, fitting)
    others = [face for face in chosen if _on_ring(distance[face], ring)]
    return fitting, _one_a_slot(faces, [*fitting, *others])[len(fitting) :]


def _one_a_slot(faces: Faces, ordered: Sequence[int]) -> list[int]:
    """The first of these in every slot."""
    turns: list[float] = []
    chosen: list[int] = []
    for face in ordered:
        x, y = faces.place[face].tolist()
        turn = math.atan2(y, x)
        if all(abs(math.remainder(turn - other, math.tau)) > _SAME_WAY for other in turns):
            chosen.append(face)
            turns.append(turn)
    return chosen


def _most_common(faces: Faces, chosen: Sequence[int]) -> int | None:
    """The value that most first tiles show to the hub, None when no two show the same."""
    shown = Counter(int(faces.value[face]) for face in chosen)
    value, times = max(shown.items(), key=lambda item: item[1], default=(0, 0))
    return value if times > 1 else None


def _ring(distances: Sequence[float]) -> float:
    """How far from the middle the trains begin."""
    if not distances:
        return 0.0
    return float(np.median(distances)) if len(distances) > 2 else min(distances)


def _on_ring(distance: float, ring: float) -> bool:
    """Whether a train can begin there: on the ring, or one unread tile farther."""
    return abs(distance - ring) < _OTHERS_ON_RING or _LATE < distance - ring < 2 * _LATE


def train_of(
    turns: Sequence[float], slant: Floats, directions: Sequence[float], seats: int | None
) -> list[tuple[int | None, float] | None]:
    """For each train its seat (None for the Mexican Train) and its slot's direction in the picture.

    ``turns`` are the trains' directions in radians with the ``slant`` taken out. A train that lies
    in no slot, or in one that a nearer train has, is nobody's: None.
    """
    if directions:
        told = [_levelled(math.radians(way), slant) for way in directions]
        owners: list[int | None] = [*range(1, len(directions)), None]
        return _nearest(turns, told, owners, list(directions), slant)
    if seats is not None:
        slots = max(FEWEST_SLOTS, seats + 1)
        ways = [math.pi / 2 + number * math.tau / slots for number in range(slots)]
        off = [min(abs(math.remainder(turn - way, math.tau)) for way in ways) for turn in turns]
        if all(turn < _ON_GRID for turn in off):
            used = [*range(seats), slots - 1]
            pictured = [_pictured(ways[number], slant) for number in used]
            return _nearest(
                turns, [ways[n] for n in used], [*range(1, seats + 1), None], pictured, slant
            )
    return _in_order(turns, slant, seats)


def _nearest(
    turns: Sequence[float],
    ways: Sequence[float],
    owners: Sequence[int | None],
    pictured: Sequence[float],
    slant: Floats,
) -> list[tuple[int | None, float] | None]:
    """Every train gets the slot that it lies nearest to, every slot its nearest train."""
    named: list[tuple[int | None, float] | None] = [None] * len(turns)
    pairs = sorted(
        (abs(math.remainder(turn - way, math.tau)), train, slot)
        for train, turn in enumerate(turns)
        for slot, way in enumerate(ways)
    )
    taken: set[int] = set()
    closest = {train: slot for _, train, slot in reversed(pairs)}
    for off, train, slot in pairs:
        if named[train] is None and slot == closest[train] and slot not in taken:
            if off < _ITS_OWN:
                named[train] = (owners[slot], pictured[slot] % 360)
                taken.add(slot)
    return named


def _in_order(
    turns: Sequence[float], slant: Floats, seats: int | None
) -> list[tuple[int | None, float] | None]:
    """The trains one after another, clockwise from the bottom."""
    round_ = [(turn - math.pi / 2 + math.radians(20)) % math.tau for turn in turns]
    order = sorted(range(len(turns)), key=lambda number: round_[number])
    named: list[tuple[int | None, float] | None] = [None] * len(turns)
    for seat, number in enumerate(order, 1):
        if seats is None or seat <= seats + 1:
            owner = None if seat == (seats or 0) + 1 and seats else seat
            named[number] = (owner, _pictured(turns[number], slant) % 360)
    return named


def _levelled(turn: float, slant: Floats) -> float:
    """A direction in the picture with the slant taken out, in radians."""
    x, y = slant @ np.array((math.cos(turn), math.sin(turn)))
    return math.atan2(float(y), float(x))


def _pictured(turn: float, slant: Floats) -> float:
    """A direction as the picture shows it, in degrees."""
    x, y = np.linalg.solve(slant, np.array((math.cos(turn), math.sin(turn))))
    return math.degrees(math.atan2(float(y), float(x)))
