"""All report formats are recognised and read, compressed or not, and damaged files never crash the reader."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.formats.reports import REPORT_FORMATS, REPORTED, ReadingLog, recognise_report
from tests.formats.reports.samples import SAMPLES, Sample, read

samples = pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)


@samples
def test_every_sample_is_recognised_as_its_format_alone(sample: Sample, tmp_path: Path) -> None:
    assert recognise_report(sample.write(tmp_path)).name == sample.format


@samples
def test_every_sample_gives_its_pairs(sample: Sample, tmp_path: Path) -> None:
    rows, log = read(sample.format, sample.write(tmp_path), strict=True)
    assert tuple(rows) == sample.rows
    assert (log.pairs, log.skipped) == (len(sample.rows), 0)


@samples
def test_the_order_of_the_files_does_not_matter(sample: Sample, tmp_path: Path) -> None:
    paths = sample.write(tmp_path)[::-1]
    assert recognise_report(paths).name == sample.format
    assert tuple(read(sample.format, paths)[0]) == sample.rows


@samples
@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress), (".bz2", bz2.compress)])
def test_compressed_reports_read_the_same(sample: Sample, ending: str, pack: object, tmp_path: Path) -> None:
    assert callable(pack)
    packed = []
    for path in sample.write(tmp_path):
        packed.append(path.with_name(path.name + ending))
        packed[-1].write_bytes(pack(path.read_bytes()))
    assert recognise_report(packed).name == sample.format
    assert tuple(read(sample.format, packed)[0]) == sample.rows


@samples
def test_batches_have_the_schema(sample: Sample, tmp_path: Path) -> None:
    for batch in REPORT_FORMATS[sample.format].read(sample.write(tmp_path), ReadingLog()):
        assert batch.schema == REPORTED
        batch.validate(full=True)


@samples
def test_a_missing_file_and_a_truncated_archive_are_refused(sample: Sample, tmp_path: Path) -> None:
    paths = sample.write(tmp_path)
    with pytest.raises(InputError):
        read(sample.format, [tmp_path / "absent.csv"])
    cut = paths[0].with_name(paths[0].name + ".gz")
    cut.write_bytes(gzip.compress(paths[0].read_bytes() * 3)[:-20])
    with pytest.raises(InputError):
        read(sample.format, [cut, *paths[1:]])


@samples
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_is_refused_or_left_out_but_never_crashes(sample: Sample, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = sample.write(Path(folder))
        path = data.draw(st.sampled_from(paths))
        content = path.read_bytes()
        at = data.draw(st.integers(0, len(content)))
        length = data.draw(st.integers(0, 30))
        content = content[:at] + data.draw(st.binary(max_size=12)) + content[at + length :]
        path.write_bytes(content[: data.draw(st.sampled_from([len(content), len(content) // 2]))])
        with suppress(InputError):
            recognise_report(paths)
        with suppress(InputError):
            for batch in REPORT_FORMATS[sample.format].read(paths, ReadingLog()):
                batch.validate(full=True)
