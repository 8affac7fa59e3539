"""A folder of photos in place of a camera.

Knows no other camera, and nothing of what the photos show.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from companion.edges import BadFrame, Frame, NoMoreFrames
from companion.errors import DeviceTrouble, PhotoUnreadable
from companion.saying import say
from companion.vision.photo import EXTENSIONS, load
from hardware.device import Device, as_bgr


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
            said = say("%(file)s cannot be shown: %(why)s", file=path.name, why=str(error))
            raise BadFrame(said, path.name) from error


def has_pictures(folder: Path) -> bool:
    """Whether this folder is there and has a picture in it."""
    try:
        return bool(FolderCamera(folder).pictures())
    except DeviceTrouble:
        return False
