"""Languages of an extra, files that need another language, and files that no parser should get."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import clonetruth
from clonetruth.code import extract, language, parse
from clonetruth.code.languages import LANGUAGES, languages_of_path, missing_extra, registered_languages
from clonetruth.code.parse_guard import CostlyTextError
from clonetruth.errors import InputError, MissingExtraError, UnknownNameError

GROOVY = """
class Totals {
    static int sum(int[] values) {
        int total = 0
        for (int value : values) {
            total += value
            if (total > 1000) { total = total - 1000 }
        }
        return total
    }
}
"""
RUST = """
fn sum(values: &[i32]) -> i32 {
    let mut total = 0;
    for value in values {
        total += value;
        if total > 1000 { total -= 1000; }
    }
    total
}
"""
HOSTILE = "void x(){" + "a,/b" * 15_000
C = """
int sum(int *values, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) total += values[i];
  return total;
}
"""


@pytest.fixture
def without_rust(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the wheel of the Rust grammar were not installed."""
    (rust,) = (one for one in registered_languages() if one.name == "rust")
    missing_extra.cache_clear()
    monkeypatch.setitem(rust.__dict__, "installed", False)
    yield
    missing_extra.cache_clear()


class TestMissingGrammars:
    def test_files_are_counted_and_named(self, tmp_path: Path, without_rust: None) -> None:
        (tmp_path / "a.rs").write_text(RUST)
        (tmp_path / "a.c").write_text(C)
        report = clonetruth.find_clones(tmp_path, index=False)
        assert report.files == 1
        (omitted,) = report.left_out
        assert "pip install 'clonetruth[languages]'" in omitted.what
        assert (omitted.count, [Path(one).name for one in omitted.examples]) == (1, ["a.rs"])
        assert report.skipped == ()

    def test_asking_for_the_language_is_an_error(self, tmp_path: Path, without_rust: None) -> None:
        with pytest.raises(MissingExtraError, match="Rust") as raised:
            clonetruth.find_clones(tmp_path, language=["rust"])
        assert "pip install 'clonetruth[languages]'" in str(raised.value.hint)
        with pytest.raises(MissingExtraError):
            language("rs")

    def test_it_is_not_a_language_for_others(self, without_rust: None) -> None:
        assert "rust" not in LANGUAGES
        assert "rust" not in [*LANGUAGES]
        assert languages_of_path("a.rs") == ()
        assert [one.name for one in languages_of_path("a.rs", missing=True)] == ["rust"]

    def test_help_imports_no_grammar(self) -> None:
        code = "import sys, clonetruth; print([one for one in sys.modules if one.startswith('tree_sitter')])"
        shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert shown.stdout.strip() == "[]"


class TestLanguageMap:
    def test_a_language_without_a_grammar_is_read_like_another(self, tmp_path: Path) -> None:
        for name in ("a.groovy", "b.groovy"):
            (tmp_path / name).write_text(GROOVY)
        with pytest.raises(InputError, match="no source file"):
            clonetruth.find_clones(tmp_path, min_tokens=20, index=False)
        report = clonetruth.find_clones(tmp_path, min_tokens=20, index=False, language_map=[".groovy=java"])
        assert report.files == 2
        (found,) = report.classes
        assert [(member.name, member.language) for member in found.members] == [("Totals.sum", "java")] * 2

    def test_it_applies_to_files_given_by_name(self, tmp_path: Path) -> None:
        (tmp_path / "a.groovy").write_text(GROOVY)
        assert clonetruth.find_clones(tmp_path / "a.groovy", index=False, language_map=["groovy=java"]).files == 1

    @pytest.mark.parametrize("wrong", ["groovy", "=java", ".groovy=", "a.b=java"])
    def test_what_is_not_a_map_is_refused(self, tmp_path: Path, wrong: str) -> None:
        with pytest.raises(InputError, match="does not map"):
            clonetruth.find_clones(tmp_path, language_map=[wrong])

    def test_an_unknown_language_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(UnknownNameError, match="groovy"):
            clonetruth.find_clones(tmp_path, language_map=[".groovy=groovy"])


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
class TestHostileFiles:
    @pytest.mark.parametrize("end", ["/* ; */", "\n// ;", "]", "\n#endif"])
    def test_nothing_at_its_end_hides_it(self, end: str) -> None:
        with pytest.raises(CostlyTextError):
            parse(HOSTILE + end, language("c"))

    def test_a_hostile_file_is_named_and_the_others_are_searched(self, tmp_path: Path) -> None:
        (tmp_path / "hostile.c").write_text(HOSTILE)
        for name in ("a.c", "b.c"):
            (tmp_path / name).write_text(C)
        # A run that needs the memory dies here.
        code = (
            "import clonetruth, sys\n"
            "from pathlib import Path\n"
            "report = clonetruth.find_clones(sys.argv[1], min_tokens=20, index=False, processes=1)\n"
            # Not by getrusage, which begins with the memory of the process that starts this one.
            "peak = int(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0]) // 1024\n"
            "print(len(report.classes), report.files, [(one.path, one.why) for one in report.skipped], peak)\n"
        )
        shown = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
        ).stdout.split(" ", 2)
        assert shown[:2] == ["1", "2"]
        assert "hostile.c" in shown[2]
        assert "too much memory" in shown[2]
        assert int(shown[2].rsplit(" ", 1)[1]) < 500

    def test_a_long_table_without_an_end_is_read(self) -> None:
        text = "int table[] = " + "{1, 2}, " * 500 + "3, 4, " * 2_000
        assert len(parse(text, language("c")).source) == len(text)

    def test_objective_c_too(self) -> None:
        pytest.importorskip("tree_sitter_objc")
        with pytest.raises(CostlyTextError):
            parse(HOSTILE, language("objc"))


class TestHeadersAndSources:
    HEADER = """
#ifndef SUM_H
#define SUM_H
namespace sums {
int declared(const int* values, int n);
inline int sum(const int* values, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) total += values[i];
  return total;
}
}
#endif
"""
    SOURCE = """
#include "sum.h"
namespace sums {
int declared(const int* values, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) total += values[i];
  return total;
}
}
"""

    def test_a_copy_in_a_header_is_found_and_a_declaration_is_none(self, tmp_path: Path) -> None:
        (tmp_path / "sum.h").write_text(self.HEADER)
        (tmp_path / "sum.cc").write_text(self.SOURCE)
        report = clonetruth.find_clones(tmp_path, min_tokens=20, index=False)
        assert report.functions == 2
        (found,) = report.classes
        assert {(Path(one.path).name, one.name, one.language) for one in found.members} == {
            ("sum.cc", "sums.declared", "cpp"),
            ("sum.h", "sums.sum", "cpp"),
        }


@pytest.mark.parametrize("macro", ["NS_ASSUME_NONNULL_BEGIN", "  CF_IGNORE_DEPRECATION_BEGIN ", "A_BEGIN\r"])
@pytest.mark.parametrize("above", ["", "#import <A.h>\n", "@protocol P\n@end\n", "static int x = 1;\n"])
def test_a_class_behind_a_macro_of_objective_c_is_found(above: str, macro: str) -> None:
    pytest.importorskip("tree_sitter_objc")
    code = (
        "@implementation A\n\nconst int B = 1;\n\n- (int)two:(int)x\n{\n  return x;\n}\n@end\n\nNS_ASSUME_NONNULL_END\n"
    )
    found = extract(f"{above}{macro}\n\n{code}", language("objc"))
    first = 6 + above.count("\n") + 1
    assert [(one.qualified_name, one.first_line, one.last_line) for one in found.functions] == [
        ("A.two", first, first + 3)
    ]
