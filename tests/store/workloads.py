"""The library at work on small benchmarks, so that every SELECT of it is asked once."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
from click.testing import CliRunner

from clonetruth.audit import audit_benchmark, fix_plan
from clonetruth.audit.output import example_texts
from clonetruth.build.assumed_negatives import AssumedNegativesParameters, derive_assumed_negatives
from clonetruth.build.bcb_pairs import derive_bcb_pairs
from clonetruth.build.confidence_bcb import ConfidenceBcbParameters, Negatives, derive_confidence_bcb
from clonetruth.build.contest import ContestParameters, derive_contest
from clonetruth.build.exemplar_similarity import ExemplarSimilarity
from clonetruth.build.fixes import FixParameters, apply_plan
from clonetruth.build.functionalities import RecoveryParameters, build_functionalities
from clonetruth.build.inject import InjectionParameters, derive_injection
from clonetruth.build.judged_tags import TagEvidence
from clonetruth.build.label_quality import measure_label_quality
from clonetruth.build.mutants import MutantParameters, derive_mutants
from clonetruth.cli import cli
from clonetruth.detectors import DETECTORS, FINDERS
from clonetruth.errors import InputError
from clonetruth.evaluate.labels.correction import correct_run
from clonetruth.evaluate.labels.precision import judged_precision
from clonetruth.evaluate.locations.evaluation import LocationOptions, StudyRequest, evaluate_locations
from clonetruth.evaluate.locations.matchers import parse_matcher
from clonetruth.evaluate.locations.reported import ReportFiles
from clonetruth.evaluate.locations.selection import Selection, SimilarityType
from clonetruth.evaluate.locations.study import ReportedStudyOptions, study_of_reported
from clonetruth.evaluate.pairs.evaluation import Candidate, EvaluationRun, build_result, evaluate_pairs
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.evaluate.pairs.prediction import predict_benchmark
from clonetruth.evaluate.retrieval import RetrievalOptions, evaluate_retrieval
from clonetruth.find import search_files
from clonetruth.formats.predictions_in_memory import load_predictions
from clonetruth.formats.reports.bigcloneeval import FORMAT
from clonetruth.judges import judge_by_execution
from clonetruth.make import make_benchmark as make_from_recipe
from clonetruth.make import plan_make
from clonetruth.model import Judge, JudgeKind, Judgement, Pair, Role
from clonetruth.report.export import export_benchmark
from clonetruth.sources import attach_evidence, embedded, import_dataset
from clonetruth.splits import VIEWS, Sampling, SplitSpec, create_split, verify_split
from clonetruth.splits.shift import measure_shift
from clonetruth.stats.sample_size import Allocation
from clonetruth.store import Benchmark, DuckDBEngine
from clonetruth.studies import (
    PopulationDesign,
    SampleDesign,
    choose_protocol,
    draw_study,
    estimate_labels,
    export_judgements,
    resolve_subjects,
)
from clonetruth.studies.agreement import measure_agreement
from clonetruth.studies.sampling import draw_function_study
from clonetruth.verdicts import POLICIES, judge_verdicts
from clonetruth.verdicts.judged_labels import judged_labels, label_types
from tests.audit.cases import CASES
from tests.audit.drafts import Draft, clean, findings, function
from tests.build.contests import contest, solutions
from tests.build.drafts import Draft as Roles
from tests.build.drafts import flawed
from tests.build.lists import listed
from tests.build.trees import imported, tree
from tests.evaluate.sample_benchmark import PAIRS, sample_benchmark, scored
from tests.evaluate.sample_benchmark import predictions as read
from tests.execution.sandboxed import LACKING
from tests.find.search_trees import written
from tests.judges.chat_server import serving
from tests.judges.executed import make_benchmark
from tests.make.recipes import judging_model, seed_benchmark, write_judged_recipe, write_recipe, writing_model
from tests.sources.bcb_fixtures import bigclonebench, oreo_precision
from tests.store.samples import ADA, small
from tests.studies.example_studies import add_answers, labelled_benchmark


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
    benchmark.verify()
    for policy in POLICIES:
        judge_verdicts(benchmark, policy)


def rules(folder: Path) -> None:
    """Every audit rule on a benchmark that violates it, and the fix that it proposes."""
    for code, case in CASES.items():
        benchmark = case.draft().create(folder / code)
        for finding in findings(benchmark, code, **case.thresholds):
            if finding.fix is not None and finding.fix.sql is not None:
                benchmark.sql(finding.fix.sql)


def comparisons(folder: Path) -> None:
    """The audit rules that compare, on a benchmark with everything in it, and the audit's page."""
    benchmark = clean().create(folder / "clean")
    keys = benchmark.table("fragments")["fragment"]
    parts = ["train" if key % 3 else "test" for key in keys.to_pylist()]
    benchmark.write_table("splits", "random-1", pa.table({"fragment": keys, "part": parts}))
    other = Draft(language="c", card={"name": "experts"}).fragment("f1").fragment("f2")
    by_id = other.pair("f2", "f1", None, "ada not-clone", "bob not-clone").create(folder / "by-id")
    limits = {"shortcut-cases": 10}
    corpus = folder / "corpus"
    corpus.mkdir()
    (corpus / "twin.java").write_text(benchmark.table("fragments")["text"][0].as_py(), encoding="utf-8")
    example_texts(audit_benchmark(benchmark, thresholds=limits, against=[by_id], reference=benchmark, corpus=[corpus]))
    words = Draft().fragment("one", function(50)).fragment("two", function(51)).pair("one", "two", None, "ada clone")
    claimed = Draft().fragment("7", function(50)).fragment("8", function(51)).pair("7", "8", "clone")
    against = [words.create(folder / "by-words")]
    audit_benchmark(claimed.create(folder / "claimed"), select=("CT605",), against=against)


