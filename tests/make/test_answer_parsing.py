"""What becomes of the answers that models give."""

from __future__ import annotations

import zipfile
from collections import Counter

import pytest

from clonetruth.make.answer_parsing import (
    MOST_BLOCK,
    MOST_BLOCKS,
    MOST_CHARACTERS,
    AnswerContext,
    AnswerFate,
    SnippetFate,
    parse_answer,
)
from clonetruth.make.recorded_answers import split_recorded
from tests.conftest import ROOT
from tests.make.recipes import JAVA_SEED, OTHER_LARGEST, OTHER_TOTAL

DATA = ROOT.parent / "shared" / "data" / "gptclonebench"
JAVA = AnswerContext(JAVA_SEED, "java", ("java",))
SECOND = OTHER_TOTAL.replace("addUp", "second").replace("numbers.length == 0", "numbers.length < 1")


def fates(text: str, context: AnswerContext = JAVA) -> tuple[AnswerFate, list[SnippetFate]]:
    found = parse_answer(text, context)
    return found.fate, [one.fate for one in found.snippets]


@pytest.mark.parametrize(
    ("text", "fate", "snippets"),
    [
        (f"```java\n{OTHER_TOTAL}```", AnswerFate.CODE, [SnippetFate.ACCEPTED]),
        (f"```\n{OTHER_TOTAL}```", AnswerFate.CODE, [SnippetFate.ACCEPTED]),
        (OTHER_TOTAL, AnswerFate.CODE, [SnippetFate.ACCEPTED]),
        (f"Java:\n\n{OTHER_TOTAL}", AnswerFate.CODE, [SnippetFate.ACCEPTED]),
        (f"1. {OTHER_TOTAL}\n2. {SECOND}", AnswerFate.CODE, [SnippetFate.ACCEPTED] * 2),
        (f"```java\n{OTHER_TOTAL}\n{SECOND}```", AnswerFate.CODE, [SnippetFate.ACCEPTED] * 2),
        (f"<think>```java\n{SECOND}```</think>```java\n{OTHER_TOTAL}```", AnswerFate.CODE, [SnippetFate.ACCEPTED]),
        (f"```java\n{OTHER_TOTAL}```\n```java\n{OTHER_TOTAL}```", AnswerFate.CODE, ["accepted", "repeats another"]),
        (f"```java\n{JAVA_SEED}```", AnswerFate.UNUSABLE, [SnippetFate.COPY]),
        (f"```python\n{OTHER_LARGEST}```", AnswerFate.UNUSABLE, [SnippetFate.OTHER_LANGUAGE]),
        ("```java\nint x( { return\n```", AnswerFate.UNUSABLE, [SnippetFate.SYNTAX]),
        ("```java\nint x = 1;\nx = x + 1;\n```", AnswerFate.UNUSABLE, [SnippetFate.NO_FUNCTION]),
        (f"```java\n{OTHER_TOTAL[:60]}", AnswerFate.CUT_OFF, [SnippetFate.CUT_OFF]),
        ("You could write it with a stream, which is shorter to read.", AnswerFate.PROSE, [SnippetFate.PROSE]),
        ("I'm sorry, but I cannot help with that request at all.", AnswerFate.REFUSED, [SnippetFate.PROSE]),
        ("", AnswerFate.EMPTY, []),
        ("```java\n" + "int a = 1;\n" * 20_000 + "```", AnswerFate.UNUSABLE, [SnippetFate.TOO_LONG]),
    ],
)
def test_an_answer_is_kept_with_what_became_of_it(text: str, fate: AnswerFate, snippets: list[SnippetFate]) -> None:
    assert fates(text) == (fate, snippets)


def test_functions_that_call_each_other_stay_together() -> None:
    helper = "static int one() {\n    return 1;\n}\n"
    both = helper + "static int total(int[] values) {\n    return values.length * one();\n}\n"
    (found,) = parse_answer(f"```java\n{both}```", JAVA).accepted
    assert found.functions == 2
    assert "one()" in found.text


IN_CLASS = "import java.util.*;\n\n/** Adds. */\npublic class Sums {{\n{}\n}}\n"
SEED_IN_CLASS = AnswerContext(IN_CLASS.format(f"/** Doc. */\n{JAVA_SEED}"), "java", ("java",))


@pytest.mark.parametrize("context", [JAVA, SEED_IN_CLASS], ids=["alone", "in a class"])
@pytest.mark.parametrize("frame", ["{}", IN_CLASS, IN_CLASS.replace("Sums", "Others") + "\n// done\n"])
def test_the_seed_is_recognised_with_and_without_a_class_around_it(context: AnswerContext, frame: str) -> None:
    """With the seed next to what was asked for, execution would compare the seed with itself."""
    assert fates(f"```java\n{frame.format(JAVA_SEED)}```", context) == (AnswerFate.UNUSABLE, [SnippetFate.COPY])
    found = parse_answer(f"```java\n{frame.format(JAVA_SEED + OTHER_TOTAL)}```", context)
    assert [one.fate for one in found.snippets] == [SnippetFate.COPY, SnippetFate.ACCEPTED]
    assert found.accepted[0].text.strip() == OTHER_TOTAL.strip()
    several = parse_answer(f"```java\n{frame.format(JAVA_SEED + OTHER_TOTAL + SECOND)}```", context)
    assert [(one.fate, one.functions) for one in several.snippets] == [
        (SnippetFate.COPY, 1),
        *[(SnippetFate.ACCEPTED, 1)] * 2,
    ]


