"""The chart's geometry: lines with holes, names that never touch, bars to one scale."""

from itertools import pairwise
from random import Random

import pytest

from companion.web.bars import BAR, FEW_BARS, NUMBER, ROW, Column
from companion.web.chart import (
    LABEL,
    LETTERS,
    MOST_STEPS,
    SHORT_NAME,
    TOP,
    Chart,
    draw_chart,
    running_totals,
    scale,
    short_name,
    spread,
)
from companion.web.names import width

THIRTEEN = [f"{value}-{value}" for value in range(12, -1, -1)]


def drawn(columns: dict[str, Column], **more: object) -> Chart:
    """The chart of these columns, which have rounds."""
    engines = THIRTEEN[: len(next(iter(columns.values())))]
    chart = draw_chart(columns, engines, **more)  # type: ignore[arg-type]
    assert chart is not None
    return chart


def a_game(people: int, rounds: int, seed: int = 0) -> dict[str, Column]:
    """Somebody's evening."""
    chance = Random(seed)
    return {f"Player {n}": [chance.randrange(90) for _r in range(rounds)] for n in range(people)}


# ---- the lines -----------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [2_500_000_001, 10**12, 10**400])
def test_no_score_is_too_high_for_a_scale(most: int) -> None:
    for low, high in ((0, most), (-most, 0), (-most, most)):
        steps = scale(low, high)
        assert steps[0] <= low and steps[-1] >= high and 2 <= len(steps) <= MOST_STEPS + 1
    if most < 10**300:
        assert draw_chart({"Ann": [most], "Bob": [-most]}, ["12-12"])


def test_there_is_nothing_to_draw_before_a_round_is_closed() -> None:
    assert draw_chart({"Ann": [], "Bob": []}, []) is None


def test_lines_begin_together_and_end_at_their_totals() -> None:
    chart = drawn({"Ann": [0, 10, 20], "Bob": [30, 0, 10]})
    ann, bob = chart.lines
    assert (ann.total, bob.total) == (30, 40)
    assert [spot.x for spot in ann.pieces[0]] == [0, 33.33, 66.67, 100]
    assert ann.pieces[0][0] == bob.pieces[0][0]
    assert ann.end == ann.pieces[0][-1] == ann.marks[-1]
    assert bob.end.y < ann.end.y, "more points lie higher"
    assert bob.end.y == TOP, "the highest step is the highest total here"


def test_a_hole_is_a_gap_and_no_zero() -> None:
    assert running_totals([None, 7, None, 5]) == [None, 7, None, 12]
    chart = drawn({"Ann": [1, 2, 3, 4], "Late": [None, 7, 9, 1], "Gone": [5, 5, None, None]})
    ann, late, gone = chart.lines
    assert [len(piece) for piece in ann.pieces] == [5]
    assert [[spot.x for spot in piece] for piece in late.pieces] == [[50, 75, 100]]
    assert [[spot.x for spot in piece] for piece in gone.pieces] == [[0, 25, 50]]
    assert gone.end.x == 50 and gone.total == 10
    assert len(late.marks) == 3


def test_a_hole_in_the_middle_parts_the_line() -> None:
    line = drawn({"Ann": [1, 1, 1, 1, 1], "Back": [4, 4, None, 4, 4]}).lines[1]
    assert [[spot.x for spot in piece] for piece in line.pieces] == [[0, 20, 40], [80, 100]]
    assert line.total == 16


def test_who_has_no_score_at_all_still_has_a_name() -> None:
    line = drawn({"Ann": [3, 4], "New": [None, None]}).lines[1]
    assert line.pieces == () and line.marks == () and line.total == 0


def test_few_players_need_no_dashes_and_many_have_different_ones() -> None:
    assert {line.dash for line in drawn(a_game(4, 5)).lines} == {0}
    assert {line.dash for line in drawn(a_game(9, 5)).lines} == {0, 1, 2, 3}


def test_marks_are_thinned_out_where_there_are_many_but_never_the_last() -> None:
    few, many = drawn(a_game(3, 13)), drawn(a_game(14, 13))
    assert all(len(line.marks) == 13 for line in few.lines)
    assert all(2 <= len(line.marks) <= 6 for line in many.lines)
    assert all(line.marks[-1] == line.end for line in many.lines)


# ---- the names at the ends -----------------------------------------------------------------------


@pytest.mark.parametrize("people", range(2, 15))
@pytest.mark.parametrize("scores", ["apart", "equal", "none"])
def test_names_never_touch_and_stay_in_the_drawing(people: int, scores: str) -> None:
    columns = a_game(people, 13, seed=people)
    if scores == "equal":
        columns = {name: [5] * 13 for name in columns}
    if scores == "none":
        columns = {name: [0] * 13 for name in columns}
    chart = drawn(columns)
    places = sorted(line.label for line in chart.lines)
    assert all(low - high >= LABEL - 0.02 for high, low in pairwise(places))
    assert places[0] >= TOP - 0.3 and places[-1] <= chart.floor + 0.5 < chart.height
    by_total = sorted(chart.lines, key=lambda line: line.end.y)
    assert [line.label for line in by_total] == sorted(line.label for line in by_total)


