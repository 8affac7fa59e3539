"""Readings and sentences as JSON and back, for the way from one process of ours to another.

Nothing that comes in is run or trusted to be whole: what has another shape is a ValueError.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.observation import Corners, PhotoReading, Reading
from companion.saying import Said


def packed_sentence(sentence: object) -> Any:
    """A sentence with the words and values it was made of; numbers and plain texts as they are."""
    if isinstance(sentence, Said):
        values = {name: packed_sentence(value) for name, value in sentence.values.items()}
        return {"text": sentence.text, "values": values, "many": sentence.many}
    return sentence if isinstance(sentence, (int, float)) else str(sentence)


def unpacked_sentence(packed: Any) -> Any:
    """What ``packed_sentence`` was given. Raises ValueError for anything else."""
    if isinstance(packed, (str, int, float)):
        return packed
    try:
        values = {str(name): unpacked_sentence(v) for name, v in packed["values"].items()}
        many = packed["many"]
        return Said(str(packed["text"]), values, None if many is None else str(many))
    except (AttributeError, KeyError, TypeError) as problem:
        raise ValueError("this is no sentence") from problem


def packed_reading(reading: PhotoReading) -> dict[str, Any]:
    """A whole reading, with the second best values that the reading contract leaves out."""
    return {
        "width": reading.width,
        "height": reading.height,
        "tiles": [_packed_tile(tile) for tile in reading.tiles],
        "warnings": [packed_sentence(warning) for warning in reading.warnings],
        "milliseconds": reading.milliseconds,
        "set": reading.set_highest,
        "blank": reading.double_blank,
    }


def _packed_tile(tile: Reading) -> list[Any]:
    return [tile.ends, tile.corners, tile.confidence, tile.why, tile.second]


def unpacked_reading(packed: Mapping[str, Any]) -> PhotoReading:
    """What ``packed_reading`` was given. Raises ValueError for anything else."""
    try:
        return PhotoReading(
            width=int(packed["width"]),
            height=int(packed["height"]),
            tiles=tuple(_unpacked_tile(*tile) for tile in packed["tiles"]),
            warnings=tuple(unpacked_sentence(warning) for warning in packed["warnings"]),
            milliseconds=float(packed["milliseconds"]),
            set_highest=None if packed["set"] is None else int(packed["set"]),
            double_blank=int(packed["blank"]),
        )
    except (KeyError, TypeError) as problem:
        raise ValueError("this is no reading") from problem


def _unpacked_tile(ends: Any, corners: Any, confidence: Any, why: Any, second: Any) -> Reading:
    one, other = (int(value) for value in ends)
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    whole: Corners = (a, b, c, d)
    left, right = (None if value is None else int(value) for value in second)
    return Reading((one, other), whole, float(confidence), why is None, why, (left, right))
