"""The score sheet: totals, places, holes, history and corrections, also of a finished game."""

import re

import pytest
from scoring import Evening, Told, outside_parts, seen, text_of

from companion.web.sheetrows import score_sheet

pytest_plugins = ("fixtures_score",)


def rows(evening: Evening) -> dict[str, str]:
    """What each row of the sheet says, by its head."""
    found = {}
    for row in re.findall(r"<tr[^>]*>(.*?)</tr>", evening.page("/sheet"), re.S):
        head = re.search(r'aria-label="([^"]*)"', row)
        said = text_of(row)
        found[head[1] if head else said.split(" ")[0]] = said
    return found


def correct(evening: Evening, address: str, **fields: str) -> object:
    seen = {name: evening.field(address, name) for name in ("sheet", "stood")}
    return evening.send(address, **{**seen, **fields})


def test_no_game_yet(evening: Evening) -> None:
    assert "New game" in evening.page("/sheet")
    assert evening.browser.get("/sheet/1/1").location.startswith("/sheet")


def test_rounds_running_totals_and_places(evening: Evening) -> None:
    evening.start(["Ann", "Bob", "Cy", "Di"], rules="hub")
    evening.whole_round(20, 40, 30, 55)
    evening.play({"action": "open_round"})
    evening.whole_round(20, 0, 25, 35)
    told = rows(evening)
    assert told["Round 1, 12-12"] == "20 20 40 40 30 30 55 55"
    assert told["Round 2, 11-11"] == "20 40 0 40 25 55 35 90"
    assert told["Total"] == "Total 40 40 55 90"
    assert told["Place"] == "Place 1 1 3 4"
    assert evening.page("/sheet").count('class="crown') == 2
    assert told["Round 3, 10-10"] == "" and told["Round 13, 0-0"] == ""


def test_the_open_round_shows_holes_and_nobody_leads_before_one_is_closed(
    evening: Evening,
) -> None:
    evening.start()
    evening.play({"action": "hand", "player": "Bob", "pips": 12})
    told = rows(evening)
    assert told["Round 1, 12-12"] == "– 12 –"
    assert told["Place"] == "Place – – –"
    assert told["Total"] == "Total – – –", "what is open counts in no total, so there is none yet"
    assert 'class="crown' not in evening.page("/sheet")
    assert evening.browser.get("/sheet/1/2").location == "/score/2"


def test_a_late_joiner_has_holes_and_never_leads(evening: Evening) -> None:
    evening.start()
    evening.whole_round(20, 40, 30)
    evening.play({"action": "add_player", "name": "Di", "past": "none"}, {"action": "open_round"})
    evening.whole_round(1, 2, 3, 0)
    told = rows(evening)
    assert told["Round 1, 12-12"] == "20 20 40 40 30 30 – 0"
    assert told["Place"] == "Place 1 3 2 –"
    assert "did not play in this round" in evening.page("/sheet/1/4")


def test_who_left_keeps_a_column(evening: Evening) -> None:
    evening.start()
    evening.whole_round(20, 40, 30)
    evening.play({"action": "leave", "player": "Ann"}, {"action": "open_round"})
    told = rows(evening)
    assert told["Total"] == "Total 40 30 20"
    assert "20" in text_of(evening.page("/sheet/1/1"))


def test_a_short_evening_ends_where_it_was_agreed(evening: Evening) -> None:
    evening.start(rounds=3, first_engine="9-9")
    sheet = score_sheet(evening.game.table, evening.report)
    assert [row.engine for row in sheet.rows] == ["9-9", "8-8", "7-7"]
    assert [row.kind for row in sheet.rows] == ["open", "future", "future"]


