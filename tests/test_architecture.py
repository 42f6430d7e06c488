"""The architecture, checked: imports point downwards, packages have a public API, starting is quick."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "src" / "clonetruth"
LEVELS = (
    {
        "model",
        "errors",
        "registry",
        "progress",
        "safe_text",
        "json_text",
        "options",
        "public",
        "user_cache",
        "parsing",
        "budgets",
    },
    {"code", "stats", "html", "arrow_files"},
    {"execution"},
    {"store", "formats"},
    {"judges"},
    {"detectors", "sources", "verdicts", "measures"},
    {"tools", "audit"},
    {"find", "training", "splits"},
    {"studies", "build", "evaluate", "mcp"},
    {"make", "literature"},
    {"report"},
    {"cli"},
    {"", "__main__"},
)
# The bottom level has its own order.
BOTTOM = {
    "errors": set[str](),
    "model": set[str](),
    "progress": set[str](),
    "public": set[str](),
    "safe_text": set[str](),
    "json_text": set[str](),
    "user_cache": set[str](),
    "parsing": set[str](),
    "budgets": {"errors"},
    "registry": {"errors"},
    "options": {"errors", "model", "registry", "parsing", "budgets"},
}


def modules() -> list[Path]:
    """The modules of the package, without code that is data and programs that run inside the sandbox."""
    return sorted(
        path for path in PACKAGE.rglob("*.py") if not {"embedded_data", "trueclones_data", "inside"} & set(path.parts)
    )


def package_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def name_of(path: Path) -> str:
    parts = ["clonetruth", *path.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """The modules of clonetruth that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "clonetruth")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            if node.module and node.module.split(".")[0] == "clonetruth":
                if node.module == "clonetruth":
                    yield from (f"clonetruth.{alias.name}" for alias in node.names)
                else:
                    yield node.module


def level(name: str) -> int:
    found = [number for number, names in enumerate(LEVELS) if name in names]
    assert found, f"'{name}' is not a package of the architecture"
    return found[0]


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_point_downwards(path: Path) -> None:
    own = package_of(name_of(path))
    for module in imports(path):
        other = package_of(module)
        if other == own or other.startswith("__"):
            continue
        if level(own) == 0:
            assert other in BOTTOM[own], f"{own} imports {other}"
        else:
            assert level(other) < level(own), f"{own} imports {other}: packages meet in the store, imports point down"


BOUNDARY = PACKAGE / "cli" / "output.py"
PRINTING = {"click.echo", "click.secho", "click.echo_via_pager", "sys.stdout", "sys.stderr", "sys.__stdout__"}
PRINTING |= {"sys.__stderr__", "os.system", "traceback.print_exc", "traceback.print_exception"}
PRINTING |= {"logging.basicConfig", "logging.StreamHandler", "faulthandler.enable", "sys.displayhook", "pprint.pprint"}


