"""A hand picked tile by tile from the set: what is shown, what counts, what is asked."""

import re

import pytest
from scoring import Evening, text_of

from companion.dominoes import SIZES, DominoSet, Tile
from companion.web.picks import grid

pytest_plugins = ("fixtures_score",)

BOX = re.compile(r'<input type="checkbox" name="tile" value="([^"]+)"([^>]*)>')


def boxes(page: str) -> dict[str, str]:
    """The tiles of a page, in its order, each with the rest of its mark."""
    return dict(BOX.findall(page))


def keep(evening: Evening, seat: int, *tiles: str, **fields: str) -> object:
    """Send the grid of one hand, as its page makes it."""
    player = evening.report["game"]["players"][seat - 1]
    if "round" not in fields:
        fields["round"] = evening.field(f"/score/{seat}/tiles", "round")
    return evening.send(f"/score/{seat}/tiles", player=player, tile=list(tiles), **fields)


@pytest.mark.parametrize("highest", SIZES)
def test_the_grid_is_a_triangle_of_every_tile_once(highest: int) -> None:
    rows = grid(highest, 50, [Tile(0, 1)], {})
    assert [len(row) for row in rows] == list(range(highest + 1, 0, -1))
    tiles = [pick.tile for row in rows for pick in row]
    assert sorted(tiles) == list(DominoSet(highest))
    assert [pick.tile for row in rows for pick in row if pick.picked] == [Tile(0, 1)]
    points = {pick.tile: pick.points for row in rows for pick in row}
    assert points[Tile(0, 0)] == 50 and points[Tile(2, 6)] == 8


@pytest.mark.parametrize("highest", SIZES)
def test_every_tile_of_the_games_set_can_be_picked(evening: Evening, highest: int) -> None:
    evening.start(set=highest, hand=5)
    page = evening.page("/score/1/tiles")
    assert sorted(map(Tile.parse, boxes(page))) == list(DominoSet(highest))


def test_picked_tiles_are_the_hand(evening: Evening) -> None:
    evening.start()
    answer = keep(evening, 2, "5-12", "0-0", "0-0", "3-4")
    assert (answer.status_code, answer.location) == (303, "/score")
    assert evening.report["hands"]["Bob"] == {"tiles": ["0-0", "3-4", "5-12"], "points": 74}


def test_none_picked_is_not_0(evening: Evening) -> None:
    evening.start()
    answer = keep(evening, 2)
    assert answer.status_code == 422
    assert "Tap the tiles first that are left in the hand." in text_of(answer)
    assert evening.report["hands"] == {}


def test_tiles_that_lie_elsewhere_are_shown_as_such_and_can_be_picked(evening: Evening) -> None:
    evening.start()
    evening.play({"action": "hand", "player": "Ann", "tiles": ["5-12"]})
    evening.play({"action": "play", "train": "Cy", "tile": "1-12", "player": "Cy"})
    page = evening.page("/score/2/tiles")
    said = {name: mark for name, mark in boxes(page).items() if "data-says" in mark}
    assert said.keys() == {"5-12", "1-12", "12-12"}
    assert "The 5-12 is also in Ann" in said["5-12"]
    assert "The 1-12 was laid on the table." in said["1-12"]
    assert "The 12-12 is this round" in said["12-12"]
    assert "also in Ann's hand" in text_of(page), "it is told to those who do not see it too"
    assert keep(evening, 2, "5-12").status_code == 303
    assert "The 5-12 is in more than one hand: Ann, Bob." in text_of(evening.page("/score"))


def test_ones_own_tiles_come_picked_and_are_changed_without_a_question(evening: Evening) -> None:
    evening.start()
    keep(evening, 2, "5-12", "3-4")
    assert 'href="/score/2/tiles">Look at its tiles' in evening.page("/score/2")
    page = evening.page("/score/2/tiles")
    assert {name for name, mark in boxes(page).items() if "checked" in mark} == {"5-12", "3-4"}
    assert not any("data-says" in boxes(page)[name] for name in ("5-12", "3-4"))
    assert '<b id="grid-total">24</b>' in page
    standing = evening.field("/score/2/tiles", "standing")
    assert keep(evening, 2, "5-12", standing=standing).status_code == 303
    assert evening.report["hands"]["Bob"]["points"] == 17


def test_the_second_person_is_asked_and_loses_no_tile(evening: Evening) -> None:
    evening.start()
    key = evening.field("/score/2/tiles", "round")
    evening.play({"action": "hand", "player": "Bob", "pips": 33})
    answer = keep(evening, 2, "5-12", round=key)
    page = answer.get_data(as_text=True)
    assert answer.status_code == 409
    assert "Bob has 33 in this round already. Replace it?" in text_of(answer)
    assert "checked" in boxes(page)["5-12"] and page.count('name="standing"') == 1
    assert evening.report["hands"]["Bob"]["points"] == 33
    assert keep(evening, 2, "5-12", round=key, standing="33").status_code == 303
    assert evening.report["hands"]["Bob"]["points"] == 17


