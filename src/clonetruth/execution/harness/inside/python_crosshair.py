"""Runs inside the sandbox: asks CrossHair for inputs on which two functions differ, or whether it saw all paths.

The job is one line of JSON on standard input, the answer one line on a copy of standard output that the functions do
not know by number; what they print goes nowhere.
"""

from __future__ import annotations

import ast
import collections
import json
import os
import sys
import types
from typing import Any

from clonetruth.execution.harness.inside.enclosure import require_box
from clonetruth.execution.harness.inside.python_entry import prepare
from clonetruth.execution.harness.inside.python_values import to_form

_IMPORTS = "from typing import *\nfrom decimal import Decimal\n"
_SHAPE = """
def shape_(value):
    kind = type(value)
    if kind in (bool, int, float, str, bytes, type(None)):
        return kind.__name__
    if kind in (list, tuple):
        return kind.__name__, [shape_(one) for one in value]
    if kind is dict:
        return "dict", [(shape_(key), shape_(one)) for key, one in value.items()]
    if kind in (set, frozenset):
        return kind.__name__, sorted(str(shape_(one)) for one in value)
    return object()
"""
"""What `==` does not see: 1, 1.0 and True are equal for the prover, and objects equal what they like."""


def function_of(job: dict[str, Any], name: str, kinds: list[str]) -> Any:
    """The function to look at, with its parameters annotated."""
    require_box()
    prepared = prepare(job["source"], job["entry"])
    if prepared.owner is not None or any(one.how != "argument" for one in prepared.parameters):
        raise ValueError("not a plain function")
    module = types.ModuleType(name)
    sys.modules[name] = module
    names = [f"a{at}" for at in range(len(kinds))]
    wrapper = ast.parse(
        f"def entry_({', '.join(f'{one}: {kind}' for one, kind in zip(names, kinds, strict=True))}):\n"
        f"    returned_ = {prepared.entry}({', '.join(names)})\n"
        f"    return returned_, shape_(returned_), [shape_(one) for one in ({', '.join(names)},)]"
    )
    exec(_IMPORTS, module.__dict__)
    exec(compile(prepared.tree, name, "exec"), module.__dict__)
    exec(_SHAPE, module.__dict__)
    exec(compile(wrapper, name, "exec"), module.__dict__)
    return module.__dict__["entry_"]


def answer(job: dict[str, Any]) -> dict[str, Any]:
    """What CrossHair found."""
    import crosshair.core_and_libs  # noqa: F401 (it teaches CrossHair the standard library)
    from crosshair.diff_behavior import ExceptionEquivalenceType, diff_behavior
    from crosshair.fnutil import FunctionInfo
    from crosshair.options import DEFAULT_OPTIONS, AnalysisOptionSet

    left, right = (function_of(job[side], side + "_code", job["kinds"]) for side in ("left", "right"))
    limits = AnalysisOptionSet(per_condition_timeout=job["seconds"], max_uninteresting_iterations=sys.maxsize)
    options = DEFAULT_OPTIONS.overlay(limits)
    options.stats = collections.Counter()
    unstable: list[bool] = []
    found = diff_behavior(
        FunctionInfo.from_fn(left),
        FunctionInfo.from_fn(right),
        options,
        ExceptionEquivalenceType.ALL,
        on_nondeterminism=lambda: unstable.append(True),
    )
    if isinstance(found, str):
        return {"detail": found[:200]}
    inputs = []
    for one in found[:10]:
        try:
            inputs.append([to_form(ast.literal_eval(text)) for text in one.args.values()])
        except (ValueError, SyntaxError):
            continue
    exhausted = not found and not unstable and options.stats["exhaustion"] > 0
    return {"inputs": inputs, "exhausted": exhausted, "detail": str(options.stats["num_paths"]) + " paths"}


def main() -> None:
    """Answer the job."""
    require_box()
    writing = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    job = json.loads(sys.stdin.readline())
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    try:
        said = answer(job)
    except BaseException as error:
        said = {"detail": (type(error).__name__ + ": " + str(error))[:200]}
    os.write(writing, (json.dumps({"nonce": job["nonce"], **said}) + "\n").encode())
    os._exit(0)


if __name__ == "__main__":
    main()
