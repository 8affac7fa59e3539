"""The rule card: what this table plays, in words, one heading for each thing people ask.

Made from the switches and, where rule systems differ in what no switch sets, from the preset's
customs. Every sentence stands here once. Knows no players and no table.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.rulebook import PRESETS, Preset, Rules
from companion.switches import SWITCHES, Value, say_value

Heading = tuple[str, list[str]]
"""A heading and the sentences below it."""

SENTENCES: dict[str, dict[Value, str]] = {
    "engine_by": {
        "holder": "Whoever holds the engine lays it in the middle and starts.",
        "laid_first": "The engine is laid in the hub before the tiles are drawn, so it is in "
        "nobody's hand; the table chooses who starts.",
    },
    "engine_hunt": {
        "in_turn": "If nobody has it, the players draw one tile in turn until it turns up; "
        "who draws it starts.",
        "everybody": "If nobody has it, everybody draws one tile, again and again, until "
        "somebody has it and starts.",
    },
    "first_turn": {
        "whole_train": "The whole train: in the first turn you lay as many tiles as make one "
        "valid train. If somebody plays out, the round ends when every player has had one turn, "
        "so several may go out.",
        "one_tile": "One tile in the first turn, as in any other.",
    },
    "first_turn_where": {
        "own": "The first turn is for your own train only.",
        "own_or_mexican": "The first turn is for your own train or the Mexican Train.",
        "anywhere": "The first turn may be played on any train that is open to you.",
    },
    "first_turn_draw": {
        True: "If you cannot start, draw one tile; if it does not fit either, your marker goes up.",
        False: "If you cannot start, draw nothing: your marker goes up where the train would "
        "begin.",
    },
    "must_play": {
        True: "You must play if you can.",
        False: "Nobody is made to play a tile that they would rather keep.",
    },
    "doubles_per_turn": {
        "any": "A double may be followed by another double, and so on, up to a tile that is none.",
        "one": "One double may be laid in a turn, and only while no other lies open.",
    },
    "cover_by": {
        "next_player": "Yes, if your turn is next, even if you could play elsewhere. If you "
        "cannot, draw one tile; if you still cannot, your marker goes up and the duty passes on.",
        "every_player": "Yes: every player in turn must try, whoever left it included. If you "
        "cannot after drawing one tile, your marker goes up.",
    },
    "cover_each": {
        "one_each": "One each, by the next players in turn.",
        "all_by_next": "The next player must cover them all.",
    },
    "cover_order": {
        "as_laid": "They are covered in the order they were laid.",
        "reversed": "The one laid last is covered first.",
    },
    "open_double_blocks": {
        True: "Nothing else may be played while a double lies open.",
        False: "An open double holds up nobody but the one who must cover it.",
    },
    "cover_marker": {
        True: "If it went up because you could not cover a double, it stays up until you have "
        "drawn a tile that covers.",
        False: "That holds for a marker that went up over a double, too.",
    },
    "marker_down": {
        "own_train": "When you play on your own train.",
        "any_play": "When you play a tile again, on whichever train.",
    },
    "announce_last": {
        True: "With one tile left you must say so: knock on the table.",
        False: "One tile left need not be announced.",
    },
    "scoring": {
        "penalty": "Whoever went out gets 0, the others the pips left in their hands.",
        "positive": "Whoever went out takes the pips left in all other hands, the others get 0. "
        "Several share equally, rounded down; in a blocked round the lowest hand takes them.",
    },
    "double_blank": {
        0: "Nothing: the 0-0 costs no points.",
        25: "The 0-0 costs 25 points.",
        50: "The 0-0 costs 50 points.",
    },
    "marker_penalty": {
        0: "A marker that is still up at the end costs nothing.",
        5: "A marker that is still up at the end costs 5 points.",
        10: "A marker that is still up at the end costs 10 points.",
        25: "A marker that is still up at the end costs 25 points.",
    },
    "tie_break": {
        "zeros_then_lowest_round": "Equal totals: most rounds with zero, then the lowest single "
        "round other than zero; still equal, they share the place.",
        "shared": "Equal totals share the place.",
    },
    "block_only": {
        True: "Play on other people's trains only to block them.",
        False: "Other people's open trains may be played on for any reason.",
    },
}
"""What each value of each switch means at the table."""

MISSED = "Then it is the next player's turn."

CUSTOMS: dict[str, dict[str, str]] = {
    "classic": {
        "suits": "It is best with 4 to 8.",
        "equipment": "A marker each and one more; a station in the middle if you like.",
        "later": "A marked train that has not begun may be begun by anyone.",
        "missed": MISSED,
        "marker": "At the end of the train.",
        "double": "From the second turn on you play another tile after a double, anywhere legal. "
        "If you cannot, draw one; if you still cannot, your marker goes up.",
    },
    "thirteen": {
        "equipment": "A marker each.",
        "later": "Until you can start, you draw one tile each turn or play on the Mexican Train; "
        "your marker stays up meanwhile.",
        "later undrawn": "Until you can start, you may play on the Mexican Train; your marker "
        "stays up all the while.",
        "missed": "You say that you missed.",
        "marker": "At the beginning of the train.",
        "double": "After a double you go on; when you cannot, your marker goes up.",
    },
    "hub": {
        "suits": "With a double-15 or double-18 set, for 9 to 12, agree on the tiles each.",
        "equipment": "A hub with a slot for the engine, one for the Mexican Train and eight "
        "around, and a marker each.",
        "later": "Your train begins in any later turn, as for any tile.",
        "mexican": "It may carry a marker.",
        "missed": MISSED,
        "marker": "At the end of the train, by the hub.",
        "double": "A double is laid crosswise, and you play another tile on it or on any "
        "available train. If you cannot, draw one; a drawn double that plays is played and you "
        "draw again.",
        "several as_laid": "After several doubles the one more tile goes on the first of them.",
        "several reversed": "After several doubles the one more tile goes on the newest of them.",
    },
}
"""What a rule system says and no switch sets, by preset."""

TURN = (
    "Turns go clockwise: one tile on your own train, a marked train or the Mexican Train; more "
    "only after a double."
)
CANNOT = "Draw one tile; you may play it at once, else your marker goes up."
EMPTY = "You draw nothing: your marker goes up and you pass. If nobody can play, the round is over."
RELEASED = (
    "A double that nobody can cover, as all other tiles of its value were played, holds nobody up."
)
LAST_DOUBLE = "Yes: you are out and the round ends."
ENDS = "When somebody has played their last tile, or when nobody can play any more."
ROUNDS = "One round for every double, from the set's highest down to the 0-0."
MEXICAN_LATER = "Anyone may begin it from the second turn on; it is always open to all."
MEXICAN_ANY = "Anyone may begin it in any turn; it is always open to all."
OPENING_WHOLE = "Allowed; it is open from the second round of turns on."
OPENING_BLOCKS = "It must be covered, and it stops everything else."
OPENING_OWED = "It must be covered like any other double."
LOWEST_WINS = "The lowest total wins."
HIGHEST_WINS = "The highest total wins."


def headline(rules: Rules) -> str:
    """The rule system's title, and its line where no house rule makes that untrue."""
    preset = PRESETS[rules.name]
    usual = dict(rules.switches) == dict(preset.switches)
    return f"{preset.title}: {preset.line}" if usual else f"{preset.title}, with house rules."


