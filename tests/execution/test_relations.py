"""Arguments that have to do with each other: each kind of relation occurs among the inputs of one search."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from clonetruth.execution.harness import EntryParameter
from clonetruth.execution.harness.java.classes import InferredClass
from clonetruth.execution.harness.java.types import JavaDeclarations, with_null
from clonetruth.execution.harness.java.variables import guess_variable
from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.generation import generate
from clonetruth.execution.inputs.given import plain_of
from clonetruth.execution.inputs.neighbours import neighbours
from clonetruth.execution.inputs.profiles import Slot, align_parameters, shared_slots
from clonetruth.execution.inputs.types import parse_type
from clonetruth.execution.values import Value

RUNS = 150
"""Three quarters of what a search tries by default."""


def drawn(
    types: Sequence[str], text: str = "", names: Mapping[int, str] | None = None, seed: int = 0
) -> list[list[Any]]:
    kinds = [parse_type(one) for one in types]
    made = itertools.islice(generate(kinds, Constants((text,)), seed, names=names), RUNS)
    return [[plain_of(one) for one in values] for values in made]


@pytest.mark.parametrize(
    ("types", "tells"),
    [
        pytest.param(["int32"] * 3, lambda a, b, c: a > 0 and a == b and a + b == c, id="twice a number"),
        pytest.param(["int32"] * 3, lambda a, b, c: min(a, b, c) > 0 and a + b + 1 == c, id="more than a sum"),
        pytest.param(["list[int64]", "int64", "int32"], lambda a, one, at: at == 0 and a[:1] == [one], id="first"),
        pytest.param(
            ["list[float64]", "float64", "int32"], lambda a, one, at: one in a[at + 1 :] and at >= 0, id="later"
        ),
        pytest.param(
            ["list[int8]", "int32", "int32"], lambda a, i, j: i == 1 and 1 < j == len(a), id="without the first"
        ),
        pytest.param(["str", "int32", "int32"], lambda a, i, j: i == 1 and 1 < j == len(a), id="part of a text"),
        pytest.param(
            ["list[int]", "map[str, int]", "list[str]"],
            lambda _, named, keys: any(keys.count(one) > 1 for one in named),
            id="a key of a map more than once",
        ),
        pytest.param(["list[int32]"], lambda a: a and sum(a) % len(a) * 2 == len(a) and sum(a) < 0, id="halfway"),
        pytest.param(
            ["list[int32]"], lambda a: any(x == y > 127 for x, y in itertools.pairwise(a)), id="equal and large"
        ),
        pytest.param(
            ["int32", "list[int32]", "list[int32]"],
            lambda n, a, b: n > 2 < len(a) and all(0 <= one < n for one in a + b),
            id="edges of a graph by their ends",
        ),
        pytest.param(
            ["list[tuple[int32, int32]]", "int32"],
            lambda edges, n: n > 2 < len(edges) and all(0 <= one < n for edge in edges for one in edge),
            id="edges of a graph",
        ),
        pytest.param(["list[uint32]"], lambda a: len(a) > 1 and sum(a) >= 1 << 32, id="too large a sum"),
    ],
)
def test_most_searches_have_inputs_of_each_relation(types: list[str], tells: Callable[..., bool]) -> None:
    having = [any(tells(*one) for one in drawn(types, seed=seed)) for seed in range(10)]
    assert sum(having) >= 8, having


def test_constants_of_the_file_around_are_mostly_different() -> None:
    types, names = ["int32"] * 4 + ["str", "str"], {2: "INVALID", 3: "SCALENE", 4: "FIRST", 5: "SECOND"}
    made = drawn(types, "return a + b > 3 ? INVALID : SCALENE", names)
    different = [one for one in made if one[2] != one[3] and one[4] != one[5]]
    assert len(different) > RUNS * 0.7
    # Not always, because what is equal may matter, too.
    assert len({one[2] for one in made}) > 5
    assert len({(one[0], one[1]) for one in made}) > RUNS * 0.6


def test_what_decides_about_missing_functions_is_no_index() -> None:
    """Otherwise the ends of a list would often be two numbers of which one is not an argument."""
    ends = [(a, i, j) for a, i, j, _ in drawn(["list[int32]", "int32", "int32", "int16"], names={3: "any swap: void"})]
    assert sum((i, j) == (0, len(a) - 1) for a, i, j in ends) >= 5


def test_code_points_beyond_16_bits_are_tried_where_code_asks_for_them() -> None:
    def beyond(text: str) -> int:
        return sum(any(ord(one) > 0xFFFF for one in values[0]) for values in drawn(["str"], text))

    assert beyond("i += Character.charCount(text.codePointAt(i))") >= 5
    assert beyond("Array.from(text).slice(0, most)") >= 2
    assert beyond("return text.length()") == 0


def test_two_days_are_often_the_same_of_two_years() -> None:
    kinds = [parse_type("date")] * 2
    made: list[list[Any]] = [list(one) for one in itertools.islice(generate(kinds, Constants(("",)), 0), RUNS)]
    days = [(one["date"], other["date"]) for one, other in made]
    assert sum(one[:4] != other[:4] and one[4:] == other[4:] for one, other in days) >= 5
    assert sum(one == other for one, other in days) >= 3


def test_letters_with_marks_are_tried_where_code_takes_them_apart() -> None:
    made = drawn(["str"], 'unicodedata.normalize("NFKD", title)')
    assert sum(any(ord(one) > 0xBF for one in text[:-1]) for (text,) in made) >= 5


def test_parameters_that_can_be_left_out_meet_by_similar_names() -> None:
    left = [EntryParameter(one) for one in ("b", "true_func", "falseFunc")]
    right = [EntryParameter(one, optional=one != "test") for one in ("test", "name", "ontrue", "onfalse")]
    assert align_parameters(left, right) == ((0, 1, 2), (0, 2, 3))
    assert align_parameters(right, left) == ((0, 2, 3), (0, 1, 2))
    # Without one, the first ones.
    other = [EntryParameter(one, optional=one != "test") for one in ("test", "name", "x", "y")]
    assert align_parameters(left, other) == ((0, 1, 2), (0, 1, 2))


def test_a_parameter_whose_namesake_has_no_place_is_not_given_something_else() -> None:
    needed = [EntryParameter(one) for one in ("die", "times")]
    left, right = [*needed, EntryParameter("shows", optional=True)], [needed[0], EntryParameter("shows", optional=True)]
    assert align_parameters(left, right) is align_parameters(right, left) is None
    assert align_parameters(left[1:], right) == ((0, 1), (0, 1))


class TestJava:
    def test_an_object_of_any_class_may_be_missing(self) -> None:
        types = JavaDeclarations([]).types("java.lang.Object[]", {})
        made = drawn([str(types[0])])
        assert any(None in values[0] and len(values[0]) > 1 for values in made)
        assert sum(None in values[0] for values in made) < RUNS / 2

    def test_null_is_tried_only_where_the_code_mentions_it(self) -> None:
        given = EntryParameter("a", JavaDeclarations([]).types("java.lang.Object[]", {}))
        assert [str(one) for one in with_null(given, "return a.length;").types] == ["list[int32]", "list[str]"]
        assert [str(one) for one in with_null(given, "return b == null;").types] == ["list[int32?]", "list[str?]"]
        assert [one.optional for one in with_null(given, "return a == null;").types] == [True, True]
        node = parse_type("Node{val: int, next: Node?}?")
        assert with_null(EntryParameter("n", (node,)), "return n.val;").types == (node,)

    def test_a_class_that_is_made_keeps_all_arguments_of_its_constructor(self) -> None:
        made = InferredClass("Vector")
        for given in ("int,double,double", "double,int,double"):
            made.add_constructor(given)
        assert made.constructors == [("double", "double", "double")]
        assert made.text("").count("this.") == 3

    def test_constructors_of_which_one_takes_what_the_other_does_stay_two(self) -> None:
        made = InferredClass("Point")
        made.add_constructor("int,int")
        made.add_constructor("double,double")
        assert made.constructors == [("int", "int"), ("double", "double")]
        assert made.text("").count("this.") == 4

    @pytest.mark.parametrize(
        "body", ["char c = s.charAt(0); return all.indexOf(c) >= 0;", "return all.indexOf('x') > 0;"]
    )
    def test_what_is_asked_for_the_place_of_a_character_is_a_text(self, body: str) -> None:
        assert guess_variable("all", body) == "String"

    def test_what_is_asked_for_the_place_of_a_number_is_a_list(self) -> None:
        assert guess_variable("all", "int n = 3; return all.indexOf(n) >= 0;") == "List<Integer>"

    @pytest.mark.parametrize(
        ("body", "kind"),
        [
            ("double d = x * x; while (Math.abs(d) > limit) d /= 2;", "double"),
            ("return limit * 0.5;", "double"),
            ("double sum = 0; sum += data[limit]; return sum / limit;", "int"),
            ("int n = 3; return n + limit;", "int"),
        ],
    )
    def test_what_meets_a_fraction_has_one(self, body: str, kind: str) -> None:
        assert guess_variable("limit", body) == kind


def test_objects_of_which_each_side_reads_a_field_of_its_own_are_not_the_same() -> None:
    def this(*fields: str, implicit: bool = True) -> list[EntryParameter]:
        kind = parse_type(f"Receiver{{{', '.join(f'{one}: int' for one in fields)}}}")
        return [EntryParameter("self", (kind,), implicit=implicit)]

    for implicit in (True, False):
        strange = this("total", "numbers", implicit=implicit)
        assert shared_slots(this("total", "number", implicit=implicit), strange) == "self.number"
    for fields in (("total",), ("total", "number"), ()):
        assert shared_slots(this("total", "number"), this(*fields)) == [Slot(0, 0)]
        assert shared_slots(this(*fields), this("total", "number")) == [Slot(0, 0)]


def test_texts_overlap_themselves() -> None:
    made = drawn(["str", "str"])
    assert (
        sum(len(part) > 1 and part in whole[whole.find(part) + 1 :][: 2 * len(part) - 2] for whole, part in made) >= 3
    )


def first_values(kind: str, source: str) -> list[Value]:
    """The first 200 arguments of code with one parameter."""
    made = generate([parse_type(kind)], Constants((source,)), 0)
    return [one for (one,) in itertools.islice(made, 200)]


@pytest.mark.parametrize("written", ["10_000", "0x2710", "1e4", "10000L", "10_000n", "10000u", "0b10011100010000"])
def test_numbers_are_read_as_languages_write_them(written: str) -> None:
    constants = Constants((f"return x > {written} ? f2({written}) : a.b1",))
    assert constants.written == (10_000,)
    assert {9_999, 10_001} <= set(constants.integers)


def test_numbers_between_limits_of_the_code_are_tried() -> None:
    made = first_values("int", "if x < 20_000: return 1\nif x < 50_000: return 2")
    assert sum(isinstance(one, dict) and 20_001 < int(one["int"]) < 49_999 for one in made) >= 5


def test_objects_often_share_a_value() -> None:
    kind = parse_type("Range{start: date, end: date}")
    made = itertools.islice(generate([kind, kind], Constants(("",)), 0), 200)
    pairs = [[{str(day) for _, day in one["object"][1]} for one in each if isinstance(one, dict)] for each in made]
    assert sum(bool(set.intersection(*each)) for each in pairs) > 15


def test_texts_have_the_length_that_code_asks_for() -> None:
    for source in ("if len(code) != 12:", "if (code.length() == 12)", "if (12 !== code.length)"):
        made = first_values("str", source)
        assert sum(isinstance(one, str) and len(one) == 12 and one.isdecimal() for one in made) > 20


def test_characters_of_ranges_are_tried() -> None:
    made = first_values("char", "if (c >= 'a' && c <= 'f' || c >= '0' && c <= '9') return 1")
    letters = {str(one["char"]) for one in made if isinstance(one, dict)}
    assert len(letters & set("bcde12345678")) >= 6
    assert letters & set("`g/:")


def test_numbers_in_texts_have_neighbours() -> None:
    near = [one for (one,) in neighbours(("12:09",), Constants(("",)))]
    assert {"13:09", "12:10"} <= set(near)


def test_lists_are_long_where_equal_elements_may_lose_their_order() -> None:
    def longest(*sources: str) -> int:
        made = itertools.islice(generate([parse_type("list[str]")], Constants(sources), 0), RUNS)
        return max(len(plain_of(one)) for (one,) in made)

    assert longest("std::stable_sort(a, b);", "std::sort(a, b);") > 16
    assert longest("xs.OrderBy(x => x.Age)", "xs.Sort(compare)") > 16
    assert longest("std::sort(a, b);", "std::sort(c, d);") <= 10
