"""`clonetruth judge execute`: the judge that runs the code.

Each result is appended to `execution/journal.jsonl` in the benchmark folder, and synced, before it counts. When all are
there, the judgements that the benchmark does not have yet are added to it as one part. Killed at any moment and started
again, the command runs only what the journal lacks, and adds only what the benchmark lacks.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from clonetruth.errors import InputError
from clonetruth.execution import BehaviourComparison, SearchBudget, Strength
from clonetruth.execution.doctor import open_sandbox
from clonetruth.execution.results import ExecutedSide
from clonetruth.execution.sandbox import Sandbox
from clonetruth.execution.sandbox.bubblewrap import require
from clonetruth.execution.toolchains import toolchain_versions
from clonetruth.judges.execution_evidence import (
    EQUAL_TEXTS,
    FRAGMENT_CRITERION,
    JUDGE,
    PAIR_CRITERION,
    ExecutionEvidence,
    FragmentEvidence,
    PairEvidence,
    evidence_from_record,
    read_evidence,
)
from clonetruth.judges.execution_report import ExecutionReport, FragmentTestRun, PairRun
from clonetruth.judges.execution_tasks import (
    ExecutionSetup,
    SelectedFragment,
    SelectedPair,
    select_fragments,
    select_pairs,
)
from clonetruth.judges.execution_worker import ExecutionTask, SourceTestOutcome, default_workers, run_tasks
from clonetruth.judges.line_file import LineFile
from clonetruth.model import Judgement
from clonetruth.options.declaration import verb
from clonetruth.options.execution import SandboxOptions
from clonetruth.options.judge import JudgeExecuteOptions
from clonetruth.progress import Progress, no_progress
from clonetruth.store import Benchmark, open_benchmark

_HEADER = {"schema": "clonetruth-execution-journal", "schema_version": 1}

_STORED_SQL = f"""
SELECT g.pair AS pair, f.id AS fragment, u.id AS functionality, g.evidence AS evidence
FROM judgements g
LEFT JOIN fragments f ON g.fragment = f.fragment
LEFT JOIN functionalities u ON g.functionality = u.functionality
WHERE g.judge = '{JUDGE.id}' AND g.evidence IS NOT NULL
"""

_Subject = tuple[int | None, str | None, str | None]


@verb(JudgeExecuteOptions)
def judge_by_execution(options: JudgeExecuteOptions, *, progress: Progress | None = None) -> ExecutionReport:
    """Run the pairs of a benchmark in a sandbox, and add what was found as judgements of the judge 'execution'.

    The value of a judgement follows from its evidence under the default policy of what counts; `judge_verdicts` can
    apply another one without running anything again (`docs/execution.md`).

    Args:
        progress: called as the work goes on.

    Raises:
        InputError: the condition is not valid, or another process judges the same benchmark.
        MissingExtraError: the sandbox is not complete.
        BenchmarkError: the folder is not a benchmark, or damaged.

    Example:
        >>> benchmark = clonetruth.import_dataset("embedded", output="executed")
        >>> report = clonetruth.judge_by_execution("executed", limit=3, runs=40)
        >>> len(report.pairs)
        3
    """
    benchmark = open_benchmark(options.benchmark)
    sandbox = open_sandbox(options)
    require(sandbox.layers())
    pairs = select_pairs(benchmark, options.where, options.limit, options.seed, options.domains, options.inputs)
    fragments = select_fragments(benchmark, pairs)
    setup = _setup(options, sandbox, pairs)
    with LineFile(benchmark.path / "execution" / "journal.jsonl", _HEADER, "the journal of executions") as journal:
        return _Session(benchmark, journal, setup, options).judge(pairs, fragments, progress or no_progress)


def _setup(options: JudgeExecuteOptions, sandbox: Sandbox, pairs: Sequence[SelectedPair]) -> ExecutionSetup:
    languages = {code.language for pair in pairs for code in (pair.left, pair.right)}
    budget = SearchBudget(runs=options.runs, seconds=options.seconds, seed=options.seed)
    return ExecutionSetup(budget, toolchain_versions(languages, sandbox))


class _Session:
    """One call: what is known, what is run, and what is added."""

    def __init__(
        self, benchmark: Benchmark, journal: LineFile, setup: ExecutionSetup, options: JudgeExecuteOptions
    ) -> None:
        self._benchmark = benchmark
        self._journal = journal
        self._setup = setup
        self._options = options
        self._known: dict[str, ExecutionEvidence] = {}
        self._stored: set[tuple[_Subject, str]] = set()

    def judge(
        self, pairs: Sequence[SelectedPair], fragments: Sequence[SelectedFragment], progress: Progress
    ) -> ExecutionReport:
        started = time.monotonic()
        chosen: list[tuple[str, ExecutionTask]] = [(self._setup.pair_key(one), one) for one in pairs]
        chosen += [(self._setup.fragment_key(one), one) for one in fragments]
        wanted = {key for key, _ in chosen}
        self._read_stored(wanted)
        self._read_journal(wanted)
        equal = {key for key, task in chosen if isinstance(task, SelectedPair) and task.has_equal_texts}
        kept = len(wanted & self._known.keys() - equal)
        for key, task in chosen:
            if key in equal and key not in self._known and isinstance(task, SelectedPair):
                self._known[key] = self._equal(task, key)
        tasks = {key: task for key, task in chosen if key not in self._known}
        self._run(tasks, progress)
        added = self._record(chosen)
        return ExecutionReport(
            benchmark=self._benchmark,
            pairs=tuple(
                PairRun(one, _pair_evidence(self._known[key])) for key, one in chosen if isinstance(one, SelectedPair)
            ),
            fragments=tuple(
                FragmentTestRun(one, _fragment_evidence(self._known[key]))
                for key, one in chosen
                if isinstance(one, SelectedFragment)
            ),
            ran=len(tasks),
            kept=kept,
            added=added,
            seconds=time.monotonic() - started,
        )

    def _run(self, tasks: Mapping[str, ExecutionTask], progress: Progress) -> None:
        """Run what is not known; every result is on disk before it counts."""
        sandbox = SandboxOptions(sandbox=self._options.sandbox, image=self._options.image, python=self._options.python)
        processes = self._options.jobs or default_workers()
        for key, outcome in run_tasks(tasks, self._setup.budget, sandbox, processes):
            evidence = self._evidence(tasks[key], key, outcome)
            self._journal.append(evidence.record)
            self._known[key] = evidence
            progress("pairs and tests", 1, len(tasks))

    def _evidence(
        self, task: ExecutionTask, key: str, outcome: BehaviourComparison | SourceTestOutcome
    ) -> ExecutionEvidence:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        if isinstance(task, SelectedFragment):
            assert isinstance(outcome, SourceTestOutcome)
            return FragmentEvidence(key, **vars(outcome), versions=self._setup.versions_of(task.code), time=now)
        assert isinstance(outcome, BehaviourComparison)
        settings = {**self._setup.settings, "given_inputs": len(task.inputs)}
        if task.domain is not None:
            settings["domain"] = task.domain.text
        return PairEvidence(key, outcome, settings, self._setup.versions_of(task.left, task.right), now)

    def _equal(self, pair: SelectedPair, key: str) -> PairEvidence:
        side = ExecutedSide(pair.left.language)
        comparison = BehaviourComparison(side, side, strength=Strength(proof=EQUAL_TEXTS))
        found = self._evidence(pair, key, comparison)
        assert isinstance(found, PairEvidence)
        return found

    def _read_stored(self, wanted: set[str]) -> None:
        """Which judgements the benchmark has; their evidence is as good as the journal's."""
        for row in self._benchmark.sql(_STORED_SQL).to_pylist():
            try:
                found = read_evidence(row["evidence"])
            except ValueError:
                continue  # a judge of the same name from elsewhere
            if found.key in wanted:
                self._known[found.key] = found
                self._stored.add(((row["pair"], row["fragment"], row["functionality"]), found.key))

    def _read_journal(self, wanted: set[str]) -> None:
        for number, record in self._journal.records():
            if not isinstance(record, dict) or "key" not in record:
                raise self._journal.damaged(number)
            if record["key"] in wanted:
                try:
                    found = evidence_from_record(record)
                except ValueError as error:
                    raise self._journal.damaged(number) from error
                self._known[found.key] = found

    def _record(self, chosen: Sequence[tuple[str, ExecutionTask]]) -> int:
        """Add the judgements that the benchmark does not have."""
        missing = list(_judgements(chosen, self._known, self._stored))
        return self._benchmark.append_judgements([JUDGE], missing) if missing else 0


