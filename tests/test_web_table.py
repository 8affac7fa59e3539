"""The table page: each tap right, wrong and by GET, and what the page shows of it."""

import math
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion import lamps, web
from companion.dominoes import Tile
from companion.report import report
from companion.sighting import Sighting
from companion.table import replay
from companion.web import drawing
from companion.web.hub import hub_places
from companion.web.names import Seat, labels, width
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
    assert "The game ends after 1 round" in sentences(ann.get("/table?next=1"))
    ann.tap("finish_game")
    assert ann.get("/table").location == "/sheet", "the winner is named there"
    assert 'id="to-table"' not in ann.get("/sheet").text


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
    ({"act": "lay_double", "train": "Red", "value": "13"}, "A double-12 set has no double of 13"),
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


def test_who_comes_too_late_is_told_what_happened_meanwhile(place):
    ann, ben = place.visitor(), place.visitor()
    seen = place.game.table.revision
    ben.tap("mark", train="Blue")
    ben.tap("knock", player="Green")
    late = ann.tap("cover", train="Red", revision=seen)
    assert late.status_code == 409
    assert "New since you looked: marker up on Blue, Green's knock." in sentences(late)
    seen = place.game.table.revision
    ben.post("/undo", {"revision": seen})
    late = ann.tap("block", revision=seen)
    assert "Taken back since you looked: Green's knock." in sentences(late)
    place.play({**START, "overrule": True})
    assert "Another game was begun meanwhile." in sentences(ann.tap("block", revision=seen))


def test_whoever_has_to_move_has_the_likely_taps_at_hand(place):
    ann = place.visitor()
    page = ann.get("/table")
    assert "Red's turn" in sentences(page) and "Next: Blue" in sentences(page)
    ann.tap("turn", player="Green")
    assert "Next: Red" in sentences(ann.get("/table")), "the first sits after the last"
    ann.tap("lay_double", train="Green", value="5", player="Green")
    page = ann.get("/table").text
    card = re.search(r'<section id="quick".*?</section>', page, re.S)[0]
    assert "Red must cover" in card and 'id="quick-cover"' in card
    form = re.search(r'<form[^>]*class="quick-cover">.*?</form>', card, re.S)[0]
    ann.post("/table", dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)))
    assert place.told["open_doubles"] == []
    ann.tap("knock", player="Green")
    card = re.search(r'<section id="quick".*?</section>', ann.get("/table").text, re.S)[0]
    assert 'id="quick-knock"' not in card and 'id="quick-out"' in card
    ann.tap("go_out", player="Green")
    assert 'id="quick-next"' not in ann.get("/table").text, "the round is scored now"


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
    assert (places[0].x, places[0].y) == (360, 637), "seat 1 is at the bottom"
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
        "phase": "playing",
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


PEOPLE = [
    "Ann", "Maximilian", "Cleo", "Wilhelmine", "Klein Erna", "Anneliese", "Grandmother Josephine",
    "Dora", "Hildegard", "Friedrich-Wilhelm", "Bo", "Konstantin", "Seraphina", "Großmutter Hilde",
]  # fmt: skip


@pytest.mark.parametrize("count", range(2, 15))
@pytest.mark.parametrize("first", range(0, 14, 3))
def test_names_are_apart_from_each_other_and_from_every_badge(count, first):
    players = (PEOPLE * 2)[first : first + count]
    told = report(
        replay([{**START, "players": players, "overrule": True}, {"action": "open_round"}])
    )
    places = hub_places(told)
    halves = [width(p.name) / 2 * min(1, 1 + p.name_grows / 10) for p in places]
    boxes = [
        (p.name_x - half, p.name_y - 24, p.name_x + half, p.name_y + 8)
        for p, half in zip(places, halves)
    ]
    badges = [(p.x - 24, p.y - 24, p.x + 24, p.y + 24) for p in places]
    for n, (left, top, right, bottom) in enumerate(boxes):
        assert 0 <= left and right <= 720 and 4 <= top and bottom <= 716, places[n].name
        others = [*boxes[:n], *boxes[n + 1 :], *badges]
        for a, b, c, d in others:
            assert right <= a or c <= left or bottom <= b or d <= top, places[n].name
        ring = places[n].y + (36 if top > places[n].y else -36)
        assert bottom <= ring or ring <= top, "rings do not cut through names"