@pytest.mark.parametrize("seed", range(40))
def test_places_are_spread_as_little_as_needed(seed: int) -> None:
    chance = Random(seed)
    wanted = [chance.uniform(0, 20) for _n in range(chance.randint(1, 10))]
    places = spread(wanted, 1.5, 0, 20)
    order = sorted(range(len(wanted)), key=lambda n: wanted[n])
    assert all(places[b] - places[a] >= 1.49 for a, b in pairwise(order))
    assert all(0 <= place <= 20.01 for place in places)
    free = [abs(a - b) >= 1.5 for a, b in pairwise(sorted(wanted))]
    if all(free):
        assert places == [round(each, 2) for each in wanted]


def test_without_room_names_go_on_below_instead_of_lying_over_each_other() -> None:
    assert spread([1, 1, 1], 2, 0, 3) == [0, 2, 4]


def test_long_names_are_shortened_for_a_phone() -> None:
    people = [
        "Ann",
        "Klein Erna Maria",
        "Maximilian Alexander",
        "Eva Luise Meier",
        "Eva Maria Meier",
    ]
    short = {name: short_name(name, people) for name in people}
    assert short["Ann"] == "Ann" and short["Klein Erna Maria"] == "Klein"
    assert short["Maximilian Alexander"].startswith("Maxi")
    assert short["Maximilian Alexander"].endswith("…")
    assert short["Eva Luise Meier"] != short["Eva Maria Meier"], "one first word of two people"
    assert all(width(each) <= SHORT_NAME * LETTERS for each in short.values())


# ---- the axes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "steps"),
    [
        (0, 0, [0, 1]),
        (0, 4, [0, 1, 2, 3, 4]),
        (0, 37, [0, 10, 20, 30, 40]),
        (0, 652, [0, 200, 400, 600, 800]),
        (-30, 412, [-200, 0, 200, 400, 600]),
        (-7, 0, [-8, -6, -4, -2, 0]),
    ],
)
def test_the_scale_has_round_steps_around_the_totals(low: int, high: int, steps: list[int]) -> None:
    assert scale(low, high) == steps


@pytest.mark.parametrize("seed", range(30))
def test_every_scale_holds_its_totals_and_names_the_zero(seed: int) -> None:
    chance = Random(seed)
    low, high = -chance.randrange(900) * (seed % 2), chance.randrange(3000)
    steps = scale(low, high)
    assert steps[0] <= low and steps[-1] >= high and 0 in steps
    assert 2 <= len(steps) <= 6


@pytest.mark.parametrize("rounds", range(1, 20))
def test_engines_under_the_plot_keep_apart_on_a_phone(rounds: int) -> None:
    engines = [f"{18 - n}-{18 - n}" for n in range(rounds)]
    chart = draw_chart({"Ann": [1] * rounds, "Bob": [2] * rounds}, engines)
    assert chart is not None
    for ticks, room in ((chart.across, 9.2), (chart.bars.ticks, 12.0)):
        places = [tick.at / 100 * room for tick in ticks if not tick.roomy]
        assert all(right - left >= 1.4 for left, right in pairwise(places)), "two digits fit"
        assert ticks[-1].text == engines[-1] and not ticks[-1].roomy
        assert rounds > 6 or len(places) == rounds, "every one of a few rounds is named"
    assert chart.across[-1].at == chart.lines[0].end.x == 100, "the last stands under its point"


# ---- the bars ------------------------------------------------------------------------------------


def test_bars_are_to_one_scale_and_stand_on_one_base() -> None:
    bars = drawn({"Ann": [0, 10, 20], "Bob": [40, None, 5]}).bars
    ann, bob = bars.rows.values()
    assert bars.most == 40
    assert bob[0].height == pytest.approx(2 * ann[2].height, abs=0.02)
    assert bob[0].y == pytest.approx(NUMBER, abs=0.02) and bob[0].y + bob[
        0
    ].height == pytest.approx(bars.base)
    assert ann[0].height == 0 and ann[0].score == 0
    assert bob[1].score is None and bob[1].height == 0
    assert ann[1].width == pytest.approx(BAR * 100 / 3, abs=0.01)
    assert [bar.middle for bar in ann] == pytest.approx([16.67, 50, 83.33], abs=0.02)


def test_points_lost_hang_below_the_base() -> None:
    bars = drawn({"Ann": [-10, 30], "Bob": [0, 0]}).bars
    lost, won = bars.rows["Ann"]
    assert lost.y == bars.base and lost.height == pytest.approx(won.height / 3, abs=0.02)
    assert lost.y + lost.height <= ROW
    line = drawn({"Ann": [-10, 30], "Bob": [0, 0]}).lines[0]
    assert line.pieces[0][1].y > line.pieces[0][0].y, "a total below nothing lies lower"


def test_a_phone_has_room_for_the_numbers_of_a_few_bars() -> None:
    assert drawn({"Ann": [7] * FEW_BARS}).bars.roomy
    assert not drawn({"Ann": [7] * (FEW_BARS + 1)}).bars.roomy


def test_a_game_of_nothings_has_no_bars() -> None:
    bars = drawn({"Ann": [0], "Bob": [0]}).bars
    assert bars.most == 0 and all(bar.height == 0 for row in bars.rows.values() for bar in row)
