"""Scoring a round through the pages: typed, photographed, replaced, never twice, never lost."""

import re
from io import BytesIO
from typing import Any

import pytest
from scoring import Evening, Told, a_picture, drawn, outside_parts, seen, text_of

from companion.developing import Developer
from companion.vision.crops import as_jpeg
from companion.vision.read import Reader

pytest_plugins = ("fixtures_score",)

OVER = "That round is over: correct it on the sheet, by a tap on the score."


# ---- the hands of the round -----------------------------------------------------------


def test_without_a_round_the_page_says_what_to_do(evening: Evening) -> None:
    assert "New game" in evening.page("/score")
    evening.play({"action": "start_game", "players": ["Ann", "Bob"], "set": 6, "rules": "hub"})
    assert "To the table" in evening.page("/score")
    evening.play({"action": "open_round"})
    evening.whole_round(1, 2)
    evening.play({"action": "finish_game"})
    assert "Show the sheet" in evening.page("/score")
    assert evening.browser.get("/score/1").location == "/score"


def test_who_went_out_is_one_tap(evening: Evening) -> None:
    evening.start()
    page = evening.page("/score")
    assert "Who went out?" in page and "close-round" not in page
    key = evening.field("/score", "round")
    answer = evening.send("/score/out", player="Bob", round=key)
    assert (answer.status_code, answer.location) == (303, "/score")
    assert evening.report["went_out"] == ["Bob"]
    assert "Still missing: Cy, Ann." in text_of(evening.page("/score"))


def test_nobody_can_play(evening: Evening) -> None:
    evening.start()
    evening.send("/score/block", round=evening.field("/score", "round"))
    assert evening.report["blocked"]
    assert "Nobody could play. Still missing: Ann, Bob, Cy." in text_of(evening.page("/score"))


def test_the_round_closes_when_nothing_is_missing(evening: Evening) -> None:
    evening.start()
    for seat, score in enumerate(("10+15+8", "0", "7"), start=1):
        assert "close-round" not in evening.page("/score")
        assert evening.hand(seat, score=score).location == "/score"
    page = evening.page("/score")
    assert "Every hand is there." in page and "Close round 1" in page
    revision = evening.report["revision"]
    answer = evening.send("/score/close", revision=revision, once="c")
    assert answer.location == "/sheet#latest"
    assert evening.report["scores"] == {"Ann": [33], "Bob": [0], "Cy": [7]}
    assert evening.send("/score/close", revision=revision, once="c").status_code == 303
    assert evening.report["round"] == 1 and evening.report["phase"] == "between"


def test_closing_too_early_is_refused_by_name(evening: Evening) -> None:
    evening.start()
    evening.hand(1, score="3")
    answer = evening.send("/score/close")
    assert answer.status_code == 422
    assert "The hands are missing of Bob and Cy: enter them first." in text_of(answer)


# ---- typing ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Type a score first: 0 if nothing was left."),
        ("-4", "A score cannot be negative: type what was left in the hand."),
        ("lots", "lots is not a score: type digits, or a sum like 10+15+8."),
        ("4000", "4000 is more than a whole double-12 set holds (1142): look at the sum again."),
    ],
)
def test_a_refused_score_is_told_and_stays(evening: Evening, typed: str, sentence: str) -> None:
    evening.start()
    answer = evening.hand(2, score=typed)
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert f'name="score" value="{typed}"' in answer.get_data(as_text=True)
    assert evening.report["hands"] == {}


def test_a_double_submit_counts_once(evening: Evening) -> None:
    evening.start()
    key = evening.field("/score/1", "round")
    for _ in range(2):
        assert evening.hand(1, score="12", once="o", round=key).status_code == 303
    assert evening.report["revision"] == 3


def test_the_same_form_sent_again_later_is_no_second_score(evening: Evening) -> None:
    evening.start()
    key = evening.field("/score/1", "round")
    evening.hand(1, score="12", once="o", round=key)
    for seat in (2, 3):
        evening.hand(seat, score="1")
    evening.play({"action": "close_round"}, {"action": "open_round"})
    assert evening.hand(1, score="12", once="o", round=key).status_code == 303
    assert evening.report["hands"] == {}


