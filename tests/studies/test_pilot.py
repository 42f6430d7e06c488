"""From a pilot to the main study: no vote of the pilot counts, and the pairs have the right weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.store import Benchmark
from clonetruth.store.study import Study
from clonetruth.studies import extend_study, resolve_study, sample_study

from .example_studies import add_answers, labelled_benchmark

PROTOCOL = """
name = "mine"
criterion = "same-main-purpose"
question = "{question}"
overlap = {overlap}
"""


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    return labelled_benchmark(tmp_path / "benchmark")


def protocol(path: Path, question: str = "Same?", overlap: int = 2) -> str:
    path.write_text(PROTOCOL.format(question=question, overlap=overlap), encoding="utf-8")
    return str(path)


@pytest.fixture
def pilot(benchmark: Benchmark, tmp_path: Path) -> Study:
    asked = protocol(tmp_path / "pilot.toml")
    study = sample_study(benchmark, output=tmp_path / "pilot", n=12, protocol=asked, title="Pilot", seed=1)
    add_answers(study, "ann", dict.fromkeys(range(12), "clone"))
    add_answers(study, "bob", dict.fromkeys(range(9), "clone") | dict.fromkeys(range(9, 12), "not-clone"))
    return study


def test_the_pairs_of_a_pilot_are_left_to_it(benchmark: Benchmark, pilot: Study, tmp_path: Path) -> None:
    asked = protocol(tmp_path / "main.toml", "Do both have the same main purpose?")
    main = sample_study(
        benchmark, output=tmp_path / "main", n=20, protocol=asked, pilot=pilot, stratify=("label",), cover=True, seed=1
    )
    assert not set(main.subjects["pair"].to_pylist()) & set(pilot.subjects["pair"].to_pylist())
    assert main.plan.population_size == 60 - 12
    assert "without 12 of the pilot" in main.plan.population
    assert sum(main.subjects["weight"].to_pylist()) == pytest.approx(48)
    recorded = main.plan.pilot
    assert recorded is not None
    assert (recorded.title, recorded.pairs, recorded.excluded, recorded.judged) == ("Pilot", 12, True, 12)
    assert recorded.agreement == pytest.approx(9 / 12)
    assert recorded.krippendorff_alpha is not None
    assert recorded.changed == ("question",)
    assert resolve_study(main, "majority").pairs.judged == 0, "no vote of the pilot counts"
    # The extension leaves them out too.
    extended = extend_study(main, benchmark, n=48 - main.subjects.num_rows)
    assert set(extended.subjects["pair"].to_pylist()) == set(range(60)) - set(pilot.subjects["pair"].to_pylist())
    assert extended.plan.pilot == recorded


def test_the_pairs_of_a_pilot_can_be_drawn_again(benchmark: Benchmark, pilot: Study, tmp_path: Path) -> None:
    asked = protocol(tmp_path / "main.toml", overlap=3)
    main = sample_study(
        benchmark, output=tmp_path / "main", n=60, protocol=asked, pilot=pilot.path, pilot_pairs="include", seed=2
    )
    assert main.plan.population_size == main.subjects.num_rows == 60
    assert main.plan.pilot is not None
    assert (main.plan.pilot.excluded, main.plan.pilot.changed) == (False, ("overlap",))
    with pytest.raises(InputError, match="With the pilot's seed 1, its pairs would be drawn first again"):
        sample_study(benchmark, output=tmp_path / "again", n=12, pilot=pilot, pilot_pairs="include", seed=1)
    assert not (tmp_path / "again").exists()


def test_a_pilot_belongs_to_the_same_benchmark(benchmark: Benchmark, pilot: Study, tmp_path: Path) -> None:
    other = labelled_benchmark(tmp_path / "other", pairs=[], judgements=[], judges=[])
    with pytest.raises(InputError, match="not drawn from this benchmark"):
        sample_study(other, output=tmp_path / "main", n=1, pilot=pilot)


def test_a_pilot_that_nobody_judged_has_no_agreement(benchmark: Benchmark, tmp_path: Path) -> None:
    pilot = sample_study(benchmark, output=tmp_path / "pilot", n=5)
    main = sample_study(benchmark, output=tmp_path / "main", n=5, pilot=pilot)
    assert main.plan.pilot is not None
    assert (main.plan.pilot.judged, main.plan.pilot.agreement, main.plan.pilot.changed) == (0, None, ())
