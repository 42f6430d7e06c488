"""No view leaks by its own definition; what must stay together does; what fits in no part is left out."""

from __future__ import annotations

import json
import re
import tempfile
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from clonetruth.audit import audit_benchmark
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.sources import embedded
from clonetruth.splits import VIEWS, Split, SplitSpec, create_split, read_split, verify_split
from clonetruth.store import Benchmark
from tests.audit.drafts import function
from tests.splits.sample_benchmarks import SampleBenchmark, grid, near_copy, parts_of, sample_benchmarks

DIVIDING = [name for name in VIEWS if not VIEWS[name].only_test and not VIEWS[name].official]


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


def decided(sample: SampleBenchmark) -> list[tuple[str, str]]:
    """The rows of pairs with a verdict: where the only judge gives a pair both answers at once, it decides nothing."""
    answers: dict[frozenset[str], set[bool]] = defaultdict(set)
    for left, right, clone in sample.pairs:
        answers[frozenset((left, right))].add(clone)
    return [(left, right) for left, right, _ in sample.pairs if len(answers[frozenset((left, right))]) == 1]


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
            pairs = decided(sample)
            inside = [(left, right) for left, right in pairs if parts[left] == parts[right] != "left-out"]
            assert sum(counts.pairs for counts in one.parts.values()) == len(inside)
            assert one.crossing == len(pairs) - len(inside)
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


def test_the_variant_of_li_et_al_holds_out_projects_as_well(tmp_path: Path) -> None:
    """Half of the projects are drawn for train; valid and test share functionalities and projects."""
    sample = grid(projects=12)
    benchmark = sample.create(tmp_path / "grid")
    left_out = []
    for seed in range(4):
        made = create_split(benchmark, SplitSpec("cross-all", seed=seed, variant="li2023", both_classes=False))
        verify_split(benchmark, made.name)
        parts = {one: "train" if part == "train" else part for one, part in parts_of(benchmark, made.name).items()}
        trained = {one: part.replace("valid", "test") for one, part in parts.items()}
        for labels in kept_together(sample, "cross-all")[1:]:
            assert all(len(found) == 1 for found in sides(trained, labels).values())
        functionalities = sides(parts, {one: {one.partition("m")[0]} for one in parts})
        assert sum(where == {"train"} for where in functionalities.values()) <= 6
        assert any(where == {"valid", "test"} for where in functionalities.values())
        left_out.append(made.left_out["functionality and project in different parts"])
    # Projects are drawn without regard to functionalities, so about half of the fragments contradict.
    assert sum(left_out) == pytest.approx(4 * 30, rel=0.25)
    assert made.rules == ("CT502", "CT503", "CT504", "CT505", "CT506")


@pytest.mark.parametrize(("view", "variant"), [("cross-functionality", None), ("cross-functionality", "li2023")])
def test_the_number_of_functionalities_in_train_is_what_was_asked(
    benchmark: Benchmark, view: str, variant: str | None
) -> None:
    spec = SplitSpec(view, seed=5, variant=variant, train_functionalities=7, both_classes=False)
    made = create_split(benchmark, spec, replace=True)
    assert made.parts["train"].functionalities == 7
    held_out = {name: one.functionalities for name, one in made.parts.items() if name != "train"}
    assert held_out == ({"valid": 3, "test": 3} if variant else {"valid": 2, "test": 1})
    verify_split(benchmark, made.name)


def test_named_functionalities_are_train_and_no_others(benchmark: Benchmark) -> None:
    named = tuple(sorted(benchmark.table("functionalities")["id"].to_pylist())[:2])
    made = create_split(
        benchmark,
        SplitSpec("cross-functionality", seed=6, train_functionality=named, both_classes=False),
        replace=True,
    )
    members = benchmark.sql(
        "SELECT DISTINCT u.id AS id FROM memberships m JOIN functionalities u ON m.functionality = u.functionality "
        "JOIN split s ON m.fragment = s.fragment WHERE s.part = 'train'",
        split=benchmark.table(f"splits/{made.name}"),
    )
    assert sorted(members["id"].to_pylist()) == list(named)
    assert made.parts["valid"].functionalities > 0
    assert made.parts["test"].functionalities > 0
    verify_split(benchmark, made.name)
    with pytest.raises(UnknownNameError, match="no functionality 'nothing'"):
        create_split(benchmark, SplitSpec("cross-functionality", seed=7, train_functionality=("nothing",)))
    everything = tuple(benchmark.table("functionalities")["id"].to_pylist())
    with pytest.raises(InputError, match="leave 0 for the other parts"):
        create_split(benchmark, SplitSpec("cross-functionality", seed=7, train_functionality=everything))


