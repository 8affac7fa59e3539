"""Watches the hub: frames come in, agreed sightings come out.

Looks about twice a second and does no more than compare small copies while nothing changes. While
a hand moves it waits; when the view is quiet it reads, and believes what several frames in a row
agree on. It proposes nothing and changes no game; a failing camera only stops the looking.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self

from companion.closing import Closing
from companion.edges import Camera, Frame
from companion.errors import DeviceTrouble
from companion.observation import PhotoReading, Point
from companion.saying import say
from companion.sighting import Sighting
from companion.vision import frames
from companion.vision.hub import HubLook, look_at_hub

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

log = logging.getLogger(__name__)

MOVING = 0.006
"""A change between two frames of this share of the picture is a hand, not a lamp."""
CHANGED = 0.0012
"""A change of this share since the last reading could be a tile."""


class PhotoReader(Protocol):
    """What is needed of the reader."""

    def read(self, image: NDArray[np.uint8], *, highest: int | None = None) -> PhotoReading:
        """All tiles in the picture."""


class Agreement:
    """Believes what was seen several times in a row."""

    def __init__(self, needed: int = 2) -> None:
        self.needed = max(1, needed)
        self._seen: Hashable = None
        self._times = 0

    def see(self, what: Hashable) -> bool:
        """Take in one more look; True once enough in a row were the same."""
        self._times = self._times + 1 if self._times and what == self._seen else 1
        self._seen = what
        return self.settled

    def doubt(self) -> None:
        """Something changed: begin counting anew."""
        self._times = 0

    @property
    def settled(self) -> bool:
        """Whether the latest looks agree."""
        return self._times >= self.needed


class Attention:
    """Decides when to read, from what changed and when; it is told the time.

    A view that never comes to rest is read all the same after ``patience`` seconds.
    """

    def __init__(self, patience: float = 4.0) -> None:
        self._patience = patience
        self._moving_since: float | None = None

    def step(
        self, *, moving: bool, changed: bool, settled: bool, now: float
    ) -> Literal["rest", "wait", "read"]:
        """What to do with a frame."""
        if moving:
            self._moving_since = now if self._moving_since is None else self._moving_since
            return "wait" if now - self._moving_since < self._patience else "read"
        self._moving_since = None
        return "read" if changed or not settled else "rest"


@dataclass
class _Memory:
    """Small copies of frames, and where the hub was."""

    previous: NDArray[np.uint8] | None = None
    read: NDArray[np.uint8] | None = None
    slot: NDArray[np.uint8] | None = None
    clear: NDArray[np.uint8] | None = None
    """The last frame in which the hub was not covered."""
    look: HubLook | None = None
    clear_look: HubLook | None = None
    highest: int | None = None
    agreement: Agreement = field(default_factory=Agreement)


class Watch(Closing):
    """The thread that watches the hub. ``start`` it, or use it with ``with``.

    ``highest`` tells the set in use, ``agree`` how many equal looks are believed, ``pace`` and
    ``retry`` are seconds between two looks and after trouble, ``centre`` is the engine slot's place
    as fractions of the picture.
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
        self.moving = False
        """Whether something moves over the table just now, so that the last look stands."""
        self.looks = 0
        """How many frames have been read."""
        self._reader, self._highest, self._centre = reader, highest, centre
        self._pace, self._retry = pace, retry
        self._attention = Attention(patience)
        self._memory = _Memory(agreement=Agreement(agree))
        self._latest: Frame | None = None
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
    def slot(self) -> tuple[Point, float | None] | None:
        """Where the engine's slot was at the last look: its middle and a tile's length, in pixels.

        None before the first look.
        """
        look = self._memory.look
        return None if look is None else (look.centre, look.length)

    def picture(self) -> bytes | None:
        """The latest frame as JPEG, None before the first."""
        frame = self._latest
        return None if frame is None else frames.jpeg(frame.image)

    def step(self, now: float) -> Literal["rest", "wait", "read", "trouble"]:
        """Take one frame and do what it calls for; ``now`` is in seconds."""
        try:
            frame = self._asked()
        except DeviceTrouble:
            return "trouble"
        self._latest = frame
        memory, tiny = self._memory, frames.small(frame.image)
        moving = memory.previous is not None and frames.change(memory.previous, tiny) > MOVING
        memory.previous, self.moving = tiny, moving
        changed = self._has_changed(frame, tiny)
        if changed:
            memory.agreement.doubt()
        settled = memory.agreement.settled
        act = self._attention.step(moving=moving, changed=changed, settled=settled, now=now)
        if act == "read":
            self._read(frame, tiny)
        return act

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
            self.since = time.monotonic()
        self.trouble = trouble

    def _run(self) -> None:
        wait = 0.0
        while not self._stopping.wait(wait):
            began = time.monotonic()
            act = self.step(began)
            wait = self._retry if act == "trouble" else self._pace - (time.monotonic() - began)
            wait = max(wait, 0.02)

    def _has_changed(self, frame: Frame, tiny: NDArray[np.uint8]) -> bool:
        """Whether anything as large as a tile, or a pip in the slot, differs from the last read."""
        memory = self._memory
        if memory.read is None or memory.slot is None or memory.look is None:
            return True
        if memory.highest != self._highest() or frames.change(memory.read, tiny) > CHANGED:
            return True
        slot = frames.slot(frame.image, memory.look.centre, memory.look.length)
        return frames.slot_changed(memory.slot, slot)

    def _read(self, frame: Frame, tiny: NDArray[np.uint8]) -> None:
        memory = self._memory
        memory.highest = self._highest()
        reading = self._reader.read(frame.image, highest=memory.highest)
        self.looks += 1
        look = look_at_hub(reading, self._centre)
        hidden = look.tile is None and self._covered(frame, tiny, look)
        memory.read, memory.look = tiny, look
        memory.slot = frames.slot(frame.image, look.centre, look.length)
        seen = sighting_of(look, hidden, reading, frame)
        if memory.agreement.see(seen.likeness) and not self._stopping.is_set():
            if not hidden:
                memory.clear, memory.clear_look = tiny, look
            self._tell(seen)

    def _covered(self, frame: Frame, tiny: NDArray[np.uint8], look: HubLook) -> bool:
        """Whether something lies over the slot, so that its emptiness means nothing."""
        memory = self._memory
        if memory.clear is None or memory.clear_look is None:
            return frames.skin_over(frame.image, look.centre, look.length)
        size = (frame.image.shape[1], frame.image.shape[0])
        before = memory.clear_look
        return frames.covered(tiny, memory.clear, size, before.centre, before.length)

    def _tell(self, seen: Sighting) -> None:
        """Publish an agreed sighting, and call back when it says something new."""
        news = self.sighting is None or self.sighting.likeness != seen.likeness
        self.sighting = seen
        if not seen.hidden:
            self.last_clear = seen
        for callback in self._listeners if news else ():
            try:
                callback(seen)
            except Exception:
                log.exception("A listener of the watch failed.")


def sighting_of(look: HubLook, hidden: bool, reading: PhotoReading, frame: Frame) -> Sighting:
    """One frame's look at the hub as a sighting."""
    engine, tile = look.engine, look.tile
    questions: tuple[str, ...] = ()
    if tile is not None and not look.certain:
        questions = (say("Is the %(tile)s in the hub?", tile=tile.tile),)
    facts: dict[str, Any] = {
        "engine": None if engine is None else engine.tile,
        "certain": look.certain,
        "hidden": hidden,
        "other": tile.tile if tile is not None and engine is None and look.certain else None,
    }
    return Sighting(
        **facts,
        trains=look.trains,
        reading=reading,
        taken=frame.taken,
        picture=frames.jpeg(frame.image),
        frame=frame.name,
        questions=questions,
    )
