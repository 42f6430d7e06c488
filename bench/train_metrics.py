"""Train the network of the detector `metrics`, and write the model that the package ships.

    python -m bench.train_metrics FOLDER... --held-out FOLDER... -o src/clonetruth/detectors/metrics_model.json

Clones are pairs of a function and its mutant after a few random edits, and pairs of different functions with similar
texts (line and token similarity of at least 0.7). Non-clones are near misses: different functions of similar size with
the same calls but dissimilar texts (below 0.5). The network is evaluated on other projects.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.measurement import measure
from clonetruth import __version__
from clonetruth.code import FormTable, extract_files, fragment_forms, language, lexed_tokens, source_files
from clonetruth.code.mutation import OPERATORS, mutate
from clonetruth.detectors.metrics import FEATURES, METRICS, MetricsLayer, MetricsModel, ProfileComparison
from clonetruth.detectors.tokenized import Items

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

MIN_TOKENS = 30
POOL = 5000
"""The maximum number of functions per project."""
MAX_EDITS = 6
SIMILAR, DISSIMILAR = 0.7, 0.5
HIDDEN = 16
EPOCHS, BATCH, RATE, DECAY = 60, 256, 0.003, 1e-4


@dataclass(frozen=True)
class Corpus:
    """The functions of a project."""

    name: str
    digest: str
    functions: tuple[tuple[str, str], ...]  # language, text

    @classmethod
    def read(cls, folder: Path, max_functions: int) -> Corpus:
        """Read the functions with enough tokens, in the order of their hashes for reproducibility."""
        digest = hashlib.sha256()
        functions: dict[str, tuple[str, str]] = {}
        for file in extract_files(source_files([folder])):
            digest.update(hashlib.sha256(file.path.read_bytes()).digest())
            for function in file.functions:
                if function.sound and len(lexed_tokens(function.text, language(file.language))) >= MIN_TOKENS:
                    key = hashlib.sha256(function.text.encode("utf-8", errors="replace")).hexdigest()
                    functions[key] = file.language, function.text
        chosen = tuple(functions[key] for key in sorted(functions)[:max_functions])
        return cls(folder.resolve().name, digest.hexdigest(), chosen)


@dataclass(frozen=True)
class LabelledPairs:
    """Pairs with known labels.

    Attributes:
        features: the network's inputs for the comparable pairs.
        labels: whether the comparable pairs are clones.
        edits: the number of edits of a mutant; 0 for pairs of a project's own functions.
        comparable: a mask of the pairs that the network scores.
        equal: a mask of the pairs with equal metrics and actions.
        clones: a mask of the clones.
    """

    features: Floats
    labels: npt.NDArray[np.bool_]
    edits: Integers
    comparable: npt.NDArray[np.bool_]
    equal: npt.NDArray[np.bool_]
    clones: npt.NDArray[np.bool_]


def labelled_pairs(corpus: Corpus, mutants: int, seed: int) -> LabelledPairs:
    """The pairs of a corpus: mutants, all clones among its own functions, and as many near misses."""
    rng = Random(f"{seed}/{corpus.name}")
    known = [(name, text, items) for name, text in corpus.functions if (items := _read(name, text)) is not None]
    profiles: list[Items] = [items for _, _, items in known]
    sides: list[tuple[int, int, int, bool]] = []  # left, right, edits, clone
    for row, (name, text, _) in enumerate(known[:mutants]):
        mutant, edits = _edited(text, name, rng)
        if edits and (items := _read(name, mutant)) is not None:
            sides.append((row, len(profiles), edits, True))
            profiles.append(items)
    natural = list(_natural_pairs(known))
    alike = [(left, right, 0, True) for left, right, clone in natural if clone]
    unlike = [(left, right, 0, False) for left, right, clone in natural if not clone]
    sides += alike + rng.sample(unlike, min(len(unlike), len(sides) + len(alike)))
    left, right, edits_of, clones = (np.array(column) for column in zip(*sides, strict=True))
    features, comparable = ProfileComparison(profiles).features(left, right)
    equal = np.array([profiles[a] == profiles[b] for a, b in zip(left.tolist(), right.tolist(), strict=True)])
    return LabelledPairs(features, clones[comparable], edits_of, comparable, equal, clones)


def _read(name: str, text: str) -> Items | None:
    return METRICS.read(text, language(name))


def _edited(text: str, name: str, rng: Random) -> tuple[str, int]:
    """A text after some edits, and the number of edits; larger functions get more."""
    wanted = rng.randint(1, min(MAX_EDITS, 1 + len(lexed_tokens(text, language(name))) // 40))
    done = 0
    for operator in rng.choices(list(OPERATORS), k=wanted):
        if (mutant := mutate(text, language(name), operator, rng)) is not None:
            text, done = mutant.text, done + 1
    return text, done


def _natural_pairs(known: Sequence[tuple[str, str, Items]]) -> Iterator[tuple[int, int, bool]]:
    """Comparable pairs of different functions that are clearly similar or clearly dissimilar."""
    for name in sorted({name for name, _, _ in known}):
        rows = np.array([row for row, (one, _, _) in enumerate(known) if one == name])
        comparison = ProfileComparison(known[row][2] for row in rows.tolist())
        forms = FormTable(fragment_forms(known[row][1], language(name)) for row in rows.tolist())
        for pairs in comparison.candidates(lambda what, done, total: None):
            _, comparable = comparison.features(pairs.left, pairs.right)
            left, right = pairs.left[comparable], pairs.right[comparable]
            measured = forms.measure(left, right)
            similarity = np.minimum(measured.line, measured.token)
            clear = (similarity >= SIMILAR) | (similarity < DISSIMILAR)
            sides = rows[left[clear]].tolist(), rows[right[clear]].tolist(), (similarity[clear] >= SIMILAR).tolist()
            yield from zip(*sides, strict=True)


def train(parts: Sequence[LabelledPairs], seed: int) -> MetricsModel:
    """Train a network with Adam on all comparable pairs."""
    features = np.concatenate([one.features for one in parts])
    labels = np.concatenate([one.labels for one in parts]).astype(np.float64)
    rng = np.random.default_rng(seed)
    weights = [
        rng.normal(0, np.sqrt(2 / len(FEATURES)), (len(FEATURES), HIDDEN)),
        np.zeros(HIDDEN),
        rng.normal(0, np.sqrt(1 / HIDDEN), (HIDDEN, 1)),
        np.zeros(1),
    ]
    means, squares = ([np.zeros_like(one) for one in weights] for _ in range(2))
    step = 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(labels))
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            step += 1
            for at, gradient in enumerate(_gradients(weights, features[rows], labels[rows])):
                gradient += DECAY * weights[at]
                means[at] = 0.9 * means[at] + 0.1 * gradient
                squares[at] = 0.999 * squares[at] + 0.001 * gradient**2
                mean, square = means[at] / (1 - 0.9**step), squares[at] / (1 - 0.999**step)
                weights[at] -= RATE * mean / (np.sqrt(square) + 1e-8)
    rounded = [np.round(one, 5) for one in weights]
    return MetricsModel(MetricsLayer(rounded[0], rounded[1]), MetricsLayer(rounded[2], rounded[3]), {})


def _gradients(weights: list[Floats], features: Floats, labels: Floats) -> list[Floats]:
    """The gradient of the mean cross-entropy."""
    hidden = np.maximum(features @ weights[0] + weights[1], 0)
    error = (1 / (1 + np.exp(-(hidden @ weights[2] + weights[3])[:, 0])) - labels)[:, None] / len(labels)
    back = (error @ weights[2].T) * (hidden > 0)
    return [features.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]


def quality(model: MetricsModel, one: LabelledPairs) -> dict[str, Any]:
    """The share of each kind of pairs that counts as clones; pairs that are not comparable do not."""
    predicted = np.zeros(len(one.clones), dtype=bool)
    predicted[one.comparable] = model.scores(one.features) >= METRICS.default_threshold
    predicted |= one.equal
    own, edited = one.clones & (one.edits == 0), one.edits > 0
    counts = {
        "mutants": edited,
        **{f"after {edits} edits": one.edits == edits for edits in range(1, MAX_EDITS + 1)},
        "own clones": own,
        "near misses": ~one.clones,
    }
    found = {what: {"pairs": int(chosen.sum()), "found": _ratio(predicted, chosen)} for what, chosen in counts.items()}
    return {**found, "clones outside of the blocks": int((one.clones & ~one.comparable).sum())}


def _ratio(predicted: npt.NDArray[np.bool_], chosen: npt.NDArray[np.bool_]) -> float | None:
    return round(float(predicted[chosen].mean()), 4) if chosen.any() else None


def main() -> None:
    """Train, measure, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--held-out", nargs="+", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", type=int, default=1000, help="maximum number of mutants per project")
    arguments = parser.parse_args()

    def learn() -> MetricsModel:
        corpora = [Corpus.read(folder, POOL) for folder in arguments.folders]
        model = train([labelled_pairs(corpus, arguments.mutants, arguments.seed) for corpus in corpora], arguments.seed)
        others = [Corpus.read(folder, POOL) for folder in arguments.held_out]
        training = {
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
            "clonetruth": __version__,
            "seed": arguments.seed,
            "mutants": arguments.mutants,
            "corpora": {corpus.name: corpus.digest for corpus in corpora},
            "held_out": {
                corpus.name: {
                    "digest": corpus.digest,
                    **quality(model, labelled_pairs(corpus, arguments.mutants, arguments.seed)),
                }
                for corpus in others
            },
        }
        return MetricsModel(model.hidden, model.last, training)

    measured = measure(learn)
    measured.result.save(arguments.output)
    for name, found in measured.result.training["held_out"].items():
        print(name, *(f"{key}: {value}" for key, value in found.items() if key != "digest"), sep="\n  ")
    print(f"{measured.cpu:.0f} CPU seconds")


if __name__ == "__main__":
    main()
