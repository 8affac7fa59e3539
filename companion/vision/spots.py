"""A frame made small, its light taken out, and the spots of a colour in it.

The light may be uneven: it is what most of the table's colour changes by from place to place.
Colours are counted in bins of Lab. Knows no marker: what a spot means is for others to say.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observation import Reading
from companion.vision.geometry import Picture

_TILE = 22
"""A tile's length in the smaller copy that is looked at, in pixels, about."""
BINS = (16, 64, 64)
"""Lightness and the two colours of Lab are told apart so finely."""
_SPREAD = (1.2, 1.5)
"""How far a colour counts for those near it, in bins of lightness and of colour."""
_EDGE = cv2.BORDER_CONSTANT
_GREY = 110.0
"""What the table becomes in even light."""
_COARSE = 12
"""The light is made out from every so manieth pixel along each side."""
_BENDS = 3
"""The highest power of the surface that the light is taken to be."""
_CLOSER = (0.6, 0.4, 0.3, 0.25, 0.25)
"""What is so far off the surface counts for a quarter, in logarithms, from one try to the next."""
_STIFF = 1e-4
_DEEPEST = 1.2
"""The light differs from the usual by no more than this, in logarithms."""
_AT_ONCE = 32
"""So many kinds are looked for together, a bit for each."""
RARE = 0.05
"""So many pixels of a colour are as good as none."""
Bins = NDArray[np.float32]
"""How much there is of each colour."""


@dataclass(frozen=True)
class Blob:
    """One spot: its middle and area in small pixels, length by width, and how full its box is.

    ``mask`` is 255 where it lies, in what it was looked for in.
    """

    x: float
    y: float
    area: float
    long: float
    full: float
    mask: NDArray[np.uint8]


Spots = list[Blob]


