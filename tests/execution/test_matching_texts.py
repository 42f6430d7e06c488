"""Texts made from the regular expressions of code match them, mostly."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.execution import BehaviourVerdict, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.matching_texts import matching_texts
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox

PARTS = [r"\d{1,3}", r"[a-f0-9]+", r"(?:ab|c)*", r"\s", r"[^,;]{2}", r"(x)\1", r"\w+?", r".", r"-?", r"[^\d\s]"]


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=5).map("".join))
def test_texts_match_the_expression_they_are_made_from(expression: str) -> None:
    made = matching_texts([f'import re\nre.match(r"{expression}$", text)'])
    assert any(re.fullmatch(expression, one) for one in made)
    assert made == matching_texts([f'import re\nre.match(r"{expression}$", text)'])


@pytest.mark.parametrize(
    ("source", "expression"),
    [
        (r'Pattern.compile("^v(\\d+)\\.(\\d+)$")', r"v\d+\.\d+"),
        (r"return /^v(\d+)\.(\d+)$/i.test(text)", r"v\d+\.\d+"),
        (r'new Regex(@"^v(?<a>\d+)/(\d+)$")', r"v\d+/\d+"),
        (r"const a = /^v(\d+)\/(\d+)$/", r"v\d+/\d+"),
        ('if text == "Z": pass  # isn\'t one\nre.match(r"v(\\d+)", text)', r"v\d+"),
    ],
)
def test_expressions_of_other_languages(source: str, expression: str) -> None:
    assert any(re.fullmatch(expression, one) for one in matching_texts([source]))


@pytest.mark.parametrize(
    "source", ["", "a / b / c", "x = 'plain'", 'f("[unclosed")', 'f("(?<=a)b{2")', 'f("+*")', "/* a */"]
)
def test_what_is_no_expression_does_no_harm(source: str) -> None:
    assert all(isinstance(one, str) for one in matching_texts([source]))


@pytest.mark.parametrize("repeated", ["a", "", "[ab]", "a?", "(?:b|c)"])
@pytest.mark.parametrize("times", ["{79}", "{40,}", "*"])
def test_repetitions_in_repetitions_take_no_time_and_make_no_long_text(repeated: str, times: str) -> None:
    nested = repeated
    for _ in range(12):
        nested = f"({nested}){times}"
    assert all(len(one) <= 81 for one in matching_texts([f'x = r"{nested}x"']))


def test_texts_have_whole_characters_only() -> None:
    made = matching_texts([r'x = r"^[\ud700-\ue000]+\d\ud801$"'])
    assert made
    assert all(one.encode("utf-8") for one in made if one)


def test_keys_give_texts_of_json() -> None:
    made = Constants(('d = json.loads(t)\nreturn d.get("name"), d["age"]',)).matching
    assert '{"name": 0, "age": "1"}' in made
    assert any("age" in one and "name" not in one for one in made)


PAIRS = {
    "log lines": (
        "import re\ndef f(line):\n    m = re.match(r'^\\[(INFO|WARN)\\] (\\w+): (.*)$', line)\n"
        "    return m and (m[1], m[2], m[3].strip())\n",
        "import re\ndef f(line):\n    m = re.match(r'^\\[(INFO|WARN)\\] (\\w+): (.*)$', line)\n"
        "    return m and (m[1], m[2], m[3])\n",
    ),
    "settings in settings": (
        "def f(a: dict, b: dict) -> dict:\n    r = dict(a)\n    for k, v in b.items():\n"
        "        if isinstance(v, dict) and isinstance(r.get(k), dict):\n            r[k] = f(r[k], v)\n"
        "        else:\n            r[k] = v\n    return r\n",
        "def f(a: dict, b: dict) -> dict:\n    r = dict(a)\n    for k, v in b.items():\n"
        "        if isinstance(v, dict) and isinstance(r.get(k), dict):\n            r[k] = {**r[k], **v}\n"
        "        else:\n            r[k] = v\n    return r\n",
    ),
}


@needs_sandbox
@pytest.mark.parametrize("case", PAIRS)
def test_differences_that_need_such_texts_and_maps(case: str) -> None:
    left, right = PAIRS[case]
    with Harnesses(Bubblewrap()) as harnesses:
        found = compare_behaviour(
            Code(left, "python"), Code(right, "python"), harnesses, budget=SearchBudget(runs=300, seconds=60)
        )
    assert found.verdict is BehaviourVerdict.DIFFERENT
