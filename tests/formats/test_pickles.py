"""Pickled tables are read, and nothing in them is run."""

from __future__ import annotations

import contextlib
import os
import pickle
import pickletools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.formats.pickles import read_columns, read_pickle
from tests.sources.bcb_fixtures import frame_pickle


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_a_table_that_an_old_pandas_pickled(tmp_path: Path) -> None:
    columns = {"id1": [3, 1], "id2": [5, 70000], "label": [0, 1]}
    file = written(tmp_path / "pairs.pkl", frame_pickle(columns))
    assert read_columns(file) == columns
    assert [(row.line, row.values["id2"]) for row in read_pickle(file)] == [(1, 5), (2, 70000)]


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_a_dict_of_lists_and_arrays(tmp_path: Path, protocol: int) -> None:
    table = {"a": [1, 2, 3], "b": np.array([1.5, 2.5, 3.5]), "c": np.array(["x", None, "z"], dtype=object)}
    file = written(tmp_path / "table.pkl", pickle.dumps(table, protocol=protocol))
    assert read_columns(file) == {"a": [1, 2, 3], "b": [1.5, 2.5, 3.5], "c": ["x", None, "z"]}


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_a_table_that_the_installed_pandas_pickled(tmp_path: Path, protocol: int) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"n": [1, 2], "x": [0.5, 1.5], "t": pandas.Series(["a", "b"], dtype=object)})
    frame.columns = frame.columns.astype(object)
    file = written(tmp_path / "frame.pkl", pickle.dumps(frame, protocol=protocol))
    assert read_columns(file) == {"n": [1, 2], "x": [0.5, 1.5], "t": ["a", "b"]}


class Hostile:
    """Calls a function when it is unpickled by an ordinary reader."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.call = (function, arguments)

    def __reduce__(self) -> Any:
        return self.call


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("inside", [False, True], ids=["bare", "in a table"])
def test_a_malicious_pickle_runs_nothing(tmp_path: Path, protocol: int, inside: bool) -> None:
    mark = tmp_path / "ran"
    for hostile in (
        Hostile(os.system, f"touch {mark}"),
        Hostile(os.mkdir, str(mark)),
        Hostile(eval, f"open({str(mark)!r}, 'w')"),
        Hostile(exec, f"open({str(mark)!r}, 'w')"),
        Hostile(getattr, os, "system"),
    ):
        try:
            data = pickle.dumps({"a": [hostile]} if inside else hostile, protocol=protocol)
        except (TypeError, pickle.PicklingError):
            continue  # modules cannot be pickled at all
        with pytest.raises(InputError) as caught:
            read_columns(written(tmp_path / "evil.pkl", data))
        assert "names '" in str(caught.value)
        assert not mark.exists()


def assembled(*parts: bytes) -> bytes:
    return b"\x80\x04" + b"".join(parts) + b"."


@pytest.mark.parametrize(
    "data",
    [
        # names below those that are known
        assembled(b"cpandas.core.frame\nDataFrame.__init__\n"),
        assembled(b"\x8c\x06pandas\x8c\x1aDataFrame.__class__.__new__\x93"),
        assembled(b"cnumpy\nload\n(\x8c\x05x.npyt", b"R"),
        assembled(b"cpandas.io.common\nos\n"),
        assembled(b"cpandas\nread_pickle\n(\x8c\x05x.pklt", b"R"),
        # state set on a class, so that later tables would be read otherwise
        assembled(b"cpandas.core.frame\nDataFrame\nN}\x8c\x0c__setstate__Ns\x86b"),
        # a memo entry with an absurd number
        assembled(b"]r\xff\xff\xff\x7f0N"),
        # a text that announces more than the file holds
        b"\x80\x04\x8d" + (2**62).to_bytes(8, "little") + b"abc.",
        b"\x80\x04B" + (2**31).to_bytes(4, "little") + b"abc.",
    ],
)
def test_hand_made_attacks_are_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(InputError):
        read_columns(written(tmp_path / "evil.pkl", data))
    columns = {"a": [1], "b": [2]}
    assert read_columns(written(tmp_path / "good.pkl", frame_pickle(columns))) == columns


@pytest.mark.parametrize("data", [b"", b"\x80", b"not a pickle", b"\x80\x04N.", b"\x80\x04]." + b"x" * 10, b"\0" * 100])
def test_pickles_that_are_not_tables_are_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(InputError):
        read_columns(written(tmp_path / "x.pkl", data))


def test_columns_of_different_length_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="different length"):
        read_columns(written(tmp_path / "x.pkl", pickle.dumps({"a": [1], "b": [1, 2]})))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_pickles_raise_input_errors(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    good = bytearray(frame_pickle({"id1": [1, 2], "id2": [3, 4], "label": [0, 1]}))
    for _ in range(data.draw(st.integers(1, 4))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    file = written(tmp_path_factory.getbasetemp() / "damaged.pkl", bytes(good))
    with contextlib.suppress(InputError):
        read_columns(file)


def test_the_fixture_is_a_pickle() -> None:
    names = {arg for opcode, arg, _ in pickletools.genops(frame_pickle({"a": [1]})) if opcode.name == "GLOBAL"}
    assert "pandas.core.frame DataFrame" in names


def test_the_real_pickle(shared_data: Path) -> None:
    import pyarrow.parquet as pq

    folder = shared_data / "bigclonebench"
    assert read_columns(folder / "bcb_pair_ids.pkl") == pq.read_table(folder / "bcb_pair_ids.parquet").to_pydict()
