"""CrossHair for Python: symbolic execution that finds needles, and says when it has seen all paths.

It executes the functions in its own process, so hostile code could forge what it says. A witness counts only when it is
replayed, and a proof only where nothing in either text could have forged it (`provable_python`).
"""

from __future__ import annotations

import ast
import importlib.util
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from clonetruth.execution.harness.harness import CallInput, Code
from clonetruth.execution.harness.programs import inside_files
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.proofs.proof import Proof
from clonetruth.execution.proofs.provable_python import REACHING_NAMES, is_provable
from clonetruth.execution.sandbox import Bubblewrap, Limits, Sandbox, run
from clonetruth.execution.sandbox.process import MEGABYTE
from clonetruth.execution.values import check_value
from clonetruth.parsing import parse_json

_HARMLESS = frozenset(
    [
        "math",
        "cmath",
        "itertools",
        "collections",
        "functools",
        "operator",
        "string",
        "re",
        "heapq",
        "bisect",
        "typing",
        "fractions",
        "decimal",
        "statistics",
        "dataclasses",
        "enum",
        "copy",
        "textwrap",
        "numbers",
        "__future__",
        "datetime",
        "calendar",
    ]
)
_STARTING = 6.0
"""Seconds for loading CrossHair."""


@dataclass(frozen=True)
class CrossHair:
    """Asks CrossHair.

    Attributes:
        sandbox: what encloses it.
    """

    sandbox: Sandbox
    name: ClassVar[str] = "crosshair"
    languages: ClassVar[frozenset[str]] = frozenset({"python"})

    def missing(self) -> str | None:
        """See `Prover.missing`."""
        if not isinstance(self.sandbox, Bubblewrap):
            return "use the sandbox of bubblewrap"
        return None if _packages() is not None else "pip install 'clonetruth[proofs]'"

    def prove(self, left: Code, right: Code, types: Sequence[InputType], seconds: float) -> Proof:
        """See `Prover.prove`."""
        folder = _packages()
        kinds = [python_annotation(one) for one in types]
        if folder is None or not isinstance(self.sandbox, Bubblewrap) or not all(kinds) or not kinds:
            return Proof(detail="types that CrossHair does not take")
        if left.files or right.files or not (is_self_contained(left.text) and is_self_contained(right.text)):
            return Proof(detail="code that reaches beyond its own values")
        sandbox = replace(self.sandbox, readable=(*self.sandbox.readable, folder))
        program = sandbox.find("python3")
        if program is None:
            return Proof(detail="Python is not installed")
        nonce = secrets.token_hex(16)
        job = {
            "nonce": nonce,
            "left": {"source": left.text, "entry": left.entry},
            "right": {"source": right.text, "entry": right.entry},
            "kinds": kinds,
            "seconds": seconds,
        }
        limits = Limits(
            seconds=seconds + _STARTING,
            cpu_seconds=int(seconds + _STARTING) + 1,
            memory=4096 * MEGABYTE,
            open_files=256,
        )
        module = "clonetruth.execution.harness.inside.python_crosshair"
        start = (
            f"import sys; sys.path.append({folder!r}); import runpy; runpy.run_module({module!r}, run_name='__main__')"
        )
        argv = [program, "-E", "-s", "-S", "-B", "-c", start]
        outcome = run(sandbox, argv, inside_files("python_crosshair.py"), json.dumps(job).encode() + b"\n", limits)
        try:
            found = _proof(outcome.stdout, nonce, len(kinds))
            if found.proved is None or (is_provable(left.text) and is_provable(right.text)):
                return found
            return replace(found, proved=None, detail="code that could tell its prover what to say")
        except (ValueError, KeyError, TypeError, AttributeError):
            said = outcome.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            return Proof(detail=f"no answer within {seconds:g} s" if not said else said[:200])


def _proof(said: bytes, nonce: str, count: int) -> Proof:
    answer = parse_json(said)
    if answer["nonce"] != nonce:
        raise ValueError("a foreign answer")
    inputs = [CallInput(tuple(check_value(one) for one in given)) for given in answer.get("inputs", ())]
    inputs = [one for one in inputs if len(one.arguments) == count]
    proved = "all paths" if answer.get("exhausted") is True else None
    return Proof(proved, tuple(inputs), str(answer.get("detail", ""))[:200])


def _packages() -> str | None:
    """The folder that holds CrossHair; None if it is not installed."""
    found = importlib.util.find_spec("crosshair")
    if found is None or found.origin is None:
        return None
    return str(Path(found.origin).resolve().parent.parent)


def python_annotation(kind: InputType) -> str:
    """A type as an annotation; empty if CrossHair cannot make values of it.

    Example:
        >>> from clonetruth.execution.inputs.types import parse_type
        >>> python_annotation(parse_type("map[str, list[int]]"))
        'Dict[str, List[int]]'
    """
    inner = [python_annotation(one) for one in kind.inner]
    if not all(inner):
        return ""
    names = {"list": "List", "set": "Set", "map": "Dict", "tuple": "Tuple"}
    if kind.kind in ("int", "float", "bool", "str", "bytes"):
        found = kind.kind
    elif kind.kind == "char":
        found = "str"
    elif kind.kind in names and inner:
        found = f"{names[kind.kind]}[{', '.join(inner)}]"
    else:
        return ""
    return f"Optional[{found}]" if kind.optional else found


def is_self_contained(text: str) -> bool:
    """Whether a text uses nothing but plain values and harmless modules."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and not all(one.name.split(".")[0] in _HARMLESS for one in node.names):
            return False
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] not in _HARMLESS:
            return False
        if isinstance(node, ast.Name) and (node.id in REACHING_NAMES or node.id.startswith("__")):
            return False
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            return False
    return True
