"""What templates can ask for besides the game's report: looks, pips, symbols, form keys.

Knows how things are drawn, not what happens in the game.
"""

from __future__ import annotations

import secrets
from typing import Any

from flask import Flask, current_app, g, url_for
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from companion.pips import COLOURS, pip_radius, places
from companion.report import due_double, next_engine, undo_words
from companion.rulebook import PRESETS
from companion.web.looks import LOOKS, looks_for
from companion.web.names import CROWDED
from companion.web.people import remembered_looks
from companion.web.services import report_now, services, table_now
from companion.web.visitors import may
from companion.web.words import _

MEXICAN = "mexican"
HALF = 100
"""The side of one half of a drawn tile, in its own units."""


def teach_templates(app: Flask) -> None:
    """Give every template these words."""
    app.jinja_env.globals.update(
        LOOKS=LOOKS,
        MEXICAN=MEXICAN,
        engine_after=lambda: next_engine(table_now()),
        crowded=lambda places: len(places) >= CROWDED,
        due_double=lambda: due_double(table_now()),
        ends_of=ends_of,
        half_pips=half_pips,
        halves_used=lambda: sorted(g.get("halves", ())),
        has_page=has_page,
        in_places=in_places,
        look_of=look_of,
        notices_now=notices_now,
        now=report_now,
        once_key=lambda: secrets.token_urlsafe(9),
        page_name=page_name,
        pip_colour=lambda value: COLOURS[value],
        round_words=round_words,
        rules_title=lambda name: PRESETS[name].title,
        tile_name=tile_name,
        turned=turned,
        undo_words=lambda: undo_words(table_now()),
        use_half=use_half,
        use_shape=use_shape,
        shapes_used=lambda: sorted(g.get("shapes", ())),
    )


def look_of(player: str) -> int:
    """The look (1 to 14) of a player of this game; 14 for a name that is not at the table."""
    if "looks" not in g:
        game = report_now()["game"]
        g.looks = looks_for(game["players"] if game else (), remembered_looks(services().people))
    look: int = g.looks.get(player, len(LOOKS))
    return look


def notices_now() -> list[str]:
    """What everybody should know of the saved games: sentences, none while all is well."""
    told = (services().game.notice, *(notice() for notice in services().notices))
    return [sentence for sentence in told if sentence]


@pass_context
def page_name(context: Context) -> str | None:
    """The template that is being shown: by it the script knows that a page became another one."""
    return context.name


def round_words(told: dict[str, Any]) -> str:
    """Like *Round 2*, or *Round 2 of 3* where a short evening was agreed on."""
    state = table_now().state
    if state is not None and (state.rounds, state.first_engine) != (None, state.set.highest):
        most = state.rounds or state.first_engine + 1
        if told["round"] <= most:
            return _("Round %(round)s of %(all)s", round=told["round"], all=most)
    return _("Round %(round)s", round=told["round"])


def in_places(told: dict[str, Any]) -> list[str]:
    """The players of a report, the leader first; those without a place in seat order."""
    players: list[str] = told["game"]["players"]
    return sorted(players, key=lambda player: told["places"].get(player) or len(players) + 1)


def ends_of(tile: str) -> tuple[int, int]:
    """``"5-12"`` as two numbers, for the drawing."""
    low, high = tile.split("-")
    return int(low), int(high)


def tile_name(tile: str) -> Markup:
    """A tile's name inside a sentence, kept on one line."""
    return Markup('<span class="tile-name">{}</span>').format(tile)


def half_pips(value: int) -> list[tuple[str, str, str]]:
    """x, y and radius of each pip of a half, in a square of ``HALF``, as text for SVG."""
    radius = f"{pip_radius(value) * HALF:.4g}"
    return [(f"{x * HALF:.4g}", f"{y * HALF:.4g}", radius) for x, y in places(value)]


def turned(value: int) -> bool:
    """Whether a half looks different the other way round, so that the tile's second one is turned.

    All others are only moved there, which leaves the light on their pips as it falls.
    """
    spots = {(round(x, 4), round(y, 4)) for x, y in places(value)}
    return spots != {(round(1 - x, 4), round(1 - y, 4)) for x, y in spots}


def use_half(value: int) -> int:
    """Note that this page needs the symbol of this half; gives the value back."""
    g.setdefault("halves", set()).add(value)
    return value


def use_shape(look: int) -> int:
    """Note that this page needs the symbol of this look's shape; gives the look back."""
    g.setdefault("shapes", set()).add(look)
    return look


def has_page(endpoint: str, **values: Any) -> Markup | None:
    """The address of a page; None where it is no part of this application, or not for this
    visitor."""
    if endpoint not in current_app.view_functions or not may(endpoint):
        return None
    return Markup(url_for(endpoint, **values))  # nosec B704 # percent-encoded
