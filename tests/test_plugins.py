"""Plugins: packages whose entry points add to a registry, among them broken ones, which are named and skipped."""

from __future__ import annotations

import sys
import textwrap
import warnings
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest

import clonetruth
from clonetruth import registry as registry_module
from clonetruth.errors import CloneTruthWarning, PluginError, UnknownNameError
from clonetruth.registry import Registry
from tests.cli.running import run

GROUP = "clonetruth.detectors"

WORKING = """
    import pyarrow as pa

    class Detector:
        name = "fine"
        description = "Says no to everything."
        default_threshold = 0.5

        def score(self, fragments, pairs, *, processes=1, progress=None):
            return pa.array([0.0] * pairs.num_rows, pa.float64())

    DETECTOR = Detector()
"""

BROKEN = {
    "raises": "raise ValueError('no luck')",
    "exits": "import sys; sys.exit(0)",
    "exits-with-words": "raise SystemExit('good bye')",
    "lacks-a-module": "import no_such_module_at_all",
    "has-no-syntax": "def f(:",
    "lacks-the-attribute": "OTHER = 1",
    "is-none": "DETECTOR = None",
    "is-a-class": "class DETECTOR:\n    name = description = 'x'\n    default_threshold = 0.5\n    score = None",
    "lacks-a-method": "class D:\n    name = description = 'x'\n    default_threshold = 0.5\nDETECTOR = D()",
}
"""Modules of plugins that do not work, by what is wrong."""


