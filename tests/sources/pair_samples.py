"""Small synthetic files in the original formats of the sources that hold pairs of texts."""

from __future__ import annotations

import csv
import gzip
import json
import lzma
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ADD = "public int add (int a, int b) {\n    return a + b;\n}"
SUM = "public int sum (int x, int y) {\n    int result = x;\n    result += y;\n    return result;\n}"
AIRY = SUM.replace("\n    return", "\n\n\n    return")
LOOP = "public int add (int a, int b) {\n    while (b > 0) { a++; b--; }\n    return a;\n}"
PYTHON_ADD = "def add(a, b) :\n\treturn a + b"
PYTHON_SUM = "def add(x, y) :\n\ttotal = x\n\ttotal += y\n\treturn total"


def archive(path: Path, members: Mapping[str, str]) -> Path:
    """A zip file of texts."""
    with zipfile.ZipFile(path, "w") as file:
        for name, text in members.items():
            file.writestr(zipfile.ZipInfo(name), text)
    return path


def cross_language(seed: str, answer: str) -> str:
    """A cross-language file of GPTCloneBench."""
    return f"#input \n{seed}\n\n\n#====================\n#gpt output=============\n\n{answer}"


HEADED = f"Python:\n\n{PYTHON_ADD}\n\n\nC: \n\nint add(int a, int b) {{\n    return a + b;\n}}\n\n// C#\n{SUM}\n"
FENCED = (
    f"In Python:\n\n```python\n{PYTHON_ADD}\n```\n\nC Implementation:\n```\nint add(int a, int b)\n{{\n"
    f"  return b + a;\n}}\n```\nHere is C#.\n```csharp\n{SUM}\n```\n"
)
DOLLARS, DASHES = "$" * 40, "-" * 40


def validation_block(number: int, left: str, right: str, extra: str = "") -> str:
    """A block of ValidateClones' input."""
    name = f"Gpt3D_Clone{number}_0.java"
    return (
        f"{DOLLARS}\n{number}\n0\n{name} 1 3\n{name} 4 8\n{DASHES}\n\n{left}\n{DASHES}\n\n{right}\n{DASHES}\n{extra}\n"
    )


def gptclonebench(folder: Path) -> list[Path]:
    """Stand-alone pairs, cross-language files of both generations, and the files of the validation tool."""
    true = "true_semantic_clones/java"
    standalone = archive(
        folder / "standalone.zip",
        {
            f"{true}/prompt_1/T4/prompt1_Clone_1.java": f"{ADD}\n\n\n{LOOP}\n\n\n",
            f"{true}/prompt_2/T3/Clone_2.java": f"{ADD}\n\n\n {SUM}\n",
            f"{true}/prompt_2/T4/Clone_3.java": f"{ADD}\n\n\n{SUM}\n\n\n{LOOP}\n",
            f"{true}/prompt_2/T4/Clone_4.java": f"{ADD}\n\n\n{AIRY}",
            "false_semantic_clones/Gpt_false_pair_0.java": f"{ADD}\n\n\n{ADD.replace('a', 'c')}\n",
        },
    )
    cross = archive(
        folder / "cross_language.zip",
        {
            "java_to_other/Gpt3D_Clone0.java": cross_language(ADD, HEADED),
            "java_to_other/Gpt3D_Clone1.java": cross_language(ADD, "I am sorry, this cannot be done."),
            "cross_java_to_other/Gpt4D_Clone0.java": cross_language(ADD, FENCED),
        },
    )
    blocks = folder / "java_validate_clone.txt.gz"
    blocks.write_bytes(gzip.compress((validation_block(7, ADD, SUM) + validation_block(8, ADD, "")).encode(), mtime=0))
    rows = folder / "java_to_other_validateClones_out.txt"
    rows.write_text(
        "0,0,undecided,Gpt3D_Clone0.java 1 6,Gpt3D_Clone0.java 10 15\n"
        "0,0,undecided,Gpt3D_Clone0.java 16 23,Gpt3D_Clone0.java 10 15\n"
        "9,0,undecided,Gpt3D_Clone9.java 1 6,Gpt3D_Clone9.java 10 15\n",
        encoding="utf-8",
    )
    return [standalone, cross, blocks, rows]


