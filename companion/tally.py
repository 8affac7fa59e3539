"""The end of a round: who went out, what was left in the hands, closing and correcting.

Each function takes the game's state and an action and gives the next state, or raises
RuleBroken. What a hand costs by the rules is for ``scores`` to say.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion import reminders
from companion.actions import Action
from companion.dominoes import Tile
from companion.errors import RuleBroken
from companion.rulebook import Rules
from companion.saying import say, say_many
from companion.state import GameState, Hand, Round, insist

OUT = Hand(tiles=(), pips=0)
"""The hand of somebody who went out."""


def go_out(state: GameState, action: Action) -> GameState:
    """A player lays their last tile: nothing is left in their hand."""
    number = state.player(action["player"])
    round_ = state.open()
    name = state.name(number)
    if number in round_.went_out:
        raise RuleBroken(say("%(player)s went out already: enter the other hands.", player=name))
    if round_.went_out and state.rules["first_turn"] != "whole_train":
        insist(
            action,
            say(
                "%(others)s went out already: did %(player)s as well?",
                others=state.names(round_.went_out),
                player=name,
            ),
        )
    if round_.blocked:
        insist(
            action,
            say(
                "This round is blocked, so nobody goes out: did %(player)s all the same?",
                player=name,
            ),
        )
    if number in round_.hands:
        insist(
            action,
            say(
                "%(player)s has a hand in this round already: take it as gone out instead?",
                player=name,
            ),
        )
    return state.with_round(
        "scoring",
        went_out=(*round_.went_out, number),
        hands={**round_.hands, number: OUT},
        blocked=False,
        asides=reminders.about_going_out(state, number),
    )


def block(state: GameState, action: Action) -> GameState:
    """Nobody can play any more: the round ends with tiles in every hand."""
    round_ = state.open()
    if round_.went_out:
        insist(
            action,
            say(
                "%(players)s went out: is the round blocked as well?",
                players=state.names(round_.went_out),
            ),
        )
    return state.with_round("scoring", blocked=True)


def hand(state: GameState, action: Action) -> GameState:
    """What a player has left, as tiles or as a sum."""
    number = state.player(action["player"])
    round_ = state.open()
    told = _told_hand(state, action, state.rules)
    name = state.name(number)
    if number in round_.hands and not action.get("replace"):
        standing = round_.hands[number].points(state.rules.double_blank)
        if number in round_.went_out:
            raise RuleBroken(
                say("%(player)s went out in this round: replace that if it is wrong.", player=name)
            )
        raise RuleBroken(
            say(
                "%(player)s has %(points)s in this round already: replace it if that is wrong.",
                player=name,
                points=standing,
            )
        )
    return state.with_round(
        "scoring",
        hands={**round_.hands, number: told},
        went_out=tuple(each for each in round_.went_out if each != number),
    )


def _told_hand(state: GameState, action: Action, rules: Rules) -> Hand:
    """The hand an action tells; RuleBroken when it is more than a whole set holds."""
    photo = action.get("photo")
    most = state.set.pips + rules.double_blank
    if "tiles" in action.fields:
        tiles = tuple(Tile.parse(tile) for tile in action["tiles"])
        if len(tiles) > len(state.set):
            raise RuleBroken(
                say(
                    "%(tiles)s tiles are more than the %(all)s of a double-%(n)s set: "
                    "take some away.",
                    tiles=len(tiles),
                    all=len(state.set),
                    n=state.set.highest,
                )
            )
        told = Hand(tiles, sum(tile.pips for tile in tiles), photo)
    else:
        told = Hand(None, action["pips"], photo)
    points = told.points(rules.double_blank)
    if points > most:
        raise RuleBroken(
            say(
                "%(points)s is more than a whole double-%(n)s set holds (%(most)s): "
                "look at the sum again.",
                points=points,
                n=state.set.highest,
                most=most,
            )
        )
    return told


def missing(state: GameState) -> tuple[int, ...]:
    """Those whose hand of the open round is not told yet, in seat order."""
    if state.round is None or state.phase not in ("playing", "scoring"):
        return ()
    told = state.round.hands
    return tuple(number for number in state.seats if number not in told)


def close_round(state: GameState, _: Action) -> GameState:
    """Every hand is told: the round is counted. The 0-0 or the last round ends the game."""
    round_ = state.open()
    waiting = missing(state)
    if waiting:
        raise RuleBroken(
            say_many(
                "The hand is missing of %(players)s: enter it first.",
                "The hands are missing of %(players)s: enter them first.",
                len(waiting),
                players=state.names(waiting),
            )
        )
    closed = replace(round_, rules=state.rules)
    rounds = (*state.closed, closed)
    last = closed.engine == 0 or len(rounds) == state.rounds
    phase = "finished" if last else "between"
    return replace(state, round=closed, closed=rounds, phase=phase)


def correct(state: GameState, action: Action) -> GameState:
    """A hand of a closed round is put right, also after the game's end."""
    index = action["round"] - 1
    if index >= len(state.closed):
        raise RuleBroken(
            say(
                "Round %(round)s is not closed: there is nothing to correct yet.",
                round=action["round"],
            )
        )
    number = state.person(action["player"]).number
    old = state.closed[index]
    rules = old.rules or state.rules
    others = tuple(each for each in old.went_out if each != number)
    told: dict[str, Any] = {"went_out": others}
    if "went_out" in action.fields:
        told["hands"] = {**old.hands, number: OUT}
        told["went_out"] = (*others, number)
        told["blocked"] = False
    else:
        told["hands"] = {**old.hands, number: _told_hand(state, action, rules)}
    new: Round = replace(old, **told)
    closed = (*state.closed[:index], new, *state.closed[index + 1 :])
    shown = new if state.round is old else state.round
    return replace(state, closed=closed, round=shown)