def doubts(folder: Path) -> None:
    """What rules say of undecided claims and of memberships that judges do not agree on."""
    draft = Draft(judges={"other": Judge("other", JudgeKind.RULE, "Another rule")})
    draft.pair("a", "b", "clone", "other not-clone").member("a", "copy", Role.UNDECIDED).member("b", "copy")
    draft.judgement("ada", "major", "a", "copy").judgement("ada", "major", "b", "copy")
    draft.judgement("ada", "wrong", "a", "copy").judgement("bob", "wrong", "b", "copy")
    assert audit_benchmark(draft.create(folder / "doubts"), select=("CT1",)).findings


MATCHERS = ("coverage:0.7", "coverage:0.5,line=2", "coverage:0.5,ratio=0.5", "exact", "near:2", "subsume:ratio=0.2")
REPORT = """\
selected,7.java,2,4,selected,7.java,5,8
sample,Hash.java,2,4,selected,7.java,2,4
elsewhere,1.java,1,9,elsewhere,2.java,1,9
"""


def locations(folder: Path) -> None:
    """A report of locations on a benchmark that publishes its claims, and on one that was measured."""
    (folder / "original").mkdir()
    published = import_dataset("bigclonebench", bigclonebench(folder / "original"), output=folder / "published")
    report = folder / "tool.csv"
    report.write_text(REPORT)
    for number, matcher in enumerate(MATCHERS):
        similarity = list(SimilarityType)[number % len(SimilarityType)]
        options = LocationOptions(Selection(similarity=similarity, min_lines=1), parse_matcher(matcher))
        evaluate_locations(Benchmark.open(published.path), ReportFiles([report], FORMAT), "tool", options)
    request = StudyRequest(folder / "study", ReportedStudyOptions(size=2))
    evaluate_locations(Benchmark.open(published.path), ReportFiles([report], FORMAT), "tool", study=request)
    measured = sample_benchmark(folder)
    _run("classify", measured.path, "--processes", 1)
    report.write_text("sort,0.java,1,4,sort,1.java,1,4\nsum,0.java,1,4,copy,0.java,1,3\n")
    evaluate_locations(measured, ReportFiles([report], FORMAT), "tool")


