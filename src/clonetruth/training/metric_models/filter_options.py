"""The options that `oreo` and `clcdsa` share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from clonetruth.options.declaration import option
from clonetruth.training.learner_options import LearnerOptions


@dataclass(frozen=True, kw_only=True)
class FilterOptions(LearnerOptions):
    """Filters, and the size of the network."""

    default_rate: ClassVar[float] = 0.001
    default_batch: ClassVar[int | None] = 64

    size: float = option(0.6, minimum=0, maximum=1, help="Least ratio of the sizes of a pair; 0 for no filter.")
    actions: float = option(0.55, minimum=0, maximum=1, help="Least share of common actions; 0 for no filter.")
    width: int = option(200, minimum=1, help="Width of a layer.")
    layers: int = option(4, minimum=1, help="Layers of each side.")
    dropout: float = option(0.2, minimum=0, maximum=0.99, help="Share of values that are dropped in training.")
