"""Files read on the workers of a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from clonetruth.code.remote_workers import RemoteWorkers
from clonetruth.errors import InputError
from clonetruth.find.reading import UNREADABLE, Numbered, ReadingPlan, batches, raw_bytes, read_batch
from clonetruth.progress import Progress


def read_remotely(
    files: Sequence[Numbered], plan: ReadingPlan, workers: RemoteWorkers, report: Progress
) -> list[pa.Table]:
    """Read files on workers; the tables have the columns of `ReadingPlan.schema`.

    Raises:
        InputError: a worker does not see a file, or makes no progress.
    """
    # Workers have another current folder.
    absolute = [(number, replace(file, path=file.path.absolute())) for number, file in files]
    # Small batches of what is parsed: there is more than one worker.
    work = list(batches(absolute, plan, processes=2))
    tables = workers.map_batches(
        read_batch, plan, work, lambda done, total: report("Reading files on the workers", done, total)
    )
    for table, batch in zip(tables, work, strict=True):
        for (_, file), why in zip(batch, table["why"].to_pylist(), strict=True):
            if why and why.startswith(UNREADABLE) and not _unreadable_here(raw_bytes(file)):
                raise InputError(
                    f"A worker does not see this file: {why}",
                    where=file.path,
                    hint="The sources must be on storage that all workers see under the same path.",
                )
    return tables


def _unreadable_here(content: bytes | str) -> bool:
    return isinstance(content, str) and content.startswith(UNREADABLE)
