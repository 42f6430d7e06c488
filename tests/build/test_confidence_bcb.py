"""ConBigCloneBench step by step, each on a benchmark whose outcome can be counted by hand."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.build.confidence_bcb import Capped, ConfidenceBcbParameters, Negatives, derive_confidence_bcb
from clonetruth.build.exemplar_similarity import ExemplarSimilarity, Reference
from clonetruth.build.expansion import Scope
from clonetruth.build.judged_tags import TagAgreement, TagEvidence, judged_tags
from clonetruth.build.report import BuildReport
from clonetruth.errors import InputError
from clonetruth.model import Judgement, Pair, Role
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark
from tests.build.drafts import Draft

BARE = ConfidenceBcbParameters(judges=1, threshold=None, cap=None)
"""No step but the pairs."""


def made(draft: Draft, folder: Path, **options: Any) -> tuple[BuildReport, Benchmark]:
    report = derive_confidence_bcb(draft.create(folder / "parent"), folder / "made", replace(BARE, **options))
    return report, Benchmark.open(folder / "made")


def members(benchmark: Benchmark) -> dict[str, str]:
    """Roles by fragment."""
    rows = benchmark.sql(
        "SELECT f.id AS id, m.role AS role FROM memberships m JOIN fragments f ON m.fragment = f.fragment"
    )
    return dict(zip(rows["id"].to_pylist(), rows["role"].to_pylist(), strict=True))


def labels(benchmark: Benchmark) -> set[tuple[str, str, str]]:
    rows = benchmark.sql(
        "SELECT l.id AS one, r.id AS other, g.value AS value FROM pairs p JOIN judgements g ON p.pair = g.pair "
        "JOIN fragments l ON p.left = l.fragment JOIN fragments r ON p.right = r.fragment"
    ).to_pylist()
    return {(row["one"], row["other"], row["value"]) for row in rows}


def test_pairs_of_two_tagged_fragments_are_dropped(tmp_path: Path) -> None:
    parent = Draft().functionality("f", 1, 2, 1).create(tmp_path / "parent")
    report = derive_confidence_bcb(parent, tmp_path / "made", BARE)
    benchmark = Benchmark.open(report.path)
    assert labels(benchmark) == {
        ("f-x0", "f-p0", "clone"),
        ("f-x0", "f-p1", "clone"),
        ("f-x0", "f-n0", "not-clone"),
    }
    assert [step.done for step in report.steps] == [False, False, False, False, True]
    report = derive_confidence_bcb(parent, tmp_path / "all", replace(BARE, tagged_pairs=True))
    assert ("f-p0", "f-p1", "clone") in labels(Benchmark.open(report.path))


@pytest.fixture
def tagged() -> Draft:
    """Tags of none, one, two and three people, who agree or do not."""
    draft = Draft().member("x", "f", Role.EXEMPLAR)
    draft.member("none", "f", Role.TAGGED_TRUE).member("one", "f", Role.TAGGED_TRUE, "minor")
    draft.member("two", "f", Role.TAGGED_TRUE, "minor", "major").member(
        "split", "f", Role.TAGGED_TRUE, "minor", "wrong"
    )
    draft.member("most", "f", Role.TAGGED_TRUE, "minor", "wrong", "minor")
    draft.member("denied", "f", Role.TAGGED_FALSE, "wrong", "wrong")
    draft.member("doubted", "f", Role.TAGGED_FALSE, "wrong", "undecided")
    # Judged by one person only, as Copy File was: the functionality vanishes.
    draft.member("cx", "copy", Role.EXEMPLAR).member("cp", "copy", Role.TAGGED_TRUE, "minor")
    return draft


@pytest.mark.parametrize(
    ("agreement", "kept"),
    [
        (TagAgreement.AT_LEAST, {"x", "two", "most", "denied"}),
        (TagAgreement.UNANIMOUS, {"x", "two", "denied"}),
    ],
)
def test_two_people_must_agree(tmp_path: Path, tagged: Draft, agreement: TagAgreement, kept: set[str]) -> None:
    report, benchmark = made(tagged, tmp_path, judges=2, agreement=agreement)
    assert members(benchmark).keys() == kept
    assert report.lost == ("name of copy",)
    assert report.step("agreed tags").counts["dropped, tagged-true"] == 8 - len(kept)
    assert report.parameters["evidence"] == "judgements"


def test_exemplars_may_have_to_be_judged_too(tmp_path: Path, tagged: Draft) -> None:
    with pytest.raises(InputError, match="an exemplar and a fragment tagged true"):
        made(tagged, tmp_path, judges=2, keep_exemplars=False)
    assert not (tmp_path / "made").exists()


JUDGES = st.lists(st.integers(1, 3), min_size=2, max_size=8)


@given(JUDGES, st.integers(1, 3))
def test_claims_give_the_judges_of_all_but_a_single_fragment(judges: list[int], asked: int) -> None:
    """Of each pair the smaller number is published: the largest over a fragment's pairs is its own, or it is alone."""
    pairs = [(a, b) for a in range(len(judges)) for b in range(a)]
    known = [max(min(judges[a], judges[b]) for a, b in pairs if fragment in (a, b)) for fragment in range(len(judges))]
    alone = sum(number >= asked for number in judges) == 1
    for fragment, number in enumerate(judges):
        assert known[fragment] <= number
        if not alone:
            assert (known[fragment] >= asked) == (number >= asked)


