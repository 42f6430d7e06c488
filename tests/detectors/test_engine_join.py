"""The overlap join on an engine gives the same result as the join in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.code import Bags, overlap_join
from clonetruth.detectors import FINDERS
from clonetruth.detectors.token_overlap import join_on_engine
from clonetruth.find import search_files
from clonetruth.store import DuckDBEngine
from tests.find.search_trees import SMALL, plainly_searched, written
from tests.find.test_search import SUM, in_class

ENGINE = DuckDBEngine(threads=1)
sets = st.lists(st.sets(st.integers(0, 12), min_size=1), max_size=9, unique_by=frozenset)


@settings(max_examples=25)
@given(sets=sets, threshold=st.sampled_from([0.1, 0.5, 0.7, 0.8, 1.0]))
def test_an_engine_gives_the_same_join(sets: list[set[int]], threshold: float) -> None:
    bags = Bags.of([sorted(one) for one in sets])
    here, there = overlap_join(bags, threshold), join_on_engine(bags, threshold, ENGINE)
    for name in ("left", "right", "overlap"):
        assert np.array_equal(getattr(here, name), getattr(there, name))


def test_a_search_on_an_engine(tmp_path: Path) -> None:
    texts = {"a.java": in_class(SUM), "b.java": in_class(SUM, SUM.replace("s = 0", "s = 1")), "c.java": in_class(SUM)}
    files = written(tmp_path / "tree", texts)
    found = search_files(files, [FINDERS["tokens"]], SMALL, engine=ENGINE)
    assert found.pairs.to_pylist() == plainly_searched(files, [FINDERS["tokens"]])[1]
    assert found.pairs.num_rows == 6
