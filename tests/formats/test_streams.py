"""Files in blocks of whole lines: nothing is lost, and every block knows its first line."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.budgets import VARIABLE
from clonetruth.errors import InputError
from clonetruth.formats import streams
from clonetruth.formats.streams import read_line_blocks

BOM = b"\xef\xbb\xbf"


@given(st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\r\n"])).map(b"".join), st.integers(1, 9), st.booleans())
def test_blocks_are_the_file_split_at_lines(content: bytes, size: int, marked: bool) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "BLOCK_BYTES", size)
        path = Path(folder, "rows")
        path.write_bytes(BOM * marked + content)
        blocks = list(read_line_blocks(path))
    assert b"".join(block for _, block in blocks) == content
    assert all(block.endswith(b"\n") for _, block in blocks[:-1])
    done = 0
    for line, block in blocks:
        assert block
        assert line == 1 + content.count(b"\n", 0, done)
        done += len(block)


def test_an_overlong_line_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "BLOCK_BYTES", 10)
    monkeypatch.setenv(VARIABLE, "line=30")
    path = tmp_path / "rows"
    path.write_bytes(b"short\n" + b"x" * 100)
    with pytest.raises(InputError, match="The line exceeds the budget 'line' of 30 bytes") as caught:
        list(read_line_blocks(path))
    assert caught.value.where == f"{path}:2"
