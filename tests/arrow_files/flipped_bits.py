"""Files with a few flipped bits, read in a process that may crash: the adversary of everything that reads Arrow.

`python -m tests.arrow_files.flipped_bits KIND FIRST COUNT` reads the files number FIRST to FIRST + COUNT - 1 of a kind,
and prints the number of each before it is read: after a crash, the last number is the culprit.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from clonetruth.arrow_files import arrow_batches, python_rows, read_parquet
from clonetruth.errors import CloneTruthError
from clonetruth.formats.huggingface import Shard, read_shard
from clonetruth.formats.tables import read_rows
from clonetruth.formats.vectors import load_vectors
from clonetruth.store import Benchmark
from tests.store.samples import small


def _table() -> pa.Table:
    count = 300
    return pa.table(
        {
            "id": [f"id-{number}" for number in range(count)],
            "text": ["int f() { return é; }\n" * (number % 7) for number in range(count)],
            "language": [("java", "c", None)[number % 3] for number in range(count)],
            "score": [number / 7 if number % 5 else None for number in range(count)],
            "time": pa.array([number * 10**9 for number in range(count)], pa.timestamp("us", "UTC")),
        }
    )


def _vectors() -> pa.Table:
    return pa.table({"id": [str(n) for n in range(200)], "vector": [[float(n), 0.5, -1.0] for n in range(200)]})


def _ipc(path: Path, table: pa.Table, *, stream: bool) -> None:
    with (pa.ipc.new_stream if stream else pa.ipc.new_file)(str(path), table.schema) as writer:
        writer.write_table(table, max_chunksize=100)


def _benchmark(folder: Path) -> None:
    small(folder / "b")


def _read_benchmark(folder: Path) -> None:
    benchmark = Benchmark.open(folder / "b")
    for table in ("fragments", "pairs", "judgements", "memberships"):
        benchmark.table(table).to_pylist()
    benchmark.sql("SELECT * FROM fragments f JOIN pairs p ON f.fragment = p.left JOIN judgements j ON j.pair = p.pair")


KINDS: dict[str, tuple[Callable[[Path], None], Callable[[Path], object]]] = {
    "rows": (lambda f: pq.write_table(_table(), f / "rows.parquet"), lambda f: list(read_rows(f / "rows.parquet"))),
    "plain": (
        lambda f: pq.write_table(_table(), f / "x.parquet", compression="none", use_dictionary=False),
        lambda f: read_parquet(f / "x.parquet").to_pylist(),
    ),
    "vectors": (
        lambda f: pq.write_table(_vectors(), f / "v.parquet", compression="none"),
        lambda f: load_vectors(f / "v.parquet"),
    ),
    "stream": (
        lambda f: _ipc(f / "s.arrow", _vectors(), stream=True),
        lambda f: list(read_shard(Shard(f / "s.arrow", None))),
    ),
    "file": (
        lambda f: _ipc(f / "f.arrow", _table(), stream=False),
        lambda f: [python_rows(batch, f) for batch in arrow_batches(f / "f.arrow")],
    ),
    "benchmark": (_benchmark, _read_benchmark),
}
"""How the files of a kind are written, and how the library reads them."""


def flip(data: bytes, chance: random.Random) -> bytes:
    """The bytes with one or two flipped bits, often near the beginning or the end, where the structure is."""
    damaged = bytearray(data)
    span = chance.choice((len(data), min(3000, len(data))))
    start = chance.choice((0, len(data) - span))
    for _ in range(chance.choice((1, 2))):
        damaged[start + chance.randrange(span)] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def read_damaged(kind: str, first: int, count: int) -> Iterator[tuple[int, str]]:
    """The numbers of the files, each before it is read, and then its outcome."""
    write, read = KINDS[kind]
    with tempfile.TemporaryDirectory() as scratch:
        good = Path(scratch, "good")
        good.mkdir()
        write(good)
        files = sorted(path for path in good.rglob("*.*") if path.suffix in (".parquet", ".arrow"))
        for number in range(first, first + count):
            chance = random.Random(f"{kind} {number}")
            folder = Path(scratch, str(number))
            shutil.copytree(good, folder)
            victim = folder / chance.choice(files).relative_to(good)
            victim.write_bytes(flip(victim.read_bytes(), chance))
            yield number, "started"
            try:
                read(folder)
                yield number, "read"
            except CloneTruthError as error:
                yield number, "refused" if str(error) else "refused without a word"
            except Exception as error:  # the outcome of a test
                yield number, f"{type(error).__name__}: {error}"
            shutil.rmtree(folder)


def outcomes(kind: str, first: int, count: int) -> dict[int, str]:
    """The outcome of each file, read in another process."""
    command = [sys.executable, "-m", "tests.arrow_files.flipped_bits", kind, str(first), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    found = {}
    for line in done.stdout.splitlines():
        number, _, outcome = line.partition(" ")
        found[int(number)] = outcome
    if done.returncode:
        found[max(found, default=first)] = f"exit code {done.returncode}: {done.stderr[-500:]}"
    return found


if __name__ == "__main__":
    for number_, outcome_ in read_damaged(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])):
        print(number_, outcome_, flush=True)