def test_claims_are_used_without_judgements(tmp_path: Path) -> None:
    draft = Draft().member("x", "f", Role.EXEMPLAR)
    for name in ("a", "b", "c"):
        draft.member(name, "f", Role.TAGGED_TRUE)
    draft.pairs = [Pair("a", "b", "f"), Pair("b", "c", "f"), Pair("a", "x", "f")]
    draft.claims = [{"judges": 2, "confidence": 2}, {"judges": 1, "confidence": 1}, {"judges": 2, "confidence": 2}]
    parent = draft.create(tmp_path / "p")
    roles = parent.sql("SELECT fragment, functionality, role FROM memberships")
    assert judged_tags(parent, roles, TagEvidence.CLAIMS)["agreeing"].to_pylist() == [2, 2, 2, 1]
    report = derive_confidence_bcb(parent, tmp_path / "m", replace(BARE, judges=2))
    assert members(Benchmark.open(tmp_path / "m")).keys() == {"x", "a", "b"}
    assert report.parameters["evidence"] == "claims"


ALIKE = "void f() {\n int a = 1;\n go(a);\n stop(a, 2);\n}"
FAR = "int g(String s) throws E {\n try {\n  s.read(4).then().close();\n } catch (E e) {\n  throw e;\n }\n}"


def test_fragments_similar_to_an_exemplar_join_the_exemplars(tmp_path: Path) -> None:
    draft = Draft().member("x", "f", Role.EXEMPLAR, text=ALIKE)
    draft.member("same", "f", Role.TAGGED_TRUE, text=ALIKE.replace("a", "b"))
    draft.member("far", "f", Role.TAGGED_TRUE, text=FAR)
    report, benchmark = made(draft, tmp_path, threshold=0.5)
    assert members(benchmark) == {"x": "exemplar", "same": "exemplar", "far": "tagged-true"}
    assert labels(benchmark) == {("x", "same", "clone"), ("x", "far", "clone"), ("same", "far", "clone")}
    assert report.step("merging").counts == {"exemplars before": 1, "merged": 1, "still tagged true": 1}


def test_chains_count_only_on_request(tmp_path: Path) -> None:
    draft = Draft().member("x", "f", Role.EXEMPLAR)
    draft.member("near", "f", Role.TAGGED_TRUE).member("next", "f", Role.TAGGED_TRUE)
    draft.pairs = [
        Pair("near", "x", "f", claimed_similarity_line=0.9),
        Pair("x", "next", "f", claimed_similarity_line=0.2),
        Pair("next", "near", "f", claimed_similarity_line=0.3),
    ]
    parent = draft.create(tmp_path / "parent")
    merged = {}
    for reference in Reference:
        options = replace(BARE, threshold=0.2, likeness=ExemplarSimilarity.CLAIMED, reference=reference)
        merged[reference] = (
            derive_confidence_bcb(parent, tmp_path / reference, options).step("merging").counts["merged"]
        )
    # The threshold itself is not above it.
    assert merged == {Reference.EXEMPLARS: 1, Reference.MERGED: 2}


