"""Names of people: tidied, and told apart the way eyes tell them apart.

Knows letters only; who plays, the table knows.
"""

from __future__ import annotations

import unicodedata

from companion.saying import say

LONGEST = 40
"""Letters of a name at most."""
RESERVED = ("mexican", "engine", "table")
"""Names of other things at the table: a train, and the places where a tile can lie."""

_JOINER = "\u200d"
_UNSEEN = frozenset(
    [_JOINER, "\u034f", "\u115f", "\u1160", "\u2800", "\u3164", "\uffa0"]
    + [chr(code) for code in range(0xFE00, 0xFE10)]
)
"""Characters that leave no mark of their own, beside those that Unicode calls control."""


def tidy(text: str) -> str:
    """The name with its spaces put in order, so that no two look the same and differ."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def folded(name: str) -> str:
    """What two names have in common when nobody could tell them apart on the page."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(char for char in plain if char not in _UNSEEN)


def can_be_seen(name: str) -> bool:
    """Whether there is anything to read in it."""
    return any(unicodedata.category(char)[0] in "LNPS" for char in folded(name))


def has_odd_characters(name: str) -> bool:
    """Whether it holds a character that turns, hides or breaks a line; emoji may be joined."""
    return any(unicodedata.category(char)[0] == "C" and char != _JOINER for char in name)


def refusal(name: str, empty: str) -> str | None:
    """Why nobody and nothing can have this tidy name, as a sentence; None where they can.

    ``empty`` is the sentence for one of which nothing can be seen.
    """
    if not name or not can_be_seen(name):
        return empty
    if has_odd_characters(name):
        return say("A name holds a character that cannot be shown: write it anew.")
    if len(name) > LONGEST:
        return say(
            "The name %(name)s… is too long: %(n)s letters at most.", name=name[:20], n=LONGEST
        )
    return None
