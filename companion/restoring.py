"""``companion backup`` and ``companion restore``: everything into one file, and back.

The file is a zip archive with the journal and the photos that it names; a bare copy of the
journal, as is made by itself, can be restored as well. What is restored is looked through first,
as if a stranger had sent it, and what was there before is kept.
"""

from __future__ import annotations

import contextlib
import lzma
import os
import shutil
import sqlite3
import zipfile
import zlib
from datetime import datetime
from pathlib import Path
from typing import IO

from companion import backups, journalfile, vetting, witness
from companion.game import Game
from companion.journal import Journal
from companion.durable import make_folder, sync_folder
from companion.errors import JournalTrouble, Trouble
from companion.journalfile import BEFORE, COPIES, Damaged, alone
from companion.names import folded
from companion.photos import LONGEST, PhotoStore, is_id
from companion.shelf import CHECKED
from companion.vision.headers import header_of, is_bare

JOURNAL, PHOTOS = "journal.db", "photos"
"""What they are called, in the data folder and in the archive."""
MOST_JOURNAL, MOST_PHOTO = 1 << 30, 64 << 20
"""Bytes of a journal and of a photo at most; a thousand evenings are a hundredth of the first."""
_BLOCK = 1 << 20


def backup_command(folder: Path, target: Path) -> str:
    """Write journal and photos of a data folder into a new file; what to print about it.

    Works beside a running companion. Raises Trouble, a sentence; then no file is left.
    """
    source = folder / JOURNAL
    if not source.exists():
        raise Trouble(f"There are no games in {folder}: name the right folder with --data.")
    if target.exists():
        raise Trouble(f"{target} is there already: name a new file.")
    copied, unborn = (target.with_name(f"{target.name}.{end}") for end in ("journal", "new"))
    try:
        backups.copy(source, copied)
        photos = _photos_of(copied)
        there = [photo for photo in photos if _photo(folder, photo).is_file()]
        with open(unborn, "xb", opener=_private) as made, zipfile.ZipFile(made, "w") as archive:
            archive.write(copied, JOURNAL, zipfile.ZIP_DEFLATED)
            for photo in there:
                archive.write(_photo(folder, photo), f"{PHOTOS}/{photo}.jpg")
        with unborn.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(unborn, target)
        sync_folder(target.absolute().parent)
    except OSError as error:
        if isinstance(error, Trouble):
            raise
        raise Trouble(
            f"The backup {target} cannot be written ({error.strerror or error}): "
            "name a place on a disk with room that this user may write to."
        ) from error
    finally:
        for left in (copied, unborn):
            with contextlib.suppress(OSError):
                left.unlink(missing_ok=True)
    missing = len(photos) - len(there)
    gone = f" Gone before: {_counted(missing)}." if missing else ""
    return f"Games and {_counted(len(there))} are in {target}.{gone}"


def _counted(photos: int) -> str:
    return "1 photo" if photos == 1 else f"{photos} photos"


def restore_command(folder: Path, source: Path) -> str:
    """Put a backup in the place of what a data folder holds; what to print about it.

    What was there before is kept in the folder of the backups. Raises Trouble, a sentence, when
    the companion runs, the file is no whole backup or the disk refuses; then the games stay.
    """
    with alone(folder):
        return _restored(folder, source)


def _restored(folder: Path, source: Path) -> str:
    unborn = folder / f"{JOURNAL}.restored"
    try:
        with contextlib.ExitStack() as stack:
            archive = _opened(source, stack)
            _take_journal(archive, source, unborn)
            photos = _checked(unborn, source)
            taken = None if archive is None else _take_photos(archive, photos, folder)
        before = _keep_present(folder)
        witness.forget(folder / JOURNAL)
        os.replace(unborn, folder / JOURNAL)
        sync_folder(folder)
    except OSError as error:
        if isinstance(error, Trouble):
            raise
        raise Trouble(
            f"The backup cannot be restored ({error.strerror or error}): free some space in "
            f"{folder} and allow writing to it; the games that were there still are."
        ) from error
    finally:
        for left in folder.glob(f"{unborn.name}*"):
            with contextlib.suppress(OSError):
                left.unlink()
    told = f"Restored from {source}" + ("." if taken is None else f", with {_counted(taken)}.")
    return f"{told} What was there before is kept as {before}." if before else told


def _opened(source: Path, stack: contextlib.ExitStack) -> zipfile.ZipFile | None:
    """The backup as an archive; None for a bare journal."""
    if not source.is_file():
        raise Trouble(f"There is no file {source}: name a backup.")
    if not zipfile.is_zipfile(source):
        return None
    try:
        return stack.enter_context(zipfile.ZipFile(source))
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise _no_backup(source, str(error)) from error


def _no_backup(source: Path, why: str) -> Trouble:
    return Trouble(f"{source} cannot be restored, because it {why}: choose another backup.")


def _take_journal(archive: zipfile.ZipFile | None, source: Path, unborn: Path) -> None:
    """The backup's journal as a file of its own, never the backup itself."""
    for end in ("", "-wal", "-shm"):
        Path(f"{unborn}{end}").unlink(missing_ok=True)
    if archive is None:
        if source.stat().st_size > MOST_JOURNAL:
            raise _no_backup(source, "is far too large")
        unborn.touch(mode=0o600)
        (backups.copy(source, unborn) if _is_sqlite(source) else shutil.copyfile(source, unborn))
    elif not _extract(archive, JOURNAL, unborn, MOST_JOURNAL):
        raise _no_backup(source, "holds no whole journal")
    unborn.chmod(0o600)


