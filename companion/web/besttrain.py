"""The best opening train from a hand, for one's own phone; only where the table allows it.

The hand is ticked, typed or read from a photo; nothing of it is told to the game. How a train is
found is the planner's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from companion.card import SENTENCES
from companion.dominoes import SIZES, DominoSet, Tile
from companion.draft import Draft, Question
from companion.errors import PhotoUnreadable, RuleBroken, Trouble
from companion.photos import is_id
from companion.planner import Goal
from companion.planning import plan_train, read_tiles
from companion.report import next_engine
from companion.web import uploads
from companion.web.checking import sentence
from companion.web.photos import read_soon
from companion.web.picks import Place, grid
from companion.web.refusals import Refusal, refuse
from companion.web.services import report_now, services, table_now
from companion.web.taps import then
from companion.web.words import _

pages = Blueprint("besttrain", __name__)

PATIENCE = 3.0
"""Seconds that a search may take; hands of a real game take milliseconds."""
USUAL_SET = 12
LONGEST = 1000
"""Letters of typed tiles at most."""


@pages.app_template_global("best_train_allowed")
def allowed() -> bool:
    """Whether people may look here: as chosen on the settings page, else as it was started."""
    here = services()
    chosen = here.game.choices.best_train
    return here.settings.best_train if chosen is None else chosen


@dataclass(frozen=True)
class Wish:
    """What is asked: the set, the engine, the goal, the hand."""

    set: int
    engine: str
    goal: Goal = "tiles"
    double_last: bool = False
    tiles: tuple[str, ...] = ()
    typed: str = ""

    @classmethod
    def of(cls, said: MultiDict[str, str]) -> Wish:
        """What an address says; the round's engine where it says nothing, odd values left out."""
        told = report_now()
        size = said.get("set", "")
        usual = told["game"]["set"] if told["game"] else USUAL_SET
        highest = int(size) if size in map(str, SIZES) else usual
        engines = [str(double) for double in DominoSet(highest).doubles]
        playing = told["phase"] in ("playing", "scoring")
        now = told["engine"] if playing else next_engine(table_now())
        engine = said.get("engine", "")
        if engine not in engines:
            engine = now if now in engines else engines[0]
        ticked = {str(tile) for tile in DominoSet(highest)} & set(said.getlist("tile"))
        return cls(
            set=highest,
            engine=engine,
            goal="pips" if said.get("goal") == "pips" else "tiles",
            double_last=said.get("double_last") == "1",
            tiles=tuple(sorted(ticked - {engine}, key=Tile.parse)),
            typed=said.get("typed", "")[:LONGEST],
        )


@pages.get("/best-train")
def show() -> ResponseReturnValue:
    """The hand to tick or type; with a hand, its best train."""
    if not allowed():
        return not_allowed()
    wish = Wish.of(request.args)
    if "photo" in request.args:
        return from_photo(wish, request.args["photo"])
    try:
        return page(wish, plan=plan_of(wish))
    except Trouble as trouble:
        return page(wish, refusal=Refusal(str(trouble))), 422


def not_allowed() -> ResponseReturnValue:
    """The sentence where the table does not allow it."""
    why = _("The best train is not looked for at this table: allow it on the settings page.")
    return refuse(why, 403, back="/")


def plan_of(wish: Wish) -> dict[str, Any] | None:
    """The best train of this hand; None where none was asked for. Raises Trouble."""
    typed = read_tiles([wish.typed])
    beyond = [tile for tile in typed if tile not in DominoSet(wish.set)]
    if beyond:
        raise RuleBroken(
            _("There is no %(tile)s in a double-%(n)s set.", tile=str(beyond[0]), n=wish.set)
        )
    hand = [*map(str, typed), *(tile for tile in wish.tiles if Tile.parse(tile) not in typed)]
    if not hand:
        if "find" in request.args:
            raise RuleBroken(_("Tick the tiles of your hand first, or type them."))
        return None
    return plan_train(
        hand,
        engine=wish.engine,
        goal=wish.goal,
        double_rule=not wish.double_last,
        time_limit=PATIENCE,
    )


def page(
    wish: Wish,
    *,
    plan: dict[str, Any] | None = None,
    refusal: Refusal | None = None,
    photo: str | None = None,
    draft: Draft | None = None,
    place: int | None = None,
    progress: float = 0.0,
) -> str:
    """The form, and above it the train that was found, or the photo that is being read."""
    state = table_now().state
    draws = None if state is None else SENTENCES["first_turn_draw"][state.rules["first_turn_draw"]]
    return render_template(
        "besttrain.html",
        wish=wish,
        plan=plan,
        refusal=refusal,
        photo=photo,
        draft=draft,
        place=place,
        progress=progress,
        sizes=SIZES,
        engines=[str(double) for double in DominoSet(wish.set).doubles],
        rows=grid(wish.set, 0, map(Tile.parse, wish.tiles), places(wish)),
        cannot_start=draws,
        photos=services().photos is not None,
    )


def places(wish: Wish) -> dict[Tile, Place]:
    """The engine, which lies on the table and in nobody's hand."""
    engine = Tile.parse(wish.engine)
    return {engine: Place(None, sentence(Question("engine", engine, ())))}


# ---- a photo of the hand -----------------------------------------------------------------------


@pages.post("/best-train/photo")
def photo() -> ResponseReturnValue:
    """Keep the photo and go on with its tiles once they are read; the game is told nothing."""
    if not allowed():
        return not_allowed()
    wish = Wish.of(request.form)
    try:
        # it is counted like any photo that belongs to no score; what the 0-0 costs is not shown
        kept = uploads.from_upload({"kind": "count", "set": wish.set, "blank": 0})
    except (RuleBroken, PhotoUnreadable) as error:
        return page(wish, refusal=Refusal.of(error)), 422
    except Trouble as trouble:
        return page(wish, refusal=Refusal(str(trouble))), 503
    return then(
        url_for("besttrain.show", set=wish.set, engine=wish.engine, goal=wish.goal, photo=kept)
    )


def from_photo(wish: Wish, photo: str) -> ResponseReturnValue:
    """The hand ticked as it was read; before that, where the photo stands in the queue."""
    found = uploads.store().get(photo) if is_id(photo) else None
    if found is None or found.about["kind"] != "count":
        why = _("That photo is not kept here any more: take another one, or tick your tiles.")
        return page(wish, refusal=Refusal(why)), 404
    found = found if found.draft is not None else read_soon(found)
    queue = uploads.queue()
    if found.draft is None:
        failed = queue.failure(photo)
        if failed is not None:
            return page(wish, refusal=Refusal(failed)), 422
        progress = queue.progress(photo)
        return page(wish, photo=photo, place=queue.place(photo) or 1, progress=progress)
    read = {str(tile) for tile in found.draft.tiles if tile in DominoSet(wish.set)}
    hand = tuple(sorted(read - {wish.engine}, key=Tile.parse))
    ticked = Wish(wish.set, wish.engine, wish.goal, wish.double_last, hand)
    try:
        return page(ticked, plan=plan_of(ticked), photo=photo, draft=found.draft)
    except Trouble as trouble:
        return page(ticked, refusal=Refusal(str(trouble)), photo=photo, draft=found.draft), 422
