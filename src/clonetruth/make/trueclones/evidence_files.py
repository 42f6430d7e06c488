"""`clonetruth make evidence`: executes functionalities, and checks or writes their evidence."""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.resources.abc import Traversable
from queue import SimpleQueue

from clonetruth.code import available_cores
from clonetruth.errors import BenchmarkError, InputError
from clonetruth.execution import Harnesses
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.make.trueclones.evidence import ExaminedFolder, examine_folder
from clonetruth.make.trueclones.fragment_runs import require_languages
from clonetruth.options.declaration import verb
from clonetruth.options.evidence import EvidenceOptions
from clonetruth.progress import Progress
from clonetruth.sources.functionality_folders import FunctionalityFolder, read_folder, read_folders, sorted_children
from clonetruth.sources.trueclones import data_folder
from clonetruth.sources.trueclones_evidence import FolderEvidence, evidence_file, parse_evidence
from clonetruth.store.records import write_text


class EvidenceState(StrEnum):
    """What became of the evidence of a functionality."""

    CURRENT = "current"
    OUTDATED = "out of date"
    WRITTEN = "written"
    REFUSED = "refused"


@dataclass(frozen=True)
class ExecutedFunctionality:
    """What execution showed of a functionality.

    Attributes:
        id: its id.
        state: what became of its evidence.
        problems: why it is refused, by fragment.
        implementations: number of them, by language.
        near_misses: number of them, by difficulty.
        coverage: the share of the implementations' points that the inputs reach; None where it is not measured.
        seconds: how long it took.
    """

    id: str
    state: EvidenceState
    problems: Mapping[str, str] = field(default_factory=dict)
    implementations: Mapping[str, int] = field(default_factory=dict)
    near_misses: Mapping[str, int] = field(default_factory=dict)
    coverage: float | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class EvidenceReport:
    """What execution showed of functionalities.

    Attributes:
        functionalities: one after the other.
    """

    functionalities: tuple[ExecutedFunctionality, ...]

    @property
    def is_current(self) -> bool:
        """Whether all evidence is what execution gives."""
        return all(one.state in (EvidenceState.CURRENT, EvidenceState.WRITTEN) for one in self.functionalities)


@verb(EvidenceOptions)
def make_evidence(options: EvidenceOptions, *, progress: Progress | None = None) -> EvidenceReport:
    """Execute functionalities in the sandbox, and check or write what every label rests on.

    Args:
        progress: called as the work goes on.

    Returns:
        What became of each functionality, and why one was refused.

    Raises:
        InputError: a folder is not a functionality.
        MissingExtraError: a language does not run on this machine.

    Example:
        >>> report = clonetruth.make_evidence(only=["crc8"], generated=20)
        >>> [(one.id, one.problems) for one in report.functionalities]
        [('crc8', {})]
    """
    root = data_folder() if options.folder is None else options.folder
    if not root.is_dir():
        raise InputError("There is no such folder.", where=options.folder, hint="Name a folder with functionalities.")
    wanted = list(read_folders(root, options.only))
    # Inputs of others with the same signature are run, too; one that is not ready yet is none of our business.
    others = [folder for child in sorted_children(root) if child.is_dir() and (folder := _readable(child))]
    require_languages(sorted({name for one in wanted for name in one.languages}))
    found = []
    for number, (examined, seconds) in enumerate(_examined(wanted, others, options), 1):
        if progress is not None:
            progress(examined.folder.id, number, len(wanted))
        found.append(_executed(examined, _settled(examined, write=options.write), seconds))
    return EvidenceReport(tuple(found))


def _examined(
    wanted: Sequence[FunctionalityFolder], others: Sequence[FunctionalityFolder], options: EvidenceOptions
) -> Iterator[tuple[ExaminedFolder, float]]:
    """What execution showed of functionalities, and how long it took; several run at once, in separate sandboxes."""
    at_once = max(1, min(options.processes or available_cores(), len(wanted)))
    free: SimpleQueue[Harnesses] = SimpleQueue()

    def examine(folder: FunctionalityFolder) -> tuple[ExaminedFolder, float]:
        started = time.monotonic()
        harnesses = free.get()
        try:
            examined = examine_folder(folder, harnesses, others=others, generated=options.generated)
        finally:
            free.put(harnesses)
        return examined, time.monotonic() - started

    # A sandbox ends with the thread that started it, so the threads end last.
    pool = ThreadPoolExecutor(at_once)
    try:
        with ExitStack() as opened:
            for _ in range(at_once):
                free.put(opened.enter_context(Harnesses(Bubblewrap())))
            yield from pool.map(examine, wanted)
    finally:
        pool.shutdown(cancel_futures=True)


def _readable(child: Traversable) -> FunctionalityFolder | None:
    try:
        return read_folder(child)
    except InputError:
        return None


def same_evidence(one: FolderEvidence, other: FolderEvidence) -> bool:
    """Whether two pieces of evidence show the same; which points are counted for coverage may change with a harness."""
    return _without_coverage(one) == _without_coverage(other)


def _without_coverage(one: FolderEvidence) -> str:
    fragments = {name: dataclasses.replace(entry, reached=0, points=0) for name, entry in sorted(one.fragments.items())}
    return dataclasses.replace(one, fragments=fragments).text


def _settled(examined: ExaminedFolder, *, write: bool) -> EvidenceState:
    file = evidence_file(examined.folder)
    if examined.evidence is None:
        return EvidenceState.REFUSED
    if file.exists():
        try:
            stored = parse_evidence(file.read_bytes(), file)
        except BenchmarkError:
            stored = None
        if stored is not None and same_evidence(stored, examined.evidence):
            return EvidenceState.CURRENT
    if not write:
        return EvidenceState.OUTDATED
    write_text(examined.evidence.text, file)
    return EvidenceState.WRITTEN


def _executed(examined: ExaminedFolder, state: EvidenceState, seconds: float) -> ExecutedFunctionality:
    folder, evidence = examined.folder, examined.evidence
    implementations = Counter(one.language for one in folder.implementations())
    if evidence is None:
        return ExecutedFunctionality(folder.id, state, dict(examined.problems), implementations, seconds=seconds)
    difficulties = Counter(evidence.difficulty(one.id) for one in folder.near_misses())
    return ExecutedFunctionality(
        folder.id, state, {}, implementations, difficulties, _coverage(folder, evidence), round(seconds, 1)
    )


def _coverage(folder: FunctionalityFolder, evidence: FolderEvidence) -> float | None:
    own = [evidence.fragments[one.id] for one in folder.implementations()]
    points = sum(one.points for one in own)
    return sum(one.reached for one in own) / points if points else None
