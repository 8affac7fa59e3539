"""Scoring the round: who went out, and one page for each hand, typed or photographed."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import PhotoUnreadable, RuleBroken, Trouble
from companion.report import missing
from companion.web import uploads
from companion.web.refusals import Refusal
from companion.web.rounds import (
    OUT,
    HandStands,
    RoundOver,
    closed_cell,
    give_hand,
    in_turn,
    next_hand,
    onward,
    play_in_round,
    player_at,
    round_key,
    scoring_open,
    standing,
    the_key,
)
from companion.web.services import report_now, table_now
from companion.web.sums import typed_score
from companion.web.taps import play, then
from companion.web.words import _

pages = Blueprint("score", __name__)


@pages.get("/score")
def show() -> ResponseReturnValue:
    """The hands of the round, in turn order from who went out, or as the players sit."""
    table, now = table_now(), report_now()
    if not scoring_open(now):
        if now["phase"] == "between" and now["round"]:
            return then(url_for("sheet.show") + "#latest")  # another phone has closed the round
        return render_template("score_closed.html")
    return render_template(
        "score.html",
        order=in_turn(now),
        missing=missing(table),
        next=next_hand(),
        key=round_key(table),
        photos=photos_of_round(),
        flagged=flagged(now),
        gone=request.args.get("gone") == "seat",
    )


def flagged(told: dict[str, Any]) -> list[dict[str, Any]]:
    """What cannot be, by kind and by whose hands it is about: a photo told twice is one question.

    ``kind`` is ``engine``, ``laid``, ``hands`` or ``set``; ``tiles`` are names.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for flag in told["flags"]:
        where = flag["where"]
        holders = tuple(name for name in told["scores"] if name in where)
        if "engine" in where:
            kind = "engine"
        elif "table" in where and len(where) > 1:
            kind = "laid"
        else:
            kind = "hands" if len(where) > 1 else "set"
        groups.setdefault((kind, holders), []).append(flag["tile"])
    return [
        {"kind": kind, "holders": holders, "tiles": tiles}
        for (kind, holders), tiles in groups.items()
    ]


def photos_of_round() -> dict[str, str]:
    """The photo of each hand of the open round that has one."""
    state = table_now().state
    if state is None or state.round is None:
        return {}
    hands = state.round.hands
    return {state.name(number): hand.photo for number, hand in hands.items() if hand.photo}


@pages.post("/score/out")
def out() -> ResponseReturnValue:
    """One tap: somebody went out."""
    player = request.form.get("player", "")
    play_in_round({"action": "go_out", "player": player}, the_key(), overrule=insisted())
    return then(url_for("score.show"))


@pages.post("/score/block")
def block() -> ResponseReturnValue:
    """One tap: nobody can play any more."""
    play_in_round({"action": "block"}, the_key(), overrule=insisted())
    return then(url_for("score.show"))


@pages.post("/score/close")
def close() -> ResponseReturnValue:
    """All hands are told: count the round and show the sheet, a finished game's from the top."""
    play({"action": "close_round"})
    over = report_now()["phase"] == "finished"
    return then(url_for("sheet.show") + ("" if over else "#latest"))


def insisted() -> bool:
    """Whether a person insists."""
    return request.form.get("overrule") == "1"


@pages.get("/score/<int:seat>")
def hand(seat: int) -> ResponseReturnValue:
    """One player's hand: type it or photograph it."""
    player = player_at(seat)
    if not scoring_open(report_now()):
        return then(url_for("score.show"))
    return hand_page(seat, player)


@pages.post("/score/<int:seat>")
def enter(seat: int) -> ResponseReturnValue:
    """The hand that was typed, photographed, or is no hand because its player went out."""
    player = player_at(seat)
    asked: Refusal | HandStands
    try:
        if request.form.get("player") != player:
            raise RuleBroken(_("The seats have changed: go back to the hands and choose again."))
        return then(entered(player))
    except HandStands as stands:
        return hand_page(seat, player, stands=stands), 409
    except RoundOver as late:
        cell = closed_cell(player, the_key())
        return hand_page(seat, player, refusal=Refusal.of(late), over=cell), 422
    except (RuleBroken, PhotoUnreadable) as error:
        asked = Refusal.of(error)
        return hand_page(seat, player, refusal=asked), 422
    except Trouble as trouble:
        return hand_page(seat, player, refusal=Refusal(str(trouble))), 503


def entered(player: str) -> str:
    """Do what the pressed button of a hand's page says; the address to go on to."""
    pressed = request.form.get("do", "type")
    if pressed in ("photo", "camera"):
        take = uploads.from_uploads if pressed == "photo" else uploads.from_hub
        return url_for("photos.show", photo=take(about_hand(player, the_key())))
    if pressed in (OUT, "out-all-the-same"):
        action = {"action": "go_out", "player": player}
        play_in_round(action, the_key(), overrule=pressed != OUT)
    else:
        pips = typed_score(request.form.get("score", ""))
        give_hand(player, {"pips": pips}, the_key(), request.form.get("standing"))
    return onward(player)


def about_hand(player: str, key: str) -> dict[str, Any]:
    """What a photo keeps of the hand it shows."""
    now = report_now()
    return {
        "kind": "hand",
        "player": player,
        "who": list(now["scores"]).index(player) + 1,
        "round": key,
        "number": now["round"],
        "engine": now["engine"],
        "set": now["game"]["set"],
        "blank": now["game"]["switches"]["double_blank"],
    }


def hand_page(
    seat: int,
    player: str,
    *,
    refusal: Refusal | None = None,
    stands: HandStands | None = None,
    over: str | None = None,
) -> str:
    """The page of one hand, with what was typed before. ``over`` leads on from a round gone by."""
    now, typed = report_now(), request.form.get("score", "")
    hand = now["hands"].get(player)
    return render_template(
        "hand.html",
        seat=seat,
        player=player,
        key=the_key() or round_key(table_now()),
        typed=typed,
        made=typed_score(typed) if stands else None,
        over=over,
        stands_now=standing(now, player),
        tiles=hand["tiles"] if hand else None,
        next=next_hand(after=player),
        photo=photos_of_round().get(player),
        camera=uploads.hub_camera(),
        refusal=refusal,
        stands=stands,
        pressed=request.form.get("do", "type"),
    )
