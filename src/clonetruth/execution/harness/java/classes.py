"""Classes of Java that a fragment uses and does not bring, inferred from their names and their use."""

from __future__ import annotations

import itertools
import re
import zlib
from collections.abc import Collection
from dataclasses import dataclass, field

from clonetruth.execution.harness.java.missing import MissingMethod, result_type

LINKS = [
    "next",
    "prev",
    "previous",
    "left",
    "right",
    "parent",
    "child",
    "random",
    "head",
    "tail",
    "root",
    "first",
    "last",
    "sibling",
    "down",
    "up",
    "nextSibling",
    "leftChild",
    "rightChild",
    "firstChild",
    "front",
    "rear",
    "top",
    "link",
]
"""Fields that hold another object of their class."""
_MANY = re.compile(
    r"child(?:ren|s)|(?:neighbou?r|successor|predecessor|parent|sibling|ancestor|descendant)s|adjacent(?:s|Nodes|List)?"
    r"|(?:neighbou?r|successor|predecessor|parent|child|sub|incoming|outgoing)Nodes|nodes|incoming|outgoing",
    re.IGNORECASE,
)
"""Fields that hold several others of their class."""
_TEXTS = ("name", "label", "text", "title", "word", "str", "firstName", "lastName", "city", "description")
_ORDER = ("val", "value", "data", "key", "item", "info", "x", "y", "left", "right", "next", "prev")
"""The order in which constructors usually take fields."""

_MAX_MEMBERS = 24
PRIMITIVES = ("int", "long", "double", "float", "char", "boolean", "short", "byte")
BOXED = {
    "int": "Integer",
    "long": "Long",
    "double": "Double",
    "float": "Float",
    "char": "Character",
    "boolean": "Boolean",
    "short": "Short",
    "byte": "Byte",
}
_WIDTHS = ("int", "long", "float", "double")
"""Numbers, each of which is one of the next type, too."""
_ORDERED = {**{one: boxed for one, boxed in BOXED.items() if one != "boolean"}, "String": "String"}
"""Types of fields by which objects can be compared, with the class that does it."""


