"""The options of fine-tuned encoders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from clonetruth.options.declaration import option
from clonetruth.training.learner_options import LearnerOptions

_LENGTH = "Subword tokens of a fragment that are read; more than the encoder can read at once are read in windows."
_ENCODER = "Folder of the encoder, or its name on the Hugging Face hub."
_HEAD = "Compare two fragments by a layer over both vectors, as CodeXGLUE does, or by the cosine (siamese)."
_POOLING = "A fragment's vector: that of the first token, or the mean of all tokens."
_HEADS, _POOLINGS = ("concatenation", "cosine"), ("cls", "mean")


@dataclass(frozen=True, kw_only=True)
class TransformerOptions(LearnerOptions):
    """The options of `transformer`."""

    default_rate: ClassVar[float] = 5e-5
    default_batch: ClassVar[int | None] = 16

    encoder: str = option("microsoft/codebert-base", help=_ENCODER)
    length: int = option(400, minimum=8, help=_LENGTH)
    head: str = option("concatenation", choices=_HEADS, help=_HEAD)
    pooling: str = option("cls", choices=_POOLINGS, help=_POOLING)
    variables: int = option(0, minimum=0, help="Variables of the data flow that are read (GraphCodeBERT: 128).")


@dataclass(frozen=True, kw_only=True)
class CodebertOptions(TransformerOptions):
    """The options of `codebert`, as CodeXGLUE has them."""


@dataclass(frozen=True, kw_only=True)
class GraphCodebertOptions(TransformerOptions):
    """The options of `graphcodebert`, as its authors have them."""

    default_rate: ClassVar[float] = 2e-5

    encoder: str = option("microsoft/graphcodebert-base", help=_ENCODER)
    length: int = option(512, minimum=8, help="Subword tokens of a fragment that are read.")
    variables: int = option(128, minimum=1, help="Variables of the data flow that are read.")


@dataclass(frozen=True, kw_only=True)
class UnixcoderOptions(TransformerOptions):
    """The options of `unixcoder`, as its authors have them."""

    encoder: str = option("microsoft/unixcoder-base", help=_ENCODER)
    length: int = option(512, minimum=8, help=_LENGTH)
    pooling: str = option("mean", choices=_POOLINGS, help=_POOLING)
