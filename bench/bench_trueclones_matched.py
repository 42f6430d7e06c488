"""Where `matched` of a detector comes from: ``python -m bench.bench_trueclones_matched DETECTOR BENCHMARK …``.

Prints, for each draw of TrueClones, the share of matches in which the clone scores higher, by functionality.
With two draws, the correlation over the functionalities says whether some of them are higher on both.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from statistics import correlation

import numpy as np

from bench.measurement import machine
from clonetruth.detectors import find_detector
from clonetruth.evaluate.pairs.detector_scores import score_pairs
from clonetruth.evaluate.pairs.pair_set import PairSet
from clonetruth.evaluate.trueclones import read_labels
from clonetruth.sources.trueclones_pairs import PairStratum
from clonetruth.store import open_benchmark
from clonetruth.verdicts import judge_verdicts


def won_by_functionality(detector: str, path: Path) -> Mapping[str, list[float]]:
    """For each functionality, 1 for a match whose clone scores higher, 0.5 for a tie, else 0."""
    benchmark = open_benchmark(path)
    labels = read_labels(benchmark)
    pairs = PairSet(benchmark, judge_verdicts(benchmark, "default")).subjects(None)
    pairs = score_pairs(benchmark, find_detector(detector), pairs, processes=1)
    fragments = benchmark.table("fragments").sort_by("fragment")["id"].to_pylist()
    sides: dict[int, dict[bool, int]] = defaultdict(dict)
    for at, pair in enumerate(pairs.pair.tolist()):
        if labels.stratum[pair] == PairStratum.CORE:
            sides[labels.match[pair]][bool(pairs.truth[at])] = at
    won: dict[str, list[float]] = defaultdict(list)
    for one in sides.values():
        if len(one) == 2:
            clone, other = pairs.score[one[True]], pairs.score[one[False]]
            functionality = fragments[pairs.left[one[True]]].partition("/")[0]
            won[functionality].append(float(clone > other) + 0.5 * float(clone == other))
    return won


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("detector")
    parser.add_argument("benchmark", type=Path, nargs="+")
    arguments = parser.parse_args()
    found = [won_by_functionality(arguments.detector, one) for one in arguments.benchmark]
    names = sorted(set.intersection(*(set(one) for one in found)))
    print(f"({machine()})\n\n| functionality |{' matches | matched |' * len(found)}")
    print("| --- |" + " --- | --- |" * len(found))
    for name in names:
        cells = (f" {len(one[name])} | {np.mean(one[name]):.2f} |" for one in found)
        print(f"| `{name}` |{''.join(cells)}")
    wholes = [[share for shares in one.values() for share in shares] for one in found]
    print("| all |" + "".join(f" {len(one)} | {np.mean(one):.2f} |" for one in wholes))
    if len(found) == 2:
        means = [[float(np.mean(one[name])) for name in names] for one in found]
        print(f"\nCorrelation over {len(names)} functionalities: {correlation(*means):.2f}")


if __name__ == "__main__":
    main()
