"""From a chosen file, or the hub camera, to a stored photo in the reading queue.

Knows neither hands nor scores: what a photo is about is handed through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from flask import current_app, request
from flask.blueprints import BlueprintSetupState

from companion.errors import RuleBroken
from companion.photos import PhotoStore
from companion.web.reading import ReadingQueue
from companion.web.services import KEY, Services, services
from companion.web.words import _

QUEUE = "photo_queue"


def open_queue(state: BlueprintSetupState) -> None:
    """Give the application its queue; no thread starts before the first photo."""
    here: Services = state.app.extensions[KEY]
    state.app.extensions[QUEUE] = ReadingQueue(lambda photo: read_photo(here, photo))


def read_photo(here: Services, photo: str) -> None:
    """Read one stored photo and keep what was read."""
    store = here.photos
    found = store.get(photo) if store else None
    if store is None or found is None:
        return
    about = found.about
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
    sent = [file for file in request.files.getlist("photo") if file.filename]
    if not sent:
        raise RuleBroken(_("No photo was chosen: choose one, then send it."))
    photos = _photos_with_room()
    data = sent[0].read()
    if not data:
        raise RuleBroken(_("That file is empty: choose another photo."))
    return _queued(photos.keep(data, about))


def from_hub(about: Mapping[str, Any]) -> str:
    """Keep a picture that the hub camera takes after this call; its id. Raises Trouble."""
    photos, watch = _photos_with_room(), services().watch
    if watch is None:
        raise RuleBroken(_("There is no hub camera: take a photo, or type the score."))
    with _simulated_hand(str(about.get("player", ""))):
        image = watch.fresh().image
    return _queued(photos.keep_picture(image, about))


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
