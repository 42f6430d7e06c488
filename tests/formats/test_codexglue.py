"""CodeXGLUE's lists, as its evaluator reads them."""

from __future__ import annotations

from pathlib import Path

from clonetruth.formats.codexglue import LabelledPair, read_labels


def rows(path: Path) -> tuple[list[LabelledPair], list[int]]:
    bad: list[int] = []
    return list(read_labels(path, lambda line, why: bad.append(line))), bad


def test_last_line_without_a_line_break(tmp_path: Path) -> None:
    file = tmp_path / "answers.txt"
    file.write_bytes(b"13653451\t21955002\t0\r\n1188160\t8831513\t1")
    assert rows(file) == (
        [LabelledPair("13653451", "21955002", False, 1), LabelledPair("1188160", "8831513", True, 2)],
        [],
    )


def test_bad_rows_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "predictions.txt"
    file.write_bytes(b"1\t2\t1\n1\t2\n\n1\t2\t5\n\t2\t1\n1 2 0\n\xff\xfe\n")
    good, bad = rows(file)
    assert [(row.left, row.right, row.clone, row.line) for row in good] == [("1", "2", True, 1), ("1", "2", False, 6)]
    assert bad == [2, 4, 5, 7]


def test_the_evaluators_toy_files(shared_data: Path) -> None:
    folder = shared_data / "bigclonebench" / "codexglue"
    answers, bad = rows(folder / "evaluator_answers.txt")
    predictions, also_bad = rows(folder / "evaluator_predictions.txt")
    assert (len(answers), len(predictions), bad, also_bad) == (4, 4, [], [])
    assert [row[:2] for row in answers] == [row[:2] for row in predictions]
