"""clonetruth: a workbench for code-clone benchmarks and the tools measured on them.

Every verb of the command line is a function here, with the same words and defaults. Names are loaded when they are
first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from clonetruth.public import FORMER as _FORMER
from clonetruth.public import OBJECTS as _OBJECTS
from clonetruth.public import VERBS as _VERBS

__version__ = "0.2.0"

__all__ = ["__version__", *_OBJECTS, *_VERBS]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _FORMER:
        import warnings

        warnings.warn(f"clonetruth.{name} is now clonetruth.{_FORMER[name]}", DeprecationWarning, stacklevel=2)
        return __getattr__(_FORMER[name])
    module = _VERBS.get(name) or _OBJECTS.get(name)
    if module is None:
        raise AttributeError(f"module 'clonetruth' has no attribute '{name}'")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted(__all__)
