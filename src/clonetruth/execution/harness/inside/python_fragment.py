"""Runs inside the sandbox: from a bare fragment of Python to something that can be called.

Every repair is recorded. What cannot run has a reason from a closed list.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
import textwrap
import types
import warnings
from collections.abc import Callable
from typing import Any

PARSE = "does not parse"
SYMBOL = "unresolved symbol"
PACKAGE = "needs a package"
FILE = "needs a file"
NETWORK = "needs the network"
SCREEN = "needs a screen"
PROCESS = "starts a program"
CLOCK = "depends on the time"
INPUT = "reads input"
FUNCTION = "has no function"
RECEIVER = "needs an object"
LOADING = "fails while loading"
TIME = "takes too long to load"

REASONS = (PARSE, SYMBOL, PACKAGE, FILE, NETWORK, SCREEN, PROCESS, CLOCK, INPUT, FUNCTION, RECEIVER, LOADING, TIME)

_NEEDS = {
    "socket": NETWORK,
    "urllib": NETWORK,
    "http": NETWORK,
    "smtplib": NETWORK,
    "ftplib": NETWORK,
    "ssl": NETWORK,
    "tkinter": SCREEN,
    "turtle": SCREEN,
    "curses": SCREEN,
    "subprocess": PROCESS,
    "multiprocessing": PROCESS,
}
"""Modules that say that a fragment cannot be observed by its values."""

_CLOCK = {("time", "time"), ("time", "sleep"), ("datetime", "now"), ("datetime", "today"), ("date", "today")}

_NAMES = {
    "math": "sqrt floor ceil log log2 log10 exp sin cos tan asin acos atan atan2 pi hypot gcd factorial fabs fmod "
    "isclose isnan isinf radians degrees comb perm prod",
    "collections": "defaultdict Counter deque OrderedDict namedtuple ChainMap",
    "itertools": "product permutations combinations combinations_with_replacement chain groupby islice accumulate "
    "cycle count repeat takewhile dropwhile zip_longest starmap compress tee",
    "functools": "reduce partial lru_cache wraps cmp_to_key total_ordering cached_property cache",
    "typing": "List Dict Tuple Set Optional Union Any Callable Iterable Iterator Sequence Mapping TypeVar Generic "
    "NamedTuple Deque DefaultDict FrozenSet Generator Literal",
    "heapq": "heappush heappop heapify heappushpop heapreplace nlargest nsmallest",
    "bisect": "bisect_left bisect_right insort insort_left insort_right",
    "operator": "itemgetter attrgetter mul add xor or_ and_",
    "copy": "deepcopy",
    "dataclasses": "dataclass field",
    "enum": "Enum IntEnum auto",
    "abc": "ABC abstractmethod",
    "fractions": "Fraction",
    "decimal": "Decimal ROUND_HALF_UP",
    "string": "ascii_lowercase ascii_uppercase ascii_letters digits punctuation",
    "random": "randint randrange shuffle choice sample uniform",
    "datetime": "timedelta",
    "statistics": "mean median mode stdev variance",
}
_IMPORTS = {name: module for module, names in _NAMES.items() for name in names.split()}
_LINKED = ("val", "value", "data", "key", "item", "left", "right", "next", "prev", "children", "neighbors", "random")
"""Fields of nodes, in the order in which constructors usually take them."""

_SPLIT_OPERATORS = re.compile(
    r"(?<![<>=!+\-*/%&|^])([<>=!+\-*/%&|^]) (=)(?!=)|(\*) (\*)|(/) (/)|(<) (<)|(>) (>)|(-) (>)"
)
_PRINT = re.compile(r"^(\s*)print(?:\s+(?![=(])|(?=[\"']))(.*?),?\s*$", re.MULTILINE)
_EXCEPT = re.compile(r"except\s+([\w.]+|\([^)]*\))\s*,\s*(\w+)\s*:")
_RAISE = re.compile(r"raise\s+([\w.]+)\s*,\s*(.+)$", re.MULTILINE)
_OLD_NAMES = {"xrange": "range", "raw_input": "input", "unicode": "str", "long": "int", "unichr": "chr"}


class UndecidedError(Exception):
    """A fragment that cannot run."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(detail)
        self.reason = reason


class Prepared:
    """A fragment that can run: its text, the name of what to call, its parameters, and what was repaired."""

    def __init__(
        self, text: str, entry: str, owner: str | None, parameters: list[list[str | None]], repairs: list[str]
    ) -> None:
        self.text, self.entry, self.owner = text, entry, owner
        self.parameters, self.repairs = parameters, repairs


