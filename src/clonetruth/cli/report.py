"""`clonetruth report`: results as a page that a person can read."""

from __future__ import annotations

from pathlib import Path

import click

from clonetruth.cli.output import show
from clonetruth.cli.results import given_result


@click.command()
@click.argument("results", metavar="RESULT…", nargs=-1, required=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The page: one HTML file.")
def report(results: tuple[str, ...], output: Path) -> None:
    """Results as a page to read.

    RESULT is a file that `clonetruth evaluate` wrote, or a text report of BigCloneEval, plain or compressed;
    NAME=FILE gives the detector another name. Several results are compared first; those of different revisions,
    policies or settings stand apart.
    """
    from clonetruth.html import write
    from clonetruth.report.evaluation import evaluation_page

    page = write(evaluation_page([given_result(text) for text in results]), output)
    show(f"Look at it: {page}")
