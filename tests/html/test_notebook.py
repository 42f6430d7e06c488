"""Views of objects in a notebook: small, self-contained, escaped."""

from __future__ import annotations

import re

from clonetruth.html import Column, Figure, Side, notebook
from clonetruth.html.plots import Labels, PlottedEstimate, interval_plot
from clonetruth.html.templating import palette
from tests.report.sample import HOSTILE, LOOP, NEAR_MISS
from tests.report.wellformed import read

COLUMNS = (Column("rule", "code"), Column("share", "percent", 0))


def test_a_view_is_well_formed_and_escaped() -> None:
    html = notebook.view(
        "<Audit>",
        notebook.facts({"<rules>": 3}),
        notebook.table(COLUMNS, [("CT101", 0.25), ("<CT>", None)], "a & b"),
        notebook.table((Column("severity"),), [(notebook.badge("<error>", "bad"),)]),
        notebook.code(HOSTILE, "java"),
        notebook.code_pair(Side(LOOP, "<left>", "java"), Side(NEAR_MISS, "right", "java")),
        "a <note>",
        subtitle="<name>",
    )
    assert read(html).problems == []
    assert "<script" not in html
    for escaped in ("<b>&lt;Audit&gt;</b><span>&lt;name&gt;</span>", "<dt>&lt;rules&gt;</dt><dd>3</dd>"):
        assert escaped in html
    assert '<th scope="row"><code>CT101</code></th><td class="number">25\u202f%</td>' in html
    assert '<td class="number">–</td>' in html
    assert '<span class="nb-badge bad">&lt;error&gt;</span>' in html
    assert '<p class="nb-note">a &lt;note&gt;</p>' in html


def test_a_long_table_shows_its_beginning_and_says_so() -> None:
    html = notebook.table((Column("n", "count"),), [(n,) for n in range(30)], limit=4)
    assert html.count("<tr>") == 5
    assert "… and 26 more rows." in html
    assert "No rows." in notebook.table((Column("n"),), [])


def test_long_code_shows_its_beginning_and_says_so() -> None:
    html = notebook.code("".join(f"line{n}();\n" for n in range(100)), "java")
    assert "line39" in html
    assert "line40" not in html
    assert "first 40 of 100 lines" in html
    side = Side("x();\n" * 50, "a", "java", "note")
    assert "<span>note · first 40 of 50 lines</span>" in notebook.code_pair(side, side)


def test_the_style_holds_only_what_the_view_needs() -> None:
    small = notebook.view("Split", notebook.table(COLUMNS, []))
    assert ".diff mark" not in small
    assert ".plot" not in small
    plot = interval_plot([PlottedEstimate("f1", 0.5, 0.4, 0.6)], Labels("F1"))
    with_plot = notebook.view("Result", Figure(plot, "F1 with its interval"))
    assert read(with_plot).problems == []
    assert ".plot .axis" in with_plot
    assert ".diff mark" not in with_plot
    assert len(small) < 5_000


def test_every_colour_of_a_view_is_defined_for_light_and_dark() -> None:
    html = notebook.view("Clone class", notebook.code_pair(Side(LOOP, "a", "java"), Side(NEAR_MISS, "b", "java")))
    style = html.partition("</style>")[0]
    light, _, dark = style.partition("[data-jp-theme-light=false]")
    for name in set(re.findall(r"var\(--([\w-]+)\)", style)) - {"sans", "mono"}:
        assert f"--{name}:{palette('light')[name]};" in light
        assert f"--{name}:{palette('dark')[name]};" in dark