def _is_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def _extract(archive: zipfile.ZipFile, name: str, target: Path, most: int) -> bool:
    """Write one member to a file of ours, durably; False when it is missing, damaged or too large.

    The size is counted as it comes, since an archive can lie about it.
    """
    try:
        member = archive.open(name)
    except OSError:  # where an archive that lies about its places leads to
        return False
    except (KeyError, zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError):
        return False
    try:
        with member, open(target, "xb", opener=_private) as file:
            whole = _poured(member, file, most)
            file.flush()
            os.fsync(file.fileno())
    except (
        KeyError,
        zipfile.BadZipFile,
        NotImplementedError,
        RuntimeError,
        EOFError,
        ValueError,
        zlib.error,
        lzma.LZMAError,
    ):
        whole = False
    except OSError as error:
        target.unlink(missing_ok=True)
        if error.errno is not None:
            raise
        whole = False  # a damaged stream, as bz2 tells it
    if not whole:
        target.unlink(missing_ok=True)
    return whole


def _private(path: str, flags: int) -> int:
    """Open a new file that only this user may read."""
    return os.open(path, flags, 0o600)


def _poured(member: IO[bytes], file: IO[bytes], most: int) -> bool:
    written = 0
    while block := member.read(_BLOCK):
        written += len(block)
        if written > most:
            return False
        file.write(block)
    return True


def _checked(unborn: Path, source: Path) -> list[str]:
    """The photos that a journal names, once it was found whole and would start."""
    try:
        vetting.check_tables(unborn)
        with Unborn(unborn) as journal:
            return _tried(journal)
    except Damaged as damage:
        raise _no_backup(source, str(damage)) from damage
    except sqlite3.Error as error:
        raise _no_backup(source, f"cannot be read ({error})") from error


class Unborn(Journal):
    """A journal that is only looked through: what would be set aside raises Damaged, with why."""

    def _open(self) -> sqlite3.Connection:
        return journalfile.open_file(self.path)

    def set_aside(self, why: str) -> None:
        """Refuse it in the place of beginning anew."""
        raise Damaged(why)


def _tried(journal: Journal) -> list[str]:
    """Start with it as the companion would, read all that its pages read, and leave one file.

    Gives the photos that it names. Raises Damaged for what would be set aside then, or break a
    page.
    """
    try:
        # that its past was played through is not for a stranger to say
        journal.run("DELETE FROM choices WHERE name = ?", (CHECKED,))
        with Game(journal) as game:
            game.kept()
            game.house_rules.all()
            for person in journal.remembered():
                folded(person.name)
                int(person.colour)
            photos = PhotoStore(journal.path.parent / PHOTOS, journal)
            named = [photo.id for photo in photos.kept()]
            if not all(map(is_id, named)):
                raise Damaged("names photos that cannot be")
            vetting.check_photos(filter(None, map(photos.get, named)))
            journal.run("PRAGMA journal_mode = DELETE")
            return named
    except Damaged:
        raise
    except Exception as error:  # whatever a stranger put there must not break a page later
        raise Damaged(f"holds what cannot be read ({type(error).__name__})") from error


def _photos_of(journal: Path) -> list[str]:
    with contextlib.closing(sqlite3.connect(backups.reading(journal), uri=True)) as connection:
        return [row[0] for row in connection.execute("SELECT id FROM photos") if is_id(row[0])]


def _photo(folder: Path, photo: str) -> Path:
    return folder / PHOTOS / f"{photo}.jpg"


def _take_photos(archive: zipfile.ZipFile, photos: list[str], folder: Path) -> int:
    """Those photos of the journal that the archive has; one that is there already stays."""
    make_folder(folder / PHOTOS)
    there = {photo for photo in photos if _photo(folder, photo).exists()}
    taken: list[Path] = []
    try:
        for photo in sorted(set(photos) - there):
            target = _photo(folder, photo)
            if _take_photo(archive, photo, target):
                taken.append(target)
        sync_folder(folder / PHOTOS)
    except OSError:
        for target in taken:  # so that a disk that was too small is as it was
            target.unlink(missing_ok=True)
        raise
    return len(there) + len(taken)


def _take_photo(archive: zipfile.ZipFile, photo: str, target: Path) -> bool:
    """One photo, if the archive has it and it is one."""
    unborn = target.with_suffix(".new")
    unborn.unlink(missing_ok=True)
    if not _extract(archive, f"{PHOTOS}/{photo}.jpg", unborn, MOST_PHOTO):
        return False
    is_ours = _is_photo(unborn.read_bytes())
    if is_ours:
        os.replace(unborn, target)
    unborn.unlink(missing_ok=True)
    return is_ours


def _is_photo(data: bytes) -> bool:
    """Whether this is a photo as we store them: its picture only, and not too large to decode."""
    header = header_of(data)
    fits = header is not None and 0 < max(header.width, header.height) <= LONGEST
    return fits and is_bare(data)


def _keep_present(folder: Path) -> Path | None:
    """Keep a copy of the games that are there, and empty their log into their file.

    A file that cannot be trusted is set aside instead; None where there is none at all.
    """
    present, now = folder / JOURNAL, datetime.now().strftime("%Y%m%d-%H%M%S")
    if not present.exists():
        return None
    kept, number = folder / COPIES / f"{BEFORE}-{now}.db", 1
    while kept.exists():
        number += 1
        kept = kept.with_name(f"{BEFORE}-{now}-{number}.db")
    try:
        make_folder(kept.parent)
        with contextlib.closing(journalfile.open_file(present)) as connection:
            backups.copy(present, kept)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except Damaged as damage:
        journalfile.set_aside(present, str(damage))
        return folder
    if Path(f"{present}-wal").exists():
        raise JournalTrouble(f"Another program holds {present}: close it and try again.")
    return kept
