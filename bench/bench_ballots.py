"""Votes a second: ``python -m bench.bench_ballots [postgresql://…]``.

Fifty judges vote at once, each as fast as the box acknowledges, and look up what they see next after every vote, as the
pages do. The ballot box is in SQLite, and in PostgreSQL where a URL of a database is given. What is printed is votes a
second, how long one judge waits for an acknowledgement, and CPU time; wanted are 200 votes a second.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa

from bench.measuring import machine, measure
from clonetruth.labelling.assignment import next_item
from clonetruth.labelling.rounds import Plan, Roll, plan_of
from clonetruth.store import build_manifest
from clonetruth.store.ballots import BallotBox, InvitedJudge, Vote, open_ballots
from clonetruth.store.study import Study, StudyPlan, StudyStratum, write_study
from clonetruth.store.study_protocol import Protocol
from clonetruth.store.study_tables import SUBJECTS

JUDGES = 50
SUBJECT_COUNT = 1_000
OVERLAP = 4


def make_study(folder: Path) -> Study:
    """A study of 1,000 pairs, each for four judges."""
    plan = StudyPlan(
        title=f"Bench of {datetime.now(UTC).isoformat()}",
        criterion="textual",
        population="synthetic pairs",
        population_size=SUBJECT_COUNT,
        confidence=0.95,
        margin=None,
        allocation="largest-remainder",
        seed=1,
        strata=(StudyStratum("all", SUBJECT_COUNT, SUBJECT_COUNT, 0),),
        manifest=build_manifest({}, {}, 1),
        protocol=Protocol("bench", "Clones?", overlap=OVERLAP),
    )
    rows = [{"subject": number, "stratum": "all", "weight": 1.0, "extra": False} for number in range(SUBJECT_COUNT)]
    return write_study(folder, plan, pa.Table.from_pylist(rows, schema=SUBJECTS))


def judge_all(plan: Plan, box: BallotBox, judge: InvitedJudge) -> Iterator[float]:
    """Vote until nothing is left; the seconds until each acknowledgement."""
    while True:
        own = box.votes_of(judge.id)
        item = next_item(Roll(plan, box.judges(), box.standing(), datetime.now(UTC)), judge, own)
        if item is None:
            return
        begin = time.perf_counter()
        box.cast(Vote(f"{judge.id}-{len(own)}", judge.id, item.key, "clone", swapped=item.swapped, seconds=1.0))
        yield time.perf_counter() - begin


def run(url: str | None) -> None:
    """One database."""
    with tempfile.TemporaryDirectory() as folder:
        study = make_study(Path(folder) / "study")
        plan = plan_of(study)
        with open_ballots(study.path, url) as box:
            judges = [box.add_judge(f"Judge {number}")[0] for number in range(JUDGES)]
            with ThreadPoolExecutor(JUDGES) as pool:
                measured = measure(
                    lambda: [
                        wait
                        for waits in pool.map(lambda judge: list(judge_all(plan, box, judge)), judges)
                        for wait in waits
                    ]
                )
            votes = sum(len(said) for said in box.standing().values())
    waits = sorted(measured.result)
    print(
        f"| {'SQLite' if url is None else 'PostgreSQL'} | {votes:,} | {votes / measured.wall:,.0f} | "
        f"{1000 * statistics.median(waits):.1f} | {1000 * waits[int(0.99 * len(waits))]:.1f} | {measured.cpu:.1f} |"
    )


if __name__ == "__main__":
    print(f"{machine()}; {JUDGES} judges at once\n")
    print("| database | votes | votes/s | median wait, ms | 99 % wait, ms | CPU, s |")
    print("| --- | --: | --: | --: | --: | --: |")
    for place in (None, *sys.argv[1:]):
        run(place)
