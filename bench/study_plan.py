"""The plan of a study for measuring how fast votes are recorded."""

from __future__ import annotations

from datetime import UTC, datetime

from clonetruth.store import build_manifest
from clonetruth.store.study import StudyPlan, StudyStratum
from clonetruth.store.study_protocol import Protocol


def bench_plan(pairs: int, criterion: str, overlap: int) -> StudyPlan:
    """A plan with this number of pairs, each judged `overlap` times; every plan is a new study."""
    return StudyPlan(
        title=f"Bench of {datetime.now(UTC).isoformat()}",
        criterion=criterion,
        population="synthetic pairs",
        population_size=pairs,
        confidence=0.95,
        margin=None,
        allocation="largest-remainder",
        seed=1,
        strata=(StudyStratum("all", pairs, pairs, 0),),
        manifest=build_manifest({}, {}, 1),
        protocol=Protocol("bench", "Clones?", overlap=overlap),
    )
