"""What the camera would tap: markers put up or taken down, the next round, and what looks odd.

Compares an agreed sighting with the table's report and proposes at most an action that a person
could tap; it plays none. A person's word wins: after a tap on a train's marker, or a no, what the
camera thinks of that marker is not said until it sees the marker change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.lines import SeenTrain
from companion.saying import say
from companion.sighting import Sighting


@dataclass(frozen=True)
class Proposal:
    """One sentence with the ``action`` that it would be, None where only people can look.

    ``key`` names what was seen: whoever says no to it says no to that.
    """

    sentence: str
    key: str
    action: dict[str, Any] | None = None


class Opinions:
    """What the camera thinks of the markers, and what people have said about that since.

    ``look`` it at every sighting and every report that somebody sees; it remembers one round.
    """

    def __init__(self) -> None:
        self._forget(None)

    def _forget(self, round_: object) -> None:
        self._round = round_
        self._seen: dict[str, bool] = {}
        """Whether each player's train had a marker when the camera last looked."""
        self._told: dict[str, bool] = {}
        """Whether the report had each marked then."""
        self._shown: set[str] = set()
        """Trains whose marker the camera has seen in this round: only those it can miss."""
        self._settled: set[str] = set()
        """Trains whose marker a person has spoken about, since the camera saw it change."""

    def look(self, report: Mapping[str, Any], sighting: Sighting | None) -> None:
        """Take in how the table is told to be and what was last agreed on."""
        game = report["game"]
        players: Sequence[str] = () if game is None else game["players"]
        round_ = (tuple(players), report["round"], report["engine"])
        if report["phase"] != "playing" or round_ != self._round:
            self._forget(round_)
        told = {player: player in report["open_trains"] for player in players}
        clear = sighting is not None and not sighting.hidden
        seen = _markers(players, sighting.lines) if sighting and clear else dict(self._seen)
        for player in players:
            if seen.get(player) != self._seen.get(player):
                self._settled.discard(player)
            elif told[player] != self._told.get(player, told[player]):
                self._settled.add(player)
        self._shown.update(player for player, there in seen.items() if there)
        self._seen, self._told = seen, told

    def no(self, player: str) -> None:
        """A person says that this train's marker is as it was told."""
        self._settled.add(player)

    def proposals(self) -> list[Proposal]:
        """One for each marker that is not as it was told, in seat order."""
        found = []
        for player, told in self._told.items():
            seen = self._seen.get(player, told)
            if seen == told or player in self._settled:
                continue
            if seen:
                words = say("I see a marker on %(player)s's train: is it open?", player=player)
                action = {"action": "mark", "train": player}
            elif player in self._shown:
                words = say(
                    "The marker on %(player)s's train is gone: is it closed?", player=player
                )
                action = {"action": "unmark", "train": player}
            else:
                continue  # a marker that the camera never saw may be one that it does not know
            found.append(Proposal(words, f"marker {player}", action))
        return found


def _markers(players: Sequence[str], lines: Sequence[SeenTrain]) -> dict[str, bool]:
    """For each player whether the camera sees a marker on their train."""
    marked = {line.seat for line in lines if line.marked}
    return {player: seat in marked for seat, player in enumerate(players, 1)}


def next_round(
    report: Mapping[str, Any], sighting: Sighting | None, next_engine: str | None
) -> Proposal | None:
    """Open the next round, when its engine lies in the hub and the last one's is gone."""
    if report["phase"] != "between" or sighting is None or next_engine is None:
        return None
    seen = None if sighting.engine is None else str(sighting.engine)
    if seen != next_engine or sighting.hidden or not sighting.certain:
        return None
    words = say("The %(engine)s lies in the hub: does the next round begin?", engine=next_engine)
    if not report["round"]:
        words = say("The %(engine)s lies in the hub: does the game begin?", engine=next_engine)
    return Proposal(words, f"next {next_engine}", {"action": "open_round", "engine": next_engine})


def odd(report: Mapping[str, Any], sighting: Sighting | None) -> list[Proposal]:
    """What on the table cannot be right: a tile twice, a joint that does not match."""
    if report["phase"] != "playing" or sighting is None or sighting.hidden:
        return []
    copies = Counter(reading.tile for reading in sighting.tiles if reading.counted)
    asked = [
        say("There are two of the %(tile)s: is one of them another tile?", tile=tile)
        for tile, times in sorted(copies.items())
        if times > 1
    ]
    asked += [sentence for line in sighting.lines for sentence in line.questions]
    return [Proposal(sentence, f"odd {sentence}") for sentence in dict.fromkeys(asked)]
