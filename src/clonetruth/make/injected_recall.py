"""Table VI of GPTCloneBench's paper: finders on the system that the clones were inserted into.

Recall is the share of the inserted clones that a finder reports. For precision, a sample of its reports (400 in the
paper, of which 328 were right) becomes a separate benchmark, which people judge in an ordinary study.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path
from typing import Any

from clonetruth.code import language_of_path, read_source
from clonetruth.errors import InputError
from clonetruth.evaluate.locations.evaluation import evaluate_locations
from clonetruth.evaluate.locations.reported import ReportFiles
from clonetruth.find import ClonePair, clones_in
from clonetruth.find.output import bigcloneeval_lines
from clonetruth.formats.reports.registry import recognise_report
from clonetruth.make.judging import check_policy, unfinished_study
from clonetruth.make.stage import Stage, StageOutcome, StageWork, WaitingError
from clonetruth.model import Card, Fragment, Pair, Recipe, VerdictValue
from clonetruth.options.find import FindOptions
from clonetruth.stats.intervals import wilson
from clonetruth.store import Benchmark, BenchmarkWriter, open_benchmark, read_study
from clonetruth.studies import resolve_study, sample_study

_SYSTEM, _REPORTED = "system", "reported"


@dataclass(frozen=True)
class InjectedRecallOptions:
    """The keys of the stage.

    Attributes:
        finders: finders by name; see `clonetruth find --with`.
        sample: number of reports to judge, drawn by hash; the paper's is 400. 0 leaves the precision unknown.
        protocol: the protocol of the study that judges them.
        policy: how answers become verdicts.
        min_tokens: finders skip shorter functions.
        min_lines: finders skip functions with fewer lines.
        seed: random seed of the draw.
    """

    finders: tuple[str, ...]
    sample: int = 400
    protocol: str = "functionally-similar"
    policy: str = "majority"
    min_tokens: int = 50
    min_lines: int = 1
    seed: int = 0


def _sampled(pairs: Sequence[ClonePair], options: InjectedRecallOptions) -> list[ClonePair]:
    def place(one: ClonePair) -> str:
        sides = f"{one.left_path}:{one.left_first} {one.right_path}:{one.right_first}"
        return md5(f"{sides} {options.seed}".encode()).hexdigest()

    return sorted(pairs, key=place)[: options.sample]


def _fragments(system: Path, pairs: Sequence[ClonePair]) -> Iterator[Fragment]:
    seen: set[str] = set()
    for one in pairs:
        for path, first, last in (
            (one.left_path, one.left_first, one.left_last),
            (one.right_path, one.right_first, one.right_last),
        ):
            name = _place(path, first, last)
            if name in seen:
                continue
            seen.add(name)
            lines = read_source(system / path).text.split("\n")[first - 1 : last]
            found = language_of_path(path)
            if found is not None:
                yield Fragment(name, found.name, "\n".join(lines) + "\n", path=path, first_line=first, last_line=last)


def _place(path: str, first: int, last: int) -> str:
    return f"{path}:{first}-{last}"


def _write_reports(work: StageWork, finder: str, system: Path, pairs: Sequence[ClonePair]) -> Path:
    """The sampled reports of a finder as a benchmark that judges can work on; kept if it is there."""
    path = work.making / _REPORTED / f"{work.name}-{work.key[:8]}-{_word(finder)}"
    if path.exists():
        return path
    path.parent.mkdir(exist_ok=True)
    fragments = list(_fragments(system, pairs))
    card = Card(
        name=f"{work.recipe.card.name}-reported-by-{_word(finder)}",
        version=work.recipe.card.version,
        description=f"A random sample of the clones that {finder} reports in the system.",
        licence="as the system says",
        citation=work.recipe.card.citation,
        criterion="functionally-similar",
        languages=tuple(sorted({one.language for one in fragments})),
    )
    with BenchmarkWriter(path, card, recipe=Recipe("make reported", {"finder": finder}), engine=work.engine) as writer:
        writer.add("fragments", fragments)
        writer.add(
            "pairs",
            (
                Pair(
                    _place(one.left_path, one.left_first, one.left_last),
                    _place(one.right_path, one.right_first, one.right_last),
                )
                for one in pairs
            ),
        )
    return path


def _word(name: str) -> str:
    return "".join(sign if sign.isalnum() else "-" for sign in name)


def _precision(work: StageWork, finder: str, reports: Path) -> dict[str, Any] | str:
    """The precision by the judged sample; or what the study still waits for."""
    options: InjectedRecallOptions = work.options
    path = work.making / "studies" / f"{work.name}-{work.key[:8]}-{_word(finder)}"
    if path.exists():
        study = read_study(path)
    else:
        study = sample_study(reports, output=path, protocol=options.protocol, policy="default", margin=1e-9)
    found = resolve_study(study, options.policy).pairs
    waits = unfinished_study(study, found.verdicts.num_rows, found.verdicts.num_rows - found.judged)
    if waits is not None:
        return waits
    right = found.counts[VerdictValue.CLONE]
    decided = right + found.counts[VerdictValue.NOT_CLONE]
    interval = wilson(right, decided)
    return {
        "judged": decided,
        "right": right,
        "precision": round(right / decided, 3) if decided else None,
        "precision low": None if interval is None else round(interval.low, 3),
        "precision high": None if interval is None else round(interval.high, 3),
    }


def _found(work: StageWork, finder: str, system: Path) -> Iterator[ClonePair]:
    """The clones that a finder reports in the system, with paths relative to it."""
    options: InjectedRecallOptions = work.options
    asked = FindOptions(
        paths=(system,),
        with_=(finder,),
        min_tokens=options.min_tokens,
        min_lines=options.min_lines,
        index=False,
        include_generated=True,
        include_vendored=True,
        gitignore=False,
    )
    prefix = f"{system}/"
    with clones_in(asked, progress=work.progress) as clones:
        for one in clones.pairs():
            left, right = one.left_path.removeprefix(prefix), one.right_path.removeprefix(prefix)
            yield one._replace(left_path=left, right_path=right)


def _run(work: StageWork) -> StageOutcome:
    options: InjectedRecallOptions = work.options
    folder = work.making / "injected"
    if not (folder / _SYSTEM).is_dir():
        raise InputError("The clones were not inserted into a system.", where=folder, hint="Use the stage 'inject'.")
    benchmark, system = open_benchmark(folder), folder / _SYSTEM
    table: dict[str, dict[str, Any]] = {}
    waits: list[str] = []
    reported = 0
    for finder in options.finders:
        pairs = list(_found(work, finder, system))
        reported += len(pairs)
        report = work.output / f"{_word(finder)}.csv"
        report.write_text("".join(bigcloneeval_lines(pairs, [])), encoding="utf-8")
        row: dict[str, Any] = {"granularity": "function", "reported": len(pairs)}
        if pairs:
            row |= _recall(benchmark, report, finder)
        if options.sample and pairs:
            found = _precision(work, finder, _write_reports(work, finder, system, _sampled(pairs, options)))
            waits += [found] if isinstance(found, str) else []
            row |= {} if isinstance(found, str) else found
        table[finder] = row
    if waits:
        raise WaitingError(" ".join(waits))
    return StageOutcome(
        taken={"inserted pairs": benchmark.counts["pairs"]},
        given={"reported pairs": reported},
        notes=() if options.sample else ("The precision is unknown: sample = 0.",),
        details={"finders on the injected system (Table VI)": table},
    )


def _recall(benchmark: Benchmark, report: Path, finder: str) -> dict[str, Any]:
    files = ReportFiles([report], recognise_report((report,), "bigcloneeval"))
    result = evaluate_locations(benchmark, files, finder)
    scopes = next(one for one in result.strata if one.by == "project relation").groups
    parts = [one for scope in scopes for one in scope.measurements]
    found, clones = (int(sum(getattr(one, name) or 0 for one in parts)) for name in ("successes", "n"))
    interval = wilson(found, clones)
    return {
        "clones": clones,
        "found": found,
        "recall": round(found / clones, 3) if clones else None,
        "recall low": None if interval is None else round(interval.low, 3),
        "recall high": None if interval is None else round(interval.high, 3),
    }


def _check(options: InjectedRecallOptions) -> None:
    if not options.finders:
        raise InputError("The stage 'injected-recall' needs finders.")
    if options.sample < 0:
        raise InputError("The sample is negative.", hint="0 leaves the precision unknown.")
    check_policy(options.policy)


STAGE = Stage(
    name="injected-recall",
    description="Run finders on the system with the inserted clones: recall, and precision of sampled reports.",
    options=InjectedRecallOptions,
    run=_run,
    reads=("injected",),
    effort=("policy",),
    check=_check,
)
