"""Who may tap: form tokens, origins, upload size and the headers every answer carries.

Knows nothing of the game. The browser is treated as visiting the whole internet beside us.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask.typing import ResponseReturnValue
from itsdangerous import BadSignature

from companion.importing import LARGEST
from companion.ownnames import is_ours
from companion.web.roles import OPEN
from companion.web.services import WebSettings, services
from companion.web.uploads import MOST
from companion.web.visitors import ROLE, TOKEN, form_token, on_the_spot, over_https
from companion.web.words import _

SEVERAL_PHOTOS = frozenset({"score.enter", "photos.more"})
"""The pages that take several photos of one hand; each of them keeps the limit of a photo."""
IMPORT = "takeaway.take_in"
A_YEAR = timedelta(days=365)
"""How long a device that joined is remembered after it was last in use."""
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
PERMISSIONS_POLICY = ", ".join(
    f"{name}=()"
    for name in (
        *("accelerometer", "camera", "display-capture", "encrypted-media", "geolocation"),
        *("gyroscope", "hid", "magnetometer", "microphone", "midi", "payment"),
        *("publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking"),
    )
)
"""Nothing of these is used: photos are taken by the device's own camera and sent as files."""
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS_POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Cookies(SecureCookieSessionInterface):
    """The signed cookie of a browser. It goes by no clock of ours, which on a Pi without internet
    may be years away: the key that it names says whether it still counts, and the browser counts
    for itself when it was kept long enough."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """What the browser's cookie says, however old; nothing where we did not sign it."""
        sealed = self.get_signing_serializer(app)
        told = request.cookies.get(self.get_cookie_name(app), "")
        try:
            return self.session_class(sealed.loads(told) if sealed and told else None)
        except BadSignature:
            return self.session_class()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Send the cookie where it says something new, over https alone where it came so.

        Whoever is told to join may have joined meanwhile in another of the browser's pages.
        """
        if session.accessed:
            response.vary.add("Cookie")
        sealed = self.get_signing_serializer(app)
        out = response.status_code == 401 and ROLE in session
        if not sealed or not session.modified or out:
            return
        response.set_cookie(
            self.get_cookie_name(app),
            sealed.dumps(dict(session)),
            max_age=A_YEAR,
            httponly=True,
            secure=over_https(),
            samesite="Lax",
        )


def protect(app: Flask, settings: WebSettings) -> None:
    """Set the application's cookie, limits and headers, and whom it answers at all."""
    app.secret_key = settings.secret
    app.session_interface = Cookies()
    app.config.update(
        MAX_CONTENT_LENGTH=settings.upload_limit,
        SESSION_COOKIE_NAME=cookie_name(settings.secret),
    )
    app.before_request(check_host)
    app.after_request(add_headers)
    app.jinja_env.globals["form_token"] = form_token


def mind_forms(app: Flask) -> None:
    """Take nothing that another site's page sends, too large a file or a form of nobody's."""
    app.before_request(check_origin)
    app.before_request(allow_size)
    app.before_request(check_token)


def cookie_name(secret: str) -> str:
    """A name of this installation's own: cookies do not tell one port of a machine from another."""
    return "companion-" + hashlib.sha256(secret.encode()).hexdigest()[:8]


def check_host() -> ResponseReturnValue | None:
    """Answer by this machine's own names only: another site's name may have been made to lead
    here, and its page may read what it is told. So it is told nothing but this sentence."""
    host = request.environ.get("HTTP_HOST")
    settings = services().settings
    if not host or is_ours(host, settings.names):
        return None
    said = _(
        "The table is not called that: open %(where)s, or start the companion with --name.",
        where=settings.address or "http://localhost/",
    )
    return Response(f"{said}\n", 421, mimetype="text/plain")


def check_origin() -> None:
    """Refuse what another site's page sends; programs send neither header and may pass.

    A page of ours may be led to from elsewhere. What programs read is for programs and our own
    pages, and no other site's page shows our pictures.
    """
    reading = request.method in SAFE
    origin = request.headers.get("Origin")
    if origin is not None and not ours(origin) and not (reading and not for_programs()):
        abort(403)
    if request.headers.get("Sec-Fetch-Site") not in ("cross-site", "same-site"):
        return
    led = request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
    if not (reading and led and not for_programs()):
        abort(403)


def for_programs() -> bool:
    """Whether this is an address that no browser opens as a page."""
    return request.path.startswith("/api/") or request.path == "/live"


def allow_size() -> None:
    """How much this page may be sent: most take one photo, few several or a file of games."""
    one = services().settings.upload_limit
    if request.endpoint in SEVERAL_PHOTOS:
        request.max_content_length = MOST * one + AROUND
    elif request.endpoint == IMPORT:
        request.max_content_length = LARGEST + AROUND
    elif request.endpoint in OPEN:
        request.max_content_length = AROUND


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
    if over_https() or on_the_spot():  # elsewhere browsers heed it not, and say so in their console
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response
