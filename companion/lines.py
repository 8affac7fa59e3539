"""The trains as the camera sees them: plain values, without pictures and without a game."""

from __future__ import annotations

from dataclasses import dataclass

from companion.observation import Point

Pair = tuple[int, int]


@dataclass(frozen=True)
class SeenTrain:
    """One line of tiles from the hub outwards.

    ``seat`` counts from 1; None is the Mexican Train. Each of ``tiles`` shows its end towards the
    hub first. ``open_end`` is the value that the next tile must show, None when nothing lies there
    or it cannot be told. ``open_double`` says that a double lies last, so that nothing covers it.
    ``marked`` is for the markers to say. ``head`` is where the next tile's first half would lie,
    in pixels, None for a train without tiles. ``way`` is the direction of its slot, in degrees
    clockwise from the right, ``questions`` are sentences about what does not fit, and ``path``
    are the middles of its tiles in pixels.
    """

    seat: int | None
    tiles: tuple[Pair, ...]
    open_end: int | None = None
    open_double: bool = False
    marked: bool = False
    head: Point | None = None
    way: float = 0.0
    questions: tuple[str, ...] = ()
    path: tuple[Point, ...] = ()


@dataclass(frozen=True)
class SeenMarker:
    """A marker in a frame: its middle in pixels, what it is called, and 0 to 1 how sure it is."""

    place: Point
    name: str
    confidence: float
