"""The pages: `create_app` puts the areas together around one running game.

Each area is a file with a blueprint; what they reach comes from `services()`. Nothing here
opens a device, a journal or a network address.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask

from companion.edges import Lights, SimulatorControls
from companion.web import api, besttrain, ceremony, count, drawing, games, home, hunting
from companion.web import language, live
from companion.web import pastgame, persons, picks, rules, score, seats, security, setup, sheet
from companion.web import table, takeaway, tv
from companion.web import camera as camera_page
from companion.web import photos as photo_pages
from companion.web import settings as settings_page
from companion.web.asks import Hushed
from companion.web.people import Guests, People
from companion.web.refusals import handle_refusals
from companion.web.services import (
    KEY,
    Reads,
    Services,
    Watches,
    WebSettings,
    services,
)
from companion.web.weight import make_light

if TYPE_CHECKING:
    from companion.game import Game
    from companion.photos import PhotoStore

__all__ = ["WebSettings", "create_app", "services"]


def create_app(
    game: Game,
    *,
    reader: Reads,
    lights: Lights | None = None,
    watch: Watches | None = None,
    simulator: SimulatorControls | None = None,
    photos: PhotoStore | None = None,
    people: People | None = None,
    settings: WebSettings | None = None,
) -> Flask:
    """The Flask application for this game. What is None is left out of the pages.

    ``people`` remembers names and looks over restarts: the journal.
    """
    settings = settings or WebSettings()
    app = Flask(__name__, template_folder=str(templates_folder()))
    app.extensions[KEY] = Services(
        game=game,
        reader=reader,
        lights=lights,
        watch=watch,
        simulator=simulator,
        photos=photos,
        people=people or Guests(),
        settings=settings,
        streams=live.Streams(settings.streams),
        hushed=Hushed(),
    )
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    language.speak_languages(app)
    security.protect(app, settings)
    handle_refusals(app)
    drawing.teach_templates(app)
    make_light(app)
    areas = (home, setup, table, score, photo_pages, sheet, count, live, api)
    for area in (*areas, picks, rules, seats, games, besttrain, hunting, ceremony, tv):
        app.register_blueprint(area.pages)
    for area in (camera_page, settings_page, language, pastgame, persons, takeaway):
        app.register_blueprint(area.pages)
    return app


def templates_folder() -> Path:
    """The templates beside the package in an installed copy, one level up in a checkout."""
    package = Path(__file__).resolve().parent.parent
    beside = package / "templates"
    return beside if beside.is_dir() else package.parent / "templates"
