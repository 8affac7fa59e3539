"""Home and the new game: two steps that keep what was typed, whatever is refused."""

import re
from dataclasses import replace

import pytest

from companion.web import WebSettings
from companion.web.looks import LOOKS, looks_for
from companion.web.setup import Draft, Seat
from tests.visitor import OPEN, START, Place, sentences

PEOPLE = {"set": "12", "rules": "hub", "step": "start"}


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    yield place
    place.game.close()


def people(*names, **more):
    looks = [str(n + 1) for n in range(len(names))]
    return {"name": list(names), "look": looks, **PEOPLE, **more}


def typed(page):
    """The names that stand in the lines of the form."""
    return re.findall(r'<input class="input" name="name" id="name-\d+" value="([^"]*)"', page.text)


# ---- home --------------------------------------------------------------------------------------


def test_home_without_a_game_offers_a_new_one_and_the_address(place):
    place.app.extensions["companion"] = replace(
        place.app.extensions["companion"], settings=WebSettings(address="http://192.168.1.23:8000/")
    )
    page = place.visitor().get("/")
    assert 'href="/new"' in page.text and 'id="go-on"' not in page.text
    assert 'class="qr"' in page.text and "http://192.168.1.23:8000/" in sentences(page)


def test_without_a_network_home_says_so_instead_of_showing_a_useless_code(place):
    page = place.visitor().get("/")
    assert "Only this machine can open the companion now." in sentences(page)
    assert 'class="qr"' not in page.text and "localhost" not in sentences(page)
    there = place.visitor().client.get("/", base_url="http://192.168.1.50:8000/")
    assert "http://192.168.1.50:8000/" in sentences(there), "it was reached by one after all"


def test_home_goes_on_with_the_running_game(place):
    place.play(START, OPEN)
    page = place.visitor().get("/")
    assert "Round 1 double-12, Classic" in sentences(page)
    assert 'href="/table" id="go-on"' in page.text


def test_home_names_who_won(place):
    place.play(START, OPEN)
    for player, pips in (("Red", 3), ("Blue", 2), ("Green", 9)):
        place.play({"action": "hand", "player": player, "pips": pips})
    place.play({"action": "close_round"}, {"action": "finish_game"})
    assert "Blue won with 2." in sentences(place.visitor().get("/"))


# ---- the first step ----------------------------------------------------------------------------


def test_a_fresh_form_has_four_lines_and_the_three_rules(place):
    page = place.visitor().get("/new")
    assert typed(page) == [""] * 4
    for title in ("Classic", "Thirteen games", "Hub rules", "Double-6", "Double-18"):
        assert title in sentences(page)


def test_lines_are_added_and_removed_without_losing_a_name(place):
    ann = place.visitor()
    more = ann.post("/new", people("Ann", "", "Cem", more="1"))
    assert typed(more) == ["Ann", "", "Cem", ""]
    less = ann.post("/new", people("Ann", "", "Cem", drop="1"))
    assert typed(less) == ["Ann", "Cem"]
    full = ann.post("/new", people(*"ABCDEFGHIJKLMN", more="1"))
    assert len(typed(full)) == 14 and 'id="more"' not in full.text


def test_people_of_other_evenings_are_one_tap_away_with_their_colour(place):
    place.journal.remember(["Ann", "Ben"], [5, 7])
    ann = place.visitor()
    assert re.findall(r'name="add" value="(\w+)"', ann.get("/new").text) == ["Ann", "Ben"]
    page = ann.post("/new", people("Zoe", "", add="Ben"))
    assert typed(page) == ["Zoe", "Ben"]
    assert '<option value="7" selected>Red heart' in page.text
    assert re.findall(r'name="add" value="(\w+)"', page.text) == ["Ann"]


