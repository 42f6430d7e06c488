"""From a bare fragment of Java to a text that compiles: what is around it, and what the compiler misses in it.

The compiler decides: each round of errors says which class, member or variable is missing, and the next text has it.
Every repair is recorded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clonetruth.execution.harness.java.classes import InferredClass
from clonetruth.execution.harness.java.missing import ENVIRONMENT, MissingMethod, result_type
from clonetruth.execution.harness.java.shapes import (
    dereferenced,
    inherited,
    of_platform,
    plain_type,
    related,
    repair_shape,
    shadowed,
)
from clonetruth.execution.harness.java.text import balanced, is_file, joined, masked, plain_quotes
from clonetruth.execution.harness.java.variables import assigned_type, guess_variable

_IMPORTS = (
    "java.util.*",
    "java.util.Map.*",
    "java.util.function.*",
    "java.util.stream.*",
    "java.util.regex.*",
    "java.util.concurrent.*",
    "java.util.concurrent.atomic.*",
    "java.math.*",
    "java.io.*",
    "java.text.*",
    "java.time.*",
    "java.time.format.*",
    "java.time.temporal.*",
    "java.nio.charset.*",
    "static java.lang.Math.*",
    "static java.util.Arrays.asList",
    "static java.util.Arrays.stream",
    "static java.util.stream.Collectors.*",
    "static java.nio.charset.StandardCharsets.*",
)
_IMPORT = re.compile(r"^[ \t]*import\s+(static\s+)?([\w.]+(?:\s*\.\s*\*)?)\s*;", re.MULTILINE)
_PACKAGE = re.compile(r"^\s*package\s+[\w.]+\s*;", re.MULTILINE)
_NAMES = {"bool": "boolean", "string": "String", "integer": "Integer", "Bool": "Boolean", "Int": "int", "var": "Object"}
_HELPERS = {
    "swap": "static void swap(int[] a, int i, int j) { int t = a[i]; a[i] = a[j]; a[j] = t; }\n"
    "static void swap(char[] a, int i, int j) { char t = a[i]; a[i] = a[j]; a[j] = t; }\n"
    "static <E> void swap(E[] a, int i, int j) { E t = a[i]; a[i] = a[j]; a[j] = t; }\n"
    "static <E> void swap(List<E> a, int i, int j) { Collections.swap(a, i, j); }\n",
    "print": "static void print(Object one) { System.out.print(one); }\n",
    "println": "static void println(Object one) { System.out.println(one); }\n",
}
"""Helpers that mean the same wherever they are missing."""

_SYMBOL = re.compile(r"symbol:\s+(class|variable|method|constructor|static)\s+([\w$]+)(?:\((.*)\))?")
_LOCATION = re.compile(r"location:\s+(?:variable \S+ of type ([\w.$]+)|class ([\w.$]+)|interface ([\w.$]+))")
_MAX_CLASSES = 14
_MAX_METHODS = 12
_MAX_VARIABLES = 10


@dataclass
class JavaSource:
    """A text to compile.

    Attributes:
        body: the fragment without its imports.
        imports: what it imports, as written.
        is_file: whether it has its classes; otherwise they are its members.
        classes: classes that it misses.
        fields: variables that it misses, with their types: further inputs.
        helpers: well-known methods that it misses.
        methods: other methods that it misses, about which nothing is assumed.
        assigned: variables that it misses and gives a value itself.
        singles: variables that it misses, with the class that was made for each.
        constants: declarations of constants that it misses, by name.
        repairs: what was changed.
    """

    body: str
    imports: tuple[str, ...] = ()
    is_file: bool = False
    classes: dict[str, InferredClass] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)
    helpers: set[str] = field(default_factory=set)
    methods: dict[str, MissingMethod] = field(default_factory=dict)
    assigned: dict[str, str] = field(default_factory=dict)
    singles: dict[str, str] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    repairs: list[str] = field(default_factory=list)

    def text(self) -> str:
        """The whole text."""
        lines = [f"import {one};" for one in (*self.imports, *_IMPORTS)]
        classes = [one.text("" if self.is_file else "static ", self.classes) for one in self.classes.values()]
        # A field of a static method must be static, too; the counters see to a fresh class for each call.
        fields = [f"static {written} {name};" for name, written in self.fields.items()]
        fields += [f"static {written} {name};" for name, written in self.assigned.items()]
        fields += [f"static {written} {name} = new {written}();" for name, written in self.singles.items()]
        fields += [f"static final {one};" for one in self.constants.values()]
        if self.assumptions:
            fields.append(f"static int {ENVIRONMENT};")
        helpers = [
            *(_HELPERS[one] for one in sorted(self.helpers)),
            *(one.text("", self.classes) for one in self.methods.values()),
        ]
        if self.is_file:
            return "\n".join([*lines, self.body, *classes])
        return "\n".join([*lines, "public class Main {", *fields, self.body, *helpers, *classes, "}"])

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Methods about which nothing is assumed, in alphabetical order."""
        inner = [
            f"{kind.name}.{one.name}: {one.returns}" for kind in self.classes.values() for one in kind.methods.values()
        ]
        return tuple(sorted([*(f"{one.name}: {one.returns}" for one in self.methods.values()), *inner]))

    # -- repairs --------------------------------------------------------------------------------------------------

    def repaired(self, errors: Sequence[Mapping[str, Any]]) -> bool:
        """Change what the errors ask for; whether anything was changed."""
        changed = False
        for error in errors:
            changed = self._repair(str(error["code"]), str(error["message"]), str(error["source"])) or changed
        return changed

    def _repair(self, code: str, message: str, source: str) -> bool:
        if code.startswith("compiler.err.cant.resolve"):
            return self._missing(message, source)
        if code.startswith("compiler.err.cant.apply.symbol"):
            return self._constructor(message) or self._overload(message) or repair_shape(self, code, message, source)
        if code == "compiler.err.doesnt.exist":
            return self._without_import(message) or self._unqualified(message)
        if code == "compiler.err.cant.apply.diamond.1" or "does not take parameters" in message:
            return self._generic(message, source)
        if code == "compiler.err.method.does.not.override.superclass":
            return self.replace(r"@Override\b", "", "removed @Override")
        if code == "compiler.err.non-static.cant.be.ref":
            return self._constant(source) or (not self.is_file and self._static(message))
        if code == "compiler.err.unreported.exception.need.to.catch.or.throw":
            return self.replace(
                r"(\)\s*)(?=\{)(?<!\belse )", lambda one: self._throwing(one), "methods throw checked exceptions"
            )
        if code == "compiler.err.prob.found.req":
            return self._other_type(message, source)
        if code == "compiler.err.except.never.thrown.in.try":
            return self._expected(message)
        if code == "compiler.err.already.defined" and "method " in message:
            return self._without_repeat(message)
        return repair_shape(self, code, message, source)

    def replace(self, pattern: str, by: Any, repair: str) -> bool:
        """Replace a pattern in the fragment; whether it was there."""
        before = self.body
        self.body = re.sub(pattern, by, before)
        if self.body == before:
            return False
        self.repairs.append(repair)
        return True

    def _throwing(self, found: re.Match[str]) -> str:
        """Add `throws Exception` where a parameter list ends and a body starts."""
        plain = masked(self.body)
        depth, at = 0, found.start()
        while at >= 0:
            depth += (plain[at] == ")") - (plain[at] == "(")
            if depth == 0:
                break
            at -= 1
        head = plain[max(0, at - 80) : max(0, at)]
        is_method = re.search(r"[\w>\]]\s+(\w+)\s*$", head) is not None and not re.search(
            r"\b(?:new|return|else|throw)\s+\w+\s*$|\b(?:if|for|while|switch|catch|synchronized|try)\s*$", head
        )
        return found[1] + ("throws Exception " if is_method else "")

    def _missing(self, message: str, source: str) -> bool:
        found = _SYMBOL.search(message)
        if found is None:
            return False
        kind, name, arguments = found[1], found[2], found[3]
        place = _LOCATION.search(message)
        owner = next(filter(None, place.groups()), "").rpartition(".")[2] if place else ""
        if kind == "class" and owner in self.classes and re.search(rf"\b{owner}\s*\.\s*{name}\b", self.body):
            return self.replace(rf"\b{owner}\s*\.\s*(?={name}\b)", "", f"{name} is not inside {owner}")
        if kind == "class":
            if name in _NAMES:
                return self.replace(rf"\b{name}\b", _NAMES[name], f"{_NAMES[name]} for {name}")
            if re.search(rf"@{name}\b", self.body):
                return self.replace(rf"@{name}\b(?:\s*\([^()]*\))?", "", f"removed @{name}")
            return self._add_class(name)
        if owner in self.classes:
            if kind == "variable":
                return self.classes[owner].add_field(name, self.body)
            return kind == "method" and self.classes[owner].add_method(name, arguments or "", self.body)
        if kind == "method" and name in _HELPERS and not self.is_file and name not in self.helpers:
            self.helpers.add(name)
            self.repairs.append(f"method {name}")
            return True
        is_own = owner in ("", "Main") and not self.is_file
        if kind == "variable" and is_own and name not in self.fields:
            return self._add_field(name)
        if kind == "method" and is_own and name not in self.methods and len(self.methods) < _MAX_METHODS:
            self.methods[name] = MissingMethod(name, result_type(name, self.body))
            self.repairs.append(f"any method {name}")
            return True
        return inherited(self, source) or ("." in source and dereferenced(self, source))

    def _add_class(self, name: str) -> bool:
        if name in self.classes or len(self.classes) >= _MAX_CLASSES:
            return False
        variable = re.search(rf"\b{name}\b\s*(?:<[^>]*>)?\s*(?:\[\s*\])?\s+(\w+)", self.body)
        if len(name) == 1 and variable is not None:
            # A type variable whose declaration was in the class around.
            return self.replace(rf"\b{name}\b", "Integer", f"Integer for {name}")
        self.classes[name] = InferredClass.of(name, self.body)
        self.repairs.append(f"class {name}")
        return True

    def _add_field(self, name: str) -> bool:
        written = guess_variable(name, self.body, self.classes)
        if len(self.fields) + len(self.singles) >= _MAX_VARIABLES or name in (*self.singles, *self.assigned):
            return False
        own = assigned_type(name, self.body)
        if own is not None:
            self.assigned[name] = own.replace("<>", "")
            self.repairs.append(f"variable {name}")
            return True
        if written is None and re.search(rf"\b{name}\s*\.\s*\w", self.body):
            return self._add_single(name)
        written = written or "int"
        self.fields[name] = written
        self.repairs.append(f"field {name}: {written}")
        return True

    def _add_single(self, name: str) -> bool:
        """An object of a separate class for a variable of which only its members are known."""
        if len(self.classes) >= _MAX_CLASSES:
            return False
        made = name if name[:1].isupper() and not name.isupper() else f"{name}_"
        if made in self.classes:
            return False
        self.classes[made] = InferredClass(made)
        if made != name:
            self.singles[name] = made
        self.repairs.append(f"any object {name}")
        return True

    def _constructor(self, message: str) -> bool:
        found = re.search(r"constructor (\w+) in \w+ \S+ cannot be applied.*?found:\s*([^\n]*)", message, re.DOTALL)
        several = re.search(r"no suitable constructor found for (\w+)\(([^\n]*)\)", message)
        if found is None and several is None:
            return False
        name, given = (found or several or [None, "", ""])[1], (found or several or [None, "", ""])[2]
        known = self.classes.get(str(name))
        return known is not None and known.add_constructor(str(given).removeprefix("found:").strip())

    def _overload(self, message: str) -> bool:
        """A method of the same name with other parameters, which the fragment misses."""
        found = re.search(r"method (\w+) in class Main cannot be applied", message)
        if found is None or self.is_file or found[1] in self.methods or len(self.methods) >= _MAX_METHODS:
            return False
        self.methods[found[1]] = MissingMethod(found[1], result_type(found[1], self.body))
        self.repairs.append(f"any further method {found[1]}")
        return True

    def _without_import(self, message: str) -> bool:
        found = re.search(r"package ([\w.]+) does not exist", message)
        if found and found[1][:1].isupper() and "." not in found[1]:
            return self._add_class(found[1])
        kept = tuple(
            one for one in self.imports if found is None or not one.removeprefix("static ").startswith(found[1])
        )
        if len(kept) == len(self.imports):
            return False
        self.imports = kept
        self.repairs.append("left out an import")
        return True

    def _unqualified(self, message: str) -> bool:
        """Classes of a package that is not there, by their names alone."""
        found = re.search(r"package ([\w.]+) does not exist", message)
        if found is None or "." not in found[1]:
            return False
        return self.replace(rf"\b{re.escape(found[1])}\s*\.\s*(?=[A-Z])", "", f"left out {found[1]}")

    def _generic(self, message: str, source: str) -> bool:
        for name, known in self.classes.items():
            if not known.is_generic and re.search(rf"\b{name}\b", message + source):
                known.is_generic = True
                return True
        return False

    def _constant(self, source: str) -> bool:
        """A field of a missing class that is used without an object."""
        owner, _, name = source.partition(".")
        known = self.classes.get(owner.strip())
        called = name.strip().partition("(")[0].strip()
        if known is not None and called in known.accessors:
            inner, _ = known.accessors.pop(called)
            known.methods[called] = MissingMethod(called, known.fields[inner])
            return True
        if known is None or name.strip() not in known.fields or name.strip() in known.constants:
            return False
        known.constants.add(name.strip())
        return True

    def _static(self, message: str) -> bool:
        name = re.search(r"non-static (?:variable|method) (\w+)", message)
        if name is None:
            return False
        if name[1] == "this":
            return self.replace(
                r"(?<!static )(?<!static final )\b((?:final |abstract )?class\s+\w+)",
                r"static \1",
                "classes are static",
            )
        before = self.body
        head = rf"(?=[\w<>\[\], .]+[ \]>]\s*{name[1]}\s*\()"
        pattern = rf"(?m)^([ \t]*(?:public |private |protected |final |synchronized )*){head}"
        self.body = re.sub(pattern, r"\1static ", self.body, count=1)
        if self.body == before or "static static" in self.body:
            self.body = before
            return False
        self.repairs.append(f"method {name[1]} is static")
        return True

    def missing_methods(self) -> list[MissingMethod]:
        """Methods that were made, also those of missing classes."""
        inner = [one for known in self.classes.values() for one in known.methods.values()]
        return [*self.methods.values(), *inner]

    def _expected(self, message: str) -> bool:
        """What is missing throws the exceptions that the fragment catches."""
        found = re.search(r"exception ([\w.]+) is never thrown", message)
        changed = False
        for one in self.missing_methods() if found else []:
            if found and found[1] not in one.throws:
                one.throws = (*one.throws, found[1])
                changed = True
        return changed

    def _without_repeat(self, message: str) -> bool:
        """Without the last of several methods that have the same signature: a second answer."""
        name = re.search(r"method (\w+)\(", message)
        plain = masked(self.body)
        heads = list(re.finditer(rf"\b{name[1]}\s*\([^)]*\)\s*(?:throws[\w\s.,]+)?\{{", plain)) if name else []
        if len(heads) < 2:
            return False
        depth, end = 1, heads[-1].end()
        while end < len(plain) and depth:
            depth += (plain[end] == "{") - (plain[end] == "}")
            end += 1
        start = max(plain.rfind("}", 0, heads[-1].start()), plain.rfind(";", 0, heads[-1].start())) + 1
        self.body = self.body[:start] + self.body[end:]
        self.repairs.append(f"left out a second {name[1] if name else ''}")
        return True

    def _other_type(self, message: str, source: str) -> bool:
        """Something that was guessed has another type than the compiler can use."""
        lossy = re.search(r"possible lossy conversion from (\w+) to (\w+)", message)
        found = lossy or re.search(r"(\S+) cannot be converted to (\S+)", message)
        if found is None:
            return False
        if of_platform(self, *found.groups()):
            return True
        given, wanted = map(plain_type, found.groups())
        return self.retype(given, wanted, source) or related(self, given, wanted, source) or shadowed(self, source)

    def retype(self, given: str, wanted: str, source: str) -> bool:
        """Give what was guessed in an expression another type."""
        for known in self.classes.values():
            if known.retype(given, wanted, source, self.body):
                return True
        for method in self.missing_methods():
            is_used = re.search(rf"\b{method.name}\s*\(", source) is not None
            if is_used and method.returns == given != wanted and not method.is_corrected:
                method.returns, method.is_corrected = wanted, True
                return True
        made = [one for one in self.classes.values() if one.widen(given, wanted, source.strip(), self.body)]
        return bool(made) or self._other_variable(given, wanted, source.strip())

    def _other_variable(self, given: str, wanted: str, source: str) -> bool:
        """Give a missing variable another type, once."""
        name = re.match(r"(?:this\s*\.\s*)?(\w+)", source)
        assigned = [
            one
            for one, kind in self.fields.items()
            if kind == wanted and re.search(rf"\b{one}\s*[-+*/]?=\s*{re.escape(source)}", self.body)
        ]
        if assigned and f"retyped {assigned[0]}" not in self.repairs:
            self.fields[assigned[0]] = given
            self.repairs.append(f"retyped {assigned[0]}")
            return True
        if name is None or self.repairs.count(f"retyped {name[1]}") > 1:
            return False
        variable = name[1]
        if variable in self.singles and re.fullmatch(r"[\w<>\[\],]+", wanted):
            self.classes.pop(self.singles.pop(variable), None)
            self.fields[variable] = wanted
        elif variable in self.fields and self.fields[variable] == given:
            self.fields[variable] = wanted
        elif variable in self.fields and self.fields[variable] == f"{given}[]":
            self.fields[variable] = f"{wanted}[]"
        else:
            # An argument or an element of a container whose contents were guessed.
            holders = [
                one for one, kind in self.fields.items() if "<" in kind and self.repairs.count(f"retyped {one}") < 2
            ]
            for one in holders:
                if wanted == "int" and re.search(rf"\b{one}\s*\.\s*get\s*\(\s*{re.escape(source)}", self.body):
                    self.fields[one] = f"Map<{given}, Integer>"
                    self.repairs.append(f"retyped {one}")
                    return True
                passed = re.search(rf"\b{one}\s*\.\s*\w+\s*\([^;]*{re.escape(source)}", self.body)
                if (passed and wanted == "Integer") or (variable == one and given == "Integer"):
                    other = given if wanted == "Integer" else wanted
                    self.fields[one] = self.fields[one].replace("Integer", other, 1)
                    self.repairs.append(f"retyped {one}")
                    return True
            return False
        self.repairs.append(f"retyped {variable}")
        return True


def candidates(text: str) -> Iterator[JavaSource]:
    """Readings of a fragment, the likeliest first; the compiler takes the first one that parses."""
    text = text.replace("\r", "").replace("\ufeff", "").replace("\u00a0", " ")
    imports = tuple((one[1] or "") + "".join(one[2].split()) for one in _IMPORT.finditer(text))
    body = _PACKAGE.sub("", _IMPORT.sub("", text))
    if not re.search(r"\bnew\s+Thread\b|\bextends\s+Thread\b|\bExecutor|\bRunnable\b|\bCompletableFuture\b", body):
        # Nobody else runs meanwhile, so nothing changes while the fragment waits.
        body = re.sub(r"\bThread\s*\.\s*sleep\s*\(", "clonetruth_points.Missing.sleep(", body)
    has_classes = is_file(body)
    for repair, change in (
        ("", str),
        ("joined operators", joined),
        ("balanced braces", balanced),
        ("plain quotes", plain_quotes),
    ):
        changed = change(body)
        if not repair or changed != body:
            for shape in (has_classes, not has_classes):
                made = changed if shape else re.sub(r"@Override\b", "", changed)
                yield JavaSource(made, imports, shape, repairs=[repair] if repair else [])
