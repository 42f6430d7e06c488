"""Databases for votes: SQLite in the study folder, or PostgreSQL for a team. The same SQL serves both.

The SQL names its parameters `:like_this`, and stores times as microseconds since 1970 and booleans as 0 and 1. Both
databases admit one writer at a time (SQLite by its lock, PostgreSQL by an advisory lock held by the transaction), so
that sequence numbers are in the order in which votes become visible.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import SplitResult, urlsplit

from clonetruth.budgets import budget
from clonetruth.errors import InputError, MissingExtraError
from clonetruth.store.atomic import sync
from clonetruth.store.votes.vote import UnavailableError

if TYPE_CHECKING:
    import psycopg

_BUSY_SECONDS = 30


class Connection(Protocol):
    """One session with a database; statements outside a transaction commit immediately."""

    def execute(self, text: str, values: Mapping[str, object] | None = None) -> Sequence[tuple[Any, ...]]:
        """Run one statement and fetch its rows.

        Raises:
            UnavailableError: the database failed.
        """
        ...

    def close(self) -> None:
        """End the session; an open transaction is rolled back."""
        ...


class Database(Protocol):
    """A database for votes.

    Attributes:
        place: its name in messages, without secrets.
        begin: the statements that begin an exclusive write transaction.
        erase: the statements that overwrite what deleted rows leave in files, outside a transaction.
    """

    place: str
    begin: Sequence[str]
    erase: Sequence[str]

    def connect(self) -> Connection:
        """Open a session that any thread may use, one at a time.

        Raises:
            UnavailableError: the database cannot be reached or opened.
        """
        ...


class SQLiteDatabase:
    """A file in the study folder: write-ahead log, every commit synced to disk."""

    begin: Sequence[str] = ("BEGIN IMMEDIATE",)
    # The log holds old pages, and pages hold deleted rows: both are written anew from what is left.
    erase: Sequence[str] = ("PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")

    def __init__(self, path: Path) -> None:
        self.path = path
        self.place = str(path)

    def connect(self) -> Connection:
        """Open the file, creating it readable only by its owner if necessary."""
        try:
            if not self.path.exists():
                self.path.touch(mode=0o600)
                sync(self.path.parent)
            limits = budget()
            if self.path.stat().st_size > limits.member:
                raise limits.exceeded("member", "The database of the votes", self.path)
            connection = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            # FULL syncs the log at every commit; fullfsync makes macOS wait for the disk itself.
            for setting in ("journal_mode = WAL", "synchronous = FULL", "fullfsync = 1"):
                connection.execute(f"PRAGMA {setting}").fetchall()
        except (sqlite3.Error, OSError) as error:
            raise UnavailableError(
                f"The votes cannot be opened ({error}).",
                where=self.path,
                hint="The folder must be writable, and on a local disk.",
            ) from error
        return _SQLiteConnection(connection, self.place)


class _SQLiteConnection:
    def __init__(self, connection: sqlite3.Connection, place: str) -> None:
        self._connection = connection
        self._place = place

    def execute(self, text: str, values: Mapping[str, object] | None = None) -> Sequence[tuple[Any, ...]]:
        try:
            return self._connection.execute(text, dict(values or {})).fetchall()
        except sqlite3.Error as error:
            raise _unavailable(error, self._place) from error

    def close(self) -> None:
        self._connection.close()


class PostgreSQLDatabase:
    """A schema of a PostgreSQL database, so that the studies of a team can share one.

    Args:
        url: `postgresql://user:password@host/database?…`, with any parameters of libpq.
        study: identity of the study, which names the schema.

    Raises:
        InputError: the URL is invalid.
        MissingExtraError: the driver is not installed.
    """

    def __init__(self, url: str, study: str) -> None:
        parts = _split(url)
        try:
            import psycopg
        except ImportError as error:
            raise MissingExtraError.extra("Storing votes in PostgreSQL", "postgres") from error
        self._driver = psycopg
        self._url = url
        self._password = parts.password
        self._schema = f"study_{study[:16]}"
        self.place = f"{parts.scheme}://{parts.hostname or ''}{parts.path}"
        # The lock is named by a signed 64-bit number.
        number = int(study[:16], 16) - 2**63
        self.begin: Sequence[str] = ("BEGIN", f"SELECT pg_advisory_xact_lock({number})")
        self.erase: Sequence[str] = tuple(
            f"VACUUM FULL {name}" for name in ("votes", "participants", "judges", "consents", "quotas")
        )

    def connect(self) -> Connection:
        """Open a session in the study's schema, creating it if necessary."""
        try:
            connection = self._driver.connect(
                self._url, autocommit=True, connect_timeout=10, application_name="clonetruth"
            )
            opened = _PostgreSQLConnection(connection, self.place)
            opened.execute("SET synchronous_commit = on")
            if not opened.execute("SELECT 1 FROM pg_namespace WHERE nspname = :name", {"name": self._schema}):
                for statement in (*self.begin, f"CREATE SCHEMA IF NOT EXISTS {self._schema}", "COMMIT"):
                    opened.execute(statement)
            opened.execute(f"SET search_path TO {self._schema}")
        except (self._driver.Error, UnavailableError) as error:
            # The message repeats an invalid URL, including the password.
            text = str(error).strip().replace(self._password or "\0", "…")
            raise UnavailableError(
                f"The database of votes cannot be opened ({text}).",
                where=self.place,
                hint="Check the URL, and that the user may create a schema.",
            ) from None
        return opened


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = SplitResult("", "", "", "", "")
    if parts.scheme not in ("postgresql", "postgres"):
        raise InputError(
            "The database of votes is not a PostgreSQL URL.",
            hint="It must start with postgresql://; omit it to store votes in the study folder.",
        )
    return parts


class _PostgreSQLConnection:
    def __init__(self, connection: psycopg.Connection, place: str) -> None:
        import psycopg

        self._connection = connection
        self._place = place
        self._error = psycopg.Error

    def execute(self, text: str, values: Mapping[str, object] | None = None) -> Sequence[tuple[Any, ...]]:
        try:
            cursor = self._connection.execute(re.sub(r":(\w+)", r"%(\1)s", text).encode(), values)
            return cursor.fetchall() if cursor.description else ()
        except self._error as error:
            raise _unavailable(error, self._place) from error

    def close(self) -> None:
        self._connection.close()


def _unavailable(error: Exception, place: str) -> UnavailableError:
    return UnavailableError(
        f"The database of votes did not answer ({str(error).strip()}).",
        where=place,
        hint="Try again: a vote that is sent twice with the same key counts once.",
    )


def erase_remains(database: Database) -> None:
    """Overwrite what deleted rows left in the database's files.

    Raises:
        UnavailableError: another process reads or writes all the time, or the database failed.
    """
    connection = database.connect()
    try:
        for statement in database.erase:
            rows = connection.execute(statement)
            # A checkpoint answers (busy, …).
            if rows and rows[0][0]:
                raise _unavailable(BlockingIOError("another process is using it"), database.place)
    finally:
        connection.close()


def run_all(connection: Connection, statements: Iterable[str]) -> None:
    """Run statements in order."""
    for statement in statements:
        connection.execute(statement)
