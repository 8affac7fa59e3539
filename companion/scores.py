"""What the rounds cost: scores, totals, places and winners, by the rules of each round.

Works from closed rounds alone; knows no actions and changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.state import GameState, Person, Round

Column = list[int | None]
"""One person's scores, one for each closed round; None where they have none."""


def round_scores(round_: Round) -> dict[int, int]:
    """What each hand of a closed round counts, penalties and positive scoring included."""
    rules = round_.rules
    if rules is None:
        raise ValueError("only a closed round has scores")
    left = {number: hand.points(rules.double_blank) for number, hand in round_.hands.items()}
    fine = {number: rules.marker_penalty * (number in round_.marked) for number in left}
    if not rules.positive:
        return {number: left[number] + fine[number] for number in left}
    takers = _takers(round_, left)
    pot = sum(points for number, points in left.items() if number not in takers)
    share = pot // len(takers) if takers else 0
    return {number: share * (number in takers) - fine[number] for number in left}


def _takers(round_: Round, left: Mapping[int, int]) -> list[int]:
    """Who takes the others' points: all who went out, else the lowest hands."""
    out = [number for number in round_.went_out if number in left]
    if out or not left:
        return out
    lowest = min(left.values())
    return [number for number, points in left.items() if points == lowest]


def score_sheet(state: GameState) -> dict[int, Column]:
    """Everybody's column. A late joiner's earlier rounds count as their ``past`` says."""
    counted = [round_scores(round_) for round_ in state.closed]
    return {
        person.number: [
            scores.get(person.number, _past(person, index, list(scores.values())))
            for index, scores in enumerate(counted)
        ]
        for person in state.people
    }


def _past(person: Person, index: int, scores: Sequence[int]) -> int | None:
    """What a round counts for somebody who did not play in it; averages round half up."""
    past = next((past for closed, past in person.comings if index < closed), "none")
    if past == "none" or not scores:
        return None
    if past == "zero":
        return 0
    if past == "highest":
        return max(scores)
    return (2 * sum(scores) + len(scores)) // (2 * len(scores))


def totals(sheet: Mapping[int, Column]) -> dict[int, int]:
    """The sum of each column; a hole adds nothing."""
    return {number: sum(score or 0 for score in column) for number, column in sheet.items()}


def places(state: GameState, sheet: Mapping[int, Column]) -> dict[int, int]:
    """Places 1, 1, 3: those with a hole in their column come after all others."""
    keys = {number: _rank(state, column) for number, column in sheet.items()}
    return {number: 1 + sum(other < key for other in keys.values()) for number, key in keys.items()}


def _rank(state: GameState, column: Column) -> tuple[float, ...]:
    """Sort key of a column, best first: holes, total, then the table's tie-break.

    The tie-break counts the rounds with zero, then the lowest round other than zero. With
    positive scoring, where a zero is no merit, equal totals stay shared.
    """
    scores = [score for score in column if score is not None]
    holes = len(scores) < len(column)
    if state.rules.positive:
        return (holes, -sum(scores))
    if state.rules["tie_break"] == "shared":
        return (holes, sum(scores))
    zeros = sum(score == 0 for score in scores)
    lowest = min((score for score in scores if score), default=0)
    return (holes, sum(scores), -zeros, lowest)


def winners(state: GameState, sheet: Mapping[int, Column]) -> list[int]:
    """Who has won a finished game, several where the tie-break leaves them equal."""
    if state.phase != "finished":
        return []
    placed = places(state, sheet)
    return [
        number
        for number, column in sheet.items()
        if placed[number] == 1 and column and None not in column
    ]
