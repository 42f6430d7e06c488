"""Every judgement of the embedded benchmark is confirmed by execution."""

from __future__ import annotations

import dataclasses
import difflib
import itertools
import json
import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from clonetruth.errors import BenchmarkError
from clonetruth.model import CRITERIA, FragmentKind, Role
from clonetruth.sources import embedded
from clonetruth.sources.embedded import CARD, EmbeddedFolder, folders
from clonetruth.sources.functionality_folders import FolderFile, canonical
from tests.sources import embedded_execution as execution
from tests.sources.embedded_domain import conforms, draw_arguments, permits
from tests.sources.embedded_execution import Run

FOLDERS = folders()
RANDOM_INPUTS = 200
SEED = 20240229

each_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.id)
each_language = pytest.mark.parametrize("language", CARD.languages)
needs_jdk = pytest.mark.skipif(bool(execution.lacking("java")), reason=execution.lacking("java"))


def random_inputs(folder: EmbeddedFolder) -> list[list[Any]]:
    rng = random.Random(f"{SEED} {folder.id}")
    return [draw_arguments(folder.parameters, rng) for _ in range(RANDOM_INPUTS)]


def run_everything(language: str) -> dict[str, Run]:
    """Shared inputs, then random ones, in one run, because starting compilers and virtual machines is slow."""
    inputs = {folder.id: [*folder.inputs, *random_inputs(folder)] for folder in FOLDERS}
    return execution.execute(language, FOLDERS, inputs)


@pytest.fixture(scope="module")
def python_runs() -> dict[str, Run]:
    if missing := execution.lacking("python"):
        pytest.skip(missing)
    return run_everything("python")


@pytest.fixture(scope="module")
def java_runs() -> dict[str, Run]:
    return run_everything("java")


def implementations(folder: EmbeddedFolder, language: str) -> list[FolderFile]:
    return [s for s in folder.sources if s.language == language and s.near_miss is None]


def near_misses(folder: EmbeddedFolder, language: str) -> list[FolderFile]:
    return [s for s in folder.sources if s.language == language and s.near_miss is not None]


def similarity(left: FolderFile, right: FolderFile) -> float:
    """The share of common tokens, in order, ignoring white space."""
    a, b = (re.findall(r"\w+|[^\w\s]", source.text) for source in (left, right))
    return difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()


def on_shared_inputs(folder: EmbeddedFolder, run: Run) -> Run:
    return dataclasses.replace(run, results=run.results[: len(folder.inputs)])


def assert_true_to_the_specification(folder: EmbeddedFolder, language: str, runs: Mapping[str, Run]) -> None:
    first, *others = implementations(folder, language)
    inputs = [*folder.inputs, *random_inputs(folder)]
    for arguments, result in zip(inputs, runs[first.id].results, strict=True):
        assert conforms(result, folder.returns), f"{first.id}{arguments} gives {result}"
    for other in others:
        assert disagreement(inputs, runs[first.id], runs[other.id]) is None, other.id
    for near_miss in near_misses(folder, language):
        shared = on_shared_inputs(folder, runs[near_miss.id])
        assert disagreement(folder.inputs, on_shared_inputs(folder, runs[first.id]), shared), near_miss.id


def disagreement(inputs: Sequence[Sequence[Any]], left: Run, right: Run) -> tuple[Sequence[Any], Any, Any] | None:
    for arguments, a, b in zip(inputs, left.results, right.results, strict=True):
        if canonical(a) != canonical(b):
            return arguments, a, b
    return None


# what is in it


def test_there_are_enough_functionalities_of_different_topics() -> None:
    assert len(FOLDERS) >= 12
    assert len({folder.topic for folder in FOLDERS}) >= 10


@each_folder
@each_language
def test_every_functionality_has_implementations_and_near_misses(folder: EmbeddedFolder, language: str) -> None:
    assert len(implementations(folder, language)) >= 4
    assert len(near_misses(folder, language)) >= 2


@each_folder
def test_there_is_a_specification_and_the_inputs_are_permitted(folder: EmbeddedFolder) -> None:
    assert len(folder.specification) > 100
    assert len(folder.inputs) >= 25
    assert len({canonical(arguments) for arguments in folder.inputs}) == len(folder.inputs)
    for arguments in folder.inputs:
        assert permits(folder.parameters, arguments), arguments
        for parameter, value in zip(folder.parameters, arguments, strict=True):
            assert conforms(value, parameter.type)


@each_folder
def test_random_inputs_are_permitted_and_repeatable(folder: EmbeddedFolder) -> None:
    drawn = random_inputs(folder)
    assert drawn == random_inputs(folder)
    assert all(permits(folder.parameters, arguments) for arguments in drawn)
    assert len({canonical(arguments) for arguments in drawn}) > RANDOM_INPUTS / 2


