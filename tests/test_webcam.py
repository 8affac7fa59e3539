"""The webcam, against a stand-in for OpenCV's capture that can fail in every way."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

import hardware.camera
import hardware.webcams
from companion.errors import DeviceTrouble
from hardware.camera import Webcam
from hardware.webcams import webcams
from tests.fake_capture import Capture, use_captures
from tests.fake_picamera2 import RED


@pytest.fixture
def capture(monkeypatch: pytest.MonkeyPatch) -> type[Capture]:
    return use_captures(monkeypatch)


def webcam(source: int | str | None = 0) -> Webcam:
    return Webcam(source, warm_up=0.01, patience=0.5)


def test_a_webcam_throws_old_pictures_away(capture: type[Capture]) -> None:
    with webcam() as camera:
        asked = time.monotonic()
        frame = camera.frame(after=asked)
        assert frame.taken > asked and tuple(frame.image[0, 0]) == RED
        capture.opened[0].stored = 4
        assert tuple(camera.frame().image[0, 0]) == RED
    assert len(capture.opened) == 1 and capture.opened[0].released


def test_a_webcam_with_four_channels_is_taken(
    capture: type[Capture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Capture, "fault", "four")
    with webcam() as camera:
        frame = camera.frame()
    assert frame.image.shape == (48, 64, 3) and tuple(frame.image[0, 0]) == RED


# ---- faults --------------------------------------------------------------------------------------

STOPPED = "The webcam stopped sending pictures: unplug it and plug it in again."
FAULTS = {
    "busy": "The webcam cannot be opened: plug it in, or close what else uses it.",
    "unplugged": STOPPED,
    "slow": STOPPED,
    "raises": STOPPED,
    "empty": "The camera sent an empty picture: unplug it and plug it in again.",
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("opened", [False, True], ids=["at the start", "in mid-game"])
def test_a_failing_webcam_says_what_to_do_and_is_opened_again(
    capture: type[Capture], monkeypatch: pytest.MonkeyPatch, fault: str, opened: bool
) -> None:
    with webcam() as camera:
        if opened:
            camera.frame()
            if fault == "busy":
                camera.close()
        monkeypatch.setattr(Capture, "fault", fault)
        began = time.monotonic()
        with pytest.raises(DeviceTrouble) as refusal:
            camera.frame()
        assert time.monotonic() - began < 2
        assert str(refusal.value) == camera.trouble == FAULTS[fault]
        assert all(device.released for device in capture.opened)
        monkeypatch.setattr(Capture, "fault", None)
        assert tuple(camera.frame().image[0, 0]) == RED and camera.trouble is None


@pytest.mark.skipif(sys.platform != "linux", reason="names devices as Linux does")
def test_a_missing_webcam_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for others, sentence in (
        ([1], "No webcam 77 found (there is 1): plug one in."),
        ([1, 3], "No webcam 77 found (there is 1, 3): plug one in."),
        ([], "No webcam 77 found: plug one in."),
    ):
        monkeypatch.setattr(hardware.camera, "webcams", lambda: others)
        with pytest.raises(DeviceTrouble) as refusal:
            webcam(77).frame()
        assert str(refusal.value) == sentence
    with pytest.raises(DeviceTrouble, match="^No webcam found: plug one in.$"):
        webcam(None).frame()


# ---- which one -----------------------------------------------------------------------------------


def test_pictures_come_from_webcams_and_not_from_the_pis_own_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As Linux lists a webcam with two numbers and one more beside the own parts of a Pi."""
    told = {
        "video0/index": "0", "video0/name": "HD Webcam", "video1/index": "1",
        "video1/name": "HD Webcam", "video10/index": "0", "video10/name": "bcm2835-codec-decode",
        "video2/index": "0", "video2/name": "rp1-cfe-csi2_ch0",
    }  # fmt: skip
    monkeypatch.setattr(
        hardware.webcams, "_told", lambda path: told.get("/".join(Path(path).parts[-2:]), "")
    )
    listed = [f"/dev/video{n}" for n in (1, 10, 0, 2, 4)]
    monkeypatch.setattr(hardware.webcams.glob, "glob", lambda _pattern: listed)
    assert webcams() == [0, 4]


@pytest.mark.skipif(sys.platform != "linux", reason="names devices as Linux does")
def test_one_that_comes_back_under_another_number_is_found(
    capture: type[Capture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hardware.camera, "webcams", lambda: [0])
    with webcam(None) as camera:
        camera.frame()
        monkeypatch.setattr(Capture, "fault", "unplugged")
        with pytest.raises(DeviceTrouble):
            camera.frame()
        monkeypatch.setattr(hardware.camera, "webcams", lambda: [2])
        monkeypatch.setattr(Capture, "fault", None)
        assert tuple(camera.frame().image[0, 0]) == RED
        assert [device.source for device in capture.opened] == [0, 2]


@pytest.mark.skipif(sys.platform != "linux", reason="names devices as Linux does")
def test_of_two_webcams_the_one_that_can_be_opened_is_taken(
    capture: type[Capture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hardware.camera, "webcams", lambda: [0, 1])
    monkeypatch.setattr(Capture, "busy", {0})
    with webcam(None) as camera:
        camera.frame()
        assert [device.released for device in capture.opened] == [True, False]


# ---- exposure and white balance ------------------------------------------------------------------


def test_what_it_found_is_kept_after_warm_up(capture: type[Capture]) -> None:
    with webcam() as camera:
        camera.frame()
        values = capture.opened[0].values
    assert values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1 and values[cv2.CAP_PROP_EXPOSURE] == 157
    assert values[cv2.CAP_PROP_AUTO_WB] == 0 and values[cv2.CAP_PROP_WB_TEMPERATURE] == 4600


def test_a_lock_that_darkens_the_picture_is_taken_back(
    capture: type[Capture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Capture, "fault", "forgets")
    with webcam() as camera:
        assert tuple(camera.frame().image[0, 0]) == RED
        values = capture.opened[0].values
    assert (values[cv2.CAP_PROP_AUTO_EXPOSURE], values[cv2.CAP_PROP_AUTO_WB]) == (3, 1)


def test_what_other_drivers_mean_by_their_numbers_is_not_guessed(
    capture: type[Capture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Capture, "backend", "DSHOW")
    with webcam() as camera:
        assert tuple(camera.frame().image[0, 0]) == RED
        assert capture.opened[0].values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3


def test_a_webcam_without_such_controls_is_used_as_it_is(
    capture: type[Capture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Capture, "controls", {})
    with webcam() as camera:
        assert tuple(camera.frame().image[0, 0]) == RED


def test_a_picture_is_an_array_of_its_own(capture: type[Capture]) -> None:
    with webcam() as camera:
        one, other = (camera.frame().image for _ in range(2))
    assert not np.shares_memory(one, other)
