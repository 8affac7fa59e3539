"""A hand's tiles while people check them: what was read, what they settled, what it sums to.

Starts from the reading of a photo, takes in those of more photos of the same hand, and changes by
taps: a half set right, a tile confirmed, removed, put back or added. Knows the set as numbers
only; no picture, no player's score and no page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.dominoes import DominoSet, Tile
from companion.observation import PhotoReading, Reading
from companion.pieces import Edit, Ends, Piece, edit_json, edit_told, piece_json, piece_told
from companion.saying import say

BY_SET = ("duplicate", "not in this set")
"""Doubts that come from the other tiles and the set; here they are worked out anew each time."""
MOST_EDITS = 60
"""Edits that can be taken back: more than anybody makes on one photo."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something about a tile that cannot be.

    ``kind`` is ``set``, ``twice`` (in one photo), ``both`` (in two photos), ``engine`` or ``hand``;
    ``numbers`` are the pieces it is about; ``who`` holds the tile too where the kind is ``hand``.
    """

    kind: str
    tile: Tile
    numbers: tuple[int, ...]
    who: str | None = None


@dataclass(frozen=True, slots=True)
class Shot:
    """One more photo of the same hand: its id, its size in pixels, what was said of it."""

    id: str
    width: int
    height: int
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """The tiles of one hand, as far as they are checked: of a photo of ``width`` by ``height``
    pixels, and of the ``shots`` that were added to it.

    ``edits`` are the changes that can be taken back, the newest last; ``edited`` counts all that
    stand, so that a page can say which one it saw.
    """

    width: int
    height: int
    pieces: tuple[Piece, ...] = ()
    warnings: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    edited: int = 0
    shots: tuple[Shot, ...] = ()

    @classmethod
    def of(cls, reading: PhotoReading) -> Draft:
        """The draft that a reading begins with."""
        pieces = tuple(_piece(n, tile) for n, tile in enumerate(reading.tiles, start=1))
        return cls(reading.width, reading.height, pieces, reading.warnings)

    @property
    def alerts(self) -> tuple[str, ...]:
        """What was said against the count in any of the photos, each sentence once."""
        said = (*self.warnings, *(words for shot in self.shots for words in shot.warnings))
        return tuple(dict.fromkeys(said))

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

    def piece(self, number: int) -> Piece | None:
        """The piece of this number; None where there is none."""
        return next((piece for piece in self.pieces if piece.number == number), None)

    def pieces_in(self, photo: str | None) -> tuple[Piece, ...]:
        """The pieces that lie in one of the photos, None for the first."""
        return tuple(p for p in self.pieces if p.corners is not None and p.photo == photo)

    def with_ends(self, number: int, ends: Ends) -> Draft:
        """One tile as people read it; that settles its doubt. Raises ValueError for no tile."""
        tile, piece = Tile.of(*ends), self.piece(number)
        kind = "right" if piece is not None and piece.tile == tile else "set"
        settled = {"doubt": None, "others": (), "checked": True, "removed": False}
        return self._with(kind, number, ends=ends, **settled)

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
            return self._edited(Edit("removed", number, piece.tile, piece), None)
        return self._with("removed", number, removed=True)

    def with_again(self, number: int) -> Draft:
        """A removed tile is put back as it was."""
        return self._with("back", number, removed=False)

    def with_added(self, ends: Ends, key: str | None = None) -> Draft:
        """One more tile, which the reader missed. The same ``key`` adds only once."""
        tile = Tile.of(*ends)
        if key is not None and any(piece.key == key for piece in self.pieces):
            return self
        number = 1 + max((piece.number for piece in self.pieces), default=0)
        added = Piece(number, tile.ends, checked=True, key=key)
        return self._edited(Edit("added", number, tile, None), added)

    def undone(self, edited: int | None = None) -> Draft:
        """The draft before the last edit; the same draft where nothing can be taken back.

        ``edited`` is the count that the sender saw: a tap sent twice takes back one edit only.
        """
        if not self.edits or (edited is not None and edited != self.edited):
            return self
        last = self.edits[-1]
        pieces = self._pieces_with(last.number, last.before)
        return replace(self, pieces=pieces, edits=self.edits[:-1], edited=self.edited - 1)

    def with_photo(self, photo: str, reading: PhotoReading) -> Draft:
        """The same hand with what lies in one more photo of it. The same photo adds only once."""
        if any(shot.id == photo for shot in self.shots):
            return self
        taken = {piece.number for piece in self.pieces} | {edit.number for edit in self.edits}
        first = 1 + max(taken, default=0)
        more = (_piece(n, tile) for n, tile in enumerate(reading.tiles, start=first))
        pieces = (*self.pieces, *(replace(piece, photo=photo) for piece in more))
        shot = Shot(photo, reading.width, reading.height, reading.warnings)
        return replace(self, pieces=pieces, shots=(*self.shots, shot))

    def without_photo(self, photo: str) -> Draft:
        """One of the added photos is left out again, with its tiles and what was done to them."""
        shots = tuple(shot for shot in self.shots if shot.id != photo)
        if shots == self.shots:
            return self
        gone = {piece.number for piece in self.pieces if piece.photo == photo}
        pieces = tuple(piece for piece in self.pieces if piece.number not in gone)
        edits = tuple(edit for edit in self.edits if edit.number not in gone)
        return replace(self, pieces=pieces, edits=edits, edited=self.edited + 1, shots=shots)

    @property
    def shared(self) -> dict[Tile, tuple[Piece, ...]]:
        """The tiles that lie in more than one photo and may each be one and the same."""
        lying: dict[Tile, tuple[Piece, ...]] = {}
        for piece in self.counted:
            if piece.corners is not None and not piece.apart:
                lying[piece.tile] = (*lying.get(piece.tile, ()), piece)
        several = (tile for tile, pieces in lying.items() if len({p.photo for p in pieces}) > 1)
        return {tile: lying[tile] for tile in sorted(several)}

    def with_same(self, tile: Tile) -> Draft:
        """What lies in several photos is one tile: it counts in one of them, the clearest."""
        pieces = self.shared.get(tile, ())
        if not pieces:
            return self
        by_photo: dict[str | None, list[Piece]] = {}
        for piece in pieces:
            by_photo.setdefault(piece.photo, []).append(piece)
        kept = max(by_photo.values(), key=lambda some: (len(some), -sum(map(_in_doubt, some))))
        draft = self
        for piece in pieces:
            if piece not in kept:
                draft = draft._with("same", piece.number, removed=True)
        return draft

    def with_apart(self, tile: Tile) -> Draft:
        """What lies in several photos are different tiles, as in a mixed set."""
        draft = self
        for piece in self.shared.get(tile, ()):
            draft = draft._with("apart", piece.number, apart=True)
        return draft

    def _with(self, kind: str, number: int, **changes: Any) -> Draft:
        piece = self.piece(number)
        changed = None if piece is None else replace(piece, **changes)
        if piece is None or changed is None or changed == piece:
            return self
        return self._edited(Edit(kind, number, changed.tile, piece), changed)

    def _edited(self, edit: Edit, piece: Piece | None) -> Draft:
        edits = (*self.edits, edit)[-MOST_EDITS:]
        pieces = self._pieces_with(edit.number, piece)
        return replace(self, pieces=pieces, edits=edits, edited=self.edited + 1)

    def _pieces_with(self, number: int, piece: Piece | None) -> tuple[Piece, ...]:
        """All pieces in their order, with this one in the place of its number (None: without)."""
        others = [other for other in self.pieces if other.number != number]
        with_it = others if piece is None else [*others, piece]
        return tuple(sorted(with_it, key=lambda one: one.number))

    def questions(
        self,
        *,
        highest: int | None,
        engine: Tile | None = None,
        hands: Mapping[str, Iterable[Tile]] | None = None,
    ) -> list[Question]:
        """What the set and the other hands of the round say against the counted tiles.

        Without a known set (``highest`` None) only what lies in several photos is asked: copies
        in one photo may be right.
        """
        shared = self.shared
        asked = [
            Question("both", tile, tuple(piece.number for piece in pieces))
            for tile, pieces in shared.items()
        ]
        if highest is None:
            return asked
        domino_set = DominoSet(highest)
        copies = Counter(self.tiles)
        for tile in sorted(copies):
            numbers = tuple(piece.number for piece in self.counted if piece.tile == tile)
            if tile not in domino_set:
                asked.append(Question("set", tile, numbers))
            if copies[tile] > 1 and tile not in shared:
                asked.append(Question("twice", tile, numbers))
            if tile == engine:
                asked.append(Question("engine", tile, numbers))
            holders = [who for who, held in (hands or {}).items() if tile in tuple(held)]
            asked.extend(Question("hand", tile, numbers, who) for who in holders)
        return asked

    def to_json(self) -> dict[str, Any]:
        """The draft as a JSON object, which ``from_json`` reads back."""
        return {
            "width": self.width,
            "height": self.height,
            "pieces": list(map(piece_json, self.pieces)),
            "warnings": list(self.warnings),
            "edits": list(map(edit_json, self.edits)),
            "edited": self.edited,
            "shots": [
                [shot.id, shot.width, shot.height, list(shot.warnings)] for shot in self.shots
            ],
        }

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Draft:
        """The draft of a JSON object that ``to_json`` made; one from before edits has none."""
        edits = tuple(map(edit_told, told.get("edits", ())))
        pieces = tuple(map(piece_told, told["pieces"]))
        warnings = tuple(map(say, told["warnings"]))
        edited = told.get("edited", len(edits))
        shots = tuple(
            Shot(photo, width, height, tuple(map(say, said)))
            for photo, width, height, said in told.get("shots", ())
        )
        return cls(told["width"], told["height"], pieces, warnings, edits, edited, shots)


def _in_doubt(piece: Piece) -> bool:
    return piece.doubt is not None


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
