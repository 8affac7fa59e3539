"""Reads a frame again where it changed, and tells what the picture says of every place besides.

Keeps small copies of the frame that was read last and nothing else. Believes nothing: that is for
the tracks of the tiles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.layout import Layout
from companion.observation import NO_TILES, PhotoReading, Point, Reading
from companion.shots import Look, PhotoReader, Shot, Wanted
from companion.tracking import Glance, Track, Tracks, length, matched
from companion.vision import changes, frames
from companion.vision.covering import Covers, share_on, surface

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]

CHANGED = 0.0012
"""A change of this share since the last reading could be a tile."""
SURE_AGAIN = 0.75
"""Confidence from which on a tile is sure again once its double is gone."""
_LASTING, _LEANING, _RESTING = 2, 12, 60
"""What stays for more looks than this belongs to the table: what changes no tile, what hides
a part of one or is small, and what covers tiles."""
_LIGHT = 0.2
"""What changes more of the picture than this is another light: two arms come to less."""
_STRANGE = 0.4
"""Score from which on a place that looks like a tile is worth reading."""
_ON_OTHERS = 0.7
"""What lies so much on known tiles is half of one and half of the next."""
_FEW = 10
"""One of so many known tiles may be shorter than those looked for."""
_MOST_AT_ONCE = 4
"""So many such places are read at a time."""
NO_TILE = "maybe not a tile"


@dataclass
class Rereader:
    """Remembers one table's last read frame. ``whole`` reads every frame as a whole."""

    reader: PhotoReader
    whole: bool = False
    wanted: Wanted = field(default_factory=lambda: Wanted(None, Layout(), None))
    _read: Picture | None = None
    _clear: Picture | None = None
    """The last small copy in which nothing covered anything."""
    _bare: Picture | None = None
    """The one before something came to stay, should it go again."""
    _is_gone: bool = False
    """Whether the last look was more like that one."""
    _covered: int = 0
    """How many looks that is ago."""
    _grey: Picture | None = None
    _slot: tuple[Point, float | None, Picture] | None = None
    _within: Picture | None = None
    _boxes: list[changes.Box] = field(default_factory=list)
    _tried: list[Reading] = field(default_factory=list)
    """Places that looked like tiles and were read since the last change."""

    def expects(self, wanted: Wanted, shot: Shot) -> bool:
        """Whether the last reading answers what is wanted now; begins anew if not."""
        last = self._read
        if last is not None and wanted == self.wanted and last.shape == shot.tiny.shape:
            return True
        self.wanted, self._read, self._grey, self._slot = wanted, None, None, None
        area = wanted.layout.area_in(*shot.size)
        self._within = None
        if area is not None:
            self._within = changes.mask_of(area, shot.tiny.shape, shot.share)
        return False

    def moves(self, before: Picture | None, shot: Shot) -> float:
        """The largest change since the small copy ``before``, as a share of the picture."""
        if before is None or before.shape != shot.tiny.shape:
            return 0.0
        return frames.change(before, shot.tiny, self._within)

    def has_changed(self, shot: Shot) -> bool:
        """Whether anything as large as a tile, or a pip in the slot, differs from the last read."""
        if self._read is None:
            return True
        changed = frames.change(self._read, shot.tiny, self._within) > CHANGED
        return changed or self._slot_changed(shot)

    def _slot_changed(self, shot: Shot) -> bool:
        if self._slot is None:
            return False
        centre, tile, before = self._slot
        return frames.slot_changed(before, frames.slot(shot.image, centre, tile))

    def _differing(self, before: Picture | None, shot: Shot) -> Picture | None:
        """1 where the small copy differs from the one before, None without one."""
        if before is None or before.shape != shot.tiny.shape:
            return None
        changed = frames.differing(before, shot.tiny)
        return changed if self._within is None else changed & self._within

    def lies_here(self, shot: Shot) -> Callable[[Reading], bool]:
        """Tells of a tile whether it lies in the play area."""
        area = self.wanted.layout.area_in(*shot.size)
        return lambda tile: area is None or frames.holds(area, tile.centre)

    def passed_over(self, shot: Shot) -> None:
        """Nothing is read in this frame, but what it shows is no news any more."""
        self._read = shot.tiny

    def read(self, shot: Shot, tracks: Tracks, *, changed: bool, verify: bool = False) -> Look:
        """Read what changed, and what the tracks are not settled about.

        ``verify`` looks over the whole frame besides, for what changed too little to be noticed.
        """
        differing = self._differing(self._read, shot) if changed else None
        grey = changes.grey(shot.image)
        if changed:
            self._boxes, self._tried = [], []
        if verify and self._read is not None:
            self._boxes = self._unexpected(shot, tracks, grey)
        parts = self._parts(shot, tracks, differing)
        readings, warnings = self._readings(shot, parts)
        known = [track.reading for track in tracks]
        beside = [tile for tile in known if not _looked_at(parts, tile)]
        come = [*readings, *beside]
        all_covers = [
            Covers(over, known, come, shot.share, partial(frames.unevenly, before, shot.tiny))
            for before in (self._clear, self._bare)
            if before is not None and (over := self._differing(before, shot)) is not None
        ]
        all_covers = [
            each for each in all_covers if each.largest() < _LIGHT * shot.tiny[..., 0].size
        ]
        covers = min(all_covers, key=Covers.largest, default=None)
        self._is_gone = len(all_covers) == 2 and covers is all_covers[1]
        glance = self._glance(shot, grey, parts, covers)
        return Look(readings, warnings, all_covers, parts is None, glance, grey)

    def remember(
        self,
        shot: Shot,
        look: Look,
        slot: tuple[Point, float | None],
        tracks: Tracks,
        *,
        clear: bool,
        still: bool = True,
    ) -> None:
        """This was read; the engine's slot has that middle, and a tile there that length.

        ``clear`` tells whether nothing but tiles seems to have come, and ``still`` whether nothing
        moves: what comes or goes just now, a hand perhaps, is no table yet.
        """
        self._read, self._grey = shot.tiny, look.grey
        centre, tile = slot
        self._slot = (centre, tile, frames.slot(shot.image, centre, tile))
        if not still:
            return
        self._covered = 0 if clear else self._covered + 1
        if clear:
            self._clear, self._bare = shot.tiny, None if self._is_gone else self._bare
        elif self._covered > _patience(look, tracks):
            self._clear, self._bare = shot.tiny, self._clear

    def _unexpected(self, shot: Shot, tracks: Tracks, grey: Picture) -> list[changes.Box]:
        """Where tiles seem to lie that are not known, and known ones that seem to lie no more."""
        known = [track for track in tracks if not track.hidden]
        area = self.wanted.layout.area_in(*shot.size)
        lengths = sorted(length(track.reading) for track in known)
        shortest = lengths[len(lengths) // _FEW] if lengths else None
        found = self.reader.outlines(shot.image, area, shortest=shortest)
        there = [Reading((0, 0), corners) for corners, _score in found]
        pairs = matched([track.reading for track in known], there)
        gone = [
            track.reading
            for number, track in enumerate(known)
            if number not in pairs and not _as_before(track, grey, shot.size[0])
        ]
        taken = set(pairs.values())
        lying = surface([known[number].reading for number in pairs], shot.tiny.shape, shot.share)
        strange = [
            tile
            for number, (tile, (_, score)) in enumerate(zip(there, found))
            if number not in taken
            and score >= _STRANGE
            and share_on(lying, tile, shot.share) < _ON_OTHERS
        ]
        again = set(matched(self._tried, strange).values())
        new = [tile for number, tile in enumerate(strange) if number not in again]
        new = new[: max(0, _MOST_AT_ONCE - len(gone))]
        self._tried += new
        return [changes.box_round(tile) for tile in [*gone, *new]]

    def _parts(
        self, shot: Shot, tracks: Tracks, differing: Picture | None
    ) -> list[changes.Part] | None:
        """What to read of the frame; None for all of it."""
        if self._read is None or self.whole:
            self._boxes = []
            return None
        if differing is not None:
            self._boxes += changes.boxes_of(differing, shot.share)
            if self._slot is not None and self._slot_changed(shot):
                self._boxes.append(frames.slot_box(*shot.size, *self._slot[:2]))
        unsettled = [track.reading for track in tracks if not track.settled]
        boxes = self._boxes + [changes.box_round(reading) for reading in unsettled]
        return changes.parts_of(boxes, [track.reading for track in tracks], *shot.size)

    def _readings(
        self, shot: Shot, parts: list[changes.Part] | None
    ) -> tuple[list[Reading], tuple[str, ...]]:
        area = self.wanted.layout.area_in(*shot.size)
        if parts is None:
            where: dict[str, Any] = {} if area is None else {"area": area}
            reading = self.reader.read(shot.image, highest=self.wanted.highest, **where)
            return [_alone(tile) for tile in reading.tiles], _worth_saying(reading)
        found: list[Reading] = []
        warnings: tuple[str, ...] = ()
        for part in parts:
            tiles, said = self._in_part(shot, part)
            there = matched(found, tiles).values()
            found += [_alone(tile) for number, tile in enumerate(tiles) if number not in there]
            warnings += tuple(words for words in said if words not in warnings)
        if area is not None:
            found = [tile for tile in found if frames.holds(area, tile.centre)]
        return found, warnings

    def _in_part(self, shot: Shot, part: changes.Part) -> tuple[list[Reading], tuple[str, ...]]:
        """The tiles whose middle lies in one part; it is widened once if its edge cuts one."""
        for again in (False, True):
            x0, y0, x1, y1 = part.crop
            crop = shot.image[y0:y1, x0:x1]
            reading = self.reader.read(crop, highest=self.wanted.highest)
            tiles = [_moved(tile, (x0, y0)) for tile in reading.tiles]
            tiles = [tile for tile in tiles if part.holds(tile.centre)]
            cut = [tile for tile in tiles if part.cuts(tile, *shot.size)]
            if not cut or again:
                break
            part = part.wider(max(map(length, cut)), *shot.size)
        return tiles, _worth_saying(reading)

    def _glance(
        self,
        shot: Shot,
        grey: Picture,
        parts: list[changes.Part] | None,
        covers: Covers | None,
    ) -> Glance:
        """What this frame tells of a place besides the tiles."""
        width, before, first = shot.size[0], self._grey, self.whole

        def looked(tile: Reading) -> bool:
            return _looked_at(parts, tile)

        def unchanged(track: Track) -> bool:
            return _as_before(track, grey, width)

        def same_pips(track: Track) -> bool:
            face, tile = track.face, track.reading
            return face is not None and changes.same_pips(face, grey, tile, width)

        def covered(track: Track) -> bool:
            return covers is not None and covers.over(track.reading)

        def touched(track: Track) -> bool:
            return covers is not None and covers.touches(track.reading)

        def fresh(tile: Reading) -> bool:
            if before is None or before.shape != grey.shape:
                return not (first and tile.why == NO_TILE)
            if changes.alike(changes.face(before, tile, width), grey, tile, width):
                return False
            return tile.sure or covers is None or covers.changed(tile)

        return Glance(looked, unchanged, same_pips, covered, touched, fresh)


def _patience(look: Look, tracks: Tracks) -> int:
    """For how many looks what lies over the table is taken for something that goes again."""
    hidden = [track for track in tracks if track.hidden]
    if any(look.glance.touched(track) for track in hidden):
        return _RESTING
    return _LEANING if hidden or any(track.beset for track in tracks) else _LASTING


def _looked_at(parts: list[changes.Part] | None, tile: Reading) -> bool:
    """Whether this tile lies in one of the parts; None is the whole frame."""
    return parts is None or any(part.holds(tile.centre) for part in parts)


def _as_before(track: Track, grey: Picture, width: int) -> bool:
    """Whether a tile's place looks as it did when it was read."""
    return track.face is not None and changes.alike(track.face, grey, track.reading, width)


def _alone(tile: Reading) -> Reading:
    """The tile without the doubt that another one is the same: that is judged over all of them."""
    if tile.why != "duplicate":
        return tile
    sure = tile.confidence >= SURE_AGAIN
    return replace(tile, sure=sure, why=None if sure else "unclear")


def _moved(tile: Reading, way: tuple[int, int]) -> Reading:
    a, b, c, d = ((x + way[0], y + way[1]) for x, y in tile.corners)
    return replace(tile, corners=(a, b, c, d))


def _worth_saying(reading: PhotoReading) -> tuple[str, ...]:
    return tuple(words for words in reading.warnings if words != NO_TILES)