REFUSED = [
    (people("Ann"), "2 to 14 people can play: 1 were named."),
    (people("Ann", "ann"), "Two players are called ann"),
    (people("Ann", "Mexican"), "Nobody can be called Mexican"),
    (people("Ann", "Ben", look=["3", "3"]), "Ann and Ben have the same colour"),
    (people("Ann", "x" * 41), "is too long: 40 letters at most"),
]


@pytest.mark.parametrize(("fields", "sentence"), REFUSED)
def test_a_refusal_keeps_every_name(place, fields, sentence):
    page = place.visitor().post("/new", fields)
    assert page.status_code == 422
    assert sentence in sentences(page)
    assert typed(page) == fields["name"]
    assert 'name="overrule"' not in page.text
    assert place.told["phase"] == "none"


def test_more_players_than_the_rules_name_may_be_insisted_on(place):
    ann = place.visitor()
    crowd = people(*"ABCDEFGHIJKLM")
    asked = ann.post("/new", crowd)
    assert asked.status_code == 422 and 'name="overrule"' in asked.text
    crowd.pop("step")
    start = ann.post("/new", {**crowd, "onward": "start", "overrule": "1"})
    assert start.status_code == 200 and 'name="insisted" value="1"' in start.text
    insisted = {**crowd, "step": "begin", "insisted": "1", "hand": "5"}
    begun = ann.post("/new", insisted)
    assert begun.status_code == 303
    assert len(place.told["game"]["players"]) == 13


def test_a_running_game_is_set_aside_only_when_asked(place):
    place.play(START, OPEN)
    asked = place.visitor().post("/new", people("Ann", "Ben"))
    assert asked.status_code == 422
    assert 'id="refusal" role="alert"' in asked.text and typed(asked) == ["Ann", "Ben"]
    assert "Round 1 is being played." in sentences(asked)
    assert place.told["game"]["players"] == START["players"]
    go = re.search(r'name="aside" value="(\w+)" id="set-aside">Set it aside', asked.text)[1]
    fields = people("Ann", "Ben", aside=go, onward="start")
    fields.pop("step")
    start = place.visitor().post("/new", fields)
    assert start.status_code == 200 and 'id="begin"' in start.text, "goes on at once"
    assert 'name="aside" value="1"' in start.text
    begun = place.visitor().post("/new", people("Ann", "Ben", aside="1", step="begin"))
    assert begun.status_code == 303
    assert place.told["game"]["players"] == ["Ann", "Ben"]


def test_a_running_game_is_named_before_anything_is_typed(place):
    ann = place.visitor()
    assert 'id="running"' not in ann.get("/new").text
    place.play(START, OPEN)
    page = ann.get("/new")
    assert "Round 1 is being played. Go on with it Set it aside" in sentences(page)
    assert "Yes, it is so" not in page.text
    fields = people("Ann", aside="1")
    fields.pop("step")
    aside = ann.post("/new", fields)
    assert typed(aside) == ["Ann"], "what was typed stays"
    assert "Round 1 is set aside when the new game begins." in sentences(aside)
    assert 'name="aside" value="1"' in aside.text and place.told["round"] == 1


def test_setting_a_game_aside_answers_no_other_question(place):
    place.play(START, OPEN)
    asked = place.visitor().post("/new", people(*"ABCDEFGHIJKLM", aside="1"))
    assert asked.status_code == 422 and ">Yes, it is so<" in asked.text
    hand = people("Ann", "Ben", aside="1", step="begin", hand="60")
    page = place.visitor().post("/new", hand)
    assert page.status_code == 422 and "are more than the 91 tiles" in sentences(page)
    assert place.told["game"]["players"] == START["players"]


def test_a_game_that_begins_meanwhile_is_set_aside_only_when_asked(place):
    place.play(START, OPEN)
    asked = place.visitor().post("/new", people("Ann", "Ben", step="begin"))
    assert asked.status_code == 422 and ">Set it aside<" in asked.text
    assert place.told["game"]["players"] == START["players"]


