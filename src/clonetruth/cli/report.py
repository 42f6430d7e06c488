"""`clonetruth report`: results as a page that a person can read."""

from __future__ import annotations

from pathlib import Path

import click

_path = click.Path(path_type=Path)


@click.command()
@click.argument("results", metavar="RESULT...", nargs=-1, required=True, type=_path)
@click.option("-o", "--output", type=_path, required=True, help="The page to write: one HTML file.")
def report(results: tuple[Path, ...], output: Path) -> None:
    """Show results of evaluations on one page.

    RESULT is what `clonetruth evaluate … -o RESULT` wrote. The page is one file that needs nothing but itself. Several
    results are compared first, where they may be: those of another benchmark revision, policy or setting
    stand apart.
    """
    from clonetruth.cli.output import show
    from clonetruth.report import write
    from clonetruth.report.evaluation import evaluation_page
    from clonetruth.store.results import read_result

    page = evaluation_page([read_result(path) for path in results])
    show(f"The page: {write(page, output)}")
