"""The pips lie where players expect them, and never touch."""

from __future__ import annotations

import itertools
import math
import re

import pytest

from companion.pips import COLOURS, HIGHEST, pip_radius, places


@pytest.mark.parametrize("value", range(HIGHEST + 1))
def test_a_half_has_as_many_pips_as_its_value(value: int) -> None:
    assert len(places(value)) == len(set(places(value))) == value


@pytest.mark.parametrize("value", range(1, HIGHEST + 1))
def test_pips_stay_on_the_half_and_apart(value: int) -> None:
    radius = pip_radius(value)
    for x, y in places(value):
        assert radius < x < 1 - radius and radius < y < 1 - radius
    for one, other in itertools.combinations(places(value), 2):
        assert math.dist(one, other) > 2.2 * radius


@pytest.mark.parametrize("value", [v for v in range(HIGHEST + 1) if v not in (13, 14, 15)])
def test_a_half_looks_the_same_after_half_a_turn(value: int) -> None:
    def rounded(spots: tuple[tuple[float, float], ...]) -> set[tuple[float, float]]:
        return {(round(x, 6), round(y, 6)) for x, y in spots}

    assert rounded(places(value)) == rounded(tuple((1 - x, 1 - y) for x, y in places(value)))


def columns_and_rows(value: int) -> tuple[int, int]:
    spots = places(value)
    return len({round(x, 6) for x, _ in spots}), len({round(y, 6) for _, y in spots})


def test_up_to_nine_lie_on_three_by_three() -> None:
    grid = {0.2, 0.5, 0.8}
    for value in range(10):
        assert all(round(x, 6) in grid and round(y, 6) in grid for x, y in places(value))


def test_twelve_lies_four_along_by_three_across() -> None:
    assert columns_and_rows(12) == (4, 3)
    assert columns_and_rows(10)[1] == columns_and_rows(11)[1] == 3


def test_eleven_has_its_odd_pip_in_the_middle() -> None:
    assert (0.5, 0.5) in places(11)
    assert (0.5, 0.5) not in places(10) and (0.5, 0.5) not in places(12)


@pytest.mark.parametrize("value, short", [(13, 1), (14, 2), (15, 3)])
def test_thirteen_to_fifteen_have_three_rows_of_four_and_a_short_one(
    value: int, short: int
) -> None:
    rows: dict[float, int] = {}
    for x, _ in places(value):
        rows[x] = rows.get(x, 0) + 1
    assert [rows[x] for x in sorted(rows)] == [short, 4, 4, 4]


def test_the_large_values_are_full_grids() -> None:
    assert columns_and_rows(16) == (4, 4)
    assert columns_and_rows(18) == (6, 3)


def test_every_value_has_a_colour() -> None:
    assert len(COLOURS) == HIGHEST + 1
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in COLOURS)


@pytest.mark.parametrize("value", [-1, 19])
def test_other_values_are_refused(value: int) -> None:
    with pytest.raises(ValueError, match="values go from 0 to 18"):
        places(value)
