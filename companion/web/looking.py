"""What the pages about the camera's picture share: a fresh look, its reading, a tap on it.

Knows pictures and places in them; what a place means, the pages say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import abort

from companion.choices import Choices
from companion.errors import RuleBroken
from companion.layout import Layout, spread
from companion.observation import PhotoReading, Point
from companion.vision.crops import as_jpeg
from companion.vision.frames import small
from companion.vision.moved import View as CameraView
from companion.vision.placing import ways_from
from companion.web.outlines import View
from companion.web.services import Watches, report_now, services, table_now
from companion.web.uploads import queue
from companion.web.words import _

PLAIN_WIDTHS = (300, 640)
"""The widths, in pixels, of the pictures that are tapped without script, which place the tap."""
_MARGIN = 0.05
"""The room between a seat's handle and the picture's edge, in shorter sides."""
_REACH = 0.36
"""How far from the hub the handles of the seats are drawn, in shorter sides."""


@dataclass(frozen=True)
class Way:
    """The way from the hub to one seat in the drawing: number from 1, whose (a player's name or
    ``"mexican"``), degrees, its handle's place, whether somebody or something told it, and whether
    it is a guess, since it is neither told nor seen.
    """

    number: int
    train: str
    angle: float
    x: float
    y: float
    told: bool
    guess: bool = False


@dataclass(frozen=True)
class Drawn:
    """A layout in the pixels of a picture: hub, area (corners as points), ways; what is only
    supposed is drawn as such."""

    width: int
    height: int
    x: float
    y: float
    hub_told: bool
    ring: float
    area: tuple[tuple[float, float], ...]
    area_told: bool
    ways: tuple[Way, ...]

    @property
    def any_told(self) -> bool:
        """Whether there is anything to show over the live view."""
        return self.hub_told or self.area_told or any(way.told for way in self.ways)

    @property
    def points(self) -> str:
        """The area's corners as SVG has them."""
        return " ".join(f"{x:.0f},{y:.0f}" for x, y in self.area)


def watch_here() -> Watches:
    """The watch; 404 where nothing is watched or there is no camera at all."""
    watch = services().watch
    if watch is None or not watch.camera.there:
        abort(404)
    return watch


def choices() -> Choices:
    """What this house chose."""
    return services().game.choices


def trains_now() -> list[str]:
    """The trains as the lamps count them: the players in seat order, the Mexican Train last."""
    game = report_now()["game"]
    return [*game["players"], "mexican"] if game else []


def highest_now() -> int | None:
    """The set in use."""
    state = table_now().state
    return None if state is None else state.set.highest


def picture_size(watch: Watches) -> tuple[int, int]:
    """Width and height of the camera's picture. Raises DeviceTrouble while it has none."""
    sighting = watch.sighting
    if sighting is not None and sighting.reading is not None:
        return sighting.reading.width, sighting.reading.height
    height, width = watch.fresh().image.shape[:2]
    return int(width), int(height)


def read_now(image: Any) -> PhotoReading:
    """What lies in this picture of the camera, read in turn with the photos."""
    here, highest = services(), highest_now()
    data = as_jpeg(image, 95)
    return queue().now(lambda: here.darkroom.read(data, highest=highest))


def view_of(image: Any) -> bytes:
    """The camera's view of this moment, to be compared with later ones."""
    view = CameraView()
    view.remember(small(image))
    return view.to_bytes()


def hub_seen() -> Point | None:
    """Where the camera sees the hub's middle, in fractions of the picture; None where it only
    supposes it."""
    watch = watch_here()
    slot = watch.slot  # asked once: the watch may begin again at any moment
    if slot is None or slot[1] is None:
        return None
    width, height = picture_size(watch)
    return slot[0][0] / width, slot[0][1] / height


