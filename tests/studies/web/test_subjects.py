"""What a judge may see of a subject."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clonetruth.store.study import Study
from clonetruth.store.votes import ItemKey, ItemKind
from clonetruth.studies.web.subject_views import SubjectViews
from clonetruth.studies.web.subjects import JudgeTask, SubjectQuestion, SubjectQuestions, uniform_layout
from tests.studies.web.sample import PROTOCOL, SECRETS, SUM_LOOP, SUM_STREAM, write_sample


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder: Path = tmp_path_factory.mktemp("studies") / "study"
    return write_sample(folder)


@pytest.fixture(scope="module")
def questions(study: Study) -> SubjectQuestions:
    return SubjectQuestions(study)


def every_question(study: Study, questions: SubjectQuestions) -> list[SubjectQuestion]:
    counts = {
        ItemKind.PAIR: study.subjects.num_rows,
        ItemKind.METHOD: study.methods.num_rows,
        ItemKind.CHECK: study.checks.num_rows,
    }
    return [
        questions.ask(ItemKey(kind, number), swapped)
        for kind, count in counts.items()
        for number in range(count)
        for swapped in (False, True)
    ]


def test_nothing_that_tells_gets_out(study: Study, questions: SubjectQuestions) -> None:
    asked = every_question(study, questions)
    assert len(asked) == 2 * (4 + 1 + 2)
    for question in asked:
        assert not any(secret in repr(question) for secret in SECRETS)


def test_sides_stand_as_they_are_asked_for(questions: SubjectQuestions) -> None:
    pair = ItemKey(ItemKind.PAIR, 0)
    assert [code.text for code in questions.ask(pair, False).codes] == [SUM_LOOP.strip(), SUM_STREAM.strip()]
    assert [code.text for code in questions.ask(pair, True).codes] == [SUM_STREAM.strip(), SUM_LOOP.strip()]


def test_a_pair_has_the_question_and_the_task_of_the_study(questions: SubjectQuestions) -> None:
    question = questions.ask(ItemKey(ItemKind.PAIR, 0), False)
    assert (question.text, question.answers) == (PROTOCOL.question, PROTOCOL.answers)
    # The check of this study has no exemplar, so no pair shows one.
    assert question.task == JudgeTask("Add numbers", "Adds them all up.")


def test_a_method_is_asked_for_its_functionality(questions: SubjectQuestions) -> None:
    question = questions.ask(ItemKey(ItemKind.METHOD, 0), False)
    assert question.text == f"Add numbers: {PROTOCOL.method_question}"
    assert question.answers == PROTOCOL.method_answers
    assert question.task == JudgeTask("Add numbers", "Adds them all up.", (SUM_LOOP,))


def test_a_check_does_not_stand_out(questions: SubjectQuestions) -> None:
    check = questions.ask(ItemKey(ItemKind.CHECK, 1), False)
    assert (check.text, check.answers) == (PROTOCOL.question, PROTOCOL.answers)
    assert check.task == JudgeTask("Give one", "Always 1.")


def test_a_repeat_is_the_pair_again(questions: SubjectQuestions) -> None:
    pair, repeat = ItemKey(ItemKind.PAIR, 1), ItemKey(ItemKind.REPEAT, 1)
    assert questions.ask(pair, True) == questions.ask(repeat, True)


CLAIMS = st.lists(
    st.tuples(st.sampled_from(["clone", "not-clone"]), st.sampled_from([None, "f1", "f2", "f3"])),
    min_size=1,
    max_size=8,
)


@given(claims=CLAIMS, checks=st.integers(0, 2))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_pages_show_only_what_all_pairs_have(study: Study, claims: list[tuple[str, str | None]], checks: int) -> None:
    """Whatever a dataset names for which pairs: which parts a page has does not depend on the pair."""
    rows = [
        {**study.subjects.to_pylist()[0], "subject": number, "label": label, "functionality": name}
        for number, (label, name) in enumerate(claims)
    ]
    known = [
        {"id": "f1", "name": "One", "specification": "Do it.", "exemplars": ["a"]},
        {"id": "f2", "name": "Two", "specification": None, "exemplars": ["b", "c"]},
        {"id": "f3", "name": "Three", "specification": "Do that.", "exemplars": []},
    ]
    changed = replace(
        study,
        subjects=pa.Table.from_pylist(rows, schema=study.subjects.schema),
        functionalities=pa.Table.from_pylist(known, schema=study.functionalities.schema),
        checks=study.checks.slice(1, 0 if not checks else 1),
    )
    asked = SubjectQuestions(changed)
    shown = set()
    for number in range(len(rows)):
        question = asked.ask(ItemKey(ItemKind.PAIR, number), False)
        task = question.task
        parts = None if task is None else (bool(task.specification), bool(task.exemplars))
        shown.add((parts, tuple(SubjectViews(question).views)))
    assert len(shown) == 1


LINES = st.lists(st.sampled_from(["", "int a;", "if (a) {", "    b();", "}", "\tc();"]), max_size=6)


@given(lines=LINES, outer=st.sampled_from(["", "  ", "    ", "\t"]), end=st.sampled_from(["\n", "\r\n", "\r"]))
def test_the_layout_does_not_tell_where_a_fragment_was_cut_out(lines: list[str], outer: str, end: str) -> None:
    plain = "\n".join(["void m() {", *(f"    {line}" if line else "" for line in lines), "}"])
    moved = [f"{outer}{line}{' ' * (number % 3)}" if line else "" for number, line in enumerate(plain.split("\n"))]
    shown = uniform_layout(plain)
    assert uniform_layout(f"{end}{end.join(moved)}{end}{end}") == shown
    # Cut out from the first character on: only the other lines are indented.
    assert uniform_layout(end.join([moved[0].strip(), *moved[1:]])) == shown
    assert shown.split() == plain.split(), "nothing but layout changes"
    assert uniform_layout(shown) == shown


def test_the_layout_keeps_the_blocks_of_python() -> None:
    text = "def f(x):\n    if x:\n        return 1\n    return 2"
    assert uniform_layout(text) == text
    assert uniform_layout(text.replace("\n", "\n    ").join(["    ", "\n"])) == text
