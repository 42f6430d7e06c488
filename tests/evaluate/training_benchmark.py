"""The small training data of the learners as a benchmark: all pairs within a part judged by a person, and a split."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.model import Card, Dataset, Fragment, Judge, JudgeKind, Judgement, Pair
from clonetruth.store import Benchmark, DuckDBEngine
from tests.training.training_data import training_data

ENGINE = DuckDBEngine()
CARD = Card("training", "1", "Programs of three topics.", "MIT", "Nobody", "same-main-purpose", ("java",))
ADA = Judge("ada", JudgeKind.PERSON, "Ada")
VIEW = "by-hand-0"
TRAINING_DATA = training_data()
PARTS = {"train": TRAINING_DATA.train, "valid": TRAINING_DATA.valid, "test": TRAINING_DATA.test}


def training_benchmark(folder: Path) -> Benchmark:
    """The benchmark. The last pair has no judgement, and repeats the one before it backwards."""
    fragments = [
        Fragment(f"p{row['fragment']}", row["language"], row["text"]) for row in TRAINING_DATA.fragments.to_pylist()
    ]
    rows = [(part, row) for part, table in PARTS.items() for row in table.to_pylist()]
    pairs = [Pair(f"p{row['left']}", f"p{row['right']}", claimed_part=part) for part, row in rows]
    pairs.append(Pair(pairs[-1].right, pairs[-1].left, claimed_part=pairs[-1].claimed_part))
    judgements = [
        Judgement("ada", CARD.criterion, "clone" if row["clone"] else "not-clone", pair=number)
        for number, (_, row) in enumerate(rows)
    ]
    dataset = Dataset(CARD, fragments, pairs=pairs, judges=[ADA], judgements=judgements)
    benchmark = Benchmark.create(folder / "training", dataset, engine=ENGINE)
    split = [
        (int(key), part)
        for part, table in PARTS.items()
        for key in np.union1d(table["left"].to_numpy(), table["right"].to_numpy())
    ]
    keys, parts = zip(*split, strict=True)
    benchmark.write_table("splits", VIEW, pa.table({"fragment": list(keys), "part": list(parts)}))
    return benchmark
