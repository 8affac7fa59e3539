"""The trains told again from nothing but where the tiles lie, over hundreds of laid tables."""

import math
import random
from dataclasses import dataclass, replace

import pytest
from tests.lying import HEIGHT, WIDTH, Layer, LaidTable, photo

from companion.observation import Reading
from companion.vision.hub import HubLook, look_at_hub
from companion.vision.trains import trains_seen
from hardware.laying import Lying


@dataclass
class Count:
    """How many trains were told right, and how many not."""

    trains: int = 0
    tiles: int = 0
    ends: int = 0
    unknown: int = 0
    wrong: int = 0
    missing: int = 0
    invented: int = 0
    questions: int = 0

    def take(self, table: LaidTable, seen, gone=()):
        told = {train.seat: train for train in seen}
        for train in table.trains:
            laid = [ends for ends in train.tiles if tuple(sorted(ends)) not in gone]
            self.take_one(laid, told.pop(train.seat, None))
        self.invented += len(told)

    def take_one(self, laid, seen):
        if not laid:
            self.invented += seen is not None
            return
        self.trains += 1
        if seen is None:
            self.missing += 1
            return
        self.questions += len(seen.questions)
        self.tiles += list(seen.tiles) == laid
        right = (laid[-1][1], laid[-1][0] == laid[-1][1])
        self.ends += (seen.open_end, seen.open_double) == right
        self.unknown += seen.open_end is None
        self.wrong += seen.open_end not in (None, right[0])


def look(table):
    centre = table.centre[0] / WIDTH, table.centre[1] / HEIGHT
    return look_at_hub(photo(table), centre)


def seats_of(seed):
    return 2 + seed % 13


USUAL, GAPS, BENDS = {}, {"gap": 0.35}, {"gap": 0.02, "bends": 0.3}
TILTED = {"tilt": 0.4, "tiles": 22}


@pytest.mark.parametrize(
    ("habits", "told"),
    [
        (USUAL, True),
        (USUAL, False),
        (GAPS, True),
        (GAPS, False),
        (BENDS, True),
        (TILTED, True),
    ],
)
def test_trains_are_told_as_they_were_laid(habits, told):
    count = Count()
    for seed in range(40):
        table = Layer(seed, seats_of(seed), **habits).table()
        ways = table.directions if told else ()
        count.take(table, trains_seen(table.readings, look(table), ways, seats_of(seed)))
    assert count.wrong == count.invented == count.questions == 0
    assert count.tiles >= 0.99 * count.trains > 200
    assert count.ends >= 0.99 * count.trains


def test_an_unread_tile_leaves_a_gap_and_no_wrong_end():
    count = Count()
    for seed in range(90):
        table = Layer(seed, seats_of(seed)).table()
        chance = random.Random(seed)
        lost = [r for r in table.readings if r is not table.engine and chance.random() < 0.06]
        table.readings = [each for each in table.readings if each not in lost]
        gone = {each.tile.ends for each in lost}
        seen = trains_seen(table.readings, look(table), table.directions, seats_of(seed))
        count.take(table, seen, gone)
    assert count.wrong <= 1 and count.questions == 0
    assert count.ends >= 0.92 * count.trains > 600
    assert count.unknown <= 0.07 * count.trains


def test_a_wrong_reading_spoils_no_other_train():
    count = Count()
    for seed in range(90):
        table = Layer(seed, seats_of(seed)).table()
        chance = random.Random(seed)
        misread = set()
        for number, reading in enumerate(table.readings):
            if reading is not table.engine and chance.random() < 0.03:
                misread.add(reading.tile.ends)
                ends = list(reading.ends)
                ends[chance.randrange(2)] = chance.randrange(13)
                table.readings[number] = Reading((ends[0], ends[1]), reading.corners)
        seen = trains_seen(table.readings, look(table), table.directions, seats_of(seed))
        spoiled = {
            train.seat
            for train in table.trains
            if misread & {tuple(sorted(ends)) for ends in train.tiles}
        }
        table.trains = [train for train in table.trains if train.seat not in spoiled]
        count.take(table, [train for train in seen if train.seat not in spoiled])
    assert count.wrong <= 2 and count.invented == 0
    assert count.tiles >= 0.99 * count.trains > 500


# ---- single trains, laid by hand -------------------------------------------------------------


def reading(ends, x, y, angle=0.0, **more):
    """A tile on a table of 100 pixels a tile, the hub at (500, 400)."""
    spots = Lying(ends, x, y, math.radians(angle)).corners
    corners = tuple((500 + 100 * a, 400 + 100 * b) for a, b in spots)
    return Reading(ends, corners, **more)


def hub(value=12):
    tile = reading((value, value), 0, 0)
    return HubLook((500.0, 400.0), 100.0, 0, tile)


