"""Watches the hub: frames come in, agreed sightings come out.

Looks about twice a second and does no more than compare small copies while nothing changes. While
a hand moves it waits; when the view is quiet it reads, and believes what several frames in a row
agree on. It proposes nothing and changes no game; a failing camera only stops the looking.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Literal, Self

from companion.closing import Closing
from companion.edges import Camera, Frame
from companion.errors import DeviceTrouble
from companion.following import Act, Follower, PhotoReader
from companion.layout import Layout
from companion.observation import Point
from companion.saying import say
from companion.sighting import Sighting
from companion.vision import frames
from companion.vision.markers import Marker

log = logging.getLogger(__name__)

FAILED = say("The picture of the hub could not be looked at: try another camera or place.")
_AWAY = 5.0
"""Seconds of trouble after which what was seen before is forgotten: tiles may have been moved."""


class Watch(Closing):
    """The thread that watches the hub. ``start`` it, or use it with ``with``.

    ``highest`` tells the set in use, ``agree`` how many equal looks are believed, ``pace`` and
    ``retry`` are seconds between two looks and after trouble, ``centre`` is the engine slot's place
    as fractions of the picture. ``layout`` tells, at every look, where things lie, ``view`` what
    the camera saw when that was laid down, ``seats`` how many players there are and ``markers``
    what marks a train. ``at_rest`` is called, on the watching thread, each time the table has been
    read and there is nothing more to read.
    """

    def __init__(
        self,
        camera: Camera,
        reader: PhotoReader,
        *,
        highest: Callable[[], int | None] = lambda: None,
        agree: int = 2,
        pace: float = 0.5,
        retry: float = 3.0,
        patience: float = 4.0,
        centre: Point | None = None,
        layout: Callable[[], Layout] | None = None,
        view: Callable[[], bytes | None] = lambda: None,
        seats: Callable[[], int | None] = lambda: None,
        markers: Callable[[], Sequence[Marker]] = tuple,
        at_rest: Callable[[], None] = lambda: None,
    ) -> None:
        self.camera = camera
        self.sighting: Sighting | None = None
        """The latest look that was agreed on."""
        self.last_clear: Sighting | None = None
        """The latest agreed one in which nothing covered the hub."""
        self.trouble: str | None = None
        """What is wrong with the camera and what to do, None while it works."""
        self.since = time.monotonic()
        """Since when it works, or is in trouble."""
        self._follower = Follower(
            reader,
            highest=highest,
            agree=agree,
            patience=patience,
            layout=layout or (lambda: Layout(centre=centre)),
            view=view,
            seats=seats,
            markers=markers,
        )
        self._pace, self._retry, self._at_rest = pace, retry, at_rest
        self._latest: Frame | None = None
        self._was_away = False
        """Whether the camera was in trouble so long that anything may lie there since."""
        self._listeners: list[Callable[[Sighting], None]] = []
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def listen(self, callback: Callable[[Sighting], None]) -> None:
        """Call back, on the watching thread, with every newly agreed sighting."""
        self._listeners.append(callback)

    def start(self) -> Self:
        """Begin to watch; starting twice does no harm."""
        if self._thread is None:
            self._stopping.clear()
            self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
            self._thread.start()
        return self

    def stop(self) -> None:
        """Stop watching, within a second even while a camera hangs."""
        self._stopping.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join(0.9)

    def __enter__(self) -> Self:
        return self.start()

    def close(self) -> None:
        """Stop watching."""
        self.stop()

    def fresh(self) -> Frame:
        """A frame taken after this call; raises DeviceTrouble with what to do."""
        frame = self._asked(after=time.monotonic())
        self._latest = frame
        return frame

    @property
    def moving(self) -> bool:
        """Whether something moves over the table just now, so that the last look stands."""
        return self._follower.moving

    @property
    def moved(self) -> bool:
        """Whether the camera looks elsewhere than when its view was laid down."""
        return self._follower.moved

    @property
    def looks(self) -> int:
        """How many frames have been read."""
        return self._follower.looks

    @property
    def slot(self) -> tuple[Point, float | None] | None:
        """Where the engine's slot was at the last look: its middle and a tile's length, in pixels.

        None before the first look.
        """
        look = self._follower.hub
        return None if look is None else (look.centre, look.length)

    def picture(self) -> bytes | None:
        """The latest frame as JPEG, None before the first."""
        frame = self._latest
        return None if frame is None else frames.jpeg(frame.image)

    def step(self, now: float) -> Act | Literal["trouble"]:
        """Take one frame and do what it calls for; ``now`` is in seconds."""
        try:
            frame = self._asked()
        except DeviceTrouble:
            return "trouble"
        self._latest = frame
        if self._was_away:
            self._was_away, self.sighting, self.last_clear = False, None, None
            self._follower.begin_again()
        before = self._follower.act
        seen = self._follower.look(frame, now)
        if (before, self._follower.act) == ("read", "rest"):
            self._at_rest()
        if seen is not None and not self._stopping.is_set():
            self._tell(seen)
        return self._follower.act

    def _asked(self, after: float | None = None) -> Frame:
        """A frame of the camera, noting how it does."""
        try:
            frame = self.camera.frame(after=after)
        except DeviceTrouble as trouble:
            if self.trouble != str(trouble):
                log.warning("%s", trouble)
            self._note(str(trouble))
            raise
        self._note(None)
        return frame

    def _note(self, trouble: str | None) -> None:
        if (trouble is None) != (self.trouble is None):
            now = time.monotonic()
            self._was_away |= trouble is None and now - self.since > _AWAY
            self.since = now
        self.trouble = trouble

    def _run(self) -> None:
        wait = 0.0
        while not self._stopping.wait(wait):
            began = time.monotonic()
            try:
                act = self.step(began)
            except Exception:  # the thread's own outermost edge: the next look must still come
                log.exception("The watch failed at one look.")
                self._note(FAILED)
                act = "trouble"
            wait = self._retry if act == "trouble" else self._pace - (time.monotonic() - began)
            wait = max(wait, 0.02)

    def _tell(self, seen: Sighting) -> None:
        """Publish an agreed sighting, and call back when it says something new."""
        news = self.sighting is None or self.sighting.news != seen.news
        self.sighting = seen
        if not seen.hidden:
            self.last_clear = seen
        for callback in self._listeners if news else ():
            try:
                callback(seen)
            except Exception:
                log.exception("A listener of the watch failed.")
