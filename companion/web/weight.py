"""What goes over the wire is small and goes once: texts are packed, files are kept by the browser.

A file's address carries a mark of its content, so it may be kept for a year and is never stale.
Knows no page; what streams is left alone.
"""

from __future__ import annotations

import gzip
import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from flask import Flask, Response, request

PACKED = frozenset(
    {
        "application/json",
        "image/svg+xml",
        "text/css",
        "text/csv",
        "text/html",
        "text/javascript",
        "application/javascript",
    }
)
"""Kinds of answers that shrink; photos are packed already."""
SMALLEST = 600
"""Bytes below which packing is not worth the while."""
YEAR = "public, max-age=31536000, immutable"
DAY = "public, max-age=86400"
"""For files that are asked for without their mark, as a style sheet does with its pictures."""


def make_light(app: Flask) -> None:
    """Mark the addresses of files, let browsers keep those, and pack what is sent."""
    folder = Path(app.static_folder or "")

    def add_mark(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static" and "filename" in values:
            values.setdefault("v", mark(folder / str(values["filename"])))

    app.url_defaults(add_mark)
    app.after_request(keep_files)
    app.after_request(pack)


def mark(path: Path) -> str | None:
    """A short mark of a file's content; None for no such file."""
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return None
    return _mark(path, changed)


@lru_cache(maxsize=256)
def _mark(path: Path, _changed: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:10]


def keep_files(response: Response) -> Response:
    """How long a browser may keep a file of ours without asking."""
    if request.endpoint == "static" and response.status_code in (200, 304):
        response.headers["Cache-Control"] = YEAR if "v" in request.args else DAY
    return response


def pack(response: Response) -> Response:
    """Send a text packed to whoever takes it so."""
    file = request.endpoint == "static"
    if response.mimetype not in PACKED or (response.is_streamed and not file):
        return response
    response.vary.add("Accept-Encoding")
    if "Content-Encoding" in response.headers or not request.accept_encodings["gzip"]:
        return response
    if response.status_code in (204, 206, 304) or request.method == "HEAD":
        return response
    response.direct_passthrough = False
    body = response.get_data()
    if len(body) >= SMALLEST:
        tag, weak = response.get_etag()
        response.set_data(_packed_once(body) if file else gzip.compress(body, 5))
        response.headers["Content-Encoding"] = "gzip"
        if tag is not None:
            response.set_etag(tag, weak=True)
    return response


@lru_cache(maxsize=128)
def _packed_once(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)
