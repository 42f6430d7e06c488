"""Contests as a making: accepted solutions are paired, across languages if asked, and executed on shared inputs.

That an online judge accepted both solutions is one piece of evidence (the policy `members`), that they printed the same
for the same inputs another (`equivalent-behaviour`). The benchmark has both, and no label of a rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clonetruth.build.contest import ContestParameters, derive_contest
from clonetruth.build.derivation import DerivationPlan, DerivationRecord, derive
from clonetruth.build.report import BuildStep
from clonetruth.code import language
from clonetruth.errors import InputError
from clonetruth.make.making_folder import BENCHMARK
from clonetruth.make.report import make_lineage
from clonetruth.make.stage import Stage, StageOutcome, StageWork
from clonetruth.model import CRITERIA, Card, JudgeKind, Recipe, Subject, VerdictValue
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark, open_benchmark
from clonetruth.verdicts import judge_verdicts

_LANGUAGE_PAIRS = """
SELECT least(l.language, r.language) AS one, greatest(l.language, r.language) AS other,
    CASE WHEN p.functionality IS NULL THEN 'different problems' ELSE 'one problem' END AS relation,
    count(*) AS pairs
FROM pairs p
JOIN fragments l ON p.left = l.fragment
JOIN fragments r ON p.right = r.fragment
GROUP BY least(l.language, r.language), greatest(l.language, r.language),
    CASE WHEN p.functionality IS NULL THEN 'different problems' ELSE 'one problem' END
ORDER BY one, other, relation
"""
_KEPT_FRAGMENTS = "SELECT f.fragment AS fragment FROM fragments f ORDER BY f.fragment"
_KEPT_MEMBERSHIPS = """
SELECT m.fragment AS fragment, m.functionality AS functionality, m.role AS role
FROM memberships m
ORDER BY m.functionality, m.fragment
"""
_KEPT_FUNCTIONALITIES = "SELECT f.functionality AS functionality FROM functionalities f ORDER BY f.functionality"
_KEPT_PAIRS = """
SELECT p.pair AS parent, p.left AS left, p.right AS right, p.functionality AS functionality,
    CAST(NULL AS STRING) AS value, CAST(NULL AS STRING) AS reason
