"""The questions at the head of the table page, each with the buttons that answer it.

What the camera doubts and what may have been forgotten become one sentence each. Proposes taps
and plays none; knows the camera only as a sighting.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from flask import url_for

from companion.report import next_engine
from companion.sighting import Sighting, Verdict, compare
from companion.state import Aside, GameState
from companion.web.rounds import game_key, round_key
from companion.web.services import report_now, services, table_now
from companion.web.words import _

COVERED_LONG = 30.0
"""Seconds after which a covered hub is worth a question: hands are gone sooner."""

MOST_HUSHED = 200
"""Answers that are remembered; the oldest go first."""


@dataclass(frozen=True)
class Answer:
    """One button: a form to this address with these fields, or a link where there are none."""

    words: str
    address: str
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Ask:
    """One question, and its answers where a tap can answer it."""

    words: str
    answers: tuple[Answer, ...] = ()


class Hushed:
    """The camera's questions that somebody has answered with *it is right*, for all devices."""

    def __init__(self) -> None:
        self.times = 0
        """How often something was answered: pages look at it to see that they are behind."""
        self._keys: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def add(self, key: str) -> None:
        """Ask this no more."""
        self._keys = [*self._keys[-MOST_HUSHED:], key[:200]]
        self.times += 1


def asks() -> list[Ask]:
    """The questions of this moment: the camera's first, then what may have been forgotten."""
    hub = hub_ask()
    return [*([hub] if hub else ()), *nudge_asks()]


# ---- what the camera doubts --------------------------------------------------------------------


def verdict_now(*, moving: bool = False) -> tuple[Verdict, Sighting | None]:
    """How the hub compares with the table now; what moves over it counts only when asked for."""
    watch = services().watch
    seen = None if watch is None or watch.trouble is not None else watch.sighting
    moves = moving and watch is not None and watch.moving
    return compare(report_now(), seen, next_engine(table_now()), moving=moves), seen


def hub_ask() -> Ask | None:
    """What the camera wants to know; None when it agrees, cannot tell, was answered or is a toy."""
    if services().simulator is not None:
        return None  # nobody's table: the panel says what it shows, and that is enough
    verdict, seen = verdict_now()
    if seen is None or verdict.kind not in ("differs", "empty", "unsure", "hidden"):
        return None
    if verdict.kind == "hidden" and not long_covered(seen):
        return None
    key = f"{round_key(table_now())} {verdict.sentence}"
    if key in services().hushed:
        return None
    return Ask(verdict.sentence, tuple(hub_answers(verdict, seen, key)))


def long_covered(seen: Sighting) -> bool:
    """Whether the hub has been covered, by something that lies still, for longer than a hand."""
    return seen.hidden and time.monotonic() - seen.taken > COVERED_LONG


def hub_answers(verdict: Verdict, seen: Sighting, key: str) -> list[Answer]:
    """The engine that lies there where the round can still take it, and *it is right as told*."""
    told, coming = report_now(), next_engine(table_now())
    between = told["phase"] == "between"
    right = coming if between else told["engine"]
    hush = {"do": "hush", "key": key}
    answers = []
    if seen.engine is not None and str(seen.engine) != right:
        other, number = str(seen.engine), told["round"] + between
        words = _("Round %(round)s has the %(engine)s", round=number, engine=other)
        if between:
            answers.append(Answer(words, url_for("table.show", next=1, engine=other)))
        elif just_opened():
            change = {"do": "reopen", "engine": other}
            answers.append(Answer(words, url_for("table.hub_answer"), change))
    words = _("Leave it") if seen.hidden else _("The %(engine)s is right", engine=right)
    return [*answers, Answer(words, url_for("table.hub_answer"), hush)]


def just_opened() -> bool:
    """Whether nothing has been told of the open round yet, so that it can be opened anew."""
    last = table_now().last
    return report_now()["phase"] == "playing" and last is not None and last.name == "open_round"


# ---- what may have been forgotten --------------------------------------------------------------


def nudge_asks() -> list[Ask]:
    """The table's gentle questions, each with the taps that settle it."""
    told, state = report_now(), table_now().state
    if state is None or state.round is None or not told["nudges"]:
        return []
    about = [Aside(kind, number) for number, kind in state.round.nudged.items()]
    about += state.round.asides
    return [
        Ask(sentence, tuple(nudge_answers(told, state, aside)))
        for sentence, aside in zip(told["nudges"], about, strict=True)
        if aside_key(aside) not in services().hushed
    ]


def aside_key(aside: Aside) -> str:
    """A word for what may be wrong with the last tap; it is another one after the next tap."""
    return f"{game_key(table_now())} {table_now().revision} {aside.kind}"


def nudge_answers(told: dict[str, Any], state: GameState, aside: Aside) -> list[Answer]:
    """The tap that a question of this kind asks for."""
    if aside.kind in ("own", "any", "covered") and aside.player is not None:
        return [tap(_("Marker off"), act="unmark", train=state.name(aside.player))]
    leave = Answer(
        _("Leave it"), url_for("table.hub_answer"), {"do": "hush", "key": aside_key(aside)}
    )
    if aside.kind in ("blocked", "covering"):
        waiting = [each for each in told["open_doubles"] if each["double"] == str(aside.tile)]
        covered = [tap(_("Covered"), act="cover", train=each["train"]) for each in waiting[:1]]
        return [*covered, leave]
    if aside.kind == "double" and aside.tile is not None and aside.train is not None:
        train, value = state.name(aside.train), str(aside.tile.high)
        return [tap(_("It lies open"), act="lay_double", train=train, value=value), leave]
    return [Answer(_("Undo"), url_for("table.undo"), {"act": "undo"}), leave]


def tap(words: str, **fields: str) -> Answer:
    """One of the taps of the table page."""
    return Answer(words, url_for("table.tap"), fields)
