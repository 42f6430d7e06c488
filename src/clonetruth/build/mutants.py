"""Mutants: clones whose type is known by construction, made from the functions of any source tree.

Each original is edited by one operator (docs/mutation.md), so that every pair of original and mutant has one cause, and
what a detector misses shows what it cannot see. Near-miss pairs of originals, which are not clones, are added.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from hashlib import md5
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa

from clonetruth.build.derivation import DerivationPlan, DerivationRecord, derive
from clonetruth.build.near_misses import BOUND, NearMissCandidate, VerifiedNearMiss, near_misses
from clonetruth.build.recipe import BuildRecipe, recipe_parameters
from clonetruth.build.report import BuildReport, BuildStep
from clonetruth.build.source_fragments import open_fragments
from clonetruth.code import LANGUAGES, CloneType, clone_type, language, lexed_tokens
from clonetruth.code.mutation import OPERATORS, EditSites, Mutant, Operator, mutate_at
from clonetruth.errors import InputError
from clonetruth.model import Fragment, Judge, JudgeKind, Judgement, Pair, PairValue, Recipe
from clonetruth.options.build import MutantsOptions
from clonetruth.options.declaration import verb
from clonetruth.progress import Progress
from clonetruth.store import Benchmark, BenchmarkWriter

# Pairs known by construction: the operator that made a pair is its judge, and the measurements are the evidence.
# Decision 0010 explains why the judgements of such a judge count as evidence.

CRITERION = "textual"
"""The criterion that the construction decides, and no other."""


@dataclass(frozen=True)
class Constructed:
    """A pair with its cause.

    Attributes:
        left, right: ids of its fragments.
        operator: the name of the operator that made it.
        description: what the operator does, in a sentence.
        clone: whether it is a clone.
        measured: the measured similarities and clone type.
    """

    left: str
    right: str
    operator: str
    description: str
    clone: bool
    measured: CloneType

    def judge(self) -> Judge:
        """The operator as a judge."""
        return Judge(
            id=f"operator:{self.operator}",
            kind=JudgeKind.EXECUTION,
            name=self.operator,
            description=self.description,
            settings={"operator": self.operator},
        )

    def pair(self) -> Pair:
        """The pair as a row; for a non-clone no type is claimed."""
        return Pair(
            self.left,
            self.right,
            claimed_type=self.measured.name if self.clone else None,
            claimed_similarity_line=self.measured.similarity.line,
            claimed_similarity_token=self.measured.similarity.token,
            claimed_cut_rule=self.measured.cut_rule,
        )

    def judgement(self, row: int) -> Judgement:
        """The operator's judgement on the pair in a row."""
        return Judgement(
            judge=self.judge().id,
            criterion=CRITERION,
            value=PairValue.CLONE if self.clone else PairValue.NOT_CLONE,
            pair=row,
            reason=self.description,
            evidence=json.dumps({"type": self.measured.name, **asdict(self.measured.similarity)}),
        )


def write_constructed(writer: BenchmarkWriter, pairs: Sequence[Constructed]) -> None:
    """Write pairs with their judges and judgements to a benchmark that has no other pairs."""
    writer.add("pairs", [one.pair() for one in pairs])
    writer.add("judges", list({one.operator: one.judge() for one in pairs}.values()))
    writer.add("judgements", [one.judgement(row) for row, one in enumerate(pairs)])


OPERATION = "mutants"
NEAR_MISS = "near-miss"
MIN_SIMILARITY = 0.7
"""Minimum similarity of a Type-3 mutant and its original, by the smaller of line and token similarity. Between this and
the bound of near misses the answer is not clear, so neither clones nor non-clones are taken from that range."""


@dataclass(frozen=True)
class MutantParameters:
    """How mutants are made, as the recipe records it; `MutantsOptions` explains each choice."""

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
                raise InputError(f"The number is {getattr(self, name)}.", where=name, hint="Choose 1 or more.")
        if not 0 <= self.negatives < float("inf"):
            raise InputError(
                f"The number of negatives is {self.negatives:g}.", hint="Give a number per mutant, 0 or more."
            )
        self.chosen()

    def chosen(self) -> list[Operator]:
        """The chosen operators.

        Raises:
            UnknownNameError: an operator is unknown.
        """
        every = list(OPERATORS.values())
        if not self.operators:
            return every
        types = {one.clone_type for one in every}
        named = {OPERATORS[name].name for name in self.operators if name not in types}
        return [one for one in every if one.name in named or one.clone_type in self.operators]


