"""The rule card's page: what this table plays, changed between rounds, saved under a name."""

from pathlib import Path

import pytest
from visitor import OPEN, START, Place, sentences

from companion.card import SENTENCES, rule_card
from companion.report import report
from companion.rulebook import PRESETS, SWITCHES, Rules


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def hands(*pips: int) -> list[dict[str, object]]:
    told = [
        {"action": "hand", "player": who, "pips": left}
        for who, left in zip(("Red", "Blue", "Green"), pips, strict=True)
    ]
    return [*told, {"action": "close_round"}]


@pytest.mark.parametrize("preset", PRESETS)
def test_without_a_game_the_card_of_every_preset_is_there(place: Place, preset: str) -> None:
    page = sentences(place.visitor().get(f"/rules?rules={preset}"))
    for heading, said in rule_card(Rules.preset(preset)):
        assert heading in page
        assert all(sentence in page for sentence in said)
    assert "house rule" not in page.replace("Make house rules of it", "")


def test_the_usual_card_is_shown_first(place: Place) -> None:
    assert f"<h1>{PRESETS['classic'].title}</h1>" in place.visitor().get("/rules").text


def test_rules_may_be_put_together_by_taps_on_links(place: Place) -> None:
    visitor = place.visitor()
    page = visitor.get("/rules?rules=hub&switch=double_blank=25&switch=must_play=no")
    assert "2 rules are this table's own." in sentences(page)
    assert SENTENCES["double_blank"][25] in sentences(page)
    assert "switch=double_blank%3D25" in page.text, "the other choices keep what was chosen"


def test_the_card_of_the_table_changes_with_a_switch(place: Place) -> None:
    place.play(START)
    visitor = place.visitor()
    assert "How this table plays" in sentences(visitor.get("/rules"))
    answer = visitor.post("/rules", {"switch": "double_blank", "value": "25"})
    assert answer.status_code == 303
    assert place.told["game"]["switches"]["double_blank"] == 25
    page = sentences(visitor.get("/rules"))
    assert "The 0-0 costs 25 points. house rule" in page
    visitor.post("/rules", {"switch": "must_play", "value": "yes"})
    assert place.told["game"]["switches"]["must_play"] is True


@pytest.mark.parametrize("name", SWITCHES)
def test_every_switch_has_its_meaning_its_effect_and_every_value(place: Place, name: str) -> None:
    place.play(START)
    page = sentences(place.visitor().get("/rules"))
    switch = SWITCHES[name]
    assert switch.meaning[1:] in page
    for value in switch.values:
        assert SENTENCES[name][value] in page


def test_while_a_round_is_open_rules_stay(place: Place) -> None:
    place.play(START, OPEN)
    visitor = place.visitor()
    page = visitor.get("/rules")
    assert "A round is open: rules change when it is closed." in sentences(page)
    assert 'id="double_blank-25" disabled' in page.text
    refused = visitor.post("/rules", {"switch": "double_blank", "value": "25"})
    assert refused.status_code == 422
    assert "A round is open: change the rules when it is closed." in sentences(refused)


def test_closed_rounds_keep_their_points_and_the_next_counts_anew(place: Place) -> None:
    place.play(START, OPEN, {"action": "mark", "train": "Blue"}, *hands(0, 10, 20))
    place.visitor().post("/rules", {"switch": "marker_penalty", "value": "10"})
    told = place.play(OPEN, {"action": "mark", "train": "Blue"}, *hands(0, 10, 20))
    assert told["scores"]["Blue"] == [10, 20]


@pytest.mark.parametrize(
    "fields, why",
    [
        ({"switch": "castling", "value": "yes"}, "There is no switch called castling"),
        ({"switch": "double_blank", "value": "7"}, "double_blank cannot be 7"),
        ({}, "There is no switch called"),
    ],
)
def test_what_is_no_rule_is_a_sentence(place: Place, fields: dict[str, str], why: str) -> None:
    place.play(START)
    refused = place.visitor().post("/rules", fields)
    assert (refused.status_code, why in sentences(refused)) == (422, True)


@pytest.mark.parametrize("path", ["/rules?rules=chess", "/rules?saved=Ours"])
def test_rules_that_are_not_there_are_a_sentence(place: Place, path: str) -> None:
    assert place.visitor().get(path).status_code == 422


