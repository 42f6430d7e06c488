"""The texts and published pairs of BigCloneBench, from the real data next to the project."""

from __future__ import annotations

import csv
import gzip
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from clonetruth.code import FragmentForms, decode, fragment_forms, language


@dataclass(frozen=True)
class PublishedPair:
    """A row of Toma's lists: the list it is in (1 T1, 2 T2, 3 strong T3, 4 moderate T3) and its values."""

    group: int
    left: int
    right: int
    syntactic_type: int
    line: float
    token: float


def read_texts(data: Path) -> dict[int, str]:
    """Function texts by id: `functions.zip` first, then the wrapped ones without their wrapper."""
    with zipfile.ZipFile(data / "bigclonebench" / "functions.zip") as archive:
        parts = re.split(rb"FUNCTION_ID:\t(\d+)\r\n", archive.read("functions.txt"))
    texts = {int(number): decode(text).text for number, text in zip(parts[1::2], parts[2::2], strict=True)}
    wrapped = pq.read_table(data / "bigclonebench" / "typed_pairs_zhengly1" / "functions_wrapped.parquet")
    for number, code in zip(wrapped["function_id"].to_pylist(), wrapped["code"].to_pylist(), strict=True):
        inside = re.fullmatch(r"\s*public class BigbenchClone\s*\{(.*)\}\s*", code, re.DOTALL)
        texts.setdefault(int(number), inside[1] if inside else code)
    return texts


def read_pairs(data: Path, texts: dict[int, str]) -> list[PublishedPair]:
    """The published pairs whose texts are at hand."""
    pairs = []
    for group in (1, 2, 3, 4):
        path = data / "bigclonebench" / "typed_pairs_toma" / f"type-{group}.csv.gz"
        with gzip.open(path, "rt", newline="") as file:
            for left, right, kind, line, token in csv.reader(file):
                if int(left) in texts and int(right) in texts:
                    pairs.append(PublishedPair(group, int(left), int(right), int(kind), float(line), float(token)))
    return pairs


def forms_by_id(texts: dict[int, str], ids: set[int]) -> dict[int, FragmentForms]:
    """The forms of some of the functions."""
    java = language("java")
    return {number: fragment_forms(texts[number], java) for number in sorted(ids)}
