"""The table as everybody sees it: the JSON of ``companion replay`` and ``GET /api/table``.

Turns the state into plain names, tiles and numbers. Changes nothing and knows no page.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from companion import doubles, play, reminders, scores, tally
from companion.actions import MEXICAN, Action
from companion.dominoes import Tile
from companion.saying import phrase, say
from companion.state import MEXICAN_TRAIN, GameState, Round
from companion.table import Table

Report = dict[str, Any]
"""A JSON object with the keys that the replay contract names."""


def report(table: Table) -> Report:
    """Everything that is known of the table, as a JSON object."""
    state = table.state
    told = _no_game() if state is None else _game(state)
    return {**told, "revision": table.revision}


def _no_game() -> Report:
    return {
        "phase": "none",
        "game": None,
        **_round_told(None, None),
        "scores": {},
        "totals": {},
        "places": {},
        "winners": [],
        "flags": [],
        "nudges": [],
    }


def _game(state: GameState) -> Report:
    sheet = scores.score_sheet(state)
    named = {person.number: person.name for person in state.people}
    return {
        "phase": state.phase,
        "game": {
            "players": [named[number] for number in state.seats],
            "set": state.set.highest,
            "rules": state.rules.name,
            "switches": dict(state.rules.switches),
            "hand": state.hand,
        },
        **_round_told(state, state.round),
        "scores": {named[number]: column for number, column in sheet.items()},
        "totals": {named[n]: total for n, total in scores.totals(sheet).items()},
        "places": {named[n]: place for n, place in scores.places(state, sheet).items()},
        "winners": [named[number] for number in scores.winners(state, sheet)],
        "flags": flags(state),
        "nudges": nudges(state),
    }


def _round_told(state: GameState | None, round_: Round | None) -> Report:
    """The fields that belong to the round last opened."""
    if state is None or round_ is None:
        nothing: Report = {"round": 0, "engine": None, "starter": None, "turn": None}
        nothing |= {"started": [], "open_trains": [], "mexican_train": False, "open_doubles": []}
        nothing |= {"to_cover": None, "knocked": [], "went_out": [], "blocked": False}
        return nothing | {"boneyard": None, "hands": {}}

    def name(number: int | None) -> str | None:
        return None if number is None else state.name(number)

    seated = [person.number for person in state.people]
    order = [*state.seats, *(number for number in seated if number not in state.seats)]
    blank = (round_.rules or state.rules).double_blank
    return {
        "round": len(state.closed) + (round_.rules is None),
        "engine": str(Tile(round_.engine, round_.engine)),
        "starter": name(round_.starter),
        "turn": name(round_.turn),
        "started": [state.name(train) for train in round_.started],
        "open_trains": [state.name(train) for train in order if train in round_.marked],
        "mexican_train": MEXICAN_TRAIN in round_.started,
        "open_doubles": [
            {
                "double": f"{double.value}-{double.value}",
                "train": state.name(double.train),
                "player": name(double.player),
            }
            for double in round_.open_doubles
        ],
        "to_cover": name(round_.to_cover),
        "knocked": [state.name(number) for number in round_.knocked],
        "went_out": [state.name(number) for number in round_.went_out],
        "blocked": round_.blocked,
        "boneyard": play.boneyard(state),
        "hands": {
            state.name(number): {
                "tiles": None if hand.tiles is None else [str(tile) for tile in hand.tiles],
                "points": hand.points(blank),
            }
            for number, hand in ((n, round_.hands[n]) for n in order if n in round_.hands)
        },
    }


def flags(state: GameState) -> list[dict[str, Any]]:
    """Tiles that cannot be where they were told: two holders, the engine, outside the set."""
    if state.round is None:
        return []
    holders: dict[Tile, list[str]] = defaultdict(list)
    for person in state.people:
        hand = state.round.hands.get(person.number)
        for tile in (hand.tiles if hand else None) or ():
            holders[tile].append(person.name)
    for tile in (*state.round.laid, *state.round.laid_again):
        holders[tile].append("table")
    engine = Tile(state.round.engine, state.round.engine)
    if engine in holders:
        holders[engine].append("engine")
    return [
        {"tile": str(tile), "where": where}
        for tile, where in sorted(holders.items())
        if len(where) > 1 or tile not in state.set
    ]


def nudges(state: GameState) -> list[str]:
    """Gentle questions about what may have been forgotten, as sentences."""
    if state.round is None or state.phase not in ("playing", "scoring"):
        return []
    return reminders.questions(state, state.round)


def engines(table: Table) -> list[str]:
    """The engine of every closed round and of the open one, in order."""
    if table.state is None:
        return []
    rounds = list(table.state.closed)
    if table.state.phase in ("playing", "scoring") and table.state.round is not None:
        rounds.append(table.state.round)
    return [f"{round_.engine}-{round_.engine}" for round_ in rounds]


def next_engine(table: Table) -> str | None:
    """The double that the next round wants, None when there is none."""
    if table.state is None or table.state.phase == "finished":
        return None
    engine = table.state.next_engine()
    return f"{engine}-{engine}"


def due_double(table: Table) -> str | None:
    """The open double that is to be covered first by the table's rules, None when none is open."""
    state = table.state
    if state is None or state.round is None or not state.round.open_doubles:
        return None
    return str(doubles.due_double(state, state.round.open_doubles).tile)


