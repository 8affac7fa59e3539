"""Puts a scene together: ground, things, tiles as boxes in space, light, lens; and what is true.

``scene(seed)`` always gives the same picture and labels for the same seed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.geometry import Picture
from training import layouts
from training.chance import Floats, Random, coloured, grey, maybe, paint, spread
from training.faces import Face, draw_face
from training.grounds import ground
from training.labels import Label, labelled
from training.lens import photographed
from training.light import bounded, lamp, light_up, throw_shadows
from training.prints import cut_short, lay_print
from training.space import Block, Camera
from training.styles import Style, any_style
from training.things import blended, scatter

SIDE = 640
"""Pixels of a scene's sides."""
SMALLEST, LARGEST = 30.0, 430.0
"""Pixels of a tile's length in the middle of the scene."""
MOST_TILES = 250
"""Tiles in a scene: their numbers are kept in bytes."""
THING_OVER = 255
"""The number of whatever hides a tile and is none."""
BLANKS, HALF_BLANKS = 0.05, 0.05
"""Share of tiles that are 0-0, and of which one half is blank, beside those that come by chance."""
EMPTY = 0.08
"""Share of the scenes without a tile."""
PRINTED, CUT_SHORT = 0.03, 0.1
"""Share of the scenes with printed dominoes, and with straight things over tiles."""
TABLE_PIXELS = 760
"""The ground is drawn this large before the camera sees it."""


@dataclass(frozen=True)
class Scene:
    """A picture (SIDE, SIDE, 3) and what there is to be read in it."""

    picture: Picture
    labels: list[Label]


@dataclass(frozen=True)
class Laid:
    """A tile in the scene: what it shows (None for its back), where, and its drawn face."""

    ends: tuple[int, int] | None
    block: Block
    corners: Floats
    face: Face


def scene(seed: int) -> Scene:
    """One scene, all drawn from the seed."""
    rng = np.random.default_rng([seed, 7])
    style = any_style(rng)
    scale = spread(rng, SMALLEST, LARGEST)
    width = 1 / style.length
    reach = SIDE / scale / 2 * rng.uniform(0.85, 1.15)
    kind, blocks = layouts.lay(rng, width, style.thickness * width, reach)
    if maybe(rng, EMPTY):
        blocks = []
    camera = any_camera(rng, kind, scale)
    light = lamp(rng)
    picture = seen_ground(rng, camera, scale, kind)
    if maybe(rng, 0.55):
        scatter(picture, rng, int(rng.integers(1, 9)), scale)
    printed = lay_print(picture, camera, scale, reach, rng) if maybe(rng, PRINTED) else []
    order = sorted(blocks, key=lambda block: -float(camera.distance(block.corners.mean(0))))
    order = [block for block in order if in_view(block, camera)][:MOST_TILES]
    throw_shadows(picture, [camera.see(block.shadow(light)) for block in order], rng, scale)
    numbers = np.zeros((SIDE, SIDE), np.uint8)
    laid = lay_tiles(picture, numbers, order, style, camera, light, rng)
    if maybe(rng, 0.2):
        over = scatter(picture, rng, int(rng.integers(1, 4)), scale * 0.7, over=True)
        numbers[over > 100] = THING_OVER
    if laid and maybe(rng, CUT_SHORT):
        for number in rng.integers(0, len(laid), int(rng.integers(1, 4))):
            over = cut_short(picture, numbers, laid[number].block, camera, style.body, rng)
            numbers[over > 100] = THING_OVER
    photo = photographed(bounded(light_up(picture, rng)), rng)
    tiles = [(one.ends, one.corners, one.face) for one in laid]
    return Scene(photo, labelled(photo, numbers, tiles) + printed)


def any_camera(rng: Random, kind: str, scale: float) -> Camera:
    """From straight above to a low slant; tiles on edge are seen from the front."""
    if kind in ("rack", "on edge"):
        elevation = rng.uniform(0.15, 0.95)
    elif maybe(rng, 0.35):
        elevation = math.pi / 2 - abs(rng.normal(0, 0.03))
    else:
        elevation = math.pi / 2 - min(abs(rng.normal(0, 0.5)), 1.15)
    turned = maybe(rng, 0.35) or elevation > 1.35
    roll = rng.uniform(0, 2 * math.pi) if turned else rng.normal(0, 0.12)
    quarter = math.pi / 2 * rng.integers(4) if maybe(rng, 0.25) else 0.0
    centre = rng.normal(0, 0.12, 2) * SIDE / scale
    return Camera.over(centre, scale, elevation, roll + quarter, SIDE * spread(rng, 0.8, 3), SIDE)


