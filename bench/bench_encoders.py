"""Encoders without training beside `ngrams`: ``python -m bench.bench_encoders DETECTOR… --on SOURCE=FILE…``.

For example ``python -m bench.bench_encoders ngrams encoder:FOLDER --on gcj=googlejam4_src.zip --on clcdsa=FILE``. Each
source gives up to 20 problems with up to 20 programs each, drawn by hash. All pairs are scored: ROC AUC of same problem
against other problems, and MAP@R of every program as a query, both with 95 % intervals by problem.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from bench.measurement import machine, measure
from clonetruth.detectors import Detector, find_detector
from clonetruth.detectors.detector import FRAGMENTS
from clonetruth.detectors.search import query_scores
from clonetruth.evaluate.score_metrics import mean_over_queries
from clonetruth.sources import import_dataset
from clonetruth.stats.ranking import roc_auc
from clonetruth.stats.rates import Floats, Integers
from clonetruth.stats.retrieval import rank_queries
from clonetruth.store import open_benchmark
from clonetruth.verdicts import single_members

PROBLEMS = PROGRAMS = 20
RESAMPLES = 200


def drawn(source: str, file: Path) -> tuple[pa.Table, Integers]:
    """Programs of a source, and their problems."""
    with tempfile.TemporaryDirectory() as folder:
        benchmark = open_benchmark(import_dataset(source, [file], output=Path(folder, "benchmark")).path)
        rows = benchmark.sql(
            "SELECT m.functionality AS problem, f.id AS id, f.language AS language, f.text AS text "
            "FROM members m JOIN fragments f ON m.fragment = f.fragment",
            members=single_members(benchmark, "members", None),
        ).to_pylist()
    rows.sort(key=lambda row: hashlib.md5(str(row["id"]).encode()).hexdigest())
    counts: dict[int, int] = {}
    for row in rows:
        counts[row["problem"]] = counts.get(row["problem"], 0) + 1
    able = [problem for problem, count in counts.items() if count > 1]
    chosen = set(sorted(able, key=lambda one: hashlib.md5(str(one).encode()).hexdigest())[:PROBLEMS])
    taken: dict[int, int] = {}
    kept = []
    for row in rows:
        if row["problem"] in chosen and taken.get(row["problem"], 0) < PROGRAMS:
            taken[row["problem"]] = taken.get(row["problem"], 0) + 1
            kept.append(row)
    columns = [list(range(len(kept))), *([row[name] for row in kept] for name in ("language", "text"))]
    return pa.table(columns, schema=FRAGMENTS), np.unique([row["problem"] for row in kept], return_inverse=True)[1]


def all_scores(detector: Detector, fragments: pa.Table) -> Floats:
    """The scores of all pairs."""
    return query_scores(detector, fragments)(np.arange(fragments.num_rows))


def auc(scores: Floats, problem: Integers) -> float:
    """Of all pairs of different rows; a pair without a score ranks last."""
    one, other = np.triu_indices(len(problem), 1)
    values = np.nan_to_num(scores[one, other], nan=-2.0)
    found = roc_auc(values, problem[one] == problem[other])
    return float("nan") if found is None else found


def resampled(scores: Floats, problem: Integers) -> Iterator[float]:
    """The area under problems drawn with replacement; copies of one problem are different problems."""
    random = np.random.default_rng(0)
    rows = [np.flatnonzero(problem == one) for one in range(problem.max() + 1)]
    for _ in range(RESAMPLES):
        chosen = random.integers(len(rows), size=len(rows))
        taken = np.concatenate([rows[one] for one in chosen])
        names = np.repeat(np.arange(len(chosen)), [len(rows[one]) for one in chosen])
        one, other = np.triu_indices(len(taken), 1)
        # A program is no evidence about itself.
        real = taken[one] != taken[other]
        same = (names[one] == names[other])[real]
        values = np.nan_to_num(scores[taken[one[real]], taken[other[real]]], nan=-2.0)
        copies = (problem[taken[one[real]]] == problem[taken[other[real]]]) & ~same
        found = roc_auc(values[~copies], same[~copies])
        if found is not None:
            yield found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("detectors", nargs="+")
    parser.add_argument("--on", action="append", required=True, metavar="SOURCE=FILE")
    arguments = parser.parse_args()
    print(machine())
    for given in arguments.on:
        source, _, file = given.partition("=")
        fragments, problem = drawn(source, Path(file))
        print(f"{source}: {fragments.num_rows} programs of {problem.max() + 1} problems")
        for name in arguments.detectors:
            detector = find_detector(name)
            measured = measure(partial(all_scores, detector, fragments))
            scores = measured.result
            low, high = np.quantile(list(resampled(scores, problem)), [0.025, 0.975])
            own = scores.copy()
            np.fill_diagonal(own, -np.inf)
            ranks = rank_queries(np.where(np.isnan(own), -2.0, own), problem[:, None] == problem[None, :], (1,))
            found = mean_over_queries("map-at-r", ranks.precision, problem, 0.95)
            print(
                f"  {detector.name}: ROC AUC {auc(scores, problem):.3f} [{low:.3f}, {high:.3f}], "
                f"MAP@R {found.value:.3f} [{found.low:.3f}, {found.high:.3f}], {measured.cpu:.0f} CPU s"
            )
            for remark in getattr(detector, "remarks", lambda table: ())(fragments):
                print(f"    {remark}")


if __name__ == "__main__":
    main()
