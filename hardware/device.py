"""What all cameras share: frames on request, trouble in one sentence, and ``with``.

Knows no particular camera.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.closing import Closing
from companion.edges import Frame, NoMoreFrames
from companion.errors import DeviceTrouble
from companion.saying import say

log = logging.getLogger(__name__)

SIZE = (1280, 960)
"""Width and height in pixels that a live camera is asked for."""
PATIENCE = 4.0
"""Seconds after which a camera that sends no new picture is in trouble."""


def as_bgr(image: NDArray[Any] | None) -> NDArray[np.uint8]:
    """A frame as height × width × 3 BGR, whatever it came as: grey, or with a fourth channel.

    Raises DeviceTrouble for anything that is no picture.
    """
    if not isinstance(image, np.ndarray) or image.dtype != np.uint8 or image.size == 0:
        raise DeviceTrouble(
            say("The camera sent an empty picture: unplug it and plug it in again.")
        )
    if image.ndim == 2 or (image.ndim == 3 and image.shape[2] == 1):
        return np.repeat(image.reshape(*image.shape[:2], 1), 3, axis=2)
    if image.ndim == 3 and image.shape[2] == 4:
        return np.ascontiguousarray(image[..., :3])
    if image.ndim == 3 and image.shape[2] == 3:
        return np.ascontiguousarray(image)
    raise DeviceTrouble(say("The camera sends pictures of an unknown kind: choose another camera."))


WARM_UP = 1.0
"""Seconds that a camera may find its exposure and white balance before they are locked."""
LETTING_GO = 1.0
"""Seconds that ``close`` waits for a camera that does not come back."""


class Device(Closing):
    """What all cameras share: a lock, the sentence of the last trouble, and ``with``."""

    name: str = say("camera")

    there = True

    def __init__(self) -> None:
        self.trouble: str | None = None
        self.why = say("The %(camera)s was asked for.", camera=self.name)
        self._lock = threading.Lock()

    def frame(self, after: float | None = None) -> Frame:
        """A picture taken after this moment of ``time.monotonic``; None means after the call."""
        moment = time.monotonic() if after is None else after
        if not self._lock.acquire(timeout=PATIENCE):
            raise DeviceTrouble(
                say(
                    "The %(camera)s does not answer: unplug it and plug it in again.",
                    camera=self.name,
                )
            )
        try:
            frame = self._take(moment)
        except DeviceTrouble as trouble:
            self.trouble = str(trouble)
            if not isinstance(trouble, NoMoreFrames):
                self._let_go()
            raise
        finally:
            self._lock.release()
        self.trouble = None
        return frame

    def close(self) -> None:
        """Let go of the device; closing twice does no harm. One that hangs is left as it is."""
        if not self._lock.acquire(timeout=LETTING_GO):
            log.warning("the %s does not answer: it is not closed", self.name)
            return
        try:
            self._let_go()
        finally:
            self._lock.release()

    def _take(self, after: float) -> Frame:
        raise NotImplementedError

    def _let_go(self) -> None:
        """Close the device if it is open; by default there is none."""
