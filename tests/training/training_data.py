"""Small training data: programs of three topics, which differ in the functions that they call."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import pyarrow as pa

from clonetruth.detectors.detector import FRAGMENTS
from clonetruth.training.learner import LABELLED_PAIRS

TOPICS = ("sort", "copy", "parse")
_PER_TOPIC = 12


@dataclass(frozen=True)
class TrainingData:
    """Training, validation and test pairs. No fragment is in two parts."""

    fragments: pa.Table
    train: pa.Table
    valid: pa.Table
    test: pa.Table


def program(topic: str, number: int) -> str:
    """A program that calls the functions of its topic, with some individual details."""
    noise = number * 7 % 5
    return (
        f"int run{noise}(int[] data{number % 4}) {{\n"
        f"    int step = {topic}All(data{number % 4}, {topic.upper()}_LIMIT);\n"
        + "    for (int i = 0; i < step; i++) log(i);\n" * (noise % 2)
        + f"    return step + {noise};\n}}\n"
    )


def fragments(language: str = "java") -> pa.Table:
    """All programs; `fragment` // 12 is the topic."""
    texts = [program(topic, number) for topic in TOPICS for number in range(_PER_TOPIC)]
    keys = list(range(len(texts)))
    return pa.table({"fragment": keys, "language": [language] * len(keys), "text": texts}, schema=FRAGMENTS)


def labelled(sides: list[tuple[int, int]]) -> pa.Table:
    """Labelled pairs; two programs of the same topic are clones."""
    columns = {
        "pair": list(range(len(sides))),
        "left": [left for left, _ in sides],
        "right": [right for _, right in sides],
        "clone": [left // _PER_TOPIC == right // _PER_TOPIC for left, right in sides],
    }
    return pa.table(columns, schema=LABELLED_PAIRS)


def training_data() -> TrainingData:
    """Six programs of each topic for training, three for validation, three for testing."""
    numbers = {"train": range(6), "valid": range(6, 9), "test": range(9, 12)}
    keys = {
        part: [topic * _PER_TOPIC + n for topic in range(len(TOPICS)) for n in own] for part, own in numbers.items()
    }
    return TrainingData(fragments(), *(labelled(list(combinations(keys[part], 2))) for part in numbers))
