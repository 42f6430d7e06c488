"""`codebert`, `graphcodebert`, `unixcoder`, `transformer`: pretrained encoders, fine-tuned on pairs.

`docs/encoders.md` says what the papers leave open and what was chosen.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from clonetruth.code import Language, lexed_tokens
from clonetruth.detectors.encoders import ModelFiles, model_folder
from clonetruth.errors import MissingExtraError
from clonetruth.progress import Progress
from clonetruth.training.learner import TrainingSpec
from clonetruth.training.neural.learner import NetworkDetector, NetworkLearner
from clonetruth.training.transformer.data_flow import data_flow
from clonetruth.training.transformer.inputs import CodeReading, EncodedFragment, model_description
from clonetruth.training.transformer.options import (
    CodebertOptions,
    GraphCodebertOptions,
    TransformerOptions,
    UnixcoderOptions,
)

__all__ = [
    "CODEBERT",
    "GRAPHCODEBERT",
    "TRANSFORMER",
    "UNIXCODER",
    "CodebertOptions",
    "GraphCodebertOptions",
    "TransformerDetector",
    "TransformerLearner",
    "TransformerOptions",
    "UnixcoderOptions",
]


@dataclass(frozen=True, eq=False)
class TransformerDetector(NetworkDetector):
    """A fine-tuned encoder; it keeps the encoder's configuration and tokenizer, and does not need its folder."""

    def remarks(self, fragments: pa.Table) -> tuple[str, ...]:
        """What a reader of the scores should know: how many fragments were not read to the end."""
        network: Any = self._network
        encoded: list[EncodedFragment | None] = network.encode(self.reader.read(fragments))
        tokens = np.array([one.tokens for one in encoded if one is not None])
        own = self.options.own_as(TransformerOptions)
        if not len(tokens):
            return ()
        cut = int(np.count_nonzero(tokens > own.length))
        return (
            f"{self.name} reads the first {own.length:,} subword tokens of a fragment: {cut:,} of {len(tokens):,} "
            f"fragments ({cut / len(tokens):.1%}) were truncated.",
        )


class TransformerLearner(NetworkLearner):
    """A learner that fine-tunes a pretrained encoder."""

    def train(
        self,
        fragments: pa.Table,
        train: pa.Table,
        valid: pa.Table,
        options: TrainingSpec,
        *,
        progress: Progress | None = None,
    ) -> TransformerDetector:
        """See `Learner.train`."""
        return _fine_tuned(super().train(fragments, train, valid, options, progress=progress))

    def load(self, folder: str | os.PathLike[str]) -> TransformerDetector:
        """See `Learner.load`."""
        return _fine_tuned(super().load(folder))


def _fine_tuned(found: NetworkDetector) -> TransformerDetector:
    return TransformerDetector(
        found.learner,
        found.reader,
        found.words,
        found.weights,
        found.history,
        found.options,
        found.default_threshold,
        found.manifest,
    )


def _extract(text: str, language: Language, *, own: TransformerOptions) -> CodeReading | None:
    if not any(lexed_tokens(text, language)):
        return None
    return CodeReading(text, data_flow(text, language) if own.variables else None)


def _words(readings: Sequence[CodeReading], own: TransformerOptions) -> tuple[str, ...]:
    return model_description(ModelFiles.of(model_folder(own.encoder), backend="torch"))


def _load_network() -> Callable[[tuple[str, ...], Any], Any]:
    if importlib.util.find_spec("transformers") is None:
        raise MissingExtraError.extra("Fine-tuning an encoder", "encoders")
    from clonetruth.training.transformer.network import TransformerNetwork

    return TransformerNetwork


def _learner(name: str, description: str, options_type: type[TransformerOptions]) -> TransformerLearner:
    return TransformerLearner(
        name,
        description,
        options_type=options_type,
        extract=_extract,
        words=_words,
        load_network=_load_network,
        paper_threshold=0.5,
    )


TRANSFORMER = _learner("transformer", "Any pretrained encoder, fine-tuned on pairs of fragments.", TransformerOptions)
CODEBERT = _learner("codebert", "CodeBERT, fine-tuned on pairs of fragments as in CodeXGLUE.", CodebertOptions)
GRAPHCODEBERT = _learner(
    "graphcodebert",
    "GraphCodeBERT, fine-tuned on pairs of fragments with the data flow of their variables.",
    GraphCodebertOptions,
)
UNIXCODER = _learner("unixcoder", "UniXcoder, fine-tuned on pairs of fragments.", UnixcoderOptions)