def drawn(layout: Layout, width: int, height: int) -> Drawn:
    """The layout in pixels, with what the watch sees just now where nobody told."""
    watch = services().watch
    slot = None if watch is None else watch.slot
    seen, length = ((width / 2, height / 2), None) if slot is None else slot
    side = min(width, height)
    centre = layout.centre_in(width, height) or seen
    area = layout.area_in(width, height)
    whole = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
    return Drawn(
        width=width,
        height=height,
        x=round(centre[0], 1),
        y=round(centre[1], 1),
        hub_told=layout.centre is not None,
        ring=round(0.72 * (length or side / 8), 1),
        area=tuple((round(x, 1), round(y, 1)) for x, y in area or whole),
        area_told=area is not None,
        ways=ways(layout, centre, width, height),
    )


def ways(layout: Layout, centre: Point, width: int, height: int) -> tuple[Way, ...]:
    """Every train's way; while nobody told them for this table, as they are seen when all are,
    else evenly spread between those that were told."""
    trains = trains_now()
    fits = len(layout.directions) == len(trains)
    known = told_ways(layout) if fits else {}
    supposed = seen_ways(centre)
    seen = not known and len(supposed) == len(trains)
    angles = supposed if seen else spread(known, len(trains))
    found = []
    for seat, (train, angle) in enumerate(zip(trains, angles)):
        x, y = handle(centre, angle % 360, width, height)
        told = seat in known
        guess = not (told or seen)
        found.append(Way(seat + 1, train, round(angle % 360, 1), x, y, told, guess))
    return tuple(found)


def told_ways(layout: Layout) -> dict[int, float]:
    """The ways that somebody or something told, by the seat from 0."""
    ways = enumerate(layout.directions)
    return {seat: way for seat, way in ways if seat not in layout.guessed}


def seen_ways(centre: Point) -> list[float]:
    """The ways of the trains that lie round the hub just now."""
    watch = services().watch
    sighting = None if watch is None else watch.sighting
    if sighting is None or sighting.reading is None:
        return []
    return ways_from(centre, sighting.reading.tiles)


def handle(centre: Point, angle: float, width: int, height: int) -> Point:
    """Where the handle of a way is drawn: on a circle round the hub, but within the picture."""
    side = min(width, height)
    reach, inset = _REACH * side, _MARGIN * side
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    for at, step, size in ((centre[0], cos, width), (centre[1], sin, height)):
        room = (size - inset - at) if step > 0 else (at - inset)
        if abs(step) > 1e-6:
            reach = max(min(reach, room / abs(step)), 0.08 * side)
    return round(centre[0] + reach * cos, 1), round(centre[1] + reach * sin, 1)


def blank(width: int, height: int) -> View:
    """A view of the hub's picture without outlines."""
    return View("hub", width, height, (), round(0.028 * max(width, height), 1))


def tapped(form: Mapping[str, str], shape: float) -> Point | None:
    """The place that was tapped, in fractions of the picture; None where nothing was.

    ``shape`` is the picture's width divided by its height. The script sends ``x`` and ``y`` in
    percent, a picture that was tapped without it its own pixels.
    """
    if "x" in form and "y" in form and form["x"].strip():
        return percent(form, "x"), percent(form, "y")
    for width in PLAIN_WIDTHS:
        if f"tap{width}.x" in form:
            across, down = (_pixels(form.get(f"tap{width}.{name}", "")) for name in "xy")
            return min(across / width, 1.0), min(down * shape / width, 1.0)
    return None


def _pixels(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def percent(form: Mapping[str, str], name: str) -> float:
    """A percentage of the form as a fraction. Raises RuleBroken."""
    return decimal(form, name) / 100


def decimal(form: Mapping[str, str], name: str) -> float:
    """A number of the form, with a point or a comma. Raises RuleBroken for any other text."""
    text = form.get(name, "").strip().replace(",", ".", 1)
    try:
        found = float(text[:12])
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise RuleBroken(_("%(text)s is not a number: type digits only.", text=text[:20] or "?"))
    return found
