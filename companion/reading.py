"""The command ``companion read``: photos in, one line or a few lines of text for each out.

Finds the photos in folders, reads one after the other and says what was seen, for programs as
JSON or for people as text. Knows no networks and no game.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

import click

from companion.errors import PhotoUnreadable, Trouble
from companion.observation import PhotoReading, Reading
from companion.plain import in_one_line
from companion.saying import say
from companion.vision.overlay import make_folder, save_overlay
from companion.vision.photo import EXTENSIONS, load
from companion.vision.read import Reader

MANY = 5
"""From this number of photos on, a person at a terminal is told how far it is."""


def read_command(
    paths: Sequence[str],
    *,
    json_out: bool,
    highest: int | None,
    double_blank: int,
    overlay_dir: str | None,
) -> int:
    """Read photos and folders of photos to standard output; returns the exit status.

    A file that cannot be read, a folder without photos or an overlay that cannot be written costs
    exit status 1 and the others are still read. With ``overlay_dir``, a copy of each photo with its
    reading drawn on it goes into that folder.
    """
    photos, status = [], 0
    overlays = None if overlay_dir is None else Overlays(Path(overlay_dir), paths)
    for path in paths:
        found = photos_in(path, without=overlay_dir)
        photos += found
        if not found:
            status = 1
            words = f"There are no photos in the folder {path}: name one that has some."
            click.echo(printable(words), err=True)
    if not photos:
        return status
    reader, progress = Reader(), Progress(len(photos), sys.stderr)
    for photo in photos:
        progress.next()
        try:
            start = time.perf_counter()
            image = load(Path(photo))
            reading = reader.read(image, highest=highest, double_blank=double_blank)
            reading = replace(reading, milliseconds=1000 * (time.perf_counter() - start))
        except PhotoUnreadable as problem:
            status = 1
            answer: dict[str, Any] = {"photo": photo, "error": str(problem)}
            text = printable(f"{photo}: {problem}")
        else:
            answer = reading.to_json(photo)
            text = in_words(printable(photo), reading)
            if overlays is not None and not overlays.save(photo, image, reading):
                status = 1
        progress.wipe()
        click.echo(json.dumps(answer) if json_out else text)
    return status


def photos_in(path: str, without: str | None = None) -> list[str]:
    """The path as given, or for a folder the photos that lie in it and in its folders, by name.

    A folder within that nobody may look into stands there by its own name; linked folders are
    passed over, and so is the folder ``without``, in which overlays lie.
    """
    if not os.path.isdir(path):
        return [path]
    closed: list[str] = []
    found = []
    for folder, inside, names in os.walk(path, onerror=lambda why: closed.append(why.filename)):
        if without is not None:
            inside[:] = [n for n in inside if not same_place(os.path.join(folder, n), without)]
        files = (os.path.join(folder, name) for name in names if is_photo(name))
        found += [file for file in files if os.path.isfile(file)]
    return sorted([*found, *closed], key=lambda file: Path(file).parts)


def is_photo(name: str) -> bool:
    """Whether a file is called like a photo."""
    return Path(name).suffix.lower() in EXTENSIONS


def same_place(one: str, other: str) -> bool:
    """Whether two paths lead to the same place."""
    return os.path.realpath(one) == os.path.realpath(other)


class Progress:
    """Tells a person at a terminal which of many photos is being read; says nothing elsewhere."""

    def __init__(self, count: int, screen: TextIO) -> None:
        self._count, self._screen, self._done = count, screen, 0
        self._shown = count >= MANY and screen.isatty()

    def next(self) -> None:
        """The next photo is being read."""
        self._done += 1
        self._write(f"photo {self._done} of {self._count}")

    def wipe(self) -> None:
        """Make room for its answer."""
        self._write("\r" + " " * 40 + "\r")

    def _write(self, words: str) -> None:
        if self._shown:
            click.echo(words, file=self._screen, nl=False)


def in_words(photo: str, reading: PhotoReading) -> str:
    """A reading for people: the sum, the tiles, then what is doubtful and why."""
    sure = "" if reading.sure else " (please check)"
    count = f"{len(reading.tiles)} tile{'' if len(reading.tiles) == 1 else 's'}"
    points = f", {reading.points} points" if reading.points != reading.pips else ""
    lines = [f"{photo}: {reading.pips} pips{points}, {count}{sure}"]
    if reading.tiles:
        lines.append("  " + "  ".join(str(tile.tile) for tile in reading.tiles if tile.sure))
    lines += [f"  {doubt_in_words(tile)}" for tile in reading.tiles if not tile.sure]
    lines += [f"  {warning}" for warning in reading.warnings]
    return "\n".join(line for line in lines if line.strip())


def doubt_in_words(tile: Reading) -> str:
    """A doubtful tile: what it seems to be, why that is doubtful, what else it could be."""
    others = [
        f"{other} for {end}"
        for end, other in zip(tile.ends, tile.second)
        if other is not None and tile.counted
    ]
    left_out = "" if tile.counted else ", not counted"
    perhaps = f", perhaps {' or '.join(others)}" if others else ""
    return f"{tile.tile}? {tile.why}{left_out}{perhaps}"


def printable(text: str) -> str:
    """The text as one line, without what a terminal could not show, or would obey, of a file's
    name."""
    return in_one_line(text.encode("utf-8", "replace").decode("utf-8"))


class Overlays:
    """Where overlays go: a folder in which each photo gets a file of its own.

    Raises Trouble with a sentence where that folder cannot be, or is one of those that are read.
    """

    def __init__(self, folder: Path, photos: Sequence[str] = ()) -> None:
        self._folder = folder
        self._taken: set[str] = set()
        if any(os.path.isdir(path) and same_place(path, str(folder)) for path in photos):
            raise Trouble(
                say("%(file)s holds the photos themselves: choose another folder.", file=folder)
            )
        make_folder(folder)

    def save(self, photo: str, image: Any, reading: PhotoReading) -> bool:
        """Write ``NAME-read.jpg``, with a number after it for a second photo of that name.

        Says what is wrong, and answers False, where it cannot be written.
        """
        stem = name = f"{Path(photo).stem}-read"
        number = 1
        while name in self._taken:
            number += 1
            name = f"{stem}-{number}"
        self._taken.add(name)
        try:
            save_overlay(self._folder / f"{name}.jpg", image, reading)
        except Trouble as trouble:
            click.echo(printable(str(trouble)), err=True)
            return False
        return True
