"""What every language must do, third-party ones included.

A new language takes part by its line in `LANGUAGES` and a sample in `samples/<name>.txt`: a text that parses, in
which every kind of statement occurs.
"""

from __future__ import annotations

import re
import time
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
import tree_sitter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clonetruth.code.forms import Form, fragment_forms, normal_form
from clonetruth.code.fragments import ExtractOptions, Function, extract
from clonetruth.code.language import Language, TokenKind
from clonetruth.code.languages import LANGUAGES, languages_of_path
from clonetruth.code.parsing import Parsed, parse
from clonetruth.code.pretty import pretty
from clonetruth.code.source import decode
from clonetruth.code.tokens import token_stream
from tests.conformance.reformatting import names_in, other_name, reformatted, renamed
from tests.conformance.selection import by_cost

SAMPLES = Path(__file__).parent / "samples"
BEGINNINGS = {"php": "<?php "}
"""What a text must begin with to be code."""
SECONDS = 10.0
"""What a deep text may take of the processor; it takes one or two, and minutes where time grows with the square."""

every_language = pytest.mark.parametrize("name", sorted(LANGUAGES))
every_language_by_cost = pytest.mark.parametrize("name", by_cost(LANGUAGES))
robust = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@cache
def sample(name: str) -> str:
    return (SAMPLES / f"{name}.txt").read_text(encoding="utf-8")


def functions(name: str) -> tuple[Function, ...]:
    return extract(sample(name), LANGUAGES[name], ExtractOptions(nested=True)).functions


def use_everything(text: str | bytes, language: Language) -> None:
    """All that reads a source, once."""
    parsed = parse(text, language, lone=True)
    stream = token_stream(parsed)
    assert len(stream.starts) == len(stream.texts) == len(stream.kinds)
    assert sorted(stream.starts) == stream.starts
    pretty(parsed).text()
    extraction = extract(text, language, ExtractOptions(nested=True, lambdas=True))
    extraction.token_streams()
    assert extraction.problems is not None
    parsed.captures(language.names)


def chunks(name: str) -> st.SearchStrategy[bytes]:
    """Texts made of pieces of the language, of what opens comments and strings, and of any bytes."""
    pieces = sorted(set(token_stream(parse(sample(name), LANGUAGES[name])).texts))
    openers = [b'"', b"'", b"`", b"/*", b"*/", b"//", b"#", b"\\", b"\n", b'"""', b"(", b"{", b"}", b" ", b"<", b"${"]
    piece = st.one_of(st.sampled_from(pieces), st.sampled_from(openers), st.binary(max_size=3))
    return st.lists(piece, max_size=40).map(b"".join)


@every_language
class TestSample:
    def test_it_parses(self, name: str) -> None:
        assert parse(sample(name), LANGUAGES[name]).problems == ()
        assert fragment_forms(sample(name), LANGUAGES[name]).sound

    def test_its_functions_parse_alone(self, name: str) -> None:
        assert functions(name)
        for function in functions(name):
            alone = extract(function.text, LANGUAGES[name], lone=True)
            assert alone.problems == (), function.text
            assert alone.functions[0].name == function.name
            assert alone.functions[0].parameter_types == function.parameter_types
            assert alone.functions[0].first_line == 1

    def test_functions_are_where_they_say(self, name: str) -> None:
        lines = sample(name).split("\n")
        for function in functions(name):
            assert function.name
            assert function.sound
            assert function.text in "\n".join(lines[function.first_line - 1 : function.last_line])

    @pytest.mark.parametrize("seed", range(5))
    def test_layout_and_comments_do_not_change_its_functions(self, name: str, seed: int) -> None:
        text = reformatted(sample(name), LANGUAGES[name], seed)
        other = extract(text, LANGUAGES[name], ExtractOptions(nested=True)).functions
        assert [(f.qualified_name, f.parameter_types) for f in other] == [
            (f.qualified_name, f.parameter_types) for f in functions(name)
        ]

    def test_every_token_has_a_class(self, name: str) -> None:
        stream = token_stream(parse(sample(name), LANGUAGES[name]))
        others = [t for t, kind in zip(stream.texts, stream.kinds, strict=True) if kind == TokenKind.OTHER]
        assert others == []

    def test_no_keyword_is_called_an_identifier(self, name: str) -> None:
        parsed = parse(sample(name), LANGUAGES[name])
        stream = token_stream(parsed)
        kinds = dict(zip(stream.starts, stream.kinds, strict=True))
        called_names = [
            node.text
            for node in _keyword_nodes(parsed)
            if kinds.get(node.start_byte) in (TokenKind.IDENTIFIER, TokenKind.TYPE)
        ]
        assert called_names == []
        assert not set(LANGUAGES[name].lexicon.words) & {n.encode() for n in names_in(sample(name), LANGUAGES[name])}

    def test_queries_find_something(self, name: str) -> None:
        language = LANGUAGES[name]
        captures = parse(sample(name), language).captures(language.names)
        assert captures["variable"]
        assert captures["own.function"]
        assert captures["call"]


