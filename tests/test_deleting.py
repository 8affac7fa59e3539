"""A past game is deleted: nothing shows or counts it any more, and its photos are gone."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from evening_games import JULY, JUNE, MAY, kept
from played import three_games
from scoring import a_picture
from telling import act
from visitor import Place, Visitor, sentences
from werkzeug.test import TestResponse

from companion import sweeping
from companion.errors import RuleBroken
from companion.exporting import document
from companion.game import Game, Stale
from companion.joining import HOST, PLAYER, SPECTATOR
from companion.journal import Journal
from companion.kept import DELETED, kept_games
from companion.photos import PhotoStore
from companion.restoring import backup_command, restore_command
from companion.statistics import statistics
from companion.sweeping import PhotoSweeper
from companion.web.rounds import round_key
from companion.web.services import KEY
from tests.test_sweeping import eventually, there

START = act("start_game", players=["Ann", "Bob"], set=12, rules="classic", overrule=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def game(path: Path) -> Iterator[Game]:
    """Three games of other houses' times, of which the last is at the table."""
    with Game(Journal.open(path)) as game:
        for said in (*MAY, *JUNE, *JULY):
            game.play(said)
        yield game


def numbers(game: Game) -> list[int]:
    return sorted(one.number for one in game.kept())


def a_round(game: Game, store: PhotoStore) -> list[str]:
    """A round, scored by photo; Bob's needed two, and one was never used. The photos' names."""
    game.play(act("open_round"))
    about = {"kind": "hand", "player": "Ann", "round": round_key(game.table), "who": 1, "blank": 50}
    photos = [store.keep(a_picture(), about) for _hand in range(3)]
    for player, photo in zip(("Ann", "Bob"), photos, strict=False):
        game.play(act("hand", player=player, tiles=["5-12"], photo=photo))
    game.play(act("close_round"))
    return [*photos, store.keep(a_picture(), {**about, "with": photos[1]})]


# ---- what is kept --------------------------------------------------------------------------------


def test_a_deleted_game_is_there_no_more_and_no_number_comes_twice(game: Game, path: Path) -> None:
    table, stored = game.table, game._journal.actions()
    game.delete(1, seen=len(MAY))
    assert numbers(game) == [2, 3]
    assert game.kept() == kept_games(game._journal.actions(), game._journal.past())
    assert {each.name: each.games for each in statistics([one.state for one in game.kept()])} == {
        "Ann": 1,
        "Bob": 1,
        "Cem": 1,
    }
    assert game.table is table and game._journal.actions() == stored, "the record only grows"
    game.close()
    with Game(Journal.open(path)) as again:
        assert again.notice is None and numbers(again) == [2, 3]
        assert again.table.revision == table.revision


def test_the_parts_that_it_had_taken_up_again_go_with_it(game: Game) -> None:
    game.play(START)
    game.resume(3, overrule=True)
    game.play(act("open_round"))
    with pytest.raises(RuleBroken, match="taken up again already"):
        game.delete(3)
    game.play(START)
    assert [one.number for one in game.kept() if one.resumable] == [5]
    game.delete(5)
    assert numbers(game) == [1, 2, 4, 6]
    assert not [one for one in game.kept() if one.resumable], "it cannot go on from its first part"


def test_only_a_past_game_can_be_deleted_and_only_once(game: Game) -> None:
    with pytest.raises(RuleBroken, match="still on the table"):
        game.delete(3)
    game.play(act("finish_game"))
    with pytest.raises(RuleBroken, match="still on the table"):
        game.delete(3)
    with pytest.raises(RuleBroken, match="no such game"):
        game.delete(9)
    game.delete(1, once="key")
    with pytest.raises(RuleBroken, match="no such game"):
        game.delete(1)
    game.delete(1, once="key")
    for refused in (lambda: game.resume(1), lambda: game.amend(1, act("undo"))):
        with pytest.raises(RuleBroken, match="no such game"):
            refused()
    assert game._journal.past_count == 1


def test_a_game_that_is_another_by_now_is_looked_at_first(game: Game) -> None:
    seen = len(game.kept()[0].actions)
    game.amend(1, act("correct", round=1, player="Ann", pips=1))
    with pytest.raises(Stale, match="look at it again"):
        game.delete(1, seen=seen)
    assert numbers(game) == [1, 2, 3]
    game.delete(1, seen=seen + 1)


