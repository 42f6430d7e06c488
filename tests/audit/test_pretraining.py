"""CT212: fragments that a pretrained model may know."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

import pytest

from clonetruth.audit import audit_benchmark
from clonetruth.errors import InputError
from clonetruth.store import Benchmark
from tests.audit.drafts import Draft, function


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    draft = Draft().fragment("a", function(1, 5)).fragment("b", function(2, 5)).fragment("c", function(3, 5))
    return draft.pair("a", "b", "clone").pair("a", "c", "not-clone").create(tmp_path_factory.mktemp("audited") / "b")


def findings(benchmark: Benchmark, corpus: Path) -> list[tuple[int, int | None]]:
    report = audit_benchmark(benchmark, select=("CT212",), corpus=[corpus])
    return [(one.count, one.of) for one in report.findings]


def test_functions_of_a_folder_of_code(benchmark: Benchmark, tmp_path: Path) -> None:
    inside = "class X {\n\n" + function(1, 5).replace("\n", "\n\n  ") + "\n}\n"
    (tmp_path / "X.java").write_text(inside, encoding="utf-8")
    (tmp_path / "notes.txt").write_text(function(2, 5), encoding="utf-8")
    assert findings(benchmark, tmp_path) == [(1, 3)]


def test_a_file_of_hashes(benchmark: Benchmark, tmp_path: Path) -> None:
    hashes = tmp_path / "corpus.txt"
    texts = [" ".join(function(number, 5).split()) for number in (2, 3, 7)]
    lines = [blake2b(text.encode(), digest_size=8).hexdigest() for text in texts]
    hashes.write_text("\n".join(lines), encoding="utf-8")
    assert findings(benchmark, hashes) == [(2, 3)]
    hashes.write_text(lines[2], encoding="utf-8")
    assert findings(benchmark, hashes) == []


def test_a_corpus_that_cannot_be_used_is_an_error(benchmark: Benchmark, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file in a supported language"):
        findings(benchmark, tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        findings(benchmark, tmp_path / "missing")
    (tmp_path / "bad.txt").write_text("0123456789abcdef\nnot a hash\n", encoding="utf-8")
    with pytest.raises(InputError, match="'not' is not a hash"):
        findings(benchmark, tmp_path / "bad.txt")
