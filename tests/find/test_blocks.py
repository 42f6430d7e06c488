"""Clones of blocks and files: every copy of enough statements is found, and nothing is reported twice."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.code import language
from clonetruth.code.statements import CLOSING, IMPORT, statements_of
from clonetruth.code.vocabulary import Vocabulary
from clonetruth.errors import InputError
from clonetruth.find import CloneClass, CloneReport, find_clones, report_text
from clonetruth.find.functions import lex_files
from clonetruth.options.find import CLONE_FORMATS
from tests.cli.running import call
from tests.code.test_git import commit, git
from tests.find.clone_trees import FAMILY, SUM, java, plant

BLOCK = """total = 0
for row in rows:
    if row.price > limit and row.kind != "gift":
        total += convert(row.price, row.currency)
        log.debug("counted", row.name, total)
    else:
        skipped.append(row.name)
report.add("total", total, len(skipped))
"""
HEAD = (
    "def first(rows, limit, report):\n    skipped = []\n    open_all(rows, report.name, mode='x')\n    check(limit)\n"
)
OTHER = """def second(rows, limit, report, mail):
    skipped = load_skipped(mail)
    while mail.pending():
        mail.send(mail.next(), retries=3)
"""
TAIL = """    mail.close()
    for one in mail.failed: print(one.address, one.reason)
    return mail.sent, skipped[0], total / 2
