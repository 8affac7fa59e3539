"""The pages: `create_app` puts the areas together around one running game.

Each area is a file with a blueprint; what they reach comes from `services()`. Nothing here
opens a device, a journal or a network address.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask

from companion.developing import Developer
from companion.edges import Buttons, Lights, Power, SimulatorControls
from companion.keyfile import TableKey
from companion.web import api, besttrain, ceremony, count, drawing, games, home, hunting
from companion.web import joining, language, live, machine
from companion.web import pastgame, persons, picks, rules, score, seats, security, setup, sheet
from companion.web import table, takeaway, tv
from companion.web import calibration, markers, seen, selftest
from companion.web import camera as camera_page
from companion.web import photos as photo_pages
from companion.web import settings as settings_page
from companion.web.asks import Hushed
from companion.web.people import Guests, People
from companion.web.refusals import handle_refusals
from companion.web.services import (
    KEY,
    Develops,
    Reads,
    Services,
    Watches,
    WebSettings,
    services,
)
from companion.web.visitors import Door
from companion.web.weight import make_light

if TYPE_CHECKING:
    from companion.game import Game
    from companion.keepsakes import Keepsakes
    from companion.photos import PhotoStore

__all__ = ["WebSettings", "create_app", "services"]


def create_app(
    game: Game,
    *,
    reader: Reads,
    darkroom: Develops | None = None,
    lights: Lights | None = None,
    watch: Watches | None = None,
    simulator: SimulatorControls | Callable[[], SimulatorControls | None] | None = None,
    photos: PhotoStore | None = None,
    people: People | None = None,
    settings: WebSettings | None = None,
    keepsakes: Keepsakes | None = None,
    buttons: Buttons | None = None,
    power: Power | None = None,
    notices: Sequence[Callable[[], str | None]] = (),
    key: TableKey | None = None,
) -> Flask:
    """The Flask application for this game. What is None is left out of the pages.

    ``people`` remembers names and looks over restarts: the journal. Without a ``darkroom`` photos
    are decoded and read in this process. ``simulator`` may tell at each call what the camera
    looks at just now; ``notices`` are asked at each page what everybody should know.
    """
    settings = settings or WebSettings()
    app = Flask(__name__, template_folder=str(templates_folder()))
    app.extensions[KEY] = Services(
        game=game,
        reader=reader,
        darkroom=darkroom or Developer(reader),
        lights=lights,
        watch=watch,
        simulated=simulator if callable(simulator) else lambda: simulator,
        photos=photos,
        people=people or Guests(),
        settings=settings,
        streams=live.Streams(settings.streams),
        hushed=Hushed(),
        door=Door(key or TableKey()),
        keepsakes=keepsakes,
        buttons=buttons,
        power=power,
        notices=notices,
    )
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    language.speak_languages(app)
    security.protect(app, settings)
    joining.mind_the_door(app)
    security.mind_forms(app)
    handle_refusals(app)
    drawing.teach_templates(app)
    make_light(app)
    areas = (home, setup, table, score, photo_pages, sheet, count, live, api)
    for area in (*areas, picks, rules, seats, games, besttrain, hunting, ceremony, tv):
        app.register_blueprint(area.pages)
    for area in (calibration, markers, selftest, seen):
        app.register_blueprint(area.pages)
    for area in (
        joining,
        camera_page,
        settings_page,
        machine,
        language,
        pastgame,
        persons,
        takeaway,
    ):
        app.register_blueprint(area.pages)
    return app


def templates_folder() -> Path:
    """The templates beside the package in an installed copy, one level up in a checkout."""
    package = Path(__file__).resolve().parent.parent
    beside = package / "templates"
    return beside if beside.is_dir() else package.parent / "templates"
