"""All metrics of an evaluation with their intervals, and that these hold what they promise."""

import json
from dataclasses import asdict

import numpy as np
import pytest
from bench.coverage import Design, coverage

from clonetruth.errors import InputError
from clonetruth.evaluate.measurement import METRICS, measure
from clonetruth.stats import Confusion, wilson
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.ranking import average_precision, roc_auc
from clonetruth.store.results import Measurement


def by_name(outcomes: Outcomes, replicates: int = 0) -> dict[str, Measurement]:
    return {one.name: one for one in measure(outcomes, replicates=replicates)}


@pytest.fixture(scope="module")
def outcomes() -> Outcomes:
    return Design((6,) * 20).draw(np.random.default_rng(8))


def test_every_metric_has_its_value_and_an_interval_around_it(outcomes: Outcomes) -> None:
    found = by_name(outcomes)
    assert tuple(found) == METRICS
    confusion = Confusion.count(zip(outcomes.predicted.tolist(), outcomes.truth.tolist(), strict=True))
    assert outcomes.score is not None
    assert found["f1"].value == confusion.f1
    assert found["mcc"].value == confusion.mcc
    assert found["roc-auc"].value == roc_auc(outcomes.score, outcomes.truth)
    assert found["average-precision"].value == average_precision(outcomes.score, outcomes.truth)
    assert (found["precision"].successes, found["precision"].n) == (confusion.tp, confusion.tp + confusion.fp)
    assert (found["specificity"].successes, found["specificity"].n) == (confusion.tn, confusion.tn + confusion.fp)
    assert (found["f1"].successes, found["f1"].n) == (None, len(outcomes))
    for one in found.values():
        assert one.value is not None
        assert one.low is not None
        assert one.high is not None
        assert one.low < one.value < one.high
        assert one.method is not None


def test_the_wider_interval_is_given_and_named(outcomes: Outcomes) -> None:
    both = by_name(outcomes)["recall"]
    functionality = by_name(Outcomes(outcomes.predicted, outcomes.truth, cluster=outcomes.cluster))["recall"]
    fragment = by_name(Outcomes(outcomes.predicted, outcomes.truth, left=outcomes.left, right=outcomes.right))["recall"]
    assert functionality.method is not None
    assert fragment.method is not None
    assert "by functionality" in functionality.method
    assert "dyadic by fragment" in fragment.method
    assert (both.low, both.high) in {(one.low, one.high) for one in (functionality, fragment)}
    assert width(both) == max(width(functionality), width(fragment))


def width(one: Measurement) -> float:
    assert one.low is not None
    assert one.high is not None
    return one.high - one.low


def test_a_bootstrap_may_be_asked_for(outcomes: Outcomes) -> None:
    many = Design((4,) * 45).draw(np.random.default_rng(8))
    clustered = Outcomes(many.predicted, many.truth, many.score, many.cluster)
    found = by_name(clustered, replicates=200)
    for name in ("f1", "roc-auc"):
        assert found[name].method == "95%, bootstrap over functionalities"
        assert width(found[name]) == pytest.approx(width(by_name(clustered)[name]), rel=0.4)
    assert outcomes.cluster is not None
    partly = Outcomes(outcomes.predicted, outcomes.truth, cluster=np.where(outcomes.cluster < 3, -1, outcomes.cluster))
    assert by_name(partly, replicates=50) == by_name(partly)


def test_one_functionality_has_no_interval_by_functionality() -> None:
    one = Design((30,)).draw(np.random.default_rng(1))
    found = by_name(one)["f1"]
    assert found.method is not None
    assert "fragment" in found.method
    assert found.scope == "this functionality"
    assert found.note == "for this functionality only: 1.0 effective functionalities say nothing about others"
    unknown = by_name(Outcomes(one.predicted, one.truth, cluster=one.cluster))["f1"]
    assert unknown.value is not None
    assert (unknown.low, unknown.high, unknown.method) == (None, None, None)
    assert unknown.note is not None
    assert unknown.note.startswith("no interval: fragments are unknown")


