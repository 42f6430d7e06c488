"""One suite for every source: its card, its recognition, its import, and damaged files."""

from __future__ import annotations

import contextlib
import gzip
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clonetruth.code import LANGUAGES
from clonetruth.errors import CloneTruthError, InputError
from clonetruth.model import CRITERIA, JudgeKind
from clonetruth.sources import SOURCES, ImportReport, import_dataset, recognise
from clonetruth.sources.importer import IMPORT_RECORDS
from clonetruth.sources.source import ImportLog, Skipped
from clonetruth.store import Benchmark
from clonetruth.store.incoming import batches
from clonetruth.store.schemas import CORE
from tests.conformance.contradictions import answers, contradicting
from tests.conformance.damages import DAMAGES, STORED, packed
from tests.sources.fixtures import FIXTURES, OPTIONS

NEVER_GUESSED = {"embedded", "folder", "trueclones"}
"""One takes no files; the other would match any source tree."""

GENERIC = {"embedded", "folder", "huggingface", "table", "trueclones"}
"""Sources that are not a published dataset, and have no references."""

ANY = "any"
NAMES = sorted(SOURCES)
IMPORTED = [name for name in NAMES if name in FIXTURES]
WITH_FILES = [name for name in IMPORTED if name not in ("embedded", "trueclones")]


