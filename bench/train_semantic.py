"""Makes the model that `semantic` ships with: `python -m bench.train_semantic MBXP SOURCES… -o FILE`.

Two things go in, and no text comes out:

- The background: functions and small files of permissively licensed source packages (folders), some of each language.
  They say how common the features of each view are, and some of them are the cohort.
- The training pairs: solutions of the MBXP tasks with even numbers (CC BY 4.0), a benchmark folder that `clonetruth
  import mbxp` made. Solutions of one task are clones, of two tasks are not. Tasks with odd numbers are not read.

The file has hashed counts, weights, hashes of the training fragments, and similarities of pairs of them that a training
on few functionalities adds to its own. It states its sources. `--background FILE --examples` makes only these again.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from clonetruth.code import LANGUAGES, abstract, extract, language, language_of_path, read_source
from clonetruth.code.canonical import GRAM_BINS, VIEWS, GramCounts, ViewCounts, read_grams, read_views
from clonetruth.detectors.semantic import ShippedExamples, ShippedModel, ViewModel, fragment_hash
from clonetruth.detectors.semantic.background import FeatureFrequencies, feature_weights
from clonetruth.detectors.semantic.similarity import SemanticFragments
from clonetruth.store import open_benchmark
from clonetruth.training import TrainingSpec
from clonetruth.training.held_out import HeldOutExamples, LabelledCounts, fold_count
from clonetruth.training.trainer import Trainer, best_threshold, training_digest
from clonetruth.training.view_weights import ViewWeights

FUNCTIONS, FILES = 800, 200
"""Fragments of each language in the background."""
COHORT_FUNCTIONS, COHORT_FILES = 48, 16
"""Those of them in the cohort."""
MAX_FILES = 150
"""Files of a language that are read from one package."""
LINES, FILE_LINES = range(5, 120), range(20, 250)
CLONE_SHARE = 0.2
"""The share of clones for which the threshold is chosen, and for which scores are probabilities."""
PAIRS = 60_000
LEFT_OUT = (
    "tokens",
    "tokens without types",
    "tokens without names",
    "3-grams without variables",
    "3-grams without types",
    "nodes in nodes",
    "roles of variables",
)
"""Views that say little beside the others: without them, more pairs are compared in a second."""
EPOCHS = 10
EXAMPLES = 8_000
"""Examples for trainings on few functionalities."""
SOLUTIONS_SQL = """
SELECT f.language AS language, f.text AS text, fu.id AS task, fu.name AS name
FROM fragments f
JOIN memberships m ON f.fragment = m.fragment
JOIN functionalities fu ON m.functionality = fu.functionality
ORDER BY f.fragment
"""


def main() -> None:
    """Make the model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mbxp", type=Path, help="a benchmark folder")
    parser.add_argument("sources", nargs="*", type=Path, help="unpacked source packages")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--background", type=Path, help="take the background of this model instead of the sources'")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--examples", action="store_true", help="only make the examples of that model again")
    only.add_argument("--calibrate", action="store_true", help="only spread and calibrate the fitted weights again")
    given = parser.parse_args()
    if not given.background and not given.sources:
        parser.error("Give source packages, or --background.")
    model = ShippedModel.load(given.background) if given.background else untrained(given.sources, given.seed)
    if not given.examples:
        model = model if given.calibrate else fitted(model, given.mbxp, given.seed)
        model = calibrated(model, given.mbxp, given.seed)
    if not given.calibrate:
        model = with_examples(model, given.mbxp, given.seed)
    model.save(given.output)
    print(f"{given.output}: {given.output.stat().st_size:,} bytes, threshold {model.threshold:g}")
    for weight, view in sorted(zip(model.model.weights.tolist(), VIEWS, strict=True), reverse=True):
        print(f"  {weight:.3f}  {view}")


def untrained(sources: Sequence[Path], seed: int) -> ShippedModel:
    """A model with a background of source packages, and equal weights."""
    texts, languages, cohort = background_fragments(sources, seed)
    counts = ViewCounts.joined(list(read_views(texts, languages)))
    frequencies = balanced_frequencies(counts, languages)
    grams = GramCounts.joined(list(read_grams(texts, languages)))
    common = np.bincount(grams.bins, minlength=GRAM_BINS)
    return ShippedModel(
        feature_weights(frequencies.counts, frequencies.fragments),
        feature_weights(common, len(grams)),
        counts.take(cohort),
        tuple(languages[row] for row in cohort.tolist()),
        ViewModel.untrained(),
        0.5,
        frozenset(),
        {
            "background": sorted(folder.name for folder in sources),
            "fragments": {name: languages.count(name) for name in sorted(set(languages))},
            "training": "MBXP, tasks with even numbers (CC BY 4.0)",
            "clone_share": CLONE_SHARE,
            "seed": seed,
        },
        ShippedExamples(np.zeros((0, len(VIEWS))), np.zeros(0, bool), np.zeros((0, 2), np.int64)),
        ViewModel.untrained(),
    )


