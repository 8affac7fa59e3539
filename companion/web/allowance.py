"""How much a request may bring along, found out from its head alone.

Knows the pages that take a file, and asks ``visitors`` who is asking.
"""

from __future__ import annotations

import io
from typing import Any

from flask import Flask, request

from companion.importing import LARGEST
from companion.web.roles import enough, least
from companion.web.services import services
from companion.web.uploads import MOST
from companion.web.visitors import role_now

TAKE_FILES = frozenset(
    {
        "api.read",
        "besttrain.photo",
        "count.enter",
        "photos.more",
        "score.enter",
        "takeaway.take_in",
    }
)
"""The pages to which photos or a file of games are sent."""


def largest(upload_limit: int) -> int:
    """Bytes that no body exceeds. More than each page takes, which so says itself what is too
    large."""
    return (MOST + 1) * max(upload_limit, LARGEST)


def allowance(app: Flask, environ: dict[str, Any]) -> int:
    """Bytes that may be sent beyond what anybody may: 0 unless this page takes files, of this
    visitor."""
    with app.request_context({**environ, "wsgi.input": io.BytesIO()}):
        page = request.endpoint
        if page not in TAKE_FILES:
            return 0
        may_here = enough(role_now(), least(page))
        return largest(services().settings.upload_limit) if may_here else 0
