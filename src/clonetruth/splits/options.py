"""What to split, and how: one object for the library, the command line and the record in the file."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clonetruth.errors import InputError
from clonetruth.store.schemas import PARTS

RATIO = (3, 1, 1)
"""Train, valid and test as Li et al. (2023) divide."""

STEEPEST = 128
"""The largest least common multiple of a ratio: the optimiser's integers must not overflow."""

Parts = npt.NDArray[np.int8]
"""Positions in `PARTS`; -1 for what is left out."""


@dataclass(frozen=True)
class Sampling:
    """Which pairs of a part are used: a number of them, drawn by hash.

    Attributes:
        train_pairs: the most pairs of train; None for all. Likewise `valid_pairs` and `test_pairs`.
        clone_share: the share of clones; None for the share that there is.
        balance: take as many pairs of each functionality, as far as they go.
    """

    train_pairs: int | None = None
    valid_pairs: int | None = None
    test_pairs: int | None = None
    clone_share: float | None = None
    balance: bool = False

    def __post_init__(self) -> None:
        if any(most is not None and most < 1 for most in self.budgets):
            raise InputError("A budget of less than one pair is asked for.")
        if self.clone_share is not None and not 0 < self.clone_share < 1:
            raise InputError(f"The share of clones is {self.clone_share:g}.", hint="It must lie between 0 and 1.")

    @property
    def budgets(self) -> tuple[int | None, int | None, int | None]:
        """The most pairs of each part."""
        return self.train_pairs, self.valid_pairs, self.test_pairs

    @property
    def asked(self) -> bool:
        """Whether anything but all pairs is wanted."""
        return self != Sampling()


@dataclass(frozen=True)
class SplitOptions:
    """What to split, and how.

    Attributes:
        view: a name in `VIEWS`.
        seed: another seed is another split.
        ratio: train : valid : test, as whole numbers; 0 for no such part. Train and test must be there.
        variant: a variant of the view.
        policy: the policy whose verdicts count.
        criterion: what was asked of the judges; the policy's or the card's unless told.
        near_duplicates: keep near-duplicate texts on one side.
        both_classes: insist on clones and non-clones in every part.
        min_fragments: the fewest fragments of a part.
        min_pairs: the fewest pairs with a verdict of a part, where the benchmark has pairs.
        folds: divide into so many folds; `fold` is test, the next one valid, the others train.
        fold: which of them is test, from 1.
        sampling: which pairs of a part are used.
        against: lists of pairs, or benchmarks, whose fragments count as seen (for the views `unseen-*`).
        label: the split's name, instead of the one that view, variant, seed and fold give.
    """

    view: str
    seed: int = 0
    ratio: tuple[int, int, int] = RATIO
    variant: str | None = None
    policy: str = "default"
    criterion: str | None = None
    near_duplicates: bool = True
    both_classes: bool = True
    min_fragments: int = 1
    min_pairs: int = 1
    folds: int | None = None
    fold: int | None = None
    sampling: Sampling = dataclasses.field(default_factory=Sampling)
    against: tuple[str, ...] = ()
    label: str | None = None

    def __post_init__(self) -> None:
        _check_ratio(self.ratio)
        if (self.folds is None) is not (self.fold is None):
            raise InputError(
                "Folds and the fold that is test belong together.", hint="For instance --folds 5 --fold 1."
            )
        if self.folds is not None and self.fold is not None:
            if not 3 <= self.folds <= 50:
                raise InputError(f"{self.folds} folds are asked for.", hint="There may be 3 to 50.")
            if not 1 <= self.fold <= self.folds:
                raise InputError(f"There is no fold {self.fold}.", hint=f"Folds are counted from 1 to {self.folds}.")
        if self.min_fragments < 0 or self.min_pairs < 0:
            raise InputError("A minimum below zero is asked for.")

    @property
    def name(self) -> str:
        """The split's name in the benchmark: `cross-functionality-1`, `random-0-fold-2-of-5`."""
        words = [self.view, *([self.variant] if self.variant else []), str(self.seed)]
        words += [f"fold-{self.fold}-of-{self.folds}"] if self.folds else []
        return self.label or "-".join(words)

    def record(self) -> str:
        """The options as JSON text, for the file's metadata."""
        return json.dumps(dataclasses.asdict(self), sort_keys=True)

    @classmethod
    def read(cls, text: str, where: object = None) -> SplitOptions:
        """Read what `record` wrote.

        Raises:
            InputError: the text is no record of options.
        """
        try:
            values: Mapping[str, Any] = json.loads(text)
            sampling = Sampling(**values["sampling"])
            lists = {"ratio": tuple(values["ratio"]), "against": tuple(values["against"])}
            return cls(**{**values, **lists, "sampling": sampling})
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(f"The options of the split cannot be read: {error}", where=where) from error


def read_ratio(text: str) -> tuple[int, int, int]:
    """A ratio as people write it: `3:1:1`, or `4:1` without valid.

    Raises:
        InputError: it is none.
    """
    words = text.split(":")
    if len(words) not in (2, 3) or not all(word.strip().isdecimal() for word in words):
        raise InputError(f"'{text}' is no ratio.", hint="Write train:valid:test in whole numbers, for instance 3:1:1.")
    numbers = [int(word) for word in words]
    train, valid, test = numbers if len(numbers) == 3 else (numbers[0], 0, numbers[1])
    return train, valid, test


def _check_ratio(ratio: tuple[int, int, int]) -> None:
    shown = ":".join(map(str, ratio))
    if ratio[0] < 1 or ratio[2] < 1 or ratio[1] < 0:
        raise InputError(f"The ratio {shown} has no train or no test part.", hint="For instance 3:1:1, or 4:0:1.")
    divisor = math.gcd(*ratio)
    if math.lcm(*(number // divisor for number in ratio if number)) > STEEPEST:
        raise InputError(f"The ratio {shown} is too fine.", hint="Use small whole numbers, for instance 8:1:1.")


@dataclass(frozen=True)
class SplitPlan:
    """The bins that groups are put in, and the part that each becomes.

    Attributes:
        shares: how large the bins shall be, against each other.
        parts: the position in `PARTS` of each bin.
    """

    shares: tuple[int, ...]
    parts: tuple[int, ...]

    @classmethod
    def of(cls, options: SplitOptions) -> SplitPlan:
        """One bin for each part; for folds, one for each fold, the same ones whichever is test."""
        if options.folds is not None and options.fold is not None:
            test, valid = options.fold - 1, options.fold % options.folds
            roles = {test: PARTS.index("test"), valid: PARTS.index("valid")}
            return cls((1,) * options.folds, tuple(roles.get(number, 0) for number in range(options.folds)))
        divisor = math.gcd(*options.ratio)
        wanted = [at for at, number in enumerate(options.ratio) if number]
        return cls(tuple(options.ratio[at] // divisor for at in wanted), tuple(wanted))

    def only(self, *names: str) -> SplitPlan:
        """The bins of some parts, one for each."""
        kept = [at for at in (PARTS.index(name) for name in names) if at in self.parts]
        shares = [sum(share for share, at in zip(self.shares, self.parts, strict=True) if at == part) for part in kept]
        return SplitPlan(tuple(shares), tuple(kept))


def against_paths(options: SplitOptions) -> list[Path]:
    """The lists and benchmarks of what is seen."""
    return [Path(path) for path in options.against]
