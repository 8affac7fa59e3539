"""One person's figures with all their games, and two people against each other, drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from companion.kept import KeptGame
from companion.names import folded
from companion.statistics import Figures, Group, groups, statistics
from companion.versus import Meeting, Result, meetings, results, rounds
from companion.web import games
from companion.web.looks import LOOKS, looks_for
from companion.web.people import remembered_looks
from companion.web.services import services

pages = Blueprint("persons", __name__)

MOST_DRAWN = 24
"""Games that are drawn and listed, the latest."""
FEW = 6
"""Games that fill the drawing; fewer leave room at the right."""


@dataclass(frozen=True)
class Bar:
    """One game as a bar: where it stands and how high it is, in percent of the drawing."""

    x: float
    width: float
    height: float
    result: Result

    @property
    def top(self) -> float:
        """How far down its upper end is."""
        return round(100 - self.height, 2)

    @property
    def middle(self) -> float:
        """Its middle across."""
        return round(self.x + self.width / 2, 2)


@dataclass(frozen=True)
class Rival:
    """Somebody met in games: how often one was before them, they before one, and neither."""

    name: str
    ahead: int
    behind: int
    level: int

    @property
    def games(self) -> int:
        """How often they met."""
        return self.ahead + self.behind + self.level

    @property
    def shares(self) -> tuple[float, float, float]:
        """Ahead, level and behind in percent of all."""
        whole = max(1, self.games)
        ahead, behind = round(100 * self.ahead / whole, 2), round(100 * self.behind / whole, 2)
        return ahead, round(100 - ahead - behind, 2), behind


@pages.get("/figures")
def show() -> ResponseReturnValue:
    """The figures of the person ``of``, or of them ``against`` another one.

    ``who`` leaves only the games of one group, ``won=1`` chooses games where points are won.
    """
    kept, group = games.standing(), games.chosen_group()
    name = known(kept, request.args.get("of", ""))
    if name is None:
        abort(404)
    positive = asked_positive(kept, name)
    listed = games.of_group(kept, group)
    about: dict[str, Any] = {
        "name": name,
        "positive": positive,
        "both": both_ways(kept, name),
        "group": group,
        "groups": groups_of(kept, name),
        "who": request.args.getlist("who"),
        "folded": games.as_group,
        "look": looks(kept, name),
        "day": games.day,
        "one_place": games.one_place,
    }
    other = request.args.get("against")
    if other is None:
        return render_template("person.html", **about, **person(listed, name, group, positive))
    rival = known(kept, other)
    if rival is None or rival == name:
        abort(404)
    return render_template("versus.html", **about, **versus(listed, name, rival, positive))


def known(kept: Sequence[KeptGame], said: str) -> str | None:
    """The person of this name, as they were called last; None for a stranger."""
    wanted = folded(said)
    names = (name for game in reversed(kept) for name in game.players)
    return next((name for name in names if folded(name) == wanted), None)


def both_ways(kept: Sequence[KeptGame], name: str) -> bool:
    """Whether somebody finished games of both kinds: where points are left, and where won."""
    return bool(results(kept, name)) and bool(results(kept, name, positive=True))


def asked_positive(kept: Sequence[KeptGame], name: str) -> bool:
    """The way of scoring that the address asks for; the only one where there is one."""
    if both_ways(kept, name):
        return request.args.get("won") == "1"
    return bool(results(kept, name, positive=True))


def groups_of(kept: Sequence[KeptGame], name: str) -> list[tuple[str, ...]]:
    """The groups in which this person finished games; none where there is but one."""
    found = [
        names
        for names, count in groups([game.state for game in kept])
        if count and folded(name) in games.as_group(names)
    ]
    return found if len(found) > 1 else []


def looks(kept: Sequence[KeptGame], name: str) -> Callable[[str], int]:
    """Gives the look of this person and of everybody they met."""
    mine = (game for game in kept if folded(name) in games.as_group(game.players))
    met = {folded(each): each for game in mine for each in game.players}
    given = looks_for([name, *met.values()], remembered_looks(services().people))
    by_name = {folded(each): number for each, number in given.items()}
    return lambda said: by_name.get(folded(said), len(LOOKS))


def person(
    listed: Sequence[KeptGame], name: str, group: Group | None, positive: bool
) -> dict[str, Any]:
    """What one person's page shows."""
    found = results(listed, name, positive=positive)
    latest = found[-MOST_DRAWN:]
    figures = statistics([game.state for game in listed], group=group, positive=positive)
    own = (each for each in figures if folded(each.name) == folded(name))
    return {
        "figures": next(own, Figures(name)),
        "results": latest[::-1],
        "bars": bars(latest),
        "rivals": rivals(listed, name, positive),
    }


def bars(found: Sequence[Result]) -> list[Bar]:
    """The points of a round in each game, the first game at the left; the largest reaches up."""
    points = [max(0.0, float(each.average or 0)) for each in found]
    most, step = max(points, default=0.0) or 1.0, 100 / max(len(found), FEW)
    return [
        Bar(
            x=round(n * step + step * 0.14, 2),
            width=round(step * 0.72, 2),
            height=round(100 * points[n] / most, 2),
            result=each,
        )
        for n, each in enumerate(found)
    ]


def rivals(listed: Sequence[KeptGame], name: str, positive: bool) -> list[Rival]:
    """Everybody met in these games, who was met most first."""
    met: dict[str, str] = {}
    for result in results(listed, name, positive=positive):
        met |= {folded(each): each for each in result.game.players}
    met.pop(folded(name), None)
    found = [rival(each, meetings(listed, name, each, positive=positive)) for each in met.values()]
    return sorted(found, key=lambda each: (-each.games, each.name.casefold()))


def rival(name: str, met: Sequence[Meeting]) -> Rival:
    """How these games went against this person."""
    ends = [each.ahead for each in met]
    return Rival(name, ends.count(-1), ends.count(1), ends.count(0))


def versus(listed: Sequence[KeptGame], name: str, other: str, positive: bool) -> dict[str, Any]:
    """What the page of two people shows."""
    met = meetings(listed, name, other, positive=positive)
    most = max((abs(each.one.total - each.other.total) for each in met), default=0) or 1
    return {
        "rival": rival(other, met),
        "rounds": rounds(met, name, other),
        "meetings": [
            (each, round(46 * abs(each.one.total - each.other.total) / most, 2))
            for each in met[-MOST_DRAWN:][::-1]
        ],
    }
