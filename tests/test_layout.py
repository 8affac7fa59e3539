"""Where things lie in the picture: what is no play area is refused with its reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import RuleBroken
from companion.layout import (
    BENT,
    CROSSED,
    IN_LINE,
    NO_NUMBERS,
    NOT_IN_PICTURE,
    OUTSIDE,
    TINY,
    Layout,
    checked,
    framed,
    parse_area,
    spread,
)

SQUARE = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))


def turned_round(area, first, backwards):
    corners = [*area[first:], *area[:first]]
    return corners[::-1] if backwards else corners


@given(st.integers(0, 3), st.booleans())
def test_the_corners_may_be_told_from_any_one_in_either_sense(first, backwards):
    assert checked(turned_round(SQUARE, first, backwards)) == SQUARE


@pytest.mark.parametrize(
    ("area", "why"),
    [
        ([SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]], CROSSED),
        ([SQUARE[0], SQUARE[1], SQUARE[3], SQUARE[2]], CROSSED),
        ([(0.1, 0.1), (0.5, 0.1), (0.9, 0.1), (0.5, 0.9)], IN_LINE),
        ([(0.1, 0.1), (0.5, 0.5), (0.9, 0.9), (0.2, 0.2)], IN_LINE),
        ([SQUARE[0], SQUARE[0], SQUARE[1], SQUARE[2]], IN_LINE),
        ([(0.1, 0.1), (0.9, 0.1), (0.4, 0.4), (0.1, 0.9)], BENT),
        ([(0.1, 0.1), (0.2, 0.1), (0.2, 0.2), (0.1, 0.2)], TINY),
        ([(-0.01, 0.1), *SQUARE[1:]], OUTSIDE),
        ([*SQUARE[:3], (0.1, 1.2)], OUTSIDE),
        (SQUARE[:3], NO_NUMBERS),
        ([*SQUARE[:3], (0.1, float("nan"))], NO_NUMBERS),
    ],
)
def test_what_is_no_play_area_is_refused_with_the_reason(area, why):
    with pytest.raises(RuleBroken) as refused:
        checked(area)
    assert str(refused.value) == why


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=4, max_size=4))
def test_whatever_is_taken_is_taken_again(area):
    try:
        taken = checked(area)
    except RuleBroken:
        return
    assert checked(taken) == taken
    assert set(taken) == set(area)


def test_an_area_in_pixels_is_eight_numbers():
    area = parse_area("397,615.5, 1206,616,1211,1432,401,1439.5")
    assert area[0] == (397.0, 615.5) and area[2] == (1211.0, 1432.0)
    assert framed(area, 1542, 2048)[1] == (1206 / 1542, 616 / 2048)
    for text in (
        "",
        "1,2,3",
        "1,2,3,4,5,6,7,x",
        "1,2,3,4,5,6,7,inf",
        "0,0,9,9,9,0,0,9",
    ):
        with pytest.raises(RuleBroken):
            parse_area(text)


def test_corners_slightly_beyond_the_frame_are_at_its_edge():
    assert framed(parse_area("-5,-5,105,0,100,100,0,104"), 100, 100) == (
        *((0.0, 0.0), (1.0, 0.0)),
        *((1.0, 1.0), (0.0, 1.0)),
    )
    with pytest.raises(RuleBroken, match="outside the picture"):
        framed(parse_area("-50,0,100,0,100,100,0,100"), 100, 100)


def test_a_layout_holds_at_any_resolution_and_is_stored_whole():
    layout = Layout((0.25, 0.5), SQUARE, (90.0, 181.25, 359.9), True)
    assert layout.centre_in(1280, 960) == (320, 480)
    assert layout.area_in(100, 200)[2] == (90, 180)
    assert Layout.from_json(layout.to_json()) == layout
    assert Layout.from_json(Layout().to_json()) == Layout()
    assert Layout().area_in(100, 100) is None and Layout().centre_in(100, 100) is None


@pytest.mark.parametrize(
    "told",
    [
        None,
        [],
        {"centre": 5},
        {"centre": [0.5]},
        {"centre": [0.5, True]},
        {"centre": [0.5, "0.5"]},
        {"area": 7},
        {"area": [[0.1, 0.1]]},
        {"directions": "90"},
        {"directions": [float("inf")]},
    ],
)
def test_what_is_no_layout_is_refused(told):
    with pytest.raises(RuleBroken):
        Layout.from_json(told)


def test_a_hub_beyond_the_picture_is_refused():
    with pytest.raises(RuleBroken) as refused:
        Layout.from_json({"centre": [0.5, 1.01]})
    assert str(refused.value) == NOT_IN_PICTURE


def test_directions_for_another_number_of_trains_do_not_count():
    layout = Layout(directions=(90, 210, 330))
    assert layout.for_table(3).directions == (90, 210, 330)
    assert layout.for_table(None).directions == (90, 210, 330)
    assert layout.for_table(4).directions == ()
    assert layout.for_table(4, (0.4, 0.5)).centre == (0.4, 0.5)
    assert Layout(centre=(0.1, 0.1)).for_table(4, (0.4, 0.5)).centre == (0.1, 0.1)


@pytest.mark.parametrize(
    ("known", "ways"),
    [
        ({}, (90, 180, 270, 0)),
        ({2: 300.0}, (120, 210, 300, 30)),
        ({0: 350.0, 2: 50.0}, (350, 20, 50, 200)),
        ({0: 1.0, 1: 2.0, 2: 3.0, 3: 4.0}, (1, 2, 3, 4)),
    ],
)
def test_seats_of_which_nobody_knows_lie_evenly_between_the_others(known, ways):
    assert spread(known, 4) == pytest.approx(ways)


def test_ways_that_are_partly_guessed_are_kept_and_not_used():
    layout = Layout(directions=(90.0, 180.0, 270.0), guessed=(1,))
    assert Layout.from_json(layout.to_json()) == layout
    assert layout.for_table(3).directions == ()
