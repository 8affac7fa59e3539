"""What doubts do to a count, and the reading as the contract has it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dominoes import Tile
from companion.observation import WHYS, Corners, PhotoReading, Reading, checked_against_set

SQUARE: Corners = ((0.0, 10.0), (0.0, 0.0), (20.0, 0.0), (20.0, 10.0))

values = st.integers(0, 18)
numbers = st.floats(-5000, 5000, allow_nan=False)
points = st.tuples(numbers, numbers)


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    why = draw(st.none() | st.sampled_from(WHYS))
    return Reading(
        ends=draw(st.tuples(values, values)),
        corners=draw(st.tuples(points, points, points, points)),
        confidence=draw(st.floats(0, 1)),
        sure=why is None,
        why=why,
    )


def sure(*ends: int) -> Reading:
    return Reading((ends[0], ends[1]), SQUARE)


def doubtful(why: str, *ends: int) -> Reading:
    return sure(*ends).doubted(why)


def test_a_sure_tile_has_no_reason_and_a_doubtful_one_has_one_of_the_known() -> None:
    with pytest.raises(ValueError, match="a sure one has none"):
        Reading((1, 2), SQUARE, sure=True, why="glare")
    with pytest.raises(ValueError, match="needs its reason"):
        Reading((1, 2), SQUARE, sure=False)
    with pytest.raises(ValueError, match="is no doubt"):
        Reading((1, 2), SQUARE, sure=False, why="ugly")


def test_a_reading_knows_its_tile_and_its_middle() -> None:
    assert sure(12, 5).tile == Tile(5, 12)
    assert sure(12, 5).centre == (10.0, 5.0)


def test_cut_off_and_covered_tiles_are_not_counted() -> None:
    seen = PhotoReading(
        100,
        100,
        (sure(3, 4), doubtful("cut off", 6, 6), doubtful("covered", 5, 5), doubtful("glare", 1, 0)),
    )
    assert seen.pips == 8
    assert seen.points == 8
    assert not seen.sure


@pytest.mark.parametrize("double_blank", [0, 25, 50])
def test_the_double_blank_costs_what_the_table_agreed_on(double_blank: int) -> None:
    seen = PhotoReading(100, 100, (sure(0, 0), sure(0, 2)), double_blank=double_blank)
    assert (seen.pips, seen.points) == (2, 2 + double_blank)


def test_a_photo_is_sure_when_every_tile_is_and_nothing_questions_the_count() -> None:
    assert PhotoReading(9, 9, (sure(1, 1),)).sure
    assert not PhotoReading(9, 9, (sure(1, 1), doubtful("unclear", 2, 2))).sure
    assert not PhotoReading(9, 9, (sure(1, 1),), ("There may be another tile.",)).sure


def test_values_beyond_the_set_are_doubtful_and_still_counted() -> None:
    tiles = checked_against_set([sure(3, 12), sure(3, 6)], 9)
    assert [tile.why for tile in tiles] == ["not in this set", None]
    assert PhotoReading(9, 9, tiles).pips == 24


def test_both_copies_of_a_tile_are_doubtful_whichever_way_they_lie() -> None:
    tiles = checked_against_set([sure(3, 5), sure(1, 1), sure(5, 3)], 12)
    assert [tile.why for tile in tiles] == ["duplicate", None, "duplicate"]


def test_a_guess_at_a_cut_off_tile_doubts_no_other() -> None:
    tiles = checked_against_set([sure(3, 5), doubtful("cut off", 3, 5)], 12)
    assert [tile.why for tile in tiles] == [None, "cut off"]


def test_a_second_value_beyond_the_set_is_left_out() -> None:
    tile = Reading((3, 5), SQUARE, 0.6, False, "unclear", (4, 13))
    assert checked_against_set([tile], 12)[0].second == (4, None)


def test_the_json_is_the_contract() -> None:
    tile = Reading((5, 12), ((1.26, 2), (1, 1), (3, 1), (3, 2)), 0.98765, False, "glare", (4, None))
    seen = PhotoReading(640, 480, (tile, sure(0, 0)), ("Look here.",), 12.6, 12, 25)
    assert json.dumps(seen.to_json("hand.jpg")) == json.dumps(
        {
            "photo": "hand.jpg",
            "width": 640,
            "height": 480,
            "tiles": [
                {
                    "ends": [5, 12],
                    "corners": [[1.3, 2], [1, 1], [3, 1], [3, 2]],
                    "confidence": 0.988,
                    "sure": False,
                    "why": "glare",
                },
                {
                    "ends": [0, 0],
                    "corners": [[0.0, 10.0], [0.0, 0.0], [20.0, 0.0], [20.0, 10.0]],
                    "confidence": 1.0,
                    "sure": True,
                    "why": None,
                },
            ],
            "pips": 17,
            "points": 42,
            "sure": False,
            "warnings": ["Look here."],
            "milliseconds": 13,
        }
    )


@given(st.lists(readings(), max_size=8), st.none() | st.sampled_from([6, 9, 12, 15, 18]))
def test_any_reading_gives_json_that_agrees_with_itself(
    tiles: list[Reading], highest: int | None
) -> None:
    checked = tuple(tiles) if highest is None else checked_against_set(tiles, highest)
    told = json.loads(json.dumps(PhotoReading(100, 80, checked).to_json("p.jpg"), allow_nan=False))
    counted = [tile for tile in told["tiles"] if tile["why"] not in ("cut off", "covered")]
    blanks = sum(tile["ends"] == [0, 0] for tile in counted)
    assert told["pips"] == sum(sum(tile["ends"]) for tile in counted)
    assert told["points"] == told["pips"] + 50 * blanks
    assert told["sure"] == all(tile["sure"] for tile in told["tiles"])
    for tile, reading in zip(told["tiles"], tiles, strict=True):
        assert tile["ends"] == list(reading.ends)
        assert tile["sure"] == (tile["why"] is None)
        assert len(tile["corners"]) == 4
        if highest is not None and max(tile["ends"]) > highest:
            assert tile["why"] in ("not in this set", "cut off", "covered")
