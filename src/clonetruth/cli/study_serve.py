"""`clonetruth study serve`: judging in a browser."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clonetruth.cli.output import show_warning
from clonetruth.cli.study_judges import votes_option
from clonetruth.errors import MissingExtraError

if TYPE_CHECKING:
    from markupsafe import Markup

    from clonetruth.studies.web import CodeText, PageStyle, TableCell, TableColumn

# Drawn fragments that are kept: with their HTML, some 50 MB at most.
_FRAGMENTS_KEPT = 2_048
_KEPT_CHARACTERS = 10_000


@click.command()
@click.argument("folder", metavar="STUDY", type=click.Path(path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", default=8765, show_default=True, help="The port; 0 for any that is free.")
@votes_option
def serve(folder: Path, host: str, port: int, url: str | None) -> None:
    """Put a study before its judges, in a browser.

    Judges come by their personal links (`clonetruth study invite`). Every vote is on disk before the page goes on.
    Ctrl-C ends the server; one that is started again goes on where it was.
    """
    from clonetruth.store.study import read_study
    from clonetruth.store.votes import open_ballots

    try:
        from clonetruth.studies.web import create_app, is_loopback
        from clonetruth.studies.web import serve as serve_app
    except ImportError as error:
        raise MissingExtraError.extra("Judging in a browser", "web") from error
    study = read_study(folder)
    if not is_loopback(host):
        show_warning(
            f"everybody who can reach {host} can reach these pages, and links travel unencrypted. "
            "Put a server with https in front of them."
        )
    with open_ballots(folder, url) as ballots:
        app = create_app(study, ballots, report_look())

        def ready(address: str) -> None:
            invited = len(ballots.judges())
            click.echo(f"{study.plan.title}: {address}")
            click.echo(f"{invited:,} invited. Ctrl-C ends the server.")
            if not invited:
                click.echo(f"Invite the first judge: clonetruth study invite {folder} NAME --base-url {address}")

        serve_app(app, host, port, ready)
    click.echo("Stopped. All votes are kept.")


def report_look() -> PageStyle:
    """The pages are drawn as reports are."""
    from clonetruth.html import Column, Side, Table, highlight, numbers, side_by_side
    from clonetruth.html.templating import asset
    from clonetruth.studies.web import PageStyle

    kept = lru_cache(_FRAGMENTS_KEPT)(highlight)

    def highlight_once(text: str, language: str | None) -> Markup:
        """A fragment comes again for other judges, and in other views."""
        return (kept if len(text) <= _KEPT_CHARACTERS else highlight)(text, language)

    def difference(left: CodeText, right: CodeText) -> Markup:
        return side_by_side(
            Side(left.text, "Left", left.language or None), Side(right.text, "Right", right.language or None)
        )

    def table(caption: str, columns: Sequence[TableColumn], rows: Sequence[Sequence[TableCell]]) -> Markup:
        return Table([Column(title, kind) for title, kind in columns], rows, caption).__html__()

    return PageStyle(
        highlight=highlight_once,
        difference=difference,
        table=table,
        filters={
            "count": numbers.count,
            "decimal": numbers.decimal,
            "percent": numbers.percent,
            "percent_interval": numbers.percent_interval,
        },
        style=asset("page.css"),
        script=asset("page.js"),
    )
