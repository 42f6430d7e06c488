"""Injection: fragments in real files, at known lines, and nothing else changed."""

from __future__ import annotations

import contextlib
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.build.file_insertion import HostFile
from clonetruth.build.inject import InjectionParameters, derive_injection
from clonetruth.build.mutants import MutantParameters, derive_mutants
from clonetruth.build.report import BuildReport
from clonetruth.code import decode, extract, language
from clonetruth.errors import InputError
from clonetruth.store import Benchmark
from tests.build.trees import function, imported, tree, write_file
from tests.code.sample_functions import SAMPLE_FUNCTIONS


def mutants(folder: Path, language_name: str = "java", **options: float) -> Benchmark:
    """A benchmark of mutants in a language."""
    parent = imported(folder / "parent", tree(folder / "source", language_name))
    return Benchmark.open(
        derive_mutants(parent, folder / "mutants", MutantParameters(negatives=options.get("negatives", 0))).path
    )


def injected(folder: Path, language_name: str = "java") -> tuple[Path, BuildReport]:
    """A system, and what came of placing mutants into it."""
    system = tree(folder / "system", language_name, files=6, first=100)
    return system, derive_injection(mutants(folder, language_name), folder / "made", InjectionParameters(system))


def without(data: bytes, ranges: list[tuple[int, int]]) -> bytes:
    """A file without some lines, and without the blank one before each."""
    lines = data.split(b"\n")
    for first, last in sorted(ranges, reverse=True):
        del lines[first - 2 : last]
    return b"\n".join(lines)


@pytest.mark.parametrize("language_name", SAMPLE_FUNCTIONS)
def test_fragments_are_at_the_recorded_lines_and_nothing_else_changed(tmp_path: Path, language_name: str) -> None:
    before = {
        path: path.read_bytes() for path in tree(tmp_path / "system", language_name, files=6, first=100).iterdir()
    }
    system, report = injected(tmp_path, language_name)
    assert {path: path.read_bytes() for path in system.iterdir()} == before, "the system itself is not touched"
    made = Benchmark.open(report.path)
    made.verify()
    places: dict[str, list[tuple[int, int]]] = {path.name: [] for path in before}
    for row in made.table("fragments").to_pylist():
        lines = decode((made.path / "system" / row["path"]).read_bytes()).text.split("\n")
        shown = "\n".join(lines[row["first_line"] - 1 : row["last_line"]])
        assert shown.strip() == row["text"].strip()
        assert row["project"] == "system"
        places[row["path"]].append((row["first_line"], row["last_line"]))
    assert sum(map(len, places.values())) == made.counts["fragments"] == 24
    for path, data in before.items():
        changed = (made.path / "system" / path.name).read_bytes()
        assert not extract(changed, language(language_name)).problems
        assert without(changed, places[path.name]) == data
        if language_name == "python":
            compile(changed, path.name, "exec")  # the grammar forgives indentation that Python does not


def test_the_fragments_of_a_pair_are_never_in_one_file(tmp_path: Path) -> None:
    system = tree(tmp_path / "system", files=2, first=100)
    report = derive_injection(mutants(tmp_path, negatives=1.0), tmp_path / "made", InjectionParameters(system))
    pairs = Benchmark.open(report.path).sql(
        "SELECT l.path AS one, r.path AS other FROM pairs p "
        "JOIN fragments l ON p.left = l.fragment JOIN fragments r ON p.right = r.fragment"
    )
    assert pairs.num_rows
    assert all(row["one"] != row["other"] for row in pairs.to_pylist())


def test_judgements_on_the_pairs_are_copied(tmp_path: Path) -> None:
    parent = mutants(tmp_path)
    report = derive_injection(parent, tmp_path / "made", InjectionParameters(tree(tmp_path / "system", first=100)))
    made = Benchmark.open(report.path)
    query = "SELECT judge, criterion, value, reason, evidence FROM judgements ORDER BY pair"
    assert made.sql(query) == parent.sql(query)
    claimed = "SELECT claimed_type, claimed_similarity_line, claimed_similarity_token FROM pairs ORDER BY pair"
    assert made.sql(claimed) == parent.sql(claimed)
    assert made.measure_names() == ["min"]


def test_another_seed_gives_other_locations(tmp_path: Path) -> None:
    parent, system = mutants(tmp_path), tree(tmp_path / "system", first=100)
    hashes = [
        Benchmark.open(
            derive_injection(parent, tmp_path / f"made{at}", InjectionParameters(system, seed)).path
        ).content_hash
        for at, seed in enumerate((1, 1, 2))
    ]
    assert hashes[0] == hashes[1] != hashes[2]


def test_files_that_cannot_be_hosts_are_copied_as_they_are(tmp_path: Path) -> None:
    system = tree(tmp_path / "system", files=3, first=100)
    odd = {
        "broken.java": b"class A { void f( { }",
        "binary.java": b"class A {\0}",
        "wide.java": "class A { void f() { } }".encode("utf-16"),
        "mixed.java": b"class A {\r\n void f() { }\n}\n",
        "notes.txt": b"\xff\xfe",
    }
    for name, data in odd.items():
        (system / name).write_bytes(data)
    (system / ".git").mkdir()
    (system / ".git" / "hook.java").write_text("class A { void f() { } }")
    (system / "loop").symlink_to(system, target_is_directory=True)
    report = derive_injection(mutants(tmp_path), tmp_path / "made", InjectionParameters(system))
    for name, data in odd.items():
        assert (report.path / "system" / name).read_bytes() == data
    assert not (report.path / "system" / ".git").exists()
    assert (report.path / "system" / "loop").is_symlink()


