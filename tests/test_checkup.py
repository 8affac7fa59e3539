"""The self-test says how well known tiles were read, which values are doubtful, what to change."""

import pytest

from companion.checkup import LEAST, Checkup, suggested, tiles_in
from companion.dominoes import Tile
from companion.errors import RuleBroken
from companion.observation import PhotoReading, Reading

TILES = (Tile.of(0, 1), Tile.of(2, 3), Tile.of(4, 5))
AWAY = ((0, 0), (40, 0), (40, 20), (0, 20))


def look(*ends, doubted=(), why="unclear"):
    """One look in which these tiles were read, some of them with a doubt."""
    tiles = [Reading(each, AWAY) for each in ends if each not in doubted]
    tiles += [Reading(each, AWAY, 0.5, False, why) for each in doubted]
    return PhotoReading(1280, 960, tuple(tiles))


ALL = look((1, 0), (2, 3), (4, 5))


def after(*looks, brightness=120.0):
    return Checkup(TILES).seen(looks, brightness)


def test_tiles_that_are_always_read_right_are_read_well():
    test = after(ALL, ALL).seen([ALL], 120)
    assert (test.grade, test.share, test.right, test.doubtful, test.advice) == (
        *("well", 1.0, 3),
        *([], []),
    )
    assert [(line.looks, line.right, line.sure) for line in test.lines] == [(3, 3, 3)] * 3


def test_a_misread_value_is_named_and_the_other_half_is_not():
    wrong = look((0, 1), (2, 3), (4, 6))
    test = after(ALL, wrong, wrong)
    assert test.doubtful == [5]
    line = test.lines[2]
    assert (line.right, line.sure, line.taken_for) == (1, 1, (Tile.of(4, 6),))
    assert test.grade == "badly" and test.right == 2


def test_a_tile_that_is_not_found_or_doubted_makes_both_its_values_doubtful():
    assert after(look((0, 1), (4, 5))).doubtful == [2, 3]
    unsure = after(look((0, 1), (4, 5), doubted=[(2, 3)]))
    assert unsure.doubtful == [2, 3]
    assert (unsure.lines[1].right, unsure.lines[1].sure) == (1, 0)


def test_one_slip_in_twelve_is_fair():
    test = after(ALL, ALL, ALL, look((0, 1), (2, 3)))
    assert test.grade == "fairly" and test.share == pytest.approx(11 / 12)


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("glare", "turn it aside"),
        ("blurred", "clean its lens"),
        ("too small", "bring the camera nearer"),
        ("cut off", "lay them further in"),
        ("covered", "lay them apart"),
        ("unclear", "read them again"),
    ],
)
def test_what_to_change_follows_from_the_doubts(why, words):
    test = after(look((0, 1), doubted=[(2, 3), (4, 5)], why=why))
    assert words in test.advice[0]


def test_in_the_dark_more_light_comes_first():
    doubted = look((0, 1), doubted=[(2, 3)], why="blurred")
    assert [words[:10] for words in after(doubted, brightness=40).advice] == [
        "It is dark",
        "The pictur",
    ]


def test_nothing_read_is_nothing_well():
    assert Checkup(TILES).share == 0 and Checkup(TILES).grade == "badly"
    assert after(PhotoReading(1280, 960)).doubtful == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("highest", [6, 9, 12, 15, 18])
def test_every_value_of_the_set_is_on_a_suggested_tile(highest):
    tiles = suggested(highest)
    assert {value for tile in tiles for value in tile.ends} == set(range(highest + 1))
    assert LEAST <= len(tiles) == len(set(tiles)) <= 10


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "Too few tiles to judge the set by: lay at least 6."),
        (5, "Too few tiles to judge the set by: lay at least 6."),
        (6, "This set is read well in this light."),
    ],
)
def test_a_few_tiles_say_nothing_of_the_set(count, said):
    tiles = suggested(12)[:count]
    test = Checkup(tiles).seen([look(*(tile.ends for tile in tiles))], 120)
    assert test.verdict == said and test.enough == (count == 6)
    assert (test.right, test.doubtful) == (count, []), "the numbers are there all the same"


def test_other_tiles_are_typed():
    assert tiles_in("5-12, 1-0 5-12", 12) == (Tile.of(5, 12), Tile.of(0, 1))
    for text in (
        "",
        "5-x",
        "5-13",
        "5",
        " ".join(f"0-{n} 1-{n}" for n in range(2, 19)),
    ):
        with pytest.raises(RuleBroken):
            tiles_in(text, 18 if len(text) > 20 else 12)
