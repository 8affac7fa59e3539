"""Tiles and sets: they parse, print, and there are as many as are sold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dominoes import SIZES, DominoSet, Tile

ends = st.integers(0, 18)


@pytest.mark.parametrize("highest", SIZES)
def test_every_tile_of_every_set_prints_and_parses_back(highest):
    for tile in DominoSet(highest):
        assert Tile.parse(str(tile)) == tile


@given(ends, ends)
def test_a_tile_is_the_same_read_in_either_order(one, other):
    assert Tile.parse(f"{one}-{other}") == Tile.parse(f"{other}-{one}") == Tile.of(one, other)
    assert str(Tile.of(one, other)) == f"{min(one, other)}-{max(one, other)}"
    assert Tile.of(one, other).pips == one + other


@pytest.mark.parametrize("written", ["", "5", "5-", "-5-5", "5-19", "5–6", "a-b", "5-6-7", "١-٢"])
def test_what_is_no_tile_is_refused_in_a_sentence(written):
    with pytest.raises(ValueError, match="is no tile"):
        Tile.parse(written)


@given(st.text())
def test_any_text_is_a_tile_or_refused(text):
    try:
        assert Tile.parse(text).high <= 18
    except ValueError:
        pass


def test_the_number_of_tiles_and_pips_of_each_set():
    assert [len(DominoSet(n)) for n in SIZES] == [28, 55, 91, 136, 190]
    assert [DominoSet(n).pips for n in SIZES] == [168, 495, 1092, 2040, 3420]
    for highest in SIZES:
        tiles = list(DominoSet(highest))
        assert len(tiles) == len(set(tiles)) == len(DominoSet(highest))
        assert sum(tile.pips for tile in tiles) == DominoSet(highest).pips


def test_each_value_stands_on_n_plus_one_tiles():
    tiles = list(DominoSet(9))
    for value in range(10):
        assert sum(value in tile.ends for tile in tiles) == 10
        assert sum(tile.ends.count(value) for tile in tiles) == 11


def test_the_double_blank_costs_what_the_table_says():
    assert Tile(0, 0).points(50) == 50
    assert Tile(0, 0).points(0) == 0
    assert Tile(0, 1).points(50) == 1


def test_a_set_knows_its_tiles_and_its_engines():
    assert Tile(3, 9) in DominoSet(9)
    assert Tile(3, 10) not in DominoSet(9)
    assert [str(double) for double in DominoSet(6).doubles][:2] == ["6-6", "5-5"]


def test_an_unknown_set_is_refused():
    with pytest.raises(ValueError, match="There is no double-7 set"):
        DominoSet(7)
