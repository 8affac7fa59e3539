"""Which language a page speaks: what this device chose, else what its browser asks for.

Knows which languages there are and nothing of the words. Programs are answered in English.
"""

from __future__ import annotations

from flask import Blueprint, Flask, Response, make_response, request
from flask.typing import ResponseReturnValue
from flask_babel import Babel, get_locale

from companion.errors import NotAnAction
from companion.web.refusals import back_here, wants_json
from companion.web.taps import then
from companion.web.words import _, teach_words

pages = Blueprint("language", __name__)

LANGUAGES = {
    "en": "English",
    "pt": "Português",
    "nl": "Nederlands",
    "af": "Afrikaans",
    "sl": "Slovenščina",
    "es": "Español",
}
"""The languages by code, each under the name that its speakers know."""

DEVICE = "device"
"""The choice to speak what the browser asks for."""
COOKIE = "language"
A_YEAR = 365 * 24 * 3600


def speak_languages(app: Flask) -> None:
    """Let the pages of this application speak the reader's language."""
    Babel(app, default_locale="en", locale_selector=language_now)
    teach_words(app)
    app.jinja_env.globals.update(
        LANGUAGES=LANGUAGES,
        language_chosen=chosen,
        language_now=language_now,
        text_direction=lambda: get_locale().text_direction,
    )
    app.after_request(tell_caches)


def language_now() -> str:
    """The language that this request is answered in."""
    if wants_json():
        return "en"
    return chosen() or asked_for() or "en"


def asked_for() -> str | None:
    """The first of the browser's languages that is spoken here, whatever its country."""
    wished = (tag.partition("-")[0].lower() for tag, much in request.accept_languages if much)
    return next((language for language in wished if language in LANGUAGES), None)


def chosen() -> str | None:
    """What this device chose; None while it leaves that to its browser."""
    said = request.cookies.get(COOKIE)
    return said if said in LANGUAGES else None


def tell_caches(response: Response) -> Response:
    """A page is another one in another language."""
    if response.mimetype == "text/html":
        response.vary.update(("Accept-Language", "Cookie"))
    return response


@pages.post("/language")
def choose() -> ResponseReturnValue:
    """This device reads another language from now on; the page is shown again in it."""
    wish = request.form.get("language", "")
    if wish != DEVICE and wish not in LANGUAGES:
        raise NotAnAction(_("There is no such language here: choose one of the list."))
    answer = make_response(then(back_here()))
    if wish == DEVICE:
        answer.delete_cookie(COOKIE)
    else:
        answer.set_cookie(COOKIE, wish, max_age=A_YEAR, httponly=True, samesite="Lax")
    return answer
