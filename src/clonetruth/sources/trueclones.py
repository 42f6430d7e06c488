"""TrueClones: functionalities in several languages whose every label was executed, matched so that text does not tell.

The folders are in `trueclones_data/`; nothing is executed here. Reading checks that the evidence belongs to the texts,
and makes pairs of it (`trueclones_pairs`). `clonetruth make evidence` executes; `clonetruth make run trueclones`
makes a fresh set of variants. `docs/trueclones.md` describes both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from clonetruth.code import ExtractOptions, extract, language
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
    Recipe,
    Role,
)
from clonetruth.sources.functionality_folders import (
    FolderFile,
    FunctionalityFolder,
    canonical,
    read_folders,
    sorted_children,
)
from clonetruth.sources.source import ImportLog, SourceCard
from clonetruth.sources.trueclones_evidence import FolderEvidence, read_evidence
from clonetruth.sources.trueclones_pairs import ExecutedFolders, MatchedPair, executed_pairs

CARD = Card(
    name="trueclones",
    version="1",
    description=(
        "Functionalities with a specification, each implemented several times in clearly different ways in C++, C#, "
        "Java, JavaScript and Python, with near misses: copies of an implementation with a small edit that changes the "
        "behaviour. Every label was obtained by executing the fragments on shared and on generated inputs. In the core "
        "set each clone is matched with a non-clone of the same similarity, length and language."
    ),
    licence="MIT",
    citation="TrueClones, the benchmark of clonetruth.",
    criterion="equivalent-behaviour",
    languages=("cpp", "csharp", "java", "javascript", "python"),
    problems_disjoint=True,
    known_flaws=(
        "Equal results were observed on finitely many inputs; the share of seeded changes that the inputs notice is "
        "measured for each functionality.",
        "Written by the authors of one project, so that styles and identifiers vary less than in the wild.",
        "Single functions and small groups of functions: whole classes and programs are not in it.",
        "Its projects are numbered collections of implementations, not the work of different people: views by project "
        "demonstrate the mechanism, and show nothing about authors.",
        "It is public, so that models may have been trained on it: compare with a fresh draw of variants.",
    ),
)

JUDGE = Judge(
    id="execution:trueclones",
    kind=JudgeKind.EXECUTION,
    name="Execution on shared and generated inputs",
    description=(
        "Runs every fragment on the functionality's shared inputs and on generated ones that its domain permits. "
        "Implementations must agree on all of them, across languages; near misses must differ on one at least."
    ),
)


def data_folder() -> Path:
    """The folder of the functionalities that ship."""
    return Path(str(_root()))


def _root() -> Traversable:
    return resources.files("clonetruth.sources") / "trueclones_data"


def read_executed(root: Traversable | Path, only: Sequence[str] = ()) -> ExecutedFolders:
    """The functionalities of a folder with their evidence.

    Raises:
        InputError: a folder is not a functionality.
        BenchmarkError: evidence is missing or belongs to other texts.
    """
    return [(folder, read_evidence(folder)) for folder in read_folders(root, only)]


def dataset() -> Dataset:
    """TrueClones. Two calls give equal datasets. A functionality that has no evidence yet is not part of it.

    Raises:
        BenchmarkError: stored texts and evidence do not belong together.
    """
    root = _root()
    executed = [one.name for one in sorted_children(root) if one.is_dir() and (one / "evidence.json").is_file()]
    return dataset_of(read_executed(root, executed), CARD)


def part(functionalities: Sequence[str]) -> Dataset:
    """Some functionalities of TrueClones, under another name, since numbers on a part are not comparable.

    Raises:
        InputError: there is no such functionality.
        BenchmarkError: stored texts and evidence do not belong together.
    """
    about = f"A part of TrueClones: {', '.join(functionalities)}. {CARD.description}"
    return dataset_of(read_executed(_root(), functionalities), replace(CARD, name="trueclones-part", description=about))


def dataset_of(folders: ExecutedFolders, card: Card, recipe: Recipe | None = None) -> Dataset:
    """The dataset of functionalities with their evidence.

    Args:
        folders: the functionalities.
        card: the card; its languages become those of the fragments.
        recipe: how the fragments were made, if they are not those that ship.

    Raises:
        BenchmarkError: there is none.
    """
    if not folders:
        raise BenchmarkError("There is no functionality.")
    languages = sorted({source.language for folder, _ in folders for source in folder.sources})
    fragments: list[Fragment] = []
    memberships: list[Membership] = []
    judgements: list[Judgement] = []
    for folder, evidence in folders:
        for source in folder.sources:
            fragments.append(_fragment(folder, source, evidence))
            role = Role.TAGGED_FALSE if source.near_miss else Role.EXEMPLAR
            memberships.append(Membership(source.id, folder.id, role))
            judgements.append(_member_judgement(folder, source, evidence))
    pairs = list(executed_pairs(folders))
    judgements += [_pair_judgement(pair, row) for row, pair in enumerate(pairs)]
    return Dataset(
        card=replace(card, languages=tuple(languages)),
        fragments=tuple(fragments),
        functionalities=tuple(Functionality(one.id, one.name, one.specification) for one, _ in folders),
        memberships=tuple(memberships),
        pairs=tuple(Pair(pair.left.id, pair.right.id, pair.functionality) for pair in pairs),
        judges=(JUDGE,),
        judgements=tuple(judgements),
        domains=tuple(FunctionalityDomain(one.id, one.domain) for one, _ in folders),
        recipe=recipe,
    )


class TrueClones:
    """The registered source; its files are part of the package."""

    card = SourceCard(
        card=CARD,
        claimed_by=JUDGE,
        label_means="Clones gave the same results on all shared and generated inputs; other pairs differed on one.",
        accepts="no files: the dataset is part of clonetruth",
    )

    def recognise(self, paths: Sequence[Path]) -> None:
        """Never recognised: it takes no files."""

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        if paths or options:
            raise InputError("TrueClones takes no files and no options.")
        return dataset()


SOURCE = TrueClones()


def _fragment(folder: FunctionalityFolder, source: FolderFile, evidence: FolderEvidence) -> Fragment:
    own = evidence.fragments[source.id]
    return Fragment(
        id=source.id,
        language=source.language,
        text=source.text,
        kind=_kind(source, own.functions),
        name=own.entry,
        project=folder.collection(source),
        path=source.path,
        first_line=1,
        last_line=len(source.text.splitlines()),
    )


def _kind(source: FolderFile, functions: int) -> FragmentKind:
    """One function and nothing else is a function; with imports or constants around it, a file."""
    if functions > 1:
        return FragmentKind.MULTI_FUNCTION
    found = extract(source.text, language(source.language), ExtractOptions(nested=False), lone=True)
    only, parsed = found.functions[0], found.parsed
    before = found.lexemes.stream((parsed.start, only.start))
    after = found.lexemes.stream((only.end, parsed.end))
    return FragmentKind.FILE if before.texts or set(after.texts) - {b";"} else FragmentKind.FUNCTION


def _member_judgement(folder: FunctionalityFolder, source: FolderFile, evidence: FolderEvidence) -> Judgement:
    own = evidence.fragments[source.id]
    shown: dict[str, Any] = {
        "inputs": len(folder.inputs) + evidence.generated,
        "digest": own.digest,
        "generated_digest": own.generated_digest,
    }
    if own.points:
        shown["coverage"] = f"{own.reached} of {own.points}"
    if own.witness is not None:
        shown |= {
            "arguments": own.witness.arguments,
            "expected": own.witness.expected,
            "actual": own.witness.actual,
            "rate": round(evidence.rate(source.id), 4),
            "difficulty": evidence.difficulty(source.id),
        }
    return Judgement(
        judge=JUDGE.id,
        criterion="implements-functionality",
        value=MemberValue.WRONG if source.near_miss else MemberValue.MAJOR,
        fragment=source.id,
        functionality=folder.id,
        reason=source.near_miss.differs if source.near_miss else None,
        evidence=canonical(shown),
    )


def _pair_judgement(pair: MatchedPair, row: int) -> Judgement:
    shown = {"stratum": str(pair.stratum), "match": pair.match, "difficulty": pair.difficulty, **pair.shown}
    reason = f"Equal results on all {pair.shown['inputs']} inputs." if pair.is_clone else "Different results."
    return Judgement(
        judge=JUDGE.id,
        criterion="equivalent-behaviour",
        value=PairValue.CLONE if pair.is_clone else PairValue.NOT_CLONE,
        pair=row,
        reason=reason,
        evidence=canonical({name: value for name, value in shown.items() if value is not None}),
    )
