"""Learning from one's own mistakes: networks read new scenes, and what they take for tiles is kept.

Every outline that finder and refiner propose becomes an example: with the true corners and values
where a tile is, as "no tile" where none is. Nothing here is drawn from photographs.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.vision import networks
from companion.vision.find import Finder, Outlines
from companion.vision.geometry import Floats, Pyramid, distinct
from companion.vision.refine import Refiner
from companion.vision.values import ValueReader
from training.cuts import NO_TILE, Cuts, is_none, is_whole, straightened, turned
from training.labels import Label
from training.scenes import scene
from training.store import SCENES, add_cuts, cut_arrays, write

FIRST_SEED = 10_000_000
"""Mined scenes have seeds from here on, so that none is among those that are rendered to train."""
MOST = 50
"""Outlines of one scene that are looked at."""
ALIKE, SAME, OTHER = 0.6, 0.6, 0.35
"""Overlap above which two outlines are looked at once; above which one is this tile; and below
which it is none."""
HARD = 0.9
"""What is read right and more surely than this is kept only now and then."""


class Miner:
    """The three networks of a folder, and what they make of scenes."""

    def __init__(self, weights: Path) -> None:
        shipped, networks.WEIGHTS = networks.WEIGHTS, weights
        try:
            self._finder, self._refiner, self._values = Finder(), Refiner(), ValueReader()
        finally:
            networks.WEIGHTS = shipped

    def cuts(self, seed: int) -> Cuts:
        """Examples from one scene."""
        drawn, cuts = scene(seed), Cuts()
        rng, photo = np.random.default_rng([seed, 9]), Pyramid(drawn.picture)
        found = self._finder.look(photo)
        rough = found.of(distinct(found.corners, found.scores, ALIKE, MOST))
        if not len(rough):
            return cuts
        for outline in rough.corners:
            self._add_refiner(photo, outline, drawn.labels, cuts, rng)
        refined = self._refiner.refine(photo, Outlines(rough.corners, rough.scores))
        if not len(refined):
            return cuts
        odds = self._values.read(photo, refined.corners)
        for outline, guess in zip(refined.corners, odds):
            self._add_refiner(photo, outline, drawn.labels, cuts, rng)
            add_value(photo, outline, drawn.labels, guess, cuts, rng)
        return cuts

    @staticmethod
    def _add_refiner(
        photo: Pyramid, outline: Floats, labels: list[Label], cuts: Cuts, rng: np.random.Generator
    ) -> None:
        """The outline as an example for the refiner, if it is clear what it is."""
        label, shared = best(outline, labels)
        if label is not None and shared > SAME and is_whole(label):
            if rng.random() < 0.5:
                cuts.add_refiner(photo, outline, aligned(label.corners, outline))
        elif label is None or shared < OTHER or is_none(label):
            cuts.add_refiner(photo, outline, None)


def add_value(
    photo: Pyramid,
    outline: Floats,
    labels: list[Label],
    guess: Floats,
    cuts: Cuts,
    rng: np.random.Generator,
) -> None:
    """The refined outline as an example for the value reader, rarely where it was easy."""
    label, shared = best(outline, labels)
    answer = (NO_TILE, NO_TILE)
    if label is not None and shared > SAME and not is_none(label):
        same_way = aligned(label.corners, outline) is label.corners
        answer = label.read if same_way else (label.read[1], label.read[0])
    elif label is not None and shared >= OTHER and not is_none(label):
        return
    sure = [guess[half, value] > HARD for half, value in enumerate(answer) if value >= 0]
    if not all(sure) or not sure or rng.random() < 0.25:
        cuts.add_value(photo, outline, answer)


def best(outline: Floats, labels: list[Label]) -> tuple[Label | None, float]:
    """The tile that shares most with the outline, and the share of both together."""
    nearest, most = None, 0.0
    sharp = outline.astype(np.float32)
    for label in labels:
        corners = label.corners.astype(np.float32)
        common = cv2.intersectConvexConvex(sharp, corners)[0]
        if common > 0:
            share = common / (cv2.contourArea(sharp) + cv2.contourArea(corners) - common)
            if share > most:
                nearest, most = label, float(share)
    return nearest, most


def aligned(corners: Floats, outline: Floats) -> Floats:
    """The tile's corners, begun at the end that is the outline's left one."""
    along = straightened(outline)[2][0]
    return corners if straightened(corners)[2][0] @ along >= 0 else turned(corners)


def mine_files(folder: Path, weights: Path, first: int, count: int, scenes: int = SCENES) -> None:
    """Mines files of so many scenes each, numbered from ``first`` on, unless they are there."""
    miner = Miner(weights)
    for number in range(first, first + count):
        path = folder / f"{number:05}.npz"
        if path.exists():
            continue
        cuts = Cuts()
        for seed in range(FIRST_SEED + number * SCENES, FIRST_SEED + number * SCENES + scenes):
            add_cuts(cuts, miner.cuts(seed))
        write(path, **cut_arrays(cuts))
        tiles = sum(answer[0] != NO_TILE for answer in cuts.value_answers)
        false = len(cuts.value_answers) - tiles
        print(f"{path.name}: {tiles} tiles and {false} others to learn from", flush=True)
