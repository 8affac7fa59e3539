"""The pages of one photo: waiting while it is read, checking its tiles, counting them as a hand.

Serves the picture and its enlarged tiles. Where a photo came from, and what a hand may be, is
for others to say.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from flask import Blueprint, Response, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.dominoes import Tile
from companion.draft import Draft
from companion.errors import PhotoUnreadable, RuleBroken, Trouble
from companion.photos import Photo, is_id
from companion.pieces import Ends
from companion.vision.crops import as_jpeg, upright_tile
from companion.web import uploads
from companion.web.checking import cell_of, check_context, is_old, player_of, still_open
from companion.web.refusals import Refusal
from companion.web.rounds import HandStands, give_hand, lead_to, onward, round_over
from companion.web.services import table_now
from companion.web.taps import number, then, word
from companion.web.words import _

pages = Blueprint("photos", __name__)
pages.record_once(uploads.open_queue)

PATIENCE = 0.5
"""Seconds that a page waits for the reader before it shows the place in the queue instead."""
FOREVER = "private, max-age=31536000, immutable"


@pages.get("/photo/<photo>")
def show(photo: str) -> ResponseReturnValue:
    """The photo with its tiles to check; before that, where it stands in the queue.

    One that was added to another photo of the same hand leads there.
    """
    found = known(photo)
    if found.draft is None:
        found = read_soon(found)
    if found.draft is None:
        return waiting_page(found)
    first = taken_with(found)
    if first is not None and first.draft is not None:
        return then(url_for("photos.show", photo=first.id))
    return check_page(found)


def taken_with(found: Photo) -> Photo | None:
    """The photo of the same hand that this one was added to; None for a first or only one."""
    return uploads.store().get(found.about.get("with", ""))


def known(photo: str) -> Photo:
    """The photo of a page; one that is not kept any more leads to the sheet with a sentence."""
    if is_id(photo) and uploads.store().get(photo) is None:
        lead_to(url_for("sheet.show", gone="photo"))
    return wanted(photo)


def changeable(photo: str) -> Photo:
    """The photo of a tap; one of an earlier game leads to the sheet, as nothing waits for it."""
    found = known(photo)
    if is_old(found):
        lead_to(url_for("sheet.show", gone="game"))
    return found


def wanted(photo: str) -> Photo:
    """The photo of an address; 404 where there is none."""
    found = uploads.store().get(photo)
    if found is None:
        abort(404)
    return found


def read_soon(found: Photo) -> Photo:
    """Wait a moment for the reading; a photo that was left unread by a restart is queued again."""
    queue = uploads.queue()
    if queue.failure(found.id) is None:
        queue.put(found.id)
        queue.wait(found.id, PATIENCE)
    return wanted(found.id)


def waiting_page(found: Photo) -> ResponseReturnValue:
    """How long it will take; the page asks again by itself, without JavaScript too."""
    queue = uploads.queue()
    why = queue.failure(found.id)
    page = render_template(
        "photo_wait.html",
        photo=found,
        place=queue.place(found.id),
        progress=queue.progress(found.id),
        why=why,
        back=back_to(found),
    )
    return page if why is None else (page, 422)


def back_to(found: Photo) -> str:
    """Where another photo is taken, or the score typed; for a hand of the past, its score."""
    if taken_with(found) is not None:
        return url_for("photos.show", photo=found.about["with"])
    player = player_of(found)
    if player is not None:
        return url_for("score.hand", seat=player.seat)
    if found.about["kind"] == "count":
        return url_for("count.show")
    cell = cell_of(found)
    return url_for("sheet.show") if cell is None else url_for("sheet.cell", **cell)


def check_page(
    found: Photo, *, refusal: Refusal | None = None, stands: HandStands | None = None
) -> str:
    """The photo with its outlines, what is doubtful first, and the total."""
    return render_template(
        "photo.html",
        **check_context(found, request.args),
        camera=uploads.hub_camera(),
        back=back_to(found),
        refusal=refusal,
        stands=stands,
    )


@pages.post("/photo/<photo>/tiles")
def change(photo: str) -> ResponseReturnValue:
    """One tap on a tile: another value, right as it is, gone, back, or one more."""
    found = changeable(photo)
    if not still_open(found):
        raise round_over(found.about["round"], table_now())
    tile = number(request.form, "tile") or 0
    changed, stay = change_of(tile)
    uploads.store().edit(photo, changed)
    if stay:
        return then(url_for("photos.show", photo=photo, tile=tile) + "#check")
    return then(url_for("photos.show", photo=photo) + "#check")


def change_of(tile: int) -> tuple[Any, bool]:
    """The change that the pressed button asks for, and whether its tile stays chosen."""
    form = request.form
    for half, name in enumerate(("one", "other")):
        if name in form:
            value = value_of(name)
            return (lambda draft: draft.with_half(tile, half, value)), True
    if "ends" in form:
        ends = ends_of(form["ends"])
        return (lambda draft: draft.with_ends(tile, ends)), False
    if form.get("do") == "add":
        ends, key = (value_of("a"), value_of("b")), word(form, "once")
        return (lambda draft: draft.with_added(ends, key)), False
    if form.get("do") in ("same", "apart"):
        change_all = Draft.with_same if form["do"] == "same" else Draft.with_apart
        tiles = [Tile.of(*ends_of(name)) for name in form.getlist("both")]
        return (lambda draft: reduce(change_all, tiles, draft)), False
    if form.get("do") == "undo":
        edited = number(form, "edited")
        return (lambda draft: draft.undone(edited)), tile > 0
    plain = {
        "right": (Draft.confirmed, False),
        "remove": (Draft.without, False),
        "back": (Draft.with_again, True),
    }
    if form.get("do") not in plain:
        abort(400)
    change, stay = plain[form["do"]]
    return (lambda draft: change(draft, tile)), stay


def value_of(name: str) -> int:
    """A half's value from the form. Raises RuleBroken with a sentence."""
    value = number(request.form, name)
    if value is None:
        raise RuleBroken(_("Choose a number for both halves of the tile."))
    try:
        Tile.of(value, value)
    except ValueError as error:
        raise RuleBroken(str(error)) from None
    return value


