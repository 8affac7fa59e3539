"""From a chosen file, or the hub camera, to a stored photo in the reading queue.

Knows neither hands nor scores: what a photo is about is handed through.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from flask import abort, current_app, request
from flask.blueprints import BlueprintSetupState
from werkzeug.datastructures import FileStorage

from companion.errors import RuleBroken, Trouble
from companion.photos import PhotoStore, made_ready
from companion.web.reading import ReadingQueue
from companion.web.services import KEY, Services, services
from companion.web.words import _

QUEUE, KEEPING = "photo_queue", "photo_keeping"
MOST = 6
"""Photos of one hand at most: more would be the table, or another hand."""


def open_queue(state: BlueprintSetupState) -> None:
    """Give the application its queue; no thread starts before the first photo."""
    here: Services = state.app.extensions[KEY]
    state.app.extensions[QUEUE] = ReadingQueue(lambda photo: read_photo(here, photo))
    state.app.extensions[KEEPING] = threading.Lock()


def read_photo(here: Services, photo: str) -> None:
    """Read one stored photo and keep what was read; before it the one that it was taken with."""
    store = here.photos
    found = store.get(photo) if store else None
    if store is None or found is None or found.draft is not None:
        return
    about = found.about
    if "with" in about:
        read_photo(here, about["with"])
    reading = here.darkroom.read(
        store.contents(photo), highest=about.get("set"), double_blank=about["blank"]
    )
    store.save_reading(photo, reading)


def queue() -> ReadingQueue:
    """The running application's queue."""
    return cast(ReadingQueue, current_app.extensions[QUEUE])


def store() -> PhotoStore:
    """The running application's photos. Raises RuleBroken where it keeps none."""
    photos = services().photos
    if photos is None:
        raise RuleBroken(_("No photos are kept here: type the score."))
    return photos


def from_upload(about: Mapping[str, Any]) -> str:
    """Keep the photo that was sent and let it be read; its id. Raises Trouble with a sentence."""
    return _kept([made_of(_sent()[0])], about)


def from_uploads(about: Mapping[str, Any]) -> str:
    """The same where several photos of one hand may be sent; the id of the last of them.

    The others are kept ``with`` the first, or with the one that ``about`` names. Either all of
    them are kept or none.
    """
    sent = _sent()
    check_room(about, len(sent))
    return _kept([made_of(file) for file in sent], about)


def _sent() -> list[FileStorage]:
    sent = [file for file in request.files.getlist("photo") if file.filename]
    if not sent:
        raise RuleBroken(_("No photo was chosen: choose one, then send it."))
    return sent


def made_of(file: FileStorage) -> bytes:
    """A sent photo as it is stored. Raises Trouble for what is none, 413 for one too large."""
    most = services().settings.upload_limit
    data = file.read(most + 1)
    if len(data) > most:
        abort(413)
    if not data:
        raise RuleBroken(_("That file is empty: choose another photo."))
    return services().darkroom.develop(data)


def check_room(about: Mapping[str, Any], more: int) -> None:
    """Raise RuleBroken where so many photos more are too many for their hand."""
    there = photos_with(str(about.get("with", "")))
    if there >= MOST:
        raise RuleBroken(_("There are %(n)s photos of this hand already.", n=there))
    if there + more > MOST:
        raise RuleBroken(_("Choose at most %(n)s photos of one hand.", n=MOST))


def photos_with(first: str) -> int:
    """How many photos the hand of this first one has, those that wait to be read among them."""
    unread = store().unread_with(first)  # asked first: one that is read meanwhile is in the draft
    found = store().get(first)
    if found is None:
        return 0
    shots = {shot.id for shot in found.draft.shots} if found.draft else set()
    return 1 + len(shots | {photo for photo in unread if queue().failure(photo) is None})


def _kept(pictures: list[bytes], about: Mapping[str, Any]) -> str:
    """Keep these pictures, all of them or none, and let them be read; the id of the last."""
    here, photos = cast(threading.Lock, current_app.extensions[KEEPING]), _photos_with_room()
    kept: list[str] = []
    with here:  # so that of photos sent at once no more are kept than there is room for
        check_room(about, len(pictures))
        try:
            for picture in pictures:
                together = {"with": kept[0]} if kept and "with" not in about else {}
                kept.append(photos.keep_made(picture, {**about, **together}))
        except Trouble:
            photos.forget(kept)
            raise
    for photo in kept:
        queue().put(photo)
    return kept[-1]


def from_hub(about: Mapping[str, Any]) -> str:
    """Keep a picture that the hub camera takes after this call; its id. Raises Trouble."""
    watch = services().watch
    _photos_with_room()
    if watch is None:
        raise RuleBroken(_("There is no hub camera: take a photo, or type the score."))
    check_room(about, 1)
    with _simulated_hand(str(about.get("player", ""))):
        image = watch.fresh().image
    return _kept([made_ready(image)], about)


def hub_camera() -> bool:
    """Whether a hub camera works just now; one that does not, or is simulated, is not offered."""
    here = services()
    if here.photos is None or here.watch is None or here.simulator is not None:
        return False
    return here.watch.trouble is None


@contextmanager
def _simulated_hand(player: str) -> Iterator[None]:
    """Where the table is simulated nobody can lay a hand under the camera: it is laid for them."""
    table = services().simulator
    hand = table.hand_of(player) if table is not None else ()
    if table is None or not hand:
        yield
        return
    table.lay_hand(hand)
    try:
        yield
    finally:
        table.clear_hand()


def _photos_with_room() -> PhotoStore:
    if queue().full():
        raise RuleBroken(_("Many photos wait to be read: try again in a moment, or type."))
    return store()
