"""Clone reports of every schema version stay readable, and the keys in them stay those of the same code."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.find import find_clones, read_report
from clonetruth.find.report import VERSION
from tests.find.clone_trees import FAMILY, plant

HERE = Path(__file__).parent
RECORDED = [HERE / f"clone-report-v{version}.json" for version in range(1, VERSION + 1)]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_it_is_still_a_baseline(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(plant(tmp_path, FAMILY))
    recorded, current = read_report(path), find_clones([Path()])
    assert [found.key for found in recorded.classes] == [found.key for found in current.classes]
    assert [[member.key for member in found.members] for found in recorded.classes] == [
        [member.key for member in found.members] for found in current.classes
    ]
    assert find_clones([Path()], baseline=path).classes_found == 0