def studies(folder: Path) -> None:
    """The sample that would settle a precision, with scores and without."""
    benchmark = sample_benchmark(folder)
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
    benchmark = labelled_benchmark(folder / "benchmark")
    benchmark.write_measures("mine", pa.table({"pair": range(60), "clone_type": ["T1", "T2"] * 30}))
    condition = "clone_type = 'T1' AND verdict = 'clone' AND left_language LIKE 'j%'"
    chosen = choose_protocol("krinke")
    protocol = replace(chosen, protocol=replace(chosen.protocol, training=1))
    options = SampleDesign(protocol, PopulationDesign(condition, stratify=("functionality", "label")), size=9)
    study = draw_study(
        benchmark, folder / "study", replace(options, methods=True), known=embedded.build(folder / "known")
    )
    add_answers(study, "ann", {0: "clone", 1: "not-clone"})
    add_answers(study, "bob", {0: "clone", 1: "clone"})
    add_answers(study, "ann", {0: "major"}, on="method")
    export_judgements(study, benchmark, estimate=estimate_labels(study, resolve_subjects(study)))
    export_judgements(study, benchmark)
    for policy in ("final", "dawid-skene", "experts-then-llm"):
        measure_agreement(benchmark, criterion="same-main-purpose", against=policy)
    measure_agreement(benchmark, criterion="same-main-purpose", of="ann")
    assert not isinstance(judged_labels(benchmark, "same-main-purpose"), str)
    draw_study(benchmark, folder / "more", replace(options, protocol=chosen, allocation=Allocation.NEYMAN))
    with_checks = replace(chosen.protocol, attention=2, sitting=False)
    checked = replace(options, protocol=replace(chosen, protocol=with_checks))
    draw_study(benchmark, folder / "settled", checked)
    gold = folder / "gold.csv"
    gold.write_text("left,right,answer\ncopy-1,copy-0,clone\n")
    draw_study(benchmark, folder / "gold", replace(checked, gold=str(gold)))
    draw_function_study(benchmark, folder / "functions", SampleDesign(choose_protocol("bigclonebench"), size=3))


def predictions(folder: Path) -> None:
    """Predictions and detectors on pairs; labels and tools that were judged."""
    benchmark = sample_benchmark(folder)
    keys = range(benchmark.counts["fragments"])
    benchmark.write_table("splits", "half", pa.table({"fragment": keys, "part": ["test"] * len(keys)}))
    file = scored(folder)
    run = EvaluationRun.run(benchmark, Candidate(file), PairsOptions(policy="origin", threshold=0.5))
    assert correct_run(run, build_result(run))[0]
    assert label_types(benchmark)
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
    assert predict_benchmark(benchmark, DETECTORS["length"], view="half", part="test").num_rows
    (folder / "original").mkdir()
    judged = import_dataset("oreo-precision", oreo_precision(folder / "original"), output=folder / "judged")
    assert judged_precision(Benchmark.open(judged.path))


def retrieval(folder: Path) -> None:
    """Clone search with scores from a file."""
    benchmark = contest(folder / "contest", {name: solutions(name, 4) for name in "ab"}, pairs=())
    ids = benchmark.table("fragments")["id"].to_pylist()
    scores = pa.table({"left": ids[:-1], "right": ids[1:], "score": [0.5] * (len(ids) - 1)})
    evaluate_retrieval(benchmark, load_predictions(scores), RetrievalOptions(baselines=()))