def _keyword_nodes(parsed: Parsed) -> list[tree_sitter.Node]:
    """The words that the grammar knows by heart, where it does not take them for a name all the same."""
    found: list[tree_sitter.Node] = []
    waiting = [parsed.tree.root_node]
    while waiting:
        node = waiting.pop()
        waiting += () if node.type == "identifier" else node.children
        if not node.is_named and re.fullmatch(rb"[A-Za-z_]+", node.text or b""):
            found.append(node)
    return found


@every_language
class TestNormalForms:
    @pytest.mark.parametrize("seed", range(5))
    def test_layout_and_comments_do_not_count(self, name: str, seed: int) -> None:
        language = LANGUAGES[name]
        other = reformatted(sample(name), language, seed)
        assert other != sample(name)
        assert parse(other, language).problems == ()
        assert normal_form(other, language, Form.TYPE1) == normal_form(sample(name), language, Form.TYPE1)
        assert fragment_forms(other, language) == fragment_forms(sample(name), language)

    @pytest.mark.parametrize("seed", range(3))
    def test_nor_in_a_lone_function(self, name: str, seed: int) -> None:
        language = LANGUAGES[name]
        for function in functions(name):
            whole = parse(function.text, language)
            if whole.tree.root_node.has_error:
                continue  # the reformatter needs a complete text
            other = reformatted(function.text, language, seed)
            assert fragment_forms(other, language).type1 == fragment_forms(function.text, language).type1

    def test_line_endings_do_not_count(self, name: str) -> None:
        windows = decode(sample(name).replace("\n", "\r\n").encode()).text
        assert fragment_forms(windows, LANGUAGES[name]) == fragment_forms(sample(name), LANGUAGES[name])

    def test_printing_twice_is_printing_once(self, name: str) -> None:
        language = LANGUAGES[name]
        once = normal_form(sample(name), language, Form.TYPE1)
        assert normal_form(once, language, Form.TYPE1) == once
        assert fragment_forms(once, language).type1 == fragment_forms(sample(name), language).type1

    def test_no_line_is_wrapped_or_lost(self, name: str) -> None:
        printed = pretty(parse(sample(name), LANGUAGES[name]))
        ranges = [(first, last) for first, last, _ in printed.lines if first != last]
        assert ranges[0][0] == 0
        assert ranges[-1][1] == len(printed.texts)
        assert all(left[1] == right[0] for left, right in pairwise(ranges))

    def test_names_do_not_count_in_type_2(self, name: str) -> None:
        language = LANGUAGES[name]
        new_names = {old: other_name(old, number) for number, old in enumerate(names_in(sample(name), language))}
        other = fragment_forms(renamed(sample(name), language, new_names), language)
        this = fragment_forms(sample(name), language)
        assert other.tokens == this.tokens
        assert other.lines == this.lines
        assert other.consistent == this.consistent
        assert other.type1 != this.type1

    def test_two_names_made_one_count_in_the_consistent_form_only(self, name: str) -> None:
        language = LANGUAGES[name]
        first, second = names_in(sample(name), language)[-2:]
        other = fragment_forms(renamed(sample(name), language, {second: first}), language)
        this = fragment_forms(sample(name), language)
        assert other.consistent != this.consistent
        assert other.tokens == this.tokens


