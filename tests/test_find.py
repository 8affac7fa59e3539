"""The finder looks at a photo in no more sizes than its tiles need."""

import random

import numpy as np
import pytest

from companion.dominoes import DominoSet
from companion.vision.draw import draw_hand
from companion.vision.find import (
    FIRST,
    SHORT,
    SIZES,
    Finder,
    Outlines,
    helps,
    larger,
    lengths,
)
from companion.vision.geometry import Picture, Pyramid


def hand(count: int) -> Picture:
    tiles = [tile.ends for tile in DominoSet(12)]
    return draw_hand(random.Random(count).sample(tiles, count), 1600, 1200, seed=count).image


def looks(picture: Picture, monkeypatch: pytest.MonkeyPatch) -> tuple[list[int], Outlines]:
    """The sizes in which the finder looked at a picture, and what it found."""
    sizes: list[int] = []
    look = Finder._at

    def noted(self: Finder, photo: Pyramid, size: int) -> Outlines:
        sizes.append(size)
        return look(self, photo, size)

    monkeypatch.setattr(Finder, "_at", noted)
    return sizes, Finder().look(Pyramid(picture))


@pytest.mark.parametrize("count", [5, 12])
def test_tiles_of_middling_size_are_looked_at_once(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes, found = looks(hand(count), monkeypatch)
    assert sizes == [FIRST]
    assert (found.scores > 0.5).sum() == count


def test_small_tiles_are_looked_for_at_a_larger_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes, found = looks(hand(91), monkeypatch)
    assert len(sizes) == 2 and sizes[0] == FIRST < sizes[1] <= SIZES[-1]
    assert (found.scores > 0.5).sum() >= 91


def test_a_tile_that_fills_the_picture_is_looked_at_from_further_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = draw_hand([(5, 3)], 1600, 1200, seed=1)
    corners = np.array(drawn.tiles[0].corners)
    (left, top), (right, bottom) = (
        corners.min(0).astype(int) - 20,
        corners.max(0).astype(int) + 20,
    )
    close = drawn.image[max(top, 0) : bottom, max(left, 0) : right]
    sizes, found = looks(np.ascontiguousarray(close), monkeypatch)
    assert min(sizes) < FIRST
    assert found.scores.max() > 0.5


def test_where_nothing_is_seen_every_size_is_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes, _ = looks(np.full((1200, 1600, 3), 90, np.uint8), monkeypatch)
    assert sorted(sizes) == sorted(SIZES)


def test_a_small_photo_is_not_blown_up(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = draw_hand([(5, 3), (6, 1)], 240, 180, seed=1).image
    sizes, _ = looks(picture, monkeypatch)
    assert max(sizes) <= 1.5 * 240


@pytest.mark.parametrize(
    "size,seen,expected",
    [
        (224, [60.0, 80.0], False),
        (224, [60.0, 150.0], True),
        (112, [60.0, 150.0], False),
        (112, [60.0, 300.0], True),
        (112, [], True),
    ],
)
def test_whether_a_smaller_size_helps(size: int, seen: list[float], expected: bool) -> None:
    assert helps(size, np.array(seen)) is expected


@pytest.mark.parametrize("shortest", [12.0, 20.0, 27.0, 33.0])
def test_the_larger_size_makes_the_shortest_tile_long_enough(shortest: float) -> None:
    size = larger(896, np.array([80.0, shortest]))
    assert size % 16 == 0 and FIRST < size <= 896
    assert shortest * size / FIRST >= SHORT or size == 896


def test_one_tile_far_away_does_not_make_the_look_at_many_others_larger() -> None:
    many = np.full(40, 25.0)
    assert larger(896, np.append(many, 8.0)) == larger(896, many) < larger(896, np.array([8.0]))


def test_an_outlines_length() -> None:
    corners = np.array([[[0.0, 0], [60, 80], [52, 86], [-8, 6]]])
    assert lengths(Outlines(corners, np.array([1.0]))) == pytest.approx([100])