def test_a_cell_shows_photo_tiles_and_history(evening: Evening) -> None:
    evening.start()
    assert isinstance(evening.reader, Told)
    evening.reader.tiles = (seen((5, 12)), seen((3, 4), 200))
    photo = evening.photo(1)
    evening.confirm(photo)
    evening.hand(2, score="3")
    evening.hand(3, do="out")
    evening.play({"action": "close_round"})
    page = evening.page("/sheet/1/1")
    assert f"/photo/{photo}.jpg" in page and "24 read from a photo" in text_of(page)
    correct(evening, "/sheet/1/1", score="10+15", why="the 5-12 was a 6-12")
    page = evening.page("/sheet/1/1")
    said = text_of(page)
    assert f"/photo/{photo}.jpg" in page
    assert "24 read from a photo" in said
    assert '25 corrected : "the 5-12 was a 6-12"' in said.replace("corrected:", "corrected :")
    assert "0 went out" in text_of(evening.page("/sheet/1/3"))


def test_corrections_move_totals_and_are_counted_once(evening: Evening) -> None:
    evening.start()
    evening.whole_round(20, 40, 30)
    for _ in range(2):
        answer = correct(evening, "/sheet/1/2", score="4", once="k")
        assert (answer.status_code, answer.location) == (303, "/sheet/1/2?game=1")
    assert evening.report["scores"]["Bob"] == [4]
    assert evening.report["places"] == {"Ann": 2, "Bob": 1, "Cy": 3}
    assert evening.report["revision"] == 7
    correct(evening, "/sheet/1/3", do="out")
    assert evening.report["scores"]["Cy"] == [0]


def test_a_correction_of_an_old_page_asks_before_it_overwrites_another(evening: Evening) -> None:
    evening.start()
    evening.whole_round(20, 40, 30)
    old = {name: evening.field("/sheet/1/2", name) for name in ("sheet", "stood")}
    assert correct(evening, "/sheet/1/2", score="7").status_code == 303
    asked = evening.send("/sheet/1/2", **old, score="9", why="late", once="a")
    page = asked.get_data(as_text=True)
    assert asked.status_code == 409
    assert "Bob has 7 in this round already. Replace it?" in text_of(page)
    assert 'value="9"' in page and 'value="late"' in page
    assert evening.report["scores"]["Bob"] == [7]
    assert evening.send("/sheet/1/2", **old, score="7").status_code == 303, "it is so already"
    told = re.search(r'<form[^>]*id="replace-it".*?</form>', page, re.S)
    assert told
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', told[0]))
    assert evening.send("/sheet/1/2", **{**fields, "token": evening.token}).status_code == 303
    assert evening.report["scores"]["Bob"] == [9]
    correct(evening, "/sheet/1/2", do="out")
    gone = evening.send("/sheet/1/2", **old, score="9").get_data(as_text=True)
    assert "Bob went out in this round. Replace it?" in text_of(gone)


@pytest.mark.parametrize("typed", ["", "-1", "x", "9999"])
def test_a_refused_correction_keeps_what_was_typed(evening: Evening, typed: str) -> None:
    evening.start()
    evening.whole_round(20, 40, 30)
    answer = correct(evening, "/sheet/1/2", score=typed, why="miscounted")
    page = answer.get_data(as_text=True)
    assert answer.status_code == 422 and 'id="refusal"' in page
    assert f'value="{typed}"' in page and 'value="miscounted"' in page
    assert evening.report["scores"]["Bob"] == [40]


def test_a_form_of_another_game_is_refused(evening: Evening) -> None:
    evening.start()
    evening.whole_round(20, 40, 30)
    old = evening.field("/sheet/1/2", "sheet")
    evening.start(overrule=True)
    evening.whole_round(1, 2, 3)
    answer = evening.send("/sheet/1/2", sheet=old, score="9")
    assert (answer.status_code, answer.location) == (303, "/sheet?gone=game")
    assert evening.report["scores"]["Bob"] == [2]


EARLIER = "That was an earlier game: this is the sheet of the game now."
NOT_THERE = "That score is not on the sheet any more: this is how it stands."


