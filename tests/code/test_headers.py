"""Headers named `.h`: C or C++, as their text and the project around them say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import clonetruth
from clonetruth.code import DiscoveryOptions, discover, language, parse
from clonetruth.code.headers import _is_only_cpp
from clonetruth.errors import InputError
from clonetruth.find import find_clones
from tests.cli.running import run
from tests.find.clone_trees import plant

GUARDED = """#ifndef LIST_H
#define LIST_H
#include <stddef.h>
/* A class of lists: std::list would be the template <class T> of it. */
#ifdef __cplusplus
extern "C" {
namespace c_api {
#endif
struct node { struct node *next; unsigned private : 1; int class; };
#if defined(__cplusplus)
}
}
#else
typedef struct node *list;
#endif
static inline int length(const struct node *first) {
    int count = 0;
    for (const struct node *at = first; at != NULL; at = at->next) {
        count += 1;
    }
    return count;
}
#endif
"""
"""C that C++ can include; words of C++ are in comments, guards and names only."""

PLAIN = "int twice(int x);\nstruct pair { int left; int right; };\n"
"""C and C++ alike."""

CACHE = """#ifndef CACHE_H_
#define CACHE_H_
#include "slice.h"
namespace store {
class Cache {
 public:
  Cache() = default;
  virtual ~Cache();
  virtual Handle* Insert(const Slice& key, void* value) = 0;
  bool empty() const { return size_ == 0; }
  void clear() {
    data_ = "";
    size_ = 0;
  }

 private:
  const char* data_;
  size_t size_;
};
inline bool operator==(const Cache& x, const Cache& y) { return x.size() == y.size(); }
}  // namespace store
#endif
"""
METHODS = "struct Point {\n  int x;\n  int doubled() const { return 2 * x; }\n  void clear() { x = 0; }\n};\n"
"""C++ without a word that only C++ has."""

C_SOURCE = '#include "list.h"\nint main(void) { return length(0); }\n'
CPP_SOURCE = '#include "store/cache.h"\nint main() { store::Cache c; return c.empty(); }\n'


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches of a test keep their index to themselves."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


def languages(root: Path, *chosen: str) -> dict[str, str]:
    found = discover([root], DiscoveryOptions(languages=chosen))
    return {file.path.relative_to(root).as_posix(): file.language for file in found.files}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({"src/a.c": C_SOURCE, "include/list.h": GUARDED}, {"include/list.h": "c"}, id="C"),
        pytest.param({"src/a.cc": CPP_SOURCE, "include/p.h": PLAIN}, {"include/p.h": "cpp"}, id="C++"),
        pytest.param({"a.cc": CPP_SOURCE, "store/cache.h": CACHE}, {"store/cache.h": "cpp"}, id="C++ text"),
        pytest.param({"store/cache.h": CACHE, "list.h": GUARDED}, {"store/cache.h": "cpp", "list.h": "c"}, id="alone"),
        pytest.param({"p.h": METHODS}, {"p.h": "cpp"}, id="by the grammar"),
        pytest.param({"a.c": C_SOURCE, "cache.h": CACHE}, {"cache.h": "cpp"}, id="C++ text among C"),
        pytest.param({"a.py": "x = 1\n", "p.h": PLAIN}, {"p.h": "c"}, id="nothing known"),
        pytest.param(
            {"core/a.c": C_SOURCE, "core/p.h": PLAIN, "gui/b.cpp": CPP_SOURCE, "gui/q.h": PLAIN},
            {"core/p.h": "c", "gui/q.h": "cpp"},
            id="the nearest folder",
        ),
        pytest.param(
            {
                "a.c": '#include "list.h"\n',
                "b.cpp": '#include "list.h"\n#include <other.h>\n',
                "list.h": '#include "inner.h"\n',
                "inner.h": PLAIN,
                "other.h": PLAIN,
                "user.h": '#include "x/cache.h"\n' + PLAIN,
                "x/cache.h": CACHE,
            },
            {"list.h": "c", "inner.h": "c", "other.h": "cpp", "user.h": "cpp", "x/cache.h": "cpp"},
            id="who includes it, and what it includes",
        ),
    ],
)
def test_the_project_around_a_header_decides(files: dict[str, str], expected: dict[str, str], tmp_path: Path) -> None:
    found = languages(plant(tmp_path, files))
    assert {name: own for name, own in found.items() if name.endswith(".h")} == expected


WORDS = ["class", "new", "template", "public", "private", "operator", "namespace", "using", "virtual", "delete", "this"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True),
    remark=st.sampled_from(
        ["class X : public Y {", "template <class T>", "std::vector<int>", 'extern "C" {', "#endif"]
    ),
    guarded=st.booleans(),
)
def test_a_header_of_pure_c_in_a_c_project_stays_c(
    words: list[str], remark: str, guarded: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Names, comments and strings may use the words of C++, and guarded lines all of it."""
    members = "".join(f"    int {word};\n    unsigned {word}_bits : 3;\n" for word in words)
    body = "".join(f"    total += it->{word} ? it->{word} : delete (it);\n" for word in words)
    text = f"/* {remark.replace('*/', '')} */\nstruct s {{\n{members}}};\n"
    text += '#ifdef __cplusplus\nclass X { public: X(); };\nextern "C" {\n#endif\n' if guarded else ""
    text += f"static int sum(struct s *it) {{ // {remark}\n    int total = 0;\n{body}    return total;\n}}\n"
    text += '#define REMARK "' + remark.replace('"', "") + '"\n'
    root = plant(tmp_path_factory.mktemp("c"), {"src/a.c": "int f(void) { return 1; }\n", "include/s.h": text})
    assert languages(root)["include/s.h"] == "c"
    assert not _is_only_cpp(text.encode())


