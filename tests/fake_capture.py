"""Stands in for OpenCV's capture of a webcam, with faults on demand."""

from __future__ import annotations

import time
from typing import Any

import cv2
import numpy as np
import pytest

import hardware.camera
from tests.fake_picamera2 import RED, card

CONTROLS = {
    cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
    cv2.CAP_PROP_EXPOSURE: 157.0,
    cv2.CAP_PROP_AUTO_WB: 1.0,
    cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
}
"""What a common webcam tells while it adjusts by itself (V4L2)."""


class Capture:
    """A driver that keeps four old pictures and then sends many a second. ``fault``:

    ``busy``: another program has taken it; ``unplugged``: no picture can be had; ``slow``: one
    takes too long; ``raises``: the driver fails; ``empty``: it sends nothing; ``four``: on four
    channels; ``forgets``: told to keep its exposure it takes one of long ago, and it is dark.
    """

    opened: list[Capture] = []
    fault: str | None = None
    busy: set[int | str] = set()
    backend = "V4L2"
    controls: dict[int, float] = CONTROLS

    def __init__(self, source: int | str) -> None:
        self.source, self.stored, self.released = source, 4, False
        self.shown = 0
        self.values = dict(self.controls)
        Capture.opened.append(self)

    def isOpened(self) -> bool:  # noqa: N802
        return Capture.fault != "busy" and self.source not in self.busy

    def getBackendName(self) -> str:  # noqa: N802
        return self.backend

    def get(self, setting: int) -> float:
        return self.values.get(setting, 0.0)

    def set(self, setting: int, value: float) -> bool:
        if setting not in self.values:
            return False
        self.values[setting] = value
        return True

    def grab(self) -> bool:
        if Capture.fault in ("unplugged", "busy"):
            return False
        if Capture.fault == "raises":
            raise cv2.error("select() timeout")
        if Capture.fault == "slow":
            time.sleep(0.6)
        if self.stored:
            self.stored -= 1
            self.shown = 0
        else:
            time.sleep(0.008)
            self.shown += 1
        return True

    def retrieve(self) -> tuple[bool, np.ndarray[Any, Any] | None]:
        if Capture.fault == "empty":
            return False, None
        dark = Capture.fault == "forgets" and self.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
        if dark or self.shown <= 2:
            return True, card((2, 3, 9))
        return True, card((*RED, 255) if Capture.fault == "four" else RED)

    def release(self) -> None:
        self.released = True


def use_captures(monkeypatch: pytest.MonkeyPatch) -> type[Capture]:
    """Let cameras be these, all numbers of which are there."""
    monkeypatch.setattr(hardware.camera.cv2, "VideoCapture", Capture)
    monkeypatch.setattr(hardware.camera, "plugged_in", lambda _number: True)
    for name, value in (("opened", []), ("fault", None), ("busy", set()), ("backend", "V4L2")):
        monkeypatch.setattr(Capture, name, value)
    monkeypatch.setattr(Capture, "controls", dict(CONTROLS))
    return Capture
