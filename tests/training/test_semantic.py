"""The learner `semantic`: what it holds out, learns, records and runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from clonetruth.code.canonical import VIEWS, ViewCounts
from clonetruth.detectors.detector import FRAGMENTS
from clonetruth.detectors.semantic import OutputModel, behaviour, shipped_model
from clonetruth.detectors.semantic import detector as semantic_detector
from clonetruth.detectors.semantic.behaviour import BEHAVIOUR, OutputFrequencies
from clonetruth.errors import InputError, MissingExtraError
from clonetruth.execution.harness import Code
from clonetruth.execution.output_digests import EXCHANGED, FORMED, FormedInputs, OutputFingerprint
from clonetruth.progress import no_progress
from clonetruth.training import held_out
from clonetruth.training import semantic as semantic_learner
from clonetruth.training.held_out import NEAREST, HeldOutExamples, LabelledCounts
from clonetruth.training.learner import LABELLED_PAIRS, TrainingSpec, train_with_functionalities
from clonetruth.training.model_folder import read_model, write_model
from clonetruth.training.semantic import SEMANTIC, SemanticOptions, TrainedSemantic
from clonetruth.training.trainer import best_threshold
from clonetruth.training.view_weights import ViewWeights, fitted_revision
from tests.training.training_data import program

TOPICS = ("sort", "copy", "parse", "hash", "join", "pack")
EACH = 20


def labelled(rows: Sequence[tuple[int, int]]) -> pa.Table:
    left, right = zip(*rows, strict=True)
    clone = [a // EACH == b // EACH for a, b in rows]
    columns = {"pair": list(range(len(rows))), "left": list(left), "right": list(right), "clone": clone}
    return pa.table(columns, schema=LABELLED_PAIRS)


@pytest.fixture(scope="module")
def fragments() -> pa.Table:
    texts = [program(topic, number) for topic in TOPICS for number in range(EACH)]
    columns = {"fragment": range(len(texts)), "language": ["java"] * len(texts), "text": texts}
    return pa.table({name: list(column) for name, column in columns.items()}, schema=FRAGMENTS)


@pytest.fixture(scope="module")
def parts(fragments: pa.Table) -> tuple[pa.Table, pa.Table]:
    rows = list(combinations(range(len(fragments)), 2))
    order = np.random.default_rng(0).permutation(len(rows)).tolist()
    return labelled([rows[at] for at in order[:2000]]), labelled([rows[at] for at in order[2000:2400]])


@pytest.fixture(scope="module")
def trained(fragments: pa.Table, parts: tuple[pa.Table, pa.Table]) -> TrainedSemantic:
    """Trained with a learned vector, which is made to look useful: these programs are too easy to need one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(held_out, "_LEAST_LEARNED", len(TOPICS))
        patch.setattr(ViewWeights, "held_out_f1", lambda similarities, truth, fold, prior: similarities.shape[1])
        return SEMANTIC.train(fragments, *parts, TrainingSpec(epochs=4, own=SemanticOptions(projection=True)))


def test_a_learned_vector_is_recorded_and_scores_the_same_after_loading(
    fragments: pa.Table, parts: tuple[pa.Table, pa.Table], trained: TrainedSemantic, tmp_path: Path
) -> None:
    assert trained.scorer.background.projection is not None
    trained.save(tmp_path / "model")
    loaded = SEMANTIC.load(tmp_path / "model")
    assert loaded.options.own == SemanticOptions(projection=True)
    assert loaded.score(fragments, parts[1]).equals(trained.score(fragments, parts[1]))


def test_a_model_of_an_earlier_version_compares_with_the_whole_cohort(
    fragments: pa.Table, parts: tuple[pa.Table, pa.Table], trained: TrainedSemantic, tmp_path: Path
) -> None:
    assert trained.scorer.background.cohort.share == NEAREST
    trained.save(tmp_path / "model")
    content = read_model(tmp_path / "model")
    older = replace(content, weights={name: one for name, one in content.weights.items() if name != "nearest"})
    write_model(tmp_path / "older", older)
    loaded = SEMANTIC.load(tmp_path / "older")
    assert loaded.scorer.background.cohort.share == 1
    assert not loaded.score(fragments, parts[1]).equals(trained.score(fragments, parts[1]))


