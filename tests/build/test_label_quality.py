"""Labels above and below a similarity, against what people say."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.build.label_quality import ConfirmedLabels, JudgedLabelQuality, measure_label_quality
from clonetruth.errors import InputError
from clonetruth.model import Judgement, Pair, Role
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark
from tests.build.drafts import Draft

NEAR = "void f() {\n int a = 1;\n go(a);\n}"
FAR = "int g(String s) throws E {\n try {\n  s.read(4).then().close();\n } catch (E e) {\n  throw e;\n }\n}"


def test_labels_are_counted_on_both_sides(tmp_path: Path) -> None:
    draft = Draft().member("a", "f", Role.TAGGED_TRUE, text=NEAR).member("b", "f", Role.TAGGED_TRUE, text=NEAR)
    draft.member("far", "f", Role.TAGGED_TRUE, text=FAR)
    sides = [("a", "b"), ("b", "a"), ("a", "far"), ("b", "far"), ("far", "b")]
    draft.pairs = [Pair(left, right, "f", claimed_type="T4") for left, right in sides]
    for pair, value in enumerate(("clone", "not-clone", "not-clone", "clone")):
        draft.judgements.append(Judgement("ann", "shares-functionality", value, pair=pair))
    found = measure_label_quality(draft.create(tmp_path / "judged"), 0.5)
    groups = (ConfirmedLabels("above 0.5", 2, 1, 0), ConfirmedLabels("at or below 0.5", 2, 1, 1))
    assert found == JudgedLabelQuality("shares-functionality", groups)
    assert found.groups[1].share == 0.5
    assert ConfirmedLabels("none", 0, 0, 3).share is None


def test_the_recipes_own_rule_uses_exemplars(tmp_path: Path) -> None:
    draft = Draft().member("a", "f", Role.TAGGED_TRUE, text=NEAR).member("b", "f", Role.TAGGED_TRUE, text=NEAR)
    draft.member("far", "f", Role.TAGGED_TRUE, text=FAR).member("other", "g", Role.TAGGED_TRUE, text=FAR)
    draft.member("empty", "f", Role.TAGGED_TRUE, text="")
    sides = [("a", "b", "f"), ("b", "far", "f"), ("far", "far", "f"), ("other", "far", "g"), ("a", "empty", "f")]
    draft.pairs = [Pair(left, right, functionality, claimed_type="T4") for left, right, functionality in sides]
    for pair in range(5):
        draft.judgements.append(Judgement("ann", "shares-functionality", "clone", pair=pair))
    judged = draft.create(tmp_path / "judged")
    exemplars = Draft().member("x", "f", Role.EXEMPLAR, text=NEAR).create(tmp_path / "exemplars")
    found = measure_label_quality(judged, 0.5, exemplars)
    assert [(one.pairs, one.clones) for one in found.groups] == [(1, 1), (1, 1), (1, 1)]
    assert found.left_out == 2
    with pytest.raises(InputError, match="no exemplars with a text"):
        measure_label_quality(judged, 0.5, judged)


def test_without_judged_labels_there_is_no_answer(tmp_path: Path) -> None:
    draft = Draft().functionality("f", 1, 1, 0)
    draft.pairs = [Pair("f-x0", "f-p0", "f")]
    draft.judgements.append(Judgement("ann", "shares-functionality", "clone", pair=0))
    with pytest.raises(InputError, match="No pair has a dataset label"):
        measure_label_quality(draft.create(tmp_path / "judged"))


def test_on_the_judged_pairs_of_bigclonebench(tmp_path: Path, shared_data: Path) -> None:
    """Above 0.2, 12 of 96 labels are right, and 6 of 175 at or below: better, and still mostly wrong."""
    folder = shared_data / "bcb406"
    import_dataset(
        "bcb406", [folder / "Samples Investigation.csv", folder / "snippets.zip"], output=tmp_path / "judged"
    )
    found = measure_label_quality(Benchmark.open(tmp_path / "judged"))
    assert found.criterion == "same-main-purpose"
    assert found.groups == (ConfirmedLabels("above 0.2", 96, 12, 0), ConfirmedLabels("at or below 0.2", 175, 6, 0))
    # By the recipe's own rule, with the 31 exemplars whose texts are at hand.
    import_dataset("bcb-extract", [shared_data / "bigclonebench" / "db_extract"], output=tmp_path / "extract")
    found = measure_label_quality(Benchmark.open(tmp_path / "judged"), exemplars=Benchmark.open(tmp_path / "extract"))
    assert [(one.pairs, one.clones) for one in found.groups] == [(32, 5), (58, 3), (57, 1)]
    assert found.left_out == 124
