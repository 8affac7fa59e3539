"""How long photos stay: a pure question, asked for each way of keeping them."""

from datetime import UTC, datetime, timedelta

import pytest

from companion.keeping import EVER, GAME, KEEPINGS, MONTH, ROUND, InUse, KeptPhoto, due

NOW = datetime(2030, 1, 31, 20, 0, tzinfo=UTC)
USED = InUse(game="40", round="40.3", hands=frozenset({"mine"}), games=frozenset({"mine", "aside"}))


def photo(name: str, round_: str | None = "7.1", *, first: str | None = None, **ago: float):
    return KeptPhoto(name, NOW - timedelta(**ago), round_, first)


def gone(keeping: str, *photos: KeptPhoto, used: InUse = USED) -> list[str]:
    return due(photos, keeping, used, NOW)


def test_for_ever_nothing_goes() -> None:
    assert gone(EVER, photo("a", days=9999), photo("b", None, days=9999)) == []


def test_after_thirty_days_whatever_it_was() -> None:
    young, old = photo("young", days=29.9), photo("old", days=30)
    assert gone(MONTH, young, old, photo("mine", "40.3", days=31)) == ["old", "mine"]


def test_while_the_round_is_scored_its_photos_stay_and_then_go() -> None:
    taken, again, before = (photo(n, r) for n, r in [("a", "40.3"), ("b", "40.3"), ("c", "40.2")])
    assert gone(ROUND, taken, again, before) == ["c"]
    closed = InUse(game="40", round=None, games=frozenset({"a"}))
    assert gone(ROUND, taken, again, before, used=closed) == ["a", "b", "c"]


def test_a_hand_of_a_game_taken_up_again_keeps_its_photo_by_its_name() -> None:
    # its photos were taken in the game that was set aside, under another key
    assert gone(ROUND, photo("mine", "7.3"), photo("other", "7.3")) == ["other"]
    assert gone(GAME, photo("mine", "7.3"), photo("aside", "9.1"), photo("x", "9.1")) == ["x"]


def test_a_photo_that_was_added_to_another_stays_with_it() -> None:
    added = photo("second", "7.3", first="mine")
    assert gone(ROUND, added) == gone(GAME, added) == []
    assert gone(ROUND, photo("second", "7.3", first="gone")) == ["second"]


def test_for_the_game_all_its_photos_stay_until_another_begins() -> None:
    shots = [photo("a", "40.1"), photo("b", "40.2"), photo("retake", "40.2")]
    assert gone(GAME, *shots) == []
    assert gone(GAME, *shots, used=InUse(game="90", round="90.1")) == ["a", "b", "retake"]
    assert gone(GAME, photo("c", "4.1"), used=InUse(game="40", round=None)) == ["c"]


@pytest.mark.parametrize(("keeping", "hours"), [(ROUND, 1), (GAME, 24)])
def test_a_photo_that_was_only_counted_stays_a_while(keeping: str, hours: int) -> None:
    assert gone(keeping, photo("a", None, hours=hours - 0.1), photo("b", None, hours=hours)) == [
        "b"
    ]


def test_every_way_is_offered() -> None:
    assert KEEPINGS == (ROUND, GAME, MONTH, EVER)