@pytest.mark.parametrize("count", range(2, 15))
def test_the_mexican_train_has_its_whole_name_with_any_number_of_players(count):
    players = [f"P{n}" for n in range(count)]
    places = hub_places(report(replay([{**START, "players": players, "overrule": True}])))
    assert places[-1].name == "Mexican Train"


def test_names_stay_whole_where_there_is_room():
    named = {
        p.train: p.name for p in hub_places(report(replay([{**START, "players": PEOPLE[:6]}])))
    }
    assert named == {name: name for name in PEOPLE[:6]} | {"mexican": "Mexican Train"}
    many = [
        p.name for p in hub_places(report(replay([{**START, "players": PEOPLE, "overrule": True}])))
    ]
    assert "Grandmother" in many and "Friedrich-W." in many and "Mexican Train" in many
    assert not [name for name in many if name.endswith("…")], "none is cut in a word"


@pytest.mark.parametrize("count", range(2, 15))
def test_names_grow_with_the_text_without_touching_anything(count):
    told = report(
        replay([{**START, "players": PEOPLE[:count], "overrule": True}, {"action": "open_round"}])
    )
    places = hub_places(told)
    assert any(place.name_grows for place in places)
    boxes = []
    for place in places:
        size = 1 + place.name_grows / 10
        wide = width(place.name) * size
        left = place.name_at - wide * {"start": 0, "middle": 0.5, "end": 1}[place.name_anchor]
        top = place.name_y + 8 - 32 * size if place.name_up else place.name_y - 24
        boxes.append((left, top, left + wide, top + 32 * size))
    badges = [(p.x - 24, p.y - 24, p.x + 24, p.y + 24) for p in places]
    for n, (left, top, right, bottom) in enumerate(boxes):
        assert 0 <= left and right <= 720 and 0 <= top and bottom <= 720, places[n].name
        for a, b, c, d in [*boxes[:n], *boxes[n + 1 :], *badges]:
            assert right <= a or c <= left or bottom <= b or d <= top, places[n].name
        near_x, near_y = min(max(360, left), right), min(max(360, top), bottom)
        assert math.hypot(near_x - 360, near_y - 360) >= 144, "outside the hub"


def test_an_initial_tells_two_people_of_one_first_name_apart():
    seats = [Seat(360, 637, 90, False, "Anna Maria Schmidt"), Seat(83, 360, 180, False, "Anna B")]
    assert [label.text for label in labels(seats)] == ["Anna Maria Schmidt", "Anna B"]
    crowd = [Seat(100 + 60 * n, 600, 90, False, f"Annabella {n}xyz") for n in range(5)]
    assert all("Annabella" != label.text for label in labels(crowd))


def test_between_rounds_nothing_lies_on_the_drawing(place):
    place.play(
        {"action": "mark", "train": "Red"},
        {"action": "start_train", "player": "Blue"},
        {"action": "lay_double", "train": "Green", "value": 4, "player": "Green"},
        {"action": "knock", "player": "Blue"},
        *({"action": "hand", "player": player, "pips": 7} for player in PLAYERS),
        {"action": "close_round"},
    )
    for one in hub_places(place.told):
        assert (one.lamp, one.marked, one.started, one.doubles) == ("off", False, False, ())
        assert not (one.turn or one.to_cover or one.knocked or one.out)
    page = place.visitor().get("/table").text
    for burnt in ("lamp-fast", "lamp-slow", "lamp-steady", "seat-ring", "seat-note", "double-open"):
        assert burnt not in page


def test_a_tile_is_drawn_from_the_same_halves_everywhere(place):
    page = place.visitor().get("/table").text
    assert page.count('id="half-12"') == 1
    assert page.count('xlink:href="#half-12"') >= 4, "the engine and the mark in the corner"
    assert [value for value in range(19) if drawing.turned(value)] == [13, 14, 15]
    assert drawing.ends_of("5-12") == (5, 12)