@pytest.mark.parametrize(
    "code",
    [
        IN_CLASS.format(f"static int calls = 0;\n{OTHER_TOTAL}{SECOND}"),
        IN_CLASS.format(f"{OTHER_TOTAL}{SECOND.replace('return 0', 'return this.hashCode()')}"),
        IN_CLASS.format(f"{JAVA_SEED}static int twice(int[] values) {{\n    return 2 * total(values);\n}}"),
    ],
    ids=["a field", "the object", "a call of the seed"],
)
def test_what_a_function_needs_stays_with_it(code: str) -> None:
    (found,) = parse_answer(f"```java\n{code}```", JAVA).snippets
    assert (found.fate, found.functions, found.text.strip()) == (SnippetFate.ACCEPTED, 2, code.strip())


def test_the_class_of_a_seed_with_several_functions_is_one_implementation() -> None:
    seed = AnswerContext(IN_CLASS.format(JAVA_SEED + SECOND), "java", ("java",))
    (found,) = parse_answer(f"```java\n{IN_CLASS.format(JAVA_SEED + OTHER_TOTAL)}```", seed).snippets
    assert (found.fate, found.functions) == (SnippetFate.ACCEPTED, 2)


def test_what_the_server_says_counts() -> None:
    cut = AnswerContext(JAVA_SEED, "java", ("java",), cut_off=True)
    assert fates("static int total(int[] a) {\n    int x = 1;\n    for (", cut)[0] is AnswerFate.CUT_OFF
    refused = AnswerContext(JAVA_SEED, "java", ("java",), refused=True)
    assert fates("", refused)[0] is AnswerFate.REFUSED


def test_missing_languages_are_named() -> None:
    context = AnswerContext(JAVA_SEED, "java", ("python", "c"))
    found = parse_answer(f"Python:\n\n{OTHER_LARGEST}\n\nC:\n\nC does not have this library at all.\n", context)
    assert [one.language for one in found.accepted] == ["python"]
    assert found.missing == ("c",)


def test_an_endless_answer_is_bounded() -> None:
    found = parse_answer("```java\n" + "x" * (MOST_CHARACTERS * 2), JAVA)
    assert max(len(one.text) for one in found.snippets) <= MOST_CHARACTERS
    both = parse_answer(f"```java\nint a = 1;{' ' * MOST_BLOCK};\n```\n```java\n{OTHER_TOTAL}```\n", JAVA)
    assert [one.fate for one in both.snippets] == [SnippetFate.TOO_LONG, SnippetFate.ACCEPTED]
    repeated = parse_answer("```java\nint f() { return 1; }\n```\n" * (MOST_BLOCKS * 3), JAVA)
    assert [one.fate for one in repeated.snippets] == [
        SnippetFate.ACCEPTED,
        *[SnippetFate.REPEATED] * (MOST_BLOCKS - 1),
        SnippetFate.TOO_LONG,
    ]


@pytest.mark.parametrize(
    "line",
    ["// Helper " + "/" * 100, "A " + "/, " * 500 + ";", "word " * 400 + ";", "a,/b" * 400 + "→", "." * 2_000],
)
def test_no_line_takes_for_ever(line: str) -> None:
    """Lines on which a pattern that tries all divisions into words does not come to an end."""
    fate, pieces = fates(f"{line}\n", JAVA)
    assert fate is not AnswerFate.CODE
    assert len(pieces) <= 1


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="needs ../shared/data")
def test_all_recorded_answers_are_explained() -> None:
    answers, pieces = Counter[AnswerFate](), Counter[SnippetFate]()
    for archive in ("cross_language.zip", "cross_language_part_2.zip"):
        with zipfile.ZipFile(DATA / archive) as file:
            for name in file.namelist():
                if name.endswith("/"):
                    continue
                parts = split_recorded(file.read(name).decode("utf-8", errors="replace"))
                assert parts is not None
                own, other = ("csharp", "java") if name.endswith(".cs") else ("java", "csharp")
                found = parse_answer(parts[1], AnswerContext(parts[0], own, ("python", "c", other)))
                answers[found.fate] += 1
                pieces.update(one.fate for one in found.snippets)
    assert answers.total() == 2571
    assert answers[AnswerFate.UNEXPLAINED] <= 0.01 * answers.total()
    assert pieces[SnippetFate.UNEXPLAINED] <= 0.01 * pieces.total()
    assert answers[AnswerFate.CODE] >= 2400
