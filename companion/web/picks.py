"""Picking a hand's tiles by finger from all tiles of the set: no photo, and no sum to type.

Says which tiles lie elsewhere already; that they are picked all the same is not refused, as the
other hand may be the wrong one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.dominoes import DominoSet, Tile
from companion.draft import Question
from companion.errors import RuleBroken
from companion.web.checking import sentence
from companion.web.refusals import Refusal
from companion.web.rounds import (
    HandStands,
    RoundOver,
    closed_cell,
    give_hand,
    next_hand,
    onward,
    player_at,
    round_key,
    scoring_open,
    standing,
    the_key,
)
from companion.web.score import photos_of_round
from companion.web.services import report_now, table_now
from companion.web.taps import then
from companion.web.words import _

pages = Blueprint("picks", __name__)


@dataclass(frozen=True)
class Place:
    """Where a tile lies already: in whose hand (None: the engine, or laid), and the sentence."""

    player: str | None
    words: str


@dataclass(frozen=True)
class Pick:
    """One tile to pick: what it counts, whether it is picked, where it lies already."""

    tile: Tile
    points: int
    picked: bool
    place: Place | None


def grid(
    highest: int, blank: int, picked: Iterable[Tile], places: dict[Tile, Place]
) -> list[list[Pick]]:
    """All tiles of the set, a row for each higher end, the longest row first: it has the most."""
    chosen = set(picked)
    rows: list[list[Pick]] = [[] for _end in range(highest + 1)]
    for tile in DominoSet(highest):
        pick = Pick(tile, tile.points(blank), tile in chosen, places.get(tile))
        rows[tile.high].append(pick)
    return rows[::-1]


def picked_tiles(names: Iterable[str], highest: int) -> list[Tile]:
    """The tiles that were picked, each once. Raises RuleBroken for what is none of the set's."""
    tiles: set[Tile] = set()
    for name in names:
        try:
            tile = Tile.parse(name)
        except ValueError as error:
            raise RuleBroken(str(error)) from None
        if tile not in DominoSet(highest):
            raise RuleBroken(_("There is no %(tile)s in this set.", tile=str(tile)))
        tiles.add(tile)
    return sorted(tiles)


def places_for(player: str) -> dict[Tile, Place]:
    """The tiles that cannot be in this player's hand as things were told: each with its place."""
    now, state = report_now(), table_now().state
    found: dict[Tile, Place] = {}
    for tile in (*state.round.laid, *state.round.laid_again) if state and state.round else ():
        found[tile] = Place(None, _("The %(tile)s was laid on the table.", tile=str(tile)))
    for other, hand in now["hands"].items():
        for tile in map(Tile.parse, hand["tiles"] or ()):
            if other != player:
                found[tile] = Place(other, sentence(Question("hand", tile, (), other)))
    engine = Tile.parse(now["engine"])
    found[engine] = Place(None, sentence(Question("engine", engine, ())))
    return found


@pages.get("/score/<int:seat>/tiles")
def show(seat: int) -> ResponseReturnValue:
    """All tiles of the set, those of the player's hand picked where they are told already."""
    player = player_at(seat)
    if not scoring_open(report_now()):
        return then(url_for("score.show"))
    hand = report_now()["hands"].get(player)
    return page(seat, player, map(Tile.parse, (hand["tiles"] if hand else None) or ()))


@pages.post("/score/<int:seat>/tiles")
def keep(seat: int) -> ResponseReturnValue:
    """The picked tiles are this player's hand."""
    player, tiles = player_at(seat), list[Tile]()
    try:
        if request.form.get("player") != player:
            raise RuleBroken(_("The seats have changed: go back to the hands and choose again."))
        tiles = picked_tiles(request.form.getlist("tile"), report_now()["game"]["set"])
        if not tiles:
            raise RuleBroken(_("Tap the tiles first that are left in the hand."))
        told: dict[str, object] = {"tiles": list(map(str, tiles))}
        if photo := photos_of_round().get(player):
            told["photo"] = photo
        give_hand(player, told, the_key(), request.form.get("standing"))
        return then(onward(player))
    except HandStands as stands:
        return page(seat, player, tiles, stands=stands), 409
    except RoundOver as late:
        over = closed_cell(player, the_key())
        return page(seat, player, tiles, refusal=Refusal.of(late), over=over), 422
    except RuleBroken as error:
        return page(seat, player, tiles, refusal=Refusal.of(error)), 422


def page(
    seat: int,
    player: str,
    picked: Iterable[Tile],
    *,
    refusal: Refusal | None = None,
    stands: HandStands | None = None,
    over: str | None = None,
) -> str:
    """The grid with these tiles picked. ``over`` leads on from a round that is gone."""
    now, picked = report_now(), list(picked)
    hand = now["hands"].get(player)
    edited = standing(now, player) if hand and hand["tiles"] else None
    blank = now["game"]["switches"]["double_blank"]
    return render_template(
        "picks.html",
        seat=seat,
        player=player,
        key=the_key() or round_key(table_now()),
        rows=grid(now["game"]["set"], blank, picked, places_for(player)),
        total=sum(tile.points(blank) for tile in picked) if picked else None,
        stands_now=request.form.get("standing", edited),
        next=next_hand(after=player),
        refusal=refusal,
        stands=stands,
        over=over,
    )