# ---- the second step ---------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "count", "hand"), [("classic", 5, "12"), ("hub", 4, "15")])
def test_the_hand_is_proposed_by_the_rules(place, rules, count, hand):
    page = place.visitor().post("/new", people(*"ABCDEFG"[:count], rules=rules))
    assert f'maxlength="3" value="{hand}"' in page.text


def test_where_the_rules_name_no_hand_the_field_is_empty(place):
    page = place.visitor().post("/new", people("A", "B", "C", set="18"))
    assert 'maxlength="3" value=""' in page.text
    assert "names no number" in sentences(page)


def test_the_game_begins_with_its_first_round(place):
    ann = place.visitor()
    answer = ann.post("/new", people("Ann", "Ben", "Cem", step="begin", hand="14", starter="Cem"))
    assert (answer.status_code, answer.location) == (303, "/table")
    told = place.told
    assert told["game"]["players"] == ["Ann", "Ben", "Cem"]
    assert (told["game"]["hand"], told["game"]["rules"], told["game"]["set"]) == (14, "hub", 12)
    assert (told["phase"], told["engine"], told["starter"]) == ("playing", "12-12", "Cem")
    assert [(p.name, p.colour) for p in place.journal.remembered()] == [
        ("Ann", 1),
        ("Ben", 2),
        ("Cem", 3),
    ]


def test_a_double_submit_starts_one_game(place):
    ann = place.visitor()
    fields = people("Ann", "Ben", step="begin", once="one tap", starter="Ann")
    assert [ann.post("/new", fields).status_code for _ in range(2)] == [303, 303]
    assert place.game.table.revision == 2


def test_too_large_a_hand_is_asked_about_with_everything_kept(place):
    page = place.visitor().post(
        "/new", people("Ann", "Ben", step="begin", hand="60", starter="Ben")
    )
    assert page.status_code == 422
    assert "are more than the 91 tiles" in sentences(page)
    assert 'maxlength="3" value="60"' in page.text
    assert re.search(r'name="starter" value="Ben"[^>]* checked', page.text)


@pytest.mark.parametrize("hand", ["many", "-3", "1.5"])
def test_a_hand_that_is_no_number_is_said_so(place, hand):
    page = place.visitor().post("/new", people("Ann", "Ben", step="begin", hand=hand))
    assert page.status_code == 422 and "type digits only" in sentences(page)
    assert place.told["phase"] == "none"


def test_change_goes_back_to_the_people(place):
    page = place.visitor().post("/new", people("Ann", "Ben", step="people"))
    assert page.status_code == 200 and typed(page) == ["Ann", "Ben"]


def test_nonsense_in_the_form_is_taken_as_the_usual(place):
    page = place.visitor().post(
        "/new", {"name": ["Ann"], "look": ["²"], "set": "13", "rules": "poker", "drop": "77"}
    )
    assert page.status_code == 200 and typed(page) == ["Ann"]
    assert re.search(r'value="12" id="set-12" checked', page.text)


# ---- looks -------------------------------------------------------------------------------------


def test_every_look_is_another_colour_and_another_shape():
    assert [look.number for look in LOOKS] == list(range(1, 15))
    assert len({look.path for look in LOOKS}) == 14
    assert len({str(look.name).split()[0] for look in LOOKS}) == 14


def test_no_two_players_look_alike():
    looks = looks_for(["Ann", "Ben", "Cem"], {"ben": 1, "cem": 1, "ann": 99})
    assert looks == {"Ann": 2, "Ben": 1, "Cem": 3}
    assert len(set(looks_for([str(n) for n in range(14)], {"3": 9}).values())) == 14


def test_a_person_comes_into_the_first_empty_line():
    draft = Draft(seats=(Seat("Ann", 3), Seat("", 5), Seat("", 6)))
    assert draft.with_person("Ben", 6).seats == (Seat("Ann", 3), Seat("Ben", 6), Seat("", 0))
    assert draft.with_person("Ben", 3).dressed().seats[1].look == 1, "the colour is taken"
    assert draft.with_person("ANN", 1) == draft