def test_a_score_for_a_round_that_is_over_never_lands_in_the_next(
    evening: Evening,
) -> None:
    evening.start()
    key = evening.field("/score/1", "round")
    evening.whole_round(1, 2, 3)
    evening.play({"action": "open_round"})
    answer = evening.hand(1, score="10+15", round=key)
    assert answer.status_code == 422 and OVER in text_of(answer)
    assert 'value="10+15"' in answer.get_data(as_text=True)
    assert evening.report["hands"] == {}


def test_a_score_from_a_game_that_is_over_never_lands_in_this_one(
    evening: Evening,
) -> None:
    evening.start()
    key = evening.field("/score/1", "round")
    evening.start(overrule=True)
    assert evening.hand(1, score="25", round=key).status_code == 422


def test_the_second_person_is_asked_and_loses_nothing(evening: Evening) -> None:
    evening.start()
    evening.hand(2, score="33")
    answer = evening.hand(2, score="10+15")
    page = answer.get_data(as_text=True)
    assert answer.status_code == 409
    assert "Bob has 33 in this round already. Replace it?" in text_of(answer)
    assert 'name="score" value="10+15"' in page and 'name="standing" value="33"' in page
    assert evening.report["hands"]["Bob"]["points"] == 33
    assert evening.hand(2, score="10+15", standing="33").status_code == 303
    assert evening.report["hands"]["Bob"]["points"] == 25


def test_asked_again_when_another_score_stands_by_then(evening: Evening) -> None:
    evening.start()
    evening.hand(2, score="40")
    answer = evening.hand(2, score="25", standing="33")
    assert answer.status_code == 409 and "Bob has 40" in text_of(answer)


def test_one_who_went_out_is_not_overwritten_unasked(evening: Evening) -> None:
    evening.start()
    evening.hand(2, do="out")
    answer = evening.hand(2, score="5")
    assert answer.status_code == 409 and "Bob went out in this round." in text_of(answer)
    evening.hand(2, score="5", standing="out")
    assert evening.report["went_out"] == []


def test_gone_out_over_a_hand_is_asked_and_keeps_what_was_typed(
    evening: Evening,
) -> None:
    evening.start(rules="hub")
    evening.hand(1, do="out")
    answer = evening.hand(2, do="out", score="1+2")
    page = answer.get_data(as_text=True)
    assert answer.status_code == 422
    assert "Ann went out already: did Bob as well?" in text_of(answer)
    assert 'value="out-all-the-same"' in page and 'value="1+2"' in page
    evening.hand(2, do="out-all-the-same")
    assert evening.report["went_out"] == ["Ann", "Bob"]


def test_a_name_that_sits_elsewhere_is_refused(evening: Evening) -> None:
    evening.start()
    answer = evening.send("/score/1", player="Bob", score="3")
    assert "The seats have changed" in text_of(answer)


def test_other_peoples_taps_do_not_refuse_ones_own(evening: Evening) -> None:
    evening.start()
    key = evening.field("/score/1", "round")
    evening.play({"action": "mark", "train": "Cy"})
    assert evening.hand(1, score="3", round=key).status_code == 303


def test_a_score_too_late_leads_to_where_it_can_be_put_right(evening: Evening) -> None:
    evening.start()
    key = evening.field("/score/1", "round")
    evening.whole_round(1, 2, 3)
    evening.play({"action": "open_round"})
    page = evening.hand(2, score="10+15", round=key).get_data(as_text=True)
    assert 'href="/sheet/1/2?game=1" id="over"' in page
    evening.start(overrule=True)
    answer = evening.hand(2, score="10+15", round=key)
    assert "That was an earlier game: it is not the one on the sheet now." in text_of(answer)
    assert 'href="/sheet" id="over"' in answer.get_data(as_text=True)


def test_a_seat_at_which_nobody_sits_any_more_leads_to_the_hands(evening: Evening) -> None:
    assert "New game" in evening.page(evening.browser.get("/score/3").location)
    evening.start()
    key = evening.field("/score/3", "round")
    evening.start(["Ann", "Bob"], overrule=True)
    sent = evening.send("/score/3", player="Cy", score="3", round=key)
    for answer in (evening.browser.get("/score/3"), sent):
        assert answer.status_code == 303
        page = text_of(evening.page(answer.location))
        assert "Nobody sits there now: choose whose hand it is." in page
    assert evening.report["hands"] == {}


