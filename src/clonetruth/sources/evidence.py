"""Evidence of any kind, read into a temporary benchmark: studies, other benchmarks, tables, files of any source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clonetruth.errors import CloneTruthError, InputError
from clonetruth.model import Card, Dataset, Fragment, Functionality, Judge, JudgeKind, Judgement, Pair
from clonetruth.parsing import parse_json
from clonetruth.sources.evidence_tables import Description, TableReading, is_table, read_evidence_table
from clonetruth.sources.importer import import_files, recognise
from clonetruth.sources.row_buffer import RowBuffer
from clonetruth.sources.source import ImportLog, Skipped
from clonetruth.store import Benchmark, read_study
from clonetruth.store.croissant import FILE_NAME
from clonetruth.store.exchange import is_benchmark_or_export, restore_benchmark
from clonetruth.store.study import HEADER
from clonetruth.store.study_judgements import SubjectKind, read_study_judgements
from clonetruth.store.votes import read_votes


@dataclass(frozen=True)
class Evidence:
    """What some files say.

    Attributes:
        source: what read them: `benchmark`, `export`, `study`, `table`, or the name of a source.
        files: the files and folders.
        used: number of files that were read.
        benchmark: their fragments, pairs, judges and judgements; None for descriptions.
        descriptions: names and specifications of functionalities.
        reasons: number of unusable rows, by reason.
        skipped: the unusable rows.
    """

    source: str
    files: tuple[Path, ...]
    used: int
    benchmark: Benchmark | None
    descriptions: tuple[Description, ...] = ()
    reasons: Mapping[str, int] = field(default_factory=dict)
    skipped: tuple[Skipped, ...] = ()


def read_evidence(paths: Sequence[Path], source: str, how: TableReading, scratch: Path) -> Iterator[Evidence | Skipped]:
    """Read files, together where they belong to one dataset.

    Args:
        paths: files and folders.
        source: what reads them, or `auto`.
        how: how to read tables.
        scratch: a folder for temporary benchmarks.

    Returns:
        The evidence, and the files that nothing reads, with the reason.

    Raises:
        InputError: a file cannot be read, several sources match it, or it is not stated what was asked or who answered.
    """
    rest = []
    for path in paths:
        if (path / FILE_NAME).is_file():
            yield Evidence("benchmark", (path,), 1, Benchmark.open(path))
        elif is_benchmark_or_export(path):
            yield Evidence("export", (path,), 1, restore_benchmark(path, _new(scratch)))
        elif (path / HEADER).is_file():
            yield Evidence("study", (path,), 1, Benchmark.create(_new(scratch), _study(path)))
        else:
            rest.append(path)
    while rest and (name := source if source != "auto" else _recognised(rest)) not in (None, "table"):
        log = ImportLog(texts_optional=True)
        report = import_files(name, rest, how.columns if source != "auto" else {}, log, _new(scratch))
        # What this source does not read, another one may.
        left = {Path(one.where): one for one in report.files.unused}
        used = tuple(path for path in rest if path not in left)
        yield Evidence(name, used, report.files.used, report.benchmark, (), report.reasons, report.skipped)
        again = source == "auto" and bool(used)
        rest = [path for path in left if again and path.exists()]
        yield from (one for path, one in left.items() if path not in rest)
    for path in rest:
        if not is_table(path):
            yield Skipped(str(path), "no known format was recognised")
            continue
        log = ImportLog()
        try:
            read = read_evidence_table(path, how, log)
        except InputError as error:
            if path in paths:
                raise
            # Any table may lie in a folder.
            yield Skipped(str(path), f"{error.what[:1].lower()}{error.what[1:]}".rstrip("."))
            continue
        benchmark = Benchmark.create(_new(scratch), read) if isinstance(read, Dataset) else None
        described = read if isinstance(read, tuple) else ()
        yield Evidence("table", (path,), 1, benchmark, described, dict(log.reasons), tuple(log.skipped))


def _recognised(paths: Sequence[Path]) -> str | None:
    """The source that reads the files together; None if there is none, so that they are tables, one by one."""
    try:
        return recognise(paths)
    except CloneTruthError as error:
        if "Several sources" in error.what:
            raise
        return None


def _new(scratch: Path) -> Path:
    return scratch / str(len(list(scratch.iterdir())))


def _study(path: Path) -> Dataset:
    """A study: its subjects are pairs and methods, its judges appear by their pseudonyms."""
    study = read_study(path)
    judges, judgements = read_study_judgements(path, read_votes(path))
    if not judgements.num_rows:
        raise InputError("The study has no judgements yet.", where=path)
    buffer = RowBuffer()
    fragments: dict[str, Fragment] = {}

    def known(id_: str | None, language: str | None, text: str | None, fallback: str) -> str:
        name = id_ or fallback
        fragments.setdefault(name, Fragment(name, language or "unknown", text or ""))
        return name

    rows = judgements.sort_by("sequence").to_pylist()
    for row in study.subjects.to_pylist():
        sides = [
            known(row[f"{side}_id"], row[f"{side}_language"], row[f"{side}_text"], f"subject {row['subject']}, {side}")
            for side in ("left", "right")
        ]
        buffer.add_pair(Pair(sides[0], sides[1]))
    methods = study.methods.to_pylist()
    for row in methods:
        known(row["fragment_id"], row["language"], row["text"], "")
        buffer.functionalities.setdefault(
            row["functionality"], Functionality(row["functionality"], row["functionality"])
        )
    for row in judges.to_pylist():
        name = row["judge"] if row["kind"] == JudgeKind.PERSON else row["name"]
        settings: dict[str, Any] = parse_json(row["settings"])
        buffer.judges[row["judge"]] = Judge(row["judge"], JudgeKind(row["kind"]), name, row["description"], settings)
    # Without a time, the part that arrived last counts.
    last = {(row["judge"], row["subject_kind"], row["subject"]): row["sequence"] for row in rows if row["time"] is None}
    for row in rows:
        if row["time"] is None and row["sequence"] < last[row["judge"], row["subject_kind"], row["subject"]]:
            continue
        subject: dict[str, Any] = {"pair": row["subject"]}
        if row["subject_kind"] == SubjectKind.METHOD:
            method = methods[row["subject"]]
            subject = {"fragment": method["fragment_id"], "functionality": method["functionality"]}
        time = None if row["time"] is None else row["time"].isoformat()
        answer = {name: row[name] for name in ("judge", "criterion", "value", "confidence", "reason", "evidence")}
        buffer.judgements.append(Judgement(**answer, time=time, **subject))
    languages = tuple(sorted({fragment.language for fragment in fragments.values()}))
    return Dataset(
        card=Card(study.plan.title, "1", "A study.", "", "", study.plan.criterion, languages),
        fragments=fragments.values(),
        functionalities=buffer.functionalities.values(),
        pairs=buffer.pairs,
        judges=buffer.judges.values(),
        judgements=buffer.judgements,
    )
