"""Study folders: a sample of pairs for judges (docs/studies.md).

    study.json                the question, the population, and how the sample was drawn
    subjects.parquet          the drawn pairs, with their texts if known
    methods.parquet           the methods of these pairs, if they are judged too
    functionalities.parquet   what these pairs are said to do
    checks.parquet            pairs with a known answer: training, attention
    README.md                 instructions for judges

A folder is built under a temporary name and renamed; judgements are added to it later.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, Criterion, JudgeKind, Manifest
from clonetruth.store.atomic import new_folder
from clonetruth.store.display import plural
from clonetruth.store.records import RecordFormat
from clonetruth.store.study_protocol import Protocol, check_protocol
from clonetruth.store.study_tables import CheckKind, read_study_table, write_study_table


def study_readme(title: str, protocol: Protocol, criterion: Criterion, subjects: int) -> str:
    """The text of a study's `README.md`: instructions for judges."""
    answers = ", ".join(f"`{value}`" for value in protocol.answers)
    definition = f"\n{protocol.definition.strip()}\n" if protocol.definition else ""
    return f"""# {title}

{subjects:,} pairs of code fragments await your judgement. `subjects.parquet` holds them, one per row; `study.json` says
how they were drawn.

**The question:** {protocol.question}

**The criterion** `{criterion.name}`: {criterion.meaning}
{definition}
**The answers:** {answers}.

How to judge:

1. Take the pairs in the order of `subject`, from 0. Read both texts before you answer. If a text is missing, look it up
   by path and lines.
2. Judge by the criterion alone, not by what a tool, a label or another judge says. Do not look at `stratum`, `score`,
   `label` or `weight`, and do not discuss a pair before everybody has judged it.
3. Answer every pair. If you cannot decide, answer `undecided` and say why: leaving out the hard ones biases the result.
4. Write down `subject`, your answer, and the reason in a sentence.

`clonetruth study serve` does all this in a browser, and hides what you should not see.

Every pair represents `weight` pairs of its stratum. Pairs with `extra` were added so that their stratum is covered.
"""


STUDY_SCHEMA = "clonetruth-study"
STUDY_VERSION = 2

HEADER = "study.json"
_README = "README.md"


@dataclass(frozen=True)
class StudyStratum:
    """A stratum: its number of pairs, the number drawn, and how many of those only to cover the stratum."""

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
    """What a study asks, about which population, and how its sample was drawn.

    Attributes:
        title: its title.
        criterion: what is asked, a name in `CRITERIA`.
        protocol: the instructions for judges, and who judges what.
        population: what the sample was drawn from, in words.
        population_size: number of pairs in the population.
        confidence: confidence level that the sample size was planned for.
        margin: margin of error that it was planned for; None if the size was chosen otherwise.
        allocation: how the sample was allocated to strata.
        seed: random seed of the draw.
        strata: the strata.
        manifest: the exact inputs of the sample.
        benchmark: where the pairs come from; None if unknown.
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
    """A study folder, read and validated; the tables have the schemas of `study_tables`."""

    path: Path
    plan: StudyPlan
    subjects: pa.Table
    methods: pa.Table
    functionalities: pa.Table
    checks: pa.Table

    def add_answers(
        self,
        judge: str,
        answers: Mapping[int, str],
        *,
        name: str | None = None,
        kind: JudgeKind = JudgeKind.PERSON,
        on: str = "pair",
        **settings: Any,
    ) -> int:
        """Add the answers of a judge who did not use the pages; a later answer on a subject replaces an earlier one.

        Args:
            judge: the judge's id.
            answers: the answer on each subject, by the number of its row in `subjects` (or `methods`).
            name: the judge's name (default: the id).
            kind: whether a person, an LLM or an execution answers.
            on: "pair", or "method".
            **settings: further facts about the judge, such as a role.

        Returns:
            The number of answers added.

        Raises:
            InputError: the study does not have such a subject or answer, or knows the judge by another definition.
        """
        from clonetruth.store.study_judgements import add_study_answers

        return add_study_answers(self, judge, answers, name=name or judge, kind=kind, on=on, settings=settings)

    def __repr__(self) -> str:
        drawn = f"{self.subjects.num_rows:,} of {self.plan.population_size:,} pairs"
        methods = f", {plural(self.methods.num_rows, 'method')}" if self.methods.num_rows else ""
        return f"<Study '{self.plan.title}': {drawn}{methods}, criterion {self.plan.criterion}, at {self.path}>"

    def _repr_html_(self) -> str:
        from clonetruth.html import Column, notebook

        plan = self.plan
        facts = {
            "criterion": plan.criterion,
            "pairs": f"{self.subjects.num_rows:,} of {plan.population_size:,}",
            "methods": f"{self.methods.num_rows:,}",
            "checks": f"{self.checks.num_rows:,}",
            "allocation": plan.allocation,
            "seed": plan.seed,
        }
        columns = [Column("stratum"), Column("population", "count"), Column("drawn", "count"), Column("extra", "count")]
        rows = [(one.name, one.population, one.drawn, one.extra) for one in plan.strata]
        return notebook.view(
            "Study",
            notebook.facts(facts),
            plan.protocol.question,
            notebook.table(columns, rows, "Strata"),
            f"Drawn from {plan.population}.",
            subtitle=plan.title,
        )


def _upgrade(content: Any, version: int) -> Any:
    """Version 1 had a question but no protocol: every judge judged every pair."""
    if version != 1 or "question" not in content:
        return content
    question = content.pop("question")
    return {**content, "protocol": {"name": "version 1", "question": question, "overlap": 1}}


_FORMAT = RecordFormat(
    StudyPlan, STUDY_SCHEMA, STUDY_VERSION, "study", "`clonetruth study sample … -o FOLDER`", _upgrade
)


def write_study(
    path: str | os.PathLike[str],
    plan: StudyPlan,
    subjects: pa.Table,
    *,
    methods: pa.Table | None = None,
    functionalities: pa.Table | None = None,
    checks: pa.Table | None = None,
) -> Study:
    """Write a study folder atomically.

    Args:
        path: the folder to create; it must not exist.
        plan: what is asked, and how the sample was drawn.
        subjects: the drawn pairs, with the columns of `SUBJECTS`; nullable ones may be missing.
        methods: the methods to judge, with the columns of `METHODS`.
        functionalities: what pairs and methods are said to do, with the columns of `FUNCTIONALITIES`.
        checks: pairs with a known answer, with the columns of `CHECKS`.

    Raises:
        InputError: the folder exists, or plan and tables contradict each other.
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


