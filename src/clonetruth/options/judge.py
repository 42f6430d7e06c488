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
    """Run the pairs of a benchmark in a sandbox, and add the results as judgements of the judge 'execution'.

    A pair with an input on which both sides differ is not a clone; a pair without a difference after enough runs is a
    clone; any other pair is undecided, with a reason. The judgements answer the criterion equivalent-behaviour. Where
    the source brings tests, its fragments are run with them, too (implements-functionality).

    Every result is written to disk before the next pair: run the same command again to continue after an interruption.
    Pairs that ran before with the same versions and settings are not run again.
    """

    where: str | None = option(
        None,
        metavar="CONDITION",
        help="Only pairs that fulfil this SQL condition on label, left_language, functionality and other columns.",
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
