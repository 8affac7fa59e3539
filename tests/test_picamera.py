"""The Pi camera, against a stand-in with picamera2's signatures that can fail in every way."""

from __future__ import annotations

import subprocess
import sys
import time
import types
import zipfile
from pathlib import Path

import pytest

from companion.errors import DeviceTrouble
from hardware.picamera import PiCamera
from tests.fake_picamera2 import (
    CALLED,
    CALLED_OF_REQUEST,
    RECORDED,
    RED,
    Picamera2,
    own_signatures,
    signatures,
)

SENSOR = {"Model": "imx708", "Num": 0, "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a"}
USB = {"Model": "HD Webcam", "Num": 0, "Id": "/base/scb/pcie@7d500000/usb@0,0-1.1:1.0-046d:0825"}


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> type[Picamera2]:
    module = types.ModuleType("picamera2")
    module.Picamera2 = Picamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(Picamera2, "fault", None)
    monkeypatch.setattr(Picamera2, "opened", [])
    monkeypatch.setattr(Picamera2, "infos", [SENSOR])
    return Picamera2


def pi_camera() -> PiCamera:
    return PiCamera(warm_up=0.01, patience=0.3)


# ---- the contract --------------------------------------------------------------------------------


def test_the_stand_in_has_the_real_signatures() -> None:
    assert own_signatures() == RECORDED


@pytest.mark.network
def test_the_real_class_has_them_too(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    subprocess.run([*pip, "--dest", str(tmp_path), "picamera2==0.3.38"], check=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        camera, request = (
            packed.read(f"picamera2/{name}.py").decode() for name in ("picamera2", "request")
        )
    real = signatures(camera, "Picamera2", CALLED)
    assert real | signatures(request, "CompletedRequest", CALLED_OF_REQUEST) == RECORDED


# ---- pictures ------------------------------------------------------------------------------------


def test_a_frame_is_red_where_the_card_is_red(picamera2: type[Picamera2]) -> None:
    with pi_camera() as camera:
        frame = camera.frame()
    device = picamera2.opened[0]
    assert device.config["main"] == {"size": (1280, 960), "format": "RGB888"}
    assert tuple(frame.image[0, 0]) == RED and frame.name == "Pi camera"
    assert device.closed and not device.running and device.held == 0


@pytest.mark.parametrize("fault", ["swapped", "four", "mono", "stubborn", "late", "shuffled"])
def test_a_camera_with_a_will_of_its_own_sends_new_red_frames(
    picamera2: type[Picamera2], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    monkeypatch.setattr(Picamera2, "fault", fault)
    with pi_camera() as camera:
        for _ in range(3):
            asked = time.monotonic()
            frame = camera.frame(after=asked)
            assert frame.taken > asked
            assert frame.image.shape == (48, 64, 3) and tuple(frame.image[0, 0]) == RED
        assert camera.trouble is None
    assert picamera2.opened[0].held == 0


def test_frames_from_before_the_request_are_not_used(
    picamera2: type[Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Picamera2, "fault", "stale")
    with pi_camera() as camera:
        asked = time.monotonic()
        frame = camera.frame(after=asked)
    assert frame.taken > asked and tuple(frame.image[0, 0]) == RED
    assert picamera2.opened[0].shown > 2 and picamera2.opened[0].held == 0


def test_exposure_and_white_balance_are_locked_after_warm_up(
    picamera2: type[Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pi_camera() as camera:
        camera.frame()
    kept = {"AeEnable": False, "ExposureTime": 5000, "AnalogueGain": 2.0}
    colours = {"AwbEnable": False, "ColourGains": (1.5, 1.7)}
    assert picamera2.opened[0].controls == kept | colours
    monkeypatch.setattr(Picamera2, "fault", "mono")
    with pi_camera() as camera:
        camera.frame()
    assert picamera2.opened[1].controls == kept


# ---- faults --------------------------------------------------------------------------------------

FAULTS = {
    "system": "The Pi camera system does not answer: restart the Pi and check its cable.",
    "busy": "The Pi camera is busy or failing: close other programs that use it, such as "
    "rpicam-hello.",
    "unplugged": "The Pi camera stopped sending pictures: check both ends of its cable.",
    "hangs": "The Pi camera stopped sending pictures: check both ends of its cable.",
    "old": "The Pi camera sends only old pictures: restart the Pi.",
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("opened", [False, True], ids=["at the start", "in mid-game"])
def test_a_failing_camera_says_what_to_do_and_works_again(
    picamera2: type[Picamera2], monkeypatch: pytest.MonkeyPatch, fault: str, opened: bool
) -> None:
    with pi_camera() as camera:
        if opened and fault not in ("system", "busy"):
            camera.frame()
        monkeypatch.setattr(Picamera2, "fault", fault)
        began = time.monotonic()
        with pytest.raises(DeviceTrouble) as refusal:
            camera.frame()
        assert time.monotonic() - began < 1
        at_start = not opened and fault in ("unplugged", "hangs")
        assert str(refusal.value) == camera.trouble == FAULTS["busy" if at_start else fault]
        assert all(device.closed and not device.held for device in picamera2.opened)
        monkeypatch.setattr(Picamera2, "fault", None)
        assert tuple(camera.frame().image[0, 0]) == RED
        assert camera.trouble is None


@pytest.mark.parametrize("infos", [[], [USB]], ids=["nothing", "a webcam"])
def test_a_pi_without_a_camera_of_its_own_says_so(
    picamera2: type[Picamera2], monkeypatch: pytest.MonkeyPatch, infos: list[dict[str, object]]
) -> None:
    monkeypatch.setattr(Picamera2, "infos", infos)
    with pi_camera() as camera, pytest.raises(DeviceTrouble, match="^No Pi camera found: switch"):
        camera.frame()
    assert picamera2.opened == []


def test_without_picamera2_the_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(DeviceTrouble, match="sudo apt install python3-picamera2"):
        pi_camera().frame()
