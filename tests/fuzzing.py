"""The mutating fuzzer: every registered source and report format, and every other kind of file, with mutated input.

A reader may succeed, or raise a `CloneTruthError`. Another exception, a signal, a time-out or too much memory is a
finding. Sources and report formats come from the registries, so that a new one is fuzzed without a line here; the other
targets are in `tests/fuzz_targets.py`.

    python -m tests.fuzzing FIRST COUNT [TARGET …]    mutated inputs number FIRST to FIRST + COUNT - 1 of each target

Each number determines its mutations; a finding prints the command that repeats it.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from clonetruth.errors import CloneTruthError
from tests.arrow_files.flipped_bits import flip
from tests.fuzz_targets import Target, own_targets

SECONDS = 60
"""For one input."""
MEMORY = 6 * 1024**3
_TOKENS: tuple[bytes, ...] = (
    b"",
    b"0",
    b"-1",
    b"99999999999999999999",
    b"1e999",
    b"NaN",
    b"null",
    b"[]",
    b"{}",
    b'"',
    b"'",
    b"\0",
)
_TOKENS += (b"\xff", b"\xef\xbb\xbf", b"\r\n", b",", b"\t", b"../../x", b"A" * 5000, b"[" * 3000, "\u202e".encode())


def targets() -> dict[str, Target]:
    """What is fuzzed, by name."""
    from clonetruth.formats.reports import REPORT_FORMATS
    from clonetruth.sources import SOURCES
    from clonetruth.store import Benchmark
    from tests.formats.reports import samples
    from tests.sources.fixtures import FIXTURES
    from tests.store.samples import small

    found = own_targets()
    for name in sorted(set(SOURCES) - {"embedded"}):
        found[f"source:{name}"] = (
            FIXTURES[name],
            partial(_import, name),
        )
    for name in sorted(REPORT_FORMATS):
        for number, sample in enumerate(one for one in samples.SAMPLES.values() if one.format == name):
            found[f"report:{name}:{number}"] = (
                sample.write,
                partial(_read_report, name),
            )

    def opened(paths: list[Path], out: Path) -> None:
        benchmark = Benchmark.open(paths[0])
        benchmark.datasheet()
        benchmark.verify()

    found["benchmark"] = (lambda folder: [small(folder / "b").path], opened)
    return found


def _import(name: str, paths: list[Path], out: Path) -> object:
    from clonetruth.sources import import_dataset
    from tests.sources.fixtures import OPTIONS

    return import_dataset(name, paths, output=out / "b", option=OPTIONS.get(name))


def _read_report(name: str, paths: list[Path], out: Path) -> object:
    from tests.formats.reports.samples import read

    return read(name, paths)


def _inside(data: bytes, chance: random.Random) -> bytes:
    """Mutations of any bytes; several may be applied."""
    kind = chance.randrange(9)
    at = chance.randrange(len(data) + 1)
    if kind == 0:
        return flip(data, chance) if data else data
    if kind == 1:
        return data[:at]
    if kind == 2:
        return data[:at] + chance.choice(_TOKENS) + data[at:]
    if kind == 3:
        return data[:at] + data[chance.randrange(len(data) + 1) :]
    lines = data.splitlines(keepends=True)
    if kind == 4 and lines:
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines) * chance.choice((1, 1, 50)))
        return b"".join(lines)
    if kind == 5 and lines:
        del lines[chance.randrange(len(lines))]
        return b"".join(lines)
    if kind == 6 and lines:
        # Values of a table: exchange the cells of a row.
        row = chance.randrange(len(lines))
        mark = chance.choice((b",", b"\t", b"|", b" "))
        cells = lines[row].split(mark)
        cells[chance.randrange(len(cells))] = chance.choice((*_TOKENS, *cells))
        lines[row] = mark.join(cells)
        return b"".join(lines)
    return _json(data, chance)


def _json(data: bytes, chance: random.Random) -> bytes:
    """Another type or value somewhere in a JSON document, or in a line of JSON."""
    lines = data.split(b"\n")
    row = chance.randrange(len(lines))
    for at, text in ((None, data), (row, lines[row])):
        try:
            value = json.loads(text)
        except ValueError:
            continue
        changed = json.dumps(_changed(value, chance)).encode()
        if at is None:
            return changed
        lines[at] = changed
        return b"\n".join(lines)
    return data[::-1]


def _changed(value: object, chance: random.Random) -> object:
    if isinstance(value, dict) and value and chance.random() < 0.8:
        key = chance.choice(list(value))
        if chance.random() < 0.2:
            return {name: item for name, item in value.items() if name != key}
        return {**value, key: _changed(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.8:
        at = chance.randrange(len(value))
        return [*value[:at], _changed(value[at], chance), *value[at + 1 :]]
    return chance.choice((None, True, -1, 1e300, 10**30, "", "x", "\ud800", "../x", [], {}, [[[1]]], {"a": None}))


def mutate(path: Path, chance: random.Random) -> None:
    """Change a file: what is in it, or, for compressed ones, perhaps what is packed in it."""
    data = path.read_bytes()
    packed = path.suffix == ".gz" and chance.random() < 0.7
    if packed:
        data = gzip.decompress(data)
    for _ in range(chance.choice((1, 1, 2, 5))):
        data = _inside(data, chance)
    path.write_bytes(gzip.compress(data, 1) if packed else data)


def run(name: str, target: Target, first: int, count: int) -> Iterator[tuple[int, str]]:
    """The outcome of each mutated input, read in this process."""
    write, read = target
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(first, first + count):
            chance = random.Random(f"{name} {number}")
            folder = Path(scratch, str(number))
            (folder / "files").mkdir(parents=True)
            (folder / "out").mkdir()
            paths = write(folder / "files")
            files = sorted(path for path in (folder / "files").rglob("*") if path.is_file())
            for path in chance.sample(files, min(len(files), chance.choice((1, 1, 2)))):
                mutate(path, chance)
            yield number, "started"
            try:
                read(paths, folder / "out")
                yield number, "read"
            except CloneTruthError:
                yield number, "refused"
            except Exception as error:  # a finding
                yield number, f"{type(error).__name__}: {str(error)[:200]}"
            shutil.rmtree(folder, ignore_errors=True)


def findings(first: int, count: int, names: list[str] | None = None) -> Iterator[str]:
    """What must not happen, and the command that repeats it. The readers run in another process."""
    waiting = [(name, number) for name in names or targets() for number in range(first, first + count)]
    while waiting:
        outcomes, how = _child(waiting)
        for (name, number), outcome in outcomes.items():
            if outcome not in ("read", "refused", "started"):
                yield f"{outcome}\n    python -m tests.fuzzing {number} 1 {name}"
        if how is not None and outcomes:
            name, number = list(outcomes)[-1]
            yield f"{how}\n    python -m tests.fuzzing {number} 1 {name}"
        elif how is not None:
            raise RuntimeError(how)
        waiting = [one for one in waiting if one not in outcomes] if how is not None else []


def _child(waiting: list[tuple[str, int]]) -> tuple[Mapping[tuple[str, int], str], str | None]:
    command = [sys.executable, "-m", "tests.fuzzing", "--child"]
    done = subprocess.run(command, input=json.dumps(waiting), capture_output=True, text=True, check=False)
    outcomes: dict[tuple[str, int], str] = {}
    for line in done.stdout.splitlines():
        name, number, outcome = json.loads(line)
        outcomes[name, number] = outcome
    if done.returncode == 0:
        return outcomes, None
    if done.returncode == -signal.SIGALRM:
        return outcomes, f"time-out after {SECONDS} s"
    return outcomes, f"exit code {done.returncode}: {done.stderr[-300:]}"


def main() -> int:
    """Run as a program; 1 if there are findings."""
    arguments = sys.argv[1:]
    if arguments[0] == "--child":
        known = targets()
        if sys.platform != "win32":
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        for name, number in json.load(sys.stdin):
            for _, outcome in run(name, known[name], number, 1):
                if sys.platform != "win32":
                    signal.alarm(SECONDS)
                os.write(1, (json.dumps([name, number, outcome]) + "\n").encode())
        return 0
    found = list(findings(int(arguments[0]), int(arguments[1]), arguments[2:] or None))
    os.write(1, ("\n".join([*found, f"{len(found)} findings"]) + "\n").encode("utf-8", "replace"))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
