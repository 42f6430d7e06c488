"""The library at work on small benchmarks, so that every SELECT of it is asked once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
from click.testing import CliRunner

from clonetruth.audit import AuditOptions, audit, fix_plan
from clonetruth.audit.output import example_texts
from clonetruth.build.bcb_pairs import build_bcb_pairs
from clonetruth.build.confidence_bcb import ConfidenceOptions, Negatives, build_confidence_bcb
from clonetruth.build.contest import ContestOptions, build_contest
from clonetruth.build.exemplar_similarity import ExemplarSimilarity
from clonetruth.build.fixes import FixOptions, apply_plan
from clonetruth.build.functionalities import RecoveryOptions, build_functionalities
from clonetruth.build.inject import InjectOptions, build_inject
from clonetruth.build.judged_tags import TagEvidence
from clonetruth.build.label_quality import label_quality
from clonetruth.build.mutants import MutantOptions, build_mutants
from clonetruth.cli import cli
from clonetruth.detectors import DETECTORS, FINDERS
from clonetruth.errors import InputError
from clonetruth.evaluate.labels.judged_labels import judged_label_error
from clonetruth.evaluate.labels.label_correction import corrections
from clonetruth.evaluate.labels.precision import judged_precision
from clonetruth.evaluate.locations.evaluation import LocationOptions, StudyRequest, evaluate_locations
from clonetruth.evaluate.locations.matchers import parse_matcher
from clonetruth.evaluate.locations.reported import ReportFiles
from clonetruth.evaluate.locations.selection import Selection, SimilarityType
from clonetruth.evaluate.locations.study import ReportedStudyOptions, study_of_reported
from clonetruth.evaluate.pairs.evaluation import Candidate, EvaluationRun, evaluate_pairs, result_of
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.evaluate.pairs.prediction import predict
from clonetruth.find import search
from clonetruth.formats.reports.bigcloneeval import FORMAT
from clonetruth.model import Judge, JudgeKind, Judgement, Pair, Role
from clonetruth.sources import embedded, import_dataset
from clonetruth.splits import VIEWS, Sampling, SplitOptions, split, verify_split
from clonetruth.splits.shift import measure_shift
from clonetruth.stats.sample_size import Allocation
from clonetruth.store import Benchmark, DuckDBEngine
from clonetruth.studies import (
    PopulationOptions,
    SampleOptions,
    choose_protocol,
    draw_study,
    estimate_labels,
    export_study,
    resolve_study,
)
from clonetruth.studies.agreement import AgreementOptions, agreement_of_benchmark
from clonetruth.verdicts import POLICIES, judge_verdicts
from tests.audit.cases import CASES
from tests.audit.drafts import Draft, clean, findings, function
from tests.build.contests import contest, solutions
from tests.build.drafts import Draft as Roles
from tests.build.drafts import flawed
from tests.build.lists import listed
from tests.build.trees import imported, tree
from tests.evaluate.arena import PAIRS, arena, scored
from tests.evaluate.arena import predictions as read
from tests.find.search_trees import written
from tests.sources.bcb_fixtures import bigclonebench, oreo_precision
from tests.store.samples import ADA, small
from tests.studies.workshop import answer, labelled


def _run(*arguments: object) -> None:
    """A command, within this process."""
    done = CliRunner().invoke(cli, [str(one) for one in arguments])
    assert done.exit_code in (0, 1), done.output
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception


def store(folder: Path) -> None:
    """Creation, later judgements, measures, the datasheet."""
    benchmark = small(folder / "small")
    benchmark.append_judgements([ADA], [Judgement("ada", "shares-functionality", "clone", pair=0)])
    benchmark.write_measures("mine", pa.table({"pair": [0, 1], "similarity_token": [0.5, None]}))
    assert "ada" not in benchmark.datasheet()
    for policy in POLICIES:
        judge_verdicts(benchmark, policy)


def rules(folder: Path) -> None:
    """Every audit rule on the benchmark that it speaks against, and what it says to mend it with."""
    for code, case in CASES.items():
        benchmark = case.draft().create(folder / code)
        for finding in findings(benchmark, code, **case.thresholds):
            if finding.mend is not None and finding.mend.sql is not None:
                benchmark.sql(finding.mend.sql)


def comparisons(folder: Path) -> None:
    """The audit rules that compare, on a benchmark with everything in it, and the audit's page."""
    benchmark = clean().create(folder / "clean")
    keys = benchmark.table("fragments")["fragment"]
    parts = ["train" if key % 3 else "test" for key in keys.to_pylist()]
    benchmark.write_table("splits", "random-1", pa.table({"fragment": keys, "part": parts}))
    other = Draft(language="c", card={"name": "experts"}).fragment("f1").fragment("f2")
    by_id = other.pair("f2", "f1", None, "ada not-clone", "bob not-clone").create(folder / "by-id")
    options = AuditOptions(thresholds={"shortcut-cases": 10})
    example_texts(audit(benchmark, options, against=[by_id], reference=benchmark))
    words = Draft().fragment("one", function(50)).fragment("two", function(51)).pair("one", "two", None, "ada clone")
    claimed = Draft().fragment("7", function(50)).fragment("8", function(51)).pair("7", "8", "clone")
    against = [words.create(folder / "by-words")]
    audit(claimed.create(folder / "claimed"), AuditOptions(select=("CT605",)), against=against)


