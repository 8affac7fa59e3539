"""The table page: each tap right, wrong and by GET, and what the page shows of it."""

import re

import pytest

from companion.sighting import Sighting
from companion.web import drawing
from companion.web.hub import hub_places, shortened
from tests.visitor import OPEN, PLAYERS, START, Place, sentences


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    place.play(START, OPEN)
    yield place
    place.game.close()


def test_without_a_game_the_page_says_what_to_do_first(tmp_path):
    page = Place(tmp_path).visitor().get("/table")
    assert page.status_code == 200
    assert "No game yet" in sentences(page)
    assert 'href="/new"' in page.text


def test_one_tap_marks_and_the_next_one_clears(place):
    ann = place.visitor()
    answer = ann.tap("mark", train="Blue")
    assert (answer.status_code, answer.location) == (303, "/table")
    assert place.told["open_trains"] == ["Blue"]
    page = ann.get("/table").text
    row = re.search(r'<li class="train-row" id="row-2">.*?</li>', page, re.S)[0]
    assert 'aria-checked="true"' in row and 'value="unmark"' in row and "Open" in row
    ann.tap("unmark", train="Blue")
    assert place.told["open_trains"] == []


TAPS = [
    ({"act": "start_train", "player": "Red"}, "started", ["Red"]),
    ({"act": "start_mexican_train"}, "mexican_train", True),
    ({"act": "turn", "player": "Green"}, "turn", "Green"),
    ({"act": "draw", "player": "Green"}, "boneyard", 54),
    ({"act": "knock", "player": "Blue"}, "knocked", ["Blue"]),
    ({"act": "go_out", "player": "Blue"}, "went_out", ["Blue"]),
    ({"act": "block"}, "blocked", True),
]


@pytest.mark.parametrize(("fields", "key", "value"), TAPS, ids=[t[0]["act"] for t in TAPS])
def test_every_event_is_one_tap(place, fields, key, value):
    answer = place.visitor().post("/table", fields)
    assert answer.status_code == 303
    assert place.told[key] == value


def test_a_double_is_laid_covered_and_released(place):
    ann = place.visitor()
    ann.tap("lay_double", train="Red", value="5", player="Red")
    assert place.told["open_doubles"] == [{"double": "5-5", "train": "Red", "player": "Red"}]
    page = ann.get("/table?train=Red")
    assert "Blue must cover the 5-5." in sentences(page)
    assert 'id="cover"' in page.text and 'id="release"' in page.text
    ann.tap("cover", train="Red", player="Blue")
    assert place.told["open_doubles"] == []
    ann.tap("lay_double", train="mexican", value="0", player="")
    ann.tap("release", train="mexican")
    assert place.told["open_doubles"] == []


def test_the_next_round_begins_with_its_engine_and_starter(tmp_path):
    place = Place(tmp_path)
    place.play(START)
    ann = place.visitor()
    assert "Begin with the 12-12" in sentences(ann.get("/table"))
    asked = sentences(ann.get("/table?next=1"))
    assert "First round: the 12-12" in asked and "Who has the engine and starts?" in asked
    ann.tap("open_round", engine="", starter="Blue")
    assert (place.told["engine"], place.told["starter"]) == ("12-12", "Blue")
    for player in PLAYERS:
        place.play({"action": "hand", "player": player, "pips": 7})
    place.play({"action": "close_round"})
    assert "Next round: the 11-11" in sentences(ann.get("/table"))
    assert "Stop here: finish the game" in sentences(ann.get("/table?next=1"))
    ann.tap("finish_game")
    assert "The game is over" in sentences(ann.get("/table"))


def test_another_engine_is_asked_about_and_taken_when_insisted_on(tmp_path):
    place = Place(tmp_path)
    place.play(START)
    ann = place.visitor()
    asked = ann.tap("open_round", engine="9-9", starter="Blue", once="k1")
    assert asked.status_code == 422
    assert 'id="refused-overrule"' in asked.text
    fields = dict(re.findall(r'name="(act|engine|starter|once)" value="([^"]*)"', asked.text))
    assert fields == {"act": "open_round", "engine": "9-9", "starter": "Blue", "once": "k1"}
    ann.post("/table", {**fields, "overrule": "1"})
    assert place.told["engine"] == "9-9"


