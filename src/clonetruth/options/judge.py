"""`clonetruth judge …`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.benchmark import BenchmarkOptions
from clonetruth.options.declaration import option
from clonetruth.options.execution import SandboxOptions
from clonetruth.options.shared import HtmlOptions, JsonOptions


@dataclass(frozen=True, kw_only=True)
class JudgeExecuteOptions(
    BenchmarkOptions, SandboxOptions, HtmlOptions, JsonOptions, command="judge execute", function="judge_by_execution"
):
    """Run the pairs of a benchmark in a sandbox, and add what was found as judgements of the judge 'execution'.

    A pair of which an input shows a difference is not a clone, one without a difference after enough runs is, and any
    other is undecided, with a reason. The judgements answer the criterion equivalent-behaviour. Where the source brings
    tests, its fragments are run with them, too (implements-functionality).

    Every result is on disk before the next one: a run that was stopped or killed goes on where it was if it is started
    again. What was run before with the same versions and settings is not run again.
    """

    where: str | None = option(
        None,
        metavar="CONDITION",
        help="Only pairs that fulfil this SQL condition, over label, left_language, functionality and others.",
    )
    limit: int | None = option(None, minimum=1, help="Only this number of pairs, drawn at random.")
    seed: int = option(0, minimum=0, help="Random seed of the draw and of the inputs.")
    runs: int = option(200, minimum=1, maximum=100_000, help="Maximum number of inputs for a pair.")
    seconds: float = option(20.0, above=0, maximum=86_400, help="Maximum number of seconds for a pair.")
    domains: Path | None = option(
        None,
        help="TOML file that states which inputs are permitted, by functionality (default: what the source states).",
    )
    inputs: Path | None = option(
        None,
        help='File with inputs to try first: a line is a JSON list of arguments, or {"stdin": "text"} for programs; '
        '{"functionality": "id", …} limits it to one functionality.',
    )
    jobs: int | None = option(
        None,
        names=("-j",),
        minimum=1,
        help="Number of worker processes, each with a sandbox (default: one more than there are cores).",
    )
