"""The script that trains `metrics`."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest
from bench import train_metrics

from clonetruth.detectors.metrics import MetricsModel

EMBEDDED = Path(str(resources.files("clonetruth.sources") / "embedded_data"))


@pytest.fixture(scope="module")
def corpus() -> train_metrics.Corpus:
    return train_metrics.Corpus.read(EMBEDDED, most=60)


def test_a_corpus_is_the_same_every_time(corpus: train_metrics.Corpus) -> None:
    again = train_metrics.Corpus.read(EMBEDDED, most=60)
    assert (again.digest, again.functions) == (corpus.digest, corpus.functions)
    assert len(corpus.functions) == 60
    assert train_metrics.Corpus.read(EMBEDDED, most=5).functions == corpus.functions[:5]


def test_a_network_learns_from_mutants_and_near_misses(corpus: train_metrics.Corpus, tmp_path: Path) -> None:
    lesson = train_metrics.lesson(corpus, mutants=60, seed=3)
    assert lesson.clones.sum() > 40
    assert (~lesson.clones).sum() > 5
    assert ((lesson.edits > 0) <= lesson.clones).all()
    model = train_metrics.train([lesson], seed=3)
    model.save(tmp_path / "model.json")
    read = MetricsModel.load((tmp_path / "model.json").read_text(), "model.json")
    found = train_metrics.quality(read, lesson)
    assert found["mutants"]["found"] > 0.9
    assert found["near misses"]["found"] < 0.3
    again = train_metrics.quality(train_metrics.train([train_metrics.lesson(corpus, 60, 3)], 3), lesson)
    assert again == found
