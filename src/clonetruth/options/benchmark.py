"""`clonetruth info`, `classify`, `verdicts` and `sql`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import WORD, Options, argument, option
from clonetruth.options.shared import EngineOptions, JsonOptions, ProcessOptions


@dataclass(frozen=True, kw_only=True)
class BenchmarkOptions(Options):
    """The benchmark folder."""

    benchmark: Path = argument(accepts="Benchmark", help="The benchmark folder.")


@dataclass(frozen=True, kw_only=True)
class InfoOptions(BenchmarkOptions, JsonOptions, command="info", function="describe_benchmark"):
    """Describe a benchmark: its card, counts, judges, measures and lineage."""

    verify: bool = option(
        False, help="Compute all hashes again, check every value and reference, and list all that is wrong."
    )


@dataclass(frozen=True, kw_only=True)
class ClassifyOptions(
    BenchmarkOptions, ProcessOptions, EngineOptions, JsonOptions, command="classify", function="classify_pairs"
):
    """Measure similarities and clone types of all pairs, as BigCloneBench defines them.

    Writes measures/RULE.parquet. Published values stay in the claimed columns; differences are reported. Pairs across
    languages, in an unsupported language or without text get a reason instead of a measure.
    """

    rule: str = option("min", positional=True, project=WORD, help="Cut rule for the clone types.")
    replace: bool = option(False, names=("--force",), project=False, help="Replace existing measures by the same rule.")


@dataclass(frozen=True, kw_only=True)
class VerdictsOptions(BenchmarkOptions, EngineOptions, JsonOptions, command="verdicts", function="judge_verdicts"):
    """Conclude verdicts from the judgements by a policy: clone, not clone, or unknown.

    In the default policy a dataset's own rule is a claim, not evidence: pairs that only a rule has judged are unknown.
    """

    policy: str = option(
        "default",
        positional=True,
        project=WORD,
        help="Policy, for example default, origin, majority or adjudicated; for executed pairs with rules, such as "
        "default:runs=50,outputs=5,coverage=0.8,count=value+output.",
    )
    criterion: str | None = option(
        None,
        positional=True,
        project=WORD,
        help="What the judges were asked (default: the policy's or the benchmark's criterion).",
    )


@dataclass(frozen=True, kw_only=True)
class SqlOptions(EngineOptions, JsonOptions, command="sql", function="query_benchmark"):
    """Query the tables of a benchmark in SQL.

    Core tables keep their names; later ones are KIND_NAME, for example measures_min.
    """

    benchmark: Path = argument(accepts="Benchmark", help="The benchmark folder.")
    query: str = argument(help="One SELECT.")
    threads: int | None = option(None, minimum=1, help="Number of threads of the engine (default: all cores).")
    output: Path | None = option(
        None,
        names=("-o",),
        terminal=True,
        setting=False,
        help="Write the rows to this Parquet file instead of standard output.",
    )
