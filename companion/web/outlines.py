"""The drawing over each photo of a hand: every tile's outline, and a label with its reading on it.

Numbers for an SVG in pixels of the photo. Knows the draft, no page and no game.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True)
class View:
    """One photo of a hand: its id and size in pixels, what is drawn on it, the labels' height.

    ``added`` tells that it can be left out again.
    """

    id: str
    width: int
    height: int
    outlines: tuple[Outline, ...]
    letter: float
    added: bool = False


def views(
    photo: str, draft: Draft, chosen: int | None = None, asked: Collection[int] = ()
) -> list[View]:
    """The draft's first photo, of which this is the id, and those that were added to it.

    ``asked`` are pieces that the set questions; they are drawn as doubtful too.
    """
    first = _view(photo, draft.width, draft.height, draft.pieces_in(None), chosen, asked)
    more = (
        _view(shot.id, shot.width, shot.height, draft.pieces_in(shot.id), chosen, asked)
        for shot in draft.shots
    )
    return [first, *(replace(view, added=True) for view in more)]


def _view(
    photo: str,
    width: int,
    height: int,
    pieces: Sequence[Piece],
    chosen: int | None,
    asked: Collection[int],
) -> View:
    """The chosen tile is drawn on top."""
    size = _letter_size(pieces, width, height)
    drawn = [_outline(one, size, one.number == chosen, one.number in asked) for one in pieces]
    ordered = tuple(sorted(drawn, key=lambda outline: outline.chosen))
    return View(photo, width, height, ordered, size)


def _letter_size(pieces: Sequence[Piece], width: int, height: int) -> float:
    """Readable on a phone, yet smaller than the tiles."""
    tile = median(map(_length, pieces)) if pieces else 0.2 * width
    return round(min(max(0.16 * tile, 0.028 * max(width, height)), 0.25 * tile), 1)


def _length(piece: Piece) -> float:
    if piece.corners is None:
        return 0.0
    (ax, ay), _one, _two, (bx, by) = piece.corners
    return math.hypot(bx - ax, by - ay)


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
