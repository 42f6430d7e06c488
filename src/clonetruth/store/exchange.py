"""The sidecar of an export: the benchmark behind the exported files, so that importing them loses nothing.

An export in another format keeps labels, and loses the card, the criterion, judges, judgements and evidence. The folder
`clonetruth/` next to the exported files holds the benchmark folder itself and a record of the files. `import` copies
the benchmark back if the files are still those that were exported.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.store.atomic import new_folder
from clonetruth.store.benchmark import Benchmark
from clonetruth.store.croissant import FILE_NAME
from clonetruth.store.records import RecordFormat, write_text

SIDECAR = "clonetruth"
"""The folder next to the exported files."""
_BENCHMARK, _RECORD = "benchmark", "export.json"
_NOT_COPIED = ("verdicts", "detections")
"""Folders of a benchmark that are left behind: verdicts are computed again, detections belong to their detector."""


@dataclass(frozen=True)
class ExportRecord:
    """The file `clonetruth/export.json` of an export.

    Attributes:
        format: the format of the exported files.
        policy: the policy whose verdicts are the labels.
        criterion: the criterion of the verdicts.
        content_hash: the benchmark's content hash.
        judgements_hash: the hash of its judgements.
        files: the SHA-256 digest of each exported file, by its path in the folder.
    """

    format: str
    policy: str
    criterion: str
    content_hash: str
    judgements_hash: str
    files: Mapping[str, str]


EXPORT_RECORDS = RecordFormat(ExportRecord, "clonetruth-export", 1, "export record", "`clonetruth export`")


def write_sidecar(folder: Path, benchmark: Benchmark, format_name: str, policy: str, criterion: str) -> None:
    """Add the sidecar to a folder that holds exported files.

    Args:
        folder: the folder; all of its files are recorded.
        benchmark: the exported benchmark.
        format_name: the format of the files.
        policy: the policy whose verdicts are the labels.
        criterion: the criterion of the verdicts.
    """
    record = ExportRecord(
        format=format_name,
        policy=policy,
        criterion=criterion,
        content_hash=benchmark.content_hash,
        judgements_hash=benchmark.judgements_hash,
        files=_digests(folder),
    )
    (folder / SIDECAR).mkdir()
    _copy(benchmark.path, folder / SIDECAR / _BENCHMARK)
    write_text(EXPORT_RECORDS.text(record), folder / SIDECAR / _RECORD)


def is_benchmark_or_export(folder: Path) -> bool:
    """Whether a folder is a benchmark, or an export with its sidecar."""
    return (folder / FILE_NAME).is_file() or (folder / SIDECAR / _BENCHMARK / FILE_NAME).is_file()


def restore_benchmark(folder: Path, output: Path) -> Benchmark:
    """Copy a benchmark, or the benchmark behind an export, to a new folder.

    Raises:
        InputError: the exported files were changed, or the output exists.
        BenchmarkError: the benchmark is damaged.
    """
    source, record = folder, None
    if not (folder / FILE_NAME).is_file():
        source = folder / SIDECAR / _BENCHMARK
        record = EXPORT_RECORDS.read(folder / SIDECAR / _RECORD)
        _refuse_changes(folder, record)
    with new_folder(output) as target:
        _copy(source, target)
        copy = Benchmark.open(target)
        copy.verify()
        if record and (copy.content_hash, copy.judgements_hash) != (record.content_hash, record.judgements_hash):
            raise InputError(
                "The benchmark in the sidecar is not the one that was exported.",
                where=source,
                hint=f"Export it again, or delete {folder / SIDECAR} to import the other files as they are.",
            )
    return Benchmark.open(output)


def _refuse_changes(folder: Path, record: ExportRecord) -> None:
    found = _digests(folder)
    changed = sorted(name for name in {*found, *record.files} if found.get(name) != record.files.get(name))
    if changed:
        raise InputError(
            f"{changed[0]} was changed, added or removed after the export, and the benchmark in {SIDECAR}/ does not "
            f"know it ({len(changed)} such files).",
            where=folder,
            hint=f"To import the files as they are, delete {folder / SIDECAR} and name the source and the criterion.",
        )


def _digests(folder: Path) -> dict[str, str]:
    """The digests of the exported files, by path."""
    digests = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and name.parts[0] != SIDECAR:
            with path.open("rb") as file:
                digests[name.as_posix()] = hashlib.file_digest(file, "sha256").hexdigest()
    return digests


def _copy(source: Path, target: Path) -> None:
    """Copy a benchmark folder without temporary files; a link, which may lead anywhere, is refused."""

    def ignored(folder: str, names: list[str]) -> list[str]:
        for name in names:
            if (path := Path(folder, name)).is_symlink():
                raise InputError("The benchmark contains a symbolic link.", where=path, hint="Replace it by the file.")
        hidden = [name for name in names if name.startswith(".")]
        return hidden + [name for name in _NOT_COPIED if Path(folder) == source]

    shutil.copytree(source, target, ignore=ignored, dirs_exist_ok=True)
