"""From a chosen file, or the hub camera, to a stored photo in the reading queue.

Knows neither hands nor scores: what a photo is about is handed through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from flask import current_app, request
from flask.blueprints import BlueprintSetupState
from werkzeug.datastructures import FileStorage

from companion.errors import RuleBroken
from companion.photos import PhotoStore
from companion.web.reading import ReadingQueue
from companion.web.services import KEY, Services, services
from companion.web.words import _

QUEUE = "photo_queue"
MOST = 6
"""Photos of one hand at most: more would be the table, or another hand."""


def open_queue(state: BlueprintSetupState) -> None:
    """Give the application its queue; no thread starts before the first photo."""
    here: Services = state.app.extensions[KEY]
    state.app.extensions[QUEUE] = ReadingQueue(lambda photo: read_photo(here, photo))


def read_photo(here: Services, photo: str) -> None:
    """Read one stored photo and keep what was read; before it the one that it was taken with."""
    store = here.photos
    found = store.get(photo) if store else None
    if store is None or found is None or found.draft is not None:
        return
    about = found.about
    if "with" in about:
        read_photo(here, about["with"])
    reading = here.reader.read(
        store.picture(photo), highest=about.get("set"), double_blank=about["blank"]
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
    return _from_files(_sent()[:1], about)


def from_uploads(about: Mapping[str, Any]) -> str:
    """The same where several photos of one hand may be sent; the id of the last of them.

    The others are kept ``with`` the first, or with the one that ``about`` names.
    """
    sent = _sent()
    if len(sent) > MOST:
        raise RuleBroken(_("Choose at most %(n)s photos of one hand.", n=MOST))
    return _from_files(sent, about)


def _sent() -> list[FileStorage]:
    sent = [file for file in request.files.getlist("photo") if file.filename]
    if not sent:
        raise RuleBroken(_("No photo was chosen: choose one, then send it."))
    return sent


def _from_files(files: list[FileStorage], about: Mapping[str, Any]) -> str:
    kept: list[str] = []
    for file in files:
        photos = _photos_with_room()
        data = file.read()
        if not data:
            raise RuleBroken(_("That file is empty: choose another photo."))
        together = {"with": kept[0]} if kept and "with" not in about else {}
        kept.append(_queued(photos.keep(data, {**about, **together})))
    return kept[-1]


def from_hub(about: Mapping[str, Any]) -> str:
    """Keep a picture that the hub camera takes after this call; its id. Raises Trouble."""
    photos, watch = _photos_with_room(), services().watch
    if watch is None:
        raise RuleBroken(_("There is no hub camera: take a photo, or type the score."))
    with _simulated_hand(str(about.get("player", ""))):
        image = watch.fresh().image
    return _queued(photos.keep_picture(image, about))


def hub_camera() -> bool:
    """Whether a hub camera works just now; one that does not is not offered."""
    watch = services().watch
    return services().photos is not None and watch is not None and watch.trouble is None


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


def _queued(photo: str) -> str:
    queue().put(photo)
    return photo
