"""Vectors of words from the words around them, without a library.

word2vec with negative sampling factorises a shifted matrix of pointwise mutual information (Levy and Goldberg, “Neural
Word Embedding as Implicit Matrix Factorization”, NeurIPS 2014). The matrix is factorised here directly, which takes
seconds and gives the same vectors on every run.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_WINDOW = 5
"""Words on either side that count as neighbours."""
_WORDS = 4000
"""The most frequent words that get a vector: the matrix has the square of that."""
_ROUNDS = 4
"""Rounds of the iteration that finds the largest components."""


def word_vectors(sequences: Sequence[Sequence[int]], words: int, width: int) -> npt.NDArray[np.float32]:
    """Vectors of words with numbers below `words`, smaller numbers being more frequent; 0 for words without one."""
    size = min(words, _WORDS)
    counts = np.zeros((size, size), dtype=np.float32)
    for sequence in sequences:
        row = np.array(sequence, dtype=np.int64)
        for step in range(1, _WINDOW + 1):
            one, other = row[:-step], row[step:]
            near = (one < size) & (other < size)
            pairs = one[near] * size + other[near]
            keys, number = np.unique(pairs, return_counts=True)
            counts[keys // size, keys % size] += number
    counts += counts.T
    total, each = counts.sum(), counts.sum(axis=1)
    if not total:
        return np.zeros((words, width), dtype=np.float32)
    expected = np.maximum(np.outer(each, each) / total, 1e-12)
    information = np.maximum(np.log(np.maximum(counts, 1e-12) / expected), 0).astype(np.float32)
    basis = np.random.default_rng(0).standard_normal((size, min(width, size))).astype(np.float32)
    for _ in range(_ROUNDS):
        basis, _ = np.linalg.qr(information @ basis)
    inner = basis.T @ information @ basis
    values, turns = np.linalg.eigh((inner + inner.T) / 2)
    found = (basis @ turns) * np.sqrt(np.maximum(values, 0))
    vectors = np.zeros((words, width), dtype=np.float32)
    vectors[:size, : found.shape[1]] = found / max(float(found.std()), 1e-9)
    vectors[:size][each == 0] = 0
    return vectors