def test_a_deleted_game_can_be_imported_again(game: Game, path: Path) -> None:
    file = kept(MAY, JUNE)
    game.delete(1)
    intake = game.take_in(file)
    assert (len(intake.new), intake.there) == (1, 1)
    assert numbers(game) == [-1, 2, 3]
    game.delete(-1)
    assert len(game.take_in(file).new) == 1
    assert numbers(game) == [-2, 2, 3], "and never under the number of the deleted one"
    game.close()
    with Game(Journal.open(path)) as again:
        assert numbers(again) == [-2, 2, 3]
        again.delete(-2)
        assert numbers(again) == [2, 3]
    with Game(Journal.open(path)) as again:
        assert [one.number for one in again.take_in(file).new] == [-3]


def test_that_a_game_is_deleted_is_no_action_of_anybody(game: Game) -> None:
    with pytest.raises(RuleBroken):
        game.play({"action": DELETED})
    with pytest.raises(RuleBroken):
        game.amend(1, {"action": DELETED})
    assert "delete" not in json.dumps(document(game.kept()))


# ---- its photos ----------------------------------------------------------------------------------


@pytest.fixture
def store(game: Game, tmp_path: Path) -> PhotoStore:
    return PhotoStore(tmp_path / "photos", game._journal)


def test_its_photos_go_and_all_others_stay(game: Game, store: PhotoStore) -> None:
    game.play(START)
    a_round(game, store)
    game.play(START)
    game.resume(4, overrule=True)
    a_round(game, store)
    game.play(START)
    others = [*a_round(game, store), store.keep(a_picture(), {"kind": "count", "blank": 50})]
    sweeping.clear(game, store)
    assert len(there(store)) == 13
    game.delete(6)
    sweeping.clear(game, store)
    assert there(store) == set(others), "those of the part that it had taken up went too"


def test_a_photo_that_another_game_shows_stays(game: Game, store: PhotoStore) -> None:
    game.play(START)
    ann, bob, _retake, added = a_round(game, store)
    game.play(START)
    (aside,) = [one for one in game.kept() if one.number == 4]
    longer = [*(action.to_json() for action in aside.actions), act("open_round")]
    game._journal.append_past([(-1, longer)])
    game.delete(4)
    sweeping.clear(game, store)
    assert there(store) == {ann, bob, added}, "the same game went on elsewhere, and shows them"


def test_killed_in_between_the_photos_go_at_the_next_start(
    game: Game, store: PhotoStore, path: Path
) -> None:
    """Also where an old journal lies aside, whose photos are left alone."""
    game.play(START)
    a_round(game, store)
    game.play(START)
    here = a_round(game, store)
    game.delete(4)
    (path.parent / "backups").mkdir()
    (path.parent / "backups" / "before-restore-20240101-000000.db").touch()
    game.close()
    with Game(Journal.open(path)) as again:
        photos = PhotoStore(store.folder, again._journal)
        photos.sweep()
        assert len(there(photos)) == 8
        with PhotoSweeper(again, photos, round_key):
            assert eventually(lambda: there(photos) == set(here))


def test_a_photo_that_the_disk_holds_fast_goes_later(
    game: Game, store: PhotoStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.play(START)
    a_round(game, store)
    game.play(START)
    game.delete(4)
    unlink, tried = Path.unlink, []

    def failing(file: Path, missing_ok: bool = False) -> None:
        tried.append(file)
        if len(tried) == 2:
            raise OSError("the disk is read-only")
        unlink(file, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", failing)
    sweeping.clear(game, store)
    assert there(store) == {tried[1].stem}
    sweeping.clear(game, store)
    assert there(store) == set()


# ---- backups -------------------------------------------------------------------------------------


def test_a_backup_knows_that_a_game_was_deleted_and_an_older_one_brings_it_back(
    game: Game, store: PhotoStore, path: Path, tmp_path: Path
) -> None:
    game.play(START)
    photos = a_round(game, store)
    game.play(START)
    backup_command(tmp_path, tmp_path / "before.zip")
    game.delete(4)
    sweeping.clear(game, store)
    backup_command(tmp_path, tmp_path / "after.zip")
    there_now = [1, 2, 3, 5]
    for name, expected, left in (
        ("after.zip", there_now, set()),
        ("before.zip", sorted([*there_now, 4]), set(photos)),
    ):
        folder = tmp_path / name.partition(".")[0]
        restore_command(folder, tmp_path / name)
        with Game(Journal.open(folder / "journal.db")) as restored:
            assert restored.notice is None and numbers(restored) == expected
            assert there(PhotoStore(folder / "photos", restored._journal)) == left


# ---- the page ------------------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A finished game, one set aside and one on the table, and photos."""
    place = three_games(tmp_path)
    photos = PhotoStore(tmp_path / "photos", place.journal)
    known = place.app.extensions[KEY]
    place.app.extensions[KEY] = replace(known, photos=photos)
    for key in ("1.1", "1.2", round_key(place.game.table)):
        photos.keep(a_picture(), {"kind": "hand", "player": "Red", "who": 1, "round": key})
    return place


@pytest.fixture
def visitor(place: Place) -> Visitor:
    return place.visitor()


def asked(visitor: Visitor, number: int) -> dict[str, str]:
    """What the question on a game's page carries."""
    page = visitor.get(f"/games/{number}?delete=1").text
    form = re.search(r'<form[^>]*id="delete".*?</form>', page, re.S)
    assert form and f'action="/games/{number}/delete"' in form[0]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0]))
    return {name: fields[name] for name in ("seen", "once")}


