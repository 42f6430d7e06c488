"""The embedded benchmark: small, written for this project, and labelled by execution.

A folder per functionality (`embedded_data/<id>/`) holds a specification, shared inputs, implementations in
several languages, near misses (almost the same text, different behaviour), and `evidence.json`: the results of
every fragment on the inputs. Nothing is executed here; reading checks that the evidence belongs to the texts, and
converts it to judgements. `docs/embedded-benchmark.md` describes the layout.
"""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clonetruth.errors import BenchmarkError, InputError
from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    FragmentKind,
    Functionality,
    FunctionalityDomain,
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
from clonetruth.sources.functionality_folders import (
    FolderFile,
    FunctionalityFolder,
    canonical,
    digest,
    read_folders,
)
from clonetruth.sources.source import ImportLog, SourceCard

if TYPE_CHECKING:
    from clonetruth.store import Benchmark

CARD = Card(
    name="embedded",
    version="2",
    description=(
        "Functionalities with a specification, each implemented several times in clearly different ways in "
        "Java and in Python, with near misses: copies of an implementation with a small edit that changes "
        "the behaviour. Every label was obtained by executing the fragments on shared inputs."
    ),
    licence="MIT",
    citation="The embedded benchmark of clonetruth.",
    criterion="equivalent-behaviour",
    languages=("java", "python"),
    problems_disjoint=True,
    known_flaws=(
        "Small: good for demonstrations, tests and sanity checks, but too small to rank detectors.",
        "Written by the authors of one project, so that styles and identifiers vary less than in the wild.",
        "Equal results were observed on finitely many inputs; the tests add random ones.",
        "Its projects are numbered collections of implementations, not the work of different people: views by project "
        "demonstrate the mechanism, and show nothing about authors.",
    ),
)

JUDGE = Judge(
    id="execution:embedded",
    kind=JudgeKind.EXECUTION,
    name="Execution on shared inputs",
    description=(
        "Runs every fragment on the functionality's shared inputs and compares the results. Implementations "
        "must agree with each other on all inputs, across languages; near misses must differ on one at least."
    ),
)


@dataclass(frozen=True)
class ExecutionEvidence:
    """The behaviour of a fragment on the shared inputs. `results` has one entry per input."""

    entry: str
    functions: int
    digest: str
    results: Sequence[Any]


@dataclass(frozen=True)
class EmbeddedFolder(FunctionalityFolder):
    """A functionality of the embedded benchmark."""

    def evidence(self) -> dict[str, ExecutionEvidence]:
        """The evidence of every fragment, by fragment id.

        Raises:
            BenchmarkError: the evidence is missing or belongs to other texts or inputs, an implementation does not
                give the expected results, or a near miss does.
        """
        file = self.root / "evidence.json"
        hint = "Execute the fragments again: python -m tests.sources.embedded_execution --write"
        if not file.is_file():
            raise BenchmarkError("There is no evidence for this functionality.", where=file, hint=hint)
        stored = parse_json(file.read_text(encoding="utf-8"))
        current = {source.id: digest(source.text) for source in self.sources}
        recorded = {name: entry["sha256"] for name, entry in stored["fragments"].items()}
        if stored["inputs_sha256"] != digest(canonical(self.inputs)) or recorded != current:
            raise BenchmarkError(
                "The evidence belongs to other texts or inputs than the stored ones.", where=file, hint=hint
            )
        evidence = {}
        for source in self.sources:
            entry = stored["fragments"][source.id]
            if bool(entry["differences"]) != bool(source.near_miss):
                raise BenchmarkError(f"The evidence contradicts the folder of '{source.id}'.", where=file, hint=hint)
            results = list(stored["expected"])
            for difference in entry["differences"]:
                results[difference["input"]] = difference["actual"]
            evidence[source.id] = ExecutionEvidence(entry["entry"], entry["functions"], entry["digest"], results)
        return evidence


def source_tree() -> AbstractContextManager[Path]:
    """A context manager that gives the folder with all sources."""
    return resources.as_file(_root())


def folders() -> tuple[EmbeddedFolder, ...]:
    """All functionalities, in the order of their ids."""
    return tuple(
        EmbeddedFolder(**{field.name: getattr(one, field.name) for field in dataclasses.fields(one)})
        for one in read_folders(_root())
    )


def _root() -> Traversable:
    return resources.files("clonetruth.sources") / "embedded_data"


