"""Scores as people type them: a number, or a sum like ``10+15+8``.

Knows neither players nor sets: whether a score can be true is for the table to say.
"""

from __future__ import annotations

import re

from companion.errors import RuleBroken
from companion.web.words import _

LONGEST = 200
"""Characters of a sum at most."""
_DIGITS = 6
"""Digits of one number at most; the table refuses what no set can hold."""

_SUM = re.compile(r"\d+(?:\s*\+\s*\d+)*")


def typed_score(text: str) -> int:
    """The number that was typed, its sum worked out: ``"10+15+8"`` is 33.

    Blanks do no harm, and a plus at the end is one that was not needed. Raises RuleBroken with
    a sentence: an empty field is not 0.
    """
    told = text.strip()
    if not told:
        raise RuleBroken(_("Type a score first: 0 if nothing was left."))
    if len(told) > LONGEST:
        raise RuleBroken(_("That is too long for one hand: type one number or a short sum."))
    if re.match(r"[-−–]", told):
        raise RuleBroken(_("A score cannot be negative: type what was left in the hand."))
    told = told.rstrip("+ ")
    if not told.isascii() or not _SUM.fullmatch(told):
        why = _("%(text)s is not a score: type digits, or a sum like 10+15+8.", text=_short(text))
        raise RuleBroken(why)
    numbers = [number.strip() for number in told.split("+")]
    if any(len(number.lstrip("0")) > _DIGITS for number in numbers):
        why = _("%(text)s is far too much for one hand: look at it again.", text=_short(text))
        raise RuleBroken(why)
    return sum(map(int, numbers))


def _short(text: str) -> str:
    told = " ".join(text.split())
    return told if len(told) <= 24 else f"{told[:23]}…"
