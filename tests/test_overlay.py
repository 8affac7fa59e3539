"""What is drawn on a copy of a photo."""

import numpy as np

from companion.observation import Corners, PhotoReading, Reading
from companion.vision.overlay import DOUBTFUL, SURE, overlay

LEFT: Corners = ((40.0, 160.0), (40.0, 40.0), (280.0, 40.0), (280.0, 160.0))
RIGHT: Corners = ((340.0, 160.0), (340.0, 40.0), (580.0, 40.0), (580.0, 160.0))
PHOTO = np.full((200, 620, 3), 128, np.uint8)


def share_of(colour: tuple[int, int, int], line: np.ndarray) -> float:
    return float((np.abs(line.astype(int) - colour).max(1) < 30).mean())


def test_sure_tiles_have_solid_outlines_and_doubtful_ones_dashes() -> None:
    tiles = (Reading((3, 5), LEFT), Reading((1, 2), RIGHT).doubted("unclear"))
    drawn = overlay(PHOTO, PhotoReading(620, 200, tiles))
    assert drawn.shape == PHOTO.shape
    assert share_of(SURE, drawn[40, 50:270]) == 1
    assert 0.3 < share_of(DOUBTFUL, drawn[40, 350:570]) < 0.9


def test_the_photo_itself_stays_as_it_is() -> None:
    before = PHOTO.copy()
    overlay(PHOTO, PhotoReading(620, 200, (Reading((3, 5), LEFT),)))
    assert np.array_equal(PHOTO, before)


def test_a_tile_beyond_the_edge_is_drawn_as_far_as_it_goes() -> None:
    outside: Corners = ((-80.0, 160.0), (-80.0, 40.0), (100.0, 40.0), (100.0, 160.0))
    tile = Reading((3, 5), outside).doubted("cut off")
    drawn = overlay(PHOTO, PhotoReading(620, 200, (tile,)))
    assert not np.array_equal(drawn, PHOTO)
