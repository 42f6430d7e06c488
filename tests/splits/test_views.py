"""No view leaks by its own definition; what must stay together does; what fits in no part is left out."""

from __future__ import annotations

import re
import tempfile
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from clonetruth.audit import audit_benchmark
from clonetruth.errors import InputError
from clonetruth.splits import VIEWS, Split, SplitSpec, create_split, verify_split
from clonetruth.store import Benchmark
from tests.audit.drafts import function
from tests.splits.sample_benchmarks import SampleBenchmark, grid, near_copy, parts_of, sample_benchmarks

DIVIDING = [name for name in VIEWS if not VIEWS[name].only_test]


def sides(parts: dict[str, str], labels: dict[str, set[str]]) -> dict[str, set[str]]:
    """The parts that each label is found in, apart from what is left out."""
    found: dict[str, set[str]] = defaultdict(set)
    for one, part in parts.items():
        if part != "left-out":
            for label in labels.get(one, ()):
                found[label].add(part)
    return found


def kept_together(sample: SampleBenchmark, view: str) -> list[dict[str, set[str]]]:
    """For each kind of thing that a view keeps together, what of it each fragment has."""
    texts = {
        fragment[0]: {re.sub(r"\s+", " ", fragment[1]).strip()} for fragment in sample.fragments if fragment[1].strip()
    }
    projects = {fragment[0]: {fragment[2]} for fragment in sample.fragments if fragment[2]}
    functionalities = {fragment[0]: set(fragment[3]) for fragment in sample.fragments if fragment[3]}
    languages = {fragment[0]: {fragment[4]} for fragment in sample.fragments}
    # Both fragments of a pair have it in common, so it must not be in two parts.
    pairs: dict[str, set[str]] = defaultdict(set)
    for row, (left, right, _) in enumerate(sample.pairs):
        pairs[left].add(str(row))
        pairs[right].add(str(row))
    more = {
        "cross-project": [projects],
        "cross-functionality": [functionalities],
        "cross-all": [projects, functionalities],
        "cross-language": [languages],
        "cross-generator": [dict(pairs)],
    }
    return [texts, *more.get(view, [])]


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(sample_benchmarks())
def test_no_view_leaks_whatever_the_benchmark(sample: SampleBenchmark) -> None:
    with tempfile.TemporaryDirectory() as folder:
        benchmark = sample.create(Path(folder) / "sample")
        made: list[Split] = []
        for view in DIVIDING:
            try:
                made.append(
                    create_split(benchmark, SplitSpec(view, seed=3, both_classes=False, min_pairs=0, min_fragments=0))
                )
            except InputError:
                continue
        for one in made:
            parts = parts_of(benchmark, one.name)
            assert len(parts) == len(sample.fragments)
            assert sum(part == "left-out" for part in parts.values()) == sum(one.left_out.values())
            for labels in kept_together(sample, one.options.view):
                assert all(len(found) == 1 for found in sides(parts, labels).values()), one.name
            inside = [(left, right) for left, right, _ in sample.pairs if parts[left] == parts[right] != "left-out"]
            assert sum(counts.pairs for counts in one.parts.values()) == len(inside)
            assert one.crossing == len(sample.pairs) - len(inside)
        if made:
            report = audit_benchmark(benchmark, select=("CT501", "CT502", "CT503", "CT504"))
            assert report.findings == ()


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return grid().create(tmp_path_factory.mktemp("views") / "grid")


@pytest.mark.parametrize("view", ["random", "cross-project", "cross-functionality", "cross-language"])
def test_the_ratio_is_met_and_all_is_used(benchmark: Benchmark, view: str) -> None:
    ratio = (1, 1, 1) if view == "cross-language" else (3, 1, 1)
    made = create_split(benchmark, SplitSpec(view, ratio=ratio, both_classes=False), replace=True)
    sizes = [one.fragments for one in made.parts.values()]
    assert list(made.parts) == ["train", "valid", "test"]
    assert sizes == pytest.approx([60 * share / sum(ratio) for share in ratio], rel=0.1)
    assert made.left_out == {}


def test_cross_all_leaves_out_what_functionality_and_project_disagree_on(tmp_path: Path) -> None:
    made = create_split(grid(projects=15).create(tmp_path / "grid"), SplitSpec("cross-all", both_classes=False))
    assert set(made.left_out) == {"functionality and project in different parts"}
    sizes = [one.fragments for one in made.parts.values()]
    # Dividing projects without regard to functionalities would leave a third of each part: 12, 4 and 4.
    assert sizes[0] >= 12
    assert min(sizes) >= 4
    assert sum(sizes) + sum(made.left_out.values()) == 60