def rule_card(
    rules: Rules, *, first: int | None = None, rounds: int | None = None
) -> list[Heading]:
    """The card of these rules: headings and their sentences, in the order people ask.

    ``first`` and ``rounds`` tell of a game that begins with a lower engine or is shorter.

    Only what matters by these rules is said: no hunt for an engine that is laid first, and no
    tie-break with positive scoring, where equal totals share the place.
    """
    preset, said = PRESETS[rules.name], _Said(rules)
    customs = CUSTOMS[rules.name]
    hunted = () if rules.engine_laid_first else said["engine_hunt"]
    return [
        ("Players and tiles", _players(preset, customs)),
        ("Equipment", [customs["equipment"]]),
        ("Rounds", [_rounds(first, rounds)]),
        ("The engine", [*said["engine_by"], *hunted]),
        ("Whole train or one tile first?", [*said["first_turn"], *said["first_turn_where"]]),
        ("Cannot start?", [*said["first_turn_draw"], _later(rules, customs)]),
        ("The Mexican Train", _mexican(rules, customs)),
        ("A turn", [TURN, *said["must_play"], *said["block_only"]]),
        ("Cannot play?", [CANNOT, customs["missed"]]),
        ("Empty boneyard?", [EMPTY]),
        ("Where does the marker go?", [customs["marker"]]),
        ("When does the marker come off?", [*said["marker_down"], *said["cover_marker"]]),
        ("A double", _double(rules, said, customs)),
        ("A double that ends the opening train?", [_opening(rules)]),
        ("May the last tile be a double?", [LAST_DOUBLE]),
        (
            "Must I cover someone else's double on a closed train?",
            [*said["cover_by"], *said["open_double_blocks"], RELEASED],
        ),
        ("Several open doubles?", [*said["cover_each"], *said["cover_order"]]),
        ("One tile left?", said["announce_last"]),
        ("When does the round end?", [ENDS]),
        ("Score", [*said["scoring"], *said["marker_penalty"]]),
        ("What is the double blank worth?", said["double_blank"]),
        ("Who wins?", _winner(rules, said)),
    ]