FROM pairs p
"""

_NO_LABELS = (
    "The pairs have no labels: by the policy 'members' they are clones if an online judge accepted both sides for one "
    "problem, by the criterion 'equivalent-behaviour' if execution on shared inputs found no difference."
)


@dataclass(frozen=True)
class ContestStageOptions:
    """The keys of the stage; see `clonetruth build contest`.

    Attributes:
        benchmark: a benchmark folder of a contest source.
        source: a source that is imported instead, such as `clcdsa`.
        paths: the files of that source.
        across_languages: only pairs of solutions in two languages.
        at_least: minimum number of accepted solutions of a problem.
        cap: maximum number of solutions of a problem.
        positives: maximum number of pairs within problems.
        ratio: number of pairs across problems for each pair within one.
        overlapping_problems: `keep`, `merge` or `leave-out` problems that share a program.
        seed: random seed.
    """

    benchmark: str | None = None
    source: str | None = None
    paths: tuple[str, ...] = ()
    across_languages: bool = True
    at_least: int = 2
    cap: int | None = None
    positives: int | None = None
    ratio: float = 1.0
    overlapping_problems: str = "keep"
    seed: int = 0

    @property
    def parameters(self) -> ContestParameters:
        """The choices of the recipe that pairs."""
        return ContestParameters(
            solutions=self.at_least,
            cap=self.cap,
            overlapping_problems=self.overlapping_problems,
            positives=self.positives,
            ratio=self.ratio,
            across_languages=self.across_languages,
            seed=self.seed,
        )


def _pair(work: StageWork) -> StageOutcome:
    options: ContestStageOptions = work.options
    parent = _solutions(work)
    report = derive_contest(parent, work.output / "candidates", options.parameters)
    made = open_benchmark(report.path)
    drawn = report.step("pairs").counts
    return StageOutcome(
        taken={"solutions": report.step("accepted").counts["solutions"]},
        given={"pairs within problems": drawn["within problems"], "pairs across problems": drawn["across problems"]},
        left_out={
            step.name: dropped for step in report.steps if (dropped := step.counts.get("dropped", 0)) and step.done
        },
        notes=report.warnings,
        details={"pairs by language": _by_language(made)},
    )


def _solutions(work: StageWork) -> Benchmark:
    options: ContestStageOptions = work.options
    if options.benchmark is not None:
        return open_benchmark(work.path(options.benchmark))
    assert options.source is not None
    paths = [work.path(one) for one in options.paths]
    return import_dataset(options.source, paths, output=work.output / "imported").benchmark


def _by_language(benchmark: Benchmark) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for row in benchmark.sql(_LANGUAGE_PAIRS).to_pylist():
        titles = " and ".join(dict.fromkeys(language(row[side]).title for side in ("one", "other")))
        found.setdefault(titles, {})[row["relation"]] = row["pairs"]
    return found


def _check_contest(options: ContestStageOptions) -> None:
    if (options.benchmark is None) is (options.source is None):
        raise InputError("The stage 'contest' needs either a benchmark, or a source and its paths.")
    if options.source is not None and not options.paths:
        raise InputError(f"The source '{options.source}' needs paths.")
    assert options.parameters


CONTEST_STAGE = Stage(
    name="contest",
    description="Pair the accepted solutions of a contest, across languages, as a benchmark that judges can work on.",
    options=ContestStageOptions,
    run=_pair,
    writes=("candidates",),
    check=_check_contest,
)


@dataclass(frozen=True)
class JudgedOptions:
    """The keys of the stage.

    Attributes:
        criteria: the criteria whose verdicts the report counts.
    """

    criteria: tuple[str, ...] = ("equivalent-behaviour",)


def _write(work: StageWork) -> StageOutcome:
    options: JudgedOptions = work.options
    candidates = open_benchmark(work.artefact("candidates"))
    made = work.recipe.card
    card = Card(
        name=made.name,
        version=made.version,
        description=made.description,
        licence=made.licence,
        citation=made.citation,
        criterion=options.criteria[0],
        languages=candidates.card.languages,
        known_flaws=(*made.known_flaws, *candidates.card.known_flaws, _NO_LABELS),
        problems_disjoint=candidates.card.problems_disjoint,
    )
    path: Path = work.making / BENCHMARK
    counted = {"pairs": candidates.counts["pairs"]}
    derive(
        candidates,
        path,
        card,
        DerivationPlan(
            fragments=candidates.sql(_KEPT_FRAGMENTS),
            memberships=candidates.sql(_KEPT_MEMBERSHIPS),
            functionalities=candidates.sql(_KEPT_FUNCTIONALITIES),
            pairs=_KEPT_PAIRS,
            tables={"pairs": candidates.parquet("pairs")},
            order="made.parent",
            copies_pairs=True,
            judge_kinds=tuple(JudgeKind),
        ),
        DerivationRecord(
            recipe=Recipe("make", make_lineage(work, StageOutcome(taken=counted, given=counted))),
            steps=(BuildStep("pairs", True, counted, "with every judgement on them"),),
        ),
    )
    benchmark = open_benchmark(path)
    verdicts = {name: _verdicts(benchmark, name) for name in options.criteria}
    first = verdicts[options.criteria[0]]
    return StageOutcome(
        taken=counted,
        given={f"{value} by the evidence": first.get(str(value), 0) for value in VerdictValue},
        details={"verdicts by criterion": verdicts, "pairs by language": _by_language(benchmark)},
    )


def _verdicts(benchmark: Benchmark, criterion: str) -> Mapping[str, int]:
    try:
        return {str(value): count for value, count in judge_verdicts(benchmark, criterion=criterion).counts.items()}
    except InputError:
        return {str(VerdictValue.UNKNOWN): benchmark.counts["pairs"]}  # no judge was asked this


def _check_judged(options: JudgedOptions) -> None:
    for name in options.criteria:
        if name not in CRITERIA or CRITERIA[name].subject is not Subject.PAIR:
            raise InputError(f"'{name}' is not a criterion on pairs.", hint=f"Known: {', '.join(CRITERIA)}.")
    if not options.criteria:
        raise InputError("The stage 'judged' needs a criterion.")


JUDGED_STAGE = Stage(
    name="judged",
    description="Write the benchmark: all candidates, with every judgement on them and no label of a rule.",
    options=JudgedOptions,
    run=_write,
    reads=("candidates",),
    writes=(BENCHMARK,),
    check=_check_judged,
)
