"""Photos go when the house said so, and no score ever changes by it."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from scoring import a_picture

from companion.game import Game
from companion.journal import Journal
from companion.photos import PhotoStore
from companion.report import closed_hands, report
from companion.sweeping import PhotoSweeper, due
from companion.web.rounds import round_key

START = {"action": "start_game", "players": ["Ann", "Bob"], "set": 12, "rules": "classic"}


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    with Game(Journal.open(tmp_path / "journal.db")) as game:
        game.play(START)
        game.play({"action": "open_round"})
        yield game


@pytest.fixture
def store(game: Game, tmp_path: Path) -> PhotoStore:
    return PhotoStore(tmp_path / "photos", game._journal)


def eventually(condition) -> bool:
    end = time.monotonic() + 3
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(condition())


def taken(game: Game, store: PhotoStore) -> str:
    """A photo of a hand of the open round."""
    return store.keep(a_picture(), {"kind": "hand", "round": round_key(game.table)})


def scored(game: Game, store: PhotoStore) -> list[str]:
    """A round with a photo of both hands, closed."""
    photos = [taken(game, store), taken(game, store)]
    for player, photo in zip(("Ann", "Bob"), photos, strict=True):
        hand = {"action": "hand", "player": player, "tiles": ["5-12"], "photo": photo}
        game.play(hand)
    game.play({"action": "close_round"})
    return photos


def there(store: PhotoStore) -> set[str]:
    """The photos that are there by name, as long as their files are the same ones."""
    names = {photo.id for photo in store.kept()}
    files = {file.stem for file in store.folder.glob("*.jpg")}
    return names if names == files else {"names and files differ"}


def test_at_once_means_when_the_round_is_scored(game: Game, store: PhotoStore) -> None:
    game.choices.keep_photos("round")
    with PhotoSweeper(game, store, round_key):
        photo, retake = taken(game, store), taken(game, store)
        game.play({"action": "hand", "player": "Ann", "tiles": ["5-12"], "photo": photo})
        game.play({"action": "hand", "player": "Bob", "pips": 3})
        time.sleep(0.2)
        assert there(store) == {photo, retake}, "they are looked at until the round is closed"
        game.play({"action": "close_round"})
        assert eventually(lambda: there(store) == set())
    assert report(game.table)["scores"] == {"Ann": [17], "Bob": [3]}
    assert closed_hands(game.table)[0]["Ann"]["tiles"] == ["5-12"]


def test_for_the_game_means_until_the_next_one(game: Game, store: PhotoStore) -> None:
    game.choices.keep_photos("game")
    with PhotoSweeper(game, store, round_key):
        first = scored(game, store)
        game.play({"action": "open_round"})
        second = scored(game, store)
        game.play({"action": "finish_game"})
        time.sleep(0.2)
        assert there(store) == {*first, *second}, "the sheet of the finished game shows them"
        game.play(START)
        assert eventually(lambda: there(store) == set())
    assert [kept.rounds for kept in game.kept()][0] == 2


def test_a_game_that_was_set_aside_keeps_its_photos(game: Game, store: PhotoStore) -> None:
    game.choices.keep_photos("game")
    photos = scored(game, store)
    game.play({**START, "overrule": True})
    assert due(game, store, round_key) == []
    game.resume(1, overrule=True)
    assert due(game, store, round_key) == []
    game.play({"action": "finish_game"})
    game.play(START)
    assert sorted(due(game, store, round_key)) == sorted(photos)


@pytest.mark.parametrize("how", ["round", "game"])
def test_the_open_round_of_a_game_that_was_set_aside_keeps_its_photos(
    game: Game, store: PhotoStore, how: str
) -> None:
    before = scored(game, store)
    game.play({"action": "open_round"})
    told, unscored = taken(game, store), taken(game, store)
    game.play({"action": "hand", "player": "Ann", "tiles": ["5-12"], "photo": told})
    game.play({**START, "overrule": True})
    gone = due(game, store, round_key, how)
    assert sorted(gone) == (sorted(before) if how == "round" else [])
    assert {told, unscored}.isdisjoint(gone)
    game.resume(1, overrule=True)
    assert told not in due(game, store, round_key, how), "its hand is in the open round again"
    game.play({"action": "hand", "player": "Bob", "pips": 3})
    game.play({"action": "close_round"})
    assert (told in due(game, store, round_key, how)) == (how == "round")


def test_nothing_goes_for_ever(game: Game, store: PhotoStore) -> None:
    photos = scored(game, store)
    game.play({**START, "overrule": True})
    assert due(game, store, round_key) == []
    assert there(store) == set(photos)
    assert sorted(due(game, store, round_key, "round")) == sorted(photos)


def test_an_old_photo_goes_while_nobody_plays(game: Game, store: PhotoStore) -> None:
    old, new = taken(game, store), taken(game, store)
    game.choices.keep_photos("month")
    with PhotoSweeper(game, store, round_key, every=0.1):
        time.sleep(0.3)
        assert there(store) == {old, new}
        long_ago = "UPDATE photos SET made = '2020-01-01T10:00:00Z' WHERE id = ?"
        game._journal.run(long_ago, (old,))
        assert eventually(lambda: there(store) == {new})


def test_a_sweep_that_fails_is_tried_again(
    game: Game, store: PhotoStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.choices.keep_photos("round")
    photo = taken(game, store)
    forget, tried = store.forget, []

    def failing(photos: list[str]) -> int:
        tried.append(photos)
        if len(tried) == 1:
            raise OSError("no such disk")
        return forget(photos)

    monkeypatch.setattr(store, "forget", failing)
    game.play({"action": "block"})
    for player in ("Ann", "Bob"):
        game.play({"action": "hand", "player": player, "pips": 3})
    game.play({"action": "close_round"})
    with PhotoSweeper(game, store, round_key, every=0.05):
        assert eventually(lambda: store.get(photo) is None)
    assert len(tried) >= 2


def test_a_file_that_cannot_be_removed_goes_at_the_next_start(
    game: Game, store: PhotoStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = taken(game, store)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", lambda *told, **more: (_ for _ in ()).throw(OSError()))
        assert store.forget([photo]) == 1
    assert store.get(photo) is None and store.path(photo).exists()
    assert store.sweep() == 1
    assert not store.path(photo).exists()
