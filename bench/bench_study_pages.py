"""Votes per second through the web pages: ``python -m bench.bench_study_pages [PAIRS…]``.

Fifty judges work at once, each over a separate connection: a judge reads the page, submits its form, and follows to the
next page, as fast as the server responds. The server is `clonetruth study serve`, with votes in SQLite or in the
database that `CLONETRUTH_VOTES` names; the judges are threads of this process, on the same machine. Prints votes per
second (a vote is a form and the page that follows it), how long a judge waits for both, the server's CPU time and
memory, and the CPU time of the owner's dashboard after these votes and after fifty more: for a study of 400 pairs,
which the judges finish, and for the first votes of a study as large as GPTCloneBench. The targets are 200 votes per
second, and 0.5 CPU seconds for the dashboard. The server's own numbers come from `/proc`: Linux only.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pyarrow as pa

from bench.measurement import machine, measure
from bench.study_plan import bench_plan
from clonetruth.sources.embedded import folders
from clonetruth.store.study import write_study
from clonetruth.store.study_tables import SUBJECTS
from clonetruth.store.votes import JudgeRole, open_vote_store

JUDGES = 50
VOTES_EACH = 40
OVERLAP = 5
SIZES = (400, 38_000)

_FIELD = re.compile(rb'name="(form|key|item)" value="([^"]*)"')


def make_study(folder: Path, pairs: int) -> None:
    """A study of pairs of Java functions, all with different texts."""
    texts = [source.text for one in folders() for source in one.sources if source.language == "java"]
    plan = bench_plan(pairs, "same-main-purpose", OVERLAP)

    def side(name: str, number: int) -> dict[str, object]:
        text = texts[number % len(texts)]
        return {f"{name}_id": f"{name}{number}", f"{name}_language": "java", f"{name}_text": f"// {number}\n{text}"}

    rows = [
        {
            "subject": at,
            "stratum": "all",
            "weight": 1.0,
            "extra": False,
            **side("left", 2 * at),
            **side("right", 2 * at + 1),
        }
        for at in range(pairs)
    ]
    write_study(folder, plan, pa.Table.from_pylist(rows, schema=SUBJECTS))


@contextmanager
def served(folder: Path) -> Iterator[tuple[int, str]]:
    """`clonetruth study serve`: its process and its address."""
    command = [sys.executable, "-m", "clonetruth", "study", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.pid, process.stdout.readline().rpartition(" ")[2].strip()
        finally:
            process.terminate()


def server_cpu(process: int) -> float:
    """The CPU seconds that a process has used so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def server_memory(process: int) -> float:
    """The peak memory of a process so far, in GB."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024**2


class Visitor:
    """A judge with a connection and the page currently shown."""

    def __init__(self, address: str, token: str, home: str = "/judge") -> None:
        self._connection = HTTPConnection(urlsplit(address).netloc)
        self._headers = {"Content-Type": "application/x-www-form-urlencoded"}
        page, self._headers["Cookie"] = self._ask("GET", f"/enter/{token}")
        self._headers["Cookie"] = self._ask("POST", f"/enter/{token}", urlencode(_FIELD.findall(page)))[1]
        self._page = self._ask("GET", home)[0]

    def open(self, path: str) -> None:
        """Open a page."""
        self._page = self._ask("GET", path)[0]

    def judge(self) -> Iterator[float]:
        """Judge until nothing is left; yield the seconds of each vote with its next page."""
        while b"answer-clone" in self._page:
            # The first form of the page signs out; the fields of the vote precede those of the undo form.
            fields = dict(reversed(_FIELD.findall(self._page)))
            begin = time.perf_counter()
            self._ask("POST", "/judge", urlencode({**fields, b"value": b"clone", b"seconds": b"1"}))
            self._page = self._ask("GET", "/judge")[0]
            yield time.perf_counter() - begin

    def _ask(self, method: str, path: str, body: str | None = None) -> tuple[bytes, str]:
        self._connection.request(method, path, body, self._headers)
        response = self._connection.getresponse()
        content = response.read()
        if response.status not in (200, 303):
            raise RuntimeError(f"{method} {path}: {response.status} {content.decode()}")
        return content, response.headers.get("Set-Cookie", "").partition(";")[0]


def run(pairs: int) -> None:
    """Measure one study."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "study")
        make_study(folder, pairs)
        with open_vote_store(folder, os.environ.get("CLONETRUTH_VOTES")) as votes:
            tokens = [votes.add_judge(f"Judge {number}")[1] for number in range(JUDGES)]
            _, owner_token = votes.add_judge("Owner", JudgeRole.OWNER)
        with served(folder) as (process, address), ThreadPoolExecutor(JUDGES) as pool:
            visitors = list(pool.map(partial(Visitor, address), tokens))
            owner = Visitor(address, owner_token, "/dashboard")
            before = server_cpu(process)
            measured = measure(lambda: list(pool.map(lambda one: list(islice(one.judge(), VOTES_EACH)), visitors)))
            cpu, memory = server_cpu(process) - before, server_memory(process)
            dashboards = []
            for _ in range(2):
                start = server_cpu(process)
                owner.open("/dashboard")
                dashboards.append(f"{server_cpu(process) - start:.2f}")
                list(pool.map(lambda one: next(one.judge(), None), visitors))
    waits = sorted(wait for some in measured.result for wait in some)
    print(
        f"| {pairs:,} | {len(waits):,} | {len(waits) / measured.wall:,.0f} | {1000 * statistics.median(waits):.0f} | "
        f"{1000 * waits[int(0.99 * len(waits))]:.0f} | {1000 * cpu / len(waits):.1f} | {before:.1f} | {memory:.2f} | "
        f"{', '.join(dashboards)} |"
    )


if __name__ == "__main__":
    print(f"{machine()}; {JUDGES} judges at once\n")
    columns = ["pairs", "votes", "votes/s", "median wait, ms", "99 % wait, ms", "CPU ms/vote", "start, CPU s"]
    print(f"| {' | '.join([*columns, 'memory, GB', 'dashboard, CPU s'])} |")
    print("| --: | --: | --: | --: | --: | --: | --: | --: | --: |")
    for size in map(int, sys.argv[1:] or SIZES):
        run(size)
