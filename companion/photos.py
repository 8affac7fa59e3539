"""The photos of hands: kept durably as proof of a score, with what was read in them.

A photo gets a random name of our own and is stored upright and without anything that the camera
wrote into it. Its reading and its draft lie in the journal's database. Knows no page, no rules
and no reader.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.dominoes import Tile
from companion.draft import Draft
from companion.errors import DeviceTrouble, Trouble
from companion.journal import Journal
from companion.durable import SCARCE, make_folder, sync_folder, write_whole
from companion.journalfile import journals_aside
from companion.keeping import KeptPhoto
from companion.observation import UNCOUNTED, PhotoReading
from companion.saying import say
from companion.vision.crops import as_jpeg, shrunk
from companion.vision.geometry import Picture
from companion.vision.photo import contents, load

LONGEST = 2560
"""Pixels of a stored photo's longer side at most: enough to read 91 tiles in one picture."""

NO_ROOM = say(
    "The photo was not kept, because the disk is nearly full: free some space, old photos first, "
    "or type the score."
)

_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Photo:
    """One stored photo. ``about`` tells whose hand it is, in the words of who kept it.

    ``reading`` is the reading contract's JSON and ``draft`` the tiles as checked so far; both are
    None until it has been read. ``more`` are the readings of the photos that were added to it.
    """

    id: str
    about: Mapping[str, Any]
    reading: Mapping[str, Any] | None
    draft: Draft | None
    more: tuple[Mapping[str, Any], ...] = ()

    def reads(self, tiles: Iterable[Tile]) -> bool:
        """Whether these are the tiles that were read, untouched by hand.

        A tile with hidden pips may be among them or not: it was people's to confirm; so it was
        whether a tile that lies in several photos is one.
        """
        told, seen, counted = Counter(tiles), Counter[Tile](), Counter[Tile]()
        for reading in filter(None, (self.reading, *self.more)):
            read = reading["tiles"]
            seen += Counter(Tile.of(*tile["ends"]) for tile in read)
            counted |= Counter(Tile.of(*t["ends"]) for t in read if t["why"] not in UNCOUNTED)
        return counted <= told <= seen


