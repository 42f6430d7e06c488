"""From the vectors of a text's tokens to one vector."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

POOLINGS = ("mean", "cls", "last")
"""The mean of all tokens, the first token (`[CLS]`), or the last one (of decoders)."""


def pooled(states: npt.NDArray[Any], mask: npt.NDArray[Any], pooling: str) -> npt.NDArray[np.float32]:
    """One vector for each text.

    Args:
        states: a vector for each token: texts × tokens × numbers.
        mask: 1 for a token, 0 for padding after the last one.
        pooling: one of `POOLINGS`.
    """
    lengths = mask.sum(axis=1)
    if pooling == "cls":
        chosen = states[:, 0]
    elif pooling == "last":
        chosen = states[np.arange(len(states)), lengths - 1]
    else:
        chosen = np.einsum("bth,bt->bh", states, mask, dtype=np.float64) / lengths[:, None]
    found: npt.NDArray[np.float32] = chosen.astype(np.float32)
    return found
