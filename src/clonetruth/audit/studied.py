"""Studied labels (CT606): what a judged sample says of all labels that it was drawn from."""

from __future__ import annotations

from collections.abc import Iterator

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Chart, Details, Finding, Severity
from clonetruth.audit.papers import MISUSE
from clonetruth.audit.rule import LEARNING, PRECISION, RuleText, rule
from clonetruth.store.study_estimate import LabelShare, read_estimates


@rule(
    "CT606",
    Severity.ERROR,
    RuleText(
        name="studied-labels",
        what="Labels that a study estimates to be wrong, beyond those that its judges looked at.",
        why="A sample that was planned and judged tells of every label that it was drawn from, with an interval. Of "
        "BigCloneBench's weak clones, about 95 % are estimated to be none.",
        reference=MISUSE,
        mending="Evaluate on verdicts, or correct numbers that were measured on the labels (docs/corrections.md).",
        threatens=LEARNING | PRECISION,
    ),
)
def studied_labels(context: AuditContext) -> Iterator[Finding]:
    for one in read_estimates(context.benchmark.path):
        share = one.labels.weighted
        if not one.labels.wrong or share.value is None or share.low is None or share.high is None:
            continue
        yield Finding(
            f"about {share.value:.1%} ({share.low:.1%} to {share.high:.1%}) of the labels of {one.population} are "
            f"wrong, by the study '{one.title}': {one.labels.wrong:,} of {one.labels.judged:,} judged",
            one.labels.wrong,
            one.labels.judged,
            details=(
                Details(
                    "Wrong labels by functionality",
                    ("functionality", "judged", "wrong", "share wrong"),
                    tuple(_row(group) for group in one.by_functionality),
                    Chart.BARS if len(one.by_functionality) > 1 else Chart.NONE,
                ),
            ),
        )


def _row(group: LabelShare) -> tuple[str, int, int, float | None]:
    return group.group, group.judged, group.wrong, group.simple.value
