"""`clonetruth train` and `clonetruth predict`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import WORD, argument, option
from clonetruth.options.shared import EngineOptions, JsonOptions, SpreadsheetOptions

PRESETS = ("li2023", "codexglue", "sonnekalb")
"""How papers trained; `training.presets` has the values."""
_PROCESSES = "Number of worker processes that read code."


@dataclass(frozen=True, kw_only=True)
class TrainOptions(EngineOptions, JsonOptions, command="train", function="train_detector"):
    """Train a detector on the train part of a view, and choose its threshold on the valid part.

    LEARNER is a name from `clonetruth detectors`; `clonetruth train LEARNER --help` lists the options that only this
    learner has, which --set changes. The same command resumes an interrupted training where it stopped.
    """

    learner: str = argument(help="The learner, a name from `clonetruth detectors`.")
    on: tuple[Path, ...] = option(
        accepts="Benchmark",
        help="The benchmark folder; may be repeated, to train on several together (one --view for all, or one each).",
    )
    output: Path | None = option(None, names=("-o",), setting=False, help="Write the trained detector to this folder.")
    view: tuple[str, ...] = option(
        (), project=WORD, help="Split whose train and valid parts are used (default: the source's parts)."
    )
    policy: str = option("default", project=WORD, help="How judgements become verdicts.")
    criterion: str | None = option(None, project=WORD, help="The question that the judges answered.")
    level: int = option(0, minimum=0, maximum=3, help="Abstraction level of the code.")
    as_: str | None = option(
        None,
        choices=PRESETS,
        help="Use a paper's values for the options that are not given (docs/learned-detectors.md).",
    )
    seed: int | None = option(None, minimum=0, help="Random seed (default: 0).")
    epochs: int | None = option(
        None,
        minimum=1,
        help="Maximum number of passes over the training pairs (of penalties for linear and identifiers; default: 20).",
    )
    patience: int | None = option(
        None, minimum=1, help="Stop a network after this many consecutive drops of the validation F1 (default: 3)."
    )
    batch: int | None = option(
        None,
        minimum=1,
        help="Pairs per batch (default: the learner's, or a hundredth of the training pairs, 16 to 1,024).",
    )
    rate: float | None = option(None, above=0, help="Learning rate of a network (default: the learner's).")
    set_: Mapping[str, object] | None = option(
        None, metavar="OPTION=VALUE", help="Set an option that only this learner has, for example vocabulary=3000."
    )
    threshold: str = option(
        "validation",
        choices=("validation", "paper"),
        help="Choose the best threshold on the valid part, or use the one from the paper.",
    )
    select: str | None = option(
        None,
        choices=("valid", "test"),
        help="Part that chooses epoch and threshold (default: valid); test, as in some papers, flatters the result.",
    )
    vocabulary: str | None = option(
        None,
        choices=("train", "all"),
        help="Part that the vocabulary is taken from (default: train); all, as in some papers, flatters the result.",
    )
    sample: float | None = option(
        None, above=0, maximum=1, help="Share of the training and validation pairs to use (default: 1)."
    )
    calibrate: str | None = option(
        None,
        choices=("platt", "isotonic"),
        help="Turn scores into probabilities, fitted on functionalities that additional trainings hold out.",
    )
    prior: float | None = option(
        None,
        above=0,
        help="Share of clones for which the probabilities hold and the threshold is chosen (default: that of the "
        "training pairs).",
    )
    calibration_folds: int = option(3, minimum=2, help="Number of additional trainings for --calibrate.")
    device: str = option(
        "auto",
        choices=("auto", "cpu", "cuda", "mps"),
        help="Device that a network computes on: auto uses a GPU if there is one.",
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
    level: int | None = option(
        None, minimum=0, maximum=3, help="Abstraction level of the scored code (default: that of the training)."
    )
    part: str | None = option(None, project=WORD, help="Score only this part, for example test (default: all pairs).")
    processes: int = option(1, minimum=1, help=_PROCESSES)
