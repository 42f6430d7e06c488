"""Files in blocks of whole lines: nothing is lost, and every block knows its first line."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.budgets import VARIABLE
from clonetruth.errors import InputError
from clonetruth.formats import streams
from clonetruth.formats.streams import read_line_blocks, read_lines
from clonetruth.formats.tables import read_cells

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


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(b"a,b\n", mtime=0), "compressed by gzip. Add the ending .gz"),
        (lzma.compress(b"a,b\n"), "compressed by xz"),
        (bz2.compress(b"a,b\n"), "compressed by bzip2"),
        ("a,b\n".encode("utf-16"), "in UTF-16. Save it in UTF-8"),
        (codecs.BOM_UTF16_BE + "a,b\n".encode("utf-16-be"), "in UTF-16"),
        (b"PK\x03\x04\n", "a zip archive or an office document"),
    ],
)
@pytest.mark.parametrize("read", [read_lines, read_line_blocks, read_cells])
def test_what_is_no_text_is_named(
    tmp_path: Path, read: Callable[[Path], Iterable[object]], content: bytes, message: str
) -> None:
    (tmp_path / "rows.csv").write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(read(tmp_path / "rows.csv"))
    assert message in str(caught.value)
