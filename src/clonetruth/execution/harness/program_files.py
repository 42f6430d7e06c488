"""Programs that read a file and write another, as contests ask for, made to use standard input and output instead.

The file is the input: what it is called does not matter. Only programs are changed, and the result says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from clonetruth.execution.harness.harness import Code

REPAIR = "files are standard input and output"

_QUOTED = r"\"(?:\\.|[^\"\\\n])*\""

# Java: constructors become calls of a class that is added, and types become those that such a call returns.

_JAVA_MADE = {
    "FileReader": ("reader", "InputStreamReader"),
    "FileInputStream": ("stream", "InputStream"),
    "FileWriter": ("writer", "OutputStreamWriter"),
    "FileOutputStream": ("output", "OutputStream"),
    "PrintWriter": ("printer", "PrintWriter"),
    "PrintStream": ("print", "PrintStream"),
    "Scanner": ("scanner", "Scanner"),
    "File": ("file", "CtFiles.Named"),
}
_JAVA_FILE = re.compile(r"\bnew\s+(?:java\.io\.)?(?:File(?:Reader|InputStream|Writer|OutputStream)?)\s*\(")
_JAVA_NEW = re.compile(rf"\bnew\s+(?:java\.(?:io|util)\.)?({'|'.join(_JAVA_MADE)})\s*\(")
_JAVA_TYPE = re.compile(r"(?<![\w.\"])(?:java\.io\.)?(File(?:Reader|InputStream|Writer|OutputStream)?)\b(?!\s*\.)")
_JAVA_IMPORT = re.compile(r"^\s*import\s+java\.io\.File(?:Reader|InputStream|Writer|OutputStream)?\s*;", re.MULTILINE)
_JAVA_OWN = re.compile(r"\bclass\s+(\w+)")
_JAVA_MAIN = re.compile(
    r"(\bstatic\s+(?:public\s+|final\s+)*void\s+main\s*\(\s*(?:final\s+)?String\s*)"
    r"(?:(?:\[\s*\]|\.\.\.)\s*(\w+)|(\w+)\s*\[\s*\])(\s*\)[^{;]*\{)"
)
_JAVA_WRITES = re.compile(
    r"\bnew\s+(?:java\.io\.)?(?:File(?:Writer|OutputStream)\s*\(|Print(?:Writer|Stream)\s*\(\s*(?:\"|new\s+File\s*\())"
)
_JAVA_PRINTS = re.compile(
    r"\bnew\s+\w+\s*\(\s*System\s*\.\s*out\b|\w\s*=\s*System\s*\.\s*out\s*;|\bSystem\s*\.\s*setOut\s*\("
)
"""The result is what is printed: to the console, or to a file that takes its place."""
_JAVA_CLASS = """
class CtFiles {
    static final java.io.PrintStream console = new java.io.PrintStream(new java.io.ByteArrayOutputStream());
    static class Named {
        public String getName() { return "input.in"; }
        public String getPath() { return "input.in"; }
        public String getAbsolutePath() { return "input.in"; }
        public Named getAbsoluteFile() { return this; }
        public boolean exists() { return true; }
        public boolean canRead() { return true; }
        public boolean createNewFile() throws java.io.IOException { return false; }
        public boolean delete() { return true; }
    }
    static Named file(Object... any) { return new Named(); }
    static java.io.InputStreamReader reader(Object... any) throws java.io.FileNotFoundException {
        return new java.io.InputStreamReader(System.in); }
    static java.io.InputStream stream(Object... any) throws java.io.FileNotFoundException { return System.in; }
    static java.io.OutputStreamWriter writer(Object... any) throws java.io.IOException {
        return new java.io.OutputStreamWriter(System.out); }
    static java.io.OutputStream output(Object... any) throws java.io.FileNotFoundException { return System.out; }
    static java.io.PrintWriter printer(java.io.Writer to) { return new java.io.PrintWriter(to); }
    static java.io.PrintWriter printer(java.io.Writer to, boolean now) { return new java.io.PrintWriter(to, now); }
    static <S extends java.io.OutputStream> java.io.PrintWriter printer(S to) { return new java.io.PrintWriter(to); }
    static <S extends java.io.OutputStream> java.io.PrintWriter printer(S to, boolean now) {
        return new java.io.PrintWriter(to, now); }
    static java.io.PrintWriter printer(String file) throws java.io.FileNotFoundException {
        return new java.io.PrintWriter(System.out); }
    static java.io.PrintWriter printer(Named file) throws java.io.FileNotFoundException {
        return new java.io.PrintWriter(System.out); }
    static java.io.PrintWriter printer(Object file, String as)
            throws java.io.FileNotFoundException, java.io.UnsupportedEncodingException {
        return new java.io.PrintWriter(System.out); }
    static <S extends java.io.OutputStream> java.io.PrintStream print(S to) { return new java.io.PrintStream(to); }
    static <S extends java.io.OutputStream> java.io.PrintStream print(S to, boolean now) {
        return new java.io.PrintStream(to, now); }
    static java.io.PrintStream print(String file) throws java.io.FileNotFoundException {
        return new java.io.PrintStream(System.out); }
    static java.io.PrintStream print(Named file) throws java.io.FileNotFoundException {
        return new java.io.PrintStream(System.out); }
    static java.io.PrintStream print(Object file, String as)
            throws java.io.FileNotFoundException, java.io.UnsupportedEncodingException {
        return new java.io.PrintStream(System.out); }
    static java.util.Scanner scanner(java.io.Reader from) { return new java.util.Scanner(from); }
    static java.util.Scanner scanner(java.io.InputStream from) { return new java.util.Scanner(from); }
    static java.util.Scanner scanner(java.io.InputStream from, String as) { return new java.util.Scanner(from, as); }
    static java.util.Scanner scanner(String text) { return new java.util.Scanner(text); }
    static java.util.Scanner scanner(Named file, Object... any) throws java.io.FileNotFoundException {
        return new java.util.Scanner(System.in); }
}
"""


def _java(text: str) -> str:
    if not _JAVA_FILE.search(text) or not _JAVA_MAIN.search(text):
        return text
    made = _JAVA_IMPORT.sub("", text)
    if _JAVA_WRITES.search(text) and not _JAVA_PRINTS.search(text):
        # Output to the console is only for a person who watches: the file is the result.
        made = re.sub(r"\bSystem\s*\.\s*out\b", "CtFiles.console", made)
    # A class of the program that has the name of one of the library is another one.
    own = set(_JAVA_OWN.findall(text))
    made = _JAVA_NEW.sub(lambda found: found[0] if found[1] in own else f"CtFiles.{_JAVA_MADE[found[1]][0]}(", made)
    made = _JAVA_TYPE.sub(lambda found: _java_type(found[1]), made)
    return _JAVA_MAIN.sub(_java_main, made, count=1) + _JAVA_CLASS


def _java_main(found: re.Match[str]) -> str:
    """The head of the main method, with names of files as its arguments."""
    before, name, other, after = found.groups()
    return f'{before}[] ctArguments{after} String[] {name or other} = {{"input.in", "output.out"}};'


def _java_type(name: str) -> str:
    found = _JAVA_MADE[name][1]
    return found if name == "File" else f"java.io.{found}"


# C and C++.

_REOPENED = re.compile(r"\bfreopen\s*\([^;{}]*?,\s*(?:std(?:in|out|err))\s*\)")
_OPENED = re.compile(rf"\bfopen\s*\(\s*(?:{_QUOTED}|argv\s*\[\s*\d\s*\])\s*,\s*\"(r|w)[tb+]*\"\s*\)")
_STREAM = re.compile(rf"\b(?:std::)?(i|o)fstream\s+(\w+)\s*[({{]\s*{_QUOTED}[^;,]*?[)}}]\s*;")


def _c(text: str) -> str:
    if not re.search(r"\bmain\s*\(", text):
        return text
    made = _REOPENED.sub("((FILE *)1)", text)
    if any(found[1] == "w" for found in _OPENED.finditer(text)) and not re.search(r"=\s*stdout\b", text):
        made = re.sub(r"(?<!\w)printf\s*\(", "snprintf(0, 0, ", made)
    if any(found[1] == "o" for found in _STREAM.finditer(text)):
        made = re.sub(r"\b(?:std::)?cout\b", "std::cerr", made)
    made = _OPENED.sub(lambda found: "stdin" if found[1] == "r" else "stdout", made)
    for found in list(_STREAM.finditer(made)):
        kind, name = found.groups()
        made = made.replace(found[0], f"std::{kind}stream& {name}(std::c{'in' if kind == 'i' else 'out'});")
        made = re.sub(rf"\b{name}\s*\.\s*close\s*\(\s*\)", f"{name}.good()", made)
    return made if made == text else re.sub(r"\bfclose\s*\(\s*(\w+)\s*\)", r"fflush(\1)", made)


# Python.

_PYTHON_OPEN = re.compile(r"(?<![\w.])(?:open|file)\s*\(\s*(?:['\"]|sys\.argv|argv|\w+\s*[,)])")
_PYTHON_CALL = re.compile(r"(?<![\w.])(?:open|file)\s*\(")
_PYTHON_PROGRAM = re.compile(
    r"^(?:if\s+__name__|for\s|while\s|with\s|print\b|[\w, ]+=\s*(?:\w+\.)?(?:open|file)\s*\()", re.MULTILINE
)
_PYTHON_READS = """\
import io as _ct_io, sys as _ct_sys
class _CtFile:
    def __init__(self, stream): self._stream = stream
    def __getattr__(self, name): return getattr(self._stream, name)
    def __iter__(self): return iter(self._stream)
    def __next__(self): return next(self._stream)
    def next(self): return next(self._stream)
    def __enter__(self): return self
    def __exit__(self, *any): pass
    def close(self): pass
