"""`clonetruth run`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.options.declaration import WORD, argument, option
from clonetruth.options.execution import SandboxOptions
from clonetruth.options.shared import HtmlOptions, JsonOptions

DIFFERENCES = (
    "value",
    "output",
    "changed",
    "exception",
    "order",
    "printed",
    "type-error",
    "error-kind",
    "undefined",
    "endless",
    "domain",
    "format",
    "inferred",
    "null",
)
"""Ways in which two runs with the same input differ."""
COUNTED = (*DIFFERENCES[:4], "inferred", "null")
"""Those that make two pieces of code different by default. An input of an inferred form, or one without a value that
only one side checks for, counts here, where a person sees it, and not for judges."""
_CODE = "PathLike[str] | Fragment"


@dataclass(frozen=True, kw_only=True)
class RunOptions(SandboxOptions, HtmlOptions, JsonOptions, command="run", function="run_code"):
    """Run two pieces of code with the same inputs, and show an input on which they differ.

    A and B are files, parts of files (FILE:FIRST-LAST by line numbers), or functions (FILE::NAME, FILE::Class.NAME), in
    any two languages. With --since, each function that changed since a git revision is compared with its
    earlier version, and paths limit which functions.

    Code runs in a sandbox. Exits with 0 if no difference was found, with 1 if there is one, and with 11 if that could
    not be decided.
    """

    left: str | None = argument(None, metavar="A", accepts=_CODE, help="The left code; with --since a path.")
    right: str | None = argument(None, metavar="B", accepts=_CODE, help="The right code; with --since a path.")
    paths: tuple[Path, ...] = argument((), metavar="PATH", help="With --since: further paths.")
    since: str | None = option(
        None,
        metavar="REVISION",
        setting=False,
        help="Compare each function that changed since this git revision with its earlier version.",
    )
    tests: bool = option(False, help="With --since: also functions in test files.")
    language: str | None = option(
        None, metavar="NAME", project=WORD, help="Language of the code (default: by file extension)."
    )
    runs: int = option(200, minimum=1, maximum=100_000, help="Maximum number of inputs.")
    seconds: float = option(20.0, above=0, maximum=86_400, help="Maximum number of seconds for a pair.")
    seed: int = option(0, minimum=0, help="Random seed of the inputs.")
    mutation: int = option(
        0,
        minimum=0,
        maximum=10_000,
        metavar="N",
        help="Make up to N seeded changes of each side, and count how many of them the inputs notice (default: none).",
    )
    prove: float = option(
        0.0,
        minimum=0,
        maximum=86_400,
        metavar="SECONDS",
        help="If no difference is found, let the installed provers work this long (default: not at all).",
    )
    inputs: Path | None = option(
        None,
        metavar="FILE",
        setting=False,
        help='Try these inputs first: one JSON list of arguments a line, or {"stdin": "text"} for programs.',
    )
    count: tuple[str, ...] = option(
        COUNTED,
        metavar="KINDS",
        commas=True,
        project=WORD,
        help=f"Differences that count, of {', '.join(DIFFERENCES)} (default: {','.join(COUNTED)}).",
    )
    tolerance: float = option(
        1e-9, minimum=0, maximum=1, help="Relative difference up to which floating-point numbers are equal."
    )
    min_runs: int = option(
        10,
        minimum=1,
        help="Minimum number of inputs without an exception on either side to report no difference.",
    )
    min_outputs: int = option(
        3,
        minimum=1,
        help="Minimum number of different results to report no difference; two are enough where all are true or false.",
    )
    min_coverage: float = option(
        0.5,
        minimum=0,
        maximum=1,
        help="Minimum share of each side's code that must run to report no difference, where coverage is measured.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in self.count:
            if name not in DIFFERENCES:
                raise UnknownNameError.suggest("kind of difference", name, DIFFERENCES)
        if not self.count:
            raise InputError("Nothing counts as a difference.", where="count")
        if self.since is None and (self.left is None or self.right is None):
            raise InputError(
                "Two pieces of code are needed.", hint="Name A and B, or --since and a git revision such as main."
            )
        if self.since is None and self.paths:
            raise InputError("Only two pieces of code can be compared.", where=self.paths[0])
