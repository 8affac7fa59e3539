"""The camera's one question at the head of the table page, its tap and its no."""

import re
from types import SimpleNamespace

import pytest
from tests.test_web_table import OPEN, START, Watching, answer, head
from tests.visitor import Place, sentences

from companion.dominoes import Tile
from companion.lines import SeenTrain
from companion.sighting import Sighting


def sight(*seats, engine=12, **more):
    lines = tuple(SeenTrain(seat, ((12, 5),), 5, marked=True) for seat in seats)
    return Sighting(engine=Tile(engine, engine), lines=lines, picture=b"\xff\xd8jpeg", **more)


class Hub:
    """A game whose first round is open, and what its camera sees."""

    def __init__(self, folder, *actions):
        self.place = Place(folder, watch=Watching(sight()))
        self.place.play(START, *actions)
        self.ann = self.place.visitor()

    def page(self, seen=None):
        """The table page, after the camera has seen this."""
        if seen is not None:
            self.place.app.extensions["companion"].watch.sighting = seen
        return self.ann.get("/table")


@pytest.fixture
def hub(tmp_path):
    return Hub(tmp_path, OPEN)


def asked(page):
    return [
        sentences_of(part)
        for part in re.findall(r'<div class="ask".*?<p>(.*?)</p>', head(page), re.S)
    ]


def sentences_of(part):
    return part.replace("&#39;", "'")


def test_a_marker_seen_is_put_up_by_one_tap(hub):
    hub.page()
    page = hub.page(sight(1))
    assert asked(page) == ["I see a marker on Red's train: is it open?"]
    assert answer(hub.ann, page, "Marker up: open to all").status_code == 303
    assert hub.place.told["open_trains"] == ["Red"]
    assert asked(hub.page()) == []
    page = hub.page(sight())
    assert asked(page) == ["The marker on Red's train is gone: is it closed?"]
    answer(hub.ann, page, "Marker off: closed again")
    assert hub.place.told["open_trains"] == []
    assert asked(hub.page()) == []


def test_a_no_silences_it_for_every_device_until_the_marker_changes(hub):
    hub.page()
    page = hub.page(sight(1))
    answer(hub.ann, page, "Leave it")
    assert hub.place.told["open_trains"] == []
    assert asked(hub.page()) == [] and asked(hub.place.visitor().get("/table")) == []
    assert asked(hub.page(sight())) == []
    assert asked(hub.page(sight(1))) == ["I see a marker on Red's train: is it open?"]


def test_a_person_who_taps_against_the_camera_is_not_asked(hub):
    hub.page(sight(1))
    hub.ann.tap("mark", train="Red")
    hub.page()
    hub.ann.tap("unmark", train="Red")
    assert asked(hub.page()) == []


def test_the_camera_asks_one_thing_at_a_time(hub):
    hub.page()
    assert len(asked(hub.page(sight(1, 2)))) == 1
    wrong = sight(1, 2, engine=8)
    assert asked(hub.page(wrong)) == [
        "Round 1 wants the 12-12, I see the 8-8: was a round skipped?"
    ]


def test_nonsense_on_the_table_is_asked_about_and_left(hub):
    joint = "The 5-6 lies on the 4-12 but does not fit: look at them."
    odd = Sighting(engine=Tile(12, 12), lines=(SeenTrain(1, ((12, 4),), questions=(joint,)),))
    page = hub.page(odd)
    assert asked(page) == [joint]
    answer(hub.ann, page, "Leave it")
    assert asked(hub.page()) == []


def test_the_next_engine_leads_to_the_next_round(tmp_path):
    hub = Hub(tmp_path)
    page = hub.page(sight())
    assert asked(page) == ["The 12-12 lies in the hub: does the game begin?"]
    link = re.search(r'<a class="button" href="([^"]+)"[^>]*>Begin with the 12-12</a>', head(page))
    sheet = hub.ann.get(link[1].replace("&amp;", "&"))
    assert "Who has the engine and starts?" in sentences(sheet)
    answer(hub.ann, page, "Leave it")
    assert asked(hub.page()) == []


def test_an_answer_about_nobody_changes_nothing(hub):
    hub.page()
    assert hub.ann.post("/table/hub", {"do": "marker", "train": "Pink"}).status_code == 303
    assert asked(hub.page(sight(1))) == ["I see a marker on Red's train: is it open?"]


def test_of_a_simulated_hub_only_a_marker_that_somebody_moved_is_asked_about(tmp_path):
    toy = SimpleNamespace(moved_markers={"Blue"}, hidden=False, hand=None, engine=None)
    place = Place(tmp_path, watch=Watching(sight()), simulator=toy)
    place.play(START, OPEN)
    hub = Hub.__new__(Hub)
    hub.place, hub.ann = place, place.visitor()
    hub.page()
    assert asked(hub.page(sight(1, 2, engine=8))) == ["I see a marker on Blue's train: is it open?"]
    toy.moved_markers = set()
    assert asked(hub.page()) == []
    place.game.close()
