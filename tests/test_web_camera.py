"""Camera and lamps: what is seen beside what is told, and each lamp tried out."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin
from scoring import seen

from companion.dominoes import Tile
from companion.edges import Frame
from companion.errors import DeviceTrouble
from companion.lamps import WALK_STEP
from companion.observation import PhotoReading
from companion.report import report
from companion.sighting import Sighting
from companion.web import live
from companion.web.camera import near
from companion.web.outlines import View, views
from companion.draft import Draft
from hardware.camera import NoCamera, SimulatedCamera
from hardware.lights import NOT_CONNECTED, TrainLights
from hardware.simulator import Simulator
from tests.visitor import OPEN, PLAYERS, START, Place, sentences

READING = PhotoReading(1280, 960, (seen((12, 12), 600, 460), seen((5, 12), 700, 600, why="glare")))
HUB = Sighting(engine=Tile(12, 12), reading=READING, taken=1.0, picture=b"\xff\xd8")


class Watching:
    """A watch that saw what it is told, and asks the camera for fresh pictures."""

    def __init__(self, camera: Any, sighting: Sighting | None = HUB) -> None:
        self.camera, self.sighting = camera, sighting
        self.trouble: str | None = None
        self.moving, self.moved, self.since = False, False, time.monotonic()
        self.slot = ((640.0, 480.0), 80.0)
        self.asked = 0

    def fresh(self) -> Frame:
        self.asked += 1
        if self.trouble:
            raise DeviceTrouble(self.trouble)
        return self.camera.frame()


@pytest.fixture
def simulator() -> Simulator:
    return Simulator(seed=3)


@pytest.fixture
def watch(simulator: Simulator) -> Watching:
    return Watching(SimulatedCamera(simulator))


@pytest.fixture
def place(tmp_path: Path, watch: Watching, simulator: Simulator) -> Iterator[Place]:
    place = Place(tmp_path, watch=watch, simulator=simulator)
    place.play(START, OPEN)
    yield place
    place.game.close()


# ---- the camera ----------------------------------------------------------------------------------


def test_which_camera_it_is_and_since_when_it_works(place: Place, watch: Watching) -> None:
    watch.since = time.monotonic() - 3600
    an_hour_ago = time.strftime("%H:%M", time.localtime(time.time() - 3600))
    said = sentences(place.visitor().get("/camera"))
    assert "The simulated table was asked for." in said
    assert f"It has worked since {an_hour_ago}." in said


@pytest.mark.parametrize(
    ("engine", "words", "kind"),
    [
        (Tile(12, 12), "The hub shows the 12-12, this round's engine.", "agrees"),
        (Tile(8, 8), "Round 1 wants the 12-12, I see the 8-8: was a round skipped?", "differs"),
        (None, "The engine slot is empty: lay the 12-12.", "empty"),
    ],
)
def test_what_it_sees_stands_beside_what_the_round_says(
    place: Place, watch: Watching, engine: Tile | None, words: str, kind: str
) -> None:
    watch.sighting = Sighting(engine=engine, reading=READING, taken=1.0)
    page = place.visitor().get("/camera")
    sides = re.findall(r'class="compare-side">(.*?)</div>', page.text, re.S)
    seen_now, told = (re.findall(r"<p[^>]*>(.*?)</p>", side) for side in sides)
    assert (seen_now, told) == ([str(engine) if engine else "no engine"], ["12-12"])
    assert words in sentences(page)
    assert f"seen-{kind}" in page.text


def test_between_rounds_it_is_the_next_engine_that_counts(place: Place) -> None:
    for player in PLAYERS:
        place.play({"action": "hand", "player": player, "pips": 1})
    place.play({"action": "close_round"})
    said = sentences(place.visitor().get("/camera"))
    assert "The camera sees 12-12 The next round has 11-11" in said


def test_the_picture_is_fresh_and_kept_by_nobody(
    place: Place, watch: Watching, simulator: Simulator
) -> None:
    ann = place.visitor()
    one = ann.get("/camera.jpg")
    assert (one.mimetype, one.headers["Cache-Control"]) == ("image/jpeg", "no-store")
    simulator.hide()
    other = ann.get("/camera.jpg")
    assert watch.asked == 2
    pictures = [cv2.imdecode(np.frombuffer(p.data, np.uint8), 1) for p in (one, other)]
    assert pictures[0].shape == (960, 1280, 3)
    changed = np.abs(pictures[0].astype(int) - pictures[1]).max(2) > 60
    assert changed.mean() > 0.02, "the hand that lies there since is in the picture"


def test_a_large_picture_is_sent_smaller(place: Place, watch: Watching) -> None:
    large = np.full((3000, 4000, 3), 90, np.uint8)
    watch.fresh = lambda: Frame(large, 0.0, "large")  # type: ignore[method-assign]
    sent = cv2.imdecode(np.frombuffer(place.visitor().get("/camera.jpg").data, np.uint8), 1)
    assert sent.shape == (960, 1280, 3)


def test_what_was_read_is_drawn_over_it(place: Place) -> None:
    page = place.visitor().get("/camera").text
    drawing = re.search(r'<svg class="photo".*?</svg>', page, re.S)[0]
    assert re.findall(r">([\d-]+\??)</text>", drawing) == ["12-12", "5-12?"]
    assert "outline-doubt" in drawing and "stroke-dasharray" in drawing
    assert 'cx="640.0" cy="480.0"' in drawing, "the hub's slot"
    assert re.search(r'<image xlink:href="/camera\.jpg\?n=1\.00-', drawing)


def test_the_picture_is_shown_from_near_by_or_whole(place: Place) -> None:
    ann = place.visitor()
    page, whole = ann.get("/camera").text, ann.get("/camera?whole=1").text
    boxes = [re.search(r'<svg class="photo" viewBox="([^"]+)"', p)[1] for p in (page, whole)]
    assert boxes[1] == "0 0 1280 960"
    x, y, width, height = map(float, boxes[0].split())
    assert width < 900 and abs(width / height - 4 / 3) < 0.01
    assert x < 600 and x + width > 780 and y < 460 and y + height > 640
    assert 'id="whole"' in page and 'id="near"' in whole


def test_a_new_picture_has_a_new_address(place: Place) -> None:
    ann = place.visitor()
    again = re.search(r'href="(/camera\?look=\w+)" data-swap="view"', ann.get("/camera").text)[1]
    addresses = [
        re.search(r'"(/camera\.jpg[^"]+)"', ann.get(p).text)[1] for p in ("/camera", again)
    ]
    assert addresses[0] != addresses[1]
    assert ann.get(again.replace("look=", "look=%22%3E%3Cscript%3E")).text.count("<script") == 1


def test_trouble_comes_with_its_fix_and_can_be_tried_again(place: Place, watch: Watching) -> None:
    watch.trouble = "The webcam stopped sending pictures: unplug it and plug it in again."
    ann = place.visitor()
    page = ann.get("/camera")
    assert "unplug it and plug it in again. In trouble since" in sentences(page)
    assert "camera.jpg" not in page.text, "no picture of the past is shown as if it were new"
    assert ann.post("/camera/retry").location == "/camera?tried=1"
    assert "It was tried just now: it does not work yet." in sentences(ann.get("/camera?tried=1"))
    assert ann.get("/camera.jpg").status_code == 503
    watch.trouble = None
    assert ann.post("/camera/retry").location == "/camera"


def test_where_there_is_no_camera_there_is_nothing_to_try(place: Place, watch: Watching) -> None:
    watch.camera, watch.sighting = NoCamera(), None
    watch.trouble = str(watch.camera.trouble)
    page = place.visitor().get("/camera")
    assert "There is no camera: start with --camera to use one." in sentences(page)
    assert 'id="retry"' not in page.text and 'id="view"' not in page.text
    watch.trouble = None
    assert "It has worked since" not in sentences(place.visitor().get("/camera"))


def test_before_the_first_look_the_picture_is_there(place: Place, watch: Watching) -> None:
    watch.sighting = None
    page = place.visitor().get("/camera")
    assert "The camera has not seen the hub yet." in sentences(page)
    assert "Nothing has been read yet." in sentences(page)
    assert '<img class="camera-picture" src="/camera.jpg' in page.text


def test_without_watch_or_lamps_the_page_says_so(tmp_path: Path) -> None:
    ann = Place(tmp_path).visitor()
    said = sentences(ann.get("/camera"))
    assert "No camera is watched here." in said
    assert "The lamps are switched off" in said
    for path in ("/camera/retry", "/camera/walk", "/camera/simulator"):
        assert ann.post(path).status_code == 404
    assert ann.get("/camera.jpg").status_code == 404


def a_view(*tiles: Any) -> View:
    return views("hub", Draft.of(PhotoReading(1280, 960, tiles)))[0]


def test_near_by_never_leaves_the_picture() -> None:
    corner = a_view(seen((1, 2), 20, 10))
    assert near(corner, (60.0, 30.0, 50.0)) is not None
    x, y, width, height = map(float, near(corner, (60.0, 30.0, 50.0)).split())
    assert (x, y) == (0, 0) and width < 1280 and height < 960
    spread = a_view(seen((1, 2), 20, 10), seen((3, 4), 1150, 880))
    assert near(spread, (640.0, 480.0, 60.0)) is None
    assert near(None, None) is None


# ---- the simulated table -------------------------------------------------------------------------


def test_the_simulated_table_is_played_with_from_here(place: Place, simulator: Simulator) -> None:
    ann = place.visitor()

    def press(do: str, **more: str) -> None:
        assert ann.post("/camera/simulator", {"do": do, **more}).location == "/camera"

    assert 'id="sim-next"' not in ann.get("/camera").text
    press("lay", value="3")
    assert simulator.engine == Tile(3, 3)
    press("hide")
    assert simulator.hidden
    page = ann.get("/camera").text
    assert 'id="sim-show"' in page and 'id="sim-hide"' not in page
    press("show")
    assert not simulator.hidden and simulator.engine == Tile(3, 3)
    press("right")
    assert simulator.engine != Tile(3, 3)
    press("pass")
    assert ann.post("/camera/simulator", {"do": "dance"}).status_code == 422
    press("marker-up", train="Blue")
    assert simulator.moved_markers == {"Blue"}
    page = ann.get("/calibration/markers").text
    assert 'id="sim-marker-off"' in page and "<option>Blue</option>" in page
    lifted = {"do": "marker-off", "train": "Blue"}
    assert ann.post("/calibration/markers/simulator", lifted).location == "/calibration/markers"
    assert not simulator.moved_markers
    nobody = {"do": "marker-up", "train": "Nobody"}
    assert ann.post("/camera/simulator", nobody).status_code == 422
    for player in PLAYERS:
        place.play({"action": "hand", "player": player, "pips": 1})
    place.play({"action": "close_round"})
    assert 'id="sim-next"' in ann.get("/camera").text
    press("next")
    assert simulator.engine == Tile(11, 11)


# ---- the lamps -----------------------------------------------------------------------------------


class Clock:
    """Seconds that pass when a test says so."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def lit(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Place, TrainLights]]:
    """A table with lamps at four seats and the Mexican Train, on a mock Pi."""
    monkeypatch.setattr(Device, "pin_factory", MockFactory(pin_class=MockPWMPin))
    with TrainLights((5, 6, 16, 20, 21), clock=clock) as lights:
        place = Place(tmp_path, lights=lights)
        place.game.listen(lambda table: lights.show(report(table)))
        place.play(START, OPEN)
        yield place, lights
        place.game.close()


