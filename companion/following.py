"""Follows the table from frame to frame: frames in, agreed sightings out.

Does no more than compare small copies while nothing changes, waits while a hand moves, then reads
what changed and believes what several looks agree on. Told the time, and without a thread, so
that the watch, the command line and a simulated evening all follow alike. It proposes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from companion.agreement import Agreement
from companion.edges import Frame
from companion.findings import DARK, IN_THE_WAY, MOVED, doubts, hand_size, sighting_of
from companion.layout import Layout
from companion.marked import Marked
from companion.observation import PhotoReading, Reading, checked_against_set
from companion.rereading import CHANGED, Rereader
from companion.shots import PhotoReader, Shot, Wanted
from companion.sighting import Sighting
from companion.tracking import Tracks
from companion.vision import changes, frames
from companion.vision.hub import HubLook, look_at_hub
from companion.vision.markers import Marker
from companion.vision.marking import ways_of
from companion.vision.moved import View
from companion.vision.trains import trains_seen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CHANGED", "MOVING", "Act", "Attention", "Follower", "PhotoReader"]

Act = Literal["rest", "wait", "read"]

MOVING = 0.006
"""A change between two frames of this share of the picture is a hand, not a lamp."""
_RESTING = 0.6
"""Seconds until a hand that rests on the table is looked at again."""


class Attention:
    """Decides when to read, from what changed and when; it is told the time.

    A view that never comes to rest is read all the same after ``patience`` seconds.
    """

    def __init__(self, patience: float = 4.0) -> None:
        self._patience = patience
        self._moving_since: float | None = None

    def step(self, *, moving: bool, changed: bool, settled: bool, now: float) -> Act:
        """What to do with a frame."""
        if moving:
            self._moving_since = now if self._moving_since is None else self._moving_since
            return "wait" if now - self._moving_since < self._patience else "read"
        self._moving_since = None
        return "read" if changed or not settled else "rest"


@dataclass
class _Memory:
    """What is kept between two frames besides what the rereader keeps."""

    previous: NDArray[np.uint8] | None = None
    """The small copy of the frame before."""
    clear: NDArray[np.uint8] | None = None
    """That of the last frame in which the hub was not covered."""
    look: HubLook | None = None
    clear_look: HubLook | None = None
    looks: int = 0
    """How often the table was read since something last changed."""
    unverified: bool = True
    """Whether something moved since the whole table was last looked over."""
    suspected: bool = False
    """Whether the last look at the view found it moved."""
    read: float = -math.inf
    """When a frame was last read."""
    warnings: tuple[str, ...] = ()
    """What the last reading was warned of."""
    length: float | None = None
    """A tile's length in pixels, as any look last had it."""
    still: bool = True
    """Whether nothing moved since the frame before, as far as agreement waits for a second one."""
    hand: bool = False
    """Whether a hand was in the way at the last look."""
    untold: bool = False
    """Whether something was read since the last sighting that may be news."""


