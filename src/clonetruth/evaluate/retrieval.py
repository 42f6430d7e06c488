"""Clone search: each fragment is a query, and the other fragments of a part are ranked by their scores.

This is CodeXGLUE's task on POJ-104. A fragment is relevant for a query if both implement the same functionality, by the
policy's evidence; nothing needs pairs. Scores come from a detector, from predictions for pairs, or from embeddings.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.audit.texts import digest
from clonetruth.detectors import DETECTORS, Detector
from clonetruth.detectors.search import QueryScores, query_scores
from clonetruth.detectors.semantic import fragment_hash
from clonetruth.errors import InputError
from clonetruth.evaluate.score_metrics import mean_over_queries
from clonetruth.formats.predictions import Predictions
from clonetruth.formats.vectors import Vectors
from clonetruth.progress import Progress, no_progress
from clonetruth.splits import ensure_split
from clonetruth.splits.split_data import hash_order
from clonetruth.stats.rates import Floats, Integers
from clonetruth.stats.retrieval import QueryRanks, rank_queries
from clonetruth.store import Benchmark, build_manifest
from clonetruth.store.results import (
    BenchmarkIdentity,
    Measurement,
    MeasurementGroup,
    PolicyUse,
    Result,
    ResultKind,
    Stratum,
)
from clonetruth.verdicts import find_policy, single_members

MAX_COMPARISONS = 150_000_000
"""With more scores than this, queries are drawn unless their number is given. POJ-104's test part has 144 million."""

BASELINES = ("always-yes", "length")
"""A random order, and how far the length of a text goes."""

_BLOCK = 1_000_000
"""Number of scores that are computed at a time: bounds memory."""

_UNSCORED = np.finfo(np.float64).min
"""Ranks below every score."""

_FRAGMENTS_SQL = """
SELECT m.functionality AS functionality, f.id AS id, f.language AS language, f.text AS text
FROM members m JOIN fragments f ON m.fragment = f.fragment
ORDER BY f.fragment
"""


@dataclass(frozen=True)
class RetrievalOptions:
    """The options of an evaluation of clone search; results record them.

    Attributes:
        policy: decides what a fragment implements; a name in `verdicts.POLICIES`.
        criterion: what the judges were asked (default: the policy's criterion).
        view: the split that the part belongs to.
        part: the part whose fragments are queries and candidates (default: all fragments).
        queries: number of queries, drawn by hash; None for all, as far as `MAX_COMPARISONS` permits.
        recall_at: the ranks k at which recall is measured.
        similarity: of embeddings: `cosine`, or `dot` as in CodeXGLUE's baseline.
        refuse_missing: fail if a pair has no score; by default it ranks below all others.
        confidence: confidence level of the intervals.
        seed: random seed of the draw of queries.
        baselines: the detectors that are measured for comparison.
        processes: number of worker processes.
    """

    policy: str = "members"
    criterion: str | None = None
    view: str | None = None
    part: str | None = None
    queries: int | None = None
    recall_at: tuple[int, ...] = (1, 10, 100)
    similarity: str = "cosine"
    refuse_missing: bool = False
    confidence: float = 0.95
    seed: int = 0
    baselines: tuple[str, ...] = BASELINES
    processes: int = 1

    def __post_init__(self) -> None:
        if (self.view is None) is not (self.part is None):
            raise InputError(
                "A view and a part of it belong together.",
                where="part",
                hint="For example --view codexglue --part test.",
            )
        if any(k < 1 for k in self.recall_at):
            raise InputError("Recall is measured at rank 1 or later.", where="recall_at")


