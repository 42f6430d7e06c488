"""What the demo made, and the content of its page, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clonetruth.execution import BehaviourComparison
from clonetruth.html.numbers import percent_interval
from clonetruth.html.plots import Region
from clonetruth.model import Fragment
from clonetruth.store.results import Result

TYPE_ORDER = ("T1", "T2", "VST3", "ST3", "MT3", "WT3/T4")
"""Clone types from the most to the least similar."""

TYPE_REGIONS = (Region(0.0, "WT3/T4"), Region(0.5, "MT3"), Region(0.7, "ST3"), Region(0.9, "VST3"))
"""The regions of clone types in the plane of similarities; the smaller similarity decides."""

NO_TYPE = "no textual type"
"""Shown as the type of a pair in different languages."""


@dataclass(frozen=True, repr=False)
class Demo:
    """What the demo made.

    Attributes:
        page: the file of its main page.
        facts: the numbers that the terminal shows, and the files of the other pages.
    """

    page: Path
    facts: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"<Demo: {self.facts['clones']:,} clones of {self.facts['pairs']:,} pairs, page {self.page}>"


@dataclass(frozen=True)
class LivePair:
    """A pair that the demo runs, where there is a sandbox.

    Attributes:
        left: the left code.
        right: the right code.
        behaviour: what running both showed; None if they could not be run.
        problem: why not; empty if they were run.
    """

    left: Fragment
    right: Fragment
    behaviour: BehaviourComparison | None = None
    problem: str = ""


@dataclass(frozen=True)
class DemoPair:
    """A measured pair. Similarities and type are None for a pair in different languages."""

    functionality: str
    left: str
    right: str
    language_left: str
    language_right: str
    similarity_line: float | None
    similarity_token: float | None
    clone_type: str | None
    verdict: str

    @property
    def is_clone(self) -> bool:
        """Whether the verdict is `clone`."""
        return self.verdict == "clone"


@dataclass(frozen=True)
class DemoExample:
    """An example pair with its texts, and one or two sentences that explain it."""

    title: str
    explanation: str
    pair: DemoPair
    left_text: str
    right_text: str


@dataclass(frozen=True)
class DemoFunctionality:
    """A functionality, and how many fragments implement it or nearly do."""

    name: str
    specification: str
    fragments: int
    languages: tuple[str, ...]


@dataclass(frozen=True)
class DemoRate:
    """A share with its 95 % interval; None is unknown."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @property
    def interval(self) -> str:
        """The interval as text; a dash if it is unknown."""
        return percent_interval(self.low, self.high)


@dataclass(frozen=True)
class ThresholdOutcome:
    """The results of "clone if the token similarity reaches the threshold" on the pairs that have a similarity."""

    threshold: float
    tp: int
    fp: int
    fn: int
    tn: int
    precision: DemoRate
    recall: DemoRate
    specificity: DemoRate
    balanced_accuracy: float | None


@dataclass(frozen=True)
class DemoView:
    """The content of the demo's page.

    Attributes:
        benchmark: its name.
        description: what it contains, in one or two sentences.
        policy: the policy of the verdicts, and whose judgements it counts.
        counts: numbers of the benchmark by name.
        functionalities: one row each.
        pairs: all pairs with a verdict of clone or not-clone.
        examples: pairs to show side by side.
        simple: the outcome of a simple threshold.
        best: the outcome of the threshold with the highest balanced accuracy on these very pairs.
        evaluations: results of detectors on these pairs.
        evaluation_page: the file name of the page with all details of the results, in the same folder.
        regions: the clone types in the plane of the similarities.
        manifest: what produced the numbers.
        live: a pair that was run while the demo was made; None for none.
        cards: of detectors on a part of TrueClones.
    """

    benchmark: str
    description: str
    policy: str
    counts: Mapping[str, int]
    functionalities: Sequence[DemoFunctionality]
    pairs: Sequence[DemoPair]
    examples: Sequence[DemoExample]
    simple: ThresholdOutcome
    best: ThresholdOutcome | None = None
    evaluations: Sequence[Result] = ()
    evaluation_page: str | None = None
    regions: Sequence[Region] = field(default=TYPE_REGIONS)
    manifest: Mapping[str, str] | None = None
    live: LivePair | None = None
    cards: Sequence[Result] = ()

    @property
    def clones(self) -> list[DemoPair]:
        """The pairs that behave the same."""
        return [pair for pair in self.pairs if pair.is_clone]

    @property
    def near_misses(self) -> list[DemoPair]:
        """The pairs that do not."""
        return [pair for pair in self.pairs if not pair.is_clone]
