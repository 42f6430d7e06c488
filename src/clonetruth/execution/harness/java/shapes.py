"""Repairs of what was guessed wrong about missing classes, methods and variables of Java: their types and relations.

Each function looks at one error of the compiler and changes the guesses of a `JavaSource`. All return whether anything
was changed.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

from clonetruth.execution.harness.java.classes import BOXED, PRIMITIVES, InferredClass
from clonetruth.execution.harness.java.missing import MissingMethod, result_type

if TYPE_CHECKING:
    from clonetruth.execution.harness.java.source import JavaSource

_OPERATOR = re.compile(r"==|!=|<=|>=|&&|\|\||[-+*/%<>]")
_GUESSES = ("String", "Object", "Boolean", *PRIMITIVES, *BOXED.values())
"""Types that are taken where the use of a name does not say more."""
_MATHEMATICS = ("log", "exp", "abs", "max", "min", "round", "floor", "ceil", "pow", "sqrt", "random", "fma", "rint")
_MAX_CLASSES = 14


def repair_shape(source: JavaSource, code: str, message: str, text: str) -> bool:
    """Change the guess that an error contradicts.

    Args:
        source: the text with its guesses.
        code: the compiler's name for the error.
        message: its message.
        text: the expression that it is about.
    """
    name = code.removeprefix("compiler.err.")
    if name == "cant.deref":
        return dereferenced(source, text)
    if name in ("const.expr.req", "string.const.req"):
        return _constant(source, text, "String" if name.startswith("string") else "int")
    if name == "foreach.not.applicable.to.type":
        return _elements(source, message, text)
    if name in ("operator.cant.be.applied", "operator.cant.be.applied.1", "incomparable.types"):
        return _operands(source, message, text)
    if name in ("cant.apply.symbol", "cant.apply.symbols"):
        return _ordered(source, message)
    if name == "wrong.number.type.args":
        return _arity(source, text)
    if name == "not.encl.class" and not source.is_file:
        outer = re.match(r"(\w+)\s*\.\s*this\b", text)
        return outer is not None and source.replace(rf"\b{outer[1]}\s*\.\s*this\b", "Main.this", f"Main for {outer[1]}")
    return False


def inherited(source: JavaSource, text: str) -> bool:
    """A method of the class above, which the fragment misses: `super.name()`."""
    found = re.match(r"super\s*\.\s*(\w+)", text)
    if found is None or source.is_file:
        return False
    name = f"super_{found[1]}"
    if not source.replace(rf"\bsuper\s*\.\s*{found[1]}\s*\(", f"{name}(", f"any inherited {found[1]}"):
        return False
    source.methods[name] = MissingMethod(name, result_type(name, source.body))
    return True


def related(source: JavaSource, given: str, wanted: str, text: str) -> bool:
    """Two missing classes: one is the other's parent, or both are the same if one is cast to the other."""
    classes = source.classes
    if given not in classes or wanted not in classes or classes[given].is_generic or classes[wanted].is_generic:
        return False
    is_cast = re.search(rf"\(\s*{wanted}\s*\)\s*{re.escape(text)}", source.body) is not None
    if not is_cast and _calls_itself_with(source, wanted, text):
        return True
    if not is_cast and classes[given].parent is None and given not in _ancestors(source, wanted):
        classes[given].parent = wanted
        return True
    del classes[wanted]
    for one in classes.values():
        one.rename(wanted, given)
    for method in source.missing_methods():
        method.returns = re.sub(rf"\b{wanted}\b", given, method.returns)
    source.fields = {name: re.sub(rf"\b{wanted}\b", given, kind) for name, kind in source.fields.items()}
    return source.replace(rf"\b{wanted}\b", given, f"{given} for {wanted}")


