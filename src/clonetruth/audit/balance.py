"""Balance (CT301–CT303): how much of a benchmark belongs to one functionality."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Chart, Details, Finding, Severity
from clonetruth.audit.papers import MISUSE, PERSPECTIVES
from clonetruth.audit.rule import LEARNING, Need, RuleText, rule

_SHOWN = 12


@dataclass(frozen=True)
class _Shares:
    """Members and pairs of each functionality, the largest first."""

    names: tuple[str, ...]
    members: npt.NDArray[np.float64]
    positives: npt.NDArray[np.float64]
    negatives: npt.NDArray[np.float64]
    implied: bool

    @property
    def positives_name(self) -> str:
        return "possible positives" if self.implied else "positives"


def _shares(context: AuditContext) -> _Shares:
    """The shares of each functionality. If a source lists no positives (contests), every pair of members is one."""
    rows = context.rows(
        "SELECT name, members, positives, negatives FROM functionality_shares "
        "ORDER BY coalesce(positives, 0) DESC, coalesce(members, 0) DESC, functionality"
    )
    columns = {
        name: np.array([row[name] or 0 for row in rows], dtype=float) for name in ("members", "positives", "negatives")
    }
    implied = not columns["positives"].any()
    if implied:
        columns["positives"] = columns["members"] * (columns["members"] - 1) / 2
    names = tuple(row["name"] for row in rows)
    return _Shares(names, columns["members"], columns["positives"], columns["negatives"], implied)


@rule(
    "CT301",
    Severity.WARNING,
    RuleText(
        name="largest-functionality",
        what="One functionality holds more than `largest-share` of the positives, or of the negatives.",
        why="A metric over all pairs then mostly describes that one functionality. In BigCloneBench, “copy file” makes "
        "up 54 % of the true and 70 % of the false pairs.",
        reference=MISUSE,
        fix="Report the mean over functionalities, or sample the same number of pairs from each.",
        needs=(Need.MEMBERSHIPS,),
        threatens=LEARNING,
        thresholds={"largest-share": 0.3},
    ),
)
def largest_functionality(context: AuditContext) -> Iterator[Finding]:
    shares = _shares(context)
    if len(shares.names) < 2:
        return
    for name, values in (
        (shares.positives_name, shares.positives),
        ("negatives within functionalities", shares.negatives),
    ):
        total = values.sum()
        if not total or values.max() <= context.threshold("largest-share") * total:
            continue
        order = np.argsort(-values, kind="stable")[:_SHOWN]
        top = int(order[0])
        yield Finding(
            f"{values[top] / total:.0%} of the {name} belong to one functionality, “{shares.names[top]}”",
            int(values[top]),
            int(total),
            details=(
                Details(
                    f"The largest functionalities, by {name}",
                    ("functionality", name, "share"),
                    tuple((shares.names[at], int(values[at]), float(values[at] / total)) for at in order if values[at]),
                    Chart.BARS,
                ),
            ),
        )


@rule(
    "CT302",
    Severity.WARNING,
    RuleText(
        name="effective-functionalities",
        what="The effective number of functionalities among the positives (the exponential of the entropy of their "
        "shares) is below `effective-share` of their nominal number.",
        why="43 functionalities on paper can be eight in effect: over 90 % of BigCloneBench's true pairs belong to "
        "eight.",
        reference=MISUSE,
        fix="Report the effective number next to the nominal one, and sample pairs evenly from functionalities.",
        needs=(Need.MEMBERSHIPS,),
        threatens=LEARNING,
        thresholds={"effective-share": 0.5},
    ),
)
def effective_number(context: AuditContext) -> Iterator[Finding]:
    shares = _shares(context)
    values = shares.positives[shares.positives > 0]
    if len(values) < 2:
        return
    effective, gini = effective_count(values), gini_index(values)
    if effective < context.threshold("effective-share") * len(values):
        yield Finding(
            f"{len(values):,} functionalities are {effective:.1f} in effect among the {shares.positives_name} "
            f"(Gini {gini:.2f})",
            round(effective),
            len(values),
            details=(
                Details(
                    "Concentration",
                    ("measure", "members", "positives"),
                    (
                        ("functionalities", int((shares.members > 0).sum()), len(values)),
                        ("effective number", effective_count(shares.members), effective),
                        ("Gini index", gini_index(shares.members), gini),
                    ),
                ),
            ),
        )


def effective_count(values: npt.NDArray[np.float64]) -> float:
    """The exponential of the entropy of the shares: n for n equal values."""
    shares = values[values > 0] / values.sum() if values.any() else values
    return float(np.exp(-(shares * np.log(shares)).sum())) if len(shares) else 0.0


def gini_index(values: npt.NDArray[np.float64]) -> float:
    """The Gini index: 0 if all values are equal, close to 1 if one value is everything."""
    ordered = np.sort(values)
    count = len(ordered)
    if not count or not ordered.sum():
        return 0.0
    return float((2 * np.arange(1, count + 1) - count - 1) @ ordered / (count * ordered.sum()))


@rule(
    "CT303",
    Severity.WARNING,
    RuleText(
        name="squared-amplification",
        what="The largest functionality holds at least `amplified-share` of the pairs, and its share of pairs exceeds "
        "its share of fragments by a factor of `amplification`.",
        why="Pairs grow quadratically: n fragments form n(n−1)/2 pairs, so an imbalance between fragments is squared "
        "in the pairs: 0.8 to 0.1 becomes 0.64 to 0.01.",
        reference=PERSPECTIVES,
        fix="Sample the same number of pairs from each functionality.",
        needs=(Need.MEMBERSHIPS,),
        threatens=LEARNING,
        thresholds={"amplification": 1.25, "amplified-share": 0.1},
    ),
)
def squared_amplification(context: AuditContext) -> Iterator[Finding]:
    shares = _shares(context)
    if len(shares.names) < 2 or not shares.positives.sum() or not shares.members.sum():
        return
    of_members, of_pairs = shares.members / shares.members.sum(), shares.positives / shares.positives.sum()
    top = int(np.argmax(of_pairs))
    # Among many small functionalities one is always the largest by chance.
    small = of_pairs[top] < context.threshold("amplified-share")
    if small or not of_members[top] or of_pairs[top] < context.threshold("amplification") * of_members[top]:
        return
    order = np.argsort(-of_pairs, kind="stable")[:_SHOWN]
    yield Finding(
        f"“{shares.names[top]}” has {of_members[top]:.0%} of the members and {of_pairs[top]:.0%} of the "
        f"{shares.positives_name}",
        int(shares.positives[top]),
        int(shares.positives.sum()),
        details=(
            Details(
                "Share of members and of positives",
                ("functionality", "share of members", "share of positives"),
                tuple((shares.names[at], float(of_members[at]), float(of_pairs[at])) for at in order),
                Chart.BARS,
            ),
        ),
    )
