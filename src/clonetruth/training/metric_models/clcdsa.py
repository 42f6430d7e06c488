"""`clcdsa`: nine metrics that all languages have, after Nafi et al. (“CLCDSA: Cross Language Code Clone Detection using
Syntactical Features and API Documentation”, ASE 2019). `docs/paper-models.md` says what the paper leaves open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clonetruth.code import Language
from clonetruth.errors import InputError
from clonetruth.options.declaration import option
from clonetruth.training.metric_models.call_links import call_links, documentation_digest
from clonetruth.training.metric_models.filter_options import FilterOptions
from clonetruth.training.metric_models.measured import MeasuredFragment, measure
from clonetruth.training.neural import NetworkLearner

if TYPE_CHECKING:
    from clonetruth.training.metric_models.network import MetricNetwork

METRICS = ("vdec", "nopr", "noa", "nexp", "nand", "loop", "exct", "excr", "comp")
"""Variables, operators, arguments, expressions, operands, loops, exceptions thrown and handled, complexity."""


@dataclass(frozen=True, kw_only=True)
class ClcdsaOptions(FilterOptions):
    """The options of `clcdsa`."""

    size: float = option(0.0, minimum=0, maximum=1, help="Least ratio of the sizes of a pair; 0 for no filter.")
    actions: float = option(0.1, minimum=0, maximum=1, help="Least share of common actions; 0 for no filter.")
    width: int = option(64, minimum=1, help="Width of a layer.")
    layers: int = option(3, minimum=1, help="Layers of each side.")
    names: str = option(
        "parts",
        choices=("parts", "whole"),
        help="Compare calls by the parts of their names, so that readLine and read_line agree, or whole.",
    )
    documentation: str | None = option(
        None,
        help="File that links calls across languages: JSON lines with language, call and text (its documentation).",
    )
    linked: float = option(
        0.3, minimum=0, maximum=1, help="Least similarity of the documentation of two calls that count as the same."
    )


def _extract(text: str, language: Language, *, own: ClcdsaOptions) -> MeasuredFragment | None:
    links = None if own.documentation is None else call_links(Path(own.documentation), own.linked)
    return measure(text, language, METRICS, parts=own.names == "parts", links=links)


def _words(readings: Sequence[object], own: ClcdsaOptions) -> tuple[str, ...]:
    """No words; with a documentation, its digest, so that a model is not used with another one."""
    return () if own.documentation is None else (documentation_digest(Path(own.documentation)),)


def _load_network() -> Callable[[tuple[str, ...], Any], MetricNetwork]:
    from clonetruth.training.metric_models.network import MetricNetwork

    def network(words: tuple[str, ...], own: ClcdsaOptions) -> MetricNetwork:
        if words != _words((), own):
            raise InputError(
                "The documentation of calls is not the one that the model was trained with.",
                where=own.documentation or "documentation",
                hint="Give that file, or train the model again.",
            )
        return MetricNetwork(len(METRICS), own)

    return network


CLCDSA = NetworkLearner(
    "clcdsa",
    "A siamese network over nine metrics of pairs with some common calls, across languages (Nafi et al.'s CLCDSA).",
    options_type=ClcdsaOptions,
    extract=_extract,
    words=_words,
    load_network=_load_network,
    paper_threshold=0.5,
)
