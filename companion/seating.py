"""Who plays, where they sit and by which rules: starting a game, coming, going, renaming.

Each function takes the game's state and an action and gives the next state, or raises
RuleBroken. Knows nothing of trains or scores.
"""

from __future__ import annotations

from dataclasses import replace

from companion.actions import Action
from companion.dominoes import SIZES, DominoSet, Tile
from companion.errors import RuleBroken
from companion.names import RESERVED, folded
from companion.rulebook import PRESETS, Rules, proposed_hand
from companion.state import GameState, Person, insist, with_turn

FEWEST, MOST = 2, 14
"""Players at one table, by every rule system together."""


def start_game(action: Action) -> GameState:
    """A new game before its first round."""
    names: list[str] = action["players"]
    _check_names(names)
    if action["set"] not in SIZES:
        raise RuleBroken(f"There is no double-{action['set']} set: choose {_sizes()}.")
    domino_set = DominoSet(action["set"])
    rules = Rules.preset(action["rules"], action.get("overrides"))
    _check_players(action, rules, len(names))
    hand = _hand(action, rules, domino_set, len(names))
    first = _first_engine(action, domino_set)
    rounds = action.get("rounds")
    if rounds is not None and rounds > first + 1:
        raise RuleBroken(f"From the {first}-{first} down there are only {first + 1} rounds.")
    return GameState(
        people=tuple(Person(number, name) for number, name in enumerate(names)),
        seats=tuple(range(len(names))),
        set=domino_set,
        rules=rules,
        hand=hand,
        first_engine=first,
        rounds=rounds,
    )


def _sizes() -> str:
    return f"{', '.join(map(str, SIZES[:-1]))} or {SIZES[-1]}"


def _check_names(names: list[str]) -> None:
    if not FEWEST <= len(names) <= MOST:
        raise RuleBroken(f"{FEWEST} to {MOST} people can play: {len(names)} were named.")
    seen: set[str] = set()
    for name in names:
        _check_new_name(name, seen)
        seen.add(folded(name))


def _check_new_name(name: str, taken: set[str]) -> None:
    if folded(name) in RESERVED:
        raise RuleBroken(
            f"Nobody can be called {name}, which means something else here: choose another name."
        )
    if folded(name) in taken:
        raise RuleBroken(f"Two players are called {name}: give one of them another name.")


def _hand(action: Action, rules: Rules, domino_set: DominoSet, players: int) -> int | None:
    """Tiles each; more than the whole set holds are insisted on."""
    hand: int | None = action.get("hand", proposed_hand(rules.name, domino_set.highest, players))
    if hand is not None and hand * players > len(domino_set) - rules.engine_laid_first:
        insist(
            action,
            f"{players} hands of {hand} tiles are more than the {len(domino_set)} tiles of a "
            f"double-{domino_set.highest} set: take fewer tiles each.",
        )
    return hand


def _check_players(action: Action, rules: Rules, players: int) -> None:
    """More people than the rules name are insisted on."""
    preset = PRESETS[rules.name]
    fewest, most = preset.players
    if players > most:
        insist(action, f"{preset.title} is for {fewest} to {most} players.")


def _first_engine(action: Action, domino_set: DominoSet) -> int:
    if "first_engine" not in action.fields:
        return domino_set.highest
    return engine_value(Tile.parse(action["first_engine"]), domino_set)


def engine_value(engine: Tile, domino_set: DominoSet) -> int:
    """The value of an engine; RuleBroken if it is no double of this set."""
    if not engine.is_double:
        raise RuleBroken(f"The {engine} is no double: an engine is a double like the 9-9.")
    if engine not in domino_set:
        raise RuleBroken(f"The {engine} is not in a double-{domino_set.highest} set.")
    return engine.high


def _between(state: GameState, what: str) -> None:
    if state.phase == "finished":
        raise RuleBroken(f"The game is finished: {what} in a new game.")
    if state.phase != "between":
        raise RuleBroken(f"A round is open: {what} when it is closed.")


