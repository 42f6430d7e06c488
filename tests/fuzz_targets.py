"""What the fuzzer mutates besides datasets and reports: every other kind of file that a stranger may hand over.

A target writes good files and reads them the way a verb does.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

Write = Callable[[Path], list[Path]]
Target = tuple[Write, Callable[[list[Path], Path], object]]
"""Writes good files into a folder; reads them, with a second folder for output."""


def own_targets() -> dict[str, Target]:
    """Every kind of file of our own, by name."""
    written: dict[str, Write] = {
        "result": _result,
        "published-result": _published_result,
        "fix-plan": _fix_plan,
        "study": _study,
        "model": _model,
        "split": _split,
        "matrix": _matrix,
        "estimate": _estimate,
        "paper-pdf": _paper_pdf,
    }
    read = {
        "result": _rank,
        "published-result": _rank,
        "fix-plan": _apply_fixes,
        "study": _read_study,
        "model": _score,
        "split": _evaluate_split,
        "matrix": _read_matrix,
        "estimate": _read_estimates,
        "paper-pdf": _check_paper,
    }
    texts: dict[str, tuple[dict[str, str], Callable[[list[Path], Path], object]]] = {
        "settings": (_SETTINGS, _read_settings),
        "baseline": ({"baseline.json": _golden("clone-report-v2.json"), "a/A.java": _JAVA, "a/B.java": _JAVA}, _find),
        "predictions-csv": ({"tool.csv": "left,right,score\nsort0,sort1,0.9\nsort1,sum1,0.2\n"}, _evaluate),
        "predictions-text": ({"tool.txt": "sort0 sort1 1\nsort1 sum1 0\n"}, _evaluate),
        "predictions-jsonl": ({"tool.jsonl": _ROW + "\n" + _ROW.replace("sort1", "sum1") + "\n"}, _evaluate),
        "answers": ({"tool.csv": "left,right,label\na,b,1\nb,c,0\n", "truth.txt": "a b 1\nb c 0\n"}, _answer),
        "protocol": ({"p.toml": _PROTOCOL}, _sample),
        "llm-protocol": ({"p.toml": _LLM_PROTOCOL}, _find_protocol),
        "paper-protocol": ({"p.toml": _PAPER_PROTOCOL}, _find_paper_protocol),
        "paper-text": ({"p.txt": _PAPER}, _check_paper),
        "export-bibtex": ({"a.bib": _BIBTEX}, _collect),
        "export-ris": ({"a.ris": "TY  - JOUR\nTI  - Clones\nPY  - 2024\nDO  - 10.1000/x\nER  - \n"}, _collect),
        "export-csv": ({"a.csv": "Title,DOI,Year\nClones,10.1000/x,2024\nOther clones,,\n"}, _collect),
        "llm-log": ({"log.txt": _log()}, _protocol_from_log),
        "specifications-toml": ({"s.toml": '[copy]\nname = "Copy"\nspecification = "Copy a file."\n'}, _specify),
        "specifications-csv": ({"s.csv": "functionality,name,specification\ncopy,Copy,Copy a file.\n"}, _specify),
        "specifications-folder": ({"s/copy.md": "# Copy\nCopy a file.\n", "s/hash.md": "Hash a file.\n"}, _specify),
        "consent": ({"consent.md": "# Consent\n\nI agree.\n"}, _consent),
        "gold": ({"gold.csv": "left,right,answer\ncopy-0,copy-1,clone\ncopy-0,hash-0,not-clone\n"}, _gold),
        "prices-toml": ({"p.toml": "[tiny]\ninput = 2.5\noutput = 10\n"}, _price),
        "prices-json": ({"p.json": '{"tiny": {"input": 2.5, "output": 10}}'}, _price),
        "known-labels": ({"m.csv": "function_id,functionality_id,name\na,1,copy\nb,2,sort\n"}, _known_labels),
    }
    found: dict[str, Target] = {name: (_copied(write), read[name]) for name, write in written.items()}
    for name, (files, reader) in texts.items():
        found[name] = (_texts(files), reader)
    found["journal"] = (_journal, _read_journal)
    found["predictions-parquet"] = (_predictions_parquet, _evaluate)
    found["vectors-parquet"] = (_vectors_parquet, _retrieve)
    found["vectors-npz"] = (_vectors_npz, _retrieve)
    found["vectors-npy"] = (_vectors_npy, _retrieve)
    return found


_SETTINGS = {
    ".git/HEAD": "ref: refs/heads/main\n",
    "clonetruth.toml": '[find]\nmin-tokens = 30\nwith = ["near-miss"]\nexclude = ["*.py"]\n[evaluate]\nview = "x"\n',
    "pyproject.toml": '[tool.clonetruth.audit]\nselect = ["CT1"]\n',
}
_JAVA = (
    "class A {\n  int f(int[] v) {\n    int t = 0;\n" + "    t += g(v[1], v[2]) * 7;\n" * 9 + "    return t;\n  }\n}\n"
)
_ROW = '{"left": "sort0", "right": "sort1", "score": 0.9}'
_PROTOCOL = """
name = "own"
criterion = "same-main-purpose"
question = "Do both have the same main purpose?"
definition = "What people would use them for."
answers = ["clone", "not-clone", "undecided"]
"""
_LLM_PROTOCOL = """
name = "own"
criterion = "same-main-purpose"
prompt = "Same purpose? {left} {right} ANSWER: YES or NO"
orders = ["given", "swapped"]
runs = 3

