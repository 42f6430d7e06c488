"""`find --run`: copies that behave differently, and functions that behave alike without being copies.

Everything runs in the sandbox. A function runs in its file, with those searched files around it that it may import:
files that git ignores, and names that begin with a dot, are not among them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import combinations
from typing import TypeVar

from clonetruth.code import available_cores, decode, map_parallel
from clonetruth.code.source import read_data
from clonetruth.errors import InputError
from clonetruth.execution import BehaviourComparison, Harnesses
from clonetruth.execution.description import describe_call, describe_observation
from clonetruth.execution.doctor import open_sandbox
from clonetruth.execution.harness.registry import HARNESSES
from clonetruth.execution.output_digests import OutputFingerprint
from clonetruth.execution.sandbox.bubblewrap import require
from clonetruth.execution.values import Value
from clonetruth.find.behaviour_files import FunctionRunner, RunnableFiles
from clonetruth.find.behaviour_findings import (
    BehaviourFindings,
    FunctionPlace,
    InconsistentCopy,
    SemanticClass,
    SemanticClone,
)
from clonetruth.find.clone_class import CloneClass, CloneMember
from clonetruth.find.report import CloneReport
from clonetruth.find.search_result import SearchedFile
from clonetruth.options.find import FindOptions
from clonetruth.progress import Progress, no_progress

_BATCH = 8
"""Files or pairs that share a sandbox: starting one takes longer than running a function."""
_COMMON = 12
"""Number of functions that give a result for an input, above which that result says nothing about them."""
_RESULTS = 3
"""Different rare results on which two functions must agree to be compared."""
_ALIKE = 0.8
"""Share of equal results from which two functions are compared: shared inputs may be of types that one is not for."""
_NO_INPUT = "no shared input runs"
_PASSED_ON = "only arguments are returned"

T = TypeVar("T")
U = TypeVar("U")


def with_behaviour(
    report: CloneReport,
    files: Sequence[SearchedFile],
    options: FindOptions,
    progress: Progress | None = None,
    *,
    generated: Sequence[SearchedFile] = (),
) -> CloneReport:
    """Return a report with what running its copies, and all functions of the files, showed.

    Args:
        report: the report; copies are those of the classes that it describes.
        files: the searched files.
        options: the options of the search.
        generated: files that were left out of the search because they are generated, and that others may import.
        progress: called as the work goes on.

    Raises:
        MissingExtraError: the sandbox is not complete.
        InputError: a container without an image.
    """
    require(open_sandbox(options).layers())
    runnable, importable = (tuple(one for one in some if one.language in HARNESSES) for some in (files, generated))
    project = RunnableFiles(runnable, options, importable)
    work = _Work(project, options.processes or available_cores(), progress or no_progress)
    return replace(report, behaviour=work.findings(report.classes))


_Pair = tuple[FunctionPlace, FunctionPlace]
_Print = tuple[FunctionPlace, OutputFingerprint | str]


def _run_files(project: RunnableFiles, numbers: Sequence[int]) -> list[list[_Print]]:
    with Harnesses(open_sandbox(project.options)) as harnesses:
        return [_run_file(project, harnesses, project.files[number]) for number in numbers]


def _run_file(project: RunnableFiles, harnesses: Harnesses, file: SearchedFile) -> list[_Print]:
    try:
        text = decode(read_data(file.path)).text
    except InputError:
        return []  # the search has named it
    runner = FunctionRunner(project, harnesses)
    return [(one, runner.fingerprint(one)) for one in project.functions(file, text)]


def _compare_pairs(project: RunnableFiles, pairs: Sequence[_Pair]) -> list[BehaviourComparison | str]:
    with Harnesses(open_sandbox(project.options)) as harnesses:
        runner = FunctionRunner(project, harnesses)
        return [runner.compare(left, right) for left, right in pairs]


@dataclass(frozen=True)
class _Work:
    project: RunnableFiles
    processes: int
    progress: Progress

    def findings(self, classes: Sequence[CloneClass]) -> BehaviourFindings:
        """Both kinds of findings."""
        members = [pair for pair in edited_copies(classes) if all(one.path in self.project.by_name for one in pair)]
        pairs = [(_place(first), _place(other)) for first, other in members]
        inconsistent, undecided, consistent = [], Counter[str](), 0
        for (first, other), found in zip(members, self._mapped(_compare_pairs, pairs, "Running copies"), strict=True):
            why = _why_undecided(found)
            if why is not None:
                undecided[why] += 1
            elif isinstance(found, BehaviourComparison) and found.witness is not None:
                inconsistent.append(_inconsistent(first, other, found))
            else:
                consistent += 1
        return replace(
            self._semantic(classes),
            copies=len(pairs),
            inconsistent=tuple(sorted(inconsistent, key=lambda one: one.share)),
            consistent=consistent,
            copies_undecided=_by_number(undecided),
        )

    def _semantic(self, classes: Sequence[CloneClass]) -> BehaviourFindings:
        """Run all functions on shared inputs, and compare those that agree on rare results."""
        functions: list[FunctionPlace] = []
        prints: list[OutputFingerprint] = []
        not_run = Counter[str]()
        for rows in self._mapped(_run_files, range(len(self.project.files)), "Running functions"):
            for function, found in rows:
                if isinstance(found, str):
                    not_run[found] += 1
                elif not found.normal:
                    not_run[found.reason or _NO_INPUT] += 1
                else:
                    functions.append(function)
                    prints.append(found)
        copied = {
            (member.path, member.first_line): one.key
            for one in classes
            for member in one.members
            if member.kind == "function"
        }
        keys = [copied.get((one.path, one.first_line)) for one in functions]
        pairs = [
            (left, right)
            for left, right in agreeing(prints)
            if (keys[left] is None or keys[left] != keys[right]) and not _is_nested(functions[left], functions[right])
        ]
        places = [(functions[left], functions[right]) for left, right in pairs]
        first: dict[int, int] = {}
        others = defaultdict[int, list[SemanticClone]](list)
        refuted, undecided = 0, Counter[str]()
        compared = self._mapped(_compare_pairs, places, "Comparing functions")
        for (left, right), seen in zip(pairs, compared, strict=True):
            why = _why_undecided(seen)
            if why is not None:
                undecided[why] += 1
            elif isinstance(seen, BehaviourComparison) and seen.witness is not None:
                refuted += 1
            # The pairs are in order: a function that is not the first of its class has joined one already.
            elif isinstance(seen, BehaviourComparison) and only_passes_on(seen):
                undecided[_PASSED_ON] += 1
            elif isinstance(seen, BehaviourComparison) and left not in first and right not in first:
                first[right] = left
                others[left].append(_semantic_clone(functions[right], seen))
        return BehaviourFindings(
            functions=len(functions) + not_run.total(),
            ran=len(functions),
            not_run=_by_number(not_run),
            candidates=len(pairs),
            semantic=tuple(SemanticClass(functions[one], tuple(others[one])) for one in sorted(others)),
            refuted=refuted,
            candidates_undecided=_by_number(undecided),
        )

    def _mapped(
        self, function: Callable[[RunnableFiles, Sequence[T]], list[U]], items: Sequence[T], what: str
    ) -> Iterator[U]:
        """The results for all items in order, computed in batches that share a sandbox."""
        batches = [items[at : at + _BATCH] for at in range(0, len(items), _BATCH)]
        for results in map_parallel(function, self.project, batches, min(self.processes, len(batches))):
            self.progress(what, len(results), len(items))
            yield from results


def edited_copies(classes: Sequence[CloneClass]) -> list[tuple[CloneMember, CloneMember]]:
    """Functions with the representative of their class, if one of the two is new, and they are not equal."""
    return [
        (one.representative, member)
        for one in classes
        for member in one.members[1:]
        if member.key != one.representative.key and (member.new or one.representative.new)
        # A block, or what a tool reports, is not a function.
        if all(side.kind == "function" and side.name for side in (one.representative, member))
    ]


def agreeing(prints: Sequence[OutputFingerprint]) -> list[tuple[int, int]]:
    """Pairs of functions that agree on enough rare results to be compared, in order."""
    by_result = defaultdict[tuple[str, int, str], list[int]](list)
    for number, one in enumerate(prints):
        for at, output in enumerate(one.outputs):
            if output is not None:
                by_result[one.inputs, at, output].append(number)
    shared = defaultdict[tuple[int, int], set[str]](set)
    for (_, _, output), numbers in by_result.items():
        if 1 < len(numbers) <= _COMMON:
            for pair in combinations(numbers, 2):
                shared[pair].add(output)
    pairs = sorted(pair for pair, outputs in shared.items() if len(outputs) >= _RESULTS)
    return [(left, right) for left, right in pairs if _agreement(prints[left], prints[right]) >= _ALIKE]


def _agreement(one: OutputFingerprint, other: OutputFingerprint) -> float:
    """The share of the inputs that ran on both which gave the same."""
    both = [(a, b) for a, b in zip(one.outputs, other.outputs, strict=True) if a is not None and b is not None]
    return sum(a == b for a, b in both) / len(both)


def _place(member: CloneMember) -> FunctionPlace:
    return FunctionPlace(member.path, member.first_line, member.last_line, member.name or "", member.language)


def _is_nested(one: FunctionPlace, other: FunctionPlace) -> bool:
    """Whether one function is inside of the other: what it gives is what the other gives."""
    first, second = sorted((one, other), key=lambda place: (place.first_line, -place.last_line))
    return one.path == other.path and second.last_line <= first.last_line


def _why_undecided(found: BehaviourComparison | str) -> str | None:
    return found if isinstance(found, str) else found.why_undecided


def _inconsistent(first: CloneMember, other: CloneMember, found: BehaviourComparison) -> InconsistentCopy:
    witness = found.witness
    assert witness is not None
    counted = [found.counts.get(kind, 0) for kind in witness.differences if kind in found.policy.counted]
    return InconsistentCopy(
        _place(first),
        _place(other),
        describe_call(found.left, witness.call),
        describe_observation(found.left, witness.left),
        describe_observation(found.right, witness.right),
        found.strength.runs,
        max(counted, default=0),
        blake2b(f"{first.key} {other.key}".encode(), digest_size=16).hexdigest(),
    )


def _semantic_clone(function: FunctionPlace, found: BehaviourComparison) -> SemanticClone:
    normal = [(call, one) for call, one, other in found.examples if one.is_normal and other.is_normal]
    # The example that says most: the longest result.
    call, did = max(
        ((describe_call(found.left, call), describe_observation(found.left, one)) for call, one in normal),
        key=lambda said: min(len(said[1]), 80),
        default=("", ""),
    )
    return SemanticClone(function, found.strength.normal, found.strength.outputs, call, did)


def only_passes_on(found: BehaviourComparison) -> bool:
    """Whether every result is an argument, a list of what is in one, or an object that only holds such: what functions
    do with inputs that they are not meant for, and what constructors do."""
    normal = [(call, one) for call, one, other in found.examples if one.is_normal and other.is_normal]
    return all(not one.output.strip() and _is_passed_on(one.returned, call.arguments) for call, one in normal)


def _is_passed_on(value: Value, arguments: Sequence[Value]) -> bool:
    if value is None or any(_elements(value) == _elements(given) for given in arguments):
        return True
    if isinstance(value, dict) and "object" in value:
        fields = [held for _, held in value["object"][1]]
        return all(_is_empty(held) or _is_passed_on(held, arguments) for held in fields)
    return False


def _is_empty(value: Value) -> bool:
    return isinstance(value, dict) and next(iter(value.values())) == []


def _elements(value: Value) -> list[Value]:
    """What is in a text or a sequence; any other value by itself."""
    if isinstance(value, str):
        return list(value)
    if isinstance(value, dict):
        ((kind, content),) = value.items()
        if kind in ("list", "tuple", "iterator"):
            return list(content)
    return [value]


def _by_number(counts: Counter[str]) -> dict[str, int]:
    return {str(reason): count for reason, count in counts.most_common()}
