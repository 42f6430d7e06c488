"""The speed of `clonetruth find` by language, compared with jscpd 5 and with the floor of Python.

``python -m bench.bench_find_speed LANGUAGE=FOLDER… [--tiny N] [--jscpd PROGRAM] [--results FILE]``: for each tree, one
after the other, in CPU seconds of whole processes with their children:

- the *floor*: walk, read, and one tokenising regular expression in plain Python, without the start of Python;
- the *start-up*: `find` on a folder with an empty file;
- jscpd 5 with its default settings, limited to the language, and its JSON reporter. By default it leaves out files of
  more than 1,000 lines or 100 kB; the lines that it read are in the table;
- `clonetruth find --format json` without an index, with an empty one (cold), and with that of the run before (warm,
  in three formats).

Modules are compiled before, as those of an installed package are. ``--tiny N`` adds a generated tree of N Python files
with one short function each.

Each tree is written to FILE when it is measured, and a tree that is there is not measured again, so that an
interrupted run can be continued. The table at the end has all trees of FILE.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench.bench_find import Cost, run
from bench.measurement import machine

_EXTENSIONS = {
    "java": ("java",),
    "python": ("py",),
    "c": ("c", "h"),
    "cpp": ("cc", "cpp", "cxx", "h", "hpp"),
    "go": ("go",),
    "javascript": ("js", "mjs", "cjs", "jsx"),
    "typescript": ("ts", "mts", "cts"),
}
_JSCPD_FORMATS = {"c": "c,c-header", "cpp": "cpp,cpp-header,c-header"}
_WARM = ("json", "sarif", "csv")
COMPILED = Path(tempfile.gettempdir()) / "clonetruth-bench-compiled"
_FLOOR = r"""
import os, re, sys, time
token = re.compile(
    rb"[A-Za-z_]\w*|\d[\w.]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|//[^\n]*|#[^\n]*|/\*.*?\*/|[^\w\s]", re.DOTALL
)
endings = tuple("." + one for one in sys.argv[1].split(","))
began, lines, tokens = time.process_time(), 0, 0
for folder, folders, files in os.walk(sys.argv[2]):
    for name in files:
        if name.endswith(endings):
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
            lines += data.count(b"\n")
            tokens += len(token.findall(data))
