"""The clone oracle of Krutz and Le: pairs of C functions, classified by people with their tool CloneInspector."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clonetruth.code import extract, language
from clonetruth.errors import InputError
from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import inner_suffix, read_lines
from clonetruth.formats.tables import read_rows
from clonetruth.model import Card, Dataset, Fragment, Judge, JudgeKind, Judgement, Pair, PairValue
from clonetruth.sources.columns import check_options
from clonetruth.sources.json_rows import as_text
from clonetruth.sources.layout import Layout, plain_name, recognise_files, require_files
from clonetruth.sources.source import ImportLog, SourceCard
from clonetruth.sources.tree_texts import tree_texts

_CRITERION = "functionally-similar"
_REPORT = re.compile(r"^(?P<project>.+)_comparisi?onreport\.csv$")
_HALVES = re.compile(r"^(?P<left>.+?)\.txt-(?P<right>.+?)(?:\.txt)?$")
_MEMBER = re.compile(r"(?:^|/)(?P<path>[^/]+(?:/[^/]+)*)\.[cC]$")
_COLUMNS = ("left_file", "left_function", "right_file", "right_function", "type")
_TYPE = re.compile(r"^(?:type)?[ -]*(?P<number>[1-4])$")
_VALUES: Mapping[str, PairValue | None] = {
    "no clone": PairValue.NOT_CLONE,
    "0": PairValue.NOT_CLONE,
    "unsure": PairValue.UNDECIDED,
    "not classified": None,
    "": None,
}

_JUDGE = Judge(
    id="person:clone-oracle",
    kind=JudgeKind.PERSON,
    name="The judges of the clone oracle",
    description="Experts and students who looked at both functions; a published clone is one that they agreed on.",
)


@dataclass(frozen=True)
class _Row:
    """A pair of functions and its classification, as the judges worded it."""

    left: str
    right: str
    classification: str
    distance: str | None
    line: int


@dataclass
class _Texts:
    """The texts of functions by file and function name, both in lower case as in the reports."""

    texts: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)

    def add(self, path: str, function: str, text: str) -> None:
        dotted = path.lower().replace("/", ".")
        self.texts.setdefault((dotted.rpartition(".")[2], function.lower()), []).append((dotted, text))

    def find(self, name: str) -> str | None:
        """The text of ``folder.file..function``, from the file whose path has the same end."""
        path, _, function = name.lower().rpartition("..")
        found = self.texts.get((path.rpartition(".")[2], function), [])
        return next((text for dotted, text in found if f".{dotted}".endswith(f".{path}")), None)


def _is_table(path: Path) -> bool:
    if inner_suffix(path) != ".csv":
        return False
    if _REPORT.match(plain_name(path)):
        return True
    names = head(path).partition(b"\n")[0].decode("utf-8", errors="replace").split(",")
    return set(_COLUMNS) <= {name.strip() for name in names}


_TABLES = Layout(table=_is_table)
_LAYOUT = Layout(table=_is_table, member=_MEMBER)


class CloneOracle:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="clone-oracle",
            version="2014",
            description=(
                "Pairs of C functions from Apache, Python and PostgreSQL, drawn at random and classified by people: "
                "not a clone, or a clone of Type 1 to 4. 66 pairs are clones."
            ),
            licence="none stated; the functions are under their projects' licences",
            citation="D. E. Krutz, W. Le. A Code Clone Oracle. MSR 2014.",
            criterion=_CRITERION,
            languages=("c",),
            url="https://github.com/cloneoracle/CloneInspector",
            known_flaws=(
                "Small: 66 clones (43 of Type 2, 14 of Type 3, 9 of Type 4), too few to train on.",
                "The reports hold one classification per pair, not the votes of single judges.",
                "The reports print function names in lower case, so that names that differ only in case are confused.",
            ),
        ),
        claimed_by=_JUDGE,
        label_means="Type 1 to 4: the judges consider the pair a clone of that type; 'No Clone': they do not.",
        accepts=(
            "reports of CloneInspector (<project>_comparisonReport.csv), or a CSV with the columns left_file, "
            "left_function, right_file, right_function, type and optionally left_text, right_text, project; for the "
            "texts, the C files as a folder or archive"
        ),
        published={"pairs judged": 1536, "clones": 66, "Type 2": 43, "Type 3": 14, "Type 4": 9},
        references=(
            "J. Krinke, C. Ragkhitwetsagul. How the Misuse of a Dataset Harmed Semantic Clone Detection. 2025.",
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        return "classified pairs of C functions" if recognise_files(paths, _TABLES) else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`. Functions without a text are kept with an empty one, because their labels are useful."""
        check_options(options, ())
        found = require_files(paths, _LAYOUT, self.card, log)
        if not found.tables:
            raise InputError(
                "No report of pairs was found.", where=found.trees[0], hint=f"Accepted: {self.card.accepts}."
            )
        texts = _texts(found.trees, log)
        fragments: dict[str, Fragment] = {}
        rows: list[_Row] = []
        for path in found.tables:
            report = _REPORT.match(plain_name(path))
            rows += _report(path, report["project"], texts, fragments, log) if report else _table(path, fragments, log)
        if not rows:
            raise InputError("The tables hold no pair of functions.", where=found.tables[0])
        log.read("pairs", len(rows))
        log.read("fragments without text", sum(not fragment.text for fragment in fragments.values()))
        return Dataset(
            card=self.card.card,
            fragments=fragments.values(),
            pairs=(Pair(row.left, row.right, claimed_type=_clone_type(row.classification)) for row in rows),
            judges=(_JUDGE,),
            judgements=_judgements(rows),
        )


