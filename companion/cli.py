"""The command line: wires the rooms together, and turns troubles into sentences.

The one place that imports ``hardware``. Every error is translated here, once.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from companion import config
from companion.errors import Trouble
from companion.game import Game
from companion.journal import Journal
from companion.journalfile import InUse, alone
from companion.table import Table

Command = TypeVar("Command", bound=Callable[..., Any])

SETS = click.Choice(["6", "9", "12", "15", "18"])


class Sentences(click.Group):
    """Commands whose troubles end as one sentence and exit status 1, not as a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Trouble as trouble:
            raise click.ClickException(str(trouble)) from None
        except BrokenPipeError:
            raise
        except OSError as error:
            place = f" {error.filename}" if error.filename else ""
            said = f"The machine refused{place} ({error.strerror or error}): put that right first."
            raise click.ClickException(said) from None


@click.group(cls=Sentences)
@click.version_option(package_name="mexican-train-companion", prog_name="companion")
@click.option("--verbose", is_flag=True, help="Say more about what is going on.")
def main(verbose: bool = False) -> None:
    """The companion of a Mexican Train evening."""
    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )


def _setting(name: str) -> Callable[[Command], Command]:
    setting = config.SETTINGS[name]
    return click.option(f"--{name}", help=f"{setting.help} (default: {setting.default or 'auto'})")


@main.command()
@_setting("host")
@_setting("port")
@click.option("--data", help="The folder of games and photos.")
@_setting("camera")
@_setting("lights")
def serve(data: str | None, **flags: str | None) -> None:
    """Start the companion and print the address for the tablets."""
    folder = config.data_folder(data)
    told = config.settings(folder, flags)
    with ExitStack() as stack:
        stack.enter_context(alone(folder))
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
    from companion.photos import PhotoStore
    from companion.report import report
    from companion.sweeping import PhotoSweeper
    from companion.vision.read import Reader
    from companion.watch import Watch
    from companion.web import WebSettings, create_app, serving
    from companion.web.rounds import round_key
    from hardware.camera import SimulatedCamera, open_camera
    from hardware.lights import DEFAULT_PINS, TrainLights
    from hardware.simulator import Simulator

    journal = Journal.open(folder / "journal.db")
    game = stack.enter_context(Game(journal))
    pins = config.pins(told["pins"]) or DEFAULT_PINS
    lights = stack.enter_context(TrainLights(pins, told["lights"]))
    game.listen(lambda table: lights.show(report(table)))
    simulator = Simulator() if told["camera"] in ("auto", "simulated") else None
    camera = stack.enter_context(open_camera(told["camera"], simulator))
    if simulator is not None and isinstance(camera, SimulatedCamera):
        follow = simulator.follow
        game.listen(lambda table: follow(report(table)))
    else:
        simulator = None
    reader = Reader()
    watch = Watch(
        camera,
        reader,
        highest=lambda: _set_in_use(game.table),
        agree=told["agree"],
        pace=1 / told["pace"],
        centre=config.hub_centre(told["hub"]),
    )
    stack.enter_context(watch)
    photos = PhotoStore(folder / "photos", journal)
    photos.sweep()
    stack.enter_context(PhotoSweeper(game, photos, round_key))
    where = serving.address(told["host"], told["port"])
    app = create_app(
        game,
        reader=reader,
        lights=lights,
        watch=watch,
        simulator=simulator,
        photos=photos,
        people=journal,
        settings=WebSettings(
            secret=_secret(folder / "secret"),
            upload_limit=told["upload"] * 1024 * 1024,
            streams=told["streams"],
            address=where,
            best_train=told["best_train"] == "on",
        ),
    )
    for line in (camera.why, lights.trouble, game.notice):
        if line:
            click.echo(line)
    serving.serve(app, told["host"], told["port"], on_ready=lambda: serving.announce(where))


def _set_in_use(table: Table) -> int | None:
    """The highest value of the set that is played with; None before the first game."""
    return None if table.state is None else table.state.set.highest


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
    path.touch(mode=0o600)
    path.write_text(secret, encoding="ascii")
    return secret


