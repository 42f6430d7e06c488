"""How balanced a benchmark is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clonetruth.build.balance import balance_of


@given(st.lists(st.integers(0, 1000), max_size=20))
def test_balance(sizes: list[int]) -> None:
    balance = balance_of("fragments", sizes)
    there = [size for size in sizes if size]
    assert (balance.functionalities, balance.total) == (len(there), sum(there))
    if not there:
        assert balance.mean is balance.deviation is balance.effective is balance.largest is None
        return
    assert balance.effective is not None
    assert 1 - 1e-9 <= balance.effective <= len(there) + 1e-9
    if len(set(there)) == 1:
        assert abs(balance.effective - len(there)) < 1e-9
        assert balance.deviation == 0
