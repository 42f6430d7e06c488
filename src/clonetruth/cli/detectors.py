"""`clonetruth detectors`: who predicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import click

from clonetruth.cli.output import json_option, show_json, show_table
from clonetruth.errors import InputError


@dataclass(frozen=True)
class _Listed:
    """A detector as it is listed."""

    name: str
    kind: str
    description: str
    default_threshold: float | None
    finds: bool
    parameters: Mapping[str, tuple[str, ...]]
    program: str | None = None

    @property
    def settings(self) -> str:
        """What a user may set."""
        return "; ".join(f"{name}={'|'.join(values)}" for name, values in self.parameters.items()) or "–"


@click.command()
@json_option
def detectors(as_json: bool) -> None:
    """All detectors: those that are ready, those that are trained first, and the tools of others.

    `clonetruth evaluate --detector NAME` runs one that is ready on given pairs, `clonetruth find --with NAME` one that
    finds clones by itself, or a tool; `clonetruth train NAME` trains one; `clonetruth run-tool NAME` runs a tool.
    """
    ready, learned, tools = list(_ready()), list(_learned()), list(_tools())
    if as_json:
        show_json([*ready, *learned, *tools])
        return
    show_table(
        "Detectors",
        ("name", "threshold", "finds", "parameters", "what it does"),
        [
            (one.name, one.default_threshold, "yes" if one.finds else "–", one.settings, one.description)
            for one in ready
        ],
    )
    show_table(
        "To be trained",
        ("name", "threshold", "what it does"),
        [(one.name, "from validation", one.description) for one in learned],
    )
    show_table(
        "Tools of others",
        ("name", "installed", "parameters", "what it does"),
        [(one.name, one.program or "missing", one.settings, one.description) for one in tools],
    )


def _ready() -> Iterable[_Listed]:
    from clonetruth.detectors import DETECTORS, FINDERS

    for name in DETECTORS:
        one = DETECTORS[name]
        parameters = FINDERS[name].parameters if name in FINDERS else {}
        yield _Listed(name, "detector", one.description, one.default_threshold, name in FINDERS, parameters)


def _learned() -> Iterable[_Listed]:
    from clonetruth.training import LEARNERS

    for name in LEARNERS:
        yield _Listed(name, "learner", LEARNERS[name].description, None, False, {})


def _tools() -> Iterable[_Listed]:
    from clonetruth.tools import EXTERNAL_TOOLS, ExternalTool

    def place(tool: ExternalTool) -> str | None:
        try:
            found = tool.program()
        except InputError as error:
            return str(error)
        return None if found is None else str(found)

    for name in EXTERNAL_TOOLS:
        one = EXTERNAL_TOOLS[name]
        parameters = {key: tuple(values) for key, values in one.parameters.items()}
        yield _Listed(name, "tool", one.description, one.default_threshold, True, parameters, place(one))