def missing(table: Table) -> list[str]:
    """Who has no hand yet in the open round, in seat order."""
    if table.state is None:
        return []
    return [table.state.name(number) for number in tally.missing(table.state)]


def closed_hands(table: Table) -> list[dict[str, dict[str, Any]]]:
    """For every closed round and player: tiles, points, photo, whether they went out."""
    state = table.state
    if state is None:
        return []
    return [
        {
            state.name(number): {
                "tiles": None if hand.tiles is None else [str(tile) for tile in hand.tiles],
                "points": hand.points((round_.rules or state.rules).double_blank),
                "photo": hand.photo,
                "went_out": number in round_.went_out,
            }
            for number, hand in round_.hands.items()
        }
        for round_ in state.closed
    ]


_WORDS = {
    "start_game": phrase("the new game"),
    "open_round": phrase("the start of the round"),
    "turn": phrase("%(player)s's turn"),
    "draw": phrase("a draw from the boneyard"),
    "play": phrase("a tile on %(train)s"),
    "play mexican": phrase("a tile on the Mexican Train"),
    "mark": phrase("marker up on %(train)s"),
    "unmark": phrase("marker off %(train)s"),
    "start_train": phrase("the start of %(player)s's train"),
    "start_mexican_train": phrase("the start of the Mexican Train"),
    "lay_double": phrase("the %(value)s-%(value)s on %(train)s"),
    "lay_double mexican": phrase("the %(value)s-%(value)s on the Mexican Train"),
    "cover": phrase("the double covered on %(train)s"),
    "cover mexican": phrase("the double covered on the Mexican Train"),
    "release": phrase("the double released on %(train)s"),
    "release mexican": phrase("the double released on the Mexican Train"),
    "knock": phrase("%(player)s's knock"),
    "go_out": phrase("%(player)s went out"),
    "block": phrase("nobody can play"),
    "hand": phrase("%(player)s's hand"),
    "close_round": phrase("the end of the round"),
    "correct": phrase("the correction for %(player)s in round %(round)s"),
    "add_player": phrase("%(name)s joined"),
    "leave": phrase("%(player)s left"),
    "rename": phrase("%(player)s is now %(name)s"),
    "move_seat": phrase("%(player)s's new seat"),
    "set_rule": phrase("the rule %(switch)s"),
    "finish_game": phrase("the end of the game"),
}
_VALUES = ("name", "player", "round", "switch", "train", "value")
"""The fields that these words may show."""


def say_action(action: Action) -> str:
    """An action in a few words, as Undo and the history show it."""
    mexican = action.get("train") == MEXICAN
    words = _WORDS.get(f"{action.name} mexican", "") if mexican else ""
    told = {name: value for name, value in action.fields.items() if name in _VALUES}
    return say(words or _WORDS[action.name], **told)


def undo_words(table: Table) -> str | None:
    """What Undo would take back, in a few words; None when there is nothing."""
    if table.before is None or table.last is None:
        return None
    return say_action(table.last)


def double_blanks(table: Table) -> list[list[str]]:
    """For every closed round, whose hand held the 0-0; nobody where no told tile says so."""
    if table.state is None:
        return []
    return [
        [
            table.state.name(number)
            for number, hand in round_.hands.items()
            if Tile(0, 0) in (hand.tiles or ())
        ]
        for round_ in table.state.closed
    ]