REFUSED = [
    ({"act": "mark", "train": "Pink"}, "There is no player called Pink"),
    ({"act": "mark"}, "The action mark needs train."),
    ({"act": "lay_double", "train": "Red", "value": "13"}, "no 13-13 in a double-12 set"),
    ({"act": "lay_double", "train": "Red", "value": "x"}, "x is not a number: type digits only."),
    ({"act": "lay_double", "train": "Red", "value": "9" * 99}, "is not a number"),
    ({"act": "cover", "train": "Red"}, "No double lies open on Red's train"),
    ({"act": "start_game"}, "That is no tap of this page"),
    ({}, "That is no tap of this page"),
]


@pytest.mark.parametrize(("fields", "sentence"), REFUSED)
def test_a_wrong_tap_is_one_sentence_and_one_button(place, fields, sentence):
    before = place.told
    page = place.visitor().post("/table", fields)
    assert page.status_code == 422
    assert sentence in sentences(page)
    assert page.text.count('id="refused-back"') == 1
    assert 'id="refused-overrule"' not in page.text
    assert place.told == before


def test_a_double_tap_counts_once(place):
    ann = place.visitor()
    for _ in range(2):
        assert ann.tap("draw", player="Red", once="the same button").status_code == 303
    assert place.game.table.revision == 3


def test_undo_says_what_it_takes_back_and_returns_to_its_page(place):
    ann = place.visitor()
    ann.tap("mark", train="Blue")
    assert "Undo marker up on Blue" in sentences(ann.get("/table"))
    back = ann.post(
        "/undo",
        {"revision": place.game.table.revision},
        headers={"Referer": "http://localhost/x?y=1"},
    )
    assert (back.status_code, back.location) == (303, "/x?y=1")
    assert place.told["open_trains"] == []


def test_an_undo_that_came_too_late_takes_nothing_back(place):
    ann, ben = place.visitor(), place.visitor()
    seen = place.game.table.revision
    ben.tap("mark", train="Blue")
    late = ann.post("/undo", {"revision": seen})
    assert late.status_code == 409
    assert "Somebody else tapped in the meantime" in sentences(late)
    assert place.told["open_trains"] == ["Blue"]


@pytest.mark.parametrize("path", ["/undo", "/simulator"])
def test_nothing_changes_by_get(place, path):
    page = place.visitor().get(path)
    assert page.status_code == 405
    assert "Go back and use the button" in sentences(page)


def test_names_are_text_wherever_they_stand(tmp_path):
    place = Place(tmp_path)
    odd = "<b>\"&'</b>"
    place.play(
        {**START, "players": [odd, "Blue"]},
        OPEN | {"starter": odd},
        {"action": "mark", "train": odd},
    )
    ann = place.visitor()
    for path in ("/table", "/table?train=%3Cb%3E%22%26'%3C/b%3E", "/"):
        page = ann.get(path)
        assert page.status_code == 200
        assert '<b>"' not in page.text
    assert "s train" in ann.get("/table?train=%3Cb%3E%22%26'%3C/b%3E").text


def test_a_train_that_is_not_there_opens_nothing(place):
    page = place.visitor().get("/table?train=Pink")
    assert page.status_code == 200
    assert 'id="close"' not in page.text


def test_no_id_stands_twice_and_the_script_stays_small(place):
    ann = place.visitor()
    for path in ("/", "/new", "/table", "/table?train=Red", "/table?next=1"):
        ids = re.findall(r'\sid="([^"]+)"', ann.get(path).text)
        assert len(ids) == len(set(ids)), path
    assert len(ann.get("/static/companion.js").data) < 25_000


def test_a_page_without_script_can_be_refreshed(place):
    page = place.visitor().get("/table?train=Red").text
    assert '<noscript><p class="strip"><a href="/table?train=Red" id="refresh">' in page


# ---- the drawing ------------------------------------------------------------------------------


def test_everybody_sits_where_they_sit(place):
    places = hub_places(place.told)
    assert [p.train for p in places] == [*PLAYERS, "mexican"]
    assert [p.angle for p in places] == [90, 180, 270, 360]
    assert (places[0].x, places[0].y) == (360, 645), "seat 1 is at the bottom"
    assert places[1].x < 360 < places[3].x, "clockwise: the next one sits to the left"
    assert places[2].name_y < places[2].y, "names of the upper seats stand above"


