"""Whether the camera looks at the table as it did when its view was remembered.

Fine points of the remembered small grey copy (``frames.small``) are found again in the new one. One
shift, turn and zoom that many of them share is the camera's; hands, tiles, lamps and light share
none, and where too little is recognised nothing is claimed. Keeps no clock: a caller that wants to
be sure asks again.
"""

from __future__ import annotations

from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

MOVED = 4.5
"""Pixels of a copy 320 wide by which its outermost corner must be displaced. Over real and drawn
frames of a camera that stood still it came to 1.7 at most, over shifts, turns and zooms of 3 % to
6.0 at least."""
_FEWEST, _SHARE = 12, 0.3
"""So many points, and this share of all that were recognised, must have moved alike."""
_ALIKE = 64
"""Bits out of 256 by which the descriptions of one point may differ."""
_OFF = 2.0
"""Pixels that a point may lie beside where the common motion puts it."""
_ZOOM = (0.4, 2.5)
"""A motion that zooms beyond this is chance."""

Points = tuple[NDArray[np.float32], NDArray[np.uint8]]


class View:
    """A remembered view. Not for several threads at once; making it again from bytes is cheap."""

    def __init__(self) -> None:
        self._small: Picture | None = None
        self._points: Points | None = None

    def remember(self, small: Picture) -> None:
        """Take this small grey copy as the view that is right."""
        self._small, self._points = small, _fine_points(small)

    @property
    def known(self) -> bool:
        """Whether a view is remembered."""
        return self._small is not None

    def moved(self, small: Picture) -> bool:
        """Whether the camera has been moved by some 3 % of the picture or more since."""
        return self.displaced(small) > MOVED

    def displaced(self, small: Picture) -> float:
        """How far the corner that moved most has moved, in pixels of the small copy.

        0 where the view stands still, was never remembered, or cannot be recognised.
        """
        now = None if self._points is None else _fine_points(small)
        if self._points is None or now is None:
            return 0.0
        matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(self._points[1], now[1])
        pairs = [(match.queryIdx, match.trainIdx) for match in matches if match.distance < _ALIKE]
        if len(pairs) < _FEWEST:
            return 0.0
        before = self._points[0][[one for one, _ in pairs]]
        after = now[0][[other for _, other in pairs]]
        return _motion(before, after, small.shape[1], small.shape[0])

    def to_bytes(self) -> bytes:
        """The view as a PNG file. Raises ValueError while none is remembered."""
        if self._small is None:
            raise ValueError("No view is remembered.")
        good, data = cv2.imencode(".png", self._small)
        if not good:
            raise ValueError("The view cannot be stored as a PNG.")
        return bytes(data)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The view that was stored; one that cannot be read remembers nothing."""
        view = cls()
        raw = np.frombuffer(data, np.uint8)
        small = cv2.imdecode(raw, cv2.IMREAD_GRAYSCALE) if raw.size else None
        if small is not None:
            view.remember(np.asarray(small, np.uint8))
        return view


def _fine_points(small: Picture) -> Points | None:
    """Places and descriptions of the copy's fine points; None where there are hardly any."""
    finder = cv2.ORB_create(  # type: ignore[attr-defined]
        nfeatures=600, nlevels=4, edgeThreshold=12, patchSize=24, fastThreshold=8
    )
    found, described = finder.detectAndCompute(small, None)
    if described is None or len(found) < _FEWEST:
        return None
    return np.array([point.pt for point in found], np.float32), described


def _motion(before: NDArray[np.float32], after: NDArray[np.float32], wide: int, high: int) -> float:
    """The displacement of the corner that the common motion moves most; 0 where none is common."""
    cv2.setRNGSeed(7)  # the same two pictures get the same answer
    turn, fits = cv2.estimateAffinePartial2D(
        before, after, method=cv2.RANSAC, ransacReprojThreshold=_OFF, maxIters=800
    )
    if turn is None or fits.sum() < max(_FEWEST, _SHARE * len(before)):
        return 0.0
    if not _ZOOM[0] < float(np.hypot(turn[0, 0], turn[1, 0])) < _ZOOM[1]:
        return 0.0
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float64)
    gone = corners @ turn[:, :2].T + turn[:, 2] - corners
    return float(np.hypot(gone[:, 0], gone[:, 1]).max())