@pytest.mark.parametrize("sizes", [(14, 14), (12, 12, 12, 12), (40, 5, 5, 5, 5, 5)])
def test_with_few_functionalities_the_interval_is_for_these(sizes: tuple[int, ...]) -> None:
    """Student's t with a fraction of a degree of freedom gave 4.7e-08 to 0.99999999999999."""
    found = by_name(Design(sizes, functionality=0.3).draw(np.random.default_rng(1)))
    for name in METRICS:
        one = found[name]
        assert one.scope == f"these {len(sizes)} functionalities"
        assert one.note is not None
        assert one.note.startswith(f"for these {len(sizes)} functionalities only: ")
        assert width(one) < 0.6
    assert ("a rough guess from" in str(found["f1"].note)) == (len(sizes) == 4)


def test_few_functionalities_of_unknown_fragments_are_a_rough_guess_or_nothing() -> None:
    four, two = (Design((12,) * count).draw(np.random.default_rng(1)) for count in (4, 2))
    rough = by_name(Outcomes(four.predicted, four.truth, cluster=four.cluster))["f1"]
    assert (rough.scope, rough.low is None) == (None, False)
    assert "only 4.0 effective functionalities" in str(rough.note)
    nothing = by_name(Outcomes(two.predicted, two.truth, cluster=two.cluster))["f1"]
    assert (nothing.value is None, nothing.low, nothing.high) == (False, None, None)
    assert "2.0 effective functionalities say nothing about others" in str(nothing.note)


@pytest.mark.parametrize("predicted", [False, True], ids=["nothing", "everything"])
def test_a_detector_that_says_the_same_of_all_pairs_has_no_certain_numbers(predicted: bool) -> None:
    """The balanced accuracy of a silent detector was 0.5000 to 0.5000, and the AUC of equal scores as well."""
    drawn = Design((6,) * 12).draw(np.random.default_rng(3))
    flat = Outcomes(np.full(len(drawn), predicted), drawn.truth, np.full(len(drawn), 0.5), drawn.cluster)
    for one in measure(flat):
        assert one.low is None or (one.high is not None and one.low < one.high), one
        assert one.low is not None or str(one.note).startswith(("undefined", "no interval")), one
    found = by_name(flat)
    balanced = found["balanced-accuracy"]
    assert balanced.value == 0.5
    assert balanced.low is not None
    assert balanced.high is not None
    assert balanced.low < 0.45
    assert balanced.high > 0.55
    assert found["mcc"].value is None
    assert found["roc-auc"].note == "no interval: every pair has the same effect, so no spread is visible"


@pytest.mark.parametrize("clones", [False, True])
def test_with_one_class_there_is_nothing_to_be_wrong_about(clones: bool) -> None:
    drawn = Design((6,) * 12).draw(np.random.default_rng(3))
    only = by_name(Outcomes(drawn.predicted, np.full(len(drawn), clones), None, drawn.cluster))
    assert (only["precision"].value, only["precision"].low) == (float(clones), None)
    assert str(only["precision"].note).startswith("no interval: there are no ")
    assert (only["f1"].low is None) is not clones
    assert only["recall" if clones else "specificity"].low is not None


def test_few_functionalities_are_pointed_out() -> None:
    found = by_name(Design((8,) * 6).draw(np.random.default_rng(1)))["recall"]
    assert found.note is not None
    assert "effective functionalities: the interval is a rough guess" in found.note


def test_undefined_is_none_and_can_be_written() -> None:
    silent = Outcomes(np.zeros(4, bool), np.array([True, True, False, False]), np.array([3.0, 2, 1, 0]))
    found = by_name(silent)
    assert (found["precision"].value, found["precision"].n) == (None, 0)
    assert found["mcc"].value is None
    assert found["recall"].value == 0
    assert found["ece"].value is None
    assert found["ece"].note == "undefined: the scores are not all between 0 and 1"
    none, no_codes = np.empty(0, bool), np.empty(0, int)
    nothing = Outcomes(none, none, np.empty(0), no_codes, no_codes, no_codes)
    clones = Outcomes(np.ones(3, bool), np.ones(3, bool), np.ones(3))
    assert all(one.value is None for one in measure(nothing))
    assert by_name(clones)["roc-auc"].value is None
    json.dumps([asdict(one) for case in (silent, nothing, clones) for one in measure(case)], allow_nan=False)


