"""``companion key``: what lets phones, tablets and a television in, and a new key."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from companion import config
from companion.cli.options import data_option, setting
from companion.errors import Trouble

MEANT = (
    ("player", "To play: phones and tablets"),
    ("spectator", "To watch: the television"),
    ("host", "To run the table: settings, deleting, shutting down"),
)


@click.command()
@click.option("--new", is_flag=True, help="Make a new key: every device has to join anew.")
@data_option
@setting("host")
@setting("port")
def key(new: bool, data: str | None, **flags: str | None) -> None:
    """Show what lets other devices in, also while the companion runs."""
    from companion.check import running
    from companion.keyfile import FILE, TableKey
    from companion.web import serving

    folder = config.data_folder(data)
    if not folder.is_dir():
        raise Trouble(
            f"No companion has run with the folder {folder} yet: name the one it runs with by "
            "--data, or start it first."
        )
    told = config.settings(folder, flags)
    runs = running(folder)
    where = _address(folder, flags, told["host"], told["port"], runs)
    made = not os.path.lexists(folder / FILE)
    if made and runs and not new:
        raise Trouble(
            f"{folder / FILE} is gone. Who has joined stays in while the companion runs: bring the "
            "file back, or make a new key with companion key --new, and every device joins anew."
        )
    keys = TableKey(folder / FILE)
    if made and not new:
        click.echo("There was no key yet, so one was made: devices have to join by it.")
    if new:
        keys.renew()
        click.echo("There is a new key: every device has to join anew.")
    for role, words in MEANT:
        click.echo(f"\n{words}\n")
        serving.invite(where, keys.key, role, sys.stdout)
    if serving.only_here(where):
        click.echo("\nThat address serves this machine only, which needs no key.")


def _address(folder: Path, flags: dict[str, str | None], host: str, port: int, runs: bool) -> str:
    """Where devices join: as was asked for, else as the companion that runs here listens."""
    from companion.heldby import noted
    from companion.web import serving

    found = noted(folder) if runs else None
    if found is not None:
        host = found[0] if flags["host"] is None else host
        port = found[1] if flags["port"] is None else port
    elif runs and flags["port"] is None:
        click.echo(
            f"A companion runs here and did not say on which port: if it is not {port}, name it "
            "with --port."
        )
    return serving.address(host, port)