def test_the_variant_of_li_et_al_divides_held_out_functionalities_at_random(benchmark: Benchmark) -> None:
    made = create_split(benchmark, SplitSpec("cross-functionality", variant="li2023"))
    parts = parts_of(benchmark, made.name)
    found = sides(parts, {one: {one.partition("m")[0]} for one in parts})
    assert sum(where == {"train"} for where in found.values()) == 6
    assert sum(where == {"valid", "test"} for where in found.values()) == 4


@pytest.mark.parametrize("view", ["random", "cross-functionality"])
def test_every_fragment_is_test_in_one_fold(benchmark: Benchmark, view: str) -> None:
    tested: list[str] = []
    for fold in range(1, 6):
        made = create_split(benchmark, SplitSpec(view, folds=5, fold=fold, both_classes=False))
        tested += [one for one, part in parts_of(benchmark, made.name).items() if part == "test"]
    assert len(tested) == len(set(tested)) == 60


def test_seeds_differ_and_are_kept(benchmark: Benchmark) -> None:
    digests = [
        create_split(benchmark, SplitSpec("cross-functionality", seed=seed, both_classes=False), replace=True).digest
        for seed in (11, 12, 13, 11)
    ]
    assert len(set(digests)) == 3
    assert digests[0] == digests[3]


@pytest.mark.parametrize("view", ["random", "cross-project", "cross-functionality", "cross-all"])
def test_the_order_of_rows_changes_nothing(tmp_path: Path, view: str) -> None:
    sample = grid(projects=7).with_text({"u1m1": near_copy(function(1), 1), "u2m2": function(3)})
    made = []
    for order in (0, 1):
        benchmark = sample.create(tmp_path / str(order), order)
        name = create_split(benchmark, SplitSpec(view, seed=4, both_classes=False)).name
        verify_split(benchmark, name)
        made.append(parts_of(benchmark, name))
    assert made[0] == made[1]


def test_near_duplicates_stay_in_one_part_by_default(tmp_path: Path) -> None:
    # One chain through all functionalities: each first member is a near copy of the one before.
    texts = {"u0m0": function(1)}
    for which in range(1, 10):
        texts[f"u{which}m0"] = near_copy(texts[f"u{which - 1}m0"], which)
    benchmark = grid().with_text(texts).create(tmp_path / "chain")
    chain = set(texts)
    together = create_split(benchmark, SplitSpec("random", seed=1))
    parts = parts_of(benchmark, together.name)
    assert len({parts[one] for one in chain}) == 1
    across = create_split(benchmark, SplitSpec("cross-functionality", seed=1, both_classes=False))
    parts = parts_of(benchmark, across.name)
    kept = [one for one in chain if parts[one] != "left-out"]
    assert len({parts[one] for one in kept}) == 1
    assert across.left_out == {"near duplicate of a fragment in another part": 10 - len(kept)}
    apart = create_split(benchmark, SplitSpec("cross-functionality", seed=2, both_classes=False, near_duplicates=False))
    assert apart.left_out == {}
    assert apart.rules == ("CT502", "CT505")


def test_fragments_that_bridge_parts_are_left_out_with_the_reason(tmp_path: Path) -> None:
    sample = grid()
    fragments = (*sample.fragments, ("bridge", function(99), "p0", tuple(f"u{at}" for at in range(10)), "java"))
    fragments = (*fragments, ("stray", function(98), None, (), "java"))
    benchmark = SampleBenchmark(fragments, sample.pairs).create(tmp_path / "bridge")
    made = create_split(benchmark, SplitSpec("cross-functionality", both_classes=False))
    assert made.left_out == {"not in any of the functionalities": 1, "in functionalities of different parts": 1}
    assert parts_of(benchmark, made.name)["bridge"] == "left-out"


def test_variations_of_one_first_function_stay_together(tmp_path: Path) -> None:
    sample = grid(9, 4)
    # Of the first member of each functionality the others were made, the last one by way of the third.
    made_of = [(f"u{which}m0", f"u{which}m{at}", True) for which in range(9) for at in (1, 2)]
    pairs = (*made_of, *((f"u{which}m2", f"u{which}m3", False) for which in range(9)))
    benchmark = SampleBenchmark(sample.fragments, pairs).create(tmp_path / "made")
    made = create_split(benchmark, SplitSpec("cross-generator", ratio=(1, 1, 1)))
    assert [one.fragments for one in made.parts.values()] == [12, 12, 12]
    assert made.crossing == 0
    with pytest.raises(InputError, match="need at least 3 first functions that pairs do not connect"):
        create_split(sample.create(tmp_path / "connected"), SplitSpec("cross-generator"))
