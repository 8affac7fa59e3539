"""Games that come from a file: every one is played through before any is taken.

The file is not trusted: its size, its form and each action are checked, and the first thing that
is wrong refuses the whole of it in one sentence. Knows no journal and no page.
"""

from __future__ import annotations

import json
from typing import Any

from companion.actions import Action, parse_action
from companion.errors import RuleBroken
from companion.exporting import FORMAT, VERSION
from companion.kept import FINISHED, UNFINISHED, KeptGame
from companion.saying import in_line, say
from companion.state import GameState
from companion.table import Table

LARGEST = 16 * 1024 * 1024
"""Bytes of a file: five hundred evenings of which everything was told."""
MOST_PARTS = 2_000_000
"""Lists, objects and values in a file: more than that much of anything honest holds."""
MOST_GAMES = 5_000
MOST_ACTIONS = 20_000
"""Actions of one game: fourteen people telling every tile of nineteen rounds need half of it."""
MOST_TOGETHER = 150_000
"""Actions of all games of a file: five hundred evenings of thirteen rounds in which every turn was
told, at 300 each. A small machine holds a few times as much in memory and plays it in seconds."""
MOST_ROUNDS, MOST_PEOPLE = 200, 100
"""Rounds and people of one game: beyond all that a table has seen, and each makes it slower."""


def read_games(data: bytes) -> list[KeptGame]:
    """The games of an exported file. Raises RuleBroken with a sentence where it is not sound."""
    listed = _listed(data)
    _check_length(sum(map(_length, listed)))
    return [_game(said, number) for number, said in enumerate(listed, start=1)]


def too_large() -> str:
    """The sentence for a file of too many bytes."""
    return say(
        "That file is too large: %(most)s megabytes at most. "
        "Export the games of one group at a time.",
        most=LARGEST // 1024**2,
    )


def _length(said: Any) -> int:
    actions = said.get("actions") if isinstance(said, dict) else None
    return len(actions) if isinstance(actions, list) else 0


def _check_length(actions: int) -> None:
    if actions > MOST_TOGETHER:
        raise RuleBroken(
            say(
                "That file tells of more than %(most)s taps: "
                "export the games of one group, or one game, at a time.",
                most=MOST_TOGETHER,
            )
        )


def _listed(data: bytes) -> list[Any]:
    if len(data) > LARGEST:
        raise RuleBroken(too_large())
    _check_length(data.count(b'"action"'))  # before it takes memory
    said = _parsed(data)
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise RuleBroken(
            say("That file holds no games: choose one that was exported here, ending in .json.")
        )
    if said.get("version") != VERSION or type(said["version"]) is not int:
        raise RuleBroken(
            say("That file was made by another version: bring this companion up to date first.")
        )
    games = said.get("games")
    if isinstance(games, list) and len(games) > MOST_GAMES:
        raise RuleBroken(
            say(
                "That file holds too many games: %(most)s at most. "
                "Export the games of one group at a time.",
                most=MOST_GAMES,
            )
        )
    if not isinstance(games, list) or set(said) != {"format", "version", "games"}:
        raise RuleBroken(say("That file is not as it was exported: export the games again."))
    return games


def _parsed(data: bytes) -> Any:
    """The JSON of the file; None for what is none, or what is made to swell when it is read."""
    if sum(data.count(mark) for mark in (b"[", b"{", b",")) > MOST_PARTS:
        return None
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None


def _game(said: Any, number: int) -> KeptGame:
    """One game, played through. ``number`` is its place in the file."""
    actions = said.get("actions") if isinstance(said, dict) else None
    if not isinstance(actions, list) or not actions:
        raise RuleBroken(
            say("Nothing was imported, because game %(n)s of the file has no actions.", n=number)
        )
    if len(actions) > MOST_ACTIONS:
        raise RuleBroken(
            say("Nothing was imported, because game %(n)s of the file is too long.", n=number)
        )
    told, state = _played(actions, number)
    if state is None:
        raise RuleBroken(
            say("Nothing was imported, because game %(n)s of the file was taken back.", n=number)
        )
    status = FINISHED if state.phase == FINISHED else UNFINISHED
    return KeptGame(number, state, tuple(told), status)


def _played(actions: list[Any], number: int) -> tuple[list[Action], GameState | None]:
    """The actions as the journal keeps them, and how the game stood after the last."""
    table, told = Table.empty(), list[Action]()
    for step, said in enumerate(actions, start=1):
        try:
            action = parse_action(said)
            if (action.name == "start_game") != (step == 1):
                raise RuleBroken(say("a game is started once, at its beginning."))
            after = table.after(action)
            if after is table:
                raise RuleBroken(say("it changes nothing."))
            if _is_endless(after.state):
                raise RuleBroken(say("it has more rounds or people than a game can have."))
        except RuleBroken as refusal:
            raise _refused(number, step, told, refusal) from None
        table = after
        told.append(action)
    return told, table.state


def _is_endless(state: GameState | None) -> bool:
    if state is None:
        return False
    return len(state.closed) > MOST_ROUNDS or len(state.people) > MOST_PEOPLE


def _refused(number: int, step: int, told: list[Action], refusal: RuleBroken) -> RuleBroken:
    """The sentence that names the game, the step and what is wrong with it."""
    if told:
        return RuleBroken(
            say(
                "Nothing was imported, because game %(n)s of the file (%(who)s) "
                "cannot be played beyond step %(step)s: %(why)s",
                n=number,
                who=in_line(told[0]["players"]),
                step=step,
                why=refusal.args[0],
            )
        )
    return RuleBroken(
        say(
            "Nothing was imported, because game %(n)s of the file cannot be started: %(why)s",
            n=number,
            why=refusal.args[0],
        )
    )
