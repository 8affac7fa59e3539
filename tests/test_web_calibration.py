"""Where hub, seats and play area are: found, put right by hand, kept, and shown ever after."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from companion.checkup import suggested
from companion.dominoes import Tile
from companion.edges import Frame
from companion.errors import DeviceTrouble
from companion.journal import Journal
from companion.keepsakes import Keepsakes
from companion.layout import Layout
from companion.observation import PhotoReading, Reading
from companion.photos import PhotoStore
from companion.sighting import Sighting
from companion.vision.markers import Marker
from companion.web.calibration import way_to
from companion.web.looking import drawn, handle
from companion.web.seen import doubts, keeper
from companion.whereabouts import Whereabouts
from tests.scoring import Told
from tests.visitor import OPEN, PLAYERS, START, Place, sentences

SIZE = (1280, 960)
WELL = {"hub_x": "50", "hub_y": "50,5"}
AREA = {
    **{"corner1_x": "10", "corner1_y": "10", "corner2_x": "90", "corner2_y": "10"},
    **{"corner3_x": "90", "corner3_y": "90", "corner4_x": "10", "corner4_y": "90"},
}
BESIDE = "The middle of the hub lies outside the play area: pull the hub in, or the corners out."
WAYS = {f"seat{number}_way": str(number * 80) for number in range(1, 5)}


class Watching:
    """A watch over one picture, which can be changed or refuse to come."""

    def __init__(self) -> None:
        self.image = np.full((960, 1280, 3), 130, np.uint8)
        self.camera = SimpleNamespace(there=True, why="A camera of the tests.")
        self.sighting, self.slot, self.since = None, ((640.0, 480.0), 80.0), 0.0
        self.moving = self.moved = False
        self.trouble = None

    def fresh(self):
        if self.trouble:
            raise DeviceTrouble(self.trouble)
        return Frame(self.image, 1.0, "hub")


@pytest.fixture
def watch():
    return Watching()


@pytest.fixture
def reader():
    return Told()


@pytest.fixture
def place(tmp_path, watch, reader):
    place = Place(tmp_path, watch=watch, reader=reader, keepsakes=Keepsakes(tmp_path / "seen"))
    place.play(START, OPEN)
    yield place
    place.game.close()


def layout(place):
    return place.game.choices.layout


def keep(place, **fields):
    return place.visitor().post("/calibration", {"do": "keep", **fields})


def field(page, name):
    return re.search(rf'name="{name}" value="([^"]*)"', page.text)[1]


def spoke(x, y, wide, high):
    """A tile of half its width and height round a middle."""
    corners = (
        (x - wide, y - high),
        (x + wide, y - high),
        (x + wide, y + high),
        (x - wide, y + high),
    )
    return Reading((12, 5), corners if high > wide else (*corners[1:], corners[0]))


# ---- by hand ------------------------------------------------------------------------------------


def test_what_is_typed_is_kept_and_there_after_a_restart(place, tmp_path):
    assert keep(place, **WELL, **AREA, **WAYS).location == "/calibration?kept=1"
    told = layout(place)
    assert told.centre == (0.5, 0.505) and told.by_hand
    assert told.area == ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    assert told.directions == (80, 160, 240, 320)
    assert place.game.choices.view is not None
    page = place.visitor().get("/calibration")
    assert (field(page, "corner3_y"), field(page, "seat4_way")) == ("90.0", "320")
    assert sentences(page).count("set by hand") == 3
    place.game.close()
    again = Place(tmp_path, watch=Watching())
    assert layout(again) == told
    again.game.close()


def test_blank_fields_tell_nothing(place):
    keep(place, **WELL, **{name: "" for name in AREA})
    assert layout(place) == Layout((0.5, 0.505), None, (), True)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"corner1_x": "95", "corner2_x": "5"}, "The sides of the play area cross"),
        ({"corner1_x": "50", "corner1_y": "10", "corner4_y": "10"}, "lie in one line"),
        ({"corner1_x": "101"}, "outside the picture"),
        ({"corner3_x": "20", "corner3_y": "20"}, "play area"),
        ({"corner3_x": ""}, "“Bottom right: from the left” is empty: type a number."),
        ({"hub_y": " "}, "“Hub: from the top” is empty: type a number."),
        ({"hub_x": "120"}, "outside the picture"),
        ({"hub_y": "x"}, "is not a number"),
        ({"seat2_way": "nan"}, "is not a number"),
        ({"hub_x": "9.9"}, BESIDE),
        ({"corner3_y": "45", "corner4_y": "45"}, BESIDE),
        ({"seat3_way": "164.9"}, "Blue and Green sit in nearly the same direction: move one"),
        ({"seat4_way": "77"}, "Red and Mexican Train sit in nearly the same direction"),
        ({"seat1_way": "-36"}, "Red and Mexican Train sit in nearly the same direction"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason_and_stays_typed(place, changed, why):
    answer = keep(place, **{**WELL, **AREA, **WAYS, **changed})
    assert answer.status_code == 422 and why in sentences(answer)
    name, value = next(iter(changed.items()))
    assert field(answer, name) == value
    assert layout(place) == Layout()


def test_a_play_area_holds_the_hub_that_is_seen_where_nobody_told_it(place, watch):
    aside = {**AREA, "corner2_x": "45", "corner3_x": "45"}
    answer = keep(place, **aside)
    assert answer.status_code == 422 and BESIDE in sentences(answer)
    assert field(answer, "corner2_x") == "45" and layout(place) == Layout()
    watch.slot = ((640.0, 480.0), None)
    assert keep(place, **aside).status_code == 303, "where no tile tells the hub it is not known"


@pytest.mark.parametrize(("ways", "status"), [(("2", "357.1"), 422), (("2", "357"), 303)])
def test_seats_are_five_degrees_apart_also_across_the_right(place, ways, status):
    told = dict(zip(("seat1_way", "seat2_way"), ways))
    assert keep(place, **WELL, **told).status_code == status


def test_guesses_that_would_lie_on_each_other_are_not_kept_as_told(place):
    ann = place.visitor()
    keep(place, **WELL, seat1_way="100", seat3_way="108")
    assert layout(place).directions[1] == 104
    answer = ann.post("/calibration", {**shown(ann.get("/calibration")), "do": "stay"})
    assert answer.status_code == 422 and "Red and Blue sit in nearly" in sentences(answer)
    assert layout(place).guessed == (1, 3)


def test_a_tap_that_would_leave_the_hub_outside_or_seats_together_is_refused(place):
    keep(place, **WELL, **AREA, **WAYS)
    before, ann = layout(place), place.visitor()
    out = ann.post("/calibration", {"tap640.x": "32", "tap640.y": "240", "point": "hub"})
    assert out.status_code == 422 and BESIDE in sentences(out)
    beside = ann.post("/calibration", {"tap640.x": "360", "tap640.y": "460", "point": "seat2"})
    assert beside.status_code == 422 and "Red and Blue sit in" in sentences(beside)
    assert layout(place) == before


def test_a_tap_on_the_plain_picture_puts_one_point_and_goes_on_to_the_next(place):
    ann = place.visitor()
    tap = {"tap300.x": "150", "tap300.y": "90", "point": "hub"}
    assert ann.post("/calibration", tap).location == "/calibration?point=corner1"
    assert layout(place).centre == (0.5, 0.4)
    ann.post("/calibration", {"tap640.x": "64", "tap640.y": "48", "point": "corner1"})
    assert layout(place).area[0] == (0.1, 0.1)
    then = ann.post("/calibration", {"tap640.x": "320", "tap640.y": "400", "point": "seat1"})
    assert then.location == "/calibration?point=seat2"
    assert layout(place).directions[0] == 90
    assert 'value="seat2" checked' in ann.get(then.location).text


def test_seats_that_nobody_has_put_are_guesses_and_count_for_nothing(place):
    ann = place.visitor()
    assert "only guessed: put each in its place" in sentences(ann.get("/calibration"))
    assert ann.get("/calibration").text.count("lay-ask") == 2 * 4
    ann.post("/calibration", {"tap640.x": "32", "tap640.y": "240", "point": "seat1"})
    told = layout(place)
    assert told.directions == (180, 270, 0, 90) and told.guessed == (1, 2, 3)
    page = ann.get("/calibration")
    assert "1 of 4 told, the others are guessed" in sentences(page)
    assert (field(page, "seat1_way"), field(page, "seat2_way")) == ("180", "")
    assert page.text.count("lay-ask") == 2 * 3
    assert Whereabouts(place.game, None).layout().directions == ()
    assert "lay-ask" not in ann.get("/camera").text, "guesses are for the calibration only"
    for seat, (x, y) in enumerate([(320, 20), (600, 240), (320, 460)], start=2):
        ann.post("/calibration", {"tap640.x": x, "tap640.y": y, "point": f"seat{seat}"})
    assert layout(place).guessed == ()
    assert Whereabouts(place.game, None).layout().directions == (180, 270, 0, 90)


def test_seats_left_blank_are_guessed(place):
    keep(place, **WELL, seat1_way="100", seat3_way="220")
    assert layout(place).directions == (100, 160, 220, 340) and layout(place).guessed == (1, 3)


@pytest.mark.parametrize("do", ["keep", "stay"])
def test_guesses_that_are_kept_as_they_are_shown_are_told(place, do):
    ann = place.visitor()
    page = ann.get("/calibration")
    assert 'id="sure"' in page.text and 'id="kept"' not in page.text
    answer = ann.post("/calibration", {**opened(page), "do": do})
    told = layout(place)
    assert (told.directions, told.guessed) == ((90, 180, 270, 0), ()) and told.by_hand
    assert told.centre == (0.5, 0.5), "the ways go out from where the hub was drawn"
    assert Whereabouts(place.game, None).layout().directions == (90, 180, 270, 0)
    page = ann.get(answer.location)
    assert "It is kept." in sentences(page)
    assert 'id="sure"' not in page.text and "lay-ask" not in page.text


def test_what_was_moved_is_kept_without_believing_the_other_guesses(place):
    ann = place.visitor()
    moved = {**opened(ann.get("/calibration")), "seat1_way": "100"}
    ann.post("/calibration", {**moved, "do": "keep"})
    assert layout(place).guessed == (1, 2, 3)
    ann.post("/calibration", {**moved, "do": "stay"})
    assert layout(place).guessed == () and layout(place).directions == (100, 190, 280, 10)


# ---- what is typed or moved, and not kept yet -------------------------------------------------


def opened(page):
    """The fields of a page as it was opened."""
    names = re.findall(r'name="((?:hub|corner|seat)\w+)"', page.text)
    return {
        "was": re.search(r'name="was" value="([^"]*)"', page.text)[1],
        **dict.fromkeys(names, ""),
    }


def test_finding_all_asks_first_when_something_was_moved(place):
    ann = place.visitor()
    moved = {**opened(ann.get("/calibration")), **WELL}
    answer = ann.post("/calibration", {**moved, "do": "find"})
    assert answer.status_code == 422 and "What was moved is not kept yet." in sentences(answer)
    assert field(answer, "hub_y") == WELL["hub_y"] and layout(place) == Layout()
    again = {**moved, "do": re.search(r'value="([^"]*)" id="find-anyway"', answer.text)[1]}
    assert ann.post("/calibration", again).location == "/calibration?found=nothing"
    unmoved = {**opened(ann.get("/calibration")), "do": "find"}
    assert ann.post("/calibration", unmoved).location == "/calibration?found=nothing"


def test_a_tap_and_a_word_on_the_view_keep_what_was_typed(place, watch):
    ann = place.visitor()
    typed = {**opened(ann.get("/calibration")), **WELL}
    ann.post("/calibration", {**typed, "tap640.x": "64", "tap640.y": "48", "point": "corner1"})
    assert layout(place).centre == (0.5, 0.505) and layout(place).area[0] == (0.1, 0.1)
    watch.moved = True
    page = ann.get("/calibration")
    fields = re.findall(r'name="((?:hub|corner|seat)\w+)" value="([^"]*)"', page.text)
    typed = {"was": opened(page)["was"], **dict(fields), "hub_x": "40"}
    ann.post("/calibration", {**typed, "do": "stay"})
    assert layout(place).centre == (0.4, 0.505) and layout(place).area[0] == (0.1, 0.1)


def test_a_tap_that_would_cross_the_sides_is_refused(place):
    keep(place, **AREA)
    answer = place.visitor().post(
        "/calibration", {"tap300.x": "290", "tap300.y": "150", "point": "corner1"}
    )
    assert answer.status_code == 422 and 'id="refusal"' in answer.text
    assert layout(place).area[0] == (0.1, 0.1)


@pytest.mark.parametrize(
    "fields",
    [
        {"point": "hub"},
        {"point": "corner9", "x": "5", "y": "5"},
        {"x": "5", "y": "5"},
        {"do": "dance"},
    ],
)
def test_taps_that_no_page_sends_are_refused(place, fields):
    assert place.visitor().post("/calibration", fields).status_code == 422
    assert layout(place) == Layout()


def test_a_seat_is_not_at_the_hub():
    view = drawn_by_itself()
    assert way_to((0.9, 0.5), view) == 0
    with pytest.raises(ValueError, match="the hub itself"):
        way_to((0.5, 0.505), view)


def drawn_by_itself():
    return SimpleNamespace(x=640.0, y=480.0, width=1280, height=960)


@pytest.mark.parametrize("centre", [(640, 480), (200, 160), (1100, 800)])
def test_handles_stay_in_the_picture_and_in_their_direction(centre):
    view = SimpleNamespace(x=centre[0], y=centre[1], width=1280, height=960)
    for angle in range(0, 360, 15):
        x, y = handle(centre, angle, *SIZE)
        assert 0 <= x <= 1280 and 0 <= y <= 960
        off = way_to((x / 1280, y / 960), view) - angle
        assert abs((off + 180) % 360 - 180) < 0.3, angle


# ---- on two devices ------------------------------------------------------------------------------

BEHIND = "Somebody else changed the calibration in the meantime: look at it again, then repeat."


def shown(page):
    """The fields of a page as they are, hidden ones too."""
    named = re.findall(r'name="((?:hub|corner|seat)\w+|was|of)" value="([^"]*)"', page.text)
    return dict(named)


@pytest.mark.parametrize(
    "does",
    [
        *({"do": "keep"}, {"do": "stay"}, {"do": "find"}, {"do": "find-anyway"}),
        *({"do": "reset"}, {"do": "reset-anyway"}),
        {"tap640.x": "64", "tap640.y": "48", "point": "corner1"},
    ],
)
def test_what_somebody_else_kept_meanwhile_is_not_overwritten_unseen(place, does):
    ann, ben = place.visitor(), place.visitor()
    mine = {**shown(ann.get("/calibration")), "hub_x": "40", "hub_y": "40"}
    ben.post("/calibration", {**shown(ben.get("/calibration")), **AREA, "do": "keep"})
    theirs = layout(place)
    answer = ann.post("/calibration", {**mine, **does})
    assert answer.status_code == 409 and BEHIND in sentences(answer)
    assert layout(place) == theirs
    now = shown(answer)
    assert (now["hub_x"], now["corner3_y"]) == ("40", "90.0"), "mine, and theirs beside it"
    assert ann.post("/calibration", {**now, "do": "keep"}).status_code == 303
    assert layout(place).centre == (0.4, 0.4) and layout(place).area == theirs.area


def test_what_is_kept_while_the_picture_is_taken_counts_too(place, watch):
    ann = place.visitor()
    mine, look = {**shown(ann.get("/calibration")), **WELL}, watch.fresh

    def kept_by_another():
        place.game.choices.keep_layout(Layout((0.3, 0.3)), None)
        return look()

    watch.fresh = kept_by_another
    answer = ann.post("/calibration", {**mine, "do": "keep"})
    assert answer.status_code == 409 and layout(place).centre == (0.3, 0.3)


# ---- by itself ----------------------------------------------------------------------------------


def test_all_is_found_in_one_press(place, reader):
    reader.tiles = (
        *(spoke(640, 480, 40, 20), spoke(640, 620, 20, 40), spoke(500, 480, 40, 20)),
        *(spoke(640, 340, 20, 40), spoke(780, 480, 40, 20)),
    )
    ann = place.visitor()
    answer = ann.post("/calibration", {"do": "find"})
    assert answer.location == "/calibration?found=trains"
    assert "The hub was found by the trains around it." in sentences(ann.get(answer.location))
    told = layout(place)
    assert told.centre == pytest.approx((0.5, 0.5), abs=0.01) and not told.by_hand
    assert [round(way) for way in told.directions] == [90, 180, 270, 0]


def test_what_was_not_found_stays_as_it_was_and_is_said(place):
    keep(place, **AREA)
    ann = place.visitor()
    answer = ann.post("/calibration", {"do": "find"})
    assert "The hub was not found" in sentences(ann.get(answer.location))
    assert layout(place).area is not None


def test_a_found_hub_outside_the_kept_play_area_is_shown_and_not_kept(place, watch, reader):
    watch.slot = None
    keep(place, **{**AREA, "corner2_x": "45", "corner3_x": "45"})
    before = layout(place)
    reader.tiles = (
        *(spoke(640, 480, 40, 20), spoke(640, 620, 20, 40), spoke(500, 480, 40, 20)),
        *(spoke(640, 340, 20, 40), spoke(780, 480, 40, 20)),
    )
    answer = place.visitor().post("/calibration", {"do": "find"})
    assert answer.status_code == 422 and BESIDE in sentences(answer)
    assert float(field(answer, "hub_x")) == pytest.approx(50, abs=1)
    assert layout(place) == before
    wider = {**shown(answer), "corner2_x": "90", "corner3_x": "90", "do": "keep"}
    assert place.visitor().post("/calibration", wider).status_code == 303


def test_all_can_be_forgotten_after_a_question(place):
    keep(place, **WELL, **AREA)
    before, ann = layout(place), place.visitor()
    opened = {**shown(ann.get("/calibration")), "hub_x": "40"}
    answer = ann.post("/calibration", {**opened, "do": "reset"})
    assert answer.status_code == 409 and "would be forgotten" in sentences(answer)
    assert layout(place) == before and field(answer, "hub_x") == "40"
    back = ann.post("/calibration", {**shown(answer), "do": "back"})
    assert back.status_code == 200 and field(back, "hub_x") == "40"
    assert "would be forgotten" not in sentences(back) and layout(place) == before
    unmoved = {**shown(ann.get("/calibration")), "do": "back"}
    assert ann.post("/calibration", unmoved).location == "/calibration"
    yes = re.search(r'value="([^"]*)" id="reset-anyway"', answer.text)[1]
    ann.post("/calibration", {**shown(answer), "do": yes})
    assert (layout(place), place.game.choices.view) == (Layout(), None)
    assert ann.post("/calibration", {"do": "reset"}).status_code == 303, "nothing to ask about"


def test_a_moved_view_is_said_here_and_on_the_camera_page_until_it_is_settled(place, watch):
    keep(place, **WELL)
    before = place.game.choices.view
    watch.moved, watch.image = True, np.full((960, 1280, 3), 60, np.uint8)
    ann = place.visitor()
    for page in ("/calibration", "/camera"):
        assert "The view has moved: calibrate again." in sentences(ann.get(page))
    ann.post("/calibration", {"do": "stay"})
    assert place.game.choices.view != before and layout(place).centre == (0.5, 0.505)


# ---- what is shown ------------------------------------------------------------------------------


def test_the_overlay_lies_over_the_live_view_ever_after(place):
    ann = place.visitor()
    assert "lay-area" not in ann.get("/camera").text
    keep(place, **WELL, **AREA, **WAYS)
    page = ann.get("/camera").text
    assert 'points="128,96 1152,96 1152,864 128,864"' in page
    for player in PLAYERS:
        assert re.search(rf'class="lay-name[^>]*>{player}</text>', page)
    assert re.search(r'class="lay-seat look-1"', page) and "data-handle=" in page


def test_the_whole_picture_is_drawn_to_its_edges(place):
    assert 'points="0,0 1280,0 1280,960 0,960"' in place.visitor().get("/calibration").text


def test_ways_for_another_number_of_players_are_not_shown_as_told(place):
    with place.app.test_request_context():
        view = drawn(Layout(directions=(10, 20)), *SIZE)
    assert not view.any_told
    assert [(way.angle, way.told) for way in view.ways] == [
        *((90, False), (180, False)),
        *((270, False), (0, False)),
    ]


def test_a_camera_in_trouble_says_so_and_none_has_no_page(place, watch):
    watch.trouble = "The webcam is busy: close the other program."
    for page in ("/calibration", "/calibration/markers", "/calibration/test"):
        assert "close the other program" in sentences(place.visitor().get(page))
    watch.trouble, watch.camera.there = None, False
    for page in ("/calibration", "/calibration/markers", "/calibration/test"):
        assert place.visitor().get(page).status_code == 404


def test_the_watch_is_told_what_holds_for_this_table(place):
    keep(place, **WELL, **WAYS)
    where = Whereabouts(place.game, (0.3, 0.3))
    assert (where.highest(), where.seats()) == (12, 3)
    assert where.layout().directions == (80, 160, 240, 320)
    place.play({**START, "players": ["A", "B"], "overrule": True})
    assert where.layout().directions == () and where.layout().centre == (0.5, 0.505)
    place.visitor().post("/calibration", {"do": "reset-anyway"})
    assert where.layout().centre == (0.3, 0.3) and where.view() is None


# ---- markers ------------------------------------------------------------------------------------


def with_a_coin(watch):
    noise = np.random.default_rng(3).integers(-6, 6, watch.image.shape)
    watch.image = np.clip(noise + (70, 100, 130), 0, 255).astype(np.uint8)
    yy, xx = np.mgrid[:960, :1280]
    watch.image[np.hypot(xx - 320, yy - 240) < 24] = (30, 40, 220)


def test_a_marker_is_taught_by_one_tap_kept_shown_and_forgotten(place, watch):
    with_a_coin(watch)
    ann = place.visitor()
    assert "None yet" in sentences(ann.get("/calibration/markers"))
    sent = ann.post("/calibration/markers", {"name": "coin", "x": "25", "y": "25"})
    assert sent.status_code == 303, sentences(sent)
    page = ann.get("/calibration/markers")
    assert "coin" in sentences(page)
    picture = ann.get("/calibration/markers/0.jpg")
    assert picture.data[:2] == b"\xff\xd8" and len(picture.data) < 40_000
    assert ann.get("/calibration/markers/1.jpg").status_code == 404
    book = Whereabouts(place.game, None)
    assert [marker.name for marker in book.markers()] == ["coin"]
    assert book.markers() is book.markers() and isinstance(book.markers()[0], Marker)
    again = ann.post("/calibration/markers", {"name": "Coin", "x": "25", "y": "25"})
    assert again.status_code == 422 and "choose another name" in sentences(again)
    ann.post("/calibration/markers", {"forget": "coin"})
    assert place.game.choices.markers == () and book.markers() == ()


def test_the_markers_page_says_that_the_seats_come_first(place):
    ann = place.visitor()
    first = "A marker tells the camera nothing until the seats are put in their places."
    page = ann.get("/calibration/markers")
    assert first in sentences(page)
    assert re.search(r'id="seats-first">.*?href="/calibration"', page.text, re.S)
    keep(place, **WELL, **WAYS)
    assert first not in sentences(ann.get("/calibration/markers"))


def test_a_marker_without_place_or_where_nothing_lies_is_refused(place, watch):
    with_a_coin(watch)
    ann = place.visitor()
    nowhere = ann.post("/calibration/markers", {"name": "coin", "x": "", "y": ""})
    assert "Tap the marker in the picture first." in sentences(nowhere)
    bare = ann.post("/calibration/markers", {"name": "coin", "x": "75", "y": "75"})
    assert bare.status_code == 422 and "Nothing stands out there" in sentences(bare)
    assert field(bare, "name") == "coin"
    assert ann.post("/calibration/markers", {"forget": "x"}).status_code == 422


def test_a_marker_that_cannot_be_read_again_is_left_out(place):
    place.game.choices.keep_markers([{"name": "old"}, {"name": "bad", "marker": {"name": 1}}])
    assert Whereabouts(place.game, None).markers() == ()
    ann = place.visitor()
    assert "old" in sentences(ann.get("/calibration/markers"))
    assert ann.get("/calibration/markers/0.jpg").status_code == 200


# ---- the self-test ------------------------------------------------------------------------------


def test_the_self_test_reads_the_tiles_and_says_how_well(place, reader):
    away = ((0, 0), (40, 0), (40, 20), (0, 20))
    reader.tiles = tuple(Reading(tile.ends, away) for tile in suggested(12))
    ann = place.visitor()
    assert "Nothing has been read yet." in sentences(ann.get("/calibration/test"))
    sent = {"do": "read", "tiles": " ".join(map(str, suggested(12)))}
    assert ann.post("/calibration/test", sent).location == "/calibration/test#result"
    said = sentences(ann.get("/calibration/test"))
    assert "This set is read well in this light." in said and "7 of 7 tiles" in said
    reader.tiles = reader.tiles[1:]
    ann.post("/calibration/test", sent)
    said = sentences(ann.get("/calibration/test"))
    assert "6 of 7 tiles were right in every look. There were 10 looks." in said
    assert "Doubtful values: 0, 1" in said
    ann.post("/calibration/test", {"do": "anew"})
    assert "Nothing has been read yet." in sentences(ann.get("/calibration/test"))


def test_one_tile_is_read_without_a_verdict_on_the_set(place, reader):
    reader.tiles = (Reading((5, 12), ((0, 0), (40, 0), (40, 20), (0, 20))),)
    ann = place.visitor()
    ann.post("/calibration/test", {"do": "read", "tiles": "5-12"})
    page = ann.get("/calibration/test")
    said = sentences(page)
    assert "This set is read" not in said and "1 of 1 tiles were right" in said
    assert "Too few tiles to judge the set by: lay at least 6." in said
    assert 'notice-ask" id="verdict"' in page.text


def test_wrong_tiles_for_the_self_test_are_refused_and_stay_typed(place):
    answer = place.visitor().post("/calibration/test", {"do": "read", "tiles": "5-13"})
    assert answer.status_code == 422 and field(answer, "tiles") == "5-13"
    assert "The 5-13 is not in a double-12 set." in sentences(answer)


# ---- what it saw --------------------------------------------------------------------------------

WRONG = Sighting(engine=Tile(8, 8), reading=PhotoReading(1280, 960), picture=b"\xff\xd8 picture")


def test_only_what_is_doubtful_is_kept(place):
    table = place.game.table
    assert doubts(table, Sighting(engine=Tile(12, 12))) == []
    assert doubts(table, Sighting(hidden=True)) == []
    assert "I see the 8-8" in doubts(table, WRONG)[0]
    assert doubts(table, Sighting(engine=Tile(12, 12), certain=False))
    asked = Sighting(engine=Tile(12, 12), questions=("Twice the 5-12?",))
    assert doubts(table, asked) == ["Twice the 5-12?"]


def test_doubtful_pictures_are_shown_and_deleted(place, tmp_path):
    keepsakes = Keepsakes(tmp_path / "seen")
    keeper(lambda: place.game.table, keepsakes)(WRONG)
    ann = place.visitor()
    said = sentences(ann.get("/camera/seen"))
    assert "Round 1 wants the 12-12, I see the 8-8: was a round skipped?" in said
    (kept,) = keepsakes.all()
    assert ann.get(f"/camera/seen/{kept.id}.jpg").data == WRONG.picture
    assert ann.get("/camera/seen/20200101T000000000000.jpg").status_code == 404
    assert ann.post("/camera/seen", {"forget": kept.id}).location == "/camera/seen"
    assert keepsakes.all() == [] and "no doubts lately" in sentences(ann.get("/camera/seen"))
    assert ann.post("/camera/seen", {}).status_code == 422


def test_what_it_saw_is_told_in_the_readers_language(place, tmp_path):
    keeper(lambda: place.game.table, Keepsakes(tmp_path / "seen"))(WRONG)
    ann = place.visitor()
    english = sentences(ann.get("/camera/seen"))
    ann.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "nl"
    dutch = sentences(ann.get("/camera/seen"))
    assert "was a round skipped" in english and "was a round skipped" not in dutch


def test_a_note_that_somebody_spoilt_shows_what_is_left(place, tmp_path):
    keepsakes = Keepsakes(tmp_path / "seen")
    name = keepsakes.keep(b"\xff\xd8", {"why": [{"text": "50% of it", "values": {}}, 7]}, "x")
    note = Path(tmp_path / "seen" / f"{name}.json")
    assert place.visitor().get("/camera/seen").status_code == 200
    note.write_text(json.dumps({"why": 5, "tiles": [1]}))
    assert "1 tile was read" in sentences(place.visitor().get("/camera/seen"))


def test_what_it_saw_is_told_of_where_the_keeping_of_photos_is_chosen(tmp_path: Path) -> None:
    photos = PhotoStore(tmp_path / "photos", Journal.open(tmp_path / "photos.db"))
    for keepsakes in (Keepsakes(tmp_path / "seen"), None):
        place = Place(tmp_path, photos=photos, keepsakes=keepsakes)
        page = place.visitor().get("/settings").text
        assert ('href="/camera/seen"' in page) == (keepsakes is not None)
        place.game.close()
