"""Measure everything: ``scripts/benchmark [--json OUT]``."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import cv2

from scripts.measuring import pages, pictures, playing, starting
from scripts.measuring.figures import Figure, Weight, line, machine

MEASUREMENTS: tuple[Callable[[], Iterator[Figure | Weight]], ...] = (
    *(pictures.photos, pictures.labelled, pictures.watching, starting.cold_start),
    *(playing.replaying, playing.taps, pages.pages, pages.second_device, playing.trains),
    *(starting.peak, starting.serving, pages.weights),
)


def main(said: list[str] | None = None) -> None:
    """Measure everything, print it line by line, and tell on the error output how far it is."""
    parser = argparse.ArgumentParser(
        prog="scripts/benchmark", description="Measures the companion."
    )
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    told = parser.parse_args(said)
    cv2.setNumThreads(1)
    begun, figures = time.monotonic(), []
    sys.stdout.write(machine() + "\n\n")
    for number, measure in enumerate(MEASUREMENTS, 1):
        say(f"{number} of {len(MEASUREMENTS)}: {measure.__name__.replace('_', ' ')} ...")
        for figure in measure():
            figures.append(figure)
            say("")
            sys.stdout.write(line(figure) + "\n")
            sys.stdout.flush()
    say(f"measured in {time.monotonic() - begun:.0f} seconds\n")
    if told.json:
        written = {"machine": machine(), "figures": [asdict(figure) for figure in figures]}
        told.json.write_text(json.dumps(written, indent=1), encoding="utf-8")


def say(words: str) -> None:
    """One line of progress, in place of the one before; none where nobody looks on."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{words}")
        sys.stderr.flush()


if __name__ == "__main__":
    main()
