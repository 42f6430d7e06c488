"""Attach evidence that arrives later to a benchmark; core tables never change, so that everything is a new file."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pyarrow as pa

from clonetruth import __version__
from clonetruth.errors import InputError
from clonetruth.model import ATTACHED_RULE, JudgeKind
from clonetruth.options.declaration import verb
from clonetruth.options.sources import AttachOptions
from clonetruth.parsing import parse_json
from clonetruth.sources.accounting import FileAccount
from clonetruth.sources.evidence import Evidence, read_evidence
from clonetruth.sources.evidence_tables import TableReading
from clonetruth.sources.matching import NO_FUNCTIONALITY, carry_over, find_functionality, match_fragments
from clonetruth.sources.source import Skipped
from clonetruth.store import Benchmark, hash_json, open_benchmark
from clonetruth.store.atomic import exclusive
from clonetruth.store.hashing import hash_file
from clonetruth.store.records import RecordFormat, write_text
from clonetruth.store.schemas import TABLES


@dataclass(frozen=True)
class AttachedEvidence:
    """What became of files that belong together; the file `records/attach-<digest>.json` of a benchmark.

    Attributes:
        source: what read the files: `benchmark`, `export`, `study`, `table`, or the name of a source.
        files: the files and folders.
        digest: identifies their content and how it was read.
        version: the version of clonetruth.
        attached_before: whether the same files were attached before, in the same way; then nothing else was done.
        judgements: number of judgements in the files.
        used: number of those that apply to the benchmark.
        added: number of judgements that were added: one that applies to several pairs with equal texts counts for each.
        known: number of judgements that the benchmark had already, or that repeat one in the files.
        matched_by_id: number of fragments that were matched by id.
        matched_by_text: number of fragments that were matched by text.
        described: number of functionalities whose name or specification was added.
        reasons: number of rows that were unusable or did not match, by reason.
        unmatched: those rows, with the reason (the first thousand).
    """

    source: str
    files: tuple[str, ...]
    digest: str
    version: str = __version__
    attached_before: bool = False
    judgements: int = 0
    used: int = 0
    added: int = 0
    known: int = 0
    matched_by_id: int = 0
    matched_by_text: int = 0
    described: int = 0
    reasons: Mapping[str, int] = field(default_factory=dict)
    unmatched: tuple[Skipped, ...] = ()


ATTACH_RECORDS = RecordFormat(AttachedEvidence, "clonetruth-attach", 1, "attach record", "`clonetruth attach`")


@dataclass(frozen=True)
class AttachReport:
    """The outcome of attaching evidence.

    Attributes:
        benchmark: the benchmark folder.
        dry_run: whether nothing was written.
        evidence: what became of the files, together where they belong together.
        files: which of the named files were used.
    """

    benchmark: Path
    dry_run: bool
    evidence: tuple[AttachedEvidence, ...]
    files: FileAccount

    @property
    def added(self) -> int:
        """The number of judgements that were added."""
        return sum(one.added for one in self.evidence)


@dataclass(frozen=True)
class _Prepared:
    """Evidence that was matched and is ready to be written."""

    outcome: AttachedEvidence
    judges: pa.Table
    judgements: pa.Table
    descriptions: pa.Table


@verb(AttachOptions)
def attach_evidence(options: AttachOptions) -> AttachReport:
    """Add evidence that arrives later to a benchmark: judgements, labels, names of functionalities.

    Returns:
        What was added, what the benchmark had already, and what did not match, with the reasons.

    Raises:
        InputError: a file cannot be read, nothing in it applies to the benchmark, or it is not stated what was asked
            and who answered; with `strict`, also if anything is unusable or does not match. Nothing is attached then.
        UnknownNameError: there is no such source.

    Example:
        >>> from pathlib import Path
        >>> pair = "balanced-brackets/java/erase-pairs,balanced-brackets/java/recursive-descent"
        >>> _ = Path("labels.csv").write_text(f"left,right,label\\n{pair},1\\n")
        >>> stated = dict(judge="ann", judge_kind="person", criterion="same-main-purpose")
        >>> clonetruth.attach_evidence("my-benchmark", ["labels.csv"], dry_run=True, **stated).evidence[0].used
        1
    """
    if not options.paths:
        raise InputError("No file was given.", hint="Name the files with the evidence.")
    for path in options.paths:
        if not path.exists():
            raise InputError("There is no such file or folder.", where=path)
    benchmark = open_benchmark(options.benchmark)
    unused: list[Skipped] = []
    prepared: list[_Prepared] = []
    used = 0
    with exclusive(benchmark.path), tempfile.TemporaryDirectory(prefix="clonetruth-attach-") as scratch:
        for one in _read(options, benchmark, Path(scratch)):
            if isinstance(one, Skipped):
                unused.append(one)
            else:
                used += one.used
                prepared.append(_prepare(one, options, benchmark))
        if options.strict:
            _refuse(unused, [one.outcome for one in prepared])
        _refuse_nothing(prepared, unused, options.dry_run)
        if not options.dry_run:
            for ready in prepared:
                _write(ready, benchmark)
    reasons = Counter(one.reason for one in unused)
    files = FileAccount(used + len(unused), used, dict(reasons), tuple(unused))
    return AttachReport(benchmark.path, options.dry_run, tuple(one.outcome for one in prepared), files)


def _read(options: AttachOptions, benchmark: Benchmark, scratch: Path) -> Iterator[Evidence | Skipped]:
    named = {"left": options.left, "right": options.right, "label": options.label}
    how = TableReading(
        {**(options.option or {}), **{role: column for role, column in named.items() if column is not None}},
        options.criterion,
        options.judge,
        options.judge_kind,
        benchmark.card.languages,
    )
    return read_evidence(options.paths, options.source, how, scratch)


def _prepare(evidence: Evidence, options: AttachOptions, benchmark: Benchmark) -> _Prepared:
    """Match evidence with the benchmark, without writing anything."""
    outcome = AttachedEvidence(evidence.source, tuple(map(str, evidence.files)), _digest(evidence, options))
    empty = [TABLES[name].schema.empty_table() for name in ("judges", "judgements", "descriptions")]
    nothing = _Prepared(replace(outcome, attached_before=True), *empty)
    if _record(benchmark, outcome.digest).exists():
        return nothing
    reasons, unmatched = Counter(evidence.reasons), list(evidence.skipped)
    if evidence.benchmark is None:
        find = find_functionality(benchmark)
        rows = []
        for one in evidence.descriptions:
            key = find(one.id, None)
            if key is None:
                reasons[NO_FUNCTIONALITY] += 1
                unmatched.append(Skipped(f"{evidence.files[0]}:{one.line}: {one.id}", NO_FUNCTIONALITY))
            else:
                rows.append({"functionality": key, "name": one.name, "specification": one.specification})
        sequence = time.time_ns() // 1000
        table = pa.Table.from_pylist([{**row, "sequence": sequence} for row in rows], TABLES["descriptions"].schema)
        outcome = replace(outcome, described=table.num_rows, reasons=dict(reasons), unmatched=tuple(unmatched))
        return replace(nothing, outcome=outcome, descriptions=table)
    matches = match_fragments(evidence.benchmark, benchmark, options.match)
    carried = carry_over(evidence.benchmark, benchmark, matches, str(evidence.files[0]))
    outcome = replace(
        outcome,
        judgements=carried.judgements,
        used=carried.used,
        added=carried.rows.num_rows,
        known=carried.known,
        matched_by_id=matches.by_id,
        matched_by_text=matches.by_text,
        reasons=dict(reasons + Counter(carried.reasons)),
        unmatched=(*unmatched, *carried.unmatched),
    )
    judges = _judges(evidence.benchmark, benchmark, set(carried.rows["judge"].to_pylist()))
    return replace(nothing, outcome=outcome, judges=judges, judgements=carried.rows)


def _judges(evidence: Benchmark, benchmark: Benchmark, speaking: set[str]) -> pa.Table:
    """The judges of the evidence that speak. A rule that is new here is marked: it is not the dataset's own."""
    own = {
        row["judge"]
        for row in benchmark.table("judges").to_pylist()
        if row["kind"] == JudgeKind.RULE and not parse_json(row["settings"]).get(ATTACHED_RULE)
    }
    rows = [row for row in evidence.table("judges").to_pylist() if row["judge"] in speaking]
    for row in rows:
        if row["kind"] == JudgeKind.RULE and row["judge"] not in own:
            row["settings"] = json.dumps({**parse_json(row["settings"]), ATTACHED_RULE: True}, sort_keys=True)
    return pa.Table.from_pylist(rows, TABLES["judges"].schema)


