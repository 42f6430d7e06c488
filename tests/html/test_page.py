"""A page: self-contained, escaped, deterministic, written atomically."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.html import (
    Callout,
    Column,
    Figure,
    Page,
    Section,
    Table,
    callouts,
    details,
    key_facts,
    listing,
    paragraph,
    render,
    write,
)
from clonetruth.html.code_blocks import highlight
from clonetruth.html.plots import Labels, Series, bar_chart
from clonetruth.report import comparison_page, demo_page
from clonetruth.report.demo_view import DemoRate, DemoView, ThresholdOutcome
from tests.report.sample import HOSTILE, comparison_view, demo_view
from tests.report.wellformed import read

UNDEFINED = ThresholdOutcome(0.7, 0, 0, 0, 0, DemoRate(None), DemoRate(None), DemoRate(None), None)


def every_block() -> Page:
    table = Table((Column("a"),), [("x",)], "numbers")
    return Page(
        title="Title & <b>",
        subtitle="Sub",
        sections=[
            Section(
                "One & only",
                [
                    "plain <i>",
                    paragraph("p"),
                    callouts([Callout("1 %", "label", "note"), Callout("2", "l")]),
                    key_facts({"<name>": "<value>"}),
                    Figure(bar_chart(["a"], [Series("s", [1])], Labels("t")), "caption", table),
                    details("more", "inside", table, is_open=True),
                    listing(highlight(HOSTILE, "java"), "Title"),
                ],
            )
        ],
        manifest={"seed": "1"},
    )


@pytest.mark.parametrize(
    "page",
    [every_block(), demo_page(demo_view()), comparison_page(comparison_view())],
    ids=["blocks", "demo", "compare"],
)
def test_pages_are_well_formed_self_contained_and_always_the_same(page: Page) -> None:
    document = render(page)
    reader = read(document)
    assert reader.problems == []
    assert reader.headings[0] == 1
    assert reader.headings.count(1) == 1
    assert {"header", "main", "footer"} <= set(reader.tags)
    assert reader.tags.count("script") == reader.tags.count("style") == 1
    assert document == render(page)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', document)
    assert policy is not None
    assert "default-src &#39;none&#39;" in policy[1]
    for element in ("style", "script"):
        content = re.search(rf"<{element}>(.*?)</{element}>", document, re.DOTALL)
        assert content is not None
        digest = base64.b64encode(hashlib.sha256(content[1].encode()).digest()).decode()
        assert f"{element}-src &#39;sha256-{digest}&#39;" in policy[1]


def test_everything_is_escaped() -> None:
    document = render(every_block())
    assert "<title>Title &amp; &lt;b&gt;</title>" in document
    assert "<p>plain &lt;i&gt;</p>" in document
    assert "<dt>&lt;name&gt;</dt><dd>&lt;value&gt;</dd>" in document
    assert "<script>document" not in document


def test_anchors_come_from_titles_and_must_differ() -> None:
    assert Section("Does it? Yes!", []).id == "does-it-yes"
    assert Section("Τίτλος", []).id == "section"
    with pytest.raises(ValueError, match="share an anchor"):
        Page("t", "s", [Section("A", []), Section("B", [], anchor="a")])


def test_writing_replaces_the_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    target.write_text("old")
    assert write(every_block(), target) == target
    assert target.read_text(encoding="utf-8") == render(every_block())
    assert list(tmp_path.iterdir()) == [target]


def test_a_lone_surrogate_does_not_cost_the_page(tmp_path: Path) -> None:
    path = write(Page("t", "s", [Section("x", ["a \ud800 b"])]), tmp_path / "page.html")
    assert "a ? b" in path.read_text(encoding="utf-8")


def test_a_missing_folder_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        write(every_block(), tmp_path / "missing" / "page.html")
    with pytest.raises(InputError, match="is a folder"):
        write(every_block(), tmp_path)


def test_a_folder_without_permission_is_an_input_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)  # as root, the permission itself would not refuse
    with pytest.raises(InputError, match="Permission denied"):
        write(every_block(), tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_the_demo_shows_its_numbers() -> None:
    view = demo_view()
    text = " ".join(read(render(demo_page(view))).text)
    assert f"finds {view.simple.tp} of {view.simple.tp + view.simple.fn} clones" in text
    assert f"{view.simple.fp} of the {view.simple.tp + view.simple.fp} pairs" in text
    assert "hardly beats a coin toss" in text
    assert "30 pairs in different languages have no textual type." in text
    assert view.policy in text


@pytest.mark.parametrize(
    ("accuracy", "answer"),
    [(0.55, "No: "), (0.7, "Not reliably: "), (0.9, "Often: "), (None, "do not answer the question")],
)
def test_the_answer_follows_the_numbers(accuracy: float | None, answer: str) -> None:
    best = ThresholdOutcome(0.5, 1, 1, 1, 1, DemoRate(0.5), DemoRate(0.5), DemoRate(0.5), accuracy)
    view = DemoView("b", "d", "p", {}, [], [], [], UNDEFINED, best)
    assert answer in render(demo_page(view))


def test_the_demo_of_nothing_is_a_page_of_unknowns() -> None:
    document = render(demo_page(DemoView("b", "d", "p", {}, [], [], [], UNDEFINED)))
    reader = read(document)
    assert reader.problems == []
    assert document.count("no data") >= 3
    assert "not defined on these pairs" in document


def test_the_comparison_of_two_languages_has_no_type() -> None:
    from dataclasses import replace

    view = replace(comparison_view(), clone_type=None, similarity_line=None, similarity_token=None, cut_rule=None)
    document = render(comparison_page(view))
    assert "fragments in different languages have no textual clone type" in document
    assert "(identical)" in document
    assert "(different)" in document