def test_the_lamps_of_the_page_have_the_rhythm_of_the_real_ones():
    style = (Path(web.__file__).parent / "static" / "table.css").read_text(encoding="utf-8")
    slow, fast = f"{lamps.SLOW_PERIOD:g}s", f"{lamps.FAST_PERIOD:g}s".lstrip("0")
    assert f"animation: slow-closed {slow} step-end infinite" in style
    assert f"animation: fast {fast} step-end infinite" in style
    for name, lit in (
        ("slow-open", lamps.SLOW_LONG),
        ("slow-closed", 1 - lamps.SLOW_LONG),
        ("fast", 0.5),
    ):
        frames = re.search(rf"@keyframes {name} {{ 0% {{ opacity: 1; }} (\d+)% ", style)
        assert frames and int(frames[1]) == 100 * lit, name
    marked = re.search(r"\.lamp-slow\.lamp-marked [^}]*animation-name: ([\w-]+)", style)
    assert marked and marked[1] == "slow-open", "mostly lit where the train is open"


# ---- the camera --------------------------------------------------------------------------------


class Watching:
    """A watch that saw what it is told."""

    camera = SimpleNamespace(there=True)

    def __init__(self, sighting=None, trouble=None, moving=False):
        self.sighting, self.trouble, self.moving = sighting, trouble, moving
        self.moved = False


def watched(folder, **seen):
    """A game whose first round is open, and a watch that has seen this."""
    place = Place(folder, watch=Watching(Sighting(picture=b"\xff\xd8jpeg", **seen)))
    place.play(START, OPEN)
    return place


def head(page):
    """The head of the table page: the round, and what is asked."""
    return re.search(r'<div class="table-head".*?<section class="table-hub"', page.text, re.S)[0]


def answer(ann, page, words):
    """Press the button of a question."""
    form = re.search(rf"<form(?:(?!</form>).)*>{words}</button></form>", head(page), re.S)[0]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    return ann.post(re.search(r'action="([^"]+)"', form)[1], fields)


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
    place = watched(tmp_path, engine=Tile(8, 8), taken=5.0)
    ann = place.visitor()
    page = ann.get("/table")
    assert "Round 1 wants the 12-12, I see the 8-8" in head(page)
    assert 'class="seen seen-differs">I see the 8-8.</p>' in page.text
    assert sentences(page).count("was a round skipped") == 1, "asked once"
    picture = ann.get("/hub.jpg")
    assert (picture.data, picture.mimetype) == (b"\xff\xd8jpeg", "image/jpeg")


def test_what_the_camera_sees_stands_beside_what_the_round_says(tmp_path):
    place = watched(tmp_path, engine=Tile(8, 8))
    page = place.visitor().get("/table").text
    witness = re.search(r'<a class="witness witness-differs".*?</a>', page, re.S)[0]
    assert re.findall(r'role="img" aria-label="([^"]+)"', witness) == ["12-12", "8-8"]
    assert "≠" in witness and 'aria-label="What the camera sees: ' in witness
    place.app.extensions["companion"].watch.sighting = Sighting(engine=Tile(12, 12))
    assert "witness-agrees" in place.visitor().get("/table").text
    place.app.extensions["companion"].watch.trouble = "No camera answers: plug one in."
    assert 'id="witness"' not in place.visitor().get("/table").text


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
    page = ann.get("/table")
    panel = page.text.split('id="camera"')[1]
    assert sentences(page).count("This hub is simulated: play with it") == 1
    assert panel.index("This hub is simulated") < panel.index("camera-words"), "said first"
    assert page.text.index('id="to-settings"') < page.text.index('id="camera"'), "below all else"
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


def test_lamps_that_are_not_there_are_spoken_of_on_their_own_page_only(tmp_path):
    place = Place(tmp_path, lights=Dark())
    place.play(START, OPEN)
    assert Dark.trouble not in sentences(place.visitor().get("/table"))


def test_a_simulated_hub_asks_nothing_and_counts_no_hand(tmp_path):
    seen = Sighting(engine=Tile(8, 8))
    place = Place(tmp_path, watch=Watching(seen), simulator=Toy(), photos=object())
    place.play(START, OPEN)
    ann = place.visitor()
    page = ann.get("/table")
    assert 'class="ask"' not in page.text and 'id="witness"' not in page.text
    assert "I see the 8-8" in page.text.split('id="camera-words"')[1], "the panel says it"
    assert 'id="send-hub"' not in ann.get("/score/1").text