@pytest.mark.parametrize(
    ("address", "sentence"),
    [("/sheet/1/3?game=1", EARLIER), ("/sheet/1/3", NOT_THERE), ("/sheet/7/1", NOT_THERE)],
)
def test_a_cell_that_is_gone_leads_to_the_sheet_with_one_sentence(
    evening: Evening, address: str, sentence: str
) -> None:
    evening.start()
    evening.whole_round(20, 40, 30)
    evening.page("/sheet/1/3?game=1")
    evening.start(["Ann", "Bob"], overrule=True)
    evening.whole_round(1, 2)
    answer = evening.browser.get(address)
    assert answer.status_code == 303
    assert sentence in text_of(evening.page(answer.location))
    late = evening.send(address, sheet="1 Cy", score="3")
    assert late.status_code == 303 and EARLIER in text_of(evening.page(late.location))
    assert evening.report["scores"] == {"Ann": [1], "Bob": [2]}


def test_a_cell_never_shows_another_games_player(evening: Evening) -> None:
    evening.start()
    evening.whole_round(20, 40, 30)
    link = re.search(r'href="(/sheet/1/2[^"]*)"', evening.page("/sheet"))
    assert link and "40" in text_of(evening.page(link[1]))
    evening.start(["Ann", "Eve"], overrule=True)
    evening.whole_round(1, 2)
    assert evening.browser.get(link[1]).location == "/sheet?gone=game"


def test_a_column_that_became_another_players_is_not_corrected(evening: Evening) -> None:
    evening.start()
    evening.whole_round(20, 40, 30)
    answer = evening.send("/sheet/1/2", sheet="1 Bo", score="9")
    assert answer.status_code == 422
    assert "This is the score of Bob now: look at it again." in text_of(answer)


def test_a_cell_of_a_round_that_is_open_again_leads_to_its_hand(evening: Evening) -> None:
    evening.start()
    evening.whole_round(20, 40, 30)
    key = evening.field("/sheet/1/2", "sheet")
    evening.play({"action": "undo"})
    assert evening.browser.get("/sheet/1/2?game=1").location == "/score/2"
    assert evening.send("/sheet/1/2", sheet=key, score="9").location == "/score/2"


@pytest.mark.parametrize("address", ["/sheet", "/sheet/1/2", "/sheet/1/2?game=1"])
def test_all_that_changes_is_in_a_live_part(evening: Evening, address: str) -> None:
    evening.start()
    evening.whole_round(20, 40, 30)
    before = outside_parts(evening.page(address))
    evening.play(
        {"action": "correct", "round": 1, "player": "Bob", "pips": 21, "why": "again"},
        {"action": "open_round"},
        {"action": "go_out", "player": "Ann"},
    )
    assert outside_parts(evening.page(address)) == before
    evening.play({"action": "undo"}, {"action": "undo"}, {"action": "undo"})
    assert outside_parts(evening.page(address)) == before


def test_a_cell_shows_its_photo_whole_and_what_was_read(evening: Evening) -> None:
    evening.start()
    assert isinstance(evening.reader, Told)
    evening.reader.tiles = (seen((5, 12)), seen((3, 4), 200))
    evening.confirm(evening.photo(1))
    photo = evening.photo(2)
    evening.tap(photo, tile=2, one=6)
    evening.confirm(photo)
    evening.hand(3, do="out")
    evening.play({"action": "close_round"})
    page = evening.page("/sheet/1/1")
    assert 'class="photo" viewBox="0 0 400 300"' in page and ">5-12</text>" in page
    assert "24 read from a photo" in text_of(page) and "then corrected" not in page
    assert "27 read from a photo, then corrected" in text_of(evening.page("/sheet/1/2"))


def test_a_refused_correction_is_seen_where_it_was_typed(evening: Evening) -> None:
    evening.start()
    evening.whole_round(20, 40, 30)
    page = evening.page("/sheet/1/2")
    assert "#correct" in re.findall(r'action="([^"]*)" id="correct"', page)[0]
    assert page.index('id="correct"') < page.index('id="history"') and "autofocus" not in page
    answer = correct(evening, "/sheet/1/2", score="")
    html = answer.get_data(as_text=True)  # type: ignore[attr-defined]
    assert html.index('id="correct"') < html.index('id="refusal"') < html.index('id="score"')
    assert "autofocus" in html


