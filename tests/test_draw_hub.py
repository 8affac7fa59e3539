"""The printable hub: everything has room, and what is printed has the lengths that are meant."""

from __future__ import annotations

import math
import re
import runpy
import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from scripts.drawing import hub, paper
from scripts.drawing.hub import DEEP, LAMP, MARGIN, MARK, Hub, sheets, top

ROOT = Path(__file__).parent.parent
MAIN = runpy.run_path(str(ROOT / "scripts" / "draw_hub"))["main"]
SVG = "{http://www.w3.org/2000/svg}"

HUBS = [Hub(8), Hub(14), Hub(4, 40), Hub(14, 57), Hub(2, 30)]


def distance(one: paper.Point, other: paper.Point) -> float:
    return math.dist(one, other)


# ---- the hub itself ------------------------------------------------------------------------------


@pytest.mark.parametrize("drawn", HUBS, ids=str)
def test_a_tile_fits_into_every_slot_with_a_millimetre_on_each_side(drawn: Hub) -> None:
    xs, ys = zip(*drawn.engine)
    assert max(xs) - min(xs) == pytest.approx(drawn.tile + 2)
    assert max(ys) - min(ys) == pytest.approx(drawn.tile / 2 + 2)
    for slot in range(drawn.slots):
        one, other, *rim = drawn.slot(slot)
        assert distance(one, other) == pytest.approx(drawn.tile / 2 + 2)
        assert distance(rim[0], rim[-1]) == pytest.approx(drawn.tile / 2 + 2)
        middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
        assert drawn.radius - math.hypot(*middle) == pytest.approx(DEEP)
        assert all(math.hypot(*spot) == pytest.approx(drawn.radius) for spot in rim)


@pytest.mark.parametrize("drawn", HUBS, ids=str)
def test_nothing_is_cut_into_anything_else(drawn: Hub) -> None:
    """Filled into a grid of quarter millimetres, no two openings share a place."""
    seen: list[np.ndarray] = []
    size = round(8 * drawn.radius) + 40
    for shape in top(drawn):
        if isinstance(shape, paper.Words) or shape.ink == hub.CUT or shape.ink == hub.WHITE:
            continue
        if isinstance(shape, paper.Circle) and shape.radius < MARK / 2 and shape.ink == hub.BLACK:
            continue
        grid = np.zeros((size, size), np.uint8)
        if isinstance(shape, paper.Circle):
            spot = (round(4 * shape.x + size / 2), round(4 * shape.y + size / 2))
            cv2.circle(grid, spot, round(4 * shape.radius), 1, -1)
        else:
            points = np.array(shape.points) * 4 + size / 2
            cv2.fillPoly(grid, [np.round(points).astype(np.int32)], 1)
        seen.append(grid)
    assert len(seen) == 1 + 2 * drawn.slots + 4
    assert np.sum(seen, axis=0).max() == 1


@pytest.mark.parametrize("drawn", HUBS, ids=str)
def test_a_bridge_of_card_is_left_beside_every_lamp(drawn: Hub) -> None:
    for lamp in drawn.lamps:
        edges = [spot for slot in range(drawn.slots) for spot in drawn.slot(slot)]
        assert min(distance(lamp, spot) for spot in edges) > LAMP + 1.5
        assert drawn.radius - math.hypot(*lamp) > LAMP + 1.5
    assert all(distance(a, b) > 3 * MARK for a, b in combinations(drawn.marks, 2))


@pytest.mark.parametrize("drawn", [Hub(8), Hub(14)], ids=str)
def test_doubles_on_neighbouring_trains_do_not_touch(drawn: Hub) -> None:
    """The second tile of a train may lie crosswise: its near edge is a tile from the slot's end."""
    near = drawn.radius - DEEP + drawn.tile
    assert 2 * near * math.tan(math.pi / drawn.slots) > drawn.tile + 2


def test_the_seats_go_clockwise_from_the_bottom_and_the_mexican_train_is_last() -> None:
    small = Hub(8)
    assert [small.named(slot) for slot in range(small.slots)] == [*"12345678", "M"]
    middles = [np.mean(small.slot(slot)[:2], axis=0) for slot in range(3)]
    assert middles[0] == pytest.approx((0, small.radius - DEEP), abs=1e-9)
    assert middles[1][0] < 0 and middles[2][0] < middles[1][0], "the next one to the left"
    assert Hub(14).named(14) == "M" and Hub(14).slots == 15