def seen(*tiles, directions=(0.0, 90.0, 180.0, 270.0), look=None):
    look = look or hub()
    return trains_seen([look.tile, *tiles], look, directions, len(directions) - 1)


def test_tiles_are_turned_so_that_their_first_end_faces_the_hub():
    (train,) = seen(reading((4, 12), 2, 0, 180), reading((4, 7), 3.02, 0))
    assert train.seat == 1 and train.tiles == ((12, 4), (4, 7)) and train.open_end == 7
    assert train.way == 0.0 and train.path == ((700.0, 400.0), (802.0, 400.0))
    assert train.head == pytest.approx((877.0, 400.0), abs=1)


def test_a_crosswise_double_is_open_until_something_lies_on_it():
    double = reading((4, 4), 2.77, 0, 90)
    (train,) = seen(reading((12, 4), 2, 0), double)
    assert train.open_double and train.open_end == 4
    (train,) = seen(reading((12, 4), 2, 0), double, reading((4, 9), 3.55, 0))
    assert not train.open_double and train.tiles == ((12, 4), (4, 4), (4, 9))
    (train,) = seen(reading((12, 4), 2, 0), double, reading((9, 4), 2.77, 1.02, 270))
    assert train.open_end == 9, "it goes on from the double's end"
    (train,) = seen(reading((12, 4), 2, 0), double, reading((4, 9), 3.29, 0.25, 90))
    assert train.open_end == 9, "it turns right at the double"


def test_a_train_turns_a_corner():
    (train,) = seen(reading((12, 4), 2, 0), reading((4, 1), 2.77, 0.25, 90))
    assert train.tiles == ((12, 4), (4, 1)) and train.open_end == 1
    assert train.head == pytest.approx((777.0, 500.0), abs=2)


def test_a_joint_that_does_not_match_is_a_question_when_both_are_sure():
    wrong = reading((5, 7), 3.02, 0)
    (train,) = seen(reading((12, 4), 2, 0), wrong)
    assert train.questions == ("The 5-7 lies on the 4-12 but does not fit: look at them.",)
    assert train.open_end == 7
    doubtful = replace(wrong, sure=False, why="unclear", second=(4, None))
    (train,) = seen(reading((12, 4), 2, 0), doubtful)
    assert train.questions == () and train.open_end == 7


@pytest.mark.parametrize(
    "doubt",
    [{"why": "glare"}, {"why": "covered"}, {"why": "unclear", "second": (None, 6)}],
)
def test_an_open_end_that_was_not_read_for_certain_is_not_told(doubt):
    (train,) = seen(reading((12, 4), 2, 0), reading((4, 7), 3.02, 0, sure=False, **doubt))
    assert train.open_end is None and train.tiles == ((12, 4), (4, 7))


def test_past_an_unread_tile_the_train_goes_on():
    (train,) = seen(reading((12, 4), 2, 0), reading((7, 9), 4.04, 0))
    assert train.tiles == ((12, 4), (7, 9)) and train.open_end == 9 and train.questions == ()


def test_a_loose_tile_near_an_end_makes_it_uncertain():
    (train,) = seen(reading((12, 4), 2, 0), reading((7, 9), 3.1, 0.9, 40))
    assert train.tiles == ((12, 4),) and train.open_end is None


def test_loose_tiles_far_away_are_in_no_train():
    (train,) = seen(reading((12, 4), 2, 0), reading((7, 9), -4, -3, 40))
    assert train.tiles == ((12, 4),) and train.open_end == 4


def test_the_mexican_train_comes_last_and_has_no_seat():
    trains = seen(reading((12, 4), 0, -2, 270), reading((12, 5), 0, 2, 90))
    assert [train.seat for train in trains] == [2, None]


def test_a_train_in_nobodys_direction_is_nobodys():
    assert seen(reading((12, 4), -2, 0, 180), directions=(0.0, 90.0, 270.0)) == ()


def test_without_directions_seats_are_counted_clockwise_from_the_bottom():
    tiles = [
        reading((12, 1), 0, 2, 90),
        reading((12, 2), -2, 0, 180),
        reading((12, 3), 2, 0),
    ]
    trains = trains_seen([hub().tile, *tiles], hub(), (), None)
    assert [(train.seat, train.open_end) for train in trains] == [
        (1, 1),
        (2, 2),
        (3, 3),
    ]
    trains = trains_seen([hub().tile, *tiles[:2]], hub(), (), 4)
    assert [(train.seat, train.open_end) for train in trains] == [
        (1, 1),
        (3, 2),
    ], "by the drawing"


def test_an_empty_table_has_no_trains():
    assert trains_seen([], hub(), (), 4) == () and seen() == ()