def doubts(folder: Path) -> None:
    """What rules say of undecided claims and of memberships that judges do not agree on."""
    draft = Draft(judges={"other": Judge("other", JudgeKind.RULE, "Another rule")})
    draft.pair("a", "b", "clone", "other not-clone").member("a", "copy", Role.UNDECIDED).member("b", "copy")
    draft.says("ada", "major", "a", "copy").says("ada", "major", "b", "copy").says("bob", "wrong", "b", "copy")
    assert audit(draft.create(folder / "doubts"), AuditOptions(select=("CT1",))).findings


MATCHERS = ("coverage:0.7", "coverage:0.5,line=2", "coverage:0.5,ratio=0.5", "exact", "near:2", "subsume:ratio=0.2")
REPORT = """\
selected,7.java,2,4,selected,7.java,5,8
sample,Hash.java,2,4,selected,7.java,2,4
elsewhere,1.java,1,9,elsewhere,2.java,1,9
"""


def locations(folder: Path) -> None:
    """A report of locations on a benchmark that publishes its claims, and on one that was measured."""
    (folder / "original").mkdir()
    published = import_dataset("bigclonebench", bigclonebench(folder / "original"), folder / "published")
    report = folder / "tool.csv"
    report.write_text(REPORT)
    for number, matcher in enumerate(MATCHERS):
        similarity = list(SimilarityType)[number % len(SimilarityType)]
        options = LocationOptions(Selection(similarity=similarity, min_lines=1), parse_matcher(matcher))
        evaluate_locations(Benchmark.open(published.path), ReportFiles([report], FORMAT), "tool", options)
    wish = StudyRequest(folder / "study", ReportedStudyOptions(size=2))
    evaluate_locations(Benchmark.open(published.path), ReportFiles([report], FORMAT), "tool", study=wish)
    measured = arena(folder)
    _run("classify", measured.path, "--processes", 1)
    report.write_text("sort,0.java,1,4,sort,1.java,1,4\nsum,0.java,1,4,copy,0.java,1,3\n")
    evaluate_locations(measured, ReportFiles([report], FORMAT), "tool")


def studies(folder: Path) -> None:
    """The sample that would settle a precision, with scores and without."""
    benchmark = arena(folder)
    ends = {"first_line": [1, 1, 1], "last_line": [4, 4, 3]}
    sides = {f"{side}_{name}": values for side in ("left", "right") for name, values in ends.items()}
    paths = {
        "left_path": ["sort/0.java", "sum/0.java", "x.java"],
        "right_path": ["sort/1.java", "copy/0.java", "y.java"],
    }
    reported = pa.table({**sides, **paths, "pair": pa.array([0, None, None], pa.int64())})
    scores = pa.array([0.5, 0.9, None], pa.float64())
    for name, table in {"sizes": reported, "scores": reported.append_column("score", scores)}.items():
        study_of_reported(benchmark, table, folder / name, ReportedStudyOptions(size=2))


