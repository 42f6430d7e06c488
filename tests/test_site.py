"""The documentation site builds without a warning, and its pages load nothing from other hosts."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

LOADED = re.compile(r"""<(?:link|script|img|iframe|source)\b[^>]*\b(?:src|href)=["'](?:https?:)?//""")


@pytest.mark.slow
def test_the_site_builds_offline_and_loads_nothing_from_other_hosts(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="Sphinx (the extra 'docs') is not installed")
    command = ["-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", str(tmp_path / "trees")]
    run = subprocess.run(
        [sys.executable, *command, str(ROOT / "docs"), str(tmp_path / "html")],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    pages = sorted((tmp_path / "html").rglob("*.html"))
    assert (tmp_path / "html" / "index.html") in pages
    loading = {page.name: found for page in pages if (found := LOADED.findall(page.read_text(encoding="utf-8")))}
    assert loading == {}