def add_player(state: GameState, action: Action) -> GameState:
    """A late joiner, or somebody who comes back; ``past`` says what missed rounds count."""
    _between(state, "add a player")
    if len(state.seats) >= MOST:
        raise RuleBroken(f"{MOST} people play already: nobody more can join.")
    seat = action.get("seat", len(state.seats) + 1)
    if seat > len(state.seats) + 1:
        raise RuleBroken(f"There is no seat {seat}: choose 1 to {len(state.seats) + 1}.")
    comer = _comer(state, action["name"])
    person = replace(comer, comings=(*comer.comings, (len(state.closed), action["past"])))
    _check_players(action, state.rules, len(state.seats) + 1)
    others = tuple(old for old in state.people if old.number != person.number)
    people = tuple(sorted((*others, person), key=lambda each: each.number))
    seats = (*state.seats[: seat - 1], person.number, *state.seats[seat - 1 :])
    return replace(state, people=people, seats=seats)


def _comer(state: GameState, name: str) -> Person:
    """The person who comes: one of those who left, else somebody new."""
    for person in state.people:
        if person.number not in state.seats and folded(person.name) == folded(name):
            return person
    _check_new_name(name, {folded(person.name) for person in state.people})
    return Person(len(state.people), name)


def leave(state: GameState, action: Action) -> GameState:
    """Somebody goes home: their past scores stay, their hand is no longer waited for."""
    number = state.player(action["player"])
    if state.phase == "finished":
        raise RuleBroken("The game is finished: nobody needs to leave it.")
    if len(state.seats) <= FEWEST:
        raise RuleBroken("Two people are needed to play: finish the game instead.")
    left = replace(state, seats=tuple(seat for seat in state.seats if seat != number))
    if state.round is None or state.phase == "between":
        return left
    return _taken_off(left, number, state.after_seat(number))


def _taken_off(state: GameState, number: int, heir: int) -> GameState:
    """The open round without somebody: no marker and no duty of theirs is left."""
    round_ = state.open()
    if round_.turn == number:
        state = replace(state, round=with_turn(round_, heir))
    return state.with_round(
        marked=round_.marked - {number},
        to_cover=state.dutiful(heir if round_.to_cover == number else round_.to_cover),
        starter=None if round_.starter == number else round_.starter,
        nudged={each: kind for each, kind in round_.nudged.items() if each != number},
    )


def rename(state: GameState, action: Action) -> GameState:
    """Another name for somebody, in every round."""
    person = state.person(action["player"])
    others = {folded(each.name) for each in state.people if each.number != person.number}
    _check_new_name(action["name"], others)
    people = tuple(
        replace(each, name=action["name"]) if each.number == person.number else each
        for each in state.people
    )
    return replace(state, people=people)


def move_seat(state: GameState, action: Action) -> GameState:
    """Somebody sits elsewhere between rounds; the lamps follow."""
    number = state.player(action["player"])
    _between(state, "change seats")
    seat = action["seat"]
    if seat > len(state.seats):
        raise RuleBroken(f"There is no seat {seat}: choose 1 to {len(state.seats)}.")
    others = [each for each in state.seats if each != number]
    return replace(state, seats=(*others[: seat - 1], number, *others[seat - 1 :]))


def set_rule(state: GameState, action: Action) -> GameState:
    """One switch set otherwise from the next round on."""
    _between(state, "change the rules")
    return replace(state, rules=state.rules.with_switch(action["switch"], action["value"]))


def finish_game(state: GameState, _: Action) -> GameState:
    """The game ends at the last closed round; a round still open is not counted."""
    if state.phase == "finished":
        raise RuleBroken("The game is finished already.")
    if not state.closed:
        raise RuleBroken("No round is closed yet: close one first, or start a new game.")
    return replace(state, phase="finished")
