"""Text for a terminal or a log: what could move the cursor or feign a line is written out.

Whatever stands in it came from somewhere: a name, a file, a sentence that repeats what was sent.
"""

from __future__ import annotations

import logging
import re

_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # what terminals obey
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # what turns or breaks a line
    "\ud800-\udfff]"  # what is no letter at all
)
_ENDS = re.compile("[\t\n]")


def plain(text: str) -> str:
    """The text as JSON would write it out where a terminal would obey it; its lines stay."""
    return _ODD.sub(_written, text)


def in_one_line(text: str) -> str:
    """The same as one line."""
    return _ENDS.sub(_written, plain(text))


def _written(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


class OneLine(logging.Formatter):
    """A message is one line of the log, whatever is in it; only what broke is told in more."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - as logging calls it
        """The line of one record."""
        return in_one_line(super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        """The line, and below it what broke."""
        return plain(super().format(record))
