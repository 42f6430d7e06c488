"""Small files of the BigCloneBench family, each in its original format."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

COPY = "    void copy(File a, File b) throws IOException {\n        Files.copy(a.toPath(), b.toPath());\n    }\n"
MOVE = "    void move(File a, File b) throws IOException {\n        copy(a, b);\n        a.delete();\n    }\n"
HASH = '    byte[] hash(byte[] data) throws Exception {\n        return Digests.of("MD5").digest(data);\n    }\n'
FUNCTIONS = {"1357662": COPY, "11403723": MOVE, "2602105": HASH}
ONE, TWO, THREE = FUNCTIONS


def write_functions(path: Path, functions: Mapping[str, str] = FUNCTIONS) -> Path:
    """TBCCD's list of functions with the original line breaks; zipped if the name ends in .zip."""
    blocks = "".join(f"FUNCTION_ID:\t{identity}\n{text}" for identity, text in functions.items())
    data = blocks.replace("\n", "\r\n").encode()
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("functions.txt", data)
    else:
        path.write_bytes(data)
    return path


def bigclonebench(folder: Path) -> list[Path]:
    """The tables in the format of H2's CSVWRITE, and a reduced source tree."""
    tables = folder / "tables"
    tables.mkdir()
    (tables / "functionalities.csv").write_text(
        '"ID","NAME","DESCRIPTION","SEARCH_HEURISTIC"\n"4","Copy File","Copies a file,\nall of it.","copy"\n'
        '"3","Secure Hash","Hashes.",\n'
    )
    (tables / "functions.csv").write_text(
        '"NAME","TYPE","STARTLINE","ENDLINE","ID","NORMALIZED_SIZE","PROJECT","TOKENS","INTERNAL"\n'
        f'"7.java","selected","2","4","{ONE}","3","alpha","20","FALSE"\n'
        f'"7.java","selected","5","8","{TWO}","4","alpha","25","FALSE"\n'
        f'"Hash.java","sample","2","4","{THREE}","3",,"25","FALSE"\n'
    )
    (tables / "clones.csv").write_text(
        '"FUNCTION_ID_ONE","FUNCTION_ID_TWO","FUNCTIONALITY_ID","TYPE","SYNTACTIC_TYPE","SIMILARITY_LINE",'
        '"SIMILARITY_TOKEN","MIN_SIZE","MAX_SIZE","MIN_PRETTY_SIZE","MAX_PRETTY_SIZE","MIN_JUDGES","MIN_CONFIDENCE",'
        '"MIN_TOKENS","MAX_TOKENS","INTERNAL"\n'
        f'"{ONE}","{TWO}","4","tagged-tagged","3","0.4","0.75","3","4","3","4","2","1","20","25","FALSE"\n'
    )
    (tables / "false_positives.csv").write_text(
        '"FUNCTION_ID_ONE","FUNCTION_ID_TWO","FUNCTIONALITY_ID","TYPE","SIMILARITY_LINE","SIMILARITY_TOKEN",'
        '"SYNTACTIC_TYPE","MIN_JUDGES","MIN_CONFIDENCE"\n'
        f'"{THREE}","{ONE}","3","sample-tagged","0.1","0.2","3","1","1"\n'
    )
    (tables / "version.csv").write_text('"VERSION"\n"2016-06-19"\n')
    tree = folder / "bcb_reduced"
    for name, text in {"4/selected/7.java": COPY + MOVE, "3/sample/Hash.java": HASH}.items():
        file = tree / name
        file.parent.mkdir(parents=True)
        file.write_text("class Some {\n" + text + "}\n")
    return [tables, tree]


def bigclonebench_functions(folder: Path) -> list[Path]:
    return [write_functions(folder / "functions.txt")]


def frame_pickle(columns: Mapping[str, list[Any]]) -> bytes:
    """A table of integers, pickled in the format of pandas 0.23."""
    rows = len(next(iter(columns.values())))
    values = [value for column in columns.values() for value in column]
    return _assemble(list(columns), rows, values)


