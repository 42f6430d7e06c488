"""Group commit: whoever comes while the disk is busy is written with the next commit, together.

A commit costs a sync of the disk, some milliseconds. Fifty judges who vote in the same moment wait for two syncs
instead of fifty. There is no thread in the background: the first who gets the lock writes for all who wait.
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
    """Writes of many threads, each durable before its call returns.

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
            work: reads and writes. It raises an error of ours only before its first write: others' work that
                is in the same transaction is committed all the same.

        Raises:
            UnavailableError: the database failed; the work may be committed or not.
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
            # An interrupt hits the thread that happens to write; those it writes for must learn of it too.
            told = error if isinstance(error, CloneTruthError) else UnavailableError("The vote was interrupted.")
            outcomes = [partial(future.set_exception, told) for _, future in batch]
            self._drop()
            if told is not error:
                raise
        finally:
            # Nobody learns of anything before the commit.
            for tell in outcomes:
                tell()

    def _begin(self) -> Connection:
        """A session within a transaction; one that broke while nobody wrote is replaced."""
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
    """Do one's work; how to tell what came of it."""
    try:
        return partial(future.set_result, work(connection))
    except UnavailableError:
        raise
    except CloneTruthError as refusal:
        return partial(future.set_exception, refusal)
