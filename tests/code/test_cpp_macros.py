"""Functions that macros name or annotate."""

from __future__ import annotations

import pytest

from clonetruth.code import extract, language

ANNOTATED = """
Status DBImpl::Recover(Edit* edit, bool* save) EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
  return Status();
}
void Plain() NO_THREAD_SAFETY_ANALYSIS {
  run();
}
class A {
  void Inline(int a) LOCKS_EXCLUDED(mu_, other(1)) { x = a; }
  void Locked() const ABSL_SHARED_LOCKS_REQUIRED(mu_) override { x = 1; }
  void Modern() REQUIRES(mu_)
  { x = 2; }
  int b GUARDED_BY(mu_) = 0;
};
"""


def test_thread_annotations_do_not_name_functions() -> None:
    found = extract(ANNOTATED, language("cpp"))
    assert found.problems == ()
    assert [(one.qualified_name, one.first_line) for one in found.functions] == [
        ("DBImpl.Recover", 2),
        ("Plain", 5),
        ("A.Inline", 9),
        ("A.Locked", 10),
        ("A.Modern", 11),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "#define GUARDED_BY(x) __attribute__((guarded_by(x)))\n",
        "void f() { if (a) RELEASE(b); }\n",
        "void f() { ACQUIRE(b); }\n",
    ],
)
def test_other_uses_of_these_names_stay(text: str) -> None:
    assert extract(text, language("cpp")).parsed.source.decode() == text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("TEST(Coding, Fixed32) { run(); }", "Coding.Fixed32"),
        ("TEST_F(DBTest, Empty) { run(); }", "DBTest.Empty"),
        ("TEST_P(DBTest, Each) { run(); }", "DBTest.Each"),
        ("TYPED_TEST(Typed, Works) { run(); }", "Typed.Works"),
        ("namespace n { TEST_F(A, B) { run(); } }", "n.A.B"),
        ("int TESTING(A b, C d) { return 1; }", "TESTING"),
        ("void test(A b, C d) { }", "test"),
    ],
)
def test_tests_have_the_names_of_their_suite_and_case(text: str, name: str) -> None:
    found = extract(text, language("cpp"))
    assert [one.qualified_name for one in found.functions] == [name]