print(time.process_time() - began, lines, tokens)
"""


@dataclass(frozen=True)
class TreeSpeed:
    """What was measured on one tree.

    Attributes:
        language: the language.
        folder: the name of the tree.
        measured: the date and the machine, with its load at the beginning.
        lines: the lines of its files.
        floor: CPU seconds of the floor.
        start: CPU seconds of `find` on an empty file.
        costs: CPU seconds and peak megabytes by what was run.
        jscpd_lines: the lines that jscpd read.
    """

    language: str
    folder: str
    measured: str
    lines: int
    floor: float
    start: float
    costs: dict[str, tuple[float, float]] = field(default_factory=dict)
    jscpd_lines: int | None = None

    def row(self) -> str:
        """A line of the table."""
        cold = self.costs["no index"][0]
        cells = [
            f"{self.language}, {self.folder}",
            f"{self.lines:,}",
            f"{self.floor:.2f}",
            f"{self.start:.2f}",
            f"{cold:.2f}",
            f"{cold / (self.floor + self.start):.1f}",
            f"{self.costs['cold'][0]:.2f}",
            *(f"{self.costs[f'warm {form}'][0]:.2f}" for form in _WARM),
            f"{self.costs['no index'][1]:,.0f}",
        ]
        if "jscpd" in self.costs:
            cpu, peak = self.costs["jscpd"]
            ratios = f"{cold / cpu:.1f}", f"{cold / (cpu + 1):.2f}"
            cells += [f"{cpu:.2f}", f"{self.jscpd_lines or 0:,}", f"{peak:,.0f}", *ratios]
        else:
            cells += ["–"] * 5
        return f"| {' | '.join(cells)} |"


_HEAD = (
    "| tree | lines | floor | start-up | no index | ÷ (floor + start-up) | cold | warm, JSON | warm, SARIF | warm, CSV "
    "| MB | jscpd 5 | lines it read | MB | no index ÷ jscpd | ÷ (jscpd + 1 s) |"
)


def speed(language: str, folder: Path, jscpd: str | None) -> TreeSpeed:
    """Measure one tree."""
    measured = f"{machine()}, load {os.getloadavg()[0]:.1f}"
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        endings = ",".join(_EXTENSIONS[language])
        floor = subprocess.run(
            [sys.executable, "-c", _FLOOR, endings, str(folder)], check=True, capture_output=True, text=True
        ).stdout.split()
        nothing = scratch / "nothing"
        nothing.mkdir()
        (nothing / f"nothing.{_EXTENSIONS[language][0]}").write_text("")
        find(language, nothing, None)  # compiles the modules
        costs = {"no index": find(language, folder, None)}
        cache = scratch / "cache"
        costs["cold"] = find(language, folder, cache)
        for form in _WARM:
            costs[f"warm {form}"] = find(language, folder, cache, form)
        jscpd_lines = None
        if jscpd:
            formats = _JSCPD_FORMATS.get(language, language)
            output = scratch / "jscpd"
            costs["jscpd"] = run([jscpd, "--format", formats, "-r", "json", "-o", output, folder])
            statistics = json.loads((output / "jscpd-report.json").read_text(encoding="utf-8"))["statistics"]
            jscpd_lines = int(statistics["total"]["lines"])
        return TreeSpeed(
            language=language,
            folder=folder.resolve().name,
            measured=measured,
            lines=int(floor[1]),
            floor=float(floor[0]),
            start=min(find(language, nothing, None).cpu for _ in range(3)),
            costs={what: (round(cost.cpu, 3), round(cost.peak, 1)) for what, cost in costs.items()},
            jscpd_lines=jscpd_lines,
        )


def find(language: str, folder: Path, cache: Path | None, form: str = "json") -> Cost:
    """One run of `clonetruth find`, in one process."""
    options = ["--language", language, "--format", form, "--processes", "1", *(["--no-index"] if cache is None else [])]
    environment = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(COMPILED)}
    environment |= {"XDG_CACHE_HOME": str(cache)} if cache else {}
    return run([sys.executable, "-m", "clonetruth", "find", *options, folder], environment)


def tiny_files(folder: Path, count: int) -> None:
    """Write files with one short function each, a thousand in a folder."""
    for number in range(count):
        target = folder / f"d{number // 1000}" / f"f{number}.py"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f"def f{number}(a, b):\n    return a * {number} + b\n")


def tree(text: str) -> tuple[str, Path]:
    """A tree as the user writes it: ``java=sources/tomcat``."""
    language, _, folder = text.partition("=")
    if language not in _EXTENSIONS or not Path(folder).is_dir():
        raise argparse.ArgumentTypeError(f"'{text}' is not LANGUAGE=FOLDER; languages: {', '.join(_EXTENSIONS)}")
    return language, Path(folder)


def main() -> None:
    """Measure what is not measured yet, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="*", type=tree, metavar="LANGUAGE=FOLDER")
    parser.add_argument("--tiny", type=int, metavar="N", help="also a tree of N tiny files")
    parser.add_argument("--jscpd", default=shutil.which("jscpd"), help="path of jscpd 5 (default: jscpd on the PATH)")
    parser.add_argument("--results", type=Path, help="file of the measured trees (default: measure all, keep nothing)")
    options = parser.parse_args()
    known: list[TreeSpeed] = []
    if options.results and options.results.exists():
        known = [TreeSpeed(**one) for one in json.loads(options.results.read_text(encoding="utf-8"))]
    with tempfile.TemporaryDirectory() as name:
        trees = list(options.trees)
        if options.tiny:
            trees.append(("python", Path(name) / f"{options.tiny:,} tiny files"))
            tiny_files(trees[-1][1], options.tiny)
        measure_all(trees, options, known)
    print("\n".join(sorted({one.measured for one in known})), end="\n\n")
    print(_HEAD, "|" + " --- |" + " --: |" * (_HEAD.count("|") - 2), *(one.row() for one in known), sep="\n")


def measure_all(trees: list[tuple[str, Path]], options: argparse.Namespace, known: list[TreeSpeed]) -> None:
    """Measure the trees that are not known yet."""
    for language, folder in trees:
        if any((one.language, one.folder) == (language, folder.resolve().name) for one in known):
            continue
        known.append(speed(language, folder, options.jscpd))
        print(known[-1].row(), file=sys.stderr, flush=True)
        if options.results:
            unfinished = options.results.with_suffix(".unfinished")
            unfinished.write_text(json.dumps([asdict(one) for one in known], indent=2), encoding="utf-8")
            unfinished.replace(options.results)


if __name__ == "__main__":
    main()
