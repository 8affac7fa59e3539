"""Cutting outlines straight, and telling which are of one thing."""

import numpy as np
import pytest

from companion.vision.geometry import Floats, Pyramid, area, distinct, is_sound, taken

BOX = np.array([[0, 0], [40, 0], [40, 20], [0, 20]], np.float64)


def turned(outline: Floats, degrees: float) -> Floats:
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray((outline - outline.mean(0)) @ turn + outline.mean(0))


def test_the_overlap_decides_what_is_one_thing() -> None:
    outlines = np.array([BOX, BOX + (2, 1), BOX + (0, 19), BOX + (100, 0)])
    scores = np.array([0.5, 0.9, 0.4, 0.3])
    assert distinct(outlines, scores, 0.3) == [1, 2, 3]
    assert distinct(outlines, scores, 0.95) == [1, 0, 2, 3]
    assert distinct(outlines, scores, 0.3, most=2) == [1, 2]
    assert distinct(np.empty((0, 4, 2)), np.empty(0), 0.3) == []


def test_what_lies_between_known_outlines_is_taken() -> None:
    known = np.array([BOX, BOX + (0, 20)])
    asked = np.array([BOX + (0, 10), BOX + (0, 38), BOX + (39, 0), BOX + (60, 0), BOX + (3, 1)])
    assert list(taken(asked, known, 0.45)) == [True, False, False, False, True]
    assert list(taken(asked, known, 0.55)) == [False, False, False, False, True]
    assert not taken(asked, np.empty((0, 4, 2)), 0.4).any()
    assert not taken(asked, known[:, [0, 2, 1, 3]], 0.4).any()
    assert taken(np.empty((0, 4, 2)), known, 0.4).shape == (0,)


def test_crossed_tiny_and_endless_outlines_are_not_sound() -> None:
    assert is_sound(BOX)
    assert not is_sound(BOX / 10)
    assert not is_sound(BOX[[0, 2, 1, 3]])
    assert not is_sound(BOX + np.inf)
    assert distinct(np.array([BOX[[0, 2, 1, 3]], BOX]), np.array([1, 0.1]), 0.3) == [1]
    assert area(BOX) == 800


@pytest.mark.parametrize("scale", [1, 3, 9])
@pytest.mark.parametrize("degrees", [0, 30, 200])
def test_a_cut_is_upright_whatever_size_and_turn(scale: int, degrees: float) -> None:
    outline = turned(BOX * scale, degrees) + 30 * scale
    side = 90 * scale
    down, across = np.mgrid[:side, :side]
    axis = (outline[1] - outline[0]) / np.hypot(*(outline[1] - outline[0]))
    along = (across - outline[0, 0]) * axis[0] + (down - outline[0, 1]) * axis[1]
    half = np.where(along < 20 * scale, 50, 200).astype(np.uint8)
    picture = np.repeat(half[:, :, None], 3, 2)
    cut = Pyramid(picture).cut(outline, 96, 48, 1.16)
    assert cut.shape == (48, 96, 3)
    assert abs(int(cut[24, 30, 0]) - 50) < 3
    assert abs(int(cut[24, 66, 0]) - 200) < 3


def test_copies_are_the_smallest_that_are_large_enough() -> None:
    photo = Pyramid(np.zeros((300, 400, 3), np.uint8))
    assert photo.at_least(400).shape[1] == 400
    assert photo.at_least(201).shape[1] == 400
    assert photo.at_least(200).shape[1] == 200
    assert photo.at_least(60).shape[1] == 100
    assert photo.at_least(4000).shape[1] == 400
