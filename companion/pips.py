"""Where the pips of a domino half lie, and the colours they usually have.

Knows values from 0 to 18 and nothing else: no tiles, no pictures, no page. The drawn tiles of the
page, the printed hub and the simulated table all ask here, and the reader checks its counts
against the same places. A colour is decoration: nothing may ever need it to tell a value.
"""

from __future__ import annotations

Place = tuple[float, float]

HIGHEST = 18
"""The highest value that any set carries."""

_EDGE = 0.2
"""How far the outer pips stand from the half's edges, in sides of the half."""

# Rows run along the tile's long side; the list gives the pips in each row, from one long edge to
# the other. 10 to 12 use four places along by three across; double-18 sets go on with six along.
_ROWS: dict[int, tuple[int, ...]] = {
    6: (3, 3),
    8: (3, 2, 3),
    9: (3, 3, 3),
    10: (4, 2, 4),
    11: (4, 3, 4),
    12: (4, 4, 4),
    16: (4, 4, 4, 4),
    17: (6, 5, 6),
    18: (6, 6, 6),
}

# 13 to 15, after a real double-15 set: three rows of four across the tile and a short fourth row,
# which lies towards the tile's outer edge.
_ACROSS: dict[int, tuple[int, ...]] = {13: (1, 4, 4, 4), 14: (2, 4, 4, 4), 15: (3, 4, 4, 4)}

_DIAGONAL: tuple[Place, ...] = ((_EDGE, _EDGE), (1 - _EDGE, 1 - _EDGE))
_OTHER_DIAGONAL: tuple[Place, ...] = ((_EDGE, 1 - _EDGE), (1 - _EDGE, _EDGE))
_MIDDLE: Place = (0.5, 0.5)

COLOURS: tuple[str, ...] = (
    "#3b3a36",
    "#2f8fc4",
    "#1f7a3d",
    "#a12a3f",
    "#7b6a52",
    "#2e5f9e",
    "#d79a00",
    "#6d6aa8",
    "#145a3c",
    "#4a2f91",
    "#d9680f",
    "#1d1d1f",
    "#6f757c",
    "#b5338a",
    "#0f7f83",
    "#8a3b12",
    "#c2332b",
    "#5b7a12",
    "#4b5563",
)
"""The usual pip colour of each value, dark enough to be seen on ivory; makers differ."""


def _spread(count: int) -> list[float]:
    """Even steps between the two edges; a single one stands in the middle."""
    if count == 1:
        return [0.5]
    return [_EDGE + (1 - 2 * _EDGE) * step / (count - 1) for step in range(count)]


def _in_rows(counts: tuple[int, ...]) -> tuple[Place, ...]:
    """Rows along the long side, one under the other."""
    return tuple((x, y) for y, count in zip(_spread(len(counts)), counts) for x in _spread(count))


def _layout(value: int) -> tuple[Place, ...]:
    if value in _ROWS:
        return _in_rows(_ROWS[value])
    if value in _ACROSS:
        return tuple((x, y) for y, x in _in_rows(_ACROSS[value]))
    if value == 7:
        return (*_in_rows(_ROWS[6]), _MIDDLE)
    spots: tuple[Place, ...] = ()
    if value >= 2:
        spots += _DIAGONAL
    if value >= 4:
        spots += _OTHER_DIAGONAL
    if value % 2:
        spots += (_MIDDLE,)
    return spots


_PLACES: tuple[tuple[Place, ...], ...] = tuple(_layout(value) for value in range(HIGHEST + 1))


def places(value: int) -> tuple[Place, ...]:
    """The pips of one half as (x, y) centres in the unit square.

    x runs along the tile's long side from its outer edge (0) to the divider (1), y across it. The
    tile's other half is the same turned by half a turn. Raises ValueError outside 0 to 18.
    """
    if not 0 <= value <= HIGHEST:
        raise ValueError(f"No half has {value} pips: values go from 0 to {HIGHEST}.")
    return _PLACES[value]


def pip_radius(value: int) -> float:
    """The radius of this value's pips in sides of the half, so that neighbours never touch."""
    if value <= 9:
        return 0.09
    if value <= 12:
        return 0.076
    return 0.066 if value <= 16 else 0.052
