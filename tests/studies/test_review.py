"""Reviews: settled pairs that a model contradicts are reopened, nothing is overwritten, numbers move one way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.model import JudgeKind
from clonetruth.store.study import Study, read_study
from clonetruth.store.study_reviews import read_reviews
from clonetruth.store.votes import ItemKey, ItemKind, JudgeRole, Vote, VoteKind, VoteStore, open_vote_store, read_votes
from clonetruth.studies import estimate_study, measure_agreement, resolve_study, review_study
from tests.judges.studies import make_study
from tests.studies.example_studies import add_answers

MODEL = "llm:gpt"


def pair(number: int) -> ItemKey:
    return ItemKey(ItemKind.PAIR, number)


def decide(store: VoteStore, judge: str, number: int, value: str, kind: VoteKind = VoteKind.REVIEW) -> str:
    key = f"{kind}-{number}-{value}-{judge}"
    store.cast(Vote(key, judge, pair(number), value, kind, reason=f"because {number}"))
    return key


def published(folder: Path) -> Study:
    """The published study in its numbers: 406 pairs labelled clones, of which people call 27 clones, and a model 21."""
    study = read_study(make_study(folder, 406, criterion="same-main-purpose", label="clone"))
    people = {number: "clone" if number < 27 else "not-clone" for number in range(406)}
    # 9 clones of the people are none to the model, and 3 others are.
    model = people | dict.fromkeys(range(9), "not-clone") | dict.fromkeys(range(27, 30), "clone")
    for judge in ("ann", "bob"):
        add_answers(study, judge, people)
    add_answers(study, MODEL, model, kind=JudgeKind.LLM)
    return study


def test_the_published_review_is_reproduced(tmp_path: Path) -> None:
    study = published(tmp_path / "study")
    found = review_study(study, against="llm")
    assert (found.compared, found.reopened, found.new, found.open) == (406, 12, 12, 12)
    assert found.before.agreement is not None
    assert found.before.agreement.agreement == pytest.approx(0.970, abs=5e-4)
    assert found.before.agreement.cohen_kappa == pytest.approx(0.735, abs=5e-4)
    with open_vote_store(study.path) as store:
        reviewer, _ = store.add_judge("Rea", JudgeRole.ADJUDICATOR)
        for number in (*range(9), *range(27, 30)):
            settled = "clone" if number < 27 else "not-clone"
            decide(store, reviewer.id, number, "not-clone" if number in (7, 8) else settled)
    found = review_study(study, against=MODEL, status=True)
    assert (found.reopened, found.new, found.accepted, found.rejected, found.open) == (12, 0, 2, 10, 0)
    for numbers, wrong, clones, words in ((found.before, 379, 27, "93.3%"), (found.after, 381, 25, "93.8%")):
        assert numbers.wrong_labels is not None
        assert (numbers.wrong_labels.wrong, numbers.clones) == (wrong, clones)
        share = numbers.wrong_labels.simple
        assert f"{share.value:.1%}" == words
        assert share.low is not None
        assert share.high is not None
        assert share.low < wrong / 406 < share.high
    assert found.after.agreement is not None
    assert found.after.agreement.differ == 10
    assert found.after.agreement.intervals["agreement"].low < 396 / 406
    assert "can only rise" in found.caution
    assert [one.reason for one in found.pairs if one.decision == "accepted"] == ["because 7", "because 8"]


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Pairs 0 and 1 are agreed, 2 is adjudicated, 3 is open; the model contradicts 0 and 2, and is undecided on 1."""
    study = read_study(make_study(tmp_path / "study", 4, criterion="same-main-purpose"))
    with open_vote_store(study.path) as store:
        judges = {name: store.add_judge(name)[0].id for name in ("Ann", "Bob")}
        for name, answers in (("Ann", "cccc"), ("Bob", "ccxx")):
            for number, answer in enumerate(answers):
                value = {"c": "clone", "x": "not-clone"}[answer]
                store.cast(Vote(f"{name}-{number}", judges[name], pair(number), value))
        eve, _ = store.add_judge("Eve", JudgeRole.ADJUDICATOR)
        decide(store, eve.id, 2, "clone", VoteKind.ADJUDICATION)
    model = {0: "not-clone", 1: "undecided", 2: "not-clone", 3: "clone"}
    add_answers(study, MODEL, model, kind=JudgeKind.LLM)
    return study


def verdicts(study: Study, policy: str = "adjudicated") -> list[str]:
    found: list[str] = resolve_study(study, policy).pairs.verdicts["verdict"].to_pylist()
    return found


def test_only_settled_and_contradicted_pairs_are_reopened(study: Study) -> None:
    found = review_study(study)
    assert [one.pair.subject for one in found.pairs] == [0, 2]
    assert (found.compared, found.open) == (2, 2)
    assert verdicts(study) == ["clone", "clone", "clone", "unknown"]


