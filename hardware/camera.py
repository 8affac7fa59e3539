"""Cameras over the hub: Pi camera, webcam, folder of pictures, simulated table, or none.

Each yields BGR frames taken after they were asked for, opens itself when it is first asked, and
after trouble (unplugged, busy, slow) opens itself again at the next call. What is wrong is said in
one sentence. Knows nothing of what the pictures show.
"""

from __future__ import annotations

import glob
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.edges import Camera, Frame, NoMoreFrames
from companion.errors import DeviceTrouble, PhotoUnreadable
from companion.saying import in_a_row, in_line, say
from companion.vision.photo import EXTENSIONS, load
from hardware.device import PATIENCE, SIZE, Device, as_bgr
from hardware.picamera import PiCamera

if TYPE_CHECKING:
    from hardware.simulator import Simulator

NONE = say("There is no camera: start with --camera to use one.")
SPECS = "auto, pi, webcam, webcam:1, folder:DIR, simulated or none"

__all__ = [
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
]


class Webcam(Device):
    """A camera that OpenCV opens, by number or by path.

    Drivers keep a few pictures in store, which come at once; they are thrown away. One that had to
    be waited for may have been exposed before the request and sent after it, so two of those are
    thrown away as well.
    """

    name = say("webcam")
    _STORE = 4
    """The most pictures that common drivers keep."""
    _AT_ONCE = 0.004
    """Seconds under which a picture came from the store."""

    def __init__(self, source: int | str = 0, *, patience: float = PATIENCE) -> None:
        self.name = say("webcam") if source == 0 else say("webcam %(n)s", n=source)
        super().__init__()
        self._source, self._patience = source, patience
        self._device: cv2.VideoCapture | None = None

    def probe(self) -> None:
        """Raise DeviceTrouble, with what to do, unless a webcam is plugged in."""
        if sys.platform != "linux" or not isinstance(self._source, int):
            return
        if not os.path.exists(f"/dev/video{self._source}"):
            others = sorted(path.removeprefix("/dev/video") for path in glob.glob("/dev/video*"))
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
        device = cv2.VideoCapture(self._source)
        if not device.isOpened():
            device.release()
            raise DeviceTrouble(
                say(
                    "The %(camera)s cannot be opened: plug it in, or close what else uses it.",
                    camera=self.name,
                )
            )
        device.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return device

    def _take(self, after: float) -> Frame:
        end = time.monotonic() + self._patience
        fresh = self._open() if self._device is None else self._device
        self._device = fresh
        waited = 0
        for _ in range(10 * self._STORE):
            began = time.monotonic()
            if began > end or not fresh.grab():
                break
            if waited >= 2:
                return Frame(self._fetched(fresh), began, self.name)
            waited += began >= after and time.monotonic() - began > self._AT_ONCE
        raise DeviceTrouble(
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


class FolderCamera(Device):
    """Pictures of a folder in name order, as if a camera had taken them one after the other.

    With ``once`` each call hands out the next picture and NoMoreFrames ends it. Otherwise each
    stays in view for ``hold`` seconds and the last one for good.
    """

    name = say("folder")

    def __init__(
        self,
        folder: Path,
        *,
        once: bool = False,
        hold: float = 3.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.name = say("folder %(folder)s", folder=folder)
        self.why = say("The pictures in %(folder)s were asked for.", folder=folder)
        self._folder, self._once, self._hold, self._clock = folder, once, hold, clock
        self._next = 0
        self._since: float | None = None

    def pictures(self) -> list[Path]:
        """The folder's pictures in name order; raises DeviceTrouble when there are none."""
        try:
            inside = sorted(self._folder.iterdir())
        except OSError as error:
            raise DeviceTrouble(
                say(
                    "The folder %(folder)s cannot be read: name one with pictures in it.",
                    folder=self._folder,
                )
            ) from error
        found = [path for path in inside if path.suffix.lower() in EXTENSIONS and path.is_file()]
        if not found:
            raise DeviceTrouble(
                say("The folder %(folder)s has no pictures: put some into it.", folder=self._folder)
            )
        return found

    def _take(self, after: float) -> Frame:
        found = self.pictures()
        if self._once:
            number, self._next = self._next, self._next + 1
            if number >= len(found):
                raise NoMoreFrames(
                    say("The folder %(folder)s has no more pictures.", folder=self._folder)
                )
        else:
            now = self._clock()
            self._since = now if self._since is None else self._since
            number = min(int((now - self._since) / self._hold), len(found) - 1)
        path = found[number]
        try:
            return Frame(as_bgr(load(path)), time.monotonic(), path.name)
        except PhotoUnreadable as error:
            raise DeviceTrouble(
                say("%(file)s cannot be shown: %(why)s", file=path.name, why=str(error))
            ) from error


class SimulatedCamera(Device):
    """The camera over a simulated table."""

    name = say("simulated table")

    def __init__(self, simulator: Simulator) -> None:
        super().__init__()
        self._simulator = simulator

    def _take(self, after: float) -> Frame:
        return Frame(self._simulator.frame(), time.monotonic(), self.name)


class NoCamera(Device):
    """No camera at all: asking for a picture says so."""

    name = say("no camera")
    there = False

    def __init__(self, why: str = say("No camera was asked for.")) -> None:
        super().__init__()
        self.why = why
        self.trouble = NONE

    def _take(self, after: float) -> Frame:
        raise DeviceTrouble(NONE)


def open_camera(spec: str, simulator: Simulator | None = None, *, once: bool = False) -> Camera:
    """The camera that ``auto|pi|webcam[:N]|folder:DIR|simulated|none`` names.

    ``auto`` takes the first that is there: Pi camera, webcam, simulated table; ``why`` tells which
    and why. A camera that was asked for and fails is returned all the same, with its trouble, and
    opens when it can. Raises DeviceTrouble only for a name that means no camera.
    """
    kind, _, rest = spec.partition(":")
    if spec == "auto":
        return _first_there(simulator)
    if spec == "pi":
        return _probed(PiCamera())
    if kind == "webcam" and (rest or spec == "webcam"):
        return _probed(Webcam(int(rest or 0) if (rest or "0").isdecimal() else rest))
    if kind == "folder" and rest:
        return FolderCamera(Path(rest), once=once)
    if spec == "none":
        return NoCamera()
    if spec == "simulated" and simulator is not None:
        return SimulatedCamera(simulator)
    if spec == "simulated":
        return NoCamera(say("There is no simulated table to look at."))
    raise DeviceTrouble(f"There is no camera called {spec!r}: choose {SPECS}.")


def _probed(camera: PiCamera | Webcam) -> Camera:
    try:
        camera.probe()
    except DeviceTrouble as trouble:
        camera.trouble = str(trouble)
    return camera


def _first_there(simulator: Simulator | None) -> Camera:
    missing: list[str] = []
    for camera in (PiCamera(), Webcam(0)):
        try:
            camera.frame()
        except DeviceTrouble as trouble:
            missing.append(str(trouble))
            continue
        camera.why = in_a_row([say("The %(camera)s was found.", camera=camera.name), *missing])
        return camera
    if simulator is None:
        return NoCamera(in_a_row([say("No camera was found."), *missing]))
    table = SimulatedCamera(simulator)
    shown = say("No camera was found, so the simulated table is shown.")
    table.why = in_a_row([shown, *missing])
    return table
