"""The camera that finds itself: the first real one that is there, now or later.

While there is none a stand-in is shown, and a camera that is plugged in takes over. One that is
unplugged is never replaced by the stand-in in the middle of a game: it is tried again, and so are
the others. Knows no particular camera.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from companion.edges import Frame
from companion.errors import DeviceTrouble
from companion.saying import in_a_row, say
from hardware.device import Device

AGAIN = 10.0
"""Seconds between two looks for a camera that was not there."""


class RealCamera(Protocol):
    """A camera that may be plugged in."""

    name: str
    why: str
    there: bool

    def probe(self) -> None:
        """Raise DeviceTrouble, quickly, while it is not there."""

    def frame(self, after: float | None = None) -> Frame:
        """A picture taken after this moment."""

    def close(self) -> None:
        """Let go of it."""


class Found(NamedTuple):
    """A camera that is there, with the picture that shows it."""

    camera: RealCamera
    frame: Frame


def first_there(
    cameras: Sequence[RealCamera], after: float | None = None
) -> tuple[Found | None, list[str]]:
    """The first camera that sends a picture, and what is said of those before it."""
    missing: list[str] = []
    for camera in cameras:
        try:
            camera.probe()
            return Found(camera, camera.frame(after)), missing
        except DeviceTrouble as trouble:
            missing.append(str(trouble))
    return None, missing


class AutoCamera(Device):
    """Takes the first of ``cameras`` that sends a picture, else what ``stand_in`` makes."""

    def __init__(
        self,
        cameras: Sequence[RealCamera],
        stand_in: Callable[[], Device],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._cameras, self._clock, self._looked = cameras, clock, clock()
        found, missing = first_there(cameras)
        self.taken: RealCamera | Device = stand_in() if found is None else found.camera
        """The camera that is looked through just now."""
        self._call_it(missing)

    @property
    def real(self) -> bool:
        """Whether a real camera is looked through."""
        return self.taken in self._cameras

    def _take(self, after: float) -> Frame:
        if not self.real:
            return self._from_another(after) or self.taken.frame(after)
        try:
            return self.taken.frame(after)
        except DeviceTrouble:
            frame = self._from_another(after)
            if frame is None:
                raise
            return frame

    def _from_another(self, after: float) -> Frame | None:
        """Now and then: the picture of another real camera that is there by now."""
        if self._clock() - self._looked < AGAIN:
            return None
        self._looked = self._clock()
        found, _ = first_there([one for one in self._cameras if one is not self.taken], after)
        if found is None:
            return None
        self.taken.close()
        self.taken = found.camera
        self._call_it([])
        return found.frame

    def _call_it(self, missing: list[str]) -> None:
        """Say which camera it is, and why no other."""
        self.name, self.there = self.taken.name, self.taken.there
        why = say("The %(camera)s was found.", camera=self.name) if self.real else self.taken.why
        self.why = in_a_row([why, *missing])

    def _let_go(self) -> None:
        self.taken.close()