def judging(folder: Path) -> None:
    """A study drawn from labelled pairs in every way, judged, and brought back; the agreement of its judges."""
    benchmark = labelled(folder / "benchmark")
    benchmark.write_measures("mine", pa.table({"pair": range(60), "clone_type": ["T1", "T2"] * 30}))
    condition = "clone_type = 'T1' AND verdict = 'clone' AND left_language LIKE 'j%'"
    chosen = choose_protocol("krinke")
    protocol = replace(chosen, protocol=replace(chosen.protocol, training=1))
    options = SampleOptions(protocol, PopulationOptions(condition, stratify=("functionality", "label")), size=9)
    study = draw_study(
        benchmark, folder / "study", replace(options, methods=True), known=embedded.build(folder / "known")
    )
    answer(study, "ann", {0: "clone", 1: "not-clone"})
    answer(study, "bob", {0: "clone", 1: "clone"})
    answer(study, "ann", {0: "major"}, on="method")
    export_study(study, benchmark, estimate=estimate_labels(study, resolve_study(study)))
    export_study(study, benchmark)
    for policy in ("final", "dawid-skene", "experts-then-llm"):
        agreement_of_benchmark(benchmark, AgreementOptions("same-main-purpose", against=policy))
    agreement_of_benchmark(benchmark, AgreementOptions("same-main-purpose", of="ann"))
    draw_study(benchmark, folder / "more", replace(options, protocol=chosen, allocation=Allocation.NEYMAN))


def predictions(folder: Path) -> None:
    """Predictions and detectors on pairs; labels and tools that were judged."""
    benchmark = arena(folder)
    keys = range(benchmark.counts["fragments"])
    benchmark.write_table("splits", "half", pa.table({"fragment": keys, "part": ["test"] * len(keys)}))
    file = scored(folder)
    trial = EvaluationRun.run(benchmark, Candidate(file), PairsOptions(policy="origin", threshold=0.5))
    assert corrections(trial, result_of(trial))
    labels = "".join(f"{pair.left},{pair.right},{int(not clone)}\n" for pair, clone in PAIRS)
    evaluate_pairs(benchmark, read(folder, labels, "left,right,label"), PairsOptions(policy="origin"))
    for options in (
        PairsOptions(policy="origin", part="test"),
        PairsOptions(policy="origin", view="half", part="test", threshold=0.5),
        PairsOptions(threshold=0.5),
    ):
        evaluate_pairs(benchmark, file, options)
    _run("classify", benchmark.path, "--processes", 1)
    evaluate_pairs(benchmark, DETECTORS["length"], PairsOptions(policy="origin", threshold=0.5))
    assert predict(benchmark, DETECTORS["length"], view="half", part="test").num_rows
    assert judged_label_error(benchmark) is not None
    (folder / "original").mkdir()
    judged = import_dataset("oreo-precision", oreo_precision(folder / "original"), folder / "judged")
    assert judged_precision(Benchmark.open(judged.path))


def views(folder: Path) -> None:
    """Every view of benchmarks with and without projects and languages, its verification, and what it changes."""
    seen = [arena(folder).path, Draft().pair("a", "b", "clone").create(folder / "without-parts").path]
    for benchmark in (Benchmark.open(seen[0]), clean().create(folder / "clean")):
        for view in VIEWS:
            options = SplitOptions(
                view=view,
                policy="origin",
                both_classes=False,
                min_fragments=0,
                min_pairs=0,
                sampling=Sampling(test_pairs=2, balance=True),
                against=tuple(map(str, seen)) if view.startswith("unseen") else (),
            )
            # What a view cannot divide it refuses after having asked.
            with contextlib.suppress(InputError):
                name = split(benchmark, options).name
                verify_split(benchmark, name)
                measure_shift(benchmark, name)
                drawn = PairsOptions(policy="origin", view=name, part="test", threshold=0.5, baselines=())
                evaluate_pairs(benchmark, DETECTORS["length"], drawn)
                _run(
                    "export",
                    benchmark.path,
                    "csv",
                    "-o",
                    folder / f"{benchmark.path.name}-{name}",
                    "--policy",
                    "origin",
                    "--split",
                    name,
                )


