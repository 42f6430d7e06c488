"""A trained detector as a folder.

====================  =================================================================================
`model.json`          the learner, its options, the threshold, the result of every epoch, the manifest
`words.parquet`       the known words, in the order of the weights
`functions.parquet`   function names and their replacements at level 3; otherwise empty
`weights.npz`         the weights, as arrays by name
====================  =================================================================================
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from clonetruth.arrow_files import read_parquet
from clonetruth.budgets import read_text
from clonetruth.detectors import DETECTORS
from clonetruth.errors import CloneTruthError, InputError, PluginError, UnknownNameError
from clonetruth.formats.arrays import read_arrays
from clonetruth.model import Manifest
from clonetruth.parsing import parse_json, require_finite
from clonetruth.registry import check_fits
from clonetruth.store.atomic import new_folder
from clonetruth.training.calibration import with_calibration
from clonetruth.training.learner import (
    LEARNERS,
    RECORDED_IF_UNUSUAL,
    Epoch,
    ThresholdRule,
    TrainedDetector,
    TrainingSpec,
    options_type,
)
from clonetruth.training.trainer import Weights

FORMAT = 1
_MODEL, _WORDS, _FUNCTIONS, _WEIGHTS = "model.json", "words.parquet", "functions.parquet", "weights.npz"


@dataclass(frozen=True)
class ModelContent:
    """The content of a model folder."""

    learner: str
    options: TrainingSpec
    threshold: float | None
    history: tuple[Epoch, ...]
    words: tuple[str, ...]
    functions: Mapping[str, str]
    weights: Weights
    manifest: Manifest | None


def write_model(folder: Path, content: ModelContent) -> None:
    """Write a new folder, completely or not at all.

    Raises:
        InputError: the path already exists.
    """
    model = {
        "format": FORMAT,
        "learner": content.learner,
        "options": content.options.settings(),
        "threshold": content.threshold,
        "history": [dataclasses.asdict(epoch) for epoch in content.history],
        "manifest": None if content.manifest is None else dataclasses.asdict(content.manifest),
    }
    with new_folder(folder) as new:
        (new / _MODEL).write_text(json.dumps(model, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        pq.write_table(pa.table({"word": pa.array(content.words, pa.string())}), new / _WORDS)
        names, new_names = (
            pa.array(side, pa.string()) for side in (content.functions.keys(), content.functions.values())
        )
        pq.write_table(pa.table({"name": names, "new_name": new_names}), new / _FUNCTIONS)
        with (new / _WEIGHTS).open("wb") as file:
            np.savez(file, allow_pickle=False, **dict(content.weights))


def read_model(folder: Path, learner: str | None = None) -> ModelContent:
    """Read a model folder.

    Args:
        folder: the folder.
        learner: whose model it must be (default: any learner's).

    Raises:
        InputError: the folder does not hold a model, or the model is damaged, of another learner, or has a newer
            format.
    """
    model = _json(folder)
    if learner is not None and model.get("learner") != learner:
        given = model.get("learner")
        raise InputError(f"The model belongs to the learner '{given}', not to '{learner}'.", where=folder)
    try:
        words, functions = (read_parquet(folder / name) for name in (_WORDS, _FUNCTIONS))
        # Only what `write_model` writes: a foreign model does not choose a folder or a number of processes.
        recorded = {*TrainingSpec().settings(), *RECORDED_IF_UNUSUAL}
        known = {key: value for key, value in model["options"].items() if key in recorded}
        own = options_type(LEARNERS[model["learner"]]).read(model["options"].get("own", {}), model["learner"])
        options = {**known, "threshold": ThresholdRule(known["threshold"]), "own": own}
        return ModelContent(
            learner=model["learner"],
            options=TrainingSpec(**options),
            threshold=None if model["threshold"] is None else require_finite(model["threshold"]),
            history=tuple(_epoch(**entry) for entry in model["history"]),
            words=tuple(_texts(words["word"])),
            functions=dict(zip(_texts(functions["name"]), _texts(functions["new_name"]), strict=True)),
            weights={name: _numbers(array) for name, array in read_arrays(folder / _WEIGHTS).items()},
            manifest=None if model["manifest"] is None else Manifest(**model["manifest"]),
        )
    except UnknownNameError as error:
        raise InputError(
            f"The model is of another version: {error}", where=folder, hint="Train it again, or install that version."
        ) from error
    except (KeyError, TypeError, ValueError, AttributeError, OSError, pa.ArrowException) as error:
        raise InputError(f"The model is damaged: {error}", where=folder, hint="Train it again.") from error


def _epoch(*, distinct: object = None, **values: object) -> Epoch:
    if distinct is not None and type(distinct) is not int:
        raise ValueError(f"{distinct!r} is not a number of scores")
    return Epoch(**{key: require_finite(value) for key, value in values.items()}, distinct=distinct)


def _numbers(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if array.dtype.kind != "f" or not np.isfinite(array).all():
        raise ValueError("the weights are not finite numbers")
    return array


def _texts(column: pa.ChunkedArray) -> list[str]:
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)) or column.null_count:
        raise ValueError("a list of words contains something else")
    texts: list[str] = column.to_pylist()
    return texts


def is_model_folder(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder looks like one that a trained detector was saved in."""
    return (Path(folder) / _MODEL).is_file()


def load_detector(folder: str | os.PathLike[str]) -> TrainedDetector:
    """Load a trained detector from the folder in which it was saved.

    Raises:
        InputError: the folder does not hold a model, or the model is damaged.
        UnknownNameError: its learner is unknown.
        PluginError: its learner is of another package, and fails.
    """
    path = Path(folder)
    name = str(_json(path).get("learner"))
    learner = LEARNERS[name]
    try:
        detector = learner.load(path)
    except (CloneTruthError, OSError, MemoryError):
        raise
    except (Exception, SystemExit) as error:  # a learner may be other people's code
        raise PluginError(
            f"The learner '{name}' cannot load the model: {type(error).__name__}: {error}", where=path
        ) from error
    check_fits(f"learner '{name}'", detector, TrainedDetector)
    return with_calibration(detector, path)


def _json(folder: Path) -> dict[str, Any]:
    path = folder / _MODEL
    try:
        model = parse_json(read_text(path))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as error:
        untrained = not folder.exists() and str(folder) in DETECTORS
        raise InputError(
            f"Not a trained detector: {_MODEL} is missing.",
            where=folder,
            hint=f"`{folder}` needs no training: use `clonetruth evaluate --detector {folder}`."
            if untrained
            else "`clonetruth train` writes one.",
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"The model is damaged: {error}", where=path, hint="Train it again.") from error
    if not isinstance(model, dict) or type(model.get("format")) is not int:
        raise InputError("Not a trained detector: the file does not state a format.", where=path)
    if model["format"] > FORMAT:
        raise InputError(
            f"The model has format {model['format']}; this version reads formats up to {FORMAT}.",
            where=path,
            hint="Install a newer clonetruth.",
        )
    return model
