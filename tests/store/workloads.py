"""The library at work on small benchmarks, so that every SELECT of it is asked once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
from click.testing import CliRunner

from clonetruth.cli import cli
from clonetruth.model import Judgement
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark
from clonetruth.truth import judge_verdicts
from clonetruth.truth.audit import AuditOptions, audit
from clonetruth.truth.audit.writing import example_texts
from tests.sources.bcb_fixtures import bigclonebench
from tests.store.samples import ADA, small
from tests.truth.audit.cases import CASES
from tests.truth.audit.drafts import Draft, clean, findings, function


def _run(*arguments: object) -> None:
    """A command, within this process."""
    done = CliRunner().invoke(cli, [str(one) for one in arguments])
    assert done.exit_code in (0, 1), done.output
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception


def store(folder: Path) -> None:
    """Creation, later judgements, measures, the datasheet."""
    benchmark = small(folder / "small")
    benchmark.append_judgements([ADA], [Judgement("ada", "shares-functionality", "clone", pair=0)])
    benchmark.write_measures("mine", pa.table({"pair": [0, 1], "similarity_token": [0.5, None]}))
    assert "ada" not in benchmark.datasheet()
    for policy in ("default", "members", "origin"):
        judge_verdicts(benchmark, policy)


def rules(folder: Path) -> None:
    """Every audit rule on the benchmark that it speaks against, and what it says to mend it with."""
    for code, case in CASES.items():
        benchmark = case.draft().create(folder / code)
        for finding in findings(benchmark, code, **case.thresholds):
            if finding.mend is not None and finding.mend.sql is not None:
                benchmark.sql(finding.mend.sql)


def comparisons(folder: Path) -> None:
    """The audit rules that compare, on a benchmark with everything in it, and the audit's page."""
    benchmark = clean().create(folder / "clean")
    keys = benchmark.table("fragments")["fragment"]
    parts = ["train" if key % 3 else "test" for key in keys.to_pylist()]
    benchmark.write_table("splits", "random-1", pa.table({"fragment": keys, "part": parts}))
    other = Draft(language="c", card={"name": "experts"}).fragment("f1").fragment("f2")
    by_id = other.pair("f2", "f1", None, "ada not-clone", "bob not-clone").create(folder / "by-id")
    options = AuditOptions(thresholds={"shortcut-cases": 10})
    example_texts(audit(benchmark, options, against=[by_id], reference=benchmark))
    words = Draft().fragment("one", function(50)).fragment("two", function(51)).pair("one", "two", None, "ada clone")
    claimed = Draft().fragment("7", function(50)).fragment("8", function(51)).pair("7", "8", "clone")
    against = [words.create(folder / "by-words")]
    audit(claimed.create(folder / "claimed"), AuditOptions(select=("CT605",)), against=against)


def commands(folder: Path) -> None:
    """A BigCloneBench in small through the commands, and the demonstration."""
    (folder / "original").mkdir()
    path = folder / "bigclonebench"
    import_dataset("bigclonebench", bigclonebench(folder / "original"), path)
    _run("info", path)
    _run("classify", path, "--processes", 1)
    left, right = Benchmark.open(path).table("fragments")["id"].to_pylist()[:2]
    _run("compare", left, right, "--in", path)
    keys = Benchmark.open(path).table("fragments")["fragment"]
    Benchmark.open(path).write_table("splits", "all-1", pa.table({"fragment": keys, "part": ["train"] * len(keys)}))
    for name in ("codexglue", "bigcloneeval", "huggingface", "csv"):
        _run("export", path, name, "-o", folder / name, "--policy", "origin")
    _run("export", path, "csv", "-o", folder / "split", "--policy", "origin", "--split", "all-1")
    _run("demo", "-o", folder / "demo")


WORKLOADS: tuple[Callable[[Path], None], ...] = (store, rules, comparisons, commands)