class Follower:
    """Follows one table. Not for several threads at once.

    ``agree`` looks must agree. ``highest`` tells the set in use, ``layout`` where things lie,
    ``view`` what the camera saw when that was laid down, ``seats`` how many players there are and
    ``markers`` what marks a train; all are asked at every look. With ``every`` each frame is read
    whole, whatever moves.
    """

    def __init__(
        self,
        reader: PhotoReader,
        *,
        highest: Callable[[], int | None] = lambda: None,
        agree: int = 2,
        patience: float = 4.0,
        layout: Callable[[], Layout] = Layout,
        view: Callable[[], bytes | None] = lambda: None,
        seats: Callable[[], int | None] = lambda: None,
        markers: Callable[[], Sequence[Marker]] = tuple,
        every: bool = False,
    ) -> None:
        self.act: Act = "rest"
        """What the last frame called for."""
        self.moving = False
        """Whether something moves over the table just now, so that the last look stands."""
        self.moved = False
        """Whether the camera looks elsewhere than when its view was laid down."""
        self.looks = 0
        """How many frames have been read."""
        self.sighting: Sighting | None = None
        """The latest look that was agreed on."""
        self._highest, self._layout, self._view = highest, layout, view
        self._seats, self._markers, self._every = seats, markers, every
        self._agree, self._patience, self._reader = agree, patience, reader
        self._tracks = Tracks(agree)
        self._known_view: tuple[bytes | None, View] = (None, View())
        self.begin_again()

    def begin_again(self) -> None:
        """Forget where everything lay: the camera was away, or sends pictures of another size.

        What was told last is still known, so that what lies there as before is no news.
        """
        self._size: tuple[int, int] | None = None
        self._attention, self._agreement = Attention(self._patience), Agreement(self._agree)
        self._tracks.keep(lambda tile: False)
        self._marked = Marked(self._markers, self._agree)
        self._rereader, self._memory = Rereader(self._reader, whole=self._every), _Memory()

    @property
    def hub(self) -> HubLook | None:
        """Where the engine's slot was at the last look; None before the first."""
        return self._memory.look

    def look(self, frame: Frame, now: float) -> Sighting | None:
        """Take one more frame, at ``now`` seconds; a sighting when this one made it agreed."""
        shot = Shot.of(frame.image)
        if self._size not in (None, shot.size):
            self.begin_again()
        memory, self._size = self._memory, shot.size
        wanted = Wanted(self._highest(), self._layout(), self._view())
        if not self._rereader.expects(wanted, shot):
            self._tracks.keep(self._rereader.lies_here(shot))
        changed = self._rereader.has_changed(shot)
        movement = self._rereader.moves(memory.previous, shot)
        self.moving = movement > MOVING
        memory.still = movement <= CHANGED or self._agreement.needed == 1
        memory.previous = shot.tiny
        memory.looks = 0 if changed else memory.looks
        memory.unverified = memory.unverified or changed or self.moving
        if self.sighting is not None and frames.is_dark(shot.tiny):
            return self._stand(frame, shot, DARK)
        self.act = self._attention.step(
            moving=self.moving, changed=changed, settled=self._settled, now=now
        )
        if self._every:
            self.act = "read"
        elif self.act == "read" and not changed and now - memory.read < _RESTING and self._waiting:
            self.act = "wait"
        if self.act == "rest":
            return self._search(frame, shot, now)
        if self.act == "wait":
            return None
        if self._has_moved(shot, wanted.view) and not self._every:
            self.act = "wait"
            return self._stand(frame, shot, MOVED) if self.moved else None
        return self._read(frame, shot, changed, now)

    @property
    def _waiting(self) -> bool:
        """Whether something is in the way, which may go without a change that is noticed."""
        return self._memory.hand or any(track.hidden for track in self._tracks)

    @property
    def _settled(self) -> bool:
        memory = self._memory
        enough = memory.looks >= self._agreement.needed and not memory.unverified
        return enough and self._agreement.settled and self._tracks.settled and not self._waiting

    # --- whether the camera still looks at the table as it did

    def _has_moved(self, shot: Shot, stored: bytes | None) -> bool:
        if stored != self._known_view[0]:
            view = View() if stored is None else View.from_bytes(stored)
            self._known_view = (stored, view)
        now = self._known_view[1].moved(frames.in_grey(shot.tiny))
        self._memory.suspected, before = now, self._memory.suspected
        self.moved = now and (before or self.moved or self._every)
        return now

    def _stand(self, frame: Frame, shot: Shot, question: str) -> Sighting | None:
        """Nothing can be read in this view: the last sighting stands, with a question."""
        self.act = "wait"
        self._rereader.passed_over(shot)
        last = self.sighting
        if last is None or (question in last.questions and not self._every):
            return None
        asked = last.questions if question in last.questions else (*last.questions, question)
        self.sighting = replace(last, frame=frame.name, added=(), removed=(), questions=asked)
        return self.sighting

    # --- reading what changed

    def _read(self, frame: Frame, shot: Shot, changed: bool, now: float) -> Sighting | None:
        memory = self._memory
        verify = memory.unverified and (not changed or self._agreement.needed == 1)
        look = self._rereader.read(shot, self._tracks, changed=changed, verify=verify)
        for track in self._tracks.look(look.readings, look.glance):
            if track.rival is None:
                track.face = changes.face(look.grey, track.reading, shot.size[0])
        self.looks += 1
        memory.looks += 1
        memory.warnings, memory.read = look.warnings, now
        verified = (verify or look.whole) and self._tracks.settled
        memory.unverified = memory.unverified and not verified
        size = hand_size(self._tracks.believed, shot.tiny, shot.share)
        large = [each.largest() > size for each in look.covers]
        hand = bool(large) and all(large)
        self._marked.lies_over(look.covers, size, now)
        memory.hand = hand
        seen = self._made_out(frame, shot, now, hand=hand)
        hub = memory.look
        assert hub is not None  # nosec B101 # for the type checker
        clear = IN_THE_WAY not in seen.questions
        slot = (hub.centre, hub.length)
        self._rereader.remember(shot, look, slot, self._tracks, clear=clear, still=memory.still)
        memory.untold = True
        self._agreement.see(seen.likeness)
        return self._agreed(seen, shot)

    def _agreed(self, seen: Sighting, shot: Shot) -> Sighting | None:
        """The sighting, if enough looks agree on everything in it."""
        memory = self._memory
        hidden = seen.hidden and self._agreement.settled
        hand = IN_THE_WAY in seen.questions
        good = hidden or (self._settled and self._marked.marks.settled and not hand)
        if not (good or self._every):
            return None
        if not seen.hidden:
            memory.clear, memory.clear_look = shot.tiny, memory.look
        memory.untold = False
        added, removed = self._tracks.news()
        self.sighting = replace(seen, added=added, removed=removed)
        return self.sighting

    def _made_out(self, frame: Frame, shot: Shot, now: float, *, hand: bool = False) -> Sighting:
        """The sighting that this look would be if it was agreed on."""
        wanted, memory = self._rereader.wanted, self._memory
        tracks = [track for track in self._tracks if track.present or track.believed]
        tiles: Sequence[Reading] = [track.reading for track in tracks]
        if wanted.highest is not None:
            tiles = checked_against_set(tiles, wanted.highest)
        present = tuple(tile for tile, track in zip(tiles, tracks) if track.present)
        believed = tuple(tile for tile, track in zip(tiles, tracks) if track.believed)
        reading = PhotoReading(*shot.size, present, memory.warnings, set_highest=wanted.highest)
        hub = look_at_hub(reading, wanted.layout.centre)
        memory.look, memory.length = hub, hub.length or memory.length
        hidden = hub.tile is None and self._covered(shot, hub)
        seen = sighting_of(hub, hidden, reading, frame)
        if hidden and memory.clear_look is not None:
            hub = memory.clear_look
        ways = wanted.layout.directions
        known = hub.trains or hub.engine is not None or wanted.layout.centre is not None
        lines = trains_seen(believed, hub, ways, self._seats()) if known else ()
        hand = hand or any(track.hidden for track in tracks)
        hub = replace(hub, length=hub.length or memory.length)
        believing = all(track.believed for track in self._tracks)
        self._marked.see(
            shot, lines, believed, hub, ways, now, hand=hidden or hand, settled=believing
        )
        lines = self._marked.marks.on(lines, ways_of(ways))
        asked = [*seen.questions, *doubts(believed, lines, memory.warnings)]
        asked += [IN_THE_WAY] if hand else []
        asked += [MOVED] if self.moved else []
        return replace(seen, tiles=believed, lines=lines, questions=tuple(asked))

    def _covered(self, shot: Shot, look: HubLook) -> bool:
        """Whether something lies over the slot, so that its emptiness means nothing."""
        memory = self._memory
        if memory.clear is None or memory.clear_look is None:
            return frames.skin_over(shot.image, look.centre, look.length)
        before = memory.clear_look
        return frames.covered(shot.tiny, memory.clear, shot.size, before.centre, before.length)

    # --- markers

    def _search(self, frame: Frame, shot: Shot, now: float) -> Sighting | None:
        """Look for markers on a quiet table; a sighting when there is news that is agreed on."""
        memory, last = self._memory, self.sighting
        covered = last is not None and last.hidden and not memory.untold
        if memory.look is None or not self._marked.sought or covered:
            return None
        if not self._marked.due(now) and not memory.untold:
            return None
        seen = self._made_out(frame, shot, now)
        if last is not None and not memory.untold and seen.lines == last.lines:
            return None
        return self._agreed(seen, shot)