def printed(tree: ast.AST) -> Iterator[str]:
    """Whatever in a module could print."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("print", "pprint"):
            yield node.func.id
        elif isinstance(node, ast.Call | ast.Attribute):
            text = ast.unparse(node)
            if text in PRINTING or text.startswith(("os.write(1,", "os.write(2,")):
                yield text
        elif isinstance(node, ast.Import | ast.ImportFrom):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            names = [module] if module else [alias.name for alias in node.names]
            yield from (name for name in names if name.split(".")[0] in ("rich", "pprint"))
            yield from (f"{module}.{a.name}" for a in node.names if f"{module}.{a.name}" in PRINTING)


def test_only_the_boundary_prints() -> None:
    found = {
        name_of(path): printing
        for path in modules()
        if path != BOUNDARY and (printing := list(printed(ast.parse(path.read_text(encoding="utf-8")))))
    }
    # Ctrl-C ends the process in the middle of anything, with a word of ours. The checking process answers to a pipe.
    assert found == {
        "clonetruth.cli.interruption": [r"os.write(2, b'Stopped.\n')"],
        "clonetruth.arrow_files.checker": ["print"],
    }


def packages() -> list[Path]:
    return sorted({path.parent for path in modules() if path.name == "__init__.py"} - {PACKAGE})


@pytest.mark.parametrize("folder", packages(), ids=lambda folder: folder.relative_to(PACKAGE).as_posix())
def test_every_package_has_a_public_api(folder: Path) -> None:
    tree = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "a package says what it is about"
    exported = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"
    ]
    assert exported, "the public names of a package are explicit"


def test_public_class_names_are_unique() -> None:
    places: dict[str, list[str]] = {}
    for path in modules():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(name_of(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_no_star_imports_and_no_catch_all_modules(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    stars = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and any(a.name == "*" for a in n.names)]
    assert not stars
    assert path.stem not in {"utils", "util", "helpers", "common", "misc"}
    assert ast.get_docstring(tree), "a module says what it is about"


ENTRANCES = {
    "arrow_files": (
        {"pq", "pa.ipc", "pyarrow.parquet", "pyarrow.ipc", "pyarrow.feather", "pyarrow.dataset"},
        {"ParquetFile", "read_table", "read_schema", "read_metadata", "open_file", "open_stream", "dataset"},
    ),
    "parsing": ({"json", "tomllib"}, {"loads", "load"}),
    "formats": ({"np", "np.lib.format"}, {"load", "fromfile", "loadtxt", "genfromtxt", "read_array", "open_memmap"}),
}
"""The packages through which alone Parquet and Arrow files, JSON, TOML and arrays are read: what only they may call."""
OWN_JSON = {"checker", "checking", "writer", "answers"}
"""Modules that parse JSON which this program wrote a moment before, or a single string."""
OWN_ARRAYS = {"prefix_join", "spark_workers"}
"""Modules that map arrays and Arrow files which this program or its workers wrote a moment before."""


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_files_of_strangers_have_one_entrance(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "read_parquet(" in node.value:
            # DuckDB's reader: the engine checks the files first. The datasheet only mentions it.
            assert path.stem in ("engine", "checker", "datasheet"), f"{path}:{node.lineno}: {node.value[:60]}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            for entrance, (libraries, functions) in ENTRANCES.items():
                if node.func.attr in functions and ast.unparse(node.func.value) in libraries:
                    allowed = package_of(name_of(path)) == entrance or path.stem in OWN_JSON | OWN_ARRAYS
                    assert allowed, f"{path}:{node.lineno}: use clonetruth.{entrance}"


WITHOUT_BUDGET = {
    "html.templating": "a file of ours",
    "studies.web.templating": "a file of ours",
    "studies.protocols": "a published protocol, which is a file of ours",
    "detectors.metrics": "a file of ours",
    "literature.ledger": "the ledger, a file of ours",
    "literature.protocol": "a protocol that is a file of ours",
    "sources.embedded": "files of ours",
    "sources.functionality_folders": "files of ours, or of the user who executes them",
    "sources.trueclones_evidence": "files of ours, or of the user who executes them",
    "make.trueclones.evidence_files": "files of ours, or of the user who executes them",
    "execution.fingerprints": "files of ours, and a database in the user's cache",
    "execution.harness.programs": "files of ours",
    "execution.harness.c.harness": "files of ours",
    "execution.harness.go.harness": "files of ours",
    "execution.harness.csharp": "files of ours",
    "execution.harness.java.process": "files of ours, and a file in the user's cache that they were compiled to",
    "options.reference": "source code of ours",
    "code.remote_workers": "source code of ours",
    "tools.process": "of the operating system",
    "execution.sandbox.bubblewrap": "of the operating system",
    "detectors.embedding.vector_cache": "a database in the user's cache, whose rows are checked",
    "find.index": "a file in the user's cache, with a digest of ours",
    "sources.fempd": "checks size, rows and values of its database itself",
    "store.votes.databases": "checks the size of its database itself",
}
"""The modules that read a whole file or open a database without `clonetruth.budgets`, and why they may."""


def test_files_are_read_whole_only_within_a_budget() -> None:
    found = set()
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
            if called == "sqlite3.connect" or called.endswith((".read_text", ".read_bytes")):
                found.add(name_of(path).removeprefix("clonetruth."))
    assert found == set(WITHOUT_BUDGET)


def cpu_seconds(*command: str) -> float:
    """The least CPU time of a few runs: on a busy machine the wall clock says nothing."""
    script = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
        "u = resource.getrusage(resource.RUSAGE_CHILDREN); print(u.ru_utime + u.ru_stime)"
    )
    runs = [
        float(subprocess.run([sys.executable, "-c", script, *command], check=True, capture_output=True).stdout)
        for _ in range(5)
    ]
    return min(runs)


@pytest.mark.parametrize(
    ("command", "times"),
    [(("-c", "import clonetruth"), 1.5), (("-m", "clonetruth", "--help"), 6)],
    ids=["import", "help"],
)
def test_start_is_quick(command: tuple[str, ...], times: float) -> None:
    # Seconds depend on the machine and its other work, so the parser of the command line alone is the measure.
    assert cpu_seconds(sys.executable, *command) < times * cpu_seconds(sys.executable, "-c", "import click")


def test_help_imports_nothing_heavy() -> None:
    script = "import sys, clonetruth.cli; print(' '.join(sorted(m.split('.')[0] for m in sys.modules)))"
    loaded = set(
        subprocess.run([sys.executable, "-c", script], check=True, capture_output=True).stdout.decode().split()
    )
    assert not loaded & {
        "numpy",
        "pyarrow",
        "duckdb",
        "tree_sitter",
        "rapidfuzz",
        "rich",
        "jinja2",
        "pygments",
        "torch",
    }


# --- processes

STARTERS = {
    "code/git.py": "git, with everything off that a repository can name",
    "execution/sandbox/process.py": "strangers' code, inside a sandbox",
    "execution/sandbox/bubblewrap.py": "an empty program, to see whether the sandbox is complete",
    "execution/sandbox/containers.py": "the removal of a container",
    "tools/process.py": "external tools that the user names",
    "detectors/command.py": "a detector that is a program, which the user names",
    "code/parallel.py": "worker processes, which import nothing from the working folder",
    "code/parse_guard.py": "the process that parses a doubtful text first; it imports nothing from there either",
    "arrow_files/checking.py": "the process that reads files of strangers first; it imports nothing from there either",
}
"""The modules that start processes, and which."""
PROCESS_MODULES = ("subprocess", "multiprocessing", "pty")
PROCESS_WORDS = re.compile(r"subprocess|multiprocessing|\bpty\b|\bos\.[a-z]|[\"']git[\"']")
PROCESS_FUNCTIONS = re.compile("system|popen|fork|forkpty|startfile|(exec|spawn|posix_spawn).*")


def starts_processes(source: ast.Module) -> bool:
    for node in ast.walk(source):
        if isinstance(node, ast.Import):
            found = any(alias.name.split(".")[0] in PROCESS_MODULES for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # The ends of a pipe start nothing.
            module = node.module or ""
            found = module.split(".")[0] in PROCESS_MODULES and module != "multiprocessing.connection"
        elif isinstance(node, ast.Attribute):
            of_os = isinstance(node.value, ast.Name) and node.value.id == "os"
            found = (of_os and bool(PROCESS_FUNCTIONS.fullmatch(node.attr))) or node.attr.startswith(
                "create_subprocess"
            )
        else:
            continue
        if found:
            return True
    return False


def test_only_these_modules_start_processes_and_only_one_starts_git() -> None:
    texts = {str(path.relative_to(PACKAGE)): path.read_text(encoding="utf-8") for path in modules()}
    suspects = {name: ast.parse(text) for name, text in texts.items() if PROCESS_WORDS.search(text)}
    assert {name for name, source in suspects.items() if starts_processes(source)} == set(STARTERS)
    naming_git = {
        name
        for name, source in suspects.items()
        for node in ast.walk(source)
        if isinstance(node, ast.List | ast.Tuple)
        and node.elts
        and isinstance(node.elts[0], ast.Constant)
        and node.elts[0].value == "git"
    }
    assert naming_git == {"code/git.py"}