@pytest.mark.parametrize(("capped", "left"), [(Capped.FRAGMENTS, 4), (Capped.SIDES, 8)])
def test_the_cap_keeps_the_exemplars(tmp_path: Path, capped: Capped, left: int) -> None:
    draft = Draft().functionality("f", 2, 9, 9).functionality("g", 1, 1, 1)
    report, benchmark = made(draft, tmp_path, cap=4, capped=capped)
    names = [name for name in members(benchmark) if name.startswith("f")]
    assert len(names) == left
    assert {"f-x0", "f-x1"} <= set(names)
    assert report.step("cap").counts == {"dropped": 20 - left, "functionalities above the cap": 1}
    again, other = (
        members(
            Benchmark.open(derive_confidence_bcb(Benchmark.open(tmp_path / "parent"), tmp_path / f"s{n}", options).path)
        )
        for n, options in enumerate(replace(BARE, cap=4, capped=capped, seed=seed) for seed in (0, 1))
    )
    assert again == members(benchmark) != other


def test_false_pairs_of_original_exemplars_only(tmp_path: Path) -> None:
    draft = Draft().member("x", "f", Role.EXEMPLAR, text=ALIKE).member("same", "f", Role.TAGGED_TRUE, text=ALIKE)
    draft.member("no", "f", Role.TAGGED_FALSE)
    parent = draft.create(tmp_path / "parent")
    for negatives, expected in ((Negatives.ALL, 2), (Negatives.ORIGINAL, 1)):
        options = replace(BARE, threshold=0.5, negatives=negatives)
        report = derive_confidence_bcb(parent, tmp_path / negatives, options)
        assert report.step("pairs").counts["an exemplar and one tagged false"] == expected


FILE = (
    "class A {\n  void entry() { step(); }\n  void step() { last(1); }\n  void last(int a) { }\n  void other() { }\n}\n"
)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "ijadataset" / "4" / "selected"
    folder.mkdir(parents=True)
    (folder / "7.java").write_text(FILE)
    (folder / "8.java").write_text("class B { void far() { A.other(); } }\n")
    return tmp_path / "ijadataset"


def placed() -> Draft:
    draft = Draft().member("x", "f", Role.EXEMPLAR, path="selected/7.java", lines=(2, 2), project="p")
    draft.member("p", "f", Role.TAGGED_TRUE, path="selected/7.java", lines=(5, 5), project="p")
    draft.member("far", "f", Role.TAGGED_TRUE, path="selected/8.java", lines=(1, 1), project="p")
    draft.member("lost", "f", Role.TAGGED_TRUE, path="selected/9.java", lines=(1, 1))
    draft.pairs = [Pair("x", "p", "f"), Pair("p", "lost", "f")]
    draft.judgements += [Judgement("ann", "same-main-purpose", "clone", pair=pair) for pair in (0, 1)]
    return draft


def test_fragments_are_expanded_by_the_functions_they_call(tmp_path: Path, files: Path) -> None:
    report, benchmark = made(placed(), tmp_path, files=files, tagged_pairs=True)
    rows = {row["id"]: row for row in benchmark.table("fragments").to_pylist()}
    assert rows["x"]["text"] == "void entry() { step(); }\n\nvoid step() { last(1); }\n\nvoid last(int a) { }"
    assert rows["x"]["kind"] == "multi-function"
    assert rows["p"]["kind"] == rows["far"]["kind"] == "function"
    assert report.step("expansion").counts == {
        "expanded": 1,
        "call nothing in reach": 2,
        "not found in their file": 0,
        "without a file": 1,
        "in a language without a call graph": 0,
    }
    assert len(report.parameters["files_digest"]) == 64
    kept = benchmark.sql("SELECT count(*) AS n FROM judgements WHERE judge = 'ann' AND pair IS NOT NULL")["n"][
        0
    ].as_py()
    assert kept == 1, "a judgement on a pair refers to its texts, and one of them was expanded"


