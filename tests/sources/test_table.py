"""Any table of pairs, by a mapping of its columns."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from clonetruth.errors import CloneTruthError, InputError
from clonetruth.sources import import_dataset
from tests.sources.fixtures import OPTIONS
from tests.sources.importer import Imported, imported
from tests.sources.pair_samples import ADD, LOOP, ROWS, SUM, table

LABELS = [
    ("a", "b", "rule:table", "clone"),
    ("a", "c", "rule:table", "not-clone"),
    ("c", "b", "rule:table", "clone"),
    ("a", "b", "rule:table", "clone"),
]


def parts(found: Imported) -> list[str | None]:
    return [part for (part,) in found.rows("SELECT claimed_part FROM pairs ORDER BY pair")]


def test_rows_keep_order_multiplicity_and_parts(tmp_path: Path) -> None:
    found = imported("table", table(tmp_path), tmp_path)
    assert found.labels() == LABELS
    assert parts(found) == ["train", "valid", "test", "train"]
    assert found.rows("SELECT id, text FROM fragments ORDER BY id") == [("a", ADD), ("b", SUM), ("c", LOOP)]


def test_columns_by_number_and_texts_from_a_second_table(tmp_path: Path) -> None:
    pairs = tmp_path / "train.txt"
    pairs.write_text("".join(f"{left}\t{right}\t{label}\n" for left, right, label, *_ in ROWS) + "a\tz\t1\n")
    texts = tmp_path / "data.jsonl"
    texts.write_text(
        "".join(json.dumps({"idx": k, "func": t}) + "\n" for k, t in (("a", ADD), ("b", SUM), ("c", LOOP)))
    )
    found = imported("table", [pairs], tmp_path, left="1", right="2", label="3", texts=str(texts), language="java")
    assert found.labels() == LABELS
    assert dict(found.report.reasons) == {"the text of a fragment is missing": 1}


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet", ".tsv"])
def test_other_formats_and_other_names(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows{suffix}"
    names = ("id_one", "id_two", "same", "fold", "code_one", "code_two")
    rows = [dict(zip(names, row, strict=True)) for row in ROWS]
    if suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist([{**row, "same": float(row["same"])} for row in rows]), path)
    else:
        lines = [names, *(row.values() for row in rows)]
        path.write_text("\n".join("\t".join(word.replace("\n", " ") for word in line) for line in lines))
    options = {"left": "id_one", "right": "id_two", "label": "same", "part": "fold", "language": "java"}
    found = imported("table", [path], tmp_path, left_text="code_one", right_text="code_two", **options)
    assert found.labels() == LABELS


def test_columns_can_be_words(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("one,two,same\na,b,1\n", encoding="utf-8")
    report = import_dataset(
        "table",
        str(path),
        output=str(tmp_path / "out"),
        left="one",
        right="two",
        label="same",
        criterion="functionally-similar",
        option={"language": "java", "texts": "none"},
    )
    assert report.benchmark.counts["pairs"] == report.counts["pairs"] == 1


def test_without_ids_fragments_are_identified_by_their_text(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    rows = [{"func1": ADD, "func2": SUM, "label": True}, {"func1": SUM, "func2": ADD, "label": False}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = imported("table", [path], tmp_path, language="java")
    assert found.report.counts["fragments"] == 2
    assert [row[3] for row in found.labels()] == ["clone", "not-clone"]


def test_labels_may_be_other_words_and_a_missing_label_is_not_a_claim(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(
        f'left,right,label,left_text,right_text\na,b,T4,"{ADD}","{SUM}"\na,c,none,"{ADD}","{LOOP}"\n'
        f'b,c,,"{SUM}","{LOOP}"\nc,c,odd,"{LOOP}","{LOOP}"\n'
    )
    found = imported(
        "table",
        [path],
        tmp_path,
        true="T3,T4",
        false="none",
        language="java",
        name="mine",
        criterion="equivalent-behaviour",
    )
    assert found.labels() == [("a", "b", "rule:mine", "clone"), ("a", "c", "rule:mine", "not-clone")]
    assert found.report.counts["pairs"] == 3
    assert dict(found.report.reasons) == {"the label is neither a true nor a false value": 1}
    assert (found.benchmark.card.name, found.benchmark.card.criterion) == ("mine", "equivalent-behaviour")


def test_types_similarities_and_functionalities_are_claims(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("id1,id2,label,kind,line,f\na,b,1,T3,0.7,sort\nb,a,1,T3,high,sort\n")
    found = imported(
        "table",
        [path],
        tmp_path,
        type="kind",
        similarity_line="line",
        functionality="f",
        cut_rule="line",
        texts="none",
        language="java",
    )
    assert found.rows(
        "SELECT p.claimed_type, p.claimed_similarity_line, p.claimed_cut_rule, g.id FROM pairs p "
        "JOIN functionalities g ON p.functionality = g.functionality"
    ) == [("T3", 0.7, "line", "sort")]
    assert dict(found.report.reasons) == {"a similarity is not a number": 1}


def test_an_id_with_two_texts_is_logged(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(
        "left,right,label,left_text,right_text\na,b,1,int x,int y\na,b,1,int z,int y\n,b,1,int x,int y\na,b,1,int x, \n"
    )
    found = imported("table", [path], tmp_path, language="java")
    assert found.report.counts["pairs"] == 1
    assert dict(found.report.reasons) == {
        "an id has a different text than before": 1,
        "an id is empty": 1,
        "a text is empty": 1,
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"left": "nothing"}, "There is no column 'nothing'. Columns: label, left,"),
        ({"lift": "a"}, "Did you mean 'left'"),
        ({"criterion": "same-goals"}, "does not apply to labels of pairs"),
        ({"true": "1,0"}, "both true and false"),
        ({"language": "klingon"}, "There is no language"),
        ({"texts": "nothing.csv"}, "no such table of texts"),
        ({"header": "no"}, "must be numbers"),
        ({"delimiter": ";;"}, "one character"),
    ],
)
def test_invalid_options(options: dict[str, str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("left,right,label,left_text,right_text\na,b,1,int x,int y\n")
    with pytest.raises(CloneTruthError, match=message):
        import_dataset(
            "table", [path], output=tmp_path / "out", option={"language": "java", **OPTIONS["table"], **options}
        )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rows"),
        ("left,right,label\n", "no rows"),
        ("one,two\n1,2\n", "columns of the pairs are unknown"),
        ("left,label\n1,2\n", "Only one of the columns left and right"),
        ("left,right\n1,2\n", "texts of the fragments are missing"),
        ("left,right,left_text,right_text\n,,a,b\n", "No row could be used"),
    ],
)
def test_invalid_tables(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        import_dataset("table", [path], output=tmp_path / "out", option={"language": "java", **OPTIONS["table"]})
    assert not (tmp_path / "out").exists()


def test_an_import_without_a_usable_row_says_why(tmp_path: Path) -> None:
    pairs, texts = tmp_path / "pairs.csv", tmp_path / "texts.csv"
    pairs.write_text("left,right,label\na,b,1\nb,a,0\n")
    texts.write_text("text_id,text\na,int x;\nb,int y;\n")
    with pytest.raises(InputError) as caught:
        import_dataset("table", [pairs], output=tmp_path / "out", option={**OPTIONS["table"], "texts": str(texts)})
    assert "the language is unknown (2, the first in" in str(caught.value.hint)
    assert imported("table", [pairs], tmp_path, texts=str(texts), language="java").report.counts["pairs"] == 2


def test_a_lone_surrogate_is_stored_as_a_question_mark(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"left": "a", "right": "b", "left_text": "int \\ud800;", "right_text": "int y;"}\n')
    found = imported("table", [path], tmp_path, language="java")
    assert found.rows("SELECT text FROM fragments WHERE id = 'a'") == [("int ?;",)]


def test_the_criterion_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"does not say what its labels mean.*--criterion"):
        import_dataset("auto", table(tmp_path), output=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    report = import_dataset("auto", table(tmp_path), output=tmp_path / "out", criterion="equivalent-behaviour")
    assert report.benchmark.card.criterion == "equivalent-behaviour"
