"""The games that are kept: who won, which can go on, and everybody's figures over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import format_decimal

from companion.errors import RuleBroken
from companion.game import Stale
from companion.kept import KeptGame
from companion.names import folded
from companion.statistics import Figures, Group, group_of, groups, statistics
from companion.web.people import remembered_looks
from companion.web.refusals import Refusal
from companion.web.services import forget_now, services
from companion.web.sheet import by_the_wall
from companion.web.taps import number, then
from companion.web.words import written_day

pages = Blueprint("games", __name__)

MOST = 60
"""Games that the page lists, the newest first; figures count them all."""


@pages.get("/games")
def show() -> ResponseReturnValue:
    """The list, and the figures of everybody or of one group."""
    return page()


def page(
    refusal: Refusal | None = None,
    asked: int | None = None,
    *,
    file_refusal: Refusal | None = None,
    brought: Sequence[str] = (),
) -> str:
    """``asked`` is the game whose wish to go on was refused.

    ``file_refusal`` is why nothing was imported, ``brought`` says what was.
    """
    kept = standing()
    states = [game.state for game in kept]
    group = chosen_group()
    everybody = [names for names, finished in groups(states) if finished]
    listed = of_group(kept, group)
    shown = len(listed) if request.args.get("all") else MOST
    return render_template(
        "games.html",
        games=listed[: -shown - 1 : -1],
        more=len(listed) - shown,
        running=any(game.status == "running" for game in kept),
        asked=asked,
        refusal=refusal,
        file_refusal=file_refusal,
        brought=brought,
        groups=everybody if len(everybody) > 1 else [],
        group=group,
        who=request.args.getlist("who"),
        folded=as_group,
        figures=figures(statistics(states, group=group)),
        positive=figures(statistics(states, group=group, positive=True), positive=True),
        looks=remembered_looks(services().people),
        day=day,
        one_place=one_place,
        any_kept=bool(kept),
    )


def standing() -> list[KeptGame]:
    """Every game once, the one told of last at the end: without those taken up again later."""
    return [game for game in services().game.kept() if not game.continued]


def chosen_group() -> Group | None:
    """The people whose games alone the address asks for; None for everybody's."""
    names = request.args.getlist("who")
    return as_group(names) if names else None


def of_group(kept: Sequence[KeptGame], group: Group | None) -> list[KeptGame]:
    """The games of exactly these people."""
    return [game for game in kept if group in (None, group_of(game.state))]


def as_group(names: Sequence[str]) -> Group:
    """These people as a group."""
    return frozenset(map(folded, names))


def figures(found: list[Figures], *, positive: bool = False) -> list[Figures]:
    """Those who have finished a game: most wins first, of equals the best average."""
    way = -1 if positive else 1

    def rank(each: Figures) -> tuple[int, bool, Fraction]:
        average = each.average
        return -each.wins, average is None, way * (average or Fraction())

    return sorted((each for each in found if each.games), key=rank)


def day(at: str | None) -> str:
    """The day of a time, by the calendar here; empty when nobody knows."""
    return "" if at is None else written_day(by_the_wall(at).date())


def one_place(value: float | None) -> str:
    """A number with one place behind the comma, as the reader writes it; a dash for none."""
    return "–" if value is None else str(format_decimal(float(value), "#,##0.0"))


@pages.post("/games/<int(signed=True):kept>")
def resume(kept: int) -> ResponseReturnValue:
    """Go on with a game that was set aside."""
    form = request.form
    try:
        services().game.resume(
            kept,
            overrule=form.get("overrule") == "1",
            revision=number(form, "revision"),
            once=form.get("once") or None,
        )
    except Stale:
        raise
    except RuleBroken as error:
        return page(Refusal.of(error), kept), 422
    finally:
        forget_now()
    return then(url_for("table.show"))