def dataset() -> Dataset:
    """The embedded benchmark. Two calls give equal datasets.

    Raises:
        BenchmarkError: stored texts and evidence do not belong together.
    """
    fragments: list[Fragment] = []
    functionalities: list[Functionality] = []
    domains: list[FunctionalityDomain] = []
    memberships: list[Membership] = []
    pairs: list[Pair] = []
    judgements: list[Judgement] = []
    for folder in folders():
        evidence = folder.evidence()
        functionalities.append(Functionality(folder.id, folder.name, folder.specification))
        domains.append(FunctionalityDomain(folder.id, folder.domain))
        for source in folder.sources:
            fragments.append(_fragment(source, evidence[source.id], folder.collection(source)))
            role = Role.TAGGED_FALSE if source.near_miss else Role.EXEMPLAR
            memberships.append(Membership(source.id, folder.id, role))
            judgements.append(_member_judgement(folder, source, evidence))
        for left, right in itertools.combinations(folder.sources, 2):
            judgement = _pair_judgement(folder, left, right, evidence, row=len(pairs))
            if judgement is not None:
                pairs.append(Pair(left.id, right.id, folder.id))
                judgements.append(judgement)
    return Dataset(
        card=CARD,
        fragments=tuple(fragments),
        functionalities=tuple(functionalities),
        memberships=tuple(memberships),
        pairs=tuple(pairs),
        judges=(JUDGE,),
        judgements=tuple(judgements),
        domains=tuple(domains),
    )


def build(path: str | os.PathLike[str]) -> Benchmark:
    """Write the embedded benchmark to a new benchmark folder."""
    from clonetruth.store import Benchmark

    return Benchmark.create(Path(path), dataset())


class Embedded:
    """The registered source; its files are part of the package."""

    card = SourceCard(
        card=CARD,
        claimed_by=JUDGE,
        label_means="Clones gave the same results on all shared inputs; other pairs differed on at least one.",
        accepts="no files: the dataset is part of clonetruth",
        published={"functionalities": 14, "fragments": 188, "pairs": 1172},
    )

    def recognise(self, paths: Sequence[Path]) -> None:
        """Never recognised: it takes no files."""

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        if paths or options:
            raise InputError("The embedded benchmark takes no files and no options.")
        return dataset()


SOURCE = Embedded()


def _fragment(source: FolderFile, evidence: ExecutionEvidence, project: str) -> Fragment:
    return Fragment(
        id=source.id,
        language=source.language,
        text=source.text,
        kind=FragmentKind.FUNCTION if evidence.functions == 1 else FragmentKind.MULTI_FUNCTION,
        name=evidence.entry,
        project=project,
        path=source.path,
        first_line=1,
        last_line=len(source.text.splitlines()),
    )


def _first_difference(left: ExecutionEvidence, right: ExecutionEvidence) -> int | None:
    for index, (a, b) in enumerate(zip(left.results, right.results, strict=True)):
        if canonical(a) != canonical(b):
            return index
    return None


def _member_judgement(
    folder: EmbeddedFolder, source: FolderFile, evidence: Mapping[str, ExecutionEvidence]
) -> Judgement:
    own = evidence[source.id]
    shown: dict[str, Any] = {"inputs": len(folder.inputs), "digest": own.digest}
    value = MemberValue.MAJOR
    if source.near_miss:
        value = MemberValue.WRONG
        expected = evidence[source.near_miss.origin]
        index = _first_difference(expected, own)
        assert index is not None  # EmbeddedFolder.evidence() refuses near misses without a difference
        shown |= {
            "input": index,
            "arguments": folder.inputs[index],
            "expected": expected.results[index],
            "actual": own.results[index],
        }
    return Judgement(
        judge=JUDGE.id,
        criterion="implements-functionality",
        value=value,
        fragment=source.id,
        functionality=folder.id,
        reason=source.near_miss.differs if source.near_miss else None,
        evidence=canonical(shown),
    )


def _pair_judgement(
    folder: EmbeddedFolder,
    left: FolderFile,
    right: FolderFile,
    evidence: Mapping[str, ExecutionEvidence],
    *,
    row: int,
) -> Judgement | None:
    """The judgement of execution on a pair; None if there is none.

    Two implementations agree with the specification, hence with each other. Two near misses that agree on all
    inputs may still differ on others: no specification covers them, so there is no judgement.
    """
    index = _first_difference(evidence[left.id], evidence[right.id])
    shown: dict[str, Any] = {"inputs": len(folder.inputs)}
    if index is None:
        if left.near_miss or right.near_miss:
            return None
        value, reason = PairValue.CLONE, f"Equal results on all {len(folder.inputs)} inputs."
        shown["digest"] = evidence[left.id].digest
    else:
        value, reason = PairValue.NOT_CLONE, f"Different results on input {index}."
        shown |= {
            "input": index,
            "arguments": folder.inputs[index],
            "left": evidence[left.id].results[index],
            "right": evidence[right.id].results[index],
        }
    return Judgement(
        judge=JUDGE.id,
        criterion="equivalent-behaviour",
        value=value,
        pair=row,
        reason=reason,
        evidence=canonical(shown),
    )
