"""Work in several processes: in order, with the errors of the work, and nothing left running."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Generator, Iterator
from itertools import islice

import pytest

from clonetruth.code import map_parallel
from clonetruth.errors import CloneTruthError, InputError


class _UnsendableError(Exception):
    def __init__(self, first: str, second: str) -> None:
        super().__init__(first)
        self.second = second


def work(shared: int, batch: int) -> int:
    if batch == 13:
        raise InputError("Thirteen.", where="here", hint="Count again.")
    if batch == 14:
        raise _UnsendableError("four", "teen")
    if batch == 15:
        os.kill(os.getpid(), signal.SIGKILL)
    if batch >= 100:
        time.sleep(batch)
    return shared + batch


@pytest.mark.parametrize("processes", [1, 3])
def test_results_come_in_order(processes: int) -> None:
    assert list(map_parallel(work, 1000, range(10), processes)) == list(range(1000, 1010))
    assert list(map_parallel(work, 1000, [], processes)) == []


def test_only_a_few_batches_are_read_ahead() -> None:
    read = []

    def batches() -> Iterator[int]:
        for number in range(12):
            read.append(number)
            yield number

    assert list(islice(map_parallel(work, 0, batches(), 2), 1)) == [0]
    assert len(read) <= 2 * 2 + 1


def test_errors_arrive_as_they_were() -> None:
    with pytest.raises(InputError, match="Thirteen") as raised:
        list(map_parallel(work, 0, [1, 13, 2], 2))
    assert (raised.value.where, raised.value.hint) == ("here", "Count again.")
    assert any("in work" in note for note in raised.value.__notes__), "the place in the other process"
    with pytest.raises(RuntimeError, match="_UnsendableError"):
        list(map_parallel(work, 0, [14], 2))


def test_a_process_that_dies_is_an_error_and_no_wait() -> None:
    with pytest.raises(CloneTruthError, match="signal 9; perhaps memory ran out"):
        list(map_parallel(work, 0, [15, *range(12)], 2))
    assert not multiprocessing.active_children()


def test_work_that_is_no_longer_wanted_ends_at_once() -> None:
    results = map_parallel(work, 0, [1, 600, 600, 600, 600, 600], 2)
    assert isinstance(results, Generator)
    assert next(results) == 1
    started = time.monotonic()
    results.close()
    assert time.monotonic() - started < 5
    assert not multiprocessing.active_children()
