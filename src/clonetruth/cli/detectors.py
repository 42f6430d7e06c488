"""`clonetruth detectors`: who predicts."""

from __future__ import annotations

import click

from clonetruth.cli.output import json_option, show_json, show_table


@click.command()
@json_option
def detectors(as_json: bool) -> None:
    """The detectors that `clonetruth evaluate --detector NAME` runs."""
    from clonetruth.detectors import DETECTORS

    found = {name: DETECTORS[name] for name in DETECTORS}
    if as_json:
        rows = [
            {"name": name, "description": one.description, "default_threshold": one.default_threshold}
            for name, one in found.items()
        ]
        show_json(rows)
        return
    show_table(
        "Detectors",
        ("name", "threshold", "what it does"),
        [(name, f"{one.default_threshold}", one.description) for name, one in found.items()],
    )