SOURCE = CloneOracle()


def _texts(trees: Sequence[Path], log: ImportLog) -> _Texts:
    texts = _Texts()
    c = language("c")
    for tree in trees:
        for one in tree_texts(tree, _MEMBER, log):
            for function in extract(one.text, c).functions:
                texts.add(one.match["path"], function.name, function.text)
    return texts


def _report(path: Path, project: str, texts: _Texts, fragments: dict[str, Fragment], log: ImportLog) -> Iterator[_Row]:
    """The rows of a report: ``file..function.txt-file..function.txt,distance``, if judged ``,row,classification``."""
    for number, line in read_lines(path):
        cells = [cell.strip() for cell in line.decode("utf-8", errors="replace").split(",", 3)]
        if cells == [""]:
            continue
        halves = _HALVES.match(cells[0])
        if halves is None or ".." not in halves["left"] or ".." not in halves["right"]:
            log.skip(path, number, "the row is not a pair of functions")
            continue
        classification = cells[3] if len(cells) > 3 else ""
        if not _known(classification):
            log.skip(path, number, "the classification is unknown")
            continue
        ids = []
        for name in (halves["left"], halves["right"]):
            fragment = f"{project}/{name}"
            ids.append(fragment)
            if fragment not in fragments:
                file, _, function = name.rpartition("..")
                fragments[fragment] = Fragment(
                    fragment, "c", texts.find(name) or "", name=function, project=project, path=file
                )
        distance = cells[1] if len(cells) > 1 and cells[1] else None
        yield _Row(ids[0], ids[1], classification, distance, number)


def _table(path: Path, fragments: dict[str, Fragment], log: ImportLog) -> Iterator[_Row]:
    for row in read_rows(path):
        cells = {name: as_text(value) for name, value in row.values.items()}
        if any(not cells.get(name) for name in _COLUMNS[:4]):
            log.skip(path, row.line, "the row is not a pair of functions")
            continue
        classification = (cells.get("type") or "").strip()
        if not _known(classification):
            log.skip(path, row.line, "the classification is unknown")
            continue
        ids = []
        for side in ("left", "right"):
            project, file, function = cells.get("project"), cells[f"{side}_file"], cells[f"{side}_function"]
            fragment = "/".join(word for word in (project, file, function) if word)
            ids.append(fragment)
            text = cells.get(f"{side}_text") or ""
            fragments.setdefault(fragment, Fragment(fragment, "c", text, name=function, project=project, path=file))
        yield _Row(ids[0], ids[1], classification, None, row.line)


def _clone_type(classification: str) -> str | None:
    match = _TYPE.match(classification.lower())
    return f"T{match['number']}" if match else None


def _value(classification: str) -> PairValue | None:
    """The verdict of a classification; None if nobody classified the pair."""
    return PairValue.CLONE if _clone_type(classification) else _VALUES[classification.lower()]


def _known(classification: str) -> bool:
    return _clone_type(classification) is not None or classification.lower() in _VALUES


def _judgements(rows: Sequence[_Row]) -> Iterator[Judgement]:
    """The judgements. A pair that nobody classified has none: it is unknown, not a non-clone."""
    for number, row in enumerate(rows):
        value = _value(row.classification)
        if value is not None:
            evidence = json.dumps({"Levenshtein distance": row.distance}) if row.distance else None
            yield Judgement(
                _JUDGE.id,
                _CRITERION,
                value,
                pair=number,
                reason=row.classification,
                evidence=evidence,
                source_row=row.line,
            )
