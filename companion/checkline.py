"""One line of `companion check`: what was looked at, how it is, and what to do.

Knows nothing of what is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Mark = Literal["ok", "note", "not"]
"""It works; it is worth knowing, and nothing that was asked for fails; it does not work."""


@dataclass(frozen=True)
class Line:
    """What was looked at, how it is, and a sentence that says what to do where it is not well."""

    name: str
    mark: Mark
    said: str


def ok(name: str, said: str) -> Line:
    """This works."""
    return Line(name, "ok", said)


def note(name: str, said: str) -> Line:
    """This is worth knowing and no fault."""
    return Line(name, "note", said)


def bad(name: str, said: str) -> Line:
    """This does not work; the sentence says what to do."""
    return Line(name, "not", said)
