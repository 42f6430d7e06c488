"""The command line: parse, call the library, print. One file for each group of verbs."""

from __future__ import annotations

import os
import sys

import click

from clonetruth import __version__
from clonetruth.cli.audit import audit
from clonetruth.cli.benchmarks import classify, info, sql, verdicts
from clonetruth.cli.build import build
from clonetruth.cli.claims import claim, leaderboard
from clonetruth.cli.code import code
from clonetruth.cli.compare import compare
from clonetruth.cli.demo import demo
from clonetruth.cli.detectors import detectors
from clonetruth.cli.evaluate import evaluate
from clonetruth.cli.export import export
from clonetruth.cli.find import find
from clonetruth.cli.learning import predict, train
from clonetruth.cli.matrix import matrix
from clonetruth.cli.output import show_error
from clonetruth.cli.report import report
from clonetruth.cli.sources import import_, sources
from clonetruth.cli.split import split
from clonetruth.cli.startup import start_arrow_without_pandas
from clonetruth.cli.study import study
from clonetruth.cli.tools import run_tool
from clonetruth.errors import CloneTruthError


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="clonetruth")
def cli() -> None:
    """Know whether two pieces of code really do the same thing, and whether the tools that claim to know are right."""
    start_arrow_without_pandas()


for command in (
    demo,
    find,
    compare,
    sources,
    import_,
    export,
    info,
    classify,
    audit,
    split,
    study,
    build,
    detectors,
    run_tool,
    train,
    predict,
    evaluate,
    matrix,
    claim,
    leaderboard,
    report,
    verdicts,
    sql,
    code,
):
    cli.add_command(command)


def main() -> None:
    """The entry point: errors that a user can mend are shown in words, with a stable exit code."""
    try:
        # What a command gives to `Context.exit` comes back as the result: 1 is "ran, and found something".
        sys.exit(cli(standalone_mode=False))
    except CloneTruthError as error:
        show_error(error)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped.", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output went away (`| head`): not an error, and nothing more can be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