def test_functionalities_beyond_the_limits_are_left_out(tmp_path: Path) -> None:
    sample = grid()
    extra = tuple((f"big{at}", function(200 + at), "p0", ("u0",), "java") for at in range(4))
    both = (("both", function(300), "p0", ("u0", "u1"), "java"),)
    benchmark = SampleBenchmark((*sample.fragments, *extra, *both), sample.pairs).create(tmp_path / "sizes")
    limited = SplitSpec("cross-functionality", both_classes=False, max_functionality_fragments=7)
    made = create_split(benchmark, limited)
    parts = parts_of(benchmark, made.name)
    assert made.left_out == {"in functionalities with more than 7 fragments": 10}
    # What is also in a functionality that stays, stays.
    assert parts["both"] == parts["u1m0"] != "left-out"
    assert sum(one.functionalities for one in made.parts.values()) == 9
    random = create_split(benchmark, SplitSpec("random", max_functionality_fragments=7))
    assert random.left_out == made.left_out
    large = SplitSpec("cross-functionality", min_functionality_fragments=7, ratio=(1, 0, 1), both_classes=False, seed=1)
    assert create_split(benchmark, large).left_out == {
        "in functionalities with fewer than 7 fragments": 48,
        "in functionalities of different parts": 1,
    }


def test_a_draw_that_misses_the_limits_is_a_warning(tmp_path: Path) -> None:
    """One functionality has nearly everything, so no part can have its share."""
    sample = grid(6, 4)
    extra = tuple((f"big{at}", function(200 + at), "p0", ("u0",), "java") for at in range(60))
    benchmark = SampleBenchmark((*sample.fragments, *extra), sample.pairs).create(tmp_path / "uneven")
    made = create_split(benchmark, SplitSpec("cross-functionality", both_classes=False, min_pairs=0))
    (warning,) = made.warnings
    assert re.match(r"No draw of functionalities met the balance limits: the part '\w+' has \d+% ", warning)
    assert not create_split(benchmark, SplitSpec("random", both_classes=False)).warnings


def test_splits_of_the_optimiser_are_rebuilt(tmp_path: Path) -> None:
    """The digest that this split had before groups were drawn; its record does not say how they were assigned."""
    benchmark = embedded.build(tmp_path / "embedded")
    made = create_split(benchmark, SplitSpec("cross-functionality", seed=1, assignment="balanced"))
    assert made.digest == "4e32b0150b0d98e2ebea33a491fae0110f069ebe74884efd3106010530d0c691"
    later = {
        "assignment",
        "tolerance",
        "train_functionalities",
        "train_functionality",
        "max_functionality_fragments",
        "min_functionality_fragments",
    }
    metadata = benchmark.metadata("splits/cross-functionality-1")
    earlier = {name: value for name, value in json.loads(metadata["options"]).items() if name not in later}
    table = benchmark.table("splits/cross-functionality-1")
    changed = {**metadata, "options": json.dumps(earlier)}
    benchmark.write_table("splits", "cross-functionality-1", table, changed, replace=True)
    verify_split(benchmark, "cross-functionality-1")
    assert read_split(benchmark, "cross-functionality-1").options == made.options


@pytest.mark.parametrize("view", ["random", "cross-functionality"])
def test_every_fragment_is_test_in_one_fold(benchmark: Benchmark, view: str) -> None:
    tested: list[str] = []
    for fold in range(1, 6):
        made = create_split(benchmark, SplitSpec(view, folds=5, fold=fold, both_classes=False))
        tested += [one for one, part in parts_of(benchmark, made.name).items() if part == "test"]
    assert len(tested) == len(set(tested)) == 60


def test_the_folds_of_a_seed_test_every_functionality_once(benchmark: Benchmark) -> None:
    for seed in (21, 22):
        tested: list[str] = []
        for fold in range(1, 6):
            made = create_split(
                benchmark, SplitSpec("cross-functionality", seed, folds=5, fold=fold, both_classes=False)
            )
            parts = parts_of(benchmark, made.name)
            tested += {one.partition("m")[0] for one, part in parts.items() if part == "test"}
        assert sorted(tested) == sorted(f"u{at}" for at in range(10))


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
