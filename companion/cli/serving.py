"""``companion serve``: everything opened once, served until told to stop, and closed again."""

from __future__ import annotations

import logging
import os
import secrets
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from companion import config, heldby
from companion.cli.options import PICTURES, data_option, in_full, setting, wiring
from companion.durable import write_whole
from companion.errors import Trouble
from companion.game import Game
from companion.journal import Journal
from companion.journalfile import COPIES, alone


@click.command()
@setting("host")
@setting("port")
@setting("name")
@data_option
@setting("camera")
@setting("lights")
def serve(data: str | None, **flags: str | None) -> None:
    """Start the companion and print the address for the tablets."""
    folder = config.data_folder(data)
    told = config.settings(folder, flags)
    with ExitStack() as stack:
        stack.enter_context(alone(folder))
        heldby.note(folder, told["host"], told["port"])
        _serve(folder, told, stack)
    _leave()


def _leave() -> None:
    """End the process now that everything is closed.

    A driver or decoder that is still busy in a thread of its own would hold up a slower end, or
    abort it.
    """
    logging.shutdown()
    sys.stdout.flush()
    os._exit(0)


def _serve(folder: Path, told: dict[str, Any], stack: ExitStack) -> None:
    """Open everything once, serve until told to stop, and close it all again."""
    from companion.asking import answers
    from companion.backups import Backups
    from companion.darkroom import Darkroom
    from companion.keepsakes import Keepsakes
    from companion.keyfile import FILE, TableKey
    from companion.notify import Heart, watched
    from companion.ownnames import own_names
    from companion.photos import PhotoStore
    from companion.pressing import Pressing
    from companion.report import report
    from companion.sweeping import PhotoSweeper
    from companion.vision.read import Reader
    from companion.watch import Watch
    from companion.web import WebSettings, create_app, serving
    from companion.web.rounds import round_key
    from companion.web.seen import keeper
    from companion.whereabouts import Whereabouts
    from hardware.buttons import Buttons
    from hardware.camera import open_camera, simulated_table
    from hardware.lights import TrainLights
    from hardware.power import open_power
    from hardware.simulator import Simulator

    serving.few_pools()
    key = TableKey(folder / FILE)
    pins, button_pins = wiring(told)
    journal = Journal.open(folder / "journal.db")
    game = stack.enter_context(Game(journal))
    power = open_power()
    lights = stack.enter_context(TrainLights(pins, told["lights"]))
    game.listen(lambda table: lights.show(report(table)))
    buttons = stack.enter_context(Buttons(button_pins, Pressing(game, power)))
    camera = open_camera(told["camera"], Simulator, pictures=folder / PICTURES)
    stack.enter_context(camera)
    if (simulator := simulated_table(camera)) is not None:
        follow = simulator.follow
        game.listen(lambda table: follow(report(table)))
    reader = Reader()
    where = Whereabouts(game, config.hub_centre(told["hub"]))
    watch = Watch(
        camera,
        reader,
        highest=where.highest,
        agree=told["agree"],
        pace=1 / told["pace"],
        layout=where.layout,
        view=where.view,
        seats=where.seats,
        markers=where.markers,
        at_rest=reader.let_go,
    )
    keepsakes = Keepsakes(folder / "seen")
    watch.listen(keeper(lambda: game.table, keepsakes))
    stack.enter_context(watch)
    backups = stack.enter_context(Backups(game, journal.path, folder / COPIES))
    photos = PhotoStore(folder / "photos", journal)
    photos.sweep()
    stack.enter_context(PhotoSweeper(game, photos, round_key))
    address = serving.address(told["host"], told["port"])
    darkroom = stack.enter_context(Darkroom())
    app = create_app(
        game,
        reader=reader,
        darkroom=darkroom,
        lights=lights,
        watch=watch,
        simulator=lambda: simulated_table(camera),
        buttons=buttons,
        power=power,
        photos=photos,
        people=journal,
        keepsakes=keepsakes,
        key=key,
        notices=(lambda: backups.notice,),
        settings=WebSettings(
            secret=_secret(folder / "secret"),
            upload_limit=told["upload"] * 1024 * 1024,
            streams=told["streams"],
            address=address,
            best_train=told["best_train"] == "on",
            names=own_names(told["name"]),
        ),
    )
    for line in (camera.why, lights.trouble, buttons.trouble, game.notice):
        if line:
            click.echo(line)
    host, port = told["host"], told["port"]
    heart = stack.enter_context(Heart(lambda: game.ready() and answers(host, port), watched()))

    def ready() -> None:
        here = serving.spot(host, port)
        serving.announce(address, key.key, here=here, codes=in_full("key", folder))
        heart.begin()

    def stop() -> None:
        heart.end()
        darkroom.close()

    serving.serve(app, host, port, on_ready=ready, on_stop=stop)


def _secret(path: Path) -> str:
    """The installation's own secret, made at the first start and readable by nobody else."""
    try:
        return path.read_text(encoding="ascii").strip() or _new_secret(path)
    except FileNotFoundError:
        return _new_secret(path)
    except ValueError:
        raise Trouble(f"{path} is damaged: remove it, a new one is made.") from None


def _new_secret(path: Path) -> str:
    secret = secrets.token_hex(32)
    write_whole(path, secret.encode("ascii"))
    return secret
