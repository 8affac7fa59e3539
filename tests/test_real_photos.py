"""The reader's floors on a folder of labelled real photos: how right, how honest, how fast.

The folder is named by COMPANION_PHOTOS and holds labels.json and img/.
"""

import json
import os
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.observation import PhotoReading
from companion.vision.photo import load
from companion.vision.read import Reader
from photo_scores import scorecard

pytestmark = pytest.mark.photos

A_HAND = 28
"""A photo in which at most so many tiles are read takes at most SLOWEST_HAND times the median
photo's time, any other SLOWEST times."""
SLOWEST_HAND, SLOWEST = 4, 7


@dataclass(frozen=True)
class ReadPhoto:
    """A photo's label, what was read, and the seconds of one processor it took with decoding."""

    name: str
    label: dict[str, Any]
    reading: PhotoReading
    seconds: float


@pytest.fixture(scope="module")
def folder() -> Path:
    named = os.environ.get("COMPANION_PHOTOS")
    if not named:
        raise RuntimeError("Set COMPANION_PHOTOS to a folder with labels.json and img/.")
    return Path(named)


@pytest.fixture(scope="module")
def reader(folder: Path) -> Reader:
    reader = Reader()
    reader.read(load(next((folder / "img").iterdir())))
    return reader


def timed(reader: Reader, photo: Path) -> tuple[PhotoReading, float]:
    start = time.process_time()
    reading = reader.read(load(photo))
    return reading, time.process_time() - start


@pytest.fixture(scope="module")
def photos(folder: Path, reader: Reader) -> list[ReadPhoto]:
    """Every photo, read once."""
    labels = json.loads((folder / "labels.json").read_text())
    return [
        ReadPhoto(name, label, *timed(reader, folder / "img" / name))
        for name, label in sorted(labels.items())
    ]


def test_the_scorecard_stays_above_its_floors(photos: list[ReadPhoto]) -> None:
    score = scorecard()
    marks = [
        score.mark(photo.name, photo.label, photo.reading.to_json(photo.name))
        for photo in photos
        if photo.label.get("complete", True)
    ]
    figures = score.Card(marks).figures()
    wrong = "\n".join(score.worst(marks, 20))
    assert figures["tiles"] >= 99.5, wrong
    assert figures["extra"] <= 0.3, wrong
    assert figures["exact"] >= 98, wrong
    assert figures["silent"] == 0, wrong
    assert figures["timid"] <= 3.3, wrong
    assert figures["asks"] <= 1.1, wrong


def test_no_photo_takes_much_longer_than_the_others(
    folder: Path, reader: Reader, photos: list[ReadPhoto]
) -> None:
    median = statistics.median(photo.seconds for photo in photos)
    for photo in photos:
        most = (SLOWEST_HAND if len(photo.reading.tiles) <= A_HAND else SLOWEST) * median
        seconds = photo.seconds
        if seconds > most:
            again = [timed(reader, folder / "img" / photo.name)[1] for _ in range(3)]
            seconds = statistics.median(again)
        assert seconds <= most, photo.name


def test_what_the_frame_cuts_is_never_counted_surely(photos: list[ReadPhoto]) -> None:
    for photo in photos:
        for tile in photo.reading.tiles:
            x, y = tile.centre
            inside = 0 <= x <= photo.reading.width and 0 <= y <= photo.reading.height
            assert inside or not tile.counted


def test_colour_is_not_needed(folder: Path, reader: Reader, photos: list[ReadPhoto]) -> None:
    loose = [p for p in photos if p.label.get("tier") == "everyday" and p.reading.sure]
    same = 0
    for photo in loose[::4]:
        grey = cv2.cvtColor(load(folder / "img" / photo.name), cv2.COLOR_BGR2GRAY)
        _, data = cv2.imencode(".png", grey)
        reading = reader.read(load(data.tobytes()))
        same += sorted(t.tile for t in reading.tiles) == sorted(t.tile for t in photo.reading.tiles)
    assert same >= len(loose[::4]) - 1
