"""Predictions against a file of answers, as CodeXGLUE's evaluator compares them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.evaluate.pairs.answers import UNKNOWABLE, evaluate_answers
from clonetruth.evaluate.pairs.options import Missing, PairsOptions
from clonetruth.store.results import Result, read_result, write_result


def evaluated(folder: Path, predictions: str, answers: str, options: PairsOptions | None = None) -> Result:
    (folder / "tool.tsv").write_text(predictions, encoding="utf-8")
    (folder / "answers.txt").write_text(answers, encoding="utf-8")
    return evaluate_answers(folder / "tool.tsv", folder / "answers.txt", options)


def value(result: Result, name: str) -> float | None:
    found = result.measurement(name)
    assert found is not None, name
    return found.value


def test_the_evaluators_own_example(shared_data: Path) -> None:
    """CodeXGLUE's page prints recall 0.25, precision 0.5 and F1 0.33 for its toy files, though no answer is a clone."""
    folder = shared_data / "bigclonebench" / "codexglue"
    result = evaluate_answers(folder / "evaluator_predictions.txt", folder / "evaluator_answers.txt")
    assert value(result, "class-macro-recall") == 0.25
    assert value(result, "class-macro-precision") == 0.5
    assert value(result, "class-macro-f1") == pytest.approx(1 / 3)
    assert value(result, "recall") is None
    assert "No pair that counts is a clone: recall and precision mean nothing." in result.warnings


def test_the_real_test_list_against_itself(shared_data: Path) -> None:
    file = shared_data / "bigclonebench" / "codexglue" / "test_sampled.txt"
    result = evaluate_answers(file, file, name="oracle")
    assert (result.detector, result.policy.counted, value(result, "f1")) == ("oracle", 4_000, 1.0)
    recall = result.measurement("recall")
    assert recall is not None
    assert "by fragment" in (recall.method or "")
    (yes,) = result.baselines
    assert {one.name: one.value for one in yes.measurements}["precision"] == 0.5


def test_notes_say_what_is_unknown(tmp_path: Path) -> None:
    result = evaluated(tmp_path, "1\t2\t1\n", "1\t2\t1\n3\t4\t0\n")
    assert (result.policy.name, result.policy.criterion) == ("answers-file", None)
    assert result.notes[1:] == UNKNOWABLE
    assert result.benchmark.content_hash is None
    assert result.benchmark.version is not None
    assert result.strata == ()
    assert "1 pairs with a verdict have no prediction; they are left out of every number." in result.warnings
    assert read_result(write_result(result, tmp_path / "result.json")) == result


def test_pairs_meet_in_either_order_and_repeats_count_once(tmp_path: Path) -> None:
    result = evaluated(tmp_path, "2\t1\t1\n9\t8\t1\n4\t3\t1\n", "1\t2\t1\n1\t2\t1\n3\t4\t0\n")
    assert result.policy.counted == 2
    assert value(result, "precision") == 0.5
    stray = "1 predictions, the first on line 2, are for pairs without an answer; they are not counted."
    assert stray in result.warnings


def test_strict_refuses_rows_that_cannot_be_used(tmp_path: Path) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text("left,right,label\n1,2,1\n3,4,0\n")
    predictions = tmp_path / "tool.csv"
    for bad, reason in (
        ("3,4,nan", "the score is not a finite number"),
        ("8,9,0.5", "1 predictions are for pairs without an answer"),
    ):
        predictions.write_text(f"left,right,score\n1,2,0.9\n{bad}\n")
        with pytest.raises(InputError, match=reason) as caught:
            evaluate_answers(predictions, answers, strict=True)
        assert str(caught.value.where).endswith("tool.csv:3")
        assert any("on line 3" in text for text in evaluate_answers(predictions, answers).warnings)
    predictions.write_text("left,right,score\n1,2,nan\n3,4,\n")
    with pytest.raises(InputError, match="no usable prediction"):
        evaluate_answers(predictions, answers)


def test_contradicting_answers_are_unknown(tmp_path: Path) -> None:
    result = evaluated(tmp_path, "1\t2\t1\n3\t4\t0\n", "1\t2\t1\n2\t1\t0\n3\t4\t0\n")
    assert (result.policy.counted, result.policy.unknown) == (1, 2)
    assert "2 answers contradict another one for their pair; they are not counted." in result.warnings


def test_scores_need_a_threshold_for_decisions(tmp_path: Path) -> None:
    scores, answers = "1\t2\t0.9\n3\t4\t0.2\n5\t6\t0.6\n", "1\t2\t1\n3\t4\t0\n5\t6\t0\n"
    ranked = evaluated(tmp_path, scores, answers)
    assert [one.name for one in ranked.headline][:3] == ["roc-auc", "average-precision", "ece"]
    assert ranked.measurement("f1") is None
    assert ranked.baselines == ()
    decided = evaluated(tmp_path, scores, answers, PairsOptions(threshold=0.5))
    assert value(decided, "precision") == 0.5


def test_bad_input_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No pair with a verdict has a prediction"):
        evaluated(tmp_path, "1\t2\t1\n", "3\t4\t0\n")
    with pytest.raises(InputError, match="1 of 2 pairs with a verdict have no prediction"):
        evaluated(tmp_path, "1\t2\t1\n", "1\t2\t1\n3\t4\t0\n", PairsOptions(missing=Missing.REFUSE))
    with pytest.raises(InputError, match="no scores"):
        evaluated(tmp_path, "1\t2\t1\n", "1\t2\t1\n", PairsOptions(threshold=0.5))
    (tmp_path / "scores.csv").write_text("left,right,score\n1,2,0.5\n", encoding="utf-8")
    with pytest.raises(InputError, match="answers are not decisions"):
        evaluate_answers(tmp_path / "tool.tsv", tmp_path / "scores.csv")


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12))
def test_class_macro_is_what_the_evaluator_computes(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[bool, bool]]
) -> None:
    """Scikit-learn's macro average, written out: each class in turn is the positive one, and 0/0 is 0."""
    lines = [[f"a{row}\tb{row}\t{int(pair[side])}\n" for row, pair in enumerate(rows)] for side in (0, 1)]
    result = evaluated(tmp_path_factory.mktemp("answers"), "".join(lines[0]), "".join(lines[1]))
    classes = sorted({label for row in rows for label in row})
    f1s = []
    for sought in classes:
        tp = sum(predicted == truth == sought for predicted, truth in rows)
        wrong = sum((predicted == sought) != (truth == sought) for predicted, truth in rows)
        f1s.append(2 * tp / (2 * tp + wrong))
    assert value(result, "class-macro-f1") == pytest.approx(sum(f1s) / len(f1s))
