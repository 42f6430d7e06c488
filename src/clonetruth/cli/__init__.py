"""The command line: parse, call the library, print. One file for each group of verbs."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import NoReturn

import click

from clonetruth import __version__
from clonetruth.cli.interruption import EXIT_CODE, Interruption
from clonetruth.cli.output import show_error, show_note, show_usage_error, show_warning
from clonetruth.cli.startup import start_arrow_without_pandas
from clonetruth.cli.verb import LazyGroup
from clonetruth.errors import CloneTruthError, CloneTruthWarning

__all__ = ["cli", "main"]

_STUDY = LazyGroup(
    "study",
    help="Sample, judge, agree: find out how good the labels of a benchmark are.",
    lines={
        "sample": "clonetruth.cli.study:sample",
        "extend": "clonetruth.cli.study:extend",
        "blindness": "clonetruth.cli.study:blindness",
        "specifications": "clonetruth.cli.study:specifications",
        "info": "clonetruth.cli.study:info",
        "invite": "clonetruth.cli.study:invite",
        "revoke": "clonetruth.cli.study:revoke",
        "withdraw": "clonetruth.cli.study:withdraw",
        "judges": "clonetruth.cli.study:judges",
        "serve": "clonetruth.cli.study:serve",
        "llm": "clonetruth.cli.study_llm:llm",
        "agree": "clonetruth.cli.study:agree",
        "resolve": "clonetruth.cli.study:resolve",
        "review": "clonetruth.cli.study_review:review",
        "estimate": "clonetruth.cli.study:estimate",
        "export": "clonetruth.cli.study:export",
    },
)
_BUILD = LazyGroup(
    "build",
    help="Derive a benchmark from another one, by a recipe that is recorded in it.\n\n"
    "Each step is counted; the report goes to results/build.json of the new folder.",
    lines={
        "bcb-pairs": "clonetruth.cli.build:bcb_pairs",
        "confidence-bcb": "clonetruth.cli.build:confidence_bcb",
        "assumed-negatives": "clonetruth.cli.build:assumed_negatives",
        "contest": "clonetruth.cli.build:contest",
        "functionalities": "clonetruth.cli.build:functionalities",
        "apply": "clonetruth.cli.build:apply",
        "label-quality": "clonetruth.cli.build:label_quality",
        "mutants": "clonetruth.cli.build:mutants",
        "inject": "clonetruth.cli.build:inject",
    },
)
_MAKE = LazyGroup(
    "make",
    help="Make a benchmark from nothing: mine a code base, or generate clones with a language model.",
    lines={
        "run": "clonetruth.cli.make:run",
        "plan": "clonetruth.cli.make:plan",
        "status": "clonetruth.cli.make:status",
        "evidence": "clonetruth.cli.make:evidence",
    },
)
_CODE = LazyGroup(
    "code",
    help="Inspect source text: functions, tokens, normal forms, abstraction, metrics.",
    lines={
        "languages": "clonetruth.cli.code:languages",
        "functions": "clonetruth.cli.code:functions",
        "tokens": "clonetruth.cli.code:tokens",
        "form": "clonetruth.cli.code:form",
        "abstract": "clonetruth.cli.code:abstract",
        "metrics": "clonetruth.cli.code:metrics",
    },
)
_EXECUTION = LazyGroup(
    "execution",
    help="Run code in a sandbox and compare what it does.",
    lines={"doctor": "clonetruth.cli.execution:doctor"},
)
_JUDGE = LazyGroup(
    "judge",
    help="Judge the pairs of a benchmark, and add the judgements to it.",
    lines={"execute": "clonetruth.cli.judge:execute"},
)
_LITERATURE = LazyGroup(
    "literature",
    help="Audit papers: collect them, ask a language model with checked quotes, check one in seconds.",
    lines={
        "collect": "clonetruth.cli.literature:collect",
        "pilot": "clonetruth.cli.literature:pilot",
        "ask": "clonetruth.cli.literature:ask",
        "check": "clonetruth.cli.literature:check",
    },
)
_TOOLS = LazyGroup("tools", help="Run external clone detectors.", lines={"run": "clonetruth.cli.tools:run"})

_COMMANDS: dict[str, str | click.Group] = {
    "demo": "clonetruth.cli.demo:demo",
    "find": "clonetruth.cli.find:find",
    "trend": "clonetruth.cli.trend:trend",
    "compare": "clonetruth.cli.compare:compare",
    "run": "clonetruth.cli.run:run",
    "sources": "clonetruth.cli.sources:sources",
    "import": "clonetruth.cli.sources:import_",
    "export": "clonetruth.cli.export:export",
    "attach": "clonetruth.cli.sources:attach",
    "info": "clonetruth.cli.benchmarks:info",
    "classify": "clonetruth.cli.benchmarks:classify",
    "audit": "clonetruth.cli.audit:audit",
    "split": "clonetruth.cli.split:split",
    "study": _STUDY,
    "build": _BUILD,
    "make": _MAKE,
    "benchmark": "clonetruth.cli.trueclones:benchmark",
    "detectors": "clonetruth.cli.detectors:detectors",
    "execution": _EXECUTION,
    "judge": _JUDGE,
    "tools": _TOOLS,
    "run-tool": "clonetruth.cli.tools:run_tool",
    "train": "clonetruth.cli.learning:train",
    "predict": "clonetruth.cli.learning:predict",
    "evaluate": "clonetruth.cli.evaluate:evaluate",
    "matrix": "clonetruth.cli.matrix:matrix",
    "claim": "clonetruth.cli.claims:claim",
    "leaderboard": "clonetruth.cli.claims:leaderboard",
    "reproduce": "clonetruth.cli.literature:reproduce",
    "literature": _LITERATURE,
    "report": "clonetruth.cli.report:report",
    "verdicts": "clonetruth.cli.benchmarks:verdicts",
    "sql": "clonetruth.cli.benchmarks:sql",
    "code": _CODE,
    "mcp": "clonetruth.cli.mcp:mcp",
}


@click.group(
    cls=LazyGroup,
    lines=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="clonetruth")
def cli() -> None:
    """Know whether two pieces of code really do the same thing, and whether the tools that claim to know are right."""
    warnings.showwarning = _show_warning
    warnings.simplefilter("always", CloneTruthWarning)
    start_arrow_without_pandas()


def _show_warning(message: Warning | str, category: type[Warning], *place: object, **more: object) -> None:
    """Our own warnings are for the user; those of libraries are for their programmers."""
    if issubclass(category, CloneTruthWarning):
        show_warning(str(message))


def main(leave: Callable[[int], NoReturn] = sys.exit) -> None:
    """The entry point: errors are printed without a traceback, with a stable exit code.

    Args:
        leave: ends the process with the exit code.
    """
    interruption = Interruption()
    try:
        code = _run(interruption)
        interruption.finish()
    except BaseException:
        if not interruption.heard:
            raise
        # Whatever a library that was interrupted made of it.
        show_note("Stopped.")
        code = EXIT_CODE
    leave(code)


def _run(interruption: Interruption) -> int:
    """Run a command; its exit code."""
    try:
        # The exit code of a command comes back as the result: 1 means "it ran, and found something".
        return int(cli(standalone_mode=False) or 0)
    except click.ClickException as error:
        show_usage_error(error)
        return error.exit_code
    except click.Abort:
        show_note("Stopped.")
        return EXIT_CODE
    except CloneTruthError as error:
        if interruption.heard:
            raise
        show_error(error)
        return error.exit_code
