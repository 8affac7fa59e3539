"""The sentences of the rule card: what each switch means, and what else a rule system says.

Data only; which of them hold at a table is for ``card`` to say.
"""

from __future__ import annotations

from companion.saying import say
from companion.switches import Value

SENTENCES: dict[str, dict[Value, str]] = {
    "engine_by": {
        "holder": say("Whoever holds the engine lays it in the middle and starts."),
        "laid_first": say(
            "The engine is laid in the hub before the tiles are drawn, so it is in "
            "nobody's hand; the table chooses who starts."
        ),
    },
    "engine_hunt": {
        "in_turn": say(
            "If nobody has it, the players draw one tile in turn until it turns up; "
            "who draws it starts."
        ),
        "everybody": say(
            "If nobody has it, everybody draws one tile, again and again, until "
            "somebody has it and starts."
        ),
    },
    "first_turn": {
        "whole_train": say(
            "The whole train: in the first turn you lay as many tiles as make one "
            "valid train. If somebody plays out, the round ends when every player has had one "
            "turn, so several may go out."
        ),
        "one_tile": say("One tile in the first turn, as in any other."),
    },
    "first_turn_where": {
        "own": say("The first turn is for your own train only."),
        "own_or_mexican": say("The first turn is for your own train or the Mexican Train."),
        "anywhere": say("The first turn may be played on any train that is open to you."),
    },
    "first_turn_draw": {
        True: say(
            "If you cannot start, draw one tile; if it does not fit either, your marker goes up."
        ),
        False: say(
            "If you cannot start, draw nothing: your marker goes up where the train would " "begin."
        ),
    },
    "must_play": {
        True: say("You must play if you can."),
        False: say("Nobody is made to play a tile that they would rather keep."),
    },
    "doubles_per_turn": {
        "any": say(
            "A double may be followed by another double, and so on, up to a tile that is none."
        ),
        "one": say("One double may be laid in a turn, and only while no other lies open."),
    },
    "cover_by": {
        "next_player": say(
            "Yes, if your turn is next, even if you could play elsewhere. If you "
            "cannot, draw one tile; if you still cannot, your marker goes up and the duty passes "
            "on."
        ),
        "every_player": say(
            "Yes: every player in turn must try, whoever left it included. If you "
            "cannot after drawing one tile, your marker goes up."
        ),
    },
    "cover_each": {
        "one_each": say("One each, by the next players in turn."),
        "all_by_next": say("The next player must cover them all."),
    },
    "cover_order": {
        "as_laid": say("They are covered in the order they were laid."),
        "reversed": say("The one laid last is covered first."),
    },
    "open_double_blocks": {
        True: say("Nothing else may be played while a double lies open."),
        False: say("An open double holds up nobody but the one who must cover it."),
    },
    "cover_marker": {
        True: say(
            "If it went up because you could not cover a double, it stays up until you have "
            "drawn a tile that covers."
        ),
        False: say("That holds for a marker that went up over a double, too."),
    },
    "marker_down": {
        "own_train": say("When you play on your own train."),
        "any_play": say("When you play a tile again, on whichever train."),
    },
    "announce_last": {
        True: say("With one tile left you must say so: knock on the table."),
        False: say("One tile left need not be announced."),
    },
    "scoring": {
        "penalty": say("Whoever went out gets 0, the others the pips left in their hands."),
        "positive": say(
            "Whoever went out takes the pips left in all other hands, the others get 0. "
            "Several share equally, rounded down; in a blocked round the lowest hand takes them."
        ),
    },
    "double_blank": {
        0: say("Nothing: the 0-0 costs no points."),
        25: say("The 0-0 costs 25 points."),
        50: say("The 0-0 costs 50 points."),
    },
    "marker_penalty": {
        0: say("A marker that is still up at the end costs nothing."),
        5: say("A marker that is still up at the end costs 5 points."),
        10: say("A marker that is still up at the end costs 10 points."),
        25: say("A marker that is still up at the end costs 25 points."),
    },
    "tie_break": {
        "zeros_then_lowest_round": say(
            "Equal totals: most rounds with zero, then the lowest single "
            "round other than zero; still equal, they share the place."
        ),
        "shared": say("Equal totals share the place."),
    },
    "block_only": {
        True: say("Play on other people's trains only to block them."),
        False: say("Other people's open trains may be played on for any reason."),
    },
}
"""What each value of each switch means at the table."""

MISSED = say("Then it is the next player's turn.")

CUSTOMS: dict[str, dict[str, str]] = {
    "classic": {
        "suits": say("It is best with 4 to 8."),
        "equipment": say("A marker each and one more; a station in the middle if you like."),
        "later": say("A marked train that has not begun may be begun by anyone."),
        "missed": MISSED,
        "marker": say("At the end of the train."),
        "double": say(
            "From the second turn on you play another tile after a double, anywhere legal. "
            "If you cannot, draw one; if you still cannot, your marker goes up."
        ),
    },
    "thirteen": {
        "equipment": say("A marker each."),
        "later": say(
            "Until you can start, you draw one tile each turn or play on the Mexican Train; "
            "your marker stays up meanwhile."
        ),
        "later undrawn": say(
            "Until you can start, you may play on the Mexican Train; your marker "
            "stays up all the while."
        ),
        "missed": say("You say that you missed."),
        "marker": say("At the beginning of the train."),
        "double": say("After a double you go on; when you cannot, your marker goes up."),
    },
    "hub": {
        "suits": say("With a double-15 or double-18 set, for 9 to 12, agree on the tiles each."),
        "equipment": say(
            "A hub with a slot for the engine, one for the Mexican Train and eight "
            "around, and a marker each."
        ),
        "later": say("Your train begins in any later turn, as for any tile."),
        "mexican": say("It may carry a marker."),
        "missed": MISSED,
        "marker": say("At the end of the train, by the hub."),
        "double": say(
            "A double is laid crosswise, and you play another tile on it or on any "
            "available train. If you cannot, draw one; a drawn double that plays is played and you "
            "draw again."
        ),
        "several as_laid": say(
            "After several doubles the one more tile goes on the first of them."
        ),
        "several reversed": say(
            "After several doubles the one more tile goes on the newest of them."
        ),
    },
}
"""What a rule system says and no switch sets, by preset."""

TURN = say(
    "Turns go clockwise: one tile on your own train, a marked train or the Mexican Train; more "
    "only after a double."
)
CANNOT = say("Draw one tile; you may play it at once, else your marker goes up.")
EMPTY = say(
    "You draw nothing: your marker goes up and you pass. If nobody can play, the round is over."
)
RELEASED = say(
    "A double that nobody can cover, as all other tiles of its value were played, holds nobody up."
)
LAST_DOUBLE = say("Yes: you are out and the round ends.")
ENDS = say("When somebody has played their last tile, or when nobody can play any more.")
ROUNDS = say("One round for every double, from the set's highest down to the 0-0.")
MEXICAN_LATER = say("Anyone may begin it from the second turn on; it is always open to all.")
MEXICAN_ANY = say("Anyone may begin it in any turn; it is always open to all.")
OPENING_WHOLE = say("Allowed; it is open from the second round of turns on.")
OPENING_BLOCKS = say("It must be covered, and it stops everything else.")
OPENING_OWED = say("It must be covered like any other double.")
LOWEST_WINS = say("The lowest total wins.")
HIGHEST_WINS = say("The highest total wins.")
