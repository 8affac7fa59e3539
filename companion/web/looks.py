"""Colour and shape of a player: fourteen pairs that nobody needs colour vision to tell apart.

Knows neither pages nor scores. A look is a number from 1 to 14; the style sheets give the
colour of ``look-n`` by day and by night, the badge draws the shape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask_babel import LazyString, lazy_gettext

from companion.names import folded


@dataclass(frozen=True)
class Look:
    """One pair: its number, its colour's and shape's plain names, its drawing.

    ``path`` is SVG path data in a square of 0 to 48.
    """

    number: int
    name: LazyString
    path: str


_CIRCLE = "M24 4a20 20 0 1 0 0 40a20 20 0 1 0 0-40z"
_SQUARE = "M9 6h30a3 3 0 0 1 3 3v30a3 3 0 0 1-3 3H9a3 3 0 0 1-3-3V9a3 3 0 0 1 3-3z"
_TRIANGLE = "M24 4c1.2 0 2 .6 2.6 1.7L45 38.5c1.2 2.2-.2 4.5-2.6 4.5H5.6C3.2 43 1.8 40.7 3 38.5L21.4 5.7C22 4.6 22.8 4 24 4z"  # noqa: E501
_DIAMOND = "M24 2l20 22-20 22L4 24z"
_STAR = "M24 2l6.5 14.2 15.5 1.8-11.5 10.6 3.1 15.4L24 36.3 10.4 44l3.1-15.4L2 18l15.5-1.8z"  # noqa: E501
_PLUS = "M17 4h14v13h13v14H31v13H17V31H4V17h13z"
_HEART = "M24 44C8 33 3 25 3 16.5 3 10 8 5 14 5c4 0 8 2.5 10 6.5C26 7.5 30 5 34 5c6 0 11 5 11 11.5C45 25 40 33 24 44z"  # noqa: E501
_HEXAGON = "M13 5h22l11 19-11 19H13L2 24z"
_HOUSE = "M24 3l21 19h-6v22H9V22H3z"
_CLOVER = "M24 3a10.5 10.5 0 0 1 9.4 15.2A10.5 10.5 0 1 1 28 35.5V45h-8v-9.5a10.5 10.5 0 1 1-5.4-17.3A10.5 10.5 0 0 1 24 3z"  # noqa: E501
_DROP = "M24 2c8 11 15 18.5 15 27.5C39 38.5 32.3 46 24 46S9 38.5 9 29.5C9 20.5 16 13 24 2z"
_MOON = "M31 3a21.5 21.5 0 1 0 13 30.5A17.5 17.5 0 0 1 31 3z"
_BOLT = "M29 2L8 27h12l-4 19 24-27H27z"
_RING = "M24 3a21 21 0 1 0 0 42a21 21 0 1 0 0-42zm0 12a9 9 0 1 1 0 18a9 9 0 1 1 0-18z"

LOOKS: tuple[Look, ...] = (
    Look(1, lazy_gettext("Blue circle"), _CIRCLE),
    Look(2, lazy_gettext("Orange square"), _SQUARE),
    Look(3, lazy_gettext("Green triangle"), _TRIANGLE),
    Look(4, lazy_gettext("Gold diamond"), _DIAMOND),
    Look(5, lazy_gettext("Violet star"), _STAR),
    Look(6, lazy_gettext("Sky plus"), _PLUS),
    Look(7, lazy_gettext("Red heart"), _HEART),
    Look(8, lazy_gettext("Teal hexagon"), _HEXAGON),
    Look(9, lazy_gettext("Brown house"), _HOUSE),
    Look(10, lazy_gettext("Pink clover"), _CLOVER),
    Look(11, lazy_gettext("Olive drop"), _DROP),
    Look(12, lazy_gettext("Indigo moon"), _MOON),
    Look(13, lazy_gettext("Grey bolt"), _BOLT),
    Look(14, lazy_gettext("Ink ring"), _RING),
)


def looks_for(players: Sequence[str], remembered: Mapping[str, int]) -> dict[str, int]:
    """The look of each player: the remembered one, else the first that is free.

    ``remembered`` maps folded names to looks. No two players of one game share a look: who sits
    first keeps it.
    """
    given: dict[str, int] = {}
    for player in players:
        wish = remembered.get(folded(player))
        if wish is not None and 1 <= wish <= len(LOOKS) and wish not in given.values():
            given[player] = wish
    free = (look.number for look in LOOKS if look.number not in given.values())
    for player in players:
        if player not in given:
            given[player] = next(free, 1)
    return {player: given[player] for player in players}