def test_where_no_camera_is_wanted_none_is_spoken_of(tmp_path):
    none = Watching(trouble="There is no camera: start with --camera to use one.")
    none.camera = SimpleNamespace(there=False)
    place = Place(tmp_path, watch=none)
    place.play(START, OPEN)
    assert 'id="camera"' not in place.visitor().get("/table").text


# ---- questions and their answers ---------------------------------------------------------------

DOUBTS = [
    ({"engine": Tile(8, 8)}, "Round 1 wants the 12-12, I see the 8-8: was a round skipped?"),
    (
        {"engine": Tile(12, 12), "certain": False},
        "I cannot read the hub for certain: is it the 12-12?",
    ),
    ({}, "The engine slot is empty: lay the 12-12."),
]


@pytest.mark.parametrize(("seen", "sentence"), DOUBTS)
def test_what_the_camera_doubts_is_one_question_with_an_answer(tmp_path, seen, sentence):
    place = watched(tmp_path, questions=("Is the 12-12 in the hub?",), **seen)
    ann, ben = place.visitor(), place.visitor()
    page = ann.get("/table")
    assert sentences(page).count(sentence) == 1
    assert "Is the 12-12 in the hub?" not in sentences(page)
    assert answer(ann, page, "The 12-12 is right").status_code == 303
    assert 'class="ask"' not in ben.get("/table").text, "answered for everybody"
    assert place.told["revision"] == 2, "nothing was played"
    for player in PLAYERS:
        place.play({"action": "hand", "player": player, "pips": 7})
    assert 'class="ask"' not in ann.get("/table").text, "nothing is asked while hands are scored"
    place.play({"action": "close_round"}, {"action": "open_round"})
    assert 'class="ask"' in ann.get("/table").text, "another round, another question"


def test_an_answer_to_the_camera_is_told_to_the_other_pages(tmp_path):
    from companion.web import live

    place = watched(tmp_path, engine=Tile(8, 8))
    ann = place.visitor()
    here = place.app.extensions["companion"]
    before = live.sight(here)
    answer(ann, ann.get("/table"), "The 12-12 is right")
    assert live.sight(here) != before
    assert ann.post("/table/hub", {"do": "burn"}).status_code == 422


def test_the_next_engine_laid_before_the_round_was_scored_leads_to_scoring_it(tmp_path):
    place = watched(tmp_path, engine=Tile(11, 11))
    place.play({"action": "mark", "train": "Red"})
    ann = place.visitor()
    offered = ann.get("/table").text.split('id="ask-1"')[1].split("</section>")[0]
    link = re.search(r'<a class="button" href="(/score)"([^>]*)>Score the round</a>', offered)
    assert link is not None and "data-swap" not in link[2]
    assert "The 12-12 is right" in offered and "Round 1 has the 11-11" not in offered


def test_a_round_of_which_nothing_is_told_can_have_the_engine_that_lies_there(tmp_path):
    place = watched(tmp_path, engine=Tile(8, 8))
    ann = place.visitor()
    page = ann.get("/table")
    for _ in range(2):
        assert answer(ann, page, "Round 1 has the 8-8").status_code == 303, "a double tap"
    told = place.told
    assert (told["engine"], told["starter"], told["round"]) == ("8-8", "Red", 1)
    assert 'class="ask"' not in ann.get("/table").text


def test_a_round_being_played_keeps_its_engine(tmp_path):
    place = watched(tmp_path, engine=Tile(8, 8))
    ann = place.visitor()
    early = ann.get("/table")
    place.play({"action": "mark", "train": "Blue"})
    assert answer(ann, early, "Round 1 has the 8-8").status_code == 409
    assert "Round 1 has the 8-8" not in head(ann.get("/table"))
    late = {"do": "reopen", "engine": "8-8", "revision": place.told["revision"], "once": "k"}
    assert ann.post("/table/hub", late).status_code == 422
    assert ann.post("/table/hub", {"do": "reopen", "engine": "8-8"}).status_code == 422
    assert (place.told["engine"], place.told["open_trains"]) == ("12-12", ["Blue"])


def test_an_engine_that_cannot_be_is_refused_before_anything_is_taken_back(tmp_path):
    place = watched(tmp_path, engine=Tile(8, 8))
    fields = {"do": "reopen", "engine": "15-15", "revision": place.told["revision"], "once": "k"}
    assert place.visitor().post("/table/hub", fields).status_code == 422
    assert (place.told["engine"], place.told["revision"]) == ("12-12", 2)