def test_the_drawing_shows_lamps_doubles_turn_and_duty(place):
    place.play(
        {"action": "mark", "train": "Red"},
        {"action": "lay_double", "train": "Green", "value": 4, "player": "Green"},
        {"action": "lay_double", "train": "Green", "value": 6, "player": "Green"},
        {"action": "knock", "player": "Blue"},
    )
    red, blue, green, mexican = hub_places(place.told)
    assert (red.lamp, red.marked, red.to_cover) == ("fast", True, True)
    assert [value for _, value in green.doubles] == [4, 6]
    assert green.doubles[0][0] < green.doubles[1][0]
    assert green.lamp == "slow" and blue.lamp == "off" and blue.knocked
    assert (mexican.lamp, mexican.started) == ("off", False)
    page = place.visitor().get("/table").text
    assert page.count('class="double-open"') == 2
    assert 'class="lamp lamp-fast lamp-marked"' in page
    assert "Mexican Train: not begun" in page


@pytest.mark.parametrize("count", range(2, 15))
def test_any_table_fits_the_drawing(count):
    players = [f"Great-aunt Number {n}" for n in range(count)]
    told = {
        "game": {"players": players},
        "open_trains": [],
        "mexican_train": False,
        "open_doubles": [],
        "to_cover": None,
        "turn": None,
        "started": [],
        "knocked": [],
        "went_out": [],
    }
    places = hub_places(told)
    assert len(places) == count + 1
    for one in places:
        assert 40 <= one.x <= 680 and 40 <= one.y <= 680 and 20 <= one.name_y <= 712


def test_long_names_are_shortened_on_the_drawing_only(place):
    assert shortened("Grandmother", 8) == "Grandmo…"
    assert shortened("Ann", 8) == "Ann"


def test_a_tile_is_drawn_from_the_same_halves_everywhere(place):
    page = place.visitor().get("/table").text
    assert page.count('id="half-12"') == 1
    assert page.count('xlink:href="#half-12"') >= 4, "the engine and the mark in the corner"
    assert [value for value in range(19) if drawing.turned(value)] == [13, 14, 15]
    assert drawing.ends_of("5-12") == (5, 12)


# ---- the camera --------------------------------------------------------------------------------


class Watching:
    """A watch that saw what it is told."""

    def __init__(self, sighting=None, trouble=None, moving=False):
        self.sighting, self.trouble, self.moving = sighting, trouble, moving


class Toy:
    """A simulated table that notes what is done to it."""

    def __init__(self):
        self.done = []

    def __getattr__(self, name):
        return lambda *told: self.done.append((name, *told))


def test_without_a_camera_there_is_no_panel_and_no_picture(place):
    ann = place.visitor()
    assert 'id="camera"' not in ann.get("/table").text
    assert ann.get("/hub.jpg").status_code == 404
    assert ann.post("/simulator", {"do": "hide"}).status_code == 404


def test_the_camera_panel_says_what_it_sees(tmp_path):
    from companion.dominoes import Tile

    seen = Sighting(engine=Tile(8, 8), taken=5.0, picture=b"\xff\xd8jpeg")
    place = Place(tmp_path, watch=Watching(seen))
    place.play(START, OPEN)
    ann = place.visitor()
    assert "Round 1 wants the 12-12, I see the 8-8" in sentences(ann.get("/table"))
    picture = ann.get("/hub.jpg")
    assert (picture.data, picture.mimetype) == (b"\xff\xd8jpeg", "image/jpeg")


def test_a_camera_in_trouble_says_what_to_do(tmp_path):
    place = Place(tmp_path, watch=Watching(trouble="No camera answers: plug one in."))
    place.play(START, OPEN)
    ann = place.visitor()
    assert "No camera answers: plug one in." in sentences(ann.get("/table"))
    assert ann.get("/hub.jpg").status_code == 404


def test_the_simulated_table_is_played_with(tmp_path):
    toy = Toy()
    place = Place(tmp_path, watch=Watching(), simulator=toy)
    place.play(START, OPEN)
    ann = place.visitor()
    assert "This hub is simulated" in sentences(ann.get("/table"))
    for fields in (
        {"do": "lay", "value": "8"},
        {"do": "lay", "value": ""},
        {"do": "hide"},
        {"do": "pass"},
    ):
        assert ann.post("/simulator", fields).status_code == 303
    assert toy.done == [("lay_engine", "8-8"), ("lay_engine", None), ("hide",), ("pass_hand",)]
    ann.post("/simulator", {"do": "right"})
    assert toy.done[4:] == [("lay_right_engine",), ("show",)]
    assert ann.post("/simulator", {"do": "burn"}).status_code == 422


class Dark:
    trouble = "No lamps are connected: install gpiozero."

    def lamps(self):
        return []


def test_lamps_that_are_not_there_are_one_quiet_sentence(tmp_path):
    place = Place(tmp_path, lights=Dark())
    place.play(START, OPEN)
    assert sentences(place.visitor().get("/table")).count(Dark.trouble) == 1
