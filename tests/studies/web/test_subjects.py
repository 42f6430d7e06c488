"""What a judge may see of a subject."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.store.study import Study
from clonetruth.store.votes import ItemKey, ItemKind
from clonetruth.studies.web.subjects import JudgeTask, SubjectQuestion, SubjectQuestions
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
    assert [code.text for code in questions.ask(pair, False).codes] == [SUM_LOOP, SUM_STREAM]
    assert [code.text for code in questions.ask(pair, True).codes] == [SUM_STREAM, SUM_LOOP]


def test_a_pair_has_the_question_and_the_task_of_the_study(questions: SubjectQuestions) -> None:
    question = questions.ask(ItemKey(ItemKind.PAIR, 0), False)
    assert (question.text, question.answers) == (PROTOCOL.question, PROTOCOL.answers)
    assert question.task == JudgeTask("Add numbers", "Adds them all up.", (SUM_LOOP,))


def test_a_method_is_asked_for_its_functionality(questions: SubjectQuestions) -> None:
    question = questions.ask(ItemKey(ItemKind.METHOD, 0), False)
    assert question.text == f"Add numbers: {PROTOCOL.method_question}"
    assert question.answers == PROTOCOL.method_answers


def test_a_check_does_not_stand_out(questions: SubjectQuestions) -> None:
    check = questions.ask(ItemKey(ItemKind.CHECK, 1), False)
    assert (check.text, check.answers) == (PROTOCOL.question, PROTOCOL.answers)
    assert check.task == JudgeTask("Give one", "Always 1.")
    assert check.has_tasks
