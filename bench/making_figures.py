"""Figures of docs/generating.md and docs/contests.md that come from published data, one command for each.

    python -m bench.making_figures round-trip DATA WORK       GPTCloneBench's Java pairs, exported and imported again
    python -m bench.making_figures clonecognition DATA WORK   what CloneCognition accepts of them (tables III and IV)
    python -m bench.making_figures clcdsa DATA WORK           detectors across languages on unseen problems

DATA has the folders `gptclonebench`, `oreo_precision` and `clcdsa`; WORK takes what is made, and is used again.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from pathlib import Path, PurePosixPath

import clonetruth
from bench.measurement import machine, measure
from clonetruth.store import Benchmark, open_benchmark

THRESHOLD = 0.76
"""From this score CloneCognition accepts a pair, as in the paper."""

_PAIRS = """
SELECT l.path AS path, l.id AS left_id, r.id AS right_id, l.text AS left_text, r.text AS right_text,
    p.claimed_type AS type,
    (SELECT string_agg(concat(g.criterion, '=', g.value), ' ' ORDER BY g.criterion) FROM judgements g
     WHERE g.pair = p.pair) AS labels
FROM pairs p
JOIN fragments l ON p.left = l.fragment
JOIN fragments r ON p.right = r.fragment
ORDER BY p.pair
"""


def _imported(source: str, files: list[Path], output: Path) -> Benchmark:
    if not output.exists():
        clonetruth.import_dataset(source, files, output=output)
    return open_benchmark(output)


def _published(data: Path, work: Path) -> Benchmark:
    return _imported("gptclonebench", [data / "gptclonebench" / "standalone_java_T4.zip"], work / "gptclonebench")


def _contents(benchmark: Benchmark) -> Counter[tuple[str, ...]]:
    """Every pair by its texts, type and labels."""
    rows = benchmark.sql(_PAIRS).to_pylist()
    return Counter((row["left_text"], row["right_text"], row["type"], row["labels"]) for row in rows)


def round_trip(data: Path, work: Path) -> None:
    """Export the published pairs in their own layout, import that, and compare."""
    published = _published(data, work)
    exported, again = work / "exported", work / "imported-again"
    if not exported.exists():
        clonetruth.export_benchmark(published, "gptclonebench", output=exported, policy="origin", sidecar=False)
    before, after = _contents(published), _contents(_imported("gptclonebench", [exported], again))
    same, lost, new = before & after, before - after, after - before
    print(f"{before.total():,} pairs before, {after.total():,} after: {same.total():,} with the same texts, type and")
    print(f"labels, {lost.total():,} only before, {new.total():,} only after.")


def clonecognition(data: Path, work: Path) -> None:
    """Train CloneCognition on judged reports, and count which published pairs it accepts."""
    reports = _imported("oreo-precision", sorted((data / "oreo_precision").glob("*.jsonl.gz")), work / "oreo-precision")
    model = work / "clonecognition-model"
    if not model.exists():
        if "random-1" not in reports.names("splits"):
            clonetruth.split_benchmark(reports, "random", seed=1)
        clonetruth.train_detector("clonecognition", on=reports, view="random-1", epochs=20, output=model)
    published = _published(data, work)
    scored = clonetruth.predict_pairs(model, on=published)
    names = zip(scored["left"].to_pylist(), scored["right"].to_pylist(), strict=True)
    scores = dict(zip(map(frozenset, names), scored["score"].to_pylist(), strict=True))
    groups: dict[str, list[float | None]] = defaultdict(list)
    for row in published.sql(_PAIRS).to_pylist():
        prompt = next((one for one in PurePosixPath(row["path"]).parts if one.startswith("prompt")), "none")
        kind = "syntactic" if row["type"] == "T1/T2" else prompt
        groups[kind].append(scores.get(frozenset((row["left_id"], row["right_id"]))))
    print("| pairs of | pairs | with a score | accepted | share |\n| --- | ---: | ---: | ---: | ---: |")
    for kind, members in sorted(groups.items()):
        known = [score for score in members if score is not None]
        accepted = sum(score >= THRESHOLD for score in known)
        print(f"| {kind} | {len(members):,} | {len(known):,} | {accepted:,} | {accepted / len(known):.2f} |")


def clcdsa(data: Path, work: Path) -> None:
    """Train `clcdsa` on pairs across languages, and measure it and `semantic` on unseen problems."""
    contest = _imported("clcdsa", [data / "clcdsa" / "clcdsa_subset.jsonl.xz"], work / "clcdsa")
    paired, model, view = work / "clcdsa-paired", work / "clcdsa-model", "cross-functionality-1"
    if not paired.exists():
        clonetruth.build_contest(
            contest,
            output=paired,
            at_least=2,
            across_languages=True,
            positives=600,
            overlapping_problems="leave-out",
        )
    if view not in open_benchmark(paired).names("splits"):
        clonetruth.split_benchmark(paired, "cross-functionality", seed=1, policy="members")
    if not model.exists():
        clonetruth.train_detector("clcdsa", on=paired, view=view, policy="members", epochs=8, output=model)
    names = [str(model), "semantic", "identifier-overlap"]
    results = clonetruth.evaluate_detector(detector=names, on=paired, view=view, part="test", policy="members")
    print("| detector | measure | value | low | high | of |\n| --- | --- | ---: | ---: | ---: | ---: |")
    for result in results:
        for name in ("roc-auc", "f1", "precision", "recall", "specificity"):
            one = result[name]
            values = " | ".join("–" if each is None else f"{each:.2f}" for each in (one.value, one.low, one.high))
            print(f"| {result.detector} | {name} | {values} | {one.n} |")


COMMANDS = {"round-trip": round_trip, "clonecognition": clonecognition, "clcdsa": clcdsa}


def main() -> None:
    """Compute the figures of one command, and print them with the date and the machine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", choices=COMMANDS)
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    print(machine())
    spent = measure(lambda: COMMANDS[given.figures](given.data, given.work))
    print(f"{spent.cpu:.0f} CPU seconds, without what {given.work} had already.")


if __name__ == "__main__":
    main()