class _Said:
    """The sentence of each switch by these rules."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def __getitem__(self, switch: str) -> list[str]:
        return [SENTENCES[switch][self._rules[switch]]]


def _rounds(first: int | None, rounds: int | None) -> str:
    if first is None and rounds is None:
        return ROUNDS
    down = "the set's highest double" if first is None else f"the {first}-{first}"
    if rounds is None:
        return f"One round for every double, from {down} down to the 0-0."
    return f"{rounds} {'round' if rounds == 1 else 'rounds'}, from {down} down."


def _later(rules: Rules, customs: dict[str, str]) -> str:
    undrawn = not rules["first_turn_draw"] and "later undrawn" in customs
    return customs["later undrawn" if undrawn else "later"]


def _players(preset: Preset, customs: dict[str, str]) -> list[str]:
    """For how many the rules are, and the tiles each that they name for each set."""
    said = [f"{preset.title}: for {preset.players[0]} to {preset.players[1]} players."]
    said += [customs["suits"]] if "suits" in customs else []
    for highest, rows in preset.hands.items():
        hands = [f"{tiles} for {_span(fewest, most)}" for fewest, most, tiles in rows]
        said.append(f"Tiles each with a double-{highest} set: {', '.join(hands)} players.")
    return said


def _span(fewest: int, most: int) -> str:
    return str(fewest) if fewest == most else f"{fewest} to {most}"


def _mexican(rules: Rules, customs: dict[str, str]) -> list[str]:
    begins = MEXICAN_LATER if rules["first_turn_where"] == "own" else MEXICAN_ANY
    return [begins, customs["mexican"]] if "mexican" in customs else [begins]


def _double(rules: Rules, said: _Said, customs: dict[str, str]) -> list[str]:
    order = f"several {rules['cover_order']}"
    more = [customs[order]] if rules["doubles_per_turn"] == "any" and order in customs else []
    return [customs["double"], *said["doubles_per_turn"], *more]


def _opening(rules: Rules) -> str:
    if rules["first_turn"] == "whole_train":
        return OPENING_WHOLE
    return OPENING_BLOCKS if rules["open_double_blocks"] else OPENING_OWED


def _winner(rules: Rules, said: _Said) -> list[str]:
    if rules.positive:
        return [HIGHEST_WINS, SENTENCES["tie_break"]["shared"]]
    return [LOWEST_WINS, *said["tie_break"]]


class Setting(NamedTuple):
    """One switch at this table: its value, and what of the product it changes."""

    name: str
    value: str
    meaning: str
    kind: str
    effect: str


def settings(rules: Rules) -> list[Setting]:
    """Every switch with its value, in the rulebook's order."""
    return [
        Setting(name, say_value(rules[name]), switch.meaning, switch.kind, switch.effect)
        for name, switch in SWITCHES.items()
    ]
