"""What the camera would tap, and when it keeps quiet because a person has spoken."""

import pytest

from companion.dominoes import Tile
from companion.lines import SeenTrain
from companion.observation import Reading
from companion.proposals import Opinions, next_round, odd
from companion.sighting import Sighting

SQUARE = ((0.0, 0.0), (0.0, 10.0), (20.0, 10.0), (20.0, 0.0))


def table(*marked, phase="playing", round_=1, engine="12-12"):
    return {
        "phase": phase,
        "round": round_,
        "engine": engine,
        "game": {"players": ["Ann", "Bob", "Cid"]},
        "open_trains": list(marked),
    }


def sight(*seats, **more):
    lines = tuple(SeenTrain(seat, ((12, 5),), 5, marked=True) for seat in seats)
    return Sighting(engine=Tile(12, 12), lines=lines, **more)


def told(opinions, report, sighting):
    opinions.look(report, sighting)
    return [(each.action["action"], each.action["train"]) for each in opinions.proposals()]


def test_a_marker_that_appears_and_goes_is_proposed_up_and_down():
    opinions = Opinions()
    assert told(opinions, table(), sight()) == []
    assert told(opinions, table(), sight(2)) == [("mark", "Bob")]
    assert told(opinions, table("Bob"), sight(2)) == [], "somebody tapped what it saw"
    assert told(opinions, table("Bob"), sight()) == [("unmark", "Bob")]
    assert told(opinions, table(), sight()) == []


def test_the_sentences_name_the_train():
    opinions = Opinions()
    opinions.look(table(), sight(1))
    (proposal,) = opinions.proposals()
    assert proposal.sentence == "I see a marker on Ann's train: is it open?"
    opinions.look(table("Ann"), sight(1))
    opinions.look(table("Ann"), sight())
    (proposal,) = opinions.proposals()
    assert proposal.sentence == "The marker on Ann's train is gone: is it closed?"


def test_a_no_lasts_until_the_marker_changes():
    opinions = Opinions()
    assert told(opinions, table(), sight(3)) == [("mark", "Cid")]
    opinions.no("Cid")
    assert told(opinions, table(), sight(3)) == []
    assert told(opinions, table(), sight(1, 3)) == [("mark", "Ann")], "another one is asked about"
    assert told(opinions, table(), sight(1)) == [("mark", "Ann")]
    assert told(opinions, table(), sight(1, 3)) == [
        ("mark", "Ann"),
        ("mark", "Cid"),
    ], "it is back"


def test_a_tap_against_the_camera_silences_it():
    opinions = Opinions()
    told(opinions, table(), sight(2))
    assert told(opinions, table("Bob"), sight(2)) == []
    assert told(opinions, table(), sight(2)) == [], "taken down by a person, though it lies there"
    assert told(opinions, table(), sight()) == []
    assert told(opinions, table(), sight(2)) == [("mark", "Bob")], "it was put up anew"


def test_a_marker_that_the_camera_never_saw_is_not_missed():
    opinions = Opinions()
    told(opinions, table(), sight())
    assert told(opinions, table("Ann"), sight()) == []
    assert told(Opinions(), table("Ann"), sight()) == [], "nor by one that looks for the first time"


@pytest.mark.parametrize("blind", [None, Sighting(hidden=True)])
def test_what_hides_the_table_changes_no_opinion(blind):
    opinions = Opinions()
    told(opinions, table("Ann"), sight(1))
    assert told(opinions, table("Ann"), blind) == []
    assert told(opinions, table("Ann"), sight(1)) == []


def test_a_round_begins_without_opinions_and_none_are_held_between_rounds():
    opinions = Opinions()
    told(opinions, table("Ann"), sight(1))
    assert told(opinions, table(phase="scoring"), sight(1)) in ([], [("mark", "Ann")])
    told(opinions, table("Bob", round_=2, engine="11-11"), sight())
    assert told(opinions, table("Bob", round_=2, engine="11-11"), sight()) == []


def test_the_mexican_train_needs_no_marker():
    opinions = Opinions()
    assert told(opinions, table(), sight(None)) == []


def test_the_next_engine_in_the_hub_offers_the_round():
    between = table(phase="between", round_=2, engine="11-11")
    proposal = next_round(between, Sighting(engine=Tile(10, 10)), "10-10")
    assert proposal.action == {"action": "open_round", "engine": "10-10"}
    assert proposal.sentence == "The 10-10 lies in the hub: does the next round begin?"
    first = next_round(table(phase="between", round_=0), Sighting(engine=Tile(12, 12)), "12-12")
    assert first.sentence == "The 12-12 lies in the hub: does the game begin?"


@pytest.mark.parametrize(
    ("phase", "seen"),
    [
        ("playing", Sighting(engine=Tile(10, 10))),
        ("scoring", Sighting(engine=Tile(10, 10))),
        ("between", Sighting(engine=Tile(11, 11))),
        ("between", Sighting(engine=Tile(10, 10), certain=False)),
        ("between", Sighting(engine=Tile(10, 10), hidden=True)),
        ("between", Sighting()),
        ("between", None),
    ],
)
def test_nothing_else_offers_it(phase, seen):
    assert next_round(table(phase=phase, round_=2, engine="11-11"), seen, "10-10") is None


def test_after_the_last_round_none_is_offered():
    seen = Sighting(engine=Tile(0, 0))
    assert next_round(table(phase="between", engine="0-0"), seen, None) is None


def test_two_of_a_tile_and_joints_are_asked_about_once():
    joint = "The 5-6 lies on the 4-12 but does not fit: look at them."
    lines = (SeenTrain(1, ((12, 4),), 4, questions=(joint,)),)
    tiles = (Reading((3, 4), SQUARE), Reading((4, 3), SQUARE), Reading((0, 1), SQUARE))
    seen = Sighting(engine=Tile(12, 12), lines=lines, tiles=tiles)
    assert [each.sentence for each in odd(table(), seen)] == [
        "There are two of the 3-4: is one of them another tile?",
        joint,
    ]
    assert all(each.action is None for each in odd(table(), seen))
    assert odd(table(phase="scoring"), seen) == []
    assert odd(table(), Sighting(hidden=True, lines=lines)) == []
