"""A trained detector as a folder.

====================  ==========================================================================
`model.json`          who trained it, how, on what, the threshold, what every epoch came to
`words.parquet`       the words that it knows, in the order of the weights
`functions.parquet`   function names and what they become at level 3; else empty
`weights.npz`         arrays by name
====================  ==========================================================================
"""

from __future__ import annotations

import dataclasses
import json
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
from clonetruth.training.learner import LEARNERS, Epoch, ThresholdRule, TrainedDetector, TrainingOptions
from clonetruth.training.trainer import Weights, read_arrays

FORMAT = 1
_MODEL, _WORDS, _FUNCTIONS, _WEIGHTS = "model.json", "words.parquet", "functions.parquet", "weights.npz"


@dataclass(frozen=True)
class ModelContent:
    """What the folder holds."""

    learner: str
    options: TrainingOptions
    threshold: float | None
    history: tuple[Epoch, ...]
    words: tuple[str, ...]
    functions: Mapping[str, str]
    weights: Weights
    manifest: Manifest | None


def write_model(folder: Path, content: ModelContent) -> None:
    """Write a new folder; it appears whole or not at all.

    Raises:
        InputError: something stands there already.
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
    """Read a folder.

    Raises:
        InputError: it holds no model, one of a newer format, or a damaged one.
    """
    model = _json(folder)
    try:
        words, functions = (pq.read_table(folder / name) for name in (_WORDS, _FUNCTIONS))
        options = {**model["options"], "threshold": ThresholdRule(model["options"]["threshold"])}
        return ModelContent(
            learner=model["learner"],
            options=TrainingOptions(**options),
            threshold=None if model["threshold"] is None else float(model["threshold"]),
            history=tuple(Epoch(**epoch) for epoch in model["history"]),
            words=tuple(words["word"].to_pylist()),
            functions=dict(zip(functions["name"].to_pylist(), functions["new_name"].to_pylist(), strict=True)),
            weights=read_arrays(folder / _WEIGHTS),
            manifest=None if model["manifest"] is None else Manifest(**model["manifest"]),
        )
    except (KeyError, TypeError, ValueError, OSError, pa.ArrowException) as error:
        raise InputError(f"The model is damaged: {error}", where=folder, hint="Train it again.") from error


def load_detector(folder: str | Path) -> TrainedDetector:
    """Read a trained detector from the folder that it was saved in.

    Raises:
        InputError: the folder holds no model, or a damaged one.
        UnknownNameError: nobody here knows its learner.
    """
    path = Path(folder)
    return LEARNERS[str(_json(path).get("learner"))].load(path)


def _json(folder: Path) -> dict[str, Any]:
    path = folder / _MODEL
    try:
        model = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError("This is no trained detector.", where=folder, hint="`clonetruth train` makes one.") from error
    except ValueError as error:
        raise InputError(f"The model is damaged: {error}", where=path, hint="Train it again.") from error
    if not isinstance(model, dict) or not isinstance(model.get("format"), int):
        raise InputError("This is no trained detector.", where=path)
    if model["format"] > FORMAT:
        raise InputError(
            f"The model has the format {model['format']}, and this program reads up to {FORMAT}.",
            where=path,
            hint="Install a newer clonetruth.",
        )
    return model
