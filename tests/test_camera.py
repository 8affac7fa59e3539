"""Every camera yields new BGR frames or one sentence that says what to do."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import hardware.camera
from companion.edges import Frame, NoMoreFrames
from companion.errors import DeviceTrouble
from hardware.auto import AGAIN, AutoCamera
from hardware.camera import (
    FolderCamera,
    NoCamera,
    PiCamera,
    SimulatedCamera,
    Webcam,
    as_bgr,
    open_camera,
    simulated_table,
)
from hardware.device import Device
from hardware.simulator import Simulator
from tests.fake_capture import use_captures
from tests.fake_picamera2 import RED, card

# --- colours and channels


def test_three_channels_stay_as_they_are() -> None:
    assert tuple(as_bgr(card())[0, 0]) == RED


def test_a_fourth_channel_is_dropped_and_grey_becomes_three() -> None:
    assert tuple(as_bgr(card((*RED, 255)))[5, 5]) == RED
    assert as_bgr(np.full((4, 6), 7, np.uint8)).shape == (4, 6, 3)
    assert tuple(as_bgr(np.full((4, 6, 1), 7, np.uint8))[0, 0]) == (7, 7, 7)


@pytest.mark.parametrize("image", [None, np.zeros((0, 0, 3), np.uint8), np.zeros((4, 4, 3))])
def test_what_is_no_picture_is_refused(image: np.ndarray[Any, Any] | None) -> None:
    with pytest.raises(DeviceTrouble, match="empty picture: unplug it and plug it in again"):
        as_bgr(image)


# --- folders, the simulated table, none


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, colour in (("b.png", RED), ("a.jpg", (200, 60, 20)), ("c.PNG", (10, 200, 10))):
        cv2.imwrite(str(tmp_path / name), card(colour))
    (tmp_path / "notes.txt").write_text("no picture")
    return tmp_path


def test_a_folder_yields_its_pictures_once_in_name_order(folder: Path) -> None:
    with FolderCamera(folder, once=True) as camera:
        frames = [camera.frame() for _ in range(3)]
        with pytest.raises(NoMoreFrames, match="has no more pictures"):
            camera.frame()
    assert [frame.name for frame in frames] == ["a.jpg", "b.png", "c.PNG"]
    assert tuple(frames[1].image[0, 0]) == RED


def test_a_folder_in_view_keeps_its_last_picture(folder: Path) -> None:
    now = 0.0
    camera = FolderCamera(folder, hold=3, clock=lambda: now)
    names = []
    for now in (0, 2.9, 3, 8, 100):
        names.append(camera.frame().name)
    assert names == ["a.jpg", "a.jpg", "b.png", "c.PNG", "c.PNG"]


def test_a_folder_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(DeviceTrouble, match="has no pictures: put some into it"):
        FolderCamera(tmp_path).frame()
    with pytest.raises(DeviceTrouble, match="cannot be read: name one with pictures"):
        FolderCamera(tmp_path / "missing").frame()


def test_a_damaged_picture_is_named_and_the_next_one_comes(folder: Path) -> None:
    (folder / "a.jpg").write_text("not a picture")
    camera = FolderCamera(folder, once=True)
    with pytest.raises(DeviceTrouble, match="^a.jpg cannot be shown: "):
        camera.frame()
    assert camera.frame().name == "b.png"


def test_the_simulated_table_is_seen_after_the_request() -> None:
    with SimulatedCamera(Simulator()) as camera:
        asked = time.monotonic()
        frame = camera.frame(after=asked)
    assert frame.taken > asked and frame.image.shape == (960, 1280, 3)


def test_no_camera_says_so() -> None:
    with NoCamera() as camera, pytest.raises(DeviceTrouble, match="^There is no camera: start"):
        camera.frame()
    assert camera.trouble is not None


def test_a_camera_that_hangs_does_not_hold_up_a_second_caller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hardware.device.PATIENCE", 0.05)
    release = threading.Event()
    simulator = Simulator()
    monkeypatch.setattr(simulator, "frame", lambda: release.wait(5) and card())
    camera = SimulatedCamera(simulator)
    hanging = threading.Thread(target=camera.frame)
    hanging.start()
    time.sleep(0.02)
    with pytest.raises(DeviceTrouble, match="does not answer"):
        camera.frame()
    release.set()
    hanging.join(60)


# --- choosing


@pytest.mark.parametrize(
    "spec, kind",
    [
        ("pi", PiCamera),
        ("webcam", Webcam),
        ("webcam:1", Webcam),
        ("webcam:/dev/video9", Webcam),
        ("folder:photos", FolderCamera),
        ("simulated", SimulatedCamera),
        ("none", NoCamera),
    ],
)
def test_each_name_means_its_camera(spec: str, kind: type) -> None:
    camera = open_camera(spec, Simulator())
    assert isinstance(camera, kind) and camera.why


@pytest.mark.parametrize("spec", ["", "zoom", "folder", "folder:", "webcam:", "pi:1"])
def test_other_names_are_refused(spec: str) -> None:
    with pytest.raises(DeviceTrouble, match="There is no camera called .*: choose auto, pi, "):
        open_camera(spec)


def test_a_missing_camera_that_was_asked_for_is_there_with_its_trouble(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    camera = open_camera("pi")
    assert camera.trouble is not None and "python3-picamera2" in camera.trouble


# --- auto


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Plugged(Device):
    """A camera that can be plugged in and out."""

    def __init__(self, name: str, there: bool) -> None:
        self.name = name
        super().__init__()
        self.plugged, self.works, self.asked, self.closed = there, True, 0, 0

    def probe(self) -> None:
        self.asked += 1
        if not self.plugged:
            raise DeviceTrouble(f"No {self.name} found: plug one in.")

    def _take(self, after: float) -> Frame:
        if not (self.plugged and self.works):
            raise DeviceTrouble(f"The {self.name} stopped: plug it in again.")
        return Frame(card(), time.monotonic(), self.name)

    def _let_go(self) -> None:
        self.closed += 1


def auto(pi: Plugged, web: Plugged, clock: Clock, made: list[Device]) -> AutoCamera:
    def stand_in() -> Device:
        made.append(SimulatedCamera(Simulator()))
        made[-1].why = "No camera was found, so the simulated table is shown."
        return made[-1]

    return AutoCamera((pi, web), stand_in, clock=clock)


def test_auto_takes_the_first_real_camera_and_draws_no_table() -> None:
    made: list[Device] = []
    for pi, web, why in (
        (True, True, "The Pi camera was found."),
        (False, True, "The webcam was found. No Pi camera found: plug one in."),
    ):
        camera = auto(Plugged("Pi camera", pi), Plugged("webcam", web), Clock(), made)
        assert camera.why == why and camera.real and camera.frame().name == camera.name
    assert made == [] and simulated_table(camera) is None


def test_a_camera_that_is_plugged_in_later_takes_over_from_the_simulated_table() -> None:
    made: list[Device] = []
    pi, web, clock = Plugged("Pi camera", False), Plugged("webcam", False), Clock()
    with auto(pi, web, clock, made) as camera:
        assert camera.why == (
            "No camera was found, so the simulated table is shown. "
            "No Pi camera found: plug one in. No webcam found: plug one in."
        )
        assert camera.frame().name == "simulated table" and simulated_table(camera) is not None
        web.plugged = True
        assert camera.frame().name == "simulated table", "it is looked for now and then only"
        clock.now += AGAIN
        assert camera.frame().name == camera.name == "webcam"
        assert camera.why == "The webcam was found." and simulated_table(camera) is None
        asked = pi.asked
        pi.plugged = True
        clock.now += AGAIN
        assert camera.frame().name == "webcam" and pi.asked == asked, "it stays while it works"
    assert web.closed == 1


def test_a_camera_that_fails_is_named_and_not_replaced_by_the_simulated_table() -> None:
    made: list[Device] = []
    pi, web, clock = Plugged("Pi camera", False), Plugged("webcam", True), Clock()
    camera = auto(pi, web, clock, made)
    web.plugged = False
    clock.now += AGAIN
    with pytest.raises(DeviceTrouble, match="The webcam stopped: plug it in again."):
        camera.frame()
    assert camera.trouble == "The webcam stopped: plug it in again." and made == []
    web.plugged = True
    assert camera.frame().name == "webcam" and camera.trouble is None
    web.plugged, pi.plugged = False, True
    clock.now += AGAIN
    assert camera.frame().name == "Pi camera" and camera.why == "The Pi camera was found."


def test_one_that_is_there_but_fails_is_told_with_the_stand_in() -> None:
    web = Plugged("webcam", True)
    web.works = False
    camera = auto(Plugged("Pi camera", False), web, Clock(), [])
    assert camera.why.endswith("The webcam stopped: plug it in again.")


@pytest.fixture
def nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a Pi camera nor a webcam."""
    monkeypatch.setitem(sys.modules, "picamera2", None)
    monkeypatch.setattr(hardware.camera, "webcams", lambda: [])