# ---- on paper ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hub")
    MAIN([str(folder)])
    return folder


@pytest.mark.parametrize("name", paper.PAPERS)
@pytest.mark.parametrize("seats", [8, 14])
def test_in_the_svg_a_unit_is_a_millimetre(folder: Path, seats: int, name: str) -> None:
    wide, high = paper.PAPERS[name]
    root = ET.parse(folder / f"hub-{seats}-seats-{name}-1.svg").getroot()
    assert (root.get("width"), root.get("height")) == (f"{wide:g}mm", f"{high:g}mm")
    assert root.get("viewBox") == f"0 0 {wide:g} {high:g}"
    inner = root.find(f"{SVG}svg")
    assert inner is not None
    x, y, width, height = (float(inner.get(key, "")) for key in ("x", "y", "width", "height"))
    assert [float(n) for n in inner.get("viewBox", "").split()] == [x, y, width, height]
    rim = inner.find(f"{SVG}circle")
    assert rim is not None
    assert float(rim.get("r", "")) == pytest.approx(Hub(seats).radius, abs=0.001)
    engine = inner.find(f"{SVG}polygon")
    assert engine is not None
    xs, ys = zip(*(map(float, spot.split(",")) for spot in engine.get("points", "").split()))
    assert max(xs) - min(xs) == pytest.approx(52.8, abs=0.002)
    assert max(ys) - min(ys) == pytest.approx(27.4, abs=0.002)
    (bar,) = [one for one in root.findall(f"{SVG}polygon")]
    xs = [float(spot.split(",")[0]) for spot in bar.get("points", "").split()]
    assert max(xs) - min(xs) == 100


def drawn_in(pdf: bytes) -> tuple[list[tuple[float, ...]], list[list[np.ndarray]]]:
    """The pages' sizes in millimetres, and for each the paths on it as points in millimetres."""
    boxes = re.findall(rb"/MediaBox \[0 0 (\S+) (\S+)\]", pdf)
    pages = []
    for stream in re.findall(rb"stream\n(.*?)\nendstream", pdf, re.S):
        a, b, c, d, e, f = map(float, stream.split(b" cm")[0].lstrip(b"q ").split())
        assert (b, c) == (0, 0)
        paths = []
        for line in stream.decode("cp1252").splitlines():
            if " m " in line:
                numbers = [float(n) for n in re.findall(r"-?[\d.]+", line)]
                spots = np.array(numbers).reshape(-1, 2) * (a, d) + (e, f)
                paths.append(spots / 72 * 25.4)
        pages.append(paths)
    return [tuple(float(n) / 72 * 25.4 for n in box) for box in boxes], pages


@pytest.mark.parametrize("name", paper.PAPERS)
@pytest.mark.parametrize("seats", [8, 14])
def test_the_pdf_has_the_same_lengths_on_the_same_paper(
    folder: Path, seats: int, name: str
) -> None:
    sizes, pages = drawn_in((folder / f"hub-{seats}-seats-{name}.pdf").read_bytes())
    assert len(sizes) == len(pages) == 2
    for size, paths in zip(sizes, pages):
        assert size == pytest.approx(paper.PAPERS[name], abs=0.001)
        spans = [path.max(axis=0) - path.min(axis=0) for path in paths]
        rim = 2 * Hub(seats).radius
        assert any(span == pytest.approx((rim, rim), abs=0.02) for span in spans)
        assert any(span == pytest.approx((52.8, 27.4), abs=0.01) for span in spans)
        assert any(span == pytest.approx((100, 2.5), abs=0.01) for span in spans)


