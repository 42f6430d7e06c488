"""One suite for every source: its card, its recognition, its import, and what it does with damaged files."""

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
"""One has no files; any tree of sources would be the other."""

GENERIC = {"embedded", "folder", "huggingface", "table"}
"""Sources that are no published dataset: there is nothing to refer to."""

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
        assert language in LANGUAGES or language == ANY or language in words, f"{language} is neither known nor told"
    assert card.known_flaws
    assert found.claimed_by.kind in tuple(JudgeKind)
    assert found.claimed_by.description
    if name not in GENERIC:
        assert found.references
        assert found.published
        assert card.url


@pytest.mark.parametrize("name", IMPORTED)
def test_fixture_imports_and_twice_gives_the_same(name: str, tmp_path: Path) -> None:
    paths = fixture_of(name, tmp_path / "files")
    one = import_dataset(name, paths, tmp_path / "one")
    two = import_dataset(name, paths, tmp_path / "two")
    assert one.counts["fragments"]
    assert one.content_hash == two.content_hash
    assert one.reasons == two.reasons
    first, second = Benchmark.open(tmp_path / "one"), Benchmark.open(tmp_path / "two")
    assert first.judgements_hash == second.judgements_hash
    first.verify()


@pytest.mark.parametrize("name", [name for name in WITH_FILES if name not in NEVER_GUESSED])
def test_recognised_by_itself_alone(name: str, tmp_path: Path) -> None:
    paths = fixture_of(name, tmp_path / "files")
    assert recognise(paths) == name


@pytest.mark.parametrize("name", IMPORTED)
def test_reasons_do_not_hold_the_row(name: str, tmp_path: Path) -> None:
    report = import_dataset(name, fixture_of(name, tmp_path / "files"), tmp_path / "out")
    assert len(report.reasons) <= 10, "equal cases are counted together"
    assert sum(report.reasons.values()) == len(report.skipped)
    assert all(isinstance(one, Skipped) and one.where for one in report.skipped)


@pytest.mark.parametrize("name", WITH_FILES)
def test_strict_makes_the_first_skipped_row_an_error(name: str, tmp_path: Path) -> None:
    paths = fixture_of(name, tmp_path / "files")
    if not import_dataset(name, paths, tmp_path / "loose").reasons:
        assert import_dataset(name, paths, tmp_path / "strict", strict=True).counts["fragments"]
        return
    with pytest.raises(CloneTruthError):
        import_dataset(name, paths, tmp_path / "strict", strict=True)
    assert not (tmp_path / "strict").exists()


@pytest.mark.parametrize("name", WITH_FILES)
def test_unknown_options_are_refused_or_told(name: str, tmp_path: Path) -> None:
    paths = fixture_of(name, tmp_path / "files")
    with pytest.raises(CloneTruthError):
        SOURCES[name].read(paths, {"no-such-option": "1"}, ImportLog())


def files_of(paths: list[Path]) -> list[Path]:
    """The files of a fixture, those in folders too."""
    found = [file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    return [file for file in found if file.is_file()]


def civil(action: Callable[[], object]) -> bool:
    """Whether something succeeds; if not, it must be by an error in words, and by no other."""
    try:
        action()
    except CloneTruthError as error:
        return not error.what  # an error without words is no excuse
    return True


def drain(name: str, paths: list[Path]) -> None:
    """Read a dataset as an import does, with the store's checks of every row, but onto no disk."""
    dataset = SOURCES[name].read(paths, {}, ImportLog())
    for table in CORE:
        for _ in batches(table, getattr(dataset, table)):
            pass


def reading_is_civil(name: str, paths: list[Path]) -> None:
    """Neither recognising nor reading gives anything but a result or an error in words."""
    civil(lambda: recognise(paths))
    civil(lambda: drain(name, paths))


def import_is_civil(name: str, paths: list[Path], output: Path) -> None:
    """The import gives a benchmark, or an error in words; after an error nothing is left."""
    if civil(lambda: import_dataset(name, paths, output)):
        Benchmark.open(output)
        shutil.rmtree(output)
    assert not output.exists()
    assert not list(output.parent.glob(".*clonetruth-unfinished")), "a half-written folder was left behind"


@pytest.mark.timeout(120)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("name", WITH_FILES)
def test_damaged_files_are_refused_in_words(
    name: str, damage: Callable[[bytes, random.Random], bytes], tmp_path: Path
) -> None:
    random_ = random.Random(f"{name} {damage.__name__}")
    whole = fixture_of(name, tmp_path / "files")
    for file in files_of(whole):
        good = file.read_bytes()
        for damaged in (damage(good, random_), *packed(file, lambda content: damage(content, random_))):
            file.write_bytes(damaged)
            reading_is_civil(name, whole)
        if damage in STORED:
            import_is_civil(name, whole, tmp_path / "out")
        file.write_bytes(good)


@pytest.mark.parametrize("name", WITH_FILES)
def test_missing_files_are_told(name: str, tmp_path: Path) -> None:
    whole = fixture_of(name, tmp_path / "files")
    for path in whole:
        import_is_civil(name, [path], tmp_path / "out")
    with pytest.raises(CloneTruthError):
        import_dataset(name, [tmp_path / "nothing"], tmp_path / "out")
    (tmp_path / "empty").mkdir()
    import_is_civil(name, [tmp_path / "empty"], tmp_path / "out")
    import_is_civil(name, [], tmp_path / "out")


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
    reading_is_civil(name, whole)
