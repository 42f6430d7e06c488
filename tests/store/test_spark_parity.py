"""Spark gives what DuckDB gives: for every SELECT of the library, and where an engine must refuse.

Everything that needs a Spark on this machine is in this one module, so that one process starts it.
"""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from clonetruth.errors import BenchmarkError, InputError, MissingExtraError, UnknownNameError
from clonetruth.store import Benchmark, DuckDBEngine, Engine, open_engine
from clonetruth.store.spark import SparkEngine
from clonetruth.verdicts import judge_verdicts
from tests.conftest import ROOT
from tests.store.recording import Question, Recorder, pieces
from tests.store.samples import dataset, small
from tests.store.workloads import WORKLOADS

# A busy machine is not a failure: hundreds of queries run.
pytestmark = pytest.mark.timeout(900)

pytest.importorskip("pyspark", reason="the extra 'spark' is not installed")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

SOURCES = ROOT / "src" / "clonetruth"
NUMBERS = pa.table({"number": [1, 2, 3]})

NOT_SHARED = {
    "arrow_files/checker.py: ": "lets DuckDB read a file in another process, to see whether it can",
    "sources/fempd.py: ": "queries the SQLite file of the dataset",
    "store/votes/": "queries SQLite or PostgreSQL",
    "detectors/embedding/vector_cache.py: ": "queries the SQLite file of the cache",
    "execution/fingerprints.py: ": "queries the SQLite file of the cache",
    "store/engine.py: ": "creates DuckDB's own views, and mentions SQL in messages",
    "store/sampling.py: SELECT 1 FROM rows": "parses a user's condition by DuckDB's grammar",
    "store/sampling.py: SELECT json_serialize_sql": "parses a user's condition by DuckDB's grammar",
    "store/datasheet.py: ```python": "shows a reader how to query DuckDB",
}
"""Prefixes of texts that are not SQL for both engines, by module, and why."""

SMALL_AND_QUICK = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
"""Thousands of plans over a handful of rows: compiling them would cost more than running them."""


@pytest.fixture(scope="module")
def spark() -> SparkEngine:
    return SparkEngine("local[2]", memory_limit="1GB", settings=SMALL_AND_QUICK)


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Question]:
    folder = tmp_path_factory.mktemp("parity")
    (folder / "read").mkdir()
    recorder = Recorder(folder / "read")
    for work in WORKLOADS:
        (folder / work.__name__).mkdir()
        with recorder.recording():
            work(folder / work.__name__)
    return recorder.questions


@pytest.mark.slow
def test_no_select_of_the_library_was_missed(questions: dict[str, Question]) -> None:
    missed = [
        f"{name}:{piece.line}: {piece.text}"
        for module in sorted(SOURCES.rglob("*.py"))
        for name in [str(module.relative_to(SOURCES))]
        if "embedded_data" not in name and "trueclones_data" not in name
        for piece in pieces(module)
        if not f"{name}: {piece.text}".startswith(tuple(NOT_SHARED))
        and not any(piece.text in text for text in questions)
    ]
    assert not missed, "run by no workload in tests/store/workloads.py:\n" + "\n".join(missed)


@pytest.mark.slow
def test_every_select_gives_the_same_on_both(questions: dict[str, Question], spark: SparkEngine) -> None:
    assert len(questions) > 150
    with ThreadPoolExecutor(2) as pool:
        differences = list(pool.map(lambda question: difference(question, spark), questions.values()))
    found = [f"{text}\n    {what}" for text, what in zip(questions, differences, strict=True) if what]
    assert not found, "\n".join(found)


def difference(question: Question, engine: Engine) -> str | None:
    """What differs from DuckDB's answer; the order of rows counts where the SELECT says one."""
    try:
        answer = engine.sql(question.text, question.tables)
    except InputError as error:
        return str(error)
    if answer.schema != question.answer.schema:
        return f"{question.answer.schema} is {answer.schema}".replace("\n", ", ")
    expected, found = question.answer.to_pylist(), answer.to_pylist()
    if "ORDER BY" not in question.text.rpartition(")")[2]:
        expected, found = sorted(expected, key=_sort_key), sorted(found, key=_sort_key)
    same = len(expected) == len(found) and all(map(_same_row, expected, found))
    return None if same else f"{expected[:5]} is {found[:5]}"


def _sort_key(row: Mapping[str, Any]) -> list[tuple[bool, str]]:
    return [(value is None, f"{value:.9g}" if isinstance(value, float) else str(value)) for value in row.values()]