def test_an_old_page_changes_nothing(place: Place) -> None:
    place.play(START)
    fields = {"switch": "double_blank", "value": "25", "revision": "0"}
    assert place.visitor().post("/rules", fields).status_code == 409
    assert place.told["game"]["switches"]["double_blank"] == 50


def test_the_rules_of_a_table_are_saved_under_a_name(place: Place) -> None:
    place.play({**START, "overrides": {"double_blank": 25}})
    visitor = place.visitor()
    fields = {"rules": "classic", "switch": "double_blank=25", "at_table": "1", "name": "Ours"}
    answer = visitor.post("/rules/save", fields)
    assert answer.status_code == 303
    page = sentences(visitor.get(answer.location))
    assert "Saved as Ours: it is offered at the next new game." in page
    (saved,) = place.game.house_rules.all()
    assert saved.overrides == {"double_blank": 25}
    assert "1 rule is this table's own." in sentences(visitor.get("/rules?saved=Ours"))
    assert report(place.game.table)["game"]["rules"] == "classic"


def test_other_rules_of_the_same_name_are_asked_about_and_the_name_stays(place: Place) -> None:
    visitor = place.visitor()
    visitor.post("/rules/save", {"rules": "classic", "name": "Ours"})
    refused = visitor.post("/rules/save", {"rules": "hub", "name": "ours"})
    assert refused.status_code == 422
    assert "Other rules are saved as Ours: replace them" in sentences(refused)
    assert 'value="ours"' in refused.text and 'id="overrule"' in refused.text
    visitor.post("/rules/save", {"rules": "hub", "name": "ours", "overrule": "1"})
    assert [each.rules.name for each in place.game.house_rules.all()] == ["hub"]


def test_an_empty_name_is_refused_on_the_page(place: Place) -> None:
    refused = place.visitor().post("/rules/save", {"rules": "hub", "name": " "})
    assert refused.status_code == 422
    assert "The rules need a name: write one." in sentences(refused)
    assert 'id="saving" open' in refused.text


def test_saved_rules_are_removed(place: Place) -> None:
    visitor = place.visitor()
    visitor.post("/rules/save", {"rules": "hub", "name": "Ours"})
    answer = visitor.post("/rules/remove", {"name": "Ours"})
    assert "Ours is no longer saved." in sentences(visitor.get(answer.location))
    assert place.game.house_rules.all() == []


def test_the_card_says_what_this_game_agreed_on(place: Place) -> None:
    place.play({**START, "set": 9, "hand": 10, "first_engine": "6-6", "rounds": 5})
    page = sentences(place.visitor().get("/rules"))
    assert "This game: a double-9 set. 10 tiles each. 5 rounds from the 6-6." in page


def new_game(rules: str, **more: object) -> dict[str, object]:
    return {"name": ["Ann", "Bob"], "set": "9", "rules": rules, "onward": "start", **more}


def test_saved_rules_are_offered_at_the_next_new_game(place: Place) -> None:
    own = Rules.preset("classic", {"engine_by": "laid_first", "double_blank": 25})
    place.game.house_rules.save("Kitchen & co", own)
    visitor = place.visitor()
    page = visitor.get("/new")
    assert "Kitchen & co Classic with 2 house rules" in sentences(page)
    second = visitor.post("/new", new_game("saved:Kitchen & co", step="start"))
    assert "double-9, Kitchen & co" in sentences(second)
    assert "The engine lies in the hub. Who starts?" in sentences(second), "by the saved rules"
    assert 'name="rules" value="saved:Kitchen &amp; co"' in second.text
    back = visitor.post("/new", new_game("saved:Kitchen & co", step="people"))
    assert 'id="own-1" checked' in back.text and 'id="rules-classic" checked' not in back.text
    visitor.post("/new", new_game("saved:Kitchen & co", step="begin"))
    switches = place.told["game"]["switches"]
    assert (switches["engine_by"], switches["double_blank"]) == ("laid_first", 25)


def test_saved_rules_that_are_gone_are_the_usual_ones(place: Place) -> None:
    second = place.visitor().post("/new", new_game("saved:Ours", step="start"))
    assert "double-9, Classic" in sentences(second)
