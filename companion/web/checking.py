"""What the page for checking a photo's tiles shows: outlines, doubts, questions, the total.

Turns a photo and the round into plain values for the template; changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from companion.dominoes import Tile
from companion.draft import Draft, Ends, Piece, Question
from companion.observation import NO_TILES
from companion.photos import Photo
from companion.web.outlines import letter_size, outlines
from companion.web.rounds import round_key, scoring_open, standing
from companion.web.services import report_now, table_now
from companion.web.words import _

HIGHEST_USUAL = 12
"""The highest value offered where the set is not known and no tile shows more."""
HIGHEST_ANY = 18


class Player(NamedTuple):
    """Whose hand it is, and the seat (from 1) at which they sit."""

    name: str
    seat: int


@dataclass(frozen=True)
class Asked:
    """One tile in question: the piece, why, the readings to choose from, the likeliest first."""

    piece: Piece
    why: str
    choices: tuple[Ends, ...]


def player_of(photo: Photo) -> Player | None:
    """The player whose hand of the open round this photo is; None for any other photo."""
    about, now = photo.about, report_now()
    if about["kind"] != "hand" or not scoring_open(now):
        return None
    people = list(now["scores"])
    if about["round"] != round_key(table_now()) or about["who"] > len(people):
        return None
    name = people[about["who"] - 1]
    players = now["game"]["players"]
    return Player(name, players.index(name) + 1) if name in players else None


def still_open(photo: Photo) -> bool:
    """Whether the photo's tiles can still be changed."""
    return photo.about["kind"] == "count" or player_of(photo) is not None


def check_context(photo: Photo, wishes: Mapping[str, str]) -> dict[str, Any]:
    """Everything the page shows. ``wishes`` are the address's ``tile`` and ``add``."""
    draft, about = photo.draft, photo.about
    if draft is None:
        raise ValueError("a photo is checked after it has been read")
    player, editable = player_of(photo), still_open(photo)
    wish = wishes.get("tile", "")
    chosen = draft.piece(int(wish)) if editable and wish.isascii() and wish.isdigit() else None
    questions = questions_about(photo, draft, player) if editable else []
    asked = {number for question in questions for number in question.numbers}
    return {
        "photo": photo,
        "draft": draft,
        "player": player,
        "name": player.name if player else about.get("player"),
        "editable": editable,
        "warnings": [said for said in draft.warnings if said != NO_TILES or not draft.pieces],
        "chosen": chosen,
        "adding": editable and "add" in wishes,
        "doubts": [asked_about(piece) for piece in draft.doubtful] if editable else [],
        "questions": [(sentence(question), question) for question in questions],
        "outlines": outlines(draft, chosen.number if chosen else None, asked),
        "letter": letter_size(draft),
        "highest": highest_of(about.get("set"), draft),
        "total": draft.points(about["blank"]),
        "stands_now": standing_of(photo, player),
        "why_of": why_of,
    }


def questions_about(photo: Photo, draft: Draft, player: Player | None) -> list[Question]:
    """What the set and the round's other hands say against these tiles."""
    highest = photo.about.get("set")
    if player is None:
        return draft.questions(highest=highest)
    now = report_now()
    hands = {
        name: [Tile.parse(tile) for tile in hand["tiles"] or ()]
        for name, hand in now["hands"].items()
        if name != player.name
    }
    return draft.questions(highest=highest, engine=Tile.parse(now["engine"]), hands=hands)


def standing_of(photo: Photo, player: Player | None) -> str | None:
    """What may be replaced without asking: the score that came from this very photo."""
    state = table_now().state
    if player is None or state is None or state.round is None:
        return None
    hand = state.round.hands.get(photo.about["who"] - 1)
    mine = hand is not None and hand.photo == photo.id
    return standing(report_now(), player.name) if mine else None


def asked_about(piece: Piece) -> Asked:
    """A doubtful tile with the readings to choose from."""
    return Asked(piece, why_of(piece.doubt), (piece.ends, *piece.others[:2]))


def why_of(doubt: str | None) -> str:
    """A doubt as a question at the table."""
    sentences = {
        "glare": _("The light shines on it. Is this right?"),
        "blurred": _("It is blurred. Is this right?"),
        "too small": _("It is small in the photo. Is this right?"),
        "cut off": _("The edge of the photo cuts it. It counts once you say what it is."),
        "covered": _("Something lies on it. It counts once you say what it is."),
        "layout": _("Its pips lie oddly. Is this right?"),
        "maybe not a tile": _("Is this a tile?"),
    }
    return sentences.get(doubt or "", _("Is this right?"))


def sentence(question: Question) -> str:
    """What cannot be, in words."""
    tile = str(question.tile)
    if question.kind == "hand":
        return _("The %(tile)s is also in %(who)s's hand.", tile=tile, who=question.who)
    if question.kind == "engine":
        return _("The %(tile)s is this round's engine.", tile=tile)
    if question.kind == "twice":
        return _("The %(tile)s is twice in this photo.", tile=tile)
    return _("There is no %(tile)s in this set.", tile=tile)


def highest_of(known: int | None, draft: Draft) -> int:
    """The highest number that a half can be given."""
    if known is not None:
        return known
    seen = max((end for piece in draft.pieces for end in piece.ends), default=0)
    return HIGHEST_USUAL if seen <= HIGHEST_USUAL else HIGHEST_ANY
