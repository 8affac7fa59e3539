"""Each doubt that can be seen, on tiles made to show it."""

import cv2
import numpy as np
import pytest

from companion.vision import doubt, recount
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


def plain_counts(picture: Picture) -> tuple[int | None, int | None]:
    """The spots of both halves, each with its divider turned to the right."""
    face = Pyramid(picture).cut(OUTLINE, recount.WIDTH, recount.HEIGHT, 1.0)
    middle = recount.WIDTH // 2
    return recount.plain_spots(face[:, :middle]), recount.plain_spots(face[:, : middle - 1 : -1])


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


def without(spots: slice) -> Picture:
    """The tile 12-3 without some of the rows of its twelve."""
    picture = tile_on_grey((12, 3))
    rows = np.linspace(0.2, 0.8, 4)[spots]
    for x, y in ((50 + 100 * x, 50 + 100 * y) for x in rows for y in (0.2, 0.5, 0.8)):
        cv2.circle(picture, (round(x), round(y)), 10, picture[110, 205].tolist(), -1)
    return picture


@pytest.mark.parametrize("row", range(4))
def test_a_twelve_that_lacks_a_row_has_no_legal_layout(row: int) -> None:
    picture = without(slice(row, row + 1))
    assert why(picture, (12, 3), 0.99) == why(picture, (12, 3), 0.6) == "layout"
    sure = doubt_about(Pyramid(picture), OUTLINE, (12, 3), (0.99, 0.99), 1.0, closely=False)
    assert sure is None


@pytest.mark.parametrize("one", range(13))
def test_every_legal_layout_is_counted_as_it_was_read(one: int) -> None:
    other = 12 - one
    counts = plain_counts(tile_on_grey((one, other)))
    assert counts == (one or None, other or None)
    assert why(tile_on_grey((one, other)), (one, other), 0.99) is None


def test_spots_that_are_not_plain_are_not_counted() -> None:
    picture = tile_on_grey((6, 6))
    cv2.line(picture, (70, 90), (120, 112), (90, 90, 90), 4)
    cv2.ellipse(picture, (200, 100), (22, 8), 30, 0, 360, (20, 20, 20), -1)
    assert plain_counts(picture) == (None, None)
    faint = cv2.addWeighted(tile_on_grey((6, 6)), 0.05, np.full_like(picture, 180), 0.95, 0)
    assert plain_counts(np.asarray(faint, np.uint8)) == (None, None)


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
    ("ends", "left", "right"),
    [((0, 5), 60, 145), ((5, 0), 155, 240), ((0, 0), 60, 240)],
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
    ("shift", "cut"),
    [((-55, 0), False), ((-70, 0), True), ((55, 0), False), ((65, 0), True)],
)
def test_a_lost_rim_is_not_cut_off_and_a_lost_pip_is(shift: tuple[int, int], cut: bool) -> None:
    photo = Pyramid(np.zeros((200, 300, 3), np.uint8))
    assert is_cut_off(photo, OUTLINE + shift) is cut


@pytest.mark.parametrize("surely,reason", [(0.95, None), (0.8, "cut off"), (0.5, "cut off")])
def test_where_a_rim_is_lost_what_is_not_plain_may_be_cut_off(
    surely: float, reason: str | None
) -> None:
    shift = -56
    photo = Pyramid(np.ascontiguousarray(tile_on_grey((3, 5))[:, -shift:]))
    outline = OUTLINE + (shift, 0)
    assert not is_cut_off(photo, outline)
    assert doubt_about(photo, outline, (3, 5), (0.99, surely), 1.0) == reason


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
