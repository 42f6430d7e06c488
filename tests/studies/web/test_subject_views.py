"""Views of a subject: which there are, and what stands in them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clonetruth.studies.web.subject_views import SubjectViews
from clonetruth.studies.web.subjects import CodeText, JudgeTask, SubjectQuestion

PAIR = SubjectQuestion(
    text="Are they clones?",
    answers=("clone", "not-clone"),
    codes=(CodeText("int a = 1; // one", "java"), CodeText("int b = 2;", "java")),
    task=JudgeTask("Count", None, ("int c = 3;",)),
    definition="",
    has_forms=True,
)


@pytest.mark.parametrize(
    ("question", "views"),
    [
        (PAIR, "fragments differences forms specification protocol"),
        (replace(PAIR, codes=PAIR.codes[:1]), "fragments forms specification protocol"),
        (
            replace(PAIR, codes=(PAIR.codes[0], CodeText("X.", ""))),
            "fragments differences forms specification protocol",
        ),
        (replace(PAIR, has_forms=False), "fragments differences specification protocol"),
        (replace(PAIR, task=None), "fragments differences forms protocol"),
    ],
    ids=["pair", "method", "no language", "no known language in the study", "no functionality"],
)
def test_each_kind_of_subject_has_its_views(question: SubjectQuestion, views: str) -> None:
    assert [name for name, _, _ in SubjectViews(question).views] == views.split()


def test_normal_forms_leave_out_more_and_more() -> None:
    forms = SubjectViews(PAIR).forms
    assert [name for name, _, _ in forms] == ["type-1", "type-2-consistent", "type-2-blind"]
    assert all("// one" not in drawing for _, _, drawing in forms)
    assert "2 changed" not in forms[0][2]
    assert "1 the same, 0 changed" in forms[2][2]


def test_languages_without_normal_forms_say_so() -> None:
    subject = SubjectViews(replace(PAIR, codes=(PAIR.codes[0], CodeText("X.", "cobol"))))
    assert subject.forms == []
    assert subject.languages == "java and cobol"


def test_a_text_without_a_language_is_shown_plain() -> None:
    ((title, _, lines),) = SubjectViews(replace(PAIR, codes=(CodeText("a < b\nc", ""),))).fragments
    assert (title, [str(line) for line in lines]) == ("Method", ["a &lt; b", "c"])


def test_a_protocol_without_a_definition_shows_the_question() -> None:
    assert "Are they clones?" in SubjectViews(PAIR).definition


def test_links_of_a_definition_cannot_run_scripts() -> None:
    drawn = SubjectViews(replace(PAIR, definition="[a](javascript:alert(1)) <script>b</script>")).definition
    assert "href" not in drawn
    assert "<script>" not in drawn
