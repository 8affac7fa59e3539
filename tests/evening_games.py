"""Small games at times of their own, as the tests of export, import and figures play them."""

from collections.abc import Iterator
from typing import Any

from companion.kept import KeptGame, kept_games
from telling import act

Said = dict[str, Any]


def timed(day: str, *actions: Said) -> list[Said]:
    """These actions one second after another, in the evening of this day."""
    return [{**said, "at": f"{day}T20:{n // 60:02}:{n % 60:02}Z"} for n, said in enumerate(actions)]


def game(
    day: str, players: list[str], *rounds: Said, finish: bool = True, **start: Any
) -> list[Said]:
    """A game; each round maps players to pips, a list of tiles, or None for who went out."""
    return timed(day, *_told(players, rounds, finish, start))


def _told(players: list[str], rounds: Any, finish: bool, start: Said) -> Iterator[Said]:
    asked = {"set": 9, "rules": "classic", "overrule": True, **start}
    yield act("start_game", players=players, **asked)
    for hands in rounds:
        yield act("open_round", starter=players[0])
        for name, left in hands.items():
            if left is None:
                yield act("go_out", player=name)
            else:
                kind = "tiles" if isinstance(left, list) else "pips"
                yield act("hand", player=name, **{kind: left})
        yield act("close_round")
    if finish:
        yield act("finish_game")


def kept(*runs: list[Said]) -> list[KeptGame]:
    """The games of a journal that holds these one after another."""
    return kept_games([said for run in runs for said in run])


MAY = game(
    "2024-05-31", ["Ann", "Bob"], {"Ann": None, "Bob": ["4-5", "0-0"]}, {"Ann": 20, "Bob": 3}
)
JUNE = game("2024-06-07", ["Ann", "Bob", "Cem"], {"Ann": 10, "Bob": None, "Cem": 90})
JULY = game("2024-07-05", ["Ann", "Bob"], {"Ann": 7, "Bob": 9}, finish=False)
