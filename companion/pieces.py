"""One tile of a photo as people check it, and one change that they made to such a tile.

Plain values with their form in the database; what the tiles of a photo sum to, and what a tap
does to them, they do not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.dominoes import Tile
from companion.observation import UNCOUNTED, Corners, Point

Ends = tuple[int, int]

MOST_CHOICES = 2
"""Readings offered for a doubtful tile: more would be harder to choose from than to correct."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One tile of the draft. ``number`` (from 1) stays its own through all changes.

    ``ends[0]`` lies left (or, where the tile stands upright, on top) in the photo; ``corners``
    are clockwise from there, None for a tile that people added. ``doubt`` is what is still to be
    settled; ``checked`` tells that people said how it is. ``others`` are other readings that come
    into question, the likeliest first. ``key`` keeps a tile from being added twice by one tap.
    ``photo`` is the photo it lies in where that is not the draft's first; ``apart`` tells that
    people know it for a tile of its own, whatever lies in the other photos.
    """

    number: int
    ends: Ends
    corners: Corners | None = None
    doubt: str | None = None
    others: tuple[Ends, ...] = ()
    checked: bool = False
    removed: bool = False
    key: str | None = None
    photo: str | None = None
    apart: bool = False

    @property
    def tile(self) -> Tile:
        """The tile that the ends make."""
        return Tile.of(*self.ends)

    @property
    def counted(self) -> bool:
        """Whether it goes into the sum: a tile with hidden pips only once it is confirmed."""
        return not self.removed and self.doubt not in UNCOUNTED

    @property
    def centre(self) -> Point | None:
        """The middle of the outline in pixels of the photo; None for an added tile."""
        if self.corners is None:
            return None
        return (sum(x for x, _ in self.corners) / 4, sum(y for _, y in self.corners) / 4)

    @property
    def choices(self) -> tuple[Ends, ...]:
        """The likeliest readings, the likeliest first, each a different tile."""
        different: dict[Tile, Ends] = {}
        for ends in (self.ends, *self.others):
            different.setdefault(Tile.of(*ends), ends)
        return tuple(different.values())[:MOST_CHOICES]


@dataclass(frozen=True, slots=True)
class Edit:
    """One change that people made: to which piece, and how that was ``before`` (None: added).

    ``kind`` is ``set`` (other ends), ``right``, ``removed``, ``back``, ``added``, ``same`` (the
    tile of another photo) or ``apart``; ``tile`` is the tile that it was about, as it was after
    the change.
    """

    kind: str
    number: int
    tile: Tile
    before: Piece | None


def piece_json(piece: Piece) -> dict[str, Any]:
    """A piece as a JSON object, which ``piece_told`` reads back."""
    return {
        "number": piece.number,
        "ends": list(piece.ends),
        "corners": None if piece.corners is None else [list(c) for c in piece.corners],
        "doubt": piece.doubt,
        "others": [list(ends) for ends in piece.others],
        "checked": piece.checked,
        "removed": piece.removed,
        "key": piece.key,
        "photo": piece.photo,
        "apart": piece.apart,
    }


def piece_told(told: Mapping[str, Any]) -> Piece:
    """The piece of a JSON object that ``piece_json`` made; one from before there were several
    photos lies in the first."""
    return Piece(
        number=told["number"],
        ends=_ends(told["ends"]),
        corners=_corners(told["corners"]),
        doubt=told["doubt"],
        others=tuple(_ends(ends) for ends in told["others"]),
        checked=told["checked"],
        removed=told["removed"],
        key=told["key"],
        photo=told.get("photo"),
        apart=told.get("apart", False),
    )


def edit_json(edit: Edit) -> dict[str, Any]:
    """An edit as a JSON object, which ``edit_told`` reads back."""
    return {
        "kind": edit.kind,
        "number": edit.number,
        "tile": str(edit.tile),
        "before": None if edit.before is None else piece_json(edit.before),
    }


def edit_told(told: Mapping[str, Any]) -> Edit:
    """The edit of a JSON object that ``edit_json`` made."""
    before = None if told["before"] is None else piece_told(told["before"])
    return Edit(told["kind"], told["number"], Tile.parse(told["tile"]), before)


def _ends(told: list[int]) -> Ends:
    one, other = told
    return (one, other)


def _corners(told: list[list[float]] | None) -> Corners | None:
    if told is None:
        return None
    one, other, three, four = ((x, y) for x, y in told)
    return (one, other, three, four)
