"""What a look at the table comes to: the sighting, and what the people are asked about.

Knows pictures only as small copies; decides nothing about when to look.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.edges import Frame
from companion.lines import SeenTrain
from companion.observation import UNREAD, PhotoReading, Reading
from companion.saying import say
from companion.sighting import Sighting
from companion.tracking import length, twice
from companion.vision import frames
from companion.vision.hub import HubLook

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOVED = say("Has the camera been moved?")
IN_THE_WAY = say("Is a hand over the table?")
DARK = say("Is it too dark to see the table?")
UNREAD_HERE = say("There may be a tile that I cannot read: move or turn it a little.")
"""What a photo would be taken again for: the camera over the hub looks again by itself."""
_HAND = 2.0
"""A hand changes the picture over more than so many tiles, besides the tiles themselves."""
_NO_TILES = 0.006
"""The same as a share of the picture, where no tile tells how large one is."""


def sighting_of(look: HubLook, hidden: bool, reading: PhotoReading, frame: Frame) -> Sighting:
    """One frame's look at the hub as a sighting."""
    engine, tile = look.engine, look.tile
    questions: tuple[str, ...] = ()
    if tile is not None and not look.certain:
        questions = (say("Is the %(tile)s in the hub?", tile=tile.tile),)
    return Sighting(
        engine=None if engine is None else engine.tile,
        certain=look.certain,
        hidden=hidden,
        other=(tile.tile if tile is not None and engine is None and look.certain else None),
        trains=look.trains,
        reading=reading,
        taken=frame.taken,
        develop=frames.Undeveloped(frame.image),
        frame=frame.name,
        questions=questions,
    )


def doubts(
    tiles: Sequence[Reading], lines: Sequence[SeenTrain], warnings: Sequence[str]
) -> list[str]:
    """What cannot be: a tile twice, joints that do not match; and what could not be read."""
    asked = [
        say("There are two of the %(tile)s: is one of them another tile?", tile=tile)
        for tile in twice(tiles)
    ]
    asked += [question for line in lines for question in line.questions]
    return [*asked, *(UNREAD_HERE if words == UNREAD else words for words in warnings)]


def hand_size(tiles: Sequence[Reading], tiny: NDArray[np.uint8], share: float) -> float:
    """From how many pixels of the small copy on a thing that came is as large as a hand.

    ``tiny`` is the small copy, with ``share`` of the frame's pixels.
    """
    sizes = sorted(length(tile) * share for tile in tiles)
    height, width = tiny.shape[:2]
    return _HAND * sizes[len(sizes) // 2] ** 2 / 2 if sizes else _NO_TILES * height * width
