"""64-bit hashes of many short texts at once, the same in every process and run.

Texts are hashed where they are in a buffer, eight bytes of all of them at a time, in arrays, instead of by one call for
each. The mixing is that of non-cryptographic hashes (multiply, shift, exclusive or), so that texts of a code
base do not collide by chance, but somebody could construct two that do. What is written into reports and baselines uses
`lasting_hashes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]
_Integers = npt.NDArray[np.int64]

_STEP = 8
"""Bytes that are mixed at a time; also the number of bytes that a buffer needs after its last text."""
PADDING = bytes(_STEP)
_LONG = 128
"""Longer texts are hashed one by one: there are few of them, and each step takes a while, however few texts it has."""
_LENGTH, _FIRST, _SECOND = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93))
_SHORT_SHIFT, _LONG_SHIFT = np.uint64(29), np.uint64(32)
_MASKS = np.array([(1 << 8 * count) - 1 for count in range(_STEP + 1)], dtype=np.uint64)


def text_hashes(texts: Sequence[bytes]) -> Hashes:
    """Return the hashes of texts."""
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    return hashes_at(b"".join([*texts, PADDING]), np.cumsum(lengths) - lengths, lengths)


def hashes_at(data: bytes, starts: _Integers, lengths: _Integers) -> Hashes:
    """Return the hashes of the texts at some positions of a buffer that ends with `PADDING`."""
    blocks = np.ndarray((len(data) - _STEP + 1,), "<u8", data, strides=(1,))
    hashes = lengths.astype(np.uint64) * _LENGTH
    long = np.flatnonzero(lengths > _LONG)
    active = np.flatnonzero(lengths <= _LONG)
    position, left = starts[active], lengths[active]
    while len(active):
        mixed = blocks[position]
        mixed &= _MASKS[np.minimum(left, _STEP)]
        mixed ^= hashes[active]
        mixed *= _FIRST
        mixed ^= mixed >> _SHORT_SHIFT
        mixed *= _SECOND
        mixed ^= mixed >> _LONG_SHIFT
        hashes[active] = mixed
        more = np.flatnonzero(left > _STEP)
        active, position, left = active[more], position[more] + _STEP, left[more] - _STEP
    spans = zip(starts[long].tolist(), lengths[long].tolist(), strict=True)
    hashes[long] = lasting_hashes(data[start : start + length] for start, length in spans)
    return hashes


def lasting_hashes(texts: Iterable[bytes]) -> Hashes:
    """Return hashes of texts that no version of clonetruth changes."""
    digests = b"".join([blake2b(text, digest_size=8).digest() for text in texts])
    return np.frombuffer(digests, "<u8").astype(np.uint64)
