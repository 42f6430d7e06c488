"""A real external tool: jscpd 5."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from clonetruth.tools import ToolOptions, external_pairs, external_tool
from tests.conftest import ROOT

SUM = """\
    int {name}(int[] values, int limit) {{
        int total = 0;
        for (int value : values) {{
            if (value > limit) {{
                total += value * 2;
            }} else {{
                total -= value;
            }}
        }}
        System.out.println("total " + total);
        return total;
    }}
"""


@pytest.fixture
def jscpd(monkeypatch: pytest.MonkeyPatch) -> None:
    """jscpd on the search path; the test is skipped where it is not installed."""
    monkeypatch.setenv("PATH", f"{ROOT / 'node_modules' / '.bin'}{os.pathsep}{os.environ['PATH']}")
    if external_tool("jscpd").program() is None:
        pytest.skip("jscpd is not installed (npm install jscpd@5)")


@pytest.fixture
def files(tmp_path: Path) -> Mapping[str, Path]:
    renamed = SUM.replace("total", "result").replace("value", "number")
    texts = {
        "a/One.java": f"class One {{\n{SUM.format(name='sum')}}}\n",
        "b/Two, or so.java": f"\n\nclass Two {{\n{SUM.format(name='sum')}}}\n",
        "b/Renamed.java": f"class Renamed {{\n{renamed.format(name='add')}}}\n",
        "c/big.py": "x = 1\n" * 200_000,  # by default, jscpd skips files above 1 MB
    }
    for name, text in texts.items():
        (tmp_path / name.replace("/", "_")).write_text(text)
    return {name: tmp_path / name.replace("/", "_") for name in texts}


@pytest.mark.usefixtures("jscpd")
def test_jscpd_finds_equal_blocks(files: Mapping[str, Path]) -> None:
    java = {name: path for name, path in files.items() if name.endswith(".java")}
    (found,) = external_pairs(java, external_tool("jscpd"), ToolOptions(min_tokens=30)).to_pylist()
    assert (found["left_path"], found["right_path"]) == ("a/One.java", "b/Two, or so.java")
    assert found["left_last_line"] - found["left_first_line"] >= 11
    assert found["right_first_line"] == found["left_first_line"] + 2
    assert external_pairs(java, external_tool("jscpd"), ToolOptions(min_tokens=300)).num_rows == 0


@pytest.mark.usefixtures("jscpd")
def test_jscpd_finds_renamed_blocks_on_request(files: Mapping[str, Path]) -> None:
    found = external_pairs(files, external_tool("jscpd:renaming=blind"), ToolOptions(min_tokens=30, max_files=2))
    met = {frozenset((row["left_path"], row["right_path"])) for row in found.to_pylist()}
    java = [name for name in files if name.endswith(".java")]
    assert {frozenset((a, b)) for a in java for b in java if a != b} <= met


@pytest.mark.usefixtures("jscpd")
def test_large_files_are_not_skipped(files: Mapping[str, Path]) -> None:
    twice = {"big.py": files["c/big.py"], "again.py": files["c/big.py"]}
    found = external_pairs(twice, external_tool("jscpd")).to_pylist()
    assert {"again.py", "big.py"} in [{row["left_path"], row["right_path"]} for row in found]
