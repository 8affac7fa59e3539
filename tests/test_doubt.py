"""Each doubt that can be seen, on tiles made to show it."""

import cv2
import numpy as np
import pytest

from companion.vision import doubt
from companion.vision.doubt import doubt_about, is_cut_off
from companion.vision.draw import draw_tile
from companion.vision.geometry import Picture, Pyramid

OUTLINE = np.array([[50, 50], [250, 50], [250, 150], [50, 150]], np.float64)


def tile_on_grey(ends: tuple[int, int]) -> Picture:
    """A tile as large as OUTLINE on a grey table of 300 by 200 pixels."""
    face, _ = draw_tile(ends, 200)
    picture = np.full((200, 300, 3), 120, np.uint8)
    picture[50:150, 50:250] = cv2.resize(face, (200, 100)) * 0.8
    return picture


def why(
    picture: Picture, ends: tuple[int, int], confidence: float = 0.5, tile: float = 1.0
) -> str | None:
    return doubt_about(Pyramid(picture), OUTLINE, ends, (0.99, confidence), tile)


def test_a_confident_reading_has_no_doubt() -> None:
    assert why(tile_on_grey((3, 0)), (3, 0), 0.9) is None


def test_without_a_visible_cause_it_is_unclear() -> None:
    assert why(tile_on_grey((3, 5)), (3, 5)) == "unclear"


@pytest.mark.parametrize(
    "halves,reason",
    [((0.98, 0.3), "covered"), ((0.3, 0.98), "covered"), ((0.98, 0.6), "unclear")],
)
def test_one_plain_half_beside_one_that_says_nothing_is_covered(
    halves: tuple[float, float], reason: str
) -> None:
    picture = Pyramid(tile_on_grey((3, 5)))
    assert doubt_about(picture, OUTLINE, (3, 5), halves, 1.0) == reason


def test_a_blurred_tile_is_blurred() -> None:
    blurred = cv2.GaussianBlur(tile_on_grey((3, 5)), (0, 0), 9)
    assert why(np.asarray(blurred, np.uint8), (3, 5)) == "blurred"


def test_a_small_tile_is_too_small() -> None:
    small = np.asarray(cv2.resize(tile_on_grey((3, 5)), (60, 40)), np.uint8)
    assert doubt_about(Pyramid(small), OUTLINE / 5, (3, 5), (0.99, 0.4), 1.0) == "too small"


def test_what_hardly_is_a_tile_is_doubtful_however_clear() -> None:
    assert why(tile_on_grey((3, 5)), (3, 5), 0.99, tile=0.5) == "maybe not a tile"


def shone_on(picture: Picture, left: int, right: int) -> Picture:
    bright = picture.copy()
    bright[60:140, left:right] = 255
    return bright


def test_glare_on_a_doubtful_tile_is_named() -> None:
    assert why(shone_on(tile_on_grey((3, 5)), 60, 100), (3, 5)) == "glare"


@pytest.mark.parametrize(
    ("ends", "left", "right"), [((0, 5), 60, 145), ((5, 0), 155, 240), ((0, 0), 60, 240)]
)
def test_pips_washed_out_by_glare_are_never_a_sure_blank(
    ends: tuple[int, int], left: int, right: int
) -> None:
    picture = shone_on(tile_on_grey((5, 5)), left, right)
    assert why(picture, ends, 0.99) == "glare"


def test_a_lamp_on_the_whole_tile_is_no_glare() -> None:
    bright = shone_on(tile_on_grey((3, 0)), 60, 240)
    assert why(bright, (3, 0), 0.99) is None


@pytest.mark.parametrize(
    ("shift", "cut"), [((-55, 0), False), ((-70, 0), True), ((55, 0), False), ((65, 0), True)]
)
def test_a_lost_rim_is_not_cut_off_and_a_lost_pip_is(shift: tuple[int, int], cut: bool) -> None:
    photo = Pyramid(np.zeros((200, 300, 3), np.uint8))
    assert is_cut_off(photo, OUTLINE + shift) is cut


def test_a_lost_corner_is_not_cut_off() -> None:
    photo = Pyramid(np.zeros((200, 300, 3), np.uint8))
    diamond = np.array([[100, -8], [240, 100], [180, 180], [40, 72]], np.float64)
    assert not is_cut_off(photo, diamond)


def test_sharpness_falls_with_blur() -> None:
    face = tile_on_grey((6, 6))[50:150, 50:250]
    sharp = [
        doubt.sharpness(np.asarray(cv2.GaussianBlur(face, (0, 0), blur), np.uint8))
        for blur in (0.1, 2, 5)
    ]
    assert sharp == sorted(sharp, reverse=True)
    assert doubt.sharpness(np.full((48, 96, 3), 200, np.uint8)) == 0
