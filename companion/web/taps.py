"""From a form to the game: one tap becomes one action.

Knows the fields every form carries (``once``, ``revision``, ``overrule``), not the actions.
"""

from __future__ import annotations

from typing import Any

from flask import jsonify, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from companion.errors import NotAnAction
from companion.table import Table
from companion.web.services import forget_now, services
from companion.web.words import _


def play(action: dict[str, Any], *, part: str = "") -> Table:
    """Play an action with the form's once key, seen revision and overrule. Raises RuleBroken.

    ``part`` tells the actions of one form apart, where a form plays several.
    """
    form = request.form
    if form.get("overrule") == "1":
        action = {**action, "overrule": True}
    once = form.get("once") or None
    try:
        table = services().game.play(
            action,
            revision=number(form, "revision"),
            once=f"{once}{part}" if once else None,
        )
    finally:
        forget_now()
    return table


def number(form: MultiDict[str, str], name: str) -> int | None:
    """A whole number from a form; None when it is absent or empty. Raises NotAnAction."""
    text = form.get(name, "").strip()
    if not text:
        return None
    found = whole(text)
    if found is None:
        raise NotAnAction(_("%(text)s is not a number: type digits only.", text=text[:20]))
    return found


def whole(text: str) -> int | None:
    """A whole number of at most six plain digits; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else None


def word(form: MultiDict[str, str], name: str) -> str | None:
    """A text from a form without the blanks around it; None when absent or empty."""
    return form.get(name, "").strip() or None


SCRIPT = "X-Companion"
"""The header by which our own script sends a form: it is told the address, the place in the page
included, instead of being led there."""


def then(address: str) -> ResponseReturnValue:
    """After a POST: go on to a page by GET."""
    if request.method == "POST" and SCRIPT in request.headers:
        return jsonify({"then": address})
    return redirect(address, 303)
