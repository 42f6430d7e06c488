"""The rate limiter: a burst is free, then attempts come back with time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clonetruth.studies.invitations import RateLimiter


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def attempts(limiter: RateLimiter, address: str, most: int) -> int:
    """How many attempts are let through in one moment."""
    made = 0
    while made < most and limiter.wait(address) == 0:
        limiter.count(address)
        made += 1
    return made


def test_a_burst_and_then_one_at_a_time() -> None:
    clock = Clock()
    limiter = RateLimiter(burst=5, per_minute=6, clock=clock)
    assert attempts(limiter, "a", 100) == 5
    assert limiter.wait("a") == 10
    clock.now += 10
    assert attempts(limiter, "a", 100) == 1
    clock.now += 3600
    assert attempts(limiter, "a", 100) == 5


def test_addresses_do_not_pay_for_each_other() -> None:
    limiter = RateLimiter(burst=2, clock=Clock())
    assert [attempts(limiter, name, 9) for name in ("a", "b", "a")] == [2, 2, 0]


def test_only_so_many_addresses_are_remembered() -> None:
    limiter = RateLimiter(burst=1, addresses=3, clock=Clock())
    for name in "abcd":
        limiter.count(name)
    assert [limiter.wait(name) > 0 for name in "abcd"] == [False, True, True, True]


@given(
    burst=st.integers(1, 10),
    per_minute=st.integers(1, 100),
    pauses=st.lists(st.floats(0, 100), max_size=60),
)
def test_never_more_than_the_rate_allows(burst: int, per_minute: int, pauses: list[float]) -> None:
    clock = Clock()
    limiter = RateLimiter(burst=burst, per_minute=per_minute, clock=clock)
    made = 0
    for pause in pauses:
        clock.now += pause
        made += attempts(limiter, "a", 1)
    assert made <= burst + (sum(pauses) * per_minute) / 60 + 1e-6
