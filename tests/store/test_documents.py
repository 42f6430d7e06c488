"""What a benchmark says of itself: Croissant metadata, datasheet, schema documentation, manifests."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import duckdb
import mlcroissant
import pytest

from clonetruth import __version__
from clonetruth.errors import InputError
from clonetruth.model import Judgement
from clonetruth.store import TABLES, Benchmark, build_manifest, manifest_text, read_manifest
from clonetruth.store.hashing import hash_file
from clonetruth.store.schema_text import schema_markdown
from clonetruth.store.schemas import CORE, IMMUTABLE

from .samples import ADA, CARD, dataset, derived_recipe, small

DOCS = Path(__file__).parents[2] / "docs"


def test_croissant_validates_without_an_error(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    metadata = mlcroissant.Dataset(str(benchmark.path / "benchmark.json")).metadata
    assert metadata.issues.errors == set()
    assert metadata.name == CARD.name
    assert {record_set.id for record_set in metadata.record_sets} == set(CORE)


def test_croissant_readers_read_every_core_table(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    benchmark.append_judgements([ADA], [Judgement("ada", "textual", "clone", pair=1)])
    reader = mlcroissant.Dataset(str(benchmark.path / "benchmark.json"))
    for name in CORE:
        records = list(reader.records(name))
        assert len(records) == benchmark.counts[name], name
        assert set(records[0]) == {f"{name}/{column}" for column in TABLES[name].schema.names}
    texts = [record["fragments/text"].decode() for record in reader.records("fragments")]
    assert texts == benchmark.table("fragments")["text"].to_pylist()


def test_croissant_has_the_hash_of_every_file(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    document = json.loads((benchmark.path / "benchmark.json").read_text(encoding="utf-8"))
    files = {entry["@id"]: entry for entry in document["distribution"] if entry["@type"] == "cr:FileObject"}
    assert set(files) == {f"{name}.parquet" for name in IMMUTABLE} | {
        "judges/part-0.parquet",
        "judgements/part-0.parquet",
    }
    for name, entry in files.items():
        assert entry["sha256"] == hash_file(benchmark.path / name)


def test_the_datasheet_is_deterministic_and_says_what_matters(tmp_path: Path) -> None:
    one, other = small(tmp_path / "one"), small(tmp_path / "other")
    text = (one.path / "README.md").read_text(encoding="utf-8")
    assert text == (other.path / "README.md").read_text(encoding="utf-8")
    for part in (CARD.licence, CARD.citation, CARD.criterion, *CARD.known_flaws, one.content_hash):
        assert part in text
    assert "| java | 3 |\n| python | 1 |" in text
    assert "| rule | shares-functionality | 2 |" in text
    assert one.datasheet() == text
    one.append_judgements([ADA], [Judgement("ada", "textual", "clone", pair=1)])
    assert "| person | textual | 1 |" in one.datasheet()


def test_the_datasheet_shows_the_recipe_and_survives_awkward_words(tmp_path: Path) -> None:
    parent = small(tmp_path / "parent")
    card = dataclasses.replace(CARD, citation="A | B\nC", known_flaws=())
    child = Benchmark.create(tmp_path / "child", dataset(card=card, recipe=derived_recipe()), parents=[parent])
    text = child.datasheet()
    assert "Operation `keep`" in text
    assert f"- parent `{parent.content_hash}`" in text
    assert "| Citation | A \\| B C |" in text
    assert "None recorded; there may be some." in text


@pytest.mark.parametrize(
    "funnel", ["x", 3, [1], [{"step": "a"}], [{"step": "a", "does": "b", "in": {"n": "x"}}], {"a": 1}]
)
def test_a_process_that_somebody_edited_is_left_out_of_the_datasheet(tmp_path: Path, funnel: object) -> None:
    recipe = dataclasses.replace(derived_recipe(), parameters={"funnel": funnel})
    parent = small(tmp_path / "parent")
    child = Benchmark.create(tmp_path / "child", dataset(recipe=recipe), parents=[parent])
    assert "How it was made" not in child.datasheet()


@pytest.mark.parametrize(
    "tables", ["x", {"t": 3}, {"t": {}}, {"t": {"row": 1}}, {"a | b": {"r | s": {"n": "<b>", "m": None}}}]
)
def test_tables_of_a_step_that_somebody_edited_do_no_harm(tmp_path: Path, tables: object) -> None:
    step = {
        "step": "made",
        "does": "It makes.",
        "in": {},
        "out": {"n": 1},
        "left out": {},
        "notes": [],
        "tables": tables,
    }
    recipe = dataclasses.replace(derived_recipe(), parameters={"funnel": [step]})
    parent = small(tmp_path / "parent")
    text = Benchmark.create(tmp_path / "child", dataset(recipe=recipe), parents=[parent]).datasheet()
    assert "| made | It makes. |" in text
    assert ("### made" in text) == (isinstance(tables, dict) and "a | b" in tables)
    assert text.count("<b>") == text.count("\\<b>"), "no HTML of others"


def test_the_datasheets_own_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark = small(tmp_path / "b")
    example = benchmark.datasheet().split("```python\n")[1].split("```")[0]
    monkeypatch.chdir(benchmark.path)
    query = example.split('duckdb.sql("')[1].split('")')[0]
    rows = duckdb.sql(query)
    assert rows is not None
    assert len(rows.fetchall()) == 3
    exec(compile(example, "README.md", "exec"), {})


def test_schema_documentation_is_up_to_date() -> None:
    assert (DOCS / "schema.md").read_text(encoding="utf-8") == schema_markdown(), "write schema_markdown() to it"


def test_every_file_of_the_folder_is_documented() -> None:
    text = (DOCS / "benchmark-folder.md").read_text(encoding="utf-8")
    for table in TABLES.values():
        assert table.files in text


def test_a_manifest_records_what_produced_a_number() -> None:
    manifest = build_manifest({"b": "2", "a": "1"}, {"rule": "bcb", "cut": 0.7}, seed=3)
    assert list(manifest.inputs) == ["a", "b"]
    assert manifest.seed == 3
    assert manifest.versions["clonetruth"] == __version__
    assert {"python", "duckdb", "pyarrow", "numpy"} <= set(manifest.versions)
    assert manifest.configuration_digest == build_manifest({}, {"cut": 0.7, "rule": "bcb"}).configuration_digest
    assert manifest.configuration_digest != build_manifest({}, {"cut": 0.8, "rule": "bcb"}).configuration_digest
    assert read_manifest(manifest_text(manifest)) == manifest


def test_invalid_configurations_and_manifests_are_refused() -> None:
    with pytest.raises(InputError, match="cannot be written as JSON"):
        build_manifest({}, {"path": Path()})
    for text in ("{", '{"a": 1}', "[]"):
        with pytest.raises(InputError, match="Not a manifest"):
            read_manifest(text)


def test_a_copied_folder_is_the_same_benchmark(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    shutil.copytree(benchmark.path, tmp_path / "elsewhere")
    copy = Benchmark.open(tmp_path / "elsewhere")
    copy.verify()
    assert (copy.content_hash, copy.judgements_hash) == (benchmark.content_hash, benchmark.judgements_hash)
