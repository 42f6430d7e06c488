"""Variables of Java that a fragment uses and does not declare: their types, from their names and their use."""

from __future__ import annotations

import re
from collections.abc import Iterable

from clonetruth.execution.harness.java.classes import BOXED, LINKS


def guess_variable(name: str, body: str, classes: Iterable[str] = ()) -> str | None:
    """The type of a variable that is declared outside of the fragment; None if its use does not say."""
    use = rf"(?<![\w.])(?:this\s*\.\s*)?{name}\s*"
    looped = re.search(rf"for\s*\(\s*(?:final\s+)?([\w<>\[\]]+)\s+\w+\s*:\s*(?:this\s*\.\s*)?{name}\s*\)", body)
    if looped:
        return f"List<{BOXED.get(looped[1], looped[1])}>"
    if re.search(use + r"\[[^\]]*\]\s*\[", body):
        return "int[][]"
    if re.search(use + r"(?:\[|\.\s*length\b(?!\s*\())", body):
        return "int[]"
    found = set(re.findall(use + r"\.\s*(\w+)\s*\(", body))
    if found & {"containsKey", "put", "getOrDefault", "entrySet", "keySet", "putIfAbsent", "containsValue"}:
        return f"Map<{_map_types(name, body)}>"
    if found & {"charAt", "length", "substring", "equalsIgnoreCase", "toCharArray", "split", "trim", "toLowerCase"}:
        return "String"
    if found & {"indexOf", "contains", "lastIndexOf"} and _is_letter(name, body, "indexOf|lastIndexOf"):
        return "String"
    if found & {"append", "insert", "reverse", "deleteCharAt", "setLength"}:
        return "StringBuilder"
    if found & {"nextInt", "nextDouble", "nextBoolean"} and not found & {"next", "nextLine", "hasNext", "hasNextInt"}:
        return "Random" if re.search(use + r"\.\s*nextInt\s*\(\s*[^)\s]|" + use + r"\.\s*nextDouble", body) else None
    if found & {"push", "pop", "peek"}:
        return "Stack<Integer>"
    if found & {"poll", "offer"}:
        return "Deque<Integer>"
    if found and found <= {"get", "size", "isEmpty"} and _is_letter(name, body):
        return "Map<Character, Integer>"
    if found and found <= {"add", "get", "size", "isEmpty", "remove", "clear", "set", "contains", "addAll", "indexOf"}:
        return "List<Integer>" if found & {"get", "set", "indexOf"} else None
    if found or (name[:1].isupper() and not name.isupper()):
        return None
    for one in classes:
        if name in LINKS or re.search(use + rf"=\s*new\s+{one}\b", body):
            return one
    if found or (name[:1].isupper() and not name.isupper()):
        return None
    if name.isupper() and re.search(rf"[\"']\s*\+\s*{name}|{name}\s*\+\s*[\"']|equals\s*\(\s*{name}", body):
        return "String"
    number = re.search(use + r"(?:[-+*/%]|[<>]=?|==\s*-?\d|\+\+|--|[-+*/]=|=\s*-?\d)", body)
    other = re.search(rf"(?:[-+*/%]|[<>]=?|=)\s*(?:this\s*\.\s*)?{name}\b\s*[;)\]+\-*/]", body)
    if re.search(rf"!\s*(?:this\s*\.\s*)?{name}\b|if\s*\(\s*{name}\s*\)|{name}\s*=\s*(?:true|false)\b", body):
        return "boolean"
    if (number or other) and _meets_fraction(name, body):
        return "double"
    return "int" if number or other else "String" if name.isupper() else None


def _meets_fraction(name: str, body: str) -> bool:
    """Whether a variable is compared or combined with a number that has a fraction, and not used as an index."""
    one = r"((?:Math\s*\.\s*\w+\s*)?\([^()]*\)|[\w.]+)"
    sign = r"\s*(?:[-+*/]|[<>]=?|[!=]=)\s*"
    own = rf"(?<![\w.])(?:this\s*\.\s*)?{name}\b"
    met = [*re.findall(rf"{one}{sign}{own}", body), *re.findall(rf"{own}{sign}{one}", body)]
    words = {word for text in met for word in re.findall(r"[\w.]+", text)}
    fractions = any(re.fullmatch(r"\d+\.\d*|\d*\.\d+", word) for word in words)
    declared = any(re.search(rf"\b(?:double|float)\s+{re.escape(word)}\b", body) for word in words)
    return (fractions or declared) and not re.search(rf"\[\s*{name}\b", body)


def _is_letter(name: str, body: str, method: str = "get") -> bool:
    """Whether what a variable is asked for by a method is a character."""
    if re.search(rf"\b{name}\s*\.\s*(?:{method})\s*\(\s*'", body):
        return True
    asked = re.search(rf"\b{name}\s*\.\s*(?:{method})\s*\(\s*(\w+)\s*(\[|\.\s*charAt\b|\))", body)
    if asked is None or asked[2].startswith("."):
        return asked is not None
    array = r"\[\s*\]\s*" if asked[2] == "[" else ""
    return re.search(rf"\bchar\s*{array}\b{asked[1]}\b", body) is not None


def assigned_type(name: str, body: str) -> str | None:
    """The class of a variable that the fragment itself gives a new object; None if it does not."""
    found = re.search(rf"(?<![\w.])(?:this\s*\.\s*)?{name}\s*=\s*new\s+([\w.]+(?:\s*<[^;=()]*>)?)\s*\(", body)
    return found[1] if found else None


def _map_types(name: str, body: str) -> str:
    key = re.search(rf"{name}\s*\.\s*\w+\s*\(\s*(\w+)", body)
    types = re.search(rf"\b(char|String|int|long|Character|Integer)\s+{key[1]}\b", body) if key else None
    boxed = BOXED.get(types[1], types[1]) if types else "Integer"
    values = {"Character": "Character, Character", "String": "String, Integer"}
    return values.get(boxed, f"{boxed}, Integer")
