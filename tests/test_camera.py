"""Every camera yields new BGR frames or one sentence that says what to do."""

from __future__ import annotations

import inspect
import sys
import threading
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import hardware.camera
from companion.edges import NoMoreFrames
from companion.errors import DeviceTrouble
from hardware.camera import (
    FolderCamera,
    NoCamera,
    PiCamera,
    SimulatedCamera,
    Webcam,
    as_bgr,
    open_camera,
)
from hardware.simulator import Simulator

RED = (20, 30, 220)
"""A red card in BGR."""


def card(colour: tuple[int, ...] = RED, size: tuple[int, int] = (48, 64)) -> np.ndarray[Any, Any]:
    return np.full((*size, len(colour)), colour, np.uint8)


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


# --- the Pi camera, against a stand-in with picamera2's signatures

SIGNATURES = {
    "__init__": "(self, camera_num=0, verbose_console=None, tuning=None, allocator=None)",
    "configure": "(self, camera_config=None)",
    "start": "(self, config=None, show_preview=False)",
    "stop": "(self)",
    "close": "(self)",
    "set_controls": "(self, controls)",
    "capture_array": "(self, name='main', wait=None, signal_function=None)",
    "capture_request": "(self, wait=None, signal_function=None, flush=None)",
    "create_still_configuration": "(self, main={}, lores=None, raw={}, transform=None, "
    "colour_space=None, buffer_count=1, controls={}, display=None, encode=None, queue=True, "
    "sensor={}, use_case='still')",
    "create_video_configuration": "(self, main={}, lores=None, raw={}, transform=None, "
    "colour_space=None, buffer_count=6, controls={}, display='main', encode='main', queue=True, "
    "sensor={}, use_case='video')",
}
"""As in picamera2 0.3.38, but for defaults that are objects of libcamera."""


class Request:
    """A completed request: an array with its metadata, to be released once."""

    def __init__(self, camera: Picamera2, array: np.ndarray[Any, Any], began: float) -> None:
        self.camera, self.array, self.began = camera, array, began
        camera.held += 1

    def make_array(self, name: str) -> np.ndarray[Any, Any]:
        assert name == "main"
        return self.array.copy()

    def get_metadata(self) -> dict[str, Any]:
        exposure = 5000
        return {
            "SensorTimestamp": int(self.began * 1e9) + exposure * 1000,
            "ExposureTime": exposure,
            "AnalogueGain": 2.0,
            "ColourGains": (1.5, 1.7),
        }

    def release(self) -> None:
        self.camera.held -= 1


class Picamera2:
    """Stands in for the real class: same names and parameters, faults on demand."""

    infos: list[dict[str, Any]] = [{"Model": "imx708", "Num": 0}]
    array = card()
    stale = 0
    """So many frames from before the request come first, even where flushing was asked for."""
    fails: str | None = None
    opened: list[Picamera2] = []

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        if Picamera2.fails == "system":
            raise RuntimeError("camera manager")
        return Picamera2.infos

    def __init__(
        self,
        camera_num: int = 0,
        verbose_console: Any = None,
        tuning: Any = None,
        allocator: Any = None,
    ) -> None:
        if self.fails == "busy":
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.held, self.running, self.closed = 0, False, False
        self.controls: dict[str, Any] = {}
        self.config: dict[str, Any] = {}
        self.old = self.stale
        Picamera2.opened.append(self)

    def create_still_configuration(
        self, main: Any = {}, lores: Any = None, raw: Any = {}, transform: Any = None,
        colour_space: Any = None, buffer_count: Any = 1, controls: Any = {}, display: Any = None,
        encode: Any = None, queue: Any = True, sensor: Any = {}, use_case: Any = "still",
    ) -> dict[str, Any]:  # fmt: skip
        return {"main": main}

    def create_video_configuration(
        self, main: Any = {}, lores: Any = None, raw: Any = {}, transform: Any = None,
        colour_space: Any = None, buffer_count: Any = 6, controls: Any = {}, display: Any = "main",
        encode: Any = "main", queue: Any = True, sensor: Any = {}, use_case: Any = "video",
    ) -> dict[str, Any]:  # fmt: skip
        return {"main": main}

    def configure(self, camera_config: Any = None) -> None:
        assert not self.running
        self.config = camera_config

    def start(self, config: Any = None, show_preview: Any = False) -> None:
        self.running = True

    def stop(self) -> None:
        self.running = False

    def close(self) -> None:
        self.closed = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.controls |= controls

    def capture_array(
        self, name: Any = "main", wait: Any = None, signal_function: Any = None
    ) -> np.ndarray[Any, Any]:
        return self.array

    def capture_request(
        self, wait: Any = None, signal_function: Any = None, flush: Any = None
    ) -> Request:
        assert self.running
        if self.fails == "unplugged":
            raise RuntimeError("camera frontend has timed out")
        if self.fails == "hangs":
            time.sleep(0.02)
            raise TimeoutError
        if flush is not None and self.old > 0:
            self.old -= 1
            return Request(self, card((0, 0, 0)), flush / 1e9 - 0.05)
        time.sleep(0.002)
        return Request(self, self.array, time.monotonic())


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> type[Picamera2]:
    module = types.ModuleType("picamera2")
    module.Picamera2 = Picamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    for name, value in (("array", card()), ("stale", 0), ("fails", None), ("opened", [])):
        monkeypatch.setattr(Picamera2, name, value)
    monkeypatch.setattr(Picamera2, "infos", [{"Model": "imx708", "Num": 0}])
    return Picamera2


