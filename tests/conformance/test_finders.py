"""The conformance suite of finders."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.detectors import DETECTORS, FINDERS, FOUND_PAIRS, Finder, FinderOptions
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.detector import FRAGMENTS
from clonetruth.errors import InputError, UnknownNameError
from tests.detectors.corpora import ALL_SIZES, corpora, found, fragments, functions, scored

each_finder = pytest.mark.parametrize("finder", [FINDERS[name] for name in FINDERS], ids=list(FINDERS))
THRESHOLDS = st.sampled_from([0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
ACROSS_LANGUAGES = {"ncd", "semantic"}
SUM = "int sum(int[] a) {\n    int s = 0;\n    for (int x : a) s += x;\n    return s;\n}\n"
COPY = "void copy(File from, File to) throws IOException {\n    Files.copy(from, to);\n}\n"


def sized(threshold: float | None) -> FinderOptions:
    return FinderOptions(threshold, min_tokens=0, min_lines=0)


@each_finder
def test_name_and_description_and_it_scores_pairs_too(finder: Finder) -> None:
    assert FINDERS[finder.name] is finder
    scorer: object = DETECTORS[finder.name]
    assert scorer is finder
    assert finder.description.endswith(".")


@each_finder
@settings(max_examples=40)
@given(texts=corpora(), threshold=THRESHOLDS)
def test_finds_exactly_the_pairs_whose_score_reaches_the_threshold(
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
def test_the_default_threshold_is_its_own(finder: Finder) -> None:
    detector = DETECTORS[finder.name]
    assert isinstance(detector, ClassicalDetector)
    own = detector.find_threshold
    table = fragments([SUM, SUM.replace("sum", "add"), SUM.replace("s += x;", "{ s += x; }"), COPY, COPY + "// end"])
    assert found(finder, table) == found(finder, table, sized(own))
    assert (4 * 3 - 2, 4 * 3 + 1) in found(finder, table)


@each_finder
def test_small_fragments_are_skipped(finder: Finder) -> None:
    table = fragments([SUM, SUM, COPY, COPY])
    assert set(found(finder, table, FinderOptions(min_tokens=23))) == {(1, 4)}
    assert set(found(finder, table, FinderOptions(min_tokens=0, min_lines=4))) == {(1, 4)}
    assert set(found(finder, table, FinderOptions(1.0, min_tokens=22, min_lines=3))) == {(1, 4), (7, 10)}
    assert not list(finder.find(table))  # the default is 50 tokens


@each_finder
def test_only_some_finders_compare_fragments_in_different_languages(finder: Finder) -> None:
    languages = ["java", "c", "java"]
    table = pa.table({"fragment": [0, 1, 2], "language": languages, "text": [SUM, SUM, SUM]})
    everywhere = {(0, 1), (0, 2), (1, 2)} if finder.name in ACROSS_LANGUAGES else {(0, 2)}
    assert set(found(finder, table, sized(DETECTORS[finder.name].default_threshold))) == everywhere


@each_finder
def test_empty_inputs_have_no_clones(finder: Finder) -> None:
    for table in (FRAGMENTS.empty_table(), fragments([""]), fragments(["", " \n", "// only words"])):
        assert not found(finder, table)


@each_finder
def test_broken_source_is_read_as_far_as_possible(finder: Finder) -> None:
    broken = "int f( { if (a > ) return \x00 'b \ud7ff }}}"
    assert (1, 4) in found(finder, fragments([broken, broken, "}{"]))


@each_finder
def test_an_unusable_table_is_refused_before_anything_is_read(finder: Finder) -> None:
    with pytest.raises(InputError, match="no column 'text'"):
        finder.find(fragments([SUM]).drop_columns(["text"]))
    with pytest.raises(InputError, match="has no 'text'"):
        finder.find(pa.table({"fragment": [0], "language": ["java"], "text": pa.array([None], pa.string())}))
    with pytest.raises(InputError, match="not in ascending order"):
        finder.find(pa.concat_tables([fragments([SUM]), fragments([SUM])]))


@each_finder
def test_progress_adds_up_to_the_total(finder: Finder) -> None:
    reported: dict[str, tuple[int, int]] = {}

    def progress(what: str, done: int, total: int) -> None:
        reported[what] = reported.get(what, (0, 0))[0] + done, total

    batches = list(finder.find(fragments([SUM, COPY, SUM]), ALL_SIZES, progress=progress))
    assert reported["Prefiltering fragments"] == (3, 3)
    assert "Reading fragments" in reported
    assert all(done == total for done, total in reported.values())
    assert all(batch.schema == FOUND_PAIRS for batch in batches)


@pytest.mark.parametrize("threshold", [0.0, -0.3, 1.01, float("nan")])
def test_a_threshold_is_a_similarity(threshold: float) -> None:
    with pytest.raises(InputError, match="is not a similarity"):
        FinderOptions(threshold)


@pytest.mark.parametrize("name", ["min_tokens", "min_lines"])
def test_sizes_are_not_negative(name: str) -> None:
    with pytest.raises(InputError, match="cannot have -1"):
        FinderOptions(**{name: -1})


def test_many_pairs_come_in_batches() -> None:
    batches = list(FINDERS["tokens"].find(fragments([SUM] * 400 + [SUM.replace("sum", "add")] * 600), ALL_SIZES))
    assert max(batch.num_rows for batch in batches) < 200_000
    pairs = pa.Table.from_batches(batches).select(["left", "right"])
    assert pairs.group_by(["left", "right"]).aggregate([]).num_rows == pairs.num_rows == 1000 * 999 // 2


def test_processes_share_the_work() -> None:
    texts = [SUM.replace("int s = 0", f"int s = {number % 40}") for number in range(2100)]
    table, options = fragments(texts), FinderOptions(min_tokens=20)
    assert found(FINDERS["exact"], table, options, 2) == found(FINDERS["exact"], table, options)


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'exact'"):
        FINDERS["exakt"]