@pytest.mark.parametrize("address", ["/score", "/score/1"])
def test_all_that_changes_in_the_round_is_in_a_live_part(evening: Evening, address: str) -> None:
    evening.start()
    told(evening, seen((5, 12)))
    before = outside_parts(evening.page(address))
    evening.confirm(evening.photo(1))
    evening.hand(2, do="out")
    evening.play({"action": "hand", "player": "Cy", "tiles": ["5-12", "12-12"]})
    assert outside_parts(evening.page(address)) == before


def test_a_photo_left_open_follows_its_round_and_its_game(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)), seen((3, 4), 200, why="glare"))
    photo = evening.photo(1)
    before = outside_parts(evening.page(f"/photo/{photo}"))
    evening.tap(photo, tile=2, one=6)
    evening.play({"action": "rename", "player": "Ann", "name": "Anna"})
    assert outside_parts(evening.page(f"/photo/{photo}")) != before, "the title names her"
    evening.play({"action": "undo"})
    assert outside_parts(evening.page(f"/photo/{photo}")) == before
    evening.whole_round(1, 2, 3)
    page = evening.page(f"/photo/{photo}")
    assert outside_parts(page) == before and "That round is over" in page
    assert 'href="/sheet/1/1?game=1"' in page and "To its score" in page
    evening.start(["Ann", "Bob"], overrule=True)
    page = evening.page(f"/photo/{photo}")
    assert outside_parts(page) == before
    assert "from an earlier game" in page and "To the sheet" in page
    for answer in (evening.tap(photo, tile=1, one=3), evening.confirm(photo)):
        assert (answer.status_code, answer.location) == (303, "/sheet?gone=game")


def test_a_photo_that_is_not_kept_leads_to_the_sheet(evening: Evening) -> None:
    evening.start()
    gone = "0" * 32
    for answer in (evening.browser.get(f"/photo/{gone}"), evening.tap(gone, tile=1, one=3)):
        assert answer.status_code == 303
        page = text_of(evening.page(answer.location))
        assert "That photo is not kept here any more: this is the sheet." in page


def test_what_cannot_be_leads_to_each_hand_that_it_is_about(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)), seen((3, 4), 200))
    photo = evening.photo(1)
    evening.confirm(photo)
    evening.play({"action": "hand", "player": "Cy", "tiles": ["5-12", "3-4", "12-12"]})
    page = evening.page("/score")
    assert "These are in more than one hand (Ann, Cy): 3-4, 5-12." in text_of(page)
    assert "The 12-12 is this round's engine, but also in the hand of Cy." in text_of(page)
    assert f'<a class="button" href="/photo/{photo}">' in page and "Ann's photo" in text_of(page)
    assert page.count('<a class="button" href="/score/3">') == 2


def test_a_replacement_says_its_sum(evening: Evening) -> None:
    evening.start()
    evening.hand(2, score="41")
    assert "Replace it with 33" in text_of(evening.hand(2, score="10+15+8"))


def test_every_form_needs_its_token(evening: Evening) -> None:
    evening.start()
    for address in ("/score/1", "/score/out", "/score/block", "/score/close"):
        assert evening.browser.post(address, data={"score": "3"}).status_code == 400
    assert evening.report["hands"] == {}


def test_the_page_works_without_scripts(evening: Evening) -> None:
    evening.start()
    page = evening.page("/score/1")
    assert 'name="score"' in page and 'id="keypad" data-for="typed" hidden' in page
    assert 'accept="image/jpeg,image/png" capture="environment"' in page
    assert " style=" not in page and " onclick=" not in page


NEWER_SCRIPT = re.compile(
    r"=>|`|\b(?:let|const|async|await|class)\b|\.\.\.|\?\.|\bfetch\("
    r"|\.(?:closest|matches|includes|append|prepend|remove|replaceWith|startsWith)\("
)
"""What a tablet of 2015 does not know: it would not run a line of a script with it."""


