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
import pyarrow as pa
import pyarrow.parquet as pq

from clonetruth.errors import InputError
from clonetruth.model import Manifest
from clonetruth.store.atomic import new_folder
from clonetruth.training.learner import LEARNERS, Epoch, ThresholdRule, TrainedDetector, TrainingSpec
from clonetruth.training.trainer import Weights, read_arrays

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


def read_model(folder: Path) -> ModelContent:
    """Read a model folder.

    Raises:
        InputError: the folder does not hold a model, or the model is damaged or has a newer format.
    """
    model = _json(folder)
    try:
        words, functions = (pq.read_table(folder / name) for name in (_WORDS, _FUNCTIONS))
        options = {**model["options"], "threshold": ThresholdRule(model["options"]["threshold"])}
        return ModelContent(
            learner=model["learner"],
            options=TrainingSpec(**options),
            threshold=None if model["threshold"] is None else float(model["threshold"]),
            history=tuple(Epoch(**epoch) for epoch in model["history"]),
            words=tuple(words["word"].to_pylist()),
            functions=dict(zip(functions["name"].to_pylist(), functions["new_name"].to_pylist(), strict=True)),
            weights=read_arrays(folder / _WEIGHTS),
            manifest=None if model["manifest"] is None else Manifest(**model["manifest"]),
        )
    except (KeyError, TypeError, ValueError, OSError, pa.ArrowException) as error:
        raise InputError(f"The model is damaged: {error}", where=folder, hint="Train it again.") from error


def load_detector(folder: str | os.PathLike[str]) -> TrainedDetector:
    """Load a trained detector from the folder in which it was saved.

    Raises:
        InputError: the folder does not hold a model, or the model is damaged.
        UnknownNameError: its learner is unknown.
    """
    path = Path(folder)
    return LEARNERS[str(_json(path).get("learner"))].load(path)


def _json(folder: Path) -> dict[str, Any]:
    path = folder / _MODEL
    try:
        model = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"Not a trained detector: {_MODEL} is missing.", where=folder, hint="`clonetruth train` writes one."
        ) from error
    except ValueError as error:
        raise InputError(f"The model is damaged: {error}", where=path, hint="Train it again.") from error
    if not isinstance(model, dict) or not isinstance(model.get("format"), int):
        raise InputError("Not a trained detector: the file does not state a format.", where=path)
    if model["format"] > FORMAT:
        raise InputError(
            f"The model has format {model['format']}; this version reads formats up to {FORMAT}.",
            where=path,
            hint="Install a newer clonetruth.",
        )
    return model
