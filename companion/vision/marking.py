"""Whose markers were seen: each belongs to the train that it lies by, or to nobody.

A marker lies at a train's end, beside one of its tiles, or by the hub in the train's direction, and
a train has one. One that could be another train's says nothing. Distances are in tiles.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.agreement import Seat
from companion.lines import SeenMarker, SeenTrain
from companion.observation import Point
from companion.vision.hub import HubLook

_BESIDE = 0.85
"""How far from the line through a train's tiles its marker may lie."""
_CLEARER = 0.2
"""So much nearer than any other train must it be."""
_MIDDLE = 0.25
"""So much farther away counts the marker of a train that lies beside another tile than its last."""
_STAYS = 0.25
"""Nearer than this to where it was it is the same marker."""
_ONE_ON = 1.3
"""A train's marker goes so far on at most when a tile is laid."""
_HUB_FROM, _HUB_TO = 0.6, 2.2
"""Between these distances from the engine a marker lies by the hub."""
_ITS_WAY = 0.36
"""How far off a train's direction, as a share of the way to the next one."""
_FEWEST = 8
"""A hub has room for so many trains: no two directions are nearer than they would be evenly."""


def owners(
    trains: Sequence[SeenTrain],
    markers: Sequence[SeenMarker],
    look: HubLook,
    directions: Sequence[float],
    known: Mapping[Seat, Point] | None = None,
) -> dict[Seat, SeenMarker]:
    """The seats that these markers mark, each with the surest of its own.

    ``directions`` point to each seat and last to the Mexican Train, in degrees clockwise from the
    right; without them only trains with tiles can be marked. ``known`` is where each seat's marker
    lay before: of two trains it is still that one's, also where it has moved on, with a tile under
    the hand that is not known yet.
    """
    length = look.length
    if length is None:
        return {}
    ways = dict(zip(_seats(len(directions)), directions)) or {t.seat: t.way for t in trains}
    known, claims = known or {}, []
    stays = {seat: _near(markers, place, _STAYS * length) for seat, place in known.items()}
    goes_on = {
        seat: _near(markers, place, _ONE_ON * length)
        for seat, place in known.items()
        if not stays[seat]
    }
    for marker in markers:
        mine = [seat for seat, near in stays.items() if marker in near]
        likely, possible = _owners(marker.place, trains, look.centre, length, ways, mine)
        if likely and not mine:
            moved = [seat for seat, near in goes_on.items() if marker in near]
            likely, possible = (
                [*seats, *(seat for seat in moved if seat not in seats)]
                for seats in (likely, possible)
            )
        claims.append((marker, likely, possible))
    claims.sort(key=lambda claim: (len(claim[2]) > 1, len(claim[1]) > 1, -claim[0].confidence))
    found: dict[Seat, SeenMarker] = {}
    for marker, likely, possible in claims:  # a train that has its own does not need this one
        left = [seat for seat in likely if seat not in found]
        left = left or [seat for seat in possible if seat not in found]
        left = [seat for seat in left if seat in known] or left  # its own has moved
        if len(left) == 1:
            found[left[0]] = marker
    return found


def _near(markers: Sequence[SeenMarker], place: Point, reach: float) -> list[SeenMarker]:
    return [marker for marker in markers if math.dist(place, marker.place) < reach]


def ways_of(directions: Sequence[float]) -> dict[Seat, float]:
    """The direction of each seat, in degrees from 0 to 360."""
    return {seat: way % 360 for seat, way in zip(_seats(len(directions)), directions)}


def _seats(count: int) -> list[Seat]:
    return [*range(1, count), None]


def _owners(
    place: Point,
    trains: Sequence[SeenTrain],
    centre: Point,
    length: float,
    ways: dict[Seat, float],
    mine: Sequence[Seat],
) -> tuple[list[Seat], list[Seat]]:
    """The seats whose marker this place likely is, and all whose it may be.

    It was that of ``mine`` before. More than one likely seat says that nobody can tell.
    """
    far = math.dist(place, centre) / length
    by_hub = _in_its_way(place, centre, ways) if _HUB_FROM < far < _HUB_TO else []
    away = []
    for train in trains:
        beside = _distance(place, train) / length if train.path else math.inf
        if beside <= _BESIDE:
            at_end = _distance(place, replace(train, path=train.path[-1:])) / length
            middle = 0.0 if train.seat in mine else _MIDDLE
            away.append((min(at_end, beside + middle), train.seat))
    away.sort(key=lambda each: each[0])
    nearest = away[0] if away else (math.inf, None)
    if by_hub and (by_hub == [nearest[1]] or nearest[0] > _BESIDE - _CLEARER):
        return by_hub, by_hub
    if by_hub:
        likely = possible = [*by_hub, nearest[1]]
    else:
        likely = [seat for distance, seat in away if distance < nearest[0] + _CLEARER]
        possible = [seat for distance, seat in away if distance < nearest[0] + 2 * _CLEARER]
    return [seat for seat in possible if seat in mine] or likely, possible


def _in_its_way(place: Point, centre: Point, ways: dict[Seat, float]) -> list[Seat]:
    """The seat in whose direction a place by the hub lies; none between two."""
    turn = math.degrees(math.atan2(place[1] - centre[1], place[0] - centre[0]))
    off = sorted(
        (abs((turn - way + 180) % 360 - 180), str(seat), seat) for seat, way in ways.items()
    )
    if not off:
        return []
    seats = sorted(way % 360 for way in ways.values())
    gaps = [(after - way) % 360 or 360 for way, after in zip(seats, [*seats[1:], *seats[:1]])]
    apart = min(360 / _FEWEST, *gaps)
    return [off[0][2]] if off[0][0] < _ITS_WAY * apart else []


def _distance(place: Point, train: SeenTrain) -> float:
    """How far a place lies from the line through a train's tiles to where it goes on."""
    spots = [*train.path, train.head] if train.head is not None else list(train.path)
    if len(spots) == 1:
        return math.dist(place, spots[0])
    return min(_to_line(place, one, other) for one, other in zip(spots, spots[1:]))


def _to_line(place: Point, one: Point, other: Point) -> float:
    across, down = other[0] - one[0], other[1] - one[1]
    square = across * across + down * down
    share = ((place[0] - one[0]) * across + (place[1] - one[1]) * down) / square if square else 0.0
    share = min(1.0, max(0.0, share))
    return math.dist(place, (one[0] + share * across, one[1] + share * down))
