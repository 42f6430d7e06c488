"""The classical detectors compared: which clone types each of them finds."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings

from clonetruth.code import LANGUAGES, clone_type, fragment_forms, language
from clonetruth.detectors import FinderOptions
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.compression import NCD
from clonetruth.detectors.equal_forms import EXACT, RENAMED
from clonetruth.detectors.largegap import LARGEGAP
from clonetruth.detectors.nearmiss import NEARMISS
from clonetruth.detectors.token_overlap import TOKENS
from clonetruth.detectors.winnowing import WINNOWING
from clonetruth.errors import InputError
from clonetruth.sources import embedded
from tests.code.bigclonebench import read_pairs, read_texts
from tests.conformance.reformatting import names_in, other_name, reformatted, renamed
from tests.conformance.test_languages import sample
from tests.detectors.corpora import corpora, found, fragments, scored

CONSISTENT = RENAMED.with_parameters(renaming="consistent")
SUM = "int sum(int[] a) { int s = 0; for (int x : a) s += x; return s; }"
RELAID = "int sum(int[] a) {\n  int s = 0; // the sum\n  for (int x : a)\n    s += x;\n  return s;\n}"
RENAMED_SUM = "int total(int[] v) { int r = 0; for (int y : v) r += y; return r; }"
MIXED_UP = "int total(int[] v) { int r = 1; for (int y : v) y += r; return v; }"


def hits(detector: ClassicalDetector, texts: list[str], threshold: float | None = None) -> set[tuple[int, int]]:
    return set(found(detector, fragments(texts), FinderOptions(threshold, min_tokens=0)))


@pytest.mark.parametrize(
    ("other", "exact", "consistent", "blind"),
    [
        (RELAID, 1.0, 1.0, 1.0),
        (RENAMED_SUM, 0.0, 1.0, 1.0),
        (MIXED_UP, 0.0, 0.0, 1.0),
        (SUM[:-2] + "; }", 1.0, 1.0, 1.0),
    ],
)
def test_types_by_example(other: str, exact: float, consistent: float, blind: float) -> None:
    pair = fragments([SUM, other])
    scores = [scored(detector, pair)[1, 4] for detector in (EXACT, CONSISTENT, RENAMED)]
    assert scores == [exact, consistent, blind]


@settings(max_examples=60)
@given(corpora())
def test_wider_detectors_find_what_narrower_ones_find(texts: list[str]) -> None:
    exact, consistent, blind = (hits(detector, texts) for detector in (EXACT, CONSISTENT, RENAMED))
    assert exact <= consistent <= blind
    for wider in (NEARMISS, LARGEGAP, WINNOWING):
        assert blind <= hits(wider, texts, 1.0)
    for names_count in (TOKENS, TOKENS.with_parameters(units="tokens"), NEARMISS.with_parameters(renaming="none")):
        assert exact <= hits(names_count, texts, 1.0)
    assert consistent <= hits(NEARMISS.with_parameters(renaming="consistent"), texts, 1.0)


@settings(max_examples=30)
@given(corpora())
def test_lines_are_more_similar_without_names(texts: list[str]) -> None:
    """Equal lines are equal after consistent renaming, and those are equal after blind renaming."""
    table = fragments(texts)
    blind, consistent, none = (
        scored(NEARMISS.with_parameters(renaming=renaming), table) for renaming in ("blind", "consistent", "none")
    )
    for pair in blind:
        widest, wider, narrow = blind[pair], consistent[pair], none[pair]
        assert widest is not None
        assert wider is not None
        assert narrow is not None
        assert widest >= max(wider, narrow)


@pytest.mark.parametrize("name", LANGUAGES)
def test_copies_are_found_in_every_language(name: str) -> None:
    """`exact` ignores layout and comments, `renamed` also names; the prefilter of either loses no pair."""
    text, own = sample(name), language(name)
    new_names = {old: other_name(old, 0) for old in names_in(text, own)}
    relaid = [reformatted(text, own, seed) for seed in (1, 2)]
    table = fragments([text, *relaid, renamed(text, own, new_names), text.replace("(", "((", 1)], name)
    assert set(found(EXACT, table)) == {(1, 4), (1, 7), (4, 7)}
    assert set(found(RENAMED, table)) == {(1, 4), (1, 7), (4, 7), (1, 10), (4, 10), (7, 10)}


def test_embedded_types_are_found() -> None:
    """On real functions, `exact` finds T1 and `renamed` finds T1 and T2, as `classify` defines them."""
    sources = [source for folder in embedded.folders() for source in folder.sources]
    # The embedded benchmark has no renamed copies, since its implementations are meant to differ.
    sources_and_copies = [(source.language, source.text) for source in sources] + [
        (source.language, source.text.replace("total", "amount").replace("result", "answer")) for source in sources
    ]
    table = pa.table(
        {
            "fragment": range(len(sources_and_copies)),
            "language": [name for name, _ in sources_and_copies],
            "text": [text for _, text in sources_and_copies],
        }
    )
    forms = [fragment_forms(text, language(name)) for name, text in sources_and_copies]
    named = {
        (a, b): clone_type(forms[a], forms[b]).name
        for a, b in combinations(range(len(forms)), 2)
        if sources_and_copies[a][0] == sources_and_copies[b][0]
        and (forms[a].tokens == forms[b].tokens or forms[a].type1 == forms[b].type1)
    }
    everything = FinderOptions(min_tokens=0)
    assert set(found(EXACT, table, everything)) == {pair for pair, name in named.items() if name == "T1"}
    assert set(found(RENAMED, table, everything)) == {pair for pair, name in named.items() if name in ("T1", "T2")}
    assert set(named.values()) == {"T1", "T2"}


@pytest.mark.slow
def test_bigclonebench_types_are_found(shared_data: Path) -> None:
    """The published T1 and T2 pairs of BigCloneBench, over the functions that occur in them.

    One of the T2 pairs is really T1, and so are four of the pairs published as T3 (`docs/definitions.md`).
    """
    texts = read_texts(shared_data)
    published = read_pairs(shared_data, texts)
    keys = sorted({key for pair in published if pair.group <= 2 for key in (pair.left, pair.right)})
    table = pa.table({"fragment": keys, "language": ["java"] * len(keys), "text": [texts[key] for key in keys]})
    by_group: dict[int, set[tuple[int, int]]] = {}
    for pair in published:
        by_group.setdefault(pair.group, set()).add((min(pair.left, pair.right), max(pair.left, pair.right)))
    exact, renamed = (set(found(detector, table, FinderOptions(min_tokens=0))) for detector in (EXACT, CONSISTENT))
    assert by_group[1] <= exact
    assert by_group[2] <= renamed
    assert [len(by_group[group] & exact) for group in (2, 3, 4)] == [1, 4, 0]
    assert [len(by_group[group] & renamed) for group in (3, 4)] == [8, 0]


@pytest.mark.parametrize("detector", [EXACT, RENAMED, TOKENS, NEARMISS, LARGEGAP, WINNOWING, NCD], ids=lambda d: d.name)
def test_parameters_are_set_by_name(detector: ClassicalDetector) -> None:
    for name, values in detector.parameters.items():
        for value in values:
            assert getattr(detector.with_parameters(**{name: value}), name) == value
        with pytest.raises(InputError, match=f"'loud' is not a valid {name} for the detector '{detector.name}'"):
            detector.with_parameters(**{name: "loud"})
    with pytest.raises(InputError, match="has no parameter 'colour'"):
        detector.with_parameters(colour="red")
