"""The figures of one person and of two against each other, with the sums beside them."""

from pathlib import Path

import pytest
from played import whole
from visitor import START, Place, Visitor, sentences


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Red and Blue finished two games, one of them with Green; Green and Blue are playing."""
    place = Place(tmp_path)
    place.play({**START, "players": ["Red", "Blue"]})
    whole(place, Red=0, Blue=31)
    whole(place, Red=12, Blue=0)
    place.play({"action": "finish_game"}, START)
    whole(place, Red=7, Blue=0, Green=40)
    place.play({"action": "finish_game"}, {**START, "players": ["Green", "Blue"]})
    whole(place, Green=3, Blue=5)
    return place


@pytest.fixture
def visitor(place: Place) -> Visitor:
    return place.visitor()


def test_a_persons_page_says_what_they_did(visitor: Visitor) -> None:
    page = visitor.get("/figures?of=RED")
    said = sentences(page)
    # Red: 0, 12 and 7 are 19 in 3 rounds
    assert "won 1 of 2 games" in said
    assert "6.3 points in a round" in said and "0 best round" in said and "12 worst round" in said
    assert "1 gone out of 3 rounds" in said and "1 won in a row at most" in said
    assert said.index("place 2 Red, Blue, Green") < said.index("won Red, Blue"), "newest first"
    assert page.text.count('<rect class="form-bar') == 2


def test_the_bars_are_the_points_of_a_round(visitor: Visitor) -> None:
    page = visitor.get("/figures?of=Red").text
    # 6 a round in the first game, 7 in the second: 6/7 are 85.71 %
    assert 'y="14.29%" width="12.0%" height="85.71%"' in page
    assert 'y="0.0%" width="12.0%" height="100.0%"' in page


def test_everybody_met_is_there_with_who_was_ahead(visitor: Visitor) -> None:
    said = sentences(visitor.get("/figures?of=Red"))
    assert "Red 1 : 1 Blue" in said and "Red 1 : 0 Green" in said
    said = sentences(visitor.get("/figures?of=Green"))
    assert "Green 0 : 1 Blue" in said, "the game being played does not count"


def test_two_against_each_other(visitor: Visitor) -> None:
    page = visitor.get("/figures?of=Red&against=blue")
    said = sentences(page)
    assert "Red 1 : 1 Blue" in said
    assert "2 games together. Red was ahead once. Blue was ahead once." in said
    # Red 0, 12, 7; Blue 31, 0, 0
    assert "3 rounds in which both played." in said
    assert "the better hand 1 2" in said
    assert "points in a round 6.3 10.3 points in all 19 31" in said
    # 31 to 12 are 19 points and the longest bar, 7 to 0 are 7 and 46 * 7 / 19 long
    assert 'x="4.0%" y="20%" width="46.0%"' in page.text
    assert 'x="50%" y="20%" width="16.95%"' in page.text


def test_one_group_only(visitor: Visitor) -> None:
    said = sentences(visitor.get("/figures?of=Red&who=red&who=blue"))
    assert "won 1 of 1 game" in said and "Green 1" not in said
    said = sentences(visitor.get("/figures?of=Red&against=Green&who=Red&who=Blue"))
    assert "have not finished a game together" in said
    said = sentences(visitor.get("/figures?of=Red&who=Red"))
    assert "No game of these people is finished yet" in said


def test_points_that_are_won_are_figures_of_their_own(place: Place, visitor: Visitor) -> None:
    place.play(
        {**START, "players": ["Red", "Blue"], "overrides": {"scoring": "positive"}}
        | {"overrule": True}
    )
    whole(place, Red=0, Blue=40)
    place.play({"action": "finish_game"})
    said = sentences(visitor.get("/figures?of=Red"))
    assert "won 1 of 2 games" in said and "Games where points are won" in said
    said = sentences(visitor.get("/figures?of=Red&won=1"))
    assert "won 1 of 1 game" in said and "40.0 points in a round" in said
    assert "Games where points are won" not in sentences(visitor.get("/figures?of=Green"))


@pytest.mark.parametrize(
    "asked", ["", "?of=Nobody", "?of=Red&against=Nobody", "?of=Red&against=red", "?of=%00"]
)
def test_a_stranger_has_no_figures(visitor: Visitor, asked: str) -> None:
    assert visitor.get(f"/figures{asked}").status_code == 404


def test_names_that_look_the_same_are_one_person(place: Place, visitor: Visitor) -> None:
    wide = "\uff32ed"  # R as wide as a Chinese character
    place.play({"action": "finish_game"}, {**START, "players": [wide, "Blue"]})
    whole(place, Blue=5, **{wide: 0})
    place.play({"action": "finish_game"})
    assert "won 2 of 3 games" in sentences(visitor.get("/figures?of=red"))
    assert "won 2 of 3 games" in sentences(visitor.get(f"/figures?of={wide}"))
