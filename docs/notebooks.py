"""Write the notebooks of the tutorials from their pages: ``python docs/notebooks.py``, or ``--check`` to only compare.

A `python` block becomes a code cell, each command of a `console` block a cell that begins with ``!``, a block that is
saved as a file a ``%%writefile`` cell. The output of the page becomes the output of the cells; the cells are executed
once to add the HTML that a result shows in a notebook.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

snippets = import_module("tests.snippets")

TUTORIALS = ROOT / "docs" / "tutorials"

Cell = dict[str, Any]


def pages() -> list[Path]:
    """The tutorials that have a notebook."""
    return sorted(page for page in TUTORIALS.glob("*.md") if page.stem != "index")


def notebook_path(page: Path) -> Path:
    """Where the notebook of a tutorial is."""
    return page.with_name(f"{page.stem}-notebook.ipynb")


def notebook(page: Path) -> dict[str, Any]:
    """The notebook of a tutorial, with the text output that the page shows."""
    cells = list(_cells(page))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python", "pygments_lexer": "ipython3"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cells(page: Path) -> Iterator[Cell]:
    lines = page.read_text(encoding="utf-8").splitlines()
    position, folders = 0, {"."}
    for snippet in snippets.read_page(page):
        start, end = _extent(lines, snippet)
        if snippet.not_run is None:
            yield from _prose(lines[position:start], page)
            for cell in _code(snippet, folders):
                about = {"needs": ", ".join(sorted(snippet.needs)), "varies": snippet.varies, "exit": snippet.exit}
                known = {name: str(value) for name, value in about.items() if value}
                cell["metadata"] = {"clonetruth": known} if known else {}
                yield cell
            position = end
    yield from _prose(lines[position:], page)


def _extent(lines: list[str], snippet: Any) -> tuple[int, int]:
    """The lines of a block with its markers before and its output after."""
    start = snippet.line - 1
    while start and lines[start - 1].startswith("<!--"):
        start -= 1
    end = snippet.output_lines[1] if snippet.output_lines else snippet.line + len(snippet.text.splitlines())
    return start, end + 1


def _prose(lines: list[str], page: Path) -> Iterator[Cell]:
    kept = [line for line in lines if not line.startswith("<!--")]
    text = "\n".join(kept).strip()
    if text.startswith("# "):
        title, _, rest = text.partition("\n")
        note = f"*Generated from [{page.name}]({page.name}); the commands need `pip install .` in the repository.*"
        text = f"{title} (notebook)\n\n{note}\n{rest}"
    if text:
        yield {"cell_type": "markdown", "metadata": {}, "source": _source(text)}


def _code(snippet: Any, folders: set[str]) -> Iterator[Cell]:
    if snippet.kind == "file":
        assert snippet.file is not None
        folder = str(Path(snippet.file).parent)
        if folder not in folders:
            folders.add(folder)
            yield _cell(f"!mkdir -p {folder}", "")
        yield _cell(f"%%writefile {snippet.file}\n{snippet.text.rstrip()}", "")
    elif snippet.kind == "console":
        for command, shown in snippet.commands:
            yield _cell(f"!{command}", shown)
    else:
        yield _cell(snippet.text.rstrip(), snippet.expected or "")


def _cell(source: str, shown: str) -> Cell:
    outputs = [{"name": "stdout", "output_type": "stream", "text": _source(shown)}] if shown.strip() else []
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": outputs, "source": _source(source)}


def _source(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def executed(content: dict[str, Any]) -> dict[str, Any]:
    """The same notebook with the HTML of results."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "work"
        folder.mkdir()
        path = Path(name) / "notebook.ipynb"
        path.write_text(json.dumps(content), encoding="utf-8")
        cells = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
        with snippets.environment(Path(name) / "home"):
            session = snippets.Session(folder)
            for cell, snippet in zip(cells, snippets.read_page(path), strict=True):
                session.html = None
                session.run(snippet)
                if session.html is not None:
                    data = {"text/html": _source(session.html), "text/plain": cell["outputs"][0]["text"]}
                    shown = {"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"}
                    cell["outputs"] = [shown]
    return content


def without_html(content: dict[str, Any]) -> dict[str, Any]:
    """A notebook with only the text of its output, as `notebook` makes it."""
    for cell in content["cells"]:
        for output in cell.get("outputs", []):
            if "data" in output:
                text = output.pop("data")["text/plain"]
                output.clear()
                output.update(name="stdout", output_type="stream", text=text)
    return content


def stale() -> list[str]:
    """The tutorials whose notebook is missing or is not in step with the page."""
    return [
        page.name
        for page in pages()
        if not notebook_path(page).exists()
        or without_html(json.loads(notebook_path(page).read_text(encoding="utf-8"))) != notebook(page)
    ]


def main(check: bool) -> int:
    """Write the notebooks that are not in step with their page, or only count them."""
    for name in (found := stale()):
        print(f"{'stale' if check else 'written'}: docs/tutorials/{name}")
        if not check:
            page = TUTORIALS / name
            text = json.dumps(executed(notebook(page)), indent=1, ensure_ascii=False)
            notebook_path(page).write_text(text + "\n", encoding="utf-8")
    return len(found)


if __name__ == "__main__":
    checking = "--check" in sys.argv[1:]
    outdated = main(checking)
    sys.exit(1 if checking and outdated else 0)
