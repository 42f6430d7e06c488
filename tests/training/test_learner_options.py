"""Options of one learner, and learners with options as a user writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.options.declaration import option
from clonetruth.training import LearnerOptions, TrainingSpec
from clonetruth.training.learner_options import permitted
from clonetruth.training.request import LearnerRequest, split_requests


@dataclass(frozen=True, kw_only=True)
class _Example(LearnerOptions):
    """Options of an example."""

    default_rate = 0.01

    vocabulary: int = option(3000, minimum=1, maximum=50_000, help="Number of words.")
    dropout: float = option(0.5, above=0, help="Dropout.")
    pretrain: bool = option(False, help="Pretrain.")
    pooling: str = option("max", choices=("max", "mean"), help="Pooling.")
    limit: int | None = option(None, minimum=1, help="Limit.")


def test_texts_and_values_are_read_alike() -> None:
    texts = {"vocabulary": "1_000", "dropout": "0.25", "pretrain": "yes", "pooling": "mean", "limit": "none"}
    values = {"vocabulary": 1000, "dropout": 0.25, "pretrain": True, "pooling": "mean", "limit": None}
    assert _Example.read(texts, "example") == _Example.read(values, "example")
    assert _Example.read(values, "example").values() == values
    assert _Example.read({}, "example").values()["vocabulary"] == 3000


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("vocabulary", wrong) for wrong in ("many", 0, "50001", "3.5")),
        *(("dropout", wrong) for wrong in (0, "nan")),
        *(("pretrain", "perhaps"), ("pooling", "min"), ("limit", "-1")),
    ],
)
def test_what_is_not_permitted_is_refused(name: str, value: Any) -> None:
    with pytest.raises(InputError):
        _Example.read({name: value}, "example")


def test_an_unknown_option_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'vocabulary'"):
        _Example.read({"vocabulery": 3}, "example")
    with pytest.raises(UnknownNameError, match="the learner 'mlp' has no options to set"):
        LearnerRequest.parse("mlp:vocabulary=3")


def test_the_permitted_values_are_said() -> None:
    said = {one.name: permitted(one) for one in _Example.declared()}
    assert said["vocabulary"] == "whole number from 1 to 50000 (default 3000)"
    assert said["pooling"] == "max or mean (default max)"
    assert said["pretrain"] == "yes or no (default no)"
    assert said["limit"] == "whole number from 1 (default none)"


def test_defaults_of_a_learner_fill_what_is_not_given() -> None:
    spec = TrainingSpec().resolved(_Example)
    assert (spec.rate, spec.own) == (0.01, _Example())
    assert spec.settings()["own"] == _Example().values()
    assert TrainingSpec(rate=0.5).resolved(_Example).rate == 0.5
    with pytest.raises(InputError, match="another learner"):
        spec.own_as(type("_Other", (_Example,), {}))


def test_a_matrix_names_learners_with_options() -> None:
    given = "mlp:epochs=3,rate=0.1,tokens, linear:epochs=2"
    assert split_requests(given) == ("mlp:epochs=3,rate=0.1", "tokens", "linear:epochs=2")
    assert split_requests(["mlp:epochs=3,rate=0.1", "tokens"]) == ("mlp:epochs=3,rate=0.1", "tokens")
    spec = LearnerRequest.parse("mlp:epochs=3,rate=0.1").applied(TrainingSpec(seed=4))
    assert (spec.epochs, spec.rate, spec.seed) == (3, 0.1, 4)
    for wrong in ("mlp:epochs", "mlp:epochs=x", "mlp:rate=-1"):
        with pytest.raises(InputError):
            LearnerRequest.parse(wrong)
