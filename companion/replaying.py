"""``companion replay``: a recorded evening in, the table out.

Reads a file of actions, one JSON object a line, and prints what the table looks like after it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from companion.errors import NotAnAction, RuleBroken
from companion.report import report
from companion.table import Table


def replay_lines(lines: Iterable[str | bytes]) -> dict[str, Any]:
    """The replay JSON of an evening; blank lines and lines that start with # are skipped.

    The first refused line stops it: the table before it, and ``refused`` with the line's number
    (all lines are counted, from 1) and the sentence. Bytes are taken as UTF-8.
    """
    table = Table.empty()
    for number, line in enumerate(lines, 1):
        try:
            text = as_text(line).strip()
            if text and not text.startswith("#"):
                table = table.after(read_line(text))
        except RuleBroken as refusal:
            return {**report(table), "refused": {"line": number, "why": str(refusal)}}
    return report(table)


def as_text(line: str | bytes) -> str:
    """A line's text without the mark that some editors put first; NotAnAction when it is none."""
    try:
        text = line if isinstance(line, str) else line.decode("utf-8")
    except UnicodeDecodeError:
        raise NotAnAction("The line is no text in UTF-8: write the file anew.") from None
    return text.removeprefix("\ufeff")


def read_line(line: str) -> dict[str, Any]:
    """One line as a JSON object; NotAnAction with a sentence when it is none."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        raise NotAnAction('The line is no JSON object like {"action": "undo"}.') from None
    if not isinstance(said, dict):
        raise NotAnAction('The line is no JSON object like {"action": "undo"}.')
    return said


def say_table(told: dict[str, Any]) -> str:
    """The replay JSON as a person reads it: round, trains, scores, and the refusal if any."""
    lines = []
    if told["game"] is None:
        lines.append("No game has been started.")
    else:
        game = told["game"]
        lines.append(f"Double-{game['set']}, {game['rules']} rules, round {told['round']}.")
        if told["engine"]:
            lines.append(f"Engine {told['engine']}, phase: {told['phase']}.")
        if told["open_trains"] and told["phase"] in ("playing", "scoring"):
            lines.append(f"Open trains: {', '.join(told['open_trains'])}.")
        for player in sorted(told["scores"], key=lambda name: int(told["places"][name])):
            column = told["scores"][player]
            cells = " ".join("–" if score is None else str(score) for score in column)
            place, total = told["places"][player], told["totals"][player]
            lines.append(f"{place:3}. {player}: {total}  ({cells})" if cells else f"  {player}")
        if told["winners"]:
            lines.append(f"Won by {' and '.join(told['winners'])}.")
    if "refused" in told:
        refused = told["refused"]
        lines.append(f"Line {refused['line']} was refused: {refused['why']}")
    return "\n".join(lines)