def _assemble(names: list[str], rows: int, values: list[Any]) -> bytes:
    out = io.BytesIO()

    def name(module: str, attribute: str) -> bytes:
        return b"c" + f"{module}\n{attribute}\n".encode()

    def plain(value: Any) -> bytes:
        return pickle.dumps(value, protocol=2)[2:-1]

    def array(shape: tuple[int, ...], cells: list[Any]) -> bytes:
        kind = name("numpy", "dtype") + b"(" + plain("O8") + plain(0) + plain(1) + b"tR"
        kind += b"(" + plain(3) + plain("|") + b"NNN" + plain(-1) + plain(-1) + plain(63) + b"tb"
        made = name("numpy.core.multiarray", "_reconstruct") + b"(" + name("numpy", "ndarray")
        made += plain((0,)) + plain("b") + b"tR"
        return made + b"(" + plain(1) + plain(shape) + kind + b"\x89" + plain(cells) + b"tb"

    def index(kind: str, module: str, content: bytes) -> bytes:
        made = name("pandas.core.indexes.base", "_new_Index")
        return made + b"(" + name(module, kind) + b"}(" + content + b"u" + b"tR"

    columns = index(
        "Index", "pandas.core.indexes.base", plain("data") + array((len(names),), names) + plain("name") + b"N"
    )
    numbers = {"name": None, "start": 0, "stop": rows, "step": 1}
    lines = index("RangeIndex", "pandas.core.indexes.range", b"".join(plain(k) + plain(v) for k, v in numbers.items()))
    out.write(b"\x80\x02" + name("pandas.core.frame", "DataFrame") + b")\x81}(" + plain("_data"))
    out.write(name("pandas.core.internals", "BlockManager") + b")\x81")
    out.write(b"((" + columns + lines + b"l(" + array((len(names), rows), values) + b"l(" + columns + b"ltb")
    out.write(plain("_typ") + plain("dataframe") + b"ub.")
    return out.getvalue()


def astnn(folder: Path) -> list[Path]:
    ids = {"id1": [int(ONE), int(ONE), int(TWO)], "id2": [int(TWO), int(THREE), int(ONE)], "label": [3, 0, 5]}
    (folder / "bcb_pair_ids.pkl").write_bytes(frame_pickle(ids))
    return [folder / "bcb_pair_ids.pkl", write_functions(folder / "functions.zip")]


def toma(folder: Path) -> list[Path]:
    (folder / "type-1.csv").write_bytes(f"{ONE},{TWO},1,1,1\r\n".encode())
    (folder / "type-4.csv.gz").write_bytes(gzip.compress(f"{ONE},{THREE},3,0.6,0.55\r\n{TWO},9,3,0.5,0.7\r\n".encode()))
    return [folder / "type-1.csv", folder / "type-4.csv.gz", write_functions(folder / "functions.zip")]


def zhengly1(folder: Path) -> list[Path]:
    (folder / "clone_labels.txt").write_text(f"2\n{ONE},{TWO},1,2\n{ONE},{THREE},0,5\n")
    code = [f"public class BigbenchClone{{    \n{text}}}" for text in FUNCTIONS.values()]
    table = pa.table({"function_id": [int(identity) for identity in FUNCTIONS], "code": code})
    pq.write_table(table, folder / "functions_wrapped.parquet")
    return [folder]


def codexglue_bcb(folder: Path) -> list[Path]:
    rows = [json.dumps({"func": text, "idx": identity}) for identity, text in FUNCTIONS.items()]
    (folder / "data.jsonl").write_text("\n".join(rows) + "\n")
    (folder / "train.txt").write_text(f"{ONE}\t{TWO}\t1\n{TWO}\t{THREE}\t0\n")
    (folder / "valid.txt").write_text(f"{ONE}\t{THREE}\t0\n")
    (folder / "test.txt").write_bytes(f"{THREE}\t{ONE}\t0\r\n{TWO}\t{ONE}\t1".encode())
    return [folder]


