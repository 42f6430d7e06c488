"""Search heuristics: what they mean, and what is wrong with those that cannot be read."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.make.candidate_search import search_sql
from clonetruth.make.functionality_file import functionality_names, read_functionality
from clonetruth.make.heuristic import Term, TermKind, parse_heuristic
from clonetruth.store import DuckDBEngine
from tests.conftest import ROOT

PAPER = ROOT.parent / "shared" / "papers" / "misuse-harmed-semantic-clone-detection.txt"


@pytest.mark.skipif(not PAPER.exists(), reason="needs ../shared/papers")
def test_the_published_heuristic_lacks_a_bracket() -> None:
    """BigCloneBench's heuristic for 'Copy File', as it was published."""
    found = re.search(r"\[getChannel\] OR .*?copyLarge\]", PAPER.read_text(encoding="utf-8"))
    assert found is not None
    with pytest.raises(InputError, match=r"The '\[' is never closed: a '\]' is missing") as caught:
        parse_heuristic(found[0])
    assert "character 79" in str(caught.value.where)
    assert "nextLine" in str(caught.value.where)
    repaired = parse_heuristic(found[0].replace("OR write]", "OR write]]"))
    shipped = read_functionality("copy-file", Path()).search
    assert sorted(repaired.terms) == sorted(shipped.terms)


def test_a_bracket_that_is_missing_is_shown() -> None:
    with pytest.raises(InputError, match=r"The '\[' is never closed") as caught:
        parse_heuristic("[getChannel] OR [nextLine AND [print OR write] OR [IOUtils.copy]")
    assert "character 17" in str(caught.value.where)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("a b", "AND or OR is missing"),
        ("(a OR b", r"'\(' is never closed"),
        ("a)", r"'\)' closes nothing"),
        ("[a)", "']' was expected"),
        ("a AND", "missing at the end"),
        ("OR a", "A term is missing"),
        ("a AND ()", "A term is missing"),
        ("colour:red", "'colour:' is not one of"),
        ("a+b", "is not a term"),
        ("(" * 60 + "a" + ")" * 60, "More than 50 levels"),
        (" OR ".join(f"a{number}" for number in range(300)), "more than 200 terms"),
        ("NOT a", "matches every function that contains none"),
        ("a OR NOT b", "matches every function that contains none"),
    ],
)
def test_what_cannot_be_read_is_explained(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_heuristic(text)


def test_and_binds_stronger_than_or() -> None:
    found = parse_heuristic("call:a OR type:B* AND NOT name:c")
    assert str(found) == "(call:a OR (type:B* AND NOT name:c))"
    assert found.terms == (Term("a", TermKind.CALL), Term("B", TermKind.TYPE, True), Term("c", TermKind.NAME))


_NAMES = ("aa", "ab", "cc")
_EXPRESSIONS = st.recursive(
    st.sampled_from([*_NAMES, "a*", "call:aa", "type:cc"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["AND", "OR", "AND NOT"]), inner).map(lambda one: f"({' '.join(one)})"),
        inner.map(lambda one: f"[{one}]"),
    ),
    max_leaves=6,
)


@given(_EXPRESSIONS)
def test_sql_and_python_agree_on_every_function(text: str) -> None:
    found = parse_heuristic(text)
    functions = list(product([0, 1, 3], repeat=2))
    rows = [
        {"term": name, "kinds": kinds, "function": number}
        for number, both in enumerate(functions)
        for name, kinds in zip(("aa", "cc"), both, strict=True)
        if kinds
    ]
    terms = pa.Table.from_pylist(rows)
    hits = set(DuckDBEngine(threads=1).sql(search_sql(found), {"terms": terms})["function"].to_pylist())
    for number, (first, second) in enumerate(functions):
        held = {"aa": first, "cc": second}
        present = {
            term: any(
                kinds & term.kind and (name.startswith(term.text) if term.prefix else name == term.text)
                for name, kinds in held.items()
            )
            for term in found.terms
        }
        assert (number in hits) == found.matches(present)


def test_the_shipped_functionalities_can_be_read() -> None:
    for name in functionality_names():
        found = read_functionality(name, Path())
        assert found.search.terms
        assert found.exemplars