"""


def indented(text: str) -> str:
    return "".join(f"    {line}" for line in text.splitlines(keepends=True))


def found(root: Path, granularity: str = "function,block", **options: object) -> CloneReport:
    return find_clones(root, granularity=granularity, index=False, **options)


def blocks(report: CloneReport) -> list[CloneClass]:
    return [one for one in report.classes if one.kind == "block"]


def two(root: Path, left: str, right: str) -> Path:
    return plant(
        root, {"one.py": HEAD + indented(left) + "    return skipped\n", "two.py": OTHER + indented(right) + TAIL}
    )


# --- What is found


def test_a_copied_block_in_larger_functions_is_found_with_its_evidence(tmp_path: Path) -> None:
    (one,) = found(two(tmp_path, BLOCK, BLOCK.replace("row", "item"))).classes
    assert (one.kind, one.types, one.similarity) == ("block", "T2", 1.0)
    assert [(member.first_line, member.last_line, member.name) for member in one.members] == [
        (5, 12, "first"),
        (5, 12, "second"),
    ]
    assert one.members[1].differences == "renamed 2 names"  # rows and row
    assert find_clones(tmp_path, index=False).classes == ()


def test_a_block_goes_on_after_a_changed_statement(tmp_path: Path) -> None:
    edited = BLOCK.replace('log.debug("counted", row.name, total)', "counts[row.kind] = counts[row.kind] + 1")
    (one,) = found(two(tmp_path, BLOCK, edited)).classes
    assert (one.types, [member.lines for member in one.members]) == ("T3", [8, 8])
    assert one.members[1].differences == "1 statement changed"
    assert one.similarity is not None
    assert 0.7 <= one.similarity < 1


def test_a_block_goes_on_after_an_inserted_statement(tmp_path: Path) -> None:
    edited = BLOCK.replace("    else:", "        check(row)\n    else:")
    (one,) = found(two(tmp_path, BLOCK, edited)).classes
    assert one.members[1].differences in ("1 statement inserted", "1 statement deleted")


def test_a_block_consists_of_whole_statements(tmp_path: Path) -> None:
    """What begins in a loop and goes on behind it is two blocks, each too small; nothing is reported."""
    cut = 'while x:\n    use(x, y, "a", 1)\n    keep(x, y.z, 2, len(x))\nsend(x, y, "b", 3)\nlast(x, y.w, 4, len(y))\n'
    left, right = cut, "if y:\n" + cut.removeprefix("while x:\n")
    assert blocks(found(two(tmp_path, left, right), min_tokens=26)) == []
    assert [one.representative.lines for one in blocks(found(tmp_path, min_tokens=25))] == [2, 2]


STEPS = "".join(f'open{n}(v, {n}); put{n}(v, n, "{n}");\n' for n in range(4))
TABLE = "".join(
    f'{{ .name = "{name}", .least = {n}, .run = run_{name} }},\n' for n, name in enumerate(["a", "b", "cd"])
)
THEN = f"then(function () {{\n{STEPS}}}).then(function () {{\n{STEPS.upper()}}})\n"
BRANCHES = f"#if A\nif (a) {{\n#else\nif (b) {{\n#endif\n{STEPS}}}\n#if B\n;\n#else\nMORE#endif\n"
LOOP = f"while (x) {{\n{STEPS.upper()}}}\n"


@pytest.mark.parametrize(
    ("name", "left", "right", "kept"),
    [
        # A part of two blocks side by side, of two rows of a table, of a call that goes on: only what is whole in it.
        ("c", f"{{ x = 1; {STEPS}}}\n{{ {STEPS}y = 2; }}\n", f"{{ z(); {STEPS}}}\n{{ {STEPS}}}\n", STEPS),
        ("c", f"int t[] = {{\n{{ 1 }},\n{TABLE}}};\n", f"int u[] = {{\n{{ 2, 3 }},\n{TABLE}}};\n", TABLE[:-2]),
        ("js", f"a.get('b').{THEN}", f"c(d, e).{THEN}", STEPS),
        # Branches of which only one counts, and a branch that is whole.
        ("c", BRANCHES.replace("MORE", ""), f"if (c) {{\n{STEPS}}}\n", STEPS),
        ("c", BRANCHES.replace("MORE", LOOP), f"else {LOOP}", STEPS.upper()),
    ],
)
def test_brackets_of_a_block_match(name: str, left: str, right: str, kept: str, tmp_path: Path) -> None:
    def function(title: str, body: str) -> str:
        head = "function " if name == "js" else "void "
        return f"{head}{title}(v, n) {{\n{title}1();\n{body}{title}2(0);\n}}\n"

    plant(tmp_path, {f"one.{name}": function("one", left), f"two.{name}": function("two", right)})
    reported = [
        member.text.strip() for one in found(tmp_path, "block", min_tokens=30).classes for member in one.members
    ]
    assert kept.strip() in reported
    assert [text for text in reported if text.count("{") != text.count("}") or text.count("(") != text.count(")")] == []


def test_blocks_with_other_imports_are_not_equal(tmp_path: Path) -> None:
    """Imports are not compared, but they are part of a block that has others around them."""
    imports = "if TYPE_CHECKING:\n    from a import b\n" + BLOCK
    types = [
        [one.types for one in blocks(found(two(tmp_path, imports, imports.replace("import b", name))))]
        for name in ("import b", "import c", "import b, c")
    ]
    assert types == [["T1"], ["T2"], ["T3"]]


STATEMENTS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "total", "row"]), st.sampled_from(["load", "send", "x.y", "mix"]), st.integers(0, 99)
    ),
    min_size=6,
    max_size=12,
    unique_by=lambda one: (one[1], one[2]),
)


def java_lines(statements: list[tuple[str, str, int]], salt: str) -> str:
    return "".join(
        f"        {name} = {call}.do{salt}{number}({name}, {number}, other);\n" for name, call, number in statements
    )


@settings(max_examples=25, deadline=None)
@given(copied=STATEMENTS, before=STATEMENTS, after=STATEMENTS, nested=st.booleans())
def test_every_planted_copy_is_found(
    copied: list[tuple[str, str, int]],
    before: list[tuple[str, str, int]],
    after: list[tuple[str, str, int]],
    nested: bool,
) -> None:
    block = java_lines(copied, "")
    if nested:
        block = "        if (ready(other)) {\n" + block + "        }\n"
    methods = [
        f"    void m{salt}(A a) {{\n{java_lines(before, salt)}{block}{java_lines(after, salt * 2)}    }}\n"
        for salt in "PQ"
    ]
    with TemporaryDirectory() as folder:
        root = plant(Path(folder), {"One.java": java("One", methods[0]), "Two.java": java("Two", methods[1])})
        report = found(root, min_tokens=40)
        assert any(
            all(block.strip() in member.text.strip() for member in one.members) or one.kind == "function"
            for one in report.classes
        )
        check_evidence(report, 0.7)


def check_evidence(report: CloneReport, threshold: float) -> None:
    """Blocks are equal in the form of their type, or similar enough, and in no class that covers them."""
    for one in blocks(report):
        forms = {
            name: [form_of(member.text, member.language, name) for member in one.members]
            for name in ("exact", "renamed")
        }
        if one.weakest == "T1":
            assert len(set(forms["exact"])) == 1
        elif one.weakest == "T2":
            assert len(set(forms["renamed"])) == 1
        else:
            assert len(set(forms["renamed"])) > 1
            for other in forms["renamed"][1:]:
                first = forms["renamed"][0]
                assert set(first) & set(other)
        for larger in report.classes:
            if larger is not one:
                assert not covers(larger, one)


def form_of(text: str, name: str, form: str) -> tuple[int, ...]:
    code, data = language(name), text.encode()
    texts, lexed = lex_files([data], code)
    rows = statements_of(lexed, texts, code, [data])[0]
    return tuple(rows[form][rows["role"] != CLOSING].tolist())


def covers(larger: CloneClass, one: CloneClass) -> bool:
    """Whether each member is in another member of the larger class."""
    around = [
        {
            at
            for at, other in enumerate(larger.members)
            if other.path == member.path
            and other.first_line <= member.first_line
            and member.last_line <= other.last_line
        }
        for member in one.members
    ]
    return all(around) and len(set.union(*around)) >= len(one.members)


# --- What is not repeated


def test_blocks_inside_of_cloned_functions_are_not_repeated(tmp_path: Path) -> None:
    report = found(plant(tmp_path, FAMILY), min_tokens=30)
    assert blocks(report) == []
    assert report.classes == find_clones(tmp_path, index=False, min_tokens=30).classes


def test_files_cover_the_functions_in_them(tmp_path: Path) -> None:
    text = java("One", SUM, SUM.replace("sumAbove", "b").replace("limit", "c"))
    plant(tmp_path, {"One.java": text, "Two.java": text.replace("One", "Two"), "Three.java": java("T", SUM)})
    report = found(tmp_path, "function,block,file", min_tokens=30)
    files = [one for one in report.classes if one.kind == "file"]
    assert [[member.path.rpartition("/")[2] for member in one.members] for one in files] == [["One.java", "Two.java"]]
    assert {one.kind for one in report.classes} == {"file", "function"}  # Three.java has a copy, too
    assert [one.kind for one in found(tmp_path, "file", min_tokens=30).classes] == ["file"]


def test_a_third_copy_of_a_part_is_a_class_of_its_own(tmp_path: Path) -> None:
    two(
        tmp_path,
        BLOCK + "audit(report, total, 'x', limit, deep=True)\n" * 1,
        BLOCK + "audit(report, total, 'x', limit, deep=True)\n",
    )
    plant(tmp_path, {"three.py": "def third(q):\n    begin(q)\n" + indented(BLOCK) + "    return q.end()\n"})
    sizes = sorted((len(one.members), one.representative.lines) for one in blocks(found(tmp_path)))
    assert sizes == [(2, 9), (3, 8)]


# --- Repetitive code


@pytest.mark.parametrize(
    "repeated",
    [
        "table.put({0}, {0}, name);",
        "case {0}: return find({0}, name);",
        "assertEquals({0}, parse(name).size());",
        "x[{0}] = y[{0}] + 1;",
    ],
)
def test_code_that_repeats_itself_is_no_clone_of_itself(repeated: str, tmp_path: Path) -> None:
    lines = "\n".join(repeated.format(number) for number in range(400))
    body = f"switch (n) {{\n{lines}\n}}" if repeated.startswith("case") else lines
    plant(tmp_path, {"Table.java": java("Table", f"void fill(int n) {{\n{body}\n}}\n")})
    assert found(tmp_path).classes == ()
    # An exact copy of it is one clone, and not hundreds.
    plant(tmp_path, {"Copy.java": java("Copy", f"void other(int n, int m) {{\nbegin(n, m);\n{body}\nend(m);\n}}\n")})
    assert len(found(tmp_path).classes) <= 2


def test_imports_are_no_clones(tmp_path: Path) -> None:
    imports = "".join(f"import org.example.part{number}.Thing{number};\n" for number in range(40))
    plant(
        tmp_path,
        {f"{name}.java": f"package a.b;\n{imports}class {name} {{ int {name}() {{ return 1; }} }}\n" for name in "AB"},
    )
    assert found(tmp_path, "function,block,file").classes == ()


# --- Languages

BODIES = {
    "a.c": ("int {0}(int *v, int n) {{\n", "}\n"),
    "a.cpp": ("int {0}(int *v, int n) {{\n", "}\n"),
    "a.cs": ("class {0}C {{ int {0}(int[] v, int n) {{\n", "} }\n"),
    "a.java": ("class {0}C {{ int {0}(int[] v, int n) {{\n", "} }\n"),
    "a.js": ("function {0}(v, n) {{\n", "}\n"),
    "a.ts": ("function {0}(v: number[], n: number) {{\n", "}\n"),
    "a.go": ("package p\nfunc {0}(v []int, n int) int {{\n", "}\n"),
}
COPIED = """    start(v, n);
    while (check(v, n)) {
        put(v, n, 1);
        if (n > 3) {
            drop(n, v, 2);
        }
    }
    finish(v, n, 3);
