"""Commands that look: at photos, at what a camera sees, at a simulated evening."""

from __future__ import annotations

import sys

import click

from companion.cli.options import SETS, setting


@click.command()
@click.argument("photos", nargs=-1, required=True, type=click.Path(readable=False))
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
    """Count the pips on photos, or on all photos in folders and in theirs."""
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


@click.command()
@setting("camera")
@click.option("--area", help="Where to look: x1,y1,...,x4,y4 in pixels, clockwise from top left.")
@click.option("--set", "highest", type=SETS, help="The set the tiles come from.")
@click.option(
    "--agree",
    type=click.IntRange(1, 20),
    help="How many looks must agree; 1 tells every picture (default: 1 for a folder, else 2).",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def watch(
    camera: str | None, area: str | None, highest: str | None, agree: int | None, as_json: bool
) -> None:
    """Tell what a camera sees on the table, look by look."""
    from companion.vision.read import Reader
    from companion.watching import watch_command
    from hardware.camera import open_camera
    from hardware.simulator import Simulator

    spec = camera or "auto"
    with open_camera(spec, Simulator, once=True) as source:
        if spec == "auto":
            click.echo(source.why, err=True)
        watch_command(
            source,
            Reader(),
            click.echo,
            area=area,
            highest=int(highest) if highest else None,
            agree=agree or (1 if spec.startswith("folder:") else 2),
            json_out=as_json,
            pace=0.0 if spec.startswith("folder:") else 1 / 3,
        )


@click.command()
@click.option("--seed", type=int, default=1, show_default=True, help="Which evening.")
@click.option("--rounds", type=click.IntRange(1, 13), default=13, show_default=True)
@click.option("--players", type=click.IntRange(2, 6), help="So many, else as the seed has it.")
@click.option(
    "--speed",
    type=click.FloatRange(min=0),
    default=0.0,
    show_default=True,
    help="Seconds of the evening in one of ours; 0 for as fast as it goes.",
)
def simulate(seed: int, rounds: int, players: int | None, speed: float) -> None:
    """Play a simulated evening before the camera, and tell what was seen of it."""
    if speed and not 0.01 <= speed <= 10_000:
        raise click.BadParameter("choose 0.01 to 10000, or 0.", param_hint="--speed")
    from companion.vision.read import Reader
    from hardware.evening import Evening
    from hardware.simulate import simulate_command

    evening = Evening(seed, rounds=rounds, players=players)
    simulate_command(evening, Reader(), click.echo, speed=speed)