[answers]
YES = "clone"
NO = "not-clone"

[parameters]
seed = 7
"""


def _texts(files: dict[str, str]) -> Write:
    """Writes text files; the first one is read."""

    def write(folder: Path) -> list[Path]:
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        return [folder / name for name in files]

    return write


def _copied(write: Write) -> Write:
    """Writes once, and copies from then on."""

    @cache
    def template() -> tuple[tempfile.TemporaryDirectory[str], list[Path]]:
        scratch = tempfile.TemporaryDirectory()
        return scratch, [path.relative_to(scratch.name) for path in write(Path(scratch.name))]

    def copy(folder: Path) -> list[Path]:
        scratch, paths = template()
        shutil.copytree(scratch.name, folder, dirs_exist_ok=True)
        return [folder / path for path in paths]

    return copy


def _golden(name: str) -> str:
    return (Path(__file__).parent / "golden" / name).read_text(encoding="utf-8")


def _log() -> str:
    from tests.judges.logs import block

    return "".join(block(("a", f"int a{n};"), ("b", f"int b{n};"), "ANSWER: SIMILAR") for n in range(3))


@cache
def _sample_benchmark() -> Path:
    from tests.evaluate.sample_benchmark import sample_benchmark

    return sample_benchmark(Path(tempfile.mkdtemp(), "b")).path


@cache
def _contest() -> Path:
    from tests.build.contests import contest
    from tests.evaluate.test_pairless import problems

    return contest(Path(tempfile.mkdtemp(), "b"), problems(), pairs=()).path


@cache
def _labelled_benchmark() -> Path:
    from tests.studies.example_studies import labelled_benchmark

    return labelled_benchmark(Path(tempfile.mkdtemp(), "b")).path


# Settings, baselines, predictions, vectors.


def _read_settings(paths: list[Path], out: Path) -> None:
    from clonetruth.errors import CloneTruthError
    from clonetruth.options.audit import AuditOptions
    from clonetruth.options.evaluate import EvaluateOptions
    from clonetruth.options.find import FindOptions
    from clonetruth.options.settings import read_settings

    for options in (FindOptions, EvaluateOptions, AuditOptions):
        for trust in (True, False, None):
            # What one verb refuses may still harm another.
            with contextlib.suppress(CloneTruthError):
                read_settings(options, paths[1].parent, trust=trust)


def _find(paths: list[Path], out: Path) -> None:
    from clonetruth.find import find_clones

    find_clones([paths[1].parent], baseline=paths[0], index=False, processes=1)


def _evaluate(paths: list[Path], out: Path) -> None:
    from clonetruth.evaluate import evaluate_detector

    evaluate_detector([paths[0]], on=_sample_benchmark(), processes=1)


def _retrieve(paths: list[Path], out: Path) -> None:
    from clonetruth.evaluate import evaluate_detector

    evaluate_detector([paths[0]], on=_contest(), policy="members", task="retrieval", processes=1)


def _answer(paths: list[Path], out: Path) -> None:
    from clonetruth.evaluate import evaluate_detector

    evaluate_detector([paths[0]], answers=paths[1], processes=1)


def _predictions_parquet(folder: Path) -> list[Path]:
    rows = {"left": ["sort0", "sort1"], "right": ["sort1", "sum1"], "score": [0.9, 0.2]}
    pq.write_table(pa.table(rows), folder / "tool.parquet")
    return [folder / "tool.parquet"]


def _numbers() -> tuple[list[str], npt.NDArray[np.float64]]:
    from tests.evaluate.test_pairless import problems

    ids = [f"{problem}/{number}" for problem, texts in problems().items() for number in range(len(texts))]
    return ids, np.random.default_rng(3).normal(size=(len(ids), 3))


def _vectors_parquet(folder: Path) -> list[Path]:
    ids, values = _numbers()
    pq.write_table(pa.table({"id": ids, "vector": values.tolist()}), folder / "v.parquet")
    return [folder / "v.parquet"]


def _vectors_npz(folder: Path) -> list[Path]:
    ids, values = _numbers()
    np.savez(folder / "v.npz", ids=np.array(ids), vectors=values)
    return [folder / "v.npz"]


def _vectors_npy(folder: Path) -> list[Path]:
    ids, values = _numbers()
    np.save(folder / "v.npy", values)
    (folder / "v.ids.txt").write_text("\n".join(ids), encoding="utf-8")
    return [folder / "v.npy"]


# Results, plans, models, splits, matrices.


def _result(folder: Path) -> list[Path]:
    from clonetruth.evaluate import evaluate_detector
    from clonetruth.store.results import write_result

    for name in ("one", "two"):
        (folder / f"{name}.csv").write_text("left,right,score\nsort0,sort1,0.9\nsort1,sum1,0.2\n", encoding="utf-8")
        (result,) = evaluate_detector([folder / f"{name}.csv"], on=_sample_benchmark(), processes=1).results
        write_result(result, folder / f"{name}.json")
        (folder / f"{name}.csv").unlink()
    return [folder / "one.json", folder / "two.json"]


def _published_result(folder: Path) -> list[Path]:
    from clonetruth.formats.bigcloneeval_layout import write_report
    from tests.formats.bigcloneeval_samples import report, section

    text = write_report(report({"2": section({"T1": (3, 4)}), "3": section({"T1": (1, 2), "VST3": (0, 5)})}))
    (folder / "tool.report").write_text(text, encoding="utf-8")
    return [folder / "tool.report"]


def _rank(paths: list[Path], out: Path) -> None:
    from clonetruth.evaluate import rank_detectors
    from clonetruth.evaluate.results import load_result

    repr(load_result(paths[0]))
    load_result(paths[0])._repr_html_()
    rank_detectors([str(path) for path in paths])


def _fix_plan(folder: Path) -> list[Path]:
    from clonetruth.audit import audit_benchmark, fix_plan
    from tests.build.drafts import flawed

    benchmark = flawed(folder / "b")
    codes = ("CT108", "CT109", "CT110", "CT211")
    (folder / "plan.json").write_text(json.dumps(fix_plan(audit_benchmark(benchmark, select=codes))), encoding="utf-8")
    return [folder / "plan.json", folder / "b"]


def _apply_fixes(paths: list[Path], out: Path) -> None:
    from clonetruth.build import apply_fixes

    apply_fixes(paths[0], paths[1], output=out / "made")


def _model(folder: Path) -> list[Path]:
    from clonetruth.training import LEARNERS, TrainingSpec
    from tests.training.training_data import training_data

    data = training_data()
    spec = TrainingSpec(epochs=1)
    LEARNERS["identifiers"].train(data.fragments, data.train, data.valid, spec).save(folder / "m")
    return [folder / "m"]


def _score(paths: list[Path], out: Path) -> None:
    from clonetruth.training import load_detector
    from tests.training.training_data import training_data

    data = training_data()
    load_detector(paths[0]).score(data.fragments, data.test)


def _split(folder: Path) -> list[Path]:
    from clonetruth.splits import split_benchmark

    shutil.copytree(_contest(), folder / "b")
    split_benchmark(folder / "b", "random", policy="members", train_pairs=90, valid_pairs=20, test_pairs=20)
    return [folder / "b"]


def _evaluate_split(paths: list[Path], out: Path) -> None:
    from clonetruth.splits.split import read_split
    from clonetruth.store import Benchmark

    benchmark = Benchmark.open(paths[0])
    for path in sorted((paths[0] / "splits").glob("*")):
        read_split(benchmark, path.stem)


def _matrix(folder: Path) -> list[Path]:
    from clonetruth.store.matrix import CellInfluence, write_record
    from tests.report.test_matrix import SUMMARY

    influence = CellInfluence("d", (1, 2), (1, 2), {"f1": [0.0, 0.1]}, {"f1": [0.5, 0.5]}, {"f1": 0.0})
    return [write_record(SUMMARY, folder / "summary.json"), write_record(influence, folder / "influence.json")]


def _read_matrix(paths: list[Path], out: Path) -> None:
    from clonetruth.report.matrix import matrix_page
    from clonetruth.store.matrix import read_influence, read_summary

    read_influence(paths[1])
    matrix_page(read_summary(paths[0]))


# Studies.


def _study(folder: Path) -> list[Path]:
    from clonetruth.model import JudgeKind
    from clonetruth.store.study import read_study
    from clonetruth.store.votes import ItemKey, ItemKind, JudgeRole, Vote, VoteKind, open_vote_store
    from clonetruth.studies import check_blindness, review_study
    from tests.judges.studies import make_study
    from tests.studies.example_studies import add_answers

    study = read_study(make_study(folder / "s", 6, methods=2, criterion="same-main-purpose", label="clone"))
    with open_vote_store(study.path) as store:
        for name in ("Ann", "Bob"):
            judge, _ = store.add_judge(name, JudgeRole.JUDGE)
            for number in range(6):
                item = ItemKey(ItemKind.PAIR, number)
                store.cast(Vote(f"{name}-{number}", judge.id, item, "clone", VoteKind.VOTE, reason="Alike."))
    add_answers(study, "llm:x", dict.fromkeys(range(6), "not-clone"), kind=JudgeKind.LLM)
    check_blindness(study)
    review_study(study, against="llm")
    return [folder / "s"]


def _read_study(paths: list[Path], out: Path) -> None:
    from clonetruth import studies
    from clonetruth.errors import CloneTruthError
    from clonetruth.store.votes.check_results import read_checks
    from clonetruth.studies.blindness import read_report
    from clonetruth.studies.withdrawal import read_withdrawals

    study = studies.study_folder.open_study(paths[0])
    readers: list[Callable[[], object]] = [
        lambda: studies.describe_study(paths[0]),
        lambda: studies.measure_agreement(paths[0]),
        lambda: studies.estimate_study(paths[0]),
        lambda: studies.review_study(paths[0], against="llm", status=True),
        lambda: studies.list_judges(paths[0]),
        lambda: read_report(paths[0]),
        lambda: read_checks(study),
        lambda: read_withdrawals(study, None),
    ]
    for read in readers:
        with contextlib.suppress(CloneTruthError):
            read()


def _estimate(folder: Path) -> list[Path]:
    from clonetruth.studies import export_study
    from tests.studies.example_studies import add_answers, labelled_benchmark, sample_study

    benchmark = labelled_benchmark(folder / "b")
    study = sample_study(benchmark, folder / "s", size=8)
    for judge in ("ann", "bob"):
        add_answers(study, judge, dict.fromkeys(range(8), "clone"))
    export_study(study, to=benchmark.path)
    return [folder / "b"]


def _read_estimates(paths: list[Path], out: Path) -> None:
    from clonetruth.evaluate import check_claim
    from clonetruth.store import Benchmark
    from clonetruth.store.study_estimate import read_estimates

    read_estimates(paths[0])
    Benchmark.open(paths[0]).datasheet()
    check_claim(paths[0], precision=0.9, recall=0.8)


def _sample(paths: list[Path], out: Path) -> None:
    from clonetruth.studies import sample_study

    sample_study(_labelled_benchmark(), output=out / "s", n=5, protocol=str(paths[0]))


def _specify(paths: list[Path], out: Path) -> None:
    from clonetruth.studies import sample_study

    given = paths[0] if paths[0].parent.name != "s" else paths[0].parent
    sample_study(_labelled_benchmark(), output=out / "s", n=5, specifications=given)


def _consent(paths: list[Path], out: Path) -> None:
    from clonetruth.studies import sample_study

    sample_study(_labelled_benchmark(), output=out / "s", n=5, consent=paths[0])


def _gold(paths: list[Path], out: Path) -> None:
    from clonetruth.studies import sample_study

    sample_study(_labelled_benchmark(), output=out / "s", n=5, gold=paths[0])


def _find_protocol(paths: list[Path], out: Path) -> None:
    from clonetruth.judges import find_protocol

    find_protocol(str(paths[0]), out)


def _protocol_from_log(paths: list[Path], out: Path) -> None:
    from clonetruth.judges.protocols import protocol_from_log

    protocol_from_log(paths[0])


def _price(paths: list[Path], out: Path) -> None:
    from clonetruth.judges.prices import read_price

    read_price(paths[0], "tiny").of(10, 10)


def _known_labels(paths: list[Path], out: Path) -> None:
    from clonetruth.build.functionalities.known_labels import read_known_labels

    read_known_labels(paths[0])


_RESPONDENT = {"model": "tiny", "prompt": "Alike?"}


def _journal(folder: Path) -> list[Path]:
    from clonetruth.judges.journal import open_journal
    from clonetruth.judges.majority import Answer
    from clonetruth.judges.protocol import Order

    with open_journal(folder, _RESPONDENT) as journal:
        for number in range(3):
            journal.add(f"q{number}", Answer(Order.GIVEN, 1, "ANSWER: SIMILAR", "tiny-1", "stop", 10, 5))
    return [folder]


def _read_journal(paths: list[Path], out: Path) -> None:
    from clonetruth.errors import CloneTruthError
    from clonetruth.judges.journal import open_journal, read_journal

    with contextlib.suppress(CloneTruthError):
        read_journal(paths[0], _RESPONDENT)
    with open_journal(paths[0], _RESPONDENT):
        pass


# Papers.

_PAPER = "Our detector reaches an F1 of 0.9 on BigCloneBench. A threshold of 0.5 was used. " * 6
_BIBTEX = '@article{key, title = {Clones of {\\"a} kind}, author = "A and B", year = 2024, doi = {10.1000/x}}\n'
_PAPER_PROTOCOL = """
name = "p"
version = "1"
prompt = "{questions} {paper}"
[[question]]
id = "A"
text = "Is it so?"
words = ["Yes", "No"]
"""


def _paper_pdf(folder: Path) -> list[Path]:
    from tests.literature.pdf_files import pdf

    return [pdf(folder / "paper.pdf", [[_PAPER[:80]] * 5, [_PAPER[80:160]] * 5], head="Clones")]


def _check_paper(paths: list[Path], out: Path) -> object:
    from clonetruth.literature import check_papers

    return check_papers(paths[0])


def _collect(paths: list[Path], out: Path) -> object:
    from clonetruth.literature import collect_papers

    return collect_papers(paths[0], output=out / "collected")


def _find_paper_protocol(paths: list[Path], out: Path) -> object:
    from clonetruth.literature import find_paper_protocol

    return find_paper_protocol(str(paths[0]))
