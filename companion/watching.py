"""The command ``companion watch``: what a camera sees on the table, a line for each agreed look.

For programs as JSON, for people as text. A folder's pictures are taken one after the other and
none is passed over; a live camera is looked at a few times a second until somebody stops it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from companion.edges import BadFrame, Camera, Frame, NoMoreFrames
from companion.errors import RuleBroken
from companion.following import Follower, PhotoReader
from companion.layout import Layout, framed, parse_area
from companion.observation import Corners
from companion.sighting import Sighting
from companion.vision import frames
from companion.vision.moved import View


def watch_command(
    camera: Camera,
    reader: PhotoReader,
    tell: Callable[[str], None],
    *,
    area: str | None = None,
    highest: int | None = None,
    agree: int = 2,
    json_out: bool = False,
    pace: float = 0.0,
) -> None:
    """Follow the camera to its last picture and tell each agreed look.

    ``pace`` is in seconds between two pictures, 0 for a folder, of which every picture is read.
    A picture that cannot be read is told in a line of its own, with the reason as a question.
    Raises RuleBroken for an area that is none, DeviceTrouble for a camera that fails.
    """
    table = Table(reader, None if area is None else parse_area(area), highest, agree, live=pace > 0)
    asked: Collection[str] = ()
    while True:
        began = time.monotonic()
        try:
            seen = table.look(camera.frame(), began)
        except BadFrame as bad:
            seen = table.unread(bad.frame, str(bad))
        except NoMoreFrames:
            return
        if seen is not None:
            tell(json.dumps(to_json(seen)) if json_out else in_words(seen, asked))
            asked = seen.questions
        time.sleep(max(0.0, pace - (time.monotonic() - began)) if pace else 0.0)


class Table:
    """The table as the command follows it: with an area in pixels and a view of its own."""

    def __init__(
        self,
        reader: PhotoReader,
        area: Corners | None,
        highest: int | None,
        agree: int,
        *,
        live: bool = False,
    ) -> None:
        self._area, self._each = area, agree == 1
        self._layout = Layout()
        self._view: bytes | None = None
        self._told: Sighting | None = None
        self._follower = Follower(
            reader,
            highest=lambda: highest,
            agree=agree,
            layout=lambda: self._layout,
            view=lambda: self._view,
            every=self._each or not live,
        )

    def look(self, frame: Frame, now: float) -> Sighting | None:
        """Take one more picture; what is to be told of it, None for nothing new."""
        height, width = frame.image.shape[:2]
        if self._area is not None:
            try:
                self._layout = Layout(area=framed(self._area, width, height))
            except RuleBroken as refused:
                if self._view is None:
                    raise
                return self.unread(frame.name, str(refused))
        if self._view is None:
            self._view = _view_of(frame)
        seen = self._follower.look(frame, now)
        if seen is None or not (self._each or self._is_news(seen)):
            return None
        self._told = seen
        return seen

    def unread(self, frame: str, why: str) -> Sighting:
        """A picture that could not be read: the table as it was last seen, and the reason."""
        last = self._told or Sighting()
        return replace(last, frame=frame, added=(), removed=(), questions=(why,))

    def _is_news(self, seen: Sighting) -> bool:
        new = self._told is None or self._told.news != seen.news
        return new or bool(seen.added or seen.removed)


def _view_of(frame: Frame) -> bytes:
    view = View()
    view.remember(frames.small(frame.image))
    return view.to_bytes()


def to_json(seen: Sighting) -> dict[str, Any]:
    """A sighting as the watching contract has it; an engine in doubt is a question only."""
    return {
        "frame": seen.frame,
        "engine": (str(seen.engine) if seen.engine is not None and seen.certain else None),
        "tiles": [tile.to_json() for tile in seen.tiles],
        "added": [list(tile) for tile in seen.added],
        "removed": [list(tile) for tile in seen.removed],
        "trains": [
            {
                "seat": "mexican" if line.seat is None else line.seat,
                "tiles": [list(tile) for tile in line.tiles],
                "open_end": line.open_end,
                "open_double": line.open_double,
                "marked": line.marked,
            }
            for line in seen.lines
        ],
        "questions": list(seen.questions),
    }


def in_words(seen: Sighting, asked: Collection[str] = ()) -> str:
    """A sighting for people: what is new first, then the trains, then what to look at.

    What was ``asked`` at the sighting before is not asked again.
    """
    news = [f"{len(seen.tiles)} tile{'' if len(seen.tiles) == 1 else 's'}"]
    if seen.engine is not None and seen.certain:
        news.append(f"the {seen.engine} in the hub")
    news += [f"laid: {_named(seen.added)}"] if seen.added else []
    news += [f"taken away: {_named(seen.removed)}"] if seen.removed else []
    lines = [f"{seen.frame}: {', '.join(news)}"]
    for line in seen.lines:
        who = "the Mexican Train" if line.seat is None else f"seat {line.seat}"
        tiles = " ".join(f"{one}-{other}" for one, other in line.tiles) or "no tile"
        lines.append(f"  {who}: {tiles}{' (open)' if line.marked else ''}")
    return "\n".join(lines + [f"  {words}" for words in seen.questions if words not in asked])


def _named(tiles: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"{one}-{other}" for one, other in tiles)