def lines(place: Place) -> list[str]:
    """What the page says of every lamp."""
    page = place.visitor().get("/camera").text
    found = re.findall(r'<li class="lamp-line.*?</li>', page, re.S)
    return [" ".join(re.sub(r"<[^>]+>", " ", each).split()) for each in found]


def test_every_lamp_says_whose_it_is_where_it_hangs_and_what_it_does(
    lit: tuple[Place, TrainLights],
) -> None:
    place, _ = lit
    place.play({"action": "mark", "train": "Blue"}, {"action": "start_mexican_train"})
    assert lines(place) == [
        "Seat 1 Red off GPIO5 pin 29",
        "Seat 2 Blue lit: open to all GPIO6 pin 31",
        "Seat 3 Green off GPIO16 pin 36",
        "Seat 4 Nobody off GPIO20 pin 38",
        "Mexican Train lit: it has begun GPIO21 pin 40",
    ]
    place.play({"action": "lay_double", "train": "Blue", "value": 5, "player": "Red"})
    said = " ".join(lines(place))
    assert "Blue blinks fast: must cover now" in said
    place.play({"action": "lay_double", "train": "Green", "value": 4, "player": "Red"})
    assert "Green blinks, mostly dark: a double waits" in " ".join(lines(place))


@pytest.mark.parametrize("path", ["/camera", "/api/lamps"])
def test_looking_at_the_lamps_says_nothing_to_them(
    lit: tuple[Place, TrainLights], monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    place, lights = lit
    shown: list[object] = []
    place.play({"action": "mark", "train": "Blue"})
    lights.lamps(place.game.table.revision)
    monkeypatch.setattr(lights, "show", shown.append)
    assert place.visitor().get(path).status_code == 200 and shown == []


def test_a_seat_without_a_pin_is_named(lit: tuple[Place, TrainLights]) -> None:
    place, _ = lit
    players = [f"P{n}" for n in range(1, 7)]
    place.play({**START, "players": players, "hand": 10, "overrule": True})
    assert lines(place)[4:] == [
        "Seat 5 P5 there is no pin for it –",
        "Seat 6 P6 there is no pin for it –",
        "Mexican Train off GPIO21 pin 40",
    ]


def test_a_lamp_that_is_dark_against_its_duty_is_said(
    lit: tuple[Place, TrainLights], monkeypatch: pytest.MonkeyPatch
) -> None:
    place, lights = lit
    place.play({"action": "mark", "train": "Blue"})
    told = [{"train": "Blue", "pin": 6, "state": "steady", "lit": False}]
    monkeypatch.setattr(lights, "lamps", lambda revision: told)
    assert lines(place)[1] == "Seat 2 Blue lit: open to all but it is dark GPIO6 pin 31"


def test_the_walk_lights_each_in_turn_and_the_page_follows(
    lit: tuple[Place, TrainLights], clock: Clock
) -> None:
    place, lights = lit
    ann = place.visitor()
    here = place.app.extensions["companion"]
    before = live.sight(here)
    assert ann.post("/camera/walk").location == "/camera#lamps"
    for number, pin in enumerate((5, 6, 16, 20, 21)):
        assert live.sight(here) != before, "pages that are open hear of it"
        before = live.sight(here)
        page = ann.get("/camera")
        assert f"Lit now: GPIO{pin}." in sentences(page)
        assert ["lit now" in line for line in lines(place)] == [n == number for n in range(5)]
        clock.now += WALK_STEP
    assert lights.walking is None
    page = ann.get("/camera")
    assert "Lit now" not in sentences(page) and "Light each lamp in turn" in sentences(page)
    assert place.told["open_trains"] == [], "the game was told nothing"


def test_lamps_that_are_not_connected_are_said_to_be_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none of these")
    with TrainLights() as lights:
        page = Place(tmp_path, lights=lights).visitor().get("/camera")
    said = sentences(page)
    assert NOT_CONNECTED in said and "GPIO17 pin 11" in said
    assert 'id="walk"' not in page.text, "there is none to light in turn"


def test_lamps_that_are_switched_off_are_said_to_be(tmp_path: Path) -> None:
    with TrainLights(mode="none") as lights:
        place = Place(tmp_path, lights=lights)
        page = place.visitor().get("/camera")
        assert "The lamps are switched off" in sentences(page)
        assert 'id="walk"' not in page.text
