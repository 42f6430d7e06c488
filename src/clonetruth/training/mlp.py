"""Li et al.'s baseline: a siamese network over the words of the syntax tree, compared by cosine similarity.

A fragment becomes the set of the words in its tree, as a vector of zeros and ones over the words of all trees. Three
fully connected layers (100, 100 and 50 wide, with sigmoids between them) embed it, and a pair is a clone if the cosine
of its two embeddings is above 0 (Li, Gao and Zhang, “Assessing and Improving Dataset and Evaluation Methodology in Deep
Learning for Code Clone Detection”, ISSRE 2023). `docs/learned-detectors.md` records the choices that the paper leaves
open.

Training needs PyTorch and lives in `siamese`, which is imported only then; a trained detector needs numpy only.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from clonetruth.detectors.word_bags import WordBags
from clonetruth.errors import MissingExtraError
from clonetruth.training.bag_detector import BagLearner, ModelFactory
from clonetruth.training.trainer import Floats, Integers, Weights
from clonetruth.training.word_lists import tree_words

HIDDEN, OUT = 100, 50
"""The layer widths from the paper."""
_FRAGMENTS = 256
_PAIRS = 50_000
"""Fragments and pairs per step: bounds memory."""


def layers(words: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights and biases of the three layers."""
    widths = (words, HIDDEN, HIDDEN, OUT)
    return {
        name: shape
        for number, (inputs, outputs) in enumerate(pairwise(widths), start=1)
        for name, shape in ((f"w{number}", (inputs, outputs)), (f"b{number}", (outputs,)))
    }


def embed(weights: Weights, bags: WordBags) -> Floats:
    """The unit vectors of fragments, each independent of the others; 0 for a fragment without words."""
    w1, b1, w2, b2, w3, b3 = (weights[name].astype(np.float64) for name in layers(bags.vocabulary_size))
    vectors = np.zeros((len(bags), len(b3)))
    filled = np.flatnonzero(bags.sizes)
    for start in range(0, len(filled), _FRAGMENTS):
        rows = filled[start : start + _FRAGMENTS]
        batch = bags.take(rows)
        hidden = _sigmoid(np.add.reduceat(w1[batch.words], batch.starts[:-1]) + b1)
        # Not a matrix product: its last digits depend on the number of rows.
        hidden = _sigmoid(np.einsum("fi,io->fo", hidden, w2) + b2)
        vectors[rows] = np.einsum("fi,io->fo", hidden, w3) + b3
    lengths = np.sqrt(np.einsum("fi,fi->f", vectors, vectors))
    np.divide(vectors, lengths[:, None], out=vectors, where=lengths[:, None] > 0)
    return vectors


def cosine(weights: Weights, bags: WordBags, left: Integers, right: Integers, report: Callable[[int], None]) -> Floats:
    """The cosine similarity of the two sides' vectors; see `bag_detector.PairScorer`."""
    vectors = embed(weights, bags)
    values = np.zeros(len(left))
    for start in range(0, len(left), _PAIRS):
        a, b = left[start : start + _PAIRS], right[start : start + _PAIRS]
        values[start : start + _PAIRS] = np.einsum("pi,pi->p", vectors[a], vectors[b])
        report(len(a))
    # A fragment is exactly similar to itself, whatever the rounding.
    return np.where(left == right, 1.0, np.clip(values, -1, 1))


def _sigmoid(values: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(values, -500, 500)))


def _load_factory() -> ModelFactory:
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise MissingExtraError.extra("Training the detector 'mlp'", "neural") from error
    from clonetruth.training.siamese import SiameseNetwork

    return SiameseNetwork


MLP = BagLearner(
    "mlp",
    "Cosine similarity of the syntax-tree words, embedded by a small network (Li et al.'s baseline).",
    words_of=tree_words,
    score=cosine,
    shapes=layers,
    load_factory=_load_factory,
    paper_threshold=0.0,
)