def _same_row(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(
        math.isclose(a, b, rel_tol=1e-12) or (math.isnan(a) and math.isnan(b))
        if isinstance(a, float) and b is not None
        else a == b
        for a, b in zip(one.values(), other.values(), strict=True)
    )


@pytest.mark.slow
def test_a_difference_would_be_found(spark: SparkEngine) -> None:
    for text in (
        "SELECT 'a' AS x FROM t UNION ALL SELECT 'b' AS x FROM t WHERE 1.0 / 3 = 2",
        "SELECT length('abc') AS x FROM t",
        "SELECT concat('a', NULL) AS x FROM t",
        "SELECT number AS x FROM t ORDER BY number",
    ):
        question = Question(text, {"t": NUMBERS}, DuckDBEngine().sql(text, {"t": NUMBERS}))
        assert (difference(question, spark) is None) == ("UNION" in text or "ORDER" in text)
    wrong = Question("SELECT number AS x FROM t", {"t": NUMBERS}, pa.table({"x": [1, 2, 4]}))
    assert difference(wrong, spark) is not None


AGREED = (
    "SELECT sum(number) AS whole, sum(CAST(number AS INT)) AS narrow, count(*) AS n, avg(number) AS mean FROM t",
    "SELECT number FROM t UNION ALL SELECT NULL AS number FROM t WHERE number = 1 ORDER BY number",
    "SELECT number FROM t UNION ALL SELECT NULL AS number FROM t WHERE number = 1 ORDER BY number DESC",
    """SELECT number AS "left", 'it''s' AS quoted, 'a\\n\\b' AS backslash, '“é複”' AS signs FROM t ORDER BY "left" """,
    "SELECT number / 2 AS half, md5(concat('7', CAST(number AS STRING))) AS digest FROM t ORDER BY number",
)


@pytest.mark.slow
@pytest.mark.parametrize("text", AGREED)
def test_what_the_engines_settle_among_themselves(spark: SparkEngine, text: str) -> None:
    question = Question(text, {"t": NUMBERS}, DuckDBEngine().sql(text, {"t": NUMBERS}))
    assert difference(question, spark) is None


@pytest.mark.parametrize("engine", ["duckdb", "spark"])
@pytest.mark.parametrize(
    "text", ["SELECT CAST('x' AS INT) AS n FROM t", "SELECT 9223372036854775807 + number AS n FROM t"]
)
def test_overflows_and_casts_that_fail_are_errors(spark: SparkEngine, engine: str, text: str) -> None:
    with pytest.raises(InputError, match="The SQL cannot be run"):
        (spark if engine == "spark" else DuckDBEngine()).sql(text, {"t": NUMBERS})


def test_a_sum_beyond_64_bits_is_an_error(spark: SparkEngine) -> None:
    big = pa.table({"number": [2**62, 2**62]})
    for engine in (spark, DuckDBEngine()):
        with pytest.raises(InputError, match="cannot be run"):
            engine.sql("SELECT sum(number) AS n FROM t", {"t": big})


def test_tables_may_be_arrow_a_file_or_several_files(spark: SparkEngine, tmp_path: Path) -> None:
    folder = tmp_path / "it's [1] *?{a,b}: p=7 %20"
    folder.mkdir()
    for name in ("a.parquet", ".hidden.parquet"):
        pq.write_table(NUMBERS, folder / name)
    tables = {"x": NUMBERS, "y": folder / "a.parquet", "z": [folder / "a.parquet", folder / ".hidden.parquet"]}
    text = "SELECT (SELECT count(*) FROM x) AS x, (SELECT count(*) FROM y) AS y, (SELECT sum(number) FROM z) AS z"
    assert spark.sql(text, tables).to_pylist() == [{"x": 3, "y": 3, "z": 12}]
    assert sorted(path.name for path in folder.iterdir()) == [".hidden.parquet", "a.parquet"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELEC 1", "cannot be run"),
        ("SELECT missing FROM t", "cannot be run.*missing"),
        ("SELECT * FROM secret", "cannot be run.*secret"),
        ("", "not a single SELECT"),
        ("SET threads = 1", "not a single SELECT"),
        ("SELECT 1; SELECT 2", "not a single SELECT"),
        ("COPY (SELECT 1) TO 'out.csv'", "not a single SELECT"),
    ],
)
def test_what_is_no_select_is_refused_in_plain_words(spark: SparkEngine, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as refusal:
        spark.sql(text, {"t": NUMBERS})
    assert "SQLSTATE" not in str(refusal.value)
    assert "\tat " not in str(refusal.value)


def test_files_that_are_missing_or_damaged_are_named(spark: SparkEngine, tmp_path: Path) -> None:
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and nothing else")
    for name in ("gone.parquet", "bad.parquet"):
        with pytest.raises(BenchmarkError, match=name):
            spark.sql("SELECT * FROM t", {"t": tmp_path / name})


def test_a_write_appears_whole_in_order_or_not_at_all(spark: SparkEngine, tmp_path: Path) -> None:
    path = tmp_path / "out" / "t.parquet"
    failing = "SELECT number, CASE WHEN number = 3 THEN CAST('x' AS INT) ELSE number END AS n FROM t"
    with pytest.raises(InputError):
        spark.write(failing, {"t": NUMBERS}, path)
    assert list(tmp_path.iterdir()) == []
    many = pa.table({"number": range(10_000)})
    schema = pa.schema([pa.field("number", pa.int32(), nullable=False), pa.field("more", pa.float64())])
    text = "SELECT number FROM t ORDER BY md5(CAST(number AS STRING))"
    assert spark.write(text, {"t": many}, path, schema=schema, metadata={"a": "b"}) == 10_000
    written = pq.read_table(path)
    assert written.schema.equals(schema)
    assert written.schema.metadata[b"clonetruth.a"] == b"b"
    assert written["number"].to_pylist() == DuckDBEngine().sql(text, {"t": many})["number"].to_pylist()
    assert [one.name for one in path.parent.iterdir()] == ["t.parquet"]
    assert spark.write("SELECT number FROM t WHERE number < 0", {"t": many}, path) == 0
    assert pq.read_schema(path).equals(pa.schema([("number", pa.int64())]))


@pytest.mark.slow
def test_a_benchmark_is_the_same_made_by_either(spark: SparkEngine, tmp_path: Path) -> None:
    one = small(tmp_path / "one")
    other = Benchmark.create(tmp_path / "other", dataset(), engine=spark)
    assert other.content_hash == one.content_hash
    assert judge_verdicts(other, "origin").table.equals(judge_verdicts(one, "origin").table)


def test_threads_do_not_see_each_others_tables(spark: SparkEngine) -> None:
    def ask(value: int) -> object:
        return spark.sql("SELECT max(v) AS v FROM t", {"t": pa.table({"v": [value]})})["v"].to_pylist()

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(ask, range(6))) == [[value] for value in range(6)]


