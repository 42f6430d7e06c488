"""`clonetruth benchmark`: one card of a detector on TrueClones. Numbers of different strata are never pooled."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable as Callable
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike as PathLike
from pathlib import Path
from typing import Any

import numpy as np

from clonetruth.code import available_cores
from clonetruth.detectors import Detector
from clonetruth.detectors.callables import as_detector
from clonetruth.errors import InputError
from clonetruth.evaluate.pairs.decisions import DecisionRule, decide, given_rule, validated_rule
from clonetruth.evaluate.pairs.detector_scores import (
    LargestFunctionality,
    detector_rule,
    score_pairs,
    scorer,
    seen_in_training,
    without_training_fragments,
)
from clonetruth.evaluate.pairs.evaluation import detector_title
from clonetruth.evaluate.pairs.options import Missing
from clonetruth.evaluate.pairs.pair_set import PairSet, PairSubjects
from clonetruth.evaluate.pairs.strata import measured
from clonetruth.options.benchmark_detector import BenchmarkDetectorOptions
from clonetruth.options.declaration import verb
from clonetruth.parsing import parse_json
from clonetruth.progress import Progress
from clonetruth.sources import trueclones
from clonetruth.sources.trueclones_pairs import PairStratum
from clonetruth.splits import SplitSpec, create_split
from clonetruth.stats.clusters import spread_between
from clonetruth.stats.rates import Bools, Floats, Integers
from clonetruth.store import Benchmark, build_manifest, open_benchmark
from clonetruth.store.results import (
    BenchmarkIdentity,
    Measurement,
    MeasurementGroup,
    PolicyUse,
    Result,
    ResultKind,
    Stratum,
)
from clonetruth.verdicts import judge_verdicts

CARD_METRICS = ("f1", "precision", "recall", "specificity", "roc-auc")
VIEW_NAMES = ("random", "cross-project", "cross-functionality", "cross-all")
MATCHED = "matched-accuracy"
CONFIDENCE = 0.95
_RATIO = (1, 1, 2)
"""Train, valid and test of the views: half of the fragments count, since a card is not about training."""
_SETTING = "trueclones stratum"


@verb(BenchmarkDetectorOptions)
def benchmark_detector(
    options: BenchmarkDetectorOptions, *, batch: bool = False, progress: Progress | None = None
) -> Result:
    """Measure a detector on TrueClones, where every label was executed.

    The headline is the core set, in which each clone is matched with a non-clone of the same similarity, length and
    language: text alone reaches a ROC AUC of 0.5. `strata` has the numbers by language, by pair of languages, by
    difficulty, by stratum and by view. A pair that the detector does not score counts as not a clone, and ranks last.

    Args:
        batch: whether a function scores all pairs at once: `f(fragments, pairs) -> scores`, as in `evaluate_detector`.
        progress: called as the work proceeds.

    Returns:
        The card, as a result that `rank_detectors` takes.

    Raises:
        InputError: the benchmark is not a draw of TrueClones, or the detector cannot be read.
        UnknownNameError: there is no such detector.

    Example:
        >>> card = clonetruth.benchmark_detector("token-similarity")
        >>> 0.45 < card["roc-auc"].value < 0.55
        True
    """
    detector = _resolved(options, batch)
    with _opened(options) as benchmark:
        return _Card(benchmark, detector, options, progress).result()


def _resolved(options: BenchmarkDetectorOptions, batch: bool) -> Detector:
    given: Any = options.detector
    if isinstance(given, str | os.PathLike):
        found = scorer(os.fspath(given), {"device": options.device})
        if isinstance(found, LargestFunctionality):
            raise InputError(f"'{found.name}' reads functionalities, which a detector must not.", where="detector")
        return found
    if callable(getattr(given, "score", None)):
        detector: Detector = given
        return detector
    return as_detector(given, batch=batch)


@contextmanager
def _opened(options: BenchmarkDetectorOptions) -> Iterator[Benchmark]:
    on: Path | Benchmark | None = options.on
    if on is not None:
        yield open_benchmark(on, engine=options.engine, memory_limit=options.memory_limit)
        return
    with tempfile.TemporaryDirectory(prefix="clonetruth-trueclones-") as folder:
        path = Path(folder, "trueclones")
        Benchmark.create(path, trueclones.dataset())
        yield open_benchmark(path, engine=options.engine, memory_limit=options.memory_limit)


def shipped_hash() -> str:
    """The content hash of TrueClones as it ships."""
    with tempfile.TemporaryDirectory(prefix="clonetruth-trueclones-") as folder:
        return Benchmark.create(Path(folder, "trueclones"), trueclones.dataset()).content_hash


@dataclass(frozen=True)
class ExecutedLabels:
    """What the evidence says of each pair, by its row: stratum, difficulty, and the number of its match or -1."""

    stratum: Sequence[str]
    difficulty: Sequence[str | None]
    match: Sequence[int]


def read_labels(benchmark: Benchmark) -> ExecutedLabels:
    """The strata and difficulties of the pairs.

    Raises:
        InputError: the benchmark is not a draw of TrueClones.
    """
    shown: dict[int, Any] = {}
    table = benchmark.table("judgements").select(["judge", "pair", "evidence"])
    for row in table.to_pylist():
        if row["judge"] == trueclones.JUDGE.id and row["pair"] is not None:
            shown[row["pair"]] = parse_json(row["evidence"])
    count = benchmark.counts["pairs"]
    if not count or set(shown) != set(range(count)):
        raise InputError(
            "The benchmark is not a draw of TrueClones: its pairs have no strata.",
            where=benchmark.path,
            hint="`clonetruth import trueclones -o FOLDER` or `clonetruth make run trueclones` makes one.",
        )
    rows = [shown[pair] for pair in range(count)]
    return ExecutedLabels(
        [one["stratum"] for one in rows],
        [one.get("difficulty") for one in rows],
        [one.get("match", -1) for one in rows],
    )


class _Card:
    """One card: the scores are computed once, and measured in groups."""

    def __init__(
        self,
        benchmark: Benchmark,
        detector: Detector,
        options: BenchmarkDetectorOptions,
        progress: Progress | None,
    ) -> None:
        labels = read_labels(benchmark)
        self._benchmark, self._detector, self._options = benchmark, detector, options
        self._warnings: list[str] = []
        self._verdicts = judge_verdicts(benchmark, "default")
        pairs = PairSet(benchmark, self._verdicts).subjects(None)
        pairs = without_training_fragments(benchmark, detector, pairs, self._warnings.append)
        processes = options.processes or available_cores()
        self._pairs = score_pairs(
            benchmark, detector, pairs, processes=processes, progress=progress, warn=self._warnings.append
        )
        self._stratum = np.array(labels.stratum, dtype=object)[self._pairs.pair]
        self._difficulty = np.array(labels.difficulty, dtype=object)[self._pairs.pair]
        self._match = np.array(labels.match, dtype=np.int64)[self._pairs.pair]
        self._rule = detector_rule(detector) if options.threshold is None else given_rule(options.threshold)

    def result(self) -> Result:
        core = self._stratum == PairStratum.CORE
        headline = self._group("core", core)
        if not headline.measurements:
            raise InputError(
                f"'{self._detector.name}' scores no pair of the core set.",
                hint="None and NaN mean that nothing is known of a pair.",
            )
        card, hashes = self._benchmark.card, (self._benchmark.content_hash, self._benchmark.judgements_hash)
        identity = BenchmarkIdentity(card.name, card.version, *hashes)
        title = self._options.name or detector_title(self._detector)
        return Result(
            kind=ResultKind.PAIRS,
            detector=title,
            benchmark=identity,
            policy=PolicyUse(
                self._verdicts.policy,
                self._verdicts.criterion,
                headline.pairs or 0,
                0,
                self._verdicts.assumptions,
            ),
            setting={
                _SETTING: str(PairStratum.CORE),
                "threshold": self._rule.name,
                "missing": str(Missing.NOT_CLONE),
                "confidence": CONFIDENCE,
                "views seed": self._options.seed,
            },
            headline=headline.measurements,
            manifest=build_manifest(
                {
                    "benchmark": self._benchmark.content_hash,
                    "judgements": self._benchmark.judgements_hash,
                    "scores": scores_digest(self._pairs.score),
                },
                {
                    "verb": "benchmark",
                    "detector": title,
                    "threshold": self._rule.threshold,
                    "threshold_rule": self._rule.name,
                    "views_seed": self._options.seed,
                    "draw": self._draw(),
                },
                self._options.seed,
            ),
            strata=tuple(self._strata(core)),
            notes=(self._rule.sentence, *filter(None, [headline.note])),
            warnings=tuple(self._said(core)),
        )

    def _draw(self) -> Any:
        """The seed of a fresh draw; None for TrueClones as it ships."""
        recipe = self._benchmark.recipe
        return None if recipe is None else recipe.parameters.get("seed")

    def _said(self, core: Bools) -> Iterator[str]:
        yield from dict.fromkeys(self._warnings)
        if seen := seen_in_training(self._detector, self._benchmark, None, None):
            yield seen
        if missing := int(np.count_nonzero(np.isnan(self._pairs.score[core]))):
            yield f"{missing:,} pairs of the core set have no score: they count as not clones, and rank last."

    def _strata(self, core: Bools) -> Iterator[Stratum]:
        languages = self._languages()
        across = self._stratum == PairStratum.CROSS_LANGUAGE
        yield Stratum("language", tuple(self._groups(languages, core)), "The core set.")
        yield Stratum("language pair", tuple(self._groups(languages, across)), "Pairs across languages, matched alike.")
        levels = [("easy", "easy"), ("medium", "medium"), ("hard", "hard")]
        yield Stratum(
            "difficulty",
            tuple(self._group(name, core & (self._difficulty == level)) for name, level in levels),
            "The core set, by how often the near miss differs; its matched clone is in the same group.",
        )
        yield Stratum("stratum", tuple(self._group(str(one), self._stratum == one) for one in PairStratum))
        yield Stratum(
            "view",
            tuple(self._view(name) for name in VIEW_NAMES),
            "The core set in the test part; the threshold is chosen on the valid part.",
        )

    def _languages(self) -> np.ndarray[Any, np.dtype[Any]]:
        rows = self._benchmark.table("fragments").sort_by("fragment")["language"].to_pylist()
        names = [
            " – ".join(sorted({rows[left], rows[right]}))
            for left, right in zip(self._pairs.left, self._pairs.right, strict=True)
        ]
        return np.array(names, dtype=object)

    def _groups(self, names: np.ndarray[Any, np.dtype[Any]], among: Bools) -> Iterator[MeasurementGroup]:
        for name in sorted(set(names[among])):
            yield self._group(name, among & (names == name))

    def _group(self, name: str, rows: Bools) -> MeasurementGroup:
        return _measured_group(name, self._pairs.select(rows), self._match[rows], self._rule)

    def _view(self, view: str) -> MeasurementGroup:
        split = f"trueclones-{view}-{self._options.seed}"
        if split not in self._benchmark.names("splits"):
            try:
                create_split(self._benchmark, SplitSpec(view, self._options.seed, _RATIO, label=split))
            except InputError as error:
                return MeasurementGroup(view, (), 0, 0, f"no such split is possible: {error.what}")
        pairs = PairSet(self._benchmark, self._verdicts, split)
        core = self._stratum == PairStratum.CORE
        valid, test = (core & np.isin(self._pairs.pair, pairs.subjects(part).pair) for part in ("valid", "test"))
        rule = validated_rule(self._pairs.select(valid), "f1") if valid.any() else None
        return _measured_group(view, self._pairs.select(test), self._match[test], rule or self._rule)


def _measured_group(name: str, pairs: PairSubjects, match: Integers, rule: DecisionRule) -> MeasurementGroup:
    """The numbers of some pairs; where all are non-clones, only the share of them that is recognised."""
    if not len(pairs):
        return MeasurementGroup(name, (), 0, 0, "no pairs")
    clones = int(np.count_nonzero(pairs.truth))
    if np.isnan(pairs.score).all():
        return MeasurementGroup(name, (), len(pairs), clones, "the detector scores none of these pairs")
    decided = decide(pairs, rule, Missing.NOT_CLONE)
    wanted: tuple[str, ...] = (
        CARD_METRICS if 0 < clones < len(pairs) else ("specificity",) if not clones else ("recall",)
    )
    if not rule.decides:
        wanted = tuple(one for one in wanted if one == "roc-auc")
    note = None if 0 < clones < len(pairs) else "only non-clones" if not clones else "only clones"
    found = measured(decided.outcomes, wanted, CONFIDENCE)
    if 0 < clones < len(pairs):
        found += (matched_accuracy(pairs, match),)
    return MeasurementGroup(name, found, len(pairs), clones, note)


def matched_accuracy(pairs: PairSubjects, match: Integers) -> Measurement:
    """The share of matches in which the clone scores higher than its matched non-clone; a tie counts half.

    This is the sharper question: of two pairs that look alike, which one is the clone? Matches of which a pair is not
    in the group are left out.
    """
    scores = np.where(np.isnan(pairs.score), -np.inf, pairs.score)
    clone = {int(key): at for at, key in enumerate(match) if key >= 0 and pairs.truth[at]}
    other = {int(key): at for at, key in enumerate(match) if key >= 0 and not pairs.truth[at]}
    both = sorted(clone.keys() & other.keys())
    if not both:
        return Measurement(MATCHED, None, n=0, note="no clone with its matched non-clone")
    first, second = (np.array([of[key] for key in both]) for of in (clone, other))
    # Two infinities of the same sign are a tie, which their difference would not say.
    won = (scores[first] > scores[second]) + 0.5 * (scores[first] == scores[second])
    mean, count = float(won.mean()), len(both)
    groups, of_match = np.unique(pairs.cluster[first], return_inverse=True)
    influence: Floats = np.zeros(len(groups))
    np.add.at(influence, of_match, (won - mean) / count)
    spread = spread_between(influence, np.bincount(of_match, minlength=len(groups)).astype(np.float64))
    if spread is None or not spread.variance:
        return Measurement(MATCHED, mean, n=count, note="no interval: functionalities show no spread")
    interval = spread.interval(mean, CONFIDENCE)
    method = f"{CONFIDENCE:.0%}, {spread.in_words('over functionalities')}"
    return Measurement(MATCHED, mean, interval.low, interval.high, float(won.sum()), count, method)


def scores_digest(scores: Floats) -> str:
    """Identifies the scores of all pairs, in their order, to nine digits."""
    text = "\n".join("–" if np.isnan(one) else f"{one:.9g}" for one in scores)
    return hashlib.sha256(text.encode()).hexdigest()
