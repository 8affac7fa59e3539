"""The tiles of a photo while people check them."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from scoring import seen

from companion.dominoes import Tile
from companion.draft import MOST_EDITS, Draft, Question
from companion.observation import PhotoReading

VALUES = st.integers(0, 12)
ENDS = st.tuples(VALUES, VALUES)
WHYS = st.sampled_from([None, None, "glare", "cut off", "covered", "unclear", "duplicate"])
READINGS = st.lists(st.builds(lambda ends, why: seen(ends, why=why), ENDS, WHYS), max_size=12)


def draft_of(*tiles: object) -> Draft:
    return Draft.of(PhotoReading(640, 480, tuple(tiles)))  # type: ignore[arg-type]


def test_a_draft_begins_as_the_reading() -> None:
    draft = draft_of(seen((5, 12)), seen((0, 0)), seen((3, 4), why="glare"))
    assert draft.tiles == (Tile(5, 12), Tile(0, 0), Tile(3, 4))
    assert (draft.pips, draft.points(50), draft.points(0)) == (24, 74, 24)
    assert [piece.number for piece in draft.doubtful] == [3]
    assert draft.edits == ()


def test_what_may_hide_pips_counts_once_it_is_confirmed() -> None:
    draft = draft_of(seen((1, 1), why="cut off"), seen((2, 2), why="covered"), seen((3, 3)))
    assert draft.pips == 6
    assert [piece.number for piece in draft.left_out] == [1, 2]
    assert draft.confirmed(1).pips == 8
    assert draft.with_half(2, 0, 5).pips == 13
    assert draft.confirmed(1).confirmed(2).left_out == ()


def test_one_half_is_set_right_and_the_rest_stays() -> None:
    draft = draft_of(seen((5, 12), why="unclear"), seen((3, 4)))
    changed = draft.with_half(1, 1, 11)
    assert changed.tiles == (Tile(5, 11), Tile(3, 4))
    assert changed.doubtful == () and changed.edited == 1
    assert draft.with_half(9, 0, 1) == draft
    assert draft.with_half(1, 2, 1) == draft


def test_removed_and_put_back() -> None:
    draft = draft_of(seen((5, 12), why="maybe not a tile"), seen((3, 4)))
    gone = draft.without(1)
    assert gone.tiles == (Tile(3, 4),) and gone.doubtful == ()
    assert gone.with_again(1).pieces == draft.pieces
    assert gone.with_half(1, 0, 6).tiles == (Tile(6, 12), Tile(3, 4))


def test_a_missed_tile_is_added_once_and_can_go_again() -> None:
    draft = draft_of(seen((5, 12)))
    more = draft.with_added((9, 3), "key")
    assert more.tiles == (Tile(5, 12), Tile(3, 9))
    assert more.with_added((9, 3), "key") == more
    assert len(more.with_added((9, 3)).pieces) == 3
    assert more.without(2).pieces == draft.pieces
    assert more.without(1).with_added((0, 1)).pieces[-1].number == 3


def test_a_tile_is_turned_so_that_it_reads_from_the_left_or_the_top() -> None:
    flat = seen((5, 12), second=(4, None))
    one, other, three, four = flat.corners
    turned = replace(flat, corners=(three, four, one, other))
    piece = draft_of(turned).pieces[0]
    assert piece.ends == (12, 5) and piece.others == ((12, 4),)
    assert piece.corners == flat.corners
    upright = replace(flat, corners=((40, 80), (0, 80), (0, 0), (40, 0)))
    assert draft_of(upright).pieces[0].ends == (12, 5)


def test_other_readings_change_one_half_each() -> None:
    piece = draft_of(seen((5, 12), why="unclear", second=(4, 11))).pieces[0]
    assert piece.others == ((4, 12), (5, 11))


def test_never_the_same_tile_is_offered_twice() -> None:
    blank = draft_of(seen((0, 0), why="unclear", second=(1, 1))).pieces[0]
    assert blank.choices == ((0, 0), (1, 0))
    assert draft_of(seen((5, 12), why="glare")).pieces[0].choices == ((5, 12),)
    assert draft_of(seen((5, 12), second=(4, 11))).pieces[0].choices == ((5, 12), (4, 12))


def test_each_edit_can_be_taken_back_and_says_what_it_was() -> None:
    draft = draft_of(seen((4, 5), why="glare"), seen((3, 4)))
    edits = {
        "removed": draft.without(2),
        "set": draft.with_half(2, 0, 9),
        "right": draft.confirmed(1),
        "added": draft.with_added((1, 1)),
    }
    for kind, changed in edits.items():
        assert (changed.edits[-1].kind, changed.edited) == (kind, 1)
        assert changed.undone() == draft
    assert edits["removed"].with_again(2).edits[-1].kind == "back"
    assert str(edits["set"].edits[-1].tile) == "4-9"
    added = edits["added"].without(3)
    assert added.pieces == draft.pieces
    assert added.undone() == edits["added"]
    assert draft.undone() == draft


def test_a_tap_that_changes_nothing_is_no_edit() -> None:
    draft = draft_of(seen((4, 5)), seen((3, 4)))
    once = draft.confirmed(1)
    assert once.confirmed(1) == once
    assert once.without(9) == once and once.with_again(2) == once


def test_an_undo_sent_twice_takes_back_one_edit() -> None:
    draft = draft_of(seen((4, 5)), seen((3, 4)))
    twice = draft.without(1).without(2)
    once = twice.undone(2)
    assert once == draft.without(1)
    assert once.undone(2) == once


def test_more_edits_than_are_kept_can_still_be_undone_one_by_one() -> None:
    draft = draft_of(seen((4, 5)))
    for value in range(MOST_EDITS + 5):
        draft = draft.with_half(1, 0, value % 2)
    assert len(draft.edits) == MOST_EDITS and draft.edited == MOST_EDITS + 5
    assert draft.undone(draft.edited).edited == draft.edited - 1


def test_a_draft_from_before_edits_is_read() -> None:
    told = draft_of(seen((4, 5))).to_json()
    del told["edits"], told["edited"]
    assert Draft.from_json(told) == draft_of(seen((4, 5)))


def test_the_set_questions_what_cannot_be() -> None:
    draft = draft_of(seen((5, 12)), seen((12, 5)), seen((9, 9)), seen((13, 1)), seen((0, 7)))
    asked = draft.questions(
        highest=12, engine=Tile(9, 9), hands={"Red": [Tile(0, 7)], "Ann": [Tile(1, 1)]}
    )
    assert asked == [
        Question("hand", Tile(0, 7), (5,), "Red"),
        Question("set", Tile(1, 13), (4,)),
        Question("twice", Tile(5, 12), (1, 2)),
        Question("engine", Tile(9, 9), (3,)),
    ]
    assert draft.questions(highest=None) == []
    assert draft.without(2).with_half(4, 0, 2).without(3).questions(highest=12) == []


def test_doubts_from_the_set_are_worked_out_anew() -> None:
    draft = draft_of(seen((5, 12), why="duplicate"), seen((5, 12), why="duplicate"))
    assert draft.doubtful == ()
    assert draft.questions(highest=12) == [Question("twice", Tile(5, 12), (1, 2))]


@given(READINGS, st.lists(st.tuples(st.integers(0, 5), st.integers(1, 14), ENDS), max_size=12))
def test_any_taps_keep_the_sum_and_the_journal_form(
    tiles: list[object], taps: list[tuple[int, int, tuple[int, int]]]
) -> None:
    first = draft = draft_of(*tiles)
    for kind, number, ends in taps:
        if kind == 0:
            draft = draft.with_half(number, ends[0] % 2, ends[1])
        elif kind == 1:
            draft = draft.without(number)
        elif kind == 2:
            draft = draft.with_again(number)
        elif kind == 3:
            draft = draft.with_added(ends)
        elif kind == 4:
            draft = draft.undone()
        else:
            draft = draft.confirmed(number)
    assert Draft.from_json(json.loads(json.dumps(draft.to_json()))) == draft
    assert draft.pips == sum(piece.tile.pips for piece in draft.counted)
    numbers = [piece.number for piece in draft.pieces]
    assert len(set(numbers)) == len(numbers)
    assert not set(draft.doubtful) & {piece for piece in draft.pieces if piece.removed}
    for _edit in range(draft.edited):
        draft = draft.undone()
    assert draft == first


# ---- a hand over several photos -----------------------------------------------------------

SECOND, THIRD = "b" * 32, "c" * 32


def photo_of(*tiles: object, warnings: tuple[str, ...] = ()) -> PhotoReading:
    return PhotoReading(800, 600, tuple(tiles), warnings)  # type: ignore[arg-type]


def test_a_second_photo_adds_its_tiles_once() -> None:
    draft = draft_of(seen((5, 12)), seen((3, 4)))
    both = draft.with_photo(SECOND, photo_of(seen((6, 6)), warnings=("Look again.",)))
    assert both.tiles == (Tile(5, 12), Tile(3, 4), Tile(6, 6))
    assert both.with_photo(SECOND, photo_of(seen((1, 1)))) == both
    assert [piece.number for piece in both.pieces_in(None)] == [1, 2]
    assert [piece.number for piece in both.pieces_in(SECOND)] == [3]
    assert both.alerts == ("Look again.",) and draft.alerts == ()


def test_a_tile_on_both_photos_counts_once_only_after_people_said_so() -> None:
    draft = draft_of(seen((5, 12)), seen((3, 4))).with_photo(SECOND, photo_of(seen((12, 5))))
    assert draft.pips == 17 + 7 + 17
    asked = [Question("both", Tile(5, 12), (1, 3))]
    assert draft.questions(highest=12) == asked == draft.questions(highest=None)
    once = draft.with_same(Tile(5, 12))
    assert once.pips == 24 and once.questions(highest=12) == []
    assert once.edits[-1].kind == "same" and once.undone() == draft
    assert draft.with_same(Tile(3, 4)) == draft, "that one lies in one photo only"


def test_the_clearer_of_two_looks_at_one_tile_is_kept() -> None:
    draft = draft_of(seen((5, 12), why="glare"))
    once = draft.with_photo(SECOND, photo_of(seen((5, 12)))).with_same(Tile(5, 12))
    assert once.doubtful == () and [piece.photo for piece in once.counted] == [SECOND]


def test_without_a_known_set_both_may_be_tiles_of_their_own() -> None:
    draft = draft_of(seen((5, 12))).with_photo(SECOND, photo_of(seen((5, 12))))
    two = draft.with_apart(Tile(5, 12))
    assert two.pips == 34 and two.questions(highest=None) == []
    assert [one.kind for one in two.questions(highest=12)] == ["twice"]
    assert two.undone().undone() == draft


def test_three_photos_of_one_tile_count_it_once() -> None:
    draft = draft_of(seen((1, 2)))
    for photo in (SECOND, THIRD):
        draft = draft.with_photo(photo, photo_of(seen((1, 2))))
    assert draft.pips == 9 and draft.with_same(Tile(1, 2)).pips == 3


def test_copies_within_one_photo_are_another_question() -> None:
    draft = draft_of(seen((1, 2)), seen((1, 2))).with_photo(SECOND, photo_of(seen((1, 2))))
    assert [one.kind for one in draft.questions(highest=12)] == ["both"]
    once = draft.with_same(Tile(1, 2))
    assert [(one.kind, one.numbers) for one in once.questions(highest=12)] == [("twice", (1, 2))]


def test_a_photo_can_be_left_out_again() -> None:
    draft = draft_of(seen((5, 12)), seen((3, 4))).with_half(1, 0, 6)
    both = draft.with_photo(SECOND, photo_of(seen((6, 6)))).with_half(3, 0, 1)
    alone = both.without_photo(SECOND)
    assert alone.tiles == draft.tiles and alone.shots == () and alone.edits == draft.edits
    assert both.undone(both.edited).tiles[-1] == Tile(6, 6)
    assert alone.undone(both.edited) == alone, "a tap that saw the other photo takes nothing back"
    assert alone.without_photo(SECOND) == alone


def test_what_was_taken_back_never_lands_on_a_tile_of_a_later_photo() -> None:
    draft = draft_of(seen((5, 12))).with_added((1, 1)).without(2)
    both = draft.with_photo(SECOND, photo_of(seen((6, 6))))
    assert both.undone().tiles == (Tile(5, 12), Tile(1, 1), Tile(6, 6))


def test_several_photos_outlive_their_json() -> None:
    draft = draft_of(seen((5, 12))).with_photo(SECOND, photo_of(seen((5, 12)), warnings=("Hm.",)))
    for each in (draft, draft.with_same(Tile(5, 12)), draft.with_apart(Tile(5, 12))):
        assert Draft.from_json(json.loads(json.dumps(each.to_json()))) == each
    old = draft_of(seen((5, 12))).to_json()
    del old["shots"]
    for piece in old["pieces"]:
        del piece["photo"], piece["apart"]
    assert Draft.from_json(old) == draft_of(seen((5, 12)))
