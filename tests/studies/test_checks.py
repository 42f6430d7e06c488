"""Training and attention pairs: from the study's own population, and repeats where nothing is settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from clonetruth.errors import InputError
from clonetruth.model import Judge, JudgeKind, Judgement
from clonetruth.sources import embedded
from clonetruth.store import Benchmark
from clonetruth.store.study import Study
from clonetruth.store.study_tables import CheckKind
from clonetruth.studies import PopulationDesign, SampleDesign, choose_protocol, draw_study
from tests.studies.example_studies import labelled_benchmark

CRITERION = "same-main-purpose"


def protocol(folder: Path, training: int, attention: int, criterion: str = CRITERION, more: str = "") -> str:
    file = folder / f"protocol-{training}-{attention}.toml"
    counts = f"training = {training}\nattention = {attention}\n{more}"
    file.write_text(f'name = "mine"\ncriterion = "{criterion}"\nquestion = "Same?"\n{counts}', encoding="utf-8")
    return str(file)


def draw(benchmark: Benchmark, path: Path, chosen: str, known: Benchmark | None = None, **options: Any) -> Study:
    where = str(options.pop("where", "1 = 1"))
    design = SampleDesign(choose_protocol(chosen), PopulationDesign(where=where), **{"size": 20, **options})
    return draw_study(benchmark, path, design, known=known)


def judged(path: Path, answers: Mapping[str, Mapping[int, str]]) -> Benchmark:
    """A benchmark in which people have judged pairs."""
    benchmark = labelled_benchmark(path)
    judges = [Judge(name, JudgeKind.PERSON, name) for name in answers]
    benchmark.append_judgements(
        judges,
        [
            Judgement(name, CRITERION, value, pair=pair)
            for name, given in answers.items()
            for pair, value in given.items()
        ],
    )
    return benchmark


def test_checks_are_settled_pairs_of_the_population_that_were_not_drawn(tmp_path: Path) -> None:
    agreed = {pair: "clone" if pair % 2 else "not-clone" for pair in range(50)}
    # Ann alone speaks of the last pairs, and nobody agrees with her on pair 0.
    ann = {**agreed, 0: "clone", **dict.fromkeys(range(50, 60), "clone")}
    benchmark = judged(tmp_path / "benchmark", {"ann": ann, "bob": agreed})
    study = draw(benchmark, tmp_path / "study", protocol(tmp_path, 3, 6), where="pair < 40 OR pair >= 50")
    rows = study.checks.to_pylist()
    assert [row["kind"] for row in rows] == [CheckKind.TRAINING] * 3 + [CheckKind.ATTENTION] * 6
    for row in rows:
        assert 0 < row["pair"] < 40, "settled, and in the population"
        assert row["expected"] == agreed[row["pair"]]
        assert row["functionality_id"] == "copy"
        assert row["feedback"] == "2 of 2 judgements that count agree."
    pairs = [row["pair"] for row in rows]
    assert len(set(pairs)) == 9
    assert not set(pairs) & set(study.subjects["pair"].to_pylist())
    assert Counter(row["expected"] for row in rows[3:]) == {"clone": 3, "not-clone": 3}
    assert (study.plan.protocol.attention, study.plan.protocol.repeats) == (6, 0)


def test_checks_have_the_functionalities_of_the_subjects(tmp_path: Path) -> None:
    everything = dict.fromkeys(range(60), "clone")
    benchmark = judged(tmp_path / "benchmark", {"ann": everything, "bob": everything})
    # Only ten of the sixty pairs are in the functionality 'hash': checks follow the subjects, not the benchmark.
    study = draw(benchmark, tmp_path / "study", protocol(tmp_path, 0, 5), where="functionality = 'hash'", size=5)
    assert set(study.checks["functionality_id"].to_pylist()) == {"hash"}


def test_without_settled_pairs_judges_see_pairs_twice(tmp_path: Path) -> None:
    study = draw(
        labelled_benchmark(tmp_path / "benchmark"), tmp_path / "study", protocol(tmp_path, 0, 6, more="repeats = 2")
    )
    assert study.checks.num_rows == 0
    assert (study.plan.protocol.attention, study.plan.protocol.repeats) == (0, 8)


def test_training_may_come_from_the_embedded_benchmark_but_attention_never(tmp_path: Path) -> None:
    benchmark = labelled_benchmark(tmp_path / "benchmark")
    chosen = protocol(tmp_path, 3, 4)
    with pytest.raises(InputError, match="no benchmark with known answers"):
        draw(benchmark, tmp_path / "study", chosen)
    study = draw(benchmark, tmp_path / "study", chosen, known=embedded.build(tmp_path / "embedded"))
    rows = study.checks.to_pylist()
    assert [row["kind"] for row in rows] == [CheckKind.TRAINING] * 3
    assert Counter(row["expected"] for row in rows) == {"clone": 2, "not-clone": 1}
    assert {row["left_language"] for row in rows} == {"java"}
    assert all(row["feedback"].endswith(".") and row["left_text"] != row["right_text"] for row in rows)
    assert study.plan.protocol.repeats == 4


def test_other_criteria_have_no_training_pairs_elsewhere(tmp_path: Path) -> None:
    benchmark = labelled_benchmark(tmp_path / "benchmark")
    with pytest.raises(InputError, match="Too few pairs with a known answer to 'textual'"):
        draw(benchmark, tmp_path / "study", protocol(tmp_path, 2, 0, "textual"))
    assert not (tmp_path / "study").exists()


def test_a_gold_file_names_pairs_of_the_population(tmp_path: Path) -> None:
    benchmark = labelled_benchmark(tmp_path / "benchmark")
    file = tmp_path / "gold.csv"
    names = [(f"copy-{left}", f"copy-{right}") for left in range(10) for right in range(left)]
    lines = [
        f"{left},{right},{'clone' if number % 2 else 'not-clone'},Because."
        for number, (left, right) in enumerate(names)
    ]
    file.write_text("left,right,answer,reason\n" + "\n".join(lines) + "\n", encoding="utf-8")
    study = draw(benchmark, tmp_path / "study", protocol(tmp_path, 0, 4), gold=str(file))
    rows = study.checks.to_pylist()
    assert Counter(row["expected"] for row in rows) == {"clone": 2, "not-clone": 2}
    assert {row["feedback"] for row in rows} == {"Because."}
    assert not {row["pair"] for row in rows} & set(study.subjects["pair"].to_pylist())
    assert "gold" in study.plan.manifest.inputs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("left,right\ncopy-0,copy-1\n", "no column 'answer'"),
        ("left,right,answer\ncopy-0,copy-1,yes\n", "gold.csv:2: 'yes' is not an answer"),
        (
            "left,right,answer\ncopy-0,copy-1,clone\ncopy-1,copy-0,not-clone\n",
            "gold.csv:3: The pair has another answer",
        ),
        ("left,right,answer\ncopy-0,sort-1,clone\n", "gold.csv:2: The pair copy-0 and sort-1 is not in the population"),
        ("left,right,answer\ncopy-0\n", "gold.csv:2: 'None' is not an answer"),
        ("", "no column 'left'"),
        ("\x00", "no column|cannot be read"),
    ],
)
def test_a_wrong_gold_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    benchmark = labelled_benchmark(tmp_path / "benchmark")
    file = tmp_path / "gold.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        draw(benchmark, tmp_path / "study", protocol(tmp_path, 0, 2), gold=str(file))
    assert not (tmp_path / "study").exists()


def test_a_missing_gold_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        draw(
            labelled_benchmark(tmp_path / "b"), tmp_path / "study", protocol(tmp_path, 0, 2), gold=str(tmp_path / "no")
        )