def background_fragments(folders: Sequence[Path], seed: int) -> tuple[list[str], list[str], np.ndarray]:
    """The texts and languages of the background, and the rows of the cohort; drawn by hash."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for folder in folders:
        for name, kind, text in source_texts(folder):
            key = hashlib.sha256(f"{seed}\0{text}".encode(errors="replace")).hexdigest()
            found.setdefault((name, kind), {})[key] = text
    texts: list[str] = []
    languages: list[str] = []
    cohort: list[int] = []
    for (name, kind), by_hash in sorted(found.items()):
        most, first = (FUNCTIONS, COHORT_FUNCTIONS) if kind == "function" else (FILES, COHORT_FILES)
        chosen = [by_hash[key] for key in sorted(by_hash)[:most]]
        cohort += range(len(texts), len(texts) + min(first, len(chosen)))
        texts += chosen
        languages += [name] * len(chosen)
    return texts, languages, np.array(cohort, np.int64)


def source_texts(folder: Path) -> Iterator[tuple[str, str, str]]:
    """The functions and small files of a folder, with their languages; tests and generated files are left out."""
    paths = sorted(folder.rglob("*"), key=lambda path: hashlib.sha256(str(path.relative_to(folder)).encode()).digest())
    seen: dict[str, int] = {}
    for path in paths:
        own = language_of_path(path)
        parts = {part.lower() for part in path.relative_to(folder).parts}
        if own is None or own.name not in LANGUAGES or not path.is_file() or path.stat().st_size > 200_000:
            continue
        if parts & {"test", "tests", "testing", "dist", "umd", "bundles", "node_modules"} or path.name.endswith(
            ".d.ts"
        ):
            continue
        seen[own.name] = seen.get(own.name, 0) + 1
        if seen[own.name] > MAX_FILES:
            continue
        text = read_source(path).text
        if text.count("\n") in FILE_LINES:
            yield own.name, "file", text
        for function in extract(text, language(own.name)).functions:
            if function.text.count("\n") in LINES:
                yield own.name, "function", function.text


def balanced_frequencies(counts: ViewCounts, languages: Sequence[str]) -> FeatureFrequencies:
    """How common features are, every language counting the same."""
    names = np.array(languages)
    total = np.zeros(0)
    for name in sorted(set(languages)):
        own = FeatureFrequencies.of(counts.take(np.flatnonzero(names == name)))
        share = own.counts / own.fragments
        total = share if not len(total) else total + share
    size = 1000.0
    return FeatureFrequencies(total / len(set(languages)) * size, size)


def compared(
    rows: Sequence[Mapping[str, str]], model: ShippedModel, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Similarities of pairs of solutions in each view, whether they are of one task, and the folds of their tasks."""
    languages = [row["language"] for row in rows]
    shown = [nameless(row["text"], row["language"], row["name"]) for row in rows]
    task = np.unique([row["task"] for row in rows], return_inverse=True)[1]
    left, right, truth = draw_pairs(task, seed)
    own = SemanticFragments.of(ViewCounts.joined(list(read_views(shown, languages))), languages, model.background)
    found, _ = own.similarities(left, right)
    folds = np.random.default_rng([seed, 17]).permutation(int(task.max()) + 1) % fold_count(int(task.max()) + 1)
    return found.astype(np.float64), truth, np.stack([folds[task[left]], folds[task[right]]], axis=1)


def fitted(model: ShippedModel, mbxp: Path, seed: int) -> ShippedModel:
    """The model with weights of views from the even tasks."""
    rows = open_benchmark(mbxp).sql(SOLUTIONS_SQL).to_pylist()
    rows = [row for row in rows if row["language"] in LANGUAGES and int(row["task"].rpartition("/")[2]) % 2 == 0]
    similarities, truth, fold = compared(rows, model, seed)
    options = TrainingSpec(seed=seed)
    trainer = Trainer(
        pairs=len(truth),
        validation_scores=lambda weights: ViewWeights.out_of_fold(weights, similarities, fold),
        validation_truth=truth,
        digest=training_digest("semantic", options, similarities),
        options=options,
        stops_early=False,
    )
    run = trainer.fit(ViewWeights(similarities, truth, fold))
    weights = run.weights["final"]
    facts = {**model.facts, "fragments of training": len(rows), "f1 on held-out tasks": round(run.best.f1, 3)}
    training = frozenset(fragment_hash(row["language"], row["text"]) for row in rows)
    return replace(model, fitted=ViewModel(weights[:-1], float(weights[-1])), training=training, facts=facts)


