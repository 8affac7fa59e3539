"""The refiner: from a rough outline to the tile's four corners, and whether it is a tile at all.

Knows no pips and no photo as a whole; it looks at one cut-out at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.find import Outlines
from companion.vision.geometry import Chosen, Floats, Pyramid, distinct, taken
from companion.vision.networks import Network

WIDTH, HEIGHT = 96, 48
"""Pixels of a cut-out."""
MARGIN = 1.55
"""A cut-out shows this many times the outline's length and width."""
BATCH = 16
"""Outlines that are looked at together."""
HOPELESS = 0.03
"""After the first look, what is less likely a tile than this is not looked at again."""
LIKELY = 0.9
"""After the first look, what is at least as likely a tile as this and hardly moved is done."""
STILL = 0.2
"""Hardly moved: no corner by more than this share of half the cut-out."""
TILE = 0.2
"""What is less likely a tile than this in the end is dropped."""
ROUGHLY_SAME, SAME = 0.5, 0.3
"""Outlines that share this much of the smaller one are one tile, after the first look and in the
end: tiles that touch share under a tenth."""
CLAIMED = 0.45
"""Outlines that share this much of the smaller one with a tile found before are not looked at."""
FINDER_SHARE = 0.3
"""Weight of the finder's score against the refiner's."""
SIGNS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
"""Where the corners lie along and across the tile."""


@dataclass(frozen=True)
class Candidates:
    """Refined outlines: ``corners`` of shape (n, 4, 2) in photo pixels; from 0 to 1, how surely the
    finder ``found`` each and how likely the refiner takes it for a ``tile``; and by how much of
    half the cut-out the last look ``moved`` a corner."""

    corners: Floats
    found: Floats
    tile: Floats
    moved: Floats

    def __len__(self) -> int:
        return len(self.tile)

    @property
    def scores(self) -> Floats:
        """Finder and refiner together."""
        return FINDER_SHARE * self.found + (1 - FINDER_SHARE) * self.tile

    def of(self, chosen: Chosen) -> Candidates:
        """These of the candidates."""
        return Candidates(
            self.corners[chosen],
            self.found[chosen],
            self.tile[chosen],
            self.moved[chosen],
        )

    def without_copies(self, overlap: float) -> Candidates:
        """One candidate for each tile, best first."""
        return self.of(distinct(self.corners, self.scores, overlap))


def together(*parts: Candidates) -> Candidates:
    """All candidates of the parts."""
    return Candidates(
        np.concatenate([part.corners for part in parts]),
        np.concatenate([part.found for part in parts]),
        np.concatenate([part.tile for part in parts]),
        np.concatenate([part.moved for part in parts]),
    )


class Refiner:
    """Refines outlines with the network ``refiner.onnx``; see ``weights/README.md``."""

    def __init__(self) -> None:
        self._network = Network("refiner")

    def refine(self, photo: Pyramid, rough: Outlines) -> Candidates:
        """The tiles among the outlines, best first; each is looked at until it stays put, at most
        twice."""
        seen = self._first_look(photo, rough)
        seen = seen.of(seen.tile > HOPELESS).without_copies(ROUGHLY_SAME)
        done = (seen.tile >= LIKELY) & (seen.moved <= STILL)
        again = seen.of(~done)
        seen = together(seen.of(done), self._look(photo, again.corners, again.found))
        return seen.of(seen.tile > TILE).without_copies(SAME)

    def _first_look(self, photo: Pyramid, rough: Outlines) -> Candidates:
        """Looks at the outlines, which come best first, until a whole batch holds no tile.

        So a leather couch with hundreds of false outlines takes no longer than a hand of tiles.
        Outlines that lie between tiles which were found meanwhile are passed over.
        """
        seen = [self._look(photo, rough.corners[:BATCH], rough.scores[:BATCH])]
        for first in range(BATCH, len(rough), BATCH):
            if not (seen[-1].tile > TILE).any():
                break
            corners = rough.corners[first : first + BATCH]
            found = np.concatenate([part.corners[part.tile >= LIKELY] for part in seen])
            left = ~taken(corners, found, CLAIMED)
            if left.any():
                scores = rough.scores[first : first + BATCH]
                seen.append(self._look(photo, corners[left], scores[left]))
        return together(*seen)

    def _look(self, photo: Pyramid, outlines: Floats, found: Floats) -> Candidates:
        """The outlines with better corners, and how likely each is a tile."""
        if not len(outlines):
            return Candidates(outlines, found, np.empty(0), np.empty(0))
        centres = outlines.mean(1, keepdims=True)
        along = (outlines[:, 1] + outlines[:, 2] - outlines[:, 0] - outlines[:, 3]) / 4
        across = (outlines[:, 2] + outlines[:, 3] - outlines[:, 0] - outlines[:, 1]) / 4
        axes = np.stack([along, across], 1)
        straight = centres + SIGNS @ axes
        cuts = [photo.cut(outline, WIDTH, HEIGHT, MARGIN) for outline in straight]
        answers = self._network.run(cuts).astype(np.float64)
        placed = answers[:, :8].reshape(-1, 4, 2)
        return Candidates(
            centres + placed @ (axes * MARGIN),
            found,
            1 / (1 + np.exp(-answers[:, 8])),
            np.abs(placed - SIGNS / MARGIN).max((1, 2)),
        )