@each_folder
@each_language
def test_implementations_are_clearly_different(folder: EmbeddedFolder, language: str) -> None:
    for left, right in itertools.combinations(implementations(folder, language), 2):
        assert similarity(left, right) < 0.8, (left.id, right.id)


@each_folder
@each_language
def test_near_misses_are_textually_close_to_their_origin(folder: EmbeddedFolder, language: str) -> None:
    by_id = {source.id: source for source in implementations(folder, language)}
    for source in near_misses(folder, language):
        assert source.near_miss is not None
        assert source.near_miss.differs
        assert 0.8 <= similarity(source, by_id[source.near_miss.origin]) < 1, source.id


@each_folder
def test_every_described_near_miss_has_a_file(folder: EmbeddedFolder) -> None:
    described = tomllib.loads((folder.root / "functionality.toml").read_text(encoding="utf-8"))["near-miss"]
    names = {f"{folder.id}/{language}/near-miss/{name}" for language in described for name in described[language]}
    assert names == {source.id for source in folder.sources if source.near_miss}


# execution


@each_folder
def test_python_implementations_agree_and_near_misses_differ(
    folder: EmbeddedFolder, python_runs: dict[str, Run]
) -> None:
    assert_true_to_the_specification(folder, "python", python_runs)


@pytest.mark.slow
@pytest.mark.jdk
@needs_jdk
@each_folder
def test_java_implementations_agree_and_near_misses_differ(folder: EmbeddedFolder, java_runs: dict[str, Run]) -> None:
    assert_true_to_the_specification(folder, "java", java_runs)


@pytest.mark.jdk
@needs_jdk
@each_folder
def test_java_and_python_agree(folder: EmbeddedFolder, java_runs: dict[str, Run], python_runs: dict[str, Run]) -> None:
    java, python = (implementations(folder, language)[0].id for language in ("java", "python"))
    inputs = [*folder.inputs, *random_inputs(folder)]
    assert disagreement(inputs, java_runs[java], python_runs[python]) is None


# evidence


def assert_evidence_is_what_execution_gives(folder: EmbeddedFolder, language: str, runs: Mapping[str, Run]) -> None:
    evidence = folder.evidence()
    for source in folder.sources:
        if source.language == language:
            recorded, run = evidence[source.id], on_shared_inputs(folder, runs[source.id])
            assert (recorded.entry, recorded.functions) == (run.entry, run.functions)
            assert canonical(recorded.results) == canonical(run.results)
            assert recorded.digest == run.digest


@each_folder
def test_python_evidence_equals_execution(folder: EmbeddedFolder, python_runs: dict[str, Run]) -> None:
    assert_evidence_is_what_execution_gives(folder, "python", python_runs)


@pytest.mark.jdk
@needs_jdk
@each_folder
def test_evidence_files_equal_execution(
    folder: EmbeddedFolder, java_runs: dict[str, Run], python_runs: dict[str, Run]
) -> None:
    assert_evidence_is_what_execution_gives(folder, "java", java_runs)
    runs = java_runs | python_runs
    written = execution.evidence_text(
        folder, {source.id: on_shared_inputs(folder, runs[source.id]) for source in folder.sources}
    )
    assert (folder.root / "evidence.json").read_text(encoding="utf-8") == written


def test_evidence_does_not_survive_an_edit() -> None:
    folder = FOLDERS[0]
    edited = dataclasses.replace(folder.sources[0], text=folder.sources[0].text + "\n")
    with pytest.raises(BenchmarkError, match="other texts"):
        dataclasses.replace(folder, sources=(edited, *folder.sources[1:])).evidence()
    with pytest.raises(BenchmarkError, match="other texts or inputs"):
        dataclasses.replace(folder, inputs=folder.inputs[1:]).evidence()


def test_no_evidence_for_an_implementation_that_is_wrong_or_a_near_miss_that_is_right(
    python_runs: dict[str, Run],
) -> None:
    whole = FOLDERS[0]
    right, wrong = implementations(whole, "python")[0], near_misses(whole, "python")[0]
    runs = {source.id: on_shared_inputs(whole, python_runs[source.id]) for source in (right, wrong)}
    misplaced = dataclasses.replace(wrong, near_miss=None)
    with pytest.raises(ValueError, match="differs: "):
        execution.evidence_text(dataclasses.replace(whole, sources=(right, misplaced)), runs)
    accused = dataclasses.replace(right, id="accused", near_miss=wrong.near_miss)
    with pytest.raises(ValueError, match="differs from nothing"):
        execution.evidence_text(
            dataclasses.replace(whole, sources=(right, accused)), runs | {"accused": runs[right.id]}
        )


