"""Commands about games: replayed, their rules, the best train, backups."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Literal

import click

from companion import config
from companion.cli.options import data_option
from companion.errors import Trouble
from companion.plain import plain


@click.command()
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
    click.echo(plain(json.dumps(table, ensure_ascii=False) if as_json else say_table(table)))
    sys.exit(1 if "refused" in table else 0)


@click.command()
@click.option("--rules", default="classic", show_default=True, help="classic, thirteen or hub.")
@click.option("--switch", "switches", multiple=True, help="A house rule, as name=value.")
def rules(rules: str, switches: tuple[str, ...]) -> None:
    """Print the rule card of a table."""
    from companion.carding import rules_command

    click.echo(plain(rules_command(rules, switches)))


@click.command("best-train")
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


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@data_option
def backup(file: Path, data: str | None) -> None:
    """Write all games and photos into one new file, also while the companion runs."""
    from companion.restoring import backup_command

    click.echo(plain(backup_command(config.data_folder(data), file)))


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@data_option
def restore(file: Path, data: str | None) -> None:
    """Bring a backup's games and photos back; those that are there now are kept aside."""
    from companion.restoring import restore_command

    click.echo(plain(restore_command(config.data_folder(data), file)))
