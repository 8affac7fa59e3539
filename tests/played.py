"""Games as the pages show them afterwards: whole rounds, and a house with three games."""

from pathlib import Path

from visitor import OPEN, START, Place


def whole(place: Place, **pips: int) -> None:
    """A round with these hands; 0 went out."""
    place.play({"action": "open_round"})
    for who, left in pips.items():
        told = {"action": "go_out"} if left == 0 else {"action": "hand", "pips": left}
        place.play({**told, "player": who})
    place.play({"action": "close_round"})


def three_games(folder: Path) -> Place:
    """A finished game of Red and Blue, one set aside of three, one on the table."""
    place = Place(folder)
    place.play({**START, "players": ["Red", "Blue"]})
    whole(place, Red=0, Blue=31)
    whole(place, Red=12, Blue=0)
    place.play({"action": "finish_game"}, {**START, "rules": "hub"})
    whole(place, Red=7, Blue=0, Green=40)
    place.play({**OPEN, "starter": "Green"}, {"action": "mark", "train": "Blue"})
    place.play({**START, "players": ["Red", "Blue"], "overrule": True}, OPEN)
    return place