def package(folder: Path, name: str, modules: Mapping[str, str], entry_points: str, metadata: str | None = "") -> None:
    """Install a package into a folder: its modules and its metadata."""
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(textwrap.dedent(text), encoding="utf-8")
    information = folder / f"{name}-1.0.dist-info"
    information.mkdir()
    (information / "entry_points.txt").write_text(entry_points, encoding="utf-8")
    if metadata is not None:
        text = metadata or f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        (information / "METADATA").write_text(text, encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    registry_module._installed_entry_points.cache_clear()
    before = set(sys.modules)
    yield folder
    registry_module._installed_entry_points.cache_clear()
    for name in set(sys.modules) - before:
        del sys.modules[name]


def detectors() -> Registry[Any]:
    """A registry like that of the detectors, as it is in a new process."""
    from clonetruth.detectors.detector import Detector

    return Registry("detector", {"always-yes": "clonetruth.detectors.trivial:ALWAYS_YES"}, group=GROUP, of=Detector)


def listed(found: Registry[Any]) -> tuple[list[str], list[str]]:
    """The names in a registry, and the warnings of listing it twice."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        names = list(found)
        assert [name for name, _ in found.items()] == names
        assert len(found) == len(names)
    assert all(one.category is CloneTruthWarning for one in caught)
    return names, [str(one.message) for one in caught]


def test_a_working_plugin_is_listed_and_found(site: Path) -> None:
    package(site, "goodies", {"goodies": WORKING}, f"[{GROUP}]\nfine = goodies:DETECTOR\n")
    found = detectors()
    assert "goodies" not in sys.modules, "nothing is imported until it is used"
    assert found["fine"].name == "fine"
    assert listed(found) == (["always-yes", "fine"], [])


@pytest.mark.parametrize("wrong", BROKEN)
def test_a_broken_plugin_is_named_and_skipped(wrong: str, site: Path) -> None:
    points = f"[{GROUP}]\nfine = goodies:DETECTOR\nbad = baddies:DETECTOR\n"
    package(site, "baddies_and_co", {"goodies": WORKING, "baddies": BROKEN[wrong]}, points)
    found = detectors()
    names, said = listed(found)
    assert names == ["always-yes", "fine"]
    assert len(said) == 1, "named once"
    assert "'bad'" in said[0]
    assert "'baddies_and_co'" in said[0]
    with pytest.raises(PluginError, match="detector 'bad' of the package 'baddies_and_co' does not work") as raised:
        found["bad"]
    assert raised.value.exit_code == 7
    assert "bad" in found, "it is known, and what is wrong with it is said where it is used"


@pytest.mark.parametrize("value", ["baddies", "baddies:", ":x", "", "no such:module name", "a.b:c:d"])
def test_an_entry_point_that_names_nothing_is_skipped(value: str, site: Path) -> None:
    package(site, "odd", {}, f"[{GROUP}]\nbad = {value}\n")
    names, said = listed(detectors())
    assert names == ["always-yes"]
    assert len(said) == 1
    assert "'bad'" in said[0]


def test_a_plugin_cannot_take_the_name_of_a_built_in_object(site: Path) -> None:
    package(site, "impostor", {"impostor": WORKING}, f"[{GROUP}]\nalways-yes = impostor:DETECTOR\n")
    found = detectors()
    names, said = listed(found)
    assert names == ["always-yes"]
    assert found["always-yes"].name == "always-yes"
    assert said == [
        "The detector 'always-yes' of the package 'impostor' is ignored: clonetruth itself has one of that name."
    ]


def test_of_two_plugins_with_one_name_the_first_counts(site: Path) -> None:
    package(site, "a_first", {"a_first": WORKING}, f"[{GROUP}]\nfine = a_first:DETECTOR\n")
    package(site, "b_second", {"b_second": WORKING}, f"[{GROUP}]\nfine = b_second:DETECTOR\n")
    names, said = listed(detectors())
    assert names == ["always-yes", "fine"]
    assert len(said) == 1
    assert "another package has one of that name" in said[0]


@pytest.mark.parametrize("metadata", [None, "nonsense", "Metadata-Version: 2.1\n"])
def test_a_package_without_metadata_can_have_plugins(metadata: str | None, site: Path) -> None:
    package(site, "nameless", {"goodies": WORKING}, f"[{GROUP}]\nfine = goodies:DETECTOR\n", metadata)
    assert listed(detectors()) == (["always-yes", "fine"], [])
    broken = f"[{GROUP}]\nfine = goodies:DETECTOR\nbad = baddies:DETECTOR\n"
    (site / "nameless-1.0.dist-info" / "entry_points.txt").write_text(broken, encoding="utf-8")
    registry_module._installed_entry_points.cache_clear()
    assert "'bad'" in listed(detectors())[1][0]


@pytest.mark.parametrize("text", ["[clonetruth.detectors]\nno equals sign\n", "[broken\nx", "\0"])
def test_unreadable_entry_points_do_not_hide_those_of_others(text: str, site: Path) -> None:
    package(site, "garbage", {}, text)
    package(site, "goodies", {"goodies": WORKING}, f"[{GROUP}]\nfine = goodies:DETECTOR\n")
    assert listed(detectors())[0] == ["always-yes", "fine"]


def test_every_registry_that_takes_plugins_says_what_they_must_be() -> None:
    found = {}
    for module in walk_packages(clonetruth.__path__, "clonetruth."):
        if {"embedded_data", "trueclones_data"} & set(module.name.split(".")) or module.name.endswith("__main__"):
            continue
        for name, value in vars(import_module(module.name)).items():
            if isinstance(value, Registry) and value._group is not None:
                found[value._group] = value
                assert value._of is not None, f"{module.name}.{name}"
    assert len(found) >= 15
    for one in found.values():
        for name in one._entries:
            assert registry_module._misfit(one[name], one._of) is None, "our own objects fit, too"


def test_an_unknown_name_lists_plugins_without_loading_them(site: Path) -> None:
    package(site, "baddies", {"baddies": BROKEN["raises"]}, f"[{GROUP}]\nbad = baddies:DETECTOR\n")
    with pytest.raises(UnknownNameError, match=r"Known: always-yes, bad\."):
        detectors()["zzz"]


# --- the command line


@pytest.fixture
def broken_site(site: Path) -> Path:
    groups = ("detectors", "finders", "languages", "sources", "learners", "external_tools", "audit_rules", "views")
    points = "".join(f"[clonetruth.{group}]\nbad-{group} = baddies:THING\n" for group in groups)
    package(site, "baddies", {"baddies": "raise SystemExit(0)"}, points)
    return site


def test_commands_work_beside_a_broken_plugin(broken_site: Path, tmp_path: Path) -> None:
    environment = {"PYTHONPATH": f"{broken_site}:{Path(clonetruth.__file__).parents[1]}"}
    code = "def add(first, second):\n    total = first + second\n    return total * 2 if total else None\n"
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "a.py").write_text(code, encoding="utf-8")
    (tree / "b.py").write_text(code, encoding="utf-8")
    ran = run("find", tree, "--min-tokens", "5", env=environment)
    assert (ran.code, "1 clone class" in ran.out) == (0, True)
    assert ran.err.count("bad-languages") == 1, "named once"
    assert "'baddies'" in ran.err
    ran = run("detectors", "--json", env=environment)
    assert ran.code == 0
    assert {"bad-detectors", "bad-learners", "bad-external_tools"}.isdisjoint(one["name"] for one in ran.json)
    assert all(f"bad-{group}" in ran.err for group in ("detectors", "learners", "external_tools"))
    ran = run("find", tree, "--with", "bad-finders", env=environment)
    assert ran.code == 7
    assert "finder 'bad-finders' of the package 'baddies' does not work" in " ".join(ran.err.split())


# --- learners of other packages

LEARNER = """
    import json
    from pathlib import Path
    import pyarrow as pa
    from clonetruth.training import TrainingSpec

    class Trained:
        name = "foreign"
        description = "x"
        default_threshold = 0.5
        options = TrainingSpec()
        manifest = None

        def score(self, fragments, pairs, *, processes=1, progress=None):
            return pa.array([0.5] * pairs.num_rows, pa.float64())

        def with_manifest(self, manifest):
            return self

        def save(self, folder, manifest=None):
            Path(folder).mkdir()
            Path(folder, "model.json").write_text(json.dumps({"format": 1, "learner": "foreign"}))

    class Empty(Trained):
        history = ()

    class Learner:
        name = "foreign"
        description = "x"
        def train(self, fragments, train, valid, options, *, progress=None):
            return %s
        def load(self, folder):
            %s

    LEARNER = Learner()
"""


def learner(site: Path, trained: str, loads: str) -> dict[str, str]:
    package(
        site, "foreign", {"foreign": LEARNER % (trained, loads)}, "[clonetruth.learners]\nforeign = foreign:LEARNER\n"
    )
    return {"PYTHONPATH": f"{site}:{Path(clonetruth.__file__).parents[1]}"}


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plugins") / "embedded"
    clonetruth.import_dataset("embedded", output=folder)
    clonetruth.split_benchmark(folder, "random")
    return folder


def test_a_learner_without_history_trains(site: Path, benchmark: Path, tmp_path: Path) -> None:
    environment = learner(site, "Empty()", "raise ValueError('cannot')")
    split = sorted(path.stem for path in (benchmark / "splits").glob("*.parquet"))[0]
    arguments = ("train", "foreign", "--on", benchmark, "--view", split, "-o", tmp_path / "model")
    ran = run(*arguments, env=environment)
    assert ran.code == 0, ran.err
    assert "Written" in ran.out
    ran = run("predict", tmp_path / "model", "--on", benchmark, "-o", tmp_path / "p.csv", env=environment)
    assert ran.code == 7
    assert "The learner 'foreign' cannot load the model: ValueError: cannot" in " ".join(ran.err.split())


@pytest.mark.parametrize("trained", ["Trained()", "None", "Trained"])
def test_a_learner_that_returns_something_else_is_named(
    trained: str, site: Path, benchmark: Path, tmp_path: Path
) -> None:
    environment = learner(site, trained, "pass")
    split = sorted(path.stem for path in (benchmark / "splits").glob("*.parquet"))[0]
    arguments = ("train", "foreign", "--on", benchmark, "--view", split, "-o", tmp_path / "model")
    ran = run(*arguments, env=environment)
    assert ran.code == 7
    assert "learner 'foreign'" in ran.err
    assert not (tmp_path / "model").exists()
