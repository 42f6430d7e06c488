"""What every finder must do, whatever it looks for."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.detectors import DETECTORS, FINDERS, FOUND, Finder, FindOptions
from clonetruth.detectors.detector import FRAGMENTS
from clonetruth.errors import InputError, UnknownNameError
from tests.detectors.corpora import ALL_SIZES, corpora, found, fragments, functions, scored

each_finder = pytest.mark.parametrize("finder", [FINDERS[name] for name in FINDERS], ids=list(FINDERS))
THRESHOLDS = st.sampled_from([0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
ACROSS_LANGUAGES = {"ncd"}
SUM = "int sum(int[] a) {\n    int s = 0;\n    for (int x : a) s += x;\n    return s;\n}\n"
COPY = "void copy(File from, File to) throws IOException {\n    Files.copy(from, to);\n}\n"


def sized(threshold: float | None) -> FindOptions:
    return FindOptions(threshold, min_tokens=0, min_lines=0)


@each_finder
def test_says_who_it_is_and_scores_pairs_too(finder: Finder) -> None:
    assert FINDERS[finder.name] is finder
    scorer: object = DETECTORS[finder.name]
    assert scorer is finder
    assert finder.description.endswith(".")


@each_finder
@settings(max_examples=40)
@given(texts=corpora(), threshold=THRESHOLDS)
def test_finds_what_its_scorer_puts_at_the_threshold_or_above(
    finder: Finder, texts: list[str], threshold: float
) -> None:
    table = fragments(texts)
    scores = scored(DETECTORS[finder.name], table)
    wanted = {pair: score for pair, score in scores.items() if score is not None and score >= threshold}
    assert found(finder, table, sized(threshold)) == wanted


@each_finder
@settings(max_examples=15)
@given(texts=corpora(), low=THRESHOLDS, high=THRESHOLDS)
def test_a_higher_threshold_finds_no_more(finder: Finder, texts: list[str], low: float, high: float) -> None:
    low, high = min(low, high), max(low, high)
    table = fragments(texts)
    assert found(finder, table, sized(high)).items() <= found(finder, table, sized(low)).items()


@each_finder
@settings(max_examples=15)
@given(text=functions(), copies=st.integers(2, 5))
def test_copies_are_clones(finder: Finder, text: str, copies: int) -> None:
    pairs = found(finder, fragments([text] * copies), sized(1.0))
    assert len(pairs) == copies * (copies - 1) // 2
    assert set(pairs.values()) == {1.0}


@each_finder
@settings(max_examples=15)
@given(texts=corpora())
def test_the_order_of_fragments_does_not_matter(finder: Finder, texts: list[str]) -> None:
    last = 3 * len(texts) - 1
    there = found(finder, fragments(texts))
    back = found(finder, fragments(texts[::-1]))
    assert {(last - right, last - left): score for (left, right), score in back.items()} == there


@each_finder
def test_without_a_threshold_its_own_counts(finder: Finder) -> None:
    own = DETECTORS[finder.name].default_threshold
    table = fragments([SUM, SUM.replace("sum", "add"), SUM.replace("s += x;", "{ s += x; }"), COPY, COPY + "// end"])
    assert found(finder, table) == found(finder, table, sized(own))
    assert (4 * 3 - 2, 4 * 3 + 1) in found(finder, table)


@each_finder
def test_small_fragments_are_left_out(finder: Finder) -> None:
    table = fragments([SUM, SUM, COPY, COPY])
    assert set(found(finder, table, FindOptions(min_tokens=23))) == {(1, 4)}
    assert set(found(finder, table, FindOptions(min_tokens=0, min_lines=4))) == {(1, 4)}
    assert set(found(finder, table, FindOptions(1.0, min_tokens=22, min_lines=3))) == {(1, 4), (7, 10)}
    assert not list(finder.find(table))  # 50 tokens unless told


@each_finder
def test_fragments_in_different_languages_are_compared_only_by_whoever_says_so(finder: Finder) -> None:
    languages = ["java", "c", "java"]
    table = pa.table({"fragment": [0, 1, 2], "language": languages, "text": [SUM, SUM, SUM]})
    everywhere = {(0, 1), (0, 2), (1, 2)} if finder.name in ACROSS_LANGUAGES else {(0, 2)}
    assert set(found(finder, table)) == everywhere


@each_finder
def test_nothing_is_found_in_nothing(finder: Finder) -> None:
    for table in (FRAGMENTS.empty_table(), fragments([""]), fragments(["", " \n", "// only words"])):
        assert not found(finder, table)


@each_finder
def test_broken_source_is_read_as_far_as_it_goes(finder: Finder) -> None:
    broken = "int f( { if (a > ) return \x00 'b \ud7ff }}}"
    assert (1, 4) in found(finder, fragments([broken, broken, "}{"]))


@each_finder
def test_a_table_that_cannot_be_used_is_refused_before_anything_is_read(finder: Finder) -> None:
    with pytest.raises(InputError, match="no column 'text'"):
        finder.find(fragments([SUM]).drop_columns(["text"]))
    with pytest.raises(InputError, match="has no 'text'"):
        finder.find(pa.table({"fragment": [0], "language": ["java"], "text": pa.array([None], pa.string())}))
    with pytest.raises(InputError, match="not rising"):
        finder.find(pa.concat_tables([fragments([SUM]), fragments([SUM])]))


@each_finder
def test_progress_is_told_in_whole(finder: Finder) -> None:
    told: dict[str, tuple[int, int]] = {}

    def progress(what: str, done: int, total: int) -> None:
        told[what] = told.get(what, (0, 0))[0] + done, total

    batches = list(finder.find(fragments([SUM, COPY, SUM]), ALL_SIZES, progress=progress))
    assert told["Sieving fragments"] == (3, 3)
    assert "Reading fragments" in told
    assert all(done == total for done, total in told.values())
    assert all(batch.schema == FOUND for batch in batches)


@pytest.mark.parametrize("threshold", [0.0, -0.3, 1.01, float("nan")])
def test_a_threshold_is_a_similarity(threshold: float) -> None:
    with pytest.raises(InputError, match="is not a similarity"):
        FindOptions(threshold)


@pytest.mark.parametrize("name", ["min_tokens", "min_lines"])
def test_sizes_are_not_negative(name: str) -> None:
    with pytest.raises(InputError, match="cannot have -1"):
        FindOptions(**{name: -1})


def test_many_pairs_come_in_batches() -> None:
    batches = list(FINDERS["tokens"].find(fragments([SUM] * 400 + [SUM.replace("sum", "add")] * 600), ALL_SIZES))
    assert max(batch.num_rows for batch in batches) < 200_000
    pairs = pa.Table.from_batches(batches).select(["left", "right"])
    assert pairs.group_by(["left", "right"]).aggregate([]).num_rows == pairs.num_rows == 1000 * 999 // 2


def test_processes_share_the_work() -> None:
    texts = [SUM.replace("int s = 0", f"int s = {number % 40}") for number in range(2100)]
    table, options = fragments(texts), FindOptions(min_tokens=20)
    assert found(FINDERS["exact"], table, options, 2) == found(FINDERS["exact"], table, options)


def test_an_unknown_name_is_told_with_a_near_one() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'exact'"):
        FINDERS["exakt"]
