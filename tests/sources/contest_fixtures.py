"""Small synthetic contest datasets in their original formats."""

from __future__ import annotations

import csv
import json
import lzma
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

C_PROGRAM = '#include <stdio.h>\nint main() {{ printf("{}\\n"); return 0; }}\n'
JAVA_PROGRAM = "package googlejam{problem}.p{author};\npublic class {name} {{ int f() {{ return {author}; }} }}\n"


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """Rows as JSON lines; compressed if the name ends in .gz."""
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(lzma.compress(data) if path.suffix == ".xz" else data)
    return path


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Path:
    """Rows as CSV with a header."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)
    return path


def write_tree(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """A folder of files."""
    for name, content in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def write_zip(path: Path, files: Mapping[str, str | bytes]) -> Path:
    """An archive of files."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def poj104(folder: Path) -> list[Path]:
    """Two problems with two programs each, as compressed JSON lines."""
    rows = [
        {"label": str(problem), "index": str(10 * problem + number), "code": C_PROGRAM.format(number)}
        for problem in (1, 2)
        for number in (0, 1)
    ]
    return [write_jsonl(folder / "poj.jsonl.xz", rows)]


def gcj_files() -> dict[str, str]:
    """Programs of two problems under their original names."""
    return {
        f"googlejam4_src/{problem}/googlejam{problem}.p{author}.Main{author}.java": JAVA_PROGRAM.format(
            problem=problem, author=author, name=f"Main{author}"
        )
        for problem, author in ((1, "003"), (1, "012"), (7, "003"))
    }


def gcj(folder: Path) -> list[Path]:
    """Three programs of two problems, and a list with a clone, a non-clone and a repeated pair in reverse order."""
    texts = list(gcj_files().values())
    data = write_jsonl(folder / "data.jsonl", ({"func": text, "idx": str(5 + n)} for n, text in enumerate(texts)))
    valid = folder / "valid.txt"
    valid.write_text("5\t6\t1\n5\t7\t0\n6\t5\t1", encoding="utf-8")
    return [data, valid]


def gcj2(folder: Path) -> list[Path]:
    """Three solutions of two tasks, and a list in an array."""
    rows = [
        {
            "year": 2015,
            "round": "Q",
            "username": user,
            "task": task,
            "solution": "0",
            "file": "A.java",
            "flines": f"class A {{ int f() {{ return {number}; }} }}\n",
            "lan": "java",
            "funid": 100 + number,
            "lines": 1,
        }
        for number, (user, task) in enumerate((("ann", "A"), ("bob", "A"), ("ann", "B")))
    ]
    table = write_jsonl(folder / "gcj2.jsonl", rows)
    np.save(folder / "train_random0.npy", np.array([[100, 101, 1], [100, 102, -1]]))
    np.save(folder / "val_random0.npy", np.array([[102, 101, -1]]))
    return [table, folder / "train_random0.npy", folder / "val_random0.npy"]


GCJ_ARCHIVE_HEADER = ("file", "flines", "full_path", "round", "solution", "task", "username", "year")
GCJ_ARCHIVE_ROWS = (
    ("A.java", "class A { int f() { return 1; } }\n", "2015/ann/A.java", "4224486", "0", "A", "ann", "2015"),
    ("a.py", "print(2)\nprint(3)\n", "2015/bob/a.py", "4224486", "1", "A", "bob", "2015"),
    ("x.PYTHON3", "print(4)\n", "2015/cem/x.PYTHON3", "4224486", "1", "B", "cem", "2015"),
)


def gcj_archive(folder: Path) -> list[Path]:
    """Three programs of two tasks, one of them with an ending as since 2018."""
    return [write_csv(folder / "gcj2015.csv", GCJ_ARCHIVE_HEADER, GCJ_ARCHIVE_ROWS)]


CBCB_TEXT = "public class A {{ int copy() {{ return help({0}); }} int help(int x) {{ return x + {0}; }} }}\n"


def conbigclonebench(folder: Path) -> list[Path]:
    """Three texts at two levels, and the arrays of one view, as the published folder has them."""
    data = folder / "dataset"
    for level in (0, 1):
        (data / "cbcb" / f"code{level}").mkdir(parents=True)
        for number in (11, 12, 13):
            text = CBCB_TEXT.format(number) if level == 0 else CBCB_TEXT.format(number).replace("copy", "fun0")
            (data / "cbcb" / f"code{level}" / f"{number}.txt").write_text(text, encoding="utf-8")
    (data / "train_split" / "cbcb").mkdir(parents=True)
    np.save(data / "train_split" / "cbcb" / "train_random0.npy", np.array([[11, 12, 1], [11, 13, -1]]))
    np.save(data / "train_split" / "cbcb" / "val_random0.npy", np.array([[12, 13, -1]]))
    return [data]