def absbigclonebench(folder: Path) -> list[Path]:
    data = folder / "absbigclonebench"
    data.mkdir()
    texts = data / "functions"
    texts.mkdir()
    for identity, text in FUNCTIONS.items():
        (texts / f"{identity}.txt").write_text(text.replace("copy", "fun0"))
    for part in ("train", "dev", "test"):
        row = f"./functions/{ONE}.txt\t./functions/{TWO}.txt\t1\n./functions/{ONE}.txt\t./functions/{THREE}.txt\t-1\n"
        (data / f"record{part}dataAbsBCB.txt").write_text(row)
    return [data]


def graphmatch(folder: Path) -> list[Path]:
    (folder / "traindata.txt").write_text(
        f"./bigclonebenchdata/{ONE}.txt\t./bigclonebenchdata/{TWO}.txt\t1\n"
        f"./bigclonebenchdata/{TWO}.txt\t./bigclonebenchdata/{THREE}.txt\t-1\n"
    )
    (folder / "testdata.txt").write_text(f"./bigclonebenchdata/{THREE}.txt\t./bigclonebenchdata/{ONE}.txt\t-1\n")
    return [folder / "traindata.txt", folder / "testdata.txt", write_functions(folder / "functions.zip")]


def bcb_extract(folder: Path) -> list[Path]:
    names = ("NAME", "TYPE", "STARTLINE", "ENDLINE")
    places = [f"FUNCTION_{side}_{name}" for side in ("ONE", "TWO") for name in names]
    header = ["FUNCTION_ID_ONE", "FUNCTION_ID_TWO", *places]
    header += ["FUNCTIONALITY_ID", "SYNTACTIC_TYPE", "SIMILARITY_LINE", "SIMILARITY_TOKEN"]
    row = [ONE, TWO, "7.java", "selected", "2", "4", "7.java", "selected", "5", "8", "4", "3", "0.2", "0.6"]
    text = "\n".join(",".join(f'"{cell}"' for cell in cells) for cells in (header, row)) + "\n"
    (folder / "ref_WT3_4.csv").write_text(text)
    quoted = [text.replace('"', '""') for text in (COPY, MOVE, HASH)]
    (folder / "raw_WT3_4.csv.gz").write_bytes(
        gzip.compress(f'FUNCTION_ONE,FUNCTION_TWO,LABEL\n"{quoted[0]}","{quoted[1]}",1\n'.encode())
    )
    negative = ["FUNCTION_ID_ONE", "FUNCTIONALITY_ID_ONE", *places[:4], "FUNCTION_ID_TWO", "FUNCTIONALITY_ID_TWO"]
    cells = [ONE, "4", "7.java", "selected", "2", "4", THREE, "3", "Hash.java", "default", "2", "4"]
    (folder / "ref_neg_WT3_4.csv").write_text(",".join([*negative, *places[4:]]) + "\n" + ",".join(cells) + "\n")
    (folder / "raw_neg_WT3_4.csv").write_text(f'FUNCTION_ONE,FUNCTION_TWO,LABEL\n"{quoted[0]}","{quoted[2]}",0\n')
    answers = {
        "model": ["codebert", "some-llm", "some-llm"],
        "clone_type": ["WT3_4"] * 3,
        "negative": [False, False, True],
        "row": [0, 0, 0],
        "label": [1, 1, 0],
        "prediction": pa.array([None, "0", "0"], pa.string()),
        "similarity": [0.97, None, None],
    }
    pq.write_table(pa.table(answers), folder / "predictions.parquet")
    return [folder]


SNIPPETS = {"4_7#2#4.java": COPY, "4_7#5#8.java": MOVE, "3_12#2#4.java": HASH, "3_13#2#4.java": HASH}


