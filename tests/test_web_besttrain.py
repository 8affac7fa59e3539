"""The best train on one's own phone: only where it is allowed, and nothing is told to the game."""

import re
import time
from io import BytesIO
from pathlib import Path

import pytest
from scoring import Told, a_picture, seen
from visitor import OPEN, START, Place, Visitor, sentences

from companion.journal import Journal
from companion.photos import PhotoStore
from companion.web import WebSettings

ALLOWED = WebSettings(secret="one for the tests", best_train=True)


@pytest.fixture
def reader() -> Told:
    return Told()


@pytest.fixture
def place(tmp_path: Path, reader: Told) -> Place:
    photos = PhotoStore(tmp_path / "photos", Journal.open(tmp_path / "photos.db"))
    return Place(tmp_path, settings=ALLOWED, reader=reader, photos=photos)


@pytest.fixture
def visitor(place: Place) -> Visitor:
    return place.visitor()


def laid(page: str) -> list[str]:
    """The tiles of the train in the order they lie."""
    line = re.search(r'<ol class="best-line">(.*?)</ol>', page, re.DOTALL)
    return re.findall(r'aria-label="(\d+-\d+)"', line[1]) if line else []


def test_it_is_off_unless_the_table_allows_it(tmp_path: Path) -> None:
    visitor = Place(tmp_path).visitor()
    page = visitor.get("/best-train")
    assert page.status_code == 403
    assert "is not looked for at this table: allow it on the settings page" in sentences(page)
    assert visitor.post("/best-train/photo").status_code == 403
    assert "/best-train" not in visitor.get("/rules").text


def test_the_train_lies_as_it_is_laid(visitor: Visitor) -> None:
    page = visitor.get("/best-train?find=1&engine=12-12&typed=5-12, 5-9 9-9&tile=3-4")
    assert page.status_code == 200
    # 12-5 and 5-9 and 9-9 would end on a double while the 3-4 remains
    assert laid(page.text) == ["12-5", "5-9"]
    assert "2 tiles of 4" in sentences(page) and "Left: 2 tiles, 25 pips" in sentences(page)


def test_a_double_may_end_it_where_the_table_says_so(visitor: Visitor) -> None:
    page = visitor.get("/best-train?find=1&engine=12-12&typed=12-5 5-5 3-4&double_last=1")
    assert laid(page.text) == ["12-5", "5-5"]


def test_the_fewest_pips_may_be_the_goal(visitor: Visitor) -> None:
    hand = "tile=10-12&tile=0-12&tile=0-1&tile=1-2"
    longest = visitor.get(f"/best-train?find=1&engine=12-12&goal=tiles&{hand}")
    assert laid(longest.text) == ["12-0", "0-1", "1-2"]
    fewest = visitor.get(f"/best-train?find=1&engine=12-12&goal=pips&{hand}")
    assert laid(fewest.text) == ["12-10"]
    assert 'id="goal-pips" checked' in fewest.text


def test_when_all_can_be_laid_it_says_so(visitor: Visitor) -> None:
    said = sentences(visitor.get("/best-train?find=1&engine=12-12&typed=12-5 5-5"))
    assert "2 tiles of 2 : you are out" in said or "2 tiles of 2: you are out" in said


def test_no_start_is_said_kindly_with_the_tables_rule(place: Place, visitor: Visitor) -> None:
    page = visitor.get("/best-train?find=1&engine=12-12&typed=1-2")
    assert page.status_code == 200
    assert "No tile of yours fits the 12-12 That happens often" in sentences(page)
    place.play({**START, "rules": "classic"}, OPEN)
    said = sentences(visitor.get("/best-train?find=1&typed=1-2"))
    assert "If you cannot start, draw nothing: your marker goes up" in said


def test_the_rounds_engine_is_filled_in(place: Place, visitor: Visitor) -> None:
    def chosen() -> str:
        found = re.search(r'<option value="([\d-]+)" selected>', visitor.get("/best-train").text)
        assert found
        return found[1]

    assert chosen() == "12-12"
    place.play({**START, "set": 9, "hand": 10})
    assert chosen() == "9-9"
    place.play(
        OPEN, *[{"action": "hand", "player": p, "pips": 1} for p in ("Red", "Blue", "Green")]
    )
    assert chosen() == "9-9"
    place.play({"action": "close_round"})
    assert chosen() == "8-8", "the next one"


