"""Reading: drawn photos, the labelled ones where there are any, and the hub before the camera."""

from __future__ import annotations

import functools
import gc
import json
import os
import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.dominoes import DominoSet
from companion.edges import Frame
from companion.report import report
from companion.table import replay
from companion.vision.draw import draw_hand
from companion.vision.photo import load
from companion.vision.read import Reader
from companion.watch import Watch
from hardware.camera import NoCamera
from hardware.simulator import Simulator
from scripts.measuring.figures import NAMES, Figure, least

Picture = NDArray[np.uint8]

LARGE = (4000, 3000)
SIZES = (("0.3", 640, 480), ("2", 1632, 1224), ("12", *LARGE))
"""Megapixels, width and height."""
COUNTS = (1, 15, 40, 91)
A_HAND = 28
"""Labelled photos of more tiles are no hand."""


@functools.cache
def jpeg_of(count: int, width: int, height: int) -> bytes:
    """A drawn photo of so many tiles of a double-12 set; a large one takes seconds to draw."""
    tiles = [tile.ends for tile in DominoSet(12)]
    hand = random.Random(count).sample(tiles, count)
    return cv2.imencode(".jpg", draw_hand(hand, width, height, seed=count).image)[1].tobytes()


def photos() -> Iterator[Figure]:
    """Reading drawn photos, against decoding the same JPEG."""
    reader = Reader()
    for megapixels, width, height in SIZES:
        for count in sorted({*COUNTS, *([12] if megapixels == "2" else [])}):
            data = jpeg_of(count, width, height)
            decode, read = least(lambda: decoded(data), lambda: reader.read(load(data), highest=12))
            tiles = "1 tile" if count == 1 else f"{count} tiles"
            what = f"photo of {megapixels} megapixels with {tiles}"
            yield Figure(what, read, read / decode, "its JPEG decode")


def decoded(data: bytes) -> Picture:
    """The picture in a JPEG, by OpenCV alone."""
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def labelled() -> Iterator[Figure]:
    """The slowest of the labelled photos that are hands, against the median of all of them."""
    folder = Path(os.environ.get("COMPANION_PHOTOS") or os.devnull)
    if not (folder / "labels.json").exists():
        return
    reader, labels = Reader(), json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    taken = {}
    for name in labels:
        data = (folder / "img" / name).read_bytes()
        (taken[name],) = least(lambda: reader.read(load(data)), times=3)
    usual = statistics.median(taken.values())
    slowest = max(taken[name] for name in labels if len(labels[name]["tiles"]) <= A_HAND)
    what = f"the slowest of {len(taken)} labelled photos, if a hand"
    yield Figure(what, slowest, slowest / usual, "the median of all")


class Drawn(NoCamera):
    """A camera whose frames were drawn before, the last one for good."""

    def __init__(self, images: list[Picture]) -> None:
        super().__init__()
        self.trouble, self._images = None, images

    def _take(self, after: float) -> Frame:
        image = self._images.pop(0) if len(self._images) > 1 else self._images[0]
        return Frame(image, time.monotonic(), "drawn")


def hub_frames() -> Iterator[tuple[bool, Picture]]:
    """Frames of a hub to which a tile is added now and then, until forty lie there; and whether
    the table is still being laid."""
    names = NAMES[:5]
    start = {"action": "start_game", "players": names, "set": 12, "rules": "classic"}
    taps: list[dict[str, Any]] = [start, {"action": "open_round"}]
    table = Simulator(seed=6)
    for number in range(40):
        player = names[number % len(names)]
        taps.append({"action": "turn", "player": player})
        if number < len(names):
            taps.append({"action": "start_train", "player": player})
        table.follow(report(replay(taps)))
        for _ in range(1 if number < 30 else 4):
            yield number < 30, table.frame()


def watching() -> Iterator[Figure]:
    """What one frame of a hub with 30 tiles and more takes: a tile was laid, or nothing changed;
    and what the watch takes of every second while nothing happens. Frames are drawn before."""
    shown = list(hub_frames())
    data = cv2.imencode(".jpg", shown[-1][1])[1].tobytes()
    (decode,) = least(lambda: decoded(data))
    reader = Reader()
    images = [image for _, image in shown]
    watch = Watch(Drawn(images), reader, highest=lambda: 12, at_rest=reader.let_go)
    laid, quiet = [], []
    for number, (laying, _) in enumerate(shown):
        gc.collect()
        begun = time.process_time()
        act = watch.step(number / 3)
        taken = 1000 * (time.process_time() - begun)
        if not laying and watch.sighting is not None and len(watch.sighting.tiles) >= 25:
            (laid if act == "read" else quiet).append(taken)
    for what, took in (
        ("a hub frame in which a tile was laid, median", statistics.median(laid)),
        ("the worst of them", max(laid)),
        ("a hub frame in which nothing changed, median", statistics.median(quiet)),
        ("an idle watch, each second of 3 frames", 3 * statistics.mean(quiet)),
    ):
        yield Figure(what, took, took / decode, "the frame's JPEG decode")
