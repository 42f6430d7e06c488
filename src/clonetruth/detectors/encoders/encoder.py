"""`encoder:FOLDER`: any ONNX or Hugging Face encoder as a detector, without training."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from clonetruth.detectors.embedding import EmbeddedTexts, EmbeddingDetector
from clonetruth.detectors.encoders.devices import DEVICES, check_device
from clonetruth.detectors.encoders.model_files import ONNX, TORCH, ModelFiles, model_folder
from clonetruth.detectors.encoders.pooling import POOLINGS, pooled
from clonetruth.detectors.encoders.subwords import SubwordText, SubwordTokenizer, input_length
from clonetruth.detectors.spec import check_parameters
from clonetruth.errors import InputError

_VERSION = 1
"""Counts changes of this file after which vectors differ."""
_BATCH = {"cpu": 1, "cuda": 64, "mps": 16}
"""Texts per batch. On a processor one: faster batches pad, and int8 models scale numbers by all texts of a batch, so
that the vector of a text would depend on the others."""


class EncoderModel(Protocol):
    """A loaded model."""

    device: str

    def states(self, ids: Sequence[Sequence[int]], mask: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """The vectors of the tokens of each text, or of each text."""
        ...


@dataclass(frozen=True)
class EncoderSpec:
    """Which encoder, and how it is used.

    Attributes:
        target: a folder, or a name on the Hugging Face hub.
        pooling: see `pooling.POOLINGS` (default: what the folder states, else `mean`).
        length: number of subword tokens that are read (default: as many as the model can, up to 512).
        device: see `devices.DEVICES`.
        backend: `onnx` or `torch` (default: `onnx` if the folder has an ONNX file).
        file: the ONNX file, where a folder has several.
        revision: the commit or tag on the hub.
        threshold: the lowest cosine of a clone (default: none).
    """

    target: str
    pooling: str | None = None
    length: int | None = None
    device: str = "auto"
    backend: str | None = None
    file: str | None = None
    revision: str | None = None
    threshold: float | None = None


class Encoder:
    """An encoder as an embedder (see `Embedder`). Opening it reads no weights; the first text does.

    Raises:
        InputError: the folder does not hold an encoder, or a setting is not possible.
        MissingExtraError: a package is not installed.
    """

    def __init__(self, spec: EncoderSpec) -> None:
        check_device(spec.device)
        self._spec = spec
        self._files = ModelFiles.of(
            model_folder(spec.target, revision=spec.revision), backend=spec.backend, file=spec.file
        )
        self.pooling = spec.pooling or self._files.pooling or POOLINGS[0]
        self.limit = input_length(self._files.config, spec.length, self._files.folder)

    @property
    def name(self) -> str:
        """See `Embedder`."""
        return f"encoder:{self._files.folder.resolve().name}"

    @property
    def description(self) -> str:
        """See `Embedder`."""
        return f"Cosine of the vectors of an encoder ({self.pooling} pooling, {self.limit} subword tokens)."

    @cached_property
    def digest(self) -> str:
        """See `Embedder`."""
        said = [_VERSION, self._files.digest, self._files.backend, self._model.device, self.pooling, self.limit]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()

    @cached_property
    def width(self) -> int:
        """See `Embedder`."""
        width: int = self._vectors([self._tokenizer.read("x")]).shape[1]
        return width

    def embed(self, texts: Sequence[str]) -> Iterator[EmbeddedTexts]:
        """See `Embedder`."""
        size = _BATCH[self._model.device]
        for first in range(0, len(texts), size):
            read = [self._tokenizer.read(text) for text in texts[first : first + size]]
            counts = np.array([one.tokens for one in read], np.int64)
            yield EmbeddedTexts(self._vectors(read), counts)

    def _vectors(self, read: Sequence[SubwordText]) -> npt.NDArray[np.float32]:
        width = max(len(one.ids) for one in read)
        mask = (np.arange(width) < np.array([[len(one.ids)] for one in read])).astype(np.int64)
        states = self._model.states([one.ids for one in read], mask)
        if states.ndim == 2:
            return states.astype(np.float32)
        if states.ndim != 3:
            raise InputError("The model's first output is not a vector for each token or text.", where=self.name)
        return pooled(states, mask, self.pooling)

    @cached_property
    def _tokenizer(self) -> SubwordTokenizer:
        return SubwordTokenizer(self._files, self.limit)

    @cached_property
    def _model(self) -> EncoderModel:
        if self._files.backend == ONNX:
            from clonetruth.detectors.encoders.onnx_model import OnnxModel

            return OnnxModel(self._files, self._spec.device)
        from clonetruth.detectors.encoders.torch_model import TorchModel

        return TorchModel(self._files, self._spec.device)


@dataclass(frozen=True)
class EncoderFamily:
    """The detectors `encoder:FOLDER[,setting=value…]` (see `families.DetectorFamily`)."""

    name: str = "encoder"
    description: str = "Cosine of the vectors of any ONNX or Hugging Face encoder, not trained on clones."
    target: str = "FOLDER"

    @property
    def parameters(self) -> Mapping[str, tuple[str, ...]]:
        """See `DetectorFamily`."""
        return {
            "pooling": POOLINGS,
            "device": DEVICES,
            "backend": (ONNX, TORCH),
            "length": (),
            "file": (),
            "revision": (),
            "threshold": (),
        }

    def detector(self, target: str, values: Mapping[str, str]) -> EmbeddingDetector:
        """See `DetectorFamily`."""
        closed = {name: choices for name, choices in self.parameters.items() if choices}
        check_parameters(f"detector '{self.name}'", closed, {key: values[key] for key in values if key in closed})
        spec = EncoderSpec(
            target,
            pooling=values.get("pooling"),
            length=_integer(values, "length"),
            device=values.get("device", "auto"),
            backend=values.get("backend"),
            file=values.get("file"),
            revision=values.get("revision"),
            threshold=_number(values, "threshold"),
        )
        return EmbeddingDetector(Encoder(spec), spec.threshold)


def _integer(values: Mapping[str, str], name: str) -> int | None:
    if name not in values:
        return None
    if not values[name].isdecimal():
        raise InputError(f"'{values[name]}' is not a whole number.", where=name)
    return int(values[name])


def _number(values: Mapping[str, str], name: str) -> float | None:
    try:
        number = None if name not in values else float(values[name])
    except ValueError:
        number = float("nan")
    if number is not None and not -1 <= number <= 1:
        raise InputError(f"'{values[name]}' is not a cosine.", where=name, hint="Give a number from -1 to 1.")
    return number


ENCODER = EncoderFamily()
