"""`clonetruth demo`: the whole story on the embedded benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from clonetruth.cli.output import json_option, progress_bar, show, show_json

if TYPE_CHECKING:
    from clonetruth.store.results import Measurement


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

    Opens the benchmark that comes with clonetruth, classifies all its pairs, evaluates two simple detectors on them,
    trains one under four views, finds the clones of its sources, and writes a page for each.
    """
    from clonetruth.cli.demo_pipeline import tell

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
    )
    for name, found in facts["detectors"].items():
        numbers = ", ".join(f"{metric} {_share(one)}" for metric, one in found.items())
        show(f"As a detector on all pairs, [bold]{name}[/bold] has {numbers}.")
    found = ", ".join(f"{view} {_share(one)}" for view, one in facts["views"].items() if one is not None)
    show(
        f"A learned detector, [bold]{facts['learner']}[/bold], by what it was trained on (F1): {found}.",
        f"“clonetruth find” sees [bold]{facts['clone_classes']}[/bold] clone classes in its sources; in "
        f"{facts['clone_classes_with_near_misses']} of them a member only looks like a copy.",
        f"Detectors in full: {facts['evaluation']}",
        f"Views in full: {facts['matrix']}",
        f"Clones in full: {facts['clones_page']}",
        f"Look at it: {story.page}",
    )


def _share(one: Measurement) -> str:
    from clonetruth.html.numbers import percent, percent_interval

    interval = "" if one.low is None else f" ({percent_interval(one.low, one.high)})"
    return f"{percent(one.value)}{interval}"