def _digest(evidence: Evidence, options: AttachOptions) -> str:
    """Identifies the content of the files, and how they are read."""
    content = hashlib.sha256()
    for path in evidence.files:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and not file.name.startswith("."):
                content.update(hash_file(file).encode())
    how = [options.match, options.criterion, options.judge, options.judge_kind, options.left, options.right]
    return hash_json([content.hexdigest(), evidence.source, *how, options.label, dict(options.option or {})])[:16]


def _record(benchmark: Benchmark, digest: str) -> Path:
    return benchmark.path / "records" / f"attach-{digest}.json"


def _refuse(unused: list[Skipped], outcomes: list[AttachedEvidence]) -> None:
    """Refuse evidence of which something cannot be used."""
    for one in (*unused, *(row for outcome in outcomes for row in outcome.unmatched)):
        raise InputError(
            f"Not everything can be attached: {one.reason}.",
            where=one.where,
            hint="Without `strict`, what does not match is listed.",
        )


def _refuse_nothing(prepared: list[_Prepared], unused: list[Skipped], dry_run: bool) -> None:
    outcomes = [one.outcome for one in prepared]
    if dry_run or any(one.attached_before or one.used or one.described for one in outcomes):
        return
    reasons = sum((Counter(one.reasons) for one in outcomes), Counter(one.reason for one in unused))
    listed = [*unused, *(row for one in outcomes for row in one.unmatched)]
    why = "; ".join(f"{count:,} × {reason}" for reason, count in reasons.most_common(3))
    raise InputError(
        f"Nothing applies to this benchmark: {why or 'the files hold no judgement'}.",
        where=listed[0].where if listed else None,
        hint="`--dry-run` lists what does not match; `--match text` matches texts where ids differ.",
    )


def _write(ready: _Prepared, benchmark: Benchmark) -> None:
    """Write what is new. Each file appears whole, the record last: after a kill, a second run adds what is missing."""
    outcome = ready.outcome
    if outcome.attached_before:
        return
    if ready.judgements.num_rows:
        benchmark.append_judgements(ready.judges, ready.judgements)
    if ready.descriptions.num_rows:
        stem = re.sub(r"[^A-Za-z0-9]+", "-", Path(outcome.files[0]).name.partition(".")[0]).strip("-") or "names"
        name = f"{stem}-{outcome.digest}"
        if name not in benchmark.names("descriptions"):
            benchmark.write_table("descriptions", name, ready.descriptions, {"file": outcome.files[0]})
    path = _record(benchmark, outcome.digest)
    path.parent.mkdir(exist_ok=True)
    write_text(ATTACH_RECORDS.text(outcome), path)