class PhotoStore:
    """Photos in a folder, their readings in the journal's database. Safe from any thread."""

    def __init__(self, folder: Path, journal: Journal) -> None:
        self.folder = folder
        self._journal = journal
        self._editing = threading.Lock()

    def keep(self, data: bytes, about: Mapping[str, Any] | None = None) -> str:
        """Store a JPEG, PNG or other picture that people sent; returns its id.

        When this returns the photo survives the plug being pulled. Raises PhotoUnreadable for
        what is no picture, DeviceTrouble or JournalTrouble when the disk refuses.
        """
        return self.keep_made(made_ready(load(data)), about)

    def keep_picture(self, image: Picture, about: Mapping[str, Any] | None = None) -> str:
        """The same for a picture of the hub camera (height by width by blue, green, red)."""
        return self.keep_made(made_ready(image), about)

    def keep_made(self, jpeg: bytes, about: Mapping[str, Any] | None = None) -> str:
        """The same for a picture that was ``made_ready`` to be stored."""
        self._leave_room(len(jpeg))
        photo = secrets.token_hex(16)
        self._write(self.path(photo), jpeg)
        made = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        kept = json.dumps({"about": dict(about or {}), "tiles": None})
        try:
            self._journal.run("INSERT INTO photos VALUES (?, ?, 'null', ?)", (photo, made, kept))
        except Trouble:
            with contextlib.suppress(OSError):
                self.path(photo).unlink()
            raise
        return photo

    def unread_with(self, first: str) -> set[str]:
        """The photos that were added to this one and have not been read yet."""
        rows = self._journal.run(
            "SELECT id, draft FROM photos WHERE reading = 'null' AND instr(draft, ?)", (first,)
        )
        return {photo for photo, draft in rows if json.loads(draft)["about"].get("with") == first}

    def sweep(self) -> int:
        """At the start: remove photos whose keeping was cut short before they were acknowledged.

        Where a journal was set aside, damaged or for a backup that was restored, or has lost its
        latest taps, its photos are left for it. Gives how many went.
        """
        cut_short = list(self.folder.glob("*.new"))
        if not (self._journal.missing or journals_aside(self._journal.path)):
            known = {row[0] for row in self._journal.run("SELECT id FROM photos")}
            stored = (file for file in self.folder.glob("*.jpg") if is_id(file.stem))
            cut_short += [file for file in stored if file.stem not in known]
        for file in cut_short:
            with contextlib.suppress(OSError):
                file.unlink()
        return len(cut_short)

    def kept(self) -> list[KeptPhoto]:
        """Every photo, as far as is needed to say how long it stays."""
        rows = self._journal.run("SELECT id, made, draft FROM photos ORDER BY made")
        return [_kept(*row) for row in rows]

    def forget(self, photos: Iterable[str]) -> int:
        """Remove these photos and what was read in them; gives how many went.

        The name goes before the file, so that a file left over is swept at the next start.
        """
        gone = 0
        for photo in photos:
            self._journal.run("DELETE FROM photos WHERE id = ?", (photo,))
            with contextlib.suppress(OSError):
                self.path(photo).unlink(missing_ok=True)
            gone += 1
        return gone

    def erase(self, photos: Iterable[str]) -> int:
        """Remove these photos for good, and what was read in them; gives how many went.

        Their files are gone from the disk before their names go, so that a photo that could not
        be removed, or was cut short, is known and can be removed later.
        """
        gone = []
        for photo in photos:
            with contextlib.suppress(OSError):
                self.path(photo).unlink(missing_ok=True)
                gone.append(photo)
        with contextlib.suppress(FileNotFoundError):
            sync_folder(self.folder)
        for photo in gone:
            self._journal.run("DELETE FROM photos WHERE id = ?", (photo,))
        return len(gone)

    def weight(self) -> int:
        """The bytes that all pictures take on the disk."""
        sizes = 0
        for file in self.folder.glob("*.jpg"):
            with contextlib.suppress(OSError):
                sizes += file.stat().st_size
        return sizes

    def path(self, photo: str) -> Path:
        """Where the picture lies. Raises KeyError for what is no id of ours."""
        if not is_id(photo):
            raise KeyError(photo)
        return self.folder / f"{photo}.jpg"

    def picture(self, photo: str) -> Picture:
        """The stored picture. Raises PhotoUnreadable when its file is gone."""
        return load(self.path(photo))

    def contents(self, photo: str) -> bytes:
        """The bytes of the stored picture; raises like ``picture``."""
        return contents(self.path(photo))

    def get(self, photo: str) -> Photo | None:
        """The photo of this id; None where there is none."""
        if not is_id(photo):
            return None
        rows = self._journal.run("SELECT reading, draft FROM photos WHERE id = ?", (photo,))
        if not rows:
            return None
        reading, kept = (json.loads(text) for text in rows[0])
        tiles = kept["tiles"]
        draft = None if tiles is None else Draft.from_json(tiles)
        shots = () if draft is None else draft.shots
        more = tuple(filter(None, (self._reading(shot.id) for shot in shots)))
        return Photo(photo, kept["about"], reading, draft, more)

    def _reading(self, photo: str) -> Mapping[str, Any] | None:
        rows = self._journal.run("SELECT reading FROM photos WHERE id = ?", (photo,))
        found: Mapping[str, Any] | None = json.loads(rows[0][0]) if rows else None
        return found

    def save_reading(self, photo: str, reading: PhotoReading) -> None:
        """Keep what was read, and begin the draft with it.

        A photo that was taken ``with`` another one of the same hand goes into the draft of that
        first: once it counts as read, the other one has its tiles.
        """
        found = self.get(photo)
        if found is not None:
            self.edit(found.about.get("with", ""), lambda draft: draft.with_photo(photo, reading))
            self._save(found, reading.to_json(photo), Draft.of(reading))

    def edit(self, photo: str, change: Callable[[Draft], Draft]) -> Draft | None:
        """Change the draft by one tap, none of two lost; None where nothing was read yet."""
        with self._editing:
            found = self.get(photo)
            if found is None or found.draft is None:
                return None
            changed = change(found.draft)
            if changed != found.draft:
                self._save(found, found.reading, changed)
            return changed

    def _save(self, photo: Photo, reading: Mapping[str, Any] | None, draft: Draft) -> None:
        kept = json.dumps({"about": dict(photo.about), "tiles": draft.to_json()})
        self._journal.run(
            "UPDATE photos SET reading = ?, draft = ? WHERE id = ?",
            (json.dumps(reading), kept, photo.id),
        )

    def _leave_room(self, size: int) -> None:
        """Photos never fill the disk: what is scored needs the last of it."""
        try:
            there = self.folder if self.folder.exists() else self.folder.parent
            free = shutil.disk_usage(there).free
        except OSError:
            return  # a folder that cannot be seen is for the writing to find out
        if free - size < SCARCE:
            raise DeviceTrouble(NO_ROOM)

    def _write(self, path: Path, data: bytes) -> None:
        """Write a file whole or not at all, and make its name last."""
        try:
            make_folder(self.folder)
            write_whole(path, data)
        except OSError as error:
            raise DeviceTrouble(
                say(
                    "The photo could not be saved (%(why)s): "
                    "free some space on the disk, or type the score.",
                    why=error.strerror or str(error),
                )
            ) from error


def made_ready(image: Picture) -> bytes:
    """A picture as it is stored: no larger than it needs to be, and nothing but the picture."""
    return as_jpeg(shrunk(image, LONGEST))


def is_id(text: str) -> bool:
    """Whether this can be the id of a photo; nothing else ever becomes part of a path."""
    return _ID.fullmatch(text) is not None


def _kept(photo: str, made: str, draft: str | None) -> KeptPhoto:
    """What one row tells; a time that cannot be read counts as long ago."""
    about = json.loads(draft)["about"] if draft else {}
    try:
        at = datetime.fromisoformat(made)
    except ValueError:
        at = datetime.min
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return KeptPhoto(photo, at, about.get("round"), about.get("with"))
