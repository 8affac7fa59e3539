"""The whole reader on rendered scenes that nobody learned from: what it gets right, and what not.

A second opinion beside labelled photographs; values that no photograph shows are tried here alone.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from companion.observation import PhotoReading
from companion.vision import networks
from companion.vision.read import Reader
from training.cuts import is_none, is_whole, length
from training.labels import UNREADABLE, Label
from training.mining import best
from training.scenes import scene

FIRST_SEED = 20_000_000
"""Scenes for trials have seeds from here on, apart from those to train on and to mine."""
NARROWEST = 28.0
"""Tiles narrower than this many pixels are not asked for."""
SAME = 0.5
"""Least overlap of a reading with the tile it is of."""


def reader_with(weights: Path) -> Reader:
    """The product's reader with the networks of another folder."""
    shipped, networks.WEIGHTS = networks.WEIGHTS, weights
    try:
        return Reader()
    finally:
        networks.WEIGHTS = shipped


def asked_for(label: Label) -> bool:
    """Whether a reader ought to read this tile: whole, large enough, every pip to be seen."""
    width = min(np.hypot(*(label.corners[0] - label.corners[3])), length(label.corners) / 2)
    return is_whole(label) and UNREADABLE not in label.read and width >= NARROWEST / 2


def try_scene(reader: Reader, seed: int) -> Counter[str]:
    """Counts of one scene."""
    drawn = scene(seed)
    return compared(reader.read(drawn.picture), drawn.labels)


def compared(reading: PhotoReading, labels: list[Label]) -> Counter[str]:
    """Counts: tiles asked for, missed, right, wrong, wrong though sure, right though not sure,
    the same for tiles with a value of 13 or more, and readings where there is no tile."""
    counts: Counter[str] = Counter()
    met: set[int] = set()
    for one in reading.tiles:
        label, shared = best(np.array(one.corners), labels)
        if label is None or shared < SAME or is_none(label):
            counts["false"] += label is None or shared < 0.3 or is_none(label)
            counts["false and sure"] += (label is None or shared < 0.3) and one.sure
            continue
        met.add(id(label))
        if not asked_for(label):
            continue
        kinds = ["", " high"] if max(label.read) > 12 else [""]
        right = sorted(one.ends) == sorted(label.read)
        for kind in kinds:
            counts["right" + kind] += right
            counts["wrong" + kind] += not right
            counts["wrong and sure" + kind] += not right and one.sure
            counts["right and unsure" + kind] += right and not one.sure
    for label in labels:
        if asked_for(label):
            counts["asked for"] += 1
            counts["missed"] += id(label) not in met
            counts["asked for high"] += max(label.read) > 12
            counts["asked for 0-0"] += label.read == (0, 0)
            counts["missed 0-0"] += label.read == (0, 0) and id(label) not in met
    return counts


def try_out(weights: Path, first: int, count: int) -> Counter[str]:
    """The counts of so many scenes."""
    reader, total = reader_with(weights), Counter[str]()
    for seed in range(FIRST_SEED + first, FIRST_SEED + first + count):
        total.update(try_scene(reader, seed))
    return total
