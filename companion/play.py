"""What happens on the table during a round: turns, draws, trains, markers, knocks.

Each function takes the game's state and an action and gives the next state, or raises
RuleBroken. It never refuses what a table has really done for breaking a rule of play; open
doubles are ``doubles``'s, hands and scores are ``tally``'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion import reminders
from companion.actions import Action
from companion.dominoes import Tile
from companion.errors import RuleBroken
from companion.saying import say, say_many
from companion.seating import engine_value
from companion.state import MEXICAN_TRAIN, Aside, GameState, Round, insist, with_turn


def open_round(state: GameState, action: Action) -> GameState:
    """The next engine is laid; all markers are down and no train has begun."""
    if state.phase == "finished":
        raise RuleBroken(say("The game is finished: start a new game."))
    if state.phase != "between":
        raise RuleBroken(say("A round is open already: close it before the next one."))
    wanted = state.next_engine()
    engine = wanted
    if "engine" in action.fields:
        engine = engine_value(Tile.parse(action["engine"]), state.set)
    if engine != wanted:
        insist(
            action,
            say(
                "Round %(round)s wants the %(wanted)s, not the %(engine)s: " "was a round skipped?",
                round=len(state.closed) + 1,
                wanted=f"{wanted}-{wanted}",
                engine=f"{engine}-{engine}",
            ),
        )
    opened = Round(engine=engine, players=state.seats)
    if "starter" in action.fields:
        starter = state.player(action["starter"])
        opened = with_turn(replace(opened, starter=starter), starter)
    return replace(state, round=opened, phase="playing")


def who(state: GameState, action: Action) -> tuple[GameState, int | None]:
    """Who did it, else whose turn it is, else nobody known.

    When somebody else is named than the one at turn, turns are not told here: nothing is known
    any more of a first turn.
    """
    player = state.told_player(action)
    round_ = state.open()
    if player is None:
        return state, round_.turn
    if player != round_.turn and round_.first_turn:
        state = state.with_round(first_turn=False)
    return state, player


def draw(state: GameState, action: Action) -> GameState:
    """Tiles are drawn from the boneyard."""
    state, player = who(state, action)
    round_ = state.open()
    count = action.get("n", 1)
    left = boneyard(state)
    if left is not None and count > left:
        insist(
            action,
            say_many(
                "Only %(num)s tile is left in the boneyard by this count: draw fewer.",
                "Only %(num)s tiles are left in the boneyard by this count: draw fewer.",
                left,
            ),
        )
    draws = dict(round_.draws)
    if "player" in action.fields and player is not None:
        draws[player] = draws.get(player, 0) + count
    asides = reminders.about_draw(state, player)
    return state.with_round(drawn=round_.drawn + count, draws=draws, asides=asides)


def boneyard(state: GameState) -> int | None:
    """Face-down tiles left by what was told; None where the hand size is not known.

    A hand size that more people than it is for have outgrown is not known any more.
    """
    round_ = state.round
    if state.hand is None or round_ is None:
        return None
    rules = round_.rules or state.rules
    left = len(state.set) - state.hand * len(round_.players) - rules.engine_laid_first
    return max(0, left - round_.drawn) if left >= 0 else None


def play(state: GameState, action: Action) -> GameState:
    """A tile is laid on a train."""
    train = state.train(action["train"])
    state, player = who(state, action)
    tile = Tile.parse(action["tile"]) if "tile" in action.fields else None
    if any((double.tile, double.train) == (tile, train) for double in state.open().open_doubles):
        return laid(state, train, player)
    return laid(state, train, player, tile, reminders.about_play(state, train, player, tile))


def laid(
    state: GameState,
    train: int,
    player: int | None,
    tile: Tile | None = None,
    asides: tuple[Aside, ...] = (),
) -> GameState:
    """A train has grown: it has begun, and its marker may be due to come down."""
    round_ = state.open()
    if tile is not None:
        again = {tile} if tile in round_.laid else set()
        state = state.with_round(
            laid=round_.laid | {tile},
            laid_again=round_.laid_again | again,
            newest=(tile, train),
        )
    return state.with_round(
        started=_with(round_.started, train),
        nudged=_nudged(state, train, player),
        asides=asides,
    )


def _nudged(state: GameState, train: int, player: int | None) -> Mapping[int, str]:
    """Whose marker should come down now, after a play on this train by this player."""
    round_ = state.open()
    if player is None or player not in round_.marked or player in round_.owing:
        return round_.nudged
    if state.rules["marker_down"] == "any_play":
        return {**round_.nudged, player: "any"}
    return {**round_.nudged, player: "own"} if train == player else round_.nudged


def _with(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    return numbers if number in numbers else (*numbers, number)


def mark(state: GameState, action: Action) -> GameState:
    """A marker goes up: this train is open to all. The Mexican Train always is."""
    train = state.train(action["train"])
    if train == MEXICAN_TRAIN:
        return state
    round_ = state.open()
    if train in round_.marked:
        return state
    owes = state.rules["cover_marker"] and bool(round_.open_doubles) and train == round_.to_cover
    return state.with_round(
        marked=round_.marked | {train},
        owing=round_.owing | {train} if owes else round_.owing,
    )


def unmark(state: GameState, action: Action) -> GameState:
    """A marker comes down."""
    train = state.train(action["train"])
    if train == MEXICAN_TRAIN:
        return state
    round_ = state.open()
    if train not in round_.marked:
        return state
    return state.with_round(
        marked=round_.marked - {train},
        owing=round_.owing - {train},
        nudged={number: kind for number, kind in round_.nudged.items() if number != train},
    )


def start_train(state: GameState, action: Action) -> GameState:
    """A player's train has begun."""
    number = state.player(action["player"])
    return state.with_round(started=_with(state.open().started, number))


def start_mexican_train(state: GameState, _: Action) -> GameState:
    """The Mexican Train has begun."""
    return state.with_round(started=_with(state.open().started, MEXICAN_TRAIN))


def knock(state: GameState, action: Action) -> GameState:
    """A player says that one tile is left."""
    number = state.player(action["player"])
    return state.with_round(knocked=_with(state.open().knocked, number))
