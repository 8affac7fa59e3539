"""The home page: go on, begin, count a photo, join from another phone."""

from __future__ import annotations

import segno
from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from companion.web.rounds import game_key
from companion.web.services import services, table_now
from companion.web.serving import only_here

pages = Blueprint("home", __name__)


@pages.get("/")
def home() -> ResponseReturnValue:
    """What can be done now, and the address for the others."""
    address = address_here()
    return render_template(
        "home.html",
        address=address,
        code=address and qr_code(address),
        seen=game_key(table_now()),
    )


def address_here() -> str | None:
    """The address that others type; None where only this machine can open it."""
    address = services().settings.address or request.host_url
    if only_here(address):
        address = request.host_url
    return None if only_here(address) else address


def qr_code(text: str) -> Markup:
    """A QR code as SVG: black on white, sized by the style sheet."""
    drawn = segno.make(text, error="m", micro=False).svg_inline(
        omitsize=True, border=3, light="#fff", svgclass="qr", lineclass="qr-dark"
    )
    return Markup(drawn)