def prepare(source: str, entry: str | None = None) -> Prepared:
    """Make a fragment callable.

    Raises:
        UndecidedError: it cannot run.
    """
    repairs: list[str] = []
    text, tree = parsed(source, repairs)
    function, owner = chosen(tree, entry)
    refuse_what_cannot_be_observed(tree)
    header = resolved(tree, repairs)
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    is_static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in function.decorator_list)
    if (owner is not None and not is_static) or (owner is None and names[:1] in (["self"], ["cls"])):
        names = names[1:]
    parameters = [[name, annotation(function, name)] for name in names]
    return Prepared(header + text, function.name, owner.name if owner else None, parameters, repairs)


def parsed(source: str, repairs: list[str]) -> tuple[str, ast.Module]:
    """The tree of a text, repaired if necessary."""
    text = textwrap.dedent(source.replace("\t", "    ").replace("\r", "")).strip("\n") + "\n"
    attempts: tuple[tuple[str, Callable[[str], str]], ...] = (
        ("", str),
        ("joined operators", joined),
        ("Python 2", converted),
        ("joined operators, Python 2", lambda one: converted(joined(one))),
    )
    error: BaseException | None = None
    for repair, change in attempts:
        candidate = change(text)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(candidate)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as found:
            error = error or found
        else:
            if repair:
                repairs.append(repair)
            return candidate, tree
    raise UndecidedError(PARSE, str(error)[:200])


def joined(text: str) -> str:
    """Operators that a tokenizer has split, such as `> =`."""
    return _SPLIT_OPERATORS.sub(lambda found: "".join(one for one in found.groups() if one), text)


def converted(text: str) -> str:
    """Python 2 as Python 3, as far as patterns go."""
    text = _PRINT.sub(lambda found: found.group(1) + "print(" + found.group(2).strip() + ")", text)
    text = _EXCEPT.sub(r"except \1 as \2:", text)
    text = _RAISE.sub(r"raise \1(\2)", text)
    text = re.sub(r"<>", "!=", text)
    text = re.sub(r"\b0([0-7]+)\b(?!\.)", r"0o\1", text)
    text = re.sub(r"\b(\d+)[lL]\b", r"\1", text)
    text = re.sub(r"\.(iter)(items|keys|values)\(", r".\2(", text)
    text = re.sub(r"(\w+)\.has_key\(([^()]*)\)", r"(\2 in \1)", text)
    for old, new in _OLD_NAMES.items():
        text = re.sub(rf"\b{old}\b", new, text)
    return text


def chosen(tree: ast.Module, entry: str | None) -> tuple[ast.FunctionDef, ast.ClassDef | None]:
    """The function to call, and its class; without a name, the last one that no other calls."""
    found: list[tuple[ast.FunctionDef | ast.AsyncFunctionDef, ast.ClassDef | None]] = []
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.append((node, None))
        elif isinstance(node, ast.ClassDef):
            found += [(one, node) for one in node.body if isinstance(one, ast.FunctionDef)]
    if entry is not None:
        found = [one for one in found if one[0].name == entry]
    found = [one for one in found if not (one[0].name.startswith("__") and one[1] is not None)] or found
    if not found:
        raise UndecidedError(FUNCTION, entry or "")
    called: set[str] = set()
    for function, _ in found:
        for inner in ast.walk(function):
            name = getattr(inner, "attr", None) or getattr(inner, "id", None)
            if name and name != function.name:
                called.add(name)
    free = [one for one in found if one[0].name not in called] or found
    function, owner = free[-1]
    if isinstance(function, ast.AsyncFunctionDef):
        raise UndecidedError(LOADING, "asynchronous")
    return function, owner


