"""Votes per second: ``python -m bench.bench_votes [postgresql://…]``.

Fifty judges vote at once, each as fast as the vote store acknowledges: first without any lookup, then with a lookup of
the next item after every vote, as the web pages do (`bench.bench_study_pages` measures the pages themselves). The votes
are stored in SQLite, and also in PostgreSQL if the URL of a database is given. Prints votes per second, how long a
judge waits for an acknowledgement, and CPU time (without PostgreSQL's server). The target is 200 votes per second.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pyarrow as pa

from bench.measurement import machine, measure
from bench.study_plan import bench_plan
from clonetruth.store.study import Study, write_study
from clonetruth.store.study_tables import SUBJECTS
from clonetruth.store.votes import InvitedJudge, ItemKey, Vote, VoteStore, open_vote_store
from clonetruth.studies.assignment_queue import Assigner
from clonetruth.studies.rounds import RoundPlan, plan_rounds

JUDGES = 50
SUBJECT_COUNT = 1_000
OVERLAP = 4


def make_study(folder: Path) -> Study:
    """A study of 1,000 pairs, each for four judges."""
    plan = bench_plan(SUBJECT_COUNT, "textual", OVERLAP)
    rows = [{"subject": number, "stratum": "all", "weight": 1.0, "extra": False} for number in range(SUBJECT_COUNT)]
    return write_study(folder, plan, pa.Table.from_pylist(rows, schema=SUBJECTS))


def straight(plan: RoundPlan, assigner: Assigner, judge: InvitedJudge) -> Iterator[ItemKey]:
    """As many subjects as a judge is assigned, without any lookup."""
    yield from plan.subjects[: len(plan.subjects) * plan.overlap // JUDGES]


def looked_up(plan: RoundPlan, assigner: Assigner, judge: InvitedJudge) -> Iterator[ItemKey]:
    """The next item of a judge, until none is left."""
    while (item := assigner.next_item(judge).item) is not None:
        yield item.key


Subjects = Callable[[RoundPlan, Assigner, InvitedJudge], Iterator[ItemKey]]


def judge_all(
    subjects: Subjects, plan: RoundPlan, assigner: Assigner, votes: VoteStore, judge: InvitedJudge
) -> list[float]:
    """Vote on all subjects; return the seconds until each acknowledgement."""
    waits = []
    for number, item in enumerate(subjects(plan, assigner, judge)):
        begin = time.perf_counter()
        votes.cast(Vote(f"{judge.id}-{number}", judge.id, item, "clone", seconds=1.0))
        waits.append(time.perf_counter() - begin)
    return waits


def run(url: str | None, subjects: Subjects) -> None:
    """Measure one database and one way to vote."""
    with tempfile.TemporaryDirectory() as folder:
        study = make_study(Path(folder) / "study")
        plan = plan_rounds(study)
        with open_vote_store(study.path, url) as votes:
            judges = [votes.add_judge(f"Judge {number}")[0] for number in range(JUDGES)]
            with ThreadPoolExecutor(JUDGES) as pool:
                work = partial(judge_all, subjects, plan, Assigner(plan, votes), votes)
                measured = measure(lambda: [wait for waits in pool.map(work, judges) for wait in waits])
    waits = sorted(measured.result)
    print(
        f"| {'SQLite' if url is None else 'PostgreSQL'}, {subjects.__name__.replace('_', ' ')} | {len(waits):,} | "
        f"{len(waits) / measured.wall:,.0f} | {1000 * statistics.median(waits):.1f} | "
        f"{1000 * waits[int(0.99 * len(waits))]:.1f} | {measured.cpu:.1f} |"
    )


if __name__ == "__main__":
    print(f"{machine()}; {JUDGES} judges at once\n")
    print("| votes | number | votes/s | median wait, ms | 99 % wait, ms | CPU, s |")
    print("| --- | --: | --: | --: | --: | --: |")
    for url in (None, *sys.argv[1:]):
        run(url, straight)
        run(url, looked_up)
