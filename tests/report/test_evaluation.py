"""The page of an evaluation: everything in a result is shown, nothing is invented, and text stays text."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from clonetruth.errors import InputError
from clonetruth.html import render
from clonetruth.report.evaluation import evaluation_page
from clonetruth.report.evaluation_measures import Metric
from clonetruth.store.results import Measurement, Result, ResultKind
from tests.report.sample_results import (
    hostile_result,
    locations_result,
    minimal_result,
    pairs_result,
    share,
)
from tests.report.wellformed import read


def page(*results: Result) -> tuple[str, str]:
    """The document, checked, and its text."""
    html = render(evaluation_page(results))
    reader = read(html)
    assert reader.problems == []
    text = " ".join(" ".join(reader.text).split())  # narrow spaces become plain ones
    assert "None" not in text
    assert "nan" not in text.split()
    return html, text


def titles(*results: Result) -> list[str]:
    return [section.title for section in evaluation_page(results).sections]


def test_pairs_show_every_part() -> None:
    html, text = page(pairs_result())
    assert titles(pairs_result()) == [
        "Compared with trivial detectors",
        "All numbers",
        "Curves",
        "By clone type",
        "By functionality",
        "By language pair",
        "Corrected for wrong labels",
        "Where the labels are weak",
        "Worst disagreements",
        "How to cite these numbers",
    ]
    for words in (
        "TwinNet reaches 78.2 % F1 (95 % interval 75.2–81.2 %) on street-code.",
        "Fewer than ten effective functionalities",
        "A prediction counts for each row of its pair.",
        "policy default under the criterion “same-main-purpose”; 3,000 pairs count.",
        "The best trivial detector by F1 is identifier overlap",
        "average over groups (macro)",
        "expected calibration error 0.062",
        "Non-clones have no clone type.",
        "Label errors are independent of what the detector finds.",
        "between 10.0 and 97.0",
        "A tie of judges is unknown.",
        "unknown share 13.0 %",
        "Called clone (score 0.981), verdict not-clone · Words · ST3",
        "f4 – f5",
    ):
        assert words in text, words
    for count in ("700", "90", "300", "1,910"):
        assert f'class="big middle">{count}<' in html


def test_locations_show_every_part() -> None:
    html, text = page(locations_result())
    assert titles(locations_result()) == [
        "Recall by clone type",
        "Recall by similarity",
        "What is known about precision",
        "All numbers",
        "By functionality",
        "Where the labels are weak",
        "How to cite these numbers",
    ]
    for words in (
        "recall when only Type-1 to Type-3 counts",
        "6.3 % of the pairs have these types",
        "These numbers trust the benchmark's own labels",
        "93 % of a sample of 406 weak Type-3/Type-4 pairs",
        "12 rows of the report were skipped",
        "Square: BigCloneEval repaired; circle: BigCloneEval as shipped.",
        "Precision lies between 31.0 % and 97.0 %",
        "34.0 % of the reported pairs were judged.",
        "70.0 → 100.0",
    ):
        assert words in text, words
    assert "precision, at least" not in html.split("<section", 1)[0]


def test_equal_behaviours_are_shown_once() -> None:
    result = locations_result()
    same = dataclasses.replace(result, recall=dict.fromkeys(("repaired", "as-shipped"), result.recall["repaired"]))
    html, text = page(same)
    assert "give the same recall for every type" in text
    assert 'class="arrow"' not in html


def test_the_behaviour_of_the_headline_comes_first() -> None:
    result = locations_result()
    shipped = dataclasses.replace(result, setting={**result.setting, "behaviour": "as-shipped"}, headline=())
    assert "100.0 → 70.0" in page(shipped)[1]


def test_a_recall_above_one_is_shown_and_nothing_found_in_nothing_is_unknown() -> None:
    result = locations_result()
    rows = {"T1": [5, 4, 1.25], "T2": [0, 0, None], "VST3": [3, 0, "Infinity"]}
    overall = {"types": {"all": rows}, "regions": {"all": {"0-5": [0, 0, None]}}}
    odd = dataclasses.replace(result, headline=(), strata=(), recall={"as-shipped": {"overall": overall}})
    _, text = page(odd)
    assert "125.0" in text
    assert text.count("unknown") >= 2
    assert "Infinity" not in text


def test_missing_parts_have_no_section() -> None:
    html, text = page(minimal_result())
    assert titles(minimal_result()) == ["All numbers", "Where the labels are weak", "How to cite these numbers"]
    assert "No number of guess is defined on answers.txt." in text
    assert "no number is defined; policy answers-file" in text
    assert "cautions" not in html.split("</style>")[1]


OPTIONAL = [field.name for field in dataclasses.fields(Result) if field.default is not dataclasses.MISSING]


@pytest.mark.parametrize("name", [*OPTIONAL, "recall"])
@pytest.mark.parametrize("full", [pairs_result(), locations_result()], ids=["pairs", "locations"])
def test_any_part_may_be_missing(full: Result, name: str) -> None:
    empty: Any = {"view": None, "part": None, "recall": {}}.get(name, ())
    html, _ = page(dataclasses.replace(full, **{name: empty}))
    assert ">no data<" not in html


def test_hostile_texts_stay_texts() -> None:
    html, text = page(hostile_result(), locations_result())
    assert html.count("<script>") == 1
    assert "<img" not in html
    assert "document.title = 'owned'" in text


def test_comparable_results_share_pictures() -> None:
    html, text = page(pairs_result(), pairs_result("OtherNet", 90))
    assert titles(pairs_result(), pairs_result("OtherNet")) == ["Comparison", "1. TwinNet", "2. OtherNet"]
    assert "OtherNet reaches 84.0" in text
    assert "Their intervals overlap" not in text.split("Comparison")[1].split("1. TwinNet")[0]
    assert "F1 of each detector" in html
    assert "ROC curves" in html


def test_an_error_is_never_the_best_of_all() -> None:
    result = pairs_result()
    wrong = (Measurement("ece", 0.3), Measurement("roc-auc", 0.8))
    baselines = (dataclasses.replace(result.baselines[0], measurements=(Measurement("ece", 0.1),)),)
    one = dataclasses.replace(result, headline=wrong, baselines=baselines)
    other = dataclasses.replace(result, detector="OtherNet", headline=wrong[:1], baselines=baselines)
    assert "TwinNet reaches 0.800 ROC AUC" in page(one)[1]
    assert "The best trivial detector" not in page(one)[1]
    assert "2 results, all measured under the same conditions." in page(other, other)[1]


def test_overlapping_intervals_are_pointed_out() -> None:
    _, text = page(pairs_result(), pairs_result("OtherNet", 1))
    assert "Their intervals overlap." in text


def test_incomparable_results_never_share_a_picture() -> None:
    other = dataclasses.replace(pairs_result("OtherNet"), setting={"threshold": "0.5"})
    html, text = page(pairs_result(), other)
    assert "of each detector</title>" not in html
    assert "Only results of the same group are comparable." in text
    assert "chosen on valid by f1" in text
    assert titles(pairs_result(), other)[1:] == ["1. TwinNet (group A)", "2. OtherNet (group B)"]


def test_locations_compare_by_type_region_and_bounds() -> None:
    html, _ = page(locations_result(), locations_result("Hound", 2))
    for title in ("Recall by clone type", "Recall by similarity region", "Bounds of precision"):
        assert f"<title>{title}</title>" in html


def test_the_citation_is_complete_and_fit_for_tex() -> None:
    result = dataclasses.replace(pairs_result("Twin_Net {2} & 50%"), setting={"matcher": "a_b"})
    html, text = page(result)
    for words in (
        "street-code 2.1 (content ab12ab12ab12)",
        "policy default, criterion same-main-purpose",
        "matcher a_b",
        "Measured with clonetruth 0.1.0 on 2026-03-01.",
        r"Twin\_Net \{2\} \& 50\% on street-code",
        r"78.2\,\% (95\,\% interval 75.2--81.2\,\%)",
        "ab12" * 16,
        "@misc{twin-net-2-50-street-code,",
    ):
        assert words in text, words
    assert '<pre tabindex="0">' in html


def test_no_confusion_matrix_without_consistent_counts() -> None:
    result = pairs_result()
    swapped = tuple(share("precision", 700, 1_000) if one.name == "precision" else one for one in result.headline)
    for headline in (swapped, result.headline[:2]):
        html, _ = page(dataclasses.replace(result, headline=headline))
        assert "Verdicts and predictions" not in html


@pytest.mark.parametrize(
    "recall",
    [
        {"repaired": []},
        {"repaired": {}},
        {"repaired": {"overall": {"types": {"all": {"T1": [1, 2]}}}}},
        {"repaired": {"overall": {"types": {"all": {"T1": [-1, 2, None]}}}}},
        {"repaired": {"overall": {"regions": {"all": {"low": [1, 2, 0.5]}}}}},
    ],
)
def test_damaged_counts_are_refused(recall: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="not in the layout of BigCloneEval"):
        evaluation_page([dataclasses.replace(locations_result(), recall=recall)])


def test_no_result_is_refused() -> None:
    with pytest.raises(InputError, match="no result"):
        evaluation_page([])


def test_the_same_results_give_the_same_page() -> None:
    assert render(evaluation_page([pairs_result()])) == render(evaluation_page([pairs_result()]))


@pytest.mark.parametrize("kind", ResultKind)
def test_a_result_with_undefined_numbers_only_can_be_shown(kind: ResultKind) -> None:
    full = pairs_result() if kind is ResultKind.PAIRS else locations_result()
    blank = tuple(Measurement(one.name, None) for one in full.headline)
    _, text = page(dataclasses.replace(full, headline=blank))
    assert f"No number of {full.detector} is defined" in text


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("recall", 0.00001, "<0.1\u202f%"),
        ("recall", 0.0, "0.0\u202f%"),
        ("recall", None, "–"),
        ("mcc", -0.25, "−0.250"),
        ("macro-f1", 0.5, "50.0\u202f%"),
    ],
)
def test_numbers_are_formatted_by_metric(name: str, value: float | None, shown: str) -> None:
    assert Metric(name).show(value) == shown
