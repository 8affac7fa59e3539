"""What people run into when tiles are read: each kind with what must come out and what must not.

The pictures are drawn here; "never" means never without a doubt.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from companion.dominoes import Tile
from companion.observation import PhotoReading
from companion.vision.draw import BLACK, IVORY, WHITE, Style, lay_tile
from companion.vision.geometry import Picture
from companion.vision.read import Reader

Spot = tuple[Tile, float, float, float]
"""A tile, the pixels of its centre, and its angle in degrees."""
WOOD = (70, 105, 140)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def table(
    spots: list[Spot], length: float, width: int = 1200, height: int = 900, style: Style = IVORY
) -> Picture:
    """Tiles of this length on a plain table with a little grain."""
    picture = np.full((height, width, 3), WOOD, np.float32)
    picture += np.random.default_rng(5).normal(0, 3, picture.shape[:2])[..., None]
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    for tile, x, y, angle in spots:
        lay_tile(picture, tile, (x, y), math.radians(angle), length, style)
    return picture


def read_of(reading: PhotoReading) -> list[Tile]:
    return sorted(one.tile for one in reading.tiles)


def tiles(words: str) -> list[Tile]:
    return [Tile.parse(word) for word in words.split()]


def surely_wrong(reading: PhotoReading, laid: list[Tile]) -> list[Tile]:
    """Tiles that were read without a doubt and do not lie there."""
    left = list(laid)
    wrong = []
    for one in reading.tiles:
        if one.tile in left:
            left.remove(one.tile)
        elif one.sure:
            wrong.append(one.tile)
    return wrong


VALUES = tiles("0-10 1-11 2-12 3-13 4-14 5-15 6-16 7-17 8-18 9-9")


@pytest.mark.parametrize("length", [76, 130, 210])
@pytest.mark.parametrize("style", [IVORY, BLACK])
def test_every_value_at_three_sizes(reader: Reader, length: int, style: Style) -> None:
    spots = [
        (tile, 150 + 225 * (number % 5), 250 + 360 * (number // 5), 14.0 * number - 60)
        for number, tile in enumerate(VALUES)
    ]
    reading = reader.read(table(spots, length, style=style))
    assert read_of(reading) == sorted(VALUES)
    if length > 100:
        assert reading.sure


@pytest.mark.parametrize("angle", range(0, 360, 15))
def test_a_tile_at_every_angle(reader: Reader, angle: int) -> None:
    laid = tiles("6-11 0-5")
    spots = [(laid[0], 330.0, 450.0, float(angle)), (laid[1], 800.0, 430.0, angle + 47.0)]
    reading = reader.read(table(spots, 230))
    assert read_of(reading) == sorted(laid) and reading.sure


@pytest.mark.parametrize("turn", [0, 33, 90, 158])
def test_tiles_that_touch_are_each_read_once(reader: Reader, turn: int) -> None:
    laid = tiles("5-5 0-12 3-9 7-8 1-11 2-6 4-10 12-12 6-9")
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    spots = []
    for number, tile in enumerate(laid):
        x, y = 161.0 * (number % 3 - 1), 81.0 * (number // 3 - 1)
        spots.append((tile, 600 + x * cosine - y * sine, 450 + x * sine + y * cosine, float(turn)))
    reading = reader.read(table(spots, 160))
    assert read_of(reading) == sorted(laid)


def test_a_train_with_a_crosswise_double(reader: Reader) -> None:
    laid = tiles("9-4 4-4 4-11 11-2")
    spots = [
        (laid[0], 250.0, 450.0, 0.0),
        (laid[1], 385.0, 450.0, 90.0),
        (laid[2], 520.0, 450.0, 0.0),
        (laid[3], 701.0, 450.0, 0.0),
    ]
    assert read_of(reader.read(table(spots, 180))) == sorted(laid)


@pytest.mark.parametrize("strength", [90, 160, 255])
def test_glare_over_pips_never_makes_a_sure_blank(reader: Reader, strength: int) -> None:
    laid = tiles("4-4 6-9 3-5")
    spots = [(tile, 250.0 + 330 * number, 450.0, 0.0) for number, tile in enumerate(laid)]
    picture = table(spots, 260, style=WHITE)
    light = np.zeros(picture.shape[:2], np.float32)
    cv2.ellipse(light, (185, 450), (80, 70), 0, 0, 360, float(strength), -1)
    light = cv2.GaussianBlur(light, (0, 0), 6)
    reading = reader.read(np.clip(picture + light[..., None], 0, 255).astype(np.uint8))
    assert not surely_wrong(reading, laid)
    assert set(laid[1:]) <= set(read_of(reading))


def test_a_shadows_edge_on_a_blank_is_no_pip(reader: Reader) -> None:
    laid = tiles("0-6 0-0 0-3")
    spots = [(tile, 250.0 + 330 * number, 450.0, 20.0) for number, tile in enumerate(laid)]
    picture = table(spots, 260).astype(np.float32)
    picture[:, :210] *= 0.5
    picture[470:, :] *= 0.7
    reading = reader.read(picture.astype(np.uint8))
    assert not surely_wrong(reading, laid)
    assert set(laid[1:]) <= set(read_of(reading))
    assert read_of(reading) == sorted(laid) or not reading.sure


@pytest.mark.parametrize("x,width", [(400, 60), (420, 80), (430, 100)])
def test_a_tile_under_a_finger_is_covered_and_not_counted(
    reader: Reader, x: int, width: int
) -> None:
    laid = tiles("6-12 3-9")
    picture = table([(laid[0], 350.0, 450.0, 0.0), (laid[1], 850.0, 450.0, 0.0)], 260)
    cv2.line(picture, (x, 700), (x + 30, 455), (135, 165, 215), width, cv2.LINE_AA)
    reading = reader.read(picture)
    assert not reading.sure
    assert [one.tile for one in reading.tiles if one.counted] == [laid[1]]
    assert [one.why for one in reading.tiles if not one.counted] == ["covered"]


def test_a_blank_double_with_its_divider_is_a_tile_and_a_back_is_none(reader: Reader) -> None:
    picture = table([(Tile.of(0, 0), 350.0, 450.0, 10.0)], 260)
    lay_tile(picture, Tile.of(5, 5), (850, 450), 0.4, 260, IVORY, back=True)
    assert read_of(reader.read(picture)) == [Tile.of(0, 0)]


@pytest.mark.parametrize("noise", range(3))
def test_grain_coins_and_cards_are_no_tiles(reader: Reader, noise: int) -> None:
    rng = np.random.default_rng(noise)
    picture = table([], 200)
    for row in range(0, 900, 75):
        cv2.line(picture, (0, row), (1200, row), (45, 70, 95), int(rng.integers(1, 5)))
        x = int(rng.integers(1200))
        cv2.line(picture, (x, row), (x, row + 75), (45, 70, 95), 3)
    for _ in range(6):
        spot = tuple(int(part) for part in rng.integers(80, 820, 2))
        cv2.circle(picture, spot, 40, (90, 170, 205), -1, cv2.LINE_AA)
    cv2.rectangle(picture, (700, 200), (1000, 600), (250, 250, 250), -1)
    for row in range(240, 580, 30):
        cv2.line(picture, (720, row), (960, row), (60, 60, 60), 2)
    assert not [one for one in reader.read(picture).tiles if one.sure]


@pytest.mark.parametrize("blur", [1.0, 2.0, 3.0, 4.5])
def test_blur_is_read_right_or_doubted(reader: Reader, blur: float) -> None:
    laid = tiles("12-9 11-7 10-8 5-6")
    spots = [(tile, 180.0 + 280 * number, 450.0, 65.0) for number, tile in enumerate(laid)]
    reading = reader.read(cv2.GaussianBlur(table(spots, 150), (0, 0), blur))
    assert not surely_wrong(reading, laid)
    if blur <= 2:
        assert read_of(reading) == sorted(laid)


@pytest.mark.parametrize("length", [34, 44, 56])
def test_small_tiles_are_read_right_or_doubted(reader: Reader, length: int) -> None:
    laid = tiles("12-9 11-7 10-8 5-6 0-1 3-4")
    spots = [(tile, 150.0 + 170 * number, 450.0, 25.0) for number, tile in enumerate(laid)]
    reading = reader.read(table(spots, length))
    assert not surely_wrong(reading, laid)


@pytest.mark.parametrize("pip", [(70, 205, 225), (170, 175, 178), (150, 200, 150)])
def test_pale_pips_are_counted_in_colour_and_in_grey(
    reader: Reader, pip: tuple[int, int, int]
) -> None:
    laid = tiles("6-9 3-12 5-8")
    style = Style(body=(246, 250, 250), pip=pip)
    spots = [(tile, 250.0 + 330 * number, 450.0, -12.0) for number, tile in enumerate(laid)]
    picture = table(spots, 260, style=style)
    grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    assert read_of(reader.read(picture)) == sorted(laid)
    assert not surely_wrong(reader.read(np.asarray(grey, np.uint8)), laid)


def test_a_tile_half_out_of_the_picture_is_never_counted(reader: Reader) -> None:
    laid = tiles("5-12 6-6")
    spots = [(laid[0], 1175.0, 300.0, 4.0), (laid[1], 500.0, 500.0, 30.0)]
    reading = reader.read(table(spots, 260))
    assert [one.tile for one in reading.tiles if one.counted] == [Tile.of(6, 6)]
    assert not [one for one in reading.tiles if one.tile != Tile.of(6, 6) and one.sure]


def test_with_a_set_the_same_tile_twice_is_doubted_twice(reader: Reader) -> None:
    double = Tile.of(3, 7)
    spots = [(double, 300.0, 450.0, 0.0), (double, 800.0, 450.0, 50.0)]
    picture = table(spots, 240)
    assert reader.read(picture).sure
    assert [one.why for one in reader.read(picture, highest=9).tiles] == ["duplicate"] * 2


@pytest.mark.parametrize("megapixels", [0.1, 0.3, 2, 12])
def test_a_photo_of_any_size_reads_the_same(reader: Reader, megapixels: float) -> None:
    laid = tiles("1-12 9-9 0-4 6-11")
    spots = [(tile, 170.0 + 280 * number, 450.0, 40.0 * number) for number, tile in enumerate(laid)]
    picture = table(spots, 240)
    scale = math.sqrt(megapixels * 1e6 / (1200 * 900))
    size = (round(1200 * scale), round(900 * scale))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    reading = reader.read(np.asarray(cv2.resize(picture, size, interpolation=how), np.uint8))
    assert read_of(reading) == sorted(laid)
