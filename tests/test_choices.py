"""What a house chose for its table is there after a restart, and on every device."""

from pathlib import Path

import pytest

from companion.choices import Choices
from companion.errors import RuleBroken
from companion.journal import Journal
from companion.layout import Layout


def test_unless_somebody_chose_nothing_is_deleted_and_the_start_decides(
    tmp_path: Path,
) -> None:
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


AREA = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))


def test_where_things_lie_outlives_a_restart(tmp_path: Path) -> None:
    layout = Layout((0.5, 0.4), AREA, (90.0, 200.0), by_hand=True)
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        choices = Choices(journal)
        assert (choices.layout, choices.view, choices.markers) == (Layout(), None, ())
        choices.keep_layout(layout, b"\x89PNG view")
        choices.keep_markers([{"name": "coin"}])
        assert (choices.layout, choices.view) == (layout, b"\x89PNG view")
    with Journal.open(path) as journal:
        again = Choices(journal)
        assert (again.layout, again.view) == (layout, b"\x89PNG view")
        assert again.markers == ({"name": "coin"},)
        assert again.markers is again.markers
        again.keep_layout(Layout(), None)
        assert (again.layout, again.view) == (Layout(), None)


@pytest.mark.parametrize("damage", ["{", "[]", '{"centre": [2, 2]}', '{"area": [[0, 0]]}', "7"])
def test_what_cannot_be_read_again_counts_as_nothing(tmp_path: Path, damage: str) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        for name in ("layout", "view", "markers"):
            journal.run("INSERT OR REPLACE INTO choices VALUES (?, ?)", (name, damage))
        choices = Choices(journal)
        assert (choices.layout, choices.view, choices.markers) == (Layout(), None, ())
