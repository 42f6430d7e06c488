"""`clonetruth demo`: the whole story on the embedded benchmark."""

from __future__ import annotations

from pathlib import Path

import click

from clonetruth.cli.output import json_option, progress_bar, show, show_json


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("clonetruth-demo"),
    show_default=True,
    help="The folder for the benchmark and the page.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=0.7,
    show_default=True,
    help="The token similarity from which a pair is called a clone.",
)
@json_option
def demo(output: Path, threshold: float, as_json: bool) -> None:
    """See in one page that similar text and the same behaviour are two things.

    Opens the benchmark that comes with clonetruth, classifies all its pairs, and writes a page.
    """
    from clonetruth.cli.story import tell

    with progress_bar() as progress:
        story = tell(output, threshold, progress)
    if as_json:
        show_json(story.facts)
        return
    facts = story.facts
    show(
        f"[bold]{facts['pairs']:,}[/bold] pairs of {facts['fragments']} fragments in {facts['functionalities']} "
        f"functionalities, judged by execution: {facts['clones']} clones, {facts['near_misses']} near misses.",
        f"In one language: clones have a median token similarity of [bold]{facts['median_clone']:.2f}[/bold], "
        f"near misses [bold]{facts['median_near_miss']:.2f}[/bold].",
        f"“Clone if token similarity ≥ {threshold:g}” finds [bold]{facts['found']}[/bold] of "
        f"{facts['clones_in_one_language']} clones, and is wrong in [bold]{facts['wrong_alarms']}[/bold] of "
        f"{facts['alarms']} alarms.",
        f"Look at it: {story.page}",
    )
