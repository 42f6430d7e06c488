"""`clonetruth run`: two pieces of code, or the functions that changed since a revision, run with the same inputs."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from clonetruth import __version__
from clonetruth.code import language
from clonetruth.code.pieces import CodePiece, read_piece
from clonetruth.errors import InputError
from clonetruth.execution.changes import ChangedCode, ChangeKind, changed_functions
from clonetruth.execution.comparison import Difference, DifferencePolicy
from clonetruth.execution.description import describe_call, describe_observation, describe_verdict
from clonetruth.execution.doctor import open_sandbox
from clonetruth.execution.harness import CallInput, Code, Harnesses, Reason
from clonetruth.execution.inputs.given import read_inputs
from clonetruth.execution.project_files import files_around
from clonetruth.execution.results import BehaviourComparison, BehaviourVerdict, Strength, Witness
from clonetruth.execution.search import SearchBudget, compare_behaviour
from clonetruth.execution.toolchains import toolchain_versions
from clonetruth.html.numbers import plural
from clonetruth.model import Fragment, Manifest
from clonetruth.options.declaration import verb
from clonetruth.options.run import RunOptions
from clonetruth.progress import Progress, no_progress


@dataclass(frozen=True)
class ExecutedPair:
    """Two pieces of code, and what running them showed.

    Attributes:
        name: what it is about.
        left: the left code; None for a function that was added.
        right: the right code; None for a function that was removed.
        comparison: what running them showed; None if they were not run.
        change: what happened to a function since a revision; None if two pieces of code were given.
    """

    name: str
    left: CodePiece | None
    right: CodePiece | None
    comparison: BehaviourComparison | None = None
    change: ChangeKind | None = None

    @property
    def verdict(self) -> BehaviourVerdict | None:
        """What is known about their behaviour; None if they were not run."""
        return self.comparison.verdict if self.comparison else None

    @property
    def outcome(self) -> str:
        """What is known, in a few words."""
        if self.comparison is not None:
            return self.comparison.verdict.replace("-", " ")
        is_other_text = self.change in (ChangeKind.LAYOUT, ChangeKind.RENAMED)
        return f"only {self.change}" if is_other_text else str(self.change)

    @property
    def explanation(self) -> str:
        """The input on which they differ, or why they are undecided; empty if there is nothing to explain."""
        if self.comparison is None:
            return ""
        witness = self.comparison.witness
        if witness is None:
            return describe_verdict(self.comparison).partition(": ")[2] if self.reason else ""
        left, right = self.comparison.left, self.comparison.right
        before, after = describe_observation(left, witness.left), describe_observation(right, witness.right)
        return f"{describe_call(right, witness.call)} {after}; before: {before}"

    @property
    def reason(self) -> Reason | None:
        """Why nothing is known; None if something is."""
        return self.comparison.why_undecided if self.comparison else None

    def calls(self, call: CallInput) -> tuple[str, str]:
        """An input as a call of each side, in the notation of its language."""
        assert self.comparison is not None
        return describe_call(self.comparison.left, call), describe_call(self.comparison.right, call)

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        said: dict[str, Any] = {"name": self.name, "change": self.change}
        for side, piece in (("left", self.left), ("right", self.right)):
            said[f"{side}_code"] = piece and {
                "title": piece.title,
                "language": piece.language,
                "function": piece.function,
                "first_line": piece.first_line,
            }
        return {**said, **_result(self)}


@dataclass(frozen=True, repr=False)
class CodeRun:
    """What `run_code` found, about one pair or about all functions that changed since a revision.

    Attributes:
        pairs: the pairs.
        manifest: what produced the result.
        since: the revision; None if two pieces of code were given.
        outside: files with changes outside of functions, which are not run.
        unread: changed files that could not be read as source code, with the reason.
        tests: number of changed files of tests, which were left out.
    """

    pairs: tuple[ExecutedPair, ...]
    manifest: Manifest
    since: str | None = None
    outside: tuple[str, ...] = ()
    unread: Mapping[str, str] = field(default_factory=dict)
    tests: int = 0

    @property
    def deciding(self) -> ExecutedPair | None:
        """The pair that decides the verdict: the first that differs, else the first that is undecided, else the first
        that ran."""
        order = (BehaviourVerdict.DIFFERENT, BehaviourVerdict.UNDECIDED, BehaviourVerdict.NO_DIFFERENCE_FOUND)
        ran = [one for one in self.pairs if one.verdict is not None]
        return min(ran, key=lambda one: order.index(one.verdict) if one.verdict in order else len(order), default=None)

    @property
    def verdict(self) -> BehaviourVerdict:
        """Different if any pair is, else undecided if any pair is, else that no difference was found."""
        pair = self.deciding
        return pair.verdict if pair and pair.verdict else BehaviourVerdict.NO_DIFFERENCE_FOUND

    @property
    def witness(self) -> Witness | None:
        """The smallest input on which the deciding pair differs."""
        return self.deciding.comparison.witness if self.deciding and self.deciding.comparison else None

    @property
    def reason(self) -> Reason | None:
        """Why the deciding pair is undecided."""
        return self.deciding.comparison.why_undecided if self.deciding and self.deciding.comparison else None

    @property
    def strength(self) -> Strength | None:
        """How hard the search on the deciding pair was."""
        return self.deciding.comparison.strength if self.deciding and self.deciding.comparison else None

    @property
    def summary(self) -> str:
        """The result in one sentence."""
        if self.since is None:
            assert self.pairs[0].comparison is not None
            return describe_verdict(self.pairs[0].comparison)
        verdicts = [one.verdict for one in self.pairs if one.verdict is not None]
        different, undecided = (verdicts.count(one) for one in (BehaviourVerdict.DIFFERENT, BehaviourVerdict.UNDECIDED))
        same = len(verdicts) - different - undecided
        if not verdicts:
            return f"No function with other code since {self.since}."
        return (
            f"{plural(len(verdicts), 'function')} changed since {self.since}: {different:,} different, "
            f"{same:,} without a difference, {undecided:,} undecided."
        )

    @property
    def remarks(self) -> list[str]:
        """What was not run."""
        found = []
        if self.outside:
            found.append(f"Also changed outside of functions, which was not run: {', '.join(self.outside)}.")
        if self.tests:
            found.append(f"{plural(self.tests, 'changed file')} of tests left out (--tests includes them).")
        found += [f"{name} was not read: {why}." for name, why in self.unread.items()]
        return found

    def to_dict(self) -> dict[str, Any]:
        """As JSON: `verdict`, `witness`, `reason` and `strength` of the whole, and everything about the pairs."""
        said: dict[str, Any] = {"since": self.since}
        if self.since is None:
            said |= self.pairs[0].to_dict()
        else:
            said |= dict.fromkeys(("witness", "reason", "strength"))
            said |= _result(self.deciding) if self.deciding else {}
            said |= {
                "functions": [one.to_dict() for one in self.pairs],
                "outside": list(self.outside),
                "unread": dict(self.unread),
                "tests": self.tests,
            }
        return {"verdict": self.verdict, **said, "manifest": asdict(self.manifest)}

    def __repr__(self) -> str:
        if self.since is None:
            return f"<CodeRun of {self.pairs[0].name}: {self.verdict}>"
        return f"<CodeRun of {len(self.pairs)} functions since {self.since}: {self.verdict}>"


def _result(pair: ExecutedPair) -> dict[str, Any]:
    comparison = pair.comparison
    if comparison is None:
        return {"verdict": None, "witness": None, "reason": None, "strength": None}
    said = comparison.to_dict()
    if comparison.witness is not None:
        calls = dict(zip(("left_call", "right_call"), pair.calls(comparison.witness.call), strict=True))
        said["witness"] = {**said["witness"], **calls}
    return {**said, "reason": comparison.why_undecided}


@verb(RunOptions)
def run_code(options: RunOptions, *, progress: Progress | None = None) -> CodeRun:
    """Run two pieces of code with the same inputs, and find an input on which they differ.

    `left` and `right` are files, parts of files (FILE:FIRST-LAST by line numbers), functions (FILE::NAME), or
    `clonetruth.model.Fragment`s, in any two languages. With `since`, each function that changed since a git revision is
    run as it was and as it is.

    Args:
        progress: called as the work goes on.

    Raises:
        InputError: code cannot be read, a name is ambiguous, or git does not know the revision.
        UnknownNameError: the language or a kind of difference is unknown.
        MissingExtraError: the sandbox is not complete.

    Example:
        >>> from pathlib import Path
        >>> Path("old.py").write_text("def total(a): return sum(a)")
        27
        >>> Path("new.py").write_text("def total(a): return sum(abs(x) for x in a)")
        43
        >>> found = clonetruth.run_code("old.py", "new.py")
        >>> found.verdict.value, found.witness.call.arguments
        ('different', ({'list': [{'int': '-1'}]},))
    """
    inputs = read_inputs(options.inputs) if options.inputs else ()
    progress = progress or no_progress
    sandbox = open_sandbox(options)
    with Harnesses(sandbox) as harnesses:
        runner = _Runner(options, harnesses, inputs)
        if options.since is not None:
            return runner.run_changes(options.since, progress)
        return runner.run_two(progress)


@dataclass(frozen=True)
class _Runner:
    options: RunOptions
    harnesses: Harnesses
    inputs: Sequence[CallInput]

    def run_two(self, progress: Progress) -> CodeRun:
        left, right = (_piece(name, self.options.language) for name in (self.options.left, self.options.right))
        if left.path.name and _place(left) == _place(right):
            raise InputError("Both are the same piece of code.", where=right.title, hint="Name two different ones.")
        comparison = self.compare(_code(left), _code(right), progress)
        pair = ExecutedPair(f"{left.title} and {right.title}", left, right, comparison)
        return CodeRun((pair,), self.manifest([pair]))

    def run_changes(self, since: str, progress: Progress) -> CodeRun:
        given = (self.options.left, self.options.right, *self.options.paths)
        paths = [Path(_path(one)) for one in given if one is not None]
        changes = changed_functions(since, paths, self.options.language, tests=self.options.tests)
        pairs = []
        for one in changes.functions:
            pairs.append(self.run_change(one, changes.functions))
            progress("functions", 1, len(changes.functions))
        return CodeRun(tuple(pairs), self.manifest(pairs), since, changes.outside, changes.unread, changes.tests)

    def run_change(self, changed: ChangedCode, others: Sequence[ChangedCode]) -> ExecutedPair:
        comparison = None
        if changed.before_code is not None and changed.after_code is not None:
            place = _class_of(changed.after_code)
            codes = [one.after_code for one in others if one is not changed and one.after_code is not None]
            names = {str(one.entry).rpartition(".")[2] for one in codes if _class_of(one) == place}
            comparison = self.compare(changed.before_code, changed.after_code, no_progress, names)
        return ExecutedPair(changed.name, changed.before, changed.after, comparison, changed.kind)

    def compare(self, left: Code, right: Code, progress: Progress, others: Collection[str] = ()) -> BehaviourComparison:
        options = self.options
        policy = DifferencePolicy(
            counted=frozenset(map(Difference, options.count)),
            tolerance=options.tolerance,
            runs=options.min_runs,
            outputs=options.min_outputs,
            coverage=options.min_coverage,
        )
        budget = SearchBudget(
            runs=options.runs,
            seconds=options.seconds,
            seed=options.seed,
            mutants=options.mutation,
            proof_seconds=options.prove,
        )
        found = compare_behaviour(
            left,
            right,
            self.harnesses,
            budget=budget,
            policy=policy,
            inputs=self.inputs,
            others=others,
            progress=progress,
        )
        if options.since is None:
            self.check_inputs(found)
        return found

    def check_inputs(self, found: BehaviourComparison) -> None:
        """Refuse inputs that the two functions do not take."""
        if not found.types and not found.left.order:
            return
        for one in self.inputs:
            side = found.left
            if not len(side.order) - len(side.roles) <= len(one.arguments) <= len(side.order):
                raise InputError(
                    f"An input has {len(one.arguments)} arguments, and the code takes {len(found.left.order)}.",
                    where=self.options.inputs,
                )

    def manifest(self, pairs: Sequence[ExecutedPair]) -> Manifest:
        pieces = {piece.title: piece for pair in pairs for piece in (pair.left, pair.right) if piece is not None}
        ran = [pair.comparison for pair in pairs if pair.comparison]
        languages = {side.language for one in ran for side in (one.left, one.right)}
        settings = {
            one.name: getattr(self.options, one.name)
            for one in RunOptions.declared()
            if not one.declaration.argument and not one.declaration.terminal and one.kind is not Path
        }
        text = json.dumps(settings, sort_keys=True)
        return Manifest(
            inputs={title: _digest(piece.text) for title, piece in sorted(pieces.items())},
            configuration=settings,
            configuration_digest=_digest(text),
            seed=self.options.seed,
            versions={"clonetruth": __version__, **toolchain_versions(languages, self.harnesses.sandbox)},
            time=datetime.now(UTC).isoformat(timespec="seconds"),
        )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()


def _class_of(code: Code) -> tuple[str, str]:
    """The file and the class of a method."""
    return code.path, str(code.entry).rpartition(".")[0]


def _path(given: Any) -> str:
    if isinstance(given, str | os.PathLike):
        return os.fspath(given)
    raise InputError("With --since, the arguments are paths.", where=type(given).__name__)


def _piece(given: Any, language_name: str | None) -> CodePiece:
    if isinstance(given, Fragment):
        return CodePiece(given.id, Path(), language(given.language).name, given.text, given.text)
    return read_piece(given, language_name)


def _place(piece: CodePiece) -> tuple[object, ...]:
    return piece.path.resolve(), piece.first_line, piece.text


def _code(piece: CodePiece) -> Code:
    """What to run: a function with its whole file around it, a file, or lines alone."""
    if piece.function is None and piece.text != piece.file_text:
        return Code(piece.text, piece.language)
    path, files = files_around(piece.path, piece.language) if piece.path.name else ("", {})
    return Code(piece.file_text, piece.language, piece.function, path, files)