def test_the_script_of_scoring_runs_on_old_tablets(evening: Evening) -> None:
    script = evening.page("/static/score.js")
    code = re.sub(r'/\*.*?\*/|"[^"\n]*"', "", script, flags=re.S)
    assert "getElementById" in code and NEWER_SCRIPT.findall(code) == []


# ---- photos ---------------------------------------------------------------------------


def told(evening: Evening, *tiles: Any) -> None:
    assert isinstance(evening.reader, Told)
    evening.reader.tiles = tiles


def test_a_photo_becomes_a_score_with_its_proof(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)), seen((0, 0), 200))
    photo = evening.photo(1)
    page = evening.page(f"/photo/{photo}")
    assert "Everything is right" in page and "67" in text_of(page)
    assert evening.reader.asked == [{"highest": 12, "double_blank": 50}]
    assert evening.confirm(photo).location == "/score"
    assert evening.report["hands"]["Ann"] == {"tiles": ["5-12", "0-0"], "points": 67}
    assert f"/photo/{photo}" in evening.page("/score")
    picture = evening.browser.get(f"/photo/{photo}.jpg")
    assert picture.mimetype == "image/jpeg" and "immutable" in picture.headers["Cache-Control"]


def test_doubtful_tiles_come_first_with_their_likeliest_readings(
    evening: Evening,
) -> None:
    evening.start()
    told(evening, seen((3, 4)), seen((5, 12), 200, why="glare", second=(None, 11)))
    photo = evening.photo(1)
    page = evening.page(f"/photo/{photo}")
    assert page.index('id="doubt-2"') < page.index("2 tiles")
    assert 'name="ends" value="5-12"' in page and 'name="ends" value="5-11"' in page
    assert "5-12?" in page and "Right as shown" in page
    crop = evening.browser.get(f"/photo/{photo}/crop/2")
    assert crop.mimetype == "image/jpeg"
    assert evening.tap(photo, tile=2, ends="5-11").location == f"/photo/{photo}#check"
    page = evening.page(f"/photo/{photo}")
    assert "doubt-2" not in page and "Everything is right" in page
    assert "23 points" in text_of(page)


def test_of_the_two_ways_to_save_the_one_that_goes_on_is_the_main_one(evening: Evening) -> None:
    evening.start()
    told(evening, seen((3, 4)))
    address = f"/photo/{evening.photo(1)}"
    buttons = re.findall(
        r'<button class="([^"]*)" id="(confirm|save-next)".*?>(.*?)</button>', evening.page(address)
    )
    assert [(name, "button-main" in looks, text_of(words)) for looks, name, words in buttons] == [
        ("confirm", False, "Save"),
        ("save-next", True, "Everything is right: 7 Save, then Bob"),
    ]
    evening.play(*({"action": "hand", "player": name, "pips": 5} for name in ("Bob", "Cy")))
    (alone,) = re.findall(r'<button class="([^"]*)" id="confirm"', evening.page(address))
    assert "button-main" in alone and "save-next" not in evening.page(address)


def test_each_tap_changes_the_total(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)), seen((3, 4), 200))
    photo = evening.photo(1)
    card = evening.page(f"/photo/{photo}?tile=2")
    assert 'id="tile-card"' in card and 'id="other-12"' in card
    assert evening.tap(photo, tile=2, one=6).location == f"/photo/{photo}?tile=2#check"
    assert "27 points" in text_of(evening.page(f"/photo/{photo}"))
    evening.tap(photo, tile=1, do="remove")
    assert "10 points" in text_of(evening.page(f"/photo/{photo}"))
    assert "Put it back" in evening.page(f"/photo/{photo}?tile=1")
    evening.tap(photo, tile=1, do="back")
    assert 'id="add-card"' in evening.page(f"/photo/{photo}?add=1")
    for _ in range(2):
        evening.tap(photo, do="add", a=9, b=9, once="added once")
    assert "45 points" in text_of(evening.page(f"/photo/{photo}"))
    evening.confirm(photo)
    assert evening.report["hands"]["Ann"]["tiles"] == ["5-12", "4-6", "9-9"]


