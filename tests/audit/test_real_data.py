"""Real benchmarks must show the numbers that their papers and readme files report."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.audit import AuditReport, Finding, Purpose, Severity, audit_benchmark, fitness
from clonetruth.model import VerdictValue
from clonetruth.sources import ImportLog, import_dataset
from clonetruth.sources.part_files import PartFiles, read_part_files
from clonetruth.store import Benchmark
from clonetruth.verdicts import judge_verdicts

pytestmark = pytest.mark.slow


def _imported(source: str, paths: list[Path], folder: Path) -> Benchmark:
    import_dataset(source, paths, output=folder)
    return Benchmark.open(folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("real")


@pytest.fixture(scope="module")
def astnn(shared_data: Path, folder: Path) -> Benchmark:
    return _imported("astnn", [shared_data / "bigclonebench/bcb_pair_ids.pkl"], folder / "astnn")


@pytest.fixture(scope="module")
def toma(shared_data: Path, folder: Path) -> Benchmark:
    return _imported("toma", [shared_data / "bigclonebench/typed_pairs_toma"], folder / "toma")


@pytest.fixture(scope="module")
def bcb406(shared_data: Path, folder: Path) -> Benchmark:
    return _imported("bcb406", [shared_data / "bcb406"], folder / "bcb406")


@pytest.fixture(scope="module")
def codexglue(shared_data: Path, folder: Path) -> Benchmark:
    lists = shared_data / "bigclonebench/codexglue"
    files = {
        "train": lists / "train_sampled.txt.gz",
        "valid": lists / "valid_sampled.txt",
        "test": lists / "test_sampled.txt",
    }
    dataset = read_part_files(PartFiles(files, [shared_data / "bigclonebench/functions.zip"]), ImportLog())
    return Benchmark.create(folder / "codexglue", dataset)


def _only(report: AuditReport, code: str, words: str = "") -> Finding:
    (finding,) = [one for one in report.findings if one.code == code and words in one.message]
    return finding


def _run(benchmark: Benchmark, *codes: str, against: tuple[Benchmark, ...] = ()) -> AuditReport:
    return audit_benchmark(benchmark, select=codes, against=against)


def test_astnn_contradicts_itself(astnn: Benchmark) -> None:
    report = _run(astnn, "CT108", "CT109")
    finding = _only(report, "CT108")
    assert (finding.count, finding.severity) == (393, Severity.ERROR)
    assert "367 are both clone and non-clone" in finding.message
    assert _only(report, "CT109").count == 394


def test_astnn_and_toma_cut_types_differently(astnn: Benchmark, toma: Benchmark) -> None:
    finding = _only(_run(astnn, "CT112", against=(toma,)), "CT112")
    assert finding.count == 6279
    assert finding.details[0].rows == (("ST3", "MT3", 6279),)


def test_codexglue_repeats_and_leaks(codexglue: Benchmark) -> None:
    report = _run(codexglue, "CT109", "CT117", "CT204", "CT501", "CT502", "CT503")
    repeated = _only(report, "CT109")
    assert (repeated.count, repeated.of) == (2253, 90_102)
    twins = _only(report, "CT503", "of test have a twin (same text, other id) in train")
    assert (twins.count, twins.of, twins.severity) == (126, 911, Severity.ERROR)
    # The ids are disjoint.
    assert not [one for one in report.findings if one.code in ("CT501", "CT502")]
    same = _only(report, "CT204")
    assert same.count == 1441
    assert "375 groups" in same.message


def test_codexglue_claims_what_experts_reject(codexglue: Benchmark, bcb406: Benchmark) -> None:
    """Ids differ, words do not: pairs that the experts saw and rejected are positives of the list."""
    finding = _only(_run(codexglue, "CT605", against=(bcb406,)), "CT605")
    assert finding.count == finding.of
    assert finding.count > 50


def test_functions_are_there_several_times(shared_data: Path, folder: Path) -> None:
    paths = [shared_data / "bigclonebench/functions.zip"]
    benchmark = _imported("bigclonebench-functions", paths, folder / "functions")
    finding = _only(_run(benchmark, "CT204"), "CT204")
    assert (finding.count, finding.of) == (1441, 9134)
    assert "375 groups" in finding.message
    assert "8,068 distinct texts" in finding.message


def test_fcdetector_trains_on_its_valid_part(shared_data: Path, folder: Path) -> None:
    benchmark = _imported("fcdetector", [shared_data / "fcdetector"], folder / "fcdetector")
    report = _run(benchmark, "CT109", "CT110", "CT501", "CT502")
    assert "240,160" in _only(report, "CT109", "of train").message
    assert "189,271 are distinct" in _only(report, "CT109", "of train").message
    assert _only(report, "CT110", "of train").count == 1245
    assert _only(report, "CT110", "of valid").count == 135
    pairs = _only(report, "CT501")
    assert (pairs.count, pairs.of, pairs.severity) == (12_716, 29_240, Severity.ERROR)
    fragments = _only(report, "CT502")
    assert fragments.count == fragments.of == 1510
    assert "every one of 1,510" in fragments.message


@pytest.mark.slow
def test_poj104_contradicts_itself(shared_data: Path, folder: Path) -> None:
    benchmark = _imported("codexglue-poj104", [shared_data / "poj104/poj104.jsonl.xz"], folder / "poj104")
    report = _run(benchmark, "CT206", "CT209")
    shared = _only(report, "CT206")
    assert shared.count == 5
    assert shared.details[0].rows == (("26", "62", 5),)
    twice = _only(report, "CT209")
    assert [example.ids for example in twice.examples] == [("65",), ("81",)]
    assert [row[1:] for row in twice.details[0].rows] == [(1000, 500), (1000, 500)]


def test_gptclonebench_grows_from_few_functions(shared_data: Path, folder: Path) -> None:
    paths = [shared_data / "gptclonebench/standalone_java_T4.zip"]
    benchmark = _imported("gptclonebench", paths, folder / "gptclonebench")
    report = _run(benchmark, "CT304", "CT307", "CT507", "CT702")
    seeds = _only(report, "CT507")
    # The whole has 644 first functions in 12,942 files; a part of it is here.
    assert seeds.of is not None
    assert seeds.count < 500 < 8000 < seeds.of
    # The "false" pairs are syntactic clones, not unrelated code; audit and verdicts give the same numbers.
    verdicts = judge_verdicts(benchmark, "origin")
    clones, others = verdicts.counts[VerdictValue.CLONE], verdicts.counts[VerdictValue.NOT_CLONE]
    one_class = _only(report, "CT307")
    assert f"{clones:,} labelled pairs are clones and {others:,} not-clone" in one_class.message
    assert (one_class.count, one_class.of) == (others, clones + others)
    assert any("does not mean that the code is unrelated" in text for text in verdicts.assumptions)
    assert "NC" in _only(report, "CT702").message


def test_experts_disagree_on_bcb406(bcb406: Benchmark) -> None:
    report = _run(bcb406, "CT116")
    pairs = _only(report, "CT116", "pairs")
    assert (pairs.count, pairs.of) == (30, 271)
    methods = _only(report, "CT116", "memberships")
    assert (methods.count, methods.of) == (103, 528)


def test_a_list_of_textual_clones_is_sound_for_recall_only(toma: Benchmark) -> None:
    report = _run(toma, "CT1", "CT3", "CT5", "CT6")
    assert fitness(report, Purpose.SYNTACTIC_RECALL).verdict == "sound"
    assert fitness(report, Purpose.SEMANTIC_LEARNING).verdict == "unsound"
    assert fitness(report, Purpose.PRECISION).verdict == "unsound"
