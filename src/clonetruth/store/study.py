"""Study folders: a sample of pairs for judges (docs/studies.md).

    study.json                the question, the population, and how the sample was drawn
    subjects.parquet          the drawn pairs, with their texts if known
    methods.parquet           the methods of these pairs, if they are judged too
    functionalities.parquet   what these pairs are said to do
    checks.parquet            pairs with a known answer: training, attention
    consent.md                what judges must agree to, if anything
    README.md                 instructions for judges

A folder is built under a temporary name and renamed; judgements are added to it later.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, JudgeKind, Manifest, PairValue, Subject
from clonetruth.safe_text import markdown_code, markdown_line, visible_lines
from clonetruth.store.atomic import new_file, new_folder
from clonetruth.store.display import plural
from clonetruth.store.hashing import hash_file, hash_json
from clonetruth.store.records import RecordFormat, write_text
from clonetruth.store.study_protocol import Protocol, check_protocol
from clonetruth.store.study_tables import STUDY_TABLES, CheckKind, read_study_table, study_table_file, write_study_table


def study_readme(plan: StudyPlan, drawn: pa.Table) -> str:
    """The text of a study's `README.md`: instructions for judges."""
    protocol, criterion = plan.protocol, CRITERIA[plan.criterion]
    what, table, key = ("pairs of code fragments", "subjects", "subject")
    if plan.is_of_functions:
        what, table, key = "functions", "methods", "method"
    file = study_table_file(Path(), table, len(plan.extensions))
    doubt = "If you are in doubt, say why."
    if PairValue.UNDECIDED in protocol.answers:
        doubt = "If you cannot decide, answer `undecided` and say why."
    answers = ", ".join(markdown_code(value) for value in protocol.answers)
    definition = f"\n{visible_lines(protocol.instructions)}\n" if protocol.instructions else ""
    return f"""# {markdown_line(plan.title)}

{drawn.num_rows:,} {what} await your judgement. `{file.name}` holds them, one per row; `study.json` says
how they were drawn.

**The question:** {markdown_line(protocol.question)}

**The criterion** {markdown_code(criterion.name)}: {criterion.meaning}
{definition}
**The answers:** {answers}.

How to judge:

1. Take them in the order of `{key}`, from 0. Read the whole text before you answer. If a text is missing, look it up
   by path and lines.
2. Judge by the criterion alone, not by what a tool, a label or another judge says. Do not look at `stratum`, `score`,
   `label` or `weight`, and discuss nothing before everybody has judged it.
3. Answer all of them: leaving out the hard ones biases the result. {doubt}
4. Write down `{key}`, your answer, and the reason in a sentence.

`clonetruth study serve` does all this in a browser, and hides what you should not see.

Each represents `weight` others of its stratum. Those with `extra` were added so that their stratum is covered.
"""


STUDY_SCHEMA = "clonetruth-study"
STUDY_VERSION = 2

HEADER = "study.json"
CONSENT_FILE = "consent.md"
"""What judges must agree to before they vote; it may be edited, and is then asked about again."""

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
class StudyExtension:
    """An extension of a sample: the number of pairs asked for, and the numbers of pairs and methods before it."""

    more: int
    subjects: int
    methods: int


