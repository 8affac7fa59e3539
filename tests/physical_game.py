"""A whole evening of real tiles with its own score sheet on paper, and what was told of it.

Knows nothing of the product. Adds up what is left in the hands by the rules that the people at
this table remember, and tells late joiners, leavers, slips, corrections and a game's end.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from physical_round import Round
from physical_rules import SYSTEMS, Domino, System, Told, written

NAMES = ["Ann", "Bob", "Cem", "Dot", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou"]
TABLES = {
    "classic": [
        (6, 3, 7),
        (6, 4, 7),
        (9, 2, 15),
        (9, 3, 15),
        (12, 4, 15),
        (12, 6, 12),
        (12, 8, 11),
    ],
    "thirteen": [(12, 2, 12), (12, 4, 12), (12, 6, 12), (12, 8, 10), (12, 10, 8)],
    "hub": [(9, 2, 15), (9, 3, 13), (9, 4, 10), (12, 3, 16), (12, 4, 15), (12, 5, 14), (12, 8, 9)],
}
"""Set, players and tiles each, as printed on the sheets of each rule system."""

Sheet = dict[str, list[int | None]]


@dataclass
class Evening:
    """A finished evening: what was told, and the paper sheet."""

    told: Told = field(default_factory=Told)
    sheet: Sheet = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    winners: list[str] = field(default_factory=list)


@dataclass
class House:
    """The rules of this very table: the system, and what the people changed."""

    name: str
    system: System
    blank: int
    fine: int = 0
    positive: bool = False

    @property
    def overrides(self) -> dict[str, object]:
        changed: dict[str, object] = {}
        if self.blank != self.system.blank:
            changed["double_blank"] = self.blank
        if self.fine:
            changed["marker_penalty"] = self.fine
        if self.positive:
            changed["scoring"] = "positive"
        return changed


def play_evening(name: str, seed: int) -> Evening:
    """A seeded evening by one of the three rule systems."""
    return _Evening(name, random.Random(f"{name} {seed}")).play()


class _Evening:
    def __init__(self, name: str, chance: random.Random) -> None:
        self.chance = chance
        self.house = House(name, SYSTEMS[name], SYSTEMS[name].blank)
        if chance.random() < 0.5:
            self.house.blank = chance.choice([0, 25, 50])
            self.house.fine = chance.choice([0, 5, 10, 25])
            self.house.positive = chance.random() < 0.3
        self.highest, players, self.hand = chance.choice(TABLES[name])
        self.small = chance.random() < 0.2
        if self.small:
            self.hand = chance.randint(1, 3)
        self.people = NAMES[:players]
        self.talkative = chance.random() < 0.7
        self.rounds = self.highest + 1 if chance.random() < 0.6 else chance.randint(2, 6)
        self.came = {person: (0, "none") for person in self.people}
        self.left: list[dict[str, tuple[int, list[Domino] | None]]] = []
        self.evening = Evening()
        self.told = self.evening.told

    def play(self) -> Evening:
        fields: dict[str, object] = {"hand": self.hand} if self.small else {}
        if self.house.overrides:
            fields["overrides"] = self.house.overrides
        if self.rounds <= self.highest:
            fields["rounds"] = self.rounds
        self.told.act(
            "start_game", players=self.people, set=self.highest, rules=self.house.name, **fields
        )
        for number in range(self.rounds):
            self._play_round(self.highest - number)
            if number + 1 < self.rounds and self.chance.random() < 0.1:
                self._come_and_go()
        self._late_corrections()
        self._add_up()
        return self.evening

    def _play_round(self, engine: int) -> None:
        played = Round(
            self.chance,
            self.house.system,
            list(self.people),
            self.highest,
            engine,
            self.hand,
            self.told,
            self.talkative,
        )
        played.play()
        self.left.append({})
        marked = {p for p in self.people if played.lines[p].marked}
        counted = {p: self._tell_hand(p, played.hands[p], p in played.out) for p in self.people}
        self.told.show(hands=counted, flags=[])
        self.told.act("close_round")
        self.evening.sheet = {p: self.evening.sheet.get(p, []) for p in self.came}
        points = {person: told["points"] for person, told in counted.items()}
        self._write_down(points, marked, played.out)

    def _tell_hand(self, player: str, tiles: list[Domino], out: bool) -> dict[str, object]:
        """One person's tiles, told one by one or as a sum, sometimes after a slip."""
        if out:
            return {"tiles": [], "points": 0}
        points = self._points(tiles)
        if self.chance.random() < 0.1:
            self.told.act("hand", player=player, pips=points + 1)
            if self.chance.random() < 0.5:
                self.told.act("undo")
        again = {"replace": True} if self._has_hand(player) else {}
        if self.chance.random() < 0.5:
            self.told.act("hand", player=player, pips=points, **again)
            return {"tiles": None, "points": points}
        seen = [written(tile) for tile in tiles]
        self.told.act("hand", player=player, tiles=seen, **again)
        return {"tiles": seen, "points": points}

    def _has_hand(self, player: str) -> bool:
        name, last = self.told.events[-1]
        return name == "act" and last["action"] == "hand" and last["player"] == player

    def _points(self, tiles: list[Domino]) -> int:
        return sum(self.house.blank if tile == (0, 0) else sum(tile) for tile in tiles)

    def _write_down(self, points: dict[str, int], marked: set[str], out: list[str]) -> None:
        """A row on the paper sheet; who was not there yet has what was agreed."""
        row: dict[str, int | None] = dict(points)
        if self.house.positive:
            takers = out or [p for p in points if points[p] == min(points.values())]
            share = sum(points[p] for p in points if p not in takers) // len(takers)
            row = {p: share if p in takers else 0 for p in points}
            row = {p: score - self.house.fine * (p in marked) for p, score in row.items()}
        else:
            row = {p: score + self.house.fine * (p in marked) for p, score in points.items()}
        for person in self.came:
            self.evening.sheet[person].append(row.get(person))
        self.last = (points, marked, out)

    def _come_and_go(self) -> None:
        """Somebody goes home, or somebody joins where the tiles are enough for one more."""
        tiles = (self.highest + 1) * (self.highest + 2) // 2
        room = tiles - self.house.system.laid_first - self.hand * (len(self.people) + 1)
        new = [name for name in NAMES if name not in self.came]
        if len(self.people) > 3 and self.chance.random() < 0.5:
            gone = self.chance.choice(self.people)
            self.people = [person for person in self.people if person != gone]
            self.told.act("leave", player=gone)
        elif room >= 0 and new and len(self.people) < 10:
            self._join(new[0], self.chance.choice(["none", "zero", "average", "highest"]))

    def _join(self, name: str, past: str) -> None:
        seat = self.chance.randint(1, len(self.people) + 1)
        self.people = [*self.people[: seat - 1], name, *self.people[seat - 1 :]]
        self.told.act("add_player", name=name, past=past, seat=seat)
        rows = zip(*(self.evening.sheet[person] for person in self.came))
        missed = [self._agreed(past, index, list(row)) for index, row in enumerate(rows)]
        self.came[name] = (len(missed), past)
        self.evening.sheet[name] = missed

    def _agreed(self, past: str, index: int, row: list[int | None]) -> int | None:
        """What a missed round counts: of those who really played in it."""
        there = [
            score
            for score, (since, _) in zip(row, self.came.values())
            if score is not None and index >= since
        ]
        if past == "none":
            return None
        if past == "zero":
            return 0
        if past == "highest":
            return max(there)
        quotient, rest = divmod(sum(there), len(there))
        return quotient + (2 * rest >= len(there))

    def _late_corrections(self) -> None:
        """After the end somebody counts the last hand again."""
        points, marked, out = self.last
        others = [person for person in points if person not in out]
        if not others or self.chance.random() < 0.5:
            return
        person = self.chance.choice(others)
        points = {**points, person: points[person] + self.chance.randint(1, 9)}
        number = len(self.evening.sheet[person])
        self.told.act("correct", round=number, player=person, pips=points[person], why="recount")
        for column in self.evening.sheet.values():
            column.pop()
        self._write_down(points, marked, out)

    def _add_up(self) -> None:
        sheet = self.evening.sheet
        totals = {person: sum(score or 0 for score in sheet[person]) for person in sheet}
        whole = [person for person in sheet if None not in sheet[person]]
        sign = -1 if self.house.positive else 1
        best = min((sign * totals[person] for person in whole), default=0)
        first = [person for person in whole if sign * totals[person] == best]
        if self.house.name == "classic" and not self.house.positive:
            zeros = max((sheet[person].count(0) for person in first), default=0)
            first = [person for person in first if sheet[person].count(0) == zeros]
            rounds = {p: min((n for n in sheet[p] if n), default=0) for p in first}
            first = [p for p in first if rounds[p] == min(rounds.values())]
        self.evening.totals, self.evening.winners = totals, first
