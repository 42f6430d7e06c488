"""What programs of C, C++, Java and C# read from standard input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from clonetruth.execution.inputs.stdin_items import (
    UNTIL_END,
    LineEnd,
    ReadItem,
    ReadKind,
    ReadToken,
    Repetition,
    simple_count,
)

_LITERALS = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.DOTALL)
_FUNCTION = re.compile(r"\b(\w+)\s*\(([^(){};]*)\)\s*(?:throws\s+[\w.,\s]+)?(?:const\s*)?\{")
_KEYWORDS = {"if", "for", "while", "switch", "catch", "synchronized", "return", "else", "do", "try"}
_EVENT = re.compile(
    r"\b(?P<loop>for|while)\s*\("
    r"|\bscanf(?:_s)?\s*\(\s*\"(?P<format>[^\"]*)\"(?P<targets>[^;]*?)\)(?=\s*[;,)!=<>&|])"
    r"|\b(?:std::)?(?:cin|fin)\b(?P<cin>(?:\s*>>\s*[^;>,?)]+(?:\([^)]*\))?)+)"
    r"|(?P<parsed>(?:Integer|Long|int|long)\s*\.\s*[pP]arse(?:Int|Long)?\s*\(\s*)?"
    r"(?P<line>[\w.]*\b(?:readLine|nextLine|ReadLine)\s*\(\s*\))(?P<split>\s*(?:\.\s*trim\s*\(\s*\))?\s*\.\s*[sS]plit\s*\()?"
    r"|(?P<getline>\bgetline\s*\(\s*(?:std::)?cin\s*,\s*(?P<gotten>\w+)|\b(?:gets|fgets)\s*\(\s*(?P<got>\w+))"
    r"|(?P<token>[\w.]*\b(?:nextInt|nextLong|nextDouble|nextToken|next|ni|nl|nd|ns|readInt|readLong|NextInt|NextLong|Next"
    r"|in|getInt|read|getLong|NextDouble|nextBigInteger|ReadInt|ReadLong|Integer|Long|Scan|scan)\s*\(\s*\))"
    r"|\b(?P<call>\w+)\s*\("
)
_TARGET = re.compile(r"(\w+)\s*(?:\[[^\]=]*\]\s*)*(?:=|\+=)\s*[^=;]*$")
_ADDED = re.compile(r"(\w+)\s*\.\s*(?:add|Add|push_back|push|put|append)\s*\([^;]*$")
_FORMAT = re.compile(r"%\*?\d*(?:\[[^\]]*\]|l*[dufiegscL]+)")
_BOUND = re.compile(r"[^;]*;\s*\(?\s*\w+\s*(<=|<|!=)\s*([^;&|]+?)\s*\)?\s*(?:&&[^;]*)?;")
_DOWN = re.compile(r"^[^;]*?\b(\w+)\s*(?:--)?\s*(?:>|!=)\s*0[^;]*;|=\s*(\w+)\s*(?:-\s*1\s*)?;\s*\w+\s*>")
_COUNTED = re.compile(r"^\s*(?:0\s*<\s*)?(\w+)\s*--|^\s*--\s*(\w+)|(\w+)\s*--\s*(?:>|!=)\s*0")
_DEPTH = 5


def _masked(text: str) -> str:
    """A text without comments, and without braces and quotes in literals."""
    return _LITERALS.sub(lambda found: " " if found[0][0] == "/" else re.sub(r"[{}();>]", "_", found[0]), text)


@dataclass
class _Braces:
    text: str

    def __post_init__(self) -> None:
        self.functions: dict[str, tuple[int, int]] = {}
        for found in _FUNCTION.finditer(self.text):
            if found[1] not in _KEYWORDS:
                self.functions.setdefault(found[1], (found.end(), self.closing(found.end() - 1)))
        self.active: list[str] = []

    def closing(self, at: int) -> int:
        """Where the bracket at a position is closed."""
        opening = self.text[at]
        closing = {"{": "}", "(": ")"}[opening]
        depth = 0
        for place in range(at, len(self.text)):
            depth += (self.text[place] == opening) - (self.text[place] == closing)
            if depth == 0:
                return place
        return len(self.text)

    def body(self, at: int) -> tuple[int, int]:
        """The statement that starts at a position."""
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        if self.text[at : at + 1] == "{":
            return at + 1, self.closing(at)
        nested = re.compile(r"(?:for|while|if)\s*\(").match(self.text, at)
        if nested:
            return at, self.body(self.closing(nested.end() - 1) + 1)[1]
        end = self.text.find(";", at)
        return at, len(self.text) if end < 0 else end + 1

    def items(self, start: int, end: int) -> list[ReadItem]:
        found: list[ReadItem] = []
        at = start
        while True:
            event = _EVENT.search(self.text, at, end)
            if event is None:
                return found
            at = event.end()
            if event["loop"]:
                closing = self.closing(event.end() - 1)
                header = self.text[event.end() : closing]
                first, last = self.body(closing + 1)
                # What a condition reads, such as `while (cin >> n)`, is read each time.
                asked = self.items(event.end(), closing)
                inner = [*asked, *self.items(first, last)]
                if any(not isinstance(one, LineEnd) for one in inner):
                    is_whole = event["loop"] == "while" and _reads_until_end(header, bool(asked))
                    found.append(Repetition(UNTIL_END if is_whole else _count(event["loop"], header), tuple(inner)))
                at = max(last, closing + 1)
            elif event["call"]:
                found += self.inlined(event["call"])
            else:
                before = self.text[max(start, event.start() - 160) : event.start()]
                found += self.read(event, re.split(r"[;{}]", before)[-1])

    def inlined(self, name: str) -> list[ReadItem]:
        if name not in self.functions or name in self.active or len(self.active) >= _DEPTH:
            return []
        self.active.append(name)
        try:
            return self.items(*self.functions[name])
        finally:
            self.active.pop()

    def read(self, event: re.Match[str], before: str) -> Iterator[ReadItem]:
        target = _TARGET.search(before) or _ADDED.search(before)
        name = target[1] if target else ""
        if event["format"] is not None:
            names = re.findall(r"&?\s*(\w+)\s*(?:\[[^\],]*\]|\+\s*\w+)*\s*(?:,|$)", event["targets"].lstrip(" ,"))
            for number, one in enumerate(_FORMAT.findall(event["format"])):
                if not one.startswith("%*"):
                    is_letter = one == "%c" and " %c" in event["format"]
                    name = names[number] if number < len(names) else ""
                    yield ReadToken(ReadKind.LETTER if is_letter else _format_kind(one), name)
        elif event["cin"]:
            for one in event["cin"].split(">>")[1:]:
                variable = re.match(r"\s*(\w+)", one)
                yield ReadToken(self.kind_of(variable[1] if variable else ""), variable[1] if variable else "")
        elif event["line"]:
            rest = self.text[event.end() : event.end() + 400]
            if event["parsed"]:
                yield ReadToken(ReadKind.INT, name)
            elif "StringTokenizer" in before or re.search(rf"StringTokenizer\s*\(\s*{name or '_'}\s*\)", rest):
                yield LineEnd()
                return
            elif event["split"] or (name and re.search(rf"\b{name}\s*\.\s*[sS]plit\s*\(", rest)):
                yield from self.split(name, rest)
            elif name and re.search(rf"[pP]arse(?:Int|Long)?\s*\(\s*{name}\b", rest):
                yield ReadToken(ReadKind.INT, name)
            elif not name and re.search(r"nextInt|nextLong|next\s*\(", self.text):
                return  # Only the end of a line behind a number.
            else:
                yield ReadToken(ReadKind.LINE, name)
            yield LineEnd()
        elif event["getline"]:
            yield ReadToken(ReadKind.LINE, event["gotten"] or event["got"] or "")
            yield LineEnd()
        else:
            yield ReadToken(self.token_kind(event["token"], name, before), name)

    def split(self, name: str, rest: str) -> Iterator[ReadItem]:
        """A line of several words: as many as constant places of it are used, else a list."""
        if name and re.search(rf"\b{name}\s*\[\s*\d\s*\]\s*(?:==|\.\s*[eE]quals)", rest):
            # Which words of the line are numbers depends on a word.
            yield Repetition("", (ReadToken(ReadKind.WORD, name),))
            return
        places = [int(one) for one in re.findall(rf"\b{name}\s*\[\s*(\d)\s*\]", rest)] if name else []
        numeric = re.search(r"[pP]arse|nextInt|Select\s*\(\s*(?:int|long)|ToInt", rest) is not None
        kind = ReadKind.INT if numeric else ReadKind.WORD
        if places:
            names = dict(re.findall(rf"(\w+)\s*=\s*[\w.]*\s*\(?\s*{name}\s*\[\s*(\d)\s*\]", rest))
            by_place = {place: one for one, place in names.items()}
            yield from (ReadToken(kind, by_place.get(str(at), "")) for at in range(max(places) + 1))
        else:
            yield Repetition("", (ReadToken(kind, name),))

    def token_kind(self, token: str, name: str, before: str) -> ReadKind:
        word = re.sub(r"[\s()]", "", token).rpartition(".")[2].lower()
        if word in ("nextdouble", "nd"):
            return ReadKind.FLOAT
        if word in ("next", "nexttoken", "ns", "scan"):
            if re.search(r"(?:parse(?:Int|Long)|Parse|ToInt\d*|BigInteger|valueOf)\s*\(\s*$", before):
                return ReadKind.INT
            return ReadKind.WORD if word != "scan" else self.kind_of(name)
        return ReadKind.INT

    def kind_of(self, name: str) -> ReadKind:
        """The kind of a variable, by its declaration."""
        found = re.search(
            rf"\b(\w+)(?:\s*<[^;{{}}]*>)?\s*[&*]?\s+(?:[\w\s\[\]+*=\-]+,\s*)*{re.escape(name)}\b", self.text
        )
        if found is None:
            return ReadKind.INT
        if found[1] == "char" and not re.match(r"\s*\[", self.text[found.end() :]) and "*" not in found[0]:
            return ReadKind.LETTER
        if found[1] in ("string", "char", "String"):
            return ReadKind.WORD
        if "string" in found[0] and "vector" in found[0]:
            return ReadKind.WORD
        return ReadKind.FLOAT if found[1] in ("double", "float") else ReadKind.INT


_LOOP_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)]*)\)[ \t]*(?:\\\n)?[ \t]*for[ \t]*\(", re.MULTILINE)


def _with_loops(text: str) -> str:
    """A text in which macros that stand for a loop are loops."""
    for found in list(_LOOP_MACRO.finditer(text)):
        parameters = found[2].count(",") + 1
        if parameters in (2, 3):
            use = rf"\b{found[1]}\s*\(\s*(\w+)\s*,\s*([^,()]+(?:\([^()]*\))?)" + r"(?:,\s*([^,()]+(?:\([^()]*\))?))?\)"
            text = re.sub(use, _loop, text)
    return text


def _loop(found: re.Match[str]) -> str:
    name, first, second = found.groups()
    start, end = ("0", first) if second is None else (first, second)
    return f"for (int {name} = {start}; {name} < {end}; {name}++)"


def items_in_braces(text: str) -> list[ReadItem]:
    text = _with_loops(_masked(text))
    braces = _Braces(text)
    main = next((name for name in ("main", "Main") if name in braces.functions), None)
    if main is None:
        return braces.items(0, len(text))
    braces.active.append(main)
    found = braces.items(*braces.functions[main])
    if found:
        return found
    # Reading happens in something that main starts in a way that is not seen, such as a constructor.
    for name, (start, end) in braces.functions.items():
        if name != main and name.lower() in ("solve", "run", "calc", "doit", "work"):
            found = braces.items(start, end)
            if found:
                return found
    return []


_GO_FUNCTION = re.compile(r"\bfunc\s*(?:\([^()]*\)\s*)?(\w*)\s*(\([^()]*\))[^{}\n]*\{")
_GO_DECLARED = re.compile(r"\bvar\s+([\w, ]+?)\s+(?:\[[^\]]*\])*(\w+)[ \t]*$", re.MULTILINE)
_GO_SCANNED = re.compile(r"\bfmt\.(?:Fscan|Scan)(?:ln|f)?\s*\(([^()\n]*(?:\([^()]*\)[^()\n]*)*)\)")
_GO_PARSED = re.compile(r"\bstrconv\.(?:Atoi|ParseInt)\s*\(\s*(?:strings\.TrimSpace\(\s*)?\w+\.Text\(\)")
_GO_RANGE = re.compile(r"\bfor\s+(?:\w+(?:\s*,\s*\w+)?\s*:?=\s*)?range\s+(\w+)\s*\{")
_GO_LOOP = re.compile(r"\bfor\b(?!\s*\()\s*([^{}\n]*?)\s*\{")
_GO_TYPES = {"float64": "double", "float32": "float"}


def like_c(text: str) -> str:
    """A program of Go whose reading, loops and declarations are written as in C++.

    Example:
        >>> like_c("for i := 0; i < n; i++ { fmt.Scan(&a[i]) }")
        'for (i := 0; i < n; i++) { cin >> a[i]; }'
    """

    def scanned(found: re.Match[str]) -> str:
        read = re.findall(r"&([^,&]+)", found[1])
        return f"cin >> {' >> '.join(one.strip() for one in read)};" if read else ""

    def ranged(found: re.Match[str]) -> str:
        made = re.search(rf"\b{found[1]}\s*:?=\s*make\(\s*[^,()]+,\s*([^,()]+)", text)
        return f"for (int i = 0; i < {made[1] if made else found[1]}; i++) {{"

    def looped(found: re.Match[str]) -> str:
        return f"for ({found[1]}) {{" if ";" in found[1] else f"while ({found[1] or 'true'}) {{"

    text = _GO_FUNCTION.sub(r"\1\2 {", text)
    text = _GO_DECLARED.sub(lambda found: f"{_GO_TYPES.get(found[2], found[2])} {found[1]};", text)
    text = _GO_SCANNED.sub(scanned, text)
    text = _GO_PARSED.sub("nextInt()", text)
    text = re.sub(r"\b\w+\.Text\(\)", "nextToken()", re.sub(r"\b\w+\.Scan\(\)", "hasNext()", text))
    return _GO_LOOP.sub(looped, _GO_RANGE.sub(ranged, text))


def _reads_until_end(header: str, reads: bool) -> bool:
    """Whether a condition asks for nothing but whether there is more to read."""
    if re.search(r"&&|\|\||!=\s*0\b", header):
        return False
    while (inner := re.sub(r"\([^()]*\)", "", header)) != header:
        header = inner
    return "," not in header and (reads or re.search(r"\bhas(?:Next|_next)\w*", header, re.IGNORECASE) is not None)


def _format_kind(one: str) -> ReadKind:
    if one[-1] in "sc]":
        return ReadKind.WORD
    return ReadKind.FLOAT if one[-1] in "feg" else ReadKind.INT


def _count(keyword: str, header: str) -> str:
    """How often a loop runs, as its header says; empty if it does not."""
    if keyword == "while":
        found = _COUNTED.search(header)
        return next(filter(None, found.groups()), "") if found else ""
    start = re.match(r"[^;=]*=\s*(-?\d+)", header)
    bound = _BOUND.match(header + ";")
    if bound is not None:
        less = (int(start[1]) if start else 0) - (bound[1] == "<=")
        return simple_count(f"{bound[2]}-{less}" if less > 0 else f"{bound[2]}+{-less}" if less else bound[2])
    down = _DOWN.search(header)
    return next(filter(None, down.groups()), "") if down else ""