def pi_camera() -> PiCamera:
    return PiCamera(warm_up=0.01, patience=0.3)


def test_the_stand_in_has_the_real_signatures() -> None:
    plain = {
        name: str(inspect.signature(getattr(Picamera2, name)).replace(
            parameters=[p.replace(annotation=inspect.Parameter.empty) for p in
                        inspect.signature(getattr(Picamera2, name)).parameters.values()],
            return_annotation=inspect.Signature.empty))
        for name in SIGNATURES
    }  # fmt: skip
    assert plain == SIGNATURES


def test_a_pi_frame_is_red_where_the_card_is_red(picamera2: type[Picamera2]) -> None:
    with pi_camera() as camera:
        frame = camera.frame()
    device = picamera2.opened[0]
    assert device.config["main"]["format"] == "RGB888"
    assert tuple(frame.image[0, 0]) == RED and frame.name == "Pi camera"
    assert device.closed and not device.running and device.held == 0


def test_a_pi_frame_with_four_channels_is_taken(
    picamera2: type[Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Picamera2, "array", card((*RED, 255)))
    with pi_camera() as camera:
        assert camera.frame().image.shape == (48, 64, 3)


def test_frames_from_before_the_request_are_not_used(
    picamera2: type[Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Picamera2, "stale", 3)
    with pi_camera() as camera:
        asked = time.monotonic()
        frame = camera.frame(after=asked)
    assert frame.taken > asked and tuple(frame.image[0, 0]) == RED
    assert picamera2.opened[0].held == 0


def test_only_old_frames_are_trouble_within_the_patience(
    picamera2: type[Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Picamera2, "stale", 10**9)
    with pi_camera() as camera, pytest.raises(DeviceTrouble, match="only old pictures"):
        camera.frame()


def test_exposure_and_white_balance_are_locked_after_warm_up(picamera2: type[Picamera2]) -> None:
    with pi_camera() as camera:
        camera.frame()
        assert picamera2.opened[0].controls == {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": 5000,
            "AnalogueGain": 2.0,
            "ColourGains": (1.5, 1.7),
        }


@pytest.mark.parametrize(
    "fault, sentence",
    [
        ("system", "The Pi camera system does not answer: restart the Pi and check its cable."),
        (
            "busy",
            "The Pi camera is busy or failing: close other programs that use it, such as "
            "rpicam-hello.",
        ),
        (
            "unplugged",
            "The Pi camera stopped sending pictures: check both ends of its cable.",
        ),
        ("hangs", "The Pi camera stopped sending pictures: check both ends of its cable."),
    ],
)
def test_a_failing_pi_camera_says_what_to_do_and_works_again(
    picamera2: type[Picamera2], monkeypatch: pytest.MonkeyPatch, fault: str, sentence: str
) -> None:
    with pi_camera() as camera:
        if fault in ("unplugged", "hangs"):
            camera.frame()
        monkeypatch.setattr(Picamera2, "fails", fault)
        with pytest.raises(DeviceTrouble) as refusal:
            camera.frame()
        assert str(refusal.value) == camera.trouble == sentence
        monkeypatch.setattr(Picamera2, "fails", None)
        assert tuple(camera.frame().image[0, 0]) == RED
        assert camera.trouble is None


def test_a_pi_without_a_camera_says_so(
    picamera2: type[Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Picamera2, "infos", [])
    with pi_camera() as camera, pytest.raises(DeviceTrouble, match="^No Pi camera found: switch"):
        camera.frame()


def test_without_picamera2_the_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(DeviceTrouble, match="sudo apt install python3-picamera2"):
        pi_camera().frame()


# --- the webcam, against a stand-in for OpenCV's capture


class Capture:
    """A driver that keeps four old pictures and then sends thirty a second."""

    opened: list[Capture] = []
    works = True
    unplugged = False

    def __init__(self, source: int | str) -> None:
        self.source, self.stored, self.released = source, 4, False
        self.shown = 0
        Capture.opened.append(self)

    def isOpened(self) -> bool:  # noqa: N802
        return Capture.works

    def set(self, _setting: int, _value: float) -> bool:
        return True

    def grab(self) -> bool:
        if Capture.unplugged:
            return False
        if self.stored:
            self.stored -= 1
            self.shown = 0
        else:
            time.sleep(0.012)
            self.shown += 1
        return True

    def retrieve(self) -> tuple[bool, np.ndarray[Any, Any]]:
        return True, card() if self.shown > 2 else card((0, 0, 0))

    def release(self) -> None:
        self.released = True


@pytest.fixture
def capture(monkeypatch: pytest.MonkeyPatch) -> type[Capture]:
    monkeypatch.setattr(hardware.camera.cv2, "VideoCapture", Capture)
    monkeypatch.setattr(hardware.camera.os.path, "exists", lambda _path: True)
    for name, value in (("opened", []), ("works", True), ("unplugged", False)):
        monkeypatch.setattr(Capture, name, value)
    return Capture


def test_a_webcam_throws_old_pictures_away(capture: type[Capture]) -> None:
    with Webcam(0) as camera:
        asked = time.monotonic()
        frame = camera.frame(after=asked)
        assert frame.taken > asked and tuple(frame.image[0, 0]) == RED
        capture.opened[0].stored = 4
        assert tuple(camera.frame().image[0, 0]) == RED
    assert len(capture.opened) == 1 and capture.opened[0].released


def test_an_unplugged_webcam_is_opened_again(
    capture: type[Capture], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Webcam(0) as camera:
        camera.frame()
        monkeypatch.setattr(Capture, "unplugged", True)
        with pytest.raises(DeviceTrouble, match="stopped sending pictures: unplug it and plug it"):
            camera.frame()
        assert capture.opened[0].released
        monkeypatch.setattr(Capture, "unplugged", False)
        camera.frame()
        assert len(capture.opened) == 2 and camera.trouble is None


def test_a_busy_webcam_says_what_to_do(
    capture: type[Capture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Capture, "works", False)
    with pytest.raises(DeviceTrouble, match="^The webcam 2 cannot be opened: plug it in, or close"):
        Webcam(2).frame()


@pytest.mark.skipif(sys.platform != "linux", reason="names devices as Linux does")
def test_a_missing_webcam_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardware.camera.glob, "glob", lambda _pattern: ["/dev/video1"])
    with pytest.raises(DeviceTrouble) as refusal:
        Webcam(77).frame()
    assert str(refusal.value) == "No webcam 77 found (there is 1): plug one in."


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
    hanging.join()


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


def no_webcam(monkeypatch: pytest.MonkeyPatch) -> None:
    exists: Callable[[str], bool] = lambda _path: False  # noqa: E731
    monkeypatch.setattr(hardware.camera.os.path, "exists", exists)


def test_auto_takes_the_pi_camera_first(picamera2: type[Picamera2]) -> None:
    with open_camera("auto", Simulator()) as camera:
        assert isinstance(camera, PiCamera) and camera.why == "The Pi camera was found."


@pytest.mark.skipif(sys.platform != "linux", reason="names devices as Linux does")
def test_auto_falls_back_to_the_simulated_table_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    no_webcam(monkeypatch)
    camera = open_camera("auto", Simulator())
    assert isinstance(camera, SimulatedCamera)
    assert camera.why.startswith("No camera was found, so the simulated table is shown. ")
    assert "python3-picamera2" in camera.why and "No webcam 0 found" in camera.why
    assert isinstance(open_camera("auto"), NoCamera)


def test_auto_takes_a_webcam_when_there_is_no_pi_camera(
    monkeypatch: pytest.MonkeyPatch, capture: type[Capture]
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with open_camera("auto", Simulator()) as camera:
        assert isinstance(camera, Webcam) and camera.why.startswith("The webcam was found.")