@dataclass(frozen=True)
class _MutantPair:
    """A mutant and its original."""

    original: NearMissCandidate
    mutant: Mutant
    measured: CloneType

    @property
    def id(self) -> str:
        return f"{self.original.id}+{self.mutant.operator}"


@verb(MutantsOptions)
def build_mutants(options: MutantsOptions, *, progress: Progress | None = None) -> BuildReport:
    """Make Type-1, Type-2 and Type-3 clones of functions by known edits, and near misses that are not clones.

    Args:
        progress: called for each mutated function.

    Returns:
        The counts of each step; `path` is the new benchmark.

    Raises:
        InputError: no function can be mutated, an option is not valid, or the output folder exists.
        UnknownNameError: there is no such operator.

    Example:
        >>> report = clonetruth.build_mutants("src", output="my-mutants", min_tokens=20, per_fragment=2)
        >>> report.step("originals").counts  # the two functions of src are renamed copies
        {'kept': 1, 'copy of another original': 1}
    """
    names = [field.name for field in fields(MutantParameters)]
    chosen = MutantParameters(**{name: getattr(options, name) for name in names})
    with open_fragments(options.source, options.engine, options.memory_limit) as parent:
        return derive_mutants(parent, options.output, chosen, progress)


def derive_mutants(
    parent: Benchmark, output: Path, options: MutantParameters | None = None, progress: Progress | None = None
) -> BuildReport:
    """Make a benchmark of mutants of a benchmark's fragments.

    Args:
        parent: the benchmark with the originals; only its fragments are used.
        output: the new benchmark folder.
        options: how to make the mutants.
        progress: called for each mutated original.

    Raises:
        InputError: no fragment can be mutated.
    """
    options = options or MutantParameters()
    run = _Run(options)
    rows = _shuffled_fragments(parent, options.seed)
    total = min(options.originals, len(rows))
    for row in rows:
        if len(run.originals) == options.originals:
            break
        if run.mutate(row) and progress is not None:
            progress("Mutating", 1, total)
    if not run.mutants:
        raise InputError(
            "No fragment can be mutated.",
            where=parent.path,
            hint=f"It needs functions without syntax errors, of at least {options.min_tokens} tokens and "
            f"{options.min_lines} lines.",
        )
    negatives = near_misses(run.originals, round(options.negatives * len(run.mutants)), options.seed)
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
            known_flaws=("Mutants parse; whether they compile or behave the same was not checked.",),
        ),
        DerivationPlan(
            fragments=pa.table({"fragment": pa.array(sorted(one.key for one in run.originals), pa.int64())}),
            memberships=pa.table({name: pa.array([], kind) for name, kind in _MEMBERSHIPS.items()}),
            functionalities=pa.table({"functionality": pa.array([], pa.int64())}),
            pairs=_NO_PAIRS,
            tables={},
            copies_pairs=True,
            judge_kinds=(),
            add_rows=lambda writer: _write(writer, run.mutants, negatives),
        ),
        DerivationRecord(recipe=Recipe(OPERATION, recipe_parameters(options)), steps=steps, seed=options.seed),
    )


_NEAR_MISS_NOTE = f"the smaller of line and token similarity is below {BOUND:g}"
_MEMBERSHIPS = {"fragment": pa.int64(), "functionality": pa.int64(), "role": pa.string()}
_NO_PAIRS = """
SELECT p.pair AS parent, p.left AS left, p.right AS right, p.functionality AS functionality,
    CAST(NULL AS STRING) AS value, CAST(NULL AS STRING) AS reason
FROM pairs p WHERE false
"""


