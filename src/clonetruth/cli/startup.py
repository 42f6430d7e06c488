"""What a command does before its work so that it begins sooner."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _WithoutPandas(MetaPathFinder):
    """An import finder that hides pandas."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == "pandas":
            raise ModuleNotFoundError("pandas is not needed here", name=fullname)
        return None


def start_arrow_without_pandas() -> None:
    """Keep Arrow from importing pandas with its first array, which takes half a second.

    No command passes pandas objects to Arrow. Asking Arrow for a frame later still works.
    """
    import pyarrow as pa

    finder = _WithoutPandas()
    sys.meta_path.insert(0, finder)
    try:
        pa.array([])
    finally:
        sys.meta_path.remove(finder)
