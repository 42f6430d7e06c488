"""What to split, and how: one object for the library, the command line and the metadata of the file."""

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
from clonetruth.parsing import parse_json
from clonetruth.store.schemas import PARTS

RATIO = (3, 1, 1)
"""Train, valid and test as in Li et al. (2023)."""

DRAWN = "drawn"
"""Groups are drawn at random, within the tolerance (`draw`)."""
BALANCED = "balanced"
"""Groups are assigned by the optimiser (`balance`), as near to the ratio as it gets. Splits that do not record how
groups were assigned were made so."""
ASSIGNMENTS = (DRAWN, BALANCED)
TOLERANCE = 0.5
"""How far a part's share of fragments may be from the requested one, relative to it."""

MAX_RATIO_MULTIPLE = 128
"""The largest least common multiple of a ratio's numbers: the optimiser's integers must not overflow."""

Parts = npt.NDArray[np.int8]
"""Positions in `PARTS`; -1 for what is left out."""


@dataclass(frozen=True)
class Sampling:
    """Which pairs of a part are used: at most a number of them, drawn by hash.

    Attributes:
        train_pairs: maximum number of training pairs; None for all.
        valid_pairs: maximum number of validation pairs; None for all.
        test_pairs: maximum number of test pairs; None for all.
        clone_share: the share of clones among the drawn pairs; None keeps the share of the part.
        balance: draw equally many pairs of each functionality, as far as there are enough.
    """

    train_pairs: int | None = None
    valid_pairs: int | None = None
    test_pairs: int | None = None
    clone_share: float | None = None
    balance: bool = False

    def __post_init__(self) -> None:
        if any(budget is not None and budget < 1 for budget in self.budgets):
            raise InputError("The maximum number of pairs is less than 1.", hint="Give at least 1, or no maximum.")
        if self.clone_share is not None and not 0 < self.clone_share < 1:
            raise InputError(f"The share of clones is {self.clone_share:g}.", hint="It must lie between 0 and 1.")

    @property
    def budgets(self) -> tuple[int | None, int | None, int | None]:
        """The maximum number of pairs of each part."""
        return self.train_pairs, self.valid_pairs, self.test_pairs

    def budget(self, part: str) -> int | None:
        """The maximum number of pairs of a part; where there is no split, that of the test pairs."""
        return self.budgets[PARTS.index(part)] if part in PARTS else self.test_pairs

    def at_most(self, count: int) -> Sampling:
        """The same, with a maximum for the parts that have none."""
        train, valid, test = (count if budget is None else budget for budget in self.budgets)
        return dataclasses.replace(self, train_pairs=train, valid_pairs=valid, test_pairs=test)

    @property
    def draws(self) -> bool:
        """Whether pairs are drawn; by default all pairs are used."""
        return self != Sampling()


@dataclass(frozen=True)
class SplitSpec:
    """What to split, and how.

    Attributes:
        view: a name in `VIEWS`.
        seed: random seed; another seed gives another split.
        ratio: train : valid : test, as whole numbers; 0 for no valid part. Train and test are required.
        variant: a variant of the view.
        policy: the policy whose verdicts count.
        criterion: what the judges were asked (default: the policy's criterion, or else the card's).
        near_duplicates: keep near-duplicate texts in one part.
        both_classes: require clones and non-clones in every part.
        min_fragments: minimum number of fragments in a part.
        min_pairs: minimum number of pairs with a verdict in a part, where the benchmark has pairs.
        folds: number of folds; `fold` is test, the next one is valid, the others are train.
        fold: the fold that is test, counted from 1.
        sampling: which pairs of a part are used.
        all_pairs: where the benchmark stores no pairs, use all pairs of a part for which `sampling` gives no maximum.
        against: lists of pairs, or benchmarks, whose fragments count as seen (for the views `unseen-*`).
        label: the split's name (default: made of view, variant, seed and fold).
        assignment: how groups are assigned to parts: `drawn` or `balanced`.
        tolerance: for drawn groups, how far a part's share of fragments may be from the ratio, relative to it.
        train_functionalities: number of functionalities in train (default: by the ratio).
        train_functionality: the ids of exactly the functionalities that are in train (default: drawn).
        max_functionality_fragments: leave out functionalities with more fragments.
        min_functionality_fragments: leave out functionalities with fewer fragments.
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
    all_pairs: bool = False
    against: tuple[str, ...] = ()
    label: str | None = None
    assignment: str = DRAWN
    tolerance: float = TOLERANCE
    train_functionalities: int | None = None
    train_functionality: tuple[str, ...] = ()
    max_functionality_fragments: int | None = None
    min_functionality_fragments: int | None = None

    def __post_init__(self) -> None:
        _check_ratio(self.ratio)
        self._check_folds()
        self._check_assignment()
        if self.min_fragments < 0 or self.min_pairs < 0:
            raise InputError("A minimum is below zero.", hint="Give 0 or more.")

    def _check_folds(self) -> None:
        if (self.folds is None) is not (self.fold is None):
            raise InputError(
                "The number of folds and the fold that is test belong together.", hint="For example --folds 5 --fold 1."
            )
        if self.folds is not None and self.fold is not None:
            if not 3 <= self.folds <= 50:
                raise InputError(f"{self.folds} folds are not possible.", hint="Give 3 to 50.")
            if not 1 <= self.fold <= self.folds:
                raise InputError(f"There is no fold {self.fold}.", hint=f"Folds are counted from 1 to {self.folds}.")

    def _check_assignment(self) -> None:
        if self.assignment not in ASSIGNMENTS:
            raise InputError(f"There is no assignment '{self.assignment}'.", hint=f"Known: {', '.join(ASSIGNMENTS)}.")
        if not self.tolerance > 0:
            raise InputError(f"The tolerance is {self.tolerance:g}.", hint="Give a number above 0, for example 0.5.")
        low, high = self.min_functionality_fragments, self.max_functionality_fragments
        if (low is not None and low < 1) or (high is not None and high < max(low or 1, 1)):
            raise InputError(
                "No functionality can have as few or as many fragments as requested.",
                hint="The minimum is at least 1, and the maximum not below it.",
            )
        if self.train_functionality and self.train_functionalities is not None:
            raise InputError(
                "The functionalities in train are named, so their number cannot be set, too.",
                hint="Leave --train-functionalities out.",
            )
        if self.train_functionalities is None and not self.train_functionality:
            return
        if self.train_functionalities is not None and self.train_functionalities < 1:
            raise InputError(
                f"The number of functionalities in train is {self.train_functionalities}.", hint="Give at least 1."
            )
        if self.folds is not None or self.assignment != DRAWN:
            raise InputError(
                "The functionalities in train can only be set where they are drawn, without folds.",
                hint="Leave --folds out, and --assignment at its default.",
            )

    @property
    def name(self) -> str:
        """The split's name in the benchmark: `cross-functionality-1`, `random-0-fold-2-of-5`."""
        words = [self.view, *([self.variant] if self.variant else []), str(self.seed)]
        words += [f"fold-{self.fold}-of-{self.folds}"] if self.folds else []
        return self.label or "-".join(words)

    def record(self) -> str:
        """Write the options as JSON text, for the file's metadata."""
        return json.dumps(dataclasses.asdict(self), sort_keys=True)

    @classmethod
    def read(cls, text: str, where: object = None) -> SplitSpec:
        """Read what `record` wrote.

        Raises:
            InputError: the text does not hold the options of a split.
        """
        try:
            values: Mapping[str, Any] = parse_json(text)
            sampling = Sampling(**values["sampling"])
            lists = {"ratio": tuple(values["ratio"]), "against": tuple(values["against"])}
            lists["train_functionality"] = tuple(values.get("train_functionality", ()))
            return cls(**{"assignment": BALANCED, **values, **lists, "sampling": sampling})
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(f"The options of the split cannot be read: {error}", where=where) from error


