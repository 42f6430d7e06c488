"""Engines by name, as a person asks for them."""

from __future__ import annotations

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.store.engine import DuckDBEngine, Engine


def open_engine(spec: str | None = None, memory_limit: str | None = None, threads: int | None = None) -> Engine:
    """The engine that a text means. Nothing is started before its first query.

    Args:
        spec: "duckdb" (within the process, the default), "spark" (Spark on this machine), or
            "spark=spark://host:port" (a cluster).
        memory_limit: of the engine ("4GB"); see `DuckDBEngine` and `SparkEngine`.
        threads: of the engine; all cores unless told.

    Raises:
        UnknownNameError: there is no such engine.
        InputError: the master or the memory limit cannot be read.
    """
    name, separator, master = (spec or "duckdb").partition("=")
    if name == "spark":
        from clonetruth.store.spark import SparkEngine

        return SparkEngine(master if separator else "local[*]", memory_limit, threads)
    if name != "duckdb":
        raise UnknownNameError(f"There is no engine '{name}'.", hint="Known: duckdb, spark, spark=spark://host:port.")
    if separator:
        raise InputError(f"The engine 'duckdb' takes no '{master}'.", hint="It runs within the process.")
    return DuckDBEngine(memory_limit, threads)
