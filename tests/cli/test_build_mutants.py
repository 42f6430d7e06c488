"""`clonetruth build mutants` and `build inject` as processes, up to an evaluated report."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.build.trees import tree
from tests.cli.running import run


@pytest.mark.slow
def test_from_source_code_to_recall_by_operator(tmp_path: Path) -> None:
    source, system = tree(tmp_path / "source"), tree(tmp_path / "system" / "src", first=100).parent
    ran = run(
        "build", "mutants", source, "-o", tmp_path / "mutants", "--operators", "mCC_EOL,mSRI", "--operators", "mDL"
    )
    assert ran.code == 0, ran.err
    assert "near misses" in ran.out
    assert "Balance" not in ran.out, "there are no functionalities to balance"
    ran = run("evaluate", "--detector", "renamed", "--on", tmp_path / "mutants")
    assert ran.code == 0, ran.err
    recalls = {
        words[0]: words[2] for line in ran.out.splitlines() if (words := line.split()) and words[0].startswith("m")
    }
    assert {name: recalls[name] for name in ("mCC_EOL", "mSRI", "mDL")} == {
        "mCC_EOL": "1.0000",
        "mSRI": "1.0000",
        "mDL": "0.0000",
    }
    ran = run("build", "inject", system, "--fragments", tmp_path / "mutants", "-o", tmp_path / "injected", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["counts"]["fragments"] == 24
    report = tmp_path / "tool.csv"
    report.write_text(_first_pair(tmp_path / "injected"))
    ran = run("evaluate", report, "--on", tmp_path / "injected")
    assert ran.code == 0, ran.err
    assert "By the operator that made the pair" in ran.out
    assert "unit-precision" in ran.out
    assert "believed" not in ran.out


def _first_pair(benchmark: Path) -> str:
    """The places of the first pair, as BigCloneEval's CSV."""
    pair = pq.read_table(benchmark / "pairs.parquet").to_pylist()[0]
    fragments = pq.read_table(benchmark / "fragments.parquet").to_pylist()
    sides = (fragments[pair["left"]], fragments[pair["right"]])
    fields = [part for one in sides for part in (*one["path"].split("/"), one["first_line"], one["last_line"])]
    return ",".join(map(str, fields)) + "\n"


def test_a_benchmark_is_a_source_too(tmp_path: Path) -> None:
    assert run("import", "folder", tree(tmp_path / "source"), "-o", tmp_path / "functions").code == 0
    ran = run("build", "mutants", tmp_path / "functions", "-o", tmp_path / "mutants", "--originals", 2, "--json")
    assert ran.code == 0, ran.err
    assert ran.json["steps"][0]["counts"]["kept"] == 2


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("mutants", "nowhere", "-o", "made"), 3, "no such file or folder"),
        (("mutants", "empty", "-o", "made"), 3, "No fragment was found"),
        (("mutants", "source", "-o", "made", "--operators", "mSRJ"), 5, "There is no operator 'mSRJ'"),
        (("mutants", "source", "-o", "made", "--per-fragment", "0"), 3, "Choose 1 or more"),
        (("mutants", "source", "-o", "made", "--min-tokens", "9999"), 3, "No fragment can be mutated"),
        (("mutants", "source", "-o", "source"), 3, "exists already"),
        (("inject", "nowhere", "--fragments", "functions", "-o", "made"), 3, "The folder does not exist"),
        (("inject", "source", "--fragments", "functions", "-o", "made"), 3, "No pair could be inserted"),
        (("inject", "source", "--fragments", "nowhere", "-o", "made"), 4, "nowhere"),
    ],
)
def test_errors_are_explained(workplace: Path, arguments: tuple[str, ...], code: int, message: str) -> None:
    ran = run("build", *arguments, cwd=workplace)
    assert ran.code == code, ran.err
    assert message in " ".join(ran.err.split())
    assert not (workplace / "made").exists()


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workplace")
    tree(folder / "source")
    (folder / "empty").mkdir()
    assert run("import", "folder", folder / "source", "-o", folder / "functions").code == 0
    return folder
