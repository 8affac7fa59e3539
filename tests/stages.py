"""An evening stopped at five moments, each by a companion of its own, for looking at every page.

The names are long, the table is full, something is in doubt: pages are looked at as they are at
their worst.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.running import Companion

FIVE = ["Ann", "Grandmother Josephine", "Cem", "Wilhelmine", "Žiga"]
FOURTEEN = [*FIVE, "Dee", "Eva", "Filip", "Hans", "Ida", "Jo", "Kim", "Maximilian", "Nia"]
START = {"action": "start_game", "set": 12, "rules": "classic", "overrule": True}
WITHOUT = ("--camera", "none", "--lights", "none")

Action = dict[str, Any]


def whole_round(players: list[str], number: int) -> list[Action]:
    """A round with scores of one to three digits, each player best in some round."""
    out = players[number % len(players)]
    hands = [
        {"action": "hand", "player": player, "pips": 7 + 31 * ((number + seat) % 4)}
        for seat, player in enumerate(players)
        if player != out
    ]
    over = {"action": "go_out", "player": out}
    return [{"action": "open_round", "overrule": True}, over, *hands, {"action": "close_round"}]


def kept_games() -> list[Action]:
    """One game that is finished and one that was set aside."""
    first = [{**START, "players": FIVE[:3], "rounds": 1}, *whole_round(FIVE[:3], 0)]
    return [*first, {**START, "players": FIVE[1:4]}, *whole_round(FIVE[1:4], 1)]


def nothing_played() -> list[Action]:
    """A companion as it comes."""
    return []


def just_begun() -> list[Action]:
    """A round is open, and nobody has said yet who holds its engine."""
    return [{**START, "players": FIVE, "hand": 12}, {"action": "open_round"}]


def in_a_round() -> list[Action]:
    """Trains are open, a double waits, somebody has one tile left, two hands doubt each other."""
    ann, gran, cem, minna, ziga = FIVE
    closed = [action for number in (0, 1) for action in whole_round(FIVE, number)]
    return [
        *kept_games(),
        {**START, "players": FIVE, "rules": "hub"},
        *closed,
        {"action": "open_round", "starter": ann},
        *({"action": "start_train", "player": player} for player in (ann, gran, cem)),
        {"action": "start_mexican_train"},
        *({"action": "mark", "train": train} for train in (gran, minna)),
        {"action": "lay_double", "train": cem, "value": 7, "player": cem},
        {"action": "knock", "player": gran},
        {"action": "hand", "player": ann, "tiles": ["1-2", "0-0", "5-12"]},
        {"action": "hand", "player": gran, "tiles": ["5-12", "3-4"]},
    ]


def between_rounds() -> list[Action]:
    """Three rounds of a full table are closed, and the next is not yet open."""
    closed = [action for number in (0, 1, 2) for action in whole_round(FOURTEEN, number)]
    return [{**START, "players": FOURTEEN}, *closed]


def but_for_the_last_hand() -> list[Action]:
    """Twelve rounds are closed, and of the last one only Žiga's hand is missing."""
    rounds = [action for number in range(13) for action in whole_round(FIVE, number)]
    return [*kept_games(), {**START, "players": FIVE}, *rounds[:-2]]


STAGES: dict[str, tuple[Callable[[], list[Action]], tuple[str, ...]]] = {
    "empty": (nothing_played, WITHOUT),
    "begun": (just_begun, ("--camera", "simulated")),
    "round": (in_a_round, WITHOUT),
    "between": (between_rounds, WITHOUT),
    "over": (but_for_the_last_hand, WITHOUT),
}
"""What is played at each stage, and the flags of its companion."""

SETTINGS = 'best_train = "on"\npace = 0.2\n'
"""Every page is there, and the simulated camera leaves time for the others."""


class Stages:
    """The companions of all stages; use it with ``with``."""

    def __init__(self, folder: Path) -> None:
        self.companions: dict[str, Companion] = {}
        for stage, (_actions, flags) in STAGES.items():
            data = folder / stage
            data.mkdir(parents=True)
            (data / "settings.toml").write_text(SETTINGS)
            self.companions[stage] = Companion(data, *flags)

    def __enter__(self) -> "Stages":
        with ThreadPoolExecutor() as together:
            list(together.map(Companion.start, self.companions.values()))
        for stage, (actions, _flags) in STAGES.items():
            self.companions[stage].play(*actions())
        return self

    def __exit__(self, *_: object) -> None:
        for companion in self.companions.values():
            companion.stop()

    def __getitem__(self, stage: str) -> Companion:
        return self.companions[stage]
