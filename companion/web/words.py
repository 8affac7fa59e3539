"""The one word for a text that will be translated: ``_("Type a score first.")``."""

from __future__ import annotations

from typing import Any

from flask_babel import gettext


def _(text: str, /, **values: Any) -> str:
    """The text in the reader's language, with ``%(name)s`` replaced by the value of that name."""
    return str(gettext(text, **values))
