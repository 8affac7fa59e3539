"""What a house chose for its table is there after a restart, and on every device."""

from pathlib import Path

import pytest

from companion.choices import Choices
from companion.errors import RuleBroken
from companion.journal import Journal


def test_unless_somebody_chose_nothing_is_deleted_and_the_start_decides(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        choices = Choices(journal)
        assert (choices.photos, choices.best_train) == ("ever", None)


def test_choices_outlive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        choices = Choices(journal)
        choices.keep_photos("game")
        choices.keep_photos("month")
        choices.allow_best_train(True)
        choices.allow_best_train(False)
        assert (choices.photos, choices.best_train) == ("month", False)
    with Journal.open(path) as journal:
        again = Choices(journal)
        assert (again.photos, again.best_train) == ("month", False)


def test_no_other_way_of_keeping_is_taken(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        choices = Choices(journal)
        with pytest.raises(RuleBroken, match="week is no way to keep them"):
            choices.keep_photos("week")
        assert choices.photos == "ever"


def test_a_way_that_this_version_does_not_know_deletes_nothing(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        journal.run("INSERT INTO choices VALUES ('photos', 'until noon')")
        assert Choices(journal).photos == "ever"