def test_undo_on_a_photo_takes_back_the_last_tap_on_a_tile(evening: Evening) -> None:
    evening.start()
    evening.play({"action": "hand", "player": "Bob", "pips": 4})
    told(evening, seen((5, 12)), seen((4, 5), 200))
    photo = evening.photo(1)
    address = f"/photo/{photo}"
    untouched = r'id="undo-button"[^>]* disabled>.*?<b>Undo</b> </span></button>'
    assert re.search(untouched, evening.page(address)), "it tells nothing of the table's taps"
    evening.tap(photo, tile=2, do="remove")
    assert "Undo 4-5 removed" in text_of(evening.page(address))
    evening.tap(photo, tile=1, one=6)
    assert "Undo 5-12 made 6-12" in text_of(evening.page(address))
    edited = evening.field(address, "edited")
    for _ in range(2):
        answer = evening.tap(photo, do="undo", edited=edited, tile=1)
        assert answer.location == f"{address}?tile=1#check"
    assert "Undo 4-5 removed" in text_of(evening.page(address))
    evening.tap(photo, do="undo", edited=1)
    page = evening.page(address)
    assert "26 points" in text_of(page) and re.search(untouched, page)
    evening.tap(photo, do="add", a=1, b=1)
    assert "Undo 1-1 added" in text_of(evening.page(address))
    evening.tap(photo, tile=1, do="right")
    assert "Undo 5-12 is right" in text_of(evening.page(address))
    evening.tap(photo, tile=2, do="remove")
    evening.tap(photo, tile=2, do="back")
    assert "Undo 4-5 put back" in text_of(evening.page(address))
    assert evening.report["hands"] == {"Bob": {"tiles": None, "points": 4}}


def test_there_is_a_way_out_of_a_photo_that_was_read(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)))
    page = evening.page(f"/photo/{evening.photo(2)}")
    assert re.search(r'id="another" href="/score/2">.*Take it again', page)
    assert re.search(r'id="type-instead" href="/score/2#typed">.*Type it instead', page)


def test_no_tile_is_offered_twice(evening: Evening) -> None:
    evening.start()
    told(evening, seen((0, 0), why="unclear", second=(1, 1)), seen((0, 7), 200))
    page = evening.page(f"/photo/{evening.photo(1)}")
    assert re.findall(r'name="ends" value="([^"]*)"', page) == ["0-0", "1-0"]


def test_tiles_that_are_asked_about_are_told_apart_and_marked(evening: Evening) -> None:
    evening.start()
    told(evening, seen((3, 4), 200, why="duplicate"), seen((5, 12)), seen((4, 3)))
    photo = evening.photo(1)
    page = evening.page(f"/photo/{photo}")
    links = r'question-tile" href="([^"]*)#check".*?crop/(\d)".*?<span>([^<]*)</span></a>'
    assert re.findall(links, page, re.S) == [
        (f"/photo/{photo}?tile=3", "3", "The left one"),
        (f"/photo/{photo}?tile=1", "1", "The right one"),
    ]
    assert re.findall(r'tile-tap tile-doubt" href="[^"]*tile=(\d)', page) == ["1", "3"]
    evening.tap(photo, tile=1, do="remove")
    evening.tap(photo, do="add", a=3, b=4)
    said = text_of(evening.page(f"/photo/{photo}"))
    assert "The one in the photo" in said and "The added one" in said


def test_a_cut_off_tile_counts_once_it_is_confirmed(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)), seen((3, 4), 200, why="cut off"))
    photo = evening.photo(1)
    page = text_of(evening.page(f"/photo/{photo}"))
    assert "17 points" in page and "and 1 left out" in page
    evening.tap(photo, tile=2, do="right")
    assert "24 points" in text_of(evening.page(f"/photo/{photo}"))


def test_the_set_and_the_other_hands_are_asked(evening: Evening) -> None:
    evening.start()
    evening.play({"action": "hand", "player": "Bob", "tiles": ["5-12"]})
    told(evening, seen((5, 12)), seen((12, 12), 200), seen((3, 4), 300), seen((3, 4), 400))
    page = text_of(evening.page(f"/photo/{evening.photo(1)}"))
    assert "The 5-12 is also in Bob's hand." in page
    assert "The 12-12 is this round's engine." in page
    assert "The 3-4 is twice in this photo." in page


