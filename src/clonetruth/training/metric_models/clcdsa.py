"""`clcdsa`: nine metrics that all languages have, after Nafi et al. (“CLCDSA: Cross Language Code Clone Detection using
Syntactical Features and API Documentation”, ASE 2019). `docs/learned-detectors.md` says what the paper leaves open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clonetruth.code import Language
from clonetruth.options.declaration import option
from clonetruth.training.metric_models.filter_options import FilterOptions
from clonetruth.training.metric_models.measured import MeasuredFragment, measure, no_words
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


def _extract(text: str, language: Language, *, own: ClcdsaOptions) -> MeasuredFragment | None:
    return measure(text, language, METRICS, parts=own.names == "parts")


def _load_network() -> Callable[[tuple[str, ...], Any], MetricNetwork]:
    from clonetruth.training.metric_models.network import MetricNetwork

    return lambda words, own: MetricNetwork(len(METRICS), own)


CLCDSA = NetworkLearner(
    "clcdsa",
    "A siamese network over nine metrics of pairs with some common calls, across languages (Nafi et al.'s CLCDSA).",
    options_type=ClcdsaOptions,
    extract=_extract,
    words=no_words,
    load_network=_load_network,
    paper_threshold=0.5,
)
