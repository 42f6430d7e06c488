"""Functions that macros name or annotate."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.code import extract, language
from clonetruth.code.languages import cpp

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


BETWEEN_DECLARATIONS = """
namespace absl {
ABSL_NAMESPACE_BEGIN
namespace internal {  // deep
template <typename T>
ABSL_ATTRIBUTE_NOINLINE
int first(T a) { return 1; }
}  // namespace internal
class Q_CORE_EXPORT Widget final : public Base {
  Q_OBJECT
  Q_PROPERTY(QString name READ name WRITE setName NOTIFY changed(QString))
 public:
  Q_DISABLE_COPY(Widget)
  Widget()
      : a(1) {}
  int second() const {
    LOG_ENTRY
    return 2;
  }
};
struct ABSL_ALIGNED(8) Pair { int third() { return 3; } };
ABSL_NAMESPACE_END
}  // namespace absl
BOOST_FIXTURE_TEST_SUITE(suite, Fixture)
#define LONELY_NAME
QT_BEGIN_NAMESPACE

int fourth() { return 4; }
QT_END_NAMESPACE
"""


def test_macros_between_declarations_are_not_types() -> None:
    found = extract(BETWEEN_DECLARATIONS, language("cpp"))
    assert [(one.qualified_name, one.first_line, one.last_line) for one in found.functions] == [
        ("absl.internal.first", 7, 7),
        ("absl.Widget.Widget", 14, 15),
        ("absl.Widget.second", 16, 19),
        ("absl.Pair.third", 21, 21),
        ("fourth", 28, 28),
    ]
    assert "LOG_ENTRY" in found.functions[2].text, "a statement"
    assert found.parsed.source.count(b"\n") == BETWEEN_DECLARATIONS.count("\n")
    assert len(found.parsed.source) == len(BETWEEN_DECLARATIONS)


@pytest.mark.parametrize(
    "text",
    [
        "enum Kind {\n  FIRST_KIND\n};\n",
        "DWORD_PTR\nread(int a)\n{ return a; }\n",
        "BOOST_AUTO_TEST_CASE(name)\n{ run(); }\n",
        "int a =\nSOME_VALUE\n;\n",
        "class SOME_CLASS {\n  SOME_CLASS()\n  : a(1) {}\n  SOME_CLASS(int a)\n  noexcept { }\n};\n",
        "void f() {\n  BEGIN_BLOCK\n  if (a) return;\n  END_BLOCK\n}\n",
        'const char* text = R"x(\nSOME_WORD\nint)x";\n',
        "struct POINT a;\nclass LONGNAME { };\n",
        "/*\nSOME_WORD\nint */ int a;\n",
    ],
)
def test_other_names_in_capitals_stay(text: str) -> None:
    assert extract(text, language("cpp")).parsed.source.decode() == text


_PIECES = [
    "void f()",
    ") ",
    "\n",
    ")",
    "LOCKS_EXCLUDED(mu)",
    "ABSL_GUARDED_BY(a(b))",
    "REQUIRES(x)",
    "RELEASE(x) {",
    "{",
    "NO_THREAD_SAFETY_ANALYSIS",
    "x",
    "A_",
    "_",
    "define ",
    "(",
    "ASSERT_SHARED_LOCK()",
    " REQUIRES_SHARED(m)",
    "BLOCK",
    "()",
    "TRY_ACQUIRE(true, mu)",
    "EXCLUSIVE_LOCK_FUNCTION()",
    ";",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=9))
@settings(max_examples=500)
def test_annotations_are_found_where_their_names_are(pieces: list[str]) -> None:
    source = "".join(pieces).encode()
    everywhere = cpp._ANNOTATION.sub(lambda match: match[0].translate(cpp._NOT_BREAKS), source)
    assert cpp.without_annotations(source) == everywhere