def delete(visitor: Visitor, number: int, **fields: str) -> TestResponse:
    return visitor.post(f"/games/{number}/delete", fields)


def test_a_host_is_asked_and_then_the_game_is_gone(
    place: Place, visitor: Visitor, tmp_path: Path
) -> None:
    before = place.told
    page = visitor.get("/games/1")
    assert 'href="/games/1?delete=1#delete"' in page.text and "/games/1/delete" not in page.text
    said = sentences(visitor.get("/games/1?delete=1"))
    assert "Delete the game of Red, Blue (" in said and "This cannot be undone." in said
    assert len(place.game.kept()) == 3 and len(list((tmp_path / "photos").iterdir())) == 3
    form = asked(visitor, 1)
    assert delete(visitor, 1, **form).location == "/games"
    said = sentences(visitor.get("/games"))
    assert "Red won" not in said and "They begin with the first finished game." in said
    for gone in ("", "/1/1", "/game.json", "/sheet.csv"):
        assert visitor.get(f"/games/1{gone}").status_code == 404
    assert visitor.get("/figures?of=Green").status_code == 200
    assert b'"finished"' not in visitor.get("/games/scores.csv").data
    assert len(json.loads(visitor.get("/games/games.json").data)["games"]) == 2
    assert len(list((tmp_path / "photos").iterdir())) == 1
    assert place.told == before, "nothing changed at the table"
    assert delete(visitor, 1, **form).location == "/games", "the same tap counts once"
    late = delete(visitor, 1, **{**form, "once": "other"})
    assert late.status_code == 422
    assert "There is no such game here: choose one of the list." in sentences(late)


def test_an_old_page_deletes_nothing(place: Place, visitor: Visitor) -> None:
    form = asked(visitor, 1)
    place.game.amend(1, act("correct", round=2, player="Red", pips=20))
    late = delete(visitor, 1, **form)
    assert late.status_code == 409 and len(place.game.kept()) == 3
    assert "New since you looked: the correction for Red in round 2." in sentences(late)
    assert delete(visitor, 1).status_code == 400, "a page that tells nothing it saw"
    assert delete(visitor, 1, **asked(visitor, 1)).status_code == 303


def test_the_game_on_the_table_is_not_offered_and_refused(place: Place, visitor: Visitor) -> None:
    length = len(place.game.kept()[-1].actions)
    late = delete(visitor, 3, seen=str(length))
    assert late.status_code == 422 and "still on the table" in sentences(late)
    place.play({"action": "block"}, *(act("hand", player=p, pips=1) for p in ("Red", "Blue")))
    place.play({"action": "close_round"}, {"action": "finish_game"})
    assert 'id="delete' not in visitor.get("/games/3?delete=1").text


@pytest.mark.parametrize("role", [SPECTATOR, PLAYER])
def test_only_a_host_deletes(place: Place, role: str) -> None:
    other = place.visitor(role)
    assert 'id="delete' not in other.get("/games/1?delete=1").text
    form = asked(place.visitor(HOST), 1)
    assert delete(other, 1, **form).status_code == 403
    assert len(place.game.kept()) == 3


def test_a_game_of_which_no_round_was_closed_is_found_to_be_deleted(place: Place) -> None:
    place.play(START, {**START, "players": ["Cem", "Dee"]})
    assert 'id="look-4"' in place.visitor(HOST).get("/games").text
    assert 'id="look-4"' not in place.visitor(PLAYER).get("/games").text


def test_an_exported_game_comes_back_after_it_was_deleted(place: Place, visitor: Visitor) -> None:
    exported = visitor.get("/games/1/game.json").data
    delete(visitor, 1, **asked(visitor, 1))
    form = {"games": (BytesIO(exported), "games.json")}
    answer = visitor.post("/games/import", form, content_type="multipart/form-data")
    assert answer.location == "/games/import?new=1#brought"
    assert "Red won with 12" in sentences(visitor.get("/games/-1"))
    assert delete(visitor, -1, **asked(visitor, -1)).location == "/games"
    assert len(place.game.kept()) == 2
