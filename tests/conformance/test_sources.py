"""One suite for every source: its card, its recognition, its import, and damaged files."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clonetruth.code import LANGUAGES
from clonetruth.errors import CloneTruthError
from clonetruth.model import CRITERIA, JudgeKind
from clonetruth.sources import SOURCES, import_dataset, recognise
from clonetruth.sources.source import ImportLog, Skipped
from clonetruth.store import Benchmark
from clonetruth.store.incoming import batches
from clonetruth.store.schemas import CORE
from tests.conformance.damages import DAMAGES, STORED, packed
from tests.sources.fixtures import FIXTURES

NEVER_GUESSED = {"embedded", "folder"}
"""One takes no files; the other would match any source tree."""

GENERIC = {"embedded", "folder", "huggingface", "table"}
"""Sources that are not a published dataset, and have no references."""

ANY = "any"
NAMES = sorted(SOURCES)
IMPORTED = [name for name in NAMES if name in FIXTURES]
WITH_FILES = [name for name in IMPORTED if name != "embedded"]


def fixture_of(name: str, folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    return FIXTURES[name](folder)


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
    one = import_dataset(name, paths, output=tmp_path / "one")
    two = import_dataset(name, paths, output=tmp_path / "two")
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
    report = import_dataset(name, fixture_of(name, tmp_path / "files"), output=tmp_path / "out")
    assert len(report.reasons) <= 10, "equal cases are counted together"
    assert sum(report.reasons.values()) == len(report.skipped)
    assert all(isinstance(one, Skipped) and one.where for one in report.skipped)


@pytest.mark.parametrize("name", WITH_FILES)
def test_strict_makes_the_first_skipped_row_an_error(name: str, tmp_path: Path) -> None:
    paths = fixture_of(name, tmp_path / "files")
    if not import_dataset(name, paths, output=tmp_path / "loose").reasons:
        assert import_dataset(name, paths, output=tmp_path / "strict", strict=True).counts["fragments"]
        return
    with pytest.raises(CloneTruthError):
        import_dataset(name, paths, output=tmp_path / "strict", strict=True)
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


def succeeds_or_refuses(action: Callable[[], object]) -> bool:
    """Whether a call succeeds; if not, it must raise a CloneTruthError."""
    try:
        action()
    except CloneTruthError as error:
        return not error.what  # an error must have a message
    return True


def drain(name: str, paths: list[Path]) -> None:
    """Read a dataset like an import, with the store's checks of every row, but without writing to disk."""
    dataset = SOURCES[name].read(paths, {}, ImportLog())
    for table in CORE:
        for _ in batches(table, getattr(dataset, table)):
            pass


def read_or_refuse(name: str, paths: list[Path]) -> None:
    """Recognising and reading either succeed or raise a CloneTruthError."""
    succeeds_or_refuses(lambda: recognise(paths))
    succeeds_or_refuses(lambda: drain(name, paths))


def import_or_refuse(name: str, paths: list[Path], output: Path) -> None:
    """The import gives a benchmark, or raises a CloneTruthError and leaves nothing behind."""
    if succeeds_or_refuses(lambda: import_dataset(name, paths, output=output)):
        Benchmark.open(output)
        shutil.rmtree(output)
    assert not output.exists()
    assert not list(output.parent.glob(".*clonetruth-unfinished")), "a half-written folder was left behind"


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


@pytest.mark.parametrize("name", WITH_FILES)
def test_missing_files_are_an_error(name: str, tmp_path: Path) -> None:
    whole = fixture_of(name, tmp_path / "files")
    for path in whole:
        import_or_refuse(name, [path], tmp_path / "out")
    with pytest.raises(CloneTruthError):
        import_dataset(name, [tmp_path / "nothing"], output=tmp_path / "out")
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
