"""What the page for checking a photo's tiles shows: outlines, doubts, questions, the total.

Turns a photo and the round into plain values for the template; changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from companion.dominoes import Tile
from companion.draft import Draft, Question
from companion.observation import NO_TILES
from companion.photos import Photo
from companion.pieces import Ends, Piece
from companion.web.outlines import views
from companion.web.rounds import (
    game_key,
    is_earlier,
    next_hand,
    round_key,
    scoring_open,
    standing,
)
from companion.web.services import report_now, table_now
from companion.web.taps import whole
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


@dataclass(frozen=True)
class Doubted:
    """What the set or the round says against some tiles: a sentence, and each tile with words."""

    sentence: str
    pieces: tuple[tuple[Piece, str], ...]


@dataclass(frozen=True)
class Shared:
    """Tiles that lie in several photos: their names, and every one's pieces with words."""

    tiles: tuple[str, ...]
    pieces: tuple[tuple[Piece, str], ...]


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


def is_old(photo: Photo) -> bool:
    """Whether the photo is of a hand in an earlier game than the one on the table."""
    return photo.about["kind"] == "hand" and is_earlier(photo.about["round"], table_now())


def cell_of(photo: Photo) -> dict[str, Any] | None:
    """The address of the score that the photo belongs to; None while that round is not closed."""
    about, now = photo.about, report_now()
    closed = max((len(column) for column in now["scores"].values()), default=0)
    if about["kind"] != "hand" or is_old(photo) or not 1 <= about.get("number", 0) <= closed:
        return None
    if about["who"] > len(now["scores"]):
        return None
    key = game_key(table_now())
    return {"round_number": about["number"], "column": about["who"], "game": key}


def check_context(photo: Photo, wishes: Mapping[str, str]) -> dict[str, Any]:
    """Everything the page shows. ``wishes`` are the address's ``tile`` and ``add``."""
    draft, about = photo.draft, photo.about
    if draft is None:
        raise ValueError("a photo is checked after it has been read")
    player, editable = player_of(photo), still_open(photo)
    wish = whole(wishes.get("tile", ""))
    chosen = draft.piece(wish) if editable and wish is not None else None
    questions = questions_about(photo, draft, player) if editable else []
    asked = {number for question in questions for number in question.numbers}
    return {
        "photo": photo,
        "draft": draft,
        "player": player,
        "name": player.name if player else about.get("player"),
        "next": next_hand(after=player.name) if player else None,
        "editable": editable,
        "warnings": [said for said in draft.alerts if said != NO_TILES or not draft.pieces],
        "chosen": chosen,
        "adding": editable and "add" in wishes,
        "doubts": [asked_about(piece) for piece in draft.doubtful] if editable else [],
        "questions": [doubted(one, draft) for one in questions if one.kind != "both"],
        "shared": shared(draft) if editable else None,
        "asked": asked,
        "old": is_old(photo),
        "last_edit": edit_words(draft) if editable else None,
        "views": views(photo.id, draft, chosen.number if chosen else None, asked),
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
    return Asked(piece, why_of(piece.doubt), piece.choices)


def edit_words(draft: Draft) -> str | None:
    """What Undo would take back of the people's own changes; None when there is nothing."""
    if not draft.edits:
        return None
    last = draft.edits[-1]
    was = last.before.tile if last.before else last.tile
    words = {
        "set": _("%(was)s made %(tile)s", was=was, tile=last.tile),
        "right": _("%(tile)s is right", tile=last.tile),
        "removed": _("%(tile)s removed", tile=last.tile),
        "back": _("%(tile)s put back", tile=last.tile),
        "added": _("%(tile)s added", tile=last.tile),
        "same": _("%(tile)s counted once", tile=last.tile),
        "apart": _("%(tile)s counted twice", tile=last.tile),
    }
    return words[last.kind]


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


def shared(draft: Draft) -> Shared | None:
    """The tiles that lie in several photos and may be one and the same; None where none does."""
    if not draft.shared:
        return None
    order = [None, *(shot.id for shot in draft.shots)]
    pieces = tuple(
        (piece, _("In photo %(n)s", n=order.index(piece.photo) + 1))
        for several in draft.shared.values()
        for piece in several
    )
    return Shared(tuple(map(str, draft.shared)), pieces)


def doubted(question: Question, draft: Draft) -> Doubted:
    """A question in words, and the words that tell its tiles apart."""
    about = [piece for piece in draft.pieces if piece.number in question.numbers]
    lying = [(piece.centre, piece) for piece in about if piece.centre is not None]
    across, down = (_spread([at[axis] for at, _piece in lying]) for axis in (0, 1))
    lying.sort(key=lambda one: one[0][0 if across >= down else 1])
    if len(about) == 1:
        words = [_("Look at it")]
    elif len(lying) == 1:
        words = [_("The one in the photo")]
    elif len(lying) == 2 and across >= down:
        words = [_("The left one"), _("The right one")]
    elif len(lying) == 2:
        words = [_("The upper one"), _("The lower one")]
    else:
        words = [_("Number %(n)s", n=n) for n in range(1, len(lying) + 1)]
    pieces = [piece for _at, piece in lying] + [piece for piece in about if piece.centre is None]
    more = len(pieces) - len(words)
    several = [_("Added, number %(n)s", n=n) for n in range(1, more + 1)]
    words += [_("The added one")] if more == 1 else several
    return Doubted(sentence(question), tuple(zip(pieces, words, strict=True)))


def _spread(values: list[float]) -> float:
    return max(values) - min(values) if values else 0.0


def highest_of(known: int | None, draft: Draft) -> int:
    """The highest number that a half can be given."""
    if known is not None:
        return known
    seen = max((end for piece in draft.pieces for end in piece.ends), default=0)
    return HIGHEST_USUAL if seen <= HIGHEST_USUAL else HIGHEST_ANY