@pytest.mark.parametrize(
    "query, why",
    [
        ("find=1", "Tick the tiles of your hand first, or type them."),
        ("find=1&typed=hello", "is no tile: write its two ends like 5-12."),
        ("find=1&typed=13-1", "There is no 1-13 in a double-12 set."),
        ("find=1&typed=12-12&engine=12-12", "12-12"),
        ("find=1&typed=1-2 2-1", "1-2"),
    ],
)
def test_what_is_no_hand_is_a_sentence_and_stays(visitor: Visitor, query: str, why: str) -> None:
    page = visitor.get(
        f"/best-train?{query}&tile=3-4" if "typed" in query else f"/best-train?{query}"
    )
    assert page.status_code == 422
    refusal = re.search(r'id="refusal".*?</div>', page.text, re.DOTALL)
    assert refusal and why in refusal[0]
    if "typed" in query:
        assert re.search(r'value="3-4"[^>]* checked', page.text)


def test_a_tile_ticked_and_typed_is_one(visitor: Visitor) -> None:
    said = sentences(visitor.get("/best-train?find=1&engine=12-12&typed=5-12&tile=5-12"))
    assert "1 tile of 1" in said


def test_nothing_is_told_to_the_game(place: Place, visitor: Visitor) -> None:
    place.play(START, OPEN)
    before = place.game.table
    visitor.get("/best-train?find=1&typed=12-5 5-9")
    assert place.game.table is before


def test_the_largest_set_can_be_chosen(visitor: Visitor) -> None:
    page = visitor.get("/best-train?set=18")
    assert page.text.count('name="tile"') == 190
    assert "The 18-18 is this round's engine." in sentences(page)


def test_odd_addresses_show_the_usual_page(visitor: Visitor) -> None:
    page = visitor.get("/best-train?set=7&engine=3-4&goal=all&tile=1-99&tile=x")
    assert page.status_code == 200 and page.text.count('name="tile"') == 91


def send_photo(visitor: Visitor, **fields: str) -> str:
    file = (BytesIO(a_picture()), "hand.jpg")
    answer = visitor.post(
        "/best-train/photo", {"set": "12", "engine": "12-12", **fields, "photo": file}
    )
    assert answer.status_code == 303, answer.text
    return str(answer.location)


def test_a_photo_of_the_hand_ticks_its_tiles(visitor: Visitor, reader: Told, place: Place) -> None:
    reader.tiles = (seen((12, 5)), seen((5, 9), 300), seen((3, 4), 500, why="glare"))
    address = send_photo(visitor)
    until = time.monotonic() + 20
    page = visitor.get(address)
    while "Reading the photo" in page.text and time.monotonic() < until:
        page = visitor.get(address)
    said = sentences(page)
    assert "3 tiles were read from your photo and are ticked below." in said
    assert "These were hard to read" in said and "read as 3-4" in said
    assert laid(page.text) == ["12-5", "5-9"]
    assert re.search(r'value="5-12"[^>]* checked', page.text)
    assert reader.asked[0]["highest"] == 12
    assert place.game.table.revision == 0, "the game is told nothing"


def test_while_the_photo_waits_the_page_goes_on_by_itself(visitor: Visitor, reader: Told) -> None:
    reader.go.clear()
    page = visitor.get(send_photo(visitor))
    reader.go.set()
    assert "Reading the photo" in sentences(page)
    assert re.search(r'id="waiting" data-again="\d+"', page.text)
    assert '<noscript><meta http-equiv="refresh"' in page.text, "without script it is loaded anew"
    assert 'id="waiting-bar"' in page.text and 'id="best-form"' not in page.text


def test_what_is_no_photo_is_a_sentence(visitor: Visitor) -> None:
    file = (BytesIO(b"not a picture"), "hand.jpg")
    refused = visitor.post("/best-train/photo", {"set": "12", "photo": file})
    assert refused.status_code == 422 and 'id="refusal"' in refused.text
    assert visitor.post("/best-train/photo", {"set": "12"}).status_code == 422


@pytest.mark.parametrize("photo", ["x", "0" * 32])
def test_a_photo_that_is_gone_is_a_sentence(visitor: Visitor, photo: str) -> None:
    page = visitor.get(f"/best-train?photo={photo}")
    assert page.status_code == 404
    assert "That photo is not kept here any more" in sentences(page)
