"""The command line: wires the rooms together, and turns troubles into sentences.

The one place that imports ``hardware``. Every error is translated here, once; the commands lie
in the modules beside this one, by what they are for.
"""

from __future__ import annotations

import logging
from typing import Any

import click

from companion.cli.device import check, lamps
from companion.cli.games import backup, best_train, replay, restore, rules
from companion.cli.key import key
from companion.cli.looking import read, simulate, watch
from companion.cli.serving import serve
from companion.errors import Trouble
from companion.plain import OneLine, plain


class Sentences(click.Group):
    """Commands whose troubles end as one sentence and exit status 1, not as a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Trouble as trouble:
            raise click.ClickException(plain(str(trouble))) from None
        except BrokenPipeError:
            raise
        except OSError as error:
            place = f" {error.filename}" if error.filename else ""
            said = f"The machine refused{place} ({error.strerror or error}): put that right first."
            raise click.ClickException(plain(said)) from None


@click.group(cls=Sentences)
@click.version_option(package_name="mexican-train-companion", prog_name="companion")
@click.option("--verbose", is_flag=True, help="Say more about what is going on.")
def main(verbose: bool = False) -> None:
    """The companion of a Mexican Train evening."""
    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.WARNING,
    )
    for handler in logging.getLogger().handlers:
        handler.setFormatter(OneLine("%(asctime)s %(levelname)s %(name)s: %(message)s"))


for command in (serve, read, watch, simulate, replay, rules, best_train, backup, restore):
    main.add_command(command)
for command in (check, key, lamps):
    main.add_command(command)
