"""The page of an audit."""

from __future__ import annotations

from pathlib import Path

from clonetruth.audit import Purpose, audit_benchmark, example_texts, fitness
from clonetruth.html import render
from clonetruth.report.audit import audit_page
from tests.audit.cases import CASES
from tests.audit.drafts import Draft, clean
from tests.report.wellformed import read


def _page(draft: Draft, folder: Path, purpose: Purpose | None = None) -> str:
    report = audit_benchmark(draft.create(folder))
    return render(audit_page(report, fitness(report, purpose) if purpose else None, example_texts(report)))


def test_a_page_shows_findings_with_evidence(tmp_path: Path) -> None:
    html = _page(CASES["CT301"].draft(), tmp_path / "one", Purpose.SEMANTIC_LEARNING)
    read(html)
    for words in ("CT105", "side by side", "Why it matters", "Fit for semantic-learning?", "needs a division into"):
        assert words in html


def test_a_page_without_findings_says_so(tmp_path: Path) -> None:
    html = _page(clean(), tmp_path / "clean")
    read(html)
    assert "Nothing was found" in html or "notes" in html


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    draft = Draft(card={"name": evil, "known_flaws": (evil,), "licence": evil})
    draft.fragment(evil, f"int f() {{ return '{evil}'; }}").fragment("b").member(evil, evil).member("b", evil)
    draft.pair(evil, "b", "not-clone").pair(evil, evil, "clone")
    html = _page(draft, tmp_path / "evil", Purpose.PRECISION)
    read(html)
    assert evil not in html


def test_every_rule_can_be_shown(tmp_path: Path) -> None:
    """Tables and plots of every kind of evidence."""
    for number, code in enumerate(("CT208", "CT209", "CT303", "CT507", "CT601", "CT703")):
        html = _page(CASES[code].draft(), tmp_path / str(number))
        read(html)
        assert code in html or code == "CT209"
