"""Which language a page speaks, and that everything on it is said in that language."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask_babel import get_locale

from companion.dominoes import Tile
from companion.draft import Draft
from companion.observation import NO_TILES, UNREAD
from companion.saying import Said, listed, say, say_many
from companion.sighting import Sighting
from companion.watch import Watch
from companion.web import WebSettings
from companion.web.language import LANGUAGES
from companion.web.words import _, capital, ngettext, told
from hardware.camera import NoCamera
from hardware.lights import NOT_CONNECTED, TrainLights
from tests.telling_languages import MADE_UP, load_catalogs, speak, strangers
from tests.visitor import OPEN, PLAYERS, START, Place, Visitor

DUTCH = {"Accept-Language": "nl-BE,nl;q=0.9,en;q=0.5"}


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A place whose camera and lamps are in trouble, where Dutch is the made-up language."""
    watch = Watch(NoCamera(), None)  # type: ignore[arg-type]
    lights = TrainLights(mode="none")
    settings = WebSettings(secret="one for the tests", best_train=True)
    place = Place(tmp_path, watch=watch, lights=lights, settings=settings)
    speak(place.app, tmp_path / "translations")
    place.watch, place.lights = watch, lights
    yield place
    place.game.close()


@pytest.fixture
def reader(place: Place) -> Visitor:
    """Somebody whose browser asks for Dutch."""
    visitor = place.visitor()
    visitor.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = DUTCH["Accept-Language"]
    return visitor


# ---- which language ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "asked, spoken",
    [
        ("pt-BR,pt;q=0.9,en;q=0.8", "pt"),
        ("de-CH,sl;q=0.4,en;q=0.2", "sl"),
        ("pt-BR,en;q=0.9", "pt"),
        ("fr,*;q=0.1", "en"),
        ("nl;q=0", "en"),
        ("en-GB,es;q=0.9", "en"),
        ("", "en"),
    ],
)
def test_a_page_speaks_what_the_browser_asks_for(place, asked, spoken):
    page = place.visitor().client.get("/", headers={"Accept-Language": asked})
    assert f'<html lang="{spoken}" dir="ltr">' in page.text
    assert {"Accept-Language", "Cookie"} <= set(page.vary)


def test_the_switch_is_kept_by_this_device_alone(place, reader):
    answer = reader.post("/language", {"language": "sl"}, headers={"Referer": "http://localhost/"})
    assert (answer.status_code, answer.location) == (303, "/")
    kept = answer.headers["Set-Cookie"]
    assert "language=sl;" in kept and "HttpOnly" in kept and "SameSite=Lax" in kept
    assert '<html lang="sl"' in reader.get("/new").text
    home = reader.get("/").text
    for code, name in LANGUAGES.items():
        pressed = "true" if code == "sl" else "false"
        assert f'lang="{code}" id="language-{code}" aria-pressed="{pressed}">{name}<' in home
    assert '<html lang="en"' in place.visitor().get("/").text
    reader.post("/language", {"language": "device"})
    assert '<html lang="nl"' in reader.get("/").text


def test_the_switch_leads_back_to_its_page(place, reader):
    for came, back in (("http://localhost/rules?x=1", "/rules?x=1"), ("http://other.test/", "/")):
        answer = reader.post("/language", {"language": "sl"}, headers={"Referer": came})
        assert answer.location == back


def test_a_language_that_is_not_spoken_is_refused(place, reader):
    assert reader.post("/language", {"language": "xx"}).status_code == 422
    reader.client.set_cookie("language", "../../etc")
    assert '<html lang="nl"' in reader.get("/").text


