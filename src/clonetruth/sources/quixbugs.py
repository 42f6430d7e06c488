"""QuixBugs: programs in Python and Java, each in a correct and a buggy version, with tests."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clonetruth.code.source import decode
from clonetruth.errors import InputError
from clonetruth.execution.literal_calls import calls_of_json, write_calls
from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import inner_suffix
from clonetruth.formats.trees import read_tree
from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    FragmentKind,
    Functionality,
    FunctionalityTest,
    Judge,
    JudgeKind,
    Judgement,
    Membership,
    MemberValue,
    Pair,
    PairValue,
    Role,
)
from clonetruth.parsing import parse_json
from clonetruth.sources.columns import check_options
from clonetruth.sources.json_rows import as_text, first_object, json_rows
from clonetruth.sources.layout import Layout, LocatedFiles, recognise_files, require_files
from clonetruth.sources.source import ImportLog, SourceCard
from clonetruth.sources.tree_texts import is_text

_CRITERION = "equivalent-behaviour"
_VERSIONS = {
    "python_correct": "python",
    "python_buggy": "python",
    "java_correct": "java",
    "java_buggy": "java",
}
_PAIRS = (
    ("python_correct", "python_buggy", PairValue.NOT_CLONE),
    ("java_correct", "java_buggy", PairValue.NOT_CLONE),
    ("python_correct", "java_correct", PairValue.CLONE),
)
_FOLDERS = {
    "correct_python_programs": "python_correct",
    "python_programs": "python_buggy",
    "correct_java_programs": "java_correct",
    "java_programs": "java_buggy",
}
_MEMBER = re.compile(
    r"(?:^|/)(?:(?P<folder>(?:correct_)?(?:python|java)_programs)/(?P<program>[A-Za-z0-9_]+)\.(?:py|java)"
    r"|json_testcases/(?P<tests>[A-Za-z0-9_]+)\.json)$"
)

_RULE = Judge(
    id="rule:quixbugs",
    kind=JudgeKind.RULE,
    name="How the versions came to be",
    description="The buggy version has one wrong line; the Java version is a translation of the Python one.",
)

_TESTS = Judge(
    id="execution:quixbugs",
    kind=JudgeKind.EXECUTION,
    name="QuixBugs' tests",
    description=(
        "The tests that the authors publish with a program: right versions pass them, a buggy one fails one of them. "
        "They were not executed again here."
    ),
)


@dataclass
class _Program:
    """A program: its versions by name, and its tests as a list of inputs and expected results."""

    name: str
    place: str
    texts: dict[str, str] = field(default_factory=dict)
    tests: list[Any] | None = None


def _is_table(path: Path) -> bool:
    return inner_suffix(path) == ".jsonl" and {"program", *_VERSIONS} <= first_object(head(path, 1024 * 1024)).keys()


_LAYOUT = Layout(table=_is_table, member=_MEMBER)


class QuixBugs:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="quixbugs",
            version="2017",
            description=(
                "Classic algorithms in Python and Java, each in a correct version and a version with a bug in a single "
                "line, with tests. A correct and a buggy version have nearly the same text and different behaviour; "
                "correct Python and Java versions are cross-language clones."
            ),
            licence="MIT-style",
            citation=(
                "D. Lin, J. Koppel, A. Chen, A. Solar-Lezama. QuixBugs: A Multi-Lingual Program Repair Benchmark Set "
                "Based on the Quixey Challenge. SPLASH Companion 2017."
            ),
            criterion=_CRITERION,
            languages=("python", "java"),
            url="https://github.com/jkoppel/QuixBugs",
            problems_disjoint=True,
            known_flaws=(
                "Programs on graphs have no tests in this form: their labels rest on the dataset's claim alone.",
                "Some tests need a numeric tolerance or a long time, and some bugs affect only a few tests.",
                "The correct Python files contain alternative solutions in comments.",
            ),
        ),
        claimed_by=_RULE,
        label_means="Clone: the correct versions in both languages; not a clone: the correct and the buggy version.",
        accepts=(
            "JSON lines with program, python_correct, python_buggy, java_correct, java_buggy and testcases, also "
            "compressed, or the repository's tree (python_programs, correct_python_programs, …) as a folder or archive"
        ),
        published={"programs": 40},
        references=("The repository's read-me.",),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        return "programs in correct and buggy versions" if recognise_files(paths, _LAYOUT) else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        found = require_files(paths, _LAYOUT, self.card, log)
        programs = list(_programs(found, log))
        if not programs:
            raise InputError("No program was found in the files.", where=(*found.tables, *found.trees)[0])
        pairs = [
            (program, f"{program.name}/{left}", f"{program.name}/{right}", value)
            for program in programs
            for left, right, value in _PAIRS
            if left in program.texts and right in program.texts
        ]
        return Dataset(
            card=self.card.card,
            fragments=(
                Fragment(
                    f"{program.name}/{version}",
                    _VERSIONS[version],
                    text,
                    FragmentKind.FILE,
                    name=program.name,
                    project="QuixBugs",
                    path=version,
                )
                for program in programs
                for version, text in program.texts.items()
            ),
            functionalities=(Functionality(program.name, program.name) for program in programs),
            memberships=(
                Membership(f"{program.name}/{version}", program.name, _role(version))
                for program in programs
                for version in program.texts
            ),
            pairs=(Pair(left, right, program.name) for program, left, right, _ in pairs),
            judges=(_RULE, _TESTS),
            judgements=_judgements(programs, pairs),
            tests=(
                FunctionalityTest(program.name, calls=calls)
                for program in programs
                if (calls := write_calls(calls_of_json(program.tests or ())))
            ),
        )


SOURCE = QuixBugs()


def _role(version: str) -> Role:
    return Role.TAGGED_TRUE if version.endswith("correct") else Role.TAGGED_FALSE


def _judgements(
    programs: Sequence[_Program], pairs: Sequence[tuple[_Program, str, str, PairValue]]
) -> Iterator[Judgement]:
    evidence = {program.name: _evidence(program) for program in programs}
    for row, (program, _, _, value) in enumerate(pairs):
        yield Judgement(_RULE.id, _CRITERION, value, pair=row)
        if shown := evidence[program.name]:
            yield Judgement(_TESTS.id, _CRITERION, value, pair=row, evidence=shown)
    for program in programs:
        for version in program.texts if evidence[program.name] else ():
            yield Judgement(
                _TESTS.id,
                "implements-functionality",
                MemberValue.MAJOR if version.endswith("correct") else MemberValue.WRONG,
                fragment=f"{program.name}/{version}",
                functionality=program.name,
                evidence=evidence[program.name],
            )


def _evidence(program: _Program) -> str | None:
    if not program.tests:
        return None
    return json.dumps({"testcases": program.tests}, sort_keys=True)


def _programs(found: LocatedFiles, log: ImportLog) -> Iterator[_Program]:
    names: set[str] = set()
    for program in (*_rows(found.tables, log), *_files(found.trees, log)):
        correct, buggy = program.texts.get("python_correct"), program.texts.get("python_buggy")
        if program.name in names:
            log.skip(program.place, None, "the program's name occurs twice")
        elif not program.texts:
            log.skip(program.place, None, "the program has no text")
        elif correct is not None and buggy is not None and correct.split() == buggy.split():
            log.skip(program.place, None, "the correct and the buggy version have the same text (a helper)")
        else:
            names.add(program.name)
            log.read("programs")
            yield program


def _rows(tables: Sequence[Path], log: ImportLog) -> Iterator[_Program]:
    for path in tables:
        for row in json_rows(path, log, text=("program",)):
            texts = {version: as_text(row.values.get(version)) for version in _VERSIONS}
            tests = row.values.get("testcases")
            yield _Program(
                row.values["program"],
                f"{path}:{row.line}",
                {version: text for version, text in texts.items() if text is not None},
                tests if isinstance(tests, list) else None,
            )


def _files(trees: Sequence[Path], log: ImportLog) -> Iterator[_Program]:
    for tree in trees:
        programs: dict[str, _Program] = {}
        for member in read_tree(tree):
            match = _MEMBER.search(str(member.name))
            data = b"" if match is None else member.read()
            if match is None or not is_text(data):
                log.read("files of another kind")
                continue
            name = (match["program"] or match["tests"]).lower()
            program = programs.setdefault(name, _Program(name, str(tree / str(member.name))))
            if match["tests"]:
                program.tests = list(_tests(decode(data).text, str(tree / str(member.name)), log))
            else:
                program.texts[_FOLDERS[match["folder"]]] = decode(data).text
        # Test drivers and helpers, which have no correct version, are in the same folders.
        yield from (program for program in programs.values() if "python_correct" in program.texts)


def _tests(text: str, place: str, log: ImportLog) -> Iterator[Any]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield parse_json(line)
            except (ValueError, RecursionError):
                log.skip(place, number, "the test is not JSON")