def _shuffled_fragments(parent: Benchmark, seed: int) -> list[dict[str, Any]]:
    """All fragments in a random order."""
    rows = parent.sql("SELECT fragment, id, language, name, text FROM fragments ORDER BY fragment").to_pylist()
    return sorted(rows, key=lambda row: (md5(f"{row['id']}{seed}".encode()).digest(), row["id"]))


@dataclass
class _Run:
    """The mutants so far, and what was left out."""

    options: MutantParameters
    originals: list[NearMissCandidate] = field(default_factory=list)
    mutants: list[_MutantPair] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    discarded: Counter[str] = field(default_factory=Counter)
    _seen: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._operators = self.options.chosen()
        self._counts = Counter({one.name: 0 for one in self._operators})

    def mutate(self, row: Mapping[str, Any]) -> bool:
        """Make the mutants of a fragment; returns whether there are any."""
        original = self._original(row)
        if original is None:
            return False
        made = 0
        # The operator with the fewest mutants goes first, so that rare edit sites go to the operators that need them.
        for operator in sorted(self._operators, key=lambda one: self._counts[one.name]):
            mutant = self._mutant(original, operator)
            if mutant is not None:
                self.mutants.append(mutant)
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
        """A fragment as an original; None if it is not suitable, which is counted."""
        if row["language"] not in LANGUAGES:
            self.left_out["language unknown"] += 1
            return None
        sites = EditSites.of(row["text"], language(row["language"]))
        if self._small(sites):
            self.left_out["too small"] += 1
        elif not sites.sound:
            self.left_out["does not parse"] += 1
        elif sites.forms.consistent in self._seen:
            # It would also be a clone of the other original's mutants.
            self.left_out["copy of another original"] += 1
        else:
            self._seen.add(sites.forms.consistent)
            return NearMissCandidate(row["fragment"], row["id"], row["language"], row["name"], sites)
        return None

    def _small(self, sites: EditSites) -> bool:
        """Whether a clone finder with these limits ignores the function: tokens are counted as finders count them."""
        text = sites.whole.decode()
        lines, tokens = text.strip().count("\n") + 1, len(lexed_tokens(text, sites.language))
        return lines < self.options.min_lines or tokens < self.options.min_tokens

    def _mutant(self, original: NearMissCandidate, operator: Operator) -> _MutantPair | None:
        rng = Random(f"{self.options.seed} {operator.name} {original.id}")
        mutant = mutate_at(original.sites, operator, rng)
        if mutant is None:
            self.discarded["no place for the operator"] += 1
            return None
        self.discarded["edits drawn again"] += mutant.discarded
        mutated = EditSites.of(mutant.text, original.sites.language)
        measured = clone_type(original.sites.forms, mutated.forms)
        if min(measured.similarity.line, measured.similarity.token) < MIN_SIMILARITY:
            self.discarded["too far from the original"] += 1
            return None
        if self._small(mutated):
            self.discarded["too small"] += 1
            return None
        return _MutantPair(original, mutant, measured)

    def steps(self) -> Iterator[BuildStep]:
        """The steps for the report."""
        yield BuildStep("originals", True, {"kept": len(self.originals), **self.left_out})
        yield BuildStep("mutants", True, dict(self._counts), "by operator")
        yield BuildStep("discarded", True, dict(self.discarded), "replaced by another edit or another operator")


def _write(writer: BenchmarkWriter, made: Sequence[_MutantPair], negatives: Sequence[VerifiedNearMiss]) -> None:
    """Write the mutants and the pairs in the order of the operators, which is also the order of result tables."""
    order = {name: position for position, name in enumerate(OPERATORS)}
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
    non_clones = [
        Constructed(one.left.id, one.right.id, NEAR_MISS, VerifiedNearMiss.DESCRIPTION, False, one.measured)
        for one in negatives
    ]
    write_constructed(writer, [*clones, *non_clones])


RECIPE = BuildRecipe(
    operation=OPERATION,
    description="Type-1, Type-2 and Type-3 clones by known editing operators, and near misses that are not clones.",
    reference=(
        "C. K. Roy and J. R. Cordy. A Mutation/Injection-based Automatic Framework for Evaluating Code Clone Detection "
        "Tools. Mutation 2009."
    ),
    options=MutantParameters,
    build=derive_mutants,
)
