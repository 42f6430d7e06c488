"""`clonetruth find` compared with jscpd 5: ``python -m bench.bench_find FOLDER… [--jscpd PROGRAM] [--million N…]``.

Point it at about a million lines of Java, for instance Debian's source packages of Tomcat, HSQLDB and Ant. Whole
processes are measured: CPU seconds including children, wall-clock seconds, and peak memory of the largest process.
jscpd finds Type-1 blocks; clonetruth finds functions of Type-1, Type-2 and Type-3 (`exact`, `renamed`, `tokens`):
without an index, with an empty one (cold), with the one of the previous run (warm), and warm after ten files were
edited.

Two processes are also measured by who works: the CPU seconds of the main process and of its workers. The critical path
is the main process and, wherever it waits for workers, the one that worked longest; with an idle core for each, a run
takes about as long. On a busy machine, the clock says nothing.

Growth is measured on copies of the files. Each copy adds its own suffix to names and further statements to every block,
so that the copies are not clones of each other.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measurement import machine
from clonetruth.code import available_cores, language, source_files
from clonetruth.code.language import TokenKind

_JAVA = language("java")
_LIMITS = ("--max-lines", "10000000", "--max-size", "100mb")
"""By default jscpd skips long files; clonetruth does not."""


@dataclass(frozen=True)
class Cost:
    """The resources used by a process and its children."""

    cpu: float
    wall: float
    peak: float

    def row(self, what: str, lines: int, reference: Cost | None = None) -> str:
        """A line of the table."""
        ratio = f"{self.cpu / reference.cpu:.2f}" if reference else ""
        return f"| {what} | {lines:,} | {self.cpu:.2f} | {self.wall:.2f} | {self.peak:,.0f} | {ratio} |"


def run(command: Sequence[str | Path], environment: dict[str, str] | None = None) -> Cost:
    """Run a program to its end.

    Raises:
        SystemExit: it failed.
    """
    started = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [str(part) for part in command],
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            output.seek(0)
            sys.exit(f"{command[0]} failed:\n{output.read().decode(errors='replace')[-2000:]}")
    wall = time.perf_counter() - started
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def find(folders: Sequence[Path], cache: Path | None, processes: int = 1) -> Cost:
    """One run of `clonetruth find`."""
    index = ["--no-index"] if cache is None else []
    environment = {"XDG_CACHE_HOME": str(cache)} if cache else {}
    return run([sys.executable, "-m", "clonetruth", "find", *_options(processes), *index, *folders], environment)


_FIRST_CLASS = ("--top", "1")


def _options(processes: int, output: Sequence[str] = _FIRST_CLASS) -> list[str]:
    finders = ["--with", "exact,renamed,tokens", "--language", "java"]
    return [*finders, *output, "--processes", str(processes)]


_SPLIT = """
import atexit, os, resource, sys, time
from clonetruth.__main__ import main
from clonetruth.code import parallel

workers = []

