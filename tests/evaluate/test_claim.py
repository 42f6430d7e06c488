"""Claims: the paper's example, numbers that contradict each other, and what a folder's own judgements say."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.evaluate.labels.claim import KNOWN_LEAKS, Claim, ReportedNumbers, check_claim
from clonetruth.model import Card, Dataset, Fragment, Functionality, Judge, JudgeKind, Judgement, Pair
from clonetruth.sources import SOURCES
from clonetruth.stats.intervals import clopper_pearson
from clonetruth.store import Benchmark
from clonetruth.verdicts.judged_labels import judged_labels

EXAMPLE = ReportedNumbers(0.998, 0.883, 0.937)
RULE, PERSON, SECOND = "rule", "person", "second"


def checked(numbers: ReportedNumbers, on: str) -> Claim:
    return check_claim(on, precision=numbers.precision, recall=numbers.recall, f1=numbers.f1)


def corrected(claim: Claim, name: str) -> list[float | None]:
    found = next(one for one in claim.corrections if one.name == name)
    return [one.value for one in found.measurements]


def folder(
    path: Path,
    judgements: list[Judgement],
    card_criterion: str = "shares-functionality",
    name: str = "own",
    types: tuple[str | None, ...] = (None,),
) -> Benchmark:
    """Ten pairs of two functions each; the rule calls the first eight clones, of the types in turn."""
    claims = [
        Judgement(RULE, "shares-functionality", "clone" if pair < 8 else "not-clone", pair=pair) for pair in range(10)
    ]
    return Benchmark.create(
        path / "folder",
        Dataset(
            card=Card(name, "1", "Ours.", "MIT", "Nobody", card_criterion, ("java",), known_flaws=("Small.",)),
            fragments=[Fragment(f"{pair}{side}", "java", "") for pair in range(10) for side in "ab"],
            functionalities=[Functionality("f", "f")],
            pairs=[
                Pair(f"{pair}a", f"{pair}b", claimed_type=kind, claimed_cut_rule="min" if kind else None)
                for pair in range(10)
                for kind in (types[pair % len(types)] if pair < 8 else None,)
            ],
            judges=[
                Judge(RULE, JudgeKind.RULE, "the rule"),
                Judge(PERSON, JudgeKind.PERSON, "a person"),
                Judge(SECOND, JudgeKind.PERSON, "another"),
            ],
            judgements=[*claims, *judgements],
        ),
    )


def judgements(judge: str, criterion: str = "same-main-purpose", **values: str) -> list[Judgement]:
    """Judgements from keywords like p0="clone"."""
    return [Judgement(judge, criterion, value, pair=int(name[1:])) for name, value in values.items()]


def test_a_claim_shows_itself() -> None:
    claim = checked(EXAMPLE, "codexglue-bcb")
    assert repr(claim) == "<Claim on codexglue-bcb: precision 0.998, recall 0.883, f1 0.937>"
    assert "as-published" in claim._repr_html_()


def test_an_open_benchmark_can_be_checked(tmp_path: Path) -> None:
    own = folder(tmp_path, judgements(PERSON, p0="not-clone", p1="clone"))
    assert check_claim(own, f1=0.9).labels == check_claim(own.path, f1=0.9).labels
    assert check_claim(own, f1=0.9).labels[0].error_rate.n == 2


def test_the_example_of_the_paper() -> None:
    claim = checked(EXAMPLE, "codexglue-bcb")
    assert corrected(claim, "as-published") == pytest.approx([0.067, 0.059, 0.063])
    precision = 0.998 * 27 / 406
    f1 = 2 * precision * 0.883 / (precision + 0.883)
    assert corrected(claim, "independent") == pytest.approx([precision, 0.883, f1])
    bounds = next(one for one in claim.corrections if one.name == "bounds")
    assert bounds.measurements[1].value is None
    assert (bounds.measurements[1].low, bounds.measurements[1].high) == (0.0, 1.0)
    (quality,) = claim.labels
    interval = clopper_pearson(379, 406)
    assert interval is not None
    assert quality.error_rate.value == pytest.approx(379 / 406)
    assert quality.error_rate.low == pytest.approx(interval.low)
    assert quality.error_rate.high == pytest.approx(interval.high)
    assert claim.contradiction is None
    assert any("CodeBERT" in leak for leak in claim.leaks)
    assert claim.card.known_flaws
    assert any("'same-main-purpose'" in note for note in claim.notes)


def test_a_set_without_a_judged_sample_has_unknown_and_not_good_labels() -> None:
    claim = checked(EXAMPLE, "gcj")
    assert claim.labels == ()
    assert claim.corrections == ()
    assert claim.notes == (
        "No judged sample of the labels of gcj is known: the share of wrong labels is unknown, not zero.",
    )
    assert any("judged a sample" in question for question in claim.questions)


@pytest.mark.parametrize(
    ("numbers", "name", "value"),
    [
        (ReportedNumbers(0.998, 0.883), "f1", 0.937),
        (ReportedNumbers(precision=0.998, f1=0.937), "recall", 0.883),
        (ReportedNumbers(recall=0.883, f1=0.937), "precision", 0.998),
    ],
)
def test_a_missing_number_follows_from_the_other_two(numbers: ReportedNumbers, name: str, value: float) -> None:
    claim = checked(numbers, "codexglue-bcb")
    found = next(one for one in claim.reported if one.name == name)
    assert found.value == pytest.approx(value, abs=6e-4)
    assert found.note == "follows from the other two"
    assert [one.name for one in claim.corrections] == ["independent", "bounds", "as-published"]


def test_one_number_cannot_be_corrected() -> None:
    claim = checked(ReportedNumbers(f1=0.9), "codexglue-bcb")
    assert [one.name for one in claim.reported] == ["f1"]
    assert claim.corrections == ()
    assert "A correction needs precision and recall, or one of them and F1." in claim.notes


def test_numbers_that_do_not_fit_are_named_with_those_that_would() -> None:
    claim = checked(ReportedNumbers(0.998, 0.883, 0.95), "gcj")
    assert claim.contradiction is not None
    assert "make an F1 of 0.937, not 0.95; or the recall is 0.906" in claim.contradiction
    assert claim.questions[0].startswith("Which of precision, recall and F1 is misprinted")


@pytest.mark.parametrize(
    ("numbers", "fits"),
    [
        (ReportedNumbers(0.9, 0.9, 0.9), True),
        (ReportedNumbers(0.97, 0.94, 0.95), True),  # 0.9548, and the inputs are rounded
        (ReportedNumbers(0.97, 0.94, 0.97), False),
        (ReportedNumbers(0.0, 0.0, 0.0), True),
        (ReportedNumbers(0.5, 0.5, 0.0), False),
        (ReportedNumbers(precision=0.2, f1=0.6), False),
        (ReportedNumbers(recall=0.2, f1=0.3), True),
        (ReportedNumbers(precision=0.0, f1=0.0), True),
    ],
)
def test_rounding_is_not_a_contradiction(numbers: ReportedNumbers, fits: bool) -> None:
    assert (checked(numbers, "gcj").contradiction is None) is fits


@given(tp=st.integers(1, 10**6), fp=st.integers(0, 10**6), fn=st.integers(0, 10**6), digits=st.integers(2, 4))
def test_true_numbers_never_contradict_each_other_however_rounded(tp: int, fp: int, fn: int, digits: int) -> None:
    true = (tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn))
    assert checked(ReportedNumbers(*(round(value, digits) for value in true)), "gcj").contradiction is None


@pytest.mark.parametrize(
    ("values", "hint"),
    [
        ({"precision": 99.8}, "Write 0.998 for 99.8 %."),
        ({"recall": -0.1}, "Give a number from 0 to 1."),
        ({"f1": float("nan")}, "Give a number from 0 to 1."),
        ({}, "Give --precision, --recall or --f1."),
    ],
)
def test_numbers_outside_0_to_1_are_refused(values: dict[str, float], hint: str) -> None:
    with pytest.raises(InputError) as refusal:
        ReportedNumbers(**values)
    assert refusal.value.hint == hint


def test_an_unknown_set_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="codexglue-bcb"):
        checked(EXAMPLE, "codexglue-bc")


def test_a_folder_is_checked_by_its_own_judgements(tmp_path: Path) -> None:
    own = folder(
        tmp_path, judgements(PERSON, p0="not-clone", p1="not-clone", p2="not-clone", p3="clone", p8="not-clone")
    )
    claim = checked(EXAMPLE, str(own.path))
    (quality,) = claim.labels
    # Pair 8 is not labelled a clone: it says nothing about clone labels.
    assert (quality.error_rate.successes, quality.error_rate.n) == (3, 4)
    assert quality.criterion == "same-main-purpose"
    assert corrected(claim, "independent")[0] == pytest.approx(0.998 * 0.25, abs=6e-4)
    assert claim.card.known_flaws == ("Small.",)


def test_undecided_and_unjudged_pairs_are_not_part_of_the_sample(tmp_path: Path) -> None:
    tie = [*judgements(PERSON, p0="clone", p1="clone"), *judgements(SECOND, p0="not-clone")]
    (quality,) = check_claim(folder(tmp_path, tie), f1=0.9).labels
    assert (quality.error_rate.successes, quality.error_rate.n) == (0, 1)


def test_judgements_on_fragments_do_not_count_since_they_cannot_deny_a_pair(tmp_path: Path) -> None:
    seats = [
        Judgement(PERSON, "implements-functionality", value, fragment=fragment, functionality="f")
        for fragment, value in (("0a", "major"), ("0b", "major"), ("1a", "major"), ("1b", "wrong"))
    ]
    own = folder(tmp_path, seats)
    assert check_claim(own, f1=0.9).labels == ()
    with pytest.raises(InputError, match="about single fragments, and cannot deny a pair"):
        check_claim(own, f1=0.9, criterion="implements-functionality")


def test_a_folder_whose_judges_were_asked_several_things_needs_a_choice(tmp_path: Path) -> None:
    own = folder(
        tmp_path, [*judgements(PERSON, p0="clone"), *judgements(PERSON, "functionally-similar", p0="not-clone")]
    )
    with pytest.raises(InputError, match="several questions") as refusal:
        check_claim(own, f1=0.9)
    assert refusal.value.hint is not None
    assert refusal.value.hint.endswith("functionally-similar, same-main-purpose.")
    (chosen,) = check_claim(own, f1=0.9, criterion="functionally-similar").labels
    assert chosen.error_rate.value == 1.0


@pytest.mark.parametrize("criterion", ["shares-functionality", "textual"])
def test_a_folder_without_labels_or_evidence_has_no_label_error(tmp_path: Path, criterion: str) -> None:
    given = [] if criterion == "shares-functionality" else judgements(PERSON, p0="clone")
    assert isinstance(judged_labels(folder(tmp_path, given, criterion)), str)


def test_known_leaks_name_known_sets_and_a_source() -> None:
    for leak in KNOWN_LEAKS:
        assert set(leak.sets) <= set(SOURCES)
        assert leak.source


def test_counts_give_intervals_of_both_samples_and_the_share_of_clones() -> None:
    plain = check_claim("codexglue-bcb", precision=0.9, recall=0.8)
    counted = check_claim("codexglue-bcb", precision=0.9, recall=0.8, pairs=400, clones=200)
    assert "rogan-gladen" not in {one.name for one in plain.corrections}
    assert any("give --pairs and --clones" in note for note in plain.notes)
    assert {"rogan-gladen", "sensitivity"} <= {one.name for one in counted.corrections}
    recalls = [
        next(one for one in claim.corrections if one.name == "independent").measurements[1]
        for claim in (plain, counted)
    ]
    assert recalls[0].value == pytest.approx(recalls[1].value) == pytest.approx(0.8)
    assert recalls[0].low is None
    assert recalls[1].low is not None
    assert recalls[1].low < 0.8
    assert not any("give --pairs and --clones" in note for note in counted.notes)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ({"pairs": 100}, "must be given together"),
        ({"pairs": 100, "clones": 101}, "101 of 100 pairs cannot be labelled clones"),
        ({"pairs": 100, "clones": 99}, "cannot have a precision of 0.5"),
    ],
)
def test_impossible_counts_are_refused(counts: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_claim("codexglue-bcb", precision=0.5, recall=0.8, **counts)


def test_wrong_non_clones_need_counts(tmp_path: Path) -> None:
    own = folder(tmp_path, judgements(PERSON, p0="clone", p1="not-clone", p8="clone", p9="not-clone"))
    (quality,) = check_claim(own, f1=0.9).labels
    assert quality.missed_rate is not None
    assert (quality.missed_rate.successes, quality.missed_rate.n) == (1, 2)
    plain = check_claim(own, precision=0.9, recall=0.8).corrections[0]
    assert [one.name for one in plain.measurements] == ["precision"]
    counted = check_claim(own, precision=0.9, recall=0.8, pairs=1000, clones=500).corrections[0]
    hits, clones = 0.5 * 400 + 0.5 * 400 / 9, 0.5 * 500 + 0.5 * 500
    assert counted.measurements[1].value == pytest.approx(hits / clones)
    assert plain.measurements[0].value == pytest.approx(counted.measurements[0].value)


def test_a_folder_with_clone_types_is_not_taken_for_weak_clones_alone(tmp_path: Path) -> None:
    """The published sample is of weak pairs; half of these labels are T1, which nobody judged."""
    own = folder(tmp_path, [], name="bigclonebench", types=("T1", "WT3/T4"))
    claim = check_claim(own, precision=1.0, recall=0.8)
    found = next(one for one in claim.corrections if one.name == "independent")
    assert found.measurements[0].value == pytest.approx((1 + 27 / 406) / 2)
    assert "Every clone type is found equally often." in found.assumption