def test_few_examples_move_the_weights_little_from_those_that_ship() -> None:
    random, prior = np.random.default_rng(5), shipped_model().fitted.weights
    similarities, truth = random.normal(size=(60, len(prior) + 1)), np.arange(60) % 2 == 0
    similarities[truth, -1] += 2
    fold = np.repeat(np.arange(60)[:, None] % 3, 2, axis=1)
    near, far = (ViewWeights(similarities, truth, fold, one) for one in (prior, None))
    moved = []
    for number in range(20):
        for model in (near, far):
            model.run_epoch(iter(()))
        own, other = (model.weights()["final"][:-1] for model in (near, far))
        moved.append(float(np.abs(own[:-1] - prior).max()))
        if number == 0:
            assert np.corrcoef(own[:-1], prior)[0, 1] > np.corrcoef(other[:-1], prior)[0, 1]
    assert moved[0] < moved[-1]
    assert own[-1] == pytest.approx(other[-1], rel=0.05)  # a weak penalty leaves it to the examples


def test_the_threshold_is_half_of_f1_on_held_out_functionalities(trained: TrainedSemantic) -> None:
    best = max(trained.history, key=lambda epoch: epoch.f1)
    assert trained.default_threshold == best.threshold == pytest.approx(best.f1 / 2, abs=1e-6)


