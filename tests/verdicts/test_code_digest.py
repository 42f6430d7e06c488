"""Digests of the code behind a policy: whatever changes a verdict changes the digest."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import importlib.util
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from clonetruth.errors import InputError
from clonetruth.store import Benchmark
from clonetruth.verdicts import POLICIES, Policy, consensus, judge_verdicts
from clonetruth.verdicts import policies as policies_module
from clonetruth.verdicts.code_digest import code_digest
from tests.verdicts.test_consensus import polled

dawid_skene_module = importlib.import_module("clonetruth.stats.dawid_skene")
POLLS = ("person ++-", "person +-", "person -++", "person --", "llm +- person +")


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    return polled(tmp_path / "polled", POLLS)


CHANGES: dict[str, tuple[Any, str, Any]] = {
    "the prior": (consensus, "_PRIOR", np.array([[1.0, 2.0], [2.0, 1.0]])),
    "the classes": (consensus, "_CLASSES", tuple(reversed(consensus._CLASSES))),
    "the number of iterations": (dawid_skene_module, "_ITERATIONS", 1),
    "the tolerance of a helper": (dawid_skene_module, "STILL", 0.3),
    "the estimator": (consensus, "dawid_skene", lambda *given: dawid_skene_module.dawid_skene(*given)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changing_what_a_policy_uses_changes_its_digest(
    benchmark: Benchmark, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = judge_verdicts(benchmark, "dawid-skene")
    module, name, value = CHANGES[change]
    monkeypatch.setattr(module, name, value)
    after = judge_verdicts(benchmark, "dawid-skene")
    assert after.digest != before.digest
    assert after.path != before.path
    monkeypatch.undo()
    assert judge_verdicts(benchmark, "dawid-skene").digest == before.digest


def test_a_flipped_prior_does_not_serve_the_cached_table(benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    before = judge_verdicts(benchmark, "dawid-skene").table
    monkeypatch.setattr(consensus, "_PRIOR", np.array([[1.0, 200.0], [200.0, 1.0]]))
    assert judge_verdicts(benchmark, "dawid-skene").table["verdict"] != before["verdict"]


def test_roles_of_judges_are_in_the_digest(benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are decided in Python, and reach the policy as rows."""
    before = judge_verdicts(benchmark, "majority").digest
    monkeypatch.setattr(policies_module, "_DECIDING_ROLES", ())
    assert judge_verdicts(benchmark, "majority").digest != before


SOURCE = '''
"""A module of policies."""
LIMIT = {limit}

def helper(value):
    """{docstring}"""
    return value > LIMIT {operator} 1  # {comment}

class Holder:
    def __init__(self, level):
        self.level = level
    def __call__(self, table):
        return helper(self.level)

def policy(table, shift={default}):
    return [helper(row + shift) for row in table]
'''
PLAIN = {"limit": "1", "docstring": "One.", "operator": "+", "comment": "none", "default": "0"}


def defined(folder: Path, **changes: str) -> dict[str, Any]:
    """The names of a module, written to a file of its own."""
    folder.mkdir()
    path = folder / "plain_policies.py"
    path.write_text(SOURCE.format(**{**PLAIN, **changes}), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("plain_policies", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"limit": "2"}, False),
        ({"operator": "-"}, False),
        ({"default": "1"}, False),
        ({"docstring": "Two."}, True),
        ({"comment": "another"}, True),
    ],
)
def test_code_and_constants_count_and_comments_do_not(tmp_path: Path, changes: dict[str, str], same: bool) -> None:
    one, other = defined(tmp_path / "one"), defined(tmp_path / "other", **changes)
    assert (code_digest(one["policy"]) == code_digest(other["policy"])) is same
    assert (code_digest(one["Holder"](1)) == code_digest(other["Holder"](1))) is (same or "default" in changes)


def with_level(level: float) -> Callable[[float], float]:
    def raised(value: float) -> float:
        return value + level

    return raised


@dataclasses.dataclass(frozen=True)
class Parameters:
    level: float

    def __call__(self, value: float) -> float:
        return value + self.level

    def method(self, value: float) -> float:
        return value * self.level


def scaled(value: float, *, by: Any) -> Any:
    return value * by


@pytest.mark.parametrize(
    "make",
    [
        with_level,
        Parameters,
        lambda level: Parameters(level).method,
        lambda level: functools.partial(scaled, by=level),
        lambda level: functools.partial(scaled, by={"levels": [np.float64(level)]}),
        lambda level: functools.partial(scaled, by=np.array([1.0, level])),
        lambda level: functools.partial(scaled, by=pa.array([level])),
        lambda level: lambda value: value + level,
    ],
)
def test_parameters_are_part_of_the_digest(make: Callable[[float], Callable[..., Any]]) -> None:
    assert code_digest(make(0.1)) == code_digest(make(0.1))
    assert code_digest(make(0.1)) != code_digest(make(0.2))


def test_a_policy_with_parameters_has_a_table_for_each(benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    def policy(level: float) -> Policy:
        def conclude(judgements: pa.Table) -> pa.Table:
            found = consensus.conclude(judgements)
            verdict = pa.array(["clone" if level > 0.5 else "unknown"] * found.num_rows)
            return found.set_column(found.schema.get_field_index("verdict"), "verdict", verdict)

        return dataclasses.replace(POLICIES["dawid-skene"], name="mine", conclude=conclude)

    found = []
    for level in (0.2, 0.8):
        monkeypatch.setitem(POLICIES._loaded, "mine", policy(level))
        found.append(judge_verdicts(benchmark, "mine"))
    assert found[0].digest != found[1].digest
    assert found[0].counts != found[1].counts


def test_a_value_without_stable_content_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "open").open("w") as file, pytest.raises(InputError, match="TextIOWrapper"):
        code_digest(functools.partial(scaled, by=file))


def test_the_digest_is_the_same_in_every_process() -> None:
    script = textwrap.dedent(
        """
        from clonetruth.verdicts.code_digest import code_digest
        from clonetruth.verdicts.consensus import conclude
        print(code_digest(conclude))
        """
    )
    runs = [
        subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout for _ in "12"
    ]
    assert runs[0] == runs[1]
    assert runs[0].strip() == code_digest(consensus.conclude)
