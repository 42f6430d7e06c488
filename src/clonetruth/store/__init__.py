"""The benchmark folder, the study folder, results and manifests, and the engines that run SQL over them."""

from clonetruth.store.benchmark import Benchmark, open_benchmark
from clonetruth.store.drawn import DrawnBenchmark, PairCounts, PairDraw
from clonetruth.store.engine import DuckDBEngine, Engine, TableLike, open_engine
from clonetruth.store.hashing import hash_json
from clonetruth.store.header import Ancestor
from clonetruth.store.manifest import build_manifest, manifest_text, read_manifest
from clonetruth.store.matrix import MatrixSummary, read_summary
from clonetruth.store.overview import BenchmarkOverview, JudgementCount, describe_benchmark, query_benchmark
from clonetruth.store.results import Measurement, Result, ResultKind, UnknownMetricError, read_result, write_result
from clonetruth.store.schemas import SCHEMA_VERSION, TABLES
from clonetruth.store.study import Study, StudyPlan, read_study, write_study
from clonetruth.store.study_estimate import StudyEstimate, read_estimates, write_estimate
from clonetruth.store.writer import BenchmarkWriter

__all__ = [
    "SCHEMA_VERSION",
    "TABLES",
    "Ancestor",
    "Benchmark",
    "BenchmarkOverview",
    "BenchmarkWriter",
    "DrawnBenchmark",
    "DuckDBEngine",
    "Engine",
    "JudgementCount",
    "MatrixSummary",
    "Measurement",
    "PairCounts",
    "PairDraw",
    "Result",
    "ResultKind",
    "Study",
    "StudyEstimate",
    "StudyPlan",
    "TableLike",
    "UnknownMetricError",
    "build_manifest",
    "describe_benchmark",
    "hash_json",
    "manifest_text",
    "open_benchmark",
    "open_engine",
    "query_benchmark",
    "read_estimates",
    "read_manifest",
    "read_result",
    "read_study",
    "read_summary",
    "write_estimate",
    "write_result",
    "write_study",
]
