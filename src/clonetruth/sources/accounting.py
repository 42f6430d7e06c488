"""What became of everything that an import was given: every file is used or listed, every value is plausible or listed.

Sources record the rows that they cannot use in the `ImportLog`. The checks here run on what every source yields, so
that no source can let through an implausible value, and on what every reader read, so that no file is dropped without
a line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.formats.reads import ReadRecord, key, looking
from clonetruth.formats.trees import is_tree, read_tree
from clonetruth.sources.source import ImportLog, Skipped


@dataclass(frozen=True)
class FileAccount:
    """What became of the named files; files in folders and in archives that were read count one by one.

    Attributes:
        named: their number.
        used: the number of those whose content was read.
        reasons: the number of those that were not used, by reason.
        unused: those that were not used, each with the reason (the first thousand).
    """

    named: int
    used: int
    reasons: Mapping[str, int]
    unused: tuple[Skipped, ...]


def account_for_files(
    paths: Sequence[Path], record: ReadRecord, log: ImportLog, reason: Callable[[Path], str]
) -> FileAccount:
    """Compare the named files with those that were read.

    Args:
        paths: files and folders, as named.
        record: what was read.
        log: gives the reasons that a source stated; if strict, an unused file that was named itself is an error.
        reason: why a file was not used, if the source did not say.

    Raises:
        InputError: a file that was named itself was not used, and the import is strict.
    """
    stated = {key(one.where): one.reason for one in log.skipped} | {
        key(path): why for path, why in log.left_out.items()
    }
    used = 0
    reasons: Counter[str] = Counter()
    unused: list[Skipped] = []
    with looking():
        for path in dict.fromkeys(paths):
            if any(other in path.parents for other in paths):
                continue
            for file, was_read in _leaves(path, record):
                if was_read:
                    used += 1
                    continue
                few = len(unused) < log.EXAMPLES
                why = stated.get(key(file)) or (reason(file) if few else "not examined: too many files were not used")
                reasons[why] += 1
                if few:
                    unused.append(Skipped(str(file), why))
    if log.strict:
        for path in paths:
            if not path.is_dir() and not record.has_read(path):
                raise InputError(
                    f"The file is not used: {stated.get(key(path)) or reason(path)}.",
                    where=path,
                    hint="Without `strict`, such files are listed.",
                )
    return FileAccount(used + reasons.total(), used, dict(reasons), tuple(unused))


def _leaves(path: Path, record: ReadRecord) -> Iterator[tuple[Path, bool]]:
    """The files at a path, and whether each was read. An archive that was not read is one file."""
    if not is_tree(path):
        yield path, record.has_read(path)
        return
    flags = record.trees.get(key(path), bytearray())
    if not path.is_dir() and not any(flags):
        yield path, key(path) in record.files
        return
    below = _read_below(path, record) if path.is_dir() else set()
    for number, member in enumerate(read_tree(path)):
        file = path / str(member.name)
        if any(flags[number : number + 1]) or key(file) in below:
            yield file, True
        elif path.is_dir():
            yield from _leaves(file, record)
        else:
            yield file, False


def _read_below(path: Path, record: ReadRecord) -> set[str]:
    """The files that were read as members of a folder within this one."""
    found = set()
    for tree, flags in record.trees.items():
        folder = Path(tree)
        if any(flags) and folder.is_dir() and Path(key(path)) in folder.parents:
            for number, member in enumerate(read_tree(folder)):
                if any(flags[number : number + 1]):
                    found.add(key(folder / str(member.name)))
    return found


# Values.


@dataclass(frozen=True)
class _Check:
    """A value that cannot be true: it is listed, and stored as unknown.

    Attributes:
        reason: what is wrong.
        columns: the columns that become null.
        bad: finds the rows.
        names: the columns that name a row in the list.
    """

    reason: str
    columns: tuple[str, ...]
    bad: Callable[[pa.RecordBatch], pa.Array]
    names: tuple[str, ...]


def _outside_0_1(column: str) -> Callable[[pa.RecordBatch], pa.Array]:
    # A comparison with NaN is false, so NaN is outside too.
    return lambda batch: pc.invert(pc.and_(pc.greater_equal(batch[column], 0.0), pc.less_equal(batch[column], 1.0)))


def _wrong_span(batch: pa.RecordBatch) -> pa.Array:
    first, last = batch["first_line"], batch["last_line"]
    reversed_ = pc.fill_null(pc.greater(first, last), False)
    return pc.or_(reversed_, pc.or_(*(pc.fill_null(pc.less(line, 1), False) for line in (first, last))))


_CHECKS: Mapping[str, tuple[_Check, ...]] = {
    "fragments": (
        _Check(
            "the first line is after the last, or below 1 (stored without lines)",
            ("first_line", "last_line"),
            _wrong_span,
            ("id",),
        ),
    ),
    "pairs": tuple(
        _Check(
            "a claimed similarity is not between 0 and 1 (stored without it)",
            (column,),
            _outside_0_1(column),
            ("left", "right"),
        )
        for column in ("claimed_similarity_line", "claimed_similarity_token")
    ),
    "judgements": (
        _Check(
            "a confidence is not between 0 and 1 (stored without it)",
            ("confidence",),
            _outside_0_1("confidence"),
            ("judge", "pair", "fragment"),
        ),
    ),
}

NO_TEXTS = "no fragment has a text: only ids can be compared"


def check_values(table: str, batches: Iterable[pa.RecordBatch], log: ImportLog) -> Iterator[pa.RecordBatch]:
    """The rows of a table, with implausible values listed in the log and replaced by null.

    Raises:
        InputError: the log is strict, and a value is implausible.
    """
    rows = texts = 0
    for batch in batches:
        for check in _CHECKS.get(table, ()):
            bad = pc.fill_null(check.bad(batch), False)
            for row in pc.indices_nonzero(bad).to_pylist():
                name = ", ".join(str(batch[column][row]) for column in check.names if batch[column][row].is_valid)
                log.skip(f"{table}: {name}", None, check.reason)
            if pc.any(bad).as_py():
                for column in check.columns:
                    index = batch.schema.get_field_index(column)
                    known = pc.if_else(bad, pa.scalar(None, batch[column].type), batch[column])
                    batch = batch.set_column(index, batch.schema.field(index), known)
        if table == "fragments":
            rows += batch.num_rows
            texts += pc.sum(pc.greater(pc.utf8_length(pc.utf8_trim_whitespace(batch["text"])), 0)).as_py() or 0
        yield batch
    if rows and not texts and not log.texts_optional:
        log.skip(table, None, NO_TEXTS)


def refuse_nothing(rows: Mapping[str, int], log: ImportLog, where: object) -> None:
    """Refuse a dataset in which nothing is left to work with.

    Raises:
        InputError: there are neither texts nor pairs nor judgements.
    """
    if log.reasons[NO_TEXTS] and not rows["pairs"] and not rows["judgements"]:
        raise InputError(
            "Nothing is left to work with: no fragment has a text, and there are no pairs.",
            where=where,
            hint="Give the files that hold the texts too; `clonetruth sources NAME` lists them.",
        )
