"""The architecture, checked: imports point downwards, packages have a public API, starting is quick."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "src" / "clonetruth"
LEVELS = (
    {"model", "errors", "registry", "progress", "options", "public"},
    {"code", "stats", "html"},
    {"execution"},
    {"store", "formats"},
    {"judges"},
    {"detectors", "sources", "verdicts", "measures"},
    {"tools", "audit"},
    {"find", "training", "splits"},
    {"studies", "build", "evaluate"},
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
    "registry": {"errors"},
    "options": {"errors", "model", "registry"},
}


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if "embedded_data" not in path.parts)


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
