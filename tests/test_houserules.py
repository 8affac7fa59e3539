"""A table's own rules: saved under a name, offered again, replaced only when somebody says so."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import RuleBroken
from companion.houserules import MOST, HouseRules, differing
from companion.journal import Journal
from companion.rulebook import PRESETS, Rules
from companion.table import Table

OURS = Rules.preset("hub", {"double_blank": 25, "must_play": "no", "announce_last": True})


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "games.db") as journal:
        yield journal


@pytest.fixture
def shelf(journal: Journal) -> HouseRules:
    return HouseRules(journal)


def test_rules_are_kept_as_a_preset_and_what_differs(shelf: HouseRules, journal: Journal) -> None:
    saved = shelf.save("  Grandma's   kitchen ", OURS)
    assert saved.name == "Grandma's kitchen"
    assert saved.overrides == {"double_blank": 25, "must_play": False}
    assert HouseRules(journal).all() == [saved]
    again = shelf.get("GRANDMA'S kitchen")
    assert again is not None and again.rules == OURS
    start = {"action": "start_game", "players": ["Ann", "Bob"], "set": 9, "rules": "hub"}
    state = Table.empty().after({**start, "overrides": again.overrides}).state
    assert state is not None and state.rules == OURS


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_differs_in_nothing(preset: str) -> None:
    assert differing(Rules.preset(preset)) == {}


def test_what_was_saved_last_comes_first(shelf: HouseRules) -> None:
    for name in ("One", "Two", "Three"):
        shelf.save(name, OURS)
    shelf.save("one", OURS)
    assert [each.name for each in shelf.all()] == ["one", "Three", "Two"]


def test_other_rules_of_the_same_name_are_asked_about(shelf: HouseRules) -> None:
    shelf.save("Ours", OURS)
    with pytest.raises(RuleBroken, match="Other rules are saved as Ours: replace") as refusal:
        shelf.save("OURS", Rules.preset("classic"))
    assert refusal.value.overrulable
    assert shelf.all()[0].rules == OURS
    shelf.save("OURS", Rules.preset("classic"), overrule=True)
    assert [(each.name, each.rules.name) for each in shelf.all()] == [("OURS", "classic")]


@pytest.mark.parametrize(
    "name, why",
    [
        ("  ", "The rules need a name: write one."),
        ("x" * 41, "is too long: 40 letters at most."),
        ("a\u202eb", "holds a character that cannot be shown"),
    ],
)
def test_a_name_that_cannot_be_shown_is_refused(shelf: HouseRules, name: str, why: str) -> None:
    with pytest.raises(RuleBroken, match=why):
        shelf.save(name, OURS)
    assert shelf.all() == []


def test_there_is_a_most_and_one_can_be_removed(shelf: HouseRules) -> None:
    for number in range(MOST):
        shelf.save(f"Rules {number}", OURS)
    with pytest.raises(RuleBroken, match="remove one you do not use"):
        shelf.save("One more", OURS)
    shelf.remove("rules 7")
    shelf.remove("rules 7")
    shelf.save("One more", OURS)
    assert shelf.get("Rules 7") is None


def test_rules_that_this_version_cannot_play_are_left_out(
    shelf: HouseRules, journal: Journal
) -> None:
    shelf.save("Ours", OURS)
    for name, preset, overrides in (
        ("a", "chess", "{}"),
        ("b", "hub", '{"castling": true}'),
        ("c", "hub", "half a sen"),
    ):
        row = (name, name, preset, overrides)
        journal.run("INSERT INTO rules VALUES (?, ?, ?, ?, 9)", row)
    assert [each.name for each in shelf.all()] == ["Ours"]