# the dataset


def test_the_dataset_is_deterministic() -> None:
    assert embedded.dataset() == embedded.dataset()


def test_fragments_and_memberships_mirror_the_files() -> None:
    data = embedded.dataset()
    fragments = {fragment.id: fragment for fragment in data.fragments}
    sources = {source.id: source for folder in FOLDERS for source in folder.sources}
    assert list(fragments) == list(sources)
    assert {fragment.language for fragment in fragments.values()} == set(CARD.languages)
    assert {fragment.kind for fragment in fragments.values()} == {
        FragmentKind.FUNCTION,
        FragmentKind.MULTI_FUNCTION,
    }
    for fragment in fragments.values():
        assert fragment.name is not None
        assert fragment.name in fragment.text
    for membership in data.memberships:
        near_miss = sources[membership.fragment].near_miss
        assert membership.role is (Role.TAGGED_FALSE if near_miss else Role.EXEMPLAR)
    assert all(functionality.specification for functionality in data.functionalities)


def test_every_judgement_names_existing_rows_and_shows_its_evidence() -> None:
    data = embedded.dataset()
    fragments = {fragment.id for fragment in data.fragments}
    functionalities = {functionality.id for functionality in data.functionalities}
    judges = {judge.id for judge in data.judges}
    pairs = list(data.pairs)
    judged_pairs = []
    for judgement in data.judgements:
        assert judgement.judge in judges
        assert judgement.value in CRITERIA[judgement.criterion].values
        shown = json.loads(judgement.evidence or "")
        assert shown["inputs"] >= 25
        if judgement.pair is None:
            assert judgement.fragment in fragments
            assert judgement.functionality in functionalities
            assert judgement.value == "major" or canonical(shown["expected"]) != canonical(shown["actual"])
        else:
            judged_pairs.append(judgement.pair)
            assert judgement.value == "clone" or canonical(shown["left"]) != canonical(shown["right"])
    assert judged_pairs == list(range(len(pairs)))
    assert all({pair.left, pair.right} <= fragments for pair in pairs)
    assert len({frozenset((pair.left, pair.right)) for pair in pairs}) == len(pairs)


def test_pairs_of_implementations_are_clones_and_pairs_with_a_near_miss_are_not() -> None:
    data = embedded.dataset()
    pairs = list(data.pairs)
    near = {source.id for folder in FOLDERS for source in folder.sources if source.near_miss}
    values = {judgement.pair: judgement.value for judgement in data.judgements if judgement.pair is not None}
    for row, pair in enumerate(pairs):
        expected = "not-clone" if {pair.left, pair.right} & near else "clone"
        assert values[row] == expected
    # only two near misses that were never seen to differ are left out
    present = {(pair.left, pair.right) for pair in pairs}
    for folder in FOLDERS:
        for left, right in itertools.combinations(folder.sources, 2):
            assert (left.id, right.id) in present or {left.id, right.id} <= near


def test_functionalities_are_disjoint_as_the_card_says() -> None:
    """Functionalities with the same signature differ on an input that both permit."""
    assert CARD.problems_disjoint
    for left, right in itertools.combinations(FOLDERS, 2):
        if signature(left) == signature(right):
            results = {canonical(a): r for a, r in zip(left.inputs, expected_results(left), strict=True)}
            assert any(
                permits(left.parameters, arguments) and canonical(results[canonical(arguments)]) != canonical(result)
                for arguments, result in zip(right.inputs, expected_results(right), strict=True)
                if canonical(arguments) in results
            ), (left.id, right.id)


def signature(folder: EmbeddedFolder) -> tuple[str, ...]:
    return (*(parameter.type for parameter in folder.parameters), folder.returns)


def expected_results(folder: EmbeddedFolder) -> Sequence[Any]:
    return folder.evidence()[implementations(folder, "python")[0].id].results


def test_build_writes_a_benchmark_folder(tmp_path: Path) -> None:
    counts = embedded.build(tmp_path / "embedded").counts
    assert counts == {
        name: len(list(getattr(embedded.dataset(), name)))
        for name in ("fragments", "functionalities", "memberships", "pairs", "judges", "judgements")
    }


# the documentation


def test_the_table_in_the_documentation_is_up_to_date() -> None:
    page = execution.DOCUMENTATION.read_text(encoding="utf-8")
    assert page == execution.documentation_with(execution.table(FOLDERS)), (
        "run: python -m tests.sources.embedded_execution --write"
    )