@pytest.mark.parametrize(
    ("names", "crowd"),
    [
        (["Ann", "Bob"], "few"),
        (["Anneliese", "Bob", "Cy", "Di"], "few tall-phone"),
        (["Ann", "Bob", "Cy", "Di", "Eva"], "several"),
        (["Sophie", "Bob", "Cy", "Di", "Eva", "Fritz"], "several tall-phone"),
        (["A", "B", "C", "D", "E", "F", "G", "H"], "many"),
        (["Wilhelmina", "B", "C", "D", "E", "F", "G", "H"], "many tall-tablet tall-phone"),
        (["Hans-Christian", "B", "C", "D", "E", "F", "G"], "many tall tall-tablet tall-phone"),
    ],
)
def test_the_sheet_knows_how_full_it_is(evening: Evening, names: list[str], crowd: str) -> None:
    evening.start(names, rules="hub")
    assert score_sheet(evening.game.table, evening.report).crowd == crowd


def test_the_winner_is_named_and_a_correction_still_changes_it(
    evening: Evening,
) -> None:
    evening.start(rounds=1)
    evening.whole_round(20, 40, 30)
    page = evening.page("/sheet")
    assert "Ann wins" in page and "New game" in page
    correct(evening, "/sheet/1/2", do="out")
    assert "Bob wins" in evening.page("/sheet")
    correct(evening, "/sheet/1/1", do="out")
    assert "Ann, Bob win together" in evening.page("/sheet")


def lines(page: str) -> list[str]:
    """The names at the ends of the lines, as a tablet shows them."""
    return re.findall(r'class="chart-name">([^<]*?) <', page)


def test_the_chart_tells_the_game_in_lines_bars_and_for_ears(evening: Evening) -> None:
    evening.start()
    evening.whole_round(20, 40, 0)
    evening.play({"action": "add_player", "name": "Di", "past": "none"}, {"action": "open_round"})
    evening.whole_round(1, 2, 3, 9)
    assert 'href="/sheet/chart"' in evening.page("/sheet")
    page = evening.page("/sheet/chart")
    assert lines(page) == ["Ann", "Bob", "Cy", "Di"]
    assert "The lowest line is best" in page
    assert page.count("<polyline points") == 3, "one point makes no line"
    assert page.count('class="bar-of"') == 6 and page.count('class="bar-none') == 1
    assert "The longest bar is 40 points." in text_of(page)
    table = re.search(r"<caption>.*?</table>", page, re.S)
    assert table and text_of(table[0]).endswith("12-12 20 40 0 – 11-11 21 42 3 9")


def test_cells_show_which_have_a_photo_and_which_were_corrected(evening: Evening) -> None:
    evening.start()
    assert isinstance(evening.reader, Told)
    evening.reader.tiles = (seen((5, 12)),)
    evening.hand(1, do="out")
    evening.confirm(evening.photo(2))
    evening.hand(3, score="7")
    evening.play({"action": "close_round"})

    def marks() -> list[str]:
        cells = re.findall(
            r'<a class="cell[^"]*" href="/sheet/1/.*?</a>', evening.page("/sheet"), re.S
        )
        return [text_of(cell) for cell in cells]

    assert marks() == ["0 0", "17 17 read from a photo", "7 7"]
    evening.play({"action": "correct", "round": 1, "player": "Cy", "pips": 8})
    assert marks() == ["0 0", "17 17 read from a photo", "8 8 corrected"]
    evening.play({"action": "undo"})
    assert marks()[2] == "7 7"


def test_a_cell_says_what_stands_and_has_the_keypad(evening: Evening) -> None:
    evening.start()
    evening.whole_round(20, 40, 0)
    page = evening.page("/sheet/1/2")
    assert "Bob has 40 in this round." in text_of(page)
    assert 'id="keypad" data-for="score" hidden' in page
    assert 'form="correct" name="do" value="type" id="correct-save"' in page


