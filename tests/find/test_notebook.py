"""What clones look like in a notebook."""

from __future__ import annotations

from dataclasses import replace

from tests.report.clone_sample import CLASSES, REPORT
from tests.report.wellformed import read


def test_a_clone_class_shows_its_copies_side_by_side() -> None:
    one = CLASSES[0]
    assert repr(one) == "<CloneClass T3: 3 copies of app/core/Sum.java:10-14 (Sum.sum)>"
    html = one._repr_html_()
    assert read(html).problems == []
    assert "<code>More.&lt;b&gt;sum&lt;/b&gt;</code>" in html
    assert "<code>app/core/More.java:90-95</code>" in html
    assert html.count('<table class="diff"') == 1
    assert "<dt>tokens to save</dt><dd>60</dd>" in html


def test_a_clone_report_lists_its_classes() -> None:
    assert repr(REPORT) == "<CloneReport: 2 clone classes (1 T1, 0 T2, 1 T3), 17 copied lines of 1,000>"
    html = REPORT._repr_html_()
    assert read(html).problems == []
    assert "<dd>17 (1.7\u202f%)</dd>" in html
    assert "<code>lib/&lt;i&gt;/Sum.java:10-14</code>" in html


def test_a_report_without_clones_has_no_table() -> None:
    html = replace(REPORT, classes=(), classes_found=0, classes_by_type={}, copied_lines=0)._repr_html_()
    assert read(html).problems == []
    assert "<table" not in html
