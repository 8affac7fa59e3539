"""Rendered scenes on disk: files of a few hundred scenes each, which training reads back.

A file holds the pictures as JPEG, the labels, and the cut-outs for refiner and value reader. It
appears under its name only when it is complete, so that training may read while others render.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Picture
from training.chance import Floats
from training.cuts import Cuts, cut_scene, is_none, is_whole
from training.labels import Label
from training.scenes import scene

SCENES = 100
"""Scenes in one file; file number n holds the seeds from n * SCENES on."""
QUALITY = 95
"""JPEG quality of the stored pictures."""
TILE, NOTHING, UNCLEAR = 1, 0, -1
"""What a stored outline is: a tile to be found, nothing to be found, or neither to be learned."""


@dataclass(frozen=True)
class Outlined:
    """A stored scene for the finder: the picture, outlines (n, 4, 2), and what each is (n)."""

    coded: NDArray[np.uint8]
    corners: Floats
    kinds: NDArray[np.int8]

    def picture(self) -> Picture:
        """The picture itself."""
        return np.asarray(cv2.imdecode(self.coded, cv2.IMREAD_COLOR), np.uint8)


def kind_of(label: Label) -> int:
    """What the finder is to make of it."""
    if is_whole(label):
        return TILE
    return NOTHING if is_none(label) else UNCLEAR


def render_file(folder: Path, number: int) -> Path:
    """Renders one file of scenes, unless it is there."""
    path = folder / f"{number:05}.npz"
    if path.exists():
        return path
    coded, corners, kinds, counts, cuts = [], [], [], [], Cuts()
    for seed in range(number * SCENES, (number + 1) * SCENES):
        drawn = scene(seed)
        quality = [cv2.IMWRITE_JPEG_QUALITY, QUALITY]
        coded.append(cv2.imencode(".jpg", drawn.picture, quality)[1].ravel())
        corners += [label.corners for label in drawn.labels]
        kinds += [kind_of(label) for label in drawn.labels]
        counts.append(len(drawn.labels))
        more = cut_scene(drawn.picture, drawn.labels, np.random.default_rng([seed, 8]))
        add_cuts(cuts, more)
    write(
        path,
        coded=np.concatenate(coded),
        bytes=np.array([len(one) for one in coded]),
        corners=np.array(corners, np.float32).reshape(-1, 4, 2),
        kinds=np.array(kinds, np.int8),
        counts=np.array(counts),
        **cut_arrays(cuts),
    )
    return path


def add_cuts(all_cuts: Cuts, more: Cuts) -> None:
    """Adds the cut-outs of one scene to those of others."""
    all_cuts.value_pictures += more.value_pictures
    all_cuts.value_answers += more.value_answers
    all_cuts.refiner_pictures += more.refiner_pictures
    all_cuts.refiner_answers += more.refiner_answers


def cut_arrays(cuts: Cuts) -> dict[str, NDArray[np.generic]]:
    """The cut-outs as arrays by the names they have in a file."""
    return {
        "value_pictures": np.array(cuts.value_pictures, np.uint8),
        "value_answers": np.array(cuts.value_answers, np.int8).reshape(-1, 2),
        "refiner_pictures": np.array(cuts.refiner_pictures, np.uint8),
        "refiner_answers": np.array(cuts.refiner_answers, np.float32).reshape(-1, 9),
    }


def write(path: Path, **arrays: NDArray[np.generic]) -> None:
    """Writes the file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{os.getpid()}.part")
    with unfinished.open("wb") as file:
        np.savez(file, **arrays)
    unfinished.rename(path)


def read_cuts(
    folders: list[Path], what: str, after: set[Path] | None = None
) -> tuple[list[NDArray[np.uint8]], list[NDArray[np.generic]]]:
    """The ``what`` ("value" or "refiner") pictures and answers, one array for each file.

    Files in ``after`` are passed over; those that are read are added to it.
    """
    pictures, answers = [], []
    for path in files(folders, after):
        with np.load(path) as held:
            if len(held[f"{what}_answers"]):
                pictures.append(held[f"{what}_pictures"])
                answers.append(held[f"{what}_answers"])
    return pictures, answers


def read_scenes(folders: list[Path], after: set[Path] | None = None) -> Iterator[Outlined]:
    """The scenes of all files, as the finder needs them."""
    for path in files(folders, after):
        with np.load(path) as held:
            if "coded" not in held:
                continue
            stops, ends = np.cumsum(held["bytes"]), np.cumsum(held["counts"])
            coded, corners, kinds = held["coded"], held["corners"], held["kinds"]
        pieces = np.split(coded, stops[:-1]), np.split(corners, ends[:-1])
        for one in zip(*pieces, np.split(kinds, ends[:-1])):
            yield Outlined(*one)


def files(folders: list[Path], after: set[Path] | None) -> list[Path]:
    """The complete files of the folders that are not in ``after``, which then holds them too."""
    found = [path for folder in folders for path in sorted(folder.glob("*.npz"))]
    if after is not None:
        found = [path for path in found if path not in after]
        after.update(found)
    return found
