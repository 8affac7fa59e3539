"""The drawing over a photo: each tile's outline, and a label with its reading on it.

Numbers for an SVG in pixels of the photo. Knows the draft, no page and no game.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from statistics import median

from companion.draft import Draft
from companion.pieces import Piece


@dataclass(frozen=True)
class Outline:
    """One tile's outline: SVG points, its label's text and place, and how it is drawn.

    ``state`` is ``sure``, ``doubt`` or ``removed``.
    """

    number: int
    points: str
    x: float
    y: float
    width: float
    text: str
    state: str
    chosen: bool


def letter_size(draft: Draft) -> float:
    """The labels' height in pixels: readable on a phone, yet smaller than the tiles."""
    lengths = [_length(piece) for piece in draft.pieces if piece.corners is not None]
    tile = median(lengths) if lengths else 0.2 * draft.width
    longest = max(draft.width, draft.height)
    return round(min(max(0.16 * tile, 0.028 * longest), 0.25 * tile), 1)


def _length(piece: Piece) -> float:
    if piece.corners is None:
        return 0.0
    (ax, ay), _one, _two, (bx, by) = piece.corners
    return math.hypot(bx - ax, by - ay)


def outlines(draft: Draft, chosen: int | None, asked: Collection[int]) -> list[Outline]:
    """An outline for every tile that lies in the photo, the chosen one on top.

    ``asked`` are pieces that the set questions; they are drawn as doubtful too.
    """
    size = letter_size(draft)
    drawn = [
        _outline(piece, size, piece.number == chosen, piece.number in asked)
        for piece in draft.pieces
        if piece.corners is not None
    ]
    return sorted(drawn, key=lambda outline: outline.chosen)


def _outline(piece: Piece, size: float, chosen: bool, asked: bool) -> Outline:
    corners, centre = piece.corners or (), piece.centre or (0.0, 0.0)
    if piece.removed:
        state, text = "removed", "×"
    elif piece.doubt is not None or asked:
        state, text = "doubt", f"{piece.tile}?"
    else:
        state, text = "sure", str(piece.tile)
    return Outline(
        number=piece.number,
        points=" ".join(f"{x:.0f},{y:.0f}" for x, y in corners),
        x=round(centre[0], 1),
        y=round(centre[1], 1),
        width=round((0.56 * len(text) + 0.5) * size, 1),
        text=text,
        state=state,
        chosen=chosen,
    )
