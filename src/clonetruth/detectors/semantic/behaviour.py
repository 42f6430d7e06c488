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
    from clonetruth.execution.output_digests import FormedInputs, OutputFingerprint

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
    sources: Sequence[tuple[str, str]], *, processes: int = 1, progress: Progress | None = None
) -> list[OutputFingerprint]:
    """Run fragments, given by language and text, on generic inputs; what ran before is read from the user's cache.

    Raises:
        MissingExtraError: the sandbox is not complete.
    """
    from clonetruth.execution.fingerprints import behaviour_fingerprints

    return behaviour_fingerprints(sources, processes=processes, progress=progress)


def run_exchanged(
    requests: Sequence[tuple[tuple[str, str], FormedInputs]], *, processes: int = 1, progress: Progress | None = None
) -> list[tuple[str | None, ...]]:
    """Run programs on inputs of the form that others read; what ran before is read from the user's cache.

    Raises:
        MissingExtraError: the sandbox is not complete.
    """
    from clonetruth.execution.fingerprints import exchanged_fingerprints

    return exchanged_fingerprints(requests, processes=processes, progress=progress)


@dataclass(frozen=True, eq=False)
class ExchangedOutputs:
    """What the programs of pairs give for inputs of the form that the other one of the pair reads.

    Attributes:
        codes: a hash of each input with its output, 0 for none: runs × inputs. The first row is of no run.
        left: for each pair, the run of its left program on inputs of its right one; 0 for none.
        right: for each pair, the run of its right program on inputs of its left one; 0 for none.
        first: the place of the first of these inputs among those of the program whose form they have.
    """

    codes: Codes
    left: Integers
    right: Integers
    first: int

    @classmethod
    def of(
        cls,
        sources: Sequence[tuple[str, str]],
        outputs: Sequence[OutputFingerprint],
        left: Integers,
        right: Integers,
        *,
        processes: int = 1,
        progress: Progress | None = None,
    ) -> ExchangedOutputs:
        """Run the programs of pairs on each other's inputs, where both run and read different forms.

        A score depends on the two programs only: which other pairs there are changes nothing.

        Args:
            sources: language and text of each fragment.
            outputs: what each gives for its own inputs.
            left: the left fragment of each pair.
            right: the right fragment of each pair.
            processes: the number of worker processes.
            progress: receives progress reports.

        Raises:
            MissingExtraError: the sandbox is not complete.
        """
        from clonetruth.execution.harness import Code
        from clonetruth.execution.output_digests import EXCHANGED, FORMED, FormedInputs, formed_inputs

        runs = [one.inputs == "program" and one.reason is None for one in outputs]
        used = np.unique(np.concatenate([left, right])).tolist()
        codes_of = {row: Code(sources[row][1], sources[row][0]) for row in used}
        own = {row: formed_inputs(code) if runs[row] else FormedInputs() for row, code in codes_of.items()}
        places: dict[tuple[int, str], int] = {}
        requests: list[tuple[tuple[str, str], FormedInputs]] = []
        sides = np.zeros((2, len(left)), np.int64)
        for at, (a, b) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
            for side, (row, other) in enumerate(((a, b), (b, a))):
                given = own[other]
                if not (runs[row] and given.form) or own[row].form == given.form:
                    continue
                # Programs of one form may write it in different lines: one of them stands for all.
                key = row, repr(given)
                if key not in places:
                    places[key] = len(requests) + 1
                    requests.append((sources[row], given))
                sides[side, at] = places[key]
        codes = np.zeros((len(requests) + 1, EXCHANGED), np.uint64)
        given_by = run_exchanged(requests, processes=processes, progress=progress) if requests else []
        first = next((len(one.outputs) - FORMED for one, ran in zip(outputs, runs, strict=True) if ran), 0)
        for at, digests in enumerate(given_by, start=1):
            codes[at] = [
                0 if one is None else _hash("program", place, one) for place, one in enumerate(digests, start=first)
            ]
        return cls(codes, sides[0], sides[1], first)


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
        frequencies: how common outputs are in other code.
    """

    codes: Codes
    asked: Codes
    kind: Integers
    weights: Floats
    frequencies: OutputFrequencies

    @classmethod
    def of(cls, outputs: Sequence[OutputFingerprint], frequencies: OutputFrequencies) -> FragmentOutputs:
        """Prepare outputs, by how common they are in other code."""
        width = max((len(one.outputs) for one in outputs), default=0)
        codes, asked = (np.zeros((len(outputs), width), np.uint64) for _ in range(2))
        for at, one in enumerate(outputs):
            codes[at, : len(one.outputs)], asked[at, : len(one.outputs)] = _codes(one), _asked(one)
        kinds = {name: at for at, name in enumerate(sorted({one.inputs for one in outputs} - {""}))}
        kind = np.array([kinds.get(one.inputs, -1) for one in outputs], np.int64)
        return cls(codes, asked, kind, frequencies.weights(codes), frequencies)

    def columns(
        self, left: Integers, right: Integers, exchanged: ExchangedOutputs | None = None
    ) -> tuple[Floats, Booleans]:
        """What the outputs of pairs say: pairs × `BEHAVIOUR`, 0 where nothing is known; and where something is.

        Args:
            left: the left fragment of each pair.
            right: the right fragment of each pair.
            exchanged: what the programs of these pairs give for inputs of each other's form, if they were run.
        """
        found, known = np.zeros((len(left), len(BEHAVIOUR))), np.zeros(len(left), bool)
        squares = self.weights**2
        norms = squares.sum(axis=1)
        for first in range(0, len(left), _PAIRS):
            batch = slice(first, first + _PAIRS)
            a, b = left[batch], right[batch]
            both = (self.asked[a] == self.asked[b]) & (self.asked[a] > 0)
            equal = (self.codes[a] == self.codes[b]) & both
            joint, same = both.sum(axis=1), equal.sum(axis=1)
            weight = equal * self.weights[a]
            cosine, rare = (weight**2).sum(axis=1), weight.sum(axis=1)
            norm_a, norm_b = norms[a], norms[b]
            if exchanged is not None:
                start, count = exchanged.first, exchanged.codes.shape[1]
                more = self.frequencies.weights(exchanged.codes)
                # The other inputs of its form are none of the other one.
                swapped = (exchanged.left[batch] > 0) | (exchanged.right[batch] > 0)
                rest = squares[:, start + count :].sum(axis=1)
                norm_a, norm_b = norm_a - swapped * rest[a], norm_b - swapped * rest[b]
                for owner, runs in ((a, exchanged.right[batch]), (b, exchanged.left[batch])):
                    # One program on its own inputs, the other one on the same.
                    mine = self.codes[owner, start : start + count]
                    heavy = self.weights[owner, start : start + count]
                    answered = (mine > 0) & (exchanged.codes[runs] > 0)
                    agrees = (mine == exchanged.codes[runs]) & answered
                    joint, same = joint + answered.sum(axis=1), same + agrees.sum(axis=1)
                    cosine = cosine + ((agrees * heavy) ** 2).sum(axis=1)
                    rare = rare + (agrees * heavy).sum(axis=1)
                    extra = (more[runs] ** 2).sum(axis=1)
                    norm_a, norm_b = (norm_a, norm_b + extra) if owner is a else (norm_a + extra, norm_b)
            here = (self.kind[a] == self.kind[b]) & (self.kind[a] >= 0) & (joint >= _JOINT)
            cosine = cosine / np.maximum(np.sqrt(np.maximum(norm_a * norm_b, 0.0)), 1e-9)
            different = (joint - same) / np.maximum(joint, 1)
            rare = np.minimum(rare, _MOST_RARE) / _STEP
            columns = np.stack([np.minimum(cosine, 1.0) * _RANGE, rare, -_RANGE * different], axis=1)
            found[batch] = np.where(here[:, None], columns, 0.0)
            known[batch] = here
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