@pytest.mark.parametrize("people", [2, 4, 14])
def test_everybody_has_a_wagon_of_the_winners_train(evening: Evening, people: int) -> None:
    evening.start([f"P{n}" for n in range(people)], rounds=1, set=18, overrule=True)
    evening.whole_round(*range(0, 10 * people, 10))
    assert evening.page("/sheet").count('class="cheer-wagon"') == people


def test_the_chart_waits_for_the_first_round(evening: Evening) -> None:
    assert "New game" in evening.page("/sheet/chart")
    evening.start()
    page = evening.page("/sheet/chart")
    assert "The lines begin when the first round is closed." in page and "<polyline" not in page


def test_the_chart_says_when_the_highest_line_is_best(evening: Evening) -> None:
    evening.start(overrides={"scoring": "positive"})
    evening.whole_round(20, 40, 0)
    page = evening.page("/sheet/chart")
    assert "The highest line is best" in page and "the longer the better" in page
    leader = re.search(r'<g class="chart-leads">(.*?)</g>', page, re.S)
    assert leader and "Cy" in leader[1]


def test_the_chart_follows_corrections_in_its_live_parts(evening: Evening) -> None:
    evening.start()
    evening.whole_round(20, 40, 30)
    before = outside_parts(evening.page("/sheet/chart"))
    evening.play({"action": "correct", "round": 1, "player": "Bob", "pips": 77})
    assert outside_parts(evening.page("/sheet/chart")) == before
    assert "The longest bar is 77 points." in text_of(evening.page("/sheet/chart"))


OPENED = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def cheering(evening: Evening, **headers: str) -> bool:
    page = evening.browser.get("/sheet", headers={**OPENED, **headers})
    return bool(re.search(r'<body class="[^"]*\bcheers"', page.get_data(as_text=True)))


def over(evening: Evening) -> None:
    evening.start(rounds=1, overrule=True)
    evening.whole_round(20, 40, 30)


def test_the_ceremony_is_played_once_and_not_again_after_a_correction(evening: Evening) -> None:
    evening.start(rounds=1)
    assert not cheering(evening)
    evening.whole_round(20, 40, 30)
    assert not cheering(evening, Accept="*/*"), "our script only compares"
    assert cheering(evening)
    assert not cheering(evening)
    correct(evening, "/sheet/1/2", do="out")
    assert not cheering(evening)
    over(evening)
    assert cheering(evening), "another game has its own"


def test_the_ceremony_can_be_switched_off_and_on(evening: Evening) -> None:
    answer = evening.send("/ceremony", do="off")
    assert answer.status_code == 303
    assert "ceremony=off" in answer.headers["Set-Cookie"]
    assert "Max-Age=31536000" in answer.headers["Set-Cookie"]
    over(evening)
    assert not cheering(evening)
    assert 'class="cheer-scene"' in evening.page("/sheet"), "the winners are still shown"
    evening.send("/ceremony", do="on")
    assert cheering(evening)
    assert evening.send("/ceremony", do="louder").status_code == 422


def test_the_printed_sheet_says_which_game_it_was(evening: Evening) -> None:
    evening.play(
        {
            "action": "start_game",
            "players": ["Ann", "Bob"],
            "set": 12,
            "rules": "classic",
            "rounds": 1,
            "at": "2026-11-30T12:00:00Z",
        },
        {"action": "open_round"},
    )
    evening.whole_round(3, 4)
    paper = re.search(r'<p class="sheet-paper">(.*?)</p>', evening.page("/sheet"), re.S)
    assert paper and text_of(paper[1]) == "30 November 2026 · double-12, Classic · Ann wins"


def test_positive_scoring_says_that_the_highest_wins(evening: Evening) -> None:
    evening.start(overrides={"scoring": "positive"})
    assert "The highest total wins" in evening.page("/sheet")


def test_the_sheet_is_plain_html(evening: Evening) -> None:
    evening.start(["Ann", "<b>Bob</b>"])
    evening.whole_round(1, 2)
    page = evening.page("/sheet")
    assert "<b>Bob" not in page and " style=" not in page and "onclick" not in page