def read_ratio(text: str) -> tuple[int, int, int]:
    """Parse a ratio as people write it: `3:1:1`, or `4:1` without valid.

    Raises:
        InputError: the text is not a ratio.
    """
    words = text.split(":")
    if len(words) not in (2, 3) or not all(word.strip().isdecimal() for word in words):
        raise InputError(
            f"'{text}' is not a ratio.", hint="Write train:valid:test in whole numbers, for example 3:1:1."
        )
    numbers = [int(word) for word in words]
    train, valid, test = numbers if len(numbers) == 3 else (numbers[0], 0, numbers[1])
    return train, valid, test


def _check_ratio(ratio: tuple[int, int, int]) -> None:
    shown = ":".join(map(str, ratio))
    if ratio[0] < 1 or ratio[2] < 1 or ratio[1] < 0:
        raise InputError(f"The ratio {shown} has no train or no test part.", hint="For example 3:1:1, or 4:0:1.")
    divisor = math.gcd(*ratio)
    if math.lcm(*(number // divisor for number in ratio if number)) > MAX_RATIO_MULTIPLE:
        raise InputError(f"The ratio {shown} is too fine.", hint="Use small whole numbers, for example 8:1:1.")


@dataclass(frozen=True)
class SplitPlan:
    """The bins that groups are put in, and the part that each bin becomes.

    Attributes:
        shares: the relative sizes of the bins.
        parts: the position in `PARTS` of each bin.
    """

    shares: tuple[int, ...]
    parts: tuple[int, ...]

    @classmethod
    def of(cls, options: SplitSpec) -> SplitPlan:
        """Plan one bin for each part; with folds, one for each fold, the same bins whichever fold is test."""
        if options.folds is not None and options.fold is not None:
            test, valid = options.fold - 1, options.fold % options.folds
            roles = {test: PARTS.index("test"), valid: PARTS.index("valid")}
            return cls((1,) * options.folds, tuple(roles.get(number, 0) for number in range(options.folds)))
        divisor = math.gcd(*options.ratio)
        wanted = [at for at, number in enumerate(options.ratio) if number]
        return cls(tuple(options.ratio[at] // divisor for at in wanted), tuple(wanted))

    def only(self, *names: str) -> SplitPlan:
        """Keep some parts, with one bin for each."""
        kept = [at for at in (PARTS.index(name) for name in names) if at in self.parts]
        shares = [sum(share for share, at in zip(self.shares, self.parts, strict=True) if at == part) for part in kept]
        return SplitPlan(tuple(shares), tuple(kept))

    def train_or_test(self) -> SplitPlan:
        """Valid and test as one part, test."""
        train = sum(share for share, at in zip(self.shares, self.parts, strict=True) if at == PARTS.index("train"))
        return SplitPlan((train, sum(self.shares) - train), (PARTS.index("train"), PARTS.index("test")))


def seen_paths(options: SplitSpec) -> list[Path]:
    """The lists and benchmarks whose fragments count as seen."""
    return [Path(path) for path in options.against]
