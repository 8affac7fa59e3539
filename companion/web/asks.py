"""The questions at the head of the table page, each with the buttons that answer it.

What the camera doubts and what may have been forgotten become one sentence each. Proposes taps
and plays none; knows the camera only as a sighting.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any

from flask import url_for

from companion.dominoes import Tile
from companion.proposals import Opinions, Proposal, next_round, odd
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
        self._opinions = Opinions()
        self._lock = threading.Lock()

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def add(self, key: str) -> None:
        """Ask this no more."""
        self._keys = [*self._keys[-MOST_HUSHED:], key[:200]]
        self.times += 1

    def markers(self, told: dict[str, Any], seen: Sighting | None) -> list[Proposal]:
        """What the camera thinks of the markers now, and nobody has denied."""
        with self._lock:
            self._opinions.look(told, seen)
            return self._opinions.proposals()

    def no_marker(self, train: str) -> None:
        """This train's marker is as it was told, whatever the camera thinks."""
        with self._lock:
            self._opinions.no(train)
        self.times += 1


def asks() -> list[Ask]:
    """The questions of this moment: one of the camera's, then what may have been forgotten."""
    return [*camera_asks()[:1], *nudge_asks()]


# ---- what the camera doubts --------------------------------------------------------------------


def verdict_now(*, moving: bool = False) -> tuple[Verdict, Sighting | None]:
    """How the hub compares with the table now; what moves over it counts only when asked for."""
    watch = services().watch
    seen = None if watch is None or watch.trouble is not None else watch.sighting
    moves = moving and watch is not None and watch.moving
    return compare(report_now(), seen, next_engine(table_now()), moving=moves), seen


def camera_asks() -> list[Ask]:
    """What the camera wants to know, the most pressing first.

    Of a toy that is only what somebody has done to its markers: it is nobody's table, and its
    panel says the rest.
    """
    told, seen, toy = report_now(), verdict_now()[1], services().simulator
    markers = services().hushed.markers(told, seen)
    if toy is not None:
        moved = toy.moved_markers if markers else ()
        return [marker_ask(each) for each in markers if (each.action or {})["train"] in moved]
    hub, coming = hub_ask(), next_round(told, seen, next_engine(table_now()))
    found = [hub] if hub else []
    found += [next_ask(coming)] if coming and not hushed(coming) else []
    found += [marker_ask(proposal) for proposal in markers]
    return found + [odd_ask(strange) for strange in odd(told, seen) if not hushed(strange)]


def hushed(proposal: Proposal) -> bool:
    """Whether somebody has said no to this already."""
    return hush_key(proposal) in services().hushed


def hush_key(proposal: Proposal) -> str:
    """What saying no to this is remembered by: it is another one in another round."""
    return f"{round_key(table_now())} {proposal.key}"


def leave(proposal: Proposal) -> Answer:
    """The button that says no to it."""
    fields = {"do": "hush", "key": hush_key(proposal)}
    return Answer(_("Leave it"), url_for("table.hub_answer"), fields)


def next_ask(proposal: Proposal) -> Ask:
    """The next round's engine lies there: its sheet opens the round."""
    engine = (proposal.action or {})["engine"]
    words = (
        _("Next round: the %(engine)s", engine=engine)
        if report_now()["round"]
        else _("Begin with the %(engine)s", engine=engine)
    )
    return Ask(proposal.sentence, (Answer(words, url_for("table.show", next=1)), leave(proposal)))


def marker_ask(proposal: Proposal) -> Ask:
    """A marker came or went: the tap that a person would give, and a no."""
    action = proposal.action or {}
    train, act = str(action["train"]), str(action["action"])
    words = _("Marker up: open to all") if act == "mark" else _("Marker off: closed again")
    no = Answer(_("Leave it"), url_for("table.hub_answer"), {"do": "marker", "train": train})
    return Ask(proposal.sentence, (tap(words, act=act, train=train), no))


def odd_ask(proposal: Proposal) -> Ask:
    """Something that only people can look at."""
    return Ask(proposal.sentence, (leave(proposal),))


def hub_ask() -> Ask | None:
    """What is asked about the hub; None when it agrees, cannot tell or was answered."""
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
    """The engine that lies there where the round can still take it, the round's end where the next
    one's lies there, and *it is right as told*."""
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
        elif seen.engine.high == Tile.parse(told["engine"]).high - 1:
            # the round is over and nobody has said so
            answers.append(Answer(_("Score the round"), url_for("score.show")))
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
