"""Runs inside the sandbox, before a Python program: converts the text if it was written for Python 2.

Beyond the repairs of fragments, numbers are divided and input is read as Python 2 does, because programs depend on it.
"""

from __future__ import annotations

import ast
import re
import shutil
import sys
from pathlib import Path

from clonetruth.execution.harness.inside.enclosure import require_box
from clonetruth.execution.harness.inside.python_fragment import UndecidedError, converted, parsed

PYTHON_2 = """\
def _divided(a, b):
    return a // b if isinstance(a, int) and isinstance(b, int) else a / b
def _evaluated(*prompt):
    return eval(input(*prompt))
def _listed(function):
    return lambda *given: list(function(*given))
map, filter, zip, range = (_listed(one) for one in (map, filter, zip, range))
from functools import reduce
def cmp(a, b):
    return (a > b) - (a < b)
"""


class _Division(ast.NodeTransformer):
    """Divides whole numbers to whole numbers."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return _divided(node.left, node.right) if isinstance(node.op, ast.Div) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div) or not isinstance(node.target, ast.Name):
            return node
        read = ast.Name(node.target.id, ast.Load())
        return ast.Assign([node.target], _divided(read, node.value))


def _divided(left: ast.expr, right: ast.expr) -> ast.Call:
    return ast.Call(ast.Name("_divided", ast.Load()), [left, right], [])


def converted_program(source: str) -> tuple[str, list[str]]:
    """A program for Python 3, and what was repaired.

    Raises:
        UndecidedError: it does not parse.
    """
    repairs: list[str] = []
    try:
        text, _ = parsed(source, repairs)
    except UndecidedError:
        repairs.append("Python 2")
    if not any("Python 2" in one for one in repairs):
        return text, repairs
    marked = re.sub(r"(?<![\w.])input(?=\s*\()", "_evaluated", with_print_calls(source))
    _, tree = parsed(converted(marked), [])
    changed = ast.fix_missing_locations(_Division().visit(tree))
    return PYTHON_2 + ast.unparse(changed) + "\n", repairs


_PRINT = re.compile(r"(?<![\w.])print\b(?!\s*=[^=])")
_TOKEN = re.compile(r"#[^\n]*|(\"\"\"|\'\'\'|\"|\')|[\[({]|[\])}]|\n|;|\\\n", re.DOTALL)


def with_print_calls(source: str) -> str:
    """Statements that print become calls, with what they do about ends of lines and files."""
    pieces: list[str] = []
    position = start = 0
    while True:
        found = _PRINT.search(source, start)
        if found is None:
            return "".join(pieces) + source[position:]
        end = _statement_end(source, found.end())
        before = source[: found.start()].rpartition("\n")[2]
        if _is_in_text(before):
            start = found.end()
            continue
        pieces += [source[position : found.start()], _print_call(source[found.end() : end].strip())]
        position = start = end


def _is_in_text(before: str) -> bool:
    """Whether the rest of a line is a comment or inside of quotes."""
    plain = re.sub(r"\\.|\"[^\"]*\"|'[^']*'", "", before)
    return any(mark in plain for mark in "\"'#")


def _statement_end(source: str, position: int) -> int:
    """Where a statement ends: at a semicolon, a comment or the end of the line, outside of brackets and quotes."""
    depth = 0
    while True:
        found = _TOKEN.search(source, position)
        if found is None:
            return len(source)
        token, quote = found[0], found[1]
        if quote:
            closing = re.compile(rf"(?:\\.|(?!{quote}).)*{quote}", re.DOTALL).match(source, found.end())
            position = closing.end() if closing else len(source)
            continue
        depth += (token in "[({") - (token in "])}")
        if depth <= 0 and (token in "\n;" or token.startswith("#")):
            return found.start()
        position = found.end()


def _print_call(rest: str) -> str:
    more = ""
    file = re.match(r">>\s*([\w.]+)\s*,?", rest)
    if file is not None:
        rest, more = rest[file.end() :].strip(), ", file=" + file[1]
    if rest.endswith(","):
        rest, more = rest[:-1], more + ', end=" "'
    return f"print({rest}{more})" if rest else f"print({more.removeprefix(', ')})"


def main(path: str) -> None:
    """Convert a file in place, print what was repaired, and remove the folder that this came in."""
    require_box()
    file = Path(path)
    try:
        text, repairs = converted_program(file.read_text("utf-8", errors="replace"))
    except UndecidedError as error:
        raise SystemExit(error.reason + ": " + str(error)) from None
    if repairs:
        file.write_text(text, "utf-8")
    print("\n".join(repairs))
    shutil.rmtree(__name__.split(".")[0])


if __name__ == "__main__":
    main(sys.argv[1])