def stack_overflow(number: int, left: str, right: str) -> str:
    """A Java pair file of SemanticCloneBench."""
    return (
        f"public class Clone{number} {{\n/*\n* Semantic clone benchmark\n"
        "*  Source code are extracted from Stack Overflow\n"
        f"*  Stack overflow Question #:10{number}\n*  Stack Overflow answer #:20{number}\n"
        f"*  And Stack Overflow answer#:30{number}\n*/\n{left}\n\n{right}\n\n}}\n"
    )


def status(number: int, verdict: str, time: str, entry: int = 1) -> dict[str, object]:
    """An entry of a clonelabelsdb.json."""
    return {"fileName": f"Clone{number}.java", "text": verdict, "status": verdict, "id": entry, "createdAt": time}


def semanticclonebench(folder: Path) -> list[Path]:
    """Pair files of two languages, one author's statuses with a changed verdict, and the table of labels."""
    java = archive(
        folder / "java_pair_files.zip",
        {f"code-samples/Clone{number}.java": stack_overflow(number, ADD, SUM) for number in (0, 5)},
    )
    python = archive(folder / "python.zip", {"Filtered/Clone1.py": f"{PYTHON_ADD}\n\n\n{PYTHON_SUM}\n\n"})
    labels = folder / "author1_clonelabelsdb.json"
    labels.write_text(
        json.dumps(
            {
                "clones": [
                    status(0, "clone", "2023-05-07T02:03:36.013Z"),
                    status(0, "notclone", "2023-06-07T02:03:36.013Z", 2),
                    status(5, "clone-ext", "2023-05-08T02:03:36.013Z", 3),
                ]
            }
        ),
        encoding="utf-8",
    )
    table = folder / "java_labels_and_predictions.csv"
    table.write_text(
        "clone_id,has_source,author1_status,author2_status,eval1_label,eval2_label,eval4_tiebreak,eval_resolved_label,"
        "pred_facer,pred_nil,pred_codebert\n"
        "Clone0,True,notclone,notclone,0,1,0,0,1,0,1\n"
        "Clone5,True,clone-ext,clone,1,1,-,1,1,1,1\n"
        "Clone9,False,,,,,,,1,0,1\n",
        encoding="utf-8",
    )
    return [java, python, labels, table]


def rated(number: int, *ratings: int) -> dict[str, object]:
    """An entry of SeSaMe's dataset: the same ratings, by eight raters, for every aspect."""
    given = [{"rating": rating, "confidence": rating} for rating in ratings]
    sides = {
        side: {"dbid": str(number * 2 + index), "project": "guava", "file": f"A{index}.java", "method": "A.add(int)"}
        for index, side in enumerate(("first", "second"))
    }
    return {"pairid": str(number), **sides, "goals": given, "operations": given, "effects": given}


def sesame(folder: Path) -> list[Path]:
    """Two rated pairs, a sampled one without ratings, and the texts with HTML entities."""
    ratings = folder / "dataset.json.gz"
    entries = [rated(1, -1, 2, -1, 1, -1, 0, -1, -1), rated(2, 2, 2, 2, -1, -1, -1, -1, -1)]
    ratings.write_bytes(gzip.compress(json.dumps(entries, indent=1).encode(), mtime=0))
    samples = folder / "sampled-pairs.csv"
    lines = ["pairid,ident1,project1,file1,method1,ident2,project2,file2,method2,sim,sim_tok"]
    lines += [f"{n},{2 * n},guava,repos/guava/A0.java,A.f(),{2 * n + 1},guava,A1.java,A.f(),0.9,0.5" for n in (1, 2, 3)]
    samples.write_text("\n".join(lines) + "\n", encoding="utf-8")
    texts = {
        f"samples/{number}/{side}.java": f"class A&lt;T&gt; {{\n    {ADD}\n    // {number} {side}\n}}\n"
        for number in (1, 2, 3)
        for side in "ab"
    }
    return [ratings, samples, archive(folder / "method_sources.zip", texts)]


