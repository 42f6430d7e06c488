"""The drop on real programs: what a learned detector achieves on problems that it knows, and on others."""

from __future__ import annotations

import importlib.util
import statistics
from pathlib import Path

import pytest

from clonetruth.build.contest import ContestParameters, derive_contest
from clonetruth.evaluate.pairs.evaluation import evaluate_pairs
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.evaluate.pairs.training import TrainingSelection, train_on_benchmark
from clonetruth.sources import import_dataset
from clonetruth.splits import Sampling, SplitSpec, create_split
from clonetruth.store import Benchmark
from clonetruth.training import TrainingSpec

POLICY = "members"


@pytest.fixture(scope="module")
def contest(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    """Google Code Jam: four problems with 60 programs each, and two with fewer."""
    folder = tmp_path_factory.mktemp("gcj")
    imported = import_dataset("gcj", [shared_data / "gcj" / "googlejam4_src.zip"], output=folder / "gcj")
    derive_contest(Benchmark.open(imported.path), folder / "paired", ContestParameters(solutions=18, cap=60))
    return Benchmark.open(folder / "paired")


def area(benchmark: Benchmark, learner: str, view: str, variant: str | None, seed: int) -> float:
    """The area under the ROC curve on the test part of a view: 0.5 is guessing, whatever the share of clones."""
    asked = SplitSpec(view=view, seed=seed, variant=variant, policy=POLICY, sampling=Sampling(clone_share=0.5))
    name = create_split(benchmark, asked, replace=True).name
    detector, _ = train_on_benchmark(benchmark, learner, TrainingSelection(name, POLICY), TrainingSpec(epochs=12))
    result = evaluate_pairs(benchmark, detector, PairsOptions(policy=POLICY, view=name, part="test", baselines=()))
    found = next(one.value for one in result.headline if one.name == "roc-auc")
    assert found is not None
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("learner", "seeds"), [("mlp", 1), ("linear", 5)])
def test_unseen_problems_are_harder(contest: Benchmark, learner: str, seeds: int) -> None:
    """On average: with two problems in the test part, a single division says little."""
    if learner == "mlp" and importlib.util.find_spec("torch") is None:
        pytest.skip("PyTorch (the extra 'neural') is not installed")
    known, unseen = (
        statistics.mean(area(contest, learner, view, variant, seed) for seed in range(1, seeds + 1))
        for view, variant in (("random", None), ("cross-functionality", "li2023"))
    )
    assert known > unseen + 0.1
    if learner == "mlp":
        assert known > unseen + 0.2
        assert known > 0.9