def test_the_table_of_the_pdfs_objects_is_right(folder: Path) -> None:
    pdf = (folder / "hub-14-seats-letter.pdf").read_bytes()
    start = int(re.findall(rb"startxref\n(\d+)", pdf)[0])
    assert pdf[start:].startswith(b"xref\n")
    places = [int(place) for place in re.findall(rb"(\d{10}) 00000 n", pdf)]
    for n, place in enumerate(places, start=1):
        assert pdf[place:].startswith(f"{n} 0 obj\n".encode())
    for length, stream in re.findall(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", pdf, re.S):
        assert len(stream) == int(length)


@pytest.mark.parametrize("name", paper.PAPERS)
@pytest.mark.parametrize("drawn", [Hub(8), Hub(14), Hub(14, 57), Hub(14, 70)], ids=str)
def test_every_part_is_on_some_sheet_within_what_printers_print(drawn: Hub, name: str) -> None:
    wide, high = size = paper.PAPERS[name]
    upper = [sheet for sheet in sheets(drawn, size) if "upper" in str(sheet.shapes[0])]
    for n in range(72):
        spot = np.array([math.cos(n * math.tau / 72), math.sin(n * math.tau / 72)]) * drawn.radius
        there = 0
        for sheet in upper:
            rim = sheet.shown[0]
            assert isinstance(rim, paper.Circle) and sheet.window is not None
            left, top_, right, bottom = sheet.window
            assert left >= MARGIN and right <= wide - MARGIN and bottom <= high - MARGIN
            x, y = spot + (rim.x, rim.y)
            there += left < x < right and top_ < y < bottom
        assert there
    if drawn.tile == 50.8:
        assert len(upper) == 1


# ---- seen by a camera ----------------------------------------------------------------------------


def bullseyes(image: np.ndarray) -> list[tuple[float, float]]:
    """Where a dark ring holds a light one that holds a dark dot, all about round one point."""
    _, dark = cv2.threshold(image, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    contours, tree = cv2.findContours(dark, cv2.RETR_TREE, cv2.CHAIN_APPROX_NONE)
    found = []
    for n, (_, _, inner, _) in enumerate(tree[0] if tree is not None else ()):
        if inner < 0 or tree[0][inner][2] < 0:
            continue
        spots = [cv2.minEnclosingCircle(contours[k]) for k in (n, tree[0][inner][2])]
        (outer, radius), (dot, small) = spots
        if math.dist(outer, dot) < 0.2 * radius and 0.2 < small / radius < 0.55:
            found.append(outer)
    return found


@pytest.mark.parametrize("seats", [8, 14])
@pytest.mark.parametrize("per_mm", [1.6, 2.4])
def test_a_camera_finds_the_four_marks_and_the_hubs_middle(seats: int, per_mm: float) -> None:
    """Seen a little from the side, soft and noisy, 1280 pixels across 80 or 53 cm of table."""
    fine, drawn = 8.0, Hub(seats)
    size = round(2.4 * drawn.radius * fine)
    picture = np.full((size, size), 235, np.uint8)
    for shape in top(drawn):
        if isinstance(shape, paper.Circle) and shape.ink in (hub.BLACK, hub.WHITE):
            spot = (round(shape.x * fine + size / 2), round(shape.y * fine + size / 2))
            light = 30 if shape.ink == hub.BLACK else 235
            cv2.circle(picture, spot, round(shape.radius * fine), light, -1, cv2.LINE_AA)
        elif isinstance(shape, paper.Line):
            points = np.round(np.array(shape.points) * fine + size / 2).astype(np.int32)
            cv2.fillPoly(picture, [points], 150)
    seen = round(2.4 * drawn.radius * per_mm)
    corners = np.array([(0, 0), (size, 0), (size, size), (0, size)], np.float32)
    leaning = np.array(
        [(0.04 * seen, 0), (0.95 * seen, 0.03 * seen), (seen, seen), (0, 0.97 * seen)], np.float32
    )
    way = cv2.getPerspectiveTransform(corners, leaning)
    view = cv2.warpPerspective(picture, way, (seen, seen), flags=cv2.INTER_AREA, borderValue=200)
    view = cv2.GaussianBlur(view, (0, 0), 0.7).astype(np.float64)
    view += np.random.default_rng(1).normal(0, 5, view.shape)
    found = bullseyes(cv2.resize(np.clip(view, 0, 255).astype(np.uint8), None, fx=3, fy=3))
    places = np.array([drawn.marks], np.float64) * fine + size / 2
    meant = cv2.perspectiveTransform(places, way)[0]
    assert len(found) == 4
    for spot in meant:
        assert min(math.dist(spot, (x / 3, y / 3)) for x, y in found) < 1.0
    middle = cv2.perspectiveTransform(np.array([[(size / 2, size / 2)]], np.float64), way)[0][0]
    assert math.dist(np.mean(found, axis=0) / 3, middle) < 1.5


def test_a_tile_of_no_size_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        MAIN([str(tmp_path / "none"), "--tile", "5"])
    assert "--tile must be 30 to 70 mm: measure a tile." in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