def test_before_a_round_the_engine_in_the_hub_can_be_the_next_one(tmp_path):
    place = watched(tmp_path, engine=Tile(5, 5))
    for player in PLAYERS:
        place.play({"action": "hand", "player": player, "pips": 7})
    place.play({"action": "close_round"})
    ann = place.visitor()
    asked = head(ann.get("/table"))
    assert "The next round wants the 11-11, I see the 5-5" in asked
    assert 'href="/table?next=1&amp;engine=5-5"' in asked
    page = ann.get("/table?next=1&engine=5-5")
    assert "Next round: the 5-5" in sentences(page) and 'id="next"' not in page.text
    fields = {"act": "open_round", "engine": "5-5", "overrule": "1", "starter": "Blue"}
    for name, value in fields.items():
        assert name == "act" or name == "starter" or f'name="{name}" value="{value}"' in page.text
    ann.post("/table", fields)
    assert (place.told["engine"], place.told["starter"]) == ("5-5", "Blue")
    assert 'name="overrule"' not in ann.get("/table?next=1&engine=99-99").text


def test_a_hand_over_the_hub_is_no_question_but_a_cloth_is(tmp_path, monkeypatch):
    from companion.web import asks

    place = watched(tmp_path, hidden=True, taken=asks.time.monotonic())
    ann = place.visitor()
    assert 'class="ask"' not in ann.get("/table").text
    monkeypatch.setattr(asks, "COVERED_LONG", -1.0)
    page = ann.get("/table")
    assert "Something covers the hub." in head(page)
    answer(ann, page, "Leave it")
    assert 'class="ask"' not in ann.get("/table").text


def test_while_a_hand_moves_the_questions_stay_where_they_are(tmp_path):
    place = watched(tmp_path, engine=Tile(8, 8))
    place.app.extensions["companion"].watch.moving = True
    page = place.visitor().get("/table")
    assert "was a round skipped" in head(page)
    assert "A hand moves over the hub" in sentences(page)


NUDGES = [
    (
        [{"action": "mark", "train": "Red"}, {"action": "play", "train": "Red", "player": "Red"}],
        "Marker off",
        ("open_trains", []),
    ),
    (
        [{"action": "play", "train": "Red", "tile": "5-5", "player": "Red"}],
        "It lies open",
        ("open_doubles", [{"double": "5-5", "train": "Red", "player": "Red"}]),
    ),
    (
        [
            {"action": "lay_double", "train": "Red", "value": 4, "player": "Red"},
            {"action": "play", "train": "Red", "tile": "4-9", "player": "Blue"},
        ],
        "Covered",
        ("open_doubles", []),
    ),
]


@pytest.mark.parametrize(("told", "words", "after"), NUDGES, ids=[each[1] for each in NUDGES])
def test_a_gentle_question_has_the_button_that_answers_it(place, told, words, after):
    place.play(*told)
    ann = place.visitor()
    page = ann.get("/table")
    assert place.told["nudges"][0] in sentences(page)
    assert answer(ann, page, words).status_code == 303
    assert place.told[after[0]] == after[1]


UNLIKELY = [
    {"action": "draw", "player": "Red"},
    {"action": "play", "train": "Blue", "tile": "4-9", "player": "Red"},
]


@pytest.mark.parametrize("told", UNLIKELY, ids=["a tile drawn", "a tile on another's train"])
@pytest.mark.parametrize("words", ["Undo", "Leave it"])
def test_what_may_be_a_slip_is_taken_back_or_left_with_one_tap(tmp_path, told, words):
    place = Place(tmp_path)
    place.play({**START, "overrides": {"first_turn_draw": False}}, OPEN)
    place.play({"action": "turn", "player": "Red"}, told)
    assert len(place.told["nudges"]) == 1
    ann, revision = place.visitor(), place.told["revision"]
    assert answer(ann, ann.get("/table"), words).status_code == 303
    assert place.told["revision"] == revision + (words == "Undo")
    assert 'class="ask"' not in ann.get("/table").text
    assert (place.told["nudges"] == []) == (words == "Undo")


