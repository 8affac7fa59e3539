"""Who is asking: this machine itself, a device that has joined and as what, or a stranger.

A browser that joined carries its role and the name of the key in its signed cookie; a program
sends the link's token along. Knows no page.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

from flask import g, request, session
from werkzeug.exceptions import HTTPException

from companion.joining import HOST, ROLES, Guesses, Key, same
from companion.journalfile import refused
from companion.keyfile import TableKey
from companion.ownnames import LOCALHOST, is_loopback, named
from companion.web.roles import enough, least
from companion.web.services import services

ROLE, GENERATION, DAY = "role", "key", "day"
"""What the cookie says: as what this device joined, by which key, and when that was seen last."""
TOKEN = "token"  # nosec B105 # a field's name
RENEWING = "joining.renew"
"""The page that makes a new key."""
A_DAY = 24 * 3600
RENEWED = 7
"""Days after which the cookie of a device that is in use is written anew, for another year."""
AGAIN = 120.0
"""Seconds in which the browser that made a new key may ask once more, as it has not heard of it."""
PROXIES = (
    "HTTP_X_FORWARDED_FOR",
    "HTTP_FORWARDED",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
    "HTTP_VIA",
)
"""What a proxy adds: one of these, and it is not this machine itself that asks."""


class Locked(Exception):
    """Too many wrong codes: ``seconds`` to wait before the next."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


@dataclass(frozen=True)
class Renewal:
    """A new key: the browser (by the token of its forms) and the tap that asked for it, the name of
    the key before, the key that was made, and when."""

    browser: str
    once: str
    before: str
    made: Key
    at: float


class Door:
    """The table's key, who guesses at its codes, and who made it. Safe in any thread."""

    def __init__(self, keys: TableKey, clock: Callable[[], float] = time.monotonic) -> None:
        self.keys = keys
        self._guesses = Guesses()
        self._clock = clock
        self._guessing, self._renewing = Lock(), Lock()
        self._last: Renewal | None = None

    def by_code(self, key: Key, typed: str, who: str) -> str | None:
        """The role that a typed code opens; None, and counted, where it opens nothing.

        Raises Locked, also for a right one, while this address or everybody has to wait.
        """
        with self._guessing:
            wait = self._guesses.wait(who, self._clock())
            if wait > 0:
                raise Locked(math.ceil(wait))
            role = key.opened_by_code(typed)
            if role is None:
                self._guesses.wrong(who, self._clock())
            return role

    def renew(self, before: str, browser: str, once: str) -> Key | None:
        """Another key instead of the one of that name; None where that one has gone already.

        A browser that asks twice, as its first answer got lost or two of its tabs asked at once,
        is given what was made for it. Raises JournalTrouble when the disk refuses.
        """
        with self._renewing:
            now, last = self.keys.key, self._last
            if last is not None and last.made == now and same(browser, last.browser):
                if last.before == before or self._again(last, once):
                    return now
            if now.generation != before:
                return None
            try:
                made = self.keys.renew()
            except OSError as error:
                raise refused(error) from error
            self._last = Renewal(browser, once, before, made, self._clock())
            return made

    def renewed(self, before: str, browser: str, once: str) -> bool:
        """Whether the key of now was made just now by this tap of this browser, which still shows
        the one before. Who has its cookie alone, a thief say, does not know the tap."""
        last = self._last
        if last is None or last.before != before or last.made != self.keys.key:
            return False
        return same(browser, last.browser) and self._again(last, once)

    def _again(self, last: Renewal, once: str) -> bool:
        return bool(once) and same(once, last.once) and self._clock() - last.at < AGAIN


def over_https() -> bool:
    """Whether the browser came encrypted, to a proxy of this machine."""
    told = request.environ.get("HTTP_X_FORWARDED_PROTO", "")
    return told == "https" and is_loopback(request.remote_addr or "")


def proxied(environ: Mapping[str, Any]) -> bool:
    """Whether somebody in between handed this request on."""
    return any(environ.get(name) for name in PROXIES)


def on_the_spot() -> bool:
    """Whether this machine itself asks, by a name or number that only leads back to it."""
    if proxied(request.environ) or not is_loopback(request.remote_addr or ""):
        return False
    host = request.environ.get("HTTP_HOST")
    name = named(host) if host else LOCALHOST
    return name is not None and (name == LOCALHOST or is_loopback(name))


def address() -> str:
    """Where the visitor is: behind a proxy of this machine, what that one says of it last."""
    near = request.remote_addr or ""
    told = request.environ.get("HTTP_X_FORWARDED_FOR", "")
    if told and is_loopback(near):
        return str(told).rpartition(",")[2].strip() or near
    return near


def key_now() -> Key:
    """The key as this request sees it: the same one from its first line to its last. So who shows
    an old one while a new one is made is not given that one."""
    if "key" not in g:
        g.key = services().door.keys.key
    seen: Key = g.key
    return seen


def role_now() -> str | None:
    """As what this visitor is here; None for a stranger. Found out once a request."""
    if "role" not in g:
        g.role = _role()
    found: str | None = g.role
    return found


def may(page: str) -> bool:
    """Whether this visitor may use a page, named as in ``roles``."""
    return enough(role_now(), least(page))


def _role() -> str | None:
    if on_the_spot():
        return HOST
    if (token := _token()) is not None:
        return key_now().opened_by_link(token)
    return joined() or _renewing()


def _token() -> str | None:
    """The token that a program sends along; pages take none."""
    if not (request.path.startswith("/api/") or request.path == "/live"):
        return None
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


def joined() -> str | None:
    """What the cookie of this browser says, as long as the key is the one it joined by."""
    role = session.get(ROLE)
    return role if role in ROLES and session.get(GENERATION) == key_now().generation else None


def was_in() -> bool:
    """Whether this browser had joined by a key that counts no more."""
    return role_now() is None and session.get(ROLE) in ROLES


def _renewing() -> str | None:
    """Host for the browser that made the key of now and asks for it once more, as it still has the
    cookie of before."""
    if request.endpoint != RENEWING or request.method != "POST" or session.get(ROLE) != HOST:
        return None
    before, browser = str(session.get(GENERATION)), str(session.get(TOKEN, ""))
    try:
        once = request.form.get("once", "")
    except HTTPException:  # a form that is too large has no fields
        return None
    return HOST if services().door.renewed(before, browser, once) else None


def let_in(role: str, key: Key) -> None:
    """This browser has joined by this key. One that may more already stays what it is."""
    g.key = key
    had = joined()
    if had is not None and enough(had, role):
        role = had
    form_token()
    session[ROLE] = role
    session[GENERATION] = key.generation
    session[DAY] = today()


def form_token() -> str:
    """This visitor's token, for the hidden field ``token`` of every form."""
    token = session.get(TOKEN)
    if not isinstance(token, str):
        token = secrets.token_urlsafe(18)
        session[TOKEN] = token
    return token


def stay() -> None:
    """Let the cookie of a device that is in use last for another year, also where the clock was
    wrong when it joined and has been put right."""
    if joined() is not None and abs(today() - int(session.get(DAY, 0))) >= RENEWED:
        session[DAY] = today()


def today() -> int:
    """The day as a number."""
    return int(time.time() // A_DAY)


def thrown_out() -> Callable[[], bool]:
    """Tells later, outside of this request, whether its visitor has been thrown out since."""
    keys = services().door.keys
    began = None if on_the_spot() else key_now()
    return lambda: began is not None and keys.key != began
