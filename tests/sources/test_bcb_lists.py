"""Lists of pairs of BigCloneBench's ids: small files of each, and the real ones with their known counts."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.sources import import_dataset
from clonetruth.sources.accounting import NO_TEXTS
from clonetruth.sources.bcb_functions import FunctionTexts, unwrapped
from clonetruth.sources.pair_lists import identity_of, is_variant, path_part
from clonetruth.sources.source import ImportLog
from tests.sources import bcb_fixtures as samples
from tests.sources.bcb_fixtures import COPY, HASH, MOVE, ONE, THREE, TWO
from tests.sources.importer import Imported, imported

TYPED = (
    "SELECT claimed_type, claimed_cut_rule, count(*) AS n FROM pairs GROUP BY 1, 2 "
    "ORDER BY n DESC, claimed_type NULLS LAST"
)


def texts(found: Imported) -> dict[str, str]:
    return dict(found.rows("SELECT id, text FROM fragments ORDER BY fragment"))


def test_functions_without_pairs(tmp_path: Path) -> None:
    found = imported("bigclonebench-functions", samples.bigclonebench_functions(tmp_path), tmp_path / "out")
    assert texts(found) == {ONE: COPY, TWO: MOVE, THREE: HASH}
    assert found.report.counts["pairs"] == 0


def test_functions_that_repeat_or_have_no_id_are_skipped(tmp_path: Path) -> None:
    file = tmp_path / "functions.txt"
    file.write_bytes(f"FUNCTION_ID:\t{ONE}\n{COPY}FUNCTION_ID:\tx\n{MOVE}FUNCTION_ID:\t{ONE}\n{HASH}".encode())
    found = imported("bigclonebench-functions", [file], tmp_path / "out")
    assert texts(found) == {ONE: COPY}
    assert found.report.reasons == {"the function's id is not a number": 1, "the function's id occurs twice": 1}


def test_bytes_that_are_not_utf8_are_latin1(tmp_path: Path) -> None:
    file = tmp_path / "functions.txt"
    file.write_bytes(b"FUNCTION_ID:\t1\r\nvoid gr\xfc\xdfe() { }\r\n")
    assert texts(imported("bigclonebench-functions", [file], tmp_path / "out")) == {"1": "void grüße() { }\n"}


def test_astnn(tmp_path: Path) -> None:
    found = imported("astnn", samples.astnn(tmp_path), tmp_path / "out")
    assert found.labels("shares-functionality") == [
        (ONE, TWO, "rule:astnn", "clone"),
        (ONE, THREE, "rule:astnn", "not-clone"),
        (TWO, ONE, "rule:astnn", "clone"),
    ]
    assert found.rows("SELECT claimed_type, claimed_cut_rule FROM pairs ORDER BY pair") == [
        ("ST3", "mean"),
        (None, None),
        ("WT3/T4", "mean"),
    ]
    assert texts(found)[TWO] == MOVE


def test_astnn_unusable_rows(tmp_path: Path) -> None:
    (tmp_path / "bcb_pair_ids.csv").write_text("id1,id2,label\n1,2,0\n1,2,6\n1,x,1\n1\n")
    report = import_dataset("astnn", [tmp_path / "bcb_pair_ids.csv"], output=tmp_path / "out")
    assert report.counts["pairs"] == 1
    assert report.reasons == {"the label is not between 0 and 5": 1, "an id is not a number": 2, NO_TEXTS: 1}
    assert report.rows_read["fragments without text"] == 2


def test_toma(tmp_path: Path) -> None:
    found = imported("toma", samples.toma(tmp_path), tmp_path / "out")
    assert found.rows(
        "SELECT claimed_type, claimed_cut_rule, claimed_similarity_line, claimed_similarity_token FROM pairs "
        "ORDER BY pair"
    ) == [("T1", "min", 1.0, 1.0), ("MT3", "min", 0.6, 0.55), ("MT3", "min", 0.5, 0.7)]
    assert texts(found)["9"] == ""
    assert found.report.rows_read["fragments without text"] == 1


def test_toma_unusable_rows(tmp_path: Path) -> None:
    (tmp_path / "type-2.csv").write_text("1,2,2,1,1\n1,2,2,1\n1,2,2,1,1,9\n1,2,2,nan,1\n1,2,2,1,1.5\n")
    report = import_dataset("toma", [tmp_path], output=tmp_path / "out")
    assert report.counts["pairs"] == 1
    assert report.reasons == {
        "the row does not have five columns": 2,
        "a similarity is not a number from 0 to 1": 2,
        NO_TEXTS: 1,
    }


def test_zhengly1_removes_the_wrapper(tmp_path: Path) -> None:
    found = imported("zhengly1", samples.zhengly1(tmp_path), tmp_path / "out")
    assert texts(found) == {ONE: COPY, TWO: MOVE, THREE: HASH}
    assert found.rows(TYPED) == [("ST3", "min", 1), (None, None, 1)]
    assert found.report.reasons == {}


def test_zhengly1_rows_that_contradict_their_count_or_type(tmp_path: Path) -> None:
    (tmp_path / "clone_labels.txt").write_text("5\n1,2,1,0\n1,2,0,0\n1,2,1,7\nx\n")
    report = import_dataset("zhengly1", [tmp_path], output=tmp_path / "out")
    assert report.reasons == {
        NO_TEXTS: 1,
        "the label and the type are unknown or contradict each other": 2,
        "the row does not hold two ids, a label and a type": 1,
        "the number of rows differs from the number that the list states": 1,
    }


@pytest.mark.parametrize(
    "text", ["void f() { }", "public class Other{\nvoid f() { }\n}", "public class BigbenchClone{"]
)
def test_only_the_wrapper_is_removed(text: str) -> None:
    assert unwrapped(text) == text


def test_codexglue_parts_and_order(tmp_path: Path) -> None:
    found = imported("codexglue-bcb", samples.codexglue_bcb(tmp_path), tmp_path / "out")
    assert sorted(found.rows("SELECT claimed_part, count(*) AS n FROM pairs GROUP BY 1")) == [
        ("test", 2),
        ("train", 2),
        ("valid", 1),
    ]
    assert (TWO, ONE, "rule:codexglue-bcb", "clone") in found.labels()
    assert texts(found)[ONE] == COPY


def test_codexglue_takes_texts_from_functions_zip(tmp_path: Path) -> None:
    folder = tmp_path / "lists"
    folder.mkdir()
    samples.codexglue_bcb(folder)
    functions = samples.write_functions(tmp_path / "functions.zip")
    paths = [folder / "train.txt", folder / "test.txt", functions]
    assert texts(imported("codexglue-bcb", paths, tmp_path / "out")) == {ONE: COPY, TWO: MOVE, THREE: HASH}


def test_small_ids_belong_to_another_dataset(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("12\t7\t1\n")
    with pytest.raises(InputError, match="No known format"):
        import_dataset("auto", [tmp_path / "train.txt"], output=tmp_path / "out")


def test_graphmatch_bigclonebench(tmp_path: Path) -> None:
    found = imported("graphmatch", samples.graphmatch(tmp_path), tmp_path / "out")
    assert found.labels("shares-functionality") == [
        (ONE, TWO, "rule:graphmatch", "clone"),
        (TWO, THREE, "rule:graphmatch", "not-clone"),
        (THREE, ONE, "rule:graphmatch", "not-clone"),
    ]
    assert found.rows("SELECT claimed_part FROM pairs ORDER BY pair") == [("train",), ("train",), ("test",)]


def test_graphmatch_code_jam(tmp_path: Path) -> None:
    programs = {"1/googlejam1.p1.A.java": "class A { }", "2/googlejam2.p1.B.java": "class B { }"}
    for name, text in programs.items():
        file = tmp_path / "googlejam4_src" / name
        file.parent.mkdir(parents=True)
        file.write_text(text)
    one, two = (f"googlejam4_src/{name}".replace("/", "\\").replace("\\", "/", 1) for name in programs)
    (tmp_path / "train11.txt").write_text(f"{one} {two} -1\n{one} {one} 1\n")
    found = imported("graphmatch", [tmp_path / "train11.txt", tmp_path / "googlejam4_src"], tmp_path / "out")
    assert found.benchmark.card.criterion == "same-main-purpose"
    assert texts(found) == programs
    assert [row[3] for row in found.labels("same-main-purpose")] == ["not-clone", "clone"]


def test_graphmatch_refuses_two_datasets_at_once(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("googlejam4_src/1\\a.java googlejam4_src/1\\b.java 1\n")
    (tmp_path / "testdata.txt").write_text("./bigclonebenchdata/1.txt\t./bigclonebenchdata/2.txt\t1\n")
    with pytest.raises(InputError, match="two datasets"):
        import_dataset("graphmatch", [tmp_path], output=tmp_path / "out")


def test_a_folder_gives_the_full_lists_and_a_name_any_list(tmp_path: Path) -> None:
    row = "./bigclonebenchdata/1.txt\t./bigclonebenchdata/2.txt\t1\n"
    (tmp_path / "traindata.txt").write_text(row * 3)
    (tmp_path / "traindata11.txt").write_text(row)
    assert import_dataset("graphmatch", [tmp_path], output=tmp_path / "one").counts["pairs"] == 3
    assert import_dataset("graphmatch", [tmp_path / "traindata11.txt"], output=tmp_path / "two").counts["pairs"] == 1


@pytest.mark.parametrize(
    ("name", "part", "variant"),
    [
        ("traindata.txt", "train", False),
        ("devdata.txt", "valid", False),
        ("trainall.txt", "train", False),
        ("train13small.txt", "train", True),
        ("recordtraindataAbsBCB30w.txt", "train", True),
        ("recordtestdataBCB.txt.gz", "test", False),
        ("flistAbsBCB.txt", None, False),
    ],
)
def test_names_of_lists(name: str, part: str | None, variant: bool) -> None:
    assert path_part(Path(name)) == part
    assert is_variant(Path(name)) is variant


def test_ids_of_files() -> None:
    assert identity_of("./bigclonebenchdata/13.txt") == "13"
    assert identity_of("sourcecode/6\\1999.txt") == "6/1999.txt"
    assert identity_of("googlejam4_src/1/googlejam1.p5.A.java") == "1/googlejam1.p5.A.java"


def test_absbigclonebench_by_paths(tmp_path: Path) -> None:
    found = imported("absbigclonebench", samples.absbigclonebench(tmp_path), tmp_path / "out")
    assert found.report.counts["pairs"] == 6
    assert "fun0" in texts(found)[ONE]
    assert found.rows("SELECT claimed_part, count(*) AS n FROM pairs GROUP BY 1 ORDER BY 1") == [
        ("test", 2),
        ("train", 2),
        ("valid", 2),
    ]


def test_absbigclonebench_as_codexglue(tmp_path: Path) -> None:
    folder = tmp_path / "AbsBigCloneBench"
    folder.mkdir()
    samples.codexglue_bcb(folder)
    report = import_dataset("auto", [folder], output=tmp_path / "out")
    assert (report.source, report.counts["pairs"]) == ("absbigclonebench", 5)


def test_text_sources(tmp_path: Path) -> None:
    (tmp_path / "data.jsonl").write_text(json.dumps({"idx": 1, "func": "a"}) + "\nno json\n")
    (tmp_path / "bcb_funcs_all.tsv").write_text('2\t"b\nb"\n1\tlater\n')
    (tmp_path / "pretty.csv").write_text('function_id,text\n3,"c"\n,d\n')
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "4.txt").write_text("d")
    log = ImportLog()
    found = FunctionTexts([tmp_path / name for name in ("data.jsonl", "bcb_funcs_all.tsv", "pretty.csv", "tree")], log)
    texts = {identity: found.get(identity) for identity in ("", "1", "2", "3", "4", "5")}
    assert texts == {"": "", "1": "a", "2": "b\nb", "3": "c", "4": "d", "5": ""}
    assert log.rows_read["function texts"] == 5
    assert sum(log.reasons.values()) == 2


def test_a_named_file_that_is_not_accepted_is_listed_and_refused_by_strict(tmp_path: Path) -> None:
    paths = [*samples.toma(tmp_path), tmp_path / "notes.md"]
    paths[-1].write_text("hello")
    report = import_dataset("toma", paths, output=tmp_path / "out")
    assert [one.where for one in report.files.unused] == [str(paths[-1])]
    with pytest.raises(InputError, match="'toma' does not read this file"):
        import_dataset("toma", paths, output=tmp_path / "strict", strict=True)


def test_real_functions(shared_data: Path, tmp_path: Path) -> None:
    found = imported("bigclonebench-functions", [shared_data / "bigclonebench" / "functions.zip"], tmp_path / "out")
    assert found.report.counts["fragments"] == 9_134
    groups: dict[str, int] = {}
    for text in texts(found).values():
        key = "".join(text.split())
        groups[key] = groups.get(key, 0) + 1
    repeated = [count for count in groups.values() if count > 1]
    assert (len(groups), len(repeated), sum(repeated)) == (8_068, 375, 1_441)


@pytest.mark.slow
def test_real_astnn(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "bigclonebench"
    found = imported("astnn", [folder / "bcb_pair_ids.pkl"], tmp_path / "out")
    assert sorted(found.rows(TYPED), key=str) == sorted(
        [
            (None, None, 20_000),
            ("T1", "mean", 15_555),
            ("T2", "mean", 3_663),
            ("ST3", "mean", 18_317),
            ("MT3", "mean", 20_000),
            ("WT3/T4", "mean", 20_000),
        ],
        key=str,
    )
    labels = (
        "SELECT pair_key, count(*) AS n, count(DISTINCT coalesce(claimed_type, '')) AS labels FROM pairs GROUP BY 1"
    )
    assert found.rows(f"SELECT sum(n - 1)::INT AS n, sum((labels > 1)::INT)::INT AS m FROM ({labels})") == [(394, 393)]
    other = imported("astnn", [folder / "bcb_pair_ids.parquet"], tmp_path / "out")
    assert other.benchmark.content_hash == found.benchmark.content_hash


@pytest.mark.slow
def test_real_toma(shared_data: Path, tmp_path: Path) -> None:
    found = imported("toma", [shared_data / "bigclonebench" / "typed_pairs_toma"], tmp_path / "out")
    assert found.rows(TYPED) == [
        ("MT3", "min", 86_341),
        ("T1", "min", 48_116),
        ("ST3", "min", 21_395),
        ("T2", "min", 4_234),
    ]
    repeated = "SELECT claimed_type, count(*) - count(DISTINCT pair_key) AS n FROM pairs GROUP BY 1 ORDER BY 1"
    assert dict(found.rows(repeated)) == {"T1": 54, "T2": 4, "ST3": 46, "MT3": 25}


@pytest.mark.slow
def test_real_zhengly1(shared_data: Path, tmp_path: Path) -> None:
    found = imported("zhengly1", [shared_data / "bigclonebench" / "typed_pairs_zhengly1"], tmp_path / "out")
    assert (found.report.counts["pairs"], found.report.counts["fragments"]) == (91_677, 22_723)
    assert {name: count for name, _, count in found.rows(TYPED)} == {
        "T1": 16_184,
        "T2": 3_785,
        "ST3": 11_708,
        "MT3": 20_000,
        "WT3/T4": 20_000,
        None: 20_000,
    }
    assert found.rows("SELECT count(*) AS n FROM fragments WHERE text LIKE '%BigbenchClone%'") == [(0,)]
    assert found.report.reasons == {}


def test_real_codexglue(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "bigclonebench"
    lists = [folder / "codexglue" / f"{part}_sampled.txt" for part in ("valid", "test")]
    paths = [folder / "codexglue" / "train_sampled.txt.gz", *lists, folder / "functions.zip"]
    found = imported("codexglue-bcb", paths, tmp_path / "out")
    values = (
        "SELECT p.claimed_part AS part, g.value AS value, count(*) AS n FROM pairs p "
        "JOIN judgements g ON p.pair = g.pair GROUP BY 1, 2"
    )
    assert {(part, value): n for part, value, n in found.rows(values)} == {
        ("train", "clone"): 45_051,
        ("train", "not-clone"): 45_051,
        ("valid", "clone"): 2_000,
        ("valid", "not-clone"): 2_000,
        ("test", "clone"): 2_000,
        ("test", "not-clone"): 2_000,
    }
    assert "fragments without text" not in found.report.rows_read
    repeated = "SELECT count(*) - count(DISTINCT pair_key) AS n FROM pairs WHERE claimed_part = 'train'"
    assert found.rows(repeated) == [(2_253,)]


def test_compressed_lists_give_the_same(tmp_path: Path) -> None:
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    plain.mkdir()
    packed.mkdir()
    samples.codexglue_bcb(plain)
    for file in plain.iterdir():
        (packed / f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
    hashes = {imported("codexglue-bcb", [path], tmp_path / "out").benchmark.content_hash for path in (plain, packed)}
    assert len(hashes) == 1
