"""`clonetruth detectors`: list all detectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clonetruth.cli.output import show_json, show_table
from clonetruth.cli.verb import verb_command
from clonetruth.options.detectors import DetectorsOptions

if TYPE_CHECKING:
    from clonetruth.training import ListedDetector


@verb_command(DetectorsOptions)
def detectors(options: DetectorsOptions) -> None:
    """Print the list."""
    from clonetruth.training import list_detectors

    listed = list_detectors(options)
    if options.json:
        show_json(listed)
        return
    show_table(
        "Detectors",
        ("name", "threshold", "finds", "parameters", "what it does"),
        [
            (one.name, one.default_threshold, "yes" if one.finds else "–", _parameters(one), one.description)
            for one in listed
            if one.kind == "detector"
        ],
    )
    show_table(
        "Detectors to be trained",
        ("name", "threshold", "options", "what it does"),
        [
            (one.name, "from validation", ", ".join(one.parameters) or "–", one.description)
            for one in listed
            if one.kind == "learner"
        ],
    )
    show_table(
        "External tools",
        ("name", "installed", "parameters", "what it does"),
        [
            (one.name, one.program or "missing", _parameters(one), one.description)
            for one in listed
            if one.kind == "tool"
        ],
    )


def _parameters(one: ListedDetector) -> str:
    return "; ".join(f"{name}={'|'.join(values)}" for name, values in one.parameters.items()) or "–"
