"""Study folders: a sample of pairs that is put before judges (docs/corrections.md).

    study.json         what is asked, of what population, how the sample was drawn
    subjects.parquet   the drawn pairs, with their texts where these are known
    README.md          what a judge has to do

A folder is built under a temporary name and renamed; what judges say later is written beside it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, Manifest, Subject
from clonetruth.store.atomic import new_folder
from clonetruth.store.parquet import ParquetSink
from clonetruth.store.records import RecordFormat
from clonetruth.store.study_text import study_readme

STUDY_SCHEMA = "clonetruth-study"
STUDY_VERSION = 1

_HEADER, _SUBJECTS, _README = "study.json", "subjects.parquet", "README.md"


def _side(side: str) -> list[pa.Field]:
    return [
        pa.field(f"{side}_id", pa.string()),
        pa.field(f"{side}_path", pa.string()),
        pa.field(f"{side}_first_line", pa.int32()),
        pa.field(f"{side}_last_line", pa.int32()),
        pa.field(f"{side}_language", pa.string()),
        pa.field(f"{side}_text", pa.string()),
    ]


SUBJECTS = pa.schema(
    [
        pa.field("subject", pa.int64(), nullable=False),
        pa.field("stratum", pa.string(), nullable=False),
        pa.field("weight", pa.float64(), nullable=False),
        pa.field("extra", pa.bool_(), nullable=False),
        pa.field("pair", pa.int64()),
        pa.field("score", pa.float64()),
        *_side("left"),
        *_side("right"),
    ]
)
"""A drawn pair: its number from 0 in the order of judging, its stratum, how many pairs it stands for, whether it was
added to cover its stratum, its key in the benchmark and the detector's score where there are such, and both sides."""


@dataclass(frozen=True)
class StudyStratum:
    """A stratum: how many pairs it has, how many were drawn, and how many of these only to cover it."""

    name: str
    population: int
    drawn: int
    extra: int


@dataclass(frozen=True)
class StudyPlan:
    """What a study asks, of what, and how its sample was drawn.

    Attributes:
        title: its name for people.
        criterion: what is asked, a name in `CRITERIA`.
        question: the question, as the judge reads it.
        population: what the sample was drawn from, in words.
        population_size: how many pairs that are.
        confidence: of the interval that the size was planned for.
        margin: half the width of it; None where the size was chosen otherwise.
        allocation: how the sample was shared out among strata.
        seed: of the draw.
        strata: the strata.
        manifest: what the sample was drawn from, exactly.
    """

    title: str
    criterion: str
    question: str
    population: str
    population_size: int
    confidence: float
    margin: float | None
    allocation: str
    seed: int
    strata: tuple[StudyStratum, ...]
    manifest: Manifest


@dataclass(frozen=True, eq=False)
class Study:
    """A study folder, read and checked."""

    path: Path
    plan: StudyPlan
    subjects: pa.Table


_FORMAT = RecordFormat(StudyPlan, STUDY_SCHEMA, STUDY_VERSION, "study", "`clonetruth evaluate … --study FOLDER`")


def write_study(path: str | Path, plan: StudyPlan, subjects: pa.Table) -> Study:
    """Write a study folder; it appears whole or not at all.

    Args:
        path: the folder to make; nothing may be there.
        plan: what is asked, and how the sample was drawn.
        subjects: the drawn pairs, with the columns of `SUBJECTS`; nullable ones may be missing.

    Raises:
        InputError: something is there, or plan and subjects contradict each other.
    """
    folder = Path(path)
    with new_folder(folder) as temporary:
        with ParquetSink(temporary / _SUBJECTS, SUBJECTS, {"table": "subjects"}) as sink:
            for batch in subjects.to_batches():
                sink.write(batch)
        _check(folder, plan, _read_subjects(temporary))
        (temporary / _HEADER).write_text(_FORMAT.text(plan), encoding="utf-8")
        readme = study_readme(plan.title, plan.question, CRITERIA[plan.criterion], subjects.num_rows)
        (temporary / _README).write_text(readme, encoding="utf-8")
    return read_study(folder)


def read_study(path: str | Path) -> Study:
    """Read a study folder.

    Raises:
        InputError: it is no study, damaged, or of a later schema.
    """
    folder = Path(path)
    if not (folder / _HEADER).is_file():
        raise InputError("This is no study folder.", where=folder, hint=f"It has no {_HEADER}.")
    plan = _FORMAT.read(folder / _HEADER)
    subjects = _read_subjects(folder)
    _check(folder, plan, subjects)
    return Study(folder, plan, subjects)


def _read_subjects(folder: Path) -> pa.Table:
    file = folder / _SUBJECTS
    try:
        # Not through a dataset: a folder that is called `a=b` would become a column.
        subjects = pq.ParquetFile(file).read()
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"The subjects cannot be read ({error}).", where=file) from error
    subjects = subjects.replace_schema_metadata(None)
    if not subjects.schema.equals(SUBJECTS):
        raise InputError("The subjects have other columns than a study's.", where=file)
    return subjects


def _check(folder: Path, plan: StudyPlan, subjects: pa.Table) -> None:
    """Refuse a plan and subjects that contradict each other."""
    criterion = CRITERIA.get(plan.criterion)
    if criterion is None or criterion.subject is not Subject.PAIR:
        raise InputError(f"'{plan.criterion}' is nothing that can be asked of a pair.", where=folder)
    if not 0 < plan.confidence < 1 or not (plan.margin is None or 0 < plan.margin < 1):
        raise InputError("The confidence or the margin of the study is not between 0 and 1.", where=folder)
    if subjects["subject"].to_pylist() != list(range(subjects.num_rows)):
        raise InputError("The subjects are not numbered from 0.", where=folder)
    if sum(stratum.population for stratum in plan.strata) != plan.population_size:
        raise InputError("The strata do not add up to the population.", where=folder)
    for stratum in plan.strata:
        rows = subjects.filter(pc.equal(subjects["stratum"], stratum.name))
        extra = pc.sum(rows["extra"]).as_py() or 0
        if (rows.num_rows, extra) != (stratum.drawn, stratum.extra) or stratum.drawn > stratum.population:
            raise InputError(f"The stratum '{stratum.name}' has other subjects than planned.", where=folder)
        weight = stratum.population / stratum.drawn if stratum.drawn else 0.0
        if not all(math.isclose(given, weight) for given in rows["weight"].to_pylist()):
            raise InputError(f"The weights of the stratum '{stratum.name}' are not population / drawn.", where=folder)
    if sum(stratum.drawn for stratum in plan.strata) != subjects.num_rows:
        raise InputError("A subject is of no stratum of the plan.", where=folder)
