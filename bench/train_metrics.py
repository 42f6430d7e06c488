"""Train the network of the detector `metrics`, and write it as the package ships it.

    python -m bench.train_metrics FOLDER... --held-out FOLDER... -o src/clonetruth/detectors/metrics_model.json

Clones are functions and what a few editing operators, one after another, make of them, and different functions whose
texts are alike (line and token similarity of 0.7 or more). Others are near misses: different functions of like size
with the same calls, whose texts are not alike (below 0.5). The network is measured on other projects.
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

from bench.measuring import measure
from clonetruth import __version__
from clonetruth.code import FormTable, extract_files, fragment_forms, language, lexed_tokens, source_files
from clonetruth.code.mutation import OPERATORS, mutate
from clonetruth.detectors.metrics import FEATURES, METRICS, MetricsLayer, MetricsModel, ProfileComparison
from clonetruth.detectors.tokenized import Items

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

LEAST_TOKENS = 30
POOL = 5000
"""Functions of a project among which near misses are looked for."""
MOST_EDITS = 6
ALIKE, UNLIKE = 0.7, 0.5
HIDDEN = 16
EPOCHS, BATCH, RATE, DECAY = 60, 256, 0.003, 1e-4


@dataclass(frozen=True)
class Corpus:
    """Functions of a project."""

    name: str
    digest: str
    functions: tuple[tuple[str, str], ...]  # language, text

    @classmethod
    def read(cls, folder: Path, most: int) -> Corpus:
        """Those with enough tokens, in the order of their hashes, so that runs agree; at most so many."""
        digest = hashlib.sha256()
        functions: dict[str, tuple[str, str]] = {}
        for file in extract_files(source_files([folder])):
            digest.update(hashlib.sha256(file.path.read_bytes()).digest())
            for function in file.functions:
                if function.sound and len(lexed_tokens(function.text, language(file.language))) >= LEAST_TOKENS:
                    key = hashlib.sha256(function.text.encode("utf-8", errors="replace")).hexdigest()
                    functions[key] = file.language, function.text
        chosen = tuple(functions[key] for key in sorted(functions)[:most])
        return cls(folder.resolve().name, digest.hexdigest(), chosen)


@dataclass(frozen=True)
class Lesson:
    """Pairs with known labels.

    Attributes:
        features: what the network sees of those pairs that it is asked about.
        labels: whether these are clones.
        edits: how often a clone was edited; 0 for pairs of a project's own functions.
        asked: of all pairs, which the network is asked about.
        equal: of all pairs, which have equal measures and actions.
        clones: of all pairs, which are clones.
    """

    features: Floats
    labels: npt.NDArray[np.bool_]
    edits: Integers
    asked: npt.NDArray[np.bool_]
    equal: npt.NDArray[np.bool_]
    clones: npt.NDArray[np.bool_]


def lesson(corpus: Corpus, mutants: int, seed: int) -> Lesson:
    """The pairs of a corpus: so many mutants, all clones among its own functions, and as many others."""
    rng = Random(f"{seed}/{corpus.name}")
    known = [(name, text, reading) for name, text in corpus.functions if (reading := _read(name, text)) is not None]
    readings: list[Items] = [reading for _, _, reading in known]
    sides: list[tuple[int, int, int, bool]] = []  # left, right, edits, clone
    for row, (name, text, _) in enumerate(known[:mutants]):
        mutant, edits = _edited(text, name, rng)
        if edits and (reading := _read(name, mutant)) is not None:
            sides.append((row, len(readings), edits, True))
            readings.append(reading)
    natural = list(_natural_pairs(known))
    alike = [(left, right, 0, True) for left, right, clone in natural if clone]
    unlike = [(left, right, 0, False) for left, right, clone in natural if not clone]
    sides += alike + rng.sample(unlike, min(len(unlike), len(sides) + len(alike)))
    left, right, edits_of, clones = (np.array(column) for column in zip(*sides, strict=True))
    features, asked = ProfileComparison(readings).features(left, right)
    equal = np.array([readings[a] == readings[b] for a, b in zip(left.tolist(), right.tolist(), strict=True)])
    return Lesson(features, clones[asked], edits_of, asked, equal, clones)


def _read(name: str, text: str) -> Items | None:
    return METRICS.read(text, language(name))


def _edited(text: str, name: str, rng: Random) -> tuple[str, int]:
    """A text after some edits, and how many there were; larger functions take more."""
    wanted = rng.randint(1, min(MOST_EDITS, 1 + len(lexed_tokens(text, language(name))) // 40))
    done = 0
    for operator in rng.choices(list(OPERATORS), k=wanted):
        if (mutant := mutate(text, language(name), operator, rng)) is not None:
            text, done = mutant.text, done + 1
    return text, done


def _natural_pairs(known: Sequence[tuple[str, str, Items]]) -> Iterator[tuple[int, int, bool]]:
    """Pairs of different functions that the network would be asked about, where it is clear whether they are alike."""
    for name in sorted({name for name, _, _ in known}):
        rows = np.array([row for row, (one, _, _) in enumerate(known) if one == name])
        comparison = ProfileComparison(known[row][2] for row in rows.tolist())
        forms = FormTable(fragment_forms(known[row][1], language(name)) for row in rows.tolist())
        for pairs in comparison.candidates(lambda what, done, total: None):
            _, asked = comparison.features(pairs.left, pairs.right)
            left, right = pairs.left[asked], pairs.right[asked]
            measured = forms.measure(left, right)
            similarity = np.minimum(measured.line, measured.token)
            clear = (similarity >= ALIKE) | (similarity < UNLIKE)
            sides = rows[left[clear]].tolist(), rows[right[clear]].tolist(), (similarity[clear] >= ALIKE).tolist()
            yield from zip(*sides, strict=True)


def train(lessons: Sequence[Lesson], seed: int) -> MetricsModel:
    """A network trained by Adam on all pairs of the lessons."""
    features = np.concatenate([one.features for one in lessons])
    labels = np.concatenate([one.labels for one in lessons]).astype(np.float64)
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
            for at, slope in enumerate(_slopes(weights, features[rows], labels[rows])):
                slope += DECAY * weights[at]
                means[at] = 0.9 * means[at] + 0.1 * slope
                squares[at] = 0.999 * squares[at] + 0.001 * slope**2
                mean, square = means[at] / (1 - 0.9**step), squares[at] / (1 - 0.999**step)
                weights[at] -= RATE * mean / (np.sqrt(square) + 1e-8)
    rounded = [np.round(one, 5) for one in weights]
    return MetricsModel(MetricsLayer(rounded[0], rounded[1]), MetricsLayer(rounded[2], rounded[3]), {})


def _slopes(weights: list[Floats], features: Floats, labels: Floats) -> list[Floats]:
    """The gradient of the mean cross-entropy."""
    hidden = np.maximum(features @ weights[0] + weights[1], 0)
    error = (1 / (1 + np.exp(-(hidden @ weights[2] + weights[3])[:, 0])) - labels)[:, None] / len(labels)
    back = (error @ weights[2].T) * (hidden > 0)
    return [features.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]


def quality(model: MetricsModel, one: Lesson) -> dict[str, Any]:
    """The share of each kind of pairs that is taken for clones; what the network is not asked about is not."""
    said = np.zeros(len(one.clones), dtype=bool)
    said[one.asked] = model.scores(one.features) >= METRICS.default_threshold
    said |= one.equal
    own, edited = one.clones & (one.edits == 0), one.edits > 0
    counts = {
        "mutants": edited,
        **{f"after {edits} edits": one.edits == edits for edits in range(1, MOST_EDITS + 1)},
        "own clones": own,
        "near misses": ~one.clones,
    }
    found = {what: {"pairs": int(chosen.sum()), "found": _ratio(said, chosen)} for what, chosen in counts.items()}
    return {**found, "clones outside of the blocks": int((one.clones & ~one.asked).sum())}


def _ratio(said: npt.NDArray[np.bool_], chosen: npt.NDArray[np.bool_]) -> float | None:
    return round(float(said[chosen].mean()), 4) if chosen.any() else None


def main() -> None:
    """Train, measure, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--held-out", nargs="+", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", type=int, default=1000, help="the most of a project")
    asked = parser.parse_args()

    def learn() -> MetricsModel:
        corpora = [Corpus.read(folder, POOL) for folder in asked.folders]
        model = train([lesson(corpus, asked.mutants, asked.seed) for corpus in corpora], asked.seed)
        others = [Corpus.read(folder, POOL) for folder in asked.held_out]
        training = {
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
            "clonetruth": __version__,
            "seed": asked.seed,
            "mutants": asked.mutants,
            "corpora": {corpus.name: corpus.digest for corpus in corpora},
            "held_out": {
                corpus.name: {"digest": corpus.digest, **quality(model, lesson(corpus, asked.mutants, asked.seed))}
                for corpus in others
            },
        }
        return MetricsModel(model.hidden, model.last, training)

    measured = measure(learn)
    measured.result.save(asked.output)
    for name, found in measured.result.training["held_out"].items():
        print(name, *(f"{key}: {value}" for key, value in found.items() if key != "digest"), sep="\n  ")
    print(f"{measured.cpu:.0f} CPU seconds")


if __name__ == "__main__":
    main()
