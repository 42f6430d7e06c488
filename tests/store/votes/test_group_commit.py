"""Group commit: many writers, few commits, and every writer gets the result of its work."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from clonetruth.errors import InputError
from clonetruth.store.votes.databases import Connection, SQLiteDatabase
from clonetruth.store.votes.group_commit import GroupCommit
from clonetruth.store.votes.vote import UnavailableError

INSERT = "INSERT INTO numbers VALUES (:number)"
JUDGES = 50


class Watched:
    """SQLite that counts commits, and fails on demand."""

    def __init__(self, path: Path) -> None:
        self._database = SQLiteDatabase(path)
        self.place = self._database.place
        self.begin = self._database.begin
        self.erase = self._database.erase
        self.commits = 0
        self.connects = 0
        self.failing: str | None = None
        self.slow = threading.Event()
        self.slow.set()

    def connect(self) -> Connection:
        self.connects += 1
        return _WatchedConnection(self, self._database.connect())


class _WatchedConnection:
    def __init__(self, watched: Watched, connection: Connection) -> None:
        self._watched = watched
        self._connection = connection

    def execute(self, text: str, values: Mapping[str, object] | None = None) -> Sequence[tuple[Any, ...]]:
        if text == self._watched.failing:
            raise UnavailableError("The disk is full.")
        if text == "COMMIT":
            self._watched.slow.wait()
            self._watched.commits += 1
        return self._connection.execute(text, values)

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def database(tmp_path: Path) -> Watched:
    watched = Watched(tmp_path / "numbers.sqlite")
    connection = watched.connect()
    connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY)")
    connection.close()
    watched.connects = 0
    return watched


def numbers(database: Watched) -> list[int]:
    connection = database.connect()
    found = [number for (number,) in connection.execute("SELECT number FROM numbers ORDER BY number")]
    connection.close()
    return found


def insert(connection: Connection, number: int) -> int:
    connection.execute(INSERT, {"number": number})
    return number


def test_those_who_wait_are_written_together(database: Watched) -> None:
    writer = GroupCommit(database)
    database.slow.clear()
    entered = threading.Semaphore(0)

    def work(number: int) -> int:
        entered.release()
        return writer.run(lambda connection: insert(connection, number))

    with ThreadPoolExecutor(JUDGES) as pool:
        results = [pool.submit(work, number) for number in range(JUDGES)]
        for _ in range(JUDGES):
            entered.acquire()
        database.slow.set()
        assert [result.result() for result in results] == list(range(JUDGES))
    writer.close()
    assert numbers(database) == list(range(JUDGES))
    assert database.commits < JUDGES


def test_a_refused_one_does_not_hold_up_the_others(database: Watched) -> None:
    writer = GroupCommit(database)

    def refuse(connection: Connection) -> int:
        raise InputError("No.")

    def work(number: int) -> int:
        return writer.run(refuse if number % 2 else lambda connection: insert(connection, number))

    with ThreadPoolExecutor(JUDGES) as pool:
        results = [pool.submit(work, number) for number in range(JUDGES)]
    assert [type(result.exception()) for result in results] == [type(None), InputError] * (JUDGES // 2)
    writer.close()
    assert numbers(database) == list(range(0, JUDGES, 2))


@pytest.mark.parametrize("statement", ["COMMIT", INSERT, "BEGIN IMMEDIATE"])
def test_a_failure_is_told_and_leaves_nothing(database: Watched, statement: str) -> None:
    writer = GroupCommit(database)
    writer.run(lambda connection: insert(connection, 1))
    database.failing = statement
    with pytest.raises(UnavailableError, match="disk is full"):
        writer.run(lambda connection: insert(connection, 2))
    assert numbers(database) == [1]
    database.failing = None
    assert writer.run(lambda connection: insert(connection, 2)) == 2
    writer.close()
    assert numbers(database) == [1, 2]


def test_a_session_that_broke_meanwhile_is_replaced(database: Watched) -> None:
    writer = GroupCommit(database)
    sessions: list[Connection] = []
    writer.run(sessions.append)
    sessions[0].close()
    with pytest.raises(UnavailableError, match="closed"):
        sessions[0].execute("SELECT 1")
    assert writer.run(lambda connection: insert(connection, 1)) == 1
    assert database.connects == 2
    writer.close()


def test_an_interrupt_is_not_lost_and_frees_the_lock(database: Watched) -> None:
    writer = GroupCommit(database)

    def interrupt(connection: Connection) -> None:
        insert(connection, 1)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        writer.run(interrupt)
    assert writer.run(lambda connection: insert(connection, 2)) == 2
    writer.close()
    assert numbers(database) == [2]