def refuse_what_cannot_be_observed(tree: ast.Module) -> None:
    """Files, networks, screens, clocks and input are not values."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [one.name.split(".")[0] for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [(node.module or "").split(".")[0]]
        else:
            modules = []
        for module in modules:
            if module in _NEEDS:
                raise UndecidedError(_NEEDS[module], module)
            if module and module not in sys.stdlib_module_names:
                raise UndecidedError(PACKAGE, module)
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name) and called.id == "open":
                raise UndecidedError(FILE, "open")
            if isinstance(called, ast.Name) and called.id == "input":
                raise UndecidedError(INPUT, "input")
            if isinstance(called, ast.Attribute):
                owner = (
                    called.value.attr if isinstance(called.value, ast.Attribute) else getattr(called.value, "id", "")
                )
                if (owner, called.attr) in _CLOCK:
                    raise UndecidedError(CLOCK, owner + "." + called.attr)


def resolved(tree: ast.Module, repairs: list[str]) -> str:
    """Lines that define what a fragment uses without defining it."""
    missing = sorted(free_names(tree))
    lines = []
    for name in missing:
        if name in _IMPORTS:
            lines.append(f"from {_IMPORTS[name]} import {name}")
        elif name in sys.stdlib_module_names and name not in _NEEDS:
            lines.append("import " + name)
        elif name in _OLD_NAMES:
            lines.append(f"{name} = {_OLD_NAMES[name]}")
        elif name in _NEEDS:
            raise UndecidedError(_NEEDS[name], name)
        elif name in ("np", "numpy", "pd", "pandas", "plt", "requests", "tf", "torch", "django", "scipy", "nx", "cv2"):
            raise UndecidedError(PACKAGE, name)
        elif name[:1].isupper() and is_constructed(tree, name):
            lines.append(node_class(tree, name))
            repairs.append("class " + name)
        elif only_annotates(tree, name):
            lines.append(f"{name} = object")
        else:
            raise UndecidedError(SYMBOL, name)
    if lines:
        repairs.append("imports and definitions: " + ", ".join(missing))
    return "\n".join(lines) + "\n" if lines else ""


def free_names(tree: ast.Module) -> set[str]:
    """Names that are read somewhere and bound nowhere."""
    read: set[str] = set()
    bound: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            bound.update(node.names)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            bound.add(node.name)
    return read - bound - set(dir(builtins)) - {"__file__", "__name__"}


def is_constructed(tree: ast.Module, name: str) -> bool:
    return any(isinstance(node, ast.Call) and getattr(node.func, "id", None) == name for node in ast.walk(tree))


def only_annotates(tree: ast.Module, name: str) -> bool:
    """Whether a name is used in annotations only."""
    notes: set[int] = set()
    for node in ast.walk(tree):
        for field in ("annotation", "returns"):
            note = getattr(node, field, None)
            if isinstance(note, ast.AST):
                notes.update(id(one) for one in ast.walk(note))
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
    return all(id(node) in notes for node in uses)


def node_class(tree: ast.Module, name: str) -> str:
    """A class such as `ListNode`, from the fields that the fragment uses."""
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    fields = [one for one in _LINKED if one in used] or ["val"]
    parameters = ", ".join(one + "=None" for one in fields)
    body = "; ".join(f"self.{one} = {one}" for one in fields)
    return f"class {name}:\n    def __init__(self, {parameters}): {body}"


def annotation(function: ast.FunctionDef, name: str) -> str | None:
    """What is written behind a parameter."""
    arguments = [*function.args.posonlyargs, *function.args.args]
    for one in arguments:
        if one.arg == name and one.annotation is not None:
            return ast.unparse(one.annotation)
    return None


class Receiver:
    """Stands for an object whose class is not in the fragment."""


def entry_of(module: types.ModuleType, prepared: Prepared) -> Any:
    """The function to call, bound to an object if it needs one.

    Raises:
        UndecidedError: there is no such object.
    """
    if prepared.owner is None:
        function = module.__dict__[prepared.entry]
        code = getattr(function, "__code__", None)
        if code is not None and code.co_varnames[: code.co_argcount][:1] in (("self",), ("cls",)):
            receiver = Receiver()
            for name, one in module.__dict__.items():
                if callable(one) and not name.startswith("__"):
                    object.__setattr__(receiver, name, one.__get__(receiver) if hasattr(one, "__get__") else one)
            return object.__getattribute__(receiver, prepared.entry)
        return function
    owner = module.__dict__[prepared.owner]
    attribute = owner.__dict__[prepared.entry]
    if isinstance(attribute, (staticmethod, classmethod)):
        return getattr(owner, prepared.entry)
    try:
        receiver = owner()
    except TypeError as error:
        raise UndecidedError(RECEIVER, prepared.owner) from error
    return getattr(receiver, prepared.entry)


def why_not_loaded(error: BaseException) -> tuple[str, str]:
    """The reason that a fragment failed before it was called."""
    if isinstance(error, NameError):
        return SYMBOL, str(error)[:200]
    if isinstance(error, ImportError):
        return PACKAGE, str(error)[:200]
    if isinstance(error, (SyntaxError, ValueError)):
        return PARSE, str(error)[:200]
    return LOADING, type(error).__name__
