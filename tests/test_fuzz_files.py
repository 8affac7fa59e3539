"""Whatever lies in the data folder or in a backup is read, set aside or refused in a sentence."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion import config
from companion.errors import Trouble
from companion.restoring import backup_command, restore_command
from tests.fuzzing import CHANGES, anything, changed, fuzzed, opened, texts, which

TOML = (
    b'host = "0.0.0.0"\nport = 8000\ncamera = "none"\nlights = "none"\npins = "4, 17"\n'
    b'buttons = "seats"\nhub = "0.5,0.5"\nagree = 2\npace = 2.0\nupload = 25\nbest_train = "on"\n'
)
WORDS = st.sampled_from(
    [
        *('"auto"', "8000", "-1", "1e999", "nan", "inf", "0x10", "1_000", '""', "true", "[]", "{}"),
        *("1979-05-27", "07:32:00", '"4,17,27"', '"4,4"', '"²,1"', '"0.5,nan"', '"off"', '"1e400"'),
        *('"folder:/"', '"webcam:99999999999"', '"\\u0000"', "9" * 5000, "[" * 3000, "{a=" * 900),
    ]
)
SETTINGS = st.one_of(
    st.lists(st.tuples(st.sampled_from(sorted(config.SETTINGS)), WORDS), max_size=4).map(
        lambda told: "".join(f"{name} = {value}\n" for name, value in told).encode()
    ),
    CHANGES.map(lambda changes: changed(TOML, changes)),
    st.binary(max_size=60),
)


@fuzzed(examples=300, share=0.04)
@given(written=SETTINGS)
@example(written=b"port = " + b"[" * 5000)
@example(written=b"port = " + b"9" * 5000)
def test_any_file_of_settings(tmp_path: Path, written: bytes) -> None:
    (tmp_path / config.FILE).write_bytes(written)
    with suppress(Trouble):
        told = config.settings(tmp_path, {})
        assert set(told) == set(config.SETTINGS)
        with suppress(Trouble):
            config.hub_centre(told["hub"])
        lamps: tuple[int, ...] = ()
        with suppress(Trouble):
            lamps = config.pins(told["pins"]) or ()
        with suppress(Trouble):
            config.buttons(told["buttons"], lamps, (5, 6), 13)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of an evening with past games, photos and kept pictures; its file is whole."""
    folder = tmp_path_factory.mktemp("evening")
    with opened(folder) as here:
        here.furnish()
        here.game.choices.keep_photos("ever")
        here.client.post(
            "/rules/save",
            data={"token": here.token, "at_table": "1", "rules": "hub", "name": "Ours"},
        )
        here.journal.append_past([(-1, here.journal.actions()[:7])])
    with closing(sqlite3.connect(folder / "journal.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return folder


@pytest.fixture
def copy(evening: Path, tmp_path: Path) -> Path:
    return tmp_path / "copy"


def again(evening: Path, copy: Path) -> None:
    """The folder as the evening left it."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(evening, copy, ignore=shutil.ignore_patterns("*-wal", "*-shm"))


@fuzzed(examples=50, share=0.08)
@given(changes=CHANGES)
def test_any_damage_to_the_journal(
    evening: Path, copy: Path, changes: list[tuple[str, float, bytes]]
) -> None:
    again(evening, copy)
    journal = copy / "journal.db"
    journal.write_bytes(data := changed(journal.read_bytes(), changes))
    with opened(copy) as here:
        aside = list(copy.glob("journal.db.damaged-*"))
        if here.game.notice is not None:
            assert len(aside) == 1 and aside[0].read_bytes() == data, "what was there is kept"
        else:
            assert not aside
        here.look()
        before = here.game.table.revision
        here.client.get("/")
        body = {"action": "start_game", "players": ["X", "Y"], "set": 6, "rules": "hub"}
        answer = here.client.post("/api/actions", json={**body, "overrule": True})
        assert answer.status_code in (200, 503), answer.text
        if answer.status_code == 200:
            assert here.game.table.revision == before + 1


ROWS = st.sampled_from(
    [
        *(("actions", name) for name in ("n", "game", "action", "once")),
        *(("past", name) for name in ("n", "game", "actions", "once")),
        *(("people", name) for name in ("name", "shown", "colour", "used")),
        *(("photos", name) for name in ("id", "made", "reading", "draft")),
        *(("rules", name) for name in ("name", "shown", "preset", "overrides", "used")),
        *(("choices", name) for name in ("name", "value")),
        ("settled", "once"),
    ]
)
VALUES = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.binary(max_size=10),
    texts.map(lambda text: text.encode("utf-8", "replace").decode()),
    anything.map(json.dumps),
    st.sampled_from(["layout", "view", "markers", "past-checked", "[" * 9000, "0" * 32]),
)
STATEMENTS = st.sampled_from(
    [
        "CREATE TRIGGER t AFTER INSERT ON actions BEGIN DELETE FROM actions; END",
        "CREATE TRIGGER t BEFORE INSERT ON photos BEGIN SELECT raise(ABORT, 'no'); END",
        "CREATE VIEW v AS SELECT * FROM actions",
        "CREATE INDEX i ON actions (game)",
        "CREATE TABLE more (a CHECK (a <> randomblob(1000000)))",
        "DROP TABLE people",
        "ALTER TABLE photos RENAME TO pictures",
        "ALTER TABLE actions ADD COLUMN more DEFAULT 1",
        "PRAGMA user_version = 1",
        "PRAGMA user_version = -1",
        "DELETE FROM actions WHERE n = 3",
        "INSERT INTO actions SELECT n + 100, game, action, NULL FROM actions",
        "DROP TABLE photos; CREATE VIEW photos AS SELECT '' id, '' made, '' reading, '' draft",
    ]
)


@fuzzed(examples=70, share=0.09)
@given(
    changes=st.lists(st.tuples(ROWS, which, VALUES, which), max_size=3),
    statements=st.lists(STATEMENTS, max_size=1),
    inside=st.booleans(),
    json_at=st.none() | st.tuples(which, which, anything),
)
def test_any_backup(
    evening: Path,
    copy: Path,
    tmp_path: Path,
    changes: list[tuple[tuple[str, str], int, Any, int]],
    statements: list[str],
    inside: bool,
    json_at: tuple[int, int, Any] | None,
) -> None:
    again(evening, copy)
    spoil(copy / "journal.db", changes, statements, json_at)
    source = tmp_path / "backup"
    source.unlink(missing_ok=True)
    if inside:
        with suppress(Trouble):
            backup_command(copy, source)
    if not source.exists():
        (copy / "journal.db").rename(source)
    restored(source, evening, copy, tmp_path)


@fuzzed(examples=40, share=0.04)
@given(changes=CHANGES)
def test_any_damage_to_a_backup(
    evening: Path, copy: Path, tmp_path: Path, changes: list[tuple[str, float, bytes]]
) -> None:
    source = tmp_path / "backup"
    source.unlink(missing_ok=True)
    backup_command(evening, source)
    source.write_bytes(changed(source.read_bytes(), changes))
    restored(source, evening, copy, tmp_path)


def restored(source: Path, evening: Path, copy: Path, tmp_path: Path) -> None:
    """Restore it over the evening: either nothing is changed, or every page opens afterwards."""
    again(evening, copy)
    before = {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()}
    try:
        restore_command(copy, source)
    except Trouble as trouble:
        assert str(trouble).endswith(".")
        files = [path for path in copy.rglob("*") if path.is_file() and path.name != "in-use"]
        after = {path: path.read_bytes() for path in files}
        assert after == before
        return
    assert list((copy / "backups").glob("before-restore-*")), "what was there is kept"
    with opened(copy) as here:
        assert here.game.notice is None
        here.look()
        count = here.game.table.revision
        here.game.play(
            {
                "action": "start_game",
                "players": ["X", "Y"],
                "set": 6,
                "rules": "hub",
                "overrule": True,
            }
        )
        assert here.game.table.revision == count + 1
        here.check_replay()


def spoil(
    path: Path,
    changes: list[tuple[tuple[str, str], int, Any, int]],
    statements: list[str],
    json_at: tuple[int, int, Any] | None,
) -> None:
    """Change so many values of a journal, or parts of what they hold."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for (table, column), row, value, _part in changes:
            with suppress(sqlite3.Error):
                count = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                keys = connection.execute(
                    f"SELECT {column} FROM {table} LIMIT 1 OFFSET ?", [row % max(1, count)]
                )
                for (old,) in keys.fetchall():
                    connection.execute(
                        f"UPDATE {table} SET {column} = ? WHERE {column} IS ?", [value, old]
                    )
        if json_at is not None:
            with suppress(sqlite3.Error, TypeError, ValueError):  # where nothing is left to spoil
                spoil_photo(connection, *json_at)
        for statement in statements:
            with suppress(sqlite3.Error):
                connection.executescript(statement)
        with suppress(sqlite3.Error):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def spoil_photo(connection: sqlite3.Connection, where: int, depth: int, value: Any) -> None:
    """Change something that is told of a photo."""
    column = ("draft", "reading")[where % 2]
    (kept,) = connection.execute(f"SELECT {column} FROM photos").fetchone()
    inside = told = json.loads(kept)
    for step in range(depth % 5):
        keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        key = keys[(where // 2 + step) % len(keys)]
        if not isinstance(inside[key], (dict, list)) or not inside[key]:
            break
        inside = inside[key]
    keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
    inside[keys[where // 7 % len(keys)]] = value
    connection.execute(f"UPDATE photos SET {column} = ?", [json.dumps(told)])
