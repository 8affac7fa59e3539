"""The trains round the hub, from the tiles that were read: what lies where, in which order.

First tiles round the hub begin the trains; then every joint that the places and the values allow
is believed, the best one first, so that a tile belongs to the neighbour that it fits best. What
leads nowhere is in no train. An open end that could be another one is not told.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.lines import Pair, SeenTrain
from companion.observation import Point, Reading
from companion.saying import say
from companion.vision.hub import HubLook
from companion.vision.joints import FRONT, MIDDLE, Faces, Floats, Joint, joints, level, over_a_gap
from companion.vision.slots import starts_of, train_of

__all__ = ["SeenTrain", "trains_seen"]

_IN_SLOT = 0.3
"""A tile this near to the engine, in tiles, is the engine, perhaps seen in another frame."""
_LOOSE = 1.45
"""Tiles of no train this near to an open end, in tiles, may go on from it: it is not told."""
_LOOSE_FAR = 3.2
"""So may those to which no other end is nearer, although two tiles between were not read."""
_CONTESTED = 1.2
"""Two joints that cost about the same contest each other."""
_TELLING = ("unclear",)
"""With these doubts a half that has no second value is still believed."""


def trains_seen(
    tiles: Sequence[Reading], look: HubLook, directions: Sequence[float], seats: int | None
) -> tuple[SeenTrain, ...]:
    """The trains with at least one tile, in seat order, the Mexican Train last.

    ``directions`` point from the hub to each seat and last to the Mexican Train, in degrees
    clockwise from the right; without them seat 1 sits at the bottom and the others follow
    clockwise, the Mexican Train last where ``seats`` tells how many there are.
    """
    slot = None if look.tile is None else look.tile.centre
    reach = _IN_SLOT * (look.length or 0.0)
    tiles = [tile for tile in tiles if slot is None or math.dist(tile.centre, slot) > reach]
    if not tiles:
        return ()
    slant = level(tiles)
    corners = np.array([tile.corners for tile in tiles], np.float64) - np.array(look.centre)
    levelled = corners @ slant.T
    web = _Web(tiles, Faces.of(tiles, levelled))
    engine = None if look.engine is None or not look.certain else look.engine.ends[0]
    fitting, others = starts_of(web.faces, engine)
    web.join(fitting, others)
    places = web.faces.place[web.starts].tolist()
    named = train_of([math.atan2(y, x) for x, y in places], slant, directions, seats)
    lines = [web.line(start) for start in web.starts]
    web.doubt_ends([line.exits[-1] for line in lines])
    inverse = np.asarray(np.linalg.inv(slant), np.float64)
    trains = [
        web.told(line, seat, way, inverse, look.centre)
        for line, place in zip(lines, named)
        if place is not None
        for seat, way in (place,)
    ]
    return tuple(sorted(trains, key=lambda train: (train.seat is None, train.seat or 0)))


@dataclass
class _Line:
    """One train: the faces by which each tile is entered and left, and the joints between."""

    tiles: list[int] = field(default_factory=list)
    entries: list[int] = field(default_factory=list)
    exits: list[int] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)


class _Web:
    """The tiles and the joints believed so far."""

    def __init__(self, tiles: Sequence[Reading], faces: Faces) -> None:
        self.tiles, self.faces = tiles, faces
        self.starts: list[int] = []
        self._tile: list[int] = faces.tile.tolist()
        self._end: list[int] = faces.end.tolist()
        self._used: list[dict[int, Joint | None]] = [{} for _ in tiles]
        """Which ends of each tile are taken, and by which joint; None where it faces the hub."""
        self._group = list(range(len(tiles)))
        self._begun: set[int] = set()
        """The groups that a first tile is in, by their root."""
        self._doubtful: set[int] = set()
        """Tiles whose open end something contested."""

    def join(self, fitting: Sequence[int], others: Sequence[int]) -> None:
        """Believe joints: first what fits, then what follows a train's end although it does not.

        ``fitting`` are the first faces that show the engine's value; the ``others`` begin a train
        only where nothing leads to them.
        """
        for face in fitting:
            self._begin(face)
        direct = joints(self.faces)
        for joint in direct:
            if joint.fits and self._possible(joint):
                self._believe(joint)
        for face in others:
            tile = self._tile[face]
            if self._free(face) and not self._has_begun(tile):
                self._begin(face)
        rest = [joint for joint in direct if not joint.fits] + over_a_gap(self.faces)
        rest.sort(key=lambda joint: joint.cost)
        while True:
            open_ones = [joint for joint in rest if self._possible(joint) and self._follows(joint)]
            clear = [joint for joint in open_ones if not self._contested(joint, open_ones)]
            if not clear:
                break
            self._believe(clear[0])
        for joint in rest:
            if self._possible(joint) and self._follows(joint):
                self._doubtful.add(self._begun_tile(joint))

    def _begin(self, face: int) -> None:
        """A train begins with the tile of this face, which points at the hub."""
        tile = self._tile[face]
        self.starts.append(face)
        self._used[tile][self._end[face]] = None
        self._begun.add(self._root(tile))

    def _root(self, tile: int) -> int:
        while self._group[tile] != tile:
            tile = self._group[tile]
        return tile

    def _has_begun(self, tile: int) -> bool:
        return self._root(tile) in self._begun

    def _free(self, face: int) -> bool:
        """Whether something may lie against this face: a tile has one neighbour at either end."""
        taken = self._used[self._tile[face]]
        return len(taken) < 2 and self._end[face] not in taken

    def _possible(self, joint: Joint) -> bool:
        one, other = self._tile[joint.one], self._tile[joint.other]
        if not self._free(joint.one) or not self._free(joint.other):
            return False
        if self._root(one) == self._root(other):
            return False
        return not (self._has_begun(one) and self._has_begun(other))

    def _follows(self, joint: Joint) -> bool:
        """Whether the joint goes on from a train that has begun."""
        ends = (self._tile[joint.one], self._tile[joint.other])
        return any(self._has_begun(tile) for tile in ends)

    def _begun_tile(self, joint: Joint) -> int:
        one, other = self._tile[joint.one], self._tile[joint.other]
        return one if self._has_begun(one) else other

    def _contested(self, joint: Joint, rivals: list[Joint]) -> bool:
        """Whether another train could as well go on there, or this one elsewhere."""
        mine = {self._root(self._tile[face]) for face in (joint.one, joint.other)}
        for rival in rivals:
            its = {self._root(self._tile[face]) for face in (rival.one, rival.other)}
            if its != mine and its & mine and rival.cost < joint.cost + _CONTESTED:
                return True
        return False

    def _believe(self, joint: Joint) -> None:
        for face in (joint.one, joint.other):
            self._used[self._tile[face]][self._end[face]] = joint
        one, other = (self._root(self._tile[face]) for face in (joint.one, joint.other))
        self._group[one] = other
        if one in self._begun:
            self._begun.add(other)

    def line(self, start: int) -> _Line:
        """Follow a train from its first face outwards."""
        line = _Line()
        face: int | None = start
        while face is not None:
            tile, end = self._tile[face], self._end[face]
            line.tiles.append(tile)
            line.entries.append(face)
            beyond = [
                joint
                for other, joint in self._used[tile].items()
                if other != end and joint is not None
            ]
            face = None
            if beyond:
                joint = beyond[0]
                mine = self._tile[joint.one] == tile
                line.exits.append(joint.one if mine else joint.other)
                line.joints.append(joint)
                face = joint.other if mine else joint.one
        line.exits.append(self._last_exit(line))
        return line

    def doubt_ends(self, leaves: Sequence[int]) -> None:
        """Doubt the open ends (faces) that a tile of no train may go on from.

        That is every end close before which one lies, and the end nearest to each: tiles between
        may not have been read.
        """
        numbers = [number for number in range(len(self.tiles)) if not self._has_begun(number)]
        loose = np.isin(self.faces.tile, numbers) & (self.faces.kind == FRONT)
        if not leaves or not loose.any():
            return
        ends = np.array(leaves)
        way = self.faces.place[loose][:, None] - self.faces.place[ends]
        way = way / self.faces.size[ends][:, None]
        far = np.hypot(way[..., 0], way[..., 1])
        ahead = (way * self.faces.out[ends]).sum(-1)
        nearest = far == far.min(1, keepdims=True)
        near = (far < _LOOSE) & (ahead > -0.3) | nearest & (far < _LOOSE_FAR)
        doubted: list[int] = np.flatnonzero(near.any(0)).tolist()
        self._doubtful.update(self._tile[leaves[end]] for end in doubted)

    def _last_exit(self, line: _Line) -> int:
        """The face of the last tile that points away from where it was entered."""
        tile, entry = line.tiles[-1], line.entries[-1]
        kind = int(self.faces.kind[entry])
        wanted = MIDDLE if kind == MIDDLE else FRONT
        choices = np.flatnonzero((self.faces.tile == tile) & (self.faces.kind == wanted))
        others = choices[self.faces.end[choices] != self.faces.end[entry]]
        return int(others[0])

    def told(
        self, line: _Line, seat: int | None, way: float, inverse: Floats, centre: Point
    ) -> SeenTrain:
        """The train as plain values, back in the picture's pixels."""
        pairs = [self._as_laid(tile, entry) for tile, entry in zip(line.tiles, line.entries)]
        last, leave = line.tiles[-1], line.exits[-1]
        place, out = self.faces.place[leave], self.faces.out[leave]
        at = (place + out * 0.25 * self.faces.size[leave]) @ inverse.T + np.array(centre)
        known = self._end_is_known(line)
        tile = self.tiles[last]
        return SeenTrain(
            seat,
            tuple(pairs),
            pairs[-1][1] if known else None,
            known and tile.tile.is_double,
            head=(float(at[0]), float(at[1])),
            way=way,
            questions=tuple(self._questions(line)),
            path=tuple(self.tiles[number].centre for number in line.tiles),
        )

    def _as_laid(self, tile: int, entry: int) -> Pair:
        one, other = self.tiles[tile].ends
        return (other, one) if self._end[entry] == 1 else (one, other)

    def _end_is_known(self, line: _Line) -> bool:
        """Whether the last tile's far half was read for certain and nothing may follow it."""
        last, leave = line.tiles[-1], line.exits[-1]
        tile = self.tiles[last]
        end = self._end[leave]
        if not tile.sure:
            if tile.why not in _TELLING or tile.second[min(end, 1)] is not None:
                return False
        return last not in self._doubtful

    def _questions(self, line: _Line) -> list[str]:
        asked = []
        for number, joint in enumerate(line.joints):
            one, other = (self.tiles[tile] for tile in line.tiles[number : number + 2])
            if not joint.gap and not joint.fits and one.sure and other.sure:
                asked.append(
                    say(
                        "The %(tile)s lies on the %(other)s but does not fit: look at them.",
                        tile=other.tile,
                        other=one.tile,
                    )
                )
        return asked
