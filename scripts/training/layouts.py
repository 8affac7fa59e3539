"""How tiles are laid out: loose, in rows and blocks, in trains, round a hub, heaped, on edge.

Answers blocks in space and which part of the table they cover. Knows no values and no pictures.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

from training.chance import Floats, Random, maybe, pick
from training.space import Block, lying, standing

Spot = tuple[float, float, float]
"""x and y in tile lengths, and the angle."""
KINDS = {
    "single": 0.06,
    "loose": 0.3,
    "heap": 0.05,
    "block": 0.21,
    "trains": 0.17,
    "hub": 0.08,
    "rack": 0.05,
    "on edge": 0.08,
}
UNTIDY = 0.012
"""How far tiles that touch are out of line, in tile lengths and radians."""


def lay(rng: Random, width: float, thickness: float, reach: float) -> tuple[str, list[Block]]:
    """Some layout of tiles of this width and thickness, and its kind.

    The camera sees about ``reach`` tile lengths to each side of the middle, which is at 0, 0.
    """
    kind = pick(rng, KINDS)
    if kind in ("rack", "on edge"):
        return kind, upright_tiles(rng, kind, width, thickness, reach)
    spots = FLAT[kind](rng, width, reach)
    blocks = [lying(*spot, width, thickness) for spot in spots]
    if kind == "heap":
        blocks = [lifted(block, number, rng) for number, block in enumerate(blocks)]
    return kind, blocks


def collides(spot: Spot, others: list[Spot], width: float, slack: float) -> bool:
    """Whether a tile here would lie on one of the others; ``slack`` scales what counts as touch."""
    x, y, angle = spot
    size = (slack, width * slack)
    for x2, y2, angle2 in others:
        if math.hypot(x - x2, y - y2) < 1.2 * slack:
            one = ((x, y), size, math.degrees(angle))
            other = ((x2, y2), size, math.degrees(angle2))
            if cv2.rotatedRectangleIntersection(one, other)[0]:
                return True
    return False


def untidy(rng: Random, x: float, y: float, angle: float) -> Spot:
    """The spot a little off, and either way round."""
    dx, dy, turn = rng.normal(0, UNTIDY, 3) * (0.6, 0.6, 1.2)
    return x + dx, y + dy, angle + turn + math.pi * rng.integers(2)


def single(rng: Random, width: float, reach: float) -> list[Spot]:
    """One tile or two side by side."""
    angle = rng.uniform(0, 2 * math.pi)
    spots = [(float(rng.normal(0, 0.2)), float(rng.normal(0, 0.2)), angle)]
    if maybe(rng, 0.3):
        side = np.array([-math.sin(angle), math.cos(angle)]) * width * rng.uniform(1, 1.6)
        spots.append(untidy(rng, spots[0][0] + side[0], spots[0][1] + side[1], angle))
    return spots


def loose(rng: Random, width: float, reach: float) -> list[Spot]:
    """Tiles anywhere, near each other or touching, all turned alike or not."""
    most = int(min(60, 3.2 * reach * reach / width)) + 1
    wanted = int(rng.integers(1, min(most, 30) + 1))
    slack = float(rng.choice([1.15, 1.02, 0.95]))
    alike, angle = maybe(rng, 0.25), rng.uniform(0, 2 * math.pi)
    spots: list[Spot] = []
    for _ in range(wanted * 6):
        x, y = rng.uniform(-reach, reach, 2)
        turned = angle + rng.normal(0, 0.12) if alike else rng.uniform(0, 2 * math.pi)
        if len(spots) < wanted and not collides((x, y, turned), spots, width, slack):
            spots.append((float(x), float(y), float(turned)))
    return spots


def heap(rng: Random, width: float, reach: float) -> list[Spot]:
    """Tiles on top of each other."""
    count = int(rng.integers(4, 26))
    places = rng.normal(0, 0.45 * reach, (count, 2))
    return [(float(x), float(y), float(rng.uniform(0, 2 * math.pi))) for x, y in places]


def block(rng: Random, width: float, reach: float) -> list[Spot]:
    """Rows and columns, touching or with gaps, in line or staggered like bricks."""
    angle = rng.uniform(0, 2 * math.pi) if maybe(rng, 0.6) else math.pi / 2 * rng.integers(4)
    gaps = rng.uniform(0, 0.03, 2) if maybe(rng, 0.65) else rng.uniform(0, 0.4, 2)
    columns, rows = int(rng.integers(1, 9)), int(rng.integers(1, 14))
    stagger = rng.uniform(0.1, 0.5) if maybe(rng, 0.2) else 0.0
    cosine, sine = math.cos(angle), math.sin(angle)
    spots: list[Spot] = []
    for column in range(columns):
        for row in range(rows):
            x = (column - (columns - 1) / 2) * (1 + gaps[0]) + stagger * (row % 2)
            y = (row - (rows - 1) / 2) * (width + gaps[1])
            x, y = x * cosine - y * sine, x * sine + y * cosine
            if max(abs(x), abs(y)) < reach + 1 and maybe(rng, 0.96):
                spots.append(untidy(rng, x, y, angle))
    return spots[:130]


def train(rng: Random, spots: list[Spot], start: Spot, width: float, reach: float) -> None:
    """Adds a train to the spots: it leaves ``start``, with crosswise doubles and turns."""
    x, y, angle = start
    gap = rng.uniform(0, 0.04)
    for _ in range(int(rng.integers(1, 14))):
        crosswise = maybe(rng, 0.17)
        if not crosswise and maybe(rng, 0.14):
            corner = rng.choice([-1, 1]) * math.pi / 2
            x, y = x + width / 2 * math.cos(angle), y + width / 2 * math.sin(angle)
            angle += corner
            step = width / 2 if maybe(rng, 0.5) else -width / 2 + gap
            x, y = x + step * math.cos(angle), y + step * math.sin(angle)
        length = width if crosswise else 1.0
        ahead = (length + gap) / 2
        middle = x + ahead * math.cos(angle), y + ahead * math.sin(angle)
        turned = angle + math.pi / 2 * crosswise
        if max(map(abs, middle)) > reach + 1 or collides((*middle, turned), spots, width, 0.95):
            return
        spots.append(untidy(rng, *middle, turned))
        x, y = x + 2 * ahead * math.cos(angle), y + 2 * ahead * math.sin(angle)


def trains(rng: Random, width: float, reach: float) -> list[Spot]:
    """A few trains from anywhere."""
    spots: list[Spot] = []
    for _ in range(int(rng.integers(1, 5))):
        x, y = rng.uniform(-reach, reach, 2)
        angle = rng.uniform(0, 2 * math.pi) if maybe(rng, 0.6) else math.pi / 2 * rng.integers(4)
        train(rng, spots, (float(x), float(y), float(angle)), width, reach)
    return spots


def hub(rng: Random, width: float, reach: float) -> list[Spot]:
    """An engine with trains leaving it to all sides."""
    angle = float(rng.uniform(0, 2 * math.pi))
    count = int(rng.integers(3, 10))
    start = rng.uniform(0.75, 1.3)
    spots: list[Spot] = [(0.0, 0.0, angle)] if maybe(rng, 0.8) else []
    for number in range(count):
        if maybe(rng, 0.85):
            leaving = angle + 2 * math.pi * number / count
            x, y = start * math.cos(leaving), start * math.sin(leaving)
            train(rng, spots, (x, y, leaving), width, reach)
    return spots


FLAT: dict[str, Callable[[Random, float, float], list[Spot]]] = {
    "single": single,
    "loose": loose,
    "heap": heap,
    "block": block,
    "trains": trains,
    "hub": hub,
}


def lifted(tile: Block, number: int, rng: Random) -> Block:
    """The tile higher in the heap and tilted."""
    lean = rng.normal(0, 0.12, 2)
    along, across = tile.along + [0, 0, lean[0]], tile.across + [0, 0, lean[1]]
    across = across - along * (along @ across) / (along @ along)
    middle = tile.middle - [0, 0, 0.03 * number]
    return Block(middle, unit(along), unit(across), tile.width, tile.thickness)


def unit(vector: Floats) -> Floats:
    """The vector with length 1."""
    return vector / np.linalg.norm(vector)


def upright_tiles(
    rng: Random, kind: str, width: float, thickness: float, reach: float
) -> list[Block]:
    """Tiles on their edge in rows, facing the people more or less, or in a rack."""
    blocks: list[Block] = []
    rack = kind == "rack"
    turned = 0.0 if rack else rng.normal(0, 0.5)
    tall = maybe(rng, 0.3)
    for row in range(int(rng.integers(1, 4))):
        lean = rng.uniform(0.1, 0.6) if rack else abs(rng.normal(0, 0.05))
        x, y = -reach, -row * rng.uniform(0.5, 1.2) + (0.0 if rack else rng.normal(0, 0.3))
        while x < reach:
            length = width if tall else 1.0
            angle = turned + rng.normal(0, 0.02 if rack else 0.4)
            if maybe(rng, 0.8):
                blocks.append(standing(x, y, angle, lean, tall, width, thickness))
            x += length * (rng.uniform(1.0, 1.08) if rack else rng.uniform(1.02, 2.2))
    if not rack and maybe(rng, 0.4):
        flat = loose(rng, width, reach)[:6]
        blocks += [lying(x, y + reach * 0.6, angle, width, thickness) for x, y, angle in flat]
    return blocks