@pytest.mark.slow
def test_where_the_valid_part_has_further_fragments_of_known_functionalities_it_chooses_the_threshold(
    fragments: pa.Table, tmp_path: Path
) -> None:
    topic = np.arange(len(fragments)) // EACH
    early, late = (
        [at for at in range(len(fragments)) if (at % EACH < EACH * 3 // 4) == is_early] for is_early in (True, False)
    )
    pairs = labelled(list(combinations(early, 2))[::2]), labelled(list(combinations(late, 2)))
    told = SEMANTIC.train(fragments, *pairs, TrainingSpec(epochs=2), functionalities=topic)
    scores = told.score(fragments, pairs[1]).to_numpy(zero_copy_only=False)
    assert not told.decides_itself
    assert told.default_threshold == best_threshold(scores, pairs[1]["clone"].to_numpy())[0]
    told.save(tmp_path / "model")
    loaded = SEMANTIC.load(tmp_path / "model")
    assert (loaded.decides_itself, loaded.default_threshold) == (False, told.default_threshold)
    # Functionalities that the train part lacks cannot choose, and without functionalities nobody knows.
    new = [at for at in range(len(fragments)) if topic[at] >= len(TOPICS) - 2]
    old = [at for at in range(len(fragments)) if topic[at] < len(TOPICS) - 2]
    apart = labelled(list(combinations(old, 2))[::3]), labelled(list(combinations(new, 2))[::3])
    assert SEMANTIC.train(fragments, *apart, TrainingSpec(epochs=2), functionalities=topic).decides_itself
    assert SEMANTIC.train(fragments, *pairs, TrainingSpec(epochs=2)).decides_itself


def test_features_count_by_rarity_if_asked(fragments: pa.Table, parts: tuple[pa.Table, pa.Table]) -> None:
    lift, rarity = (
        SEMANTIC.train(fragments, *parts, TrainingSpec(epochs=1, own=SemanticOptions(lift=lift, projection=False)))
        for lift in (True, False)
    )
    assert rarity.scorer.background.weights.max() > 2 * lift.scorer.background.weights.max()
    assert (lift.options.own, rarity.options.own) == (
        SemanticOptions(projection=False),
        SemanticOptions(lift=False, projection=False),
    )


@pytest.mark.parametrize("wanted", [False, True])
def test_without_a_vector_that_helps_there_is_one_weight_for_each_view(
    fragments: pa.Table,
    parts: tuple[pa.Table, pa.Table],
    trained: TrainedSemantic,
    monkeypatch: pytest.MonkeyPatch,
    *,
    wanted: bool,
) -> None:
    monkeypatch.setattr(held_out, "_LEAST_LEARNED", len(TOPICS))
    plain = SEMANTIC.train(fragments, *parts, TrainingSpec(epochs=4, own=SemanticOptions(projection=wanted)))
    assert plain.scorer.background.projection is None
    assert len(plain.scorer.model.weights) == len(trained.scorer.model.weights) - 1


def test_few_functionalities_do_not_learn_a_vector(
    fragments: pa.Table, parts: tuple[pa.Table, pa.Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> float:
        raise AssertionError("a vector was tried")

    monkeypatch.setattr(ViewWeights, "held_out_f1", refuse)
    plain = SEMANTIC.train(fragments, *parts, TrainingSpec(epochs=1, own=SemanticOptions(projection=True)))
    assert plain.scorer.background.projection is None


def few_examples(functionalities: int) -> tuple[HeldOutExamples, LabelledCounts]:
    """Examples of empty fragments, in turn of each functionality; half of the pairs are clones."""
    size = 120
    empty = ViewCounts(np.zeros(size * len(VIEWS) + 1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.uint8))
    left = np.tile(np.arange(size), 2)
    truth = np.arange(2 * size) < size
    right = np.where(truth, left, left + 1) % functionalities
    fold = np.stack([left, left], axis=1) % 3
    data = LabelledCounts(empty, ["java"] * size, left, right, truth)
    return HeldOutExamples(np.ones((2 * size, len(VIEWS))), truth, fold, None), data


@pytest.mark.parametrize(("functionalities", "added"), [(4, 240), (10, 240), (20, 120), (40, 60)])
def test_the_fewer_functionalities_the_more_examples_that_ship_are_added(functionalities: int, added: int) -> None:
    own, data = few_examples(functionalities)
    both = own.with_shipped(data, 0)
    assert len(both.truth) - len(own.truth) == added
    assert np.array_equal(both.similarities[: len(own.truth)], own.similarities)
    assert both.truth[len(own.truth) :].mean() == pytest.approx(data.truth.mean(), abs=0.15)
    assert set(both.fold[len(own.truth) :].ravel()) == {3, 4}  # of their own: no functionality is ours


def test_examples_that_ship_have_no_outputs() -> None:
    plain, data = few_examples(4)
    size = len(plain.truth)
    own = replace(plain, said=(np.ones((size, len(BEHAVIOUR))), np.ones(size, bool)))
    more = own.with_shipped(data, 0)
    assert more.similarities[size:].any(axis=0).all()
    assert more.said is not None
    columns, known = more.said
    assert len(columns) == len(known) == len(more.truth) > size
    assert columns[:size].all()
    assert known[:size].all()
    assert not columns[size:].any()
    assert not known[size:].any()


def test_examples_that_ship_are_not_added_where_they_were_not_made_alike() -> None:
    own, data = few_examples(4)
    with_vector = replace(own, weights=np.ones(len(VIEWS)))
    assert with_vector.with_shipped(data, 0) is with_vector
    few = replace(data, counts=data.counts.take(np.arange(50)))
    assert own.with_shipped(few, 0) is own


def test_known_functionalities_count_where_clone_pairs_leave_them_in_parts() -> None:
    data = few_examples(4)[1]
    few = data.truth & (data.left > 40)  # the others are in no clone pair
    known = np.arange(120) % 4
    sparse = replace(data, left=data.left[few], right=data.right[few], truth=data.truth[few])
    assert len(np.unique(sparse.functionality())) > 4
    assert np.array_equal(replace(sparse, known=known + 7).functionality(), known)


def test_known_functionalities_that_labels_contradict_do_not_count() -> None:
    data = few_examples(4)[1]
    assert not replace(data, known=np.zeros(120, np.int64)).knows_classes
    assert np.array_equal(replace(data, known=np.zeros(120, np.int64)).functionality(), data.functionality())


def test_examples_of_known_functionalities_join_those_that_no_pair_of_the_data_joins() -> None:
    """A view puts some functionalities into train and others into valid, with no pair between them."""
    data = few_examples(4)[1]
    inside = data.left % 4 // 2 == data.right % 4 // 2  # 0 with 1, and 2 with 3
    sides = {"left": data.left[inside], "right": data.right[inside], "truth": data.truth[inside]}
    told, untold = (replace(data, **sides, known=known) for known in (np.arange(120) % 4, None))
    between = []
    for one in (told, untold):
        rounds = list(held_out._rounds(one, one.functionality(), np.random.default_rng(3), no_progress))
        left, right, truth = (np.concatenate([getattr(x, name) for x in rounds]) for name in sides)
        assert np.array_equal(left % 4 == right % 4, truth)
        assert all(x.held[one.functionality()[x.left]].all() for x in rounds)
        between.append(int((left % 4 // 2 != right % 4 // 2).sum()))
    assert between[0] > 100
    assert between[1] == 0


def test_only_a_learner_that_uses_functionalities_is_told_them(
    fragments: pa.Table, parts: tuple[pa.Table, pa.Table], trained: TrainedSemantic
) -> None:
    told = []

    class _Plain:
        name = description = "plain"

        def train(self, *_: object, progress: object = None, **more: object) -> TrainedSemantic:
            told.append(more)
            return trained

        def load(self, folder: object) -> TrainedSemantic:
            return trained

    class _Told(_Plain):
        takes_functionalities = True

    topic = np.arange(len(fragments)) // EACH
    for learner in (_Plain(), _Told()):
        train_with_functionalities(learner, fragments, parts, TrainingSpec(), topic)
    assert told == [{}, {"functionalities": topic}]


def fake_outputs(
    sources: Sequence[tuple[str, str]], *, processes: int = 1, progress: object = None
) -> list[OutputFingerprint]:
    """Programs of one topic give the same; those that log do not run."""
    tops = [next(topic for topic in TOPICS if f"{topic}All" in text) for _, text in sources]
    return [
        OutputFingerprint() if "log(" in text else OutputFingerprint("program", tuple(f"{top}{n}" for n in range(4)))
        for top, (_, text) in zip(tops, sources, strict=True)
    ]


def test_outputs_count_where_execution_is_asked_for(
    fragments: pa.Table,
    parts: tuple[pa.Table, pa.Table],
    trained: TrainedSemantic,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (semantic_learner, semantic_detector):
        monkeypatch.setattr(module, "run_fragments", fake_outputs)
    options = TrainingSpec(epochs=4, own=SemanticOptions(execution=True))
    running = SEMANTIC.train(fragments, *parts, options)
    assert running.scorer.revision.weights[1:].any()
    running.save(tmp_path / "model")
    loaded = SEMANTIC.load(tmp_path / "model")
    scores = loaded.score(fragments, parts[1])
    assert scores.equals(running.score(fragments, parts[1]))
    queries = loaded.query_scores(fragments)(np.array([0]))[0]
    assert queries[1:EACH].mean() > queries[EACH:].mean()
    # What does not run is scored as without outputs.
    runs = np.array(["log(" not in text for text in fragments["text"].to_pylist()])
    known = runs[parts[1]["left"].to_numpy()] & runs[parts[1]["right"].to_numpy()]
    silent = replace(running, scorer=replace(running.scorer, frequencies=None)).score(fragments, parts[1])
    changed = scores.to_numpy() != silent.to_numpy()
    assert changed[known].any()
    assert not changed[~known].any()


def test_programs_run_on_inputs_of_each_other_where_that_is_asked_for(
    fragments: pa.Table,
    parts: tuple[pa.Table, pa.Table],
    trained: TrainedSemantic,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran: list[tuple[tuple[str, str], FormedInputs]] = []

    def silent(sources: Sequence[tuple[str, str]], **_: object) -> list[OutputFingerprint]:
        return [OutputFingerprint("program", (None,) * 40 + (f"{at % 3} 1",) * FORMED) for at in range(len(sources))]

    def inputs(code: Code) -> FormedInputs:
        return FormedInputs(str(len(code.text) % 3), ("1",) * FORMED)

    def exchanged(
        requests: Sequence[tuple[tuple[str, str], FormedInputs]], **_: object
    ) -> list[tuple[str | None, ...]]:
        ran.extend(requests)
        return [(f"{given.form} {text[:200]}",) * EXCHANGED for (_, text), given in requests]

    for module in (semantic_learner, semantic_detector):
        monkeypatch.setattr(module, "run_fragments", silent)
    monkeypatch.setattr(behaviour, "run_exchanged", exchanged)
    monkeypatch.setattr("clonetruth.execution.output_digests.formed_inputs", inputs)
    with pytest.raises(InputError, match="execution"):
        SEMANTIC.train(fragments, *parts, TrainingSpec(epochs=2, own=SemanticOptions(exchange=True)))
    options = TrainingSpec(epochs=2, own=SemanticOptions(execution=True, exchange=True))
    running = SEMANTIC.train(fragments, *parts, options)
    assert not ran
    running.save(tmp_path / "model")
    loaded = SEMANTIC.load(tmp_path / "model")
    assert loaded.scorer.exchanges
    scores = loaded.score(fragments, parts[1])
    # Each program once for each form, and only where a pair needs it.
    assert 0 < len(ran) == len(set(ran)) <= 2 * parts[1].num_rows
    assert scores.equals(running.score(fragments, parts[1]))
    plain = replace(running, scorer=replace(running.scorer, exchanges=False))
    assert not scores.equals(plain.score(fragments, parts[1]))
    # A score depends on the two programs only.
    assert loaded.score(fragments, parts[1].slice(7, 5)).equals(scores.slice(7, 5))
    before = len(ran)
    loaded.query_scores(fragments)(np.array([0]))
    assert len(ran) == before


def test_a_model_that_weighs_outputs_as_views_still_loads(
    fragments: pa.Table,
    parts: tuple[pa.Table, pa.Table],
    trained: TrainedSemantic,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(semantic_detector, "run_fragments", fake_outputs)
    revision = OutputModel(np.array([1.0, 0.5, 0.25, 0.125]), 0.0)
    ran = OutputFrequencies.of(fake_outputs([("java", text) for text in fragments["text"].to_pylist()[:EACH]]))
    now = replace(trained, scorer=replace(trained.scorer, frequencies=ran, revision=revision))
    now.save(tmp_path / "model")
    content = read_model(tmp_path / "model")
    weights = {name: array for name, array in content.weights.items() if name != "revision"}
    weights["views"] = np.append(weights["views"], revision.weights[1:])
    write_model(tmp_path / "earlier", replace(content, weights=weights))
    earlier = SEMANTIC.load(tmp_path / "earlier")
    assert earlier.score(fragments, parts[1]).equals(now.score(fragments, parts[1]))
    write_model(tmp_path / "damaged", replace(content, weights=weights | {"revision": np.ones(2)}))
    with pytest.raises(InputError, match="damaged"):
        SEMANTIC.load(tmp_path / "damaged")


def test_views_say_as_much_about_what_does_not_run_as_without_outputs() -> None:
    """Outputs explain most pairs; that must not make the views count for less where there are none."""
    random = np.random.default_rng(5)
    truth = np.arange(600) % 4 == 0
    fold = np.stack([np.arange(600) % 3] * 2, axis=1)
    scores = np.round(1 / (1 + np.exp(-(random.normal(size=600) + 2 * truth - 1))), 6)
    known = np.arange(600) % 5 > 0
    said = np.where((known & truth)[:, None], 4.0, 0.0) * np.ones(len(BEHAVIOUR))
    model, predicted = fitted_revision(scores, (said, known), truth, fold)
    assert np.array_equal(predicted[~known], scores[~known])
    assert best_threshold(predicted[known], truth[known])[1] > best_threshold(scores[known], truth[known])[1]
    assert (model.weights >= 0).all()
    # Folds that only examples without outputs have, as those that ship.
    beyond = np.where(known[:, None], fold, 7)
    assert fitted_revision(scores, (said, known), truth, beyond)[0].weights.tolist() == model.weights.tolist()
    silent, same = fitted_revision(scores, (said, np.zeros(600, bool)), truth, fold)
    assert silent.weights.tolist() == OutputModel.silent().weights.tolist()
    assert np.array_equal(same, scores)


def test_execution_fails_closed(
    fragments: pa.Table, parts: tuple[pa.Table, pa.Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> list[OutputFingerprint]:
        raise MissingExtraError("The sandbox is not complete.")

    monkeypatch.setattr(semantic_learner, "run_fragments", refuse)
    with pytest.raises(MissingExtraError):
        SEMANTIC.train(fragments, *parts, TrainingSpec(epochs=4, own=SemanticOptions(execution=True)))
