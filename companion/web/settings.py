"""The settings page: what this device shows, what the house chose for its table, who comes in.

A device's wishes are cookies; the table's choices are kept with the games. Also tells, system by
system, how a tablet is kept awake. What a choice does is for others to do.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass

from flask import Blueprint, make_response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion import sweeping
from companion.errors import NotAnAction
from companion.keeping import DAYS, KEEPINGS
from companion.photos import PhotoStore
from companion.web import ceremony
from companion.web.besttrain import allowed
from companion.web.devices import ON, SYSTEMS, WISHES, remember, systems, wish
from companion.web.joining import invitations
from companion.web.machine import machine
from companion.web.rounds import round_key
from companion.web.services import services
from companion.web.taps import then
from companion.web.visitors import may
from companion.web.words import _, ngettext

pages = Blueprint("settings", __name__)
pages.add_app_template_global(lambda: wish("theme"), "theme_now")
pages.add_app_template_global(lambda: wish("sounds") == ON, "sounds_on")

MEGA, GIGA = 10**6, 10**9


@dataclass(frozen=True)
class Deletion:
    """What has to be agreed to: this way of keeping lets so many photos go at once."""

    keeping: str
    count: int


@pages.get("/settings")
def show() -> ResponseReturnValue:
    """Everything that can be chosen, with what is chosen now."""
    return page()


def page(asked: Deletion | None = None) -> str:
    """The page; ``asked`` is a question to be answered first."""
    here = services()
    agent = request.headers.get("User-Agent", "")
    return render_template(
        "settings.html",
        asked=asked,
        theme=wish("theme"),
        sounds=wish("sounds"),
        ceremony=ceremony.wanted(),
        keeping=here.game.choices.photos,
        keepings=KEEPINGS,
        days=DAYS,
        photos=photos_told(here.photos) if here.photos and may("settings.keep") else None,
        best_train=allowed(),
        systems=SYSTEMS,
        mine=systems(agent),
        machine=machine(),
        invitations=invitations() if may("joining.renew") else {},
        renewing=request.args.get("key") == "new",
    )


def photos_told(store: PhotoStore) -> str:
    """How many photos there are, what they take and what is left on the disk."""
    count = len(store.kept())
    if not count:
        return _("No photo is kept now.")
    taken = size(store.weight())
    if not store.folder.exists():
        return ngettext("%(num)s photo is kept.", "%(num)s photos are kept.", count)
    return ngettext(
        "%(num)s photo is kept. It takes %(taken)s; %(free)s are free.",
        "%(num)s photos are kept. They take %(taken)s; %(free)s are free.",
        count,
        taken=taken,
        free=size(shutil.disk_usage(store.folder).free),
    )


def size(count: int) -> str:
    """Bytes as people say them."""
    if count >= GIGA:
        return _("%(n)s GB", n=count // GIGA)
    return _("%(n)s MB", n=max(1, round(count / MEGA)))


@pages.post("/settings/device")
def device() -> ResponseReturnValue:
    """This device wishes to look or sound otherwise."""
    wishes = {name: request.form[name] for name in WISHES if name in request.form}
    if not wishes or any(value not in WISHES[name] for name, value in wishes.items()):
        raise NotAnAction(_("That cannot be chosen: use the buttons of the page."))
    answer = make_response(then(url_for("settings.show")))
    for name, value in wishes.items():
        remember(answer, name, value)
    return answer


@pages.post("/settings/photos")
def keep() -> ResponseReturnValue:
    """Keep photos otherwise; what would go at once is asked first."""
    here, keeping = services(), request.form.get("keep", "")
    if here.photos is None or keeping not in KEEPINGS:
        raise NotAnAction(_("That cannot be chosen: use the buttons of the page."))
    going = sweeping.due(here.game, here.photos, round_key, keeping)
    if going and request.form.get("sure") != "1":
        return page(Deletion(keeping, len(going))), 409
    here.game.choices.keep_photos(keeping)
    here.photos.forget(going)
    return then(url_for("settings.show") + "#photos")


@pages.post("/settings/best-train")
def best_train() -> ResponseReturnValue:
    """Allow or forbid the search for the best train at this table."""
    said = request.form.get("best_train", "")
    if said not in ("on", "off"):
        raise NotAnAction(_("That cannot be chosen: use the buttons of the page."))
    services().game.choices.allow_best_train(said == "on")
    return then(url_for("settings.show") + "#best-train")
