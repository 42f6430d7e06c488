"""What fragments print or return on generic inputs, as evidence beside what they look like.

Each fragment runs once, in the sandbox. An agreement counts for as much as the output is rare in other code. A
difference counts against a pair only as far as both sides gave an output for the same input, since generic inputs may
not be theirs. Nothing is known of a pair with fewer than three such inputs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from clonetruth.progress import Progress

if TYPE_CHECKING:
    from clonetruth.execution.output_digests import OutputFingerprint

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Codes = npt.NDArray[np.uint64]
Booleans = npt.NDArray[np.bool_]

BEHAVIOUR = ("agreement of outputs", "rarity of equal outputs", "no different outputs")
"""What a pair's outputs say, in the order of the columns. More of each never speaks against a clone."""
_JOINT = 3
"""Inputs that must give an output on both sides; with fewer, nothing is known."""
_MOST_RARE, _STEP = 20.0, 4.0
"""The weights of equal outputs add up to at most this, and are divided by this: the range of other similarities."""
_RANGE = 4.0
_PAIRS = 4_096
"""Pairs that are compared at once: bounds memory."""


def run_fragments(
    languages: Sequence[str], texts: Sequence[str], *, processes: int = 1, progress: Progress | None = None
) -> list[OutputFingerprint]:
    """Run fragments on generic inputs; what ran before is read from the user's cache.

    Raises:
        MissingExtraError: the sandbox is not complete.
    """
    from clonetruth.execution.fingerprints import behaviour_fingerprints

    return behaviour_fingerprints(list(zip(languages, texts, strict=True)), processes=processes, progress=progress)


@dataclass(frozen=True, eq=False)
class OutputFrequencies:
    """How common outputs are in other code.

    Attributes:
        codes: hashes of an input with an output, ascending.
        counts: the number of fragments that gave each.
        fragments: the number of fragments that ran.
    """

    codes: Codes
    counts: Integers
    fragments: int

    @classmethod
    def of(cls, outputs: Sequence[OutputFingerprint]) -> OutputFrequencies:
        """Count the outputs of fragments."""
        ran = [codes for one in outputs if len(codes := _codes(one))]
        together = np.concatenate(ran) if ran else np.zeros(0, np.uint64)
        codes, counts = np.unique(together[together > 0], return_counts=True)
        return cls(codes, counts.astype(np.int64), len(ran))

    def weights(self, codes: Codes) -> Floats:
        """The logarithm of how rare outputs are; 0 for none."""
        counts = np.zeros(codes.shape)
        if len(self.codes):
            place = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
            counts = np.where(self.codes[place] == codes, self.counts[place], 0)
        rarity = np.maximum(np.log((self.fragments + 1) / (counts + 0.5)), 0.0)
        return np.where(codes > 0, rarity, 0.0)


@dataclass(frozen=True, eq=False)
class FragmentOutputs:
    """The outputs of fragments, ready to be compared.

    Attributes:
        codes: a hash of each input with its output, 0 for none: fragments × inputs.
        asked: a number for the input at each place, 0 where it gave no output: programs that read different forms got
            different inputs at the same place.
        kind: a number for the kind of inputs that each got; -1 where it did not run.
        weights: how rare each output is.
    """

    codes: Codes
    asked: Codes
    kind: Integers
    weights: Floats

    @classmethod
    def of(cls, outputs: Sequence[OutputFingerprint], frequencies: OutputFrequencies) -> FragmentOutputs:
        """Prepare outputs, by how common they are in other code."""
        width = max((len(one.outputs) for one in outputs), default=0)
        codes, asked = (np.zeros((len(outputs), width), np.uint64) for _ in range(2))
        for at, one in enumerate(outputs):
            codes[at, : len(one.outputs)], asked[at, : len(one.outputs)] = _codes(one), _asked(one)
        kinds = {name: at for at, name in enumerate(sorted({one.inputs for one in outputs} - {""}))}
        kind = np.array([kinds.get(one.inputs, -1) for one in outputs], np.int64)
        return cls(codes, asked, kind, frequencies.weights(codes))

    def columns(self, left: Integers, right: Integers) -> tuple[Floats, Booleans]:
        """What the outputs of pairs say: pairs × `BEHAVIOUR`, 0 where nothing is known; and where something is."""
        found, known = np.zeros((len(left), len(BEHAVIOUR))), np.zeros(len(left), bool)
        norms = np.sqrt((self.weights**2).sum(axis=1))
        for first in range(0, len(left), _PAIRS):
            a, b = left[first : first + _PAIRS], right[first : first + _PAIRS]
            both = (self.asked[a] == self.asked[b]) & (self.asked[a] > 0)
            joint = both.sum(axis=1)
            here = (self.kind[a] == self.kind[b]) & (self.kind[a] >= 0) & (joint >= _JOINT)
            equal = (self.codes[a] == self.codes[b]) & both
            weight = equal * self.weights[a]
            cosine = (weight**2).sum(axis=1) / np.maximum(norms[a] * norms[b], 1e-9)
            rare = np.minimum(weight.sum(axis=1), _MOST_RARE) / _STEP
            different = (joint - equal.sum(axis=1)) / np.maximum(joint, 1)
            columns = np.stack([np.minimum(cosine, 1.0) * _RANGE, rare, -_RANGE * different], axis=1)
            found[first : first + _PAIRS] = np.where(here[:, None], columns, 0.0)
            known[first : first + _PAIRS] = here
        return found, known


def _codes(one: OutputFingerprint) -> Codes:
    """Hashes of the outputs with the inputs that gave them; 0 where there is none."""
    return np.array(
        [0 if digest is None else _hash(one.inputs, at, digest) for at, digest in enumerate(one.outputs)], np.uint64
    )


def _asked(one: OutputFingerprint) -> Codes:
    """Numbers of the inputs that gave an output: the form, if a place has other inputs for each form; else 1."""
    forms = [None if digest is None else digest.rpartition(" ")[0] for digest in one.outputs]
    return np.array([0 if form is None else _hash("", 0, form) if form else 1 for form in forms], np.uint64)


def _hash(inputs: str, at: int, digest: str) -> int:
    """48 bits, never 0: a model folder keeps them as floating-point numbers, exactly."""
    return int.from_bytes(hashlib.blake2b(f"{inputs}\0{at}\0{digest}".encode(), digest_size=6).digest()) | 1