# --- what follows from it


def test_functions_of_headers_are_those_of_their_language(tmp_path: Path) -> None:
    plant(tmp_path, {"a.cc": CPP_SOURCE, "store/cache.h": CACHE})
    names = {function.qualified_name for file in clonetruth.extract_functions(tmp_path) for function in file.functions}
    assert {"store.Cache.empty", "store.Cache.clear", "store.operator=="} <= names
    assert find_clones([tmp_path]).functions == len(names)
    alone = clonetruth.tokenize_code(tmp_path / "store" / "cache.h")
    assert "keyword" in {token.kind.name.lower() for token in alone if token.text == "namespace"}


def test_a_language_overrides(tmp_path: Path) -> None:
    plant(tmp_path, {"a.c": C_SOURCE, "p.h": PLAIN, "b.py": "x = 1\n", "c.weird": PLAIN})
    assert languages(tmp_path) == {"a.c": "c", "p.h": "c", "b.py": "python"}
    found = discover([tmp_path], DiscoveryOptions(languages=("c++",)))
    assert [(file.path.name, file.language) for file in found.files] == [("p.h", "cpp")]
    assert {why: len(names) for why, names in found.left_out.items()} == {"files in other languages": 2}
    assert languages(tmp_path, "c", "cpp") == {"a.c": "c", "p.h": "c"}, "of several, the project decides"
    named = discover([tmp_path / "c.weird", tmp_path / "a.c"], DiscoveryOptions(languages=("cpp",)))
    assert [file.language for file in named.files] == ["cpp", "cpp"]
    extracted = clonetruth.extract_functions(tmp_path, language="cpp")
    assert [(file.path.name, file.language) for file in extracted] == [("p.h", "cpp")]


def test_a_header_that_changes_its_language_is_read_again(tmp_path: Path) -> None:
    """The index must not remember the functions of the other language."""
    body = GUARDED.replace("length", "size_of")
    tree = plant(tmp_path, {"one.h": GUARDED, "two.h": body, "a.c": C_SOURCE})
    for path in tree.iterdir():
        path.touch()

        os.utime(path, (1, 1))
    before = find_clones([tree], min_tokens=20)
    (tree / "a.c").rename(tree / "a.cpp")
    after = find_clones([tree], min_tokens=20)
    assert {member.language for one in before.classes for member in one.members} == {"c"}
    assert {member.language for one in after.classes for member in one.members} == {"cpp"}


PROSE = (
    "This is a text. It has words, and (sometimes) brackets; nothing else.\nWe wrote it for people: 'now' and then.\n"
)


@pytest.mark.parametrize("name", ["a.py", "a.c", "a.h", "a.cpp", "A.java", "a.js", "a.ts", "a.go", "A.cs"])
def test_a_file_that_mostly_does_not_parse_is_reported(name: str, tmp_path: Path) -> None:
    plant(
        tmp_path,
        {name: PROSE * 20, "sound.py": "def f(x):\n    return x\n", "B.java": "class B { int f() { return 1; } }\n"},
    )
    for _ in range(2):  # the second time from the index
        (broken,) = find_clones([tmp_path]).unparsed
        assert (Path(broken.path).name, round(broken.share, 1)) == (name, 1.0)
    with pytest.raises(InputError, match="could mostly not be parsed"):
        find_clones([tmp_path], strict=True)


def test_the_report_of_a_broken_file_is_printed_and_stored(tmp_path: Path) -> None:
    plant(tmp_path, {"notes.c": PROSE * 20, "b.c": "int f(void) { return 1; }\nint g( {\n"})
    ran = run("find", ".", "--json", cwd=tmp_path)
    assert "1 file is mostly broken, or in another language" in ran.err
    assert "notes.c: 100% of its lines do not parse as c" in ran.err
    assert ran.json["unparsed"] == [{"path": "notes.c", "language": "c", "share": 1.0}]
    located = run("find", ".", "--format", "sarif", cwd=tmp_path).json["runs"][0]["invocations"][0]
    assert "do not parse" in located["toolExecutionNotifications"][0]["message"]["text"]


def test_broken_lines_are_counted() -> None:
    sound = "int f(int a) {\n  if (a) {\n    return g(a);\n  }\n  return 2;\n}\n" * 10
    assert parse(sound, language("c")).broken_share == 0
    assert 0 < parse(sound + "int h( {\n", language("c")).broken_share < 0.1
    assert parse(CACHE, language("cpp")).broken_share < parse(CACHE, language("c")).broken_share
    assert parse("", language("c")).broken_share == 0