def test_a_typed_score_is_not_replaced_by_tiles_unasked(evening: Evening) -> None:
    evening.start()
    evening.hand(2, score="33")
    assert 'name="standing"' not in evening.page("/score/2/tiles")
    assert keep(evening, 2, "5-12").status_code == 409


def test_a_corrected_hand_keeps_its_photo(evening: Evening) -> None:
    evening.start()
    photo = "a" * 32
    evening.play({"action": "hand", "player": "Bob", "tiles": ["5-12"], "photo": photo})
    keep(evening, 2, "5-11", standing="17")
    assert f"/photo/{photo}" in evening.page("/score")


def test_a_double_submit_counts_once(evening: Evening) -> None:
    evening.start()
    key = evening.field("/score/2/tiles", "round")
    for _ in range(2):
        assert keep(evening, 2, "5-12", once="o", round=key).status_code == 303
    assert evening.report["revision"] == 3


def test_tiles_for_a_round_that_is_over_lead_to_its_cell(evening: Evening) -> None:
    evening.start()
    key = evening.field("/score/2/tiles", "round")
    evening.whole_round(1, 2, 3)
    evening.play({"action": "open_round"})
    answer = keep(evening, 2, "5-12", round=key)
    page = answer.get_data(as_text=True)
    assert answer.status_code == 422 and "That round is over" in text_of(answer)
    assert 'href="/sheet/1/2?game=1" id="over"' in page and "checked" in boxes(page)["5-12"]
    assert evening.report["hands"] == {}


@pytest.mark.parametrize(("tile", "why"), [("5-13", "no 5-13 in this set"), ("x", "is no tile")])
def test_what_is_no_tile_of_the_set_is_a_sentence(evening: Evening, tile: str, why: str) -> None:
    evening.start()
    answer = keep(evening, 2, tile)
    assert answer.status_code == 422 and why in text_of(answer)


def test_names_and_seats_that_moved_are_refused(evening: Evening) -> None:
    evening.start()
    answer = evening.send("/score/1/tiles", player="Bob", tile="5-12")
    assert "The seats have changed" in text_of(answer) and evening.report["hands"] == {}
    assert evening.browser.get("/score/9/tiles").location == "/score?gone=seat"
    evening.whole_round(1, 2, 3)
    assert evening.browser.get("/score/1/tiles").location == "/score"
    assert evening.browser.post("/score/1/tiles", data={"tile": "5-12"}).status_code == 400


@pytest.mark.parametrize("address", ["/score/1", "/score/1/tiles"])
def test_a_hand_before_the_first_round_leads_to_the_hands(evening: Evening, address: str) -> None:
    evening.play({"action": "start_game", "players": ["Ann", "Bob"], "set": 12, "rules": "classic"})
    for player in ("Ann", "Nobody"):
        answer = evening.send(address, player=player, tile=["5-12"], score="5")
        assert (answer.status_code, answer.location) == (303, "/score")
    assert evening.browser.get("/score").status_code == 200


def test_saved_and_on_to_the_next(evening: Evening) -> None:
    evening.start()
    evening.hand(2, do="out")
    assert "Save, then Ann" in text_of(evening.page("/score/3/tiles"))
    assert keep(evening, 3, "5-12", do="next").location == "/score/1"
    assert keep(evening, 1, "3-4", do="next").location == "/score", "everybody is there"


# ---- without a game --------------------------------------------------------------------


def test_tapped_tiles_are_counted_without_a_game(evening: Evening) -> None:
    answer = evening.send("/count", do="tiles", set="6", blank="25")
    assert answer.location == "/count/tiles?set=6&blank=25"
    page = evening.page(answer.location)
    assert len(boxes(page)) == 28 and '<b id="grid-total">–</b>' in page
    page = evening.page("/count/tiles?set=6&blank=25&tile=5-6&tile=0-0&tile=0-0")
    assert '<b id="grid-total">36</b>' in page and "checked" in boxes(page)["5-6"]
    assert evening.game.table.revision == 0


def test_counting_takes_the_set_of_the_game_unless_told(evening: Evening) -> None:
    assert len(boxes(evening.page("/count/tiles"))) == 91
    evening.start(set=9, hand=5)
    assert len(boxes(evening.page("/count/tiles"))) == 55
    assert evening.send("/count", do="tiles", set="").location == "/count/tiles?blank=50"


@pytest.mark.parametrize("wish", ["set=7", "set=x", "tile=13-13", "tile=5", "blank=3"])
def test_an_odd_address_is_a_sentence(evening: Evening, wish: str) -> None:
    answer = evening.browser.get(f"/count/tiles?{wish}")
    assert answer.status_code == 422 and 'id="refusal"' in answer.get_data(as_text=True)
