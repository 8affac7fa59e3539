"""The drawn table: only what changed is drawn anew, and the lens is true both ways."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest

from companion.vision import draw, drawhub, scenery
from companion.vision.drawtable import HEIGHT, MARGIN, TABLE, WIDTH, Grain, Item, Lens, TableView

TILE = Item("tile", 600.3, 500.7, 92, 0.4, (3, 11))
NEIGHBOUR = Item("tile", 660.1, 540.2, 92, 1.2, (5, 5))
THINGS = [
    Item("train", 300.2, 700.5, 92, 0.2, colour=drawhub.SEAT_COLOURS[0]),
    Item("token", 900.4, 300.5, 92, colour=drawhub.SEAT_COLOURS[1]),
    Item("coin", 1000.4, 800.1, 92, colour=drawhub.COPPER),
    Item("lamp", 200.4, 200.1, 92, lit=True),
]
EVERYTHING = (TILE, NEIGHBOUR, *THINGS)


@pytest.fixture(scope="module")
def ground() -> scenery.Picture:
    return scenery.cloth(*TABLE, np.random.default_rng(1))


def view(barrel: float = 0.03) -> TableView:
    light = scenery.lamplight(*TABLE, 0.4, 0.2, 0.3)
    return TableView(draw.IVORY, Lens(barrel), light)


def differing(one: scenery.Picture, other: scenery.Picture) -> np.ndarray:
    return (np.abs(one.astype(int) - other).max(axis=2) > 20).nonzero()


def test_what_changed_is_drawn_as_if_all_were_drawn_anew(ground: scenery.Picture) -> None:
    kept = view()
    for some in itertools.accumulate(EVERYTHING, lambda items, item: (*items, item), initial=()):
        assert np.array_equal(kept.show(ground, some), view().show(ground, some))
    fewer = tuple(item for item in EVERYTHING if item is not NEIGHBOUR)
    assert np.array_equal(kept.show(ground, fewer), view().show(ground, fewer))


@pytest.mark.parametrize("item", [TILE, *THINGS], ids=lambda item: item.kind)
def test_a_thing_lies_where_it_should_and_nowhere_else(ground: scenery.Picture, item: Item) -> None:
    shown = view()
    empty = shown.show(ground, ()).copy()
    rows, columns = differing(shown.show(ground, (item,)), empty)
    ((x, y),) = shown.lens.seen([(item.x, item.y)])
    assert len(rows) > 30
    assert abs(columns.mean() - x) < 5 and abs(rows.mean() - y) < 5
    assert np.hypot(columns - x, rows - y).max() < 0.75 * item.size


def test_a_tile_is_seen_at_the_corners_that_the_lens_tells(ground: scenery.Picture) -> None:
    shown = view()
    tile = Item("tile", MARGIN + 1150, MARGIN + 100, 92, 0.3, (0, 0))
    picture = shown.show(ground, (tile,))
    corners = np.array(shown.lens.seen(draw.corners_of(tile.x, tile.y, tile.angle, tile.size)))
    middle = corners.mean(0)
    for corner in corners:
        inside, outside = middle + 0.88 * (corner - middle), middle + 1.25 * (corner - middle)
        bright = [int(picture[round(y), round(x)].min()) for x, y in (inside, outside)]
        assert bright[0] > bright[1] + 50


@pytest.mark.parametrize("barrel", [0.0, 0.035])
def test_the_lens_is_true_both_ways(barrel: float) -> None:
    lens = Lens(barrel)
    seen = np.array([(0, 0), (WIDTH, 0), (WIDTH / 2, HEIGHT / 2), (100, HEIGHT - 7)], float)
    back = lens.seen([tuple(spot) for spot in lens.laid(seen)])
    assert np.allclose(back, seen, atol=0.05)


def test_a_barrel_draws_the_corners_inwards() -> None:
    corner = (float(MARGIN), float(MARGIN))
    straight, bent = Lens(0.0).seen([corner])[0], Lens(0.035).seen([corner])[0]
    assert bent[0] > straight[0] + 5 and bent[1] > straight[1] + 5


def test_another_light_changes_the_whole_picture(ground: scenery.Picture) -> None:
    shown = view()
    before = shown.show(ground, EVERYTHING).astype(float)
    shown.shine(scenery.lamplight(*TABLE, 0.4, 0.2, 0.3) * np.float32(0.7))
    after = shown.show(ground, EVERYTHING)
    assert 0.66 < after.mean() / before.mean() < 0.74


def test_one_more_tile_is_drawn_quickly(ground: scenery.Picture) -> None:
    shown = view()
    spots = [(x, y) for x in range(150, 1300, 110) for y in (200, 400, 600)]
    tiles = tuple(Item("tile", x, y, 92, 0.1 * n, (n % 13, 5)) for n, (x, y) in enumerate(spots))
    shown.show(ground, tiles[:-1])
    began = time.process_time()
    shown.show(ground, tiles)
    assert time.process_time() - began < 0.25


def test_grain_is_fresh_on_every_frame() -> None:
    grain = Grain(3.0, np.random.default_rng(2))
    frames = [np.full((HEIGHT, WIDTH, 3), 120, np.uint8) for _ in range(2)]
    for frame in frames:
        grain.fall_on(frame)
    assert 1 < frames[0].std() < 6 and not np.array_equal(*frames)


def test_a_hand_is_the_same_wherever_it_lies() -> None:
    pictures = [np.full((900, 900, 3), 90, np.uint8) for _ in range(2)]
    drawhub.draw_hand_over(pictures[0], 400, 400, 60, 0.5)
    drawhub.draw_hand_over(pictures[1], 430, 380, 60, 0.5)
    assert np.array_equal(pictures[0][200:600, 200:600], pictures[1][180:580, 230:630])
    assert (pictures[0][400, 400] != 90).any() and (pictures[0][5, 5] == 90).all()
