"""The simulated table's own tiles: who holds what, and what lies where.

A table's report tells rounds, engines, markers and doubles, but no tiles: this side deals a set of
its own and plays along, so that whatever the report says lies on the table as real tiles would.
Lengths are in tile lengths, measured from the hub's centre, x to the right and y down. Knows no
picture and no camera.
"""

from __future__ import annotations

import math
import random
from typing import Any

from companion.dominoes import DominoSet, Tile
from hardware.laying import FEWEST_SLOTS, MEXICAN, Train, fits, places, ring


class PhysicalTable:
    """Tiles, hands, boneyard and trains, played along with a report.

    ``reach`` is how far tiles may lie from the hub's centre, to the sides and up or down, so that
    trains bend before they leave the picture.
    """

    def __init__(self, seed: int, highest: int, seats: int, reach: tuple[float, float]) -> None:
        self.seed = seed
        self.reach = reach
        self.players: tuple[str, ...] = tuple(f"Seat {n + 1}" for n in range(seats))
        self.highest = highest
        self.wanted: Tile | None = None
        self.engine: Tile | None = None
        self.trains: dict[str, Train] = {}
        self.marked: set[str] = set()
        self.markers_at_hub = True
        self.hands: dict[str, list[Tile]] = {}
        self.boneyard: list[Tile] = []
        self._round: tuple[int, int, str | None] = (highest, 0, None)
        self._turn: str | None = None
        self._deal(None)

    @property
    def slots(self) -> int:
        """How many trains the hub has room for."""
        return max(FEWEST_SLOTS, len(self.players) + 1)

    @property
    def ring(self) -> float:
        """How far from the hub's centre the trains begin."""
        return ring(self.slots)

    def slot(self, train: str) -> float:
        """The direction of this train: seats go clockwise from the bottom, the Mexican one last."""
        place = self.slots - 1 if train == MEXICAN else self.players.index(train)
        return math.pi / 2 + place * 2 * math.pi / self.slots

    def follow(self, report: dict[str, Any]) -> None:
        """Make the tiles lie as this report says."""
        game = report["game"]
        if game is None:
            self._begin((), self.highest, (self.highest, 0, None), None)
            return
        round_ = (game["set"], report["round"], report["engine"])
        if round_ != self._round or len(game["players"]) != len(self.players):
            self._begin(tuple(game["players"]), game["set"], round_, game["hand"])
        else:
            self._rename(tuple(game["players"]))
        started = [*report["started"]]
        if report["mexican_train"] and MEXICAN not in started:
            started.append(MEXICAN)
        for name in [name for name in self.trains if name not in started]:
            self._take_back(name)
        for name in started:
            if name not in self.trains:
                self.start(name)
        self._play_turn(report["turn"], set(report["open_trains"]))
        self._lay_doubles(report["open_doubles"])
        self.marked = {*report["open_trains"], *([MEXICAN] if report["mexican_train"] else [])}
        self.markers_at_hub = game["rules"] != "classic"

    def start(self, name: str) -> bool:
        """Begin a train at its slot with a tile that fits the engine."""
        if self.wanted is None:
            return False
        self.trains[name] = Train(self.slot(name), self.ring, self.wanted.low)
        return self.grow(name)

    def grow(self, name: str) -> bool:
        """Lay one more fitting tile on this train; False when none fits or there is no room.

        It comes from the owner's hand, else from the boneyard, else from wherever it is: the report
        says that the train grew, so the people had a tile.
        """
        train = self.trains[name]
        for holder in (self.hands.get(name, []), self.boneyard, *self.hands.values()):
            for tile in holder:
                if train.value in tile.ends and not tile.is_double and self._lay(train, tile):
                    holder.remove(tile)
                    return True
        return False

    def lay_double(self, name: str, double: Tile) -> bool:
        """Lay a double crosswise, after the tiles that lead to it where any are needed."""
        train = self.trains[name]
        for bridge in self._bridge(train.value, double.low):
            if not self._take(bridge) or not self._lay(train, bridge):
                return False
        return self._take(double) and self._lay(train, double)

    def _bridge(self, value: int, wanted: int) -> tuple[Tile, ...]:
        """The one or two tiles that lead from one value to another, of those not yet laid."""
        if value == wanted:
            return ()
        free = {tile for holder in (self.boneyard, *self.hands.values()) for tile in holder}
        straight = Tile.of(value, wanted)
        if straight in free:
            return (straight,)
        for between in range(self.highest + 1):
            pair = (Tile.of(value, between), Tile.of(between, wanted))
            if free.issuperset(pair) and not any(tile.is_double for tile in pair):
                return pair
        return (straight,)

    def _begin(
        self,
        players: tuple[str, ...],
        highest: int,
        round_: tuple[int, int, str | None],
        hand: int | None,
    ) -> None:
        """A new round: all tiles back, the engine into the hub, a new deal."""
        self.players, self.highest, self._round = players, highest, round_
        self.wanted = Tile.parse(round_[2]) if round_[2] else None
        self.engine = self.wanted
        self.trains, self.marked, self._turn = {}, set(), None
        self._deal(hand)

    def _deal(self, hand: int | None) -> None:
        tiles = [tile for tile in DominoSet(self.highest) if tile != self.wanted]
        random.Random(f"{self.seed} {self._round}").shuffle(tiles)  # nosec B311 # dice of a drawing
        most = len(tiles) // max(1, len(self.players))
        size = min(hand or 15, most)
        self.hands = {name: tiles[n * size : (n + 1) * size] for n, name in enumerate(self.players)}
        self.boneyard = tiles[len(self.players) * size :]

    def _rename(self, players: tuple[str, ...]) -> None:
        """The same people under other names, or the same round with another order of names."""
        if players == self.players:
            return
        named = dict(zip(self.players, players))
        self.trains = {named.get(name, name): train for name, train in self.trains.items()}
        self.hands = {named.get(name, name): hand for name, hand in self.hands.items()}
        self._turn = named.get(self._turn or "", self._turn)
        self.players = players

    def _take(self, tile: Tile) -> bool:
        """Take a tile out of the boneyard or a hand; False when it lies on the table already."""
        for holder in (self.boneyard, *self.hands.values()):
            if tile in holder:
                holder.remove(tile)
                return True
        return False

    def _take_back(self, name: str) -> None:
        self.boneyard.extend(spot.tile for spot in self.trains.pop(name).lying)

    def _play_turn(self, turn: str | None, marked: set[str]) -> None:
        """Whoever's turn has passed has laid a tile, unless their marker is up."""
        before, self._turn = self._turn, turn
        if before != turn and before in self.trains and before not in marked:
            train = self.trains[before]
            if train.open_double is None:
                self.grow(before)

    def _lay_doubles(self, open_doubles: list[dict[str, Any]]) -> None:
        """Doubles that wait lie crosswise at the end; those that wait no more are covered."""
        waiting = {entry["train"]: Tile.parse(entry["double"]) for entry in open_doubles}
        for name, train in self.trains.items():
            wanted = waiting.get(name)
            if wanted is None and train.open_double is not None:
                self.grow(name)
            elif wanted is not None and wanted != train.open_double:
                self.lay_double(name, wanted)

    def _lay(self, train: Train, tile: Tile) -> bool:
        """Find room for the tile at the train's end, straight on or round a corner."""
        for spot, head in places(train, tile):
            if fits(spot, self.reach, train, self.trains.values()):
                train.lay(spot, head)
                return True
        return False
