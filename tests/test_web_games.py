"""The page of all games: who won, which can go on, figures of everybody and of a group."""

from pathlib import Path

import pytest
from played import three_games, whole
from visitor import START, Place, Visitor, sentences

from companion.statistics import Figures
from companion.web.games import figures


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return three_games(tmp_path)


@pytest.fixture
def visitor(place: Place) -> Visitor:
    return place.visitor()


def test_an_empty_house_says_what_to_do_first(tmp_path: Path) -> None:
    page = sentences(Place(tmp_path).visitor().get("/games"))
    assert "No game has been played here yet." in page and "New game" in page


def test_every_game_says_how_it_stands(visitor: Visitor) -> None:
    page = visitor.get("/games")
    said = sentences(page)
    assert "Red won with 12" in said
    assert "Blue leads with 0" in said
    assert "no round is closed yet" in said
    assert said.index("On the table") < said.index("Blue leads") < said.index("Red won with")
    assert 'id="resume-2"' in page.text
    assert 'id="resume-1"' not in page.text and 'id="resume-3"' not in page.text


def test_going_on_asks_first_while_a_game_is_on_the_table(place: Place, visitor: Visitor) -> None:
    before = place.game.table.revision
    refused = visitor.post("/games/2", {"once": "key"})
    assert refused.status_code == 422
    assert "A game is still being played: set it aside" in sentences(refused)
    assert 'id="overrule"' in refused.text
    assert place.game.table.revision == before
    answer = visitor.post("/games/2", {"overrule": "1", "once": "key"})
    assert (answer.status_code, answer.location) == (303, "/table")
    told = place.told
    assert (told["round"], told["turn"], told["open_trains"]) == (2, "Green", ["Blue"])
    assert told["scores"] == {"Red": [7], "Blue": [0], "Green": [40]}


def test_going_on_is_one_tap_when_nothing_is_in_the_way(place: Place, visitor: Visitor) -> None:
    place.play(*[{"action": "hand", "player": who, "pips": 3} for who in ("Red", "Blue")])
    place.play({"action": "close_round"}, {"action": "finish_game"})
    assert visitor.post("/games/2").status_code == 303
    assert place.told["round"] == 2


def test_a_second_tap_does_no_harm(place: Place, visitor: Visitor) -> None:
    for _time in range(2):
        visitor.post("/games/2", {"overrule": "1", "once": "key"})
    assert len(place.game.kept()) == 4
    refused = visitor.post("/games/2", {"overrule": "1"})
    assert refused.status_code == 422
    assert "That game has been taken up again already" in sentences(refused)


def test_the_game_that_was_set_aside_can_go_on_in_turn(place: Place, visitor: Visitor) -> None:
    visitor.post("/games/2", {"overrule": "1"})
    page = visitor.get("/games").text
    assert 'id="resume-3"' in page and 'id="game-2"' not in page, "one game is listed once"


def test_there_is_no_such_game(visitor: Visitor) -> None:
    assert visitor.post("/games/77").status_code == 422
    assert visitor.get("/games/77").status_code == 404


def test_the_figures_are_of_finished_games(visitor: Visitor) -> None:
    said = sentences(visitor.get("/games"))
    # Red: 0 and 12, 6.0 on average; Blue: 31 and 0, 15.5
    red = "6.0 points in a round 0 best round 12 worst round 1 gone out of 2 rounds"
    assert f"Red won 1 of 1 game {red} 0 times with the 0-0 left" in said
    assert "Blue won 0 of 1 game 15.5 points in a round 0 best round 31 worst round" in said
    assert "Green won" not in said


def test_of_equal_wins_the_best_average_comes_first() -> None:
    ann, bob, cem = Figures("Ann", 2, 1, 4, 80), Figures("Bob", 2, 1, 4, 20), Figures("Cem", 2)
    assert [each.name for each in figures([ann, bob, cem])] == ["Bob", "Ann", "Cem"]
    assert [each.name for each in figures([ann, bob], positive=True)] == ["Ann", "Bob"]


def test_a_game_taken_up_again_counts_once(place: Place, visitor: Visitor) -> None:
    visitor.post("/games/2", {"overrule": "1"})
    for who, pips in (("Red", 5), ("Blue", 6), ("Green", 1)):
        place.play({"action": "hand", "player": who, "pips": pips})
    place.play({"action": "close_round"}, {"action": "finish_game"})
    said = sentences(visitor.get("/games"))
    # Red: 0, 12, 7 and 5 are 24 in 4 rounds
    assert "Red won 1 of 2 games 6.0 points in a round 0 best round 12 worst" in said


def test_figures_of_one_group(place: Place, visitor: Visitor) -> None:
    visitor.post("/games/2", {"overrule": "1"})
    for who, pips in (("Red", 5), ("Blue", 6), ("Green", 1)):
        place.play({"action": "hand", "player": who, "pips": pips})
    place.play({"action": "close_round"}, {"action": "finish_game"})
    page = visitor.get("/games")
    assert "Blue, Green, Red" in sentences(page)
    said = sentences(visitor.get("/games?who=red&who=Blue&who=GREEN"))
    # Red: 7 and 5
    assert "Red won 0 of 1 game 6.0 points in a round 5 best round 7 worst" in said
    assert "Red won with 12" not in said, "the list is of this group too"
    assert "No games of exactly these people." in sentences(visitor.get("/games?who=Violet"))


def test_games_where_points_are_won_have_figures_of_their_own(place: Place) -> None:
    place.play(
        {**START, "players": ["Red", "Blue"], "overrides": {"scoring": "positive"}}
        | {"overrule": True}
    )
    whole(place, Red=0, Blue=40)
    place.play({"action": "finish_game"})
    said = sentences(place.visitor().get("/games"))
    assert "Figures where points are won" in said
    assert "Red won 1 of 1 game 40.0 points in a round" in said
