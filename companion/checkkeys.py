"""The line of `companion check` about the files without which the companion does not start: the
table's key, and the secret that signs cookies. Changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion import keyfile
from companion.checkline import Line, bad
from companion.errors import Trouble

SECRET = "secret"  # nosec B105 # a file's name


def keys(folder: Path) -> Iterator[Line]:
    """A line for each that is there and cannot be used; one that is not there is made."""
    for name in (keyfile.FILE, SECRET):
        path = folder / name
        try:
            if name == SECRET:
                path.read_text(encoding="ascii")
            else:
                keyfile.whole(path)
        except FileNotFoundError:
            continue
        except IsADirectoryError:
            yield bad(name, f"{path} is a folder: move it away, then a new one is made.")
        except OSError as error:
            yield bad(
                name,
                f"{path} cannot be read ({error.strerror or error}): run it as the user who owns "
                "that file, or check the disk.",
            )
        except Trouble as trouble:
            yield bad(name, str(trouble))
        except ValueError:
            yield bad(name, f"{path} is damaged: remove it, a new one is made.")
