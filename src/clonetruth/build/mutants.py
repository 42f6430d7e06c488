"""Mutants: clones whose type is known by construction, made of the functions of any source tree.

Each original is edited by one operator (docs/mutation.md), so that every pair of original and mutant has one cause, and
what a detector misses says what it cannot see. Near-miss pairs of originals that are no clones go along.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import md5
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa

from clonetruth.build.derivation import DerivationPlan, DerivationRecipe, derive
from clonetruth.build.near_misses import BOUND, NearMissCandidate, VerifiedNearMiss, near_misses
from clonetruth.build.recipe import BuildRecipe, parameters_of
from clonetruth.build.report import BuildReport, BuildStep
from clonetruth.code import LANGUAGES, CloneType, clone_type, language, lexed_tokens
from clonetruth.code.mutation import OPERATORS, EditSites, Mutant, Operator, mutant_of
from clonetruth.errors import InputError
from clonetruth.model import Fragment, Judge, JudgeKind, Judgement, Pair, PairValue, Recipe
from clonetruth.progress import Progress
from clonetruth.store import Benchmark, BenchmarkWriter

# Pairs that are known by construction: what made them speaks as a judge, with what was checked as its evidence.
#
# Decision 0010 says why that judge is one whose word counts.

CRITERION = "textual"
"""What the construction decides, and nothing else."""


@dataclass(frozen=True)
class Constructed:
    """A pair with its cause.

    Attributes:
        left, right: ids of its fragments.
        operator: the name of what made it.
        description: what that does, in a sentence.
        clone: whether it is a clone.
        measured: what was measured of both texts.
    """

    left: str
    right: str
    operator: str
    description: str
    clone: bool
    measured: CloneType

    def judge(self) -> Judge:
        """Who speaks for the construction."""
        return Judge(
            id=f"operator:{self.operator}",
            kind=JudgeKind.EXECUTION,
            name=self.operator,
            description=self.description,
            settings={"operator": self.operator},
        )

    def pair(self) -> Pair:
        """The pair as a row; of a non-clone no type is claimed."""
        return Pair(
            self.left,
            self.right,
            claimed_type=self.measured.name if self.clone else None,
            claimed_similarity_line=self.measured.similarity.line,
            claimed_similarity_token=self.measured.similarity.token,
            claimed_cut_rule=self.measured.cut_rule,
        )

    def judgement(self, row: int) -> Judgement:
        """What the construction says of the pair in a row."""
        return Judgement(
            judge=self.judge().id,
            criterion=CRITERION,
            value=PairValue.CLONE if self.clone else PairValue.NOT_CLONE,
            pair=row,
            reason=self.description,
            evidence=json.dumps({"type": self.measured.name, **asdict(self.measured.similarity)}),
        )


def write_constructed(writer: BenchmarkWriter, pairs: Sequence[Constructed]) -> None:
    """Write pairs and what is said of them to a benchmark that has no other pairs."""
    writer.add("pairs", [one.pair() for one in pairs])
    writer.add("judges", list({one.operator: one.judge() for one in pairs}.values()))
    writer.add("judgements", [one.judgement(row) for row, one in enumerate(pairs)])


OPERATION = "mutants"
NEAR_MISS = "near-miss"
LEAST_SIMILARITY = 0.7
"""Of a Type-3 mutant with its original, by the smaller of line and token similarity. Between this and the bound of
near misses nobody can be sure, so that neither clones nor non-clones are taken from there."""


@dataclass(frozen=True)
class MutantOptions:
    """How mutants are made.

    Attributes:
        operators: names of operators, or T1, T2, T3 for all of a type; all unless told.
        per_fragment: mutants of each original, by different operators.
        originals: the most functions to mutate, drawn by hash.
        negatives: near-miss pairs for each mutant.
        min_tokens: smaller functions are left out.
        min_lines: shorter functions are left out.
        seed: of the draws.
    """

    operators: tuple[str, ...] = ()
    per_fragment: int = 1
    originals: int = 1000
    negatives: float = 1.0
    min_tokens: int = 50
    min_lines: int = 6
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("per_fragment", "originals"):
            if getattr(self, name) < 1:
                raise InputError(
                    f"{getattr(self, name)} is no number of mutants.", where=name, hint="Ask for 1 or more."
                )
        if not 0 <= self.negatives < float("inf"):
            raise InputError(f"The share of negatives is {self.negatives:g}.", hint="It is a number for each mutant.")
        self.chosen()

    def chosen(self) -> list[Operator]:
        """The operators that are asked for.

        Raises:
            UnknownNameError: there is no such operator.
        """
        every = list(OPERATORS.values())
        if not self.operators:
            return every
        types = {one.clone_type for one in every}
        named = {OPERATORS[name].name for name in self.operators if name not in types}
        return [one for one in every if one.name in named or one.clone_type in self.operators]


@dataclass(frozen=True)
class _Made:
    """A mutant with what it was made of."""

    original: NearMissCandidate
    mutant: Mutant
    measured: CloneType

    @property
    def id(self) -> str:
        return f"{self.original.id}+{self.mutant.operator}"


def build_mutants(
    parent: Benchmark, output: Path, options: MutantOptions | None = None, progress: Progress | None = None
) -> BuildReport:
    """Make a benchmark of mutants of a benchmark's fragments.

    Args:
        parent: where the originals come from; only its fragments count.
        output: the benchmark folder to make.
        options: how.
        progress: told of originals as they are mutated.

    Raises:
        InputError: no fragment can be mutated.
    """
    options = options or MutantOptions()
    run = _Run(options)
    rows = _drawn(parent, options.seed)
    total = min(options.originals, len(rows))
    for row in rows:
        if len(run.originals) == options.originals:
            break
        if run.mutate(row) and progress is not None:
            progress("Mutating", 1, total)
    if not run.made:
        raise InputError(
            "No fragment can be mutated.",
            where=parent.path,
            hint=f"There must be functions of {options.min_tokens} tokens and {options.min_lines} lines that parse.",
        )
    negatives = near_misses(run.originals, round(options.negatives * len(run.made)), options.seed)
    steps = (*run.steps(), BuildStep("near misses", options.negatives > 0, {"pairs": len(negatives)}, _NEAR_MISS_NOTE))
    return derive(
        parent,
        output,
        replace(
            parent.card,
            name=f"{parent.card.name}+{OPERATION}",
            description=f"Functions of {parent.card.name}, each with mutants by known editing operators.",
            criterion=CRITERION,
            problems_disjoint=False,
            known_flaws=("Mutants parse; whether they compile, or do the same, was not asked.",),
        ),
        DerivationPlan(
            fragments=pa.table({"fragment": pa.array(sorted(one.key for one in run.originals), pa.int64())}),
            memberships=pa.table({name: pa.array([], kind) for name, kind in _MEMBERSHIPS.items()}),
            functionalities=pa.table({"functionality": pa.array([], pa.int64())}),
            pairs=_NO_PAIRS,
            extra={},
            copied=True,
            kinds=(),
            added=lambda writer: _write(writer, run.made, negatives),
        ),
        DerivationRecipe(recipe=Recipe(OPERATION, parameters_of(options)), steps=steps, seed=options.seed),
    )


_NEAR_MISS_NOTE = f"the smaller of line and token similarity is below {BOUND:g}"
_MEMBERSHIPS = {"fragment": pa.int64(), "functionality": pa.int64(), "role": pa.string()}
_NO_PAIRS = """
SELECT p.pair AS parent, p.left AS left, p.right AS right, p.functionality AS functionality,
    CAST(NULL AS STRING) AS value, CAST(NULL AS STRING) AS reason
