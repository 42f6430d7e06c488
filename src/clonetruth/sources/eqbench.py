"""EqBench: pairs of equivalent and non-equivalent programs, the latter with a counter-example."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clonetruth.code.source import decode
from clonetruth.errors import InputError
from clonetruth.formats.trees import read_tree
from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    FragmentKind,
    Functionality,
    Judge,
    JudgeKind,
    Judgement,
    Pair,
    PairValue,
)
from clonetruth.parsing import parse_json
from clonetruth.sources.columns import check_options
from clonetruth.sources.layout import Layout, recognise_files, require_files
from clonetruth.sources.source import ImportLog, SourceCard
from clonetruth.sources.tree_texts import is_text

_CRITERION = "equivalent-behaviour"
_MEMBER = re.compile(
    r"(?:^|/)(?P<set>[^/]+)/(?P<program>[^/]+)/(?P<kind>Eq|Neq)/"
    r"(?:(?P<age>old|new)V?(?P<ending>\.(?:java|c))|(?P<described>[JC])-Desc\.json)$"
)
_LAYOUT = Layout(member=_MEMBER)
_LANGUAGES = {".java": "java", ".c": "c"}
_DESCRIBED = {"J": ".java", "C": ".c"}

_RULE = Judge(
    id="rule:eqbench",
    kind=JudgeKind.RULE,
    name="How the change was made",
    description=(
        "Programs of the folder Eq were changed so as to keep their behaviour, those of Neq so as to change it; "
        "taken from earlier benchmarks or made by the authors."
    ),
)

_EXECUTION = Judge(
    id="execution:eqbench",
    kind=JudgeKind.EXECUTION,
    name="Counter-example",
    description="An input recorded by the authors on which the two programs differ. It was not executed again here.",
)


@dataclass
class _Case:
    """A folder Eq or Neq: its programs and descriptions by file ending."""

    name: str
    program: str
    equivalent: bool
    texts: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    descriptions: dict[str, dict[str, Any]] = field(default_factory=dict)


class EqBench:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="eqbench",
            version="2021",
            description=(
                "Pairs of an old and a new version of a program, equivalent or not, in Java and in C. Non-equivalent "
                "pairs come with an input on which they differ."
            ),
            licence="MIT-style",
            citation=(
                "S. Badihi, Y. Li, J. Rubin. EqBench: A Dataset of Equivalent and Non-equivalent Program Pairs. MSR "
                "2021."
            ),
            criterion=_CRITERION,
            languages=("java", "c"),
            url="https://github.com/shrBadihi/EqBench",
            known_flaws=(
                "Equivalence was inferred from how a change was made or from earlier tools, not proven for each pair.",
                "Some folders have no description, and one non-equivalent program has no counter-example.",
                "The texts of two versions are nearly identical, equivalent or not.",
                "Some sets name the C files old.c and new.c.",
            ),
        ),
        claimed_by=_RULE,
        label_means="Eq: both versions give the same results on all inputs; Neq: they differ on some input.",
        accepts=(
            "the tree <set>/<program>/{Eq,Neq}/{oldV,newV}.{java,c} with J-Desc.json and C-Desc.json as a folder or "
            "an archive"
        ),
        published={"equivalent Java pairs": 147, "non-equivalent Java pairs": 125, "sets": 18},
        references=("The repository's read-me counts 135 and 113 for an earlier version.",),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        return "programs with folders Eq and Neq" if recognise_files(paths, _LAYOUT) else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        found = require_files(paths, _LAYOUT, self.card, log)
        cases = list(_cases(found.trees, log).values())
        rows = list(_rows(cases, log))
        if not rows:
            raise InputError("No pair of an old and a new version was found.", where=found.trees[0])
        texts = {fragment.id: fragment for _, _, *both in rows for fragment in both}
        log.read("pairs", len(rows))
        return Dataset(
            card=self.card.card,
            fragments=texts.values(),
            functionalities=(Functionality(name, name) for name in dict.fromkeys(case.program for case, *_ in rows)),
            pairs=(Pair(old.id, new.id, case.program) for case, _, old, new in rows),
            judges=(_RULE, _EXECUTION),
            judgements=_judgements(rows),
        )


SOURCE = EqBench()

_Row = tuple[_Case, str, Fragment, Fragment]
"""A pair: its folder, its file ending, the old and the new version."""


def _cases(trees: Sequence[Path], log: ImportLog) -> dict[str, _Case]:
    cases: dict[str, _Case] = {}
    for tree in trees:
        for member in read_tree(tree):
            match = _MEMBER.search(str(member.name))
            if match is None:
                log.read("files of another kind")
                continue
            program = f"{match['set']}/{match['program']}"
            name = f"{program}/{match['kind']}"
            case = cases.setdefault(name, _Case(name, program, match["kind"] == "Eq"))
            data, place = member.read(), tree / str(member.name)
            if match["described"]:
                described = _description(data)
                if described is None:
                    log.skip(place, None, "the description is not a JSON object")
                else:
                    case.descriptions[_DESCRIBED[match["described"]]] = described
            elif not is_text(data):
                log.skip(place, None, "the file is binary, not source text")
            else:
                case.texts[match["ending"], match["age"]] = (match[0].lstrip("/"), decode(data).text)
    return cases


def _description(data: bytes) -> dict[str, Any] | None:
    try:
        value = parse_json(decode(data).text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _rows(cases: Sequence[_Case], log: ImportLog) -> Iterator[_Row]:
    for case in cases:
        for ending, language in _LANGUAGES.items():
            versions = [case.texts.get((ending, age)) for age in ("old", "new")]
            present = [version for version in versions if version is not None]
            if len(present) == 1:
                log.skip(present[0][0], None, "the other version of the program is missing")
            elif present:
                described = case.descriptions.get(ending, {})
                if not described:
                    log.read("pairs without a description")
                name = described.get("method name") or described.get("function name")
                old, new = (
                    Fragment(
                        path,
                        language,
                        text,
                        FragmentKind.FILE,
                        name=name if isinstance(name, str) else None,
                        project=case.program,
                        path=path,
                    )
                    for path, text in present
                )
                yield case, ending, old, new


def _judgements(rows: Sequence[_Row]) -> Iterator[Judgement]:
    for row, (case, ending, _, _) in enumerate(rows):
        value = PairValue.CLONE if case.equivalent else PairValue.NOT_CLONE
        described = case.descriptions.get(ending, {})
        changes = described.get("changes")
        reason = json.dumps({"changes": changes}, sort_keys=True) if changes else None
        yield Judgement(_RULE.id, _CRITERION, value, pair=row, reason=reason)
        example = described.get("counter-example")
        if example and not case.equivalent:
            evidence = json.dumps({"counter-example": example}, sort_keys=True)
            yield Judgement(
                _EXECUTION.id, _CRITERION, value, pair=row, reason="A counter-example is recorded.", evidence=evidence
            )
