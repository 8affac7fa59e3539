"""The value reader: how many pips each half of a straightened tile shows.

Knows no photo as a whole, no set and no other tile; "this is no tile" is one of its answers.
"""

from __future__ import annotations

import numpy as np

from companion.vision.geometry import Floats, Picture, Pyramid
from companion.vision.networks import Network

WIDTH, HEIGHT = 96, 48
MARGIN = 1.16
"""A cut shows this many times the tile's length and width."""
VALUES = 19
"""Values 0 to 18; the answer after them says that this is no tile."""
CLEAR = 0.95
"""Tiles with a less confident half are read a second time, turned round, and averaged."""
A_HAND = 20
"""So are all of so few."""


class ValueReader:
    """Reads halves with the network ``values.onnx``; see ``weights/README.md``."""

    def __init__(self) -> None:
        self._network = Network("values")

    def read(self, photo: Pyramid, outlines: Floats) -> Floats:
        """Probabilities of shape (n, 2, 20) for the outlines' left and right halves.

        They say how likely the half shows 0 to 18 pips, and last how likely this is no tile.
        """
        if not len(outlines):
            return np.empty((0, 2, VALUES + 1))
        cuts = [photo.cut(outline, WIDTH, HEIGHT, MARGIN) for outline in outlines]
        odds = self._odds(cuts)
        doubtful = odds.max(-1).min(-1) < CLEAR
        again = np.flatnonzero(doubtful | (len(cuts) <= A_HAND))
        if len(again):
            turned = [np.ascontiguousarray(cuts[number][::-1, ::-1]) for number in again]
            odds[again] = (odds[again] + self._odds(turned)[:, ::-1]) / 2
        return odds

    def _odds(self, cuts: list[Picture]) -> Floats:
        """Probabilities for the halves of cuts as they lie."""
        answers = self._network.run(cuts).astype(np.float64).reshape(-1, 2, VALUES + 1)
        odds = np.exp(answers - answers.max(-1, keepdims=True))
        return np.asarray(odds / odds.sum(-1, keepdims=True))
