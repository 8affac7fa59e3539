"""A round that plays itself: people, hands and a boneyard of real tiles, by the rules of the game.

The engine is laid first, everybody then lays one tile a turn, on their own train, on a marked one
or on the Mexican Train. An open double must be covered before anything else. People slip now and
then, and put it right. Knows no picture, no camera and no time.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace

from companion.dominoes import DominoSet, Tile
from hardware.laying import (
    MEXICAN,
    Head,
    Lying,
    Train,
    fits,
    marker_place,
    places,
    ring,
)
from hardware.scene import Deed, Kind, Line, Put, Scene, Table

FULL = 34
"""So many tiles are as many as the table under the camera has room for."""
_SLIP = 0.035
"""How often somebody lays a tile that does not match."""
_FORGET = 0.1
"""How often somebody forgets to put a marker up, or to take it down."""
_WRONG_ENGINE = 0.15
"""How often the wrong double is laid first."""
_BEND = 0.12
"""How often a train bends although it could go straight on."""


class Round:
    """One round, from the engine to the sweep. ``hand`` is how many tiles everybody begins with."""

    def __init__(self, table: Table, engine: Tile, hand: int, chance: random.Random) -> None:
        self.table, self.engine, self._chance = table, engine, chance
        tiles = [tile for tile in DominoSet(table.highest) if tile != engine]
        chance.shuffle(tiles)
        people = table.players
        self.hands = {name: tiles[n * hand : (n + 1) * hand] for n, name in enumerate(people)}
        self.boneyard = tiles[len(people) * hand :]
        self.trains: dict[str, Train] = {}
        self._in_hub: Tile | None = None
        self._puts: dict[str, Put] = {}
        self._marked: set[str] = set()
        """Whose train is open to all, whether or not they thought of the marker."""
        self._doubles: list[str] = []
        """The trains with a double to cover, as they were laid."""

    @property
    def laid(self) -> int:
        """How many tiles lie in trains."""
        return sum(len(train.lying) for train in self.trains.values())

    def play(self) -> Iterator[Deed]:
        """Everything that is done in this round, in order."""
        people = self.table.players
        yield from self._lay_engine()
        turn, idle = self._chance.randrange(len(people)), 0
        end = ""
        while not end:
            person = people[turn % len(people)]
            before = self.laid
            yield from self._turn(person)
            yield from self._put_right(person)
            turn, idle = turn + 1, idle + 1 if self.laid == before else 0
            if not self.hands[person]:
                end = f"{person} is out."
            elif self.laid >= FULL:
                end = "The table is full: the round ends."
            elif idle >= len(people) and not self.boneyard:
                end = "Nobody can play: the round ends."
        self.trains, self._puts, self._in_hub = {}, {}, None
        yield self._deed("clear", f"{end} The tiles are swept away.", (0.0, 0.0), turn)

    def _lay_engine(self) -> Iterator[Deed]:
        seat = self._chance.randrange(len(self.table.players))
        if self._chance.random() < _WRONG_ENGINE:
            others = [n for n in range(self.table.highest + 1) if n != self.engine.low]
            near = min(others, key=lambda n: abs(n - self.engine.low) + self._chance.random())
            self._in_hub = Tile(near, near)
            yield self._deed("engine", f"The {near}-{near} is laid in the hub.", (0, 0), seat)
            words = f"That was the wrong one: the {self.engine} is laid."
        else:
            words = f"The {self.engine} is laid in the hub."
        self._in_hub = self.engine
        yield self._deed("engine", words, (0, 0), seat)

    def _turn(self, person: str) -> Iterator[Deed]:
        """One person's turn: lay, go on after a double, draw, or put the marker up."""
        if self._chance.random() < _SLIP:
            yield from self._slip(person)
        drawn = False
        while self.hands[person] and self.laid < FULL:
            options = self._options(person)
            if options:
                tile, train = self._pick(person, options)
                yield self._lay(person, tile, train)
                if train == person and person in self._marked:
                    yield from self._unmark(person)
                if not tile.is_double:
                    return
                drawn = False
            elif self.boneyard and not drawn:
                drawn = True
                self.hands[person].append(self.boneyard.pop())
                yield self._of(person, "draw", f"{person} draws a tile.", self._home(person))
            else:
                yield from self._mark(person)
                return

    def _options(self, person: str) -> list[tuple[Tile, str]]:
        """What this person may lay and where, of what they hold."""
        self._release()
        trains = self._doubles[:1]
        if not trains:
            open_ones = [name for name in self._marked if name in self.trains and name != person]
            trains = [person, MEXICAN, *sorted(open_ones)]
        found = []
        for name in trains:
            value = self.trains[name].value if name in self.trains else self.engine.low
            for tile in self.hands[person]:
                if value in tile.ends and self._room(name, tile) is not None:
                    found.append((tile, name))
        return found

    def _release(self) -> None:
        """A double that nothing can cover any more, for want of tiles or of room, is let be."""
        for name in list(self._doubles):
            value = self.trains[name].value
            free = [
                *self.boneyard,
                *(tile for hand in self.hands.values() for tile in hand),
            ]
            fitting = [tile for tile in free if value in tile.ends]
            if not fitting or self._room(name, fitting[0]) is None:
                self._doubles.remove(name)

    def _pick(self, person: str, options: list[tuple[Tile, str]]) -> tuple[Tile, str]:
        """Mostly the dearest tile, mostly on one's own train."""

        def worth(option: tuple[Tile, str]) -> float:
            tile, train = option
            own = 8.0 if train == person else 0.0
            return tile.pips + own + 6 * tile.is_double + self._chance.random() * 12

        return max(options, key=worth)

    def _room(
        self, name: str, tile: Tile, *, bend: bool = False, wrong: bool = False
    ) -> tuple[Lying, Head] | None:
        """Where the tile goes on this train, None where there is no room for it."""
        train = self.trains.get(name) or self._unbegun(name)
        turns = self._chance.sample((1, -1), 2)
        order = (turns[0], 0, turns[1]) if bend else (0, *turns)
        taken = [(put.x, put.y) for owner, put in self._puts.items() if owner != name]
        for spot, head in places(train, tile, order, wrong=wrong):
            if fits(spot, self.table.reach, train, self.trains.values(), taken):
                return spot, head
        return None

    def _unbegun(self, name: str) -> Train:
        return Train(self.table.slot(name), ring(self.table.slots), self.engine.low)

    def _lay(self, person: str, tile: Tile, name: str) -> Deed:
        """Lay a tile that fits; whatever lay open there is covered."""
        train = self.trains.setdefault(name, self._unbegun(name))
        bend = bool(train.lying) and self._chance.random() < _BEND
        found = self._room(name, tile, bend=bend)
        assert found, "only what has room is an option"  # nosec B101 # a bug, never input
        self._put_down(train, *found)
        self.hands[person].remove(tile)
        if name in self._doubles:
            self._doubles.remove(name)
        if tile.is_double:
            self._doubles.append(name)
        if name in self._puts:
            self._place_marker(name)
        where = "" if name == person else f" on {_train(name)}"
        how = " crosswise" if tile.is_double else ""
        return self._of(person, "lay", f"{person} lays the {tile}{how}{where}.", _at(train))

    def _put_down(self, train: Train, spot: Lying, head: Head) -> None:
        """People lay tiles a little askew; what follows goes by where the tile should lie."""
        askew = self._chance.uniform
        train.lay(
            replace(
                spot,
                x=spot.x + askew(-0.012, 0.012),
                y=spot.y + askew(-0.012, 0.012),
                angle=spot.angle + math.radians(askew(-1.8, 1.8)),
            ),
            head,
        )

    def _slip(self, person: str) -> Iterator[Deed]:
        """A tile that does not match is laid on one's own train, and taken back."""
        train = self.trains.get(person)
        if train is None or self._doubles or person in self._puts:
            return
        held = [t for t in self.hands[person] if not t.is_double and train.value not in t.ends]
        found = self._room(person, held[0], wrong=True) if held else None
        if found is None:
            return
        value, head = train.value, train.head
        self._put_down(train, *found)
        words = f"{person} lays the {held[0]}, which does not match."
        yield self._of(person, "lay", words, _at(train))
        place = _at(train)
        train.lying.pop()
        train.value, train.head = value, head
        yield self._of(person, "back", f"{person} takes the {held[0]} back.", place)

    def _mark(self, person: str) -> Iterator[Deed]:
        self._marked.add(person)
        if person in self._puts or self._chance.random() < _FORGET:
            return
        self._place_marker(person)
        put = self._puts[person]
        yield self._of(person, "mark", f"{person} puts the marker up.", (put.x, put.y))

    def _unmark(self, person: str) -> Iterator[Deed]:
        self._marked.discard(person)
        if person not in self._puts or self._chance.random() < _FORGET:
            return
        put = self._puts.pop(person)
        yield self._of(person, "unmark", f"{person} takes the marker down.", (put.x, put.y))

    def _put_right(self, person: str) -> Iterator[Deed]:
        """Markers that others forgot are thought of after the next person's turn."""
        for other in self.table.players:
            if other == person or (other in self._marked) == (other in self._puts):
                continue
            if other in self._marked:
                self._place_marker(other)
                kind: Kind = "mark"
                put, words = (
                    self._puts[other],
                    f"{other}'s marker was forgotten: it goes up.",
                )
            else:
                kind = "unmark"
                put, words = (
                    self._puts.pop(other),
                    f"{other}'s marker still stood: it comes down.",
                )
            yield self._of(other, kind, words, (put.x, put.y))

    def _place_marker(self, name: str) -> None:
        """Lay a train's marker, or move it along with the train."""
        others = [(put.x, put.y) for owner, put in self._puts.items() if owner != name]
        place = marker_place(
            self.trains.get(name),
            self.table.slot(name),
            self.table.slots,
            self.table.reach,
            self.trains.values(),
            at_end=self.table.at_end,
            markers=others,
        )
        self._puts[name] = Put(name, *place)

    def _home(self, person: str) -> tuple[float, float]:
        """Where a player sits, beyond the picture."""
        slot = self.table.slot(person)
        return 8 * math.cos(slot), 8 * math.sin(slot)

    def _of(self, person: str, kind: Kind, said: str, place: tuple[float, float]) -> Deed:
        return self._deed(kind, said, place, self.table.players.index(person))

    def _deed(self, kind: Kind, said: str, place: tuple[float, float], seat: int) -> Deed:
        lines = tuple(
            Line(self.table.seat(name), tuple(train.lying))
            for name, train in self.trains.items()
            if train.lying
        )
        scene = Scene(self._in_hub, lines, tuple(self._puts.values()))
        return Deed(kind, said, scene, place, seat % len(self.table.players))


def _at(train: Train) -> tuple[float, float]:
    """Where the train's last tile lies."""
    return train.lying[-1].x, train.lying[-1].y


def _train(name: str) -> str:
    return "the Mexican Train" if name == MEXICAN else f"{name}'s train"
