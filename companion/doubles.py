"""Doubles that lie open: who laid them, who must cover them, and when they hold nobody up.

Each function takes the game's state and an action and gives the next state, or raises
RuleBroken. Whether a double can be covered at all is told, never inferred.
"""

from __future__ import annotations

from dataclasses import replace

from companion import play, reminders
from companion.actions import Action
from companion.dominoes import Tile
from companion.errors import RuleBroken
from companion.saying import say
from companion.state import MEXICAN_TRAIN, GameState, OpenDouble, insist, with_turn


def turn(state: GameState, action: Action) -> GameState:
    """It is now this player's turn; the duty to cover an open double moves on to them."""
    number = state.player(action["player"])
    round_ = state.open()
    owing, before = round_.owing, round_.turn
    if before is not None and before != number and _failed_to_cover(state, before):
        owing |= {before}
    state = replace(state, round=with_turn(round_, number))
    return state.with_round(owing=owing, to_cover=state.dutiful(number))


def _failed_to_cover(state: GameState, number: int) -> bool:
    """Whether this player's marker is up while the double they owe still lies open."""
    round_ = state.open()
    owes = bool(round_.open_doubles) and number == round_.to_cover
    return owes and bool(state.rules["cover_marker"]) and number in round_.marked


def lay_double(state: GameState, action: Action) -> GameState:
    """A double is laid crosswise and lies open until it is covered or released."""
    train = state.train(action["train"])
    state, player = play.who(state, action)
    round_ = state.open()
    tile = _double(state, action)
    if round_.newest == (tile, train):
        state = _told_before(state)
    elif tile in round_.laid:
        insist(
            action,
            say("The %(tile)s has been laid in this round: every tile exists once.", tile=tile),
        )
    asides = reminders.about_double(state, train, player, tile)
    opened = OpenDouble(action["value"], train, player, round_.turns)
    duty = round_.to_cover
    if duty is None and player is not None:
        duty = state.after_seat(player)
    return play.laid(state, train, player, tile, asides).with_round(
        open_doubles=(*round_.open_doubles, opened),
        to_cover=duty,
        doubled=round_.turns > 0,
        newest=None,
        asides=asides,
    )


def _double(state: GameState, action: Action) -> Tile:
    value = action["value"]
    if not 0 <= value <= state.set.highest:
        raise RuleBroken(
            say(
                "A double-%(n)s set has no double of %(value)s: look again.",
                n=state.set.highest,
                value=value,
            )
        )
    if value == state.open().engine:
        insist(
            action,
            say(
                "The %(tile)s is this round's engine: it lies in the hub.",
                tile=f"{value}-{value}",
            ),
        )
    return Tile(value, value)


def _told_before(state: GameState) -> GameState:
    """The double was told as a played tile just now: it is the same tile, laid once."""
    round_ = state.open()
    tile = round_.newest[0] if round_.newest else None
    return state.with_round(laid=round_.laid - {tile})


def due_double(state: GameState, doubles: tuple[OpenDouble, ...]) -> OpenDouble:
    """Which of several open doubles is to be covered first, by the table's rules."""
    return doubles[-1 if state.rules["cover_order"] == "reversed" else 0]


def cover(state: GameState, action: Action) -> GameState:
    """A tile is played on the double that lies open on this train."""
    train = state.train(action["train"])
    state, player = play.who(state, action)
    coverer = state.open().to_cover if player is None else player
    state = play.laid(_without_due(state, train), train, player)
    nudged = state.open().nudged
    if player is not None and player in state.open().owing:
        nudged = {**nudged, player: "covered"}
    return _settled(state, _next_duty(state, coverer), player).with_round(nudged=nudged)


def _next_duty(state: GameState, coverer: int | None) -> int | None:
    """To whom the duty comes once this player has covered one of several doubles.

    Whoever covers in the very turn in which they laid the others has done their part.
    """
    round_ = state.open()
    if coverer is None:
        return None
    laid_now = any(
        double.player == coverer and double.laid_in == round_.turns
        for double in round_.open_doubles
    )
    if laid_now or state.rules["cover_each"] == "one_each":
        return state.after_seat(coverer)
    return coverer


def release(state: GameState, action: Action) -> GameState:
    """Nobody can cover the double on this train any more: it holds nobody up."""
    state = _without_due(state, state.train(action["train"]))
    return _settled(state, state.open().to_cover)


def _settled(state: GameState, duty: int | None, coverer: int | None = None) -> GameState:
    """The duty after a double was closed; nobody owes for doubles that lie open no more."""
    round_ = state.open()
    owing = round_.owing - {coverer} if round_.open_doubles else frozenset()
    return state.with_round(to_cover=state.dutiful(duty), owing=owing)


def _without_due(state: GameState, train: int) -> GameState:
    """The state without the double that is due on this train."""
    round_ = state.open()
    here = tuple(double for double in round_.open_doubles if double.train == train)
    if not here:
        raise RuleBroken(
            say("No double lies open on the Mexican Train: choose another train.")
            if train == MEXICAN_TRAIN
            else say(
                "No double lies open on %(player)s's train: choose another train.",
                player=state.name(train),
            )
        )
    due = due_double(state, here)
    left = tuple(double for double in round_.open_doubles if double is not due)
    return state.with_round(open_doubles=left)
