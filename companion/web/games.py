"""The games that are kept: who won, which can go on, and everybody's figures over all of them."""

from __future__ import annotations

from datetime import datetime

from flask import Blueprint, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import format_date

from companion.errors import RuleBroken
from companion.game import Stale
from companion.kept import KeptGame
from companion.rulebook import PRESETS
from companion.scores import score_sheet, totals
from companion.statistics import Figures, group_of, groups, statistics
from companion.web.people import remembered_looks
from companion.web.refusals import Refusal
from companion.web.services import forget_now, services
from companion.web.taps import number, then
from companion.web.words import _

pages = Blueprint("games", __name__)

MOST = 60
"""Games that the page lists, the newest first; figures count them all."""


@pages.get("/games")
def show() -> ResponseReturnValue:
    """The list, and the figures of everybody or of one group."""
    return page()


def page(refusal: Refusal | None = None, asked: int | None = None) -> str:
    """``asked`` is the game whose wish to go on was refused."""
    kept = [game for game in services().game.kept() if not game.continued]
    states = [game.state for game in kept]
    group = request.args.getlist("who") or None
    everybody = [each for each in groups(states) if each[1]]
    wanted = None if group is None else frozenset(name.casefold() for name in group)
    listed = [game for game in kept if wanted in (None, group_of(game.state))]
    return render_template(
        "games.html",
        games=listed[: -MOST - 1 : -1],
        running=any(game.status == "running" for game in kept),
        asked=asked,
        refusal=refusal,
        groups=everybody if len(everybody) > 1 else [],
        group=wanted,
        folded=lambda names: frozenset(name.casefold() for name in names),
        figures=figures(statistics(states, group=group)),
        positive=figures(statistics(states, group=group, positive=True)),
        looks=remembered_looks(services().people),
        day=day,
        rules=rules_words,
        any_kept=bool(kept),
    )


def figures(found: list[Figures]) -> list[Figures]:
    """Those who have finished a game."""
    return [each for each in found if each.games]


def day(at: str | None) -> str:
    """The day of a time, by the calendar here; empty when nobody knows."""
    if at is None:
        return ""
    moment = datetime.fromisoformat(at)
    return str(format_date((moment.astimezone() if moment.tzinfo else moment).date(), "d MMMM y"))


def rules_words(game: KeptGame) -> str:
    """The set and rules of a game, in few words."""
    state = game.state
    title = PRESETS[state.rules.name].title
    return _("double-%(set)s, %(rules)s", set=state.set.highest, rules=title)


@pages.get("/games/<int:kept>")
def one(kept: int) -> ResponseReturnValue:
    """The sheet of one kept game, to look at."""
    found = next((game for game in services().game.kept() if game.number == kept), None)
    if found is None:
        abort(404)
    if found.status == "running":
        return then(url_for("sheet.show"))
    state = found.state
    sheet = score_sheet(state)
    return render_template(
        "game.html",
        kept=found,
        names=[person.name for person in state.people],
        rows=[
            (f"{round_.engine}-{round_.engine}", [sheet[p.number][n] for p in state.people])
            for n, round_ in enumerate(state.closed)
        ],
        totals=list(totals(sheet).values()),
        best=[name for name, _points in found.best],
        looks=remembered_looks(services().people),
        day=day,
        rules=rules_words,
    )


@pages.post("/games/<int:kept>")
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
