"""The vocabulary of clonetruth as frozen dataclasses. Imports nothing of ours.

The same words name the columns of the benchmark folder (`docs/schema.md`), the options of the command
line and the chapters of the documentation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class FragmentKind(StrEnum):
    """How much code a fragment holds."""

    FUNCTION = "function"
    MULTI_FUNCTION = "multi-function"
    FILE = "file"


class Role(StrEnum):
    """What a source says about a fragment in a functionality."""

    EXEMPLAR = "exemplar"
    TAGGED_TRUE = "tagged-true"
    TAGGED_FALSE = "tagged-false"
    UNDECIDED = "undecided"


class JudgeKind(StrEnum):
    """The kinds of judge. A `rule` is how a dataset made its labels: a claim, not evidence."""

    RULE = "rule"
    PERSON = "person"
    LLM = "llm"
    EXECUTION = "execution"
    TOOL = "tool"


class PairValue(StrEnum):
    """A judge's answer on a pair."""

    CLONE = "clone"
    NOT_CLONE = "not-clone"
    UNDECIDED = "undecided"


class MemberValue(StrEnum):
    """A judge's answer on "does this fragment implement the functionality as its main purpose?"."""

    MAJOR = "major"
    INCOMPLETE = "incomplete"
    MINOR = "minor"
    WRONG = "wrong"
    TEST = "test"
    UNDECIDED = "undecided"


class VerdictValue(StrEnum):
    """What a policy concludes. Unknown is never counted as known."""

    CLONE = "clone"
    NOT_CLONE = "not-clone"
    UNKNOWN = "unknown"


class Subject(StrEnum):
    """What a criterion is asked about."""

    PAIR = "pair"
    FRAGMENT = "fragment"


@dataclass(frozen=True)
class Criterion:
    """The question put to a judge. Criteria are never mixed silently.

    `caution` says what “no” means where a reader would take it for “unrelated code”.
    """

    name: str
    subject: Subject
    values: tuple[str, ...]
    meaning: str
    caution: str | None = None


class RatingValue(StrEnum):
    """A judge's rating of one aspect of a pair (SeSaMe)."""

    AGREE = "agree"
    CONDITIONALLY = "conditionally"
    DISAGREE = "disagree"


_PAIR_VALUES = tuple(PairValue)
_RATING_VALUES = tuple(RatingValue)

CRITERIA: Mapping[str, Criterion] = {
    criterion.name: criterion
    for criterion in (
        Criterion("textual", Subject.PAIR, _PAIR_VALUES, "The texts are alike (Type-1 to Type-3)."),
        Criterion(
            "shares-functionality",
            Subject.PAIR,
            _PAIR_VALUES,
            "Both contain the functionality, as main purpose or not (BigCloneBench).",
        ),
        Criterion(
            "same-main-purpose",
            Subject.PAIR,
            _PAIR_VALUES,
            "Both implement the same functionality as their main purpose (Krinke and Ragkhitwetsagul).",
        ),
        Criterion(
            "functionally-similar",
            Subject.PAIR,
            _PAIR_VALUES,
            "A developer would call the functionality similar (goals, operations, effects).",
        ),
        Criterion("equivalent-behaviour", Subject.PAIR, _PAIR_VALUES, "Equal results on every permitted input."),
        Criterion(
            "semantic-not-syntactic",
            Subject.PAIR,
            _PAIR_VALUES,
            "Same behaviour, but not a Type-1 or Type-2 clone (GPTCloneBench).",
            "Under 'semantic-not-syntactic', textual clones (Type-1 and Type-2) are not-clone: it does not mean that "
            "the code is unrelated.",
        ),
        Criterion(
            "same-goals", Subject.PAIR, _RATING_VALUES, "Both methods have the same goals: what they are for (SeSaMe)."
        ),
        Criterion(
            "same-operations",
            Subject.PAIR,
            _RATING_VALUES,
            "Both methods use the same operations: how they do it (SeSaMe).",
        ),
        Criterion(
            "same-effects",
            Subject.PAIR,
            _RATING_VALUES,
            "Both methods have the same effects: results, exceptions and side effects (SeSaMe).",
        ),
        Criterion(
            "answer-supported",
            Subject.PAIR,
            _RATING_VALUES,
            "The passage of a paper supports the answer to a question about it (literature studies).",
        ),
        Criterion(
            "implements-functionality",
            Subject.FRAGMENT,
            tuple(MemberValue),
            "The fragment implements the functionality: as main purpose (major), partly (incomplete), on the "
            "way to something else (minor), not (wrong), or only tests it (test).",
        ),
    )
}