@dataclass(frozen=True)
class View:
    """A frame made small, with its light taken out, and how often it shows each colour."""

    bins: NDArray[np.intp]
    """The bin of each pixel's colour."""
    step: int
    tile: float
    free: NDArray[np.uint8]
    """255 where a marker may lie."""
    seen: Bins

    @classmethod
    def of(cls, image: Picture, length: float, tiles: Sequence[Reading] = ()) -> View:
        step = max(1, round(length / _TILE))
        high, wide = image.shape[0] // step, image.shape[1] // step
        whole = image[: high * step, : wide * step]  # a whole step is averaged much faster
        small = cv2.resize(whole, (wide, high), interpolation=cv2.INTER_AREA)
        free = np.full((high, wide), 255, np.uint8)
        for tile in tiles:
            if tile.sure:
                corners = np.array(tile.corners) / step
                wider = corners.mean(0) + (corners - corners.mean(0)) * 1.08
                cv2.fillConvexPoly(free, np.round(wider).astype(np.int32), 0)
        even = _in_even_light(np.asarray(small, np.uint8), free)
        bins = _binned(np.asarray(cv2.cvtColor(even, cv2.COLOR_BGR2LAB), np.uint8))
        return cls(bins, step, length / step, free, smooth(counted(bins[free > 0])))

    def like(self, share: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
        """255 where the colour is likelier than not, of those places where a marker may lie."""
        likely = np.where(share > 0.5, 255, 0).astype(np.uint8).ravel()[self.bins]
        return np.asarray(cv2.bitwise_and(likely, self.free), np.uint8)

    def spots(self, shares: Sequence[Bins], sizes: Sequence[tuple[float, float]]) -> list[Spots]:
        """For each of several kinds the spots of its likely colours, all found in one go.

        ``sizes`` are the least and the most pixels of a spot of each kind.
        """
        found: list[Spots] = [[] for _ in shares]
        for first in range(0, len(shares), _AT_ONCE):
            some = range(first, min(first + _AT_ONCE, len(shares)))
            kinds = np.zeros(math.prod(BINS), np.uint32)
            for bit, kind in enumerate(some):
                kinds |= (shares[kind].ravel() > 0.5).astype(np.uint32) << np.uint32(bit)
            hits = kinds[self.bins] * (self.free > 0)
            for where, part in _together(hits, min(sizes[kind][0] for kind in some) / 2):
                for bit, kind in enumerate(some):
                    likely = np.where(part & (1 << bit), 255, 0).astype(np.uint8)
                    found[kind] += blobs(likely, *sizes[kind], corner=where)
        return found


def _together(
    hits: NDArray[np.uint32], least: float
) -> list[tuple[tuple[int, int], NDArray[np.uint32]]]:
    """What is not 0 in parts that lie apart, each with the place of its left top corner.

    A part has room round it, so that its spots can be closed. Parts of fewer pixels than
    ``least`` are left out.
    """
    there = (hits > 0).astype(np.uint8)
    if cv2.countNonZero(there) < least:
        return []
    near = cv2.dilate(there, np.ones((3, 3), np.uint8))  # as far as spots are closed
    count, labels, stats, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
    found = []
    for number in range(1, count):
        left, top, wide, high, area = (int(part) for part in stats[number])
        if area >= least:
            x, y = max(0, left - 1), max(0, top - 1)
            box = np.s_[y : top + high + 1, x : left + wide + 1]
            found.append(((x, y), np.where(labels[box] == number, hits[box], 0)))
    return found


def _in_even_light(small: Picture, free: Picture) -> Picture:
    """The picture as if the table, where it is ``free`` of tiles, were a middle grey all over."""
    light = cv2.resize(_light(small, free), free.shape[::-1], interpolation=cv2.INTER_LINEAR)
    even = cv2.divide(small.astype(np.float32), light, scale=_GREY)
    return np.asarray(cv2.convertScaleAbs(even), np.uint8)


def _light(small: Picture, free: Picture) -> NDArray[np.float32]:
    """How bright the table is in each channel, smoothly from place to place, for every few pixels.

    A surface of few bends through the logarithms, which whatever is not the table (hub, hands,
    tiles that nobody told) is too far from to pull at.
    """
    first = min(_COARSE, *free.shape) // 2
    part = np.s_[first::_COARSE, first::_COARSE]
    seen = np.log(np.maximum(small[part], 4).astype(np.float64))
    rows, columns = np.meshgrid(*(np.linspace(-1, 1, n) for n in seen.shape[:2]), indexing="ij")
    bends = [rows**n * columns**m for n in range(_BENDS + 1) for m in range(_BENDS + 1 - n)]
    terms, values = np.stack(bends, -1).reshape(-1, len(bends)), seen.reshape(-1, 3)
    here = free[part].ravel() > 0
    here = here if here.mean() > 0.2 else np.ones_like(here)
    usual = np.median(values[here], 0)
    off = np.abs(values - usual).max(1)
    known, terms_here, factors = values[here] - usual, terms[here], np.zeros((len(bends), 3))
    for reach in _CLOSER:
        weight = 1 / (1 + (off[here] / reach) ** 2) ** 2
        weighted = terms_here * weight[:, None]
        normal = weighted.T @ terms_here + _STIFF * np.eye(len(bends)) * weight.sum()
        factors = np.linalg.solve(normal, weighted.T @ known)
        off = np.abs(values - usual - terms @ factors).max(1)
    found = np.clip(terms @ factors, -_DEEPEST, _DEEPEST) + usual
    return np.asarray(np.exp(found).reshape(seen.shape), np.float32)


def _binned(lab: Picture) -> NDArray[np.intp]:
    """The number of every pixel's bin."""
    light, one, other = (lab[..., part].astype(np.intp) for part in range(3))
    return (light >> 4) << 12 | (one >> 2) << 6 | other >> 2


def counted(bins: NDArray[np.intp]) -> Bins:
    found = np.bincount(bins, minlength=math.prod(BINS))
    return np.asarray(found.reshape(BINS), np.float32)


def share_of(bins: NDArray[np.intp]) -> Bins:
    """Which share of some pixels has each colour."""
    return np.asarray(smooth(counted(bins)) / max(len(bins), 1), np.float32)


def smooth(bins: Bins) -> Bins:
    """Let every colour count a little for those near it: no light is quite the same twice."""
    flat = bins.reshape(BINS[0], -1)
    light = cv2.sepFilter2D(flat, -1, np.ones(1), _kernel(_SPREAD[0]), borderType=_EDGE)
    kernel = _kernel(_SPREAD[1])
    layers = light.reshape(BINS)
    colours = [cv2.sepFilter2D(layer, -1, kernel, kernel, borderType=_EDGE) for layer in layers]
    return np.asarray(np.stack(colours), np.float32)


def _kernel(spread: float) -> NDArray[np.float64]:
    return np.asarray(cv2.getGaussianKernel(2 * math.ceil(2 * spread) + 1, spread), np.float64)


def blobs(
    likely: NDArray[np.uint8],
    least: float = 6.0,
    most: float = 1e9,
    corner: tuple[int, int] = (0, 0),
) -> Spots:
    """The spots of what is likely, of so many pixels; ``corner`` is where its left top lies."""
    if cv2.countNonZero(likely) < least / 2:
        return []
    closed = cv2.morphologyEx(likely, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    found = []
    for number in range(1, count):
        left, top, wide, high, area = (int(part) for part in stats[number])
        if not least <= area <= most:
            continue
        part = np.s_[top : top + high, left : left + wide]
        spot = labels[part] == number
        rows, columns = np.nonzero(spot)
        spread = np.cov(np.stack([columns, rows])) + np.eye(2) / 12
        small, large = np.linalg.eigvalsh(spread)
        full = area / (4 * math.pi * math.sqrt(float(small * large)))
        mask = np.zeros(likely.shape, np.uint8)
        mask[part][spot] = 255
        x, y = left + float(columns.mean()) + corner[0], top + float(rows.mean()) + corner[1]
        found.append(Blob(x, y, area, math.sqrt(float(large / small)), full, mask))
    return found


def nearest(blobs: Sequence[Blob], x: float, y: float, reach: float) -> Blob | None:
    """The largest spot that comes this close to a place."""
    near = [blob for blob in blobs if _comes_near(blob, x, y, reach)]
    return max(near, key=lambda blob: blob.area, default=None)


def _comes_near(blob: Blob, x: float, y: float, reach: float) -> bool:
    rows, columns = np.nonzero(blob.mask)
    return bool((np.hypot(columns - x, rows - y) <= reach).any())
