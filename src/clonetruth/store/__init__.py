"""The benchmark folder: tables that never change, parts that are only added, and the engine that reads."""

from clonetruth.store.benchmark import Benchmark
from clonetruth.store.engine import DuckDBEngine, Engine, TableLike, open_engine
from clonetruth.store.hashing import hash_json
from clonetruth.store.header import Ancestor
from clonetruth.store.manifest import build_manifest, manifest_text, read_manifest
from clonetruth.store.schemas import SCHEMA_VERSION, TABLES
from clonetruth.store.writer import BenchmarkWriter

__all__ = [
    "SCHEMA_VERSION",
    "TABLES",
    "Ancestor",
    "Benchmark",
    "BenchmarkWriter",
    "DuckDBEngine",
    "Engine",
    "TableLike",
    "build_manifest",
    "hash_json",
    "manifest_text",
    "open_engine",
    "read_manifest",
]
