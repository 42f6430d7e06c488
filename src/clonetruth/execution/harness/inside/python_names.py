"""Runs inside the sandbox: names that a fragment uses without defining them, and what may stand for them."""

from __future__ import annotations

import ast
import builtins
import re
import sys

from clonetruth.execution.harness.inside.python_fragment import (
    CLOCK,
    NETWORK,
    PACKAGE,
    PROCESS,
    SCREEN,
    UndecidedError,
)
from clonetruth.execution.harness.inside.python_values import INVENTED
from clonetruth.execution.harness.inside.python_walk import walk

_NEEDS = {
    "socket": NETWORK,
    "urllib": NETWORK,
    "urllib2": NETWORK,
    "http": NETWORK,
    "smtplib": NETWORK,
    "ftplib": NETWORK,
    "ssl": NETWORK,
    "requests": NETWORK,
    "tkinter": SCREEN,
    "Tkinter": SCREEN,
    "turtle": SCREEN,
    "curses": SCREEN,
    "pygame": SCREEN,
    "subprocess": PROCESS,
    "multiprocessing": PROCESS,
}
"""Modules that say that a fragment cannot be observed by its values."""

_PACKAGES = frozenset(
    [
        "np",
        "numpy",
        "pd",
        "pandas",
        "plt",
        "tf",
        "torch",
        "django",
        "scipy",
        "sp",
        "nx",
        "cv2",
        "matplotlib",
        "sklearn",
        "sympy",
        "nltk",
        "bs4",
        "boto3",
        "pg",
        "gtk",
        "gio",
        "wx",
        "Qt",
        "QtGui",
        "QtCore",
        "QtWidgets",
        "QApplication",
        "etree",
        "lxml",
        "soup",
        "soupparser",
        "keras",
        "flask",
        "sqlalchemy",
        "yaml",
        "six",
        "PIL",
        "Image",
    ]
)
"""Names that packages are usually imported by."""

_NAMES = {
    "math": "sqrt floor ceil log log2 log10 exp sin cos tan asin acos atan atan2 pi hypot gcd factorial fabs fmod "
    "isclose isnan isinf radians degrees comb perm prod",
    "collections": "defaultdict Counter deque OrderedDict namedtuple ChainMap UserDict",
    "collections.abc": "MutableMapping Hashable Sized Container",
    "itertools": "product permutations combinations combinations_with_replacement chain groupby islice accumulate "
    "cycle count repeat takewhile dropwhile zip_longest starmap compress tee filterfalse pairwise",
    "functools": "reduce partial lru_cache wraps cmp_to_key total_ordering cached_property cache singledispatch",
    "typing": "List Dict Tuple Set Optional Union Any Callable Iterable Iterator Sequence Mapping TypeVar Generic "
    "NamedTuple Deque DefaultDict FrozenSet Generator Literal Type",
    "heapq": "heappush heappop heapify heappushpop heapreplace nlargest nsmallest",
    "bisect": "bisect bisect_left bisect_right insort insort_left insort_right",
    "operator": "itemgetter attrgetter mul add xor or_ and_ sub truediv floordiv mod neg",
    "copy": "deepcopy",
    "dataclasses": "dataclass field",
    "enum": "Enum IntEnum auto",
    "abc": "ABC abstractmethod",
    "fractions": "Fraction",
    "decimal": "Decimal ROUND_HALF_UP getcontext",
    "numbers": "Number Integral Real",
    "string": "ascii_lowercase ascii_uppercase ascii_letters digits punctuation",
    "random": "randint randrange shuffle choice sample uniform",
    "datetime": "timedelta",
    "statistics": "mean median mode stdev variance",
    "contextlib": "contextmanager suppress",
    "types": "SimpleNamespace",
    "ast": "literal_eval",
}
_IMPORTS = {name: module for module, names in _NAMES.items() for name in names.split()}
_OTHER_NAMES = {
    "xrange": "range",
    "raw_input": "input",
    "unicode": "str",
    "basestring": "str",
    "long": "int",
    "unichr": "chr",
    "izip": "zip",
    "imap": "map",
    "ifilter": "filter",
    "izip_longest": "__import__('itertools').zip_longest",
    "ifilterfalse": "__import__('itertools').filterfalse",
    "cmp": "lambda a, b: (a > b) - (a < b)",
    "maketrans": "str.maketrans",
    "maxint": "__import__('sys').maxsize",
    "log": "__import__('logging').getLogger()",
    "logger": "__import__('logging').getLogger()",
    "datetime": "__import__('datetime').datetime",
    "date": "__import__('datetime').date",
}
"""Old names and names that are nearly always imported from a module of the same name."""

