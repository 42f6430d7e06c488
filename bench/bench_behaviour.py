"""Behaviour as a feature: ``python -m bench.bench_behaviour FILE --source gcj|poj104 [--programs 20]``.

Takes programs of each problem in an order that the seed decides, runs each once on the generic inputs, and compares
fragments by `behaviour_similarity`: MAP@R (every program asks for the others of its problem), average precision and the
area under the ROC curve over all pairs, and precision and recall at thresholds. Pairs without a similarity count as the
lowest. FILE is `data.jsonl.gz` with `googlejam4_src.zip` beside it, or `poj104.jsonl.xz`, whose test problems are those
from 81 on.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import lzma
import re
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.measurement import machine
from clonetruth.execution.fingerprints import behaviour_fingerprints, behaviour_similarity
from clonetruth.execution.output_digests import OutputFingerprint

Row = tuple[str, str, str]
"""Problem, language and text of a program."""


def read_gcj(path: Path) -> list[Row]:
    """The programs; their package names the problem."""
    rows = []
    with gzip.open(path, "rt") as file:
        for line in file:
            text = json.loads(line)["func"]
            problem = re.search(r"package\s+googlejam(\d+)", text)
            if problem is not None:
                rows.append((problem[1], "java", text))
    return rows


def read_poj104(path: Path, first: int = 81, last: int = 104) -> list[Row]:
    """The programs of some problems."""
    with lzma.open(path, "rt") as file:
        rows = [json.loads(line) for line in file]
    return [(one["label"], "cpp", one["code"]) for one in rows if first <= int(one["label"]) <= last]


def drawn(rows: list[Row], programs: int, seed: int) -> list[Row]:
    """A limited number of programs of each problem, no text twice."""
    problems: dict[str, list[Row]] = defaultdict(list)
    for row in sorted(set(rows), key=lambda one: hashlib.md5(f"{one[2]} {seed}".encode()).hexdigest()):
        problems[row[0]].append(row)
    return [row for one in sorted(problems) for row in problems[one][:programs]]


def map_at_r(scores: npt.NDArray[np.float64], same: npt.NDArray[np.bool_]) -> float:
    """Mean over all programs of the precision at each hit among the R best, R being the others of its problem."""
    found = []
    for row in range(len(scores)):
        others = np.arange(len(scores)) != row
        relevant = int(same[row][others].sum())
        if relevant:
            order = np.argsort(-scores[row][others], kind="stable")[:relevant]
            hits = same[row][others][order]
            found.append(float((hits * (hits.cumsum() / np.arange(1, relevant + 1))).sum() / relevant))
    return float(np.mean(found))


def report(rows: list[Row], prints: list[OutputFingerprint]) -> None:
    """Print the measures."""
    count = len(rows)
    names = np.array([one[0] for one in rows])
    same = names[:, None] == names[None, :]
    pairs = np.stack(np.triu_indices(count, 1), axis=1)
    similar = behaviour_similarity(prints, pairs)
    known = ~np.isnan(similar)
    matrix = np.full((count, count), -1.0)
    matrix[pairs[:, 0], pairs[:, 1]] = matrix[pairs[:, 1], pairs[:, 0]] = np.where(known, similar, -1.0)
    labels = same[pairs[:, 0], pairs[:, 1]]
    scores = np.where(known, similar, -1.0)
    runs = [one.normal / len(one.outputs) for one in prints if one.outputs]
    print(
        f"- {count} programs of {len(set(names))} problems, {sum(one.reason is None for one in prints)} ran; "
        f"{np.mean(runs):.0%} of their runs gave an output; {known.mean():.1%} of pairs have a similarity"
    )
    print(
        f"- MAP@R {map_at_r(matrix, same):.3f}, average precision {average_precision(scores, labels):.3f} "
        f"(share of positives {labels.mean():.3f}), ROC AUC {roc_auc(scores, labels):.3f}"
    )
    for threshold in (0.3, 0.5, 0.7, 0.9):
        said = scores >= threshold
        print(
            f"- at {threshold}: precision {labels[said].mean() if said.any() else float('nan'):.3f}, "
            f"recall {said[labels].mean():.3f}"
        )


def average_precision(scores: npt.NDArray[np.float64], labels: npt.NDArray[np.bool_]) -> float:
    """The mean precision at the positives, equal scores together."""
    order = np.argsort(-scores, kind="stable")
    hits, ends = labels[order].cumsum(), np.flatnonzero(np.diff(scores[order], append=-np.inf))
    gained = np.diff(hits[ends], prepend=0)
    return float((gained * hits[ends] / (ends + 1)).sum() / labels.sum())


def roc_auc(scores: npt.NDArray[np.float64], labels: npt.NDArray[np.bool_]) -> float:
    """The chance that a positive pair has a higher score than a negative one, equal scores half."""
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (counts.cumsum() - (counts - 1) / 2)[place]
    positives = int(labels.sum())
    negatives = len(labels) - positives
    return float((ranks[labels].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def main() -> None:
    """Print the measures of one source."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--source", choices=("gcj", "poj104"), required=True)
    parser.add_argument("--programs", type=int, default=20, help="of each problem")
    parser.add_argument("--train", action="store_true", help="problems of the training part of POJ-104 instead")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    parts = (1, 64) if given.train else (81, 104)
    rows = drawn(
        read_gcj(given.file) if given.source == "gcj" else read_poj104(given.file, *parts), given.programs, given.seed
    )
    started = time.monotonic()
    prints = behaviour_fingerprints([(one[1], one[2]) for one in rows], processes=given.workers)
    print(f"{given.source}, {given.programs} programs of each problem, seed {given.seed} ({machine()})\n")
    report(rows, prints)
    print(f"- {time.monotonic() - started:.0f} s by the clock")


if __name__ == "__main__":
    main()
