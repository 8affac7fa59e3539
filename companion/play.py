"""What happens on the table during a round: turns, trains, markers, doubles, knocks.

Each function takes the game's state and an action and gives the next state, or raises
RuleBroken. It never refuses what a table has really done for breaking a rule of play; hands and
scores are ``tally``'s.
"""

from __future__ import annotations

from dataclasses import replace

from companion.actions import Action
from companion.dominoes import Tile
from companion.errors import RuleBroken
from companion.seating import engine_value
from companion.state import MEXICAN_TRAIN, GameState, OpenDouble, Round, insist


def open_round(state: GameState, action: Action) -> GameState:
    """The next engine is laid; all markers are down and no train has begun."""
    if state.phase == "finished":
        raise RuleBroken("The game is finished: start a new game.")
    if state.phase != "between":
        raise RuleBroken("A round is open already: close it before the next one.")
    wanted = state.next_engine()
    if wanted is None:
        raise RuleBroken("The 0-0 was played: there is no round left.")
    engine = wanted
    if "engine" in action.fields:
        engine = engine_value(Tile.parse(action["engine"]), state.set)
    if engine != wanted:
        insist(
            action,
            f"Round {len(state.closed) + 1} wants the {wanted}-{wanted}, not the "
            f"{engine}-{engine}: was a round skipped?",
        )
    starter = state.player(action["starter"]) if "starter" in action.fields else None
    opened = Round(engine=engine, players=state.seats, starter=starter, turn=starter)
    return replace(state, round=opened, phase="playing")


def turn(state: GameState, action: Action) -> GameState:
    """It is now this player's turn; the duty to cover an open double moves on to them."""
    number = state.player(action["player"])
    round_ = state.open()
    duty = round_.to_cover
    if round_.open_doubles:
        left_it = due_double(state, round_.open_doubles).player == number
        passes = left_it and state.rules["cover_by"] == "next_player"
        duty = state.after_seat(number) if passes else number
    return state.with_round(turn=number, to_cover=duty)


def draw(state: GameState, action: Action) -> GameState:
    """Tiles are drawn from the boneyard."""
    round_ = state.open()
    state.told_player(action)
    count = action.get("n", 1)
    left = boneyard(state)
    if left is not None and count > left:
        tiles = "1 tile is" if left == 1 else f"{left} tiles are"
        insist(action, f"Only {tiles} left in the boneyard by this count: draw fewer.")
    return state.with_round(drawn=round_.drawn + count)


def boneyard(state: GameState) -> int | None:
    """Face-down tiles left by what was told; None where the hand size is not known."""
    if state.hand is None or state.round is None:
        return None
    dealt = state.hand * len(state.round.players) + state.rules.engine_laid_first
    return max(0, len(state.set) - dealt - state.round.drawn)


def play(state: GameState, action: Action) -> GameState:
    """A tile is laid on a train."""
    train = state.train(action["train"])
    player = state.told_player(action)
    tiles = (Tile.parse(action["tile"]),) if "tile" in action.fields else ()
    return _laid(state, train, player, tiles)


def _laid(
    state: GameState, train: int, player: int | None, tiles: tuple[Tile, ...] = ()
) -> GameState:
    """A train has grown: it has begun, and its marker may be due to come down."""
    round_ = state.open()
    player = round_.turn if player is None else player
    return state.with_round(
        started=_with(round_.started, train),
        laid=round_.laid + tiles,
        nudged=_nudged(state, round_, train, player),
    )


def _nudged(state: GameState, round_: Round, train: int, player: int | None) -> tuple[int, ...]:
    """Whose marker should come down now, after a play on this train by this player."""
    if player is None or player not in round_.marked:
        return round_.nudged
    if train != player and state.rules["marker_down"] == "own_train":
        return round_.nudged
    return _with(round_.nudged, player)


def _with(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    return numbers if number in numbers else (*numbers, number)


def mark(state: GameState, action: Action) -> GameState:
    """A marker goes up: this train is open to all."""
    train = state.train(action["train"])
    round_ = state.open()
    if train == MEXICAN_TRAIN or train in round_.marked:
        return state
    return state.with_round(marked=round_.marked | {train}, nudged=_without(round_.nudged, train))


def unmark(state: GameState, action: Action) -> GameState:
    """A marker comes down."""
    train = state.train(action["train"])
    round_ = state.open()
    if train not in round_.marked:
        return state
    return state.with_round(marked=round_.marked - {train}, nudged=_without(round_.nudged, train))


def _without(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    return tuple(each for each in numbers if each != number)


def start_train(state: GameState, action: Action) -> GameState:
    """A player's train has begun."""
    number = state.player(action["player"])
    return state.with_round(started=_with(state.open().started, number))


def start_mexican_train(state: GameState, _: Action) -> GameState:
    """The Mexican Train has begun."""
    return state.with_round(started=_with(state.open().started, MEXICAN_TRAIN))


def lay_double(state: GameState, action: Action) -> GameState:
    """A double is laid crosswise and lies open until it is covered or released."""
    train = state.train(action["train"])
    player = state.told_player(action)
    round_ = state.open()
    value = action["value"]
    if not 0 <= value <= state.set.highest:
        raise RuleBroken(f"There is no {value}-{value} in a double-{state.set.highest} set.")
    if value == round_.engine:
        insist(action, f"The {value}-{value} is this round's engine: it lies in the hub.")
    tile = Tile(value, value)
    if tile in round_.laid:
        insist(action, f"The {tile} has been laid in this round: every tile exists once.")
    layer = round_.turn if player is None else player
    doubles = (*round_.open_doubles, OpenDouble(value, train, layer))
    duty = round_.to_cover
    if duty is None and layer is not None:
        duty = state.after_seat(layer)
    state = _laid(state, train, player, (tile,))
    return state.with_round(open_doubles=doubles, to_cover=duty)


def due_double(state: GameState, doubles: tuple[OpenDouble, ...]) -> OpenDouble:
    """Which of several open doubles is to be covered first, by the table's rules."""
    return doubles[-1 if state.rules["cover_order"] == "reversed" else 0]


def cover(state: GameState, action: Action) -> GameState:
    """A tile is played on the double that lies open on this train."""
    train = state.train(action["train"])
    told = state.told_player(action)
    round_ = state.open()
    player = round_.turn if told is None else told
    state = _closed_double(state, train)
    left = state.open().open_doubles
    duty: int | None = None
    if left:
        coverer = round_.to_cover if player is None else player
        shared_out = state.rules["cover_each"] == "one_each"
        duty = coverer
        if shared_out and coverer is not None:
            duty = state.after_seat(coverer)
    return _laid(state, train, player).with_round(to_cover=duty)


def release(state: GameState, action: Action) -> GameState:
    """Nobody can cover the double on this train any more: it holds nobody up."""
    state = _closed_double(state, state.train(action["train"]))
    return state if state.open().open_doubles else state.with_round(to_cover=None)


def _closed_double(state: GameState, train: int) -> GameState:
    """The state without the double that is due on this train."""
    round_ = state.open()
    here = tuple(double for double in round_.open_doubles if double.train == train)
    if not here:
        raise RuleBroken(f"No double lies open on {state.say_train(train)}: choose another train.")
    due = due_double(state, here)
    left = tuple(double for double in round_.open_doubles if double is not due)
    return state.with_round(open_doubles=left)


def knock(state: GameState, action: Action) -> GameState:
    """A player says that one tile is left."""
    number = state.player(action["player"])
    return state.with_round(knocked=_with(state.open().knocked, number))
