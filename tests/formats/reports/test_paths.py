"""A tool's paths are mapped to the benchmark's by whole components; unresolved paths are counted."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.formats.reports import REPORTED, PathResolver

names = st.text(st.sampled_from("abA."), min_size=1, max_size=2).filter(lambda name: name not in (".", ".."))
paths = st.lists(names, min_size=1, max_size=4).map("/".join)

KNOWN = ["selected/1.java", "default/1.java", "default/2.java", "1.java/x.java", "deep/selected/1.java"]


def batch(*pairs: tuple[str, str]) -> pa.RecordBatch:
    rows = [(left, 1, 2, right, 3, 4, None) for left, right in pairs]
    columns = [pa.array(column, field.type) for column, field in zip(zip(*rows, strict=True), REPORTED, strict=True)]
    return pa.RecordBatch.from_arrays(columns, schema=REPORTED)


@pytest.mark.parametrize(
    ("path", "root", "resolved"),
    [
        ("selected/1.java", None, "selected/1.java"),
        ("/x/bcb_reduced/2/selected/1.java", None, "selected/1.java"),
        ("C:\\bcb\\2\\default\\2.java", None, "default/2.java"),
        ("./selected//1.java", None, "selected/1.java"),
        ("/x/deep/selected/1.java", None, "deep/selected/1.java"),
        ("/x/deep/selected/1.java", "/x/deep", "selected/1.java"),
        ("/x/deep/selected/1.java", "/x/deep/", "selected/1.java"),
        ("x\\deep\\selected\\1.java", "x\\deep", "selected/1.java"),
        ("/x/deeper/selected/1.java", "/x/deep", "selected/1.java"),
        ("2.java", None, "default/2.java"),
        ("/x/2.java", "/x", "default/2.java"),
    ],
)
def test_paths_are_resolved(path: str, root: str | None, resolved: str) -> None:
    resolver = PathResolver(KNOWN, root)
    assert resolver.path(path) == resolved
    assert resolver.unknown.paths == resolver.ambiguous.paths == 0


@pytest.mark.parametrize("path", ["/x/unselected/1.java", "/2.java", "Selected/1.java", "x/2.Java", "", "/", ".."])
def test_other_paths_stay_as_they_are_and_are_counted(path: str) -> None:
    resolver = PathResolver(KNOWN)
    assert resolver.path(path) == resolver.path(path) == path
    assert (resolver.unknown.paths, resolver.unknown.examples) == (1, [path])


def test_a_suffix_of_several_paths_is_ambiguous() -> None:
    resolver = PathResolver(KNOWN)
    assert resolver.path("1.java") == "1.java"
    assert (resolver.ambiguous.paths, resolver.ambiguous.examples) == (1, ["1.java"])
    assert resolver.unknown.paths == 0


def test_a_batch_is_resolved_on_both_sides_and_mentions_are_counted() -> None:
    resolver = PathResolver(KNOWN)
    found = resolver.resolve(batch(("/x/selected/1.java", "1.java"), ("no.c", "no.c"), ("1.java", "/x/default/2.java")))
    assert found.schema == REPORTED
    assert found["left_path"].to_pylist() == ["selected/1.java", "no.c", "1.java"]
    assert found["right_path"].to_pylist() == ["1.java", "no.c", "default/2.java"]
    assert found.select(["left_first_line", "right_last_line"]) == batch(*[("", "")] * 3).select(
        ["left_first_line", "right_last_line"]
    )
    resolver.resolve(batch(("no.c", "selected/1.java")))
    assert (resolver.unknown.paths, resolver.unknown.mentions) == (1, 3)
    assert (resolver.ambiguous.paths, resolver.ambiguous.mentions) == (1, 2)


def test_examples_are_few() -> None:
    resolver = PathResolver([])
    resolver.resolve(batch(*((f"{n}.c", f"{n}.h") for n in range(20))))
    assert resolver.unknown.paths == 40
    assert len(resolver.unknown.examples) == 5


@given(st.sets(paths, max_size=6), st.lists(names, max_size=3))
def test_a_known_path_is_found_below_any_folder(known: set[str], folders: list[str]) -> None:
    """The longest known suffix by whole components is at least the path itself."""
    resolver = PathResolver(known)
    for path in known:
        below = "/".join(["", *folders, path])
        found = resolver.path(below)
        ends = [other for other in known if below.endswith("/" + other)]
        assert found == max(ends, key=len)
        assert resolver.path(path) == path
    assert resolver.unknown.paths == resolver.ambiguous.paths == 0


@given(st.sets(paths, max_size=6), paths)
def test_only_known_paths_or_the_path_itself_come_out(known: set[str], path: str) -> None:
    resolver = PathResolver(known)
    found = resolver.path(path)
    containing = [other for other in known if other.endswith("/" + path)]
    contained = [other for other in known if ("/" + path).endswith("/" + other)]
    if contained:
        assert found == max(contained, key=len)
    elif len(containing) == 1:
        assert found == containing[0]
    else:
        assert found == path
        assert (resolver.ambiguous.paths, resolver.unknown.paths) == ((1, 0) if containing else (0, 1))
