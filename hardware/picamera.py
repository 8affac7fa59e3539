"""The Raspberry Pi's camera.

Written for picamera2 0.3.38 and checks what that promises: which frames are new, in which order
colours lie. Knows no other camera.
"""

from __future__ import annotations

import logging
import time
from typing import Any

from companion.edges import Frame
from companion.errors import DeviceTrouble
from companion.saying import say
from hardware.device import PATIENCE, SIZE, Device, as_bgr

log = logging.getLogger(__name__)

WARM_UP = 1.0
"""Seconds that the camera may find its exposure and white balance before they are locked."""


class PiCamera(Device):
    """The Raspberry Pi's camera through picamera2, which is imported only here.

    Format "RGB888" is blue, green, red in memory, as OpenCV wants it. After a second of warm-up
    exposure and white balance are locked, so that a lamp or a sleeve does not change the colours.
    """

    name = say("Pi camera")

    def __init__(self, *, warm_up: float = WARM_UP, patience: float = PATIENCE) -> None:
        super().__init__()
        self._warm_up, self._patience = warm_up, patience
        self._device: Any = None

    def probe(self) -> None:
        """Raise DeviceTrouble, with what to do, unless there is a Pi camera to open."""
        self._class()

    def _class(self) -> Any:
        try:
            from picamera2 import Picamera2
        except (ImportError, OSError) as error:
            raise DeviceTrouble(
                say(
                    "The Pi camera needs picamera2: run sudo apt install python3-picamera2 "
                    "and make the environment with --system-site-packages."
                )
            ) from error
        try:
            found = Picamera2.global_camera_info()
        except (RuntimeError, IndexError, OSError) as error:
            raise DeviceTrouble(
                say("The Pi camera system does not answer: restart the Pi and check its cable.")
            ) from error
        if not found:
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
            self._device = maker()
            main = {"size": SIZE, "format": "RGB888"}
            self._device.configure(self._device.create_video_configuration(main=main))
            self._device.start()
            self._lock_exposure()
        except (RuntimeError, IndexError, OSError) as error:
            raise DeviceTrouble(
                say(
                    "The Pi camera is busy or failing: close other programs that use it, such as "
                    "rpicam-hello."
                )
            ) from error

    def _lock_exposure(self) -> None:
        """Let the camera settle, then keep what it found."""
        end = time.monotonic() + self._warm_up
        while True:
            request = self._device.capture_request(wait=self._patience)
            try:
                found = request.get_metadata()
            finally:
                request.release()
            if time.monotonic() >= end:
                break
        kept = {key: found[key] for key in ("ExposureTime", "AnalogueGain", "ColourGains")}
        self._device.set_controls({"AeEnable": False, "AwbEnable": False, **kept})

    def _take(self, after: float) -> Frame:
        end = time.monotonic() + self._patience
        try:
            if self._device is None:
                self._open()
            while time.monotonic() < end:
                request = self._device.capture_request(
                    wait=self._patience, flush=max(1, int(after * 1e9))
                )
                try:
                    taken = _exposed_at(request.get_metadata())
                    if taken > after:
                        return Frame(as_bgr(request.make_array("main")), taken, self.name)
                finally:
                    request.release()
        except DeviceTrouble:
            raise
        except (RuntimeError, OSError, KeyError) as error:
            raise DeviceTrouble(
                say("The Pi camera stopped sending pictures: check both ends of its cable.")
            ) from error
        raise DeviceTrouble(say("The Pi camera sends only old pictures: restart the Pi."))

    def _let_go(self) -> None:
        device, self._device = self._device, None
        if device is None:
            return
        try:
            device.stop()
            device.close()
        except (RuntimeError, OSError) as error:
            log.warning("The Pi camera could not be closed: %s", error)


def _exposed_at(metadata: dict[str, Any]) -> float:
    """When the exposure began, in seconds of the clock that ``time.monotonic`` reads on a Pi.

    SensorTimestamp (nanoseconds) marks the end of the first row's exposure of ExposureTime
    (microseconds), which is how picamera2 itself reckons for ``flush``.
    """
    return float(metadata["SensorTimestamp"] / 1e9 - metadata.get("ExposureTime", 0) / 1e6)
