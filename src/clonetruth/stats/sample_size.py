"""Sample sizes, and the allocation of a sample to strata."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist

from clonetruth.errors import InputError


class Allocation(StrEnum):
    """How a sample is allocated to strata."""

    LARGEST_REMAINDER = "largest-remainder"
    """Proportional to the strata; the largest remainders get what rounding down leaves. Gives exactly n."""

    ROUND = "round"
    """Proportional, each stratum rounded separately (halves up). The sum may differ from n."""

    NEYMAN = "neyman"
    """Proportional to population × spread, which minimises the variance for n. Gives exactly n."""


@dataclass(frozen=True)
class StratumPlan:
    """How many pairs of a stratum are drawn.

    Attributes:
        name: the stratum.
        population: number of pairs in it.
        size: number of pairs allocated to it.
        extra: additional pairs, so that the stratum is covered.
    """

    name: str
    population: int
    size: int
    extra: int = 0

    @property
    def drawn(self) -> int:
        """Number of pairs that are drawn."""
        return self.size + self.extra

    @property
    def weight(self) -> float | None:
        """How many pairs a drawn pair represents; None if none is drawn."""
        return self.population / self.drawn if self.drawn else None


def sample_size(population: int, confidence: float = 0.95, margin: float = 0.05, share: float = 0.5) -> int:
    """The number of pairs to judge to estimate a proportion within a margin (Cochran 1977).

    n₀ = z² p(1 − p) / margin², and with the finite-population correction n = n₀ / (1 + (n₀ − 1) / N), rounded up.

    Args:
        population: number of pairs to draw from.
        confidence: confidence level of the interval.
        margin: half the width of the interval.
        share: the expected proportion; 0.5 is the safe choice, since it needs the largest sample.

    Raises:
        InputError: a number is out of range.
    """
    if population < 0:
        raise InputError(f"A population of {population} pairs is impossible.")
    for name, value in (("confidence", confidence), ("margin", margin), ("expected share", share)):
        if not 0 < value < 1:
            raise InputError(f"The {name} is {value:g}.", hint="It must lie between 0 and 1, e.g. 0.95 or 0.05.")
    if population == 0:
        return 0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    unlimited = z * z * share * (1 - share) / margin**2
    return min(population, math.ceil(unlimited / (1 + (unlimited - 1) / population)))


def plan_sample(
    strata: Mapping[str, int],
    n: int,
    allocation: Allocation = Allocation.LARGEST_REMAINDER,
    *,
    spreads: Mapping[str, float] | None = None,
    cover: bool = False,
) -> tuple[StratumPlan, ...]:
    """Allocate a sample to strata.

    Args:
        strata: the number of pairs in each stratum.
        n: number of pairs to draw.
        allocation: the method.
        spreads: for Neyman allocation, the expected standard deviation in each stratum: √(p(1 − p)).
        cover: draw one pair, marked as extra, from each stratum that would have none.

    Returns:
        The plan, in the order of `strata`.

    Raises:
        InputError: n or a stratum is impossible, or spreads are missing or not applicable.
    """
    total = sum(strata.values())
    if min(strata.values(), default=0) < 0:
        raise InputError("A stratum has a negative number of pairs.")
    if not 0 <= n <= total:
        raise InputError(f"{n:,} pairs cannot be drawn from {total:,}.", hint="Choose a smaller sample.")
    if (spreads is not None) is not (allocation is Allocation.NEYMAN):
        raise InputError("Spreads must be given for Neyman allocation, and for no other.")
    if allocation is Allocation.ROUND:
        sizes = {
            name: min(size, (2 * n * size + total) // (2 * total)) if total else 0 for name, size in strata.items()
        }
    elif spreads is None:
        sizes = _shared_out(strata, n, {name: float(size) for name, size in strata.items()})
    else:
        sizes = _shared_out(strata, n, _neyman_shares(strata, spreads))
    return tuple(
        StratumPlan(name, size, sizes[name], extra=int(cover and sizes[name] == 0 and size > 0))
        for name, size in strata.items()
    )


def _neyman_shares(strata: Mapping[str, int], spreads: Mapping[str, float]) -> dict[str, float]:
    for name in strata:
        if not 0 <= spreads.get(name, math.nan) < math.inf:
            raise InputError(f"The spread of the stratum '{name}' is missing or not a number.")
    return {name: size * spreads[name] for name, size in strata.items()}


def _shared_out(strata: Mapping[str, int], n: int, shares: Mapping[str, float]) -> dict[str, int]:
    """n in proportion to the shares by largest remainders (ties to the earlier stratum), capped by population."""
    full: set[str] = set()
    while True:
        left = n - sum(strata[name] for name in full)
        open_shares = {name: share for name, share in shares.items() if name not in full}
        whole = sum(open_shares.values())
        if not whole:
            # Strata without spread need only one pair; they share what is left over by size.
            open_shares = {name: float(strata[name]) for name in open_shares}
            whole = sum(open_shares.values()) or 1.0
        quotas = {name: left * share / whole for name, share in open_shares.items()}
        over = {name for name, quota in quotas.items() if quota > strata[name]}
        if not over:
            break
        full |= over
    sizes = {name: math.floor(quota) for name, quota in quotas.items()}
    by_remainder = sorted(
        (name for name in quotas if sizes[name] < strata[name]), key=lambda name: sizes[name] - quotas[name]
    )
    for name in by_remainder[: left - sum(sizes.values())]:
        sizes[name] += 1
    return {name: strata[name] if name in full else sizes[name] for name in strata}
