"""`clonetruth detectors`: who predicts."""

from __future__ import annotations

import click

from clonetruth.cli.output import json_option, show_json, show_table


@click.command()
@json_option
def detectors(as_json: bool) -> None:
    """The detectors that `clonetruth evaluate --detector NAME` runs, and those that `clonetruth train NAME` trains."""
    from clonetruth.detectors import DETECTORS, LEARNERS

    ready = {name: DETECTORS[name] for name in DETECTORS}
    learned = {name: LEARNERS[name] for name in LEARNERS}
    if as_json:
        rows = [
            {"name": name, "description": one.description, "default_threshold": one.default_threshold, "learned": False}
            for name, one in ready.items()
        ]
        rows += [
            {"name": name, "description": one.description, "default_threshold": None, "learned": True}
            for name, one in learned.items()
        ]
        show_json(rows)
        return
    show_table(
        "Detectors",
        ("name", "threshold", "what it does"),
        [(name, f"{one.default_threshold}", one.description) for name, one in ready.items()],
    )
    show_table(
        "To be trained",
        ("name", "threshold", "what it does"),
        [(name, "from validation", one.description) for name, one in learned.items()],
    )
