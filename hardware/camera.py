"""Cameras over the hub: Pi camera, webcam, folder of pictures, simulated table, none, or auto.

Each yields BGR frames taken after they were asked for, opens itself when it is first asked, and
after trouble (unplugged, busy, slow) opens itself again at the next call. What is wrong is said in
one sentence. Knows nothing of what the pictures show.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.edges import Camera, Frame, NoMoreFrames
from companion.errors import DeviceTrouble
from companion.saying import in_line, say
from hardware.auto import AutoCamera
from hardware.device import PATIENCE, SIZE, WARM_UP, Device, as_bgr
from hardware.folder import FolderCamera, has_pictures
from hardware.picamera import PiCamera
from hardware.webcams import plugged_in, webcams

if TYPE_CHECKING:
    from hardware.simulator import Simulator

NONE = say("There is no camera: start with --camera to use one.")
SPECS = "auto, pi, webcam, webcam:1, folder:DIR, simulated or none"

log = logging.getLogger(__name__)

__all__ = [
    "AutoCamera",
    "Camera",
    "FolderCamera",
    "Frame",
    "NoCamera",
    "NoMoreFrames",
    "PiCamera",
    "SimulatedCamera",
    "Webcam",
    "as_bgr",
    "open_camera",
    "simulated_table",
]


class Webcam(Device):
    """A camera that OpenCV opens: by number, by path, or the first that works (None).

    Drivers keep a few pictures in store, which come at once; they are thrown away. One that had to
    be waited for may have been exposed before the request and sent after it, so two of those are
    thrown away as well. After a second of warm-up exposure and white balance are locked where
    OpenCV can (V4L2).
    """

    name = say("webcam")
    _STORE = 4
    """The most pictures that common drivers keep."""
    _AT_ONCE = 0.004
    """Seconds under which a picture came from the store."""
    _BY_HAND = 1
    """V4L2's word for an exposure that does not change by itself."""
    _SAME_LIGHT = 0.2
    """A locked picture may be this part brighter, darker or more coloured than before, at most."""

    def __init__(
        self,
        source: int | str | None = 0,
        *,
        warm_up: float = WARM_UP,
        patience: float = PATIENCE,
    ) -> None:
        self.name = say("webcam %(n)s", n=source) if source else say("webcam")
        super().__init__()
        self._source, self._warm_up, self._patience = source, warm_up, patience
        self._device: cv2.VideoCapture | None = None

    def probe(self) -> None:
        """Raise DeviceTrouble, with what to do, unless a webcam is plugged in."""
        if sys.platform != "linux" or isinstance(self._source, str):
            return
        if self._source is None:
            if not webcams():
                raise DeviceTrouble(say("No webcam found: plug one in."))
        elif not plugged_in(self._source):
            others = webcams()
            raise DeviceTrouble(
                say(
                    "No webcam %(n)s found (there is %(others)s): plug one in.",
                    n=self._source,
                    others=in_line(others),
                )
                if others
                else say("No webcam %(n)s found: plug one in.", n=self._source)
            )

    def _open(self) -> cv2.VideoCapture:
        self.probe()
        if self._source is None:
            sources: list[int | str] = [*(webcams() if sys.platform == "linux" else [0])]
        else:
            sources = [self._source]
        for source in sources:
            device = cv2.VideoCapture(source)
            if device.isOpened():
                return device
            device.release()
        raise DeviceTrouble(
            say(
                "The %(camera)s cannot be opened: plug it in, or close what else uses it.",
                camera=self.name,
            )
        )

    def _start(self) -> cv2.VideoCapture:
        """Open it, let it settle, and keep what it found."""
        device = self._device = self._open()
        device.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        end = time.monotonic() + self._warm_up
        while time.monotonic() < end:
            self._grab(device)
        if device.getBackendName() == "V4L2":
            self._lock_exposure(device)
        return device

    def _lock_exposure(self, device: cv2.VideoCapture) -> None:
        """Stop it from adjusting, unless it then falls back to a picture of other light.

        Some drivers take an exposure or white of long ago when they are told to keep theirs: a
        picture that adjusts is better than a dark or a blue one.
        """
        before, by_itself = self._light(device), device.get(cv2.CAP_PROP_AUTO_EXPOSURE)
        for automatic, value, kept in (
            (cv2.CAP_PROP_AUTO_EXPOSURE, self._BY_HAND, cv2.CAP_PROP_EXPOSURE),
            (cv2.CAP_PROP_AUTO_WB, 0, cv2.CAP_PROP_WB_TEMPERATURE),
        ):
            found = device.get(kept)
            if device.set(automatic, value) and found > 0:
                device.set(kept, found)
        after = self._light(device)
        if np.any(np.abs(after - before) > self._SAME_LIGHT * before):
            device.set(cv2.CAP_PROP_AUTO_EXPOSURE, by_itself)
            device.set(cv2.CAP_PROP_AUTO_WB, 1)
            log.info("the %s cannot keep its exposure", self.name)

    def _light(self, device: cv2.VideoCapture) -> NDArray[np.float64]:
        """How much blue, green and red there is in a picture that knows what was set last."""
        for _ in range(self._STORE + 2):
            self._grab(device)
        return np.asarray(self._fetched(device).mean(axis=(0, 1)), np.float64)

    def _take(self, after: float) -> Frame:
        try:
            fresh = self._device or self._start()
            end, waited = time.monotonic() + self._patience, 0
            while (began := time.monotonic()) < end:
                self._grab(fresh)
                if waited >= 2:
                    return Frame(self._fetched(fresh), began, self.name)
                waited += began >= after and time.monotonic() - began > self._AT_ONCE
        except cv2.error as error:
            log.info("the %s failed: %s", self.name, error)
        raise self._stopped()

    def _grab(self, device: cv2.VideoCapture) -> None:
        """Let it take its next picture; raises DeviceTrouble where none comes in time."""
        began = time.monotonic()
        if not device.grab() or time.monotonic() - began > self._patience:
            raise self._stopped()

    def _stopped(self) -> DeviceTrouble:
        return DeviceTrouble(
            say(
                "The %(camera)s stopped sending pictures: unplug it and plug it in again.",
                camera=self.name,
            )
        )

    def _fetched(self, device: cv2.VideoCapture) -> NDArray[np.uint8]:
        good, image = device.retrieve()
        return as_bgr(image if good else None)

    def _let_go(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            device.release()


class SimulatedCamera(Device):
    """The camera over a simulated table."""

    name = say("simulated table")

    def __init__(self, simulator: Simulator) -> None:
        super().__init__()
        self.simulator = simulator

    def _take(self, after: float) -> Frame:
        return Frame(self.simulator.frame(), time.monotonic(), self.name)


class NoCamera(Device):
    """No camera at all: asking for a picture says so."""

    name = say("no camera")
    there = False

    def __init__(self, why: str = say("No camera was asked for."), trouble: str = NONE) -> None:
        super().__init__()
        self.why, self.trouble, self._trouble = why, trouble, trouble

    def _take(self, after: float) -> Frame:
        raise DeviceTrouble(self._trouble)


def open_camera(
    spec: str,
    simulator: Simulator | Callable[[], Simulator] | None = None,
    *,
    once: bool = False,
    pictures: Path | None = None,
) -> Camera:
    """The camera that ``auto|pi|webcam[:N]|folder:DIR|simulated|none`` names.

    ``auto`` takes the first that is there: Pi camera, webcam, the ``pictures`` of a folder,
    simulated table, none; ``why`` tells which and why. ``simulator`` is the table to show, or what
    makes one, which is asked only if it is needed. A camera that was asked for and fails is
    returned all the same, with its trouble, and opens when it can. Raises DeviceTrouble only for
    a name that means no camera.
    """
    kind, _, rest = spec.partition(":")
    if spec == "auto":
        return AutoCamera((PiCamera(), Webcam(None)), lambda: _stand_in(simulator, pictures))
    if spec == "pi":
        return _probed(PiCamera())
    if kind == "webcam" and (rest or spec == "webcam"):
        return _probed(Webcam((int(rest) if rest.isdecimal() else rest) if rest else None))
    if kind == "folder" and rest:
        return FolderCamera(Path(rest), once=once)
    if spec == "none":
        return NoCamera()
    if spec == "simulated" and simulator is not None:
        return SimulatedCamera(_made(simulator))
    if spec == "simulated":
        return NoCamera(say("There is no simulated table to look at."))
    raise DeviceTrouble(f"There is no camera called {spec!r}: choose {SPECS}.")


def _made(simulator: Simulator | Callable[[], Simulator]) -> Simulator:
    return simulator() if callable(simulator) else simulator


def _probed(camera: PiCamera | Webcam) -> Camera:
    try:
        camera.probe()
    except DeviceTrouble as trouble:
        camera.trouble = str(trouble)
    return camera


def _stand_in(
    simulator: Simulator | Callable[[], Simulator] | None, pictures: Path | None
) -> Device:
    """What is shown while there is no camera, and why."""
    if pictures is not None and has_pictures(pictures):
        folder = FolderCamera(pictures)
        folder.why = say(
            "No camera was found, so the pictures in %(folder)s are shown.",
            folder=pictures,
        )
        return folder
    if simulator is None:
        nothing = say("There is no camera: plug one in, it is found by itself.")
        return NoCamera(say("No camera was found."), nothing)
    table = SimulatedCamera(_made(simulator))
    table.why = say("No camera was found, so the simulated table is shown.")
    return table


def simulated_table(camera: Camera) -> Simulator | None:
    """The simulated table that this camera looks at just now; None for any other."""
    shown = camera.taken if isinstance(camera, AutoCamera) else camera
    return shown.simulator if isinstance(shown, SimulatedCamera) else None
