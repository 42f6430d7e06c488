"""All detectors on TrueClones in one table: ``python -m bench.bench_trueclones [--on FOLDER …] [--detector NAME …]``.

Detectors that need no training, no download and no server are measured by default. ``--train FOLDER`` adds the learned
ones: each is trained on the embedded benchmark, which shares no code with TrueClones, into a folder below FOLDER, where
it is kept. Those that are left out are listed with the reason.

With two or more --on (draws of ``clonetruth make run trueclones --seed N``), the rank correlations of the ROC AUCs and
of `matched` are printed, and every two detectors whose intervals do not overlap on both but are ordered differently.
``--shipped`` compares the benchmark as it ships with them, too. ``--part N`` measures on N of the functionalities that
ship, those whose ids come first by their MD5: for detectors that take long.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scipy.stats import kendalltau

import clonetruth
from bench.measurement import machine
from clonetruth.sources import trueclones
from clonetruth.store import Benchmark
from clonetruth.store.results import Measurement, MeasurementGroup, Result

DETECTORS = (
    "always-yes", "length", "identifier-overlap", "line-similarity", "token-similarity", "exact", "renamed", "tokens",
    "nearmiss", "largegap", "winnowing", "metrics", "ncd", "ngrams", "semantic",
)  # fmt: skip
TRAINED = ("mlp", "linear", "identifiers", "semantic", "astnn", "tbccd", "fa-ast", "oreo", "clcdsa", "clonecognition")
"""Learners that start from nothing but pairs."""
VIEW = "cross-functionality"
"""The view of the embedded benchmark whose train part they see."""
_WEIGHTS = "needs pretrained weights, which are not part of the package"
LEFT_OUT = {
    "execution": "runs every fragment in the sandbox: `--detector execution` measures it",
    "encoder:FOLDER": "needs an encoder's weights, which are not part of the package",
    "llm:MODEL": "needs the server of a language model",
    "codebert": _WEIGHTS,
    "graphcodebert": _WEIGHTS,
    "unixcoder": _WEIGHTS,
    "transformer": _WEIGHTS,
}
"""Why detectors of the package are not in the table."""
COMPARED = ("roc-auc", "matched-accuracy")
SHOWN = (
    ("difficulty", "hard"),
    ("stratum", "cross-language"),
    ("stratum", "near-copy"),
    ("stratum", "cross-functionality"),
)


def text(one: Measurement | None) -> str:
    """A number with its interval."""
    if one is None or one.value is None:
        return "–"
    shown = f"{one.value:.3f}"
    return shown if one.low is None or one.high is None else f"{shown} [{one.low:.2f}, {one.high:.2f}]"


def group(result: Result, by: str, name: str) -> MeasurementGroup | None:
    """A group of a card."""
    return next((one for of in result.strata if of.by == by for one in of.groups if one.name == name), None)


def row(result: Result) -> str:
    """A line of the table."""
    cells = [text(result.measurement(name)) for name in ("roc-auc", "matched-accuracy", "f1")]
    for by, name in SHOWN:
        found = group(result, by, name)
        by_name = {one.name: one for one in found.measurements} if found else {}
        cells.append(text(by_name.get("roc-auc") or by_name.get("specificity")))
    return f"| `{result.detector}` | {' | '.join(cells)} |"


def compare(first: Sequence[Result], second: Sequence[Result], metric: str) -> None:
    """Print whether two draws order detectors alike by a metric."""
    ones, others = ([result[metric] for result in results] for results in (first, second))
    tau = kendalltau([one.value for one in ones], [one.value for one in others])
    names = " and ".join(f"{results[0].benchmark.version}" for results in (first, second))
    print(f"\n{metric}, {names}: Kendall's tau-b {tau.statistic:.3f} (p = {tau.pvalue:.4f}, {len(first)} detectors)")
    apart = alike = 0
    for a, b in itertools.combinations(range(len(first)), 2):
        pairs = ((ones[a], ones[b]), (others[a], others[b]))
        if all(_apart(one, other) for one, other in pairs):
            apart += 1
            is_alike = len({(one.value or 0) < (other.value or 0) for one, other in pairs}) == 1
            alike += is_alike
            if not is_alike:
                print(f"- ordered differently: `{first[a].detector}`, `{first[b].detector}`")
    print(f"{apart} pairs of detectors have intervals that do not overlap on either; {alike} are ordered alike.")


def _apart(one: Measurement, other: Measurement) -> bool:
    known = None not in (one.low, one.high, other.low, other.high)
    return known and ((one.low or 0) > (other.high or 0) or (other.low or 0) > (one.high or 0))


def _card(detector: str | Path, on: Path | None) -> Result:
    """The card of a detector; a trained one has the name of its folder."""
    name = detector.name if isinstance(detector, Path) else None
    return clonetruth.benchmark_detector(str(detector), on=on, name=name, processes=1)


def trained(folder: Path, names: Sequence[str]) -> list[Path]:
    """The detectors below a folder, trained on the embedded benchmark unless they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    data = folder / "embedded"
    if not data.exists():
        clonetruth.import_dataset("embedded", output=data)
        clonetruth.split_benchmark(data, VIEW)
    models = {name: folder / f"trained-{name}" for name in names}
    for name, model in models.items():
        if not (model / "model.json").exists():
            clonetruth.train_detector(name, on=data, view=f"{VIEW}-0", output=model)
    return list(models.values())


def write_part(count: int, folder: Path) -> Path:
    """A benchmark of some functionalities that ship, drawn by hash."""
    ids = [one.parent.name for one in trueclones.data_folder().glob("*/evidence.json")]
    ids.sort(key=lambda one: hashlib.md5(one.encode(), usedforsecurity=False).hexdigest())
    return Benchmark.create(folder / "part", trueclones.part(sorted(ids[:count]))).path


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--on", type=Path, action="append", default=[])
    parser.add_argument("--detector", action="append", default=[])
    parser.add_argument("--shipped", action="store_true", help="with --on: the benchmark as it ships, too")
    parser.add_argument("--train", type=Path, metavar="FOLDER", help="measure the learned detectors, too")
    parser.add_argument("--learner", action="append", default=[], choices=TRAINED, help="with --train: only these")
    parser.add_argument("--part", type=int, help="measure on this many functionalities that ship, too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="clonetruth-part-") as folder:
        if arguments.part:
            arguments.on.append(write_part(arguments.part, Path(folder)))
        show_tables(arguments)


def show_tables(arguments: argparse.Namespace) -> None:
    """Measure what was asked for."""
    chosen: list[str | Path] = list(arguments.detector) or ([] if arguments.learner else list(DETECTORS))
    if arguments.train is not None:
        chosen += trained(arguments.train, arguments.learner or TRAINED)
    print(f"({machine()})")
    found: list[list[Result]] = []
    for on in [*([None] if arguments.shipped or not arguments.on else []), *arguments.on]:
        results = [_card(one, on) for one in chosen]
        identity = results[0].benchmark
        hashed = (identity.content_hash or "")[:12]
        print(f"\n{identity.name} {identity.version}, {hashed}, {results[0].policy.counted} core pairs\n")
        print("| detector | ROC AUC | matched | F1 | hard | across languages | near copies¹ | other functionalities¹ |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        for result in results:
            print(row(result))
        found.append(results)
    for (first, second), metric in itertools.product(itertools.combinations(found, 2), COMPARED):
        compare(first, second, metric)
    print("\nLeft out:")
    for name, reason in LEFT_OUT.items():
        if name not in arguments.detector:
            print(f"- `{name}`: {reason}")


if __name__ == "__main__":
    main()
