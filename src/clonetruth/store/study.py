"""Study folders: a sample of pairs that is put before judges (docs/studies.md).

    study.json                what is asked, of what population, how the sample was drawn
    subjects.parquet          the drawn pairs, with their texts where these are known
    methods.parquet           the methods of these pairs, where they are judged too
    functionalities.parquet   what these pairs are said to do
    checks.parquet            pairs with a known answer: training, attention
    README.md                 what a judge has to do

A folder is built under a temporary name and renamed; what judges say later is written beside it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, Criterion, Manifest
from clonetruth.store.atomic import new_folder
from clonetruth.store.records import RecordFormat
from clonetruth.store.study_protocol import Protocol, check_protocol
from clonetruth.store.study_tables import CheckKind, read_study_table, write_study_table

# What the README of a study folder tells a judge.


def study_readme(title: str, protocol: Protocol, criterion: Criterion, subjects: int) -> str:
    """The text of a study's `README.md`."""
    answers = ", ".join(f"`{value}`" for value in protocol.answers)
    definition = f"\n{protocol.definition.strip()}\n" if protocol.definition else ""
    return f"""# {title}

{subjects:,} pairs of code fragments wait for your judgement. `subjects.parquet` holds them, one in a row; `study.json`
says how they were drawn.

**The question:** {protocol.question}

**The criterion** `{criterion.name}`: {criterion.meaning}
{definition}
**The answers:** {answers}.

How to judge:

1. Take the pairs in the order of `subject`, from 0. Read both texts before you answer. Where a text is missing, look it
   up by path and lines.
2. Judge by the criterion alone, and not by what a tool, a label or another judge says. Do not look at `stratum`,
   `score`, `label` or `weight`, and do not talk about a pair before everybody has judged it.
3. Answer every pair. If you cannot tell, answer `undecided` and say why: leaving out the hard ones biases the result.
4. Write down `subject`, your answer, and the reason in a sentence.

`clonetruth study serve` does all this in a browser, and hides what you should not look at.

Every pair stands for `weight` pairs of its stratum. Pairs with `extra` were added so that their stratum is covered.
"""


STUDY_SCHEMA = "clonetruth-study"
STUDY_VERSION = 2

HEADER = "study.json"
_README = "README.md"


@dataclass(frozen=True)
class StudyStratum:
    """A stratum: how many pairs it has, how many were drawn, and how many of these only to cover it."""

    name: str
    population: int
    drawn: int
    extra: int


@dataclass(frozen=True)
class StudiedBenchmark:
    """The benchmark that a sample was drawn from."""

    name: str
    version: str
    content_hash: str


@dataclass(frozen=True)
class StudyPlan:
    """What a study asks, of what, and how its sample was drawn.

    Attributes:
        title: its name for people.
        criterion: what is asked, a name in `CRITERIA`.
        protocol: what the judges are told, and who judges what.
        population: what the sample was drawn from, in words.
        population_size: how many pairs that are.
        confidence: of the interval that the size was planned for.
        margin: half the width of it; None where the size was chosen otherwise.
        allocation: how the sample was shared out among strata.
        seed: of the draw.
        strata: the strata.
        manifest: what the sample was drawn from, exactly.
        benchmark: where the pairs are from; None where that is not known.
    """

    title: str
    criterion: str
    protocol: Protocol
    population: str
    population_size: int
    confidence: float
    margin: float | None
    allocation: str
    seed: int
    strata: tuple[StudyStratum, ...]
    manifest: Manifest
    benchmark: StudiedBenchmark | None = None


@dataclass(frozen=True, eq=False)
class Study:
    """A study folder, read and checked; the tables have the schemas of `study_tables`."""

    path: Path
    plan: StudyPlan
    subjects: pa.Table
    methods: pa.Table
    functionalities: pa.Table
    checks: pa.Table


def _upgrade(content: Any, version: int) -> Any:
    """Version 1 had a question and no protocol: every judge was given every pair."""
    if version != 1 or "question" not in content:
        return content
    question = content.pop("question")
    return {**content, "protocol": {"name": "version 1", "question": question, "overlap": 1}}