def in_view(block: Block, camera: Camera) -> bool:
    """Whether any of the tile shows, and large enough to be seen at all."""
    corners = block.corners
    if camera.distance(corners).min() < 0.4:
        return False
    seen = camera.see(corners)
    inside = (seen.max(0) > 0).all() and (seen.min(0) < SIDE).all()
    return bool(inside) and float(np.ptp(seen, axis=0).max()) > 9


def seen_ground(rng: Random, camera: Camera, scale: float, kind: str) -> Picture:
    """The table's surface as the camera sees it, with a wall where the table ends."""
    flat = bounded(ground(rng, TABLE_PIXELS))
    if kind == "hub" and maybe(rng, 0.7):
        draw_hub(flat, rng, scale)
    half = TABLE_PIXELS / 2 / scale
    across = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]])
    if camera.distance(across).min() < 0.3 or maybe(rng, 0.25):
        start = int((TABLE_PIXELS - SIDE) / 2)
        return np.ascontiguousarray(flat[start : start + SIDE, start : start + SIDE])
    goal = camera.see(across).astype(np.float32)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * TABLE_PIXELS
    turn = cv2.getPerspectiveTransform(corners, goal)
    beyond = cv2.BORDER_REFLECT_101 if maybe(rng, 0.7) else cv2.BORDER_CONSTANT
    wall = paint(coloured(rng, (0, 200)))
    seen = cv2.warpPerspective(flat, turn, (SIDE, SIDE), borderMode=beyond, borderValue=wall)
    return np.asarray(seen, np.uint8)


def draw_hub(flat: Picture, rng: Random, scale: float) -> None:
    """A hub in the middle of the table: a polygon or a disc with slots."""
    count, centre = int(rng.integers(4, 11)), len(flat) / 2
    colour = grey(rng, 0, 90, 6) if maybe(rng, 0.5) else coloured(rng)
    angles = np.arange(count) * 2 * math.pi / count + rng.uniform(0, 1)
    rim = np.stack([np.cos(angles), np.sin(angles)], 1)
    outline = centre + rim * scale * rng.uniform(0.8, 1.4)
    cv2.fillConvexPoly(flat, outline.astype(np.int32), paint(colour), cv2.LINE_AA)
    slot = paint(colour * rng.uniform(0.5, 1.3))
    if maybe(rng, 0.6):
        size = (scale * 1.08, scale * 0.55)
        corners = cv2.boxPoints(((centre, centre), size, float(np.degrees(angles[0]))))
        cv2.fillConvexPoly(flat, corners.astype(np.int32), slot, cv2.LINE_AA)


def lay_tiles(
    picture: Picture,
    numbers: Picture,
    order: list[Block],
    style: Style,
    camera: Camera,
    light: Floats,
    rng: Random,
) -> list[Laid]:
    """Paints the tiles, the farthest first, and writes each one's number where it shows."""
    face_down = float(rng.choice([0, 0.08, 0.5], p=[0.57, 0.3, 0.13]))
    doubles = rng.uniform(0, 0.25)
    laid: list[Laid] = []
    for number, block in enumerate(order, 1):
        ends = any_ends(rng, style, doubles)
        if maybe(rng, face_down) or not block.shows_face(camera):
            ends = None
        draw_sides(picture, numbers, block, style, camera, light)
        if not block.shows_face(camera):
            paste_back(picture, numbers, block, style, camera)
            continue
        corners = camera.see(block.face)
        face = face_of(ends, style, block, corners, light, rng)
        paste(picture, numbers, number, face, corners, lit(block.inward, light, rng))
        laid.append(Laid(ends, block, corners, face))
    return renumbered(numbers, laid, order)


def any_ends(rng: Random, style: Style, doubles: float) -> tuple[int, int] | None:
    """Two values of the set; blanks come more often than in a box, as little tells them from no
    tile. Without a divider nothing does: that counts as face down, which is None."""
    if maybe(rng, BLANKS):
        return (0, 0) if style.divider != "none" else None
    one, other = (int(value) for value in rng.integers(0, style.highest + 1, 2))
    ends = (one, one if maybe(rng, doubles) else other)
    if maybe(rng, HALF_BLANKS):
        ends = (one, 0)
    return None if ends == (0, 0) and style.divider == "none" else ends