def test_a_perfect_detector_is_not_believed_beyond_its_functionalities() -> None:
    drawn = Design((6,) * 12).draw(np.random.default_rng(3))
    perfect = Outcomes(drawn.truth, drawn.truth, cluster=drawn.cluster)
    recall = by_name(perfect)["recall"]
    assert (recall.value, recall.high) == (1, 1)
    naive = wilson(int(drawn.truth.sum()), int(drawn.truth.sum()))
    assert naive is not None
    assert recall.low is not None
    assert recall.low < naive.low


def test_pairs_without_functionality_count_alone(outcomes: Outcomes) -> None:
    assert outcomes.cluster is not None
    partly = Outcomes(outcomes.predicted, outcomes.truth, cluster=np.where(outcomes.cluster < 3, -1, outcomes.cluster))
    all_known = Outcomes(outcomes.predicted, outcomes.truth, cluster=outcomes.cluster)
    assert width(by_name(partly)["recall"]) != width(by_name(all_known)["recall"])


def test_pairs_across_functionalities_belong_to_two() -> None:
    contest = Design((6,) * 20, across=True).draw(np.random.default_rng(2))
    found = by_name(contest)
    fragments = by_name(Outcomes(contest.predicted, contest.truth, left=contest.left, right=contest.right))
    for name in ("recall", "specificity", "f1"):
        method = found[name].method
        assert method is not None
        assert "dyadic by functionality" in method
        assert width(found[name]) > width(fragments[name])


def test_the_functionality_of_a_fragment_is_that_of_its_clones() -> None:
    truth, cluster = np.array([True, False, False, True]), np.array([4, 7, -1, -1])
    found = Outcomes(
        truth, truth, None, cluster, np.array([0, 0, 1, 5]), np.array([1, 2, 3, 1])
    ).fragment_functionalities()
    assert found is not None
    assert found.tolist() == [4, 4, 7, -1, -1, -1]
    assert Outcomes(truth, truth, cluster=cluster).fragment_functionalities() is None


def test_fragments_do_not_stand_in_for_unknown_functionalities() -> None:
    drawn = Design((12,)).draw(np.random.default_rng(5))
    unknown = Outcomes(drawn.predicted, drawn.truth, None, np.full(len(drawn), -1), drawn.left, drawn.right)
    method, note = by_name(unknown)["f1"].method, by_name(unknown)["f1"].note
    assert method is not None
    assert note is not None
    assert "dyadic by fragment" in method
    assert note.startswith("for the functionalities of these pairs only: functionalities are unknown")


def test_a_metric_of_pairs_without_functionality_has_no_interval_by_functionality() -> None:
    """Non-clones across functionalities belong to none, so functionalities give no interval of the specificity."""
    random = np.random.default_rng(4)
    truth = np.repeat([True, False], 60)
    cluster = np.where(truth, np.arange(120) // 6, -1)
    found = by_name(Outcomes(random.random(120) < 0.7, truth, cluster=cluster))
    assert found["recall"].low is not None
    assert found["specificity"].value is not None
    assert found["specificity"].low is None


def test_bad_outcomes_are_refused() -> None:
    with pytest.raises(InputError, match="pair 1: A score is not a number"):
        Outcomes(np.ones(2, bool), np.ones(2, bool), np.array([0.5, np.nan]))
    with pytest.raises(ValueError, match="2 predictions, and 1 values of truth"):
        Outcomes(np.ones(2, bool), np.ones(1, bool))
    with pytest.raises(ValueError, match="left and right"):
        Outcomes(np.ones(1, bool), np.ones(1, bool), left=np.zeros(1, int))


@pytest.mark.slow
@pytest.mark.parametrize(
    "design",
    [
        Design((8,) * 40, functionality=0.8, fragment=0.4),
        Design((45,), functionality=0, fragment=0.7),
        Design((5,) * 40, across=True),
    ],
    ids=["functionalities", "fragments", "across functionalities"],
)
def test_intervals_hold_the_true_value_as_often_as_they_promise(design: Design) -> None:
    """95 % intervals cover 93 to 97 %; those that take pairs as independent do not."""
    found = coverage(design, runs=500, seed=11)
    for metric in ("precision", "recall", "f1", "mcc", "roc-auc", "average-precision"):
        assert 0.93 <= found[metric]["wider"] <= 0.97, metric
        assert found[metric]["independent"] < 0.85, metric
