"""`semantic` and `ngrams`: what the scores promise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest

from clonetruth.code.canonical import VIEWS
from clonetruth.detectors import DETECTORS
from clonetruth.detectors.detector import FRAGMENTS, PAIRS
from clonetruth.detectors.embedding import nearest_rows
from clonetruth.detectors.semantic import SEMANTIC, fragment_hash, shipped_model
from clonetruth.detectors.semantic import detector as semantic_detector
from clonetruth.detectors.semantic.background import WIDTH, Cohort
from clonetruth.detectors.semantic.shipped import ShippedModel
from clonetruth.errors import InputError, MissingExtraError
from clonetruth.progress import Progress, no_progress
from tests.code.canonical.test_canonical import IN_PYTHON, SUM_ABOVE

Units = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

OTHER = (
    "boolean balanced(String text) { Deque<Character> open = new ArrayDeque<>(); for (char c : text.toCharArray()) "
    "{ if (c == '(') open.push(c); else if (c == ')' && (open.isEmpty() || open.pop() != '(')) return false; } "
    "return open.isEmpty(); }"
)


def scores(name: str, texts: list[tuple[str, str]], sides: list[tuple[int, int]]) -> list[float | None]:
    columns = [list(range(len(texts))), [one for one, _ in texts], [text for _, text in texts]]
    fragments = pa.table(dict(zip(FRAGMENTS.names, columns, strict=True)), schema=FRAGMENTS)
    left, right = zip(*sides, strict=True)
    pairs = pa.table({"pair": list(range(len(sides))), "left": list(left), "right": list(right)}, schema=PAIRS)
    values: list[float | None] = DETECTORS[name].score(fragments, pairs).to_pylist()
    return values


@pytest.mark.parametrize("name", ["semantic", "ngrams"])
def test_identical_texts_score_highest_and_renaming_changes_little(name: str) -> None:
    java = SUM_ABOVE["java"]
    renamed = java.replace("a[i]", "values[k]").replace("int[] a", "int[] values").replace("int i", "int k")
    renamed = renamed.replace("i < n; i++", "k < n; k++")
    same, other_names, other = scores(
        name, [("java", java), ("java", renamed), ("java", OTHER)], [(0, 0), (0, 1), (0, 2)]
    )
    assert same == 1.0
    assert other_names is not None
    assert other is not None
    assert same > other_names > other


def test_a_translation_is_closer_than_another_function() -> None:
    texts = [("java", SUM_ABOVE["java"]), ("java", OTHER), ("python", IN_PYTHON), ("go", SUM_ABOVE["go"])]
    other, python, go = scores("semantic", texts, [(0, 1), (0, 2), (0, 3)])
    assert other is not None
    assert python is not None
    assert go is not None
    assert min(python, go) > other


def test_what_cannot_be_read_has_no_score() -> None:
    texts = [("java", SUM_ABOVE["java"]), ("java", ""), ("cobol", "ADD A TO B."), ("java", "int f( { x + }")]
    assert [one is None for one in scores("semantic", texts, [(0, 1), (0, 2), (0, 3)])] == [True, True, False]


def test_a_search_ranks_as_scores_do() -> None:
    from clonetruth.detectors.semantic import SEMANTIC

    texts = [("java", SUM_ABOVE["java"]), ("java", OTHER), ("c", SUM_ABOVE["c"]), ("java", "")]
    columns = [list(range(len(texts))), [one for one, _ in texts], [text for _, text in texts]]
    fragments = pa.table(dict(zip(FRAGMENTS.names, columns, strict=True)), schema=FRAGMENTS)
    found = SEMANTIC.query_scores(fragments)(np.array([0, 3]))
    assert np.isnan(found[1]).all()
    assert found[0, 0] > found[0, 2] > found[0, 1]
    pairs = scores("semantic", texts, [(0, 1), (0, 2)])
    assert 1 / (1 + np.exp(-found[0, [1, 2]])) == pytest.approx(np.array(pairs, float), abs=1e-4)


def test_the_shipped_model_states_its_sources_and_has_no_text() -> None:
    model = shipped_model()
    assert len(model.training) > 1_000
    assert DETECTORS["semantic"].default_threshold == pytest.approx(model.threshold, abs=1e-6)
    assert all(len(one) == 16 for one in list(model.training)[:10])
    assert "even" in model.facts["training"]
    assert len(model.facts["background"]) > 10
    assert (model.model.weights >= 0).all()
    # No view decides alone, as two did when the weights were those that MBXP gives.
    assert model.model.weights.max() < 0.2 * model.model.weights.sum()
    assert int(model.model.used.sum()) == 17
    assert 0.1 < model.examples.truth.mean() < 0.4
    assert model.examples.similarities[model.examples.truth].mean() > model.examples.similarities.mean() + 0.5
    path = Path(__file__).parents[2] / "src/clonetruth/detectors/semantic/semantic_model.npz"
    assert path.stat().st_size < 3_000_000


def test_hashes_of_training_fragments_ignore_white_space() -> None:
    assert fragment_hash("java", "int  f()\n{}") == fragment_hash("java", "int f() {}")
    assert fragment_hash("java", "int f() {}") != fragment_hash("c", "int f() {}")


def test_a_model_survives_saving_and_another_file_is_refused(tmp_path: Path) -> None:
    model = shipped_model()
    model.save(tmp_path / "model.npz")
    back = ShippedModel.load(tmp_path / "model.npz")
    assert np.array_equal(back.weights, model.weights)
    assert back.training == model.training
    assert np.array_equal(back.model.weights, model.model.weights)
    assert np.array_equal(back.fitted.weights, model.fitted.weights)
    assert np.array_equal(back.examples.similarities, model.examples.similarities)
    assert np.array_equal(back.examples.truth, model.examples.truth)
    assert np.array_equal(back.examples.fold, model.examples.fold)
    np.savez(tmp_path / "other.npz", about=np.array("{}"))
    with pytest.raises(InputError, match="Not a model of 'semantic'"):
        ShippedModel.load(tmp_path / "other.npz")


def test_a_search_reports_pairs_that_are_likely_clones_where_few_are() -> None:
    """The scores are probabilities where a fifth of the pairs are clones; in a code base it is one in hundreds."""
    threshold = SEMANTIC.find_threshold
    assert threshold > SEMANTIC.default_threshold
    share = shipped_model().facts["clone_share"]
    odds = threshold / (1 - threshold) * (1 - share) / share  # how much more often clones have such a score
    assert odds / 199 == pytest.approx(1, abs=0.05)  # one clone in 200 pairs: as likely as not


def found(threshold: float = 0.5) -> dict[tuple[int, int], float]:
    """The pairs that the finder reports among twelve functions, two of each kind."""
    kinds = [SUM_ABOVE["java"], OTHER, "int f(int a) { while (a > 9) a = a / 10 + a % 10; return a; }"]
    kinds += [f"int g{n}(int[] a) {{ int s = {n}; for (int x : a) s = s * {n + 2} + x; return s; }}" for n in range(3)]
    texts = [text for kind in kinds for text in (kind, kind.replace("return", "// done\n return"))]
    items = [(b"java", text.encode()) for text in texts] + [(b"java", b"// nothing")]
    parts = list(SEMANTIC.compare(items).matches(threshold, no_progress))
    return {
        (a, b): score
        for part in parts
        for a, b, score in zip(part.left.tolist(), part.right.tolist(), part.score.tolist(), strict=True)
    }


def test_a_search_for_the_nearest_reports_what_comparing_all_does(monkeypatch: pytest.MonkeyPatch) -> None:
    every = found()
    assert {(at, at + 1) for at in range(0, 12, 2)} <= set(every)
    monkeypatch.setattr(semantic_detector, "EXACT_FRAGMENTS", 5)
    assert found() == every  # 13 functions have fewer than 40 neighbours
    monkeypatch.setattr(semantic_detector, "NEAREST", 1)
    nearest = found()
    assert {(at, at + 1) for at in range(0, 12, 2)} <= set(nearest)
    assert nearest.items() <= every.items()


def test_without_an_index_the_search_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def without_index(
        units: Units, count: int, *, exact: bool | None = None, progress: Progress | None = None
    ) -> tuple[Rows, Rows]:
        asked.append(exact)
        if exact is None:
            raise MissingExtraError.extra("A search", "encoders")
        return nearest_rows(units, count, exact=exact, progress=progress)

    every = found()
    monkeypatch.setattr(semantic_detector, "EXACT_FRAGMENTS", 5)
    monkeypatch.setattr(semantic_detector, "nearest_rows", without_index)
    assert found() == every
    assert asked == [None, True]


def test_a_share_of_the_cohort_is_what_a_fragment_resembles_most() -> None:
    random = np.random.default_rng(2)
    vectors = random.normal(size=(70, len(VIEWS), WIDTH)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    own, cohort = vectors[:10], Cohort(vectors[10:], ("java",) * 60)
    mean, deviation = replace(cohort, share=0.25).moments(own, None, "java")
    for row in range(len(own)):
        for view in range(len(VIEWS)):
            nearest = np.sort(cohort.vectors[:, view].astype(np.float64) @ own[row, view])[-15:]
            assert mean[row, view] == pytest.approx(nearest.mean(), abs=1e-6)
            assert deviation[row, view] == pytest.approx(nearest.std(), abs=1e-6)
    few = replace(cohort, share=0.01).moments(own, None, "java")[1]
    assert (few > 0).all()
