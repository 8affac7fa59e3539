"""The engine slot is found by geometry alone, or the look says that it is not sure."""

from __future__ import annotations

import math
import os
import random
import shutil
from pathlib import Path

import pytest

from companion.dominoes import Tile
from companion.observation import PhotoReading, Point, Reading
from companion.vision.hub import find_engine, look_at_hub
from companion.vision.read import Reader
from companion.watch import Watch
from hardware.camera import FolderCamera

WIDTH, HEIGHT, LENGTH = 1280, 960, 90.0
UP, RIGHT, DOWN, LEFT = -math.pi / 2, 0.0, math.pi / 2, math.pi


def lying(
    ends: tuple[int, int], x: float, y: float, angle: float, why: str | None = None
) -> Reading:
    """A reading of a tile that lies here, in pixels; its second end lies towards ``angle``."""
    cos, sin = math.cos(angle), math.sin(angle)
    spots = ((-0.5, 0.25), (-0.5, -0.25), (0.5, -0.25), (0.5, 0.25))
    a, b, c, d = [
        (x + LENGTH * (u * cos - v * sin), y + LENGTH * (u * sin + v * cos)) for u, v in spots
    ]
    return Reading(ends, (a, b, c, d), sure=why is None, why=why)


def spoke(ends: tuple[int, int], at: Point, angle: float, place: int = 0) -> Reading:
    """The first (or a later) tile of a straight train that leaves the hub this way."""
    far = LENGTH * (1.95 + 1.02 * place)
    return lying(ends, at[0] + far * math.cos(angle), at[1] + far * math.sin(angle), angle)


def picture(*tiles: Reading) -> PhotoReading:
    return PhotoReading(WIDTH, HEIGHT, tiles)


def star(at: Point, count: int = 8) -> list[Reading]:
    """The first tiles of so many trains."""
    return [spoke((9, n), at, n * math.tau / 8) for n in range(count)]


CENTRE = (640.0, 480.0)
ASIDE = (830.0, 340.0)


@pytest.mark.parametrize("at", [CENTRE, ASIDE])
@pytest.mark.parametrize("trains", range(9))
def test_the_engine_is_found_with_any_number_of_trains(at: Point, trains: int) -> None:
    look = look_at_hub(picture(*star(at, trains), lying((9, 9), *at, RIGHT)))
    assert look.engine is not None and look.engine.tile == Tile(9, 9) and look.certain
    assert look.trains == (trains if trains >= 3 else 0)


@pytest.mark.parametrize("at", [CENTRE, ASIDE])
@pytest.mark.parametrize("trains", range(9))
def test_an_empty_slot_is_empty(at: Point, trains: int) -> None:
    assert look_at_hub(picture(*star(at, trains))).engine is None


def test_a_double_first_in_a_train_is_not_the_engine() -> None:
    tiles = star(CENTRE)
    tiles[3] = spoke((9, 9), CENTRE, 3 * math.tau / 8)
    look = look_at_hub(picture(*tiles))
    assert look.tile is None and look.trains == 8


def test_a_crosswise_double_is_not_the_engine() -> None:
    across = lying((7, 7), 640 + LENGTH * 2.72, 480, UP)
    tiles = [*star(CENTRE, 5), across]
    assert find_engine(picture(*tiles)) is None
    engine = lying((9, 9), *CENTRE, UP)
    assert find_engine(picture(*tiles, engine)) == engine


def test_trains_that_bend_do_not_mislead() -> None:
    bends = [lying((4, 5), 640 + 260 * x, 480 + 260 * y, UP) for x, y in ((1, 0.2), (-1, 0.3))]
    later = [spoke((1, 2), ASIDE, n * math.tau / 8, 1) for n in (0, 2, 5)]
    engine = lying((0, 0), *ASIDE, RIGHT)
    look = look_at_hub(picture(*bends, *star(ASIDE), *later, engine))
    assert look.engine == engine and math.dist(look.centre, ASIDE) < 2


def test_a_given_centre_speaks_while_there_are_no_trains() -> None:
    reading = picture(lying((9, 9), *ASIDE, RIGHT), lying((3, 3), *CENTRE, RIGHT))
    found = find_engine(reading, (ASIDE[0] / WIDTH, ASIDE[1] / HEIGHT))
    assert found is not None and found.tile == Tile(9, 9)
    assert find_engine(reading, (0.1, 0.1)) is None


def test_trains_that_meet_far_from_the_given_centre_make_it_unsure() -> None:
    look = look_at_hub(picture(*star(ASIDE), lying((9, 9), *ASIDE, RIGHT)), (0.3, 0.7))
    assert not look.certain and look.engine is None