def calibrated(model: ShippedModel, mbxp: Path, seed: int) -> ShippedModel:
    """The model with its fitted weights spread over the views, as probabilities, and a threshold.

    Fitted to solutions of small tasks, most of the weight is that of two views, and other code differs from them.
    """
    rows = open_benchmark(mbxp).sql(SOLUTIONS_SQL).to_pylist()
    rows = [row for row in rows if fragment_hash(row["language"], row["text"]) in model.training]
    similarities, truth, fold = compared(rows, model, seed)
    kept = ~np.isin(VIEWS, LEFT_OUT)
    own = np.where(kept, model.fitted.weights, 0.0)
    spread = (own + own.sum() * kept / kept.sum()) / 2
    total = similarities @ spread[:, None]
    one = ViewWeights(total, truth, fold, np.ones(1))
    for _ in range(EPOCHS):
        one.run_epoch(iter(()))
    slope, bias = one.weights()["final"].tolist()
    threshold, f1 = best_threshold(ViewWeights.out_of_fold(one.weights(), total, fold), truth)
    print(f"weights spread over the views: F1 {f1:.3f} on held-out tasks")
    return replace(model, model=ViewModel(spread * slope, bias), threshold=threshold)


def with_examples(model: ShippedModel, mbxp: Path, seed: int) -> ShippedModel:
    """The model with pairs of its training fragments, compared as a training compares those that it holds out."""
    rows = open_benchmark(mbxp).sql(SOLUTIONS_SQL).to_pylist()
    rows = [row for row in rows if fragment_hash(row["language"], row["text"]) in model.training]
    languages = [row["language"] for row in rows]
    shown = [nameless(row["text"], row["language"], row["name"]) for row in rows]
    task = np.unique([row["task"] for row in rows], return_inverse=True)[1]
    data = LabelledCounts(ViewCounts.joined(list(read_views(shown, languages))), languages, *draw_pairs(task, seed))
    found = HeldOutExamples.of(data, seed, learns=False)
    kept = np.sort(np.random.default_rng([seed, 47]).permutation(len(found.truth))[:EXAMPLES])
    # Two folds: every one costs each training a model.
    fold = found.fold[kept] // ((int(found.fold.max()) + 2) // 2)
    share = found.truth[kept].mean()
    print(f"{len(rows):,} solutions of {task.max() + 1} tasks, {len(kept):,} examples, {share:.1%} clones")
    return replace(model, examples=ShippedExamples(found.similarities[kept], found.truth[kept], fold))


def nameless(text: str, name: str, function: str) -> str:
    """A solution without the names that the task's prompt gives in all languages: the function's and the variables'.

    They would give away that two solutions are of one task.
    """
    words = [word for word in function.split("_") if word]
    camel = "".join(word[:1].upper() + word[1:] for word in words)
    pattern = "|".join(re.escape(form) for form in (function, camel, camel[:1].lower() + camel[1:]) if form)
    return abstract(re.sub(rf"\b(?:{pattern})\b", "f", text, flags=re.IGNORECASE), language(name), 1)


def draw_pairs(task: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs of solutions with the stated share of clones, each once."""
    random = np.random.default_rng([seed, 5])
    a, b = random.integers(0, len(task), (2, 40 * PAIRS))
    groups = [np.flatnonzero(task == one) for one in range(int(task.max()) + 1)]
    inner = [(x, y) for own in groups for at, x in enumerate(own.tolist()) for y in own[at + 1 :].tolist()]
    clones = np.array([inner[at] for at in random.permutation(len(inner))[: round(PAIRS * CLONE_SHARE)]])
    others = np.stack([np.minimum(a, b), np.maximum(a, b)], axis=1)[task[a] != task[b]]
    others = np.unique(others, axis=0)
    others = others[random.permutation(len(others))[: round(len(clones) * (1 - CLONE_SHARE) / CLONE_SHARE)]]
    pairs = np.concatenate([clones, others])
    truth = np.arange(len(pairs)) < len(clones)
    return pairs[:, 0], pairs[:, 1], truth


if __name__ == "__main__":
    main()