def fixture_of(name: str, folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    return FIXTURES[name](folder)


def imported(name: str, paths: list[Path], *, output: Path, strict: bool = False) -> ImportReport:
    return import_dataset(name, paths, output=output, strict=strict, option=OPTIONS.get(name))


def test_every_source_has_a_fixture() -> None:
    assert set(FIXTURES) == set(SOURCES)


@pytest.mark.parametrize("name", NAMES)
def test_card_is_complete(name: str) -> None:
    found = SOURCES[name].card
    card = found.card
    assert card.name == name
    assert card.criterion in CRITERIA
    for text in (card.version, card.description, card.licence, card.citation, found.label_means, found.accepts):
        assert text.strip()
    words = " ".join((card.description, found.accepts, found.label_means, *card.known_flaws)).lower()
    for language in card.languages:
        assert language in LANGUAGES or language == ANY or language in words, f"{language} is unknown"
    assert card.known_flaws
    assert found.claimed_by.kind in tuple(JudgeKind)
    assert found.claimed_by.description
    if name not in GENERIC:
        assert found.references
        assert found.published
        assert card.url


@pytest.mark.parametrize("name", IMPORTED)
def test_importing_a_fixture_twice_gives_the_same(name: str, tmp_path: Path) -> None:
    paths = fixture_of(name, tmp_path / "files")
    one = imported(name, paths, output=tmp_path / "one")
    two = imported(name, paths, output=tmp_path / "two")
    assert one.counts["fragments"]
    assert one.content_hash == two.content_hash
    assert one.reasons == two.reasons
    first, second = Benchmark.open(tmp_path / "one"), Benchmark.open(tmp_path / "two")
    assert first.judgements_hash == second.judgements_hash
    first.verify()


@pytest.mark.parametrize("name", [name for name in WITH_FILES if name not in NEVER_GUESSED])
def test_recognised_by_no_other_source(name: str, tmp_path: Path) -> None:
    paths = fixture_of(name, tmp_path / "files")
    assert recognise(paths) == name


@pytest.mark.parametrize("name", IMPORTED)
def test_reasons_do_not_contain_the_row(name: str, tmp_path: Path) -> None:
    report = imported(name, fixture_of(name, tmp_path / "files"), output=tmp_path / "out")
    assert len(report.reasons) <= 10, "equal cases are counted together"
    assert sum(report.reasons.values()) == len(report.skipped)
    assert all(isinstance(one, Skipped) and one.where for one in report.skipped)


@pytest.mark.parametrize("name", WITH_FILES)
def test_strict_makes_the_first_skipped_row_an_error(name: str, tmp_path: Path) -> None:
    paths = fixture_of(name, tmp_path / "files")
    if not imported(name, paths, output=tmp_path / "loose").reasons:
        assert imported(name, paths, output=tmp_path / "strict", strict=True).counts["fragments"]
        return
    with pytest.raises(CloneTruthError):
        imported(name, paths, output=tmp_path / "strict", strict=True)
    assert not (tmp_path / "strict").exists()


@pytest.mark.parametrize("name", WITH_FILES)
def test_unknown_options_are_refused(name: str, tmp_path: Path) -> None:
    paths = fixture_of(name, tmp_path / "files")
    with pytest.raises(CloneTruthError):
        SOURCES[name].read(paths, {"no-such-option": "1"}, ImportLog())


def files_of(paths: list[Path]) -> list[Path]:
    """The files of a fixture, including those in folders."""
    found = [file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    return [file for file in found if file.is_file()]


JUNK = {
    "notes.txt": b"Ask Ann about these.\n",
    "photo.png": b"\x89PNG\r\n\x1a\n\0\0",
    "thesis.docx": b"PK\3\4 not an archive",
}
TAKES_ANY_FILE = {"huggingface", "table"}
"""Takes every file as its own; a file that it cannot read is an error."""


@pytest.mark.parametrize("name", WITH_FILES)
def test_every_named_file_is_used_or_listed(name: str, tmp_path: Path) -> None:
    paths = fixture_of(name, tmp_path / "files")
    clean = imported(name, paths, output=tmp_path / "clean").files
    assert clean.named == clean.used + sum(clean.reasons.values())
    assert clean.used
    junk = [tmp_path / file for file in JUNK]
    for file in junk:
        file.write_bytes(JUNK[file.name])
    if name in TAKES_ANY_FILE:
        with pytest.raises(InputError, match=str(tmp_path)):
            imported(name, [*paths, *junk], output=tmp_path / "out")
        return
    report = imported(name, [*paths, *junk], output=tmp_path / "out")
    listed = {one.where.partition(":")[0] for one in (*report.files.unused, *report.skipped)}
    assert {str(file) for file in junk} <= listed
    assert all(one.reason for one in report.files.unused)
    assert report.files.named == clean.named + len(junk) == report.files.used + sum(report.files.reasons.values())
    stored = IMPORT_RECORDS.read(tmp_path / "out" / "records" / "import.json")
    assert (stored.files, stored.reasons) == (report.files, report.reasons)
    with pytest.raises(CloneTruthError):
        imported(name, [*paths, *junk], output=tmp_path / "strict", strict=True)
    assert not (tmp_path / "strict").exists()


GARBAGE = b"\xc2\xa7 not ; a , row \t at all | 7\n"
PROSE = {".java", ".py", ".c", ".cpp", ".cs", ".html", ".md"}
"""Files in which a further line is text like any other."""


@pytest.mark.parametrize("name", WITH_FILES)
def test_every_row_is_used_or_listed(name: str, tmp_path: Path) -> None:
    paths = fixture_of(name, tmp_path / "files")
    before = imported(name, paths, output=tmp_path / "before")
    for number, file in enumerate(files_of(paths)):
        good = file.read_bytes()
        if file.suffix == ".gz":
            bad = gzip.compress(gzip.decompress(good).rstrip(b"\n") + b"\n" + GARBAGE)
        elif file.suffix in PROSE or b"\0" in good or before.files.used != before.files.named:
            continue
        else:
            bad = good.rstrip(b"\n") + b"\n" + GARBAGE
        file.write_bytes(bad)
        with contextlib.suppress(InputError):
            after = imported(name, paths, output=tmp_path / str(number))
            # A table of any ids and names takes the line as a row, and counts it.
            used = after.content_hash != before.content_hash or after.rows_read != before.rows_read
            assert used or after.reasons != before.reasons, f"a row of {file} was dropped without a line"
        file.write_bytes(good)


def succeeds_or_refuses(action: Callable[[], object]) -> bool:
    """Whether a call succeeds; if not, it must raise a CloneTruthError."""
    try:
        action()
    except CloneTruthError as error:
        return not error.what  # an error must have a message
    return True


def drain(name: str, paths: list[Path]) -> None:
    """Read a dataset like an import, with the store's checks of every row, but without writing to disk."""
    dataset = SOURCES[name].read(paths, OPTIONS.get(name, {}), ImportLog())
    for table in CORE:
        for _ in batches(table, getattr(dataset, table)):
            pass


def read_or_refuse(name: str, paths: list[Path]) -> None:
    """Recognising and reading either succeed or raise a CloneTruthError."""
    succeeds_or_refuses(lambda: recognise(paths))
    succeeds_or_refuses(lambda: drain(name, paths))


def import_or_refuse(name: str, paths: list[Path], output: Path) -> None:
    """The import gives a benchmark, or raises a CloneTruthError and leaves nothing behind."""
    if succeeds_or_refuses(lambda: imported(name, paths, output=output)):
        Benchmark.open(output)
        shutil.rmtree(output)
    assert not output.exists()
    assert not list(output.parent.glob(".*clonetruth-unfinished")), "a half-written folder was left behind"


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("name", WITH_FILES)
def test_damaged_files_raise_input_errors(
    name: str, damage: Callable[[bytes, random.Random], bytes], tmp_path: Path
) -> None:
    random_ = random.Random(f"{name} {damage.__name__}")
    whole = fixture_of(name, tmp_path / "files")
    for file in files_of(whole):
        good = file.read_bytes()
        for damaged in (damage(good, random_), *packed(file, lambda content: damage(content, random_))):
            file.write_bytes(damaged)
            read_or_refuse(name, whole)
        if damage in STORED:
            import_or_refuse(name, whole, tmp_path / "out")
        file.write_bytes(good)


WITHOUT_LABELLED_ROWS = {
    *("bigclonebench-functions", "folder"),  # no judgements
    *("clcdsa", "eqbench", "ocd", "soco"),  # labels are names of folders, or a list of positives
    *("astnn", "conbigclonebench", "fempd", "huggingface"),  # a pickle, arrays, a database, Arrow: a row is a pair
}
"""Sources that have no text with a label in each row."""

LOOKED_UP = {
    "verdicts.csv",
    "languages.csv",
    "problems.csv",
    "p00001.csv",
    "Samples Investigation.csv",
    "dataset.json.gz",
}
"""Files with rows or columns that are no answers: another one may change nothing."""


@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", WITH_FILES)
def test_contradicting_rows_stay_visible(name: str, tmp_path: Path) -> None:
    """A row that contradicts another one is never lost, and never replaces the other one: neither wins silently."""
    paths = fixture_of(name, tmp_path / "files")
    before, rows, log = answers(name, paths)
    seen = 0
    for file in files_of(paths):
        good = file.read_bytes()
        for changed in contradicting(file):
            file.write_bytes(changed)
            try:
                after, more, later = answers(name, paths)
            except CloneTruthError:
                seen += 1
                continue
            if later.reasons.total() > log.reasons.total():
                seen += 1
                continue
            lost = {subject: values for subject, values in before.items() if not values <= after.get(subject, set())}
            assert not lost, changed[-300:]
            assert more != rows or file.name in LOOKED_UP, changed[-300:]
            seen += any(len(values) > max(1, len(before.get(subject, ()))) for subject, values in after.items())
        file.write_bytes(good)
    assert seen or name in WITHOUT_LABELLED_ROWS


@pytest.mark.parametrize("name", WITH_FILES)
def test_missing_files_are_an_error(name: str, tmp_path: Path) -> None:
    whole = fixture_of(name, tmp_path / "files")
    for path in whole:
        import_or_refuse(name, [path], tmp_path / "out")
    with pytest.raises(CloneTruthError):
        imported(name, [tmp_path / "nothing"], output=tmp_path / "out")
    (tmp_path / "empty").mkdir()
    import_or_refuse(name, [tmp_path / "empty"], tmp_path / "out")
    import_or_refuse(name, [], tmp_path / "out")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", WITH_FILES)
@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_any_bytes_anywhere(name: str, tmp_path: Path, data: st.DataObject) -> None:
    place = tmp_path / "files"
    shutil.rmtree(place, ignore_errors=True)
    whole = fixture_of(name, place)
    file = data.draw(st.sampled_from(files_of(whole)))
    good = file.read_bytes()
    start = data.draw(st.integers(0, len(good)))
    end = data.draw(st.integers(start, min(len(good), start + 200)))
    file.write_bytes(good[:start] + data.draw(st.binary(max_size=60)) + good[end:])
    read_or_refuse(name, whole)
