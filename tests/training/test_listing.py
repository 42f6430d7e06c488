"""The list of all detectors."""

from __future__ import annotations

from pathlib import Path

import pytest

import clonetruth
from clonetruth.detectors import DETECTORS, FAMILIES, FINDERS
from clonetruth.tools import EXTERNAL_TOOLS
from clonetruth.training import LEARNERS


def test_every_detector_learner_and_tool_is_listed_once() -> None:
    listed = clonetruth.list_detectors()
    by_kind = {
        kind: [one.name for one in listed if one.kind == kind] for kind in dict.fromkeys(one.kind for one in listed)
    }
    targets = [f"{name}:{one.target}" for name, one in FAMILIES.items()]
    assert by_kind == {"detector": [*DETECTORS, *targets], "learner": list(LEARNERS), "tool": list(EXTERNAL_TOOLS)}
    assert {one.name for one in listed if one.finds} == {*FINDERS, *EXTERNAL_TOOLS}


def test_a_tool_is_listed_with_its_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "jplag.jar").write_bytes(b"")
    monkeypatch.setenv("CLONETRUTH_JPLAG", str(tmp_path / "jplag.jar"))
    monkeypatch.setenv("CLONETRUTH_PMD", str(tmp_path / "nowhere"))
    programs = {one.name: one.program for one in clonetruth.list_detectors()}
    assert programs["jplag"] == str(tmp_path / "jplag.jar")
    assert "CLONETRUTH_PMD is not the path of a program" in str(programs["pmd"])
    assert programs["dolos"] is None
    assert programs["exact"] is None