@pytest.mark.skipif(sys.platform != "linux", reason="names devices as Linux does")
def test_auto_falls_back_to_the_simulated_table_and_says_why(nothing: None) -> None:
    camera = open_camera("auto", Simulator)
    assert simulated_table(camera) is not None
    assert camera.why.startswith("No camera was found, so the simulated table is shown. ")
    assert "python3-picamera2" in camera.why and "No webcam found: plug one in." in camera.why
    assert simulated_table(open_camera("simulated", Simulator)) is not None


@pytest.mark.skipif(sys.platform != "linux", reason="names devices as Linux does")
def test_auto_shows_the_pictures_of_its_folder_before_the_simulated_table(
    nothing: None, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with open_camera("auto", Simulator, pictures=folder) as camera:
        assert camera.frame().name == "a.jpg"
        assert camera.why.startswith(f"No camera was found, so the pictures in {folder} are shown.")
    empty = tmp_path_factory.mktemp("empty")
    assert simulated_table(open_camera("auto", Simulator, pictures=empty)) is not None


@pytest.mark.skipif(sys.platform != "linux", reason="names devices as Linux does")
def test_auto_without_anything_says_that_a_camera_is_found_by_itself(nothing: None) -> None:
    with open_camera("auto") as camera, pytest.raises(DeviceTrouble) as refusal:
        camera.frame()
    assert str(refusal.value) == "There is no camera: plug one in, it is found by itself."
    assert not camera.there


@pytest.mark.skipif(sys.platform != "linux", reason="names devices as Linux does")
def test_auto_takes_a_webcam_when_there_is_no_pi_camera(
    monkeypatch: pytest.MonkeyPatch, nothing: None
) -> None:
    use_captures(monkeypatch)
    monkeypatch.setattr(hardware.camera, "webcams", lambda: [0])
    with open_camera("auto", Simulator) as camera:
        assert camera.why.startswith("The webcam was found.") and camera.name == "webcam"


def test_a_camera_that_hangs_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.device.LETTING_GO", 0.05)
    release = threading.Event()
    simulator = Simulator()
    monkeypatch.setattr(simulator, "frame", lambda: release.wait(5) and card())
    camera = SimulatedCamera(simulator)
    hanging = threading.Thread(target=camera.frame)
    hanging.start()
    time.sleep(0.02)
    began = time.monotonic()
    camera.close()
    assert time.monotonic() - began < 1
    release.set()
    hanging.join(60)
