"""The Raspberry Pi's camera.

Written for picamera2 0.3.38 and checks what that promises: which frames are new, in which order
colours lie. Webcams that libcamera finds as well are left to OpenCV. Knows no other camera.
"""

from __future__ import annotations

import logging
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.edges import Frame
from companion.errors import DeviceTrouble
from companion.saying import say
from hardware.device import PATIENCE, SIZE, WARM_UP, Device, as_bgr

log = logging.getLogger(__name__)

FORMAT = "RGB888"
"""Three channels; libcamera names them backwards: blue comes first in memory, as OpenCV wants."""
REVERSED = ("BGR888", "XBGR8888", "ABGR8888")
"""Formats in which red comes first, should the driver insist on one of them."""
LOCKED = ("ExposureTime", "AnalogueGain", "ColourGains")
"""What is kept after warm-up, as far as the camera tells it: one without colour has no gains."""


class PiCamera(Device):
    """The Raspberry Pi's camera through picamera2, which is imported only here.

    After a second of warm-up exposure and white balance are locked, so that a lamp or a sleeve
    does not change the colours.
    """

    name = say("Pi camera")

    def __init__(self, *, warm_up: float = WARM_UP, patience: float = PATIENCE) -> None:
        super().__init__()
        self._warm_up, self._patience = warm_up, patience
        self._device: Any = None
        self._reversed = False

    def probe(self) -> None:
        """Raise DeviceTrouble, with what to do, unless there is a Pi camera to open."""
        self._class()

    def _class(self) -> Any:
        try:
            from picamera2 import Picamera2
        except (ImportError, OSError) as error:
            raise DeviceTrouble(
                say(
                    "The Pi camera needs picamera2: run sudo apt install python3-picamera2, "
                    "then scripts/run again."
                )
            ) from error
        try:
            found = Picamera2.global_camera_info()
        except (RuntimeError, IndexError, OSError) as error:
            raise DeviceTrouble(
                say("The Pi camera system does not answer: restart the Pi and check its cable.")
            ) from error
        if all("/usb" in str(camera.get("Id", "")) for camera in found):
            raise DeviceTrouble(
                say(
                    "No Pi camera found: switch the Pi off, check both ends of the camera cable, "
                    "and start it again."
                )
            )
        return Picamera2

    def _open(self) -> None:
        maker = self._class()
        try:
            device = self._device = maker()
            main = {"size": SIZE, "format": FORMAT}
            device.configure(device.create_video_configuration(main=main))
            self._reversed = device.camera_configuration()["main"]["format"] in REVERSED
            device.start()
            found = self._settled(device)
        except Exception as error:  # libcamera raises errors of many kinds
            raise DeviceTrouble(
                say(
                    "The Pi camera is busy or failing: close other programs that use it, such as "
                    "rpicam-hello."
                )
            ) from error
        self._lock_exposure(device, found)

    def _settled(self, device: Any) -> dict[str, Any]:
        """What the camera tells of its picture once it has had time to adjust."""
        end = time.monotonic() + self._warm_up
        while True:
            request = device.capture_request(wait=self._patience)
            try:
                found: dict[str, Any] = request.get_metadata()
            finally:
                request.release()
            if time.monotonic() >= end:
                return found

    def _lock_exposure(self, device: Any, found: dict[str, Any]) -> None:
        """Keep what it found; a camera that cannot is used all the same."""
        kept = {name: found[name] for name in LOCKED if name in found}
        automatic = {"AeEnable": False} | ({"AwbEnable": False} if "ColourGains" in kept else {})
        try:
            device.set_controls(automatic | kept)
        except Exception as error:  # a control that this camera does not have
            log.warning("The Pi camera cannot keep its exposure: %s", error)

    def _take(self, after: float) -> Frame:
        end = time.monotonic() + self._patience
        if self._device is None:
            self._open()
        try:
            while time.monotonic() < end:
                request = self._device.capture_request(
                    wait=self._patience, flush=max(1, int(after * 1e9))
                )
                try:
                    taken = _exposed_at(request.get_metadata())
                    if taken > after:
                        image = as_bgr(request.make_array("main"))
                        return Frame(self._blue_first(image), taken, self.name)
                finally:
                    request.release()
        except DeviceTrouble:
            raise
        except Exception as error:  # libcamera raises errors of many kinds
            raise DeviceTrouble(
                say("The Pi camera stopped sending pictures: check both ends of its cable.")
            ) from error
        raise DeviceTrouble(say("The Pi camera sends only old pictures: restart the Pi."))

    def _blue_first(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.ascontiguousarray(image[..., ::-1]) if self._reversed else image

    def _let_go(self) -> None:
        device, self._device = self._device, None
        if device is None:
            return
        try:
            # a request that was waited for in vain is still queued, and stopping waits behind it
            device.cancel_all_and_flush()
            device.stop()
            device.close()
        except Exception as error:  # it is gone already
            log.warning("The Pi camera could not be closed: %s", error)


def _exposed_at(metadata: dict[str, Any]) -> float:
    """When the exposure began, in seconds of the clock that ``time.monotonic`` reads on a Pi.

    SensorTimestamp (nanoseconds) marks the end of the first row's exposure of ExposureTime
    (microseconds), which is how picamera2 itself reckons for ``flush``.
    """
    return float(metadata["SensorTimestamp"] / 1e9 - metadata.get("ExposureTime", 0) / 1e6)
