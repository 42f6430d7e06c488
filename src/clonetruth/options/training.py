"""`clonetruth train` and `clonetruth predict`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import WORD, argument, option
from clonetruth.options.shared import EngineOptions, JsonOptions, SpreadsheetOptions

_PROCESSES = "Number of worker processes that read code."


@dataclass(frozen=True, kw_only=True)
class TrainOptions(EngineOptions, JsonOptions, command="train", function="train_detector"):
    """Train a detector on the train part of a view, and choose its threshold on the valid part.

    LEARNER is mlp, linear or identifiers. An interrupted training resumes where it stopped when it is called again.
    """

    learner: str = argument(help="The learner: mlp, linear or identifiers.")
    on: Path = option(accepts="Benchmark", help="The benchmark folder.")
    output: Path | None = option(None, names=("-o",), setting=False, help="Write the trained detector to this folder.")
    view: str | None = option(
        None, project=WORD, help="Split whose train and valid parts are used (default: the source's parts)."
    )
    policy: str = option("default", project=WORD, help="How judgements become verdicts.")
    criterion: str | None = option(None, project=WORD, help="What the judges were asked.")
    level: int = option(0, minimum=0, maximum=3, help="Abstraction level of the code.")
    seed: int = option(0, minimum=0, help="Random seed.")
    epochs: int = option(
        20, minimum=1, help="Maximum number of passes over the training pairs (linear, identifiers: of penalties)."
    )
    patience: int = option(3, minimum=1, help="Stop mlp after this many consecutive drops of the validation F1.")
    batch: int | None = option(
        None, minimum=1, help="Pairs per batch of mlp (default: a hundredth of the training pairs, 16 to 1,024)."
    )
    rate: float = option(0.003, help="Learning rate of mlp.")
    threshold: str = option(
        "validation",
        choices=("validation", "paper"),
        help="Choose the best threshold on the valid part, or use the one from the paper.",
    )
    processes: int = option(1, minimum=1, help=_PROCESSES)
    threads: int = option(1, minimum=1, help="Number of threads that compute.")


@dataclass(frozen=True, kw_only=True)
class PredictOptions(SpreadsheetOptions, EngineOptions, JsonOptions, command="predict", function="predict_pairs"):
    """Score the pairs of a benchmark with a trained detector, for `clonetruth evaluate`.

    MODEL is a folder that `clonetruth train` wrote.
    """

    model: Path = argument(accepts="Detector", help="The folder of the trained detector.")
    on: Path = option(accepts="Benchmark", help="The benchmark folder.")
    output: Path | None = option(
        None, names=("-o",), setting=False, help="Write the predictions to this file: .parquet or .csv."
    )
    view: str | None = option(None, project=WORD, help="Split that the part belongs to (default: the source's parts).")
    part: str | None = option(None, project=WORD, help="Score only this part, for example test (default: all pairs).")
    processes: int = option(1, minimum=1, help=_PROCESSES)