@dataclass(frozen=True)
class PilotStudy:
    """What a main study records of its pilot.

    Attributes:
        title: its title.
        identity: what identifies it (`study_identity`).
        pairs: number of its pairs.
        excluded: whether they are left out of the main study's population.
        judged: number of pairs that at least two judges of the pilot judged.
        agreement: the share of equal answers; None if no two judges judged a pair.
        krippendorff_alpha: their agreement beyond chance; None if it is not defined.
        changed: the entries of the protocol that are others in the main study.
    """

    title: str
    identity: str
    pairs: int
    excluded: bool
    judged: int
    agreement: float | None
    krippendorff_alpha: float | None
    changed: tuple[str, ...]


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
        max_per_judge: the number of subjects that each invited judge may judge; None for any number.
        pilot: the pilot of the study; None if there was none.
        extensions: how often, and by how much, the sample was extended.
        specifications: the hash of the names and specifications that judges read; None in earlier versions.
        identity: for a study that was changed after it was drawn, what identified it before (`study_identity`).
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
    max_per_judge: int | None = None
    pilot: PilotStudy | None = None
    extensions: tuple[StudyExtension, ...] = ()
    identity: str | None = None
    specifications: str | None = None

    @property
    def is_of_functions(self) -> bool:
        """Whether the subjects are single functions, not pairs: the criterion is one for fragments."""
        asked = CRITERIA.get(self.criterion)
        return asked is not None and asked.subject is Subject.FRAGMENT

    @property
    def method_question(self) -> tuple[str, tuple[str, ...]]:
        """The question on a method, and its answers."""
        if self.is_of_functions:
            return self.protocol.question, self.protocol.answers
        return self.protocol.method_question, self.protocol.method_answers


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

    @property
    def drawn(self) -> pa.Table:
        """The table that was drawn: the pairs, or the methods in a study of single functions."""
        return self.methods if self.plan.is_of_functions else self.subjects

    @cached_property
    def methods_of_pairs(self) -> Mapping[int, tuple[int, int]]:
        """The numbers of the left and the right method of each pair whose methods are judged, by the pair's number."""
        columns = self.methods.select(["fragment_id", "functionality"]).to_pydict().values()
        numbers = {key: number for number, key in enumerate(zip(*columns, strict=True))}
        rows = self.subjects.select(["left_id", "right_id", "functionality"]).to_pydict().values()
        return {
            pair: (numbers[left, functionality], numbers[right, functionality])
            for pair, (left, right, functionality) in enumerate(zip(*rows, strict=True))
            if (left, functionality) in numbers and (right, functionality) in numbers
        }

    def __repr__(self) -> str:
        functions = self.plan.is_of_functions
        drawn = f"{self.drawn.num_rows:,} of {self.plan.population_size:,} {'functions' if functions else 'pairs'}"
        methods = f", {plural(self.methods.num_rows, 'method')}" if self.methods.num_rows and not functions else ""
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
    consent: str | None = None,
) -> Study:
    """Write a study folder atomically.

    Args:
        path: the folder to create; it must not exist.
        plan: what is asked, and how the sample was drawn.
        subjects: the drawn pairs, with the columns of `SUBJECTS`; nullable ones may be missing.
        methods: the methods to judge, with the columns of `METHODS`.
        functionalities: what pairs and methods are said to do, with the columns of `FUNCTIONALITIES`.
        checks: pairs with a known answer, with the columns of `CHECKS`.
        consent: the text that judges must agree to before they vote, in Markdown.

    Raises:
        InputError: the folder exists, or plan and tables contradict each other.
    """
    folder = Path(path)
    if functionalities is not None:
        plan = replace(plan, specifications=hash_specifications(functionalities))
    given = {"subjects": subjects, "methods": methods, "functionalities": functionalities, "checks": checks}
    with new_folder(folder) as temporary:
        for name, content in given.items():
            if content is not None:
                write_study_table(study_table_file(temporary, name), name, content)
        _check(folder, _study(temporary, plan))
        (temporary / HEADER).write_text(_FORMAT.text(plan), encoding="utf-8")
        if consent:
            (temporary / CONSENT_FILE).write_text(f"{consent.strip()}\n", encoding="utf-8")
        readme = study_readme(plan, methods if plan.is_of_functions and methods is not None else subjects)
        (temporary / _README).write_text(readme, encoding="utf-8")
    return read_study(folder)


def replace_functionalities(study: Study, functionalities: pa.Table) -> Study:
    """Replace what judges read of functionalities, and record its hash. The study stays the same to its vote store.

    Raises:
        InputError: a method would have no functionality.
    """
    plan = replace(study.plan, identity=study_identity(study.path), specifications=hash_specifications(functionalities))
    _check(study.path, replace(study, plan=plan, functionalities=functionalities))
    with new_file(study_table_file(study.path, "functionalities", len(plan.extensions))) as unfinished:
        write_study_table(unfinished, "functionalities", functionalities)
    write_text(_FORMAT.text(plan), study.path / HEADER)
    return read_study(study.path)


def hash_specifications(functionalities: pa.Table) -> str:
    """The hash of the names and specifications that judges read."""
    return hash_json(functionalities.select(["id", "name", "specification"]).sort_by("id").to_pylist())


