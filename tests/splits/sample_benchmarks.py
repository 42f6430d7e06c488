"""Benchmarks for the tests of views: a regular one, and random ones drawn by hypothesis."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    Functionality,
    Judge,
    JudgeKind,
    Judgement,
    Membership,
    Pair,
    Role,
)
from clonetruth.store import Benchmark, DuckDBEngine
from tests.audit.drafts import function

ENGINE = DuckDBEngine(threads=1)
CRITERION = "shares-functionality"


@dataclass(frozen=True)
class SampleBenchmark:
    """What a benchmark is made of; a row of `fragments` is (id, text, project, functionalities, language)."""

    fragments: tuple[tuple[str, str, str | None, tuple[str, ...], str], ...]
    pairs: tuple[tuple[str, str, bool], ...]

    def create(self, folder: Path, order: int = 0, **changes: Any) -> Benchmark:
        """The benchmark, with its rows in another order for every `order`."""
        shuffle = random.Random(order)
        fragments = shuffle.sample(self.fragments, len(self.fragments)) if order else list(self.fragments)
        pairs = shuffle.sample(self.pairs, len(self.pairs)) if order else list(self.pairs)
        names = sorted({name for fragment in fragments for name in fragment[3]})
        if order:
            shuffle.shuffle(names)
        parts: dict[str, Any] = {
            "card": Card("sample", "1", "Fragments.", "MIT", "Nobody", CRITERION, ("java",)),
            "fragments": [
                Fragment(one, language, text, project=project) for one, text, project, _, language in fragments
            ],
            "functionalities": [Functionality(name, name.title()) for name in names],
            "memberships": [
                Membership(fragment[0], name, Role.TAGGED_TRUE) for fragment in fragments for name in fragment[3]
            ],
            "pairs": [Pair(left, right) for left, right, _ in pairs],
            "judges": [Judge("ada", JudgeKind.PERSON, "Ada")],
            "judgements": [
                Judgement("ada", CRITERION, "clone" if clone else "not-clone", pair=row)
                for row, (_, _, clone) in enumerate(pairs)
            ],
        }
        return Benchmark.create(folder, Dataset(**{**parts, **changes}), engine=ENGINE)

    def with_text(self, texts: dict[str, str]) -> SampleBenchmark:
        """The same sample with other texts for some fragments."""
        fragments = tuple((one, texts.get(one, text), *rest) for one, text, *rest in self.fragments)
        return replace(self, fragments=fragments)  # type: ignore[arg-type]


def grid(functionalities: int = 10, members: int = 6, projects: int = 5) -> SampleBenchmark:
    """Functionalities of equal size with projects across; clones within, one non-clone for each neighbour."""
    fragments = tuple(
        (
            f"u{which}m{at}",
            function(which * members + at + 1),
            f"p{(which + at) % projects}",
            (f"u{which}",),
            ("java", "python", "c")[at % 3],
        )
        for which in range(functionalities)
        for at in range(members)
    )
    ids = [[f"u{which}m{at}" for at in range(members)] for which in range(functionalities)]
    clones = [(one, other, True) for row in ids for at, one in enumerate(row) for other in row[at + 1 :]]
    others = [(ids[a][at], ids[b][at], False) for a in range(len(ids)) for b in range(a) for at in range(members)]
    return SampleBenchmark(fragments, tuple(clones + others))


def near_copy(text: str, at: int) -> str:
    """The text with one word changed, and another layout."""
    return text.replace("return", f"/* {at} */ return").replace("    ", "\t")


@st.composite
def sample_benchmarks(draw: st.DrawFn) -> SampleBenchmark:
    """A random benchmark: copies, near copies, several functionalities or none, projects or none, random pairs."""
    count = draw(st.integers(6, 24))
    names = [f"u{at}" for at in range(draw(st.integers(2, 6)))]
    fragments: list[tuple[str, str, str | None, tuple[str, ...], str]] = []
    for at in range(count):
        kind = draw(st.sampled_from(("own", "own", "own", "copy", "near", "empty")))
        text = function(at + 1)
        if fragments and kind in ("copy", "near"):
            model = fragments[draw(st.integers(0, len(fragments) - 1))][1]
            text = model if kind == "copy" else near_copy(model, at)
        if kind == "empty":
            text = ""
        own = draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
        project = draw(st.sampled_from((None, "p", "q", "r", "s", "t")))
        language = draw(st.sampled_from(("java", "java", "c", "python")))
        fragments.append((f"f{at}", text, project, tuple(own), language))
    ends = st.integers(0, count - 1)
    drawn = draw(st.lists(st.tuples(ends, ends, st.booleans()), min_size=2, max_size=60))
    pairs = [(f"f{left}", f"f{right}", clone) for left, right, clone in drawn if left != right]
    return SampleBenchmark(tuple(fragments), (*pairs, ("f0", "f1", True), ("f1", "f2", False)))


def parts_of(benchmark: Benchmark, name: str) -> dict[str, str]:
    """The part of each fragment, by its id."""
    rows = benchmark.sql(
        "SELECT f.id AS id, s.part AS part FROM fragments f JOIN split s ON f.fragment = s.fragment",
        split=benchmark.parquet(f"splits/{name}"),
    ).to_pylist()
    return {row["id"]: row["part"] for row in rows}
