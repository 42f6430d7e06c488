"""Claims: the paper's example, numbers that contradict each other, and what a folder's own judgements say."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.evaluate.labels.claim import Claim, ReportedNumbers, check_claim
from clonetruth.evaluate.labels.judged_labels import judged_label_error
from clonetruth.evaluate.labels.known_quality import KNOWN_LEAKS, KNOWN_QUALITY, known_quality
from clonetruth.model import CRITERIA, Card, Dataset, Fragment, Functionality, Judge, JudgeKind, Judgement, Pair
from clonetruth.sources import SOURCES
from clonetruth.stats.intervals import wilson
from clonetruth.store import Benchmark

EXAMPLE = ReportedNumbers(0.998, 0.883, 0.937)
RULE, PERSON, SECOND = "rule", "person", "second"


def checked(numbers: ReportedNumbers, on: str) -> Claim:
    return check_claim(on, precision=numbers.precision, recall=numbers.recall, f1=numbers.f1)


def corrected(claim: Claim, name: str) -> list[float | None]:
    found = next(one for one in claim.corrections if one.name == name)
    return [one.value for one in found.measurements]


def folder(path: Path, judgements: list[Judgement], card_criterion: str = "shares-functionality") -> Benchmark:
    """Ten pairs of two functions each; the rule calls the first eight clones."""
    claims = [
        Judgement(RULE, "shares-functionality", "clone" if pair < 8 else "not-clone", pair=pair) for pair in range(10)
    ]
    return Benchmark.create(
        path / "folder",
        Dataset(
            card=Card("own", "1", "Ours.", "MIT", "Nobody", card_criterion, ("java",), known_flaws=("Small.",)),
            fragments=[Fragment(f"{pair}{side}", "java", "") for pair in range(10) for side in "ab"],
            functionalities=[Functionality("f", "f")],
            pairs=[Pair(f"{pair}a", f"{pair}b") for pair in range(10)],
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
    assert corrected(claim, "as-published") == [0.067, 0.059, 0.063]
    assert corrected(claim, "independent") == [0.067, 0.883, 0.125]
    bounds = next(one for one in claim.corrections if one.name == "bounds")
    assert bounds.measurements[1].value is None
    assert (bounds.measurements[1].low, bounds.measurements[1].high) == (0.0, 1.0)
    (quality,) = claim.labels
    interval = wilson(379, 406)
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
    assert len(claim.corrections) == 3


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
    found = judged_label_error(folder(tmp_path, tie))
    assert found is not None
    assert (found.error_rate.successes, found.error_rate.n) == (0, 1)


def test_judgements_on_fragments_do_not_count_since_they_cannot_deny_a_pair(tmp_path: Path) -> None:
    seats = [
        Judgement(PERSON, "implements-functionality", value, fragment=fragment, functionality="f")
        for fragment, value in (("0a", "major"), ("0b", "major"), ("1a", "major"), ("1b", "wrong"))
    ]
    own = folder(tmp_path, seats)
    assert judged_label_error(own) is None
    with pytest.raises(InputError, match="cannot read the criterion"):
        judged_label_error(own, "implements-functionality")


def test_a_folder_whose_judges_were_asked_several_things_needs_a_choice(tmp_path: Path) -> None:
    own = folder(
        tmp_path, [*judgements(PERSON, p0="clone"), *judgements(PERSON, "functionally-similar", p0="not-clone")]
    )
    with pytest.raises(InputError, match="several questions") as refusal:
        judged_label_error(own)
    assert refusal.value.hint == "Choose one with --criterion: functionally-similar, same-main-purpose."
    chosen = judged_label_error(own, "functionally-similar")
    assert chosen is not None
    assert chosen.error_rate.value == 1.0


@pytest.mark.parametrize("criterion", ["shares-functionality", "textual"])
def test_a_folder_without_labels_or_evidence_has_no_label_error(tmp_path: Path, criterion: str) -> None:
    given = [] if criterion == "shares-functionality" else judgements(PERSON, p0="clone")
    assert judged_label_error(folder(tmp_path, given, criterion)) is None


def test_known_quality_names_known_sets_and_criteria_and_a_source() -> None:
    for one in KNOWN_QUALITY:
        assert set(one.sets) <= set(SOURCES)
        assert one.criterion in CRITERIA
        assert 0 <= one.wrong <= one.judged
        assert one.source
    for leak in KNOWN_LEAKS:
        assert set(leak.sets) <= set(SOURCES)
        assert leak.source
    assert known_quality("sesame") == ()


def test_the_sample_that_is_at_hand_has_the_published_share(shared_data: Path) -> None:
    verdicts = (shared_data / "bcb406" / "finaltruth.csv").read_text(encoding="utf-8").splitlines()[1:]
    wrong = sum(line.startswith("F,") for line in verdicts)
    low, high = KNOWN_QUALITY[0].error_rate().low, KNOWN_QUALITY[0].error_rate().high
    assert low is not None
    assert high is not None
    assert low < wrong / len(verdicts) < high
