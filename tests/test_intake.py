"""Games from elsewhere: new ones come, known ones go on, and what lies here otherwise stays."""

from evening_games import JULY, JUNE, MAY, game, kept

from companion.intake import Intake, taken_in
from companion.kept import kept_games
from telling import act

MORE = [
    {**act("open_round"), "at": "2024-07-06T20:00:00Z"},
    {**act("undo"), "at": "2024-07-06T20:00:01Z"},
]


def actions(run):
    return kept(run)[0].actions


def test_what_is_not_here_is_new_and_gets_numbers_of_its_own():
    intake = taken_in(kept(MAY), kept(JUNE, JULY))
    assert intake.told == ((-1, actions(JUNE)), (-2, actions(JULY)))
    assert (len(intake.new), intake.there, intake.otherwise) == (2, 0, 0)


def test_what_is_here_is_left_alone_however_it_is_numbered():
    here = kept(MAY, JUNE)
    assert taken_in(here, kept(JUNE)) == Intake(there=1)
    assert taken_in(here, kept(JUNE[:-1])) == Intake(there=1), "here it went further"
    assert taken_in(here, kept(JUNE, MAY, JUNE)) == Intake(there=3)


def test_a_game_that_was_set_aside_goes_on_as_in_the_file():
    intake = taken_in(kept(JULY, MAY), kept([*JULY, *MORE]))
    assert intake == Intake(longer=((1, actions([*JULY, *MORE])[len(JULY) :]),))


def test_a_finished_game_takes_the_corrections_of_the_file():
    fix = {**act("correct", round=1, player="Bob", pips=3), "at": "2024-08-01T09:00:00Z"}
    intake = taken_in(kept(MAY, JUNE), kept([*MAY, fix]))
    assert [(number, len(run)) for number, run in intake.longer] == [(1, 1)]


def test_the_game_on_the_table_is_never_touched():
    assert taken_in(kept(MAY, JULY), kept([*JULY, *MORE])) == Intake(otherwise=1)
    assert taken_in(kept(JULY, JUNE), kept([*JUNE, {**act("undo")}])) == Intake(otherwise=1)


def test_a_game_that_went_otherwise_here_stays_as_it_is():
    other = [*JULY[:-1], act("undo"), act("hand", player="Bob", pips=1), act("close_round")]
    assert taken_in(kept(JULY, MAY), kept(other)) == Intake(otherwise=1)


def test_somebody_insisted_on_the_start_or_not_it_is_the_same_game():
    mild = [{k: v for k, v in MAY[0].items() if k != "overrule"}, *MAY[1:]]
    assert taken_in(kept(mild, JUNE), kept(MAY)) == Intake(there=1)


def test_games_alike_in_one_file_are_taken_once():
    twice = taken_in([], kept(MAY, MAY))
    assert (twice.told, twice.there) == (((-1, actions(MAY)),), 1)
    untimed = [{k: v for k, v in said.items() if k != "at"} for said in MAY]
    other = [{k: v for k, v in said.items() if k != "at"} for said in JULY]
    assert len(taken_in([], kept(untimed, other)).new) == 2, "without a time all of it counts"


def test_new_numbers_go_on_below_those_given():
    here = kept_games(MAY, [(-1, JUNE), (-2, JULY)])
    june = game("2024-06-08", ["Ann", "Bob"], {"Ann": 1, "Bob": 2})
    assert taken_in(here, kept(june)).new[0].number == -3


def test_games_begun_in_the_same_second_are_two_when_they_went_on_otherwise():
    other = [MAY[0], {**MAY[1], "starter": "Bob"}, *MAY[2:]]
    assert len(taken_in([], kept(MAY, other)).new) == 2
    intake = taken_in(kept(MAY, JUNE), kept(other, MAY))
    assert (intake.told, intake.there) == (((-1, actions(other)),), 1)
    assert taken_in(kept(MAY, other, JUNE), kept(MAY, other)) == Intake(there=2)
