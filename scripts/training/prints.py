"""Printed sheets and straight things over tiles: dominoes that are none, and tiles cut short.

A picture of dominoes on a box, a board or a card lies flat, without sides and shadows, with lines
around and words between. A straight edge that lies along a tile hides whole rows of its pips and
leaves nothing that looks cut.
"""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from companion.vision.geometry import Picture
from training.chance import Floats, Random, coloured, grey, maybe, paint, spread
from training.faces import draw_face
from training.labels import UNREADABLE, Label
from training.space import Block, Camera
from training.styles import Style, any_style
from training.things import blended

SHEET = 480
"""Pixels of a sheet's sides before the camera sees it."""
SHADED = 0.5
"""Share of the straight things that throw a small shadow on the tile."""


def lay_print(
    picture: Picture, camera: Camera, scale: float, reach: float, rng: Random
) -> list[Label]:
    """Paints a printed sheet on the table; answers its dominoes as things face down.

    ``scale`` is a tile length in pixels, ``reach`` how many of them the camera sees to each side.
    """
    sheet, outlines = printed_sheet(rng)
    half = rng.uniform(0.8, 2.2)
    angle = rng.uniform(0, 2 * math.pi)
    along = np.array([math.cos(angle), math.sin(angle)]) * half
    across = np.array([-along[1], along[0]])
    centre = rng.uniform(-0.6, 0.6, 2) * reach
    flat = np.array([centre - along - across, centre + along - across])
    flat = np.concatenate([flat, 2 * centre - flat])
    corners = camera.see(np.column_stack([flat, np.zeros(4)])).astype(np.float32)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * SHEET
    turn = cv2.getPerspectiveTransform(square, corners)
    size = picture.shape[1::-1]
    seen = cv2.warpPerspective(sheet, turn, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full((SHEET, SHEET), 255, np.uint8), turn, size)
    share = (mask / np.float32(255))[..., None]
    picture[:] = blended(picture, seen.astype(np.float32), share)
    placed = [cv2.perspectiveTransform(one[None].astype(np.float32), turn)[0] for one in outlines]
    unread = (UNREADABLE, UNREADABLE)
    return [Label(one.astype(float), None, unread, 1.0) for one in placed]


def printed_sheet(rng: Random) -> tuple[Picture, list[Floats]]:
    """A sheet with some dominoes in one flat style, and their corners on it."""
    colour = grey(rng, 0, 255, 4) if maybe(rng, 0.4) else coloured(rng)
    sheet = np.empty((SHEET, SHEET, 3), np.uint8)
    sheet[:] = colour.astype(np.uint8)
    style = replace(any_style(rng), bevel=0.0, sunk=0.0, gloss=0.0, wear=0.0, film=0.0, grain=0.0)
    length = spread(rng, 90, 230)
    outlines = []
    for _ in range(int(rng.integers(1, 9))):
        centre, angle = rng.uniform(0.12, 0.88, 2) * SHEET, rng.uniform(0, 2 * math.pi)
        outlines.append(print_one(sheet, style, centre, angle, length, rng))
    for _ in range(int(rng.integers(0, 4))):
        word = "".join(chr(int(letter)) for letter in rng.integers(65, 122, 6))
        spot = tuple(int(part) for part in rng.uniform(0, 0.8, 2) * SHEET)
        font, size = int(rng.integers(0, 8)), rng.uniform(0.7, 3)
        cv2.putText(sheet, word, spot, font, size, paint(coloured(rng)), int(2 * size), cv2.LINE_AA)
    return sheet, outlines


def print_one(
    sheet: Picture, style: Style, centre: Floats, angle: float, length: float, rng: Random
) -> Floats:
    """One printed domino with a line around it."""
    one, other = (int(value) for value in rng.integers(0, style.highest + 1, 2))
    face = draw_face((one, other), style, round(length), np.zeros(2), rng)
    height, width = face.alpha.shape
    along = np.array([math.cos(angle), math.sin(angle)]) * width / 2
    across = np.array([-math.sin(angle), math.cos(angle)]) * height / 2
    corners = centre + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ np.stack([along, across])
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    turn = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    colours = cv2.warpPerspective(face.picture, turn, (SHEET, SHEET))
    alpha = cv2.warpPerspective(face.alpha, turn, (SHEET, SHEET))
    sheet[:] = blended(sheet, colours.astype(np.float32), (alpha / np.float32(255))[..., None])
    if maybe(rng, 0.8):
        ink = paint(grey(rng, 0, 80) if style.body.mean() > 100 else grey(rng, 150, 255))
        thick = max(1, round(length * rng.uniform(0.008, 0.03)))
        edges, _ = cv2.findContours(alpha, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(sheet, edges, -1, ink, thick, cv2.LINE_AA)
    return corners


def cut_short(
    picture: Picture, numbers: Picture, block: Block, camera: Camera, body: Floats, rng: Random
) -> Picture:
    """Lays a straight-edged thing along a tile, over its end or over its side.

    Answers the mask of what is hidden. ``body`` is the tile's own colour, which the thing takes
    now and then.
    """
    hidden, beyond = rng.uniform(0.06, 0.6), spread(rng, 0.1, 2)
    low, high = -rng.uniform(0.02, 1.2), 1 + rng.uniform(0.02, 1.2)
    thing = np.array([[1 - hidden, low], [1 + beyond, low], [1 + beyond, high], [1 - hidden, high]])
    if maybe(rng, 0.5):
        thing = thing[:, ::-1]
    if maybe(rng, 0.5):
        thing = 1 - thing
    corners = camera.see(block.at(thing) + [0, 0, -0.01])
    mask = np.zeros(picture.shape[:2], np.uint8)
    outline = np.clip(corners, -3000, 4000).astype(np.int32)
    cv2.fillConvexPoly(mask, outline, 255, cv2.LINE_AA)
    if maybe(rng, SHADED):
        soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 4)) / np.float32(255)
        picture[:] = picture * (1 - rng.uniform(0.2, 0.7) * soft)[..., None]
    share = (mask / np.float32(255))[..., None]
    picture[:] = blended(picture, hiding(picture, mask, body, rng), share)
    return mask


def hiding(picture: Picture, mask: Picture, body: Floats, rng: Random) -> Floats:
    """What the straight thing shows: the table from beside it, the tile's colour, any other."""
    way = rng.random()
    if way < 0.45:
        shift = rng.integers(-len(picture) // 2, len(picture) // 2, 2)
        return np.roll(picture, tuple(shift), (0, 1)).astype(np.float32)
    colour = body * rng.uniform(0.7, 1.05) if way < 0.65 else coloured(rng)
    return np.full(picture.shape, colour, np.float32)