def test_parts_of_a_table_are_read_once_each(spark: SparkEngine, tmp_path: Path) -> None:
    for folder in ("plain", "with [signs]*"):
        (tmp_path / folder).mkdir()
        parts = [tmp_path / folder / f"part-{number}.parquet" for number in range(3)]
        for part in parts:
            pq.write_table(NUMBERS, part)
        assert spark.sql("SELECT count(*) AS n FROM t", {"t": parts})["n"].to_pylist() == [9]


@pytest.mark.parametrize("spec", [None, "duckdb", "spark", "spark=spark://some.host:7077", "spark=local[2]"])
def test_engines_are_opened_by_name(spec: str | None) -> None:
    engine = open_engine(spec, "2GB", 3)
    assert isinstance(engine, SparkEngine if spec and "spark" in spec else DuckDBEngine)
    if isinstance(engine, SparkEngine):
        cluster = "spark://" in (spec or "")
        assert engine.settings["spark.executor.memory" if cluster else "spark.driver.memory"] == "2048m"
        assert engine.settings["spark.cores.max" if cluster else "spark.master"] == ("3" if cluster else "local[3]")


@pytest.mark.parametrize(
    ("spec", "memory_limit", "error", "message"),
    [
        ("sqlite", None, UnknownNameError, "no engine 'sqlite'.*Known: duckdb, spark"),
        ("duckdb=x", None, InputError, "does not accept 'x'"),
        ("spark=", None, InputError, "not a Spark master"),
        ("spark=yarn", None, InputError, "'yarn' is not a Spark master"),
        ("spark=spark://host", None, InputError, "not a Spark master"),
        ("spark", "plenty", InputError, "'plenty' is not a memory limit"),
        ("spark", "0MB", InputError, "'0MB' is not a memory limit"),
    ],
)
def test_invalid_engines_are_reported(
    spec: str, memory_limit: str | None, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        open_engine(spec, memory_limit)


def test_missing_programs_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is started: an application of other settings is needed for each of these."""
    other = SparkEngine("local[1]", settings={"spark.app.name": "other"})
    with monkeypatch.context() as patch:
        patch.setenv("JAVA_HOME", "/nowhere")
        with pytest.raises(MissingExtraError, match="Java 17"):
            other.sql("SELECT 1 AS x", {})
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pyspark", None)
        with pytest.raises(MissingExtraError, match=r"clonetruth\[spark\]"):
            other.sql("SELECT 1 AS x", {})
    with pytest.raises(InputError, match="No Spark master answers"):
        SparkEngine("spark://127.0.0.1:1").sql("SELECT 1 AS x", {})


def test_settings_that_spark_rejects_are_reported(spark: SparkEngine) -> None:
    with pytest.raises(InputError, match="Spark cannot start"):
        SparkEngine("local[1]", settings={"spark.serializer": "no.such.Serializer"}).sql("SELECT 1 AS x", {})
    assert spark.sql("SELECT 1 AS x", {}).to_pylist() == [{"x": 1}]
