"""A photo's tiles while people check them: what was read, what they settled, what it sums to.

Starts from a reading and changes by taps: a half set right, a tile confirmed, removed, put back
or added. Knows the set as numbers only; no picture, no player's score and no page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.dominoes import DominoSet, Tile
from companion.observation import UNCOUNTED, Corners, PhotoReading, Point, Reading

Ends = tuple[int, int]

BY_SET = ("duplicate", "not in this set")
"""Doubts that come from the other tiles and the set; here they are worked out anew each time."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One tile of the draft. ``number`` (from 1) stays its own through all changes.

    ``ends[0]`` lies left (or, where the tile stands upright, on top) in the photo; ``corners``
    are clockwise from there, None for a tile that people added. ``doubt`` is what is still to be
    settled; ``checked`` tells that people said how it is. ``others`` are other readings that come
    into question, the likeliest first. ``key`` keeps a tile from being added twice by one tap.
    """

    number: int
    ends: Ends
    corners: Corners | None = None
    doubt: str | None = None
    others: tuple[Ends, ...] = ()
    checked: bool = False
    removed: bool = False
    key: str | None = None

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


@dataclass(frozen=True, slots=True)
class Question:
    """Something about a tile that cannot be.

    ``kind`` is ``set``, ``twice``, ``engine`` or ``hand``; ``numbers`` are the pieces it is about;
    ``who`` holds the tile too where the kind is ``hand``.
    """

    kind: str
    tile: Tile
    numbers: tuple[int, ...]
    who: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """The tiles of one photo of ``width`` by ``height`` pixels, as far as they are checked."""

    width: int
    height: int
    pieces: tuple[Piece, ...] = ()
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, reading: PhotoReading) -> Draft:
        """The draft that a reading begins with."""
        pieces = tuple(_piece(n, tile) for n, tile in enumerate(reading.tiles, start=1))
        return cls(reading.width, reading.height, pieces, reading.warnings)

    @property
    def counted(self) -> tuple[Piece, ...]:
        """The pieces that go into the sum."""
        return tuple(piece for piece in self.pieces if piece.counted)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles that go into the sum."""
        return tuple(piece.tile for piece in self.counted)

    @property
    def pips(self) -> int:
        """The plain sum."""
        return sum(tile.pips for tile in self.tiles)

    def points(self, double_blank: int) -> int:
        """The sum with the 0-0 at ``double_blank``."""
        return sum(tile.points(double_blank) for tile in self.tiles)

    @property
    def doubtful(self) -> tuple[Piece, ...]:
        """What is still to be settled, in the photo's order."""
        return tuple(p for p in self.pieces if p.doubt is not None and not p.removed)

    @property
    def left_out(self) -> tuple[Piece, ...]:
        """Tiles whose pips may be hidden and that nobody has confirmed yet."""
        return tuple(p for p in self.pieces if not p.counted and not p.removed)

    @property
    def touched(self) -> bool:
        """Whether people have changed anything that would be missed."""
        return any(piece.removed or piece.checked for piece in self.pieces)

    def piece(self, number: int) -> Piece | None:
        """The piece of this number; None where there is none."""
        return next((piece for piece in self.pieces if piece.number == number), None)

    def with_ends(self, number: int, ends: Ends) -> Draft:
        """One tile as people read it; that settles its doubt. Raises ValueError for no tile."""
        Tile.of(*ends)
        return self._with(number, ends=ends, doubt=None, others=(), checked=True, removed=False)

    def with_half(self, number: int, half: int, value: int) -> Draft:
        """One half (0 or 1) of a tile set right; that settles its doubt."""
        piece = self.piece(number)
        if piece is None or half not in (0, 1):
            return self
        one, other = piece.ends
        return self.with_ends(number, (value, other) if half == 0 else (one, value))

    def confirmed(self, number: int) -> Draft:
        """A tile is as it was read, and it counts."""
        piece = self.piece(number)
        return self if piece is None else self.with_ends(number, piece.ends)

    def without(self, number: int) -> Draft:
        """A tile that is none, or is not in this hand. An added one disappears."""
        piece = self.piece(number)
        if piece is not None and piece.corners is None:
            return replace(self, pieces=tuple(p for p in self.pieces if p is not piece))
        return self._with(number, removed=True)

    def with_again(self, number: int) -> Draft:
        """A removed tile is put back as it was."""
        return self._with(number, removed=False)

    def with_added(self, ends: Ends, key: str | None = None) -> Draft:
        """One more tile, which the reader missed. The same ``key`` adds only once."""
        tile = Tile.of(*ends)
        if key is not None and any(piece.key == key for piece in self.pieces):
            return self
        number = 1 + max((piece.number for piece in self.pieces), default=0)
        added = Piece(number, tile.ends, checked=True, key=key)
        return replace(self, pieces=(*self.pieces, added))

    def _with(self, number: int, **changes: Any) -> Draft:
        pieces = tuple(replace(p, **changes) if p.number == number else p for p in self.pieces)
        return replace(self, pieces=pieces)

    def questions(
        self,
        *,
        highest: int | None,
        engine: Tile | None = None,
        hands: Mapping[str, Iterable[Tile]] | None = None,
    ) -> list[Question]:
        """What the set and the other hands of the round say against the counted tiles.

        Without a known set (``highest`` None) nothing is asked: copies may be right.
        """
        if highest is None:
            return []
        domino_set = DominoSet(highest)
        copies = Counter(self.tiles)
        asked: list[Question] = []
        for tile in sorted(copies):
            numbers = tuple(piece.number for piece in self.counted if piece.tile == tile)
            if tile not in domino_set:
                asked.append(Question("set", tile, numbers))
            if copies[tile] > 1:
                asked.append(Question("twice", tile, numbers))
            if tile == engine:
                asked.append(Question("engine", tile, numbers))
            holders = [who for who, held in (hands or {}).items() if tile in tuple(held)]
            asked.extend(Question("hand", tile, numbers, who) for who in holders)
        return asked

    def to_json(self) -> dict[str, Any]:
        """The draft as a JSON object, which ``from_json`` reads back."""
        pieces = [
            {
                "number": piece.number,
                "ends": list(piece.ends),
                "corners": None if piece.corners is None else [list(c) for c in piece.corners],
                "doubt": piece.doubt,
                "others": [list(ends) for ends in piece.others],
                "checked": piece.checked,
                "removed": piece.removed,
                "key": piece.key,
            }
            for piece in self.pieces
        ]
        sizes = {"width": self.width, "height": self.height}
        return {**sizes, "pieces": pieces, "warnings": list(self.warnings)}

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Draft:
        """The draft of a JSON object that ``to_json`` made."""
        pieces = tuple(
            Piece(
                number=piece["number"],
                ends=_ends(piece["ends"]),
                corners=_corners(piece["corners"]),
                doubt=piece["doubt"],
                others=tuple(_ends(ends) for ends in piece["others"]),
                checked=piece["checked"],
                removed=piece["removed"],
                key=piece["key"],
            )
            for piece in told["pieces"]
        )
        return cls(told["width"], told["height"], pieces, tuple(told["warnings"]))


def _piece(number: int, reading: Reading) -> Piece:
    """A reading as a piece, turned so that its first end lies left or on top."""
    one, other, three, four = reading.corners
    ends, second, corners = reading.ends, reading.second, reading.corners
    across = sum(x for x, _ in (three, four)) - sum(x for x, _ in (one, other))
    down = sum(y for _, y in (three, four)) - sum(y for _, y in (one, other))
    if (across if abs(across) >= abs(down) else down) < 0:
        ends, second, corners = ends[::-1], second[::-1], (three, four, one, other)
    others = [(value, ends[1]) for value in second[:1] if value is not None]
    others += [(ends[0], value) for value in second[1:] if value is not None]
    doubt = None if reading.why in BY_SET else reading.why
    return Piece(number, ends, corners, doubt, tuple(others))


def _ends(told: list[int]) -> Ends:
    one, other = told
    return (one, other)


def _corners(told: list[list[float]] | None) -> Corners | None:
    if told is None:
        return None
    one, other, three, four = ((x, y) for x, y in told)
    return (one, other, three, four)