def comparison(left: str, right: str, answer: str, result: str, texts: tuple[str, str] = (ADD, SUM)) -> str:
    """A block of a comparison log."""
    return (
        f"### COMPARISON\n>>> {left} vs. {right} with gpt-4o\n### PROMPT\nAre they similar?\n\n"
        f'Code Snippet 1: """\n{texts[0]}\n"""\n\nCode Snippet 2: """\n{texts[1]}\n"""\n\nCompare the two snippets.\n\n'
        f"### RESPONSE\nANSWER: {answer}  \nEXPLANATION: Because.\n\n- Both add.\n### RESULT\n{result}\n"
    )


def openai_log(folder: Path) -> list[Path]:
    """Two runs on the same pairs, and the snippets."""
    names = ("2_10#1#3.java", "2_11#4#8.java", "3_12#7#9.java")
    first = comparison(names[0], names[1], "YES-SIMILAR", "100") + comparison(names[0], names[2], "NO-NOT-SIMILAR", "0")
    second = comparison(names[0], names[1], "DONT-KNOW", "0")
    one = folder / "openai.1-gpt-4o.log.xz"
    one.write_bytes(lzma.compress(first.encode()))
    two = folder / "openai.2-gpt-4o.log"
    two.write_text(second, encoding="utf-8")
    snippets = archive(folder / "snippets.zip", {f"snippets/{name}": f"{ADD}\n// {name}\n" for name in names})
    return [one, two, snippets]


ROWS = (
    ("a", "b", "1", "train", ADD, SUM),
    ("a", "c", "0", "valid", ADD, LOOP),
    ("c", "b", "1", "test", LOOP, SUM),
    ("a", "b", "1", "train", ADD, SUM),
)


def table(folder: Path) -> list[Path]:
    """A CSV file with the usual columns."""
    path = folder / "my_pairs.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["left", "right", "label", "part", "left_text", "right_text", "left_language", "right_language"]
        )
        writer.writerows([*row, "java", "java"] for row in ROWS)
    return [path]


def folder_of_sources(folder: Path) -> list[Path]:
    """A tree of two projects in two languages."""
    root = folder / "tree"
    for name, text in {
        "one/src/Add.java": f"class Add {{\n{ADD}\n\n{SUM}\n}}\n",
        "two/add.py": f"{PYTHON_ADD}\n\n\n{PYTHON_SUM}\n",
        "two/notes.txt": "not a source\n",
    }.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return [root]


def huggingface_table(rows: tuple[tuple[str, ...], ...]) -> pa.Table:
    """Rows in the columns of CodeXGLUE's dataset on the hub, with languages."""
    columns = list(zip(*rows, strict=True))
    return pa.table(
        {
            "id1": pa.array(columns[0]),
            "id2": pa.array(columns[1]),
            "label": pa.array([value == "1" for value in columns[2]]),
            "func1": pa.array(columns[4]),
            "func2": pa.array(columns[5]),
            "left_language": pa.array(["java"] * len(rows)),
            "right_language": pa.array(["java"] * len(rows)),
        }
    )


def saved(folder: Path, rows: tuple[tuple[str, ...], ...], split: str) -> Path:
    """The output of `Dataset.save_to_disk`."""
    folder.mkdir(parents=True)
    content = huggingface_table(rows)
    name = "data-00000-of-00001.arrow"
    with pa.OSFile(str(folder / name), "wb") as file, pa.ipc.new_stream(file, content.schema) as writer:
        writer.write_table(content)
    (folder / "state.json").write_text(json.dumps({"_data_files": [{"filename": name}], "_split": split}))
    (folder / "dataset_info.json").write_text(json.dumps({"features": {}}))
    return folder


def huggingface(folder: Path) -> list[Path]:
    """The output of `DatasetDict.save_to_disk`."""
    root = folder / "saved"
    root.mkdir()
    (root / "dataset_dict.json").write_text(json.dumps({"splits": ["train", "validation"]}))
    saved(root / "train", ROWS[:2], "train")
    saved(root / "validation", ROWS[2:], "validation")
    return [root]


def huggingface_export(folder: Path) -> Path:
    """A Parquet export."""
    data = folder / "export" / "data"
    data.mkdir(parents=True)
    pq.write_table(huggingface_table(ROWS[:3]), data / "train-00000-of-00001.parquet")
    pq.write_table(huggingface_table(ROWS[3:]), data / "test-00000-of-00001.parquet")
    return data.parent
