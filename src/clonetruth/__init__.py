"""clonetruth: a workbench for code-clone benchmarks and the tools measured on them.

The names below are the public door; each is loaded when it is first used, so that importing the package costs
nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clonetruth.code import abstract, clone_type, extract, fragment_forms, language, normal_form, similarity
    from clonetruth.find import find_clones
    from clonetruth.measures import classify
    from clonetruth.sources import import_dataset
    from clonetruth.store import Benchmark, BenchmarkWriter
    from clonetruth.verdicts import judge_verdicts

__version__ = "0.1.0"

_DOOR = {
    "Benchmark": "clonetruth.store",
    "BenchmarkWriter": "clonetruth.store",
    "abstract": "clonetruth.code",
    "classify": "clonetruth.measures",
    "clone_type": "clonetruth.code",
    "extract": "clonetruth.code",
    "find_clones": "clonetruth.find",
    "fragment_forms": "clonetruth.code",
    "import_dataset": "clonetruth.sources",
    "judge_verdicts": "clonetruth.verdicts",
    "language": "clonetruth.code",
    "normal_form": "clonetruth.code",
    "similarity": "clonetruth.code",
}

__all__ = [
    "Benchmark",
    "BenchmarkWriter",
    "__version__",
    "abstract",
    "classify",
    "clone_type",
    "extract",
    "find_clones",
    "fragment_forms",
    "import_dataset",
    "judge_verdicts",
    "language",
    "normal_form",
    "similarity",
]


def __getattr__(name: str) -> Any:
    if name not in _DOOR:
        raise AttributeError(f"module 'clonetruth' has no attribute '{name}'")
    return getattr(import_module(_DOOR[name]), name)
