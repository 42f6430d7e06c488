"""How `clonetruth evaluate` was called, and what the library is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clonetruth.evaluate.locations.evaluation import LocationOptions
    from clonetruth.evaluate.pairs.options import PairsOptions


@dataclass(frozen=True)
class EvaluateCall:
    """The options of the command, as it was called."""

    reports: tuple[Path, ...]
    on: Path | None
    answers: Path | None
    detectors: tuple[str, ...]
    names: tuple[str, ...]
    reader: str | None
    together: bool
    root: str | None
    strict: bool
    behaviour: str
    matcher: str
    min_lines: int | None
    max_lines: int | None
    min_pretty_lines: int | None
    max_pretty_lines: int | None
    min_tokens: int | None
    max_tokens: int | None
    min_judges: int | None
    min_confidence: int | None
    min_similarity: int
    similarity: str
    policy: str
    criterion: str | None
    part: str | None
    view: str | None
    validation: Path | None
    threshold: float | None
    threshold_metric: str
    missing: str
    correction: str | None
    judged: Path | None
    seed: int
    study: Path | None
    margin: float
    output: Path | None
    page: Path | None
    layout: str
    engine: str | None
    memory_limit: str | None
    as_json: bool

    def name(self, at: int, default: str) -> str:
        """What the detector at a place is called."""
        return self.names[at] if at < len(self.names) else default

    def location_options(self) -> LocationOptions:
        """What to look for in reports, and what counts as found."""
        from clonetruth.evaluate.locations.evaluation import LocationOptions
        from clonetruth.evaluate.locations.matchers import parse_matcher
        from clonetruth.evaluate.locations.selection import Behaviour, Selection, SimilarityType

        return LocationOptions(
            selection=Selection(
                min_lines=self.min_lines,
                max_lines=self.max_lines,
                min_pretty_lines=self.min_pretty_lines,
                max_pretty_lines=self.max_pretty_lines,
                min_tokens=self.min_tokens,
                max_tokens=self.max_tokens,
                min_judges=self.min_judges,
                min_confidence=self.min_confidence,
                min_similarity=self.min_similarity,
                similarity=SimilarityType(self.similarity),
            ),
            matcher=parse_matcher(self.matcher),
            behaviour=Behaviour(self.behaviour),
        )

    def pair_options(self) -> PairsOptions:
        """How predictions for pairs are measured."""
        from clonetruth.code import available_cores
        from clonetruth.evaluate.pairs.options import Missing, PairsOptions

        return PairsOptions(
            policy=self.policy,
            criterion=self.criterion,
            part=self.part,
            view=self.view,
            missing=Missing(self.missing),
            threshold=self.threshold,
            threshold_metric=self.threshold_metric,
            seed=self.seed,
            processes=available_cores(),
        )
