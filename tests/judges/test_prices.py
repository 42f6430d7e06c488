"""Prices and budgets."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.judges.journal import Tokens
from clonetruth.judges.prices import Budget, BudgetExhaustedError, Price, answer_limit, estimated_tokens, read_price

TABLES = {
    "prices.toml": '[tiny]\ninput = 2.5\noutput = 10\n\n["other/model-1.5"]\ninput = 0\noutput = 0\n',
    "prices.json": '{"tiny": {"input": 2.5, "output": 10}, "other/model-1.5": {"input": 0, "output": 0}}',
}


@pytest.mark.parametrize("name", TABLES)
def test_a_price_is_read(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(TABLES[name])
    assert read_price(tmp_path / name, "tiny").of(1_000_000, 100_000) == 3.5
    assert read_price(tmp_path / name, "other/model-1.5") == Price(0, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"other": {"input": 1, "output": 1}}', "no price for 'tiny'. Known: other"),
        ("{}", "Known: none"),
        ("[]", "no price for 'tiny'"),
        ("{", "cannot be read"),
        ('{"tiny": 1}', "Not a price"),
        ('{"tiny": {"input": 1}}', "Not a price"),
        ('{"tiny": {"input": "1", "output": 1}}', "Not a price"),
        ('{"tiny": {"input": -1, "output": 1}}', "is negative"),
    ],
)
def test_an_invalid_price_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_price(path, "tiny")


def test_a_missing_table_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_price(tmp_path / "prices.toml", "tiny")


@given(st.text(max_size=50), st.text(max_size=50))
def test_estimates_grow_with_the_text(one: str, other: str) -> None:
    assert estimated_tokens(one) <= estimated_tokens(one + other) <= estimated_tokens(one) + estimated_tokens(other)
    assert (estimated_tokens(one) == 0) == (one == "")


def test_the_parameters_may_limit_an_answer() -> None:
    assert answer_limit({"max_tokens": 50}) == 50
    assert answer_limit({"max_completion_tokens": 60}) == 60
    assert answer_limit({"temperature": 0}) is None


@given(
    limit=st.floats(0, 2),
    answers=st.lists(st.tuples(st.integers(0, 100), st.integers(0, 50), st.booleans()), max_size=30),
    paid=st.lists(st.integers(0, 50), max_size=3),
)
def test_answers_within_their_limit_never_cost_more_than_the_budget(
    limit: float, answers: list[tuple[int, int, bool]], paid: list[int]
) -> None:
    """Each request: tokens of the prompt, tokens of the answer, and whether the next request waits for it."""
    price = Price(1000, 1000)
    spent = before = sum(paid) / 1000
    budget = Budget(price, limit, answer_tokens=50, spent=before)
    under_way: list[tuple[float, Tokens]] = []
    for prompt, length, waits in answers:
        try:
            under_way.append((budget.reserve(prompt), Tokens(prompt, length)))
            spent += price.of(prompt, length)
        except BudgetExhaustedError:
            pass
        if waits:
            while under_way:
                budget.settle(*under_way.pop())
    assert spent <= max(limit, before) + 1e-9


def test_the_longest_answer_so_far_is_expected() -> None:
    budget = Budget(Price(0, 100), 1.0, answer_tokens=None, spent=0)
    reserved = budget.reserve(0)
    assert reserved == pytest.approx(0.03)
    budget.settle(reserved, Tokens(0, 5000))
    assert budget.reserve(0) == pytest.approx(0.5)
    with pytest.raises(BudgetExhaustedError):
        budget.reserve(0)


def test_what_was_rejected_is_given_back() -> None:
    budget = Budget(Price(0, 100), 0.03, answer_tokens=None, spent=0)
    reserved = budget.reserve(0)
    with pytest.raises(BudgetExhaustedError):
        budget.reserve(0)
    budget.settle(reserved, None)
    assert budget.reserve(0) == reserved