def _ct_open(name=None, mode="r", *any, **more):
    if mode[:1] in "wax":
        _ct_sys.stdout = _ct_io.StringIO()
        return _CtFile(_ct_sys.__stdout__)
    return _CtFile(_ct_sys.stdin)
_ct_sys.argv[1:] = ["input.in", "output.out"]
"""


def _python(text: str) -> str:
    if not _PYTHON_OPEN.search(text) or re.search(r"^from\s+__future__", text, re.MULTILINE):
        return text
    return _PYTHON_READS + _PYTHON_CALL.sub("_ct_open(", text) if _PYTHON_PROGRAM.search(text) else text


# C#.

_SHARP = (
    (re.compile(r"\bnew\s+(?:System\.IO\.)?StreamReader\s*\((?:[^()]|\([^()]*\))*\)"), "Console.In"),
    (re.compile(r"\bnew\s+(?:System\.IO\.)?StreamWriter\s*\((?:[^()]|\([^()]*\))*\)"), "Console.Out"),
    (re.compile(r"\bFile\.OpenText\s*\((?:[^()]|\([^()]*\))*\)"), "Console.In"),
    (re.compile(r"\bFile\.CreateText\s*\((?:[^()]|\([^()]*\))*\)"), "Console.Out"),
    (re.compile(r"\bFile\.ReadAllLines\s*\((?:[^()]|\([^()]*\))*\)"), "Console.In.ReadToEnd().Split('\\n')"),
    (re.compile(r"(?<![\w.])StreamReader\b"), "System.IO.TextReader"),
    (re.compile(r"(?<![\w.])StreamWriter\b"), "System.IO.TextWriter"),
)
_SHARP_ECHO = re.compile(r"\bConsole\.(?=Write(?:Line)?\s*\()")


def _csharp(text: str) -> str:
    if not re.search(r"\bstatic\s+(?:\w+\s+)*Main\s*\(", text) or not re.search(r"\bnew\s+Stream|\bFile\.", text):
        return text
    if re.search(r"\bnew\s+StreamWriter\s*\(\s*@?\"|\bFile\.CreateText", text):
        text = _SHARP_ECHO.sub("Console.Error.", text)
    for pattern, instead in _SHARP:
        text = pattern.sub(instead, text)
    return text


_LANGUAGES: Mapping[str, Callable[[str], str]] = {
    "java": _java,
    "c": _c,
    "cpp": _c,
    "python": _python,
    "csharp": _csharp,
}


def with_standard_streams(code: Code) -> Code:
    """The same program with standard input and output in place of files; the code itself if there is nothing to change.

    Example:
        >>> with_standard_streams(Code('int main() { freopen("a.in", "r", stdin); return 0; }', "c")).text
        'int main() { ((FILE *)1); return 0; }'
    """
    change = _LANGUAGES.get(code.language)
    if change is None or code.entry is not None:
        return code
    made = change(code.text)
    return code if made == code.text else replace(code, text=made)
