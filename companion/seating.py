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
from companion.saying import either, say, say_many
from companion.state import GameState, Person, insist, with_turn

FEWEST, MOST = 2, 14
"""Players at one table, by every rule system together."""


def start_game(action: Action) -> GameState:
    """A new game before its first round."""
    names: list[str] = action["players"]
    _check_names(names)
    if action["set"] not in SIZES:
        raise RuleBroken(
            say(
                "There is no double-%(n)s set: choose %(sizes)s.",
                n=action["set"],
                sizes=either(SIZES),
            )
        )
    domino_set = DominoSet(action["set"])
    rules = Rules.preset(action["rules"], action.get("overrides"))
    _check_players(action, rules, len(names))
    hand = _hand(action, rules, domino_set, len(names))
    first = _first_engine(action, domino_set)
    rounds = action.get("rounds")
    if rounds is not None and rounds > first + 1:
        raise RuleBroken(
            say_many(
                "From the %(engine)s down there is only %(num)s round.",
                "From the %(engine)s down there are only %(num)s rounds.",
                first + 1,
                engine=f"{first}-{first}",
            )
        )
    return GameState(
        people=tuple(Person(number, name) for number, name in enumerate(names)),
        seats=tuple(range(len(names))),
        set=domino_set,
        rules=rules,
        hand=hand,
        first_engine=first,
        rounds=rounds,
    )


def _check_names(names: list[str]) -> None:
    if not FEWEST <= len(names) <= MOST:
        raise RuleBroken(
            say_many(
                "%(fewest)s to %(most)s people can play: %(num)s were named.",
                "%(fewest)s to %(most)s people can play: %(num)s were named.",
                len(names),
                fewest=FEWEST,
                most=MOST,
            )
        )
    seen: set[str] = set()
    for name in names:
        _check_new_name(name, seen)
        seen.add(folded(name))


def _check_new_name(name: str, taken: set[str]) -> None:
    if folded(name) in RESERVED:
        raise RuleBroken(
            say(
                "Nobody can be called %(name)s, which means something else here: "
                "choose another name.",
                name=name,
            )
        )
    if folded(name) in taken:
        raise RuleBroken(
            say("Two players are called %(name)s: give one of them another name.", name=name)
        )


def _hand(action: Action, rules: Rules, domino_set: DominoSet, players: int) -> int | None:
    """Tiles each; more than the whole set holds are insisted on."""
    hand: int | None = action.get("hand", proposed_hand(rules.name, domino_set.highest, players))
    if hand is not None and hand * players > len(domino_set) - rules.engine_laid_first:
        insist(
            action,
            say(
                "%(players)s hands of %(hand)s tiles are more than the %(all)s tiles of a "
                "double-%(n)s set: take fewer tiles each.",
                players=players,
                hand=hand,
                all=len(domino_set),
                n=domino_set.highest,
            ),
        )
    return hand


def _check_players(action: Action, rules: Rules, players: int) -> None:
    """More people than the rules name are insisted on."""
    preset = PRESETS[rules.name]
    fewest, most = preset.players
    if players > most:
        insist(
            action,
            say(
                "%(rules)s is for %(fewest)s to %(most)s players.",
                rules=preset.title,
                fewest=fewest,
                most=most,
            ),
        )


def _first_engine(action: Action, domino_set: DominoSet) -> int:
    if "first_engine" not in action.fields:
        return domino_set.highest
    return engine_value(Tile.parse(action["first_engine"]), domino_set)


def engine_value(engine: Tile, domino_set: DominoSet) -> int:
    """The value of an engine; RuleBroken if it is no double of this set."""
    if not engine.is_double:
        raise RuleBroken(
            say("The %(tile)s is no double: an engine is a double like the 9-9.", tile=engine)
        )
    if engine not in domino_set:
        raise RuleBroken(
            say(
                "The %(tile)s is not in a double-%(n)s set.",
                tile=engine,
                n=domino_set.highest,
            )
        )
    return engine.high


def _between(state: GameState, finished: str, playing: str) -> None:
    """Refuse, in the sentence for either, a finished game and an open round."""
    if state.phase == "finished":
        raise RuleBroken(finished)
    if state.phase != "between":
        raise RuleBroken(playing)


def add_player(state: GameState, action: Action) -> GameState:
    """A late joiner, or somebody who comes back; ``past`` says what missed rounds count."""
    _between(
        state,
        say("The game is finished: add a player in a new game."),
        say("A round is open: add a player when it is closed."),
    )
    if len(state.seats) >= MOST:
        raise RuleBroken(say("%(n)s people play already: nobody more can join.", n=MOST))
    seat = action.get("seat", len(state.seats) + 1)
    if seat > len(state.seats) + 1:
        raise _no_seat(seat, len(state.seats) + 1)
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
        raise RuleBroken(say("The game is finished: nobody needs to leave it."))
    if len(state.seats) <= FEWEST:
        raise RuleBroken(say("Two people are needed to play: finish the game instead."))
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
    _between(
        state,
        say("The game is finished: change seats in a new game."),
        say("A round is open: change seats when it is closed."),
    )
    seat = action["seat"]
    if seat > len(state.seats):
        raise _no_seat(seat, len(state.seats))
    others = [each for each in state.seats if each != number]
    return replace(state, seats=(*others[: seat - 1], number, *others[seat - 1 :]))


def _no_seat(seat: int, most: int) -> RuleBroken:
    return RuleBroken(say("There is no seat %(seat)s: choose 1 to %(most)s.", seat=seat, most=most))


def set_rule(state: GameState, action: Action) -> GameState:
    """One switch set otherwise from the next round on."""
    _between(
        state,
        say("The game is finished: change the rules in a new game."),
        say("A round is open: change the rules when it is closed."),
    )
    return replace(state, rules=state.rules.with_switch(action["switch"], action["value"]))


def finish_game(state: GameState, _: Action) -> GameState:
    """The game ends at the last closed round; a round still open is not counted."""
    if state.phase == "finished":
        raise RuleBroken(say("The game is finished already."))
    if not state.closed:
        raise RuleBroken(say("No round is closed yet: close one first, or start a new game."))
    return replace(state, phase="finished")