class MeasuredWorker(parallel.WorkerProcess):
    def __init__(self, serve):
        super().__init__(serve)
        self.started = time.monotonic()

    def kill(self):
        with open(f"/proc/{self._process.pid}/stat") as stat:
            user, system = stat.read().rpartition(")")[2].split()[11:13]
        workers.append((self.started, time.monotonic(), (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")))
        super().kill()

parallel.WorkerProcess = MeasuredWorker
def write():
    if os.getpid() != own:
        return  # a forked worker
    usage = resource.getrusage(resource.RUSAGE_SELF)
    with open(target, "w") as file:
        print(0, 0, usage.ru_utime + usage.ru_stime, file=file)
        for worker in workers:
            print(*worker, file=file)

sys.argv[0], target, own = "clonetruth", sys.argv.pop(1), os.getpid()
# `find` calls what is registered for the end, and then ends without unwinding.
atexit.register(write)
main()
"""


def split(folder: Path, processes: int, scratch: Path, output: Sequence[str]) -> tuple[float, float, float]:
    """The CPU seconds of the main process, of its workers, and of its workers if those at the same time count once."""
    target = scratch / "split"
    run([sys.executable, "-c", _SPLIT, target, "find", *_options(processes, output), "--no-index", folder])
    (_, _, main_process), *workers = [tuple(map(float, row.split())) for row in target.read_text().splitlines()]
    longest, until = [0.0], 0.0
    for started, ended, seconds in sorted(workers):
        if started >= until:
            longest.append(0.0)
        longest[-1], until = max(longest[-1], seconds), max(until, ended)
    return main_process, sum(seconds for _, _, seconds in workers), sum(longest)


def corpus(files: Sequence[Path], lines: int, folder: Path) -> int:
    """Write copies of the files until there are at least `lines` lines; return the number of lines written."""
    written = copy = 0
    while written < lines:
        for number, path in enumerate(files):
            data = altered(path.read_bytes(), copy) if copy else path.read_bytes()
            target = folder / str(copy) / f"{number}.java"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            written += data.count(b"\n")
            if written >= lines:
                break
        copy += 1
    return written


def altered(data: bytes, copy: int) -> bytes:
    """A file with consistently renamed identifiers and further statements in every block."""
    suffix, statements = b"_%d" % copy, b"more();" * copy
    pieces: list[bytes] = []
    for match in _JAVA.match_pattern.findall(data):
        token = match.rstrip()
        if match[:1].isalpha() and _JAVA.kind_of[token] == TokenKind.IDENTIFIER:
            match = token + suffix + match[len(token) :]
        elif token == b"{" and pieces and pieces[-1].rstrip() == b")":
            match += statements
        pieces.append(match)
    return b"".join(pieces)


def edit(folder: Path, count: int) -> None:
    """Edit some files, with modification times in the past."""
    for path in sorted(folder.rglob("*.java"))[:: max(1, sum(1 for _ in folder.rglob("*.java")) // count)][:count]:
        path.write_bytes(path.read_bytes().replace(b"return ", b"return /* */ "))
        past = time.time() - 60
        os.utime(path, (past, past))


def compare(files: Sequence[Path], jscpd: str | None, scratch: Path) -> None:
    """The table for one corpus: jscpd, then clonetruth cold, warm and on all cores."""
    folder = scratch / "corpus"
    lines = corpus(files, sum(path.read_bytes().count(b"\n") for path in files), folder)
    baseline = (
        run([jscpd, "--format", "java", "--min-tokens", "50", *_LIMITS, "-r", "silent", folder]) if jscpd else None
    )
    if baseline:
        print(baseline.row("jscpd 5, Type-1", lines, baseline), flush=True)
    cache = scratch / "cache"
    print(find([folder], None).row("clonetruth, no index", lines, baseline), flush=True)
    print(find([folder], cache).row("clonetruth, cold", lines, baseline), flush=True)
    print(find([folder], cache).row("clonetruth, warm", lines, baseline), flush=True)
    divide(folder, lines, scratch)
    edit(folder, 10)
    print(find([folder], cache).row("clonetruth, warm, ten files edited", lines, baseline), flush=True)
    print(
        find([folder], None, available_cores()).row(f"clonetruth, {available_cores()} processes", lines, baseline),
        flush=True,
    )


def divide(folder: Path, lines: int, scratch: Path) -> None:
    """Lines of the table for who works in a run with one process and with two."""
    for output in (_FIRST_CLASS, ("--format", "json")):
        alone, _, _ = split(folder, 1, scratch, output)
        main_process, workers, longest = split(folder, 2, scratch, output)
        path = main_process + longest
        print(
            f"| {' '.join(output)}, one process | {lines:,} | {alone:.2f} | | | |\n"
            f"| {' '.join(output)}, two workers: main process {main_process:.2f}, workers {workers:.2f} | {lines:,} "
            f"| {main_process + workers:.2f} | critical path {path:.2f}, {alone / path:.2f} × | | |",
            flush=True,
        )


def spread(folder: Path, lines: int) -> None:
    """Lines of the table for one process, and for a cluster of two workers with one core each: all pairs, the same.

    Raises:
        SystemExit: the reports differ.
    """
    from bench.process_tree import ProcessTree
    from bench.spark_cluster import spark_cluster

    command = [sys.executable, "-m", "clonetruth", "find", *_options(1, ("--format", "bigcloneeval")), "--no-index"]
    reports = [folder.parent / "alone.csv", folder.parent / "spread.csv"]
    with ProcessTree() as tree:
        cost = run([*command, "-o", reports[0], folder])
    print(Cost(tree.cpu, cost.wall, tree.peak).row("one process", lines), flush=True)
    with ProcessTree() as tree, spark_cluster(2, memory="2g") as cluster:
        started = tree.cpu
        options = ["--engine", f"spark={cluster.master}", "--memory-limit", "1GB"]
        cost = run([*command, *options, "-o", reports[1], folder])
    if reports[0].read_bytes() != reports[1].read_bytes():
        sys.exit("The report of the cluster differs from that of one process.")
    what = f"two Spark workers; {started:.1f} CPU s start the cluster, the command itself is {cost.cpu:.1f} CPU s"
    print(
        Cost(tree.cpu, cost.wall, tree.peak).row(f"{what}, largest process {tree.largest:,.0f} MB", lines), flush=True
    )


def grow(files: Sequence[Path], millions: Sequence[float], scratch: Path, spark: bool) -> None:
    """One line of the table per size."""
    for million in millions:
        folder = scratch / f"growth-{million}"
        lines = corpus(files, int(million * 1_000_000), folder)
        if spark:
            spread(folder, lines)
        else:
            print(find([folder], None).row("clonetruth, no index", lines), flush=True)
        shutil.rmtree(folder)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--jscpd", default=shutil.which("jscpd"), help="path of jscpd 5 (default: jscpd on the PATH)")
    parser.add_argument(
        "--million", nargs="*", type=float, default=[0.1, 1, 10], help="corpus sizes for the growth, in million lines"
    )
    parser.add_argument("--growth", action="store_true", help="measure the growth and two processes only")
    parser.add_argument("--spark", action="store_true", help="measure the growth on a Spark cluster only")
    options = parser.parse_args()
    files = list(source_files(options.folders, ["java"]))
    print(f"{machine()}\n\n| what | lines | CPU s | s | peak MB | CPU ÷ jscpd |\n| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as scratch:
        if options.spark:
            pass
        elif options.growth:
            folder = Path(scratch) / "corpus"
            divide(folder, corpus(files, 1_000_000, folder), Path(scratch))
        else:
            compare(files, options.jscpd, Path(scratch))
        grow(files, options.million, Path(scratch), options.spark)


if __name__ == "__main__":
    main()
