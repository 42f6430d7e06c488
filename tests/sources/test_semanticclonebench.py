"""SemanticCloneBench: pair files, and the studies that judged them again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.sources import import_dataset
from clonetruth.verdicts import judge_verdicts
from tests.sources.importer import imported
from tests.sources.pair_samples import ADD, LOOP, SUM, archive, semanticclonebench, stack_overflow, status


def test_methods_are_stored_without_their_wrapper_class(tmp_path: Path) -> None:
    found = imported("semanticclonebench", semanticclonebench(tmp_path), tmp_path)
    assert found.rows("SELECT id, text, project, path FROM fragments WHERE id LIKE 'Clone0.java%' ORDER BY id") == [
        ("Clone0.java#1", ADD, "stackoverflow.com/q/100", "a/200"),
        ("Clone0.java#2", SUM, "stackoverflow.com/q/100", "a/300"),
    ]
    assert found.rows("SELECT id FROM functionalities ORDER BY id") == [("so-100",), ("so-105",)]


def test_a_changed_verdict_is_kept_with_both_times_and_the_last_counts(tmp_path: Path) -> None:
    found = imported("semanticclonebench", semanticclonebench(tmp_path), tmp_path)
    said = found.rows(
        "SELECT value, CAST(time AS VARCHAR) FROM judgements WHERE judge LIKE '%author1' AND pair = 0 ORDER BY time"
    )
    assert [value for value, _ in said] == ["clone", "not-clone"]
    assert said[0][1].startswith("2023-05-07 02:03:36")
    verdicts = judge_verdicts(found.benchmark).table.to_pylist()
    # author1 (changed), author2 and the tie-break say no, one evaluator of two says yes.
    assert verdicts[0]["verdict"] == "not-clone"
    assert verdicts[0]["judgements"] == 5


def test_the_table_adds_people_and_tools_but_does_not_repeat_what_has_a_time(tmp_path: Path) -> None:
    found = imported("semanticclonebench", semanticclonebench(tmp_path), tmp_path)
    kinds = dict(
        found.rows("SELECT j.kind, count(*) FROM judgements g JOIN judges j ON g.judge = j.judge GROUP BY j.kind")
    )
    # people: author1 3 with times, author2 2, evaluators 3 + 2
    assert kinds == {"rule": 3, "person": 10, "tool": 6}
    assert found.rows("SELECT reason FROM judgements WHERE judge LIKE '%author1' AND pair = 1") == [("clone-ext",)]


def test_a_resolved_label_that_contradicts_the_votes_is_logged(tmp_path: Path) -> None:
    paths = semanticclonebench(tmp_path)
    text = paths[3].read_text().replace("0,1,0,0,1,0,1", "0,1,0,1,1,0,1")
    paths[3].write_text(text)
    found = imported("semanticclonebench", paths, tmp_path)
    assert found.report.reasons["the resolved label is not the majority of the evaluators"] == 1


@pytest.mark.parametrize(
    "entry",
    [
        {**status(0, "clone", "yesterday")},
        {**status(0, "perhaps", "2023-05-07T02:03:36.013Z")},
        {"fileName": 5, "status": ["clone"], "createdAt": None},
    ],
)
def test_invalid_entries_are_counted(entry: dict[str, object], tmp_path: Path) -> None:
    paths = semanticclonebench(tmp_path)
    paths[2].write_text(json.dumps({"clones": [entry]}))
    found = imported("semanticclonebench", paths[:3], tmp_path)
    assert dict(found.report.reasons) == {"the entry has an unknown status or no time": 1}


@pytest.mark.parametrize("text", ["[]", '{"clones": [1]}', '{"clones"', "[" * 100_000])
def test_a_label_file_of_another_shape_is_an_error(text: str, tmp_path: Path) -> None:
    paths = semanticclonebench(tmp_path)
    paths[2].write_text(text)
    with pytest.raises(InputError, match="author1"):
        import_dataset("semanticclonebench", paths, output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_three_methods_are_skipped(tmp_path: Path) -> None:
    tree = archive(
        tmp_path / "x.zip",
        {"Clone1.java": stack_overflow(1, ADD, f"{SUM}\n\n{LOOP}"), "Clone2.java": stack_overflow(2, ADD, SUM)},
    )
    found = imported("semanticclonebench", [tree], tmp_path)
    assert found.report.counts["pairs"] == 1
    assert dict(found.report.reasons) == {"the file does not hold exactly two functions": 1}


def test_real_files(shared_data: Path, tmp_path: Path) -> None:
    found = imported("semanticclonebench", [shared_data / "semanticclonebench"], tmp_path)
    assert found.rows(
        "SELECT f.language, count(*) FROM pairs p JOIN fragments f ON p.left = f.fragment GROUP BY ALL ORDER BY ALL"
    ) == [("java", 200), ("python", 262)]
    assert found.report.rows_read["rows of labels"] == 674
    assert dict(found.report.reasons) == {"the pair file of the row was not read": 474}
    last = """
        SELECT judge, count(*), sum(CASE WHEN value = 'not-clone' THEN 1 ELSE 0 END) FROM (
            SELECT judge, pair, value, row_number() OVER (PARTITION BY judge, pair ORDER BY time DESC) AS place
            FROM judgements WHERE judge LIKE 'person:%'
        ) WHERE place = 1 GROUP BY judge ORDER BY judge
    """
    assert found.rows(last) == [
        ("person:semanticclonebench-author1", 191, 77),
        ("person:semanticclonebench-author2", 189, 79),
        ("person:semanticclonebench-evaluator1", 75, 37),
        ("person:semanticclonebench-evaluator2", 75, 31),
        ("person:semanticclonebench-evaluator4", 14, 4),
    ]
    twice = "SELECT judge, pair FROM judgements WHERE time IS NOT NULL GROUP BY ALL HAVING count(*) > 1"
    assert len(found.rows(twice)) == 2
