"""Source trees to search, and the straightforward search that the fast one must agree with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
from hypothesis import strategies as st

from clonetruth.code import ExtractOptions, extract_files, language, language_of_path, lexed_tokens
from clonetruth.detectors import FOUND_PAIRS, Finder, FinderOptions
from clonetruth.find import FRAGMENTS_FOUND, PAIRS_FOUND, IndexFile, SearchedFile, SearchResult, search_files
from tests.detectors.corpora import functions

SMALL = FinderOptions(min_tokens=10)
"""Functions of the generated trees are short."""

ODD = (
    "void broken( { int a = 1; }",
    'String s = "not closed; void f() { }',
    "record R(int a) { R { if (a < 0) { throw new X(); } } int twice() { return a + a + 0 + 0; } }",
    "int k = f(1); /* void g() { */ enum E { A { int f() { return 1 + 2 + 3 + 4; } } }",
    "Object o = new R() { public void run() { for (int i = 0; i < 3; i++) { print(i, i); } } };",
    "}",
    "// \u00e4 \u20ac\n",
    "int\1x\2= 2; int f(int a) { return a\1+ a\2+ 1; /* why */ }",
)
"""Members of a class that make a file hard to read, or impossible."""


def members() -> st.SearchStrategy[str]:
    """A member of a class: mostly a function."""
    return st.one_of(functions(), functions(), st.sampled_from(ODD))


def java_files() -> st.SearchStrategy[str]:
    """A Java file with a few members, some of which are clones of those in other files."""
    return st.lists(members(), max_size=4).map(lambda parts: "class A {\n" + "\n".join(parts) + "\n}\n")


_PYTHON = (
    '"""What it does."""',
    "'x'",
    "r'x'",
    "a = 1",
    "a = 'x'",
    "a = b'x'",
    "a = b; b = 2",
    'a = f"{a}"',
    "a = f'{b!r:>3} and {{b}}'",
    "a = f'{{b}}'",
    """a = f'{a["x"]}'""",
    """a = f"{a["x y"]}" """,
    "for a in b:\n        print(a, 'not in')",
    "if a: return b",
    "a = b + \\\n        1",
    "a = None if b else True  # why",
)


@st.composite
def python_functions(draw: st.DrawFn) -> str:
    """A Python function of a few statements: strings instead of numbers, docstrings, and strings with embedded code."""
    body = draw(st.lists(st.sampled_from(_PYTHON), min_size=1, max_size=4))
    name = draw(st.sampled_from("fg"))
    return f"def {name}(a, b=0):\n    " + "\n    ".join([*body, "return a"]) + "\n"


def python_trees() -> st.SearchStrategy[dict[str, str]]:
    """Python files by name."""
    texts = st.lists(python_functions(), max_size=5).map("\n\n".join)
    return st.dictionaries(st.sampled_from(["a.py", "b.py", "c.py"]), texts, max_size=3)


_JAVASCRIPT = (
    "a = `x ${b} y`;",
    "a = `it's // not a comment`;",
    "a = 'it is'",
    "a = b.catch(a / 2 / b)",
    "a = b.then((a) / 2 / b);",
    """a = b.replace(/["'`]/g, a)""",
    "if (a) /x'/.test(b);;",
    "a = a // it's",
    "for (const c of b) { a += c.default }",
    "for (const c of b) { a += c.of\n }",
    "a = {get: b, default: 1, delete: a}",
    "a = {set: b, async: 1, x: a,}",
    "b = <p>don't</p> // it's",
    "b = <p>don't {a /* why */}</p>;",
    "b = new.target",
)
_CPP = (
    'a = "x"_s;',
    'a = "x" "y";',
    'a = R"d(it\'s )" )d";',
    'a = R"(it is)";',
    "#define A 1\n",
    "#define A\n1;",
    "std::vector<std::vector<int>> c;",
    "std::vector<std::vector<long> > c;;",
    "a = b and not a;",
    "a = u8'x' + 1'000;",
    "auto c = [&](int a) { return a; };",
)
_C = (
    "#define A 1\n",
    "#define A\n1;",
    "#  define A 1 // one\n",
    "#define A \\\n  1\n",
    "#if A\n  a = 1;\n#endif\n",
    "#if /* why\n not */ A\n  a = 2;\n#endif\n",
    "#ifdef A\n  if (a) {\n#else\n  if (b) {\n#endif\n  a = b; }",
    "#ifdef A\n  a = 1;\n#elif B\n  a = 2;\n#else\n  b = 1;\n#endif\n",
    "#error don't\n  a = 1;",
    "a = 1; /* over\n lines */ #if A\n a = 2;\n#endif\n",
    "a = A #b;",
    "#\n",
    "#pragma omp parallel for (a) \\\n  b\n",
    "#include <a.h>\n",
    '#include "a.h" /* a */\n',
    "#define S(x) #x ## 1\n",
    "#undef A\n;",
    "a = 'x' + 1;",
)
_STATEMENTS = {
    ".c": _C,
    ".js": _JAVASCRIPT,
    ".cc": _CPP + _C,
    ".ts": tuple(one for one in _JAVASCRIPT if "<p>" not in one),
}
_HEADS = {
    ".c": ("int f(int a, int b) {", "static void g(char *a, T b)\n{"),
    ".js": ("function f(a, b) {", "async function g(b, a) {"),
    ".ts": ("function f(a: number, b?: string): any {", "function g(a: object, b?: T): void {"),
    ".cc": ("int f(int a, int b) {", "int g(int a, int b) REQUIRES(mu) {", "int A::f(size_t a, T b) const {"),
}


@st.composite
def brace_trees(draw: st.DrawFn, ending: str) -> dict[str, str]:
    """Files with literals and directives that only a grammar can delimit, and words that may be names."""
    body = st.lists(st.sampled_from(_STATEMENTS[ending]), min_size=1, max_size=3).map("\n  ".join)
    function = st.builds("{}\n  {}\n  return a;\n}}\n".format, st.sampled_from(_HEADS[ending]), body)
    texts = draw(st.lists(st.lists(function, max_size=4).map("\n".join), max_size=3))
    return {f"{name}{ending}": text for name, text in zip("abc", texts, strict=False)}


def trees() -> st.SearchStrategy[dict[str, str]]:
    """Files by name."""
    return st.dictionaries(st.sampled_from(["a.java", "b.java", "c.java", "d.java"]), java_files(), max_size=4)


def written(folder: Path, texts: Mapping[str, str | bytes]) -> list[SearchedFile]:
    """Write files, and remove those that no longer belong there; return the files to search."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        if old.name not in texts:
            old.unlink()
    for name, text in texts.items():
        data = text if isinstance(text, bytes) else text.encode()
        if not (folder / name).exists() or (folder / name).read_bytes() != data:
            (folder / name).write_bytes(data)
    return [source_file(folder / name) for name in sorted(texts)]


def source_file(path: Path) -> SearchedFile:
    found = language_of_path(path)
    assert found is not None
    return SearchedFile(path, path.name, found.name)


def searched(
    files: Sequence[SearchedFile],
    finders: Sequence[Finder],
    options: FinderOptions = SMALL,
    index: IndexFile | None = None,
) -> SearchResult:
    """Search files, and check that the result is valid."""
    found = search_files(files, finders, options, index=index)
    assert found.fragments.schema == FRAGMENTS_FOUND
    assert found.pairs.schema == PAIRS_FOUND
    found.fragments.validate(full=True)
    found.pairs.validate(full=True)
    return found


def plainly_searched(
    files: Sequence[SearchedFile], finders: Sequence[Finder], options: FinderOptions = SMALL
) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """The fragments and the pairs of a search that parses every file and reads every function by itself."""
    rows: list[dict[str, object]] = []
    texts: list[str] = []
    callbacks = [*extract_files([file.path for file in files], ExtractOptions(callbacks=True))]
    for number, read in enumerate(extract_files([file.path for file in files])):
        for function in (callbacks[number] if language(read.language).callbacks else read).functions:
            tokens = len(lexed_tokens(function.text, language(read.language)))
            if tokens >= max(options.min_tokens, 1) and function.text.count("\n") + 1 >= options.min_lines:
                values = (len(rows), number, function.qualified_name, function.first_line, function.last_line, tokens)
                row = (*values, function.start, function.end, read.language, "function")
                rows.append(dict(zip(FRAGMENTS_FOUND.names, row, strict=True)))
                texts.append(function.text)
    table = pa.Table.from_pylist(rows, FRAGMENTS_FOUND).append_column("text", pa.array(texts, pa.string()))
    pairs: list[dict[str, object]] = []
    for finder in finders:
        found = pa.Table.from_batches(finder.find(table, options), FOUND_PAIRS)
        ordered = found.sort_by([("left", "ascending"), ("right", "ascending")]).to_pylist()
        pairs += [{**row, "finder": finder.name} for row in ordered]
    return rows, pairs
