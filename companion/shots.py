"""A frame with its small copy, and what one reading of it brings: the words that the follower and
the rereader share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from companion.layout import Layout
from companion.observation import Corners, PhotoReading, Point, Reading
from companion.tracking import Glance
from companion.vision import frames
from companion.vision.covering import Covers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]


class PhotoReader(Protocol):
    """What is needed of the reader."""

    def read(
        self,
        image: NDArray[np.uint8],
        *,
        highest: int | None = None,
        area: Sequence[Point] | None = None,
    ) -> PhotoReading:
        """All tiles in the picture whose middle lies in the area."""

    def outlines(
        self,
        image: NDArray[np.uint8],
        area: Sequence[Point] | None = None,
        *,
        shortest: float | None = None,
    ) -> list[tuple[Corners, float]]:
        """Where tiles may lie, quickly and unread, with a score of 0 to 1; ``shortest`` is the
        least length of those that are known."""


@dataclass(frozen=True)
class Wanted:
    """What a reading depends on besides the frame: the set, where things lie, the right view."""

    highest: int | None
    layout: Layout
    view: bytes | None


@dataclass(frozen=True, eq=False)
class Shot:
    """A frame's picture with its small copy; ``share`` is the copy's width by the frame's."""

    image: Picture
    tiny: Picture

    @classmethod
    def of(cls, image: Picture) -> Shot:
        """The picture and its small copy."""
        return cls(image, frames.coloured(image))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.image.shape[1], self.image.shape[0]

    @property
    def share(self) -> float:
        """Pixels of the small copy for each of the frame."""
        return float(self.tiny.shape[1] / self.image.shape[1])


@dataclass(frozen=True)
class Look:
    """What one reading brought: tiles without doubts about copies, warnings, what lies over the
    table (since it was last clear, and since before something came to stay), whether the whole
    frame was read, what the places look like, and the grey copy to remember.
    """

    readings: list[Reading]
    warnings: tuple[str, ...]
    covers: list[Covers]
    whole: bool
    glance: Glance
    grey: Picture