@pytest.mark.parametrize(
    "fields",
    [{"tile": "1", "one": "99"}, {"tile": "1", "one": "x"}, {"ends": "5"}, {"do": "add", "a": "3"}],
)
def test_a_tap_that_is_no_tile_is_a_sentence(evening: Evening, fields: dict[str, str]) -> None:
    evening.start()
    told(evening, seen((5, 12)))
    photo = evening.photo(1)
    assert evening.tap(photo, **fields).status_code == 422
    assert evening.tap(photo, do="dance").status_code == 400
    assert "17 points" in text_of(evening.page(f"/photo/{photo}"))


def test_a_photo_for_somebody_who_has_a_score_is_asked(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)))
    photo = evening.photo(1)
    evening.tap(photo, tile=1, one=6)
    evening.play({"action": "hand", "player": "Ann", "pips": 33})
    answer = evening.confirm(photo)
    assert answer.status_code == 409
    assert "Ann has 33 in this round already. Replace it? Replace it with 18" in text_of(answer)
    assert evening.confirm(photo, standing="33").status_code == 303
    assert evening.report["hands"]["Ann"]["points"] == 18
    evening.tap(photo, tile=1, one=0)
    standing = evening.field(f"/photo/{photo}", "standing")
    assert evening.confirm(photo, standing=standing).status_code == 303
    assert evening.report["hands"]["Ann"]["points"] == 12


def test_a_photo_confirmed_twice_counts_once(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)))
    photo = evening.photo(1)
    for _ in range(2):
        assert evening.confirm(photo, once="k").status_code == 303
    assert evening.report["revision"] == 3


def test_after_the_round_the_photo_is_proof_only(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)))
    photo = evening.photo(1)
    evening.confirm(photo)
    evening.play({"action": "hand", "player": "Bob", "pips": 1})
    evening.play({"action": "hand", "player": "Cy", "pips": 2}, {"action": "close_round"})
    page = evening.page(f"/photo/{photo}")
    assert "Ann's hand" in text_of(page) and 'id="confirm"' not in page and "add-open" not in page
    assert OVER in text_of(evening.tap(photo, tile=1, one=3))
    assert OVER in text_of(evening.confirm(photo, once="late"))


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (None, "No photo was chosen: choose one, then send it."),
        ((b"", "empty.jpg"), "That file is empty: choose another photo."),
        ((b"a shopping list", "list.jpg"), "This is no picture: send a photo as JPEG or PNG."),
        ((a_picture()[:900], "half.jpg"), None),
    ],
)
def test_what_is_no_photo_is_told_and_what_was_typed_stays(
    evening: Evening, file: tuple[bytes, str] | None, sentence: str | None
) -> None:
    evening.start()
    fields = {} if file is None else {"photo": (BytesIO(file[0]), file[1])}
    answer = evening.hand(1, do="photo", score="10+5", **fields)
    assert answer.status_code == 422
    assert sentence is None or sentence in text_of(answer)
    assert 'id="refusal"' in answer.get_data(as_text=True)
    assert 'name="score" value="10+5"' in answer.get_data(as_text=True)


def test_a_picture_without_tiles(evening: Evening, reader: Reader) -> None:
    evening.start()
    object.__setattr__(evening.app.extensions["companion"], "darkroom", Developer(reader))
    page = evening.page(f"/photo/{evening.photo(2)}")
    assert "No tiles found: lay them flat and apart, and fill the frame." in text_of(page)
    assert 'name="score"' in page and 'action="/score/2"' in page and 'id="confirm"' not in page


def test_the_hub_camera_only_gives_what_it_takes_now(evening: Evening) -> None:
    evening.start()
    answer = evening.hand(1, do="camera", score="9")
    assert answer.status_code == 503
    assert "The camera does not answer: plug it in and try again." in text_of(answer)
    assert 'name="score" value="9"' in answer.get_data(as_text=True)
    told(evening, seen((1, 2)))
    evening.watch.image = drawn(["1-2"]).image
    photo = evening.read(evening.hand(1, do="camera").location)
    assert evening.photos.picture(photo).shape[:2] == (960, 1280)


