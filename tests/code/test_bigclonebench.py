"""Similarity and clone types against BigCloneBench's published values, and against our own recorded ones."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from clonetruth.code import FormTable, FragmentForms, clone_type
from tests.code.bigclonebench import PublishedPair, forms_by_id, read_pairs, read_texts

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parent.parent / "golden" / "bigclonebench_similarity.csv"

# The rates of the recovered definition: share of pairs whose published value comes out exactly, for line and
# token similarity, and the number of pairs whose published syntactic type differs from ours.
RATES = {1: (1.0, 1.0, 0), 2: (0.9997, 1.0, 1), 3: (0.9967, 0.9967, 8), 4: (0.9934, 0.9941, 0)}
COUNTS = {1: 16_545, 2: 3_789, 3: 11_981, 4: 54_774}

Texts = dict[int, str]


@pytest.fixture(scope="module")
def texts(shared_data: Path) -> Texts:
    return read_texts(shared_data)


@pytest.fixture(scope="module")
def published(shared_data: Path, texts: Texts) -> list[PublishedPair]:
    return read_pairs(shared_data, texts)


@pytest.fixture(scope="module")
def forms(texts: Texts, published: list[PublishedPair]) -> dict[int, FragmentForms]:
    return forms_by_id(texts, {number for pair in published for number in (pair.left, pair.right)})


@pytest.mark.parametrize("group", RATES)
def test_published_values_come_out(group: int, published: list[PublishedPair], forms: dict[int, FragmentForms]) -> None:
    pairs = [pair for pair in published if pair.group == group]
    assert len(pairs) == COUNTS[group]
    position = {number: at for at, number in enumerate(forms)}
    table = FormTable(forms.values())
    measures = table.measure(
        np.array([position[pair.left] for pair in pairs]), np.array([position[pair.right] for pair in pairs])
    )
    line = np.abs(measures.line - [pair.line for pair in pairs]) < 1e-8
    token = np.abs(measures.token - [pair.token for pair in pairs]) < 1e-8
    wrong = measures.syntactic != [pair.syntactic_type for pair in pairs]
    line_rate, token_rate, wrong_types = RATES[group]
    assert round(line.mean(), 4) >= line_rate
    assert round(token.mean(), 4) >= token_rate
    assert np.count_nonzero(wrong) <= wrong_types


def test_our_recorded_values_stay(texts: Texts) -> None:
    """A thousand pairs over all types, by our own numbers: a change of any digit is a change of definition."""
    with GOLDEN.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 1000
    forms = forms_by_id(texts, {int(row[side]) for row in rows for side in ("left", "right")})
    for row in rows:
        found = clone_type(forms[int(row["left"])], forms[int(row["right"])], "min")
        measured = (found.name, f"{found.similarity.line:.9f}", f"{found.similarity.token:.9f}")
        assert measured == (row["clone_type"], row["similarity_line"], row["similarity_token"]), row
