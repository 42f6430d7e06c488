"""Detectors and a learner that try to read labels without reading texts, and a benchmark to try it on.

The texts of the benchmark say nothing. Everything else gives the labels away: the functionalities, the keys of
fragments, the order of rows, the order of the sides, repeated rows, and which pairs there are.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    Functionality,
    Judge,
    JudgeKind,
    Judgement,
    Manifest,
    Membership,
    Pair,
    Role,
)
from clonetruth.progress import Progress
from clonetruth.store import Benchmark
from clonetruth.training import Epoch, TrainingSpec

Floats = npt.NDArray[np.float64]
TOPICS, PER_TOPIC = 10, 16
VIEWS = ("random-0", "cross-functionality-0")
POLICY = "origin"


def leaky_benchmark(folder: Path) -> Benchmark:
    """A benchmark of which all but the texts reveals the labels, with two splits."""
    random = np.random.default_rng(7)
    fragments = [
        Fragment(f"f{key}", "java", f"int f{word}() {{ return {word % 97}; }}")
        for key, word in enumerate(random.permutation(10_000)[: TOPICS * PER_TOPIC].tolist())
    ]
    part_of = {
        "random-0": [("train", "valid", "test", "test")[key % 4] for key in range(len(fragments))],
        "cross-functionality-0": [
            "train" if key // PER_TOPIC < 3 else "valid" if key // PER_TOPIC < 5 else "test"
            for key in range(len(fragments))
        ],
    }
    clones = [
        (left, right)
        for left, right in combinations(range(len(fragments)), 2)
        if left // PER_TOPIC == right // PER_TOPIC
    ]
    others = [
        (int(max(pair)), int(min(pair)))
        for pair in random.permutation(list(combinations(range(len(fragments)), 2)))
        if pair[0] // PER_TOPIC != pair[1] // PER_TOPIC
    ]
    kept = []
    # As many non-clones as clones in every part of both splits, so that chance is known.
    for parts in part_of.values():
        for part in ("train", "valid", "test"):
            inside = {key for key, own in enumerate(parts) if own == part}
            wanted = sum(left in inside and right in inside for left, right in clones)
            kept += [pair for pair in others if pair[0] in inside and pair[1] in inside][:wanted]
    rows = [*clones, *dict.fromkeys(kept)]
    repeated = [pair for pair in clones for _ in range(2)] + rows[len(clones) :]
    pairs = [Pair(f"f{left}", f"f{right}", functionality=f"t{left // PER_TOPIC}") for left, right in repeated]
    values = ["clone" if left // PER_TOPIC == right // PER_TOPIC else "not-clone" for left, right in repeated]
    card = Card("leaky", "1", "Only the texts are silent.", "MIT", "Nobody", "shares-functionality", ("java",))
    dataset = Dataset(
        card,
        fragments,
        functionalities=[Functionality(f"t{topic}", f"topic {topic}") for topic in range(TOPICS)],
        memberships=[Membership(f"f{key}", f"t{key // PER_TOPIC}", Role.EXEMPLAR) for key in range(len(fragments))],
        pairs=pairs,
        judges=[Judge("rule", JudgeKind.RULE, "The construction")],
        judgements=[Judgement("rule", card.criterion, value, pair=row) for row, value in enumerate(values)],
    )
    benchmark = Benchmark.create(folder / "leaky", dataset)
    for name, parts in part_of.items():
        benchmark.write_table("splits", name, pa.table({"fragment": list(range(len(parts))), "part": parts}))
    return benchmark


def clues(fragments: pa.Table, pairs: pa.Table) -> dict[str, Floats]:
    """All that can be learned of each pair without the meaning of its texts, as numbers by name."""
    found = {f"pairs.{name}": _numbers(pairs[name]) for name in pairs.column_names if name != "clone"}
    keys = fragments["fragment"].to_pylist()
    place = {key: row for row, key in enumerate(keys)}
    left, right = (pairs[side].to_pylist() for side in ("left", "right"))
    for name in fragments.column_names:
        values = _numbers(fragments[name])
        one, other = (np.array([values[place[key]] for key in side]) for side in (left, right))
        found |= {f"left.{name}": one, f"right.{name}": other, f"equal.{name}": (one == other).astype(np.float64)}
        found[f"distance.{name}"] = -np.abs(one - other)
    found["row"] = np.arange(len(left), dtype=np.float64)
    found["side"] = np.array([a < b for a, b in zip(left, right, strict=True)], dtype=np.float64)
    counts: dict[frozenset[int], int] = {}
    neighbours: dict[int, set[int]] = {key: set() for key in keys}
    topics: dict[int, Any] = {}
    topic_column = pairs["functionality"].to_pylist() if "functionality" in pairs.column_names else [None] * len(left)
    for a, b, topic in zip(left, right, topic_column, strict=True):
        counts[frozenset((a, b))] = counts.get(frozenset((a, b)), 0) + 1
        neighbours[a].add(b)
        neighbours[b].add(a)
        topics[a] = topic
    both = list(zip(left, right, strict=True))
    found["multiplicity"] = np.array([float(counts[frozenset(pair)]) for pair in both])
    found["same topic"] = np.array([float(a in topics and topics[a] == topics.get(b)) for a, b in both])
    found["least degree"] = np.array([float(min(len(neighbours[a]), len(neighbours[b]))) for a, b in both])
    found["degrees"] = np.array([float(len(neighbours[a]) + len(neighbours[b])) for a, b in both])
    found["common neighbours"] = np.array([float(len(neighbours[a] & neighbours[b])) for a, b in both])
    either = np.array([float(len(neighbours[a] | neighbours[b])) for a, b in both])
    found["share of common neighbours"] = found["common neighbours"] / np.maximum(either, 1)
    component = _components(neighbours)
    found["component"] = np.array([float(component[a]) for a, _ in both])
    found["nulls"] = sum(
        (np.asarray(column.is_null(), dtype=np.float64) for column in pairs.columns), np.zeros(len(left))
    )
    metadata = repr((fragments.schema.metadata, pairs.schema.metadata, fragments.schema, pairs.schema))
    found["metadata"] = np.full(len(left), float(len(metadata)))
    return found


def _numbers(column: pa.ChunkedArray) -> Floats:
    """A column as numbers: texts by their rank, nulls as -1."""
    values = [-1 if value is None else value for value in column.to_pylist()]
    ranks = {value: rank for rank, value in enumerate(sorted(set(values), key=lambda value: (str(type(value)), value)))}
    return np.array([float(ranks[value]) for value in values])


def _components(neighbours: Mapping[int, set[int]]) -> dict[int, int]:
    """The size of the component of each fragment."""
    sizes: dict[int, int] = {}
    for start in neighbours:
        if start in sizes:
            continue
        seen, waiting = {start}, [start]
        while waiting:
            for other in neighbours[waiting.pop()] - seen:
                seen.add(other)
                waiting.append(other)
        sizes |= dict.fromkeys(seen, len(seen))
    return sizes


@dataclass
class LabelReader:
    """Scores pairs by one clue; keeps what it was shown."""

    clue: str
    name: str = "label-reader"
    description: str = "Whatever gives labels away."
    default_threshold: float | None = 0.5
    shown: list[tuple[pa.Table, pa.Table, Progress | None]] = field(default_factory=list)

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        self.shown.append((fragments, pairs, progress))
        return pa.array(clues(fragments, pairs).get(self.clue, np.zeros(pairs.num_rows)))


@dataclass
class RememberingReader(LabelReader):
    """Counts the common neighbours among all pairs that it was ever shown; recognises fragments by their text."""

    neighbours: dict[str, set[str]] = field(default_factory=dict)

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        texts = dict(zip(fragments["fragment"].to_pylist(), fragments["text"].to_pylist(), strict=True))
        both = [(texts[row["left"]], texts[row["right"]]) for row in pairs.to_pylist()]
        for one, other in both:
            self.neighbours.setdefault(one, set()).add(other)
            self.neighbours.setdefault(other, set()).add(one)
        return pa.array(
            [float(len(self.neighbours[one] & self.neighbours[other])) for one, other in both], pa.float64()
        )


@dataclass
class TrainedReader(LabelReader):
    """Scores pairs by the sum of all clues, weighted as the training labels suggest."""

    weights: Mapping[str, float] = field(default_factory=dict)
    history: Sequence[Epoch] = (Epoch(0.0, 0.0, 0.5),)
    options: TrainingSpec = field(default_factory=TrainingSpec)
    manifest: Manifest | None = None

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        self.shown.append((fragments, pairs, progress))
        found = clues(fragments, pairs)
        total = np.zeros(pairs.num_rows)
        for name, weight in self.weights.items():
            if name in found:
                total += weight * found[name] / (1 + np.abs(found[name]).max(initial=0))
        return pa.array(total)

    def with_manifest(self, manifest: Manifest) -> TrainedReader:
        self.manifest = manifest
        return self

    def save(self, folder: str | os.PathLike[str], manifest: Manifest | None = None) -> None:
        raise NotImplementedError


@dataclass
class ReadingLearner:
    """Learns which clues tell clones from non-clones; keeps what it was shown."""

    name: str = "label-reader"
    description: str = "Whatever gives labels away."
    shown: list[tuple[pa.Table, pa.Table]] = field(default_factory=list)
    detector: TrainedReader | None = None

    def train(
        self,
        fragments: pa.Table,
        train: pa.Table,
        valid: pa.Table,
        options: TrainingSpec,
        *,
        progress: Progress | None = None,
    ) -> TrainedReader:
        self.shown += [(fragments, train), (fragments, valid)]
        truth = train["clone"].to_numpy()
        weights = {name: 2 * area(values, truth) - 1 for name, values in clues(fragments, train).items()}
        self.detector = TrainedReader("all", weights=weights, options=options)
        return self.detector

    def load(self, folder: str | os.PathLike[str]) -> TrainedReader:
        raise NotImplementedError


def area(scores: Floats, truth: npt.NDArray[np.bool_]) -> float:
    """The area under the ROC curve: the share of clones that score above a non-clone, ties half."""
    clones, others = scores[truth], np.sort(scores[~truth])
    below = np.searchsorted(others, clones, side="left") + np.searchsorted(others, clones, side="right")
    return float(below.mean() / 2 / len(others))