def test_a_doubtful_engine_is_unsure() -> None:
    engine = lying((9, 9), *CENTRE, RIGHT, why="covered")
    look = look_at_hub(picture(*star(CENTRE), engine))
    assert look.engine == engine and not look.certain


def test_a_tile_in_the_slot_that_is_no_double_is_told() -> None:
    look = look_at_hub(picture(*star(CENTRE), lying((9, 8), *CENTRE, RIGHT)))
    assert look.engine is None and look.tile is not None and look.tile.tile == Tile(8, 9)


def test_loose_tiles_are_no_hub() -> None:
    chance = random.Random(3)
    wrong = 0
    for _ in range(60):
        tiles = [
            lying((n, n), 150 + n % 4 * 320 + chance.uniform(-60, 60),
                  160 + n // 4 * 310 + chance.uniform(-60, 60), chance.uniform(-3, 3))
            for n in range(12)
        ]  # fmt: skip
        look = look_at_hub(picture(*tiles))
        wrong += look.engine is not None and look.certain
    assert wrong <= 3


def test_nothing_in_the_picture_is_an_empty_slot() -> None:
    look = look_at_hub(picture())
    assert look.tile is None and look.centre == CENTRE and look.length is None


def seen_from_the_side(chance: random.Random, trains: int, engine: int | None) -> PhotoReading:
    """A random hub under a tilted camera, with crooked tiles, bends and crosswise doubles."""
    ring, turn, tilt = chance.uniform(1.2, 2.0), chance.uniform(0, math.tau), chance.uniform(0, 0.9)
    size = WIDTH / chance.uniform(11, 17)
    at = (chance.uniform(0.35, 0.65) * WIDTH, chance.uniform(0.35, 0.65) * HEIGHT)

    def seen(spot: Point) -> Point:
        x, y = spot[0] / LENGTH, spot[1] / LENGTH
        x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
        y *= math.cos(tilt)
        near = size / (1 - y * math.sin(tilt) * 0.05)
        return at[0] + near * x + chance.gauss(0, 0.6), at[1] + near * y + chance.gauss(0, 0.6)

    tiles = [] if engine is None else [lying((engine, engine), 0, 0, chance.choice([RIGHT, UP]))]
    for slot in chance.sample(range(8), trains):
        way, far = slot * math.tau / 8, ring
        for place in range(chance.randint(1, 4)):
            low, high = chance.sample(range(13), 2)
            crosswise = place > 0 and chance.random() < 0.3
            middle = LENGTH * (far + (0.25 if crosswise else 0.5))
            crooked = way + chance.gauss(0, 0.04) + (math.pi / 2 if crosswise else 0)
            ends = (low, low) if crosswise else (low, high)
            spot = (middle * math.cos(way), middle * math.sin(way))
            tiles.append(lying(ends, *spot, crooked))
            far += 0.52 if crosswise else 1.02
    shown = []
    for tile in tiles:
        a, b, c, d = (seen(corner) for corner in tile.corners)
        shown.append(Reading(tile.ends, (a, b, c, d)))
    inside = [t for t in shown if all(0 < x < WIDTH and 0 < y < HEIGHT for x, y in t.corners)]
    chance.shuffle(inside)
    return picture(*inside)


@pytest.mark.parametrize("trains", range(9))
def test_random_hubs_never_show_a_wrong_engine(trains: int) -> None:
    chance = random.Random(trains)
    unsure = 0
    for _ in range(40):
        engine = chance.choice([None, 3, 9])
        look = look_at_hub(seen_from_the_side(chance, trains, engine))
        unsure += not look.certain
        if look.certain:
            assert (look.engine and look.engine.ends[0]) == engine
    assert unsure <= (12 if trains < 4 else 0)


@pytest.mark.photos
@pytest.mark.parametrize("name, engine", [("cst-08", Tile(9, 9)), ("cst-11", None)])
def test_real_hubs(name: str, engine: Tile | None, tmp_path: Path) -> None:
    folder = os.environ.get("COMPANION_PHOTOS")
    if not folder:
        pytest.skip("Set COMPANION_PHOTOS to the folder of real photos.")
    shutil.copy(Path(folder) / "img" / f"{name}.jpg", tmp_path)
    watch = Watch(FolderCamera(tmp_path), Reader(), agree=1)
    assert watch.step(0.0) == "read"
    assert watch.sighting is not None
    assert (watch.sighting.engine, watch.sighting.certain) == (engine, True)