def read_study(path: str | os.PathLike[str]) -> Study:
    """Read a study folder.

    Raises:
        InputError: it is not a study, damaged, or of a newer schema.
    """
    folder = Path(path)
    study = _study(folder, _FORMAT.read(study_header(folder)))
    _check(folder, study)
    return study


def study_header(folder: Path) -> Path:
    """The file that identifies a study.

    Raises:
        InputError: it is not a study folder.
    """
    if not is_study(folder):
        raise InputError("Not a study folder.", where=folder, hint=f"{HEADER} is missing.")
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
        raise InputError("The study's confidence or margin is not between 0 and 1.", where=folder)
    for name, key in (("subjects", "subject"), ("methods", "method"), ("checks", "check")):
        keys = getattr(study, name)[key]
        if keys.to_pylist() != list(range(len(keys))):
            raise InputError(f"The {name} are not numbered from 0.", where=folder)
    _check_strata(folder, plan, study.subjects)
    _check_checks(folder, plan.protocol, study.checks)
    functionalities = set(study.functionalities["id"].to_pylist())
    unknown = set(study.methods["functionality"].to_pylist()) - functionalities
    if unknown:
        raise InputError(f"A method has the unknown functionality '{min(unknown)}'.", where=folder)


def _check_strata(folder: Path, plan: StudyPlan, subjects: pa.Table) -> None:
    if sum(stratum.population for stratum in plan.strata) != plan.population_size:
        raise InputError("The strata do not add up to the population.", where=folder)
    for stratum in plan.strata:
        rows = subjects.filter(pc.equal(subjects["stratum"], stratum.name))
        extra = pc.sum(rows["extra"]).as_py() or 0
        if (rows.num_rows, extra) != (stratum.drawn, stratum.extra) or stratum.drawn > stratum.population:
            raise InputError(f"The subjects of the stratum '{stratum.name}' differ from the plan.", where=folder)
        weight = stratum.population / stratum.drawn if stratum.drawn else 0.0
        if not all(math.isclose(given, weight) for given in rows["weight"].to_pylist()):
            raise InputError(f"The weights of the stratum '{stratum.name}' are not population / drawn.", where=folder)
    if sum(stratum.drawn for stratum in plan.strata) != subjects.num_rows:
        raise InputError("A subject belongs to no stratum of the plan.", where=folder)


def _check_checks(folder: Path, protocol: Protocol, checks: pa.Table) -> None:
    kinds = checks["kind"].to_pylist()
    planned = {CheckKind.TRAINING: protocol.training, CheckKind.ATTENTION: protocol.attention}
    if set(kinds) - set(planned) or any(kinds.count(kind) < count for kind, count in planned.items()):
        raise InputError("The study has fewer training or attention pairs than its protocol requires.", where=folder)
    unknown = set(checks["expected"].to_pylist()) - set(protocol.answers)
    if unknown:
        raise InputError(f"The known answer '{min(unknown)}' of a check is not one of the protocol's.", where=folder)
