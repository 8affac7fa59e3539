"""Texts in the reader's language: `_("Type a score first.")` and what the game itself says.

A page tells a sentence of the game by itself wherever it shows one; `told` is for texts that are
put together before they are shown. Knows no language: which one is spoken is `language`'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import flask_babel
from flask import Flask
from markupsafe import Markup, escape

from companion.saying import Said


def _(text: str, /, **values: Any) -> str:
    """The text in the reader's language, with ``%(name)s`` replaced by the value of that name."""
    return str(flask_babel.gettext(text, **_told(values)))


def ngettext(one: str, many: str, num: int, /, **values: Any) -> str:
    """The text for this number, ``%(num)s``, in the reader's language."""
    return str(flask_babel.ngettext(one, many, num, **_told(values)))


def told(sentence: object) -> str:
    """A sentence of the game in the reader's language; anything else stays as it is."""
    if not isinstance(sentence, Said):
        return "" if sentence is None else str(sentence)
    if sentence.many is None:
        return _(sentence.text, **sentence.values)
    others = {name: value for name, value in sentence.values.items() if name != "num"}
    return ngettext(sentence.text, sentence.many, sentence.values["num"], **others)


def capital(sentence: object) -> str:
    """The same with a capital letter, as a heading or a label."""
    words = told(sentence)
    return words[:1].upper() + words[1:]


def written_day(day: date) -> str:
    """A day as the reader's language writes it out: 5 March 2026, 5 de março de 2026."""
    own = str(flask_babel.get_locale()) in ("es", "pt", "sl")
    return str(flask_babel.format_date(day, "long" if own else "d MMMM y", rebase=False))


def _told(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: told(v) if isinstance(v, Said) else v for name, v in values.items()}


def teach_words(app: Flask) -> None:
    """Let templates say the same: ``_()``, ``ngettext()``, ``told``, and any sentence by itself."""
    page = app.jinja_env
    page.finalize = lambda value: told(value) if isinstance(value, Said) else value
    page.filters["told"] = told
    page.globals.update(told=told, gettext=_on_page, ngettext=_number_on_page)


def _on_page(text: str, /, **values: Any) -> Markup:
    """What ``_()`` is in templates: values are escaped, a ``%`` of the text is written twice."""
    return Markup(flask_babel.gettext(text)) % _told(values)  # nosec B704 # values are escaped


def _number_on_page(one: str, many: str, num: int, /, **values: Any) -> Markup:
    shown = {name: escape(value) for name, value in _told(values).items()}
    return Markup(flask_babel.ngettext(one, many, num, **shown))  # nosec B704 # escaped above
