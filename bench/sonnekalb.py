"""The three tests of Sonnekalb et al. (ASE 2022): CodeXGLUE's own test, unseen functions, unseen functionalities.

    python -m bench.sonnekalb DATA WORK [--detectors linear,identifiers,mlp,ngrams] [--pairs 9000] [--encoder FOLDER]

DATA has `functions.zip`, `codexglue/` (the lists) and `db_extract/` (pairs of BigCloneBench with functionalities). A
detector is trained on the train list and gets its threshold on the valid list; the lists of both are what counts as
seen, whatever `--pairs` cuts. Prints precision, recall, F1 and the drop, beside the paper's values for CodeBERT.
`--encoder` fine-tunes `codebert` from a folder with its weights, `--as sonnekalb`, and prints the share of fragments
that are cut at 400 subword tokens. Models are kept in WORK: the same command continues.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import time
from pathlib import Path
from typing import Any

import clonetruth
from clonetruth.code import language, lexed_tokens
from clonetruth.store import Benchmark
from clonetruth.store.results import Result
from clonetruth.training import LEARNERS

PUBLISHED = {
    "own test": (0.9303, 0.9582, 0.944),
    "unseen functions": (0.9818, 0.5241, 0.6834),
    "unseen functionalities": (0.9777, 0.3267, 0.4897),
}
"""Precision, recall and F1 of CodeBERT (Table 2 of the paper; own test: their repetition)."""
LENGTH = 400


def prepare(data: Path, work: Path, pairs: int) -> None:
    """Import the lists and the rest of BigCloneBench, and make the two views."""
    lists = {part: data / "codexglue" / name for part, name in LISTS.items()}
    if not (work / "lists").exists():
        rows = gzip.decompress(lists["train"].read_bytes()).decode().splitlines()
        # A sample by hash, so that it does not depend on the order.
        rows.sort(key=lambda row: hashlib.md5(row.encode(), usedforsecurity=False).hexdigest())
        (work / "train.txt").write_text("\n".join(rows[:pairs]) + "\n", encoding="utf-8")
        files = [data / "functions.zip", work / "train.txt", lists["valid"], lists["test"]]
        clonetruth.import_dataset("codexglue-bcb", files, output=work / "lists")
    if not (work / "rest").exists():
        clonetruth.import_dataset("bcb-extract", [data / "db_extract"], output=work / "rest")
        for view in VIEWS.values():
            against = [lists["train"], lists["valid"]]
            clonetruth.split_benchmark(work / "rest", view=view, policy="origin", against=against)


LISTS = {"train": "train_sampled.txt.gz", "valid": "valid_sampled.txt", "test": "test_sampled.txt"}
VIEWS = {"unseen functions": "unseen-fragments", "unseen functionalities": "unseen-functionalities"}


def tested(detector: str, work: Path, encoder: Path | None) -> tuple[dict[str, Result], float, tuple[str, ...]]:
    """The results of the three tests, the CPU seconds of the training, and what is to be said of the input."""
    start, chosen = time.process_time(), detector
    if detector in LEARNERS:
        chosen = str(work / f"model-{detector}")
        if not Path(chosen).exists():
            more: dict[str, Any] = {} if encoder is None else {"as_": "sonnekalb", "set_": {"encoder": str(encoder)}}
            clonetruth.train_detector(detector, on=[work / "lists"], policy="origin", output=chosen, **more)
    seconds = time.process_time() - start
    own = clonetruth.evaluate_detector(detector=[chosen], on=work / "lists", part="test", policy="origin")[0]
    threshold = own.manifest.configuration["threshold"]
    found = {"own test": own}
    for name, view in VIEWS.items():
        found[name] = clonetruth.evaluate_detector(
            detector=[chosen],
            on=work / "rest",
            view=f"{view}-0",
            part="test",
            policy="origin",
            threshold=threshold,
        )[0]
    cut = tuple(one for one in own.warnings if "truncated" in one)
    return found, seconds, cut


def long_functions(benchmark: Benchmark) -> float:
    """The share of functions with more than 400 tokens of the language: a lower bound, since subwords are more."""
    texts = benchmark.sql("SELECT text FROM fragments")["text"].to_pylist()
    java = language("java")
    return sum(sum(1 for _ in lexed_tokens(text, java)) > LENGTH for text in texts) / len(texts)


def main() -> None:
    """Compute the tests, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--detectors", default="linear,identifiers,mlp,ngrams")
    parser.add_argument("--pairs", type=int, default=9_000)
    parser.add_argument("--encoder", type=Path)
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    prepare(given.data, given.work, given.pairs)
    print("| detector | test | precision | recall | F1 | drop | CPU s of training |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, (precision, recall, f1) in PUBLISHED.items():
        drop = PUBLISHED["own test"][2] - f1
        print(f"| CodeBERT (published) | {name} | {precision:.3f} | {recall:.3f} | {f1:.3f} | {drop:.3f} | – |")
    names = [*given.detectors.split(","), *(["codebert"] if given.encoder else [])]
    for name in names:
        found, seconds, cut = tested(name, given.work, given.encoder if name == "codebert" else None)
        first = found["own test"].measurement("f1")
        for test, result in found.items():
            shown = [result.measurement(metric) for metric in ("precision", "recall", "f1")]
            f1 = shown[2].value if shown[2] and shown[2].value is not None else float("nan")
            drop = (first.value if first and first.value is not None else float("nan")) - f1
            cells = " | ".join(_shown(one) for one in shown)
            print(f"| `{name}` | {test} | {cells} | {drop:.3f} | {seconds:.0f} |", flush=True)
        for one in cut:
            print(one)
    share = long_functions(Benchmark.open(given.work / "lists"))
    print(f"{share:.1%} of the functions have more than {LENGTH} tokens of Java (published: about 32 % are truncated).")


def _shown(one: object) -> str:
    value, low, high = (getattr(one, name, None) for name in ("value", "low", "high"))
    if value is None:
        return "–"
    return f"{value:.3f}" if low is None or high is None else f"{value:.3f} [{low:.3f}, {high:.3f}]"


if __name__ == "__main__":
    main()
