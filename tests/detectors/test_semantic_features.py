"""`semantic`: the learned projection, comparison of chosen views, and outputs as evidence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from clonetruth.code.canonical import VIEWS, ViewCounts, read_views
from clonetruth.detectors.semantic import (
    LearnedProjection,
    OutputModel,
    SemanticFragments,
    behaviour,
    shipped_model,
)
from clonetruth.detectors.semantic.behaviour import BEHAVIOUR, ExchangedOutputs, FragmentOutputs, OutputFrequencies
from clonetruth.detectors.semantic.projection import between_scaling
from clonetruth.execution.harness import Reason
from clonetruth.execution.output_digests import EXCHANGED, FORMED, FormedInputs, OutputFingerprint
from tests.code.canonical.test_canonical import IN_PYTHON, SUM_ABOVE

WIDTH = 8


def styled(functionalities: int, each: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Vectors of fragments: two numbers depend on the functionality, all are shifted along one direction of style."""
    random = np.random.default_rng(seed)
    style = np.random.default_rng(99).standard_normal((len(VIEWS), WIDTH))
    group = np.repeat(np.arange(functionalities), each)
    meaning = random.standard_normal((functionalities, len(VIEWS), WIDTH))[group]
    amount = 3 * random.standard_normal((len(group), 1, 1))
    vectors = (meaning + amount * style + 0.1 * random.standard_normal(meaning.shape)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    return vectors, group


def nearest_is_same(vectors: np.ndarray, group: np.ndarray) -> float:
    flat = vectors.reshape(len(vectors), -1)
    flat = flat / np.linalg.norm(flat, axis=1, keepdims=True)
    near = flat @ flat.T
    np.fill_diagonal(near, -np.inf)
    return float((group[near.argmax(axis=1)] == group).mean())


def test_style_is_taken_out_for_functionalities_that_were_not_learned() -> None:
    vectors, group = styled(12, 12, 1)
    found = LearnedProjection.of(vectors, group, np.ones(len(VIEWS)))
    assert found is not None
    unseen, own = styled(8, 8, 2)
    learned = found.apply(unseen)
    np.testing.assert_allclose(np.linalg.norm(learned, axis=1), 1.0, atol=1e-5)
    assert nearest_is_same(learned, own) > nearest_is_same(unseen, own)


def test_a_learned_vector_does_not_depend_on_its_neighbours() -> None:
    vectors, group = styled(6, 10, 3)
    found = LearnedProjection.of(vectors, group, np.ones(len(VIEWS)))
    assert found is not None
    np.testing.assert_array_equal(found.apply(vectors)[:5], found.apply(vectors[:5]))


def test_directions_in_which_functionalities_differ_count_for_more_and_none_is_lost() -> None:
    centres = np.zeros((5, 6))
    centres[:, 2] = [-4.0, -2.0, 0.0, 2.0, 4.0]
    scaling = between_scaling(centres)
    np.testing.assert_allclose(scaling, np.diag(np.diag(scaling)), atol=1e-9)
    others = np.delete(np.diag(scaling), 2)
    np.testing.assert_allclose(others, others[0])
    assert 0 < others[0] < scaling[2, 2] < 1


def test_nothing_is_learned_without_company_other_functionalities_or_views_with_weight() -> None:
    vectors, group = styled(6, 10, 4)
    assert LearnedProjection.of(vectors, np.zeros_like(group), np.ones(len(VIEWS))) is None
    assert LearnedProjection.of(vectors, np.arange(len(vectors)), np.ones(len(VIEWS))) is None
    assert LearnedProjection.of(vectors, group, np.zeros(len(VIEWS))) is None


@pytest.fixture(scope="module")
def compared() -> SemanticFragments:
    names = ["java", "go", "python", "java"]
    texts = [SUM_ABOVE["java"], SUM_ABOVE["go"], IN_PYTHON, SUM_ABOVE["java"] + "  "]
    counts = ViewCounts.joined(list(read_views(texts, names)))
    return SemanticFragments.of(counts, names, shipped_model().background)


def test_views_that_do_not_count_are_not_compared(compared: SemanticFragments) -> None:
    left, right = np.array([0, 0, 1]), np.array([1, 2, 2])
    used = np.arange(len(VIEWS)) % 3 == 0
    everything, _ = compared.similarities(left, right)
    some, _ = compared.similarities(left, right, used)
    np.testing.assert_array_equal(some[:, used], everything[:, used])
    assert everything[:, ~used].any()
    assert not some[:, ~used].any()


def test_a_search_compares_as_pairs_do(compared: SemanticFragments) -> None:
    pairs, same = compared.similarities(np.array([0, 0, 0]), np.array([1, 2, 3]))
    search, search_same = compared.against_all(np.array([0]))
    np.testing.assert_allclose(search[0, 1:], pairs, atol=1e-3)
    assert same.tolist() == search_same[0, 1:].tolist() == [False, False, True]


def outputs(*rows: tuple[str | None, ...], inputs: str = "program") -> list[OutputFingerprint]:
    return [OutputFingerprint(inputs, row) for row in rows]


def test_agreement_on_a_rare_output_says_more_than_on_a_common_one() -> None:
    others = outputs(*[("0", "0", "0", str(number)) for number in range(20)])
    tested = outputs(("0", "0", "0", "a"), ("0", "0", "0", "b"), ("7", "8", "9", "c"), ("7", "8", "9", "d"))
    own = FragmentOutputs.of(tested, OutputFrequencies.of(others))
    (common, rare, none), known = own.columns(np.array([0, 2, 0]), np.array([1, 3, 2]))
    assert known.all()
    assert (rare[:2] > common[:2]).all()
    assert rare[2] == common[2] > none[2]
    assert len(rare) == len(BEHAVIOUR)


def test_what_did_not_run_says_nothing() -> None:
    tested = [*outputs(("1", "2", "3"), ("1", None, None)), *outputs(("1", "2", "3"), inputs="function of 1")]
    tested.append(OutputFingerprint())
    own = FragmentOutputs.of(tested, OutputFrequencies.of([]))
    columns, known = own.columns(np.array([0, 0, 0, 3]), np.array([1, 2, 3, 3]))
    assert not columns.any()
    assert not known.any()
    columns, known = own.columns(np.array([0]), np.array([0]))
    assert columns[0, 0] > 0
    assert known.all()


def test_outputs_for_inputs_of_another_form_are_no_difference() -> None:
    """Inputs of the form that a program reads stand at the same places, whatever the form is."""
    tested = outputs(
        ("1", "2", "3", "form 4", "form 5"), ("1", "2", "3", "other 4", "other 6"), ("1", "2", "3", "form 4", "form 7")
    )
    own = FragmentOutputs.of(tested, OutputFrequencies.of([]))
    (another, same), known = own.columns(np.array([0, 0]), np.array([1, 2]))
    assert known.all()
    assert another[2] == 0
    assert same[2] < 0


def program_outputs(form: str, *own: str | None) -> OutputFingerprint:
    return OutputFingerprint(
        "program", (*("1", None, "3"), *(one and f"{form} {one}" for one in own), *(None,) * (FORMED - len(own)))
    )


def test_programs_of_two_forms_are_compared_on_inputs_of_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one takes the first one's form, too; the third takes no other's, and the fourth does not run."""
    asked: list[tuple[str, str]] = []

    def exchanged(
        requests: Sequence[tuple[tuple[str, str], FormedInputs]], **_: object
    ) -> list[tuple[str | None, ...]]:
        asked.extend((text, given.form) for (_, text), given in requests)
        said = {("two", "a"): ("a x", "a y", "a other", None)}
        return [said.get((text, given.form), (None,) * EXCHANGED) for (_, text), given in requests]

    forms = {"one": "a", "two": "b", "three": "c", "four": "d", "five": "a"}
    monkeypatch.setattr(behaviour, "run_exchanged", exchanged)
    monkeypatch.setattr(
        "clonetruth.execution.output_digests.formed_inputs",
        lambda code: FormedInputs(forms[code.text], ("1",) * FORMED),
    )
    tested = [
        program_outputs("a", "x", "y", "z", "u"),
        program_outputs("b", "v"),
        program_outputs("c", "w"),
        OutputFingerprint(reason=Reason.COMPILE),
        program_outputs("a", "x", "y", "z", "u"),
    ]
    own = FragmentOutputs.of(tested, OutputFrequencies.of([]))
    left, right = np.array([0, 1, 0, 0, 0]), np.array([1, 0, 2, 3, 4])
    given = ExchangedOutputs.of([("java", text) for text in forms], tested, left, right)
    assert sorted(asked) == [("one", "b"), ("one", "c"), ("three", "a"), ("two", "a")]
    without, known = own.columns(left, right)
    assert known.tolist() == [False, False, False, False, True]
    columns, known = own.columns(left, right, given)
    assert known.tolist() == [True, True, False, False, True]
    # Of the five inputs that both answer, one differs; the order of the sides changes nothing.
    assert columns[0, 2] == pytest.approx(-4 / 5)
    np.testing.assert_array_equal(columns[0], columns[1])
    np.testing.assert_array_equal(columns[4], without[4])


def test_outputs_revise_only_pairs_of_which_they_are_known() -> None:
    model = OutputModel(np.array([0.5, 1.0, 0.0, 2.0]), -1.0)
    said = np.array([[3.0, 0.0, -1.0], [0.0, 0.0, 0.0]])
    assert model.revised(np.array([4.0, 4.0]), said, np.array([True, False])).tolist() == [2.0, 4.0]
    assert OutputModel.silent().revised(np.array([4.0]), said[:1], np.array([True])).tolist() == [4.0]