def views(folder: Path) -> None:
    """Every view of benchmarks with and without projects and languages, its verification, and what it changes."""
    seen = [sample_benchmark(folder).path, Draft().pair("a", "b", "clone").create(folder / "without-parts").path]
    for benchmark in (Benchmark.open(seen[0]), clean().create(folder / "clean")):
        for view in VIEWS:
            options = SplitSpec(
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
                name = create_split(benchmark, options).name
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
    import_dataset("bigclonebench", bigclonebench(folder / "original"), output=folder / "published")
    draft = Roles().functionality("f", 2, 3, 2).functionality("g", 1, 2, 1)
    draft.member("both", "f", Role.EXEMPLAR).member("both", "g", Role.TAGGED_FALSE).member(
        "g-x0", "f", Role.TAGGED_TRUE
    )
    draft.pairs = [Pair("f-x0", "f-p0", "f", "T4", 0.9), Pair("f-p1", "f-x0", "f", "T4", 0.1)]
    draft.claims = [{"judges": 2, "confidence": 2}, {"judges": 2, "confidence": 1}]
    draft.judgements += [Judgement("ann", "shares-functionality", "clone", pair=pair) for pair in (0, 1)]
    parent = draft.create(folder / "roles")
    derive_bcb_pairs(parent, folder / "pairs")
    for name, most in (("assumed", None), ("assumed-drawn", 2)):
        derive_assumed_negatives(parent, folder / name, AssumedNegativesParameters(3, 2, 2, most))
    for number, options in enumerate(
        (
            ConfidenceBcbParameters(cap=3, negatives=Negatives.ORIGINAL),
            ConfidenceBcbParameters(
                evidence=TagEvidence.CLAIMS, likeness=ExemplarSimilarity.CLAIMED, tagged_pairs=True
            ),
        )
    ):
        derive_confidence_bcb(parent, folder / f"confidence-{number}", options)
    grown = Roles().member("x", "f", Role.EXEMPLAR, path="selected/7.java", lines=(2, 4))
    grown.member("p", "f", Role.TAGGED_TRUE, "minor", "minor")
    options = ConfidenceBcbParameters(files=folder / "original" / "bcb_reduced")
    derive_confidence_bcb(grown.create(folder / "placed"), folder / "grown", options)
    shared = [*solutions("a", 3), "class S { }"]
    parts = contest(folder / "contest", {"a": [*shared, shared[0]], "b": [*solutions("b", 3), "class S { }"]})
    derive_contest(parts, folder / "paired", ContestParameters(solutions=2, cap=2, overlapping_problems="merge"))
    pairless = contest(folder / "pairless", {name: solutions(name, 3) for name in "abc"}, pairs=())
    evaluate_pairs(pairless, DETECTORS["length"], PairsOptions(policy="members"))
    benchmark = flawed(folder / "flawed")
    steps = fix_plan(audit_benchmark(benchmark, select=("CT1", "CT2")))
    more = {"code": "CT209", "operation": "deduplicate-texts", "says": "", "sql": None}
    steps["steps"] += [{**more, "parameters": parameters} for parameters in ({}, {"within": "functionality"})]
    apply_plan(benchmark, folder / "fixed", FixParameters(steps))
    for exemplars in (None, parent):
        measure_label_quality(parent, exemplars=exemplars)
    lists = listed(folder / "lists", {"4": 12, "2": 8})
    known = RecoveryParameters((lists.table(folder / "members.csv", 0.5),), folds=2)
    build_functionalities(lists.benchmark, folder / "recovered", known)


def constructions(folder: Path) -> None:
    """Mutants, placed into a system, and what a report and a detector find of them."""
    parent = imported(folder / "functions", tree(folder / "source"))
    made = derive_mutants(parent, folder / "mutants", MutantParameters(operators=("mSRI",), originals=4))
    mutants = Benchmark.open(made.path)
    evaluate_pairs(mutants, DETECTORS["length"], PairsOptions(threshold=0.5))
    system = tree(folder / "system" / "src", first=100).parent
    placed = Benchmark.open(derive_injection(mutants, folder / "placed", InjectionParameters(system)).path)
    report = folder / "tool.csv"
    report.write_text("src,part0.java,1,99,src,part1.java,1,99\n")
    evaluate_locations(placed, ReportFiles([report], FORMAT), "tool")


def searches(folder: Path) -> None:
    """A search for clones whose join runs on an engine."""
    body = "".join(f"total = add(total, item{number});" for number in range(12))
    files = written(folder / "tree", {f"{name}.java": f"class A {{ int {name}() {{ {body} }} }}" for name in "abc"})
    assert search_files(files, [FINDERS["tokens"]], engine=DuckDBEngine()).pairs.num_rows == 3


def commands(folder: Path) -> None:
    """A BigCloneBench in small through the commands, and the demonstration."""
    (folder / "original").mkdir()
    path = folder / "bigclonebench"
    import_dataset("bigclonebench", bigclonebench(folder / "original"), output=path)
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


def evidence(folder: Path) -> None:
    """Evidence that arrives later, matched by id and by text, with and without times."""
    benchmark = import_dataset("embedded", output=folder / "embedded").benchmark
    pairs = benchmark.sql(
        "SELECT l.id AS left, l.text AS left_text, r.text AS right_text FROM pairs p JOIN fragments l "
        "ON p.left = l.fragment JOIN fragments r ON p.right = r.fragment ORDER BY p.pair LIMIT 3"
    ).to_pylist()
    for number, one in enumerate([*pairs, *pairs]):
        one = {**one, "right": "unknown", "label": number % 2, "time": "2026-01-01" if number % 2 else None}
        with (folder / "labels.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(one) + "\n")
    stated = {"criterion": "same-main-purpose", "judge": "ann", "judge_kind": "person"}
    for _ in range(2):
        attach_evidence(benchmark, [folder / "labels.jsonl"], **stated)
        shutil.rmtree(benchmark.path / "records")
    judge_verdicts(benchmark, "origin")


def executions(folder: Path) -> None:
    """Pairs and tests that are run, what rules make of it, and what an audit says; nothing without a sandbox."""
    if LACKING:
        return
    for tests in (False, True):
        benchmark = make_benchmark(folder / f"tests-{tests}", tests=tests)
        for condition in ("label = 'clone'", None):
            judge_by_execution(benchmark.path, where=condition, runs=20, jobs=1)
        judge_verdicts(Benchmark.open(benchmark.path), "default:runs=10")
        audit_benchmark(Benchmark.open(benchmark.path), select=("CT6",))
    # A derived benchmark keeps the tests that its parent's source brought.
    steps = fix_plan(audit_benchmark(benchmark, select=("CT2",)))
    steps["steps"] = [{"code": "CT209", "operation": "deduplicate-texts", "says": "", "sql": None, "parameters": {}}]
    apply_plan(benchmark, folder / "derived", FixParameters(steps))


def makings(folder: Path) -> None:
    """Functions that are mined by stated rules, and clones that a model writes."""
    mined = make_from_recipe("example", output=folder / "mined")
    assert mined.finished
    seed_benchmark(folder / "seeds")
    with serving(writing_model) as server:
        recipe = write_recipe(folder, server.url)
        execution = '[[stage]]\nuse = "execution"\n\n[[stage]]\nuse = "generated"\n'
        make_from_recipe(recipe, output=folder / "written")
        planned = folder / "planned.toml"
        planned.write_text(recipe.read_text().replace('[[stage]]\nuse = "generated"\n', execution))
        plan_make(planned, output=folder / "written")
    with serving(judging_model) as server:
        (folder / "judged").mkdir()
        seed_benchmark(folder / "judged" / "seeds")
        keys = (
            'prompt-choice"\nkeep = ["other"]',
            'detectors"\ndetectors = ["tokens"]',
            'clonecognition"\ndetector = "tokens"',
        )
        stages = "".join(f'\n[[stage]]\nuse = "{one}\n' for one in keys)
        recipe = write_judged_recipe(folder / "judged", server.url, more=stages)
        judged = make_from_recipe(recipe, output=folder / "judged" / "made")
    assert judged.benchmark is not None
    export_benchmark(judged.benchmark, "gptclonebench", output=folder / "layout", criterion="functionally-similar")
    contest(folder / "solved", {name: solutions(name, 3) for name in "ab"}, pairs=())
    paired = folder / "paired.toml"
    paired.write_text(
        '[make]\nname = "c"\ndescription = "d"\n[[stage]]\nuse = "contest"\nbenchmark = "solved"\n'
        'across_languages = false\n[[stage]]\nuse = "judged"\n'
    )
    assert make_from_recipe(paired, output=folder / "contests").finished
    asked = '[[stage]]\nuse = "agreed-inputs"\n\n[[stage]]\nuse = "judged"\n'
    paired.write_text(paired.read_text().replace('[[stage]]\nuse = "judged"\n', asked))
    plan_make(paired, output=folder / "contests")
    with contextlib.suppress(InputError):
        derive_contest(
            Benchmark.open(folder / "solved"), folder / "across", ContestParameters(2, across_languages=True)
        )


WORKLOADS: tuple[Callable[[Path], None], ...] = (
    store,
    rules,
    doubts,
    comparisons,
    locations,
    studies,
    judging,
    predictions,
    retrieval,
    views,
    builds,
    constructions,
    evidence,
    searches,
    executions,
    makings,
    commands,
)