def _calls_itself_with(source: JavaSource, wanted: str, text: str) -> bool:
    """A call of an own method with an object of another missing class: rather a method of the same name, which the
    fragment misses, than a class below. Otherwise a copy with another name would call itself."""
    call = rf"(?<![\w.])(?:this\s*\.\s*)?(\w+)\s*\((?:[^;{{}}]*,)?\s*{re.escape(text)}\s*[,)]"
    for found in re.finditer(call, source.body):
        name = found[1]
        own = rf"[\w>\]]\s+{name}\s*\([^()]*\b{wanted}\b[^()]*\)\s*(?:throws [\w., ]+)?\{{"
        if name not in source.methods and not source.is_file and re.search(own, source.body):
            source.methods[name] = MissingMethod(name, result_type(name, source.body))
            source.repairs.append(f"any further method {name}")
            return True
    return False


def of_platform(source: JavaSource, given: str, wanted: str) -> bool:
    """A class that was taken for a missing one is one of the JDK: it is imported."""
    one, other = (re.sub(r"[<\[].*", "", kind).removeprefix("Main.") for kind in (given, wanted))
    for full, name in ((one, other), (other, one)):
        is_same = re.fullmatch(r"javax?\.[\w.]+", full) is not None and full.rpartition(".")[2] == name
        if is_same and name in source.classes:
            del source.classes[name]
            source.imports = (*source.imports, full)
            source.repairs.append(f"import {full}")
            return True
    return False


def _ancestors(source: JavaSource, name: str) -> set[str]:
    found: set[str] = set()
    at: str | None = name
    while at is not None and at not in found:
        found.add(at)
        at = source.classes[at].parent if at in source.classes else None
    return found


def dereferenced(source: JavaSource, text: str) -> bool:
    """Something of which members are used is not a number and gets its own class."""
    target = re.sub(r"\s*\.\s*\w+\s*(?:\(.*)?$", "", text.strip(), flags=re.DOTALL)
    name = re.search(r"(\w+)\s*(\([^()]*\))?$", target)
    held = re.search(r"(\w+)\s*\.\s*(?:get|remove|pop|peek|poll|getOrDefault)\s*\([^()]*\)$", target)
    if held and source.fields.get(held[1], "").endswith("Integer>") and len(source.classes) < _MAX_CLASSES:
        made = f"{held[1][0].upper()}{held[1][1:]}_"
        source.fields[held[1]] = f"{source.fields[held[1]].removesuffix('Integer>')}{made}>"
        source.classes.setdefault(made, InferredClass(made))
        return True
    if name is None:
        return False
    made = f"{name[1][0].upper()}{name[1][1:]}_"
    if made not in source.classes and len(source.classes) >= _MAX_CLASSES:
        return False
    if not _give_type(source, name[1], name[2] is not None, made):
        return False
    source.classes.setdefault(made, InferredClass(made))
    source.repairs.append(f"any object {name[1]}")
    return True


def _give_type(source: JavaSource, name: str, is_call: bool, written: str) -> bool:
    """Give a missing method, field or variable another type than was guessed without knowing."""
    for method in source.missing_methods() if is_call else []:
        if method.name == name and method.returns in _GUESSES:
            method.returns = written
            return True
    for known in source.classes.values():
        inner = known.accessors[name][0] if is_call and name in known.accessors else "" if is_call else name
        if known.fields.get(inner) in _GUESSES:
            known.fields[inner] = written
            return True
    if not is_call and source.fields.get(name) in _GUESSES:
        del source.fields[name]
        source.singles[name] = written
        return True
    return False


def _ordered(source: JavaSource, message: str) -> bool:
    """Objects of a missing class are sorted, so they have an order."""
    found = re.search(r"(?:sort|max|min|binarySearch)[^\n]*?<(?:Main\.)?(\w+)>", message)
    known = source.classes.get(found[1]) if found else None
    if known is None or not known.order():
        return False
    source.repairs.append(f"{known.name} is ordered by its fields")
    return True


def _arity(source: JavaSource, text: str) -> bool:
    """A missing class takes as many type arguments as are given."""
    found = re.match(r"(\w+)\s*<(.*)>", text.strip(), re.DOTALL)
    known = source.classes.get(found[1]) if found else None
    given = len(re.sub(r"<[^<>]*>", "", found[2]).split(",")) if found else 0
    if known is None or known.arity == given or given > 3:
        return False
    known.arity, known.is_generic = given, True
    return True