def replace_study(
    study: Study, plan: StudyPlan, *, subjects: pa.Table, methods: pa.Table, functionalities: pa.Table
) -> Study:
    """Extend a study folder. The tables are written beside the old ones; the rename of `study.json` makes them count.

    Args:
        study: the study as it is.
        plan: its plan with one more extension.
        subjects: all pairs, old and new.
        methods: all methods.
        functionalities: all functionalities.

    Raises:
        InputError: plan and tables contradict each other.
    """
    folder, number = study.path, len(plan.extensions)
    plan = replace(plan, specifications=hash_specifications(functionalities))
    tables = {"subjects": subjects, "methods": methods, "functionalities": functionalities, "checks": study.checks}
    for name, content in tables.items():
        with new_file(study_table_file(folder, name, number)) as unfinished:
            write_study_table(unfinished, name, content)
    _check(folder, _study(folder, plan))
    texts = {HEADER: _FORMAT.text(plan), _README: study_readme(plan, subjects)}
    for name, text in texts.items():
        with new_file(folder / name) as unfinished:
            unfinished.write_text(text, encoding="utf-8")
    for name in tables:
        for earlier in range(number):
            study_table_file(folder, name, earlier).unlink(missing_ok=True)
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


def study_identity(folder: Path) -> str:
    """What identifies a study to its vote store and in benchmarks: the hash of `study.json` as it was first written.

    Raises:
        InputError: it is not a study folder, or damaged.
    """
    return read_plan(folder).identity or hash_file(folder / HEADER)


def read_plan(folder: Path) -> StudyPlan:
    """The plan of a study, without its tables.

    Raises:
        InputError: it is not a study folder, or damaged.
    """
    return _FORMAT.read(study_header(folder))


def is_study(path: Path) -> bool:
    """Whether a folder holds a study."""
    return (path / HEADER).is_file()


def _study(folder: Path, plan: StudyPlan) -> Study:
    subjects, methods, functionalities, checks = (
        read_study_table(folder, name, len(plan.extensions)) for name in STUDY_TABLES
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
    if plan.is_of_functions and study.subjects.num_rows:
        raise InputError(f"The criterion '{plan.criterion}' is for functions, but the study has pairs.", where=folder)
    _check_strata(folder, plan, study.drawn)
    _check_checks(folder, plan.protocol, study.checks)
    functionalities = set(study.functionalities["id"].to_pylist())
    unknown = set(study.methods["functionality"].to_pylist()) - functionalities
    if unknown:
        raise InputError(f"A method has the unknown functionality '{min(unknown)}'.", where=folder)


def _check_strata(folder: Path, plan: StudyPlan, drawn: pa.Table) -> None:
    if sum(stratum.population for stratum in plan.strata) != plan.population_size:
        raise InputError("The strata do not add up to the population.", where=folder)
    for stratum in plan.strata:
        rows = drawn.filter(pc.equal(drawn["stratum"], stratum.name))
        extra = pc.sum(rows["extra"]).as_py() or 0
        if (rows.num_rows, extra) != (stratum.drawn, stratum.extra) or stratum.drawn > stratum.population:
            raise InputError(f"The subjects of the stratum '{stratum.name}' differ from the plan.", where=folder)
        weight = stratum.population / stratum.drawn if stratum.drawn else 0.0
        if not all(math.isclose(given, weight) for given in rows["weight"].to_pylist()):
            raise InputError(f"The weights of the stratum '{stratum.name}' are not population / drawn.", where=folder)
    if sum(stratum.drawn for stratum in plan.strata) != drawn.num_rows:
        raise InputError("A subject belongs to no stratum of the plan.", where=folder)


def _check_checks(folder: Path, protocol: Protocol, checks: pa.Table) -> None:
    kinds = checks["kind"].to_pylist()
    training = protocol.training + len(protocol.training_items)
    planned = {CheckKind.TRAINING: training, CheckKind.ATTENTION: protocol.attention}
    if set(kinds) - set(planned) or any(kinds.count(kind) < count for kind, count in planned.items()):
        raise InputError("The study has fewer training or attention pairs than its protocol requires.", where=folder)
    unknown = set(checks["expected"].to_pylist()) - set(protocol.answers)
    if unknown:
        raise InputError(f"The known answer '{min(unknown)}' of a check is not one of the protocol's.", where=folder)