@dataclass
class InferredClass:
    """A class that a fragment misses.

    Attributes:
        name: its name.
        is_generic: whether it takes a type argument.
        is_thrown: whether it is an exception.
        fields: its fields with their types.
        constructors: the types of their parameters.
        accessors: methods that read or write a field: name, field and whether it writes.
        methods: other methods, about which nothing is assumed.
        static_methods: those of them that are called without an object.
        constants: fields that are used without an object.
        arity: how many type arguments it takes if it takes any.
        parent: the missing class that it extends; None if nothing says so.
        elements: the type of what a loop over it gives; None if there is no such loop.
        is_ordered: whether its objects are compared by size: by their fields, in turn.
    """

    name: str
    is_generic: bool = False
    is_thrown: bool = False
    fields: dict[str, str] = field(default_factory=dict)
    constructors: list[tuple[str, ...]] = field(default_factory=list)
    accessors: dict[str, tuple[str, bool]] = field(default_factory=dict)
    methods: dict[str, MissingMethod] = field(default_factory=dict)
    static_methods: set[str] = field(default_factory=set)
    constants: set[str] = field(default_factory=set)
    arity: int = 1
    parent: str | None = None
    elements: str | None = None
    is_ordered: bool = False
    _retyped: set[str] = field(default_factory=set, repr=False)

    @classmethod
    def of(cls, name: str, body: str) -> InferredClass:
        """A class without members; the compiler asks for them."""
        is_thrown = (
            re.search(rf"\b(?:catch\s*\(\s*(?:final\s+)?|throw\s+new\s+|throws\s+|\|\s*){name}\b", body) is not None
        )
        is_generic = re.search(rf"\b{name}\s*<\s*(?:[A-Z]|>)", body) is not None
        return cls(name, is_generic and not is_thrown, is_thrown or name.endswith("Exception"))

    @property
    def written(self) -> str:
        """The class as a type within itself."""
        return f"{self.name}<{', '.join(['T', 'U', 'V'][: self.arity])}>" if self.is_generic else self.name

    def text(self, modifier: str, classes: Collection[str] = ()) -> str:
        """Its declaration.

        Args:
            modifier: what stands before it.
            classes: classes of which objects can be made.
        """
        above = self.parent if self.parent in classes else "RuntimeException" if self.is_thrown else None
        abilities = [f"Iterable<{self.elements}>"] if self.elements else []
        abilities += [f"Comparable<{self.written}>"] if self.is_ordered else []
        can = f" implements {', '.join(abilities)}" if abilities else ""
        lines = [f"{modifier}class {self.written}{f' extends {above}' if above else ''}{can} {{"]
        if self.elements:
            lines.append(f"public List<{self.elements}> elements = new ArrayList<>();")
            lines.append(f"public Iterator<{self.elements}> iterator() {{ return elements.iterator(); }}")
        for name, written in self.fields.items():
            # A class that was made for one field has an object in it.
            made = f" = new {written}()" if written.endswith("_") and written != self.name else ""
            if self.name.endswith("_") and written in ("int", "String"):
                # Of an object that is known by name alone, members differ by their names.
                made = f" = {self._constant(name, written, ()).rpartition(' = ')[2]}"
            plain = f"{written} {name}{made}"
            lines.append(f"public {self._constant(name, written, classes) if name in self.constants else plain};")
        if () not in self.constructors:
            lines.append(f"public {self.name}() {{}}")
        for types in self.constructors:
            lines.append(self._constructor_text(types))
        for method, (name, writes) in self.accessors.items():
            written = self.fields[name]
            if writes:
                lines.append(f"public void {method}({written} one) {{ {name} = one; }}")
            else:
                lines.append(f"public {written} {method}() {{ return {name}; }}")
        is_made = any(self.constructors) and not self.is_thrown
        lines += [
            one.text(f"{self.name}.", classes, of_object=is_made and one.name not in self.static_methods)
            for one in self.methods.values()
        ]
        if self.is_ordered:
            lines.append(self._comparison())
        return "\n".join([*lines, "}"])

    def order(self) -> bool:
        """Let its objects be compared by size; False if they are already."""
        if self.is_ordered or self.is_generic:
            return False
        self.is_ordered = True
        if not any(kind in _ORDERED for kind in self.fields.values()):
            # What decides is a field that the fragment does not mention.
            self.fields["rank"] = "int"
        return True

    def _comparison(self) -> str:
        """The method that compares two objects by their numbers and texts."""
        own = [one for one, kind in self.fields.items() if kind in _ORDERED and one not in self.constants]
        terms = [f"if (by == 0) by = {_ORDERED[self.fields[one]]}.compare({one}, other.{one});" for one in own
                 if self.fields[one] != "String"]  # fmt: skip
        terms += [f"if (by == 0) by = String.valueOf({one}).compareTo(String.valueOf(other.{one}));" for one in own
                  if self.fields[one] == "String"]  # fmt: skip
        return f"public int compareTo({self.written} other) {{ int by = 0; {' '.join(terms)} return by; }}"

    def rename(self, old: str, new: str) -> None:
        """Use another name for a class."""
        pattern = rf"\b{old}\b"
        self.fields = {name: re.sub(pattern, new, kind) for name, kind in self.fields.items()}
        self.constructors = [tuple(re.sub(pattern, new, one) for one in types) for types in self.constructors]
        self.elements = self.elements and re.sub(pattern, new, self.elements)
        self.parent = None if self.parent == old else self.parent

    def _constant(self, name: str, written: str, classes: Collection[str]) -> str:
        """A constant that differs from others by its name. Whether it is a number or a text is a guess, on each side
        of a pair: for missing methods, both are the same."""
        number = zlib.crc32(name.encode()) % 10_000
        values = {
            "int": str(number),
            "String": f'"{number}"',
            **{one: f"new {one}()" for one in classes},
        }
        is_final = "final " if written in ("int", "String") else ""
        return f"static {is_final}{written} {name}" + (f" = {values[written]}" if written in values else "")

    def _constructor_text(self, types: tuple[str, ...]) -> str:
        own = [one for one in self.fields if one not in self.constants]
        left = sorted(own, key=lambda one: _ORDER.index(one) if one in _ORDER else 99)
        sets = []
        for at, written in enumerate(types):
            fitting = [one for one in left if self.fields[one] == written]
            if fitting:
                left.remove(fitting[0])
                sets.append(f"this.{fitting[0]} = p{at};")
        if types and not self.is_thrown:
            sets.append(
                f"clonetruth_points.Missing.made(this, {', '.join(f'(Object) p{at}' for at in range(len(types)))});"
            )
        parameters = ", ".join(f"{written} p{at}" for at, written in enumerate(types))
        return f"public {self.name}({parameters}) {{ {' '.join(sets)} }}"

    def add_field(self, name: str, body: str) -> bool:
        """A field of this name, unless there is one."""
        if name in self.fields or len(self.fields) >= _MAX_MEMBERS:
            return False
        self.fields[name] = field_type(name, self.written, body, is_generic=self.is_generic)
        return True

    def add_method(self, name: str, arguments: str, body: str) -> bool:
        """A method that reads or writes a field, by its name; nothing is assumed about others."""
        found = re.fullmatch(r"(get|set|is|has)([A-Z]\w*)", name)
        if name in self.accessors or name in self.methods or len(self.methods) + len(self.accessors) >= _MAX_MEMBERS:
            return False
        if name == "compareTo":
            return self.order()
        if found is None or (found[1] == "set") != bool(arguments.strip()) or arguments.count(","):
            self.methods[name] = MissingMethod(name, result_type(name, body))
            if re.search(rf"\b{self.name}\s*(?:\.|::)\s*{name}\b", body):
                self.static_methods.add(name)
            return True
        inner = found[2][0].lower() + found[2][1:]
        if found[1] in ("is", "has"):
            self.fields.setdefault(inner, "boolean")
        elif inner not in self.fields:
            guessed = result_type(name, body) if found[1] == "get" else "int"
            by_name = field_type(inner, self.written, body, is_generic=self.is_generic)
            self.fields[inner] = guessed if by_name == "int" and guessed != "void" else by_name
            if found[1] == "set" and arguments.strip() in (*PRIMITIVES, "String", "java.lang.String"):
                self.fields[inner] = arguments.strip().removeprefix("java.lang.")
        self.accessors[name] = (inner, found[1] == "set")
        return True

    def add_constructor(self, given: str) -> bool:
        """A constructor for arguments of these types."""
        types = []
        for at, one in enumerate(_parts(given) if given not in ("", "no arguments") else []):
            plain = re.sub(r"\bMain\.", "", one).strip()
            if plain.startswith("<"):
                plain = self.written
            elif self.is_generic and plain.removeprefix("java.lang.") in (*BOXED.values(), *BOXED, "String", "T"):
                plain = "T"
            types.append(plain)
            # Each argument has a field, so that two of a type do not become one.
            own = sum(kind == plain for name, kind in self.fields.items() if name not in self.constants)
            if own < (1 if plain == self.written else types.count(plain)):
                free = [name for name in _ORDER if name not in self.fields]
                wanted = "next" if plain == self.written else free[0] if free else f"p{at}"
                self.fields.setdefault(wanted, plain)
        if tuple(types) in self.constructors or len(self.constructors) >= 4:
            return False
        self.constructors.append(tuple(types))
        self._merge_constructors()
        return True

    def _merge_constructors(self) -> None:
        """Let two constructors of as many numbers, of which neither takes all that the other does, be one: otherwise
        (0, 1.5) and (1.5, 0) would make the same object."""
        for one, other in itertools.combinations(self.constructors, 2):
            if len(one) != len(other) or not {*one, *other} <= set(_WIDTHS):
                continue
            wider = tuple(max(pair, key=_WIDTHS.index) for pair in zip(one, other, strict=True))
            if wider in (one, other):
                continue
            self.constructors = [kept for kept in self.constructors if kept not in (one, other)]
            self.add_constructor(",".join(wider))
            return

    def retype(self, given: str, wanted: str, source: str, body: str) -> bool:
        """Give a field another type than was guessed, once: that of what is assigned to it, or that it is used as."""
        for name, written in self.fields.items():
            if name in self._retyped:
                continue
            methods = [one for one, (inner, _) in self.accessors.items() if inner == name]
            read = re.search(rf"\.\s*{name}\b", source) or any(re.search(rf"\b{one}\s*\(", source) for one in methods)
            passed = any(re.search(rf"\b{one}\s*\(\s*{re.escape(source)}\s*\)", body) for one in methods)
            assigned = re.search(rf"\.\s*{name}\s*=\s*{re.escape(source)}\s*;", body)
            other = wanted if read and written == given else given if (passed or assigned) and written == wanted else ""
            if other and other != written and re.fullmatch(r"[\w.<>,\[\]]+", other):
                self.fields[name] = other
                self._retyped.add(name)
                return True
        return False

    def widen(self, given: str, wanted: str, source: str, body: str) -> bool:
        """Give a parameter of a constructor the type of what is passed for it."""
        for call in re.finditer(rf"\bnew\s+{self.name}\s*\(([^;{{]*)\)", body):
            passed = [one.strip() for one in _parts(call[1])]
            at = passed.index(source) if source in passed else -1
            for place, types in enumerate(self.constructors):
                if at >= 0 and len(types) == len(passed) and types[at] == wanted != given:
                    self.constructors[place] = (*types[:at], given, *types[at + 1 :])
                    return True
        return False


def _parts(given: str) -> list[str]:
    """Types between commas that are not inside angle brackets."""
    parts, depth = [""], 0
    for letter in given:
        depth += (letter in "<(") - (letter in ">)")
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def field_type(name: str, owner: str, body: str, *, is_generic: bool = False) -> str:
    """The type of a field, from its name and its use."""
    if name in LINKS:
        used_as_number = re.search(rf"\.\s*{name}\s*(?:[-+*/%<>]|==\s*\d)", body)
        return "int" if used_as_number else owner
    if _MANY.fullmatch(name):
        return f"{owner}[]" if re.search(rf"\.\s*{name}\s*\[", body) else f"List<{owner}>"
    if is_generic:
        return "T"
    if name in _TEXTS or re.search(rf"\.\s*{name}\s*\.\s*(?:length|charAt|equals|compareTo|substring)\s*\(", body):
        return "String"
    if re.match(r"(?:is|has)[A-Z]", name) or re.search(rf"!\s*\w+\s*\.\s*{name}\b(?!\s*=)", body) or name == "visited":
        return "boolean"
    return "int"