@every_language_by_cost
class TestRobustness:
    @robust
    @given(data=st.data())
    def test_the_lexer_covers_any_text(self, name: str, data: st.DataObject) -> None:
        text = data.draw(chunks(name))
        assert b"".join(m[0] for m in LANGUAGES[name].token_pattern.finditer(text)) == text

    @robust
    @given(data=st.data())
    def test_nothing_raises(self, name: str, data: st.DataObject) -> None:
        use_everything(data.draw(chunks(name)), LANGUAGES[name])

    def test_source_that_ends_too_early(self, name: str) -> None:
        data = sample(name).encode()
        for end in range(0, len(data), 50):
            use_everything(data[:end], LANGUAGES[name])

    def test_source_that_begins_too_late(self, name: str) -> None:
        data = sample(name).encode()
        for start in range(0, len(data), 170):
            use_everything(data[start:], LANGUAGES[name])

    @pytest.mark.parametrize(
        "change",
        [
            lambda text: text.replace(b" ", b"\0", 40),
            lambda text: b"\xef\xbb\xbf" + text,
            lambda text: text.replace(b"e", b"\xe9", 40),
            lambda text: text.replace(b"\n", b"\r"),
            lambda text: text.replace(b"\n", b"\r\n"),
            lambda text: text.replace(b" ", b"\1\2", 40),
            lambda _: b"",
            lambda _: b"\xff\xfe\x00" * 20,
        ],
        ids=["NUL", "BOM", "latin-1", "CR", "CRLF", "control", "empty", "bytes"],
    )
    def test_odd_bytes(self, name: str, change: object) -> None:
        assert callable(change)
        use_everything(change(sample(name).encode()), LANGUAGES[name])

    @pytest.mark.parametrize("kind", ["parentheses", "blocks", "unclosed parentheses", "unclosed blocks"])
    def test_deep_nesting(self, name: str, kind: str) -> None:
        language = LANGUAGES[name]
        text = _nested(language, kind)
        begun = time.process_time()
        use_everything(text, language)
        assert time.process_time() - begun < SECONDS

    @pytest.mark.slow
    def test_ten_megabytes(self, name: str) -> None:
        language = LANGUAGES[name]
        copies = 10_000_000 // len(sample(name)) + 1
        stream = token_stream(parse(sample(name) * copies, language))
        assert len(stream) == copies * len(token_stream(parse(sample(name), language)))

    def test_a_line_of_a_megabyte(self, name: str) -> None:
        text = BEGINNINGS.get(name, "") + "x = " + "1 + " * 250_000 + "1"
        assert len(token_stream(parse(text, LANGUAGES[name]))) >= 500_003


def _nested(language: Language, kind: str) -> str:
    close = not kind.startswith("unclosed")
    if kind.endswith("parentheses"):
        return "x = " + "(" * 10_000 + "1" + ")" * 10_000 * close
    if language.indent_blocks:
        # Indentation makes such a text grow with the square of its depth.
        return "".join(f"{' ' * depth}if x:\n" for depth in range(1_000)) + " " * 1_000 * close + "y = 1\n"
    # In some languages each of these is a function, which contains the tokens of all those inside of it.
    depth = 2_000 if language.name in ("kotlin", "swift") else 10_000
    return "{" * depth + "}" * depth * close


def test_extensions_lead_to_their_language() -> None:
    for name in LANGUAGES:
        for extension in LANGUAGES[name].extensions:
            assert LANGUAGES[name] in languages_of_path(f"folder/file{extension}"), extension
    assert [one.name for one in languages_of_path("a.h")] == ["c", "cpp"], "the files around a header decide"


def test_every_sample_belongs_to_a_language() -> None:
    assert {path.stem for path in SAMPLES.glob("*.txt")} == set(LANGUAGES)
