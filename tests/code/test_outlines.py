"""Functions located from tokens: those that the trees have, without the trees."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.code import decode, language
from clonetruth.code.outline import OUTLINES
from clonetruth.code.parsing import source_bytes
from clonetruth.detectors.finder import FinderOptions
from clonetruth.find.functions import FileFunctions, functions_by_tokens, functions_by_trees, functions_of
from tests.code.outline_cases import DOUBTFUL, SAME

_ALL = FinderOptions(min_tokens=1, min_lines=1)
Place = tuple[str, int, int, int, int, bytes]


def places(found: FileFunctions, files: int) -> list[list[Place]]:
    """Name, lines, bytes and tokens of the functions of each file."""
    result: list[list[Place]] = [[] for _ in range(files)]
    for part in found.parts:
        hashes = part.lexed.vocabulary.whole(part.lexed.tokens)
        for number in range(len(part)):
            lines, span = (
                (int(columns[0][number]), int(columns[1][number]))
                for columns in ((part.first_line, part.last_line), (part.start, part.end))
            )
            tokens = hashes[part.first[number] : part.last[number] + 1].tobytes()
            result[int(part.file[number])].append((part.name[number], *lines, *span, tokens))
    return result


def by_tokens(texts: Sequence[bytes], name: str) -> list[list[Place] | None]:
    """None for a doubtful text."""
    found = functions_by_tokens(texts, language(name), _ALL)
    located = places(found, len(texts))
    return [
        functions if count >= 0 else None for functions, count in zip(located, found.functions.tolist(), strict=True)
    ]


def by_trees(texts: Sequence[bytes], name: str) -> list[list[Place]]:
    return places(functions_by_trees(texts, np.arange(len(texts)), language(name), _ALL), len(texts))


def test_every_outline_has_hard_cases() -> None:
    assert set(SAME) == set(DOUBTFUL) == set(OUTLINES) - {"java"}  # Java has test_java_outline.py


@pytest.mark.parametrize("name", SAME)
def test_the_scanner_finds_what_the_tree_has(name: str) -> None:
    texts = [text.encode() for text in SAME[name]]
    assert by_tokens(texts, name) == by_trees(texts, name)
    # Each text alone, since positions count through all texts of a batch.
    assert [by_tokens([text], name)[0] for text in texts] == by_trees(texts, name)


@pytest.mark.parametrize("name", DOUBTFUL)
def test_the_scanner_knows_when_it_is_unsure(name: str) -> None:
    texts = [text.encode() for text in DOUBTFUL[name]]
    assert by_tokens(texts, name) == [None] * len(texts)


@pytest.mark.parametrize("name", DOUBTFUL)
def test_the_tree_decides_where_the_scanner_is_unsure(name: str) -> None:
    texts = [text.encode() for pair in zip(DOUBTFUL[name], SAME[name], strict=False) for text in pair]
    assert places(functions_of(texts, language(name), _ALL), len(texts)) == by_trees(texts, name)


@pytest.mark.parametrize("name", SAME)
@settings(max_examples=30)
@given(data=st.data())
def test_any_part_of_a_text_is_scanned_or_doubtful(name: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(SAME[name])).encode()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    part = source_bytes(text[start:end])
    (found,) = by_tokens([part], name)
    for _, first_line, last_line, first, last, tokens in found or ():
        assert 0 <= first < last <= len(part)
        assert 1 <= first_line <= last_line
        assert last_line - first_line == part.count(b"\n", first, last)
        assert tokens


def test_a_function_that_the_parser_loses_is_found() -> None:
    # A macro after a qualifier: the grammar sees no function.
    text = b"void f(void) const EXCLUSIVE(mutex) { }\nint g(void) { return 1; }\n"
    (found,) = by_tokens([text], "c")
    assert found is not None
    assert [place[0] for place in found] == ["f", "g"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "head",
    [
        "static void printflike(1, 2) f(const char *a, ...)",
        "static char * GIT_FORMAT_PRINTF(2, 3)\nf(int b, const char *a, ...)",
        "NONNULL(1) int f(char *a) PURE(1)",
        "int f(a) char *a;",
    ],
)
def test_a_macro_with_numbers_is_not_the_name_of_a_function(head: str) -> None:
    (found,) = by_tokens([f"{head}\n{{\n  g(a);\n}}\n".encode()], "c")
    assert found is not None
    assert [place[:2] for place in found] == [("f", 1)]


def test_outlines_of_this_package_agree_with_its_trees() -> None:
    files = sorted((Path(__file__).parents[2] / "src" / "clonetruth" / "code").rglob("*.py"))
    texts = [source_bytes(decode(file.read_bytes()).text) for file in files]
    found = by_tokens(texts, "python")
    assert None not in found
    assert found == by_trees(texts, "python")
