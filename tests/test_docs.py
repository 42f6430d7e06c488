"""The documentation is complete: generated pages are up to date, and everything that can be named is described."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import clonetruth
from clonetruth.code import CUT_RULES, LANGUAGES
from clonetruth.detectors import DETECTORS, FINDERS
from clonetruth.evaluate.measurement import METRICS
from clonetruth.model import CRITERIA
from clonetruth.training import LEARNERS
from clonetruth.verdicts import POLICIES
from tests.conftest import ROOT

DOCS = ROOT / "docs"


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def all_text() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *DOCS.rglob("*.md")])


@pytest.mark.parametrize("name", generator().PAGES)
def test_generated_pages_are_up_to_date(name: str) -> None:
    text = generator().PAGES[name]().rstrip("\n") + "\n"
    assert (DOCS / name).read_text(encoding="utf-8") == text, "run: python docs/generate.py"


@pytest.mark.parametrize("name", [*LANGUAGES])
def test_every_language_is_documented(name: str) -> None:
    assert f"## {LANGUAGES[name].title}" in (DOCS / "languages.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*CUT_RULES, *POLICIES, *CRITERIA])
def test_every_rule_policy_and_criterion_is_documented(name: str) -> None:
    assert f"`{name}`" in all_text()


@pytest.mark.parametrize("name", [*METRICS, "macro-f1", "precision-at-recall-90", "map-at-r", "brier"])
def test_every_metric_is_defined(name: str) -> None:
    assert f"`{name}`" in (DOCS / "metrics.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*DETECTORS, *LEARNERS])
def test_every_detector_is_documented(name: str) -> None:
    assert f"`{name}`" in (DOCS / "detectors.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FINDERS)
def test_every_parameter_of_a_finder_is_documented(name: str) -> None:
    text = (DOCS / "detectors.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith(f"| `{name}` |"))
    for parameter, values in FINDERS[name].parameters.items():
        assert all(f"`{word}`" in row for word in (parameter, *values))


def test_every_public_name_is_documented() -> None:
    for name in clonetruth.__all__:
        if not name.startswith("__"):
            assert re.search(rf"\b{name}\b", all_text()), f"{name} is documented nowhere"


def links() -> list[tuple[Path, str]]:
    found = []
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                found.append((page, target))
    return found


@pytest.mark.parametrize(("page", "target"), links(), ids=lambda value: str(getattr(value, "name", value)))
def test_links_lead_somewhere(page: Path, target: str) -> None:
    assert (page.parent / target).exists()


def test_the_readme_has_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "pip install . && clonetruth demo" in text
    assert "<!-- test command -->" in text


def test_version_comes_from_one_place() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", clonetruth.__version__)
    assert "dynamic" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_every_promise_names_a_test_that_exists() -> None:
    promised = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (DOCS / "promises.md").read_text(encoding="utf-8"))
    assert len(promised) > 50
    missing = [
        f"{path}::{name}"
        for path, name in promised
        if not re.search(rf"^(async )?def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert missing == []