def test_every_gentle_question_is_shown_with_or_without_a_button(place):
    place.play({"action": "lay_double", "train": "Red", "value": 4, "player": "Red"})
    place.play({"action": "lay_double", "train": "Blue", "value": 5, "player": "Red"})
    place.play({"action": "mark", "train": "Red"}, {"action": "play", "train": "Green"})
    page = place.visitor().get("/table")
    assert page.text.count('class="ask"') == len(place.told["nudges"])


# ---- the list of trains ------------------------------------------------------------------------


def row(page, number):
    return re.search(rf'<li class="train-row" id="row-{number}">.*?</li>', page.text, re.S)[0]


def test_a_train_with_an_open_double_says_so_instead_of_closed(place):
    place.play({"action": "lay_double", "train": "Green", "value": 8, "player": "Green"})
    ann = place.visitor()
    page = ann.get("/table")
    green = re.sub(r"<[^>]+>", "", row(page, 3))
    assert "8-8 to cover" in green and "Closed" not in green
    assert 'href="/table?train=Green"' in row(page, 3), "a tap leads to covering it"
    assert "must cover the 8-8" in re.sub(r"<[^>]+>", "", row(page, 1))
    assert "Closed" in row(page, 1), "the marker of who must cover"
    assert 'class="toggle-lamp"' in row(page, 1), "its bulb is dark, as its word says"
    place.play({"action": "knock", "player": "Green"})
    assert "one tile left" in row(ann.get("/table"), 3)
    sheet = sentences(ann.get("/table?train=Green"))
    assert "the 8-8 to cover, closed otherwise" in sheet and "closed to the others" not in sheet
    assert "the 8-8 to cover" in page.text.split('id="train-3"')[1][:400], "for ears too"


def test_each_train_shows_its_total_from_the_second_round_on(place):
    ann = place.visitor()
    assert "train-total" not in ann.get("/table").text
    for player, pips in zip(PLAYERS, (30, 7, 112), strict=True):
        place.play({"action": "hand", "player": player, "pips": pips})
    place.play({"action": "close_round"}, {"action": "open_round"})
    page = ann.get("/table")
    totals = [re.search(r'train-total">.*?</span>(\d+)<', row(page, n))[1] for n in (1, 2, 3)]
    assert totals == ["30", "7", "112"]
    assert "train-total" not in row(page, 4), "the Mexican Train has none"


def test_before_the_first_round_nobody_has_a_place(tmp_path):
    place = Place(tmp_path)
    place.play(START)
    assert "Who plays Red Blue Green" in sentences(place.visitor().get("/table"))


def test_a_short_evening_says_how_many_rounds_there_are(tmp_path):
    place = Place(tmp_path)
    place.play({**START, "rounds": 3}, OPEN, {"action": "go_out", "player": "Red"})
    for path in ("/table", "/score", "/", "/tv"):
        assert "Round 1 of 3" in sentences(place.visitor().get(path)), path
    place.play({**START, "overrule": True}, OPEN)
    assert "Round 1 of" not in sentences(place.visitor().get("/table"))


def test_between_rounds_the_list_is_who_stands_where(place):
    for player, pips in zip(PLAYERS, (30, 7, 112), strict=True):
        place.play({"action": "hand", "player": player, "pips": pips})
    place.play({"action": "close_round"})
    page = place.visitor().get("/table")
    said = sentences(page)
    assert "How it stands 1 Blue 7 2 Red 30 3 Green 112" in said
    assert ">Trains<" not in page.text


def test_no_page_of_ours_mixes_apostrophes():
    from companion.web import templates_folder

    for name in (
        "table.html",
        "home.html",
        "new.html",
        "new_start.html",
        "base.html",
        "parts/act.html",
    ):
        assert "\u2019" not in (templates_folder() / name).read_text(encoding="utf-8"), name


@pytest.mark.parametrize("order, due", [("as_laid", "5-5"), ("reversed", "3-3")])
def test_the_double_to_cover_first_is_named_by_the_tables_rules(tmp_path, order, due):
    place = Place(tmp_path)
    place.play({**START, "overrides": {"cover_order": order}}, OPEN)
    for value in (5, 3):
        place.play({"action": "lay_double", "train": "Red", "value": value, "player": "Red"})
    page = sentences(place.visitor().get("/table"))
    assert f"Blue must cover the {due}." in page
