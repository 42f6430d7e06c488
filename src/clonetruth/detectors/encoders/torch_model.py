"""Encoders in PyTorch, from the folders that the library `transformers` writes."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from clonetruth.detectors.encoders.devices import torch_device
from clonetruth.detectors.encoders.model_files import ModelFiles
from clonetruth.errors import InputError, MissingExtraError


class TorchModel:
    """Token vectors of a Hugging Face encoder.

    Args:
        files: the model folder.
        device: see `devices.DEVICES`.

    Raises:
        InputError: the folder does not hold an encoder that the installed library knows, or is damaged.
        MissingExtraError: the packages are not installed.
    """

    def __init__(self, files: ModelFiles, device: str) -> None:
        self._module = load_module(files)
        self.device = torch_device(device)
        self._module.to(self.device)

    def states(self, ids: Sequence[Sequence[int]], mask: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """The last hidden states: texts × tokens × numbers.

        Raises:
            InputError: the model fails.
        """
        import torch

        padded = np.zeros(mask.shape, np.int64)
        for row, own in enumerate(ids):
            padded[row, : len(own)] = own
        with torch.inference_mode():
            try:
                found = self._module(
                    input_ids=torch.from_numpy(padded).to(self.device),
                    attention_mask=torch.from_numpy(mask).to(self.device),
                )
            except (RuntimeError, IndexError, ValueError, TypeError) as error:
                raise InputError(
                    f"The encoder fails on a text of {mask.shape[1]:,} tokens: {error}",
                    hint="Give a smaller length: length=256.",
                ) from error
        states: npt.NDArray[Any] = found.last_hidden_state.float().cpu().numpy()
        return states


def load_module(files: ModelFiles) -> Any:
    """The encoder of a model folder, as a PyTorch module in evaluation mode, without code of the folder.

    An encoder-decoder gives its encoder.

    Raises:
        InputError: the folder does not hold an encoder that the installed library knows, or is damaged.
        MissingExtraError: the packages are not installed.
    """
    try:
        from transformers import AutoModel
    except ImportError as error:
        raise MissingExtraError.extra("A Hugging Face encoder", "encoders") from error
    if importlib.util.find_spec("torch") is None:
        raise MissingExtraError.extra("A Hugging Face encoder", "encoders")
    if not files.config:
        raise InputError("config.json is missing.", where=files.folder)
    try:
        with quiet_library():
            module: Any = AutoModel.from_pretrained(
                files.folder, local_files_only=True, trust_remote_code=False, use_safetensors=True
            )
    except Exception as error:  # the library's errors have no common class
        reason = str(error).strip().split("\n", 1)[0][:300]
        raise InputError(f"The encoder cannot be loaded: {reason}", where=files.folder) from error
    if getattr(module.config, "is_encoder_decoder", False):
        module = module.get_encoder()
    module.eval()
    return module


@contextmanager
def quiet_library() -> Iterator[None]:
    """Without the library's progress bars and remarks, which belong on no standard output."""
    from transformers.utils import logging

    before, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        if bars:
            logging.enable_progress_bar()