def test_a_review_is_the_last_word_and_overwrites_nothing(study: Study) -> None:
    review_study(study)
    before = read_votes(study.path)
    with open_vote_store(study.path) as store:
        rea, _ = store.add_judge("Rea", JudgeRole.ADJUDICATOR)
        key = decide(store, rea.id, 2, "not-clone")
        decide(store, rea.id, 0, "clone")
    assert verdicts(study) == ["clone", "clone", "not-clone", "unknown"]
    assert verdicts(study, "default")[2] == "not-clone"
    assert verdicts(study, "majority") == ["clone", "clone", "unknown", "unknown"]
    judges, rows = read_votes(study.path)
    kept = [row for row in rows.to_pylist() if not row["judge"].startswith("review-")]
    assert kept == before[1].to_pylist()
    added = [row for row in judges.to_pylist() if row["judge"].startswith("review-")]
    assert all(rea.id in json.loads(row["settings"])["speaks_for"] for row in added)
    assert all(json.loads(row["settings"])["against"] == [MODEL] for row in added)
    with open_vote_store(study.path) as store:
        store.undo(rea.id, key)
    assert verdicts(study) == ["clone", "clone", "clone", "unknown"]
    again = review_study(study)
    assert (again.rejected, again.open) == (1, 1)


def test_reviewers_are_not_independent_judges(study: Study) -> None:
    review_study(study)
    with open_vote_store(study.path) as store:
        decide(store, store.add_judge("Rea", JudgeRole.ADJUDICATOR)[0].id, 0, "not-clone")
    found = measure_agreement(study)
    assert found.pairs is not None
    assert len(found.pairs.judges) == 2


def test_calling_it_again_adds_what_is_contradicted_by_now(study: Study) -> None:
    first = review_study(study)
    files = {path: path.read_bytes() for path in (study.path / "reviews").iterdir()}
    assert review_study(study) == first.__class__(**{**first.__dict__, "new": 0})
    assert {path: path.read_bytes() for path in (study.path / "reviews").iterdir()} == files
    add_answers(study, MODEL, {1: "not-clone", 2: "clone"}, kind=JudgeKind.LLM)
    found = review_study(study)
    # Pair 2 stays reopened, although the model has changed its mind: nothing is closed again.
    assert ([one.pair.subject for one in found.pairs], found.new) == ([0, 1, 2], 1)
    (review,) = read_reviews(study.path)
    assert review.pairs[0].answer == "not-clone"
    assert review_study(study, status=True).new == 0


def test_judges_cannot_review(study: Study) -> None:
    review_study(study)
    with open_vote_store(study.path) as store:
        ann = next(judge.id for judge in store.judges() if judge.name == "Ann")
        with pytest.raises(InputError, match="does not permit a review"):
            decide(store, ann, 0, "not-clone")


@pytest.mark.parametrize(
    ("against", "status", "message"),
    [("llm:other", False, "No judge matches 'llm:other'"), (MODEL, True, "No pair was reopened")],
)
def test_wrong_calls_are_refused(study: Study, against: str, status: bool, message: str) -> None:
    with pytest.raises(InputError, match=message):
        review_study(study, against=against, status=status)
    assert not (study.path / "reviews").exists()


def test_several_models_must_be_told_apart(study: Study) -> None:
    add_answers(study, "llm:other", {0: "clone"}, kind=JudgeKind.LLM)
    with pytest.raises(InputError, match=r"Several judges match 'llm'.*llm:gpt, llm:other"):
        review_study(study)
    assert review_study(study, against="llm:other").reopened == 0


def test_a_damaged_review_is_named(study: Study) -> None:
    review_study(study)
    (file,) = (study.path / "reviews").iterdir()
    file.write_text("{}")
    with pytest.raises(InputError, match="Not a review"):
        review_study(study)


def test_the_estimate_knows_reviewed_pairs(tmp_path: Path) -> None:
    study = published(tmp_path / "study")
    review_study(study)
    with open_vote_store(study.path) as store:
        decide(store, store.add_judge("Rea", JudgeRole.ADJUDICATOR)[0].id, 0, "not-clone")
    assert estimate_study(study).labels.wrong == 380


@pytest.mark.slow
@given(
    people=st.lists(st.sampled_from(["clone", "not-clone"]), min_size=10, max_size=10),
    model=st.lists(st.sampled_from(["clone", "not-clone", "undecided"]), min_size=10, max_size=10),
    accepted=st.lists(st.booleans(), min_size=10, max_size=10),
)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_review_only_moves_towards_the_model(
    people: list[str], model: list[str], accepted: list[bool], tmp_path_factory: pytest.TempPathFactory
) -> None:
    study = read_study(make_study(tmp_path_factory.mktemp("reviewed") / "study", 10, criterion="same-main-purpose"))
    for judge in ("ann", "bob"):
        add_answers(study, judge, dict(enumerate(people)))
    add_answers(study, MODEL, dict(enumerate(model)), kind=JudgeKind.LLM)
    found = review_study(study)
    contradicted = [n for n in range(10) if model[n] not in ("undecided", people[n])]
    assert [one.pair.subject for one in found.pairs] == contradicted
    with open_vote_store(study.path) as store:
        rea, _ = store.add_judge("Rea", JudgeRole.ADJUDICATOR)
        for number in contradicted:
            decide(store, rea.id, number, (model if accepted[number] else people)[number])
    found = review_study(study, status=True)
    assert found.accepted == sum(accepted[number] for number in contradicted)
    assert verdicts(study) == [
        model[number] if number in contradicted and accepted[number] else people[number] for number in range(10)
    ]
    if found.before.agreement is not None and found.after.agreement is not None:
        assert found.after.agreement.differ == found.before.agreement.differ - found.accepted