@main.command()
@click.argument("photos", nargs=-1, required=True, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--set", "highest", type=SETS, help="The set the tiles come from.")
@click.option(
    "--blank",
    type=click.Choice(["0", "25", "50"]),
    default="50",
    show_default=True,
    help="What the 0-0 costs.",
)
@click.option(
    "--overlay",
    type=click.Path(file_okay=False),
    help="A folder for copies of the photos with what was read drawn on them.",
)
def read(
    photos: tuple[str, ...], as_json: bool, highest: str | None, blank: str, overlay: str | None
) -> None:
    """Count the pips on photos, or on all photos in folders."""
    from companion.reading import read_command

    sys.exit(
        read_command(
            list(photos),
            json_out=as_json,
            highest=int(highest) if highest else None,
            double_blank=int(blank),
            overlay_dir=overlay,
        )
    )


@main.command()
@click.argument("evening", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="The whole table as JSON.")
def replay(evening: Path, as_json: bool) -> None:
    """Play a recorded evening, one action a line, and print the table."""
    from companion.replaying import replay_lines, say_table

    try:
        lines = evening.read_bytes().split(b"\n")
    except OSError as error:
        raise Trouble(f"{evening} cannot be read ({error}): name a file of actions.") from None
    table = replay_lines(lines)
    click.echo(json.dumps(table, ensure_ascii=False) if as_json else say_table(table))
    sys.exit(1 if "refused" in table else 0)


@main.command("best-train")
@click.argument("tiles", nargs=-1)
@click.option("--engine", required=True, help="The round's double, like 12-12.")
@click.option(
    "--goal",
    type=click.Choice(["tiles", "pips"]),
    default="tiles",
    show_default=True,
    help="The longest train, or the fewest pips left in hand.",
)
@click.option(
    "--double-rule",
    type=click.Choice(["on", "off"]),
    default="on",
    show_default=True,
    help="On: no train ends on a double while tiles are left.",
)
@click.option("--time-limit", type=float, default=10.0, show_default=True, help="In seconds.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def best_train(
    tiles: tuple[str, ...],
    engine: str,
    goal: Literal["tiles", "pips"],
    double_rule: str,
    time_limit: float,
    as_json: bool,
) -> None:
    """The best opening train from the tiles of a hand."""
    from companion.planning import best_train_command

    click.echo(
        best_train_command(
            tiles,
            engine=engine,
            goal=goal,
            double_rule=double_rule == "on",
            time_limit=time_limit,
            json_out=as_json,
            tell=lambda words: click.echo(words, err=True),
        )
    )


@main.command()
@click.option("--rules", default="classic", show_default=True, help="classic, thirteen or hub.")
@click.option("--switch", "switches", multiple=True, help="A house rule, as name=value.")
def rules(rules: str, switches: tuple[str, ...]) -> None:
    """Print the rule card of a table."""
    from companion.carding import rules_command

    click.echo(rules_command(rules, switches))


@main.command()
@click.option("--walk", is_flag=True, help="Light each lamp in turn, and say which.")
@click.option("--data", help="The folder of games and photos.")
@_setting("lights")
def lamps(walk: bool, data: str | None, **flags: str | None) -> None:
    """Print which lamp hangs on which pin."""
    from companion.lampwalk import say_wires
    from hardware.lights import DEFAULT_PINS
    from hardware.wiring import wires

    folder = config.data_folder(data)
    told = config.settings(folder, flags)
    pins = config.pins(told["pins"]) or DEFAULT_PINS
    if not walk:
        click.echo(say_wires(wires(pins) if told["lights"] != "none" else ()))
        return
    with ExitStack() as stack:
        try:
            if folder.is_dir():
                stack.enter_context(alone(folder))
        except InUse:
            raise Trouble(
                "The companion is running and holds the lamps: walk them from its page "
                "“Camera and lamps”, or stop it first."
            ) from None
        stopped = _walk(pins, told["lights"])
    sys.exit(130 if stopped else 0)


def _walk(pins: tuple[int, ...], mode: Literal["auto", "pi", "none"]) -> bool:
    """Walk the lamps, and put all of them out however that ends; whether it was stopped."""
    from companion.lampwalk import walk_command
    from hardware.lights import TrainLights

    stopped = False
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with TrainLights(pins, mode) as lights:
            walk_command(lights, click.echo)
    except KeyboardInterrupt:
        stopped = True
    finally:
        signal.signal(signal.SIGTERM, before)
    lit = lights.trouble or "A lamp may still be lit: take its power away."
    click.echo("All lamps are off." if lights.dark else lit)
    return stopped