FROM pairs p WHERE false
"""


def _drawn(parent: Benchmark, seed: int) -> list[dict[str, Any]]:
    """All fragments, in the order of the draw."""
    rows = parent.sql("SELECT fragment, id, language, name, text FROM fragments ORDER BY fragment").to_pylist()
    return sorted(rows, key=lambda row: (md5(f"{row['id']}{seed}".encode()).digest(), row["id"]))


@dataclass
class _Run:
    """The mutants so far, and what was left out on the way."""

    options: MutantOptions
    originals: list[NearMissCandidate] = field(default_factory=list)
    made: list[_Made] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    discarded: Counter[str] = field(default_factory=Counter)
    _seen: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._operators = self.options.chosen()
        self._counts = Counter({one.name: 0 for one in self._operators})

    def mutate(self, row: Mapping[str, Any]) -> bool:
        """Make the mutants of a fragment; whether there are any."""
        original = self._original(row)
        if original is None:
            return False
        made = 0
        # The operator with the fewest mutants goes first, so that rare places are used for what needs them.
        for operator in sorted(self._operators, key=lambda one: self._counts[one.name]):
            mutant = self._mutant(original, operator)
            if mutant is not None:
                self.made.append(mutant)
                self._counts[operator.name] += 1
                made += 1
            if made == self.options.per_fragment:
                break
        if not made:
            self.left_out["no operator finds a place"] += 1
            return False
        self.originals.append(original)
        return True

    def _original(self, row: Mapping[str, Any]) -> NearMissCandidate | None:
        """A fragment as an original; None where it cannot be one, which is counted."""
        if row["language"] not in LANGUAGES:
            self.left_out["language unknown"] += 1
            return None
        specimen = EditSites.of(row["text"], language(row["language"]))
        if self._small(specimen):
            self.left_out["too small"] += 1
        elif not specimen.sound:
            self.left_out["does not parse"] += 1
        elif specimen.forms.consistent in self._seen:
            # It would be a clone of the other's mutants, too.
            self.left_out["copy of another original"] += 1
        else:
            self._seen.add(specimen.forms.consistent)
            return NearMissCandidate(row["fragment"], row["id"], row["language"], row["name"], specimen)
        return None

    def _small(self, specimen: EditSites) -> bool:
        """Whether a detector that leaves small functions alone may leave it out: tokens are counted as finders do."""
        text = specimen.whole.decode()
        lines, tokens = text.strip().count("\n") + 1, len(lexed_tokens(text, specimen.language))
        return lines < self.options.min_lines or tokens < self.options.min_tokens

    def _mutant(self, original: NearMissCandidate, operator: Operator) -> _Made | None:
        rng = Random(f"{self.options.seed} {operator.name} {original.id}")
        mutant = mutant_of(original.specimen, operator, rng)
        if mutant is None:
            self.discarded["no place for the operator"] += 1
            return None
        self.discarded["edits drawn again"] += mutant.discarded
        mutated = EditSites.of(mutant.text, original.specimen.language)
        measured = clone_type(original.specimen.forms, mutated.forms)
        if min(measured.similarity.line, measured.similarity.token) < LEAST_SIMILARITY:
            self.discarded["too far from the original"] += 1
            return None
        if self._small(mutated):
            self.discarded["too small"] += 1
            return None
        return _Made(original, mutant, measured)

    def steps(self) -> Iterator[BuildStep]:
        """What was done, for the report."""
        yield BuildStep("originals", True, {"kept": len(self.originals), **self.left_out})
        yield BuildStep("mutants", True, dict(self._counts), "by operator")
        yield BuildStep("discarded", True, dict(self.discarded), "for each, another edit or another operator was drawn")


def _write(writer: BenchmarkWriter, made: Sequence[_Made], negatives: Sequence[VerifiedNearMiss]) -> None:
    """Write the mutants and the pairs, in the order of the operators, which is that of tables of results."""
    order = {name: place for place, name in enumerate(OPERATORS)}
    made = sorted(made, key=lambda one: order[one.mutant.operator])
    writer.add(
        "fragments", [Fragment(one.id, one.original.language, one.mutant.text, name=one.original.name) for one in made]
    )
    clones = [
        Constructed(
            left=one.original.id,
            right=one.id,
            operator=one.mutant.operator,
            description=OPERATORS[one.mutant.operator].description,
            clone=True,
            measured=one.measured,
        )
        for one in made
    ]
    others = [
        Constructed(one.left.id, one.right.id, NEAR_MISS, VerifiedNearMiss.DESCRIPTION, False, one.measured)
        for one in negatives
    ]
    write_constructed(writer, [*clones, *others])


RECIPE = BuildRecipe(
    operation=OPERATION,
    description="Type-1, Type-2 and Type-3 clones by known editing operators, and near misses that are none.",
    reference=(
        "C. K. Roy and J. R. Cordy. A Mutation/Injection-based Automatic Framework for Evaluating Code Clone Detection "
        "Tools. Mutation 2009."
    ),
    options=MutantOptions,
    build=build_mutants,
)
