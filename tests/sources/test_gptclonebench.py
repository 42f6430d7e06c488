"""GPTCloneBench: pair files, cross-language files of both generations, and the validation tool's files."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.formats.crosslanguage import parse_cross_language
from clonetruth.sources import import_dataset
from tests.sources.importer import imported
from tests.sources.pair_samples import (
    ADD,
    FENCED,
    HEADED,
    SUM,
    archive,
    cross_language,
    gptclonebench,
    validation_block,
)

TRUE = "true_semantic_clones/java/prompt_2/T4"


def test_the_labels_are_claims_about_semantic_and_not_syntactic_clones(tmp_path: Path) -> None:
    found = imported("gptclonebench", gptclonebench(tmp_path), tmp_path)
    claims = found.rows(
        """
        SELECT g.criterion, g.value, p.claimed_type, count(*) FROM judgements g JOIN pairs p ON g.pair = p.pair
        JOIN fragments f ON p.left = f.fragment WHERE f.path LIKE '%semantic%' GROUP BY ALL ORDER BY ALL
        """
    )
    assert claims == [
        ("semantic-not-syntactic", "clone", "T3", 1),
        ("semantic-not-syntactic", "clone", "T4", 2),
        ("semantic-not-syntactic", "not-clone", "T1/T2", 1),
        ("textual", "clone", "T1/T2", 1),
    ]


def test_pairs_of_one_seed_share_a_functionality(tmp_path: Path) -> None:
    found = imported("gptclonebench", gptclonebench(tmp_path), tmp_path)
    assert found.rows("SELECT count(DISTINCT functionality), count(*) FROM pairs") == [(1, 17)]
    assert found.rows("SELECT name FROM functionalities") == [("add",)]
    roles = dict(found.rows("SELECT role, count(*) FROM memberships GROUP BY role"))
    assert roles == {"exemplar": 7, "tagged-true": 11}


def test_files_without_two_functions_are_skipped_and_inner_blank_lines_are_accepted(tmp_path: Path) -> None:
    found = imported("gptclonebench", gptclonebench(tmp_path), tmp_path)
    assert found.report.reasons["two blank lines do not separate exactly two functions"] == 1
    texts = found.rows(f"SELECT text, first_line, last_line FROM fragments WHERE id = '{TRUE}/Clone_4.java#2'")
    assert texts == [(SUM.replace("\n    return", "\n\n\n    return"), 6, 12)]


def test_all_implementations_of_a_cross_language_file_are_pairs(tmp_path: Path) -> None:
    tree = archive(tmp_path / "x.zip", {"java_to_other/Gpt3D_Clone0.java": cross_language(ADD, HEADED)})
    found = imported("gptclonebench", [tree], tmp_path)
    languages = [("java", "python"), ("java", "c"), ("java", "csharp"), ("python", "c"), ("python", "csharp")]
    assert found.rows(
        "SELECT l.language AS one, r.language AS other FROM pairs p JOIN fragments l ON p.left = l.fragment "
        "JOIN fragments r ON p.right = r.fragment ORDER BY pair"
    ) == [*languages, ("c", "csharp")]


@pytest.mark.parametrize("answer", [HEADED, FENCED])
def test_blocks_are_found_by_headings_and_by_fences(answer: str) -> None:
    text = cross_language(ADD, answer)
    parsed = parse_cross_language(text)
    assert parsed is not None
    assert parsed.seed.text == ADD
    assert [block.language for block in parsed.blocks] == ["python", "c", "csharp"]
    lines = text.split("\n")
    for block in (parsed.seed, *parsed.blocks):
        assert "\n".join(lines[block.first_line - 1 : block.last_line]) == block.text


def test_a_repeated_or_nameless_block_is_counted(tmp_path: Path) -> None:
    answer = "```\nsome()\n```\n```python\npass\n```\n```Python\npass\n```\n"
    tree = archive(tmp_path / "x.zip", {"java_to_other/Gpt4D_Clone0.java": cross_language(ADD, answer)})
    found = imported("gptclonebench", [tree], tmp_path)
    assert found.report.counts["pairs"] == 1
    assert dict(found.report.reasons) == {
        "the block does not name its language": 1,
        "the block repeats a language": 1,
    }


def test_recorded_statuses_are_linked_by_location(tmp_path: Path) -> None:
    found = imported("gptclonebench", gptclonebench(tmp_path), tmp_path)
    spoken = [row for row in found.labels() if row[2].startswith("person:")]
    name = "java_to_other/Gpt3D_Clone0.java"
    assert spoken == [
        (f"{name}#java", f"{name}#python", "person:gptclonebench-validators", "undecided"),
        (f"{name}#python", f"{name}#c", "person:gptclonebench-validators", "undecided"),
    ]


def test_an_unpacked_folder_gives_the_same_as_the_archive(tmp_path: Path) -> None:
    members = {f"{TRUE}/Clone_1.java": f"{ADD}\n\n\n{SUM}\n", "false_semantic_clones/f.java": f"{ADD}\n\n\n{ADD}\n"}
    for name, text in members.items():
        (tmp_path / "tree" / name).parent.mkdir(parents=True)
        (tmp_path / "tree" / name).write_text(text)
    one = import_dataset("gptclonebench", [archive(tmp_path / "a.zip", members)], output=tmp_path / "one")
    two = import_dataset("gptclonebench", [tmp_path / "tree"], output=tmp_path / "two")
    three = import_dataset("gptclonebench", [tmp_path / "tree" / "true_semantic_clones"], output=tmp_path / "three")
    assert one.content_hash == two.content_hash
    assert three.counts["pairs"] == 1


def test_a_block_at_the_same_location_is_skipped(tmp_path: Path) -> None:
    blocks = tmp_path / "blocks.txt"
    blocks.write_text(validation_block(1, ADD, SUM) * 2, encoding="utf-8")
    found = imported("gptclonebench", [blocks], tmp_path)
    assert found.report.counts["pairs"] == 1
    assert found.report.counts["judgements"] == 0
    assert dict(found.report.reasons) == {"a fragment at this location was read before": 1}


def test_foreign_files_are_an_error(tmp_path: Path) -> None:
    tree = archive(tmp_path / "x.zip", {"readme.md": "nothing"})
    with pytest.raises(InputError, match="No pair could be read"):
        import_dataset("gptclonebench", [tree], output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_real_files(shared_data: Path, tmp_path: Path) -> None:
    found = imported("gptclonebench", [shared_data / "gptclonebench"], tmp_path)
    read = found.report.rows_read
    assert (read["true files"], read["false files"], read["cross files"]) == (5203, 3717, 1283 + 1288)
    assert (read["validation blocks"], read["validation rows"]) == (769 + 968, 3774)
    assert found.report.reasons["two blank lines do not separate exactly two functions"] == 15
    kinds = dict(
        found.rows(
            "SELECT CASE WHEN f.path LIKE '%/%' THEN split_part(f.path, '_', 1) ELSE 'block' END AS kind, count(*) "
            "FROM pairs p JOIN fragments f ON p.left = f.fragment GROUP BY ALL"
        )
    )
    assert kinds["true"] + kinds["false"] == 5203 + 3717 - 15
    assert kinds["block"] == 769 + 968 - 1
    # Every file that has three answers gives six pairs; all statuses are undecided.
    assert kinds["cs"] + kinds["java"] + kinds["cross"] == 14_294
    values = found.rows("SELECT DISTINCT value FROM judgements WHERE judge LIKE 'person:%'")
    assert values == [("undecided",)]
