"""The value readers: how many pips each half of a straightened tile shows.

Know no photo as a whole, no set and no other tile; "this is no tile" is one of the answers. Many
tiles are first read at a glance, by a small network, and only the less plain of them by the large.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Floats, Picture, Pyramid
from companion.vision.networks import Network

WIDTH, HEIGHT = 96, 48
MARGIN = 1.16
"""A cut shows this many times the tile's length and width."""
VALUES = 19
"""Values 0 to 18; the answer after them says that this is no tile."""
A_HAND = 20
"""So few tiles are read by the large network, and a second time, turned round, and averaged."""
CLEAR = 0.95
"""So are more tiles than that where a half is less confident than this."""
PLAIN = 0.97
"""Of more tiles than a hand, those of which each half is read as surely as this at a glance are
done."""


class ValueReader:
    """Reads halves with ``values.onnx`` and ``glance.onnx``; see ``weights/README.md``."""

    def __init__(self) -> None:
        self._network, self._glance = Network("values"), Network("glance")

    def read(self, photo: Pyramid, outlines: Floats) -> Floats:
        """Probabilities of shape (n, 2, 20) for the outlines' left and right halves.

        They say how likely the half shows 0 to 18 pips, and last how likely this is no tile.
        """
        if not len(outlines):
            return np.empty((0, 2, VALUES + 1))
        cuts = [photo.cut(outline, WIDTH, HEIGHT, MARGIN) for outline in outlines]
        if len(cuts) <= A_HAND:
            return (odds_of(self._network, cuts) + turned(self._network, cuts)) / 2
        odds = odds_of(self._glance, cuts)
        hard = below(odds, PLAIN)
        odds[hard] = odds_of(self._network, [cuts[number] for number in hard])
        again = hard[below(odds[hard], CLEAR)]
        odds[again] += turned(self._network, [cuts[number] for number in again])
        odds[again] /= 2
        return odds


def below(odds: Floats, limit: float) -> NDArray[np.intp]:
    """The numbers of the tiles with a half that is less confident than the limit."""
    return np.flatnonzero(odds.max(-1).min(-1) < limit)


def turned(network: Network, cuts: list[Picture]) -> Floats:
    """The same as ``odds_of``, told from the cuts turned round."""
    return odds_of(network, [np.ascontiguousarray(cut[::-1, ::-1]) for cut in cuts])[:, ::-1]


def odds_of(network: Network, cuts: list[Picture]) -> Floats:
    """Probabilities for the halves of cuts as they lie."""
    if not cuts:
        return np.empty((0, 2, VALUES + 1))
    answers = network.run(cuts).astype(np.float64).reshape(-1, 2, VALUES + 1)
    odds = np.exp(answers - answers.max(-1, keepdims=True))
    return np.asarray(odds / odds.sum(-1, keepdims=True))