@dataclass(frozen=True)
class Fragment:
    """A piece of source text. Lines are 1-based and inclusive."""

    id: str
    language: str
    text: str
    kind: FragmentKind = FragmentKind.FUNCTION
    name: str | None = None
    project: str | None = None
    path: str | None = None
    first_line: int | None = None
    last_line: int | None = None


@dataclass(frozen=True)
class Functionality:
    """What a fragment is said to do."""

    id: str
    name: str
    specification: str | None = None
    heuristic: str | None = None


@dataclass(frozen=True)
class Membership:
    """A fragment's part in a functionality; a fragment can have several."""

    fragment: str
    functionality: str
    role: Role


@dataclass(frozen=True)
class Pair:
    """One row of a source, in the source's order, with the source's claims about it."""

    left: str
    right: str
    functionality: str | None = None
    claimed_type: str | None = None
    claimed_similarity_line: float | None = None
    claimed_similarity_token: float | None = None
    claimed_cut_rule: str | None = None
    claimed_part: str | None = None


@dataclass(frozen=True)
class Judge:
    """A judge. An LLM's `settings` hold model, prompt and parameters: another wording is another judge.

    A consensus judge lists the ids of its members in `settings["speaks_for"]`; its judgements replace theirs.
    """

    id: str
    kind: JudgeKind
    name: str
    description: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class FunctionalityTest:
    """How a source tests fragments of a functionality: a program around the fragment, or calls with their results.

    Attributes:
        functionality: the id of the functionality.
        language: the language of the program; None for calls, which any language can make.
        before: the text of the program before the fragment; None if there is no program.
        after: the text after the fragment, which fails (exception or exit code) if the fragment is wrong.
        calls: a JSON list of [arguments, result], or for programs of {"stdin": text, "stdout": text}; None if there are
            none.
    """

    functionality: str
    language: str | None = None
    before: str | None = None
    after: str | None = None
    calls: str | None = None


@dataclass(frozen=True)
class FunctionalityDomain:
    """The inputs that a specification permits, as far as a source states them in a form that programs can read.

    Attributes:
        functionality: the id of the functionality.
        parameters: a JSON list with the name and the domain of each parameter, in order.
    """

    functionality: str
    parameters: str


ATTACHED_RULE = "attached"
"""The entry in the settings of a rule whose labels were attached later: it is not the dataset's own rule."""


@dataclass(frozen=True)
class Judgement:
    """One judge's answer to one criterion on one subject: a pair (by row), or a fragment in a functionality."""

    judge: str
    criterion: str
    value: str
    pair: int | None = None
    fragment: str | None = None
    functionality: str | None = None
    confidence: float | None = None
    reason: str | None = None
    evidence: str | None = None
    time: str | None = None
    source_row: int | None = None


@dataclass(frozen=True)
class Card:
    """What a reader must know about a dataset before believing it."""

    name: str
    version: str
    description: str
    licence: str
    citation: str
    criterion: str
    languages: tuple[str, ...]
    url: str | None = None
    problems_disjoint: bool = False
    known_flaws: tuple[str, ...] = ()


@dataclass(frozen=True)
class Manifest:
    """What produced a number."""

    inputs: Mapping[str, str]
    configuration: Mapping[str, Any]
    configuration_digest: str
    seed: int | None
    versions: Mapping[str, str]
    time: str


@dataclass(frozen=True)
class Recipe:
    """How a derived benchmark was built from its parents."""

    operation: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    parents: tuple[str, ...] = ()


@dataclass(frozen=True)
class Dataset:
    """What a source yields: the content of a benchmark, as rows in the source's order.

    `Judgement.pair` is a row number of `pairs`, from 0. The iterables are read once, in this order. `claims` is empty,
    or Arrow batches with one row per pair and the columns of the `claims` table in `docs/schema.md`, except `pair`.
    `tests` are what the source brings to test its fragments, `domains` which inputs it permits: for an execution, not
    evidence.
    """

    card: Card
    fragments: Iterable[Fragment]
    functionalities: Iterable[Functionality] = ()
    memberships: Iterable[Membership] = ()
    pairs: Iterable[Pair] = ()
    judges: Iterable[Judge] = ()
    judgements: Iterable[Judgement] = ()
    claims: Iterable[Any] = ()
    tests: Iterable[FunctionalityTest] = ()
    domains: Iterable[FunctionalityDomain] = ()
    recipe: Recipe | None = None