def builds(folder: Path) -> None:
    """Every recipe, with the choices that ask other questions, and the quality of labels."""
    (folder / "original").mkdir()
    import_dataset("bigclonebench", bigclonebench(folder / "original"), folder / "published")
    draft = Roles().functionality("f", 2, 3, 2).functionality("g", 1, 2, 1)
    draft.member("both", "f", Role.EXEMPLAR).member("both", "g", Role.TAGGED_FALSE).member(
        "g-x0", "f", Role.TAGGED_TRUE
    )
    draft.pairs = [Pair("f-x0", "f-p0", "f", "T4", 0.9), Pair("f-p1", "f-x0", "f", "T4", 0.1)]
    draft.claims = [{"judges": 2, "confidence": 2}, {"judges": 2, "confidence": 1}]
    draft.judgements += [Judgement("ann", "shares-functionality", "clone", pair=pair) for pair in (0, 1)]
    parent = draft.create(folder / "roles")
    build_bcb_pairs(parent, folder / "pairs")
    for number, options in enumerate(
        (
            ConfidenceOptions(cap=3, negatives=Negatives.ORIGINAL),
            ConfidenceOptions(evidence=TagEvidence.CLAIMS, likeness=ExemplarSimilarity.CLAIMED, tagged_pairs=True),
        )
    ):
        build_confidence_bcb(parent, folder / f"confidence-{number}", options)
    grown = Roles().member("x", "f", Role.EXEMPLAR, path="selected/7.java", lines=(2, 4))
    grown.member("p", "f", Role.TAGGED_TRUE, "minor", "minor")
    options = ConfidenceOptions(files=folder / "original" / "bcb_reduced")
    build_confidence_bcb(grown.create(folder / "placed"), folder / "grown", options)
    shared = [*solutions("a", 3), "class S { }"]
    parts = contest(folder / "contest", {"a": [*shared, shared[0]], "b": [*solutions("b", 3), "class S { }"]})
    build_contest(parts, folder / "paired", ContestOptions(solutions=2, cap=2))
    mended = flawed(folder / "flawed")
    steps = fix_plan(audit(mended, AuditOptions(select=("CT1", "CT2"))))
    more = {"code": "CT209", "operation": "deduplicate-texts", "says": "", "sql": None}
    steps["steps"] += [{**more, "parameters": parameters} for parameters in ({}, {"within": "functionality"})]
    apply_plan(mended, folder / "mended", FixOptions(steps))
    for exemplars in (None, parent):
        label_quality(parent, exemplars=exemplars)
    lists = listed(folder / "lists", {"4": 12, "2": 8})
    known = RecoveryOptions((lists.table(folder / "members.csv", 0.5),), folds=2)
    build_functionalities(lists.benchmark, folder / "recovered", known)


def constructions(folder: Path) -> None:
    """Mutants, placed into a system, and what a report and a detector find of them."""
    parent = imported(folder / "functions", tree(folder / "source"))
    made = build_mutants(parent, folder / "mutants", MutantOptions(operators=("mSRI",), originals=4))
    mutants = Benchmark.open(made.path)
    evaluate_pairs(mutants, DETECTORS["length"], PairsOptions(threshold=0.5))
    system = tree(folder / "system" / "src", first=100).parent
    placed = Benchmark.open(build_inject(mutants, folder / "placed", InjectOptions(system)).path)
    report = folder / "tool.csv"
    report.write_text("src,part0.java,1,99,src,part1.java,1,99\n")
    evaluate_locations(placed, ReportFiles([report], FORMAT), "tool")


def searches(folder: Path) -> None:
    """A search for clones whose join runs on an engine."""
    body = "".join(f"total = add(total, item{number});" for number in range(12))
    files = written(folder / "tree", {f"{name}.java": f"class A {{ int {name}() {{ {body} }} }}" for name in "abc"})
    assert search(files, [FINDERS["tokens"]], engine=DuckDBEngine()).pairs.num_rows == 3


def commands(folder: Path) -> None:
    """A BigCloneBench in small through the commands, and the demonstration."""
    (folder / "original").mkdir()
    path = folder / "bigclonebench"
    import_dataset("bigclonebench", bigclonebench(folder / "original"), path)
    _run("info", path)
    _run("classify", path, "--processes", 1)
    left, right = Benchmark.open(path).table("fragments")["id"].to_pylist()[:2]
    _run("compare", left, right, "--in", path)
    keys = Benchmark.open(path).table("fragments")["fragment"]
    Benchmark.open(path).write_table("splits", "all-1", pa.table({"fragment": keys, "part": ["train"] * len(keys)}))
    for name in ("bigcloneeval", "huggingface", "csv"):
        _run("export", path, name, "-o", folder / name, "--policy", "origin")
    _run("export", path, "codexglue", "-o", folder / "split", "--policy", "origin", "--split", "all-1")
    _run("demo", "-o", folder / "demo")


WORKLOADS: tuple[Callable[[Path], None], ...] = (
    store,
    rules,
    doubts,
    comparisons,
    locations,
    studies,
    judging,
    predictions,
    views,
    builds,
    constructions,
    searches,
    commands,
)