def _constant(source: JavaSource, text: str, written: str) -> bool:
    """A label of a switch is a constant."""
    owner, _, name = (one.strip() for one in text.rpartition("."))
    known = source.classes.get(owner)
    if known is not None and known.fields.get(name) in ("int", "String"):
        is_new = name not in known.constants or known.fields[name] != written
        known.constants.add(name)
        known.fields[name] = written
        return is_new
    if not owner and name in source.fields:
        del source.fields[name]
        value = f'"{name}"' if written == "String" else str(zlib.crc32(name.encode()) % 10_000)
        source.constants[name] = f"{written} {name} = {value}"
        source.repairs.append(f"constant {name}")
        return True
    return False


def _elements(source: JavaSource, message: str, text: str) -> bool:
    """What a loop runs over has elements."""
    loop = re.search(rf"for\s*\(\s*(?:final\s+)?([^:;()]+?)\s+\w+\s*:\s*{re.escape(text.strip())}\s*\)", source.body)
    found = re.search(r"found:\s+(?:Main\.)?([\w.]+)", message)
    if loop is None or found is None:
        return False
    element = BOXED.get(loop[1].strip(), re.sub(r"\s+", "", loop[1]))
    known = source.classes.get(found[1])
    if known is not None and known.elements is None and not known.is_generic:
        known.elements = element
        return True
    name = re.search(r"(\w+)\s*(\([^()]*\))?$", text.strip())
    written = f"List<{element}>"
    if name is not None and name[2] is None and name[1] in source.fields:
        is_new = f"retyped {name[1]}" not in source.repairs
        source.fields[name[1]] = written
        source.repairs.append(f"retyped {name[1]}")
        return is_new
    return name is not None and _give_type(source, name[1], name[2] is not None, written)


def _operands(source: JavaSource, message: str, text: str) -> bool:
    """An operator says which types its operands have."""
    unary = re.search(r"bad operand type (\S+) for unary operator '(.+?)'", message)
    if unary:
        inner = text.strip().strip("!-+~ ")
        return source.retype(plain_type(unary[1]), "boolean" if unary[2] == "!" else "int", inner)
    types = re.search(r"first type:\s+(\S+)\s+second type:\s+(\S+)", message)
    types = types or re.search(r"incomparable types: (\S+) and (\S+)", message)
    parts = _operator_at(text)
    if types is None or parts is None:
        return False
    left, operator, right = parts
    first, second = plain_type(types[1]), plain_type(types[2])
    if operator in ("&&", "||"):
        wanted_left = wanted_right = "boolean"
    elif operator in ("==", "!="):
        wanted_left, wanted_right = second, first
    else:
        numbers = [one for one in (first, second) if one in PRIMITIVES and one != "boolean"]
        wanted_left = wanted_right = numbers[0] if numbers else "int"
    return (first != wanted_left and source.retype(first, wanted_left, left)) or (
        second != wanted_right and source.retype(second, wanted_right, right)
    )


def _operator_at(text: str) -> tuple[str, str, str] | None:
    """Both operands of the outermost operator."""
    depth = 0
    for found in re.finditer(r"[()\[\]]|==|!=|<=|>=|&&|\|\||[-+*/%<>]", text):
        if found[0] in "([":
            depth += 1
        elif found[0] in ")]":
            depth -= 1
        elif depth == 0 and found.start():
            return text[: found.start()].strip(), found[0], text[found.end() :].strip()
    return None


def plain_type(written: str) -> str:
    """A type as the fragment would write it; `Object` for that of null."""
    plain = re.sub(r"\bMain\.|\bjava\.lang\.|\bjava\.util\.", "", written)
    return "Object" if "nulltype" in plain or plain == "<null>" else plain


def shadowed(source: JavaSource, text: str) -> bool:
    """A method of the fragment's class that has the name of a function of mathematics."""
    for name in _MATHEMATICS:
        used = re.search(rf"(?<![\w.])(?<!\.\s){name}\s*\(\s*{re.escape(text.strip())}", source.body)
        if used and name not in source.methods and not source.is_file:
            source.methods[name] = MissingMethod(name, result_type(name, source.body))
            source.repairs.append(f"any method {name}")
            return True
    return False
