"""Hub, seats and play area are found where they can be, and left out where they cannot."""

import math

import cv2
import numpy as np
import pytest

from companion.observation import PhotoReading, Reading
from companion.vision.placing import find_layout, play_area, ways_from
from hardware.simulator import HEIGHT, WIDTH, Simulator
from table_reports import PLAYERS, table_report


def reading_of(table):
    """What a reader that makes no mistakes reads of the simulated table."""
    tiles = tuple(Reading(ends, corners) for ends, corners in table.truth())
    return PhotoReading(WIDTH, HEIGHT, tiles)


def found_in(table, trains):
    return find_layout(table.frame(), reading_of(table), trains)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("off", [(0.0, 0.0), (0.08, -0.05)])
def test_the_hub_and_all_seats_are_found_by_the_trains(seed, off):
    table = Simulator(seed=seed, off_centre=off)
    table.follow(table_report("12-12", PLAYERS[:4], started=PLAYERS[:4], mexican=True, round_=1))
    found = found_in(table, 5)
    assert (found.how, found.ways) == ("trains", 5)
    x, y = found.layout.centre
    assert math.hypot((x - 0.5 - off[0]) * WIDTH, (y - 0.5 - off[1]) * HEIGHT) < 25
    slots = [90, 135, 180, 225, 45]
    turned = [math.remainder(a - b, 360) for a, b in zip(found.layout.directions, slots)]
    assert max(map(abs, turned)) < 4, found.layout.directions


def test_seats_are_told_only_when_all_of_them_are_seen():
    table = Simulator(seed=1)
    table.follow(table_report("12-12", PLAYERS[:4], started=PLAYERS[:4], round_=1))
    found = found_in(table, 5)
    assert (found.how, found.ways, found.layout.directions) == ("trains", 4, ())
    assert found_in(table, None).layout.directions == ()


def test_before_any_train_the_engine_tells_where_the_hub_is():
    engine = Reading((12, 12), ((560, 420), (640, 420), (640, 460), (560, 460)))
    bare = np.full((HEIGHT, WIDTH, 3), 120, np.uint8)
    found = find_layout(bare, PhotoReading(WIDTH, HEIGHT, (engine,)), 5)
    assert (found.how, found.layout.centre) == ("engine", (600 / WIDTH, 440 / HEIGHT))


def test_before_any_tile_its_round_shape_does():
    picture = np.full((HEIGHT, WIDTH, 3), 150, np.uint8)
    cv2.circle(picture, (700, 450), 150, (40, 40, 40), -1, cv2.LINE_AA)
    found = find_layout(picture, PhotoReading(WIDTH, HEIGHT), 5)
    assert found.how == "shape"
    x, y = found.layout.centre
    assert math.hypot(x * WIDTH - 700, y * HEIGHT - 450) < 12


def test_of_a_bare_table_nothing_is_claimed():
    bare = np.full((HEIGHT, WIDTH, 3), 120, np.uint8)
    found = find_layout(bare, PhotoReading(WIDTH, HEIGHT), 5)
    assert found.how is None
    assert (found.layout.centre, found.layout.area, found.layout.directions) == (
        None,
        None,
        (),
    )


def board():
    picture = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
    corners = np.array([(200, 120), (1080, 140), (1100, 850), (180, 830)])
    cv2.fillPoly(picture, [corners], (190, 200, 205), cv2.LINE_AA)
    return picture, corners


def test_a_board_that_stands_out_is_the_play_area():
    picture, corners = board()
    area = play_area(picture, (), (600.0, 500.0))
    seen = np.array(area) * (WIDTH, HEIGHT)
    assert np.abs(seen - corners).max() < 14


def test_a_shape_that_does_not_hold_every_tile_and_the_hub_is_none():
    picture, _corners = board()
    outside = Reading((1, 2), ((20, 420), (100, 420), (100, 460), (20, 460)))
    assert play_area(picture, (outside,), (600.0, 500.0)) is None
    assert play_area(picture, (), (100.0, 50.0)) is None


def test_ways_begin_at_the_bottom_and_go_clockwise():
    def spoke(angle):
        way = np.array((math.cos(math.radians(angle)), math.sin(math.radians(angle))))
        side = np.array((-way[1], way[0])) * 20
        near, far = 500 + 120 * way, 500 + 200 * way
        corners = [near + side, near - side, far - side, far + side]
        return Reading((12, 3), tuple((float(x), float(y)) for x, y in corners))

    tiles = [spoke(angle) for angle in (10, 84, 200, 300)]
    assert [round(way) for way in ways_from((500, 500), tiles)] == [84, 200, 300, 10]