def ends_of(text: str) -> Ends:
    """Two ends in the order they lie, from ``"12-5"``. Raises RuleBroken with a sentence."""
    try:
        Tile.parse(text)
    except ValueError as error:
        raise RuleBroken(str(error)) from None
    one, other = text.split("-")
    return int(one), int(other)


@pages.post("/photo/<photo>/more")
def more(photo: str) -> ResponseReturnValue:
    """One more photo of the same hand, or one of those added left out again."""
    found = changeable(photo)
    if not still_open(found):
        raise round_over(found.about["round"], table_now())
    if found.draft is None or taken_with(found) is not None:
        return then(url_for("photos.show", photo=photo))
    pressed, left_out = request.form.get("do"), request.form.get("leave")
    try:
        if left_out is not None:
            uploads.store().edit(photo, lambda draft: draft.without_photo(left_out))
            return then(url_for("photos.show", photo=photo) + "#check")
        take = uploads.from_hub if pressed == "camera" else uploads.from_uploads
        return then(url_for("photos.show", photo=take({**found.about, "with": photo})))
    except (RuleBroken, PhotoUnreadable) as error:
        return check_page(found, refusal=Refusal.of(error)), 422
    except Trouble as trouble:
        return check_page(found, refusal=Refusal(str(trouble))), 503


@pages.post("/photo/<photo>/score")
def score(photo: str) -> ResponseReturnValue:
    """Everything is right: the tiles count as this player's hand, with the photo as proof."""
    found = changeable(photo)
    player, draft = player_of(found), found.draft
    if player is None or draft is None:
        raise round_over(found.about.get("round", ""), table_now())
    told = {"tiles": [str(tile) for tile in draft.tiles], "photo": photo}
    try:
        give_hand(player.name, told, found.about["round"], request.form.get("standing"))
    except HandStands as stands:
        return check_page(found, stands=stands), 409
    except RuleBroken as error:
        return check_page(found, refusal=Refusal.of(error)), 422
    return then(onward(player.name))


@pages.get("/photo/<photo>.jpg")
def picture(photo: str) -> ResponseReturnValue:
    """The picture as it is stored."""
    wanted(photo)
    try:
        data = uploads.store().path(photo).read_bytes()
    except OSError:
        abort(404)
    return jpeg(data)


@pages.get("/photo/<photo>/crop/<int:tile>")
def crop(photo: str, tile: int) -> ResponseReturnValue:
    """One tile of the photo, upright and enlarged."""
    draft = wanted(photo).draft
    piece = draft.piece(tile) if draft else None
    if piece is None or piece.corners is None:
        abort(404)
    image = uploads.store().picture(piece.photo or photo)
    return jpeg(as_jpeg(upright_tile(image, piece.corners), 85))


def jpeg(data: bytes) -> Response:
    """A picture that never changes under its address."""
    answer = Response(data, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = FOREVER
    return answer
