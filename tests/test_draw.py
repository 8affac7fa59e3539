"""Drawn tiles look like tiles: where they are said to be, and read by the true reader."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from companion.dominoes import DominoSet, Tile
from companion.vision import draw
from companion.vision.read import Reader


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def some_tiles(count: int, seed: int) -> list[Tile]:
    tiles = list(DominoSet(12))
    order = np.random.default_rng(seed).permutation(len(tiles))[:count]
    return [tiles[number] for number in order]


def test_a_tile_is_twice_as_long_as_wide_with_its_first_end_on_the_left() -> None:
    image, mask = draw.draw_tile((0, 12), 200)
    assert image.shape == (100, 200, 3) and mask.shape == (100, 200)
    left, right = image[20:80, 20:80], image[20:80, 120:180]
    assert right.std() > 3 * left.std()
    assert mask[50, 100] == 1 and mask[0, 0] == 0


def test_a_tile_on_its_back_shows_no_pips() -> None:
    back, _ = draw.draw_tile((12, 12), 200, back=True)
    assert back[20:80, 20:180].std(axis=(0, 1)).max() < 4


def test_corners_go_clockwise_from_the_first_end() -> None:
    corners = draw.corners_of(100, 50, 0.0, 40)
    assert np.allclose(corners, [(80, 60), (80, 40), (120, 40), (120, 60)])
    quarter = draw.corners_of(0, 0, math.pi / 2, 40)
    assert np.allclose(quarter, [(-10, -20), (10, -20), (10, 20), (-10, 20)])


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0, -2.4])
def test_a_laid_tile_lies_within_its_corners(angle: float) -> None:
    table = np.full((300, 300, 3), 60, np.uint8)
    corners = draw.lay_tile(table, (0, 0), (150, 150), angle, 120)
    inside = np.zeros((300, 300), np.uint8)
    cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), 1)
    bright = table.min(axis=2) > 190
    assert bright[inside == 1].mean() > 0.85
    outside = cv2.dilate(inside, np.ones((17, 17), np.uint8)) == 0
    assert not bright[outside].any()


def test_a_tile_may_hang_over_the_edge() -> None:
    table = np.full((100, 100, 3), 60, np.uint8)
    draw.lay_tile(table, (6, 6), (2, 98), 0.4, 80)
    draw.lay_tile(table, (6, 6), (500, 500), 0.4, 80)
    assert (table[60:, :40].min(axis=2) > 180).sum() > 200


def test_the_same_seed_draws_the_same_photo() -> None:
    first, again = (draw.draw_hand(some_tiles(4, 1), 640, 480, seed=5) for _ in range(2))
    other = draw.draw_hand(some_tiles(4, 1), 640, 480, seed=6)
    assert np.array_equal(first.image, again.image) and first.tiles == again.tiles
    assert not np.array_equal(first.image, other.image)


def test_loose_tiles_do_not_lie_on_each_other_and_stay_in_the_picture() -> None:
    hand = draw.draw_hand(some_tiles(20, 2), 900, 700, seed=2, backs=3)
    outlines = [np.array(t.corners, np.float32) for t in (*hand.tiles, *hand.backs)]
    assert len(hand.tiles) == 20 and len(hand.backs) == 3
    for number, outline in enumerate(outlines):
        assert (outline >= 0).all() and (outline < (900, 700)).all()
        for other in outlines[number + 1 :]:
            assert cv2.intersectConvexConvex(outline, other)[0] == 0


def test_an_empty_table_can_be_drawn() -> None:
    hand = draw.draw_hand([], 320, 240)
    assert hand.image.shape == (240, 320, 3) and hand.tiles == ()


@pytest.mark.parametrize(
    "style, table, count, backs",
    [("ivory", "wood", 12, 2), ("white", "cloth", 7, 0), ("black", "wood", 9, 0),
     ("pinned", "cloth", 15, 1)],
)  # fmt: skip
def test_the_reader_reads_a_drawn_hand(
    reader: Reader, style: str, table: str, count: int, backs: int
) -> None:
    hand = draw.draw_hand(
        some_tiles(count, count), seed=count, style=draw.STYLES[style], table=table, backs=backs
    )
    reading = reader.read(hand.image, highest=12)
    drawn = sorted(tuple(sorted(tile.ends)) for tile in hand.tiles if tile.ends)
    assert sorted(tile.tile.ends for tile in reading.tiles) == drawn
    for tile in reading.tiles:
        spot = min(hand.tiles, key=lambda other: math.dist(tile.centre, middle(other)))
        assert tuple(sorted(tile.ends)) == tuple(sorted(spot.ends or ()))
        off = math.dist(tile.centre, middle(spot))
        assert off < 0.08 * math.dist(spot.corners[1], spot.corners[2])


def middle(tile: draw.DrawnTile) -> tuple[float, float]:
    return (sum(x for x, _ in tile.corners) / 4, sum(y for _, y in tile.corners) / 4)


def test_first_ends_agree_with_the_reader(reader: Reader) -> None:
    hand = draw.draw_hand([(1, 8), (6, 3), (5, 2), (0, 4)], seed=3)
    for tile in reader.read(hand.image).tiles:
        spot = min(hand.tiles, key=lambda other: math.dist(tile.centre, middle(other)))
        first = ((tile.corners[0][0] + tile.corners[1][0]) / 2,
                 (tile.corners[0][1] + tile.corners[1][1]) / 2)  # fmt: skip
        drawn = ((spot.corners[0][0] + spot.corners[1][0]) / 2,
                 (spot.corners[0][1] + spot.corners[1][1]) / 2)  # fmt: skip
        same_way = math.dist(first, drawn) < math.dist(first, middle(spot))
        assert spot.ends is not None
        assert tile.ends == (spot.ends if same_way else spot.ends[::-1])
