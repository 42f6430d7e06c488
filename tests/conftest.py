"""Shared fixtures: where the real data is, and a closing list of what could not be run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from clonetruth.user_cache import CACHE_VARIABLE
from tests.durations import long_modules, slow_tests
from tests.postgresql import Cluster, cluster, programs

# How long an example takes depends on the load of the machine; a test must not fail for that. Every run tries the same
# examples, so that a change is refused for what it changed; `--hypothesis-profile explore` looks for new ones.
settings.register_profile("clonetruth", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, derandomize=False, max_examples=300)
settings.load_profile("clonetruth")

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"


@pytest.fixture(scope="session", autouse=True)
def user_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A configuration folder without settings for the tests, and for the processes that they start."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("config")
        patch.setenv("XDG_CONFIG_HOME", str(folder))
        yield folder


@pytest.fixture(scope="session", autouse=True)
def user_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache of its own for the tests, also for the processes that they start."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("cache")
        patch.setenv(CACHE_VARIABLE, str(folder))
        yield folder


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real benchmarks next to the project; the test is skipped without it."""
    folder = SHARED / "data"
    if not folder.is_dir():
        pytest.skip("the real benchmarks (../shared/data) are not next to the project")
    return folder


@pytest.fixture(scope="session")
def shared_bigcloneeval() -> Path:
    """The numbers that BigCloneEval itself printed; the test is skipped without them."""
    folder = SHARED / "bigcloneeval"
    if not folder.is_dir():
        pytest.skip("BigCloneEval's golden numbers (../shared/bigcloneeval) are not next to the project")
    return folder


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    """A running server; the test is skipped without PostgreSQL or its driver."""
    pytest.importorskip("psycopg", reason="PostgreSQL's driver (the extra 'postgres') is not installed")
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed")
    with cluster(found) as server:
        yield server


@pytest.fixture(scope="session")
def shared_sourcerercc() -> Path:
    """What SourcererCC itself found in blocks of Ant; the test is skipped without it."""
    folder = SHARED / "sourcerercc"
    if not folder.is_dir():
        pytest.skip("SourcererCC's golden case (../shared/sourcerercc) is not next to the project")
    return folder


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is on the list of slow tests, and let long modules begin (with `--no-loadscope-reorder`)."""
    slow = slow_tests()
    for item in items:
        if isinstance(item, pytest.Function) and _listed_name(item) in slow:
            item.add_marker("slow")
    long = long_modules()
    items.sort(key=lambda item: -long.get(item.nodeid.partition("::")[0].removesuffix(".py").replace("/", "."), 0))


def _listed_name(item: pytest.Function) -> str:
    """The name of a test function as the list of slow tests has it."""
    holders = [item.module.__name__, *([item.cls.__qualname__] if item.cls else [])]
    return f"{'.'.join(holders)}::{item.originalname}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what this machine could not run, with the reason, at the very end."""
    reasons: dict[str, int] = {}
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reason = reason.removeprefix("Skipped: ")
        reasons[reason] = reasons.get(reason, 0) + 1
    if reasons:
        terminalreporter.section("not run on this machine")
        for reason, count in sorted(reasons.items()):
            terminalreporter.line(f"{count:4} × {reason}")
