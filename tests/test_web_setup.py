"""Home and the new game: two steps that keep what was typed, whatever is refused."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from companion.table import Table
from companion.web import WebSettings
from companion.web.lengths import Length
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
    there = place.visitor("player").get("/", base_url="http://192.168.1.50:8000/")
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


def looks(page):
    """The look that stands in each line of the form, and what the page proposed."""
    chosen = re.findall(r'<option value="(\d+)" selected>', page.text)
    return list(map(int, chosen)), re.findall(r'name="proposed" value="(\d*)"', page.text)


def test_a_known_name_that_is_typed_has_its_remembered_look(place):
    place.journal.remember(["Papa", "Ann"], [2, 5])
    ann = place.visitor()
    lines = people("Mia", "Ben", "papa", look=["1", "2", "3"], proposed=["1", "2", "3"])
    assert looks(ann.post("/new", {**lines, "step": "people"})) == ([1, 3, 2], ["1", "3", "2"])
    ann.post("/new", {**lines, "step": "begin"})
    kept = {each.name: each.colour for each in place.journal.remembered()}
    assert kept["papa"] == 2 and kept["Mia"] == 1


def test_a_look_that_somebody_chose_stays_whatever_is_remembered(place):
    place.journal.remember(["Papa"], [2])
    ann = place.visitor()
    other = people("Papa", "Ben", look=["7", "2"], proposed=["1", "2"], step="people")
    page = ann.post("/new", other)
    assert looks(page) == ([7, 2], ["", "2"]), "and it is not asked for again"
    again = people("Papa", "Ben", look=["7", "2"], proposed=["", "2"], step="people")
    assert looks(ann.post("/new", again))[0] == [7, 2]
    taken = people("Papa", "Ben", look=["1", "2"], proposed=["1", ""], step="people")
    assert looks(ann.post("/new", taken))[0] == [1, 2], "Ben wants the orange square today"


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


def hidden(page):
    """What a form of this page carries out of sight."""
    return dict(re.findall(r'<input type="hidden" name="(seen|length)" value="([^"]*)"', page.text))


def test_seats_change_places_by_arrow_with_their_colours(place):
    ann = place.visitor()
    fields = people("Ann", "Ben", "Cem", step="")
    page = ann.post("/new", {**fields, "down": "0"})
    assert typed(page) == ["Ben", "Ann", "Cem"]
    assert re.search(r'id="look-1".*?value="2" selected', page.text, re.S)
    assert typed(ann.post("/new", {**fields, "up": "2"})) == ["Ann", "Cem", "Ben"]
    for nowhere in ({"up": "0"}, {"down": "2"}, {"up": "77"}, {"down": ""}):
        assert typed(ann.post("/new", {**fields, **nowhere})) == ["Ann", "Ben", "Cem"]


def test_house_rules_are_chosen_by_what_they_mean(place):
    ann = place.visitor()
    page = ann.get("/new")
    for meaning in ("The 0-0 costs 25 points.", "With one tile left you must say", "As the rules"):
        assert meaning in sentences(page)
    chosen = {"rule-double_blank": "25", "rule-announce_last": "yes", "rule-must_play": "poker"}
    start = ann.post("/new", people("Ann", "Ben", **chosen))
    assert start.status_code == 200
    summary = re.search(r'<ul class="new-rules".*?</ul>', start.text, re.S)[0]
    assert summary.count("<li>") == 1 and "The 0-0 costs 25 points." in summary, "hub says the rest"
    again = ann.post("/new", people("Ann", "Ben", **{**chosen, "step": "people"}))
    assert re.search(r'id="double_blank-25" checked', again.text)
    begun = people("Ann", "Ben", **{**chosen, "step": "begin", "rules_name": "Kitchen"})
    assert ann.post("/new", begun).status_code == 303
    assert place.told["game"]["switches"]["double_blank"] == 25
    (saved,) = place.game.house_rules.all()
    assert (saved.name, saved.overrides) == ("Kitchen", {"double_blank": 25})
    assert 'value="saved:Kitchen"' in ann.get("/new").text
    more = people("Ann", "Ben", rules="saved:Kitchen", **{"rule-must_play": "no", "aside": "1"})
    start = ann.post("/new", more)
    assert "The 0-0 costs 25 points." in sentences(start), "on top of those that are saved"
    assert "Nobody is made to play" in sentences(start)


def test_a_name_that_other_rules_have_is_refused_before_anything_begins(place):
    ann = place.visitor()
    taken = people("Ann", "Ben", step="begin", rules_name="Kitchen", **{"rule-double_blank": "0"})
    ann.post("/new", taken)
    place.play({"action": "undo"}, {"action": "undo"})
    other = {**taken, "rule-double_blank": "25", "once": "b"}
    page = ann.post("/new", other)
    assert page.status_code == 422 and "Other rules are saved as Kitchen" in sentences(page)
    assert 'name="overrule"' not in page.text and place.told["phase"] == "none"


SHORT = [
    ({"length": "5-"}, 5, "12-12", "5 rounds: 12-12 to 8-8"),
    ({"length": "-9"}, None, "9-9", "10 rounds: 9-9 to 0-0"),
    ({"length": "5-", "rounds": "3", "first": "6"}, 3, "6-6", None),
    ({"length": "77-", "rounds": "x"}, None, "12-12", "13 rounds: 12-12 to 0-0"),
]


@pytest.mark.parametrize(("fields", "rounds", "first", "words"), SHORT)
def test_a_short_evening_has_fewer_rounds_or_a_lower_first_engine(
    place, fields, rounds, first, words
):
    ann = place.visitor()
    start = ann.post("/new", people("Ann", "Ben"))
    assert words is None or words in sentences(start)
    assert ann.post("/new", people("Ann", "Ben", step="begin", **fields)).status_code == 303
    state = place.game.table.state
    assert state.rounds == rounds and place.told["engine"] == first


def engines(text):
    """The first engine that the form shows beside the question, and beside every length."""
    shown = re.findall(r'<span data-engine="\d+">.*?<b>([\d-]+)</b>', text, re.S)
    lengths = re.findall(r'name="length" value="([^"]*)".*?<span><svg.*?</svg>', text)
    halves = [
        set(re.findall(r"#half-(\d+)", tile))
        for tile in re.findall(r'name="length".*?<span>(<svg.*?</svg>)', text)
    ]
    return shown, dict(zip(lengths, halves))


def test_the_engine_to_look_for_is_that_of_the_chosen_length(place):
    ann = place.visitor()
    asked = people("Ann", "Ben", set="9")
    shown, beside = engines(ann.post("/new", asked).text)
    assert shown == ["9-9"]
    assert (beside[""], beside["5-"], beside["-3"]) == ({"9"}, {"9"}, {"3"})
    for fields, engine in (({"length": "-3"}, "3-3"), ({"rounds": "1", "first": "0"}, "0-0")):
        assert engines(ann.post("/new", {**asked, **fields}).text)[0] == [engine]


@pytest.mark.parametrize("size", [6, 9, 12, 15, 18])
def test_every_length_offered_can_be_played_and_is_said_in_plain_words(place, size):
    ann = place.visitor()
    page = ann.post("/new", people("Ann", "Ben", set=str(size)))
    offered = re.findall(r'name="length" value="([^"]*)".*?</svg>([^<]+)</span>', page.text)
    assert len(offered) >= 4 and len(set(offered)) == len(offered)
    for value, words in offered:
        said = re.fullmatch(r"(\d+) rounds: (\d+)-\2 to (\d+)-\3", words)
        count, first, last = (int(said[1]), int(said[2]), int(said[3]))
        assert first - last + 1 == count
        length = Length.read(value, size)
        state = Table.empty().after({**Draft(seats=(Seat("A"), Seat("B")), set=size).action(),
                                     **length.action()}).state  # fmt: skip
        assert state.first_engine == first and (state.rounds or first + 1) == count


# ---- once more, and several at once --------------------------------------------------------------


def finished(place, **more):
    """A game that is over; Blue sits first now."""
    place.play({**START, "overrides": {"double_blank": 0}, "rounds": 2, **more}, OPEN)
    for player in ("Red", "Blue", "Green"):
        place.play({"action": "hand", "player": player, "pips": 7})
    place.play({"action": "close_round"}, {"action": "move_seat", "player": "Blue", "seat": 1})
    place.play({"action": "finish_game"})


@pytest.mark.parametrize("path", ["/", "/new"])
def test_same_people_same_rules_is_one_tap(place, path):
    place.journal.remember(["Red", "Blue", "Green"], [4, 5, 6])
    finished(place, hand=60, overrule=True)
    ann = place.visitor()
    page = ann.get(path)
    assert 'id="again"' in page.text
    fields = {"step": "again", "once": "one tap", **hidden(page)}
    for _ in range(2):
        assert ann.post("/new", fields).location == "/table?next=1", "a double tap starts one game"
    told, state = place.told, place.game.table.state
    assert told["game"]["players"] == ["Blue", "Red", "Green"] and told["phase"] == "between"
    assert (told["game"]["hand"], state.rounds, told["game"]["rules"]) == (60, 2, "classic")
    assert told["game"]["switches"]["double_blank"] == 0 and told["round"] == 0
    assert {p.name: p.colour for p in place.journal.remembered()} == {
        "Blue": 5, "Red": 4, "Green": 6
    }  # fmt: skip


def test_a_running_game_is_not_played_once_more(place):
    ann = place.visitor()
    assert ann.post("/new", {"step": "again"}).status_code == 200, "there was none yet"
    place.play(START, OPEN)
    assert 'id="again"' not in ann.get("/").text + ann.get("/new").text
    asked = ann.post("/new", {"step": "again"})
    assert asked.status_code == 422 and 'id="set-aside"' in asked.text
    assert place.told["round"] == 1


def test_six_who_begin_at_once_all_come_to_the_game_that_began(place):
    finished(place)
    revision = place.game.table.revision
    forms = []
    for number in range(6):
        one = place.visitor()
        page = one.post("/new", people("Ann", "Ben", f"Guest {number}"))
        forms.append((one, people("Ann", "Ben", f"Guest {number}", step="begin", **hidden(page))))
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda form: form[0].post("/new", form[1]), forms))
    assert {answer.status_code for answer in answers} == {303}
    assert sorted(answer.location for answer in answers) == ["/table"] + 5 * ["/table?began=1"]
    assert place.game.table.revision == revision + 2, "one game, one round"
    assert "Somebody else began this game" in sentences(forms[0][0].get("/table?began=1"))


def test_a_game_is_set_aside_only_by_who_saw_it(place):
    place.play(START, OPEN)
    ann, ben = place.visitor(), place.visitor()
    pages = [one.post("/new", people("Ann", "Ben", aside="1")) for one in (ann, ben)]
    fields = [people("Ann", "Ben", step="begin", aside="1", **hidden(page)) for page in pages]
    assert ann.post("/new", fields[0]).location == "/table"
    revision = place.game.table.revision
    assert ben.post("/new", fields[1]).location == "/table?began=1", "Ann's game stays"
    assert place.game.table.revision == revision
    late = ben.post("/new", {**people("Ann", "Ben", aside="1"), **hidden(pages[1])})
    assert late.status_code == 422 and 'id="set-aside"' in late.text, "asked anew, of this game"


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
