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
    return train_metrics.Corpus.read(EMBEDDED, max_functions=60)


def test_reading_a_corpus_is_deterministic(corpus: train_metrics.Corpus) -> None:
    again = train_metrics.Corpus.read(EMBEDDED, max_functions=60)
    assert (again.digest, again.functions) == (corpus.digest, corpus.functions)
    assert len(corpus.functions) == 60
    assert train_metrics.Corpus.read(EMBEDDED, max_functions=5).functions == corpus.functions[:5]


def test_a_network_learns_from_mutants_and_near_misses(corpus: train_metrics.Corpus, tmp_path: Path) -> None:
    pairs = train_metrics.labelled_pairs(corpus, mutants=60, seed=3)
    assert pairs.clones.sum() > 40
    assert (~pairs.clones).sum() > 5
    assert ((pairs.edits > 0) <= pairs.clones).all()
    model = train_metrics.train([pairs], seed=3)
    model.save(tmp_path / "model.json")
    read = MetricsModel.load((tmp_path / "model.json").read_text(), "model.json")
    quality = train_metrics.quality(read, pairs)
    assert quality["mutants"]["found"] > 0.9
    assert quality["near misses"]["found"] < 0.3
    again = train_metrics.quality(train_metrics.train([train_metrics.labelled_pairs(corpus, 60, 3)], 3), pairs)
    assert again == quality