def renumbered(numbers: Picture, laid: list[Laid], order: list[Block]) -> list[Laid]:
    """The tiles with the numbers in the picture put in the order of the list, from 1 on."""
    table = np.zeros(256, np.uint8)
    table[THING_OVER] = THING_OVER
    where = {id(block): number for number, block in enumerate(order, 1)}
    for number in range(1, len(order) + 1):
        table[number] = THING_OVER
    for new, one in enumerate(laid, 1):
        table[where[id(one.block)]] = new
    numbers[:] = table[numbers]
    return laid


def lit(inward: Floats, light: Floats, rng: Random) -> float:
    """How bright a face is that looks away from ``inward``."""
    towards = float(inward @ light) / float(np.linalg.norm(light))
    return (0.55 + 0.45 * max(towards, 0)) / 0.95 * float(np.clip(rng.normal(1, 0.04), 0.85, 1.15))


def face_of(
    ends: tuple[int, int] | None,
    style: Style,
    block: Block,
    corners: Floats,
    light: Floats,
    rng: Random,
) -> Face:
    """The tile's face drawn about as large as it shows."""
    long_side = max(np.hypot(*(corners[1] - corners[0])), np.hypot(*(corners[2] - corners[3])))
    from_light = -np.array([block.along @ light, block.across @ light])
    from_light /= max(float(np.linalg.norm(from_light)), 1e-6)
    return draw_face(ends, style, int(np.clip(long_side * 1.15, 44, 460)), from_light, rng)


def draw_sides(
    picture: Picture,
    numbers: Picture,
    block: Block,
    style: Style,
    camera: Camera,
    light: Floats,
) -> None:
    """The sides of the box that show, in one colour or two; they hide what is behind them."""
    for quad, outward in block.sides(camera):
        towards = max(float(-outward @ light) / float(np.linalg.norm(light)), 0)
        shade = (0.62 if style.rolled else 0.5) + 0.45 * towards
        layers = [(1.0, style.side * shade)]
        if style.two_layers:
            layers.append((0.5, style.body * 0.9 * shade))
        if style.rolled:
            for share in (1.0, 0.75, 0.5, 0.25):
                turned = 1 - share * (1 - shade) * 0.8
                layers.append((share * style.rolled, style.body * turned))
        for share, colour in layers:
            below = quad[[0, 1]] + (quad[[3, 2]] - quad[[0, 1]]) * share
            part = np.array([quad[0], quad[1], below[1], below[0]])
            cv2.fillConvexPoly(picture, outline(camera, part), paint(colour), cv2.LINE_AA)
        cv2.fillConvexPoly(numbers, outline(camera, quad), THING_OVER)


def outline(camera: Camera, quad: Floats) -> Picture:
    """The quad's corners in whole pixels."""
    return np.clip(camera.see(quad), -3000, 4000).astype(np.int32)


def paste_back(
    picture: Picture, numbers: Picture, block: Block, style: Style, camera: Camera
) -> None:
    """The back of a tile whose face looks away."""
    corners = outline(camera, block.back)
    cv2.fillConvexPoly(picture, corners, paint(style.side * 0.8), cv2.LINE_AA)
    cv2.fillConvexPoly(numbers, corners, THING_OVER)


def paste(
    picture: Picture, numbers: Picture, number: int, face: Face, corners: Floats, bright: float
) -> None:
    """Paints a face at its four corners and marks its pixels with the tile's number."""
    low = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, SIDE)
    if (high - low < 2).any():
        return
    height, width = face.alpha.shape
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    turn = cv2.getPerspectiveTransform(flat, (corners - low).astype(np.float32))
    size = tuple(int(part) for part in high - low)
    colours = cv2.warpPerspective(face.picture, turn, size, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpPerspective(face.alpha, turn, size)
    part = (slice(low[1], high[1]), slice(low[0], high[0]))
    share = alpha[..., None] / np.float32(255)
    picture[part] = blended(picture[part], colours * np.float32(bright), share)
    numbers[part][alpha > 127] = number
