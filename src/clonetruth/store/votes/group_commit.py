"""Group commit: writes that arrive while the disk is busy are committed together in the next transaction.

A commit costs a disk sync, a few milliseconds. Fifty judges who vote at the same moment wait for two syncs instead of
fifty. There is no background thread: the first thread to get the lock writes for all that wait.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

from clonetruth.errors import CloneTruthError
from clonetruth.store.votes.databases import Connection, Database, run_all
from clonetruth.store.votes.vote import UnavailableError

T = TypeVar("T")


class GroupCommit:
    """Commits the writes of many threads, each durable before its call returns.

    Args:
        database: where to write.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Connection | None = None
        self._waiting: deque[tuple[Callable[[Connection], Any], Future[Any]]] = deque()
        self._lock = threading.Lock()

    def run(self, work: Callable[[Connection], T]) -> T:
        """Run work within a transaction; return its result after the commit.

        Args:
            work: reads and writes. It may raise a `CloneTruthError` only before its first write, because the
                other work in the same transaction is committed all the same.

        Raises:
            UnavailableError: the database failed; the work may or may not be committed.
        """
        future: Future[T] = Future()
        self._waiting.append((work, future))
        with self._lock:
            if not future.done():
                self._commit_all()
        return future.result()

    def close(self) -> None:
        """Close the session."""
        with self._lock:
            self._drop()

    def _commit_all(self) -> None:
        batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
        outcomes: list[Callable[[], None]] = []
        try:
            connection = self._begin()
            outcomes = [_attempt(work, future, connection) for work, future in batch]
            connection.execute("COMMIT")
        except BaseException as error:
            # An interrupt hits the thread that happens to write; the threads it writes for must be notified too.
            failure = error if isinstance(error, CloneTruthError) else UnavailableError("The vote was interrupted.")
            outcomes = [partial(future.set_exception, failure) for _, future in batch]
            self._drop()
            if failure is not error:
                raise
        finally:
            # Nobody is notified before the commit.
            for notify in outcomes:
                notify()

    def _begin(self) -> Connection:
        """A session with an open transaction; a session that broke while idle is replaced."""
        if self._connection is not None:
            try:
                run_all(self._connection, self._database.begin)
                return self._connection
            except UnavailableError:
                self._drop()
        self._connection = self._database.connect()
        run_all(self._connection, self._database.begin)
        return self._connection

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _attempt(work: Callable[[Connection], T], future: Future[T], connection: Connection) -> Callable[[], None]:
    """Run one piece of work; returns how to deliver its result."""
    try:
        return partial(future.set_result, work(connection))
    except UnavailableError:
        raise
    except CloneTruthError as refusal:
        return partial(future.set_exception, refusal)
