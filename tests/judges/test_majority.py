"""Runs become one judgement."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from clonetruth.judges.majority import Answer, Conclusion, conclude, position_bias
from clonetruth.judges.protocol import Order
from clonetruth.judges.protocols import SIMILARITY

WORDS = {**SIMILARITY.answers, "PERHAPS": None}
MALFORMED = "PERHAPS"


def runs(*words: str, order: Order = Order.GIVEN) -> list[Answer]:
    return [
        Answer(order, number, f"ANSWER: {word}\nEXPLANATION: {number}", time=f"2026-01-0{number}T00:00:00+00:00")
        for number, word in enumerate(words, 1)
    ]


def concluded(*words: str) -> Conclusion:
    return conclude(runs(*words), SIMILARITY.answers)


@given(st.lists(st.sampled_from(sorted(WORDS)), min_size=1, max_size=9))
def test_a_value_needs_more_than_half_of_all_runs(words: list[str]) -> None:
    found = concluded(*words)
    values = [WORDS[word] for word in words]
    assert found.malformed == values.count(None)
    if found.value is None:
        assert set(values) == {None}
    elif found.value != "undecided":
        assert 2 * values.count(found.value) > len(values)
    else:
        assert all(2 * values.count(value) <= len(values) for value in ("clone", "not-clone"))
    assert found.confidence == (values.count(found.value) / len(values) if found.value else 0)
    assert [run["value"] for run in json.loads(found.evidence)["runs"]] == values


@given(st.data(), st.lists(st.sampled_from(sorted(WORDS)), min_size=1, max_size=9))
def test_the_order_of_runs_does_not_matter(data: st.DataObject, words: list[str]) -> None:
    one, two = concluded(*words), concluded(*data.draw(st.permutations(words)))
    assert (one.value, one.confidence, one.malformed) == (two.value, two.confidence, two.malformed)


def test_the_reason_is_that_of_the_majority() -> None:
    found = concluded("DIFFERENT", "SIMILAR", "SIMILAR")
    assert (found.value, found.reason, found.confidence) == ("clone", "2", 2 / 3)
    assert found.time == "2026-01-03T00:00:00+00:00"


def test_a_tie_is_undecided_and_says_why() -> None:
    found = concluded("DIFFERENT", "SIMILAR")
    assert (found.value, found.confidence) == ("undecided", 0.0)
    assert found.reason == "The runs are divided: not-clone 1, clone 1."


def test_a_majority_that_nobody_can_read_is_no_majority() -> None:
    found = concluded("SIMILAR", MALFORMED, MALFORMED)
    assert (found.value, found.malformed) == ("undecided", 2)
    assert concluded(MALFORMED, MALFORMED).value is None


def test_position_bias_counts_what_changes_with_the_order() -> None:
    def both(given: str, swapped: str) -> Conclusion:
        answers = runs(*[given] * 3) + runs(*[swapped] * 3, order=Order.SWAPPED)
        return conclude(answers, SIMILARITY.answers)

    found = position_bias(
        [
            both("SIMILAR", "SIMILAR"),
            both("SIMILAR", "DIFFERENT"),
            both("DIFFERENT", "DIFFERENT"),
            both("UNCLEAR", "DIFFERENT"),
        ]
    )
    assert found is not None
    assert (found.compared, found.differ, found.share) == (3, 1, 1 / 3)
    assert (found.given, found.swapped) == ({"clone": 2, "not-clone": 1}, {"clone": 1, "not-clone": 2})
    assert both("SIMILAR", "DIFFERENT").value == "undecided"


def test_without_a_second_order_the_bias_is_not_known() -> None:
    assert position_bias([concluded("SIMILAR")]) is None
    undecided = conclude(runs("UNCLEAR") + runs("UNCLEAR", order=Order.SWAPPED), SIMILARITY.answers)
    found = position_bias([undecided])
    assert found is not None
    assert (found.compared, found.share) == (0, None)
