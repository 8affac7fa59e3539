"""Who may tap: form tokens, origins, upload size and the headers every answer carries.

Knows nothing of the game. The browser is treated as visiting the whole internet beside us.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request, session

from companion.importing import LARGEST
from companion.web.services import WebSettings, services
from companion.web.uploads import MOST

TOKEN = "token"
SEVERAL_PHOTOS = frozenset({"score.enter", "photos.more"})
"""The pages that take several photos of one hand; each of them keeps the limit of a photo."""
IMPORT = "takeaway.take_in"
AROUND = 64 * 1024
"""Bytes of a form beside its files."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def protect(app: Flask, settings: WebSettings) -> None:
    """Set the application's cookie, limits, checks and headers."""
    app.secret_key = settings.secret
    app.config.update(
        MAX_CONTENT_LENGTH=settings.upload_limit,
        SESSION_COOKIE_NAME=cookie_name(settings.secret),
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,
    )
    app.before_request(check_origin)
    app.before_request(allow_size)
    app.before_request(check_token)
    app.after_request(add_headers)
    app.jinja_env.globals["form_token"] = form_token


def cookie_name(secret: str) -> str:
    """A name of this installation's own: cookies do not tell one port of a machine from another."""
    return "companion-" + hashlib.sha256(secret.encode()).hexdigest()[:8]


def form_token() -> str:
    """This visitor's token, for the hidden field ``token`` of every form."""
    token = session.get(TOKEN)
    if not isinstance(token, str):
        token = secrets.token_urlsafe(18)
        session[TOKEN] = token
        session.permanent = True
    return token


def check_origin() -> None:
    """Refuse what another site's page sends; programs send neither header and may pass."""
    if request.method in SAFE:
        return
    if request.headers.get("Sec-Fetch-Site") == "cross-site":
        abort(403)
    origin = request.headers.get("Origin")
    if origin is not None and not ours(origin):
        abort(403)


def allow_size() -> None:
    """How much this page may be sent: most take one photo, few several or a file of games."""
    one = services().settings.upload_limit
    if request.endpoint in SEVERAL_PHOTOS:
        request.max_content_length = MOST * one + AROUND
    elif request.endpoint == IMPORT:
        request.max_content_length = LARGEST + AROUND


def ours(address: str) -> bool:
    """Whether an address that a browser names is on this very site."""
    try:
        return urlsplit(address).netloc == request.host
    except ValueError:
        return False


def check_token() -> None:
    """Every form carries the token of the visitor's own cookie; ``/api/`` has the origin check.

    What no page takes is left to its own refusal.
    """
    if request.method in SAFE or request.path.startswith("/api/"):
        return
    if request.routing_exception is not None:
        return
    known = session.get(TOKEN)
    sent = request.form.get(TOKEN, "")
    if not isinstance(known, str) or not hmac.compare_digest(known.encode(), sent.encode()):
        abort(400, "form token")


def add_headers(response: Response) -> Response:
    """The headers of every answer; pages are never kept, so *back* shows the table as it is."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response
