"""Methods that a fragment of Java calls and does not bring, as functions about which nothing is assumed.

Whatever such a method does, it does the same for both sides of a pair: its result depends on its name, its arguments
and one number that is a further input. One that returns nothing is seen as output, so that its calls are compared. Two
sides are only compared like this if they miss the same names; see `EntryParameter.implicit`.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

ENVIRONMENT = "environment_"
"""The variable that decides what missing methods do."""

_MAKERS = {
    "int": "whole",
    "long": "whole",
    "short": "(short) whole",
    "byte": "(byte) whole",
    "Integer": "whole",
    "Long": "(long) whole",
    "Object": "whole",
    "double": "real",
    "float": "(float) real",
    "Double": "real",
    "Float": "(float) real",
    "boolean": "truth",
    "Boolean": "truth",
    "String": "text",
    "CharSequence": "text",
    "char": "letter",
    "Character": "letter",
    "int[]": "wholes",
    "List<Integer>": "list",
    "List<String>": "texts",
    "Collection<Integer>": "list",
    "Collection<String>": "texts",
    "Iterable<Integer>": "list",
    "ArrayList<Integer>": "(ArrayList<Integer>) list",
    "ArrayList<String>": "(ArrayList<String>) texts",
}
_BOXES = {"int": "Integer", "char": "Character", "double": "Double", "long": "Long", "boolean": "Boolean"}
_KEYS = {
    "Character": "{{{}}}".format(", ".join(f"'{one}'" for one in "abcxyzAZ019 ")),
    "String": '{"", "a", "abc", "12", "x y"}',
    "Integer": "{-1, 0, 1, 2, 3, 10}",
}
_VALUES = {
    "Integer": "23 + {}",
    "Long": "23L + {}",
    "Double": "{} / 4.0",
    "Boolean": "{} % 2 == 0",
    "String": "String.valueOf({})",
    "Character": "(char) (100 + {})",
}
"""What is in a map that a missing method returns. Products of a few of its numbers do not fit 32 bits."""
_CHAINED = {
    **dict.fromkeys(
        ("equals", "length", "trim", "charAt", "substring", "split", "toLowerCase", "equalsIgnoreCase"), "String"
    ),
    **dict.fromkeys(("size", "get", "add", "iterator", "stream", "contains", "isEmpty"), "List<Integer>"),
}
"""The type of what these methods are called on."""
_NOT_TYPES = ("return", "else", "new", "throw", "case", "final")


@dataclass
class MissingMethod:
    """A method about which nothing is assumed.

    Attributes:
        name: its name.
        returns: the type of its result, `void` for none.
        throws: checked exceptions that the fragment expects of it.
        is_corrected: whether the compiler has corrected the type of its result.
    """

    name: str
    returns: str
    throws: tuple[str, ...] = ()
    is_corrected: bool = False

    def text(self, owner: str = "", classes: Collection[str] = (), *, of_object: bool = False) -> str:
        """Its declaration.

        Args:
            owner: what stands before its name.
            classes: classes of which objects can be made.
            of_object: whether it depends on what its object was made of.
        """
        given = "clonetruth_points.Missing.of(this, given)" if of_object else "given"
        name = f'"{owner}{self.name}", {given}'
        throws = f"throws {', '.join(self.throws)} " if self.throws else ""
        head = f"{'public' if of_object else 'static'} {self.returns} {self.name}(Object... given) {throws}{{"
        if self.returns == "void":
            return f"{head} clonetruth_points.Missing.effect({name}); }}"
        maker = _MAKERS.get(self.returns)
        if maker is not None:
            cast, _, function = maker.rpartition(" ")
            call = f"clonetruth_points.Missing.{function}({'Main.' if owner else ''}{ENVIRONMENT}, {name})"
            return f"{head} return {cast} {call}; }}"
        if re.match(r"(?:Linked|Tree)?(?:Hash)?Map\b", self.returns):
            made = f"Hash{self.returns}" if self.returns.startswith("Map") else self.returns
            inner = re.search(r"Map<(\w+),(\w+)>$", self.returns)
            if inner and inner[1] in _KEYS and inner[2] in _VALUES:
                variable = f"{'Main.' if owner else ''}{ENVIRONMENT}"
                value = _VALUES[inner[2]].format(f"clonetruth_points.Missing.whole({variable}, {name}, key)")
                each = f"for ({inner[1]} key : new {inner[1]}[] {_KEYS[inner[1]]}) found.put(key, {value});"
                return f"{head} {made} found = new {made}(); {each} return found; }}"
            return f"{head} return new {made}(); }}"
        element = re.fullmatch(r"List<(\w+)>", self.returns)
        if element and element[1] in classes:
            count = f"clonetruth_points.Missing.whole({'Main.' if owner else ''}{ENVIRONMENT}, {name})"
            each = f"for (int at = {count}; at > 0; at -= 3) found.add(new {element[1]}());"
            return f"{head} {self.returns} found = new ArrayList<>(); {each} return found; }}"
        return f"{head} return {f'new {self.returns}()' if self.returns in classes else 'null'}; }}"


def result_type(name: str, body: str) -> str:
    """The type of what a missing method returns, from what is done with it."""
    call = rf"(?:[\w.]+\s*\.\s*)?\b{name}\s*\("
    declared = re.search(
        rf"([\w.]+(?:\s*<[^=;()]*>)?(?:\s*\[\s*\])*)\s+\w+\s*((?:\[\s*\]\s*)*)=\s*(?:\([^()]*\)\s*)?{call}", body
    )
    is_all = declared is not None and not body[_end(body, declared.end()) :].lstrip().startswith(".")
    if declared and is_all and declared[1] not in _NOT_TYPES:
        return _plain(declared[1] + declared[2])
    looped = re.search(rf"for\s*\(\s*(?:final\s+)?([\w<>\[\] ]+?)\s+\w+\s*:\s*{call}", body)
    if looped:
        return f"List<{_BOXES.get(_plain(looped[1]), _plain(looped[1]))}>"
    for found in re.finditer(call, body):
        before, after = body[: found.start()].rstrip(), body[_end(body, found.end()) :].lstrip()
        if (not before or before[-1] in ";{}" or before.endswith(("else", ")"))) and after.startswith(";"):
            return "void"
        if after.startswith(("<", ">", "*", "/", "%", "-", "++")) or re.match(r"[!=]=\s*-?\d", after):
            return "int"
        if before.endswith(("!", "&&", "||")) or after.startswith(("&&", "||", "?")):
            return "boolean"
        if re.search(r"\b(?:if|while)\s*\($", before) and after.startswith(")"):
            return "boolean"
        assigned = re.search(r"(\w+)\s*[-+*/]?=$", before)
        if assigned:
            known = re.search(rf"([\w.]+(?:<[^=;()]*>)?(?:\s*\[\s*\])*)\s+{assigned[1]}\s*[;,=)]", body)
            if known and known[1] not in _NOT_TYPES:
                return _plain(known[1])
        if before.endswith("return"):
            own = re.search(r"([\w.]+(?:\s*<[^=;()]*>)?(?:\s*\[\s*\])*)\s+\w+\s*\(", body)
            if own and own[1] != "void":
                return _plain(own[1])
        chained = re.match(r"\.\s*(\w+)\s*\(", after)
        if chained:
            return _CHAINED.get(chained[1], f"{name[0].upper()}{name[1:]}_")
        if before.endswith(('" +', '"+')) or after.startswith(('+ "', '+"')):
            return "String"
    return "boolean" if re.match(r"(?:is|has|can|should)[A-Z]", name) else "int"


def _plain(written: str) -> str:
    return re.sub(r"\s+", "", written)


def _end(body: str, start: int) -> int:
    """Where the parenthesis that was opened before a place is closed."""
    depth = 1
    for at in range(start, len(body)):
        depth += (body[at] == "(") - (body[at] == ")")
        if depth == 0:
            return at + 1
    return len(body)
