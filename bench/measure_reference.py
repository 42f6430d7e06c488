"""Print the quantiles of `clonetruth.audit.representativeness` for a corpus: a folder of sources or a Parquet file.

python bench/measure_reference.py java functions.parquet
python bench/measure_reference.py python /usr/lib/python3.11
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from clonetruth.audit.representativeness import MEASURES, QUANTILES, measure_fragment
from clonetruth.code import extract, language, read_source, source_files

# Installed packages and tests are not part of the library.
_LEFT_OUT = re.compile("site-packages|test|idlelib|lib2to3|encodings|_vendor|ensurepip")
_WRAPPER = re.compile(r"\A\s*public class BigbenchClone\s*\{[ \t]*\n?(.*)\}\s*\Z", re.DOTALL)


def _texts(path: Path, name: str) -> Iterator[str]:
    if path.is_file():
        for text in pq.read_table(path, columns=["code"])["code"].to_pylist():
            wrapped = _WRAPPER.match(text)
            yield wrapped[1] if wrapped else text
        return
    for file in source_files([path]):
        if file.suffix in language(name).extensions and not _LEFT_OUT.search(file.relative_to(path).as_posix()):
            for function in extract(read_source(file).text, language(name)).functions:
                yield function.text


def main() -> None:
    name, path = sys.argv[1], Path(sys.argv[2])
    rows = np.array([measure_fragment(text, language(name)) for text in _texts(path, name)])
    print(f"{len(rows):,} functions")
    for at, measure in enumerate(MEASURES):
        values = ", ".join(f"{value:.4g}" for value in np.quantile(rows[:, at], QUANTILES))
        print(f'"{measure}": ({values}),')


if __name__ == "__main__":
    main()
