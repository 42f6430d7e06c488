"""Studies of single functions, as BigCloneBench tagged them."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.store.study import read_study
from clonetruth.store.votes import ItemKind
from clonetruth.studies import export_study, measure_agreement, resolve_study
from clonetruth.studies import sample_study as sample
from tests.studies.example_studies import labelled_benchmark
from tests.studies.web.visitors import serve_study


@pytest.fixture
def benchmark(tmp_path: Path) -> Path:
    return labelled_benchmark(tmp_path / "benchmark").path


def test_functions_are_drawn_by_functionality(benchmark: Path, tmp_path: Path) -> None:
    study = sample(benchmark, output=tmp_path / "study", protocol="bigclonebench", stratify=("functionality",), n=8)
    assert study.subjects.num_rows == 0
    assert study.methods.num_rows == 8
    assert [(one.name, one.population) for one in study.plan.strata] == [("copy", 10), ("hash", 5), ("sort", 2)]
    weights = dict(zip(study.methods["stratum"].to_pylist(), study.methods["weight"].to_pylist(), strict=True))
    drawn = {one.name: one.population / one.drawn for one in study.plan.strata}
    assert weights == pytest.approx(drawn)
    assert set(study.functionalities["id"].to_pylist()) == {"copy", "hash", "sort"}
    assert all(texts for texts in study.functionalities["exemplars"].to_pylist())
    assert "8 functions await" in (study.path / "README.md").read_text(encoding="utf-8")
    assert repr(read_study(study.path)).startswith("<Study 'Labels of small': 8 of 17 functions,")


def test_a_condition_on_functions(benchmark: Path, tmp_path: Path) -> None:
    study = sample(
        benchmark, output=tmp_path / "study", protocol="bigclonebench", where="role = 'tagged-true'", margin=0.05
    )
    assert study.methods.num_rows == 17 - 6
    for where, stratify in (("claimed_type = 'T1'", ()), (None, ("left_id",))):
        with pytest.raises(InputError, match="fragment_id, functionality"):
            sample(benchmark, output=tmp_path / "other", protocol="bigclonebench", where=where, stratify=stratify)
    assert not (tmp_path / "other").exists()


def test_the_same_seed_draws_the_same_functions(benchmark: Path, tmp_path: Path) -> None:
    ids = [
        sample(benchmark, output=tmp_path / str(at), protocol="bigclonebench", n=6, seed=seed)
        .methods["fragment_id"]
        .to_pylist()
        for at, seed in enumerate((1, 1, 2))
    ]
    assert ids[0] == ids[1] != ids[2]


def test_true_false_and_undecided_with_specification_and_exemplars(benchmark: Path, tmp_path: Path) -> None:
    study = sample(benchmark, output=tmp_path / "study", protocol="bigclonebench", n=3)
    with serve_study(study.path) as served:
        ada = served.invite("Ada")
        page = ada.enter()
        assert page.form("/judge").answers == ["minor", "wrong", "undecided", "skip"]
        assert "True 1" in page.words
        assert "False 2" in page.words
        assert "Does this function contain the functionality?" in page.words
        assert "Must " in page.words  # the specification
        item = page.form("/judge").fields["item"]
        shown = ada.open(f"/judge?item={item}&show=specification")
        assert "Exemplar 1" in shown.words
        for answer in ("minor", "wrong", "undecided"):
            page = ada.answer(page, answer)
        assert "Nothing left to judge" in page.text
        assert {vote.item.kind for vote in served.votes("Ada")} == {ItemKind.METHOD}
    resolution = resolve_study(study.path, "majority")
    assert resolution.methods is not None
    assert resolution.methods.counts == {"clone": 1, "not-clone": 1, "unknown": 1}


def test_tags_become_member_judgements_of_the_benchmark(benchmark: Path, tmp_path: Path) -> None:
    study = sample(benchmark, output=tmp_path / "study", protocol="bigclonebench", n=4)
    study.add_answers("person:ada", {0: "minor", 1: "wrong", 2: "undecided", 3: "minor"}, on="method")
    study.add_answers("person:bob", {0: "minor", 1: "wrong", 3: "wrong"}, on="method")
    exported = export_study(study, to=benchmark)
    assert (exported.added, exported.estimate) == (7, None)
    rows = labelled(benchmark)
    methods = study.methods.to_pylist()
    assert rows["person:ada"] == {
        (method["fragment_id"], method["functionality"]): value
        for method, value in zip(methods, ("minor", "wrong", "undecided", "minor"), strict=True)
    }
    agreement = measure_agreement(study)
    assert agreement.pairs is None
    assert agreement.methods is not None
    # A true tag is a yes: 2 of the 3 functions that both decided.
    assert agreement.methods.categories == ("minor", "other")
    assert agreement.methods.agreement == pytest.approx(2 / 3)


def labelled(benchmark: Path) -> dict[str, dict[tuple[str, str], str]]:
    from clonetruth.store import open_benchmark

    found: dict[str, dict[tuple[str, str], str]] = {}
    text = """SELECT g.judge AS judge, f.id AS fragment, u.id AS functionality, g.value AS value
        FROM judgements g JOIN fragments f ON g.fragment = f.fragment
        JOIN functionalities u ON g.functionality = u.functionality
        WHERE g.criterion = 'implements-functionality'"""
    for row in open_benchmark(benchmark).sql(text).to_pylist():
        found.setdefault(row["judge"], {})[row["fragment"], row["functionality"]] = row["value"]
    return found
