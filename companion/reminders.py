"""Gentle questions about what may have been forgotten or played against the table's own rules.

They never refuse anything and change nothing but the sentences on the page. A question about a
marker stays until the marker is taken off; one about what was told last, an aside, goes with the
next thing that is told. Where the table does not know whose turn it is, nothing is asked.
"""

from __future__ import annotations

from companion.dominoes import Tile
from companion.saying import phrase, say
from companion.state import MEXICAN_TRAIN, Aside, GameState, Round

SENTENCES = {
    "own": phrase("%(player)s has played on their own train: take the marker off?"),
    "any": phrase("%(player)s has played again: take the marker off?"),
    "covered": phrase(
        "%(player)s has covered the double that kept the marker up: take the marker off?"
    ),
    "unannounced": phrase("%(player)s went out without a knock: was the last tile announced?"),
    "two_doubles": phrase(
        "One double may be laid in a turn and one lie open: is the %(tile)s a second one?"
    ),
    "blocked": phrase(
        "The %(tile)s lies open and stops every other train: was it covered or released?"
    ),
    "first_where own": phrase(
        "%(player)s's first turn is for their own train: was the tile laid there?"
    ),
    "first_where own_or_mexican": phrase(
        "%(player)s's first turn is for their own train or the Mexican Train: "
        "was the tile laid there?"
    ),
    "first_draw": phrase("%(player)s draws nothing in the first turn: does the tile go back?"),
    "double": phrase("The %(tile)s is a double: does it lie open on %(owner)s's train?"),
    "double mexican": phrase("The %(tile)s is a double: does it lie open on the Mexican Train?"),
    "covering": phrase("The %(tile)s lies open on %(owner)s's train: did this tile cover it?"),
    "covering mexican": phrase(
        "The %(tile)s lies open on the Mexican Train: did this tile cover it?"
    ),
}
"""Each question by its kind, and where it says so, by the rule or the train that it is about."""


def questions(state: GameState, round_: Round) -> list[str]:
    """The questions of a round as sentences, those about markers first."""
    asked = [Aside(kind, number) for number, kind in round_.nudged.items()]
    return [_sentence(state, aside) for aside in (*asked, *round_.asides)]


def _sentence(state: GameState, aside: Aside) -> str:
    kind = aside.kind
    if kind == "first_where":
        kind += f" {state.rules['first_turn_where']}"
    elif aside.train == MEXICAN_TRAIN:
        kind += " mexican"
    told = {
        "player": None if aside.player is None else state.name(aside.player),
        "owner": None if aside.train is None else state.name(aside.train),
        "tile": aside.tile,
    }
    return say(
        SENTENCES[kind], **{name: value for name, value in told.items() if value is not None}
    )


def about_play(
    state: GameState, train: int, player: int | None, tile: Tile | None
) -> tuple[Aside, ...]:
    """What to ask when a tile was laid on a train."""
    round_ = state.open()
    here = [double for double in round_.open_doubles if double.train == train]
    if here:
        return (Aside("covering", train=train, tile=here[0].tile),)
    asked = _about_place(state, train, player)
    if tile is not None and tile.is_double:
        asked = (*asked, Aside("double", train=train, tile=tile))
    return asked


def about_double(state: GameState, train: int, player: int | None, tile: Tile) -> tuple[Aside, ...]:
    """What to ask when a double was laid on a train."""
    round_ = state.open()
    asked = _about_place(state, train, player)
    second = round_.doubled or bool(round_.open_doubles)
    if second and state.rules["doubles_per_turn"] == "one":
        asked = (*asked, Aside("two_doubles", tile=tile))
    return asked


def _about_place(state: GameState, train: int, player: int | None) -> tuple[Aside, ...]:
    """Whether this train may be played on now."""
    round_ = state.open()
    if round_.open_doubles:
        if state.rules["open_double_blocks"] and not _goes_on(round_, player):
            return (Aside("blocked", tile=round_.open_doubles[0].tile),)
        return ()
    if not _in_first_turn(round_, player) or train == player:
        return ()
    where = state.rules["first_turn_where"]
    if where == "anywhere" or (where == "own_or_mexican" and train == MEXICAN_TRAIN):
        return ()
    return (Aside("first_where", player),)


def _goes_on(round_: Round, player: int | None) -> bool:
    """Whether this may be the further tile that whoever laid the doubles plays in that turn."""
    return all(
        double.laid_in == round_.turns
        and (double.player is None or player is None or double.player == player)
        for double in round_.open_doubles
    )


def about_draw(state: GameState, player: int | None) -> tuple[Aside, ...]:
    """What to ask when a player drew."""
    if state.rules["first_turn_draw"] or not _in_first_turn(state.open(), player):
        return ()
    return (Aside("first_draw", player),)


def _in_first_turn(round_: Round, player: int | None) -> bool:
    return player is not None and round_.first_turn and round_.turn == player


def about_going_out(state: GameState, player: int) -> tuple[Aside, ...]:
    """What to ask when a player went out."""
    if not state.rules["announce_last"] or player in state.open().knocked:
        return ()
    return (Aside("unannounced", player),)
