"""`metrics`: its inputs, the pairs that it rejects, and the shipped model."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from clonetruth.code import FragmentMetrics, language
from clonetruth.code.mutation import OPERATORS, mutate
from clonetruth.detectors.detector import PAIRS
from clonetruth.detectors.metrics import FEATURES, MEASURES, METRICS, MetricsModel, shipped_model
from clonetruth.errors import InputError
from tests.detectors.corpora import fragments, scored

COUNT = """\
int count(List<Item> items, String wanted) {
    int found = 0;
    for (Item item : items) {
        if (item.getName().equals(wanted) && item.isActive()) {
            found++;
            log.info("found " + item.getName());
        }
    }
    return found;
}
"""
RENAMED = COUNT.replace("found", "hits").replace("items", "all").replace("wanted", "name")
EDITED = COUNT.replace("            found++;\n", "            found += 1;\n            total.add(item);\n")
OTHER_CALLS = (
    COUNT.replace("getName", "getKey").replace("equals", "matches").replace("isActive", "open").replace("info", "warn")
)
TWICE = COUNT.replace(
    "    return found;\n", COUNT.partition("\n")[2].partition("    return")[0] * 2 + "    return found;\n"
)
SAME_CALLS = """\
void check(Item item, String wanted) {
    if (wanted == null) throw new IllegalArgumentException("no " + 3 * item.getName().length());
    while (item.isActive()) { log.info(wanted.equals("a") ? "b" : 'c' + "d"); x = y = z = 4; }
    do { try { item.getName(); } catch (Error | RuntimeException e) { return; } } while (true);
}
"""


def scores(*texts: str) -> list[float | None]:
    """The scores of the first text with each of the others."""
    table = fragments(list(texts))
    return [score for (left, _), score in scored(METRICS, table).items() if left == 1]


def test_equal_measures_and_actions_score_one() -> None:
    assert scores(COUNT, RENAMED, COUNT.replace("    ", "\t") + "// end") == [1.0, 1.0]


def test_edited_copies_are_clones_and_other_code_with_the_same_calls_is_not() -> None:
    edited, other = scores(COUNT, EDITED, SAME_CALLS)
    assert edited is not None
    assert other is not None
    assert edited >= 0.5 > other > 0


def test_other_calls_and_other_sizes_score_zero() -> None:
    assert scores(COUNT, OTHER_CALLS, TWICE) == [0.0, 0.0]


def test_fragments_without_calls_are_compared_with_each_other() -> None:
    plain = "int max(int a, int b) {\n    if (a > b) {\n        return a;\n    }\n    return b;\n}\n"
    with_call, without = scores(plain, plain.replace("return b", "return f(b)"), plain.replace("a > b", "a >= b + 0"))
    assert with_call == 0.0
    assert without is not None
    assert without >= 0.5


def test_texts_without_code_have_no_items() -> None:
    assert METRICS.read("  // only words", language("java")) is None
    assert METRICS.read(COUNT, None) is None


@pytest.mark.parametrize("operator", sorted(OPERATORS))
def test_a_single_edit_is_a_clone(operator: str) -> None:
    mutant = mutate(COUNT, language("java"), operator, Random(operator))
    if mutant is not None:  # not every operator applies to this function
        (score,) = scores(COUNT, mutant.text)
        assert score is not None
        assert score >= 0.5


rows = st.integers(1, 40).flatmap(
    lambda count: arrays.arrays(np.float64, (count, len(FEATURES)), elements=st.floats(0, 2, width=32))
)


@given(rows, st.randoms(use_true_random=False))
def test_a_score_does_not_depend_on_the_other_rows(
    features: np.ndarray[tuple[int, int], np.dtype[np.float64]], rng: Random
) -> None:
    model = shipped_model()
    together = model.scores(features)
    assert ((together >= 0) & (together <= 1)).all()
    assert [float(model.scores(row[None])[0]) for row in features] == together.tolist()
    order = rng.sample(range(len(features)), len(features))
    assert model.scores(features[order]).tolist() == together[order].tolist()


def test_the_shipped_model_records_its_training() -> None:
    training = shipped_model().training
    assert training["corpora"]
    assert not set(training["corpora"]) & set(training["held_out"])
    for quality in training["held_out"].values():
        assert quality["mutants"]["found"] > 0.9
        assert quality["near misses"]["found"] < 0.1
    assert {"date", "seed", "clonetruth"} <= set(training)


def test_all_metrics_except_lines_are_compared() -> None:
    assert set(FragmentMetrics.__dataclass_fields__) - set(MEASURES) == {"lines"}


def test_a_model_survives_saving_and_loading(tmp_path: Path) -> None:
    shipped_model().save(tmp_path / "model.json")
    again = MetricsModel.load((tmp_path / "model.json").read_text(), "model.json")
    features = np.random.default_rng(1).random((5, len(FEATURES)))
    assert again.scores(features).tolist() == shipped_model().scores(features).tolist()
    assert again.training == shipped_model().training


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("{", "["), "Not a model"),
        (('"schema_version":1', '"schema_version":2'), "another schema or version"),
        (('"shared actions"', '"actions in common"'), "other features"),
        (('"bias"', '"bent"'), "bias"),
        (('"training"', '"trailing"'), "training"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    shipped_model().save(tmp_path / "model.json")
    text = (tmp_path / "model.json").read_text().replace(*change)
    with pytest.raises(InputError, match=message) as error:
        MetricsModel.load(text, tmp_path / "model.json")
    assert error.value.where == str(tmp_path / "model.json")


def bigclonebench_pairs(file: Path, most: int) -> tuple[pa.Table, pa.Table]:
    """The first pairs of a published list, with the texts of their functions."""
    with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
        rows = [row for row, _ in zip(csv.DictReader(lines), range(most), strict=False)]
    texts = [row[side] for row in rows for side in ("FUNCTION_ONE", "FUNCTION_TWO")]
    table = pa.table({"fragment": range(len(texts)), "language": ["java"] * len(texts), "text": texts})
    columns = {"pair": range(most), "left": range(0, 2 * most, 2), "right": range(1, 2 * most, 2)}
    return table, pa.table(columns, schema=PAIRS)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("T1", 0.97, 1), ("T2", 0.97, 1), ("VST3", 0.9, 1), ("ST3", 0.55, 1), ("neg_MT3", 0, 0.03)],
)
def test_published_clones(shared_data: Path, name: str, least: float, most: float) -> None:
    table, pairs = bigclonebench_pairs(shared_data / "bigclonebench" / "db_extract" / f"raw_{name}.csv.gz", 60)
    scores = METRICS.score(table, pairs).to_pylist()
    share = sum(score is not None and score >= METRICS.default_threshold for score in scores) / len(scores)
    assert least <= share <= most
