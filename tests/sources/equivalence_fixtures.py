"""Small synthetic sets of equivalent and non-equivalent programs in their original formats."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.sources.contest_fixtures import write_csv, write_jsonl, write_tree, write_zip


def _class(name: str, result: str) -> str:
    return f"public class {name} {{\n  static int f(int x) {{ return {result}; }}\n}}\n"


EQBENCH_FILES: dict[str, str | bytes] = {
    "benchmarks/mine/add/Eq/oldV.java": _class("oldV", "x + 1"),
    "benchmarks/mine/add/Eq/newV.java": _class("newV", "1 + x"),
    "benchmarks/mine/add/Eq/old.c": "int f(int x) { return x + 1; }\n",
    "benchmarks/mine/add/Eq/newV.c": "int f(int x) { return 1 + x; }\n",
    "benchmarks/mine/add/Eq/J-Desc.json": json.dumps({"method name": "f", "changes": [{"change line": 2}]}),
    "benchmarks/mine/add/Eq/program": b"\xcf\xfa\xed\xfe\x00\x00",
    "benchmarks/mine/add/Neq/oldV.java": _class("oldV", "x + 1"),
    "benchmarks/mine/add/Neq/newV.java": _class("newV", "x + 2"),
    "benchmarks/mine/add/Neq/J-Desc.json": json.dumps({"method name": "f", "counter-example": [{"int x": 7}]}),
    "benchmarks/mine/sub/Neq/oldV.java": _class("oldV", "x - 1"),
    "benchmarks/mine/sub/Neq/newV.java": _class("newV", "x - 2"),
}


def eqbench(folder: Path) -> list[Path]:
    """An equivalent program in two languages, and two that are not, one without a description."""
    return [write_zip(folder / "benchmarks.zip", EQBENCH_FILES)]


def mutantbench(folder: Path) -> list[Path]:
    """A method and two mutants."""
    code = (
        (0, "int f(int x) {\n  return x + 1;\n}"),
        (1, "int f(int x) { return 1 + x; }"),
        (2, "int f(int x) { return x; }"),
    )
    pairs = ((7, 7, 0, 1, 1), (8, 8, 0, 2, 0))
    return [
        write_csv(folder / "MutantBench_code_db_java.csv", ("id", "code"), code),
        write_csv(folder / "Mutant_A_hierarchical.csv", ("", "id", "code_id_1", "code_id_2", "label"), pairs),
    ]


def quixbugs(folder: Path) -> list[Path]:
    """A program with tests, one without, and a helper whose versions are the same."""
    rows: list[dict[str, Any]] = [
        {
            "program": "inc",
            "python_correct": "def inc(x):\n    return x + 1\n",
            "python_buggy": "def inc(x):\n    return x - 1\n",
            "java_correct": _class("INC", "x + 1"),
            "java_buggy": _class("INC", "x - 1"),
            "testcases": [[[1], 2], [[5], 6]],
        },
        {
            "program": "graph",
            "python_correct": "def graph(x):\n    return x\n",
            "python_buggy": "def graph(x):\n    return not x\n",
            "java_correct": None,
            "java_buggy": None,
            "testcases": None,
        },
        {
            "program": "node",
            "python_correct": "class Node: pass\n",
            "python_buggy": "class Node: pass\n",
            "java_correct": None,
            "java_buggy": None,
            "testcases": None,
        },
    ]
    return [write_jsonl(folder / "quixbugs.jsonl", rows)]


OCD_FILES: Mapping[str, str] = {
    f"{program}/{variant}/{program}.java": _class(program, f"{number} * x")
    for number, program in enumerate(("Square", "Twice"), start=2)
    for variant in ("0_orig", "1_artifice", "test_0_orig_pg_krakatau")
}


def ocd(folder: Path) -> list[Path]:
    """Two programs in three variants each."""
    return [write_tree(folder / "generated", dict(OCD_FILES))]


def soco(folder: Path) -> list[Path]:
    """Four programs, two of which re-use each other."""
    programs = {
        f"soco_f/formatted/{number}/{number}.java": _class("Main", number) for number in ("000", "001", "002", "010")
    }
    pairs = folder / "soco_train_clones.txt"
    pairs.write_text("001 010\n", encoding="utf-8")
    return [write_zip(folder / "soco_f.zip", programs), pairs]


CLONE_ORACLE_REPORT = (
    "\n"
    "mod_cache..set_on.txt-mod_cache..set_off.txt,15,0,Type 2\n"
    "mod_cache..set_on.txt-core.main..run.txt,87,1,No Clone\n"
    "mod_cache..set_off.txt-core.main..run.txt,80,2,Unsure\n"
    "core.main..run.txt-core.main..stop.txt,40\n"
)


def clone_oracle(folder: Path) -> list[Path]:
    """A report of CloneInspector with four pairs, one of which nobody has classified, and the sources."""
    report = folder / "smallApache_comparisionReport.csv"
    report.write_text(CLONE_ORACLE_REPORT, encoding="utf-8")
    sources = {
        "smallapache/mod_cache.c": "int set_On(int x) { return x; }\nint set_Off(int y) { return y; }\n",
        "smallapache/core/main.c": "void run(void) { }\n",
    }
    return [report, write_tree(folder / "clonesource", sources)]


FEMPD_TABLES: dict[str, tuple[list[str], list[tuple[Any, ...]]]] = {
    "methods": (
        ["name", "rtext", "path", "start", "end", "repo", "revision", "id"],
        [
            ("f", "int f(int x) { return x; }", "A.java", 3, 5, "r1", "", 1),
            ("g", "int g(int y) { return y; }", "B.java", 1, 1, "r2", "", 2),
            ("h", "int h(int z) { return -z; }", "C.java", 9, 9, "r2", "", 3),
        ],
    ),
    "pairs": (["id", "leftMethodID", "rightMethodID"], [(10, 1, 2), (11, 1, 3), (12, 2, 3)]),
    "verifiedpairs": (
        ["pairid", "reviewera", "reviewerb", "reviewerc", "consensus", "reason"],
        [(10, 1, 1, 1, 1, None), (11, 1, 0, 0, 0, "sign")],
    ),
}


def fempd(folder: Path) -> list[Path]:
    """Three methods and three pairs, two of them judged, as a database."""
    path = folder / "ijadataset.db"
    with closing(sqlite3.connect(path)) as connection:
        for table, (columns, rows) in FEMPD_TABLES.items():
            names = ", ".join(f'"{column}"' for column in columns)
            connection.execute(f"CREATE TABLE {table} ({names})")
            connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", rows)
        connection.commit()
    return [path]


def fempd_csv(folder: Path) -> list[Path]:
    """The same as CSV files."""
    return [write_csv(folder / f"{table}.csv", *content) for table, content in FEMPD_TABLES.items()]


def mbxp_task(task: str, language: str, prompt: str, test: str, canonical: str | None) -> dict[str, Any]:
    """A row of a file of tasks."""
    return {
        "task_id": task,
        "prompt": prompt,
        "entry_point": "twice",
        "test": test,
        "description": f"Write a {language} function that doubles.",
        "language": language,
        "canonical_solution": canonical,
    }


_MBXP_PYTHON = mbxp_task(
    "MBPP/2",
    "python",
    'def twice(x):\n    """Doubles."""\n',
    "\n\ndef check(candidate):\n"
    "    assert candidate(2) == 4\n"
    "    assert candidate([1, (2,)]) == [1, (2,), 1, (2,)]\n"
    "    assert candidate(2) == 2 * 2\n",
    "    return x + x\n",
)
_MBXP_CSHARP = mbxp_task(
    "MBCSP/2",
    "csharp",
    "using System;\n\nnamespace Solution\n{\n    public class Program\n    {\n"
    "        public static int Twice (int x)\n        {",
    "\n        public static void Main(string[] args)\n        {\n"
    "            if (Twice(2) != 4) {throw new Exception();}\n        }\n    }\n}\n",
    "\n            return 2 * x;\n        }\n",
)
_MBXP_GO = mbxp_task(
    "MBGP/2",
    "go",
    "package main\n\nfunc twice (x int) int {\n",
    '\nfunc main() {\n\tif twice(2) != 4 {\n\t\tpanic("wrong")\n\t}\n}\n',
    None,
)


def mbxp(folder: Path) -> list[Path]:
    """A task in three languages, one without a canonical solution, and samples, one of them wrong."""
    samples = [
        {"task_id": "MBPP/2", "completion": "    return x * 2\n", "language": "python"},
        {"task_id": "MBPP/2", "completion": "    return x * x\n", "language": "python"},
        {"task_id": "MBPP/3", "completion": "    return 3\n", "language": "python"},
    ]
    return [
        write_jsonl(folder / "mbpp_release_v1.jsonl", [_MBXP_PYTHON]),
        write_jsonl(folder / "mbcsp_release_v1.2.jsonl", [_MBXP_CSHARP]),
        write_jsonl(folder / "mbgp_release_v1.1.jsonl", [_MBXP_GO]),
        write_jsonl(folder / "mbpp_samples.jsonl", samples),
        write_jsonl(
            folder / "mbgp_samples.jsonl",
            [{"task_id": "MBGP/2", "completion": "\treturn 2 * x\n}\n", "language": "go"}],
        ),
    ]
