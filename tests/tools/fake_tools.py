"""Fake external tools: a simple clone detector, and fakes of the declared tools."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

TWINS = """
import sys
from itertools import combinations
from pathlib import Path
files = sorted(path for path in Path(sys.argv[1]).rglob("*") if path.is_file())
for one, other in combinations(files, 2):
    if one.read_bytes() == other.read_bytes():
        last = one.read_bytes().count(b"\\n")
        print(one.parent.name, one.name, 1, last, other.parent.name, other.name, 1, last, sep=",")
"""
"""A clone detector: files with equal contents are clones."""

FAKE_TOOLS: Mapping[str, str] = {
    # Each checks its arguments against the tool's documentation and reports lines 1 to 3 of two files as clones.
    # `files` are the paths of the copies, `at(option)` is the argument after an option.
    "nicad": """
        assert arguments[:2] == ["functions", "java"] and arguments[3] == "clonetruth"
        settings = dict(line.split("=") for line in Path("config/clonetruth.cfg").read_text().splitlines())
        assert (settings["threshold"], settings["minsize"], settings["rename"]) == ("0.2", "10", "consistent")
        source = Path(arguments[2])
        report = source.parent / "source_functions-consistent-clones" / "source_functions-consistent-clones-0.20.xml"
        report.parent.mkdir()
        rows = "".join(f'<source file="{file}" startline="1" endline="3" pcid="1"></source>\\n' for file in files)
        report.write_text(f'<clones>\\n<clone nlines="3" similarity="90">\\n{rows}</clone>\\n</clones>\\n')
    """,
    "sourcerercc": """
        assert arguments[1:] == ["0.8", "12"]
        print(f"source,{names[0]},1,3,source,{names[1]},1,3")
    """,
    "jscpd": """
        assert (at("--min-tokens"), at("--min-lines")) == ("12", "1") and "--ignore-identifiers" in arguments
        sides = [{"name": file, "start": 1, "end": 3} for file in files]
        Path(at("--output")).mkdir()
        Path(at("--output"), "jscpd-report.json").write_text(
            json.dumps({"duplicates": [{"format": "java", "firstFile": sides[0], "secondFile": sides[1]}]}))
    """,
    "pmd": """
        assert arguments[0] == "cpd" and at("--minimum-tokens") == "12" and at("--language") == "java"
        rows = "".join(f'<file line="1" endline="3" path="{file}"/>' for file in files)
        print(f'<?xml version="1.0"?><pmd-cpd><duplication lines="3" tokens="12">{rows}</duplication></pmd-cpd>')
        sys.exit(4)
    """,
    "simian": """
        assert arguments[:2] == ["-threshold=6", "-language=java"] and arguments[-1] == f"-includes={source}/*"
        report = next(word for word in arguments if word.startswith("-formatter=xml:")).partition(":")[2]
        rows = "".join(f'<block sourceFile="{file}" startLineNumber="1" endLineNumber="3"/>' for file in files)
        Path(report).write_text(f'<simian version="4"><check><set lineCount="3">{rows}</set></check></simian>')
    """,
    "iclones": """
        assert (at("-language"), at("-minclone"), at("-outformat")) == ("java", "12", "xml")
        rows = "".join(f'<fragment fileid="/{name}" startline="1" endline="3"/>' for name in names[:2])
        Path(at("-output")).write_text(
            f'<version basepath="{source}"><cloneclass id="1" type="2">{rows}</cloneclass></version>')
    """,
    "deckard": """
        settings = dict(line.split("=", 1) for line in Path("config").read_text().splitlines() if "'" in line)
        assert settings["FILE_PATTERN"] == "'*.java'" and settings["MIN_TOKENS"] == "'12'"
        assert settings["SIMILARITY"] == "'0.8'" and Path(settings["DECKARD_DIR"].strip("'")).is_dir()
        source = settings["SRC_DIR"].strip("'")
        names = sorted(path.name for path in Path(source).iterdir())[:2]
        Path("clusters").mkdir()
        Path("clusters/post_cluster_vdb_12_2_allg_0.8_12").write_text(
            "".join(f"00000001 dist:0.0 FILE {source}/{name} LINE:1:3 NODE_KIND:1\\n" for name in names))
    """,
    "jplag": """
        assert (at("--mode"), at("--language"), at("--min-tokens")) == ("RUN", "java", "12")
        Path(at("--result-file")).mkdir()
        Path(at("--result-file"), "results.csv").write_text(
            "submissionName1,submissionName2,averageSimilarity,maxSimilarity\\n"
            f"{names[0]},{names[1]},0.9,1.0\\n{names[0]},{names[2]},0.79,0.9\\n")
    """,
    "dolos": """
        assert arguments[0] == "run" and (at("--language"), at("--min-similarity")) == ("java", "0.8")
        Path(at("--output-destination")).mkdir()
        Path(at("--output-destination"), "pairs.csv").write_text(
            "id,leftFileId,leftFilePath,rightFileId,rightFilePath,similarity,totalOverlap,longestFragment,leftCovered,"
            f"rightCovered\\n1,0,{arguments[-3]},1,{arguments[-2]},0.9,9,9,9,9\\n")
    """,
    "ccaligner": """
        assert arguments == ["./token", "./output", "./function.file", "6", "1", "0.8"] and Path("txl").is_symlink()
        names = Path("function.file").read_text().split()
        Path("output/1clones").write_text(f"{names[0]},1,3,{names[1]},1,3\\n")
    """,
    "oreo": """
        print(f"source,{names[0]},1,3,source,{names[1]},1,3")
    """,
}
"""The body of each fake of a declared tool."""

_PRELUDE = r"""#!{python}
import json, re, sys
from pathlib import Path
arguments = sys.argv[1:]
at = lambda option: arguments[arguments.index(option) + 1]
source = next((found[0] for word in arguments if (found := re.search(r"[^=]*/source\b", word))), "")
names = sorted(path.name for path in Path(source).glob("*.java"))
files = [f"{{source}}/{{name}}" for name in names][:2]
"""


def write_program(path: Path, body: str) -> Path:
    """Write an executable Python program."""
    lines = body.strip("\n").splitlines()
    depth = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_PRELUDE.format(python=sys.executable) + "\n".join(line[depth:] for line in lines) + "\n")
    path.chmod(0o755)
    return path


def install_fake(folder: Path, name: str) -> Path:
    """Install the fake of a tool in a folder, with the tool's own layout; return the path of its program."""
    if name == "deckard":
        return write_program(folder / "scripts" / "clonedetect" / "deckard.sh", FAKE_TOOLS[name])
    if name == "ccaligner":
        write_program(
            folder / "extract",
            """
            assert arguments[:3] == ["./txl", "java", "functions"]
            Path("input/0.xml").write_text("\\n".join(f"{source}/{name}" for name in names))
            """,
        )
        write_program(
            folder / "parser",
            'assert arguments[2] == "5"; Path("function.file").write_bytes(Path("input/0.xml").read_bytes())',
        )
        write_program(folder / "tokenize", 'Path("token/0.txt").write_text("int")')
        for part in ("txl", "lexical"):
            (folder / part).mkdir()
    return write_program(folder / name, FAKE_TOOLS[name])


def twins_command(folder: Path) -> str:
    """The simple clone detector as a command."""
    script = folder / "twins.py"
    script.write_text(TWINS)
    return f"command[bigcloneeval]:{sys.executable} {script} {{source}}"