def _judgements(
    chosen: Sequence[tuple[str, ExecutionTask]],
    known: Mapping[str, ExecutionEvidence],
    stored: Collection[tuple[_Subject, str]],
) -> Iterator[Judgement]:
    for key, task in chosen:
        evidence = known[key]
        if isinstance(task, SelectedPair):
            subject: _Subject = (task.pair, None, None)
            criterion, value = PAIR_CRITERION, str(_pair_evidence(evidence).value())
        else:
            subject = (None, task.fragment, task.functionality)
            criterion, value = FRAGMENT_CRITERION, str(_fragment_evidence(evidence).value)
        if (subject, key) in stored:
            continue
        yield Judgement(
            judge=JUDGE.id,
            criterion=criterion,
            value=value,
            pair=subject[0],
            fragment=subject[1],
            functionality=subject[2],
            reason=evidence.reason,
            evidence=evidence.text,
            time=evidence.time,
        )


def _pair_evidence(found: ExecutionEvidence) -> PairEvidence:
    if not isinstance(found, PairEvidence):
        raise InputError("The journal of executions is damaged: a pair has the evidence of a fragment.")
    return found


def _fragment_evidence(found: ExecutionEvidence) -> FragmentEvidence:
    if not isinstance(found, FragmentEvidence):
        raise InputError("The journal of executions is damaged: a fragment has the evidence of a pair.")
    return found