@dataclass(frozen=True, eq=False)
class SearchTask:
    """The fragments that are searched, in an order by hash that says nothing about them, and the queries among them.

    Attributes:
        benchmark: the benchmark.
        options: the options of the evaluation.
        fragments: `id`, `language` and `text`, and their position as `fragment`.
        functionality: the functionality of each fragment.
        queries: the rows of the queries.
        possible: number of fragments that have something to find.
        left_out: number of fragments of the part that implement no functionality, or perhaps several.
    """

    benchmark: Benchmark
    options: RetrievalOptions
    fragments: pa.Table
    functionality: Integers
    queries: Integers
    possible: int
    left_out: int

    @classmethod
    def of(cls, benchmark: Benchmark, options: RetrievalOptions) -> SearchTask:
        """Choose the fragments and the queries.

        Raises:
            InputError: the policy does not say what fragments implement, or no two of the part implement the same.
        """
        members, total = single_members(benchmark, options.policy, options.criterion), benchmark.counts["fragments"]
        if options.view is not None:
            split = benchmark.table(f"splits/{options.view}")
            own = split.filter(pc.equal(split["part"], options.part))["fragment"]
            members, total = members.filter(pc.is_in(members["fragment"], own)), len(own)
        rows = benchmark.sql(_FRAGMENTS_SQL, members=members)
        order = hash_order(rows["id"].to_pylist(), options.seed)
        rows = rows.take(order)
        functionality: Integers = rows["functionality"].to_numpy()
        sizes = np.bincount(functionality)[functionality] if len(functionality) else functionality
        able = np.flatnonzero(sizes > 1)
        if not len(able):
            raise InputError(
                "No two fragments implement the same functionality: there is nothing to find.",
                where=benchmark.path,
                hint="Check the policy and the part. What people, LLMs or executions say of fragments counts, and not "
                "what only a rule claims.",
            )
        wanted = max(1, MAX_COMPARISONS // len(functionality)) if options.queries is None else options.queries
        fragments = rows.select(["id", "language", "text"]).add_column(0, "fragment", [np.arange(len(functionality))])
        # The order is by hash, so that the first ones are a sample.
        queries = able[:wanted]
        return cls(benchmark, options, fragments, functionality, queries, len(able), total - len(functionality))

    def __len__(self) -> int:
        return len(self.functionality)

    @property
    def comparisons(self) -> int:
        """Number of scores that count."""
        return len(self.queries) * (len(self) - 1)

    @cached_property
    def copies(self) -> int:
        """Number of fragments whose text is, up to white space, that of an earlier one of the same functionality."""
        texts = {
            (functionality, digest(text))
            for functionality, text in zip(self.functionality.tolist(), self.fragments["text"].to_pylist(), strict=True)
        }
        return len(self) - len(texts)

    def rank(self, scores: QueryScores, progress: Progress = no_progress) -> tuple[QueryRanks, int]:
        """Rank the fragments for every query, block by block; also the number of scores that are missing."""
        height = max(1, _BLOCK // len(self))
        ranks, missing = [], 0
        for first in range(0, len(self.queries), height):
            rows = self.queries[first : first + height]
            block = np.array(scores(rows), np.float64)
            block[np.arange(len(rows)), rows] = 0.0
            unknown = np.isnan(block)
            missing += int(np.count_nonzero(unknown))
            block[unknown] = _UNSCORED
            block[np.arange(len(rows)), rows] = -np.inf
            relevant = self.functionality[rows][:, None] == self.functionality[None, :]
            ranks.append(rank_queries(block, relevant, self.options.recall_at))
            progress("Ranking fragments", len(rows), len(self.queries))
        return QueryRanks(*(np.concatenate(column) for column in zip(*map(_columns, ranks), strict=True))), missing

    def measure(self, ranks: QueryRanks) -> tuple[Measurement, ...]:
        """The metrics, each with its interval."""
        classes, confidence = self.functionality[self.queries], self.options.confidence
        return (
            mean_over_queries("map-at-r", ranks.precision, classes, confidence),
            mean_over_queries("mrr", ranks.reciprocal, classes, confidence),
            *(
                mean_over_queries(f"recall-at-{k}", ranks.recall[:, at], classes, confidence)
                for at, k in enumerate(self.options.recall_at)
            ),
        )


def evaluate_retrieval(
    benchmark: Benchmark,
    candidate: Detector | Predictions | Vectors,
    options: RetrievalOptions | None = None,
    *,
    name: str | None = None,
    progress: Progress | None = None,
) -> Result:
    """Measure how well scores find the fragments that implement what a query implements.

    Args:
        benchmark: the benchmark.
        candidate: a detector, predictions for all pairs of the part, or embeddings of its fragments.
        options: the options of the evaluation.
        name: the name of the detector in the result (default: its own).
        progress: called as the work proceeds.

    Raises:
        InputError: there is nothing to find, no score, or a score is missing and must not be.
        UnknownNameError: there is no such policy or baseline.
    """
    options, report = options or RetrievalOptions(), progress or no_progress
    ensure_split(benchmark, options.view)
    task = SearchTask.of(benchmark, options)
    ranks, missing = task.rank(_scores(task, candidate, progress), report)
    if missing == task.comparisons:
        raise InputError(
            "No pair of the searched fragments has a score.",
            hint="Check the part, and that predictions and vectors use the fragment ids of the benchmark.",
        )
    if missing and options.refuse_missing:
        raise InputError(
            f"{missing:,} of {task.comparisons:,} pairs have no score.",
            hint="Without --missing refuse, they rank below all others.",
        )
    title = name or (candidate.name if not isinstance(candidate, Predictions | Vectors) else candidate.title)
    identity = BenchmarkIdentity(
        benchmark.card.name, benchmark.card.version, benchmark.content_hash, benchmark.judgements_hash
    )
    inputs = {"benchmark": identity.content_hash, "judgements": identity.judgements_hash}
    if isinstance(candidate, Predictions | Vectors):
        inputs[title] = candidate.digest()
    policy = find_policy(options.policy)
    return Result(
        kind=ResultKind.RETRIEVAL,
        detector=title,
        benchmark=identity,
        policy=PolicyUse(
            policy.name, options.criterion or policy.criterion, task.comparisons, 0, tuple(_assumptions(task))
        ),
        setting={
            "task": "retrieval",
            "queries": len(task.queries),
            "fragments": len(task),
            "confidence": options.confidence,
            **({"seed": options.seed} if len(task.queries) < task.possible else {}),
            **({"similarity": options.similarity} if isinstance(candidate, Vectors) else {}),
        },
        headline=task.measure(ranks),
        manifest=build_manifest(
            {key: value for key, value in inputs.items() if value}, _configuration(options, title), options.seed
        ),
        view=options.view,
        part=options.part,
        baselines=tuple(_baseline(task, one) for one in options.baselines),
        strata=(_by_functionality(task, ranks),),
        notes=tuple(_notes(task)),
        warnings=tuple(_warnings(task, candidate, missing)),
    )


# Scores.


def _scores(
    task: SearchTask, candidate: Detector | Predictions | Vectors, progress: Progress | None = None
) -> QueryScores:
    if isinstance(candidate, Vectors):
        return _vector_scores(task, candidate)
    if isinstance(candidate, Predictions):
        return _prediction_scores(task, candidate)
    shown = task.fragments.select(["fragment", "language", "text"])
    return query_scores(candidate, shown, processes=task.options.processes, progress=progress)


def _vector_scores(task: SearchTask, vectors: Vectors) -> QueryScores:
    place = {one: row for row, one in enumerate(vectors.ids)}
    rows = np.array([place.get(one, -1) for one in task.fragments["id"].to_pylist()], np.int64)
    values = vectors.values[rows]
    if task.options.similarity == "cosine":
        lengths = np.linalg.norm(values, axis=1, keepdims=True)
        values = np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 0)

    def scores(queries: Integers) -> Floats:
        block: Floats = values[queries] @ values.T
        block[rows[queries] < 0] = np.nan
        block[:, rows < 0] = np.nan
        return block

    return scores


def _prediction_scores(task: SearchTask, predictions: Predictions) -> QueryScores:
    place = pa.table({"id": task.fragments["id"], "row": task.fragments["fragment"]})
    known = predictions.table.filter(pc.is_valid(predictions.table["score"]))
    if not known.num_rows:
        raise InputError("The predictions have no scores.", where=predictions.origin.name, hint="Search needs scores.")
    found = task.benchmark.engine.sql(
        "SELECT a.row AS one, b.row AS other, p.score AS score FROM predictions p "
        "JOIN place a ON p.left = a.id JOIN place b ON p.right = b.id",
        {"predictions": known, "place": place},
    )
    one, other = (np.concatenate([found[a].to_numpy(), found[b].to_numpy()]) for a, b in _BOTH_WAYS)
    order = np.argsort(one, kind="stable")
    one, other, score = one[order], other[order], np.tile(found["score"].to_numpy(), 2)[order]
    starts = np.searchsorted(one, np.arange(len(task) + 1))

    def scores(queries: Integers) -> Floats:
        block = np.full((len(queries), len(task)), np.nan)
        for row, query in enumerate(queries.tolist()):
            own = slice(starts[query], starts[query + 1])
            block[row, other[own]] = score[own]
        return block

    return scores


_BOTH_WAYS = (("one", "other"), ("other", "one"))


# What a result says besides the headline.


def _baseline(task: SearchTask, name: str) -> MeasurementGroup:
    detector = DETECTORS[name]
    ranks, _ = task.rank(_scores(task, detector))
    return MeasurementGroup(name, task.measure(ranks), task.comparisons, note=detector.description)


def _by_functionality(task: SearchTask, ranks: QueryRanks) -> Stratum:
    names = task.benchmark.sql("SELECT name FROM functionalities ORDER BY functionality")["name"].to_pylist()
    own = task.functionality[task.queries]
    groups = []
    for key in np.unique(own).tolist():
        rows = own == key
        value = float(ranks.precision[rows].mean())
        groups.append(MeasurementGroup(names[key], (Measurement("map-at-r", value, n=int(np.count_nonzero(rows))),)))
    note = "No intervals: queries of one functionality are not independent."
    return Stratum("functionality", tuple(groups), note)


def _assumptions(task: SearchTask) -> Iterator[str]:
    policy, card = find_policy(task.options.policy), task.benchmark.card
    yield from policy.assumptions
    if card.problems_disjoint:
        yield "Fragments of other functionalities are not relevant: the source's card calls them disjoint."
    else:
        yield (
            "Fragments of other functionalities count as not relevant, as in CodeXGLUE's definition, although the card "
            "does not call the functionalities disjoint."
        )


def _notes(task: SearchTask) -> Iterator[str]:
    drawn = len(task.queries) < task.possible
    yield (
        f"{len(task.queries):,} queries"
        + (f" of {task.possible:,}, drawn with seed {task.options.seed}," if drawn else "")
        + f" among {len(task):,} fragments of {len(np.unique(task.functionality)):,} functionalities; the query itself "
        "is not a candidate."
    )
    yield "Equal scores count by the expected value over their orders."


def _warnings(task: SearchTask, candidate: Detector | Predictions | Vectors, missing: int) -> Iterator[str]:
    if missing:
        yield f"{missing:,} of {task.comparisons:,} pairs have no score; they rank below all others."
    if task.left_out:
        yield (
            f"{task.left_out:,} fragments implement no functionality by the evidence, or perhaps several; they are "
            "neither queries nor candidates."
        )
    if task.copies:
        yield (
            f"{task.copies:,} of {len(task):,} fragments have the same text as another one of their functionality: "
            "finding a copy needs no clone detector."
        )
    seen: Collection[str] = getattr(candidate, "training_fragments", ())
    texts = (task.fragments[name].to_pylist() for name in ("language", "text"))
    trained = sum(fragment_hash(*one) in seen for one in zip(*texts, strict=True)) if seen else 0
    if trained:
        yield f"The model was trained on {trained:,} of {len(task):,} fragments: the search has seen them."
    if isinstance(candidate, Predictions):
        yield from candidate.warnings()
    elif (remarks := getattr(candidate, "remarks", None)) is not None:
        yield from remarks(task.fragments.select(["fragment", "language", "text"]))


def _configuration(options: RetrievalOptions, title: str) -> dict[str, Any]:
    # The number of processes has no influence on the result.
    recorded = {key: value for key, value in dataclasses.asdict(options).items() if key != "processes"}
    lists: dict[str, Sequence[Any]] = {"baselines": list(options.baselines), "recall_at": list(options.recall_at)}
    return {**recorded, **lists, "task": "retrieval", "detector": title}


def _columns(ranks: QueryRanks) -> tuple[Floats, Floats, Floats]:
    return ranks.precision, ranks.reciprocal, ranks.recall
