"""The embedder protocol: fragments become vectors, from which scores, retrieval and candidates follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors32 = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class EmbeddedTexts:
    """Texts as vectors.

    Attributes:
        vectors: a row for each text; NaN for a text without a vector (an empty one).
        tokens: the number of subword tokens of each text before truncation, special tokens included; 0 if not counted.
    """

    vectors: Vectors32
    tokens: Integers

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def known(self) -> npt.NDArray[np.bool_]:
        """Which texts have a vector."""
        known: npt.NDArray[np.bool_] = np.asarray(np.isfinite(self.vectors).all(axis=1))
        return known

    @classmethod
    def joined(cls, parts: Sequence[EmbeddedTexts], width: int) -> EmbeddedTexts:
        """The texts of all parts, in order."""
        if not parts:
            return cls(np.zeros((0, width), np.float32), np.zeros(0, np.int64))
        return cls(np.concatenate([one.vectors for one in parts]), np.concatenate([one.tokens for one in parts]))


class Embedder(Protocol):
    """Turns texts into vectors. The vector of a text must not depend on the other texts."""

    @property
    def name(self) -> str:
        """The name in results."""
        ...

    @property
    def description(self) -> str:
        """What the vectors are, in one sentence."""
        ...

    @property
    def digest(self) -> str:
        """A SHA-256 of everything that a vector depends on except the text: weights, tokenizer, pooling, length."""
        ...

    @property
    def width(self) -> int:
        """The length of a vector."""
        ...

    @property
    def limit(self) -> int | None:
        """The number of subword tokens after which texts are cut; None if texts are not cut."""
        ...

    def embed(self, texts: Sequence[str]) -> Iterator[EmbeddedTexts]:
        """Embed texts that are not blank, in order and in batches as large as the embedder likes.

        Raises:
            InputError: the model fails on a text.
        """
        ...