def write_snippets(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in SNIPPETS.items():
            archive.writestr(f"snippets/{name}", text)
    return path


def sheet_row(judges: str, agreed: str, files: tuple[str, str], ids: tuple[str, str], functionality: str) -> str:
    """A row of the large sheet: ten cells of the judges, seven of both together, empty cells, then the files."""
    cells = judges.split(",") + agreed.split(",")
    assert len(cells) == 17
    return ",".join([*cells, *[""] * 28, *files, *ids, functionality])


def bcb406(folder: Path) -> list[Path]:
    first = "Judge #1,,,,,Judge #2,,,,,Both,,,Agreed,,,,Final + LLM" + "," * 32
    second = "Pair,L,R,Label L,Label R,Pair,L,R,Label L,Label R,P,L,R,P,L,R,Final" + "," * 33
    names = list(SNIPPETS)
    rows = [
        sheet_row("F,T,F,major,minor,T,T,T,major,major", "#,T,#,F,,,F", (names[0], names[1]), (ONE, TWO), "4"),
        sheet_row("T,T,T,major,major,T,T,T,major,major", "T,T,T,,,,T", (names[2], names[3]), (THREE, "5"), "3"),
    ]
    (folder / "Samples Investigation.csv").write_text("\r\n".join([first, second, *rows, "1" + "," * 49]) + "\r\n")
    return [folder / "Samples Investigation.csv", write_snippets(folder / "snippets.zip")]


def iwsc100(folder: Path) -> list[Path]:
    header = "Pair,Label L,Label R,Pair (J1),Label L (J1),Label R (J1),Notes (J1),Pair (J2),Label L (J2),Label R (J2),"
    header += "Notes (J2),Snippet L,Snippet R" + "," * 14
    rest = "4,tagged-tagged,3,0.166666667,0.495867769,10,12,10,12,1,1,85,121,FALSE"
    rows = [
        f'xx,T,xx,F,T,F,"B: moves, too",T,T,T,,{ONE},{TWO},{rest}',
        f"F,TT,F,F,TT,F,,F,TT,F,B hashes,{ONE},{THREE},{rest}",
    ]
    (folder / "iwsc2022_100 Samples.csv").write_text("\n".join([header, *rows]) + "\n")
    return [folder / "iwsc2022_100 Samples.csv", write_functions(folder / "functions.zip")]


PLACES = {"selected,7.java,2,4": COPY, "selected,7.java,5,8": MOVE, "default,12.java,2,4": HASH}


def oreo_row(left: str, right: str, judge1: str, judge2: str) -> str:
    return json.dumps(
        {
            "tool": "oreo",
            "row": 0,
            "fragment_a": left,
            "fragment_b": right,
            "judge1": judge1,
            "judge2": judge2,
            "code_a": PLACES[left],
            "code_b": PLACES[right],
        }
    )


def oreo_precision(folder: Path) -> list[Path]:
    one, two, three = PLACES
    rows = [oreo_row(one, two, "tp", "tp"), oreo_row(one, three, "fp", "tp"), oreo_row(two, three, "fp", "fp")]
    (folder / "oreo.jsonl").write_text("\n".join(rows) + "\n")
    outcome = [json.dumps({"fragment_a": two, "fragment_b": three})] * 2
    (folder / "oreo_consolidated_fp.jsonl").write_text("\n".join(outcome) + "\n")
    (folder / "oreo_consolidated_tp.jsonl").write_text(json.dumps({"fragment_a": one, "fragment_b": three}) + "\n")
    return [folder]


def validator_blocks(*pairs: tuple[str, str]) -> str:
    """Blocks in the format of the authors' validator."""
    line = "-" * 40
    return "".join(
        f"{'$' * 40}\n{left}\n{right}\n{line}\n{PLACES[left]}{line}\n{PLACES[right]}{line}\n" for left, right in pairs
    )
