"""A camera in trouble as the people see it: one sentence on the page, and the game goes on."""

from __future__ import annotations

import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hardware.camera
from companion.observation import PhotoReading
from companion.watch import Watch
from hardware.camera import PiCamera, Webcam, open_camera
from hardware.simulator import Simulator
from tests.fake_capture import Capture, use_captures
from tests.fake_picamera2 import Picamera2
from tests.test_picamera import FAULTS as PI_FAULTS
from tests.test_picamera import SENSOR
from tests.test_webcam import FAULTS as WEBCAM_FAULTS
from tests.visitor import OPEN, START, Place, sentences

AGAIN = "It is tried again every few seconds."


class Blank:
    """A reader that sees no tile."""

    def read(self, image: Any, *, highest: int | None = None) -> PhotoReading:
        return PhotoReading(image.shape[1], image.shape[0], ())

    def outlines(self, image: Any, area: Any = None, **known: Any) -> list[tuple[Any, float]]:
        return []


def eventually(condition: Callable[[], object]) -> bool:
    """Whether the condition comes true within four seconds."""
    end = time.monotonic() + 4
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(condition())


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("picamera2")
    module.Picamera2 = Picamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    for name, value in (("fault", None), ("opened", []), ("infos", [SENSOR])):
        monkeypatch.setattr(Picamera2, name, value)


@pytest.fixture
def capture(monkeypatch: pytest.MonkeyPatch) -> None:
    use_captures(monkeypatch)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Callable[[Any], Place]]:
    opened: list[Any] = []

    def make(camera: Any) -> Place:
        watch = Watch(camera, Blank(), pace=0.03, retry=0.05)
        made = Place(tmp_path, watch=watch)
        made.play(START, OPEN)
        opened.extend([camera, watch, made.game])
        watch.start()
        return made

    yield make
    for one in reversed(opened):
        one.close()


def goes_through(
    place: Place, stand_in: Any, fault: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In mid-game the fault comes, is said, leaves the game alone, and goes again by itself."""
    ann = place.visitor()

    def page() -> str:
        return sentences(ann.get("/camera"))

    assert eventually(lambda: "It has worked since" in page())
    monkeypatch.setattr(stand_in, "fault", fault)
    assert eventually(lambda: sentence in page())
    assert AGAIN in page() and "Traceback" not in page()
    assert ann.get("/camera.jpg").status_code == 503
    assert ann.tap("mark", train="Blue").status_code == 303
    assert place.told["open_trains"] == ["Blue"]
    monkeypatch.setattr(stand_in, "fault", None)
    assert eventually(lambda: "It has worked since" in page())
    assert sentence not in page()


@pytest.mark.parametrize("fault", ["unplugged", "hangs", "old"])
def test_a_pi_camera_in_trouble(
    picamera2: None,
    place: Callable[[Any], Place],
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
) -> None:
    camera = PiCamera(warm_up=0.01, patience=0.2)
    # once it is opened anew, what fails is the opening
    said = PI_FAULTS[fault] if fault == "old" else PI_FAULTS["busy"]
    goes_through(place(camera), Picamera2, fault, said, monkeypatch)


@pytest.mark.parametrize("fault", WEBCAM_FAULTS)
def test_a_webcam_in_trouble(
    capture: None, place: Callable[[Any], Place], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    camera = Webcam(0, warm_up=0.01, patience=0.3)
    goes_through(place(camera), Capture, fault, WEBCAM_FAULTS[fault], monkeypatch)


@pytest.mark.skipif(sys.platform != "linux", reason="names devices as Linux does")
def test_a_webcam_that_is_plugged_in_during_the_game_takes_over(
    capture: None, place: Callable[[Any], Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    there: list[int] = []
    monkeypatch.setitem(sys.modules, "picamera2", None)
    monkeypatch.setattr(hardware.camera, "webcams", lambda: there)
    monkeypatch.setattr("hardware.auto.AGAIN", 0.1)
    made = place(open_camera("auto", Simulator))
    ann = made.visitor()
    first = sentences(ann.get("/camera"))
    assert "No camera was found, so the simulated table is shown." in first
    there.append(3)
    assert eventually(lambda: "The webcam was found." in sentences(ann.get("/camera")))
    assert Capture.opened[-1].source == 3
