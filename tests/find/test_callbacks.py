"""In JavaScript and TypeScript, code in functions without a name is searched, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.find import find_clones
from clonetruth.find.functions import MODULE_BYTES
from tests.cli.running import run
from tests.find.clone_trees import plant

SETTLE = """(orders, ledger, limit) {
  const accepted = [];
  for (const order of orders) {
    if (order.amount > limit && ledger.has(order.customer)) {
      ledger.set(order.customer, ledger.get(order.customer) - order.amount);
      accepted.push([order.number, order.amount * 2]);
    }
  }
  console.log("accepted", accepted.length, "orders of", orders.length);
  return accepted;
}"""
BIG = "  report(first, second, [1, 2, 3].map(third), fourth(fifth), sixth.seventh(eighth, ninth));\n" * 3
NAMED = f"function settle{SETTLE}\n"
PLACES = {
    "wrapper of a module": f"(function () {{\n{NAMED}}})();\n",
    "universal module": f"define(['a'], (a) => {{\n{NAMED}return settle;\n}});\n",
    "nested wrappers": f"describe('a', () => {{\n  describe('b', () => {{\n{NAMED}  }});\n}});\n",
    "default export": f"export default function {SETTLE}\n",
    "async callback": f"register('x', async function {SETTLE});\n",
    "arrow": f"register({SETTLE.replace(') {', ') => {', 1)});\n",
}


@pytest.mark.parametrize("extension", ["js", "ts"])
@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES)
def test_a_copy_without_a_name_is_found(text: str, extension: str, tmp_path: Path) -> None:
    plant(tmp_path, {f"a.{extension}": NAMED, f"b.{extension}": text, f"c.{extension}": f"\n\n{text}"})
    members = {Path(one.path).stem for found in find_clones([tmp_path], index=False).classes for one in found.members}
    assert members == {"a", "b", "c"}
    assert run("find", ".", "--fail-on", "T1", "--no-index", cwd=tmp_path).code == 1


def test_a_function_is_no_clone_of_what_is_inside_of_it(tmp_path: Path) -> None:
    plant(tmp_path, {"a.js": f"run(() => {{ return run(function {SETTLE}); }});\n"})
    assert not find_clones([tmp_path], index=False).classes


def test_what_is_inside_of_clones_is_not_repeated(tmp_path: Path) -> None:
    outer = f"run((first) => {{\n{BIG}  run(function {SETTLE});\n}});\n"
    plant(tmp_path, {"a.js": outer, "b.js": outer})
    (only,) = find_clones([tmp_path], index=False).classes
    assert {(one.first_line, one.last_line) for one in only.members} == {(1, outer.count("\n"))}

    plant(tmp_path, {"c.js": NAMED})
    report = find_clones([tmp_path], index=False)
    assert sorted(len(one.members) for one in report.classes) == [2, 3], "the third copy of the part is a class"


def test_an_exact_part_of_an_edited_copy_is_a_class(tmp_path: Path) -> None:
    """Otherwise the edit around it would hide it from a gate."""
    outer = f"run((first) => {{\n{BIG}  run(function {SETTLE});\n}});\n"
    plant(tmp_path, {"a.js": outer, "b.js": outer.replace("run((first) => {\n", "run((first) => {\n  begin(first);\n")})
    report = find_clones([tmp_path], index=False)
    assert sorted(one.strongest for one in report.classes) == ["T1", "T3"]


@pytest.mark.parametrize("line", [1, 3])
def test_a_comment_inside_of_it_does_not_hide_a_callback(line: int, tmp_path: Path) -> None:
    lines = f"register(function {SETTLE});\n".split("\n")
    lines[line - 1] += "  // clonetruth: ignore"
    plant(tmp_path, {"a.js": "\n".join(lines), "b.js": NAMED})
    assert len(find_clones([tmp_path], index=False).classes) == (line != 1)


def test_a_comment_in_the_body_of_a_destructor_does_not_hide_it(tmp_path: Path) -> None:
    """Names such as `~A` do not begin with a letter."""
    body = "{\n  for (int i = 0; i < count; i++) {\n    release(rows[i], i + count);  // clonetruth: ignore\n  }\n"
    body += "  log(rows, count, name, 1, 2, 3);\n  free(rows);\n  free(name);\n  rows = other(rows, count);\n}\n"
    plant(tmp_path, {"a.cc": f"A::~A() {body}", "b.cc": f"B::~B() {body}"})
    assert len(find_clones([tmp_path], index=False).classes) == 1


@pytest.mark.parametrize("doubt", ["", "@decorated class A {}\n"], ids=["by tokens", "by trees"])
def test_a_long_callback_with_little_inside_is_compared(doubt: str, tmp_path: Path) -> None:
    """Otherwise its copies would pass every gate."""
    lines = "".join(f"  total += weigh({at}, first[{at}], second.value{at});\n" for at in range(500))
    text = f"{doubt}register((first, second) => {{\n{lines}  run(function {SETTLE});\n}});\n"
    assert len(text) > MODULE_BYTES
    plant(tmp_path, {"a.js": text, "b.js": f"\n{text}"})
    (only,) = find_clones([tmp_path], index=False).classes
    assert only.strongest == "T1"
    assert {one.last_line - one.first_line for one in only.members} == {text.count("\n") - 1 - bool(doubt)}


@pytest.mark.parametrize("doubt", ["", "@decorated class A {}\n"], ids=["by tokens", "by trees"])
def test_of_the_wrapper_of_a_long_module_the_inside_is_compared(doubt: str, tmp_path: Path) -> None:
    long = "".join(SETTLE.replace("(orders", f"function settle{at}(orders{at}", 1) + "\n" for at in range(60))
    module = f"{doubt}(function () {{\n{long}}})();\n"
    assert len(module) > MODULE_BYTES
    plant(tmp_path, {"a.js": module, "b.js": f"\n{module}"})
    names = {one.name for found in find_clones([tmp_path], index=False).classes for one in found.members}
    assert names == {f"settle{at}" for at in range(60)}
