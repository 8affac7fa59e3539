"""The reader: a photo in, all its tiles out, with doubts.

Strings the finder, the refiner and the value reader together and decides what is kept, what is
sure and what the people should look at. It never sees a file name, a label or a game.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observation import (
    DOUBLE_BLANK,
    NO_TILES,
    UNREAD,
    Corners,
    PhotoReading,
    Point,
    Reading,
    checked_against_set,
)
from companion.vision.doubt import PLAIN, doubt_about
from companion.vision.find import Finder
from companion.vision.geometry import Floats, Picture, Pyramid, distinct
from companion.vision.refine import Candidates, Refiner
from companion.vision.values import A_HAND, VALUES, ValueReader

MOST_OUTLINES = 160
"""Rough outlines that are refined at most, the best first: a table of a hundred tiles gives 150."""
ALIKE = 0.6
"""Rough outlines that share this much of the smaller one are refined only once."""
TILE = 0.45
"""Least score, finder and refiner together, of what is reported as a tile."""
READABLE = 0.5
"""Least confidence of what is reported as a tile."""
NOT_A_TILE = 0.5
"""From this likelihood of "no tile" on, nothing is reported."""
FOUND, TAKEN_FOR_TILE = 0.5, 0.9
"""What finder and refiner take so surely for a tile is worth a warning when it cannot be read."""
BEYOND_DOUBT = 0.97
"""Confidence of a half that nothing speaks against."""
PERHAPS_FOUND, PERHAPS_TILE = 0.4, 0.5
"""From here on an outline with a half that is beyond doubt may be a tile that is hard to see."""
POSSIBLE = 0.005
"""Least likelihood of a second value that is worth naming."""
AROUND = 0.15
"""An area is looked at with so much more on every side, in its longer sides, so that a tile at its
edge is seen whole."""


class Reader:
    """Reads photos with the networks of ``weights/``, which are loaded once, here.

    One instance serves any number of threads, one after the other. OpenCV is set to one thread.
    """

    def __init__(self) -> None:
        cv2.setNumThreads(1)
        self._lock = Lock()
        self._finder, self._refiner, self._values = Finder(), Refiner(), ValueReader()

    def read(
        self,
        image: Picture,
        *,
        highest: int | None = None,
        double_blank: int = DOUBLE_BLANK,
        area: Sequence[Point] | None = None,
    ) -> PhotoReading:
        """All tiles in an upright photo (height by width by blue, green, red).

        ``highest`` names the set, which doubts what it cannot hold; ``area`` is a polygon in
        pixels of the photo, and only tiles whose centre lies in it are reported.
        """
        start = time.perf_counter()
        height, width = image.shape[:2]
        with self._lock:
            tiles, warnings = self._look(image, area, VALUES - 1 if highest is None else highest)
        tiles.sort(key=lambda reading: reading.centre[::-1])
        if not tiles:
            warnings = [NO_TILES, *warnings]
        return PhotoReading(
            width=width,
            height=height,
            tiles=tuple(tiles) if highest is None else checked_against_set(tiles, highest),
            warnings=tuple(warnings),
            milliseconds=1000 * (time.perf_counter() - start),
            set_highest=highest,
            double_blank=double_blank,
        )

    def _look(
        self, image: Picture, area: Sequence[Point] | None, highest: int
    ) -> tuple[list[Reading], list[str]]:
        """The tiles whose centre lies in the area, and the warnings about it."""
        left, top, right, bottom = bounds(image, area, AROUND)
        if left >= right or top >= bottom:
            return [], []
        photo = Pyramid(image[top:bottom, left:right])
        shift = np.array([left, top])
        candidates = self._candidates(photo)
        if area is not None:
            centres = candidates.corners.mean(1) + shift
            candidates = candidates.of(inside(centres, area))
        odds = odds_in_set(self._values.read(photo, candidates.corners), highest)
        confidence = odds[:, :, :VALUES].max(2).min(1)
        readable = (confidence >= READABLE) & (odds[:, :, VALUES].mean(1) <= NOT_A_TILE)
        readable |= half_seen(candidates, odds)
        likely = candidates.scores >= TILE
        refused = ~readable & perhaps_overlooked(candidates, odds)
        refused |= readable & ~likely & (confidence > NOT_A_TILE)
        kept = np.flatnonzero(readable & likely)
        hand = candidates.of(kept.tolist()), odds[kept]
        tiles = [reading_of(photo, *hand, number, shift) for number in range(len(kept))]
        return tiles, [UNREAD] if refused.any() else []

    def outlines(
        self,
        image: Picture,
        area: Sequence[Point] | None = None,
        *,
        shortest: float | None = None,
    ) -> list[tuple[Corners, float]]:
        """Where tiles may lie, unread: four corners each, in pixels of the picture, and a score.

        Much quicker than ``read``, to see whether there is anything that was not read before;
        ``area`` is as there. It is quickest where a tile's least length is known, in pixels of
        the picture. Scores go from 0.2 to 1: from 0.4 on most are tiles, and hardly any tile has
        none.
        """
        left, top, right, bottom = bounds(image, area, AROUND)
        if left >= right or top >= bottom:
            return []
        photo = Pyramid(image[top:bottom, left:right])
        with self._lock:
            find = self._finder
            rough = find.look(photo) if shortest is None else find.look_again(photo, shortest)
        seen = rough.of(distinct(rough.corners, rough.scores, ALIKE, MOST_OUTLINES))
        corners = seen.corners + np.array([left, top])
        here = range(len(seen)) if area is None else inside(corners.mean(1), area)
        whole = (tuple((float(x), float(y)) for x, y in corners[number]) for number in here)
        return [((a, b, c, d), float(seen.scores[n])) for n, (a, b, c, d) in zip(here, whole)]

    def let_go(self) -> None:
        """Give back the memory that the last picture took, about fifty megabytes.

        The next one takes it anew, a twentieth slower than at once: for when there is a pause.
        """
        with self._lock:
            self._finder.let_go()

    def _candidates(self, photo: Pyramid) -> Candidates:
        """What may be tiles in the picture, best first."""
        rough = self._finder.look(photo)
        chosen = distinct(rough.corners, rough.scores, ALIKE, MOST_OUTLINES)
        return self._refiner.refine(photo, rough.of(chosen))


def reading_of(
    photo: Pyramid, candidates: Candidates, odds: Floats, number: int, shift: Floats
) -> Reading:
    """The reading of one of the candidates; its corners are moved by ``shift``."""
    corners, halves = candidates.corners[number], odds[number, :, :VALUES]
    ranked = np.argsort(-halves, axis=1)
    one, other = (int(value) for value in ranked[:, 0])
    seconds = [
        int(value) if half[value] >= POSSIBLE else None for value, half in zip(ranked[:, 1], halves)
    ]
    left, right = (float(most) for most in halves.max(1))
    tile = float(candidates.tile[number])
    closely = len(candidates) <= A_HAND
    why = doubt_about(photo, corners, (one, other), (left, right), tile, closely)
    bottom_left, top_left, top_right, bottom_right = (
        (float(x), float(y)) for x, y in corners[[3, 0, 1, 2]] + shift
    )
    return Reading(
        ends=(one, other),
        corners=(bottom_left, top_left, top_right, bottom_right),
        confidence=min(left, right),
        sure=why is None,
        why=why,
        second=(seconds[0], seconds[1]),
    )


def half_seen(candidates: Candidates, odds: Floats) -> NDArray[np.bool_]:
    """Which candidates surely are tiles of which one half can be read plainly.

    They are reported, as doubtful, so that a tile cut by the picture's edge, or half under
    something, is never passed over.
    """
    plain = (odds[:, :, :VALUES].max(2) >= PLAIN).any(1)
    return np.asarray(plain & (candidates.tile > TAKEN_FOR_TILE), np.bool_)


def perhaps_overlooked(candidates: Candidates, odds: Floats) -> NDArray[np.bool_]:
    """Which candidates are worth a warning if they are not reported: likely tiles, or halves that
    are read without any doubt on what may be one."""
    likely = (candidates.found >= FOUND) & (candidates.tile > TAKEN_FOR_TILE)
    half = (odds[:, :, :VALUES].max(2) >= BEYOND_DOUBT).any(1)
    perhaps = (candidates.found >= PERHAPS_FOUND) & (candidates.tile >= PERHAPS_TILE)
    return np.asarray(likely | half & perhaps, np.bool_)


def odds_in_set(odds: Floats, highest: int) -> Floats:
    """The same odds where the set's values alone come into question.

    A half that shows more than the set's highest value with a likelihood above one half stays
    as it is: then the set is the wrong one, or this is no tile of it.
    """
    beyond = odds[:, :, highest + 1 : VALUES].sum(2, keepdims=True)
    allowed = odds.copy()
    allowed[:, :, highest + 1 : VALUES] = 0
    allowed[:, :, : highest + 1] /= np.maximum(1 - beyond, 0.5)
    return np.where(beyond > 0.5, odds, allowed)


def bounds(
    image: Picture, area: Sequence[Point] | None, around: float = 0.0
) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the area in the image, of the whole image without one.

    ``around`` is how much more to take on every side, in longer sides of the area.
    """
    height, width = image.shape[:2]
    if area is None:
        return 0, 0, width, height
    least, most = np.min(area, 0), np.max(area, 0)
    more = around * float((most - least).max())
    low = np.clip(np.floor(least - more), 0, (width, height)).astype(int)
    high = np.clip(np.ceil(most + more), 0, (width, height)).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def inside(points: Floats, area: Sequence[Point]) -> list[int]:
    """The numbers of the points that lie in the polygon."""
    outline = np.array(area, np.float32)
    return [
        number
        for number, (x, y) in enumerate(points)
        if cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0
    ]