@pytest.mark.parametrize("change", ["windows", "latin-1", "no end", "byte order mark"])
def test_a_file_keeps_its_encoding_and_its_line_ends(tmp_path: Path, change: str) -> None:
    write_file(tmp_path / "A.java", "java", [function("java", 1), function("java", 2)])
    data = (tmp_path / "A.java").read_bytes()
    text = {
        "windows": data.replace(b"\n", b"\r\n"),
        "latin-1": b"// caf\xe9\n" + data,
        "no end": data.rstrip(b"\n"),
        "byte order mark": b"\xef\xbb\xbf" + data,
    }[change]
    (tmp_path / "A.java").write_bytes(text)
    host = HostFile.read(tmp_path / "A.java", language("java"))
    assert host is not None
    fragment = 'void f() {\n    g("é");\n}'
    assert host.insert(7, fragment, Random(0))
    (guest,) = host.inserted
    assert without(host.data, [(guest.first_line, guest.last_line)]) == text
    lines = host.data.split(b"\n")[guest.first_line - 1 : guest.last_line]
    encoding = "latin-1" if change == "latin-1" else "utf-8"
    assert b"\n".join(lines).decode(encoding).replace("\r", "").strip() == fragment
    assert all(line.endswith(b"\r") == (change == "windows") for line in lines)


def test_a_fragment_that_the_encoding_cannot_write_goes_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_bytes(b"class A {\n    // caf\xe9\n    void f() { }\n}\n")
    host = HostFile.read(tmp_path / "A.java", language("java"))
    assert host is not None
    assert not host.insert(0, "void g() { h('→'); }", Random(0))
    assert host.inserted == []


@settings(max_examples=25)
@given(
    seeds=st.lists(st.integers(0, 10_000), min_size=1, max_size=6),
    language_name=st.sampled_from(sorted(SAMPLE_FUNCTIONS)),
)
def test_many_inserted_fragments_keep_their_lines(
    tmp_path_factory: pytest.TempPathFactory, seeds: list[int], language_name: str
) -> None:
    path = tmp_path_factory.mktemp("host") / "host"
    write_file(path, language_name, [function(language_name, number) for number in range(3)])
    data = path.read_bytes()
    host = HostFile.read(path, language(language_name))
    assert host is not None
    texts = {number: function(language_name, 10 + number) for number in range(len(seeds))}
    for number, seed in enumerate(seeds):
        assert host.insert(number, texts[number], Random(seed))
    lines = host.data.decode().split("\n")
    for guest in host.inserted:
        assert "\n".join(lines[guest.first_line - 1 : guest.last_line]).strip() == texts[guest.fragment]
    assert without(host.data, [(guest.first_line, guest.last_line) for guest in host.inserted]) == data


def test_a_method_with_a_decorator_finds_a_place_where_its_indentation_is_right(tmp_path: Path) -> None:
    method = "@property\n    def value(self):\n        return self.total"
    (tmp_path / "a.py").write_text("def f():\n    return 1\n\n\nclass A:\n    def g(self):\n        return 2\n")
    for seed in range(10):
        host = HostFile.read(tmp_path / "a.py", language("python"))
        assert host is not None
        assert host.insert(0, method, Random(seed))
        compile(host.data, "a.py", "exec")
        assert [one.class_path for one in extract(host.data, language("python")).functions] == [(), ("A",), ("A",)]


@pytest.mark.parametrize(
    ("fragment", "fits"),
    [
        ("def v(self):\n        return 1", True),
        ("def v(self):\n    return 1", False),
        ("def v(self): return 1", True),
        ("@a\n    @b\n    def v(self):\n        return 1", True),
        ("@a\ndef v(self):\n    return 1", False),
        ("def v(self):\n        return 1\n\n    def w(self):\n        return 2", True),
        ("def v(self):\n\treturn 1", False),
    ],
)
def test_indentation_must_match(tmp_path: Path, fragment: str, fits: bool) -> None:
    (tmp_path / "a.py").write_text("class A:\n    def g(self):\n        return 2\n")
    host = HostFile.read(tmp_path / "a.py", language("python"))
    assert host is not None
    assert host.insert(0, fragment, Random(0)) == fits
    compile(host.data, "a.py", "exec")


def test_unsuitable_folders_are_refused(tmp_path: Path) -> None:
    parent = mutants(tmp_path)
    with pytest.raises(InputError, match="The folder does not exist"):
        derive_injection(parent, tmp_path / "made", InjectionParameters(tmp_path / "nowhere"))
    system = tree(tmp_path / "system", "python")
    with pytest.raises(InputError, match="No pair could be inserted"):
        derive_injection(parent, tmp_path / "made", InjectionParameters(system))
    with pytest.raises(InputError, match="inside the system"):
        derive_injection(parent, system / "made", InjectionParameters(system))
    assert not (tmp_path / "made").exists()
    assert not (system / "made").exists()


def test_one_file_cannot_take_both_fragments_of_a_pair(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No pair could be inserted"):
        derive_injection(mutants(tmp_path), tmp_path / "made", InjectionParameters(tree(tmp_path / "system", files=1)))


def test_files_behind_links_are_not_written_to(tmp_path: Path) -> None:
    """A stranger's system: its links may lead to the user's files."""
    system = tree(tmp_path / "system", "java", files=6, first=100)
    outside = tmp_path / "outside"
    outside.mkdir()
    for number, path in enumerate(sorted(system.rglob("*.java"))):
        path.rename(outside / f"{number}.java")
        path.symlink_to(outside / f"{number}.java")
    before = {path.name: path.read_bytes() for path in outside.iterdir()}
    assert before
    with contextlib.suppress(InputError):
        derive_injection(mutants(tmp_path), tmp_path / "made", InjectionParameters(system))
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == before