def test_the_switch_is_no_way_in_for_other_sites(place, reader):
    token = {"token": reader.token, "language": "sl"}
    for headers in ({"Origin": "http://other.test"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = reader.client.post("/language", data=token, headers=headers)
        assert answer.status_code == 403 and "language=" not in str(answer.headers)
    assert reader.client.post("/language", data={"language": "sl"}).status_code == 400


def test_programs_are_answered_in_english(place, reader):
    place.play(START, OPEN, {"action": "mark", "train": "Blue"})
    place.play({"action": "play", "train": "Blue", "player": "Blue"})
    nudges = reader.get("/api/table").json["nudges"]
    assert nudges == ["Blue has played on their own train: take the marker off?"]
    refused = reader.client.post("/api/actions", json={"action": "close_round"})
    why = "The hands are missing of Red, Blue and Green: enter them first."
    assert refused.json == {"refused": {"why": why}}
    assert reader.client.post("/api/read").json["error"].startswith("No photo came along")


# ---- what a page says -------------------------------------------------------------------------


def test_a_made_up_language_shows_what_is_missing(place, reader):
    page = reader.get("/").text
    assert "⟦New game⟧" in page and strangers(page) == []
    assert strangers("<p>⟦one⟧ two <b>⟦three %⟧</b></p>") == ["two"]
    assert strangers('<p title="four">⟦five <b>six</b> ⟦seven⟧⟧</p>', ("Ann",)) == ["four"]


EVENING = [
    [],
    [START],
    [OPEN],
    [
        {"action": "mark", "train": "Blue"},
        {"action": "lay_double", "train": "mexican", "value": 5},
        {"action": "knock", "player": "Green"},
    ],
    [
        {"action": "turn", "player": "Red"},
        {"action": "play", "train": "Red", "tile": "1-2"},
        {"action": "play", "train": "Blue", "tile": "3-3", "player": "Blue"},
    ],
    [
        {"action": "go_out", "player": "Red"},
        {"action": "hand", "player": "Blue", "tiles": ["1-2", "0-0"]},
        {"action": "hand", "player": "Green", "tiles": ["1-2", "12-12"]},
    ],
    [{"action": "close_round"}],
    [{"action": "correct", "round": 1, "player": "Blue", "pips": 7}],
    [{"action": "finish_game"}],
]
"""What happens between two looks at all pages."""

ASKED = """
    /table?train=Red /table?train=mexican /table?next=1&engine=3-3 /score/1 /sheet/1/1 /games/1
    /rules?change=double_blank /rules?rules=hub /rules?rules=thirteen /rules?rules=classic
    /best-train?typed=12-1+1-2&find=1&engine=12-12 /best-train?typed=x&find=1 /nowhere
""".split()


def test_everything_on_every_page_is_said_in_the_readers_language(place, reader):
    plain = [
        str(rule)
        for rule in place.app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.arguments and str(rule) != "/live"
    ]
    assert len(plain) > 15
    looked_at = 0
    for actions in EVENING:
        place.play(*actions)
        place.watch.trouble = None if len(actions) == 1 else NoCamera().trouble
        place.watch.sighting = Sighting(engine=Tile(4, 4))
        place.lights._missing = NOT_CONNECTED
        for path in (*plain, *ASKED):
            page = reader.get(path)
            if page.mimetype == "text/html" and page.status_code != 303:
                looked_at += 1
                assert strangers(page.text, (*PLAYERS, *day_words())) == [], path
    assert looked_at > 120


def day_words() -> tuple[str, ...]:
    """The months in Dutch: dates are written as the language writes them."""
    from babel.dates import get_month_names

    return (*get_month_names(locale=MADE_UP).values(),)


def test_refusals_are_said_in_the_readers_language(place, reader):
    refused = [reader.post("/undo")]
    place.play(START, OPEN)
    refused += [
        reader.tap("cover", train="Red"),
        reader.tap("lay_double", train="Red", value="12"),
        reader.tap("lay_double", train="Red", value="x"),
        reader.tap("mark", train="Nobody at all", revision="1"),
        reader.tap("mark", train="Nobody at all"),
        reader.post("/new", {"step": "start", "name": ["Ann", "Ann"], "look": ["1", "1"]}),
        reader.post("/new", {"step": "start", "name": ["Ann"], "look": ["1"]}),
        reader.post("/score/1", {"score": "12 or so", "round": "1"}),
        reader.post("/rules", {"switch": "double_blank", "value": "25"}),
        reader.post("/rules/save", {"name": ""}),
    ]
    for answer in refused:
        assert answer.status_code >= 400, answer.text
        said = strangers(answer.text, (*PLAYERS, "Ann", "Nobody", "at", "all", "or", "so"))
        assert said == [], answer.request.path


def test_sentences_of_the_game_are_told_with_all_their_parts(place):
    both = listed(["Ann", "Bob", say("nobody can play")])
    named = say("%(player)s's turn", player=say("nobody can play"))
    with place.app.test_request_context(headers=DUTCH):
        assert str(get_locale()) == MADE_UP
        assert told(both) == "⟦Ann, Bob and ⟦nobody can play⟧⟧"
        assert told(named) == "⟦⟦nobody can play⟧'s turn⟧"
        assert _("%(name)s went out.", name=named) == f"⟦{told(named)} went out.⟧"
        assert told("nobody can play") == "nobody can play", "a name is never translated"
        assert told(None) == ""
        assert capital(say("who lays the engine")) == "⟦who lays the engine⟧"
    with place.app.test_request_context():
        assert told(named) == named
        assert capital(say("who lays the engine")) == "Who lays the engine"


def test_numbers_choose_their_form(place):
    one, many = "%(num)s tile in the boneyard.", "%(num)s tiles in the boneyard."
    with place.app.test_request_context(headers=DUTCH):
        assert ngettext(one, many, 1) == "⟦1 tile in the boneyard.⟧"
        assert told(say_many(one, many, 2)) == "⟦2 tiles in the boneyard.⟧"


def test_warnings_of_a_stored_photo_are_told_too(place):
    stored = json.loads(json.dumps(Draft(10, 10, warnings=(NO_TILES, UNREAD)).to_json()))
    found = Draft.from_json(stored).warnings
    assert found == (NO_TILES, UNREAD)
    with place.app.test_request_context(headers=DUTCH):
        assert [told(each) for each in found] == [f"⟦{NO_TILES}⟧", f"⟦{UNREAD}⟧"]


def test_values_on_a_page_are_escaped_and_words_are_not(place):
    page = place.app.jinja_env.from_string('{{ _("%(name)s went out.", name=who) }} {{ said }}')
    said = say("%(name)s went out.", name="<b>")
    with place.app.test_request_context(headers=DUTCH):
        told_ = page.render(who="<i>", said=said)
    assert told_ == "⟦&lt;i&gt; went out.⟧ ⟦&lt;b&gt; went out.⟧"


def test_slovenian_counts_in_four_ways(tmp_path):
    catalogs = load_catalogs()
    made = catalogs.Words("sl")
    one, many = "%(num)s tile in the boneyard.", "%(num)s tiles in the boneyard."
    made.add((one, many), ("%(num)s ena", "%(num)s dve", "%(num)s tri", "%(num)s pet"))
    place = Place(tmp_path)
    path = tmp_path / "sl" / "LC_MESSAGES" / "messages.mo"
    path.parent.mkdir(parents=True)
    path.write_bytes(catalogs.as_mo(made))
    place.app.extensions["babel"].translation_directories = [str(tmp_path)]
    with place.app.test_request_context(headers={"Accept-Language": "sl"}):
        told_ = [told(say_many(one, many, n)) for n in (1, 2, 3, 5, 101)]
    assert told_ == ["1 ena", "2 dve", "3 tri", "5 pet", "101 ena"]
    assert isinstance(say_many(one, many, 1), Said)
    place.game.close()
