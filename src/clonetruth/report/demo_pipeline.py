"""The demo: everything from the embedded benchmark to the pages, and cards on a part of TrueClones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow as pa

from clonetruth.code import available_cores
from clonetruth.detectors import DETECTORS
from clonetruth.errors import InputError, MissingExtraError
from clonetruth.evaluate.matrix.plan import MatrixPlan
from clonetruth.evaluate.matrix.runner import compute_matrix
from clonetruth.evaluate.pairs.evaluation import evaluate_pairs
from clonetruth.evaluate.pairs.options import Missing, PairsOptions
from clonetruth.execution import run_code
from clonetruth.execution.description import describe_verdict
from clonetruth.find import CloneClass, CloneReport, find_clones
from clonetruth.html import write
from clonetruth.measures import classify_pairs
from clonetruth.model import Fragment
from clonetruth.progress import Progress
from clonetruth.report.clones import clones_page
from clonetruth.report.demo import demo_page
from clonetruth.report.demo_card import CARD_NUMBERS, demo_cards
from clonetruth.report.demo_view import (
    Demo,
    DemoExample,
    DemoFunctionality,
    DemoPair,
    DemoRate,
    DemoView,
    LivePair,
    ThresholdOutcome,
)
from clonetruth.report.evaluation import evaluation_page
from clonetruth.report.matrix import matrix_page
from clonetruth.sources import embedded
from clonetruth.stats import Confusion, clustered
from clonetruth.store import Benchmark, build_manifest
from clonetruth.store.matrix import MatrixSummary
from clonetruth.store.results import Measurement, Result, write_result
from clonetruth.verdicts import judge_verdicts

_RULE = "min"
_LIVE = ("roman-numerals/python/greedy_divmod", "roman-numerals/python/near-miss/greedy_divmod_ninety")
_LIVE_SQL = "SELECT f.id AS id, f.language AS language, f.text AS text FROM fragments f JOIN wanted w ON f.id = w.id"
_DETECTORS = ("token-similarity", "identifier-overlap")
_PARALLEL_FROM = 2_000
"""Number of fragments from which worker processes are faster than one process."""


def build_demo(output: Path, threshold: float, progress: Progress) -> Demo:
    """Build (or open again) the benchmark below `output`, measure its pairs, and write the pages.

    Raises:
        InputError: the folder cannot be made, or holds another benchmark.
    """
    benchmark = _benchmark(output)
    processes = available_cores() if benchmark.counts["fragments"] >= _PARALLEL_FROM else 1
    classify_pairs(benchmark, _RULE, processes=processes, replace=True, progress=progress)
    verdicts = judge_verdicts(benchmark)
    rows = _rows(benchmark, verdicts.table)
    pairs = [DemoPair(**{name: row[name] for name in DemoPair.__dataclass_fields__}) for row in rows]
    # Only the measured values matter as thresholds: between two of them the outcome does not change.
    values = sorted({pair.similarity_token for pair in pairs if pair.similarity_token is not None})
    simple = _outcome(pairs, threshold)
    configuration = {"threshold": threshold, "cut_rule": _RULE, "policy": verdicts.policy, "verdicts": verdicts.digest}
    manifest = build_manifest({"benchmark": benchmark.content_hash}, configuration)
    results = _evaluate(benchmark, output)
    evaluation = write(evaluation_page(results), output / "evaluation.html")
    cards = demo_cards(output, _DETECTORS)
    live = _run_live(benchmark)
    view = DemoView(
        benchmark="the benchmark that comes with clonetruth",
        description=benchmark.card.description,
        policy=f"policy ‘{verdicts.policy}’ on the criterion ‘{verdicts.criterion}’; every fragment was executed.",
        counts=benchmark.counts,
        functionalities=_functionalities(benchmark),
        pairs=pairs,
        examples=_examples(rows),
        simple=simple,
        best=max((_outcome(pairs, value) for value in values), key=lambda one: one.balanced_accuracy or 0.0),
        evaluations=results,
        evaluation_page=evaluation.name,
        live=live,
        cards=cards,
        manifest={
            "benchmark": f"{benchmark.card.name} {benchmark.card.version}, content {benchmark.content_hash}",
            "configuration": ", ".join(f"{name} {value}" for name, value in configuration.items()),
            "versions": ", ".join(f"{name} {version}" for name, version in manifest.versions.items()),
            "time": manifest.time,
        },
    )
    page = write(demo_page(view), output / "demo.html")
    views = _generalise(benchmark, output)
    clones = _find()
    facts = {
        **_facts(view, simple, page),
        "detectors": _detector_facts(results),
        "trueclones_pairs": cards[0].policy.counted,
        "trueclones": {one.detector: {name: one.measurement(name) for name in CARD_NUMBERS} for one in cards},
        "evaluation": evaluation,
        "learner": views.detectors[0],
        "views": {row.view: row.mean("f1") for row in views.rows},
        "matrix": output / "matrix" / "index.html",
        "live": describe_verdict(live.behaviour) if live.behaviour else f"Nothing was run: {live.problem}",
        "clone_classes": clones.classes_found,
        "clone_classes_with_near_misses": sum(map(_has_near_miss, clones.classes)),
        "clones_page": write(clones_page(clones), output / "clones.html"),
    }
    return Demo(page, facts)


def _run_live(benchmark: Benchmark) -> LivePair:
    """An implementation and its near miss, run where there is a sandbox."""
    rows = benchmark.sql(_LIVE_SQL, wanted=pa.table({"id": list(_LIVE)})).to_pylist()
    fragments = {row["id"]: Fragment(row["id"], row["language"], row["text"]) for row in rows}
    left, right = (fragments[one] for one in _LIVE)
    try:
        found = run_code(left, right, seconds=10)
    except MissingExtraError as error:
        return LivePair(left, right, problem=f"{error.what} {error.hint or ''}".strip())
    return LivePair(left, right, found.pairs[0].comparison)


def _find() -> CloneReport:
    """The clones that `clonetruth find` finds in the sources of the benchmark."""
    with embedded.source_tree() as folder:
        return find_clones([folder])


def _has_near_miss(one: CloneClass) -> bool:
    """Whether a member only looks like a copy, but behaves differently."""
    return any("/near-miss/" in member.path for member in one.members)


def _generalise(benchmark: Benchmark, output: Path) -> MatrixSummary:
    """A learned detector under the four views: how well it generalises."""
    learner = "mlp" if find_spec("torch") else "linear"
    options = MatrixPlan((learner,), levels=(0,), seeds=1)
    summary = compute_matrix(benchmark, output / "matrix", options, processes=available_cores())
    write(matrix_page(summary), output / "matrix" / "index.html")
    return summary


def _evaluate(benchmark: Benchmark, output: Path) -> list[Result]:
    """Two simple detectors on all pairs; a pair without a score counts as not found."""
    options = PairsOptions(missing=Missing.NOT_CLONE)
    results = [evaluate_pairs(benchmark, DETECTORS[name], options) for name in _DETECTORS]
    folder = output / "results"
    folder.mkdir(exist_ok=True)
    for result in results:
        write_result(result, folder / f"{result.detector}.json")
    return results


def _detector_facts(results: Sequence[Result]) -> dict[str, dict[str, Measurement | None]]:
    return {
        result.detector: {name: result.measurement(name) for name in ("precision", "recall", "f1")}
        for result in results
    }


def _benchmark(output: Path) -> Benchmark:
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"Cannot make the folder: {error.strerror}.", where=output, hint="Choose another folder with -o."
        ) from error
    path = output / "benchmark"
    if not path.exists():
        return embedded.build(path)
    benchmark = Benchmark.open(path)
    if benchmark.card != embedded.CARD:
        raise InputError("The folder holds another benchmark.", where=path, hint="Choose another folder with -o.")
    return benchmark


def _rows(benchmark: Benchmark, verdicts: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = benchmark.sql(
        f"""
        SELECT u.name AS functionality, a.id AS "left", b.id AS "right",
               a.language AS language_left, b.language AS language_right,
               m.similarity_line, m.similarity_token, m.clone_type, v.verdict,
               a.text AS left_text, b.text AS right_text
        FROM pairs p
        JOIN measures_{_RULE} m ON p.pair = m.pair
        JOIN verdicts v ON p.pair = v.pair
        JOIN fragments a ON p."left" = a.fragment
        JOIN fragments b ON p."right" = b.fragment
        JOIN functionalities u ON p.functionality = u.functionality
        WHERE v.verdict <> 'unknown'
        ORDER BY p.pair
        """,
        verdicts=verdicts,
    ).to_pylist()
    return rows


def _functionalities(benchmark: Benchmark) -> list[DemoFunctionality]:
    rows = benchmark.sql(
        """
        SELECT u.name, u.specification, f.language, count(*) AS fragments
        FROM functionalities u
        JOIN memberships m ON u.functionality = m.functionality
        JOIN fragments f ON m.fragment = f.fragment
        GROUP BY u.name, u.specification, f.language ORDER BY u.name, f.language
        """
    ).to_pylist()
    return [
        DemoFunctionality(name, group_rows[0]["specification"], sum(row["fragments"] for row in group_rows), languages)
        for name, group in groupby(rows, key=lambda row: str(row["name"]))
        for group_rows in [list(group)]
        for languages in [tuple(str(row["language"]) for row in group_rows)]
    ]


def _outcome(pairs: Sequence[DemoPair], threshold: float) -> ThresholdOutcome:
    """The results of a threshold, with intervals clustered by functionality."""
    clusters: dict[str, list[tuple[bool, bool]]] = {}
    for pair in pairs:
        if pair.similarity_token is not None:
            outcome = (pair.similarity_token >= threshold, pair.is_clone)
            clusters.setdefault(pair.functionality, []).append(outcome)
    parts = [Confusion.count(outcomes) for outcomes in clusters.values()]
    whole = Confusion.count(outcome for outcomes in clusters.values() for outcome in outcomes)

    def rate(value: float | None, hits: list[int], trials: list[int]) -> DemoRate:
        interval = clustered(hits, trials)
        return DemoRate(value, interval.low, interval.high) if interval else DemoRate(value)

    return ThresholdOutcome(
        threshold,
        whole.tp,
        whole.fp,
        whole.fn,
        whole.tn,
        rate(whole.precision, [part.tp for part in parts], [part.tp + part.fp for part in parts]),
        rate(whole.recall, [part.tp for part in parts], [part.tp + part.fn for part in parts]),
        rate(whole.specificity, [part.tn for part in parts], [part.tn + part.fp for part in parts]),
        whole.balanced_accuracy,
    )


def _examples(rows: Sequence[Mapping[str, Any]]) -> list[DemoExample]:
    """In one language, the clone with the lowest and the near miss with the highest token similarity."""
    measured = [row for row in rows if row["similarity_token"] is not None]
    clones = [row for row in measured if row["verdict"] == "clone"]
    misses = [row for row in measured if row["verdict"] == "not-clone"]
    chosen = []
    if clones:
        least = min(clones, key=lambda row: (row["similarity_token"], row["left"], row["right"]))
        explanation = "Executed on the same inputs, both always give the same result."
        chosen.append(("A clone whose texts have little in common", explanation, least))
    if misses:
        greatest = max(misses, key=lambda row: (row["similarity_token"], row["left"], row["right"]))
        explanation = "Executed on the same inputs, they give different results."
        chosen.append(("A near miss whose texts are almost the same", explanation, greatest))
    return [
        DemoExample(
            title,
            explanation,
            DemoPair(**{name: row[name] for name in DemoPair.__dataclass_fields__}),
            row["left_text"],
            row["right_text"],
        )
        for title, explanation, row in chosen
    ]


def _facts(view: DemoView, simple: ThresholdOutcome, page: Path) -> dict[str, Any]:
    def middle(pairs: Sequence[DemoPair]) -> float:
        return median(pair.similarity_token for pair in pairs if pair.similarity_token is not None)

    return {
        "fragments": view.counts["fragments"],
        "functionalities": view.counts["functionalities"],
        "pairs": len(view.pairs),
        "clones": len(view.clones),
        "near_misses": len(view.near_misses),
        "median_clone": middle(view.clones),
        "median_near_miss": middle(view.near_misses),
        "threshold": simple.threshold,
        "clones_in_one_language": simple.tp + simple.fn,
        "found": simple.tp,
        "alarms": simple.tp + simple.fp,
        "wrong_alarms": simple.fp,
        "recall": simple.recall,
        "precision": simple.precision,
        "page": page,
    }