_TELLING = (
    (re.compile(r"is_?list", re.IGNORECASE), "isinstance(value, list)"),
    (re.compile(r"is_?tuple", re.IGNORECASE), "isinstance(value, tuple)"),
    (re.compile(r"is_?dict(ionary)?", re.IGNORECASE), "isinstance(value, dict)"),
    (re.compile(r"is_?str(ing)?", re.IGNORECASE), "isinstance(value, str)"),
    (re.compile(r"is_?int(eger)?", re.IGNORECASE), "isinstance(value, int)"),
    (re.compile(r"len(gth)?_?(rec|recursive|of)|(list|str|string)_?len(gth)?", re.IGNORECASE), "len(value)"),
)
"""Functions of one argument that are missing, and whose names say what they do: anything else that stood for them could
say that an empty text has a length of four."""

_LINKED = ("val", "value", "data", "key", "item", "left", "right", "next", "prev", "children", "neighbors", "random")
"""Fields of nodes, in the order in which constructors usually take them."""


def refuse_what_cannot_be_observed(tree: ast.Module, own_modules: frozenset[str]) -> None:
    """Networks, screens and how long something takes are not values.

    Raises:
        UndecidedError: the fragment needs one of them, or a package.
    """
    for node in walk(tree):
        modules: list[str] = []
        if isinstance(node, ast.Import):
            modules = [one.name.split(".")[0] for one in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules = [(node.module or "").split(".")[0]]
        for module in modules:
            if module in _NEEDS and module not in own_modules:
                raise UndecidedError(_NEEDS[module], module)
            if module and module not in sys.stdlib_module_names and module not in own_modules:
                raise UndecidedError(PACKAGE, module)
        if _called(node) == ("time", "monotonic"):
            raise UndecidedError(CLOCK, "time.monotonic")


_READINGS = {("datetime", "now"), ("datetime", "today"), ("datetime", "utcnow"), ("date", "today")} | {
    ("time", one) for one in ("time", "time_ns", "localtime", "gmtime", "ctime", "perf_counter", "process_time")
}
"""Calls that read the clock: the class or module, and the function."""


def reads_clock(tree: ast.Module) -> bool:
    """Whether code asks for the time."""
    return any(_called(node) in _READINGS for node in walk(tree))


def _called(node: ast.AST) -> tuple[str, str] | None:
    """The function that is called, and what it belongs to; None if it is not written like that."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    owner = node.func.value
    return (owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")), node.func.attr


def resolved(tree: ast.Module, repairs: list[str]) -> tuple[list[str], list[str]]:
    """Lines that define what a fragment uses without defining it, and the names that nothing defines.

    Raises:
        UndecidedError: it needs a package, the network, a screen or another program.
    """
    missing = sorted(free_names(tree))
    lines: list[str] = []
    unknown: list[str] = []
    for name in missing:
        if name in sys.stdlib_module_names and name not in _NEEDS and is_module(tree, name):
            lines.append("import " + name)
        elif name in _IMPORTS and not (name in _OTHER_NAMES and has_attributes(tree, name)):
            lines.append(f"from {_IMPORTS[name]} import {name}")
        elif name in _NEEDS:
            raise UndecidedError(_NEEDS[name], name)
        elif name in ("datetime", "date"):
            lines.append(f"{name} = {_OTHER_NAMES[name]}")
        elif name in sys.stdlib_module_names:
            lines.append("import " + name)
        elif name in _OTHER_NAMES:
            lines.append(f"{name} = {_OTHER_NAMES[name]}")
        elif name in _PACKAGES:
            raise UndecidedError(PACKAGE, name)
        elif is_raised(tree, name):
            lines.append(f"class {name}(Exception): pass")
            repairs.append("exception " + name)
        elif name[:1].isupper() and is_constructed(tree, name):
            lines.append(node_class(tree, name))
            repairs.append("class " + name)
        elif (meaning := told_by_name(tree, name)) is not None:
            lines.append(f"{name} = lambda value: {meaning}")
        elif only_annotates(tree, name):
            lines.append(f"{name} = object")
        else:
            unknown.append(name)
    found = [name for name in missing if name not in unknown]
    if found:
        repairs.append("imports and definitions: " + ", ".join(found))
    return lines, unknown


def free_names(tree: ast.Module) -> set[str]:
    """Names that are read somewhere and bound nowhere."""
    read: set[str] = set()
    bound: set[str] = set()
    for node in walk(tree):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).split(".")[0])
        elif (isinstance(node, ast.ExceptHandler) and node.name) or (
            isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name
        ):
            bound.add(node.name)
    return read - bound - set(dir(builtins)) - {"__file__", "__name__", "__class__"}


def is_module(tree: ast.Module, name: str) -> bool:
    """Whether a name is used as a module: of `datetime`, which is also a class, only what the module has."""
    inner = {"datetime": ("datetime", "timedelta", "date", "timezone")}.get(name)
    uses = [node for node in walk(tree) if isinstance(node, ast.Attribute) and getattr(node.value, "id", None) == name]
    count = sum(isinstance(node, ast.Name) and node.id == name for node in walk(tree))
    return len(uses) == count and all(inner is None or node.attr in inner for node in uses)


def has_attributes(tree: ast.Module, name: str) -> bool:
    """Whether something is asked of what a name stands for, as of a logger and not of a logarithm."""
    return any(isinstance(node, ast.Attribute) and getattr(node.value, "id", None) == name for node in walk(tree))


def told_by_name(tree: ast.Module, name: str) -> str | None:
    """What a missing function does of which the name says it, if it is only ever called with one argument."""
    meaning = next((meaning for pattern, meaning in _TELLING if pattern.fullmatch(name)), None)
    if meaning is None:
        return None
    calls = [node for node in walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", None) == name]
    uses = sum(isinstance(node, ast.Name) and node.id == name for node in walk(tree))
    plain = [
        one for one in calls if len(one.args) == 1 and not one.keywords and not isinstance(one.args[0], ast.Starred)
    ]
    return meaning if len(plain) == uses else None


def is_constructed(tree: ast.Module, name: str) -> bool:
    return any(isinstance(node, ast.Call) and getattr(node.func, "id", None) == name for node in walk(tree))


def is_raised(tree: ast.Module, name: str) -> bool:
    """Whether a name is that of an exception."""
    for node in walk(tree):
        if isinstance(node, ast.Raise) and node.exc is not None:
            raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            if isinstance(raised, ast.Name) and raised.id == name and name[:1].isupper():
                return True
        caught = node.type if isinstance(node, ast.ExceptHandler) else None
        if caught is not None and any(isinstance(one, ast.Name) and one.id == name for one in walk(caught)):
            return True
    return False


def only_annotates(tree: ast.Module, name: str) -> bool:
    """Whether a name is used in annotations only."""
    notes: set[int] = set()
    for node in walk(tree):
        for field in ("annotation", "returns"):
            note = getattr(node, field, None)
            if isinstance(note, ast.AST):
                notes.update(id(one) for one in walk(note))
    uses = [node for node in walk(tree) if isinstance(node, ast.Name) and node.id == name]
    return all(id(node) in notes for node in uses)


def node_class(tree: ast.Module, name: str) -> str:
    """A class such as `ListNode`, from the fields that the fragment uses; one without such fields keeps what its
    constructor is given."""
    used = {node.attr for node in walk(tree) if isinstance(node, ast.Attribute)}
    calls = [node for node in walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", None) == name]
    given = max((len(call.args) for call in calls), default=0)
    fields = [one for one in _LINKED if one in used]
    if not fields or given > len(fields) or any(call.keywords for call in calls):
        keep = "self.__dict__.update({f'_{at}': one for at, one in enumerate(given)}, **more)"
        return f"class {name}:\n    {INVENTED} = True\n    def __init__(self, *given, **more): {keep}"
    parameters = ", ".join(one + "=None" for one in fields)
    body = "; ".join(f"self.{one} = {one}" for one in fields)
    return f"class {name}:\n    {INVENTED} = True\n    def __init__(self, {parameters}): {body}"