def test_a_hub_camera_that_does_not_work_is_not_offered(evening: Evening) -> None:
    evening.start()
    told(evening, seen((1, 2)))
    photo = evening.photo(1)
    pages = {"/score/2": "send-hub", "/count": "send-hub", f"/photo/{photo}": "more-hub"}
    for address, button in pages.items():
        assert f'id="{button}"' in evening.page(address)
    evening.watch.trouble = "No camera is connected: plug one in."
    for address, button in pages.items():
        assert f'id="{button}"' not in evening.page(address)


def test_the_place_in_the_queue_is_shown_and_the_page_goes_on_by_itself(
    evening: Evening,
) -> None:
    evening.start()
    told(evening, seen((1, 2)))
    evening.reader.go.clear()
    photos = []
    for _ in range(3):
        file = (BytesIO(a_picture()), "hand.jpg")
        photos.append(evening.hand(1, do="photo", photo=file).location)
    assert "Reading the photo" in evening.page(photos[0])
    assert "1 photo is before yours" in evening.page(photos[1])
    page = evening.page(photos[2])
    assert "2 photos are before yours" in page
    assert '<meta http-equiv="refresh" content="1">' in page
    evening.reader.go.set()
    evening.read(photos[2])
    assert "3 points" in text_of(evening.page(photos[2]))


def test_a_photo_left_unread_by_a_restart_is_read(evening: Evening) -> None:
    evening.start()
    told(evening, seen((1, 2)))
    key = evening.field("/score/1", "round")
    about = {"kind": "hand", "player": "Ann", "who": 1, "round": key, "set": 12, "blank": 50}
    photo = evening.photos.keep(a_picture(), about)
    assert "3 points" in text_of(evening.page(f"/photo/{photo}"))


def test_unknown_photos_are_not_found(evening: Evening) -> None:
    for address in (
        "/photo/nope",
        "/photo/" + "0" * 32 + ".jpg",
        "/photo/..%2fgames.sqlite",
        "/photo/a.jpg",
    ):
        assert evening.browser.get(address).status_code == 404
    photo = evening.photos.keep(a_picture(), {"kind": "count", "set": None, "blank": 50})
    assert evening.browser.get(f"/photo/{photo}/crop/1").status_code == 404


def test_a_drawn_hand_is_read_by_the_real_reader(evening: Evening, reader: Reader) -> None:
    evening.start()
    object.__setattr__(evening.app.extensions["companion"], "darkroom", Developer(reader))
    hand = drawn(["5-12", "3-3", "0-7", "2-9"], seed=3)
    photo = evening.photo(3, as_jpeg(hand.image))
    draft = evening.photos.get(photo)
    assert draft is not None and draft.draft is not None
    for piece in draft.draft.doubtful:
        evening.tap(photo, tile=piece.number, do="right")
    assert evening.confirm(photo).status_code == 303
    assert sorted(evening.report["hands"]["Cy"]["tiles"]) == ["0-7", "2-9", "3-3", "5-12"]


def test_a_photo_follows_its_player_through_renaming(evening: Evening) -> None:
    evening.start()
    told(evening, seen((5, 12)))
    photo = evening.photo(1)
    evening.play({"action": "rename", "player": "Ann", "name": "Anna"})
    assert "Anna's hand" in text_of(evening.page(f"/photo/{photo}"))
    evening.confirm(photo)
    assert evening.report["hands"]["Anna"]["points"] == 17


def test_a_photo_of_somebody_who_is_no_longer_there_is_proof_only(evening: Evening) -> None:
    evening.play({"action": "start_game", "players": ["Ann", "Bob"], "set": 12, "rules": "hub"})
    evening.play({"action": "add_player", "name": "Cy", "past": "none"}, {"action": "open_round"})
    told(evening, seen((5, 12)))
    photo = evening.photo(3)
    evening.play({"action": "undo"}, {"action": "undo"}, {"action": "open_round"})
    page = evening.page(f"/photo/{photo}")
    assert "Cy's hand" in text_of(page) and 'id="confirm"' not in page