_FORMAT = RecordFormat(
    StudyPlan, STUDY_SCHEMA, STUDY_VERSION, "study", "`clonetruth study sample … -o FOLDER`", _upgrade
)


def write_study(
    path: str | Path,
    plan: StudyPlan,
    subjects: pa.Table,
    *,
    methods: pa.Table | None = None,
    functionalities: pa.Table | None = None,
    checks: pa.Table | None = None,
) -> Study:
    """Write a study folder; it appears whole or not at all.

    Args:
        path: the folder to make; nothing may be there.
        plan: what is asked, and how the sample was drawn.
        subjects: the drawn pairs, with the columns of `SUBJECTS`; nullable ones may be missing.
        methods: the methods that are judged too, with the columns of `METHODS`.
        functionalities: what pairs and methods are said to do, with the columns of `FUNCTIONALITIES`.
        checks: pairs with a known answer, with the columns of `CHECKS`.

    Raises:
        InputError: something is there, or plan and tables contradict each other.
    """
    folder = Path(path)
    given = {"subjects": subjects, "methods": methods, "functionalities": functionalities, "checks": checks}
    with new_folder(folder) as temporary:
        for name, content in given.items():
            if content is not None:
                write_study_table(temporary, name, content)
        _check(folder, _study(temporary, plan))
        (temporary / HEADER).write_text(_FORMAT.text(plan), encoding="utf-8")
        readme = study_readme(plan.title, plan.protocol, CRITERIA[plan.criterion], subjects.num_rows)
        (temporary / _README).write_text(readme, encoding="utf-8")
    return read_study(folder)


def read_study(path: str | Path) -> Study:
    """Read a study folder.

    Raises:
        InputError: it is no study, damaged, or of a later schema.
    """
    folder = Path(path)
    study = _study(folder, _FORMAT.read(study_header(folder)))
    _check(folder, study)
    return study


def study_header(folder: Path) -> Path:
    """The file of a study folder that identifies the study.

    Raises:
        InputError: it is no study folder.
    """
    if not is_study(folder):
        raise InputError("This is no study folder.", where=folder, hint=f"It has no {HEADER}.")
    return folder / HEADER


def is_study(path: Path) -> bool:
    """Whether a folder holds a study."""
    return (path / HEADER).is_file()


def _study(folder: Path, plan: StudyPlan) -> Study:
    subjects, methods, functionalities, checks = (
        read_study_table(folder, name) for name in ("subjects", "methods", "functionalities", "checks")
    )
    return Study(folder, plan, subjects, methods, functionalities, checks)


def _check(folder: Path, study: Study) -> None:
    """Refuse a plan and tables that contradict each other."""
    plan = study.plan
    check_protocol(plan.protocol, plan.criterion, folder)
    if not 0 < plan.confidence < 1 or not (plan.margin is None or 0 < plan.margin < 1):
        raise InputError("The confidence or the margin of the study is not between 0 and 1.", where=folder)
    for name, key in (("subjects", "subject"), ("methods", "method"), ("checks", "check")):
        keys = getattr(study, name)[key]
        if keys.to_pylist() != list(range(len(keys))):
            raise InputError(f"The {name} are not numbered from 0.", where=folder)
    _check_strata(folder, plan, study.subjects)
    _check_checks(folder, plan.protocol, study.checks)
    functionalities = set(study.functionalities["id"].to_pylist())
    unknown = set(study.methods["functionality"].to_pylist()) - functionalities
    if unknown:
        raise InputError(f"The functionality '{min(unknown)}' of a method is not described.", where=folder)


def _check_strata(folder: Path, plan: StudyPlan, subjects: pa.Table) -> None:
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


def _check_checks(folder: Path, protocol: Protocol, checks: pa.Table) -> None:
    kinds = checks["kind"].to_pylist()
    planned = {CheckKind.TRAINING: protocol.training, CheckKind.ATTENTION: protocol.attention}
    if set(kinds) - set(planned) or any(kinds.count(kind) < count for kind, count in planned.items()):
        raise InputError("The study has fewer training or attention pairs than its protocol wants.", where=folder)
    strange = set(checks["expected"].to_pylist()) - set(protocol.answers)
    if strange:
        raise InputError(f"A pair with the known answer '{min(strange)}' cannot be answered so.", where=folder)