CLCDSA_FILES: dict[str, str | bytes] = {
    "Source Codes/AtCoder/abc001/A/17.py": "print(1)\n",
    "Source Codes/AtCoder/abc001/A/18.java": "class Main {}\n",
    "Source Codes/CodeJamData/08/01/0.c": C_PROGRAM.format(3),
    "Source Codes/CodeJamData/08/01/1.zip": b"PK\x03\x04",
    "README.md": "# CLCDSA\n",
}


def clcdsa(folder: Path) -> list[Path]:
    """Three solutions of two problems in the repository's tree, and files of other kinds."""
    return [write_tree(folder / "CLCDSA", CLCDSA_FILES)]


CODENET_HEADER = (
    "submission_id,problem_id,user_id,date,language,original_language,filename_ext,status,cpu_time,memory,code_size,"
    "accuracy\n"
)
CODENET_FILES: dict[str, str | bytes] = {
    "Project_CodeNet/data/p00001/C++/s000000001.cpp": C_PROGRAM.format(1),
    "Project_CodeNet/data/p00001/Python/s000000002.py": "print(2)\n",
    "Project_CodeNet/data/p00001/Ruby/s000000003.rb": "puts 3\n",
    "Project_CodeNet/data/p00002/C#/s000000004.cs": "class A {}\n",
    "Project_CodeNet/metadata/p00001.csv": CODENET_HEADER
    + "s000000001,p00001,u000000001,1480319506,C++,C++14,cpp,Accepted,60,15496,219,4/4\n"
    + "s000000002,p00001,u000000002,1480319507,Python,Python3,py,Wrong Answer,-1,,219,3/4\n"
    + "s000000003,p00001,u000000002,1480319507,Ruby,Ruby,rb,Waiting for Judging,,,219,\n",
    "Project_CodeNet/metadata/problem_list.csv": "id,name,dataset,time_limit,memory_limit,rating,tags,complexity\n"
    "p00001,List of Top 3 Hills,AIZU,1000,131072,,,\n",
    "Project_CodeNet/problem_descriptions/p00001.html": "<p>Print the heights.</p>\n",
}


def codenet(folder: Path) -> list[Path]:
    """Four submissions to two problems, one of them without metadata."""
    write_tree(folder, CODENET_FILES)
    return [folder / "Project_CodeNet"]


def code4bench(folder: Path) -> list[Path]:
    """Three submissions to two problems, as an export of the tables."""
    source = ("id", "submission", "sourceCode", "author", "problems_id", "verdicts_id", "languages_id", "isduplicated")
    rows = (
        (1, 900, C_PROGRAM.format(1), "u1", 7, 1, 1, 0),
        (2, 901, "print('a, \"b\"')\n", "u2", 7, 2, 2, 0),
        (3, 902, "class A {}\n", "u2", 8, 1, 3, 0),
    )
    return [
        write_csv(folder / "source.csv", source, rows),
        write_csv(folder / "verdicts.csv", ("id", "name"), ((1, "Accepted"), (2, "Wrong answer"))),
        write_csv(folder / "languages.csv", ("id", "name"), ((1, "GNU C++ 14"), (2, "PyPy 2"), (3, "Java 8"))),
        write_csv(
            folder / "problems.csv",
            ("id", "fullname", "contest", "name", "context"),
            ((7, "1A Theatre Square", 1, "A", "Tiles."), (8, "1B Spreadsheets", 1, "B", "Cells.")),
        ),
    ]


CF500_FILES = {f"Code/{problem}/{number}.c": C_PROGRAM.format(number) for problem in (1, 2) for number in (10, 11)}


def cf500(folder: Path) -> list[Path]:
    """Two problems with two programs each, and a list in the form of SEED."""
    pairs = folder / "seen_traindataset.txt"
    pairs.write_text(
        "json\\1\\10.json\tjson\\1\\11.json\t1\njson\\1\\10.json\tjson\\2\\10.json\t-1\n", encoding="utf-8"
    )
    return [write_zip(folder / "Code.zip", CF500_FILES), pairs]


def fcdetector(folder: Path) -> list[Path]:
    """Three programs of two classes, with a pair of a program with itself and one in both lists."""
    data = write_jsonl(
        folder / "data.jsonl",
        (
            {"label": label, "index": str(n), "idx": str(n), "code": C_PROGRAM.format(n), "func": C_PROGRAM.format(n)}
            for n, label in enumerate(("0", "0", "1"))
        ),
    )
    (folder / "train.txt").write_text("0\t1\t1\n1\t1\t1\n0\t2\t0\n", encoding="utf-8")
    (folder / "valid.txt").write_text("2\t0\t0\n", encoding="utf-8")
    return [data, folder / "train.txt", folder / "valid.txt"]
