"""The command ``companion read``: photos in, one line or a few lines of text for each out.

Finds the photos in folders, reads one after the other and says what was seen, for programs as
JSON or for people as text. Knows no networks and no game.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

import click

from companion.errors import PhotoUnreadable
from companion.observation import PhotoReading, Reading
from companion.vision.overlay import save_overlay
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

    A file that cannot be read costs exit status 1 and the others are still read. With
    ``overlay_dir``, a copy of each photo with its reading drawn on it goes into that folder.
    """
    photos = list(photos_in(paths))
    if not photos:
        click.echo("There are no photos in this folder: name one that has some.", err=True)
        return 1
    reader = Reader()
    overlays = None if overlay_dir is None else Overlays(Path(overlay_dir))
    status = 0
    for photo in watched(photos, sys.stderr):
        try:
            start = time.perf_counter()
            image = load(Path(photo))
            reading = reader.read(image, highest=highest, double_blank=double_blank)
            reading = replace(reading, milliseconds=1000 * (time.perf_counter() - start))
        except PhotoUnreadable as problem:
            status = 1
            answer: dict[str, Any] = {"photo": photo, "error": str(problem)}
            text = f"{photo}: {problem}"
        else:
            answer = reading.to_json(photo)
            text = in_words(photo, reading)
            if overlays is not None:
                overlays.save(photo, image, reading)
        click.echo(json.dumps(answer) if json_out else printable(text))
    return status


def photos_in(paths: Iterable[str]) -> Iterator[str]:
    """The paths as given, and for each folder the photos that lie in it, by name."""
    for path in paths:
        if Path(path).is_dir():
            yield from sorted(
                str(file)
                for file in Path(path).iterdir()
                if file.suffix.lower() in EXTENSIONS and file.is_file()
            )
        else:
            yield path


def watched(photos: Sequence[str], screen: TextIO) -> Iterator[str]:
    """The photos one by one; with many, a terminal shows how many are done."""
    shown = len(photos) >= MANY and screen.isatty()
    for number, photo in enumerate(photos, start=1):
        if shown:
            click.echo(f"\rphoto {number} of {len(photos)} ", file=screen, nl=False)
        yield photo
    if shown:
        click.echo("\r" + " " * 40 + "\r", file=screen, nl=False)


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
    """The text without what a terminal could not show of a file's name."""
    return text.encode("utf-8", "replace").decode("utf-8")


class Overlays:
    """Where overlays go: a folder in which each photo gets a file of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._taken: set[str] = set()

    def save(self, photo: str, image: Any, reading: PhotoReading) -> None:
        """Write ``NAME-read.jpg``, with a number after it for a second photo of that name."""
        stem = name = f"{Path(photo).stem}-read"
        number = 1
        while name in self._taken:
            number += 1
            name = f"{stem}-{number}"
        self._taken.add(name)
        save_overlay(self._folder / f"{name}.jpg", image, reading)
