"""What the page says about the hub, sentence by sentence."""

from __future__ import annotations

import pytest
from table_reports import table_report

from companion.dominoes import Tile
from companion.sighting import Sighting, Verdict, compare

NINE = Sighting(engine=Tile(9, 9))


@pytest.mark.parametrize(
    "sighting, kind, sentence",
    [
        (None, "nothing", "The camera has not seen the hub yet."),
        (NINE, "agrees", "The hub shows the 9-9, this round's engine."),
        (
            Sighting(engine=Tile(8, 8)),
            "differs",
            "Round 4 wants the 9-9, I see the 8-8: was a round skipped?",
        ),
        (
            Sighting(engine=Tile(10, 10)),
            "differs",
            "Round 4 wants the 9-9, I see the 10-10: is an earlier engine still in the hub?",
        ),
        (Sighting(), "empty", "The engine slot is empty: lay the 9-9."),
        (Sighting(hidden=True), "hidden", "Something covers the hub."),
        (
            Sighting(engine=Tile(8, 8), certain=False),
            "unsure",
            "I cannot read the hub for certain: is it the 8-8?",
        ),
        (
            Sighting(certain=False),
            "unsure",
            "I cannot read the hub for certain: is the 9-9 in it?",
        ),
        (
            Sighting(other=Tile(8, 9)),
            "differs",
            "The 8-9 in the hub is no double: lay the 9-9.",
        ),
    ],
)
def test_while_a_round_is_played(sighting: Sighting | None, kind: str, sentence: str) -> None:
    verdict = compare(table_report("9-9"), sighting)
    assert (verdict.kind, verdict.sentence) == (kind, sentence)


def test_the_double_blank_is_an_engine_like_any_other() -> None:
    seen = Sighting(engine=Tile(0, 0))
    report = table_report("0-0", round_=13)
    assert compare(report, seen).sentence == "The hub shows the 0-0, this round's engine."


def test_while_hands_are_scored_only_agreement_is_told() -> None:
    report = table_report("9-9", phase="scoring")
    assert compare(report, NINE).kind == "agrees"
    waiting = "Hands are being scored: the hub is looked at in the next round."
    assert compare(report, Sighting(engine=Tile(3, 3))) == Verdict("nothing", waiting)
    assert compare(report, Sighting()).kind == "nothing"


def test_between_rounds_the_next_engine_is_asked_for() -> None:
    report = table_report("9-9", phase="between")
    wanted = Verdict("nothing", "Lay the 8-8 into the hub for the next round.")
    assert compare(report, NINE, "8-8") == wanted
    assert compare(report, Sighting(hidden=True), "8-8") == wanted
    before_all = table_report(None, phase="between", round_=0)
    first = Verdict("nothing", "Lay the 12-12 into the hub for the first round.")
    assert compare(before_all, Sighting(), "12-12") == first
    wrong = compare(report, Sighting(engine=Tile(5, 5)), "8-8")
    assert wrong == Verdict(
        "differs",
        "The next round wants the 8-8, I see the 5-5: does it begin with that?",
        "I see the 5-5.",
    )
    assert compare(report, Sighting(engine=Tile(5, 5), certain=False), "8-8") == wanted
    next_one = Verdict("agrees", "The hub shows the 8-8, the next round's engine.")
    assert compare(report, Sighting(engine=Tile(8, 8)), "8-8") == next_one


@pytest.mark.parametrize("phase", ["none", "finished"])
def test_without_a_round_the_hub_is_only_told(phase: str) -> None:
    report = table_report(phase=phase)
    assert compare(report, NINE) == Verdict("nothing", "The hub shows the 9-9.")
    assert compare(report, Sighting()) == Verdict("nothing", "The engine slot is empty.")
    assert compare(report, Sighting(hidden=True)).sentence == "Something covers the hub."
    doubtful = Sighting(engine=Tile(9, 9), certain=False)
    assert compare(report, doubtful).sentence == "The hub may show the 9-9."


def test_while_a_hand_moves_nothing_else_is_told() -> None:
    verdict = compare(table_report("9-9"), NINE, moving=True)
    assert verdict.kind == "moving"
    assert verdict.sentence == "A hand moves over the hub: I look again when it is gone."


def test_looks_agree_when_they_say_the_same() -> None:
    assert NINE.likeness == Sighting(engine=Tile(9, 9), taken=5.0, frame="x").likeness
    assert NINE.likeness != Sighting(engine=Tile(9, 9), certain=False).likeness
    assert Sighting().likeness != Sighting(hidden=True).likeness
