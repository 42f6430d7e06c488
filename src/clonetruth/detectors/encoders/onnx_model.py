"""Encoders in ONNX, run by ONNX Runtime."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clonetruth.code import available_cores
from clonetruth.detectors.encoders.devices import onnx_device
from clonetruth.detectors.encoders.model_files import ModelFiles
from clonetruth.errors import InputError, MissingExtraError

_INPUTS = ("input_ids", "attention_mask", "token_type_ids", "position_ids")


class OnnxModel:
    """Token vectors, or sentence vectors, of an ONNX encoder.

    Args:
        files: the model folder.
        device: see `devices.DEVICES`.

    Raises:
        InputError: the file is not an encoder, or is damaged.
        MissingExtraError: ONNX Runtime is not installed.
    """

    def __init__(self, files: ModelFiles, device: str) -> None:
        try:
            import onnxruntime
        except ImportError as error:
            raise MissingExtraError.extra("An ONNX encoder", "encoders") from error
        self.device, provider = onnx_device(device)
        self._path: Path = files.weights[0]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = available_cores()
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(str(self._path), options, providers=[provider])
        except Exception as error:  # the library's errors have no common class
            raise InputError(f"The encoder cannot be loaded: {_first_line(error)}", where=self._path) from error
        self._inputs = [one.name for one in self._session.get_inputs()]
        unknown = [name for name in self._inputs if name not in _INPUTS]
        if unknown or "input_ids" not in self._inputs:
            raise InputError(
                f"The model is not a text encoder: its inputs are {', '.join(self._inputs)}.", where=self._path
            )

    def states(self, ids: Sequence[Sequence[int]], mask: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """The first output: texts × tokens × numbers, or texts × numbers if the model pools by itself.

        Raises:
            InputError: the model fails.
        """
        padded = np.zeros(mask.shape, np.int64)
        for row, own in enumerate(ids):
            padded[row, : len(own)] = own
        every = {
            "input_ids": padded,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(padded),
            "position_ids": np.tile(np.arange(mask.shape[1]), (len(mask), 1)),
        }
        try:
            found: npt.NDArray[Any] = self._session.run(None, {name: every[name] for name in self._inputs})[0]
        except Exception as error:  # the library's errors have no common class
            raise InputError(
                f"The encoder fails on a text of {mask.shape[1]:,} tokens: {_first_line(error)}",
                where=self._path,
                hint="Give a smaller length: length=256.",
            ) from error
        return found


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0][:300]