"""


@pytest.mark.parametrize("name", BODIES)
def test_blocks_are_found_in_every_language(name: str, tmp_path: Path) -> None:
    head, tail = BODIES[name]
    copied = COPIED.replace("while (check(v, n))", "for check(v, n)").replace("(n > 3)", "n > 3").replace(";", "")
    copied = copied if name.endswith(".go") else COPIED
    texts = {
        "first": head.format("first")
        + "    f(1, v, v, v, 4);\n    f(2, n, 5, n);\n"
        + copied
        + "    return n;\n"
        + tail,
        "second": head.format("second")
        + copied
        + "    while (n) { g(n, n); h(v); }\n    k(v, 3, v);\n    return 2;\n"
        + tail,
    }
    for stem, text in texts.items():
        plant(
            tmp_path,
            {f"{stem}{Path(name).suffix}": text.replace("while (n)", "for n") if name.endswith(".go") else text},
        )
    (one,) = found(tmp_path, "block", min_tokens=40).classes
    assert one.types == "T1"
    assert all(member.text.split() == copied.split() for member in one.members)


SPLIT = {
    "rust": (
        "fn f(n: i32) {\n  let a = g(n,\n    1);\n  if n > 3 { drop(a); } else { keep(a) }\n  a + n\n}\n",
        "fn f(n: i32) {|let a = g(n, 1);|if n > 3 {|drop(a);|}|else {|keep(a)|}|a + n|}",
    ),
    "kotlin": (
        "fun f(n: Int) {\n  val a = g(n,\n    1)\n  if (n > 3) {\n    drop(a)\n  } else keep(a)\n"
        "  val b = list\n    .size\n}\n",
        "fun f(n: Int) {|val a = g(n, 1)|if (n > 3) {|drop(a)|}|else keep(a)|val b = list .size|}",
    ),
    "scala": (
        "def f(n: Int) = {\n  val a = g(n,\n    1)\n  if (n > 3) {\n    drop(a)\n  } else keep(a)\n"
        "  val b = list\n    .size\n}\n",
        "def f(n: Int) = {|val a = g(n, 1)|if (n > 3) {|drop(a)|}|else keep(a)|val b = list .size|}",
    ),
    "swift": (
        "func f(_ n: Int) {\n  let a = g(n,\n    1)\n  guard n > 3 else { return }\n  let b = list\n    .size\n}\n",
        "func f(_ n: Int) {|let a = g(n, 1)|guard n > 3 else {|return|}|let b = list .size|}",
    ),
    "php": (
        "<?php\nfunction f($n) {\n  $a = g($n,\n    1);\n  if ($n > 3) { drop($a); } else { keep($a); }\n}\n",
        "<?php function f($n) {|$a = g($n, 1);|if ($n > 3) {|drop($a);|}|else {|keep($a);|}|}",
    ),
    "dart": (
        "int f(int n) {\n  var a = g(n,\n    1);\n  for (var i = 0; i < n; i++) { put(i); }\n  return a;\n}\n",
        "int f(int n) {|var a = g(n, 1);|for (var i = 0; i < n; i++) {|put(i);|}|return a;|}",
    ),
    "objc": (
        "- (int)f:(int)n {\n  int a = [self g:n\n    with:1];\n  if (n > 3) { [self drop:a]; }\n  return a;\n}\n",
        "- (int)f:(int)n {|int a = [self g:n with:1];|if (n > 3) {|[self drop:a];|}|return a;|}",
    ),
    "ruby": (
        "def f(n)\n  a = g(n,\n    1)\n  if n > 3\n    drop(a)\n  else\n    keep(a)\n  end\nend\n",
        "def f(n)|a = g(n, 1)|if n > 3|drop(a)|else|keep(a)|end|end",
    ),
    "lua": (
        "local function f(n)\n  local a = g(n,\n    1)\n  if n > 3 then\n    drop(a)\n  end\n"
        "  t = { 1,\n    2 }\nend\n",
        "local function f(n)|local a = g(n, 1)|if n > 3 then|drop(a)|end|t = { 1, 2 }|end",
    ),
    "bash": (
        "f() {\n  local a=1; b=2\n  if [ $a -gt 3 ]; then\n    drop $a\n  else\n    keep $a\n  fi\n}\n",
        "f() {|local a=1;|b=2|if [ $a -gt 3 ];|then|drop $a|else|keep $a|fi|}",
    ),
    "sql": (
        "CREATE VIEW v AS SELECT a\nFROM t;\nSELECT a\nFROM v;\n",
        "CREATE VIEW v AS SELECT a FROM t;|SELECT a FROM v;",
    ),
}
"""Texts of languages, and their statements."""


@pytest.mark.parametrize("name", SPLIT)
def test_where_statements_of_a_language_end(name: str) -> None:
    pytest.importorskip(f"tree_sitter_{name}")
    text, expected = SPLIT[name][0].encode(), SPLIT[name][1]
    rows = statements_of(Vocabulary(language(name)).lex([text]), [text], language(name))[0]
    assert "|".join(" ".join(text[row["start"] : row["end"]].decode().split()) for row in rows) == expected


def test_what_the_lexer_cannot_see_still_counts() -> None:
    def form(text: str) -> tuple[int, ...]:
        return form_of(text, "javascript", "exact")

    assert form("f(`a ${b}`)") != form("f(`a ${c}`)")
    assert form("f(`a`)") == form("f( `a` ) // same")


@pytest.mark.parametrize(
    ("name", "text", "renamed", "another"),
    [
        ("php", '$a = "n: " . $b;', '$c = "m: " . $d;', '$c = "m: " . d();'),
        ("php", "$a = $b?->size;", "$c = $d?->size;", "$c = $d?->name;"),
        ("php", "$a = $b->size;", "$c = $d->size;", "$c = $d->name;"),
        ("ruby", "a = b&.size", "c = d&.size", "c = d&.name"),
        ("dart", "a..size = 1;", "c..size = 2;", "c..name = 1;"),
        ("kotlin", "a = b?.size", "c = d?.size", "c = d?.name"),
        ("java", "a = b.size;", "c = d.size;", "c = d.name;"),
        ("cpp", "a = b->size + B::top;", "c = d->size + D::top;", "c = d->size + B::low;"),
    ],
)
def test_members_keep_their_names(name: str, text: str, renamed: str, another: str) -> None:
    pytest.importorskip(f"tree_sitter_{name}")
    form = form_of(text, name, "renamed")
    assert form_of(renamed, name, "renamed") == form
    assert form_of(another, name, "renamed") != form


def test_statements_of_broken_source() -> None:
    code = language("c")
    text = b'#include <a.h>\n#if X\nint f(int a) {\n#else\nint g(int a) {\n#endif\n  if (a) { return "}"; }\n'
    rows = statements_of(Vocabulary(code).lex([text]), [text], code)[0]
    texts = [text[row["start"] : row["end"]].decode() for row in rows]
    assert texts[:3] == ["#include <a.h>", "#if X", "int f(int a) {"]
    assert rows["role"][0] == IMPORT
    assert b"".join(text.split()) == b"".join("".join(texts).encode().split())


# --- Gates, comments, the index, formats


def test_gates_count_every_line_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(two(tmp_path, BLOCK, BLOCK))
    report = found(Path())
    assert report.copied_lines == report.copies_in().copied_lines == 8
    assert report.has_clone("T1")
    Path("base.json").write_text(report_text(report))
    assert found(Path(), baseline="base.json").classes_found == 0
    plant(tmp_path, {"three.py": "def third(q):\n    begin(q)\n" + indented(BLOCK) + "    return q.end()\n"})
    (one,) = blocks(found(Path(), baseline="base.json"))
    assert [(member.path, member.new) for member in one.members] == [
        ("one.py", False),
        ("three.py", True),
        ("two.py", False),
    ]


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_blocks_that_changed_and_who_changed_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = two(tmp_path / "tree", BLOCK, "send(mail)\n")
    git(root, "init", "--quiet", "--initial-branch=main")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Ada")
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2020-01-02T12:00:00Z")
    commit(root, {})
    monkeypatch.chdir(root)
    assert found(Path(), since="HEAD").classes_found == 0
    # The block is new in one of two old functions, of which other lines are as old as they were.
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Bob")
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2024-05-06T12:00:00Z")
    commit(two(root, BLOCK, BLOCK), {})
    (one,) = found(Path(), since="HEAD~1", blame=True).classes
    assert [(member.path, member.new, str(member.last_change)[:15]) for member in one.members] == [
        ("one.py", False, "Ada, 2020-01-02"),
        ("two.py", True, "Bob, 2024-05-06"),
    ]
    # A change beside the block is none of the block.
    (root / "two.py").write_text((root / "two.py").read_text().replace("retries=3", "retries=4"))
    assert found(Path(), since="HEAD").classes_found == 0
    (root / "two.py").write_text((root / "two.py").read_text().replace('"gift"', '"gifts"'))
    (one,) = found(Path(), since="HEAD", blame=True).classes
    last = {member.path: member.last_change for member in one.members}["two.py"]
    assert (one.kind, last and last.uncommitted) == ("block", 1)


def test_a_comment_keeps_a_block_out(tmp_path: Path) -> None:
    report = found(two(tmp_path, BLOCK, "# clonetruth: ignore\n" + BLOCK))
    assert report.classes == ()
    assert [one.count for one in report.left_out] == [1]


def test_the_index_changes_nothing(tmp_path: Path) -> None:
    two(tmp_path, BLOCK, BLOCK.replace("row", "item"))
    cold, warm = (find_clones(tmp_path, granularity="function,block,file") for _ in range(2))
    assert cold.classes == warm.classes == found(tmp_path, "function,block,file").classes
    (tmp_path / "one.py").write_text("x = 1\n")
    assert find_clones(tmp_path, granularity="function,block,file").classes == ()


def test_all_formats_print_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(two(tmp_path, BLOCK, BLOCK))
    for form in CLONE_FORMATS:
        ran = call("find", ".", "--granularity", "function,block", "--format", form, "--no-index")
        assert ran.code == 0
        assert "one.py" in ran.out, form


def test_as_a_process(tmp_path: Path) -> None:
    two(tmp_path, BLOCK, BLOCK)
    command = [
        sys.executable,
        "-m",
        "clonetruth",
        "find",
        ".",
        "--no-index",
        "--granularity",
        "block",
        "--format",
        "json",
    ]
    done = subprocess.run([*command, "--fail-on", "T1"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    (one,) = json.loads(done.stdout)["classes"]
    assert [member["kind"] for member in one["members"]] == ["block", "block"]


def test_an_unknown_granularity(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'line' is not a granularity"):
        found(tmp_path, "function,line")