def test_a_project_reaches_farther_than_a_file(tmp_path: Path, files: Path) -> None:
    report, benchmark = made(placed(), tmp_path, files=files, scope=Scope.PROJECT, depth=1)
    texts = dict(zip(*(benchmark.table("fragments")[name].to_pylist() for name in ("id", "text")), strict=True))
    assert texts["far"] == "void far() { A.other(); }\n\nvoid other() { }"
    assert texts["x"].count("void") == 2
    assert report.step("expansion").counts["expanded"] == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"judges": 0}, "number of judges is 0"),
        ({"threshold": 1.0}, "threshold is 1"),
        ({"cap": 1}, "cap of 1"),
        ({"depth": 0}, "depth is 0"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        replace(BARE, **options)


def test_bad_input_leaves_nothing(tmp_path: Path) -> None:
    parent = Draft().member("x", "f", Role.EXEMPLAR).member("p", "f", Role.TAGGED_TRUE).create(tmp_path / "parent")
    empty = tmp_path / "empty"
    empty.mkdir()
    for options, message in (
        (ConfidenceBcbParameters(), "does not record how many people"),
        (replace(BARE, judges=2, evidence=TagEvidence.CLAIMS), "no claims about judges"),
        (replace(BARE, files=tmp_path / "missing"), "Not a folder or archive"),
        (replace(BARE, files=empty), "None of the fragments' files"),
    ):
        with pytest.raises(InputError, match=message):
            derive_confidence_bcb(parent, tmp_path / "made", options)
    assert not (tmp_path / "made").exists()


def write_export(folder: Path) -> list[Path]:
    """A small database with a known structure: two functionalities, tags of two people, a tree of files."""
    tables, tree = folder / "tables", folder / "bcb_reduced"
    tables.mkdir()
    body = "void m{0}() {{\n    int a = {0};\n    help{0}(a);\n  }}"
    functions, pairs, false_pairs, tags = [], [], [], []
    for functionality, exemplars, positives, negatives in ((2, 2, 3, 2), (4, 1, 2, 2)):
        base = functionality * 100
        roles = ["sample"] * exemplars + ["selected"] * (positives + negatives)
        for number, kind in enumerate(roles, base):
            file = tree / str(functionality) / kind / f"{number}.java"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"class A {{\n  {body.format(number)}\n  void help{number}(int b) {{ }}\n}}\n")
            functions.append([f"{number}.java", kind, 2, 5, number, f"project{number % 3}"])
            if kind == "selected":
                # The functionality 4 was tagged by one person only, as Copy File was.
                people = ("1", "2") if functionality == 2 else ("1",)
                tag = "true" if number < base + exemplars + positives else "false"
                tags += [[number, functionality, person, tag] for person in people]
        true = range(base, base + exemplars + positives)
        pairs += [[a, b, functionality] for a in true for b in true if a < b]
        false = range(base + exemplars + positives, base + len(roles))
        false_pairs += [[a, b, functionality] for a in range(base, base + exemplars) for b in false]
    ids = ["function_id_one", "function_id_two", "functionality_id"]
    for name, header, rows in (
        ("functionalities", ["id", "name"], [[2, "Two"], [4, "Copy File"]]),
        ("functions", ["name", "type", "startline", "endline", "id", "project"], functions),
        ("clones", ids, pairs),
        ("false_positives", ids, false_pairs),
        ("tagged", ["function_id", "functionality_id", "judge", "tag"], tags),
    ):
        with (tables / f"{name}.csv").open("w", newline="") as stream:
            csv.writer(stream).writerows([header, *rows])
    return [tables, tree]


def test_from_an_export_to_the_repaired_benchmark(tmp_path: Path) -> None:
    paths = write_export(tmp_path)
    import_dataset("bigclonebench", paths, output=tmp_path / "bcb")
    parent = Benchmark.open(tmp_path / "bcb")
    report = derive_confidence_bcb(parent, tmp_path / "made", ConfidenceBcbParameters(files=paths[1]))
    assert report.functionalities == ("Two",)
    assert report.lost == ("Copy File",)
    assert report.step("agreed tags").counts["dropped"] == 4
    # An exemplar of the lost functionality is expanded before it is lost.
    assert report.step("expansion").counts["expanded"] == 8
    assert report.step("merging").counts["merged"] == 3, "the functions differ in their numbers only"
    assert report.step("pairs").counts == {"an exemplar and one tagged false": 10, "two exemplars": 10}
    assert [one.ours for one in report.comparisons] == [1, 7, 7.0, 0.0]
    assert (tmp_path / "made" / "results" / "build.json").is_file()
