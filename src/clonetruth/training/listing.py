"""The list of all detectors: those that are ready, those that need training, and external tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from clonetruth.detectors import DETECTORS, FAMILIES, FINDERS
from clonetruth.errors import InputError
from clonetruth.options.declaration import verb
from clonetruth.options.detectors import DetectorsOptions
from clonetruth.tools import EXTERNAL_TOOLS, ExternalTool
from clonetruth.training.learner import LEARNERS, options_type
from clonetruth.training.learner_options import permitted


@dataclass(frozen=True)
class ListedDetector:
    """An entry of the list of detectors.

    Attributes:
        name: the registry name.
        kind: `detector` (ready), `learner` (needs training) or `tool` (external).
        description: what it does, in one sentence.
        default_threshold: the lowest score of a clone; None if it has none.
        finds: whether it finds clones in a source tree.
        parameters: the parameters that a user may set, with their permitted values; of a learner, its own options.
        program: for a tool, the path of its program, None if it is not installed, or why the path is unusable.
    """

    name: str
    kind: str
    description: str
    default_threshold: float | None
    finds: bool
    parameters: Mapping[str, tuple[str, ...]]
    program: str | None = None


@verb(DetectorsOptions)
def list_detectors(options: DetectorsOptions) -> tuple[ListedDetector, ...]:
    """List all detectors: those that are ready, those that need training, and external tools.

    Returns:
        The ready detectors, then the learners, then the external tools.

    Example:
        >>> [one.name for one in clonetruth.list_detectors() if one.kind == "learner"][:4]
        ['mlp', 'linear', 'identifiers', 'semantic']
    """
    return (*_ready(), *_families(), *_learners(), *_tools())


def _ready() -> Iterator[ListedDetector]:
    for name, one in DETECTORS.items():
        parameters = FINDERS[name].parameters if name in FINDERS else {}
        yield ListedDetector(name, "detector", one.description, one.default_threshold, name in FINDERS, parameters)


def _families() -> Iterator[ListedDetector]:
    for name, one in FAMILIES.items():
        yield ListedDetector(f"{name}:{one.target}", "detector", one.description, None, False, one.parameters)


def _learners() -> Iterator[ListedDetector]:
    for name, one in LEARNERS.items():
        parameters = {option.name: (permitted(option),) for option in options_type(one).declared()}
        yield ListedDetector(name, "learner", one.description, None, False, parameters)


def _tools() -> Iterator[ListedDetector]:
    for name, one in EXTERNAL_TOOLS.items():
        parameters = {key: tuple(values) for key, values in one.parameters.items()}
        yield ListedDetector(name, "tool", one.description, one.default_threshold, True, parameters, _program(one))


def _program(tool: ExternalTool) -> str | None:
    try:
        path = tool.program()
    except InputError as error:
        return str(error)
    return None if path is None else str(path)
